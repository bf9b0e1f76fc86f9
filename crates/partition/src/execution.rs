//! The execution time C(m) of a task as a function of the multiprocessors that it runs on, without and with
//! conflict.

use thiserror::Error;

use crate::ticks::{amdahl, write_time};
use crate::{Factor, LONGEST};
use warpspan_model::time::Millionths;

/// C(m) for m = 1, 2, ...: it never grows with the multiprocessors, and conflict never shortens it (Si21
/// section 3.4).
///
/// The last entry also holds for more multiprocessors: since C never grows, it is an upper bound there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Execution {
    /// `C^n(m)`, without conflict.
    alone: Vec<Millionths>,
    /// `C^c(m)`, with conflict; it has as many entries.
    conflict: Vec<Millionths>,
}

/// Why times are no execution time.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ExecutionError {
    /// There are no times.
    #[error("no execution time: want one for each number of multiprocessors, from 1")]
    Empty,
    /// A time is zero.
    #[error("an execution time of 0 on {0} multiprocessors: want more than 0")]
    Zero(usize),
    /// A time grows with the multiprocessors, which the source assumes it never does.
    #[error(
        "{} on {fewer} multiprocessors but {} on {more}: want times that never grow (Si21 section 3.4.1)",
        write_time(*execution), write_time(*longer), more = fewer + 1
    )]
    Grows {
        /// The smaller number of multiprocessors.
        fewer: usize,
        /// The time on them.
        execution: Millionths,
        /// The time on one more.
        longer: Millionths,
    },
    /// A time is shorter in conflict than without.
    #[error(
        "{} without and {} with conflict on {multiprocessors} multiprocessors: want conflict not to shorten it",
        write_time(*alone), write_time(*conflict)
    )]
    Shortens {
        /// The number of multiprocessors.
        multiprocessors: usize,
        /// The time without conflict.
        alone: Millionths,
        /// The time with conflict.
        conflict: Millionths,
    },
    /// There are not as many times with conflict as without.
    #[error("{0} times without and {1} with conflict: want as many of both")]
    Lengths(usize, usize),
    /// A time is too long.
    #[error("an execution time above {}: want shorter ones", write_time(LONGEST))]
    TooLong,
}

impl Execution {
    /// The execution time with these values for m = 1, 2, ...
    ///
    /// # Errors
    /// If there are no times, if one is zero, if they grow with m, or if conflict shortens one.
    pub fn new(alone: Vec<Millionths>, conflict: Vec<Millionths>) -> Result<Self, ExecutionError> {
        if alone.len() != conflict.len() {
            return Err(ExecutionError::Lengths(alone.len(), conflict.len()));
        }
        if alone.is_empty() {
            return Err(ExecutionError::Empty);
        }
        for times in [&alone, &conflict] {
            for (fewer, pair) in (1..).zip(times.windows(2)) {
                if let [execution, longer] = *pair
                    && execution < longer
                {
                    return Err(ExecutionError::Grows { fewer, execution, longer });
                }
            }
        }
        for (multiprocessors, (&alone, &conflict)) in (1..).zip(alone.iter().zip(&conflict)) {
            if alone == Millionths::default() {
                return Err(ExecutionError::Zero(multiprocessors));
            }
            if conflict < alone {
                return Err(ExecutionError::Shortens { multiprocessors, alone, conflict });
            }
        }
        if conflict.iter().any(|&time| time > LONGEST) {
            return Err(ExecutionError::TooLong);
        }
        Ok(Self { alone, conflict })
    }

    /// The execution time with these values without conflict, and k times these values in conflict.
    ///
    /// # Errors
    /// The same as for [`new`](Self::new).
    pub fn with_factor(alone: Vec<Millionths>, k: Factor) -> Result<Self, ExecutionError> {
        let conflict: Option<Vec<Millionths>> = alone.iter().map(|&time| k.times(time)).collect();
        Self::new(alone, conflict.ok_or(ExecutionError::TooLong)?)
    }

    /// The execution time C(m) = a/m + b for m up to `most`, and k times that in conflict (Si21 section
    /// 3.6.1), rounded up to ticks.
    ///
    /// # Errors
    /// The same as for [`new`](Self::new).
    pub fn amdahl(a: Millionths, b: Millionths, k: Factor, most: usize) -> Result<Self, ExecutionError> {
        let times = |k: Factor| -> Result<Vec<Millionths>, ExecutionError> {
            (1..=most as u64).map(|m| amdahl(a, b, k, m).ok_or(ExecutionError::TooLong)).collect()
        };
        Self::new(times(Factor::ONE)?, times(k)?)
    }

    /// The same with each C(m) as `longer` makes it, which never shortens one and never makes more multiprocessors
    /// slower; in conflict by as large a factor. None if a time is then too long.
    pub(super) fn longer<E>(
        &self,
        longer: impl Fn(Millionths) -> Result<Millionths, E>,
    ) -> Result<Option<Self>, E> {
        let alone = self.alone.iter().map(|&time| longer(time)).collect::<Result<Vec<_>, E>>()?;
        let scaled = |((&old, &new), &conflict): ((&Millionths, &Millionths), &Millionths)| {
            let time = (u128::from(conflict.0) * u128::from(new.0)).div_ceil(u128::from(old.0.max(1)));
            Millionths(u64::try_from(time).unwrap_or(u64::MAX)).min(LONGEST)
        };
        let conflict = self.alone.iter().zip(&alone).zip(&self.conflict).map(scaled).collect::<Vec<_>>();
        // What is rounded up may leave a step upwards of a millionth.
        let mut most = conflict;
        for at in (1..most.len()).rev() {
            most[at - 1] = most[at - 1].max(most[at]);
        }
        Ok(Self::new(alone, most).ok())
    }

    /// C(m).
    pub fn on(&self, multiprocessors: usize, conflict: bool) -> Millionths {
        let times = if conflict { &self.conflict } else { &self.alone };
        times[multiprocessors.clamp(1, times.len()) - 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(units: &[u64]) -> Vec<Millionths> {
        units.iter().map(|&unit| Millionths(unit)).collect()
    }

    #[test]
    fn what_is_not_monotone_is_refused_with_its_values() {
        let new = |alone: &[u64], conflict: &[u64]| Execution::new(times(alone), times(conflict));
        let text = |found: Result<Execution, ExecutionError>| found.unwrap_err().to_string();
        let million = 1_000_000;
        assert_eq!(
            text(new(&[3 * million, 4 * million], &[4 * million, 4 * million])),
            "3 on 1 multiprocessors but 4 on 2: want times that never grow (Si21 section 3.4.1)"
        );
        assert_eq!(
            text(new(&[4 * million, 3 * million], &[4 * million, 2_500_000])),
            "3 without and 2.5 with conflict on 2 multiprocessors: want conflict not to shorten it"
        );
        assert_eq!(new(&[], &[]), Err(ExecutionError::Empty));
        assert_eq!(new(&[1, 0], &[1, 1]), Err(ExecutionError::Zero(2)));
        assert_eq!(new(&[1], &[1, 1]), Err(ExecutionError::Lengths(1, 2)));
        let execution = new(&[4, 3], &[8, 6]).unwrap();
        assert_eq!([1, 2, 3, 68].map(|m| execution.on(m, true).0), [8, 6, 6, 6]);
    }
}
