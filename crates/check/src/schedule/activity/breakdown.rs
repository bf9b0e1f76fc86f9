//! How the cycles of a warp divide.

use crate::schedule::activity::Activity;
use crate::schedule::activity::positions::Standing;

/// How the cycles of a warp divide, from cycle 1 to its last issue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spent {
    /// The cycle of its last issue, which is the sum of all others.
    pub total: u64,
    /// Cycles in which it issues.
    pub issues: u64,
    /// By unit: cycles in which it is ready and the unit takes no more.
    pub units: Vec<(String, u64)>,
    /// Cycles in which it is ready and its scheduler issues no more, although the unit would take it.
    pub width: u64,
    /// Cycles in which it stands at a barrier.
    pub barrier: u64,
    /// Cycles in which it waits for its own result.
    pub latency: u64,
    /// Cycles in which its block waits for a slot.
    pub absent: u64,
}

impl Activity {
    /// How the cycles of a warp divide.
    ///
    /// The time grows with the cycles of the warp. Where the issue width is limited, each of its waits is compared with
    /// what holds the unit.
    pub fn spent(&self, warp: usize) -> Spent {
        let one = &self.warps[warp];
        let total = one.issues.last().map_or(0, |&(cycle, _)| cycle);
        let mut spent = Spent {
            total,
            issues: one.issues.len() as u64,
            units: self.units.iter().map(|unit| (unit.name.clone(), 0)).collect(),
            width: 0,
            barrier: 0,
            latency: 0,
            absent: 0,
        };
        // Each issue ends a stretch that begins after the one before.
        let mut from = 1;
        for (instruction, &(cycle, _)) in one.issues.iter().enumerate() {
            spent.absent += one.starts.saturating_sub(from);
            let from_slot = from.max(one.starts);
            let own = self.arrives(warp, instruction).max(from_slot);
            spent.latency += own - from_slot;
            let since = match self.standing(warp, cycle) {
                Standing::Ready { since, .. } => since.max(own),
                _ => own,
            };
            spent.barrier += since - own;
            let unit = self.letter(warp, instruction).unit;
            match self.width {
                None => spent.units[unit].1 += cycle - since,
                Some(_) => {
                    for waited in since..cycle {
                        let held = self.holders(unit, one.home, waited).len() as u64;
                        match held >= self.units[unit].instances {
                            true => spent.units[unit].1 += 1,
                            false => spent.width += 1,
                        }
                    }
                }
            }
            from = cycle + 1;
        }
        spent
    }
}
