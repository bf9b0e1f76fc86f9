//! The instruction set of PTX: one row for each opcode (*PTX ISA* 8, chapter 9).
//!
//! PTX says in its modifiers which memory an instruction is for and of what type its operands are, so that a row has only
//! what the modifiers do not say. What an instruction costs stands in the tables of `classes`, by opcode and modifiers,
//! since it is what `ptxas` makes of it that counts.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::row::Space::{Fence, Texture};
use crate::row::{Moves, Space, Transfer};
use Output::Answer;
use Transfer::{End, Indirect, Jump};

/// What is known of an opcode of PTX.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// The opcode without modifiers.
    pub(crate) name: &'static str,
    /// Whether what it gives is the same for all threads that read the same.
    pub computes: bool,
    /// Which of its operands it writes.
    pub output: Output,
    /// Where control goes.
    pub transfer: Transfer,
    /// The memory it is for, whatever its modifiers say.
    pub space: Option<Space>,
    /// What it does to memory.
    pub moves: Moves,
    /// Whether it is an asynchronous copy, which names two memories.
    pub copies: bool,
    /// Whether it only says where threads go on, or waits.
    pub control: bool,
    /// Whether a counter of a loop may be counted by it.
    pub counts: bool,
}

/// Which of its operands an instruction writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Output {
    /// The first, if it is no address.
    First,
    /// None.
    Nothing,
    /// The first, if a modifier says that it is a reduction.
    Answer,
    /// Any that it names.
    Named,
}

impl Row {
    const fn new(name: &'static str) -> Self {
        Self {
            name,
            computes: false,
            output: Output::First,
            transfer: Transfer::Next,
            space: None,
            moves: Moves::Load,
            copies: false,
            control: false,
            counts: false,
        }
    }

    const fn computes(self) -> Self {
        Self { computes: true, ..self }
    }

    const fn output(self, output: Output) -> Self {
        Self { output, ..self }
    }

    const fn goes(self, transfer: Transfer) -> Self {
        Self { transfer, ..self }
    }

    const fn at(self, space: Space, moves: Moves) -> Self {
        Self { space: Some(space), moves, ..self }
    }

    const fn moves(self, moves: Moves) -> Self {
        Self { moves, ..self }
    }

    const fn copies(self) -> Self {
        Self { copies: true, ..self }
    }

    const fn control(self) -> Self {
        Self { control: true, ..self }
    }

    const fn counts(self) -> Self {
        Self { counts: true, ..self }
    }

    /// Whether it waits for the registers that it names and for nothing else.
    pub fn waits_for_registers(&self) -> bool {
        self.computes || ["atom", "ld", "ldu", "red", "shfl", "st", "vote"].contains(&self.name)
    }
}

/// Lines `"name" "name" = { facts }` as rows, one for each name.
macro_rules! rows {
    ($($($name:literal)+ = $facts:tt)*) => {
        &[$($(row!($name $facts)),+),*]
    };
}
macro_rules! row {
    ($name:literal { $($fact:ident ($($value:expr),*))* }) => {
        Row::new($name)$(.$fact($($value),*))*
    };
}

#[rustfmt::skip]
/// The rows.
pub(crate) const ROWS: &[Row] = rows! {
    "abs" "and" "bfe" "bfi" "bfind" "brev" "clz" "cnot" "copysign" "cos" "cvt" "cvta" "ex2" "lg2" "lop3" "max"
        "min" "mov" "neg" "not" "or" "popc" "prmt" "rcp" "rem" "rsqrt" "sad" "selp" "set" "setp" "sin" "slct"
        "sqrt" "tanh" "testp" "xor" = { computes() }
    "activemask" "applypriority" "bmsk" "discard" "dp2a" "dp4a" "elect" "fns" "getctarank" "isspacep"
        "istypep" "ld" "ldmatrix" "ldu" "mapa" "match" "mma" "nanosleep" "prefetch" "prefetchu" "redux" "shfl"
        "stmatrix" "szext" "vabsdiff" "vabsdiff2" "vabsdiff4" "vadd" "vadd2" "vadd4" "vavrg2" "vavrg4" "vmad"
        "vmax" "vmax2" "vmax4" "vmin" "vmin2" "vmin4" "vote" "vset" "vset2" "vset4" "vshl" "vshr" "vsub"
        "vsub2" "vsub4" "wgmma" "wmma" = {}
    "add" "div" "fma" "mad" "mad24" "mul" "mul24" "shf" "shl" "shr" "sub" = { computes() counts() }
    "addc" "madc" "subc" = { counts() }
    "alloca" "brkpt" "createpolicy" "griddepcontrol" "pmevent" "setmaxnreg" "stackrestore" "stacksave" = { control() }
    "atom" "multimem" "red" = { at(Space::Atomic, Moves::Atomic) }
    "bar" = { output(Answer) at(Fence, Moves::Nothing) control() }
    "barrier" = { output(Answer) at(Fence, Moves::Nothing) }
    "bra" = { output(Output::Nothing) goes(Jump) control() }
    "brx" = { goes(Indirect) control() }
    "call" = { output(Output::Named) goes(Transfer::Call) control() }
    "cp" = { copies() control() }
    "exit" "ret" = { output(Output::Nothing) goes(End) }
    "fence" "membar" = { at(Fence, Moves::Nothing) }
    "mbarrier" = { at(Space::Atomic, Moves::Nothing) }
    "st" "tensormap" = { moves(Moves::Store) }
    "suld" "suq" "tex" "tld4" "txq" = { at(Texture, Moves::Load) }
    "sured" = { at(Texture, Moves::Atomic) }
    "sust" = { at(Texture, Moves::Store) }
    "trap" = { goes(End) }
};

/// What is known of an opcode by its name without modifiers.
pub(crate) fn row(name: &str) -> Option<&'static Row> {
    static INDEX: OnceLock<HashMap<&'static str, &'static Row>> = OnceLock::new();
    INDEX.get_or_init(|| ROWS.iter().map(|row| (row.name, row)).collect()).get(name).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_facts_of_a_row_agree() {
        for row in ROWS {
            let name = row.name;
            assert!(!row.computes || row.output == Output::First && row.transfer == Transfer::Next, "{name}");
            assert!(
                !row.computes || row.space.is_none() && row.moves == Moves::Load,
                "{name} reads no memory"
            );
            assert!(
                row.transfer == Transfer::Next
                    || row.output != Output::First
                    || name == "trap"
                    || name == "brx",
                "{name}"
            );
            assert!(row.space != Some(Space::Fence) || row.moves == Moves::Nothing, "{name} moves data");
        }
    }
}
