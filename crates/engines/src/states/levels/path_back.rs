//! The path back from the end of a run, which finds the states between, cycle by cycle.

use crate::states::Extreme;
use crate::states::levels::forward::{Forward, Kept, Run, level};
use crate::states::levels::moves::State;
use crate::states::levels::state_set::Part;
use warpspan_model::limits::Stop;

impl Forward<'_> {
    /// The states of a longest or shortest path that a run found, with both ends.
    ///
    /// If the run kept its levels, the path back goes from the end to a state one cycle earlier from which a choice
    /// leads to the current one. If it could not keep them, only the state in the middle of the path is known, and each
    /// half is run again. In all, these runs visit at most as many states again, since each half sees only states
    /// between its ends.
    pub(super) fn way(
        &self,
        from: &State,
        to: &State,
        run: &Run,
        extreme: Extreme,
    ) -> Result<Vec<State>, Stop> {
        let arrival = run.arrival.expect("every state between the two is looked at");
        if let Some(kept) = &run.kept {
            return Ok(self.steps(kept, to, arrival.cycle(extreme), extreme));
        }
        let middle = run.middle.get(arrival.by(extreme) as usize).ok_or(Stop::MemoryLimit)?;
        if middle == from || middle == to {
            return Err(Stop::MemoryLimit); // the levels of a single cycle do not fit
        }
        let half = |from: &State, to: &State| {
            let run = self.run(from, to).map_err(|halt| halt.stop)?;
            self.way(from, to, &run, extreme)
        };
        let mut way = half(from, middle)?;
        way.pop();
        way.extend(half(middle, to)?);
        Ok(way)
    }

    fn steps(&self, kept: &Kept, to: &State, arrival: u32, extreme: Extreme) -> Vec<State> {
        let start = kept.iter().flatten().find_map(|part| part.iter().next());
        let first = start.map_or(0, |(state, _)| level(state));
        let mut at = usize::try_from(level(to) - first).expect("the levels were kept");
        let mut way = vec![to.clone()];
        for cycle in (0..arrival).rev() {
            let after = &way[way.len() - 1];
            let (earlier, before) = (at.saturating_sub(self.moves.most())..at)
                .rev()
                .find_map(|earlier| {
                    let states = kept[earlier].iter().flat_map(Part::iter).filter(|(state, arrival)| {
                        arrival.cycle(extreme) == cycle && self.moves.leads(state, after)
                    });
                    states.map(|(state, _)| state).min().map(|before| (earlier, before))
                })
                .expect("a state is reached one cycle after another");
            way.push(before.into());
            at = earlier;
        }
        way.reverse();
        way
    }
}
