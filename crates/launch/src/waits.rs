//! Launches that may never end, because resident blocks wait for blocks that are not resident, and those that do not keep the
//! next kernel of their stream waiting.

use crate::Failure;
use crate::flags::in_flags;
use warpspan_listing::Entry;
use warpspan_model::device::Capability;
use warpspan_rta::time::{Launch, Residency, Use};

/// What there is for the blocks of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Room {
    /// So many multiprocessors.
    Alone(u64),
    /// Other kernels take some of it, at unknown times.
    Shared,
}

/// Checks that no loop of a kernel waits for what other blocks write while some of them may have no room, and that it keeps the
/// next kernel of its stream waiting if there may be one.
pub(crate) fn check(
    place: &str,
    entry: &Entry,
    launch: &Launch,
    needs: &Use,
    (capability, room): (&Capability, Room),
) -> Result<(), Failure> {
    if let (Room::Shared, Some(why)) = (room, entry.starts_next()) {
        return Err(Failure::usage(format!("{place}: {}: {}", entry.name, in_flags(&why))));
    }
    let Some(waits) = entry.needs_all_blocks() else { return Ok(()) };
    let why = match room {
        Room::Shared => "other kernels may keep some of its blocks out meanwhile".to_owned(),
        Room::Alone(multiprocessors) => {
            // That not even one block fits is told later, in its own words.
            let Ok(residency) = Residency::new(capability, launch, needs) else { return Ok(()) };
            let room = residency.least.saturating_mul(multiprocessors);
            if launch.blocks <= room {
                return Ok(());
            }
            let open = if residency.is_known() {
                ""
            } else {
                ", as far as is known (--registers, --shared and --dynamic-shared may say more)"
            };
            format!("only {room} of the {} blocks have room at once{open}", launch.blocks)
        }
    };
    Err(Failure::usage(format!("{place}: {}: {waits}, and {why}: such a launch may never end", entry.name)))
}
