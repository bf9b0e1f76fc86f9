//! Comparing the bounds of two versions.

use std::collections::BTreeSet;

use crate::Assumption;
use crate::compare::{Allowed, Change, Compare, Compared, Verdict};
use crate::compare::{Percent, in_percent};
use crate::compared::causes::{self, Found};
use crate::compared::items::{self, Items};
use crate::compared::lines;
use warpspan_engines::phase::Rational;

impl Compare {
    /// Compares the results of two versions.
    pub fn new(old: &Items, new: &Items, allowed: Allowed) -> Self {
        let find = |items: &'_ Items, name: &str| items.items.iter().position(|item| item.name == name);
        let mut entries = Vec::new();
        for item in &new.items {
            let before = find(old, &item.name).map(|at| &old.items[at]);
            entries.push(Compared::new(before, Some(item), allowed.rise));
        }
        let known: BTreeSet<&String> = new.items.iter().map(|item| &item.name).collect();
        for item in old.items.iter().filter(|item| !known.contains(&item.name)) {
            entries.push(Compared::new(Some(item), None, allowed.rise));
        }
        let is_missing = |one: &Compared| {
            one.old_error.is_some() || one.new_error.is_some() || one.change == Change::NotComparable
        };
        // A comparison of nothing is no good news.
        let is_common = |one: &Compared| !matches!(one.change, Change::New | Change::Gone);
        let verdict = if entries.iter().any(|one| one.exceeds) {
            Verdict::Worse
        } else if !allowed.gone && entries.iter().any(|one| one.change == Change::Gone) {
            Verdict::Gone
        } else if entries.iter().any(is_missing) || !entries.iter().any(is_common) {
            Verdict::Unknown
        } else {
            Verdict::Within
        };
        let mut assumptions: Vec<Assumption> = Vec::new();
        for one in new.items.iter().filter_map(|item| item.ledger.as_ref()?.assumptions.as_ref()).flatten() {
            if !assumptions.contains(one) {
                assumptions.push(one.clone());
            }
        }
        assumptions.sort_by_key(|one| one.kind);
        let worse_than = allowed.rise.and_then(Percent::number);
        let (old, new) = (old.place.clone(), new.place.clone());
        Self { old, new, worse_than, allow_gone: allowed.gone, verdict, entries, assumptions }
    }

    /// The same with so many changed lines of each entry at most.
    #[must_use]
    pub fn top(mut self, most: usize) -> Self {
        self.entries.iter_mut().for_each(|one| one.lines.truncate(most));
        self
    }
}

impl Compared {
    fn new(old: Option<&items::Item>, new: Option<&items::Item>, worse_than: Option<Percent>) -> Self {
        let bound = |item: Option<&items::Item>| item.and_then(|item| item.upper.as_ref().ok()).cloned();
        let error = |item: Option<&items::Item>| item.and_then(|item| item.upper.as_ref().err()).cloned();
        let (before, after) = (bound(old), bound(new));
        let (change, percent, exceeds) = match (&before, &after) {
            (Some((_, before)), Some((_, after))) => judged(*before, *after, worse_than),
            _ if old.is_none() => (Change::New, None, false),
            _ if new.is_none() => (Change::Gone, None, false),
            _ => (Change::Unknown, None, false),
        };
        let found = match (old, new) {
            (Some(old), Some(new)) => causes::found(old, new, change),
            _ => Found { change, because: None, differs: Vec::new() },
        };
        let is_comparable = found.change != Change::NotComparable;
        let lines = match (old, new) {
            (Some(old), Some(new)) if is_comparable => lines::changes(&old.adds, &new.adds),
            _ => Vec::new(),
        };
        let item = new.or(old);
        Self {
            name: item.map(|item| item.name.clone()).unwrap_or_default(),
            unit: item.map(|item| item.unit.clone()).unwrap_or_default(),
            change: found.change,
            old: before.map(|(number, _)| number),
            new: after.map(|(number, _)| number),
            percent: percent.filter(|_| is_comparable),
            exceeds: exceeds && is_comparable,
            old_error: error(old),
            new_error: error(new),
            because: found.because,
            differs: found.differs,
            notes: items::notes(old, new),
            of: new.and_then(|item| item.adds.of).filter(|_| !lines.is_empty()),
            lines,
        }
    }
}

/// What became of a bound, the difference in percent, and whether it is more than it may be.
fn judged(old: Rational, new: Rational, worse_than: Option<Percent>) -> (Change, Option<f64>, bool) {
    let change = match new.cmp(&old) {
        std::cmp::Ordering::Less => Change::Smaller,
        std::cmp::Ordering::Equal => Change::Equal,
        std::cmp::Ordering::Greater => Change::Larger,
    };
    let hundred = Rational::from(100);
    let exceeds = worse_than.is_some_and(|most| new * hundred > old * (hundred + most.0));
    (change, in_percent(old, new), exceeds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_exceeds_only_what_is_more_than_it_may_rise() {
        let five = Some(Percent(Rational::from(5)));
        let of = |number: i64| Rational::from(i128::from(number));
        assert_eq!(judged(of(100), of(105), five), (Change::Larger, Some(5.0), false));
        assert!(judged(of(100), of(106), five).2);
        assert!(judged(of(1_000_000_000), of(1_050_000_001), five).2);
        assert!(!judged(of(1_000_000_000), of(1_050_000_000), five).2);
        assert_eq!(judged(of(100), of(50), five), (Change::Smaller, Some(-50.0), false));
        assert_eq!(judged(of(0), of(0), five), (Change::Equal, None, false));
        assert!(judged(of(0), of(1), five).2);
        assert!(!judged(of(1), of(100), None).2);
        assert!(judged(of(100), of(101), Some(Percent(Rational::default()))).2);
    }
}
