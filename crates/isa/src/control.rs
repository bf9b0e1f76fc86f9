//! What an instruction does to the flow of control, and to the lanes that are together.

use crate::instruction::{Flow, Instruction, Language};
use crate::operand::Operand;
use crate::ptx;
use crate::row::{Fact, Mark, Row, Transfer};
use crate::sass;

/// Modifiers of a branch that asks whether all lanes of the warp are there: it is taken where some are not, or where all are.
const ASKS: [&str; 2] = ["DIV", "CONV"];

/// What is missing where a listing does not say where control goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// What is called.
    Callee,
    /// The places of a switch.
    Table,
    /// The place of a jump.
    Target,
}

impl<'a> Instruction<'a> {
    /// What is known of its opcode, if it is one of SASS.
    pub fn row(&self) -> Option<&'static Row> {
        sass::row(self.name())
    }

    /// What is known of its opcode, if it is one of PTX.
    pub fn ptx_row(&self) -> Option<&'static ptx::Row> {
        ptx::row(self.name())
    }

    /// Where control goes behind it. If its opcode has no row, control is taken to go to the next instruction.
    pub fn transfer(&self) -> Transfer {
        let found = match self.language() {
            Language::Ptx => self.ptx_row().map(|row| row.transfer),
            Language::Sass => self.row().map(|row| row.transfer),
        };
        found.unwrap_or(Transfer::Next)
    }

    /// Whether something is known of it.
    pub fn has(&self, fact: Fact) -> bool {
        self.row().is_some_and(|row| row.has(fact))
    }

    /// Whether it ends the function, and not the thread, where that is called.
    pub fn is_return(&self) -> bool {
        matches!(self.name(), "ret" | "RET")
    }

    /// Whether it is a jump to a place that it names.
    pub fn is_jump(&self) -> bool {
        self.transfer() == Transfer::Jump
    }

    /// Whether it calls a function.
    pub fn calls(&self) -> bool {
        self.transfer() == Transfer::Call
    }

    /// Whether it ends the launch.
    pub fn is_trap(&self) -> bool {
        self.name() == "BPT" && self.has_modifier("TRAP")
    }

    /// Whether it does nothing.
    pub fn is_nop(&self) -> bool {
        self.name() == "NOP"
    }

    /// Whether its opcode ends with `.S`, which up to 3.x stands for a `SYNC` behind it.
    pub fn ends_with_sync(&self) -> bool {
        self.opcode.ends_with(".S")
    }

    /// Whether it is a call that pushes where to return to. Another one leaves that to the code around it.
    pub fn pushes_return(&self) -> bool {
        self.transfer() == Transfer::Call && self.name() != "CALL"
    }

    /// Whether its opcode says that all threads of a warp do the same.
    pub fn says_uniform(&self) -> bool {
        self.has_any(&["U", "UNI", "uni"])
    }

    /// Whether it is a branch with one more condition: whether the lanes that are there are all of the warp.
    pub fn asks_for_warp(&self) -> bool {
        self.has_any(&ASKS)
    }

    /// Whether a branch that asks for the warp is taken where all of its lanes are there; none if it is no such branch.
    pub fn is_taken_together(&self) -> Option<bool> {
        let mut asks = self.modifiers().filter(|part| ASKS.contains(part));
        asks.next().filter(|_| self.name() == "BRA").map(|part| part == "CONV")
    }

    /// What a listing lacks that does not say where control goes. `behind_return` says whether it follows the push of a place to return
    /// to: up to 6.x a call by a pointer is a jump there.
    pub fn missing(&self, behind_return: bool) -> Missing {
        match (self.name(), self.transfer()) {
            ("JMX" | "BRX", _) if behind_return => Missing::Callee,
            ("BRX" | "BRXU", _) => Missing::Table,
            _ if self.calls() => Missing::Callee,
            _ => Missing::Target,
        }
    }

    /// Whether it pushes the place to which a function returns.
    pub fn is_push_of_return(&self) -> bool {
        self.transfer() == Transfer::Push(Mark::Return)
    }

    /// Whether lanes wait at it for those that a barrier register names.
    pub fn reconverges(&self) -> bool {
        self.transfer() == Transfer::Reconverge
    }

    /// Whether each group of threads of SASS issues it by itself, and waits there for others: `BSYNC`, or a
    /// `WARPSYNC` of all lanes.
    pub fn is_wait(&self) -> bool {
        self.reconverges() || self.waits_for_warp()
    }

    /// Whether it is a `WARPSYNC` of all lanes, for which all threads of the warp wait.
    pub fn waits_for_warp(&self) -> bool {
        !self.conditional
            && (matches!((self.opcode, self.operands()), ("WARPSYNC", [mask]) if mask.is(u32::MAX))
                || self.opcode == "WARPSYNC.ALL")
    }

    /// Whether it lets threads of the warp wait for one another: `WARPSYNC`, or `WARPSYNCALL`.
    pub fn is_warp_sync(&self) -> bool {
        self.name().starts_with("WARPSYNC")
    }

    /// Whether lanes that diverged may have reconverged behind it.
    pub fn may_reconverge(&self) -> bool {
        self.has(Fact::Regroups)
            || matches!(self.transfer(), Transfer::Reconverge | Transfer::Pop(Mark::Join))
    }

    /// Whether the next instruction of SASS may have to wait although its control field does not say so: where control goes is not known
    /// before, or it waits by itself.
    pub fn holds_next(&self) -> bool {
        self.transfer() != Transfer::Next || self.has(Fact::Holds) || self.flow != Flow::Next
    }

    /// Whether it waits for the scoreboards that its operands name.
    pub fn waits_for_named_scoreboards(&self) -> bool {
        self.opcode.split('.').any(|part| part == "DEPBAR")
    }

    /// Whether its opcode says that it writes the condition code.
    pub fn writes_code(&self) -> bool {
        self.opcode.contains(".CC")
    }

    /// Whether its opcode says that it reads the carry of the condition code.
    pub fn reads_carry(&self) -> bool {
        self.has_modifier("X")
    }

    /// Whether it gives a function of PTX a parameter, or calls it.
    pub fn passes_parameters(&self) -> bool {
        self.opcode.starts_with("st.param") || self.name() == "call"
    }

    /// The place and the source of a move of SASS.
    pub fn moved(&self) -> Option<(&Operand<'a>, &Operand<'a>)> {
        let [to, .., from] = self.operands() else { return None };
        matches!(self.opcode, "MOV" | "UMOV" | "IMAD.MOV.U32").then_some((to, from))
    }
}
