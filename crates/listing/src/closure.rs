//! What can be reached from something.

use std::collections::HashSet;
use std::hash::Hash;

/// All that can be reached from some items, in the order in which it is found. `next` adds what can be reached from an item in
/// one step; none if it stops the search.
pub(crate) fn closure<T: Copy + Eq + Hash>(
    from: impl IntoIterator<Item = T>,
    mut next: impl FnMut(T, &mut Vec<T>) -> Option<()>,
) -> Option<Vec<T>> {
    let (mut seen, mut found) = (HashSet::new(), Vec::new());
    let mut open: Vec<T> = from.into_iter().collect();
    while let Some(one) = open.pop() {
        if seen.insert(one) {
            found.push(one);
            next(one, &mut open)?;
        }
    }
    Some(found)
}
