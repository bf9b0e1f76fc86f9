//! The names of policies.

use std::str::FromStr;

use strum::{Display, IntoStaticStr};

use crate::engines::policy::{Gto, Lrr, Oldest, Random, RtPaws, SortWarps};

/// A warp-scheduling policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Display, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Policy {
    /// [`Lrr`], loose round robin.
    Lrr,
    /// [`Gto`], greedy then oldest.
    Gto,
    /// [`Oldest`] first.
    Oldest,
    /// [`RtPaws`].
    RtPaws,
    /// [`Random`], which draws any order.
    Random,
    /// The adversary, which plays the worst schedule that [`crate::engines::portfolio`] finds. It is
    /// available only where the machine is that of the model.
    Worst,
}

impl Policy {
    /// Every policy.
    pub const ALL: [Self; 6] = [Self::Lrr, Self::Gto, Self::Oldest, Self::RtPaws, Self::Random, Self::Worst];

    /// The name in flags and records.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// The order of one of the schedulers. The adversary has none, because it has a schedule.
    pub(super) fn order(self, seed: u64, scheduler: u64) -> Option<Box<dyn SortWarps>> {
        match self {
            Self::Lrr => Some(Box::new(Lrr)),
            Self::Gto => Some(Box::new(Gto)),
            Self::Oldest => Some(Box::new(Oldest)),
            Self::RtPaws => Some(Box::<RtPaws>::default()),
            Self::Random => Some(Box::new(Random::new(seed, scheduler))),
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
