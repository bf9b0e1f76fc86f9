//! Dependences of PTX on a machine that runs it as it stands and tracks each register by itself, as simulators do.
//!
//! An instruction waits until what it reads and what it writes has been written by the instructions before it. It reads
//! its operands when it issues, so that nothing waits for readers. This holds for arithmetic, accesses of memory and
//! exchanges between lanes. Any other instruction waits for everything, and the next one waits for it, which is also what
//! instructions do that may change the flow of control.

use std::collections::HashMap;

use crate::routine::Routine;
use warpspan_isa::instruction::{Flow, Instruction};
use warpspan_isa::ptx_names::{every_name, written};
use warpspan_isa::row::Transfer;
use warpspan_model::machine::Waits;

/// Set by instructions that the next one waits for.
const FLOW: u16 = 0;
/// Set by every instruction, for those that wait for everything.
const ANY: u16 = 1;
/// The token of the first register.
const FIRST: u16 = 2;
/// The most tokens of registers but one: 1024 of all kinds have a bound (`own::MOST_TOKENS` of the engines).
const MOST: u16 = 1021;

/// What an instruction waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The registers that it names.
    Registers,
    /// Its predicate, and the next instruction waits for it.
    Branch,
    /// Everything, and the next instruction waits for it.
    Everything,
}

fn kind(instruction: &Instruction<'_>) -> Kind {
    let Some(row) = instruction.ptx_row() else { return Kind::Everything };
    match (row.transfer, &instruction.flow) {
        // A block ends when all results are there, so that nothing has to wait for them before.
        (Transfer::Jump, Flow::Branch(_)) | (Transfer::End, Flow::End) => Kind::Branch,
        (Transfer::Next, Flow::Next) if row.waits_for_registers() => Kind::Registers,
        _ => Kind::Everything,
    }
}

/// The dependences of a routine, whose instructions keep the next one waiting for so many cycles; none if it calls another
/// one, whose registers have names of their own.
pub(super) fn of(routine: &Routine<'_>, stall: u32) -> Option<Vec<Waits>> {
    if routine.instructions.iter().any(Instruction::calls) {
        return None;
    }
    let mut tokens = HashMap::new();
    for name in routine.instructions.iter().flat_map(written) {
        // The last token stands for all registers for which there is none.
        let next = u16::try_from(tokens.len()).unwrap_or(u16::MAX).min(MOST) + FIRST;
        tokens.entry(name).or_insert(next);
    }
    let of = |instruction: &Instruction<'_>| {
        let kind = kind(instruction);
        let guard = instruction.guard.map(|guard| guard.register);
        let read = every_name(instruction).chain(guard).filter_map(|name| tokens.get(name).copied());
        let mut needs: Vec<u16> = read.chain([FLOW]).collect();
        let mut sets: Vec<u16> = written(instruction).iter().map(|name| tokens[name]).collect();
        sets.push(ANY);
        if kind == Kind::Everything {
            needs.push(ANY);
        }
        if kind != Kind::Registers {
            sets.push(FLOW);
        }
        for all in [&mut needs, &mut sets] {
            all.sort_unstable();
            all.dedup();
        }
        Waits { stall, needs, sets }
    };
    Some(routine.instructions.iter().map(of).collect())
}

#[cfg(test)]
mod tests {
    use crate::dependences::tests::waited_for as waited_for_in;

    /// For each instruction the earlier ones that it waits for, by name.
    fn waited_for(body: &str, stall: Option<u32>) -> Option<Vec<String>> {
        let text = format!(".version 7.0\n.target sm_75\n.visible .entry k()\n{{\n{body}\n}}\n");
        waited_for_in("k.ptx", text, stall)
    }

    #[test]
    fn reads_writes_predicates_and_vectors() {
        let body = "ld.param.u64 %rd1, [k_param_0];
            mov.u32 %r1, %tid.x;
            ld.global.v2.f32 {%f1, %f2}, [%rd1+8];
            setp.lt.s32 %p1|%p2, %r1, 5;
            add.f32 %f3, %f2, 0f00000000;
            @!%p2 st.global.f32 [%rd1], %f3;
            add.s64 %rd1, %rd1, 4;
            sub.f32 %f1, %f9, %f9;
            @%p1 bra A;
            mul.lo.s32 %r7, 3, 4;
            A:
            ret;";
        // Nothing waits for the store, which reads %rd1, but what writes %f1 waits for the load that does.
        let expected = ["", "", "ld", "mov", "ld", "ld setp add", "ld", "ld", "setp", "bra"];
        let expected = expected.map(str::to_owned).to_vec();
        let found = waited_for(body, Some(3)).unwrap();
        assert_eq!(found[..10], expected);
        assert_eq!(found[10], "bra");
        assert_eq!(waited_for(body, None), None);
    }

    #[test]
    fn what_is_not_known_waits_for_everything() {
        let body = "mov.u32 %r1, %r2;
            ld.global.u32 %r3, [%rd9];
            bar.sync 0;
            mov.u32 %r5, %r6;
            frob.u32 %r7, %r8;
            mov.u32 %r9, %r8;
            ret;";
        let found = waited_for(body, Some(1)).unwrap();
        let expected = ["", "", "mov ld", "bar", "mov ld bar mov", "bar frob", "bar frob"];
        assert_eq!(found, expected.map(str::to_owned));
        assert_eq!(waited_for("call (%r1), f, (%r2);\nret;", Some(1)), None);
    }
}
