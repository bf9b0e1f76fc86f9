//! Arms whose instructions may alternate.
//!
//! Let each letter's step be raised to its latency if another arm needs a token that it sets, and to its
//! occupancy if another arm uses its unit. Take a longest path of edges through the letters of any
//! interleaving. Where it leaves an arm and comes back later, the edge on which it leaves is no longer than the
//! raised step of its letter, which leads to the next letter of the same arm and, by further steps, to the
//! letter where the path comes back. So the parts of the path in one arm, together with the edges on which it
//! leaves them, are no longer than a path in this arm alone with raised steps. All arms together add no more
//! than the sum of these.

use crate::own::OwnError;
use crate::own::apply::Rules;
use crate::own::places::{LAST, NOW, OVER};
use crate::own::rows::{Rows, plus};
use crate::own::scope::Scope;
use warpspan_model::machine::Step;
use warpspan_model::program::Piece;

impl Rules<'_> {
    /// Appends arms without barriers whose instructions may alternate.
    pub(super) fn interleaved(
        &self,
        arms: &[Piece<Step>],
        rows: &mut Rows,
        beside: &Scope,
        depth: usize,
    ) -> Result<(), OwnError> {
        let mut all = Scope::default();
        arms.iter().for_each(|arm| all.add(&self.scope(arm)));
        // Nothing else of what is beside them matters.
        let key = (arms.as_ptr(), depth, &beside.reads & &all.raises);
        let known = self.interleaved.borrow().get(&key).copied();
        let sum = match known {
            Some(sum) => sum,
            None => {
                let sum = self.sum(arms, beside, depth)?;
                self.interleaved.borrow_mut().insert(key, sum);
                sum
            }
        };
        if sum == 0 {
            return Ok(());
        }
        let before = rows.latest([NOW].into_iter().chain(all.reads.iter().copied()));
        let after = plus(&before, sum)?;
        for place in [NOW, LAST, OVER].into_iter().chain(all.raises) {
            rows.raise(place, &after);
        }
        Ok(())
    }

    /// The sum of the most cycles that each arm takes beside the others.
    fn sum(&self, arms: &[Piece<Step>], beside: &Scope, depth: usize) -> Result<u64, OwnError> {
        let mut sum = 0_u64;
        for (at, arm) in arms.iter().enumerate() {
            let mut others = beside.clone();
            let all = arms.iter().enumerate().filter(|(other, _)| *other != at);
            all.for_each(|(_, arm)| others.add(&self.scope(arm)));
            let longest = self.map(arm, &others, depth)?.largest();
            sum = sum.checked_add(longest).ok_or(OwnError::Overflow)?;
        }
        Ok(sum)
    }
}
