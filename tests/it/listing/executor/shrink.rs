//! Makes a listing that fails small: leaves instructions out as long as it still fails.

use super::generate::{Case, Item};
use super::judge::{Effort, Violation, judge};
use super::random::Random;
use super::read::read;

/// Fails within some runs.
fn fails(case: &Case, effort: Effort) -> Option<Violation> {
    let listing = case.text();
    let code = case.mark(read(&listing));
    judge(&listing, &code, &mut Random::new(1), Effort { runs: 300, ..effort }).violation
}

/// The smallest case found and what is wrong with it.
pub(crate) fn shrink(case: &Case, first: Violation, effort: Effort) -> (Case, Violation) {
    let (mut best, mut violation) = (case.clone(), first);
    let mut at = 0;
    let mut changed = false;
    loop {
        if at >= best.items.len() {
            if !changed {
                return (best, violation);
            }
            (at, changed) = (0, false);
        }
        let mut candidates = Vec::new();
        let mut less = best.clone();
        let gone = less.items.remove(at);
        let used = |label: usize| {
            less.items.iter().any(|item| matches!(item, Item::Ins { to, .. } if to.contains(&label)))
        };
        let may_go = match gone {
            Item::Label(label) => !used(label),
            Item::Function(label) => {
                !used(label) && matches!(less.items.get(at), None | Some(Item::Function(_)))
            }
            Item::Ins { .. } => true,
        };
        if may_go {
            candidates.push(less);
        }
        if let Item::Ins { guard: Some(_), .. } = &best.items[at] {
            let mut plain = best.clone();
            if let Item::Ins { guard, .. } = &mut plain.items[at] {
                *guard = None;
            }
            candidates.push(plain);
        }
        match candidates.into_iter().find_map(|case| fails(&case, effort).map(|found| (case, found))) {
            Some((case, found)) => {
                (best, violation, changed) = (case, found, true);
            }
            None => at += 1,
        }
    }
}
