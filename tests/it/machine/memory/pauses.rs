//! When a server is paused.
//!
//! A pause falls due every I cycles. It begins then or later, takes p cycles, and no two run at once. At no time have
//! more than k fallen due without having begun. A window may begin at any time of that.

use std::collections::HashSet;

use warpspan::model::machine::Pauses;

/// The cycles until the next pause falls due, how many have fallen due and not begun, and the cycles for which one
/// still runs. All are zero if there are no pauses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Pause {
    due: u64,
    owed: u64,
    runs: u64,
}

impl Pause {
    /// What may be at the start of a cycle, after what has fallen due by then and what begins in it.
    pub(crate) fn begins(self, pauses: Option<Pauses>) -> Vec<Self> {
        let Some(Pauses { length, every, postponed, .. }) = pauses else { return vec![self] };
        let mut now = self;
        if now.due == 0 {
            now.due = every;
            now.owed += 1;
        }
        let begun = Self { owed: now.owed.saturating_sub(1), runs: length, ..now };
        let may_begin = now.runs == 0 && now.owed > 0;
        let both = [(now.owed <= postponed).then_some(now), may_begin.then_some(begun)];
        both.into_iter().flatten().collect()
    }

    /// Whether the server is paused in the cycle that has begun so.
    pub(crate) fn is_on(self) -> bool {
        self.runs > 0
    }

    /// The start of the next cycle.
    pub(crate) fn later(self) -> Self {
        Self { due: self.due.saturating_sub(1), runs: self.runs.saturating_sub(1), ..self }
    }
}

/// All starts of cycles from which a server can go on for ever.
pub(crate) fn viable(pauses: Option<Pauses>) -> HashSet<Pause> {
    let Some(Pauses { every, .. }) = pauses else { return HashSet::from([Pause::default()]) };
    let after = |pause: Pause| pause.begins(pauses).into_iter().map(Pause::later);
    let mut found: HashSet<Pause> = (0..every).map(|due| Pause { due, owed: 0, runs: 0 }).collect();
    let mut open: Vec<Pause> = found.iter().copied().collect();
    while let Some(pause) = open.pop() {
        open.extend(after(pause).filter(|&next| found.insert(next)));
    }
    loop {
        let goes_on = |pause: &Pause| after(*pause).any(|next| found.contains(&next));
        let kept: HashSet<Pause> = found.iter().copied().filter(goes_on).collect();
        if kept.len() == found.len() {
            return kept;
        }
        found = kept;
    }
}

/// The most paused cycles of a window of so many.
pub(crate) fn most_paused(pauses: Pauses, cycles: u64) -> u64 {
    let viable = viable(Some(pauses));
    let mut most: Vec<(Pause, u64)> = viable.iter().map(|&pause| (pause, 0)).collect();
    for _ in 0..cycles {
        let of = |pause: Pause| {
            let begun = pause.begins(Some(pauses)).into_iter();
            let each = begun.filter_map(|now| {
                let after = most.iter().find(|(pause, _)| *pause == now.later())?;
                Some(u64::from(now.is_on()) + after.1)
            });
            each.max().unwrap()
        };
        most = viable.iter().map(|&pause| (pause, of(pause))).collect();
    }
    most.into_iter().map(|(_, paused)| paused).max().unwrap()
}
