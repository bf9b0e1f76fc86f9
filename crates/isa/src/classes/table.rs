//! The shape of the class tables.

use std::collections::HashMap;

use crate::class::Use;
use crate::opcode::matches;

/// A row: opcodes and what they use. The first row that matches counts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    /// Patterns separated by blanks. Each is a name, followed by modifiers that the opcode must have in any
    /// order; `a|b` stands for either.
    pub(super) opcodes: &'static str,
    pub(super) what: Use,
    /// The reason, where the kind alone does not give it.
    pub(super) note: &'static str,
}

pub(super) const fn row(opcodes: &'static str, what: Use, note: &'static str) -> Row {
    Row { opcodes, what, note }
}

/// The rows of some tables by the names of their opcodes, in the order of the tables.
pub(super) struct Index(HashMap<&'static str, Vec<&'static Row>>);

impl Index {
    pub(super) fn new(tables: &'static [&'static [Row]]) -> Self {
        let mut index: HashMap<_, Vec<&'static Row>> = HashMap::new();
        for row in tables.iter().copied().flatten() {
            let names = row.opcodes.split(' ').filter_map(|pattern| pattern.split('.').next());
            for name in names.flat_map(|names| names.split('|')) {
                let rows = index.entry(name).or_default();
                if !rows.last().is_some_and(|last| std::ptr::eq(*last, row)) {
                    rows.push(row);
                }
            }
        }
        Self(index)
    }

    /// The first row that an opcode matches.
    pub(super) fn find(&self, opcode: &str) -> Option<&'static Row> {
        let rows = self.0.get(opcode.split('.').next()?)?;
        rows.iter().copied().find(|row| row.opcodes.split(' ').any(|pattern| matches(pattern, opcode)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        assert!(matches("ld.param", "ld.param.u64"));
        assert!(matches("ld", "ld.global.v4.f32"));
        assert!(matches("ld.param", "ld.param::entry.u32"));
        assert!(matches("ld.shared::cta", "ld.shared::cta.u32"));
        assert!(!matches("ld.shared::cluster", "ld.shared::cta.u32"));
        assert!(!matches("ld.param", "ld.global.u64"));
        assert!(!matches("ld", "ldu.global.u32"));
        assert!(matches("cvt.s64|u64.f32|f16", "cvt.rzi.s64.f32"));
        assert!(!matches("cvt.s64|u64.f32|f16", "cvt.s64.s32"));
    }
}
