//! Places to which control never comes, as the user says, such as the call of `assert` behind a condition that always holds.
//!
//! An instruction is *doomed* if control that is there comes to such a place on every way. No thread takes an edge to a doomed
//! instruction, so these edges are left out: a branch with one other way goes that way. What leads to a doomed instruction on one way
//! only stays as it is, and so does a loop that nothing else leaves.

use std::collections::HashSet;

use crate::message::one_line;
use crate::reached::reached;
use crate::routine::{Listing, Routine};
use warpspan_isa::instruction::{Flow, Instruction};

/// An instruction by the numbers of its routine and of itself.
pub(crate) type Place = (usize, usize);

/// Those of an entry and of what it calls that a name means: by the line, or by the first label before it, as for bounds of loops.
pub(super) fn places(listing: &Listing<'_>, entry: usize, name: &str) -> Vec<Place> {
    let of = |number: usize| {
        let routine = &listing.routines[number];
        let named = move |&at: &usize| routine.line_of(at).to_string() == name || routine.place(at) == name;
        (0..routine.instructions.len()).filter(named).map(move |at| (number, at))
    };
    reached(listing, entry).into_iter().flat_map(of).collect()
}

/// The listing without the ways of an entry that lead to such places. The error says that nothing is left.
pub(super) fn without<'a>(
    listing: &Listing<'a>,
    entry: usize,
    never: &HashSet<Place>,
) -> Result<Listing<'a>, String> {
    let routines = reached(listing, entry);
    let mut doomed = never.clone();
    loop {
        let mut found = Vec::new();
        for &number in &routines {
            let routine = &listing.routines[number];
            let all = 0..routine.instructions.len();
            found.extend(
                all.map(|at| (number, at))
                    .filter(|&at| !doomed.contains(&at) && is_doomed(listing, at, &doomed)),
            );
        }
        if found.is_empty() {
            break;
        }
        doomed.extend(found);
    }
    if doomed.contains(&(entry, 0)) {
        return Err("every way through the code comes there".to_owned());
    }
    let mut left = listing.clone();
    for number in routines {
        for at in 0..listing.routines[number].instructions.len() {
            if !doomed.contains(&(number, at)) {
                let goes = goes(listing, (number, at), &doomed);
                let one = &mut left.routines[number].instructions[at];
                (one.flow, one.conditional) = goes;
            }
        }
    }
    Ok(left)
}

/// What an instruction calls.
fn callee(listing: &Listing<'_>, (number, at): Place) -> Option<Place> {
    let routine = &listing.routines[number];
    match &routine.instructions[at].flow {
        Flow::CallInside(to) => Some((number, *to)),
        Flow::Call(name) => listing.callee(routine, name).map(|callee| (callee, 0)),
        _ => None,
    }
}

/// Whether control that is at an instruction comes to a doomed one next, on every way.
fn is_doomed(listing: &Listing<'_>, (number, at): Place, doomed: &HashSet<Place>) -> bool {
    let routine = &listing.routines[number];
    let one = &routine.instructions[at];
    let inside = |to: usize| doomed.contains(&(number, to));
    let next = inside(at + 1);
    let other = match &one.flow {
        Flow::Next => return next,
        Flow::Branch(to) => inside(*to),
        Flow::Switch(list) => !list.is_empty() && list.iter().all(|&to| inside(to)),
        // Threads may end in what is called, and then they do not come back to what stands behind the call.
        Flow::Call(_) | Flow::CallInside(_) => {
            callee(listing, (number, at)).is_some_and(|to| doomed.contains(&to))
        }
        Flow::Unknown | Flow::End => false,
    };
    other && (next || !one.conditional)
}

/// Where control goes on from an instruction that is not doomed, and whether it may also go on behind it.
fn goes<'a>(listing: &Listing<'a>, (number, at): Place, doomed: &HashSet<Place>) -> (Flow<'a>, bool) {
    let routine: &Routine<'a> = &listing.routines[number];
    let one: &Instruction<'a> = &routine.instructions[at];
    let inside = |to: usize| doomed.contains(&(number, to));
    let next = inside(at + 1);
    match &one.flow {
        Flow::Branch(to) if one.conditional && inside(*to) => (Flow::Next, false),
        Flow::Branch(_) | Flow::End if next => (one.flow.clone(), false),
        Flow::Switch(list) => {
            let mut left: Vec<usize> = list.iter().copied().filter(|&to| !inside(to)).collect();
            left.dedup();
            match left[..] {
                [] => (Flow::Next, false),
                [only] => (Flow::Branch(only), one.conditional && !next),
                _ => (Flow::Switch(left), one.conditional && !next),
            }
        }
        Flow::Call(_) | Flow::CallInside(_)
            if one.conditional && callee(listing, (number, at)).is_some_and(|to| doomed.contains(&to)) =>
        {
            (Flow::Next, false)
        }
        flow => (flow.clone(), one.conditional),
    }
}

/// What a user may mean by a place: the calls by a pointer, or else the instruction at the line or the next one.
pub(super) fn candidates(listing: &Listing<'_>, name: &str) -> Option<String> {
    let all = || listing.routines.iter().flat_map(|routine| &routine.instructions);
    let show = |one: &Instruction<'_>| format!("{} ({})", one.line, one_line(one));
    let calls: Vec<String> = all().filter(|one| one.flow == Flow::Unknown).take(3).map(show).collect();
    if !calls.is_empty() {
        return Some(calls.join(", "));
    }
    let line: u32 = name.parse().ok()?;
    all().filter(|one| one.line >= line).min_by_key(|one| one.line).map(show)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Text;

    /// The flows that are left of the first routine if control never comes to some instructions.
    fn left(text: &str, never: &[usize]) -> Result<Vec<(Flow<'static>, bool)>, String> {
        let text = Text::new("k", text.as_bytes().to_vec()).unwrap();
        let listing = text.listing().unwrap();
        let left = without(&listing, 0, &never.iter().map(|&at| (0, at)).collect())?;
        let own = |flow: &Flow<'_>| match flow {
            Flow::Next => Flow::Next,
            Flow::Branch(to) => Flow::Branch(*to),
            Flow::Switch(list) => Flow::Switch(list.clone()),
            Flow::CallInside(to) => Flow::CallInside(*to),
            Flow::Call(_) | Flow::Unknown => Flow::Unknown,
            Flow::End => Flow::End,
        };
        Ok(left.routines[0].instructions.iter().map(|one| (own(&one.flow), one.conditional)).collect())
    }

    fn kernel(body: &str) -> String {
        format!(".version 7.0\n.target sm_61\n.visible .entry k()\n{{\n{body}\n}}\n")
    }

    #[test]
    fn a_branch_to_what_only_leads_there_goes_its_other_way() {
        let text = kernel(
            "@%p bra A;\nadd.s32 %r1, %r1, 1;\nbra B;\nA:\nmov.u32 %r2, 1;\nB:\nadd.s32 %r1, %r1, 1;\nexit;",
        );
        assert_eq!(left(&text, &[3]).unwrap()[0], (Flow::Next, false));
        assert_eq!(left(&text, &[1]).unwrap()[0], (Flow::Branch(3), false));
        assert_eq!(left(&text, &[2]).unwrap()[0], (Flow::Branch(3), false));
        // Both ways come to the end, and so does the beginning.
        assert!(left(&text, &[4]).is_err() && left(&text, &[0]).is_err());
    }

    #[test]
    fn a_loop_may_go_on_for_ever_and_an_end_may_be_taken() {
        let text = kernel("A:\nadd.s32 %r1, %r1, 1;\n@%p bra A;\nmov.u32 %r2, 1;\nexit;");
        assert_eq!(left(&text, &[2]).unwrap()[1], (Flow::Branch(0), false));
        let text = kernel("@%p exit;\nmov.u32 %r2, 1;\nexit;");
        assert_eq!(left(&text, &[1]).unwrap()[0], (Flow::End, false));
    }
}
