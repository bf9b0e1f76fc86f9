//! How far kernels are from the edge of what is proved.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Number;

use crate::Limit;
use crate::number::{lower, number};
use crate::rta::Rta;
use warpspan_model::time::Duration;
use warpspan_rta::{self as rta, System};

/// The values of a kernel up to which the bounds prove all deadlines, if nothing else of the system changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Sensitivity {
    /// The largest C. Null where none was found, and where C was computed from code.
    pub largest_execution: Option<Number>,
    /// The smallest period, for launches that may also be further apart. Null where none was found, and where
    /// there is one launch only.
    pub smallest_period: Option<Number>,
    /// The largest number of blocks; null where none was found.
    pub largest_blocks: Option<u64>,
    /// The limit that ended a search: what was found is proved, but may not be the last value that is. Null
    /// where none did.
    pub stop: Option<Limit>,
}

impl Rta {
    /// The same record with what is known of the edge.
    #[must_use]
    pub fn with_sensitivity(mut self, system: &System, found: &[rta::Sensitivity]) -> Self {
        // What is proved of C is proved of less, and what is proved of a period is proved of more.
        let time = |edge: Option<rta::Edge>, rounded: fn(&str) -> Number| {
            edge.and_then(|edge| edge.proved).map(|time| rounded(&system.unit().write(Duration(time))))
        };
        for (kernel, found) in self.kernels.iter_mut().zip(found) {
            kernel.sensitivity = Some(Sensitivity {
                largest_execution: time(found.execution, lower),
                smallest_period: time(found.period, number),
                largest_blocks: found.blocks.proved,
                stop: found.stop(),
            });
        }
        self
    }
}
