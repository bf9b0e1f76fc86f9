//! The bound of a program as an expression in the bounds of its loops.
//!
//! Entries of matrices over (max, +) become sets of polynomials, of which the largest counts; `paths` has the
//! closed form of a loop, and why nothing exceeds it. The bound of the phases holds at every theta, of which
//! both ends of its range are taken, and so does the critical path. So the value of the expression is never below
//! [`bound()`](crate::program::bound()). It is equal at sigma 1 if each loop with a symbol makes two rounds or
//! more and holds no other such loop and, in a loop with branches, no two arms alternate to advantage.

mod paths;
mod polynomial;

use std::fmt;

use crate::program::ProgramError;
use crate::program::prices::{Count, Prices};
use crate::program::symbolic::paths::Reader;
use crate::program::symbolic::polynomial::{Largest, Polynomial};
use crate::program::terms::Terms;
use crate::program::value::Rules;
use warpspan_model::{Unit, Workload};

#[doc(hidden)]
pub use paths::{Rounds, Symbols};

/// A bound in cycles as an expression in bounds of loops.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expression {
    /// The names of the symbols.
    names: Vec<String>,
    /// Each is a bound: the sum of its parts. The smallest counts.
    bounds: Vec<Vec<Part>>,
}

/// The largest of some polynomials, divided and rounded down.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Part {
    of: Largest,
    over: i128,
}

impl Expression {
    /// Its value for bounds of the loops, each 1 or more, in the order of the names; none if a number does not
    /// fit.
    pub fn value(&self, bounds: &[u64]) -> Option<u64> {
        let sum = |parts: &Vec<Part>| {
            parts
                .iter()
                .try_fold(0_i128, |sum, part| sum.checked_add(part.of.value(bounds)?.div_euclid(part.over)))
        };
        let values: Option<Vec<i128>> = self.bounds.iter().map(sum).collect();
        u64::try_from(values?.into_iter().min()?).ok()
    }
}

/// The expression of a workload of one group, all of whose warps are one block. `symbols` says which loops have a
/// symbol for their bound.
#[doc(hidden)]
pub fn symbolic(
    workload: &Workload,
    names: Vec<String>,
    symbols: Symbols<'_>,
) -> Result<Expression, ProgramError> {
    let terms = Terms::new(workload)?;
    let (sigmas, others) = (terms.sigmas(), i128::from(terms.groups[0].warps) - 1);
    let program = &terms.groups[0].program;
    let apart = workload.warps_per_block().is_some_and(|block| block < terms.groups[0].warps);
    if terms.groups.len() != 1 || apart && program.has_barrier() {
        return Err(ProgramError::Symbols);
    }
    let overflow = || ProgramError::Overflow;
    let times = |of: &Largest, factor: i128| of.times(&Polynomial::number(factor)).ok_or_else(overflow);
    let mut bounds: Vec<Vec<Part>> = Vec::new();
    for theta in sigmas.thetas() {
        let prices = Prices::new(&sigmas, theta)?;
        let read = |count| {
            let rules = Rules { prices: &prices, count, times: terms.times };
            Reader { rules, symbols }.piece(program, true, 0)
        };
        let issues = read(Count::Issues { most: terms.switch() })?.largest(Some(sigmas.fast));
        let gains = read(Count::Gains)?.largest(None);
        let of = issues.plus(&times(&gains, others)?).ok_or_else(overflow)?;
        let part = vec![Part { of, over: prices.scale }];
        if !bounds.contains(&part) {
            bounds.push(part);
        }
    }
    let critical = critical_path(&terms, symbols)?;
    // At sigma 1 no critical path is shorter than the phases.
    let whole = |parts: &[Part]| {
        parts.iter().try_fold(Largest::of(Polynomial::default()), |sum, part| {
            sum.plus(&part.of.times(&Polynomial::number((part.over == 1).into()))?)
        })
    };
    let longer = critical.iter().all(|part| part.over == 1)
        && bounds.iter().any(|known| {
            known[0].over == 1 && whole(&critical).is_some_and(|whole| known[0].of.is_below(&whole))
        });
    if !longer {
        bounds.push(critical);
    }
    Ok(Expression { names, bounds })
}

/// The instructions of a warp, and for each unit what the others have for it.
fn critical_path(terms: &Terms<'_>, symbols: Symbols<'_>) -> Result<Vec<Part>, ProgramError> {
    let (sigmas, warps) = (terms.sigmas(), i128::from(terms.groups[0].warps));
    let prices = Prices::new(&sigmas, sigmas.thetas()[0])?;
    let read = |count| {
        let rules = Rules { prices: &prices, count, times: terms.times };
        Reader { rules, symbols }.piece(&terms.groups[0].program, true, 0)
    };
    let issues = read(Count::Issues { most: 0 })?.largest(Some(sigmas.fast));
    let mut parts = vec![Part { of: issues, over: prices.scale }];
    for unit in Unit::ALL.into_iter().filter(|&unit| sigmas.of[unit] < warps) {
        let of = read(Count::Letters(unit))?.largest(None);
        if of.0.iter().any(|one| *one != Polynomial::default()) {
            let of = of.times(&Polynomial::number(warps - 1)).ok_or(ProgramError::Overflow)?;
            parts.push(Part { of, over: sigmas.of[unit] });
        }
    }
    Ok(parts)
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sums: Vec<String> = self
            .bounds
            .iter()
            .map(|parts| {
                // Whole sums are written as one.
                let (mut whole, mut rest) = (None, Vec::new());
                for part in parts {
                    whole = match (part.whole(), whole) {
                        (Some(one), None) => Some(one),
                        (Some(one), Some(sum)) => match one.plus(&sum) {
                            Some(sum) => Some(sum),
                            None => {
                                return parts
                                    .iter()
                                    .map(|part| self.part(part))
                                    .collect::<Vec<_>>()
                                    .join(" + ");
                            }
                        },
                        (None, whole) => {
                            rest.push(self.part(part));
                            whole
                        }
                    };
                }
                let whole = whole.map(|whole| self.part(&Part { of: Largest::of(whole), over: 1 }));
                whole.into_iter().chain(rest).collect::<Vec<_>>().join(" + ")
            })
            .collect();
        match &sums[..] {
            [one] => f.write_str(one),
            all => write!(f, "min({})", all.join(", ")),
        }
    }
}

impl Part {
    /// The only polynomial, if dividing it leaves whole coefficients.
    fn whole(&self) -> Option<Polynomial> {
        let [one] = &self.of.0[..] else { return None };
        one.divided(self.over)
    }
}

impl Expression {
    fn part(&self, part: &Part) -> String {
        let all: Vec<_> = part.of.0.iter().filter_map(Polynomial::in_bounds).collect();
        let values = all.iter().flat_map(|one| one.values().copied());
        // What divides all coefficients and the divisor.
        let common = values.fold(part.over, |one, other| gcd(one, other.abs()));
        let over = part.over / common;
        let texts: Vec<String> = all.iter().map(|one| self.polynomial(one, common)).collect();
        let largest = match &texts[..] {
            [one] => one.clone(),
            texts => format!("max({})", texts.join(", ")),
        };
        match (over, texts.len()) {
            (1, _) => largest,
            (_, 1) => format!("floor(({largest})/{over})"),
            _ => format!("floor({largest}/{over})"),
        }
    }

    fn polynomial(&self, terms: &std::collections::BTreeMap<Vec<u8>, i128>, common: i128) -> String {
        let mut products: Vec<(u32, String, i128)> = terms
            .iter()
            .map(|(exponents, &value)| {
                let degree = exponents.iter().map(|&one| u32::from(one)).sum();
                let names = exponents.iter().enumerate().flat_map(|(symbol, &exponent)| {
                    std::iter::repeat_n(self.names.get(symbol).cloned().unwrap_or_default(), exponent.into())
                });
                (degree, names.collect::<Vec<_>>().join("*"), value / common)
            })
            .collect();
        products.sort_by(|one, other| other.0.cmp(&one.0).then(one.1.cmp(&other.1)));
        let mut text = String::new();
        for (_, names, value) in products {
            let sign = match (text.is_empty(), value < 0) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            };
            let size = value.unsigned_abs();
            let product = match (&*names, size) {
                ("", _) => size.to_string(),
                (names, 1) => names.to_owned(),
                (names, _) => format!("{size}*{names}"),
            };
            text += &format!("{sign}{product}");
        }
        if text.is_empty() { "0".into() } else { text }
    }
}

fn gcd(one: i128, other: i128) -> i128 {
    if other == 0 { one } else { gcd(other, one % other) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::bound;
    use proptest::prelude::*;
    use warpspan_model::program::{Divergence, Piece};
    use warpspan_model::{Multiprocessor, Throughput};

    /// Lines from here on are those of loops with symbols.
    const FIRST: u32 = 100;

    fn piece(symbols: u32) -> impl Strategy<Value = Piece> {
        let letters = (0_usize..2, 1_u64..4).prop_map(|(unit, count)| Piece::Letters {
            letter: Unit::ALL[unit],
            count,
            line: 0,
        });
        let leaf = prop_oneof![5 => letters, 1 => Just(Piece::Barrier { line: 0 })];
        leaf.prop_recursive(4, 24, 4, move |inner| {
            let kind = prop_oneof![
                Just(Divergence::Uniform),
                Just(Divergence::Divergent),
                Just(Divergence::Interleaved)
            ];
            prop_oneof![
                4 => prop::collection::vec(inner.clone(), 1..5).prop_map(|pieces| Piece::Sequence(pieces.into())),
                1 => (prop::collection::vec(inner.clone(), 2..4), kind)
                    .prop_map(|(arms, divergence)| Piece::Branch { arms: arms.into(), divergence, line: 0 }),
                2 => (inner.clone(), 0..symbols, 0_u64..2).prop_map(|(body, symbol, minus)| {
                    // The number of rounds is filled in later; the least number says whether one is left out.
                    Piece::Loop { body: Box::new(body), least: minus, most: 1, line: FIRST + symbol }
                }),
                1 => (inner, 1_u64..4)
                    .prop_map(|(body, most)| Piece::Loop { body: Box::new(body), least: most, most, line: 0 }),
            ]
        })
    }

    /// The program with bounds in place of its symbols, and whether each of its loops then makes two rounds.
    fn with(piece: &Piece, bounds: &[u64], twice: &mut bool) -> Piece {
        piece.fold(|piece, inside| match (piece, piece.with_inside(inside)) {
            (Piece::Loop { least, line, .. }, Piece::Loop { body, .. }) if *line >= FIRST => {
                let most = bounds[(*line - FIRST) as usize] - least;
                *twice &= most >= 2;
                Piece::Loop { body, least: 0, most, line: *line }
            }
            (_, other) => other,
        })
    }

    fn alternates(piece: &Piece) -> bool {
        piece.pieces().any(|piece| matches!(piece, Piece::Branch { .. }))
    }

    /// Whether a loop with a symbol holds another.
    fn nests(piece: &Piece, inside: bool) -> bool {
        match piece {
            Piece::Letters { .. } | Piece::Barrier { .. } => false,
            Piece::Sequence(pieces) | Piece::Branch { arms: pieces, .. } => {
                pieces.iter().any(|piece| nests(piece, inside))
            }
            Piece::Loop { body, line, .. } => {
                let has_symbol = *line >= FIRST;
                inside && has_symbol || nests(body, inside || has_symbol)
            }
        }
    }

    fn sigmas(l: u64, c: u64) -> Multiprocessor {
        let of = |letters: u64| letters.to_string().parse::<Throughput>().unwrap();
        Multiprocessor::new(of(l), of(c))
    }

    /// The expression of a program whose loops are marked, and its bound for some values.
    fn both(program: &Piece, bounds: &[u64], warps: u64, sigma: (u64, u64)) -> Option<(u64, u64, bool)> {
        // As in a listing, a number stands for the bounds while the program is read.
        let stands: Vec<u64> = bounds.iter().map(|_| 1_000_003).collect();
        let marked = with(program, &stands, &mut true);
        let workload = Workload::single(marked, warps, sigmas(sigma.0, sigma.1)).unwrap();
        let symbols = |most: u64, line: u32| {
            let symbol = usize::try_from(line.checked_sub(FIRST)?).ok()?;
            Some(Rounds { symbol, times: 1, minus: 1_000_003 - most })
        };
        let names = (0..bounds.len()).map(|at| format!("L_{at}")).collect();
        let expression = symbolic(&workload, names, &symbols).ok()?;
        let mut twice = true;
        let filled = with(program, bounds, &mut twice);
        let workload = Workload::single(filled, warps, sigmas(sigma.0, sigma.1)).unwrap();
        Some((expression.value(bounds)?, bound(&workload).ok()?.makespan.cycles().0, twice))
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

        /// The expression is never below the bound, and at sigma 1, in code without branches whose loops make two
        /// rounds or more and do not hold one another, it is the bound.
        #[test]
        fn the_expression_is_no_less_than_the_bound(
            program in piece(3), bounds in prop::collection::vec(1_u64..9, 3), warps in 1_u64..9,
            sigma in prop_oneof![Just((1, 1)), Just((1, 2)), Just((2, 1)), Just((1, 4)), Just((2, 3))],
        ) {
            let Some((expressed, numeric, twice)) = both(&program, &bounds, warps, sigma) else { return Ok(()) };
            prop_assert!(expressed >= numeric, "{expressed} {numeric} {program}");
            if sigma == (1, 1) && twice && !alternates(&program) && !nests(&program, false) {
                prop_assert_eq!(expressed, numeric, "{}", program);
            }
        }
    }

    #[test]
    fn an_expression_by_hand() {
        // C(LC)N: a round of LC adds 1 to a, since one of its two letters agrees with any label.
        let letter = |unit| Piece::Letters { letter: unit, count: 1, line: 0 };
        let body = Piece::Sequence(vec![letter(Unit::LoadStore), letter(Unit::CudaCore)].into());
        let round = Piece::Loop { body: Box::new(body), least: 1, most: 7, line: FIRST };
        let program = Piece::Sequence(vec![letter(Unit::CudaCore), round].into());
        let workload = Workload::single(program, 5, sigmas(1, 1)).unwrap();
        let symbols = |_, line: u32| (line == FIRST).then_some(Rounds { symbol: 0, times: 1, minus: 0 });
        let found = symbolic(&workload, vec!["N".into()], &symbols).unwrap();
        // I = 1 + 2 N and a = 1 + N: the first C agrees too.
        assert_eq!(found.to_string(), "6*N + 5");
        assert_eq!(found.value(&[10]), Some(65));
    }
}
