//! The policy RT-PAWS: groups of warps by priority have turns, which last for as long as their budgets.
//!
//! Si21 Algorithm 5 can be read in two ways ([`Reading`]), and each of them is a policy of its own here:
//! [`RtPaws`] and [`RtPawsRotating`].

mod rotating;
mod text;

use strum::{Display, IntoStaticStr};

pub use rotating::RtPawsRotating;
pub use text::RtPaws;

use crate::policy::{Candidate, SortWarps};

/// How Si21 Algorithm 5 is read: which group is `g_0`.
///
/// Its line 11 takes `g_0` from a list that no line of it changes, so who is first after a swap of line 26 is
/// left to the text. The two differ only because line 14 of Algorithm 4 keeps as `Q_prev` the order of a cycle
/// whose head was passed over, and no other: with `Q_prev` kept in each cycle they would be the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Display, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Reading {
    /// The group at the head of `Q_prev`, as the text defines it
    ///
    /// See [`RtPaws`].
    #[default]
    Text,
    /// The first of a list, which goes to its end when its budget is spent
    ///
    /// See [`RtPawsRotating`].
    Rotating,
}

impl Reading {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Text, Self::Rotating];

    /// The name in flags and notes.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// What is said of a run, a sentence. It says which group goes first.
    pub fn note(self) -> &'static str {
        match self {
            Self::Text => {
                "rt-paws, reading text: the group at the head of the last order whose head was passed over goes first"
            }
            Self::Rotating => {
                "rt-paws, reading rotating: a group goes first until its budget is spent, and then to the end of a list"
            }
        }
    }

    pub(super) fn order(self) -> Box<dyn SortWarps> {
        match self {
            Self::Text => Box::<RtPaws>::default(),
            Self::Rotating => Box::<RtPawsRotating>::default(),
        }
    }
}

/// Whether a group has warps.
fn is_there(priority: u64, warps: &[Candidate]) -> bool {
    warps.iter().any(|candidate| candidate.priority == priority)
}

/// Whether all warps are of one group, or there are none.
fn is_one_group(warps: &[Candidate]) -> bool {
    warps.windows(2).all(|two| two[0].priority == two[1].priority)
}

/// Puts the groups that are new behind the first, each in front of the first group that is less urgent than it,
/// and says whether there were any.
fn enter(groups: &mut Vec<u64>, warps: &[Candidate]) -> bool {
    let before = groups.len();
    for &Candidate { priority, .. } in warps {
        if !groups.contains(&priority) {
            let less = groups.iter().skip(1).position(|&other| other < priority);
            groups.insert(less.map_or(groups.len(), |at| at + 1), priority);
        }
    }
    groups.len() > before
}

/// The warps of a group, from the oldest to the youngest.
fn of(priority: u64, warps: &[Candidate]) -> impl Iterator<Item = &Candidate> + Clone {
    warps.iter().filter(move |candidate| candidate.priority == priority)
}
