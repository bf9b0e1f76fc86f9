//! What a cache keeps: the arrays for which least is moved.

use std::collections::BTreeSet;

use crate::Failure;
use crate::kept::Without;
use crate::kept::asked::{asked, footprints};
use crate::kernel::Kernel;
use crate::words::several;
use warpspan_listing::machine::Touching;
use warpspan_listing::{Extent, Footprint};
use warpspan_model::assumption::{Assumption, Id};
use warpspan_model::machine::{Declared, LINE, Role, SECTOR};

/// Something of what is touched that a cache may keep.
pub(super) struct Cache {
    pub(super) flag: &'static str,
    pub(super) name: &'static str,
    /// What it keeps of an array.
    pub(super) of: fn(&Footprint) -> &Touching,
    /// How often.
    pub(super) times: u64,
    /// Whether a line comes to L2 once.
    pub(super) once: bool,
    pub(super) in_lines: bool,
}

/// What a cache keeps.
pub(super) struct Chosen {
    pub(super) declared: Declared,
    pub(super) arrays: Vec<String>,
    /// The lines of the accesses that it serves.
    pub(super) lines: BTreeSet<u32>,
    pub(super) touched: Extent,
}

impl Cache {
    pub(super) fn says(
        &self,
        kernel: &Kernel,
        chosen: &Chosen,
        whose: &str,
        (bytes, size): (u128, u64),
    ) -> Assumption {
        let Self { flag, name, .. } = self;
        let all = footprints(kernel).iter().flat_map(Footprint::lines);
        let unplaced = kernel.entry.on_machine.iter().flat_map(|on| on.unplaced.iter().copied());
        let open: BTreeSet<u32> = all.chain(unplaced).filter(|line| !chosen.lines.contains(line)).collect();
        let what = if chosen.arrays.is_empty() {
            "which saves nothing".to_owned()
        } else {
            let Extent { sectors, lines } = chosen.touched;
            format!(
                "so that {} in {} count for {whose} of {}",
                several(sectors, "sector"),
                several(lines, "line"),
                chosen.arrays.join(", ")
            )
        };
        let open = if open.is_empty() {
            String::new()
        } else {
            let lines: Vec<String> = open.iter().map(ToString::to_string).collect();
            format!("; what the accesses in lines {} touch counts each time", lines.join(", "))
        };
        let value = format!("keeps every line until its last use, {what}; {bytes} of its {size} bytes{open}");
        let id = if self.once { Id::CacheL2 } else { Id::CacheL1 };
        Assumption::declared(id, *name, value).by(*flag)
    }
}

/// The arrays that a cache has to keep for a server to be asked least.
pub(super) fn chosen(
    cache: &Cache,
    role: Role,
    kernel: &Kernel,
    without: &Without<'_>,
) -> Result<Chosen, Failure> {
    let of_arrays = |arrays: &[&Footprint]| -> Result<Chosen, Failure> {
        let touching = arrays.iter().map(|one| (cache.of)(one));
        let lines: BTreeSet<u32> = touching.clone().flat_map(|one| one.lines.iter().copied()).collect();
        let mut touched = Extent::default();
        let mut moved = Extent::default();
        for one in touching {
            touched = touched.plus(one.touched);
            // A sector that is written is read first, and written back later.
            moved = moved.plus(one.touched);
            moved = if role == Role::Dram { moved.plus(one.written) } else { moved };
        }
        let moved = moved.times(cache.times);
        let other = without(&lines)?;
        let (server, others) = asked(&other, &kernel.launch, role)?;
        // Each line that comes may take the place of one that somebody has written before; where nothing is known of L2, it may come again
        // for each of its sectors.
        let fetches = if cache.once { touched.lines } else { touched.sectors };
        let displaced = u128::from(fetches) * u128::from(server.line.max(server.lone_sector));
        let displaced = displaced.saturating_mul(u128::from(cache.times)).min(u128::from(server.before));
        let bytes = if cache.in_lines {
            u128::from(moved.lines) * u128::from(LINE)
        } else {
            u128::from(moved.sectors) * u128::from(SECTOR)
        };
        let further = others.saturating_add(displaced);
        let declared = Declared { role, bytes, in_lines: cache.in_lines, further };
        let arrays = arrays.iter().map(|one| one.array.clone()).collect();
        Ok(Chosen { declared, arrays, lines, touched })
    };
    let (server, _) = asked(kernel, &kernel.launch, role)?;
    let mut arrays: Vec<&Footprint> =
        footprints(kernel).iter().filter(|one| !(cache.of)(one).lines.is_empty()).collect();
    let mut best = of_arrays(&arrays)?;
    let mut at = 0;
    while at < arrays.len() {
        let left: Vec<&Footprint> =
            arrays.iter().enumerate().filter(|(one, _)| *one != at).map(|(_, one)| *one).collect();
        let fewer = of_arrays(&left)?;
        if fewer.declared.amount(server) <= best.declared.amount(server) {
            (arrays, best) = (left, fewer);
        } else {
            at += 1;
        }
    }
    Ok(best)
}
