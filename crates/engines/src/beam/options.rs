//! The choices to fill a unit in a cycle: which of the warps that want it issue.

use std::cmp::Reverse;

use crate::phase::{Remaining, Sums};
use warpspan_model::{Instance, PerUnit, Unit};

/// A place and a number of warps there.
pub(super) type WarpsAt = (u16, u16);

/// One way to fill a unit.
#[derive(Debug, Clone)]
pub(super) struct Choice {
    /// The warps that issue.
    pub(super) issuing: Vec<WarpsAt>,
    /// How the sums of the bound change.
    pub(super) change: Sums,
    pub(super) hash: u64,
    /// The warps that wanted the unit, by place, as they stand afterwards.
    pub(super) after: Vec<u16>,
}

/// The tables that do not depend on the state.
pub(super) struct Tables<'a> {
    pub(super) remaining: &'a Remaining,
    /// For each place, the unit that is wanted and how an issue changes the sums. It is `None` at the end of
    /// a kernel.
    issues: Vec<Option<(Unit, Sums)>>,
    sigma: PerUnit<u16>,
    /// The number of ways to fill a unit that are all tried. If there are more, only some good ones are
    /// tried.
    most: usize,
}

impl<'a> Tables<'a> {
    pub(super) fn new(instance: &Instance, remaining: &'a Remaining, most: usize) -> Self {
        let mut issues = Vec::new();
        for (group, members) in instance.groups().iter().enumerate() {
            let first = remaining.first(group);
            let change = |at: usize| remaining.own(first + at + 1) - remaining.own(first + at);
            let units = members.kernel.units().iter().enumerate();
            issues.extend(units.map(|(at, &unit)| Some((unit, change(at)))));
            issues.push(None);
        }
        let sigma = PerUnit::from_fn(|unit| u16::try_from(instance.sigma(unit)).unwrap_or(u16::MAX));
        Self { remaining, issues, sigma, most }
    }

    /// All choices of each unit, or some good ones, and whether choices were left out.
    pub(super) fn choices(&self, warps: &[u16]) -> (PerUnit<Vec<Choice>>, bool) {
        let mut waiting: PerUnit<Vec<WarpsAt>> = PerUnit::from_fn(|_| Vec::new());
        for (place, &ready) in (0..).zip(warps) {
            if ready > 0
                && let Some((unit, _)) = self.issues[usize::from(place)]
            {
                waiting[unit].push((place, ready));
            }
        }
        let mut some = false;
        let choices = PerUnit::from_fn(|unit| {
            let all: u32 = waiting[unit].iter().map(|&(_, ready)| u32::from(ready)).sum();
            let issuing = u32::from(self.sigma[unit]).min(all);
            let issuing = u16::try_from(issuing).expect("no more than sigma");
            let (ways, left_out) = self.ways(&waiting[unit], issuing);
            some |= left_out;
            ways.into_iter().map(|issuing| self.choice(&waiting[unit], issuing)).collect()
        });
        (choices, some)
    }

    /// The ways in which this many of the waiting warps can issue.
    fn ways(&self, waiting: &[WarpsAt], issuing: u16) -> (Vec<Vec<WarpsAt>>, bool) {
        let mut ways = Vec::new();
        fill(waiting, issuing, self.most + 1, &mut Vec::new(), &mut ways);
        if ways.len() <= self.most {
            return (ways, false);
        }
        ways.clear();
        let left = |place: u16| {
            let own = self.remaining.own(place.into()).left;
            own[Unit::LoadStore] + own[Unit::CudaCore]
        };
        let rate_change = |place: u16, label: Unit| {
            self.issues[usize::from(place)].map_or(0, |(_, change)| change.rates[0][label])
        };
        type Order<'o> = Box<dyn Fn(u16) -> (Reverse<i64>, i64) + 'o>;
        let orders: [Order<'_>; 6] = [
            Box::new(|place| (Reverse(left(place)), 0)),
            Box::new(|place| (Reverse(-left(place)), 0)),
            Box::new(|place| (Reverse(rate_change(place, Unit::LoadStore)), left(place))),
            Box::new(|place| (Reverse(rate_change(place, Unit::LoadStore)), -left(place))),
            Box::new(|place| (Reverse(rate_change(place, Unit::CudaCore)), left(place))),
            Box::new(|place| (Reverse(rate_change(place, Unit::CudaCore)), -left(place))),
        ];
        for order in &orders {
            let mut waiting = waiting.to_vec();
            waiting.sort_by_key(|&(place, _)| order(place));
            let most = ways.len() + self.most.div_ceil(orders.len());
            fill(&waiting, issuing, most, &mut Vec::new(), &mut ways);
        }
        ways.iter_mut().for_each(|way| way.sort_unstable());
        ways.sort_unstable();
        ways.dedup();
        (ways, true)
    }

    fn choice(&self, waiting: &[WarpsAt], issuing: Vec<WarpsAt>) -> Choice {
        let mut choice = Choice { issuing, change: Sums::default(), hash: 0, after: Vec::new() };
        for &(place, ready) in waiting {
            let issuing = choice.issuing.iter().find(|&&(at, _)| at == place).map_or(0, |&(_, count)| count);
            if issuing < ready {
                choice.after.push(place);
            }
        }
        for &(place, count) in &choice.issuing {
            choice.after.push(place + 1);
            let change = self.issues[usize::from(place)].map(|(_, change)| change).unwrap_or_default();
            for _ in 0..count {
                choice.change += change;
                choice.hash = choice.hash.wrapping_add(hash(place + 1)).wrapping_sub(hash(place));
            }
        }
        choice
    }
}

/// All choices of this many of the waiting warps, up to a number of choices. Those at earlier positions of the list
/// issue first.
fn fill(
    waiting: &[WarpsAt],
    issuing: u16,
    most: usize,
    chosen: &mut Vec<WarpsAt>,
    ways: &mut Vec<Vec<WarpsAt>>,
) {
    if issuing == 0 {
        ways.push(chosen.clone());
        return;
    }
    let Some((&(place, ready), others)) = waiting.split_first() else { return };
    let later: u32 = others.iter().map(|&(_, ready)| u32::from(ready)).sum();
    for count in (0..=ready.min(issuing)).rev() {
        if ways.len() >= most || u32::from(issuing - count) > later {
            return;
        }
        if count > 0 {
            chosen.push((place, count));
        }
        fill(others, issuing - count, most, chosen, ways);
        if count > 0 {
            chosen.pop();
        }
    }
}

/// A number for a place such that sums of these numbers are unlikely to collide (the finaliser of
/// splitmix64).
pub(super) fn hash(place: u16) -> u64 {
    let mut x = u64::from(place).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
