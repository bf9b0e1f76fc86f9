//! The names of policies.

use std::str::FromStr;

use strum::{Display, IntoStaticStr};

use crate::policy::{Cggty, Gto, Lrr, Oldest, Random, Reading, SortWarps};

/// A warp-scheduling policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Display, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Policy {
    /// Loose round robin.
    ///
    /// See [`Lrr`].
    Lrr,
    /// Greedy, then oldest.
    ///
    /// See [`Gto`].
    Gto,
    /// Oldest first.
    ///
    /// See [`Oldest`].
    Oldest,
    /// Groups by priority, in turn by budget (Si21 Algorithm 5).
    ///
    /// See [`RtPaws`](super::RtPaws) and [`Reading`].
    RtPaws,
    /// An order drawn anew each cycle.
    ///
    /// See [`Random`].
    Random,
    /// Greedy, then youngest, as on modern NVIDIA cores.
    ///
    /// See [`Cggty`].
    Cggty,
    /// The adversary: the worst schedule there is; only where the machine is that of the model.
    ///
    /// [`crate::portfolio`] finds it.
    Worst,
}

impl Policy {
    /// Every policy.
    pub const ALL: [Self; 7] =
        [Self::Lrr, Self::Gto, Self::Oldest, Self::RtPaws, Self::Random, Self::Cggty, Self::Worst];

    /// The name in flags and records.
    pub fn name(self) -> &'static str {
        self.into()
    }

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
