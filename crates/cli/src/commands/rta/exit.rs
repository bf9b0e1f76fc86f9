//! The exit code of a verdict.

use crate::Exit;
use warpspan_rta::Verdict;

/// The exit code of a verdict, on kernels and on models.
pub(super) fn exit(verdict: Verdict) -> Exit {
    match verdict {
        Verdict::Proved => Exit::Done,
        Verdict::Refuted => Exit::Refuted,
        Verdict::Undecided => Exit::Limit,
    }
}
