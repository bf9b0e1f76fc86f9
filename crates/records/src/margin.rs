//! How far each number may be wrong on which a proved verdict rests: the last value with which it still is proved, and the first one with
//! which it is not, each alone while the others stay as they are. Where a verdict is undecided, the same search says which value would do.
//!
//! What is proved with a value is proved with every better one, so that bisection finds the end, and the same analysis answers each step.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Assumption;
use warpspan_model::assumption::Id;

/// How far a value may be wrong, or which one would do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Margin {
    /// Whether a larger value is worse, and not a smaller one.
    pub is_most: bool,
    /// Whether nothing is proved with the value as it is: `holds_to` is then what would do.
    #[serde(default)]
    pub would_do: bool,
    /// The last value with which all deadlines are proved to be met: `1184 MHz`; null where they are with every value.
    pub holds_to: Option<String>,
    /// The next value, with which they are not; null where they are with every value.
    pub breaks_at: Option<String>,
}

/// What an answer says where a search was stopped.
const LEFT_OUT: &str =
    "the search for margins was stopped: of what has none it is not known how far it may be wrong";

/// Gives a question another value.
type With<Q> = Box<dyn Fn(&mut Q, u64)>;

/// A number on which the answer to a question may rest, as a whole number of steps.
pub struct Quantity<Q> {
    ids: &'static [Id],
    source: Option<String>,
    best: u64,
    now: u64,
    worst: u64,
    guess: Option<u64>,
    with: With<Q>,
    shown: Box<dyn Fn(u64) -> String>,
}

impl<Q> Quantity<Q> {
    /// A number of a row with one of these names: the best value that it may have, what it is now, and the worst one. A worst one of 0 is
    /// never proved, and nothing is asked with it. `with` gives a question another value, and `shown` says a value in words.
    pub fn new(
        ids: &'static [Id],
        [best, now, worst]: [u64; 3],
        with: impl Fn(&mut Q, u64) + 'static,
        shown: impl Fn(u64) -> String + 'static,
    ) -> Self {
        let (with, shown) = (Box::new(with), Box::new(shown));
        Self { ids, source: None, best, now, worst, guess: None, with, shown }
    }

    /// The same, of a row with this source.
    #[must_use]
    pub fn by(self, source: String) -> Self {
        Self { source: Some(source), ..self }
    }

    /// The same, with a value that is looked at first.
    #[must_use]
    pub fn near(self, guess: u64) -> Self {
        Self { guess: Some(guess), ..self }
    }
}

/// The answer to a question, as far as margins need it.
#[derive(Debug, Default)]
pub struct Judged {
    /// Whether all deadlines are proved to be met.
    pub proved: bool,
    /// What that rests on.
    pub assumptions: Vec<Assumption>,
}

/// Adds to what the answer to a question rests on how far each may be wrong, and sorts what breaks first to the front of its kind.
/// `proved` is whether that answer is, `judge` answers another question, or says that it was stopped; then what is not yet known is left
/// out, and a note says so.
///
/// # Errors
/// If a question cannot be answered.
pub fn add_margins<Q: Clone, E>(
    (proved, assumptions, notes): (bool, &mut Vec<Assumption>, &mut Vec<String>),
    question: &Q,
    quantities: Vec<Quantity<Q>>,
    judge: impl Fn(&Q) -> Result<Option<Judged>, E>,
) -> Result<(), E> {
    // How far each may be wrong, in thousandths of itself; those that may be anything behind the others.
    let mut nearness = BTreeMap::new();
    for quantity in quantities {
        let answer = |value| {
            // Such as a DRAM that moves nothing.
            if value == 0 && quantity.worst == 0 {
                return Ok(Judged::default());
            }
            let mut other = question.clone();
            (quantity.with)(&mut other, value);
            judge(&other).map_err(Ended::Failed)?.ok_or(Ended::Stopped)
        };
        match margin(&quantity, (proved, assumptions), &answer) {
            Ok(None) => {}
            Ok(Some((place, near, margin))) => {
                let one = &mut assumptions[place];
                one.margin = Some(margin);
                nearness.insert((one.id.clone(), one.subject.clone()), near);
            }
            Err(Ended::Stopped) => {
                notes.push(LEFT_OUT.to_owned());
                break;
            }
            Err(Ended::Failed(error)) => return Err(error),
        }
    }
    let near = |one: &Assumption| nearness.get(&(one.id.clone(), one.subject.clone())).copied();
    assumptions.sort_by_cached_key(|one| (one.kind, near(one).is_none(), near(one)));
    Ok(())
}

/// Why a search has no end.
enum Ended<E> {
    Stopped,
    Failed(E),
}

/// The margin of a quantity, the row that it is of, and how near the end is.
fn margin<Q, E>(
    quantity: &Quantity<Q>,
    (proved, assumptions): (bool, &[Assumption]),
    answer: &impl Fn(u64) -> Result<Judged, Ended<E>>,
) -> Result<Option<(usize, u64, Margin)>, Ended<E>> {
    let Quantity { now, best, worst, .. } = *quantity;
    let mut place = None;
    for other in [step(now, worst), step(now, best)] {
        if place.is_none() && other != now {
            place = quantity.row(assumptions, &answer(other)?.assumptions);
        }
    }
    let Some(place) = place else { return Ok(None) };
    // The present number may be no whole number of steps, or something else may be missing.
    if answer(now)?.proved != proved {
        return Ok(None);
    }
    let holds = |value| Ok(answer(value)?.proved);
    let (near, [holds_to, breaks_at]) = match end([best, now, worst], quantity.guess, proved, &holds)? {
        // Another flag may say what counts when this one says nothing any more.
        None if proved => {
            let at = |value| Ok(answer(value)?.assumptions);
            let before = step(worst, if worst == now { best } else { now });
            if quantity.source.is_some() && quantity.row(&at(worst)?, &at(before)?).is_none() {
                return Ok(None);
            }
            (u64::MAX, [None, None])
        }
        None => return Ok(None),
        Some(end) => {
            let near = end[0].abs_diff(now).saturating_mul(1000) / now.max(1);
            (near, end.map(|value| Some((quantity.shown)(value))))
        }
    };
    Ok(Some((place, near, Margin { is_most: worst > best, would_do: !proved, holds_to, breaks_at })))
}

impl<Q> Quantity<Q> {
    /// The row that has another value where the number is another one. There is none where the answer does not rest on the number.
    fn row(&self, all: &[Assumption], others: &[Assumption]) -> Option<usize> {
        let is_it = |one: &Assumption| {
            let mut same = others.iter().filter(|other| other.subject == one.subject).peekable();
            self.ids.iter().any(|id| id.name() == one.id)
                && (self.source.is_none() || self.source == one.source)
                && same.peek().is_some()
                && same.all(|other| other.value != one.value)
        };
        all.iter().position(is_it)
    }
}

/// The next value on the way to another one.
fn step(value: u64, towards: u64) -> u64 {
    if towards < value { value - 1 } else { value.saturating_add(1).min(towards) }
}

/// The last value that holds and the next one, which does not, between the best and the worst one. There are none if all values hold, or
/// none does; whether the present one does is known. `guess` is looked at first.
///
/// # Errors
/// Those of `holds`.
pub fn end<E>(
    [best, now, worst]: [u64; 3],
    guess: Option<u64>,
    is_proved: bool,
    holds: &impl Fn(u64) -> Result<bool, E>,
) -> Result<Option<[u64; 2]>, E> {
    let far = if is_proved { worst } else { best };
    if far == now || holds(far)? == is_proved {
        return Ok(None);
    }
    // Up to `near` all is as it is now, and from `far` on it is not.
    let (mut near, mut far) = (now, far);
    let guesses = guess.map(|guess| [guess, step(guess, far)]);
    for value in guesses.into_iter().flatten() {
        if value > near.min(far) && value < near.max(far) {
            if holds(value)? == is_proved { near = value } else { far = value }
        }
    }
    // The end is rarely far away among numbers that have none.
    while far > near && near < far / 4 {
        let next = near.max(1) * 2;
        if holds(next)? == is_proved {
            near = next;
        } else {
            far = next;
        }
    }
    while near.abs_diff(far) > 1 {
        let middle = near.min(far) + near.abs_diff(far) / 2;
        if holds(middle)? == is_proved { near = middle } else { far = middle }
    }
    Ok(Some(if is_proved { [near, far] } else { [far, near] }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both ends of a quantity that is proved up to a number, or down to it.
    fn ends(now: u64, [best, worst]: [u64; 2], guess: Option<u64>, at: u64) -> Option<[u64; 2]> {
        let holds = |value: u64| Ok::<_, ()>(if worst > best { value <= at } else { value >= at });
        end([best, now, worst], guess, holds(now).unwrap(), &holds).unwrap()
    }

    #[test]
    fn an_end_is_found_from_either_side() {
        for at in [1, 2, 7, 64, 1000, 1 << 40] {
            for now in [1, 6, 7, 8, 999, 1 << 41] {
                for guess in [None, Some(7), Some(65), Some(5000)] {
                    let most = ends(now, [0, 1 << 62], guess, at);
                    assert_eq!(most, Some([at, at + 1]), "{now} {at} {guess:?}");
                    let least = ends(now, [1 << 62, 0], guess, at);
                    assert_eq!(least, Some([at, at - 1]), "{now} {at} {guess:?}");
                }
            }
        }
    }

    #[test]
    fn there_is_no_end_where_all_values_are_alike() {
        assert_eq!(ends(5, [0, 100], None, 100), None);
        assert_eq!(ends(5, [1, 1000], None, 0), None);
        assert_eq!(ends(1, [16, 1], None, 1), None);
    }
}
