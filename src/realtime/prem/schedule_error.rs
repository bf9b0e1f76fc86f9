//! Why there is no schedule.

use thiserror::Error;

use crate::model::time::Duration;
use crate::realtime::prem::{LONGEST, Mode, Phase};

/// Why there is no such schedule.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ScheduleError {
    /// The mode does not allow so small an offset.
    #[error(
        "{phase} offset of {found} ns: {mode} wants {least} ns or more here, or a writeback would be due before its \
         computation has ended"
    )]
    Offset {
        /// Prefetch or writeback.
        phase: Phase,
        /// The mode.
        mode: Mode,
        /// What was asked for.
        found: Duration,
        /// What would do.
        least: Duration,
    },
    /// A block would have to begin something before it has ended what comes before.
    #[error("kernel {kernel}: a {phase} would be due before what comes before it has ended")]
    TooSoon {
        /// Whose block.
        kernel: String,
        /// What would begin too soon.
        phase: Phase,
    },
    /// The run exceeds [`LONGEST`].
    #[error("the schedule takes more than {} ns: want smaller offsets or fewer tiles", LONGEST.0)]
    TooLong,
}
