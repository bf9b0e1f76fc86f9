//! Why a kernel has no bound, in words.

use crate::{MOST_KERNELS, MOST_PENDING, NoBound, System};

/// Why a kernel without a deadline has no bound.
pub fn without_bound(system: &System, why: NoBound) -> String {
    no_bound(system, why, "no deadline", "")
}

/// Why a kernel has no bound, with its limit in words and what adds most to what would be one.
pub fn no_bound(system: &System, why: NoBound, limit: &str, most: &str) -> String {
    let name = |task: usize| &system.tasks()[task].name;
    let write = |time| format!("{} {}", system.unit().write(time), system.unit());
    match why {
        NoBound::NotAlone { kernel, beside } if kernel == beside => format!(
            "C of {} was measured alone, but two of its blocks fit on a multiprocessor: want C measured with co-running blocks",
            name(kernel)
        ),
        NoBound::NotAlone { kernel, beside } => format!(
            "C of {} was measured alone, but a block of {} fits on a multiprocessor with its blocks: want C measured with co-running blocks",
            name(kernel),
            name(beside)
        ),
        NoBound::Executions => "there is not one execution time for each kernel".to_owned(),
        NoBound::TooManyKernels => format!("there are more than {MOST_KERNELS} kernels"),
        NoBound::TooManyStreams(streams, most) => format!(
            "the GPU runs {most} kernels at once, and kernels are in {streams} streams: want no more than {most} streams"
        ),
        NoBound::Grows(reached) => {
            format!(
                "bound {} > {limit}, more than {MOST_PENDING} launches pending, and growing{most}",
                write(reached)
            )
        }
        NoBound::Behind(task) => format!("launches of {} may pile up ahead of it in its stream", name(task)),
        NoBound::Held(task) => {
            format!("launches of {} may pile up, and its blocks can keep the GPU full", name(task))
        }
        NoBound::TooLarge => "times or blocks are too large to be multiplied: want a coarser unit".to_owned(),
        NoBound::Stopped(Some(stop)) => format!("the search for one was stopped ({})", stop.name()),
        NoBound::Stopped(None) => "the search for one takes too many steps".to_owned(),
    }
}
