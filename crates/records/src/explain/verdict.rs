//! What a verdict of `rta` rests on.

use crate::explain::Condition;
use crate::explain::conditions::several;
use crate::explain::exact::exact;
use crate::rta::{Kernel, Rta, VerdictBy};

/// What a verdict rests on, looked up in the numbers of the kernels.
pub(super) fn verdict(rta: &Rta) -> Vec<Condition> {
    let late = |kernel: &&Kernel| {
        let (bound, deadline) = (kernel.response_bound.as_ref(), kernel.deadline.as_ref());
        match (bound.and_then(exact), deadline.and_then(exact)) {
            (_, None) => false,
            (None, Some(_)) => true,
            (Some(bound), Some(deadline)) => bound > deadline,
        }
    };
    let name = |kernel: Option<&Kernel>| kernel.map_or("none", |kernel| kernel.name.as_str()).to_owned();
    match rta.by {
        Some(VerdictBy::Algorithm2 | VerdictBy::Bound) => {
            let found = rta.kernels.iter().find(late);
            let what = match found {
                Some(kernel) => format!("that of {} is not", kernel.name),
                None => several(rta.kernels.len() as u128, "kernel"),
            };
            vec![Condition::of("every response bound is within its deadline", found.is_none(), what)]
        }
        Some(VerdictBy::LeastResponse) => {
            let slow = |kernel: &&Kernel| {
                let least = kernel.response_least.as_ref().and_then(exact);
                least
                    .zip(kernel.deadline.as_ref().and_then(exact))
                    .is_some_and(|(least, deadline)| least > deadline)
            };
            let found = rta.kernels.iter().find(slow);
            vec![Condition::of(
                "the least response of a kernel is above its deadline",
                found.is_some(),
                name(found),
            )]
        }
        Some(VerdictBy::Overload) => {
            let found = format!("{:.2} threads of {}", rta.utilisation, rta.capacity);
            #[expect(clippy::cast_precision_loss, reason = "a number of threads is far below 2^53")]
            let above = rta.utilisation > rta.capacity as f64;
            vec![Condition::of("more threads are busy in the long run than there are", above, found)]
        }
        Some(VerdictBy::Schedule) => {
            let missed = |kernel: &&Kernel| {
                let Some((missed, deadline)) =
                    kernel.missed.as_ref().zip(kernel.deadline.as_ref().and_then(exact))
                else {
                    return false;
                };
                let completion = missed.completion.as_ref().map(exact);
                let due = exact(&missed.release).map(|release| release + deadline);
                completion.is_none_or(|completion| completion > due)
            };
            let found = rta.kernels.iter().find(missed);
            vec![Condition::of("a launch completes after its deadline", found.is_some(), name(found))]
        }
        None => Vec::new(),
    }
}
