//! All that stands in the way of a program, in one answer.
//!
//! The search for a program ends at the first place that has no structure. Where a declaration of the user would
//! mend that place, the search is repeated as if it had been made, so that a user learns of everything that is
//! missing at once. What is found under such a guess is only told, and never becomes a program.

use std::collections::HashSet;

use crate::flow::{Alphabet, Findings, FlowOptions, LoopBound, Obstacle, StructureError, program};
use crate::routine::Listing;
use crate::unreachable;
use warpspan_model::program::Piece;

/// How often the search is repeated, and how many instructions it may look at in all.
const MOST_SEARCHES: usize = 64;
const MOST_INSTRUCTIONS: usize = 2_000_000;

/// The structured program of a routine, or all that is found to stand in its way.
pub(super) fn program_or_all<A: Alphabet>(
    listing: &Listing<'_>,
    routine: usize,
    alphabet: &mut A,
    options: FlowOptions<'_>,
) -> (Result<Piece<A::Letter>, StructureError>, Findings) {
    let (first, mut findings) = program(listing, routine, alphabet, options);
    let Err(mut error) = first else { return (first, findings) };
    let own_classes = alphabet.classes().clone();
    let instructions: usize = listing.routines.iter().map(|routine| routine.instructions.len()).sum();
    let most = MOST_SEARCHES.min(MOST_INSTRUCTIONS / instructions.max(1));
    let mut uniform = options.uniform.clone();
    let mut seen = 0;
    let (mut never, mut left) = (HashSet::new(), None);
    for _ in 0..most {
        let new = &error.obstacles[seen..];
        let guessed = new.iter().filter(|&found| guess(alphabet, found, &mut uniform)).count();
        let calls = new.iter().filter(|(_, obstacle)| obstacle.is_unknown_call());
        let calls = calls.flat_map(|(line, _)| unreachable::places(listing, routine, &line.to_string()));
        let without = never.len();
        never.extend(calls);
        if never.len() > without {
            match unreachable::without(listing, routine, &never) {
                Ok(listing) => left = Some(listing),
                Err(_) => break,
            }
        } else if guessed == 0 {
            break;
        }
        seen = error.obstacles.len();
        let guesses = FlowOptions { uniform: &uniform, ..options };
        let (next, more) = program(left.as_ref().unwrap_or(listing), routine, alphabet, guesses);
        join(&mut findings.loops, more.loops);
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
