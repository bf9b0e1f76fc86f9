//! Whether all that is touched finds room in a cache.

use std::collections::BTreeSet;

use crate::Failure;
use crate::kept::Without;
use crate::kept::asked::{asked, footprints};
use crate::kept::chosen::Cache;
use crate::kernel::Kernel;
use warpspan_listing::Footprint;
use warpspan_listing::machine::Touching;
use warpspan_model::machine::{LINE, Role, SECTOR};
use warpspan_rta::time::Launch;

/// Lines that are moved through a cache.
pub(super) struct Lines {
    /// What is touched of an array, kept or not.
    pub(super) of: fn(&Footprint) -> &Touching,
    /// Those who move them.
    pub(super) by: Launch,
    /// How many of these there are.
    pub(super) times: u64,
}

/// Whether all that is touched finds room.
pub(super) struct Fits<'a> {
    pub(super) whose: &'a str,
    pub(super) bytes: u64,
    /// What else there is room for.
    pub(super) besides: u64,
}

impl Fits<'_> {
    /// The bytes of the lines, counted in the way that gives the fewest; refused if they do not fit. What is not understood may touch a
    /// line each time.
    pub(super) fn check(
        &self,
        cache: &Cache,
        kernel: &Kernel,
        counted: &[Lines],
        without: &Without<'_>,
    ) -> Result<u128, Failure> {
        let footprints = footprints(kernel);
        let mut fewest: Option<(u128, u128)> = None;
        for Lines { of, by, times } in counted {
            let touching = footprints.iter().map(of);
            let lines: BTreeSet<u32> = touching.clone().flat_map(|one| one.lines.iter().copied()).collect();
            let known: u128 = touching.map(|one| u128::from(one.touched.lines)).sum();
            let other = without(&lines)?;
            let (server, asked) = asked(&other, by, Role::L2)?;
            let least = server.lone_sector.min(server.line / (LINE / SECTOR)).max(1);
            let open = asked.div_ceil(u128::from(least));
            let bytes = known.saturating_add(open).saturating_mul(u128::from(LINE) * u128::from(*times));
            let bytes = bytes.saturating_add(self.besides.into());
            if fewest.is_none_or(|(fewest, _)| bytes < fewest) {
                fewest = Some((bytes, open));
            }
        }
        let (bytes, open) = fewest.unwrap_or_default();
        if bytes <= u128::from(self.bytes) {
            return Ok(bytes);
        }
        let Self { whose, bytes: room, .. } = self;
        let unplaced = kernel.entry.on_machine.iter().flat_map(|on| &on.unplaced);
        let unplaced: Vec<String> = unplaced.map(ToString::to_string).collect();
        let why = match open {
            0 => String::new(),
            _ if unplaced.is_empty() => ", with those that some accesses touch anew each time".to_owned(),
            _ => format!(
                ", since the code does not show where the accesses in lines {} go (--param)",
                unplaced.join(", ")
            ),
        };
        Err(Failure::usage(format!(
            "{}: {whose} may touch {bytes} bytes in whole lines{why}, and {} has {room}: want the traffic (--dram-bytes, --l2-bytes)",
            cache.flag, cache.name
        )))
    }
}
