//! The shape of the class tables.

use std::collections::HashMap;

use crate::classes::rates::Kind;
use warpspan_model::Unit;

/// What the instructions of a row use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Use {
    /// The load/store units, for one letter; the sigma of the unit says how many cycles that takes.
    Memory,
    /// The CUDA cores, for a number of instructions of this kind.
    Cores(Kind, u64),
    /// The tensor cores, for a time that follows from the shape, as letters of the CUDA cores.
    Matrix,
    /// The CUDA cores, for a time that no table gives.
    Unrated,
    /// A barrier of the block.
    Barrier,
    /// No unit.
    Nothing,
    /// Something that the model does not cover, with the reason.
    Refused(&'static str),
    /// Several instructions of the machine: up to capability 3.x, at 5.x and 6.x, at 7.0 and 7.2, at 7.5 and 8.x, and from
    /// 9.0 on.
    Made([Cost; 5]),
}

/// What `ptxas` makes of an instruction of PTX, at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cost {
    /// Instructions of the CUDA cores, by kind.
    pub(crate) cores: &'static [(Kind, u64)],
    /// Instructions of the load/store units.
    pub(crate) memory: u64,
    /// Whether a barrier of the block is among them.
    pub(crate) barrier: bool,
}

impl Cost {
    pub(super) const fn new(memory: u64, cores: &'static [(Kind, u64)]) -> Self {
        Self { cores, memory, barrier: false }
    }

    pub(super) const fn and_barrier(self) -> Self {
        Self { barrier: true, ..self }
    }
}

impl Use {
    pub(super) const fn unit(self) -> Option<Unit> {
        match self {
            Self::Memory => Some(Unit::LoadStore),
            Self::Cores(..) | Self::Matrix | Self::Unrated | Self::Refused(_) => Some(Unit::CudaCore),
            Self::Barrier | Self::Nothing | Self::Made(_) => None,
        }
    }
}

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
