//! The tasks of a file, as the flags have it.

use crate::Failure;
use crate::args::partition::PartitionArgs;
use warpspan_model::device::Gpu;
use warpspan_model::source::InputError;
use warpspan_model::time::Millionths;
use warpspan_partition::{KernelTimeError, Launch, TaskSet, Test, read_tasks};

/// The tasks of a file, as the flags have it, and the test that judges them; `times` says how long code takes.
pub(super) fn set_of(
    args: &PartitionArgs,
    place: &str,
    text: &str,
    times: impl FnMut(&Launch, &Gpu) -> Result<Vec<Millionths>, KernelTimeError>,
) -> Result<(TaskSet, Test), Failure> {
    let mut set = read_tasks(place, text, times)?;
    let wrong = |what: &dyn std::fmt::Display| InputError::new(place, what);
    if let Some(slices) = args.slices {
        set = set.in_slices(slices).map_err(|what| wrong(&what))?;
    }
    if args.co_located && !set.given().is_empty() {
        return Err(wrong(&"[[partition]] with --co-located: want one without the other").into());
    }
    if let Some(mechanism) = args.mechanism.or(set.mechanism()) {
        let other = [("--slices", args.slices.is_some()), ("--co-located", args.co_located)];
        if let Some((flag, _)) = other.into_iter().find(|(_, is_given)| *is_given) {
            let what = format!("mechanism = {:?} with {flag}: want one without the other", mechanism.name());
            return Err(wrong(&what).into());
        }
        set = set.set_up_by(mechanism).map_err(|what| wrong(&what))?;
    }
    let named = args.test.or(set.test());
    Ok((set.tested_by(named), named.unwrap_or(Test::NpEdf)))
}
