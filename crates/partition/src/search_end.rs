//! Why a search for partitions ended without any.

use crate::{Impossible, Undecided};
use warpspan_model::limits::Stop;

/// Why a heuristic gives no partitions.
#[derive(Debug, Clone, PartialEq)]
pub enum Ended {
    /// It is proved that there are none.
    Impossible(Impossible),
    /// The test cannot decide whether there are any.
    Undecided,
    /// A limit stopped the search.
    Stopped(Stop),
}

impl From<Impossible> for Ended {
    fn from(why: Impossible) -> Self {
        Self::Impossible(why)
    }
}

impl From<Stop> for Ended {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

impl From<Undecided> for Ended {
    fn from(why: Undecided) -> Self {
        match why {
            Undecided::TooLong => Self::Undecided,
            Undecided::Stopped(stop) => Self::Stopped(stop),
        }
    }
}
