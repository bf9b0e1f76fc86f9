//! The values of letters, labels and switches at a theta, as matrices.
//!
//! | count | state | a letter of unit U adds | a barrier |
//! |---|---|---|---|
//! | gain of a labelling | last label | `1/sigma_U` to a label U, less `kappa_A` for a change from label A | leaves every label open |
//! | issues | last letter | 1, and c if U is fast and the last was slow | leaves it: switches across it count |
//! | letters of one unit | none | 1 if it is of the unit | nothing |
//! | fast letters after fast ones | last letter | 1 if U is fast and the last was too | forgets it |
//!
//! The function `shuffled` is for letters in any order, given the largest number of letters of each unit.
//! With w their work, a labelling from label X to X that never changes earns at most the work of the X's, and
//! one that changes earns w less both changes. A labelling from X to Y changes at least once. With s slow and
//! f fast letters there are at most min(s, f) switches, and after a slow letter one more if there are that
//! many fast ones. If the letters are those of arms, the function `shuffle` gives another limit.

use crate::phase::Rational;
use crate::program::ProgramError;
use crate::program::matrix::{Gain, Matrix};
use warpspan_model::{PerUnit, Unit};

/// The sigmas, of which none is above the number of warps, and the unit that is fast.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sigmas {
    pub(super) of: PerUnit<i128>,
    pub(super) fast: Unit,
}

impl Sigmas {
    pub(super) fn new(of: PerUnit<i128>) -> Self {
        let [l, c] = Unit::ALL;
        Self { of, fast: if of[c] > of[l] { c } else { l } }
    }

    /// The factor of c among so many warps, some of which have two fast letters in a row: c is this times
    /// (theta - 1/sigma_fast).
    pub(super) fn switch(&self, warps: u64) -> i128 {
        let [fast, slow] = [self.fast, self.fast.other()].map(|unit| self.of[unit]);
        if fast > slow { (fast - 1).min(i128::from(warps) - 1) } else { 0 }
    }

    /// The range of theta.
    pub(super) fn thetas(&self) -> [Rational; 2] {
        [self.fast, self.fast.other()].map(|unit| Rational::new(1, self.of[unit]))
    }
}

/// The quantity that is counted.
#[derive(Debug, Clone, Copy)]
pub(super) enum Count {
    /// The gain of the best labelling.
    Gains,
    /// The issues, in parts of a cycle, with `most` times (theta - 1/sigma_fast) for each switch from slow to
    /// fast.
    Issues {
        /// `min(sigma_fast - 1, W - 1)`, or 0.
        most: i128,
    },
    /// The letters of a unit.
    Letters(Unit),
    /// The fast letters right after fast ones.
    Twice,
}

/// The values of everything at a theta.
#[derive(Debug, Clone, Copy)]
pub(super) struct Prices {
    /// The number of parts into which a cycle is divided.
    pub(super) scale: i128,
    fast: Unit,
    letter: PerUnit<i128>,
    change: PerUnit<i128>,
}

impl Prices {
    pub(super) fn new(sigmas: &Sigmas, theta: Rational) -> Result<Self, ProgramError> {
        let both = sigmas.of[Unit::LoadStore].checked_mul(sigmas.of[Unit::CudaCore]);
        let scale = both.and_then(|both| both.checked_mul(*theta.denom())).ok_or(ProgramError::Overflow)?;
        let letter = PerUnit::from_fn(|unit| scale / sigmas.of[unit]);
        let slow = (scale / theta.denom()).checked_mul(*theta.numer()).ok_or(ProgramError::Overflow)?;
        let change = PerUnit::from_fn(|unit| if unit == sigmas.fast { letter[unit] } else { slow });
        Ok(Self { scale, fast: sigmas.fast, letter, change })
    }

    /// The cost of a change from a label, as a negative gain.
    fn change(&self, from: Unit) -> Gain {
        Gain::new(-self.change[from], -i128::from(from != self.fast))
    }

    /// The term n c for n switches.
    fn switches(&self, most: i128, n: i128) -> Result<Gain, ProgramError> {
        let slope = most.checked_mul(n);
        let each = self.change[self.fast.other()] - self.letter[self.fast];
        let value = slope.and_then(|slope| slope.checked_mul(each));
        value.zip(slope).map(|(value, slope)| Gain { value, slope }).ok_or(ProgramError::Overflow)
    }

    /// The effect of a barrier on a count.
    pub(super) fn separator(&self, count: Count) -> Matrix {
        match count {
            Count::Gains => Matrix::from_fn(|_, _| Some(Gain::default())),
            Count::Issues { .. } | Count::Letters(_) => Matrix::identity(),
            Count::Twice => Matrix::from_fn(|_, after| (after != self.fast).then(Gain::default)),
        }
    }

    /// The matrix of a letter.
    pub(super) fn letter(&self, count: Count, unit: Unit) -> Result<Matrix, ProgramError> {
        let no = Gain::default();
        Ok(match count {
            Count::Gains => {
                let agrees = |label| if label == unit { self.letter[unit] } else { 0 };
                let gain = |before: Unit, after| {
                    let change = if before == after { no } else { self.change(before) };
                    Gain::new(change.value + agrees(after), change.slope)
                };
                Matrix::from_fn(|before, after| Some(gain(before, after)))
            }
            Count::Issues { most } => {
                let issue = Gain::new(self.scale, 0);
                let switch = issue.plus(self.switches(most, 1)?)?;
                let switches = |before| before != self.fast && unit == self.fast;
                let gain = |before| if switches(before) { switch } else { issue };
                Matrix::from_fn(|before, after| (after == unit).then(|| gain(before)))
            }
            Count::Letters(of) => Matrix::constant(i128::from(unit == of)),
            Count::Twice => Matrix::from_fn(|before, after| {
                let twice = before == self.fast && unit == self.fast;
                (after == unit).then(|| Gain::new(i128::from(twice), 0))
            }),
        })
    }

    /// The matrix of a change of label at the end of a piece.
    pub(super) fn last_change(&self) -> Matrix {
        let gain = |before, after| if before == after { Gain::default() } else { self.change(before) };
        Matrix::from_fn(|before, after| Some(gain(before, after)))
    }

    /// The gain of these letters if all agree with their labels.
    pub(super) fn work(&self, letters: PerUnit<i128>) -> Result<Gain, ProgramError> {
        Unit::ALL.into_iter().try_fold(Gain::default(), |sum, unit| {
            let work = letters[unit].checked_mul(self.letter[unit]).ok_or(ProgramError::Overflow)?;
            sum.plus(Gain::new(work, 0))
        })
    }

    /// The matrix of at most these numbers of letters of each unit, in any order.
    pub(super) fn shuffled(&self, count: Count, letters: PerUnit<i128>) -> Result<Matrix, ProgramError> {
        let [l, c] = Unit::ALL;
        let (fast, slow) = (letters[self.fast], letters[self.fast.other()]);
        let all = letters[l].checked_add(letters[c]).ok_or(ProgramError::Overflow)?;
        if all == 0 {
            return Ok(Matrix::identity());
        }
        let scaled = |number: i128, by: i128| number.checked_mul(by).ok_or(ProgramError::Overflow);
        Ok(match count {
            Count::Gains => {
                let works = [scaled(letters[l], self.letter[l])?, scaled(letters[c], self.letter[c])?];
                let work = Gain::new(works[0], 0).plus(Gain::new(works[1], 0))?;
                let once = |from| work.plus(self.change(from));
                let twice = once(l)?.plus(self.change(c))?;
                let away = PerUnit::from_fn(once);
                let (from_l, from_c) = (away[l].clone()?, away[c].clone()?);
                Matrix::from_fn(|before, after| {
                    Some(if before == after {
                        twice.max(Gain::new(works[before as usize], 0))
                    } else if before == l {
                        from_l
                    } else {
                        from_c
                    })
                })
            }
            Count::Issues { most } => {
                let issues = Gain::new(scaled(all, self.scale)?, 0);
                let after_fast = issues.plus(self.switches(most, slow.min(fast))?)?;
                let after_slow = issues.plus(self.switches(most, slow.saturating_add(1).min(fast))?)?;
                Matrix::from_fn(|before, _| Some(if before == self.fast { after_fast } else { after_slow }))
            }
            Count::Letters(of) => Matrix::constant(letters[of]),
            Count::Twice => Matrix::from_fn(|before, _| {
                let first = i128::from(before != self.fast);
                Some(Gain::new((fast - first).max(0), 0))
            }),
        })
    }
}
