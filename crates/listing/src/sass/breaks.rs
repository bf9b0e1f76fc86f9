//! Branches whose threads have left barriers before them: `@P0 BREAK B2; @P0 BREAK B1; @P0 BRA place`.
//!
//! Where a predicate decides who leaves, the stack of reconvergence points behind the `BREAK` would not be known. But the threads that
//! have left soon branch away by the same predicate, and nothing in between waits: so the branch is taken for what leaves.

use std::collections::{HashMap, HashSet};

use crate::sass::Open;
use crate::sass::step::has_condition;
use warpspan_isa::instruction::Instruction;
use warpspan_isa::operand::{self, Operand};
use warpspan_isa::register::{File, Register};
use warpspan_isa::row::{Output, Transfer};

/// Which branches leave which barriers.
#[derive(Debug, Default)]
pub(super) struct Breaks {
    left_by: HashMap<usize, Vec<Register>>,
    taken: HashSet<usize>,
}

impl Breaks {
    pub(super) fn of(open: &Open<'_>) -> Self {
        let list = &open.routine.instructions;
        let entered = entered(open);
        let mut found = Self::default();
        for (branch, one) in list.iter().enumerate() {
            // A uniform predicate is the warp's, so that another group may write it while this one stands between the two.
            let guard = one.guard.and_then(|guard| Register::of(guard.register));
            let is_own = guard.is_some_and(|guard| guard.file == File::Predicate);
            if !is_own || !one.is_jump() || one.operands().len() > 1 || has_condition(one) {
                continue;
            }
            for before in (0..branch).rev() {
                // Who comes in from elsewhere has not left anything.
                if entered.contains(&(before + 1)) {
                    break;
                }
                if let Some(register) = left(&list[before]).filter(|_| list[before].guard == one.guard) {
                    found.left_by.entry(branch).or_default().push(register);
                    found.taken.insert(before);
                } else if !keeps(&list[before], one) {
                    break;
                }
            }
        }
        found
    }

    /// The registers whose barriers the threads that take a branch have left.
    pub(super) fn left_by(&self, branch: usize) -> Vec<Register> {
        self.left_by.get(&branch).cloned().unwrap_or_default()
    }

    /// Whether a `BREAK` is that of a branch behind it.
    pub(super) fn is_of_branch(&self, at: usize) -> bool {
        self.taken.contains(&at)
    }
}

/// The instructions to which control may come from elsewhere, as far as the listing names them.
fn entered(open: &Open<'_>) -> HashSet<usize> {
    let jumps = |one: &&Instruction<'_>| one.row().is_none_or(|row| row.transfer != Transfer::Next);
    let operands = open.routine.instructions.iter().filter(jumps).flat_map(Instruction::operands);
    let noted = open.notes.values().flat_map(|note| note.split([',', ' ']));
    let named = operands.map(|operand| operand.text).chain(noted).filter_map(|text| open.at(text));
    named.chain(open.labels.values().map(|(_, at)| *at)).collect()
}

/// The register that an instruction takes threads out of, if it does no more.
fn left(one: &Instruction<'_>) -> Option<Register> {
    let [only] = one.operands() else { return None };
    let register = only.register().filter(|register| register.file == File::Barrier);
    register.filter(|_| one.transfer() == Transfer::Leave)
}

/// Whether control goes on behind an instruction, which neither waits for threads nor changes the guard of a branch.
fn keeps(one: &Instruction<'_>, branch: &Instruction<'_>) -> bool {
    let Some(row) = one.row() else { return false };
    let guard = branch.guard.and_then(|guard| Register::of(guard.register));
    let is_known = matches!(row.output, Output::Nothing | Output::Predicates | Output::Register(_));
    let names = |operand: &Operand<'_>| {
        operand.registers.iter().any(|register| Some(*register) == guard || register.file == File::Barrier)
            || operand.is_chosen()
            || operand.names_code && operand.kind != operand::Kind::Code
    };
    let waits = one.is_wait() || one.ends_with_sync() || one.is_warp_sync();
    row.transfer == Transfer::Next && is_known && !waits && !one.operands().iter().any(names)
}
