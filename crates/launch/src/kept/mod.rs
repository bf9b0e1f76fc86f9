//! What a launch moves if caches keep what it touches, which its user says.
//!
//! A cache that keeps all that is touched reads each sector once, and writes each one back once that is written. How many sectors these are follows from
//! the addresses in the code. Accesses whose addresses are not understood count each time, as they do without the flag, and so do those to
//! arrays for which that is less, such as those that pass once over an array in whole lines.

mod asked;
mod chosen;
mod fits;
mod held;

use std::collections::BTreeSet;

use crate::Failure;
use crate::caches::{FirstCache, HOLDS, Kept};
use crate::kept::asked::footprints;
use crate::kept::chosen::{Cache, Chosen, chosen};
use crate::kept::fits::{Fits, Lines};
use crate::kept::held::{arrays_in_l2, held_by_l2};
use crate::kernel::Kernel;
use crate::question::Traffic;
pub(crate) use held::lines_in_l2;
use warpspan_listing::Footprint;
use warpspan_model::Cycles;
use warpspan_model::assumption::{Assumption, Id};
use warpspan_model::device::Capability;
use warpspan_model::machine::{Declared, Role};
use warpspan_rta::time::{Launch, Residency};

/// The kernel if the accesses in some lines ask nothing of the servers.
pub(crate) type Without<'a> = dyn Fn(&BTreeSet<u32>) -> Result<Kernel, Failure> + 'a;

/// What a flag about a cache says of the traffic.
#[derive(Debug, Clone)]
pub(crate) struct KeptTraffic {
    /// The flag.
    pub(crate) flag: &'static str,
    /// The most that a server is asked.
    pub(crate) most: Vec<Declared>,
    /// What the flag says is true.
    pub(crate) condition: &'static str,
    /// What numbers rest on that count on it.
    pub(crate) says: Vec<Assumption>,
    /// That the flag is of no use, if that is so.
    pub(crate) note: Option<String>,
}

impl KeptTraffic {
    /// Whether a number may rest on what the flag says.
    pub(crate) fn lowers(&self) -> bool {
        !self.most.is_empty() || self.flag == HOLDS
    }

    /// The same where the bound is no lower with it, so that nothing rests on it.
    fn of_no_use(self) -> Self {
        let said: Vec<&str> = self.says.iter().map(|one| one.value.as_str()).collect();
        let note = Some(format!("{}: the bound is the same without it: it {}", self.flag, said.join("; ")));
        Self { most: Vec::new(), says: Vec::new(), note, ..self }
    }
}

/// The bound of the launch in cycles with some of what the flags say.
pub(crate) type BoundWith<'a> = dyn Fn(&[KeptTraffic]) -> Result<Cycles, Failure> + 'a;

/// What the flags say, without what lowers the bound in no way: nothing rests on that, so that it is no condition either.
pub(crate) fn of_use(all: Vec<KeptTraffic>, bound: &BoundWith<'_>) -> Result<Vec<KeptTraffic>, Failure> {
    if all.is_empty() {
        return Ok(all);
    }
    // What is of no use leaves the bound as it is.
    let (with, mut found) = (bound(&all)?, all.clone());
    for at in (0..found.len()).filter(|&at| all[at].flag != HOLDS) {
        let mut others = found.clone();
        let one = others.remove(at);
        if bound(&others)? == with {
            others.insert(at, one.of_no_use());
            found = others;
        }
    }
    Ok(found)
}

/// The same without the condition that arrays are distinct, on which no number rests.
pub(crate) fn without_distinct(mut all: Vec<KeptTraffic>) -> Vec<KeptTraffic> {
    all.iter_mut().for_each(|one| one.says.retain(|what| what.id != Id::ArraysDistinct));
    all
}

/// Whether it is a condition that arrays are distinct.
pub(crate) fn are_distinct(all: &[KeptTraffic]) -> bool {
    all.iter().flat_map(|one| &one.says).any(|what| what.id == Id::ArraysDistinct)
}

/// The GPU of a launch.
pub(crate) struct Room<'a> {
    pub(crate) capability: &'a Capability,
    pub(crate) residency: &'a Residency,
    /// The bytes of its L2.
    pub(crate) l2_bytes: u64,
    /// Whether what is read may come over the link to the host.
    pub(crate) over_link: bool,
    /// No fewer than the instructions of the kernel and of all that it calls.
    pub(crate) instructions: usize,
}

/// What the flags say of a launch.
pub(crate) fn kept(
    args: &Traffic,
    kernel: &Kernel,
    room: &Room<'_>,
    without: &Without<'_>,
) -> Result<Vec<KeptTraffic>, Failure> {
    if args.keeps() && room.over_link {
        let what = "memory of the host may pass all caches of the GPU by: want --dram-bytes and --l2-bytes, or no --host-memory";
        return Err(Failure::usage(format!("--l1-keeps-block, --l2-keeps-launch, --l2-holds: {what}")));
    }
    let mut found = Vec::new();
    if let Some(size) = args.l1_keeps_block {
        found.push(in_first((args, size), kernel, room, without)?);
    }
    if let Some(kept) = args.l2_keeps_launch {
        found.push(in_l2(kept, kernel, room, without)?);
    }
    match &args.l2_holds {
        None => {}
        Some(held) if held.arrays.is_empty() => found.push(held_by_l2(held, kernel, room, without)?),
        Some(held) => found.push(arrays_in_l2(held, kernel, room)?),
    }
    Ok(found)
}

/// What flags that are not given would say of a launch, as far as they could be given.
pub(crate) fn possible(
    args: &Traffic,
    kernel: &Kernel,
    room: &Room<'_>,
    without: &Without<'_>,
) -> Vec<KeptTraffic> {
    if args.keeps() || room.over_link || footprints(kernel).is_empty() {
        return Vec::new();
    }
    let of_first = in_first((args, FirstCache(None)), kernel, room, without);
    of_first.into_iter().chain(in_l2(Kept::Sectors, kernel, room, without)).collect()
}

/// L2 keeps what the launch touches.
fn in_l2(
    kept: Kept,
    kernel: &Kernel,
    room: &Room<'_>,
    without: &Without<'_>,
) -> Result<KeptTraffic, Failure> {
    let cache = Cache {
        flag: "--l2-keeps-launch",
        name: "L2",
        of: |one| &one.moved,
        times: 1,
        once: true,
        in_lines: kept == Kept::Lines,
    };
    let fits = Fits { whose: "the launch", bytes: room.l2_bytes, besides: 0 };
    let all = Lines { of: |one| &one.moved, by: kernel.launch, times: room.capability.copies_in_l2 };
    let bytes = fits.check(&cache, kernel, &[all], without)?;
    let chosen = chosen(&cache, Role::Dram, kernel, without)?;
    Ok(KeptTraffic {
        flag: cache.flag,
        condition: "L2 keeps what the launch touches",
        says: vec![cache.says(kernel, &chosen, "the launch", (bytes, room.l2_bytes))],
        most: vec![chosen.declared],
        note: None,
    })
}

/// The first cache of a multiprocessor keeps what a block reads.
fn in_first(
    (args, size): (&Traffic, FirstCache),
    kernel: &Kernel,
    room: &Room<'_>,
    without: &Without<'_>,
) -> Result<KeptTraffic, Failure> {
    let flag = "--l1-keeps-block";
    let capability = room.capability;
    if let Some(line) = kernel.entry.on_machine.as_ref().and_then(|on| on.emptied) {
        return Err(Failure::usage(format!(
            "{flag}: what line {line} of {} does may empty the first cache",
            kernel.place
        )));
    }
    let version = capability.version;
    let size = size.0.or(capability.first_cache()).ok_or_else(|| {
        Failure::usage(format!(
            "{flag}: the size of the first cache of {version} is not known: want {flag}=48KiB or the like"
        ))
    })?;
    let of_block = kernel.needs.shared_memory.most.saturating_add(capability.resident.reserved_shared_memory);
    let shared = room.residency.most.saturating_mul(of_block).min(capability.resident.shared_memory);
    if let Some(most) = capability.unified_cache.map(|all| all - shared).filter(|&most| size > most) {
        return Err(Failure::usage(format!(
            "{flag}: beside the shared memory of its blocks a multiprocessor of {version} has {most} bytes for the first cache, not {size}"
        )));
    }
    let cache = Cache {
        flag,
        name: "the first cache",
        of: |one| &one.cached,
        times: kernel.launch.blocks,
        once: false,
        in_lines: false,
    };
    // A block may outlive any number of those that run next to it one after the other, so that under LRU it keeps what it has read only if
    // all of them fit. Where blocks run one after the other, each needs no more than its own lines.
    let one = Launch { blocks: 1, ..kernel.launch };
    let of_block = |times| Lines { of: |one| &one.block, by: one, times };
    let bytes = if room.residency.most == 1 {
        Fits { whose: "a block", bytes: size, besides: 0 }.check(&cache, kernel, &[of_block(1)], without)?
    } else {
        let all = Lines { of: |one| &one.launch, by: kernel.launch, times: 1 };
        let whose = "the blocks that may run while one of them does, which are all of the launch,";
        Fits { whose, bytes: size, besides: 0 }.check(
            &cache,
            kernel,
            &[all, of_block(kernel.launch.blocks)],
            without,
        )?
    };
    let of_l2 = chosen(&cache, Role::L2, kernel, without)?;
    let of_dram = chosen(&cache, Role::Dram, kernel, without)?;
    let kept = if of_l2.arrays.is_empty() { &of_dram } else { &of_l2 };
    Ok(KeptTraffic {
        flag: cache.flag,
        condition: "the first cache keeps what a block reads",
        says: {
            let mut of_cache = cache.says(kernel, kept, "a block", (bytes, size));
            of_cache.value.push_str(&written(args, kernel, kept));
            [of_cache].into_iter().chain(distinct(args, kernel)).collect()
        },
        most: vec![of_l2.declared, of_dram.declared],
        note: None,
    })
}

/// What is declared of pointers where stores end what the first cache keeps of their arrays.
fn distinct(args: &Traffic, kernel: &Kernel) -> Option<Assumption> {
    let writes = kernel.entry.on_machine.as_ref().is_some_and(|on| !on.writes.is_empty());
    (args.arrays_distinct && writes).then(|| {
        let value = "those that are different parameters point to different arrays";
        Assumption::declared(Id::ArraysDistinct, "pointers", value).by("--arrays-distinct")
    })
}

/// Which stores keep the first cache from keeping more, and what would do.
fn written(args: &Traffic, kernel: &Kernel, kept: &Chosen) -> String {
    let Some(on) = kernel.entry.on_machine.as_ref().filter(|on| !on.writes.is_empty()) else {
        return String::new();
    };
    let reads =
        |one: &Footprint| one.block.lines.difference(&kept.lines).any(|line| !on.writes.contains(line));
    if !on.footprints.iter().any(reads) {
        return String::new();
    }
    let lines: Vec<String> = on.writes.iter().map(ToString::to_string).collect();
    let what = if args.arrays_distinct {
        ""
    } else {
        ", unless --arrays-distinct says that different parameters point to different arrays"
    };
    format!("; nothing is kept of arrays to which the stores in lines {} may be{what}", lines.join(", "))
}
