//! What two launches rest on, side by side.

use crate::Assumption;
use crate::compare::{Difference, What};
use crate::compared::code::Code;
use crate::compared::ledger::Ledger;
use warpspan_model::assumption::{Id, Kind};

/// What is declared or assumed in one version only, or otherwise than in the other one.
pub(super) fn of_assumptions(old: &Ledger, new: &Ledger, code: Code) -> Vec<Difference> {
    let (Some(old), Some(new)) = (&old.assumptions, &new.assumptions) else { return Vec::new() };
    let (mut old, mut new): (Vec<&Assumption>, Vec<&Assumption>) =
        (old.iter().collect(), new.iter().collect());
    let is_about = |one: &Assumption, other: &Assumption| one.id == other.id && one.subject == other.subject;
    let says = |one: &Assumption| (one.kind, one.value.clone());
    // Several may have one name and one subject: what is the same in both versions goes first.
    pairs(&mut old, &mut new, |one, other| is_about(one, other) && says(one) == says(other));
    let changed = pairs(&mut old, &mut new, is_about);
    // Other code has its loops in other lines: what a flag says of them is what it said before.
    let is_moved = |one: &Assumption, other: &Assumption| {
        one.id == other.id && says(one) == says(other) && one.source == other.source
    };
    if code != Code::Same {
        pairs(&mut old, &mut new, is_moved);
    }
    let changed = changed.into_iter().map(|(old, new)| (Some(old), Some(new)));
    let all = changed.chain(new.into_iter().map(|new| (None, Some(new))));
    all.chain(old.into_iter().map(|old| (Some(old), None)))
        .filter_map(|(old, new)| of_pair(old, new))
        .collect()
}

/// Takes out what fits together, one of the old version with one of the new one.
fn pairs<'a>(
    old: &mut Vec<&'a Assumption>,
    new: &mut Vec<&'a Assumption>,
    fits: impl Fn(&Assumption, &Assumption) -> bool,
) -> Vec<(&'a Assumption, &'a Assumption)> {
    let mut found = Vec::new();
    new.retain(|one| match old.iter().position(|other| fits(one, other)) {
        Some(at) => {
            found.push((old.remove(at), *one));
            false
        }
        None => true,
    });
    found
}

/// What differs where something is declared or assumed, if anything does.
fn of_pair(old: Option<&Assumption>, new: Option<&Assumption>) -> Option<Difference> {
    let one = new.or(old)?;
    let is_declared = [old, new].into_iter().flatten().any(|one| one.kind == Kind::Declared);
    let what = match one.kind {
        // What a user says in either version is a declaration.
        _ if is_declared => What::Declared,
        Kind::Declared | Kind::Assumed => What::Assumed,
        Kind::Modelled => What::Modelled,
        Kind::Sourced => What::Sourced,
    };
    let is_same = old.zip(new).is_some_and(|(old, new)| {
        // That of the schedulers has the bound without it in its value, which is another with each bound.
        old.kind == new.kind && (old.value == new.value || one.id == Id::SchedulersSpread.name())
    });
    let value = |one: Option<&Assumption>| one.map(|one| one.value.clone());
    let (id, subject) = (Some(one.id.clone()), Some(one.subject.clone()));
    (!is_same).then(|| Difference { what, id, subject, old: value(old), new: value(new) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assumption(kind: Kind, id: &str, subject: &str, value: &str) -> Assumption {
        let [id, subject, value] = [id, subject, value].map(str::to_owned);
        Assumption { id, kind, subject, value, source: Some("a flag".to_owned()), remedy: None, margin: None }
    }

    fn shown(old: &[Assumption], new: &[Assumption], code: Code) -> Vec<String> {
        let ledger = |all: &[Assumption]| Ledger { assumptions: Some(all.to_vec()), ..Ledger::default() };
        let found = of_assumptions(&ledger(old), &ledger(new), code);
        found.iter().map(|one| format!("{} {}", one.what, one.says())).collect()
    }

    #[test]
    fn assumptions_are_compared_by_name_and_subject() {
        let at = |line: u32, most: u32| {
            assumption(
                Kind::Declared,
                "loop.bound",
                &format!("loop (line {line})"),
                &format!("at most {most}"),
            )
        };
        let of_file = |value: &str| assumption(Kind::Assumed, "system.assumed", "s.toml", value);
        for (old, new, code, expected) in [
            (
                vec![at(1, 3)],
                vec![at(1, 2)],
                Code::Same,
                vec!["declared loop (line 1): at most 3 -> at most 2 [loop.bound]"],
            ),
            (
                vec![at(1, 3)],
                vec![],
                Code::Same,
                vec!["declared loop (line 1): at most 3 -> none [loop.bound]"],
            ),
            // In other code a loop stands elsewhere, and in the same code it is another one.
            (vec![at(1, 3), at(5, 4)], vec![at(2, 3), at(6, 4)], Code::Changed, vec![]),
            (
                vec![at(1, 3)],
                vec![at(2, 3)],
                Code::Same,
                vec![
                    "declared loop (line 2): none -> at most 3 [loop.bound]",
                    "declared loop (line 1): at most 3 -> none [loop.bound]",
                ],
            ),
            (
                vec![at(1, 3)],
                vec![at(2, 2)],
                Code::Changed,
                vec![
                    "declared loop (line 2): none -> at most 2 [loop.bound]",
                    "declared loop (line 1): at most 3 -> none [loop.bound]",
                ],
            ),
            // Several of one file, in another order.
            (
                vec![of_file("a"), of_file("b")],
                vec![of_file("c"), of_file("a")],
                Code::Same,
                vec!["assumed s.toml: b -> c [system.assumed]"],
            ),
            // Who vouches for it is another.
            (
                vec![assumption(Kind::Assumed, "dram.rate", "DRAM", "1 GB/s")],
                vec![assumption(Kind::Declared, "dram.rate", "DRAM", "1 GB/s")],
                Code::Same,
                vec!["declared DRAM: 1 GB/s -> 1 GB/s [dram.rate]"],
            ),
            (
                vec![assumption(Kind::Assumed, "schedulers.spread", "schedulers", "without that 3 ms")],
                vec![assumption(Kind::Assumed, "schedulers.spread", "schedulers", "without that 2 ms")],
                Code::Same,
                vec![],
            ),
        ] {
            assert_eq!(shown(&old, &new, code), expected, "{old:?} {new:?}");
        }
    }
}
