//! All that stands in the way of a program, in one answer.
//!
//! The search for a program ends at the first place that has no structure. Where a declaration of the user would
//! mend that place, the search is repeated as if it had been made, so that a user learns of everything that is
//! missing at once. What is found under such a guess is only told, and never becomes a program.

use std::collections::HashSet;

use crate::flow::{Alphabet, Findings, FlowOptions, LoopBound, Obstacle, StructureError, program};
use crate::known::Studied;
use crate::unreachable;
use warpspan_model::program::Piece;

/// How often the search is repeated, how many instructions it may look at in all, and after how many steps it is not repeated again.
const MOST_SEARCHES: usize = 64;
const MOST_INSTRUCTIONS: usize = 2_000_000;
const MOST_STEPS_TO_REPEAT: usize = 2_000_000;

/// The structured program of a routine, or all that is found to stand in its way.
pub(super) fn program_or_all<A: Alphabet>(
    studied: &Studied<'_>,
    routine: usize,
    alphabet: &mut A,
    options: FlowOptions<'_>,
) -> (Result<Piece<A::Letter>, StructureError>, Findings) {
    let listing = &studied.listing;
    let (first, mut findings) = program(studied.with_functions(), routine, alphabet, options);
    let Err(mut error) = first else { return (first, findings) };
    let own_classes = alphabet.classes().clone();
    let instructions: usize = listing.routines.iter().map(|routine| routine.instructions.len()).sum();
    let most = MOST_SEARCHES.min(MOST_INSTRUCTIONS / instructions.max(1));
    let mut uniform = options.uniform.clone();
    let mut seen = 0;
    let (mut never, mut left) = (HashSet::new(), None);
    for _ in 0..most {
        if findings.work.steps > MOST_STEPS_TO_REPEAT {
            break;
        }
        let new = &error.obstacles[seen..];
        let guessed = new.iter().filter(|&found| guess(alphabet, found, &mut uniform)).count();
        let calls = new.iter().filter(|(_, obstacle)| obstacle.is_unknown_call());
        let calls = calls.flat_map(|(line, _)| unreachable::places(listing, routine, &line.to_string()));
        let without = never.len();
        never.extend(calls);
        if never.len() > without {
            match unreachable::without(listing, routine, &never) {
                Ok(listing) => left = Some(Studied::from(listing)),
                Err(_) => break,
            }
        } else if guessed == 0 {
            break;
        }
        seen = error.obstacles.len();
        let guesses = FlowOptions { uniform: &uniform, ..options };
        let (next, more) =
            program(left.as_ref().unwrap_or(studied).with_functions(), routine, alphabet, guesses);
        join(&mut findings.loops, more.loops);
        findings.work.add(more.work);
        if let Err(next) = next {
            let new = next.obstacles.into_iter().filter(|found| !error.obstacles.contains(found));
            error.obstacles.extend(new.collect::<Vec<_>>());
        }
    }
    *alphabet.classes() = own_classes;
    error.unbounded.clear();
    error = error.and_unbounded(&findings.loops);
    (Err(error), findings)
}

/// Takes what would mend an obstacle as said; whether there is anything of that kind which was not said before.
fn guess<A: Alphabet>(
    alphabet: &mut A,
    (line, obstacle): &(u32, Obstacle),
    uniform: &mut HashSet<String>,
) -> bool {
    match obstacle {
        Obstacle::NoClass(opcode)
        | Obstacle::Unrated(opcode)
        | Obstacle::NoLetter { opcode, .. }
        | Obstacle::Refused { opcode, .. } => {
            alphabet.classes().guess(opcode);
            true
        }
        _ => obstacle.branch(*line).is_some_and(|branch| uniform.insert(branch)),
    }
}

/// What a later search found of loops comes in place of what an earlier one found of the same ones.
fn join(loops: &mut Vec<LoopBound>, later: Vec<LoopBound>) {
    for one in later {
        let same = |known: &&mut LoopBound| known.line == one.line && known.label == one.label;
        match loops.iter_mut().find(same) {
            Some(known) => *known = one,
            None => loops.push(one),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;
    use crate::classes::Classes;
    use crate::params::Launch;
    use crate::{LoopBounds, Text};

    /// The steps of all searches for the program of a kernel, and the passes of loops that they found.
    fn work(file: &str) -> [usize; 2] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/unrolled");
        let text = Text::new(file, fs::read(folder.join(file)).unwrap()).unwrap();
        let studied = Studied::from(text.listing().unwrap());
        let mut classes = Classes::new(studied.listing.language, "8.7".parse().unwrap(), vec![]);
        let (bounds, uniform, launch) = (LoopBounds::default(), HashSet::new(), Launch::default());
        let options = FlowOptions {
            loop_bounds: &bounds,
            loop_totals: &bounds,
            uniform: &uniform,
            launch: &launch,
            independent_threads: true,
        };
        let work = program_or_all(&studied, 0, &mut classes, options).1.work;
        [work.steps, work.passes]
    }

    /// Each file has two more copies of an inner loop than the one before, all of which return out of both loops. Steps and passes are
    /// counted, and not time.
    #[test]
    fn unrolled_loops_that_return_take_no_exponential_search() {
        let [four, six, eight] = ["un44.ptx", "un64.ptx", "un84.ptx"].map(work);
        let all = format!("{four:?}, {six:?}, {eight:?}");
        assert!(six[1] < 4 * four[1] && eight[1] < 4 * six[1] && eight[1] < 5_000, "{all}");
        assert!(eight[0] < 50_000, "{all}");
    }
}
