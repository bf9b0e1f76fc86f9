//! What one path counts that all warps of a group take: I + n c + (W - 1) a of that path.
//!
//! I and n count letters, and a is the gain of a labelling. Each of them composes, and so does their sum,
//! since a path and a labelling of it are chosen together: the state is the last label and the last letter.
//! The maximum over paths is *one* path's, whereas the bound for warps on different paths takes the largest
//! I + n c of one path and the largest a of another.

use crate::program::ProgramError;
use crate::program::best::{Best, Weights};
use crate::program::matrix::{Gain, Matrix};
use crate::program::states::Wide;
use crate::program::value::Rules;
use warpspan_model::program::Piece;
use warpspan_model::{PerUnit, Unit};

/// The counts of one path, at some theta, for a group of `others` + 1 warps.
pub(super) struct Joint<'a> {
    pub(super) labels: Rules<'a>,
    pub(super) letters: Rules<'a>,
    pub(super) others: u64,
    pub(super) fast: Unit,
}

impl Joint<'_> {
    /// The most that any path counts, in any interleaving.
    pub(super) fn largest(&self, program: &Piece) -> Result<Gain, ProgramError> {
        let shuffle = |arms: &[Piece]| {
            let of = |rules: &Rules<'_>| rules.shuffle_of(arms);
            Wide::joined(&of(&self.labels)?, &of(&self.letters)?, self.others)
        };
        let weights = Weights { shuffle: Some(&shuffle), ..self.weights()? };
        let largest = Best::new(&weights).largest(program)?;
        Ok(largest.map_or_else(Gain::default, |(gain, ..)| gain))
    }

    /// The weights of a path, where the arms of an interleaved branch run one after the other.
    pub(super) fn weights(&self) -> Result<Weights<'static>, ProgramError> {
        let both = |of: &dyn Fn(&Rules<'_>) -> Result<Matrix, ProgramError>| {
            Wide::joined(&of(&self.labels)?, &of(&self.letters)?, self.others)
        };
        let (l, c) =
            (both(&|rules| rules.letter(Unit::LoadStore))?, both(&|rules| rules.letter(Unit::CudaCore))?);
        let separator = |rules: &Rules<'_>| Ok(rules.prices.separator(rules.count));
        Ok(Weights {
            letter: PerUnit::from_fn(|unit| if unit == Unit::LoadStore { l } else { c }),
            barrier: both(&separator)?,
            times: self.labels.times,
            // Any label is open at the start, and the first letter makes no switch.
            starts: [0, 1].map(|label| 2 * label + usize::from(self.fast == Unit::ALL[1])).to_vec(),
            shuffle: None,
        })
    }
}
