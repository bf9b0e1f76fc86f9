//! Opcodes with their modifiers, as they are written.
//!
//! Other crates can print an opcode, and compare it with another one or with what a user writes. They cannot read its name or its modifiers: what
//! an instruction does, they ask the other modules. Only the crate that lifts instructions reads the parts ([`spelling`](crate::spelling)).

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;

/// An opcode with its modifiers: `ld.global.f32`, `LDG.E.64`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Opcode<'a>(pub(crate) Cow<'a, str>);

impl<'a> Opcode<'a> {
    /// One that a user writes.
    pub const fn new(text: &'a str) -> Self {
        Self(Cow::Borrowed(text))
    }

    /// Its name without modifiers.
    pub fn name(&self) -> Opcode<'_> {
        Opcode::new(self.0.split('.').next().unwrap_or_default())
    }

    /// Whether it has a name and modifiers that a user gives, in any order.
    pub fn is_of(&self, pattern: &str) -> bool {
        matches(pattern, &self.0)
    }

    /// Whether a trace shows it so: what is for the whole system may have a modifier that says so, or none.
    pub fn is_shown_as(&self, shown: &str) -> bool {
        let parts = |text| str::split(text, '.').filter(|&part| part != "SYS");
        parts(shown).eq(parts(&self.0))
    }
}

impl fmt::Display for Opcode<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// What is known of opcodes.
#[derive(Debug, Clone)]
pub struct ByOpcode<T>(HashMap<String, T>);

impl<T> Default for ByOpcode<T> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<T> ByOpcode<T> {
    /// What is known of one.
    pub fn get(&self, opcode: &Opcode<'_>) -> Option<&T> {
        self.0.get(&*opcode.0)
    }

    /// Keeps what is known of one.
    pub fn insert(&mut self, opcode: &Opcode<'_>, known: T) {
        self.0.insert(opcode.to_string(), known);
    }

    /// Forgets what is known of one.
    pub fn forget(&mut self, opcode: &Opcode<'_>) {
        self.0.remove(&*opcode.0);
    }
}

/// Whether an opcode is one of a pattern.
pub(crate) fn matches(pattern: &str, opcode: &str) -> bool {
    let mut wanted = pattern.split('.');
    let mut parts = opcode.split('.');
    let name = parts.next().unwrap_or_default();
    // For example, `ld.param::entry` is a `ld.param`.
    let any = |alternatives: &str, part: &str| {
        let short = part.split("::").next().unwrap_or(part);
        alternatives.split('|').any(|one| one == part || one == short)
    };
    any(wanted.next().unwrap_or_default(), name)
        && wanted.all(|modifier| parts.clone().any(|part| any(modifier, part)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_trace_shows() {
        let is = |listed, shown| Opcode::new(listed).is_shown_as(shown);
        assert!(is("LDG.E.64", "LDG.E.64.SYS") && is("STG.E.SYS", "STG.E") && is("BAR.SYNC", "BAR.SYNC"));
        assert!(!is("LDG.E.64", "LDG.E") && !is("LDG.E", "STG.E"));
    }
}
