//! Loops whose passes are counted over all warps of a launch.

use crate::kernel::Kernel;
use crate::question::Question;
use crate::{Failure, Kind};
use warpspan_listing::{LoopBounds, passes_of};
use warpspan_records::Time;
use warpspan_rta::time::InAll;

/// The totals of the flags. A loop that has a bound of one warp too has no need of them.
pub(crate) fn given(args: &Question, bounds: &LoopBounds) -> Result<LoopBounds, Failure> {
    let mut totals = LoopBounds::default();
    for given in &args.loop_totals {
        let wrong = |what: &str| Failure::usage(format!("--loop-total {given}: {what}"));
        if !args.others.co_running.is_empty() || args.others.system.is_some() {
            return Err(wrong("it is for a launch alone on the GPU, not with --co-running or --system"));
        }
        totals.add(given).map_err(|what| wrong(&what))?;
        let label = given.rsplit_once('=').map_or("", |(label, _)| label.trim());
        if bounds.has(label) {
            return Err(wrong("the loop has a --loop-bound too: want one of them"));
        }
    }
    Ok(totals)
}

/// Checks that each total is that of a loop of the kernel.
pub(crate) fn check(args: &Question, kernel: &Kernel) -> Result<(), Failure> {
    for given in &args.loop_totals {
        let label = given.rsplit_once('=').map_or("", |(label, _)| label.trim());
        let is_it = |line: u32, name: &str| name == label || line.to_string() == label;
        if !kernel.entry.loops.iter().any(|one| one.total.is_some() && is_it(one.line, &one.label)) {
            return Err(Failure::usage(format!(
                "--loop-total: {label:?} is no loop without a bound in {}: want its label or its line",
                kernel.place
            )));
        }
    }
    Ok(())
}

/// The smaller one of an answer and of that without the totals of loops of which the code shows how often each warp passes them: both
/// numbers are true, and neither says more than the other in every launch. `answer` answers a question of a launch alone on the GPU.
pub(crate) fn smaller(
    args: &Question,
    kernel: &Kernel,
    found: Time,
    answer: impl Fn(&Question) -> Result<Time, Failure>,
) -> Result<Time, Failure> {
    let counted = kernel.entry.loops.iter().filter(|one| one.total.is_some() && one.counted.is_some());
    let (mut others, mut says) = (args.clone(), Vec::new());
    for one in counted {
        let is_it = |label: &str| label == one.label || label == one.line.to_string();
        others
            .loop_totals
            .retain(|given| !is_it(given.rsplit_once('=').map_or("", |(label, _)| label.trim())));
        says.extend(one.total_larger());
    }
    if says.is_empty() {
        return Ok(found);
    }
    smaller_one(found, answer(&others), says)
}

/// The answer with the smaller bound. Who stops the search for the other one has the one that is known.
fn smaller_one(found: Time, other: Result<Time, Failure>, says: Vec<String>) -> Result<Time, Failure> {
    let mut other = match other {
        Err(failure) if failure.kind == Kind::Stopped => return Ok(found),
        other => other?,
    };
    let is_smaller = other.bound_ns.is_some_and(|other| found.bound_ns.is_none_or(|found| other < found));
    if !is_smaller {
        return Ok(found);
    }
    other.notes.extend(says);
    Ok(other)
}

/// The passes of the kernel that are counted separately from its code.
pub(crate) fn passes(kernel: &Kernel) -> Result<Vec<InAll>, Failure> {
    let with_total = kernel.entry.loops.iter().filter_map(|one| one.total.map(|total| (one, total)));
    with_total
        .map(|(one, most)| {
            let passes = passes_of(&kernel.code, one.line);
            // With one pass, in all or of each warp, the code has the loop no more, and all of its passes.
            if passes.is_empty() && most > 1 && one.counted != Some(1) {
                return Err(Failure::internal("a loop that its program does not have"));
            }
            Ok(InAll { passes, most })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::on_gpu_alone;
    use crate::parse::{block, grid};
    use crate::texts::Listing;

    /// An answer with this bound, or without one.
    fn answer(bound_ns: Option<u64>) -> Time {
        let listing = ".version 8.0\n.target sm_87\n.entry k()\n{\nret;\n}\n";
        let question = Question {
            listing: Listing { place: "k.ptx".to_owned(), bytes: listing.into() },
            gpu: Some("jetson-orin".to_owned()),
            grid: grid("1").unwrap(),
            block: block("32").unwrap(),
            ..Question::default()
        };
        Time { bound_ns, ..on_gpu_alone(&question).unwrap() }
    }

    #[test]
    fn who_stops_the_second_question_has_the_answer_to_the_first() {
        let stopped = smaller_one(answer(Some(7)), Err(Failure::stopped()), Vec::new());
        assert_eq!(stopped.unwrap().bound_ns, Some(7));
        assert!(smaller_one(answer(Some(7)), Err(Failure::internal("a bug")), Vec::new()).is_err());
        for (found, other, least) in [
            (Some(7), Some(5), Some(5)),
            (Some(7), Some(9), Some(7)),
            (Some(7), None, Some(7)),
            (None, Some(9), Some(9)),
            (None, None, None),
        ] {
            let smaller = smaller_one(answer(found), Ok(answer(other)), Vec::new()).unwrap();
            assert_eq!(smaller.bound_ns, least, "{found:?}, {other:?}");
        }
    }
}
