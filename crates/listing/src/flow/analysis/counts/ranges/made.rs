//! Registers that are made of one other each.

use std::collections::{BTreeMap, BTreeSet};

/// Registers that are made of one other each, and how. What is made of a register is found without a look at all others, since most of the
/// registers that long code writes have nothing made of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Made<'a, T> {
    made: BTreeMap<&'a str, (&'a str, T)>,
    /// Each register of which one is made, with that one.
    of: BTreeSet<(&'a str, &'a str)>,
}

impl<T> Default for Made<'_, T> {
    fn default() -> Self {
        Self { made: BTreeMap::new(), of: BTreeSet::new() }
    }
}

impl<'a, T: Copy + PartialEq> Made<'a, T> {
    /// Of which register this one is made, and how.
    pub(super) fn get(&self, name: &str) -> Option<(&'a str, T)> {
        self.made.get(name).copied()
    }

    /// Says of which register one is made, and how, in place of what was.
    pub(super) fn insert(&mut self, name: &'a str, (of, how): (&'a str, T)) {
        if let Some((before, _)) = self.made.insert(name, (of, how)) {
            self.of.remove(&(before, name));
        }
        self.of.insert((of, name));
    }

    /// Forgets of what a register is made, and all that is made of it.
    pub(super) fn forget(&mut self, name: &'a str) {
        if let Some((of, _)) = self.made.remove(name) {
            self.of.remove(&(of, name));
        }
        while let Some(&(of, made)) = self.of.range((name, "")..).next().filter(|(of, _)| *of == name) {
            self.of.remove(&(of, made));
            self.made.remove(made);
        }
    }

    /// Forgets registers but those of which this is true.
    pub(super) fn retain(&mut self, is_kept: impl Fn(&str) -> bool) {
        self.made.retain(|name, _| is_kept(name));
        self.of.retain(|(_, name)| is_kept(name));
    }

    /// What both say.
    pub(super) fn in_both(&self, other: &Self) -> Self {
        let same = self.made.iter().filter(|(name, one)| other.made.get(*name) == Some(*one));
        let made: BTreeMap<_, _> = same.map(|(&name, &one)| (name, one)).collect();
        let of = made.iter().map(|(&name, &(of, _))| (of, name)).collect();
        Self { made, of }
    }
}

#[cfg(test)]
mod tests {
    use super::Made;

    #[test]
    fn what_is_made_of_a_register_goes_with_it() {
        let mut made = Made::default();
        for (name, of) in [("b", "a"), ("c", "a"), ("d", "b"), ("aa", "ab"), ("e", "a")] {
            made.insert(name, (of, 1));
        }
        // Another register in place of the first one.
        made.insert("e", ("d", 2));
        let mut other = made.clone();
        other.insert("d", ("b", 7));
        made.forget("a");
        let said = |made: &Made<'static, i32>| ["aa", "b", "c", "d", "e"].map(|name| made.get(name));
        assert_eq!(said(&made), [Some(("ab", 1)), None, None, Some(("b", 1)), Some(("d", 2))]);
        assert_eq!(said(&made.in_both(&other)), [Some(("ab", 1)), None, None, None, Some(("d", 2))]);
        made.retain(|name| name != "aa");
        made.forget("d");
        assert_eq!(made, Made::default());
    }
}
