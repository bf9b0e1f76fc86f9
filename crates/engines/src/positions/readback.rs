//! Reading a schedule back from the cycles left of all states.

use crate::positions::key::Key;
use crate::positions::layout::Layout;
use crate::positions::search::{Left, Search};
use warpspan_check::schedule::Issue;
use warpspan_model::limits::Stop;

/// Which extreme of the makespan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extreme {
    Worst,
    Best,
}

impl Extreme {
    fn of(self, left: Left) -> u32 {
        match self {
            Self::Worst => left.worst,
            Self::Best => left.best,
        }
    }
}

/// The extreme makespan of the start, and the issues of a schedule that attains it.
pub(super) fn issues<K: Key>(
    layout: &Layout,
    search: &mut Search<'_, K>,
    extreme: Extreme,
) -> Result<(u64, Vec<Issue>), Stop> {
    let mut state = layout.start();
    let mut names = vec![(0, 0); state.len()];
    for class in &layout.classes {
        for (place, &warp) in class.places.clone().zip(&class.warps) {
            names[place] = (u32::try_from(class.group).unwrap_or(u32::MAX), warp);
        }
    }
    let makespan = search.left(&state).map_or(0, |left| extreme.of(left));
    let (mut left, mut found) = (makespan, Vec::new());
    while left > 0 {
        sort(layout, &mut state, &mut names);
        let mut choices = Vec::new();
        search.moves.each(&state, &mut |next, issued| {
            choices.push((next.to_vec(), issued.to_vec()));
            Ok(())
        })?;
        let way = choices.into_iter().find_map(|(mut next, issued)| {
            let cycles = 1 + search.moves.wait(&mut next);
            let after = extreme.of(search.left(&next)?);
            (cycles + after == left).then_some((next, issued, after))
        });
        // the verifier reports a path with a gap
        let Some((next, issued, after)) = way else { break };
        for issue in issued {
            let (group, warp) = names[issue.place];
            found.push(Issue {
                cycle: u64::from(makespan - left) + 1,
                group,
                warp,
                instruction: issue.action.instruction,
                latency: u64::from(issue.latency),
            });
        }
        (state, left) = (next, after);
    }
    Ok((makespan.into(), found))
}

/// Sorts the places of each class, with the names of their warps.
fn sort(layout: &Layout, state: &mut [u32], names: &mut [(u32, u32)]) {
    for class in &layout.classes {
        let places = class.places.clone();
        let own = state[places.clone()].iter().copied().zip(names[places.clone()].iter().copied());
        let mut own: Vec<_> = own.collect();
        own.sort_unstable();
        for (place, (position, name)) in places.zip(own) {
            (state[place], names[place]) = (position, name);
        }
    }
}
