//! What a change of a bound is because of, so that a bound that fell because of a declaration is not taken for an improvement of the
//! code.

use crate::compare::Change;
use crate::compare::{Difference, What};
use crate::compared::code::{Code, code};
use crate::compared::differences::differences;
use crate::compared::items::Item;
use crate::compared::ledger::Ledger;
use warpspan_model::assumption::Id;

/// Names of what lists letters that the code uses: it changes with the code.
const WITH_THE_CODE: [Id; 3] = [Id::LatencyOfLetter, Id::HoldOfLetter, Id::InstancesOfUnit];
/// Names of what rests on a whole file, whose text the record does not have.
const OF_A_FILE: [Id; 3] = [Id::MachineFile, Id::CoRunning, Id::DeclarationsFile];

/// What differs between two results, and a sentence on what that says of their bounds.
pub(super) struct Found {
    pub(super) change: Change,
    pub(super) because: Option<String>,
    pub(super) differs: Vec<Difference>,
}

/// What a change of a bound is because of.
pub(super) fn found(old: &Item, new: &Item, change: Change) -> Found {
    let is_same = old.launch == new.launch && old.unit == new.unit;
    let (Some(before), Some(after), true) = (&old.ledger, &new.ledger, is_same) else {
        return of_launch(old, new, change);
    };
    let code = code([old, new], [before, after]);
    let differs = differences(before, after, code);
    if let Some(apart) = not_comparable(&differs, change) {
        return Found { change: Change::NotComparable, because: Some(apart), differs };
    }
    let causes = causes(&differs, code);
    let (change, because) = judged(change, code, &causes, unknown([before, after]));
    Found { change, because, differs }
}

/// Two results that say no more of themselves than what launch they are for.
fn of_launch(old: &Item, new: &Item, change: Change) -> Found {
    let of = |item: &Item| match item.launch.as_str() {
        "" => item.unit.clone(),
        launch => format!("{launch}, in {}", item.unit),
    };
    let is_same = old.launch == new.launch && old.unit == new.unit;
    let differs = match is_same {
        true => Vec::new(),
        false => vec![Difference::new(What::Launch, Some(of(old)), Some(of(new)))],
    };
    match not_comparable(&differs, change) {
        Some(apart) => Found { change: Change::NotComparable, because: Some(apart), differs },
        // Without a bound there is nothing to compare.
        None => Found { change, because: None, differs: Vec::new() },
    }
}

/// Why two bounds say nothing of each other, if that is so.
fn not_comparable(differs: &[Difference], change: Change) -> Option<String> {
    let apart: Vec<String> = differs
        .iter()
        .filter(|one| one.parts())
        .map(|one| match one.what {
            What::Launch => one.says(),
            what => format!("{what} {}", one.says()),
        })
        .collect();
    let are_bounds = matches!(change, Change::Equal | Change::Smaller | Change::Larger);
    (are_bounds && !apart.is_empty()).then(|| format!("not comparable: {}", apart.join(", ")))
}

/// What besides the code a bound may have changed because of, in words.
fn causes(differs: &[Difference], code: Code) -> Vec<&'static str> {
    let is_of_code = |one: &Difference| {
        let id = one.id.as_deref();
        code != Code::Same
            && one.what == What::Assumed
            && one.old.is_some()
            && one.new.is_some()
            && WITH_THE_CODE.iter().any(|known| id == Some(known.name()))
    };
    let words = [
        (What::Entry, "the entry"),
        (What::Declared, "what is declared"),
        (What::Assumed, "what is assumed"),
        (What::Modelled, "the model"),
        (What::Sourced, "what sources say"),
        (What::File, "a file that it rests on"),
        (What::Clock, "the clock"),
        (What::Machine, "the machine"),
        (What::Program, "the program"),
    ];
    let is_clock_declared =
        differs.iter().any(|one| one.id.as_ref().is_some_and(|id| id.starts_with("clock.")));
    let is_cause = |what: What| {
        let is_there = differs.iter().any(|one| one.what == what && !is_of_code(one));
        // A clock that is declared is no second cause.
        is_there && !(what == What::Clock && is_clock_declared)
    };
    words.into_iter().filter(|(what, _)| is_cause(*what)).map(|(_, word)| word).collect()
}

/// What the records do not tell of what the bounds rest on.
fn unknown(of: [&Ledger; 2]) -> Option<&'static str> {
    let rests_on =
        |ledger: &Ledger, id: Id| ledger.assumptions.iter().flatten().any(|one| one.id == id.name());
    let is_of_file = OF_A_FILE.iter().any(|id| of.iter().all(|ledger| rests_on(ledger, *id)));
    let has_no_hash = |ledger: &Ledger| ledger.inputs.as_ref().is_none_or(|inputs| inputs.others.is_empty());
    if of.iter().any(|ledger| ledger.assumptions.is_none()) {
        Some("the records do not both list what they rest on")
    } else if is_of_file && of.iter().any(|ledger| has_no_hash(ledger)) {
        Some("the records have only the names of files that they rest on")
    } else {
        None
    }
}

/// What became of a bound, and what that is because of.
fn judged(change: Change, code: Code, causes: &[&str], unknown: Option<&str>) -> (Change, Option<String>) {
    let word = match change {
        Change::Smaller => "lower",
        Change::Larger => "larger",
        Change::Equal => "equal",
        other => return (other, None),
    };
    let list = match causes {
        [all @ .., last] if !all.is_empty() => format!("{} and {last}", all.join(", ")),
        all => all.concat(),
    };
    let is_lower = change == Change::Smaller;
    let because = match (causes.is_empty(), code) {
        (true, Code::Same) if is_lower => Some(format!("{word}, though the code is the same")),
        (true, _) if is_lower && unknown.is_some() => Some(word.to_owned()),
        (true, _) => None,
        (false, Code::Same) if change == Change::Equal => None,
        (false, Code::Same) => Some(format!("{word} only because of {list}")),
        (false, Code::Changed) => Some(format!("{word}: both the code and {list} changed")),
        (false, Code::Unknown) => {
            Some(format!("{word}: {list} changed, and whether the code did is not known"))
        }
    };
    let change = match (&because, code) {
        (Some(_), Code::Same) if is_lower => Change::NotByCode,
        (Some(_), _) if is_lower => Change::Mixed,
        _ => change,
    };
    let because = because.map(|because| match unknown.filter(|_| is_lower) {
        Some(unknown) => format!("{because}; {unknown}"),
        None => because,
    });
    (change, because)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(change: Change, code: Code, causes: &[&str], unknown: Option<&str>) -> (Change, String) {
        let (change, because) = judged(change, code, causes, unknown);
        (change, because.unwrap_or_default())
    }

    /// Only where nothing else is known to differ is a smaller bound one of the code.
    #[test]
    fn a_bound_is_smaller_by_the_code_only_if_nothing_else_changed() {
        let declared = &["what is declared"][..];
        let lower = |code, causes, unknown| said(Change::Smaller, code, causes, unknown);
        let none: &[&str] = &[];
        for code in [Code::Changed, Code::Unknown] {
            assert_eq!(lower(code, none, None), (Change::Smaller, String::new()));
        }
        for (code, causes, unknown, change, because) in [
            (Code::Same, none, None, Change::NotByCode, "lower, though the code is the same"),
            (Code::Same, declared, None, Change::NotByCode, "lower only because of what is declared"),
            (
                Code::Same,
                &["what is declared", "what is assumed", "the program"],
                None,
                Change::NotByCode,
                "lower only because of what is declared, what is assumed and the program",
            ),
            (
                Code::Changed,
                declared,
                None,
                Change::Mixed,
                "lower: both the code and what is declared changed",
            ),
            (
                Code::Unknown,
                declared,
                None,
                Change::Mixed,
                "lower: what is declared changed, and whether the code did is not known",
            ),
            (Code::Changed, none, Some("who knows"), Change::Mixed, "lower; who knows"),
            (
                Code::Same,
                none,
                Some("who knows"),
                Change::NotByCode,
                "lower, though the code is the same; who knows",
            ),
        ] {
            assert_eq!(lower(code, causes, unknown), (change, because.to_owned()));
        }
    }

    #[test]
    fn other_changes_say_what_they_are_because_of() {
        let declared = &["what is declared"][..];
        assert_eq!(
            said(Change::Larger, Code::Same, declared, Some("who knows")),
            (Change::Larger, "larger only because of what is declared".to_owned())
        );
        assert_eq!(
            said(Change::Equal, Code::Changed, declared, None),
            (Change::Equal, "equal: both the code and what is declared changed".to_owned())
        );
        assert_eq!(said(Change::Equal, Code::Same, declared, None), (Change::Equal, String::new()));
        assert_eq!(said(Change::Larger, Code::Changed, &[], None), (Change::Larger, String::new()));
        assert_eq!(said(Change::Gone, Code::Unknown, declared, None), (Change::Gone, String::new()));
    }
}
