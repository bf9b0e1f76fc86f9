//! `stimuliModel`: when tasks are released.

use crate::model::Activation;
use crate::read::values::{time, varying_time};
use crate::xml::Element;
use warpspan_model::source::{InputError, quoted};
use warpspan_model::time::Duration;

/// When the tasks of the stimulus of this number are released.
pub(super) fn activation(stimulus: Element<'_>, number: usize) -> Result<Activation, InputError> {
    const KNOWN: &[&str] = &[
        "recurrence",
        "offset",
        "jitter",
        "minDistance",
        "nextOccurrence",
        "occurrence",
        "setModeValueList",
        "customProperties",
        "tags",
    ];
    if let Some(other) = stimulus.elements().find(|child| !KNOWN.contains(&child.name())) {
        let what = format!("a stimulus with {} is not analysed", quoted(other.name()));
        return Err(
            other.error(format!("{what}: want one that always releases its tasks, without conditions"))
        );
    }
    let given = |name| stimulus.child(name).map(time).transpose();
    match stimulus.kind() {
        "PeriodicStimulus" => {
            let period = time(stimulus.required_child("recurrence")?)?;
            let jitter = stimulus.child("jitter").map(varying_time).transpose()?;
            let jitter = jitter.map(|jitter| jitter.upper).unwrap_or_default();
            let offset = given("offset")?.unwrap_or_default();
            if period == Duration::ZERO {
                return Err(stimulus.error("a recurrence of 0: want more"));
            }
            let offset = (jitter == Duration::ZERO).then_some(offset);
            Ok(Activation::Recurring { period, longest: period, jitter, offset })
        }
        "RelativePeriodicStimulus" => {
            let next = varying_time(stimulus.required_child("nextOccurrence")?)?;
            if next.lower == Duration::ZERO {
                return Err(stimulus.error("a nextOccurrence of 0: want more"));
            }
            let (period, longest) = (next.lower, next.upper);
            Ok(Activation::Recurring { period, longest, jitter: Duration::ZERO, offset: None })
        }
        "SingleStimulus" => Ok(Activation::Once),
        "InterProcessStimulus" => Ok(Activation::Triggered(number)),
        kind => {
            let want = "PeriodicStimulus, RelativePeriodicStimulus, SingleStimulus or InterProcessStimulus";
            Err(stimulus
                .error(format!("a stimulus of the kind {} is not analysed: want {want}", quoted(kind))))
        }
    }
}
