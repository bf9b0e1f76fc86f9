//! The instructions that a manual says may block, wait, or suspend a thread, and those that reach the memory of another multiprocessor or
//! of several GPUs.
//!
//! A letter takes its unit and has its result after its latency, whatever other warps do. What waits longer has a theorem or is
//! refused, and this list says which, for PTX (*PTX ISA* 9) and SASS (*CUDA Binary Utilities*, "Instruction Set
//! Reference"). It comes before the tables of classes. A class that the user gives comes before it only where the list has a
//! condition under which nothing waits.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::opcode::Opcode;
use Covered::{Refused, StartsNext, Theorem};

/// What becomes of an instruction that waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Covered {
    /// It is counted by the tables of classes, and this section of the manual covers its wait.
    Theorem(&'static str),
    /// It is counted by the tables of classes: it waits for nothing, but lets another kernel begin, which is refused where there
    /// may be one.
    StartsNext,
    /// It is refused, with what it does in the words of a message, and the condition under which it does not wait, if there is one.
    Refused(&'static str, Option<&'static str>),
}

impl Covered {
    /// The condition under which it does not wait, if there is one: a class that the user gives counts then.
    pub const fn unless(self) -> Option<&'static str> {
        match self {
            Refused(_, unless) => unless,
            StartsNext => Some(NO_DEPENDENT),
            Theorem(_) => None,
        }
    }
}

/// Opcodes that wait.
#[derive(Debug, Clone, Copy)]
pub struct Waiting {
    /// Patterns as in the tables of classes: a name, and modifiers that an opcode must have. The first row that matches counts.
    pub opcodes: &'static str,
    /// What the manual says, in other words.
    pub manual: &'static str,
    /// What becomes of it.
    pub covered: Covered,
}

/// Threads of one warp wait for one another: the program has all paths of its groups, one after the other.
const OF_A_WARP: Covered = Theorem("docs/extract-structure.md#why-the-program-covers-the-code");
/// All warps of a block wait for one another.
const OF_A_BLOCK: Covered = Theorem("docs/own.md#barriers");
/// A warp waits for its own results.
const OF_RESULTS: Covered = Theorem("docs/own.md#dependences-in-listings");
/// Nothing else of a launch is there.
const ALONE: Option<&str> = Some("the kernel is launched without programmatic dependent launch");
/// Nothing begins before it has ended.
pub const NO_DEPENDENT: &str = "no kernel of the stream is launched with programmatic dependent launch";
/// The only shared memory is that of the own block.
const NO_CLUSTERS: Option<&str> = Some("the kernel is launched without clusters");

const fn row(opcodes: &'static str, manual: &'static str, covered: Covered) -> Waiting {
    Waiting { opcodes, manual, covered }
}

/// All of them.
pub const ROWS: &[Waiting] = &[
    row(
        "setmaxnreg.dec USETMAXREG.DEALLOC",
        "setmaxnreg: .dec gives registers back to the pool of its block; .sync has the threads of its warp wait for each other. \
         Who waits for the registers is an .inc, so that .dec alone goes on at once.",
        OF_A_WARP,
    ),
    row(
        "setmaxnreg USETMAXREG",
        "setmaxnreg: .inc does not go on before the pool of its block has the registers that it asks for.",
        Refused("waits for registers that other warps of its block give back", None),
    ),
    row(
        "nanosleep NANOSLEEP",
        "nanosleep: the thread is suspended for up to twice the given time, and for a millisecond at most.",
        Refused("sleeps for a time that a register may say", None),
    ),
    row(
        "mbarrier.try_wait|test_wait SYNCS.PHASECHK USYNCS SYNCSU",
        "mbarrier.test_wait, try_wait: whether a phase is over; try_wait may suspend the thread until it is, or a limit of the \
         system has passed. Code passes either again and again until it succeeds.",
        Refused("waits for a phase of a barrier in memory, whose arrivals are not followed", None),
    ),
    row(
        "griddepcontrol.wait ACQBULK",
        "griddepcontrol: .wait has the thread wait until the kernels before it have ended and their memory is visible.",
        Refused("waits for the kernels before it in its stream", ALONE),
    ),
    row(
        "griddepcontrol.launch_dependents PREEXIT",
        "griddepcontrol: with .launch_dependents in all blocks, or their end, the kernels that depend on it may be launched before \
         it has ended. It waits for nothing itself.",
        StartsNext,
    ),
    row(
        "barrier.cluster UCGABAR_ARV UCGABAR_WAIT CGABAR",
        "barrier.cluster: .wait has the threads wait for the arrivals of all threads of the cluster.",
        Refused("is a barrier of several blocks", None),
    ),
    row(
        // A copy from global memory to `.shared::cluster` is one to the own block, unless its address comes from `mapa`.
        "mapa cvta|ld|st|atom|red|mbarrier.shared::cluster st|red.async cp.shared::cluster.shared::cta cp.multicast::cluster STAS \
         REDAS UBLKCP|UTMALDG.MULTICAST",
        "mapa: the address of a variable in the shared memory of another block of the cluster; .shared::cluster: the shared memory \
         of all its blocks, to which st.async and red.async write.",
        Refused("reaches the shared memory of other blocks of its cluster", NO_CLUSTERS),
    ),
    row(
        "multimem LDGMC",
        "multimem: an address that stands for one of each of several GPUs.",
        Refused("reaches the memory of several GPUs", None),
    ),
    row(
        "wgmma.wait_group WARPGROUP WARPGROUPSET",
        "wgmma.wait_group N: the threads wait until at most N groups of products are pending.",
        Refused("waits for products of several warps, which are not followed", None),
    ),
    row(
        "cp.bulk.wait_group",
        "cp.async.bulk.wait_group N: the thread waits until at most N groups of bulk copies are pending.",
        Refused("waits for copies whose size only a register knows", None),
    ),
    row(
        "tcgen05 UTCATOMSWS UTCBAR UVIRTCOUNT",
        "tcgen05.alloc blocks until there is as much tensor memory as it asks for; tcgen05.wait until the thread's own loads and \
         stores of it are done; tcgen05.commit tells a barrier of the ends of others.",
        Refused("is for tensor memory, whose warps wait for one another", None),
    ),
    row(
        "clusterlaunchcontrol UGETNEXTWORKID",
        "clusterlaunchcontrol.try_cancel: takes the place of a block that has not begun, and tells a barrier in memory when the \
         answer is there.",
        Refused("takes the work of a block that has not begun", None),
    ),
    row(
        "ACQSHMINIT",
        "ACQSHMINIT: waits for a state of the warp that the initialization of shared memory releases.",
        Refused("waits for the initialization of shared memory", None),
    ),
    row(
        "TTUGO TTULD TTUST",
        "Instructions of the unit for rays.",
        Refused("waits for the unit for rays", None),
    ),
    row("BPT.TRAP", "trap: the launch is ended and the host interrupted; nothing is waited for.", OF_A_WARP),
    row("brkpt BPT", "brkpt: execution is suspended.", Refused("stops for a debugger", None)),
    row(
        "bar.warp WARPSYNC WARPSYNCALL YIELD BSYNC SYNC",
        "bar.warp.sync: waits for the threads of its warp that the mask names.",
        OF_A_WARP,
    ),
    row(
        "shfl|vote|match|redux|elect|ldmatrix|stmatrix|movmatrix|mma|wmma|wgmma.sync SHFL VOTE VOTEU MATCH REDUX CREDUX ELECT",
        ".sync: waits until the threads of its warp that the mask names, or all, have reached it.",
        OF_A_WARP,
    ),
    row(
        "ret RET",
        "ret: where threads of a warp return apart, they are suspended until all have.",
        OF_A_WARP,
    ),
    row(
        "bar|barrier.arrive BAR.ARV",
        "barrier.arrive: tells a barrier that the threads are there, and does not have them wait.",
        Refused("arrives at a barrier without waiting for it", None),
    ),
    row(
        "bar|barrier.sync|red BAR",
        "barrier: waits for the threads of its own warp, and with .sync and .red for those of all warps that take part.",
        OF_A_BLOCK,
    ),
    row(
        "cp.wait_group|wait_all LDGDEPBAR DEPBAR TEXDEPBAR",
        "cp.async.wait_group N, wait_all: waits until at most N groups of the thread's copies are pending, or none.",
        OF_RESULTS,
    ),
    row(
        "membar fence MEMBAR ERRBAR CGAERRBAR FENCE",
        "membar, fence: accesses before it are performed before those behind it.",
        OF_RESULTS,
    ),
];

/// The row of an opcode, if it is one of those that wait.
pub fn of(opcode: &Opcode<'_>) -> Option<&'static Waiting> {
    static INDEX: OnceLock<HashMap<&'static str, Vec<(&'static str, &'static Waiting)>>> = OnceLock::new();
    let index = INDEX.get_or_init(|| {
        let mut index: HashMap<_, Vec<_>> = HashMap::new();
        for row in ROWS {
            for pattern in row.opcodes.split(' ') {
                let names = pattern.split('.').next().unwrap_or_default();
                names.split('|').for_each(|name| index.entry(name).or_default().push((pattern, row)));
            }
        }
        index
    });
    let rows = index.get(opcode.0.split('.').next()?)?;
    rows.iter().find(|(pattern, _)| opcode.is_of(pattern)).map(|(_, row)| *row)
}
