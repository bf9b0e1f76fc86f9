//! The errors of schedules.

use thiserror::Error;

use crate::{LONGEST, Mode, Phase};
use warpspan_model::time::Nanoseconds;

/// Why there is no such schedule.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ScheduleError {
    /// The mode does not allow an offset as small as this.
    #[error(
        "{phase} offset of {found} ns: {mode} wants {least} ns or more here, or a writeback would be due before its \
         computation has ended",
        found = .found.0,
        least = .least.0
    )]
    Offset {
        /// The phase whose offset it is, prefetch or writeback.
        phase: Phase,
        /// The mode.
        mode: Mode,
        /// The offset that was asked for.
        found: Nanoseconds,
        /// The least offset that would do.
        least: Nanoseconds,
    },
    /// A block would have to begin a phase before it has ended the phase before.
    #[error("kernel {kernel}: a {phase} would be due before what comes before it has ended")]
    TooSoon {
        /// The kernel of the block.
        kernel: String,
        /// The phase that would begin too soon.
        phase: Phase,
    },
    /// The run takes longer than [`LONGEST`].
    #[error("the schedule takes more than {} ns: want smaller offsets or fewer tiles", LONGEST.0)]
    TooLong,
}
