//! Branches: an arm for each path.

use crate::flow::analysis::Function;
use crate::flow::lower::barriers::{barriers_of_each_path, check_arms};
use crate::flow::lower::{Alphabet, Lowering, size};
use crate::flow::region::Branch;
use crate::flow::{Obstacle, StructureError};
use warpspan_model::program::{Divergence, Piece};

impl<A: Alphabet> Lowering<'_, '_, '_, A> {
    pub(super) fn branch(
        &mut self,
        function: &Function<'_, '_>,
        region: &Branch,
        depth: u32,
        out: &mut Vec<Piece<A::Letter>>,
    ) -> Result<(), StructureError> {
        let (line, divergence) = (function.routine.line_of(region.branch), region.divergence);
        let mut arms = Vec::new();
        for regions in &region.arms {
            let mut arm = Vec::new();
            self.sequence(function, regions, depth + 1, &mut arm)?;
            arms.push(Piece::Sequence(arm.into()));
        }
        self.budget.spend(arms.len() + 1, line)?;
        let counts: Vec<Option<u64>> = arms.iter().map(barriers_of_each_path).collect();
        let differ = counts.iter().any(|&count| count.is_none() || count != counts[0]);
        let uniform = divergence == Divergence::Uniform;
        // There may be barriers in one arm only.
        let quiet = counts.iter().position(|&count| count == Some(0)).filter(|_| differ && arms.len() == 2);
        let Some(quiet) = quiet.filter(|_| uniform || region.ends_threads) else {
            if uniform && differ {
                let spent = out.len();
                out.extend(one_way_of_all(arms, &counts, region.ends_threads, line));
                return self.budget.spend(size(&out[spent..]), line);
            }
            check_arms(&arms, divergence, line, &function.branch_name(region.branch))?;
            out.push(Piece::Branch { arms: arms.into(), divergence, line });
            return Ok(());
        };
        if divergence == Divergence::Interleaved {
            let obstacle = Obstacle::BarrierBesideEnd(function.branch_name(region.branch));
            return Err(StructureError::at(line, obstacle));
        }
        let (quiet, rest) = (arms.swap_remove(quiet), arms.swap_remove(0));
        let arms = vec![quiet, Piece::Sequence(vec![].into())];
        let maybe = Piece::Branch { arms: arms.into(), divergence: Divergence::Uniform, line };
        self.budget.spend(size(std::slice::from_ref(&maybe)) + 1, line)?;
        out.push(maybe.clone());
        if region.ends_threads {
            // Warps that end are waited for no longer, so that the barriers of the others may be theirs too.
            // The threads that end may issue their arm before or after the others come to these barriers.
            out.push(rest);
            out.extend((!uniform).then_some(maybe));
        } else {
            // All warps of a block take the arm with the barriers, or none does, as CUDA demands: a loop of
            // one pass or none, which says so.
            out.push(Piece::Loop { body: Box::new(rest), least: 0, most: 1, line });
        }
        Ok(())
    }
}

/// A branch at which all warps of a block take the same path, as CUDA demands where that decides about a barrier. Its paths
/// hold different numbers of barriers.
fn one_way_of_all<L: Clone + PartialEq>(
    arms: Vec<Piece<L>>,
    counts: &[Option<u64>],
    ends_threads: bool,
    line: u32,
) -> Vec<Piece<L>> {
    let most = counts.iter().flatten().copied().max().unwrap_or(0);
    let known = counts.iter().all(Option::is_some) && most <= MOST_EQUAL;
    let padded = arms.iter().zip(counts).map(|(arm, count)| {
        let missing = most.saturating_sub(count.unwrap_or(most));
        if !known {
            None
        } else if ends_threads {
            // Nobody waits at a barrier for warps that have ended, wherever they went.
            Some(Piece::Sequence(vec![arm.clone(), barriers(missing, line)].into()))
        } else {
            with_barriers(arm, missing)
        }
    });
    if let Some(arms) = padded.collect() {
        return vec![Piece::Branch { arms, divergence: Divergence::Uniform, line }];
    }
    // Each path is one that the block takes or not.
    let once = |arm: Piece<L>| Piece::Loop { body: Box::new(arm), least: 0, most: 1, line };
    let (quiet, loud): (Vec<_>, Vec<_>) = arms.into_iter().partition(|arm| !arm.has_barrier());
    let mut pieces: Vec<Piece<L>> = loud.into_iter().map(once).collect();
    if !quiet.is_empty() {
        let nothing = Piece::Sequence(vec![].into());
        let arms = quiet.into_iter().chain([nothing]).collect();
        pieces.push(Piece::Branch { arms, divergence: Divergence::Uniform, line });
    }
    pieces
}

/// The most barriers up to which arms are made equal, since the bound holds the segments of such arms one by one.
const MOST_EQUAL: u64 = 256;

/// So many barriers, one after the other.
fn barriers<L>(number: u64, line: u32) -> Piece<L> {
    Piece::Sequence((0..number).map(|_| Piece::Barrier { line }).collect())
}

/// The piece with `more` additional barriers, directly behind one that every path passes once. A warp that passes that barrier
/// passes the additional ones in the same cycle, so no time changes.
fn with_barriers<L: Clone>(piece: &Piece<L>, more: u64) -> Option<Piece<L>> {
    if more == 0 {
        return Some(piece.clone());
    }
    match piece {
        Piece::Barrier { line } => Some(barriers(more + 1, *line)),
        Piece::Sequence(pieces) => {
            let (at, with) =
                pieces.iter().enumerate().find_map(|(at, piece)| Some((at, with_barriers(piece, more)?)))?;
            let mut pieces = pieces.to_vec();
            pieces[at] = with;
            Some(Piece::Sequence(pieces.into()))
        }
        Piece::Branch { arms, divergence: Divergence::Uniform, line } if !arms.is_empty() => {
            let arms = arms.iter().map(|arm| with_barriers(arm, more)).collect::<Option<Vec<_>>>()?;
            Some(Piece::Branch { arms: arms.into(), divergence: Divergence::Uniform, line: *line })
        }
        Piece::Loop { body, least, most, line } if least == most && *most > 0 => {
            // The first round has them.
            let first = with_barriers(body, more)?;
            let rest = match most - 1 {
                0 => return Some(first),
                1 => (**body).clone(),
                most => Piece::Loop { body: body.clone(), least: most, most, line: *line },
            };
            Some(Piece::Sequence(vec![first, rest].into()))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(arms: &[&str], ends_threads: bool) -> String {
        let arms: Vec<Piece> = arms.iter().map(|text| text.parse().unwrap()).collect();
        let counts: Vec<Option<u64>> = arms.iter().map(barriers_of_each_path).collect();
        Piece::Sequence(one_way_of_all(arms, &counts, ends_threads, 0).into()).to_string()
    }

    #[test]
    fn ways_with_different_numbers_of_barriers() {
        assert_eq!(pieces(&["L|C|", "C|L"], false), "[L|C|/C||L]");
        assert_eq!(pieces(&["L|C|L|", "C(L|C)2"], false), "[L|C|L|/CL||CL|C]");
        assert_eq!(pieces(&["L|C|", "C[L|/|C]"], false), "[L|C|/C[L||/||C]]");
        // Warps that end may have taken another path, and wait for nobody.
        assert_eq!(pieces(&["L|C|", "C|L"], true), "[L|C|/C|L|]");
        // How often the loop is passed is not known, or some path has no barrier.
        assert_eq!(pieces(&["L|C|", "C(L|)0..4"], false), "(L|C|)0..1(C(L|)0..4)0..1");
        assert_eq!(pieces(&["L|C|", "C|", "LL"], false), "(L|C|)0..1(C|)0..1[LL/]");
    }

    /// The bound of the program is never below the bound of one of its paths that all warps take.
    #[test]
    fn the_bound_covers_each_way() {
        use warpspan_engines::program::bound;
        use warpspan_model::{Multiprocessor, Workload};
        let of = |text: &str, warps: u64, sigma: Multiprocessor| {
            let workload =
                Workload::single(text.parse::<warpspan_model::Code>().unwrap(), warps, sigma).unwrap();
            bound(&workload).unwrap().makespan.cycles()
        };
        let paths = ["L|C|L", "CC|LL", "L(C|L)3C", "C[L|/C|]C|", "LL", "C(L|)0..3L", "|", "CLCL|LCCC"];
        for (l, c) in [("1", "1"), ("1", "2"), ("2", "1"), ("1", "4")] {
            let sigma = Multiprocessor::new(l.parse().unwrap(), c.parse().unwrap());
            for one in paths {
                for other in paths {
                    let ends = |ends_threads| pieces(&[one, other], ends_threads);
                    let both = [ends(false)]
                        .into_iter()
                        .chain((!one.contains("..") && !other.contains("..")).then(|| ends(true)));
                    for (both, warps) in both.flat_map(|both| [1, 2, 5].map(|warps| (both.clone(), warps))) {
                        for (before, behind) in [("L", ""), ("C", "C"), ("LL", "CCC"), ("L|", "|C")] {
                            let all = of(&format!("{before}{both}{behind}"), warps, sigma);
                            for path in [one, other] {
                                let single = of(&format!("{before}{path}{behind}"), warps, sigma);
                                assert!(
                                    single <= all,
                                    "{before}{path}{behind} {single} of {both} {all}, {warps} warps"
                                );
                            }
                        }
                    }
                }
            }
        }
    }
}
