//! Whether the code of two results is the same.

use crate::compared::items::Item;
use crate::compared::ledger::Ledger;

/// Whether the code is the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Code {
    Same,
    Changed,
    /// The records do not say it.
    Unknown,
}

/// Whether the code is the same: the hashes of the listings decide where both records have them, and else the instructions that cost
/// something.
pub(super) fn code([old, new]: [&Item; 2], ledgers: [&Ledger; 2]) -> Code {
    let hash = |ledger: &Ledger| ledger.inputs.as_ref().and_then(|inputs| inputs.listing.clone());
    let [before, after] = ledgers;
    if let (Some(old), Some(new)) = (hash(before), hash(after)) {
        return if old == new && before.entry == after.entry { Code::Same } else { Code::Changed };
    }
    let texts =
        |item: &Item| -> Option<Vec<String>> { item.adds.lines.iter().map(|line| line.1.clone()).collect() };
    let (Some(old), Some(new)) = (texts(old), texts(new)) else { return Code::Unknown };
    if old.is_empty() || new.is_empty() {
        Code::Unknown
    } else if old == new {
        Code::Same
    } else if is_within(&old, &new) || is_within(&new, &old) {
        // A declaration takes instructions out of the list, such as that control never comes to them.
        Code::Unknown
    } else {
        Code::Changed
    }
}

/// Whether all of one list stands in another one, in its order.
fn is_within(few: &[String], many: &[String]) -> bool {
    let mut rest = many.iter();
    few.iter().all(|one| rest.any(|other| other == one))
}
