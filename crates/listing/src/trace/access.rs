//! What accesses of memory touched.

use crate::affine::touched_at;
use crate::machine::MemorySpace;
use crate::message::one_line;
use crate::routine::Routine;
use crate::trace::follow::lanes_of;
use crate::trace::header::Header;
use crate::trace::instruction::Executed;
use crate::trace::touched::Sectors;
use warpspan_isa::instruction::Instruction;
use warpspan_isa::memory::{TracedAs, bytes_of_lane, passes_of_width, traced_as};

/// More bytes than the shared memory of any multiprocessor has; what is allocated in global memory lies far above.
const SHARED: i64 = 1 << 24;

/// An instruction that accessed memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TracedAccess {
    /// Its line.
    pub line: u32,
    /// The instruction.
    pub instruction: String,
    /// The memory; none where it is not counted.
    pub space: Option<MemorySpace>,
    /// How often a warp did it with a lane or more.
    pub times: u64,
    /// The most lanes that did it together.
    pub lanes: u64,
    /// The most transactions of a pass, as declarations count them.
    pub transactions: Option<u64>,
    /// The most sectors and lines of one execution; of global memory.
    pub touched: Option<[u64; 2]>,
    /// Why its transactions are not counted, if they are not.
    pub why_not: Option<&'static str>,
    pub(crate) at: usize,
}

/// What is known of an instruction so far.
#[derive(Debug, Clone, Copy)]
struct Found {
    kind: TracedAs,
    bytes: u32,
    /// The passes of its width.
    width: u64,
    times: u64,
    lanes: u64,
    /// All passes of one execution, at most.
    passes: u64,
    sectors: u64,
    lines: u64,
    /// Whether a generic address may be of another memory.
    elsewhere: bool,
}

impl Found {
    /// One that was not executed so far.
    fn of(kind: TracedAs, bytes: u32, width: u64) -> Self {
        Self { kind, bytes, width, times: 0, lanes: 0, passes: 0, sectors: 0, lines: 0, elsewhere: false }
    }
}

/// All accesses.
pub(super) struct Accesses {
    of: Vec<Option<Found>>,
    header: Header,
    block: Sectors,
    launch: Sectors,
    most_of_block: [u64; 2],
    asked: u64,
}

impl Accesses {
    pub(super) fn new(routine: &Routine<'_>) -> Self {
        let found = |one: &Instruction<'_>| {
            let kind = traced_as(one)?;
            let bytes = bytes_of_lane(one).unwrap_or(4);
            let width = passes_of_width(one).max(1);
            Some(Found::of(kind, bytes, width))
        };
        Self {
            of: routine.instructions.iter().map(found).collect(),
            header: Header::default(),
            block: Sectors::default(),
            launch: Sectors::default(),
            most_of_block: [0; 2],
            asked: 0,
        }
    }

    /// Begins with the next file.
    pub(super) fn begin(&mut self, header: &Header) {
        self.header = header.clone();
        self.block.clear();
        self.launch.clear();
        (self.most_of_block, self.asked) = ([0; 2], 0);
    }

    pub(super) fn end_block(&mut self) {
        let [sectors, lines] = self.block.count();
        self.most_of_block = [self.most_of_block[0].max(sectors), self.most_of_block[1].max(lines)];
        self.block.clear();
    }

    /// The most sectors and lines of a block, and those of the launch.
    pub(super) fn touched(&self) -> [[u64; 2]; 2] {
        [self.most_of_block, self.launch.count()]
    }

    pub(super) fn asked(&self) -> u64 {
        self.asked
    }

    /// Adds an execution.
    pub(super) fn add(&mut self, listed: &Instruction<'_>, at: usize, one: &Executed) -> Result<(), String> {
        let number = at;
        let Some(found) = self.of[number].as_mut() else {
            // What else has addresses, such as fences of caches and tiles of matrices.
            if one.addresses.is_some() {
                let why = TracedAs::Not("what it touches does not follow from the addresses of lanes");
                self.of[number] = Some(Found::of(why, 4, 1));
                return self.add(listed, at, one);
            }
            return Ok(());
        };
        let Some(addresses) = one.addresses else {
            if matches!(found.kind, TracedAs::Not(_)) {
                found.times += u64::from(one.mask != 0);
                return Ok(());
            }
            return Err(format!("no addresses, although {} accesses memory", listed.opcode()));
        };
        if one.mask == 0 {
            return Ok(());
        }
        let lanes: Vec<(usize, i64)> = lanes_of(one.mask).map(|lane| (lane, addresses[lane])).collect();
        found.times += 1;
        found.lanes = found.lanes.max(lanes.len() as u64);
        let bytes = found.bytes;
        if !matches!(found.kind, TracedAs::Not(_))
            && let Some((lane, address)) = lanes.iter().find(|(_, address)| address % i64::from(bytes) != 0)
        {
            return Err(format!(
                "address {address:#x} of lane {lane} is no multiple of the {bytes} bytes of {}",
                listed.opcode()
            ));
        }
        let counted = touched_at(&lanes, bytes);
        let is_global = |generic: bool| {
            !generic || lanes.iter().all(|&(_, address)| self.header.is_global(address) == Some(true))
        };
        let global = match found.kind {
            TracedAs::Global { generic } => {
                found.passes = found.passes.max(counted.passes);
                is_global(generic)
            }
            // A copy has an address in each memory, and shared memory begins at 0.
            TracedAs::Copy if lanes.iter().all(|&(_, address)| address < SHARED) => return Ok(()),
            TracedAs::Copy => true,
            TracedAs::Shared => {
                found.passes = found.passes.max(counted.wavefronts);
                return Ok(());
            }
            TracedAs::Atomic { shared: true, .. } => return Ok(()),
            TracedAs::Atomic { shared: false, generic } => is_global(generic),
            TracedAs::Not(_) => return Ok(()),
        };
        if !global {
            found.elsewhere = true;
            return Ok(());
        }
        found.sectors = found.sectors.max(counted.sectors);
        found.lines = found.lines.max(counted.lines);
        self.asked = self.asked.saturating_add(counted.sectors);
        for (_, address) in lanes {
            self.block.add(address, bytes);
            self.launch.add(address, bytes);
        }
        Ok(())
    }

    /// What was found of each that was executed.
    pub(super) fn found(self, routine: &Routine<'_>) -> Vec<TracedAccess> {
        let done = self.of.into_iter().enumerate().filter_map(|(at, found)| Some((at, found?)));
        done.filter(|(_, found)| found.times > 0)
            .map(|(at, found)| {
                let one = &routine.instructions[at];
                let text = one_line(one).trim().to_owned();
                let each = found.passes.div_ceil(found.width);
                let (space, transactions, why_not) = match found.kind {
                    TracedAs::Not(why) => (None, None, Some(why)),
                    TracedAs::Copy => (
                        Some(MemorySpace::Global),
                        None,
                        Some("a copy between two memories, which counts in both"),
                    ),
                    TracedAs::Global { .. } | TracedAs::Atomic { generic: true, .. } if found.elsewhere => {
                        (None, None, Some("generic addresses that may be of shared or local memory"))
                    }
                    TracedAs::Global { .. } => (Some(MemorySpace::Global), Some(each), None),
                    TracedAs::Shared => (Some(MemorySpace::Shared), Some(each), None),
                    // Lanes of one address come one after the other, so each counts.
                    TracedAs::Atomic { shared: true, .. } => {
                        (Some(MemorySpace::Shared), Some(found.lanes), None)
                    }
                    TracedAs::Atomic { .. } => (Some(MemorySpace::Global), Some(found.lanes), None),
                };
                let global = space == Some(MemorySpace::Global);
                TracedAccess {
                    line: one.line,
                    instruction: text,
                    space,
                    times: found.times,
                    lanes: found.lanes,
                    transactions,
                    touched: global.then_some([found.sectors, found.lines]),
                    why_not,
                    at,
                }
            })
            .collect()
    }
}
