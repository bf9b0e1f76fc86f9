//! Launches that may never end, because blocks that are there wait for blocks that are not.

use crate::cli::Failure;
use crate::cli::commands::time::kernel::Room;
use crate::listing::Entry;
use crate::model::device::Capability;
use crate::realtime::time::{Launch, Residency, Use};

/// Checks that no loop of a kernel waits for what other blocks write while some of them may have no room.
pub(super) fn check(
    place: &str,
    entry: &Entry,
    launch: &Launch,
    needs: &Use,
    (capability, room): (&Capability, Room),
) -> Result<(), Failure> {
    let waiting = entry
        .loops
        .iter()
        .find_map(|one| one.wait.as_ref().filter(|wait| wait.needs_all_blocks()).map(|wait| (one, wait)));
    let Some((one, wait)) = waiting else { return Ok(()) };
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
    Err(Failure::usage(format!(
        "{place}:{}: the loop waits for memory that other blocks write ({} in line {}), and {why}: such a launch may never end",
        one.line, wait.opcode, wait.line
    )))
}
