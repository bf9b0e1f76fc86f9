//! The heaviest path of a program where each letter has a weight: its weight, and how often it passes each
//! letter.
//!
//! Weights are not negative, so a path with the most rounds of each loop, and with all arms of each divergent
//! branch, is heaviest. Only at a uniform branch there is a choice.

use std::collections::{BTreeMap, HashMap};

use num_traits::{CheckedAdd, CheckedMul, Zero};

use crate::phase::Rational;
use crate::program::ProgramError;
use warpspan_model::program::{Divergence, MAX_DEPTH, Piece};

/// A heaviest path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heaviest<'a, L> {
    /// The sum of the weights of its letters.
    pub weight: Rational,
    /// What it passes, in the order of the program.
    pub passed: Vec<Passed<'a, L>>,
    /// Whether it ends with a barrier, or has no letter.
    pub ends_with_barrier: bool,
}

/// Letters of a line that a path passes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passed<'a, L> {
    /// The letter.
    pub letter: &'a L,
    /// The line.
    pub line: u32,
    /// The lines of the loops around it, the outermost first.
    pub loops: Vec<u32>,
    /// How many letters of the path these are, 1 or more.
    pub times: u128,
}

impl<L> Heaviest<'_, L> {
    /// How many letters of each line the path has; lines that it does not reach are left out.
    ///
    /// # Errors
    /// If numbers overflow.
    pub fn lines(&self) -> Result<BTreeMap<u32, u128>, ProgramError> {
        let mut lines = BTreeMap::new();
        for passed in &self.passed {
            let sum: &mut u128 = lines.entry(passed.line).or_default();
            *sum = sum.checked_add(passed.times).ok_or(ProgramError::Overflow)?;
        }
        Ok(lines)
    }
}

/// A path of the largest sum of weights of its letters. Weights below zero count as zero.
///
/// # Errors
/// If pieces are nested too deeply, or numbers overflow.
pub fn heaviest<L>(
    code: &Piece<L>,
    weight: impl Fn(&L) -> Rational,
) -> Result<Heaviest<'_, L>, ProgramError> {
    if code.depth() > MAX_DEPTH {
        return Err(ProgramError::Depth);
    }
    let mut weigher = Weigher { weight, known: HashMap::new() };
    let weight = weigher.weigh(code)?;
    let mut path = Heaviest { weight, passed: Vec::new(), ends_with_barrier: true };
    weigher.walk(code, 1, &mut Vec::new(), &mut path)?;
    Ok(path)
}

struct Weigher<L, F> {
    weight: F,
    /// The largest weight of each piece.
    known: HashMap<*const Piece<L>, Rational>,
}

impl<L, F: Fn(&L) -> Rational> Weigher<L, F> {
    fn weigh(&mut self, code: &Piece<L>) -> Result<Rational, ProgramError> {
        code.try_fold(|piece, inside: Vec<Rational>| {
            let found = match piece {
                Piece::Letters { letter, count, .. } => {
                    times((self.weight)(letter).max(Rational::zero()), *count)
                }
                Piece::Barrier { .. } => Some(Rational::zero()),
                Piece::Branch { divergence: Divergence::Uniform, .. } => {
                    Some(inside.into_iter().max().unwrap_or_default())
                }
                Piece::Sequence(_) | Piece::Branch { .. } => {
                    inside.iter().try_fold(Rational::zero(), |sum, one| sum.checked_add(one))
                }
                Piece::Loop { most, .. } => times(inside[0], *most),
            };
            let found = found.ok_or(ProgramError::Overflow)?;
            self.known.insert(std::ptr::from_ref(piece), found);
            Ok(found)
        })
    }

    /// Adds a heaviest path of a piece that is passed so many times.
    fn walk<'a>(
        &self,
        piece: &'a Piece<L>,
        passes: u128,
        loops: &mut Vec<u32>,
        path: &mut Heaviest<'a, L>,
    ) -> Result<(), ProgramError> {
        if passes == 0 {
            return Ok(());
        }
        match piece {
            Piece::Letters { count: 0, .. } => Ok(()),
            Piece::Letters { letter, count, line } => {
                let times = passes.checked_mul((*count).into()).ok_or(ProgramError::Overflow)?;
                path.passed.push(Passed { letter, line: *line, loops: loops.clone(), times });
                path.ends_with_barrier = false;
                Ok(())
            }
            Piece::Barrier { .. } => {
                path.ends_with_barrier = true;
                Ok(())
            }
            Piece::Branch { arms, divergence: Divergence::Uniform, .. } => {
                // The first of the heaviest arms, so that the answer is the same in every run.
                let weight =
                    |arm: &Piece<L>| self.known.get(&std::ptr::from_ref(arm)).copied().unwrap_or_default();
                let heaviest = arms.iter().rev().max_by_key(|&arm| weight(arm));
                heaviest.map_or(Ok(()), |arm| self.walk(arm, passes, loops, path))
            }
            Piece::Sequence(pieces) | Piece::Branch { arms: pieces, .. } => {
                pieces.iter().try_for_each(|piece| self.walk(piece, passes, loops, path))
            }
            Piece::Loop { body, most, line, .. } => {
                let passes = passes.checked_mul((*most).into()).ok_or(ProgramError::Overflow)?;
                loops.push(*line);
                let walked = self.walk(body, passes, loops, path);
                loops.pop();
                walked
            }
        }
    }
}

fn times(weight: Rational, times: u64) -> Option<Rational> {
    weight.checked_mul(&Rational::from(i128::from(times)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpspan_model::Unit;
    use warpspan_model::program::Piece;

    /// All paths of a small program as weights, by plain enumeration.
    fn paths(piece: &Piece) -> Vec<i128> {
        match piece {
            Piece::Letters { letter, count, .. } => vec![weight(letter) * i128::from(*count)],
            Piece::Barrier { .. } => vec![0],
            Piece::Sequence(pieces) => pieces.iter().fold(vec![0], |all, piece| sums(&all, &paths(piece))),
            Piece::Branch { arms, divergence: Divergence::Uniform, .. } => {
                arms.iter().flat_map(paths).collect()
            }
            // One arm or several, each at most once.
            Piece::Branch { arms, .. } => arms.iter().fold(vec![0], |all, arm| {
                let taken = sums(&all, &paths(arm));
                all.into_iter().chain(taken).collect()
            }),
            Piece::Loop { body, least, most, .. } => {
                let once = paths(body);
                let (mut all, mut now) = (vec![], vec![0]);
                for round in 0..=*most {
                    if round >= *least {
                        all.extend(now.iter().copied());
                    }
                    now = sums(&now, &once);
                    now.sort_unstable();
                    now.dedup();
                }
                all
            }
        }
    }

    fn sums(left: &[i128], right: &[i128]) -> Vec<i128> {
        left.iter().flat_map(|a| right.iter().map(move |b| a + b)).collect()
    }

    fn weight(unit: &Unit) -> i128 {
        if *unit == Unit::LoadStore { 5 } else { 2 }
    }

    #[test]
    fn no_path_is_heavier() {
        for text in [
            "LCC",
            "[L/CCC]",
            "C[LL/CC]2",
            "([L/CCC]C)2..3",
            "{L/C/[L/CCCCC]}",
            "<LC/(C)0..3>|L",
            "(({L/CC}[/C])0..2C)3",
            "[/]",
            "(C[LL/(CL)0..2])1..2[C/LC]",
        ] {
            let program: Piece = text.parse().unwrap();
            let found = heaviest(&program, |unit| Rational::from(weight(unit))).unwrap();
            assert_eq!(found.weight, Rational::from(paths(&program).into_iter().max().unwrap()), "{text}");
        }
    }

    #[test]
    fn the_lines_of_the_path() {
        let letters = |letter, line| Piece::Letters { letter, count: 2, line };
        let arms =
            vec![letters(Unit::LoadStore, 3), Piece::Sequence(vec![letters(Unit::CudaCore, 4); 3].into())];
        let branch = Piece::Branch { arms: arms.into(), divergence: Divergence::Uniform, line: 2 };
        let body = Box::new(Piece::Sequence(vec![letters(Unit::CudaCore, 1), branch].into()));
        let program = Piece::Loop { body, least: 0, most: 10, line: 1 };
        let found = heaviest(&program, |unit| Rational::from(weight(unit))).unwrap();
        assert_eq!(found.lines().unwrap(), BTreeMap::from([(1, 20), (4, 60)]));
        assert!(found.passed.iter().all(|passed| passed.loops == [1]) && !found.ends_with_barrier);
        assert_eq!(found.weight, Rational::from(160));
        let found = heaviest(&program, |unit| {
            Rational::new(weight(unit), if *unit == Unit::LoadStore { 1 } else { 4 })
        });
        assert_eq!(found.unwrap().lines().unwrap(), BTreeMap::from([(1, 20), (3, 20)]));
    }

    #[test]
    fn numbers_that_overflow() {
        let mut program: Piece = "L".parse().unwrap();
        for _ in 0..4 {
            program = Piece::Loop { body: Box::new(program), least: 0, most: u64::MAX, line: 0 };
        }
        assert_eq!(heaviest(&program, |_| Rational::from(1)), Err(ProgramError::Overflow));
    }
}
