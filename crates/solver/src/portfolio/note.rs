//! Notes that accompany the numbers of an answer.

use std::fmt;

use warpspan_check::bound::Upper;
use warpspan_engines::grid;
use warpspan_engines::phase::Domain;
use warpspan_engines::states::{Method, Unfinished};
use warpspan_ilp::{Formulation, Horizon, IlpError};
use warpspan_model::Cycles;
use warpspan_model::assumption::{Assumption, Id, Rests};
use warpspan_model::machine::MachineGrid;
use warpspan_model::source::Message;

/// A note about an answer. The words of [`fmt::Display`] are for users of the library and name no flag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Note {
    /// The segments between barriers were solved one by one.
    Segments {
        /// The number of segments.
        all: usize,
        /// The number of different segments.
        different: usize,
    },
    /// There are barriers and several blocks, whose schedules are not searched.
    SeveralBlocks,
    /// The search over states was stopped.
    Unfinished(Unfinished),
    /// The search over the states of a grid gave no answer.
    GridUnfinished(grid::Unfinished),
    /// A limit was reached on the way back from the last state to a worst schedule.
    NoWorstSchedule,
    /// A limit was reached on the way back from the last state to a best schedule.
    NoBestSchedule,
    /// A limit was reached before the best case was known.
    NoBestCase,
    /// The method by which the states were searched.
    Searched(Method),
    /// A search was stopped, and the schedule is from a beam of this number of states a cycle.
    LongestOfBeam(usize),
    /// The phase bound guided a search of up to this number of states a cycle.
    Guided(usize),
    /// The schedule is too large to write out and replay.
    Unreplayed,
    /// The paths are too long to walk, or their schedule to replay.
    UnreplayedPaths,
    /// The worst case is that of a program over all its paths.
    OfProgram,
    /// The pairs of positions of two warps exceed the limits.
    Pairs(Domain),
    /// The ILP was stopped, and other engines closed the gap.
    IlpOvertaken,
    /// The ILP would exceed the memory limit.
    IlpTooLarge(IlpError),
    /// The ILP that was solved.
    Model {
        /// The formulation of the ILP.
        formulation: Formulation,
        /// Whether it was built as published.
        plain: bool,
        /// The horizon of the ILP.
        horizon: Cycles,
    },
    /// The ILP's horizon is shorter than a safe one.
    ShortHorizon {
        /// The kind of horizon.
        which: Horizon,
        /// The cycles of the horizon.
        horizon: Cycles,
        /// The cycles of a safe horizon.
        safe: Cycles,
        /// Whether no schedule ends within the horizon.
        infeasible: bool,
    },
    /// There are too many states, and no ILP is small enough.
    NothingFits,
    /// The bound of a program rests on this assumption about its paths.
    Assumed(Assumption),
    /// The bounds of a grid rest on how the warps of its blocks are spread over the schedulers.
    Spread {
        /// The most warps of a block that a scheduler has, and the warps of a block.
        share: [u64; 2],
        /// The bound on the last issue without that.
        without: Cycles,
    },
}

impl Note {
    /// What numbers with these notes rest on, and what else should be known of them.
    pub fn rests(notes: &[Self]) -> Rests {
        let (on, notes): (Vec<&Self>, Vec<&Self>) =
            notes.iter().partition(|note| note.assumption().is_some());
        Rests {
            on: on.into_iter().filter_map(Self::assumption).collect(),
            notes: notes.into_iter().map(Self::message).collect(),
        }
    }

    /// The same as something that numbers rest on; `None` for one on which none does.
    fn assumption(&self) -> Option<Assumption> {
        match self {
            Self::Assumed(one) => Some(one.clone()),
            Self::Spread { .. } => {
                Some(Assumption::assumed(Id::SchedulersSpread, "warps of a block", self.to_string()))
            }
            _ => None,
        }
    }

    /// The note on a grid whose bounds rest on how warps are spread, with the one that does not.
    pub(super) fn spread(grid: &MachineGrid, without: Upper) -> Self {
        let warps = grid.warps_per_block();
        Self::Spread {
            share: [warps.div_ceil(grid.machine().schedulers()), warps],
            without: without.cycles(),
        }
    }

    /// The note, with what would have given a better answer.
    pub fn message(&self) -> Message {
        match self {
            Self::IlpTooLarge(why) => why.message(),
            other => Message::text(other),
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Segments { all, different } => {
                return write!(
                    f,
                    "{all} segments between barriers, solved one by one ({different} different)"
                );
            }
            Self::SeveralBlocks => "barriers of several blocks: bounds and simulated schedules, no search",
            Self::Unfinished(why) => return why.fmt(f),
            Self::GridUnfinished(why) => return why.fmt(f),
            Self::NoWorstSchedule => "a limit was reached on the way back to a worst schedule",
            Self::NoBestSchedule => "a limit was reached on the way back to a best schedule",
            Self::NoBestCase => "the best case is not known: a limit was reached",
            Self::Searched(Method::Dense) => "dense sweep over all states",
            Self::Searched(Method::Levels) => {
                "forward search by levels over the states that can be reached"
            }
            Self::LongestOfBeam(width) => {
                return write!(f, "the schedule is the longest of a beam of {width} states a cycle");
            }
            Self::Guided(width) => {
                return write!(f, "search guided by the phase bound, up to {width} states a cycle");
            }
            Self::Unreplayed => {
                "the schedule is too large to write out and replay: both ends rest on the theorem"
            }
            Self::UnreplayedPaths => {
                "no schedule of the paths was replayed, since it is too long or exceeds the memory limit"
            }
            Self::OfProgram => {
                "the worst case is that over all paths of the program; the code may take less, since data may rule some of \
                 them out"
            }
            Self::Pairs(why) => return why.fmt(f),
            Self::IlpOvertaken => {
                "the ILP did not get so far: its ends are a simulated schedule and the phase bound"
            }
            Self::IlpTooLarge(why) => return why.fmt(f),
            Self::Model { formulation, plain, horizon } => {
                let published = if *plain { " as published" } else { "" };
                return write!(f, "{} formulation{published}, horizon {horizon}", formulation.name());
            }
            Self::ShortHorizon { which, horizon, safe, infeasible } => {
                let which = match which {
                    Horizon::Paper => "the paper's horizon (Eq. 5-7; errata E2, E3)",
                    Horizon::Safe | Horizon::Cycles(_) => "the horizon given",
                };
                let found = if *infeasible {
                    "no schedule ends within it"
                } else {
                    "longer schedules were not looked at"
                };
                return write!(
                    f,
                    "{which}, {horizon} cycles, is shorter than the safe {safe}: {found}, so its optimum is no upper bound"
                );
            }
            Self::NothingFits => "more states than memory holds, and no ILP small enough to be of use",
            Self::Assumed(Assumption { subject, value, .. }) => return write!(f, "{subject}: {value}"),
            Self::Spread { share: [share, warps], without } => {
                return write!(
                    f,
                    "no scheduler has more than {share} of the {warps} warps of a block; without that the last issue is in cycle \
                     {without} at the latest"
                );
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpspan_ilp::ModelSize;
    use warpspan_model::source::Remedy;

    #[test]
    fn a_front_end_words_what_an_ilp_that_is_too_large_needs() {
        let size = ModelSize { rows: 2, columns: 3, nonzeros: 5 };
        let note =
            Note::IlpTooLarge(IlpError::TooLarge { formulation: "aggregated", size, needed: 32, limit: 1 });
        let what = "the aggregated model is estimated at 2 rows, 3 columns, 5 nonzeros (32 MiB), more than the memory \
                    limit of 1 MiB: want a larger ";
        assert_eq!(note.to_string(), format!("{what}memory limit, fewer warps, or another engine"));
        let worded = note.message().worded(|remedy| {
            assert_eq!(remedy, &Remedy::Memory);
            "RAM".to_owned()
        });
        assert_eq!(worded, format!("{what}RAM, fewer warps, or another engine"));
    }
}
