//! The names of policies.

use std::str::FromStr;

use crate::policy::{Cggty, Gto, Lrr, Oldest, Random, Reading, SortWarps};
use warpspan_model::words;

words! {
    /// A warp-scheduling policy.
    #[derive(Hash, PartialOrd, Ord)]
    #[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
    Policy {
        /// Loose round robin.
        ///
        /// See [`Lrr`].
        #[schemars(description = "Loose round robin.")]
        Lrr = "lrr",
        /// Greedy, then oldest.
        ///
        /// See [`Gto`].
        #[schemars(description = "Greedy, then the oldest warp.")]
        Gto = "gto",
        /// Oldest first.
        ///
        /// See [`Oldest`].
        #[schemars(description = "The oldest warp first.")]
        Oldest = "oldest",
        /// Groups by priority, in turn by budget (Si21 Algorithm 5).
        ///
        /// See [`RtPaws`](super::RtPaws) and [`Reading`].
        #[schemars(description = "The order of Si21's RT-PAWS, by priority and budget.")]
        RtPaws = "rt-paws",
        /// An order drawn anew each cycle.
        ///
        /// See [`Random`].
        #[schemars(description = "Any order.")]
        Random = "random",
        /// Greedy, then youngest, as on modern NVIDIA cores.
        ///
        /// See [`Cggty`].
        #[schemars(description = "Greedy, then the youngest warp, as on modern NVIDIA cores.")]
        Cggty = "cggty",
        /// The adversary: the worst schedule there is; only where the machine is that of the model.
        ///
        /// [`crate::portfolio`] finds it.
        #[schemars(description = "The adversary: the longest schedule that is known.")]
        Worst = "worst",
    }
}

impl Policy {
    /// The order of one of the schedulers. The adversary has none, because it has a schedule.
    pub(super) fn order(self, seed: u64, scheduler: u64, reading: Reading) -> Option<Box<dyn SortWarps>> {
        match self {
            Self::Lrr => Some(Box::new(Lrr)),
            Self::Gto => Some(Box::new(Gto)),
            Self::Oldest => Some(Box::new(Oldest)),
            Self::RtPaws => Some(reading.order()),
            Self::Random => Some(Box::new(Random::new(seed, scheduler))),
            Self::Cggty => Some(Box::new(Cggty)),
            Self::Worst => None,
        }
    }
}

impl FromStr for Policy {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|policy| policy.name() == text);
        found.ok_or_else(|| format!("want one of {}", Self::ALL.map(Self::name).join(", ")))
    }
}
