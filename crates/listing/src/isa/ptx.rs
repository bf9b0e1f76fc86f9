//! The instruction set of PTX: one row for each opcode (*PTX ISA* 8, chapter 9).
//!
//! PTX says in its modifiers which memory an instruction is for and of what type its operands are, so that a row has only
//! what the modifiers do not say. What an instruction costs stands in the tables of `classes`, by opcode and modifiers,
//! since it is what `ptxas` makes of it that counts.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::isa::row::Space::{Fence, Texture};
use crate::isa::row::{Moves, Space};
use Output::Answer;
use Transfer::{End, Indirect, Jump};

/// What is known of an opcode of PTX.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row {
    /// The opcode without modifiers.
    pub(crate) name: &'static str,
    /// Whether what it gives is the same for all threads that read the same.
    pub(crate) computes: bool,
    /// Which of its operands it writes.
    pub(crate) output: Output,
    /// Where control goes.
    pub(crate) transfer: Transfer,
    /// The memory it is for, whatever its modifiers say.
    pub(crate) space: Option<Space>,
    /// What it does to memory.
    pub(crate) moves: Moves,
    /// Whether it is an asynchronous copy, which names two memories.
    pub(crate) copies: bool,
    /// Whether it only says where threads go on, or waits.
    pub(crate) control: bool,
    /// Whether a counter of a loop may be counted by it.
    pub(crate) counts: bool,
}

/// Which of its operands an instruction writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Output {
    /// The first, if it is no address.
    First,
    /// None.
    Nothing,
    /// The first, if a modifier says that it is a reduction.
    Answer,
    /// Any that it names.
    Named,
}

/// Where control goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Transfer {
    /// To the next instruction.
    Next,
    /// To the label that it names.
    Jump,
    /// To one of several labels.
    Indirect,
    /// Through a function and back.
    Call,
    /// Out of the routine.
    End,
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
}

/// Lines `"name" => facts;` as rows.
macro_rules! rows {
    ($($name:literal $(=> $($fact:ident ($($value:expr),*))+)?;)*) => {
        &[$(Row::new($name)$($(.$fact($($value),*))+)?),*]
    };
}

#[rustfmt::skip]
const ROWS: &[Row] = rows! {
    "abs" => computes();
    "activemask";
    "add" => computes() counts();
    "addc" => counts();
    "alloca" => control();
    "and" => computes();
    "applypriority";
    "atom" => at(Space::Atomic, Moves::Atomic);
    "bar" => output(Answer) at(Fence, Moves::Nothing) control();
    "barrier" => output(Answer) at(Fence, Moves::Nothing);
    "bfe" => computes();
    "bfi" => computes();
    "bfind" => computes();
    "bmsk";
    "bra" => output(Output::Nothing) goes(Jump) control();
    "brev" => computes();
    "brkpt" => control();
    "brx" => goes(Indirect) control();
    "call" => output(Output::Named) goes(Transfer::Call) control();
    "clz" => computes();
    "cnot" => computes();
    "copysign" => computes();
    "cos" => computes();
    "cp" => copies() control();
    "createpolicy" => control();
    "cvt" => computes();
    "cvta" => computes();
    "discard";
    "div" => computes() counts();
    "dp2a";
    "dp4a";
    "elect";
    "ex2" => computes();
    "exit" => output(Output::Nothing) goes(End);
    "fence" => at(Fence, Moves::Nothing);
    "fma" => computes() counts();
    "fns";
    "getctarank";
    "griddepcontrol" => control();
    "isspacep";
    "istypep";
    "ld";
    "ldmatrix";
    "ldu";
    "lg2" => computes();
    "lop3" => computes();
    "mad" => computes() counts();
    "mad24" => computes() counts();
    "madc" => counts();
    "mapa";
    "match";
    "max" => computes();
    "mbarrier" => at(Space::Atomic, Moves::Nothing);
    "membar" => at(Fence, Moves::Nothing);
    "min" => computes();
    "mma";
    "mov" => computes();
    "mul" => computes() counts();
    "mul24" => computes() counts();
    "multimem" => at(Space::Atomic, Moves::Atomic);
    "nanosleep";
    "neg" => computes();
    "not" => computes();
    "or" => computes();
    "pmevent" => control();
    "popc" => computes();
    "prefetch";
    "prefetchu";
    "prmt" => computes();
    "rcp" => computes();
    "red" => at(Space::Atomic, Moves::Atomic);
    "redux";
    "rem" => computes();
    "ret" => output(Output::Nothing) goes(End);
    "rsqrt" => computes();
    "sad" => computes();
    "selp" => computes();
    "set" => computes();
    "setmaxnreg" => control();
    "setp" => computes();
    "shf" => computes() counts();
    "shfl";
    "shl" => computes() counts();
    "shr" => computes() counts();
    "sin" => computes();
    "slct" => computes();
    "sqrt" => computes();
    "st" => moves(Moves::Store);
    "stackrestore" => control();
    "stacksave" => control();
    "stmatrix";
    "sub" => computes() counts();
    "subc" => counts();
    "suld" => at(Texture, Moves::Load);
    "suq" => at(Texture, Moves::Load);
    "sured" => at(Texture, Moves::Atomic);
    "sust" => at(Texture, Moves::Store);
    "szext";
    "tanh" => computes();
    "tensormap" => moves(Moves::Store);
    "testp" => computes();
    "tex" => at(Texture, Moves::Load);
    "tld4" => at(Texture, Moves::Load);
    "trap" => goes(End);
    "txq" => at(Texture, Moves::Load);
    "vabsdiff";
    "vabsdiff2";
    "vabsdiff4";
    "vadd";
    "vadd2";
    "vadd4";
    "vavrg2";
    "vavrg4";
    "vmad";
    "vmax";
    "vmax2";
    "vmax4";
    "vmin";
    "vmin2";
    "vmin4";
    "vote";
    "vset";
    "vset2";
    "vset4";
    "vshl";
    "vshr";
    "vsub";
    "vsub2";
    "vsub4";
    "wgmma";
    "wmma";
    "xor" => computes();
};

/// What is known of an opcode by its name without modifiers.
pub(crate) fn row(name: &str) -> Option<&'static Row> {
    static INDEX: OnceLock<HashMap<&'static str, &'static Row>> = OnceLock::new();
    INDEX.get_or_init(|| ROWS.iter().map(|row| (row.name, row)).collect()).get(name).copied()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::classes::opcodes;
    use crate::routine::Language;

    #[test]
    fn each_opcode_that_has_a_class_has_one_row_in_order() {
        for pair in ROWS.windows(2) {
            assert!(pair[0].name < pair[1].name, "{} before {}", pair[0].name, pair[1].name);
        }
        let opcodes = opcodes(Language::Ptx);
        let classed: BTreeSet<&str> =
            opcodes.iter().map(|opcode| opcode.split('.').next().unwrap()).collect();
        // What waits and is refused has a row where something else of it is known.
        let refused = |row: &&Row| ["brkpt", "mapa", "multimem", "nanosleep"].contains(&row.name);
        let rows: BTreeSet<&str> = ROWS.iter().filter(|row| !refused(row)).map(|row| row.name).collect();
        assert_eq!(rows, classed);
    }

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
