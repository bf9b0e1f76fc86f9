//! How far each number may be wrong on which a proved verdict rests: the last value with which it still is proved, and the first one with
//! which it is not, each alone while the others stay as they are. Where a verdict is undecided, the same search says which value would do.
//!
//! What is proved with a value is proved with every better one, so that bisection finds the end, and the same analysis answers each step.

use std::collections::BTreeMap;

use crate::Assumption;
pub use crate::assumption::Margin;
use warpspan_model::assumption::Id;

impl Margin {
    /// Of what a search from a value has found that goes to the worst one where all is proved, and to the best one where it is not; `shown`
    /// says a value in words. None where nothing is known.
    pub fn new(
        end: End,
        [best, worst]: [u64; 2],
        is_proved: bool,
        shown: &dyn Fn(u64) -> String,
    ) -> Option<Self> {
        let (near, far) = match end {
            End::None => (None, None),
            End::Between { far: None, .. } if !is_proved => return None,
            End::Between { near, far } => (Some(near), far),
        };
        let is_cut = near.is_some_and(|near| far.is_none_or(|far| near.abs_diff(far) > 1));
        let [holds_to, breaks_at] = if is_proved { [near, far] } else { [far, near] };
        let [holds_to, breaks_at] = [holds_to, breaks_at].map(|value| value.map(shown));
        Some(Self { is_most: worst > best, would_do: !is_proved, holds_to, breaks_at, is_cut })
    }
}

/// What a search among values has found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// With all of them it is as it is now.
    None,
    /// Up to `near` it is as it is now, and at `far` it is not: that is the next value, unless the search was stopped. None where it was
    /// stopped before there was one.
    Between {
        /// The last one that is known to be like the present one.
        near: u64,
        /// The first one that is known to be another.
        far: Option<u64>,
    },
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

    /// Whether it may be the number of a row of this name.
    pub fn is_of(&self, id: Id) -> bool {
        self.ids.contains(&id)
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
    // No value is better than the best.
    if !proved && now == best {
        return Ok(None);
    }
    let holds = |value| match answer(value) {
        Ok(judged) => Ok(Some(judged.proved)),
        Err(Ended::Stopped) => Ok(None),
        Err(failed) => Err(failed),
    };
    let end = end([best, now, worst], quantity.guess, proved, &holds)?;
    let near = match end {
        // Another flag may say what counts when this one says nothing any more.
        End::None if proved && quantity.source.is_some() => {
            let at = |value| Ok(answer(value)?.assumptions);
            let before = step(worst, if worst == now { best } else { now });
            if quantity.row(&at(worst)?, &at(before)?).is_none() {
                return Ok(None);
            }
            u64::MAX
        }
        End::None => u64::MAX,
        // Of what a limit cuts off it is not known how near it is.
        End::Between { near, far } => match far.filter(|far| near.abs_diff(*far) == 1) {
            None => u64::MAX,
            Some(far) => (if proved { near } else { far }).abs_diff(now).saturating_mul(1000) / now.max(1),
        },
    };
    let margin = Margin::new(end, [best, worst], proved, &*quantity.shown).ok_or(Ended::Stopped)?;
    Ok(Some((place, near, margin)))
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

/// Where what holds ends between the best and the worst value: beyond the present one if it holds, and before it if it does not. `holds`
/// says nothing where it was stopped, which ends the search. `guess` is looked at first.
///
/// # Errors
/// Those of `holds`.
pub fn end<E>(
    [best, now, worst]: [u64; 3],
    guess: Option<u64>,
    is_proved: bool,
    holds: &impl Fn(u64) -> Result<Option<bool>, E>,
) -> Result<End, E> {
    let last = if is_proved { worst } else { best };
    let is_alike = |value| Ok(holds(value)?.map(|holds| holds == is_proved));
    match if last == now { Some(true) } else { is_alike(last)? } {
        Some(true) => return Ok(End::None),
        Some(false) => {}
        None => return Ok(End::Between { near: now, far: None }),
    }
    // Up to `near` all is as it is now, and from `far` on it is not.
    let (mut near, mut far) = (now, last);
    let mut guesses = guess.map(|guess| [guess, step(guess, last)]).into_iter().flatten();
    while near.abs_diff(far) > 1 {
        let is_between = |&value: &u64| value > near.min(far) && value < near.max(far);
        let next = match guesses.find(is_between) {
            Some(guess) => guess,
            // The end is rarely far away among numbers that have none.
            None if far > near && near < far / 4 => near.max(1) * 2,
            None => near.min(far) + near.abs_diff(far) / 2,
        };
        match is_alike(next)? {
            Some(true) => near = next,
            Some(false) => far = next,
            None => break,
        }
    }
    Ok(End::Between { near, far: Some(far) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is found of a quantity that is proved up to a number, or down to it, where so many questions are answered.
    fn found(now: u64, [best, worst]: [u64; 2], guess: Option<u64>, at: u64, most: u64) -> End {
        let proved = |value: u64| if worst > best { value <= at } else { value >= at };
        let asked = std::cell::Cell::new(0);
        let holds = |value: u64| {
            asked.set(asked.get() + 1);
            Ok::<_, ()>((asked.get() <= most).then(|| proved(value)))
        };
        end([best, now, worst], guess, proved(now), &holds).unwrap()
    }

    /// The last value that holds and the next one.
    fn ends(now: u64, [best, worst]: [u64; 2], guess: Option<u64>, at: u64) -> Option<[u64; 2]> {
        let is_proved = if worst > best { now <= at } else { now >= at };
        match found(now, [best, worst], guess, at, u64::MAX) {
            End::None => None,
            End::Between { near, far } => Some(if is_proved { [near, far?] } else { [far?, near] }),
        }
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

    /// Wherever the search is stopped, the end lies between the two values that it gives, and what it gives only gets narrower.
    #[test]
    fn a_search_that_is_stopped_gives_an_interval() {
        for (now, [best, worst], at) in [
            (6, [0, 1 << 40], 1000),
            (1 << 20, [0, 1 << 40], 64),
            (900, [1000, 0], 7),
            (3, [1 << 30, 0], 999),
        ] {
            let is_proved = if worst > best { now <= at } else { now >= at };
            let mut last = u64::MAX;
            for most in 0..80 {
                let margin = found(now, [best, worst], Some(70), at, most);
                let End::Between { near, far } = margin else { panic!("{margin:?}") };
                let Some(far) = far else {
                    assert_eq!((near, most), (now, 0));
                    assert_eq!(
                        Margin::new(margin, [best, worst], is_proved, &|n| n.to_string()).is_some(),
                        is_proved
                    );
                    continue;
                };
                let [holds, breaks] = if is_proved { [near, far] } else { [far, near] };
                let holds_to_the_end =
                    if worst > best { holds <= at && at < breaks } else { breaks < at && at <= holds };
                assert!(holds_to_the_end && near.abs_diff(far) <= last, "{now} {most} {margin:?}");
                last = near.abs_diff(far);
                let shown = Margin::new(margin, [best, worst], is_proved, &|n| n.to_string()).unwrap();
                assert_eq!(shown.is_cut, last > 1);
                assert_eq!(
                    (shown.holds_to, shown.breaks_at),
                    (Some(holds.to_string()), Some(breaks.to_string()))
                );
            }
            assert_eq!(last, 1);
        }
    }
}
