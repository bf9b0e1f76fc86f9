//! Matrices over (max, +) whose entries are polynomials in the bounds of loops: what a piece of code adds, by
//! the state before it and the state after it.

use crate::program::ProgramError;
use crate::program::matrix::Matrix;
use crate::program::prices::Count;
use crate::program::symbolic::polynomial::{Largest, Polynomial};
use crate::program::value::Rules;
use warpspan_model::program::{Divergence, MAX_DEPTH, Piece};
use warpspan_model::{PerUnit, Unit};

/// A loop whose bound is a symbol: which, and `times` the bound less `minus` are the rounds of the piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rounds {
    pub symbol: usize,
    pub times: u64,
    pub minus: u64,
}

/// Which loops have a symbol for their bound, by their rounds and their line.
pub type Symbols<'a> = &'a dyn Fn(u64, u32) -> Option<Rounds>;

/// The entry `[a][b]` leads from state a to state b.
#[derive(Debug, Clone)]
pub(super) struct Paths(PerUnit<PerUnit<Largest>>);

impl Paths {
    fn from_fn(mut entry: impl FnMut(Unit, Unit) -> Option<Largest>) -> Option<Self> {
        let mut all = PerUnit::from_fn(|_| PerUnit::from_fn(|_| Largest::default()));
        for before in Unit::ALL {
            for after in Unit::ALL {
                all[before][after] = entry(before, after)?;
            }
        }
        Some(Self(all))
    }

    fn of(matrix: &Matrix) -> Option<Self> {
        Self::from_fn(|before, after| {
            let gain = matrix.0[before][after];
            Some(gain.map_or_else(Largest::default, |gain| Largest::of(Polynomial::number(gain.value))))
        })
    }

    fn then(&self, next: &Self) -> Option<Self> {
        Self::from_fn(|before, after| {
            let mut all = Largest::default();
            for between in Unit::ALL {
                all = all.or(&self.0[before][between].plus(&next.0[between][after])?);
            }
            Some(all)
        })
    }

    fn or(&self, other: &Self) -> Option<Self> {
        Self::from_fn(|before, after| Some(self.0[before][after].or(&other.0[before][after])))
    }

    /// The largest entry from a state, or from any.
    pub(super) fn largest(&self, from: Option<Unit>) -> Largest {
        let from = Unit::ALL.into_iter().filter(|unit| from.is_none_or(|from| from == *unit));
        let pairs = from.flat_map(|before| Unit::ALL.map(|after| (before, after)));
        pairs.fold(Largest::default(), |all, (before, after)| all.or(&self.0[before][after]))
    }

    /// At most so many rounds of this piece, and in them all that any number of rounds adds.
    ///
    /// A path of n rounds goes around in a state, or to and fro between the two. Going to and fro k times adds k w,
    /// where w is the sum of both changes, and leaves n - 2k rounds in either state. That is linear in k, so it is
    /// largest for k = 0, for k = 1, or for the largest k; and if w is no more than one round in each state, a larger k
    /// never adds more than k = 1.
    fn rounds(&self, n: &Polynomial) -> Option<Self> {
        let less = |number: i128| n.plus(&Polynomial::number(-number));
        let identity = Largest::of(Polynomial::number(0));
        // Doing nothing is a round too.
        let stay = PerUnit::from_fn(|unit| self.0[unit][unit].or(&identity));
        let [l, c] = Unit::ALL;
        let around = self.0[l][c].plus(&self.0[c][l])?;
        let tame = around.is_below(&stay[l].plus(&stay[c])?);
        Self::from_fn(|before, after| {
            let other = before.other();
            if before == after {
                let once = around.plus(&stay[other].times(&less(2)?)?)?;
                let all = stay[before].times(n)?.or(&once);
                if tame {
                    return Some(all);
                }
                let back = around.plus(&stay[before].times(&less(2)?)?)?;
                // Half of w a round; what is odd is rounded up.
                let half = Largest(around.0.iter().map(Polynomial::half).collect());
                return Some(all.or(&back).or(&half.times(n)?));
            }
            let once = &self.0[before][after];
            let mut all = Largest::default();
            for unit in [before, after] {
                all = all.or(&once.plus(&stay[unit].times(&less(1)?)?)?);
            }
            if !tame {
                let half = Largest(around.0.iter().map(Polynomial::half).collect());
                all = all.or(&once.plus(&half.times(&less(1)?)?)?);
            }
            Some(all)
        })
    }
}

/// A piece whose loops may have symbols for their bounds.
pub(super) struct Reader<'a> {
    pub(super) rules: Rules<'a>,
    pub(super) symbols: Symbols<'a>,
}

impl Reader<'_> {
    /// The matrix of a piece. `ends` says that the warp has ended after it.
    pub(super) fn piece(&self, piece: &Piece, ends: bool, depth: usize) -> Result<Paths, ProgramError> {
        let known = |paths: Option<Paths>| paths.ok_or(ProgramError::Overflow);
        if depth > MAX_DEPTH {
            return Err(ProgramError::Depth);
        }
        if !self.has_symbol(piece) {
            return known(Paths::of(&self.rules.piece(piece, ends, depth)?.block));
        }
        match piece {
            Piece::Letters { .. } | Piece::Barrier { .. } => {
                known(Paths::of(&self.rules.piece(piece, ends, depth)?.block))
            }
            Piece::Branch { arms, divergence: Divergence::Interleaved, .. }
                if !arms.iter().any(Piece::has_barrier) =>
            {
                self.shuffled(arms, depth + 1)
            }
            Piece::Sequence(pieces) => {
                let mut all = known(Paths::of(&Matrix::identity()))?;
                for (at, piece) in pieces.iter().enumerate() {
                    let next = self.piece(piece, ends && at + 1 == pieces.len(), depth + 1)?;
                    all = known(all.then(&next))?;
                }
                Ok(all)
            }
            Piece::Loop { body, least, most, line } => {
                let inside = self.piece(body, false, depth + 1)?;
                let n = match (self.symbols)(*most, *line) {
                    Some(Rounds { symbol, times, minus }) => {
                        known_number(Polynomial::bound(symbol, times.into(), -i128::from(minus)))?
                    }
                    None if least == most => return self.fixed(&inside, *most),
                    None => Polynomial::number((*most).into()),
                };
                known(inside.rounds(&n))
            }
            Piece::Branch { arms, divergence, .. } if !arms.iter().any(Piece::has_barrier) => {
                let read = |arm| self.piece(arm, ends && *divergence == Divergence::Uniform, depth + 1);
                let arms_of = arms.iter().map(read).collect::<Result<Vec<_>, _>>()?;
                match divergence {
                    Divergence::Uniform => {
                        let mut all = known(Paths::of(&Matrix::from_fn(|_, _| None)))?;
                        for arm in &arms_of {
                            all = known(all.or(arm))?;
                        }
                        Ok(all)
                    }
                    Divergence::Divergent if arms.len() <= MOST_ARMS => known(orders(&arms_of)),
                    _ => Err(ProgramError::Symbols),
                }
            }
            Piece::Branch { .. } => Err(ProgramError::Symbols),
        }
    }

    /// The letters of all arms in any order at all.
    fn shuffled(&self, arms: &[Piece], depth: usize) -> Result<Paths, ProgramError> {
        let zero = || Largest::of(Polynomial::default());
        let mut letters = PerUnit::from_fn(|_| zero());
        for unit in Unit::ALL {
            let counting = Reader { rules: Rules { count: Count::Letters(unit), ..self.rules }, ..*self };
            for arm in arms {
                let most = counting.piece(arm, false, depth)?.largest(None);
                letters[unit] = letters[unit].plus(&most).ok_or(ProgramError::Overflow)?;
            }
        }
        let prices = self.rules.prices;
        let (change, one) = (prices.last_change(), |count, unit| prices.letter(count, unit));
        let value = |matrix: &Matrix, before: Unit, after: Unit| {
            Polynomial::number(matrix.0[before][after].map_or(0, |gain| gain.value))
        };
        let mut works = PerUnit::from_fn(|_| zero());
        for unit in Unit::ALL {
            // What a letter that agrees with its label adds, or an issue, or a letter of the unit.
            let each = value(&one(self.rules.count, unit)?, unit, unit);
            works[unit] = letters[unit].times(&each).ok_or(ProgramError::Overflow)?;
        }
        let [l, c] = Unit::ALL;
        let all = works[l].plus(&works[c]);
        let by = |sum: Option<Largest>, before: Unit| {
            sum?.plus(&Largest::of(value(&change, before, before.other())))
        };
        let paths = match self.rules.count {
            Count::Gains => Paths::from_fn(|before, after| {
                let once = by(all.clone(), before);
                Some(if before == after { by(once, after.other())?.or(&works[before]) } else { once? })
            }),
            Count::Letters(_) => {
                Paths::from_fn(
                    |before, after| {
                        if before == after { all.clone() } else { Some(Largest::default()) }
                    },
                )
            }
            // Each fast letter may follow a slow one.
            _ => {
                let mut issues = all.clone();
                for unit in Unit::ALL {
                    let matrix = one(self.rules.count, unit)?;
                    let switch = value(&matrix, unit.other(), unit);
                    let more = switch
                        .plus(&value(&matrix, unit, unit).times(&Polynomial::number(-1)).unwrap_or_default());
                    let more = more.and_then(|more| letters[unit].times(&more));
                    issues = issues.zip(more).and_then(|(issues, more)| issues.plus(&more));
                }
                Paths::from_fn(|_, _| issues.clone())
            }
        };
        paths.ok_or(ProgramError::Overflow)
    }

    /// A number of rounds that is known: products, one for each binary digit.
    fn fixed(&self, inside: &Paths, mut rounds: u64) -> Result<Paths, ProgramError> {
        let known = |paths: Option<Paths>| paths.ok_or(ProgramError::Overflow);
        let (mut all, mut square) = (known(Paths::of(&Matrix::identity()))?, inside.clone());
        while rounds > 0 {
            if rounds & 1 == 1 {
                all = known(all.then(&square))?;
            }
            rounds >>= 1;
            if rounds > 0 {
                square = known(square.then(&square))?;
            }
        }
        Ok(all)
    }

    fn has_symbol(&self, piece: &Piece) -> bool {
        piece.pieces().any(|piece| match piece {
            Piece::Loop { most, line, .. } => (self.symbols)(*most, *line).is_some(),
            _ => false,
        })
    }
}

fn known_number(polynomial: Option<Polynomial>) -> Result<Polynomial, ProgramError> {
    polynomial.ok_or(ProgramError::Overflow)
}

/// The most arms that run in any order, all of whose orders are tried.
const MOST_ARMS: usize = 4;

/// Some of the arms, one after the other, in any order.
fn orders(arms: &[Paths]) -> Option<Paths> {
    let nowhere = Paths::of(&Matrix::from_fn(|_, _| None))?;
    let mut best = vec![nowhere.clone(); 1 << arms.len()];
    best[0] = Paths::of(&Matrix::identity())?;
    for set in 1..best.len() {
        for (at, arm) in arms.iter().enumerate().filter(|(at, _)| set >> at & 1 == 1) {
            best[set] = best[set].or(&best[set & !(1 << at)].then(arm)?)?;
        }
    }
    best[1..].iter().try_fold(nowhere, |all, one| all.or(one))
}
