//! Where the instructions of a SASS function go.

use crate::Fault;
use crate::isa::register::{File, Register, named};
use crate::isa::row::{Mark, Transfer};
use crate::isa::sass::row;
use crate::routine::{Flow, Instruction, Routine};
use crate::sass::Open;
use crate::sass::reconverge::{Step, reconverge};
use crate::sass::registers::may_return;
use crate::sass::stacks::Kind;

/// The line of an error, and what is wrong there.
pub(super) type Wrong = (u32, String);

/// Resolves every target and drops what only fills the section at the end.
/// What is wrong is a fault of the routine; `text` makes one of what its text lacks.
pub(super) fn resolve(mut open: Open<'_>, text: impl Fn(Wrong) -> Fault) -> Routine<'_> {
    for instruction in &mut open.routine.instructions {
        instruction.conditional |= has_condition(instruction);
    }
    let steps = (0..open.routine.instructions.len()).map(|at| step(&open, at)).collect::<Result<_, _>>();
    let Open { mut routine, .. } = open;
    let mut steps: Vec<Step<'_>> = match steps {
        Ok(steps) => steps,
        Err(wrong) => return Routine { fault: Some(text(wrong)), ..routine },
    };
    // Compilers jump far by calls that do not come back.
    let jumps = |at: &usize| {
        // CAL and JCAL push a place, and nobody knows what takes off one that lies below it.
        let pushes = !routine.instructions[*at].opcode.starts_with("CALL");
        matches!(steps[*at], Step::Call(to) if !may_return(&routine, &steps, to, pushes))
    };
    let jumps: Vec<usize> = (0..steps.len()).filter(jumps).collect();
    for at in jumps {
        if let Step::Call(to) = steps[at] {
            steps[at] = Step::Branch { to, conditional: false, without: None };
        }
    }
    if let Err((line, what)) = reconverge(&mut routine, &steps) {
        return Routine { fault: Some(Fault::Flow(line, what)), ..routine };
    }
    trim(&mut routine);
    whole_barriers(&mut routine);
    // Past the last instruction there is nothing to branch to.
    let length = routine.instructions.len();
    let beyond = |flow: &Flow<'_>| match flow {
        Flow::Branch(at) | Flow::CallInside(at) => *at >= length,
        Flow::Switch(list) => list.iter().any(|at| *at >= length),
        _ => false,
    };
    if let Some(instruction) = routine.instructions.iter().find(|instruction| beyond(&instruction.flow)) {
        let what = "branches past the last instruction: is the file truncated?";
        routine.fault = Some(text((instruction.line, what.into())));
    }
    routine
}

/// What one instruction does to the flow and to the stack of reconvergence points.
fn step<'a>(open: &Open<'a>, at: usize) -> Result<Step<'a>, Wrong> {
    let instruction = &open.routine.instructions[at];
    let operands: Vec<&'a str> = instruction.operands.split(',').map(str::trim).collect();
    let last = operands.last().copied().unwrap_or_default();
    let target = || {
        let found = open.at(last);
        found.ok_or_else(|| {
            let what = format!(
                "{last:?} of {} is neither a label nor an address of this function",
                instruction.opcode
            );
            (instruction.line, what)
        })
    };
    let kind = |mark| match mark {
        Mark::Join => Kind::Sync,
        Mark::Break => Kind::Break,
        Mark::Continue => Kind::Continue,
        Mark::Return => Kind::Return,
    };
    Ok(match row(instruction.name()).map_or(Transfer::Next, |row| row.transfer) {
        Transfer::Jump => {
            let conditional = operands.len() > 1 || instruction.conditional;
            Step::Branch { to: target()?, conditional, without: broken(open, at) }
        }
        Transfer::Indirect => indirect(open, at)?,
        Transfer::Call => call(open, instruction),
        Transfer::End => Step::End,
        Transfer::Push(mark) => Step::Push(kind(mark), target()?),
        Transfer::Pop(mark) => Step::Pop(kind(mark)),
        Transfer::Enter => Step::Push(Kind::Barrier(operands[0]), behind(open, operands[0], target()?)),
        // The first operand is one more predicate, so that not all threads may wait or leave.
        Transfer::Reconverge | Transfer::Leave if operands.len() > 1 => Step::Touch(vec![last]),
        Transfer::Reconverge => Step::Wait(last),
        // The branch behind it has this step, since both are under the same predicate.
        Transfer::Leave if broken(open, at + 1).is_some() => Step::Next,
        Transfer::Leave => Step::Leave(last),
        Transfer::Move => {
            Step::Touch(operands.into_iter().filter(|operand| operand.starts_with('B')).collect())
        }
        // On Fermi and Kepler any instruction may end with .S, which stands for a SYNC behind it.
        Transfer::Next if instruction.opcode.ends_with(".S") => match open.routine.target.as_deref() {
            Some(target) if target.starts_with("2.") || target.starts_with("3.") => Step::Pop(Kind::Sync),
            Some(_) => Step::Next,
            None => {
                let what = format!(
                    "{}: what .S is depends on the capability, and none is named before this function: want a line like \"code for sm_20\"",
                    instruction.opcode
                );
                return Err((instruction.line, what));
            }
        },
        Transfer::Next => Step::Next,
    })
}

/// Whether a jump or an end has a condition beside its guard: a predicate or the condition code as an operand, or the question
/// whether the warp is together.
fn has_condition(instruction: &Instruction<'_>) -> bool {
    let says = || instruction.operands.split(',').any(is_condition);
    match row(instruction.name()).map_or(Transfer::Next, |row| row.transfer) {
        Transfer::Jump => instruction.has_any(&["DIV", "CONV"]) || says(),
        Transfer::Indirect | Transfer::End | Transfer::Pop(_) => says(),
        _ => false,
    }
}

/// Whether an operand is a predicate or the condition code, as a jump may have one.
pub(crate) fn is_condition(operand: &str) -> bool {
    let name = operand.trim().trim_start_matches('!');
    let predicate = name.trim_start_matches('U').strip_prefix('P').is_some_and(|number| {
        let mut digits = number.chars();
        digits.next().is_some_and(|digit| digit.is_ascii_digit()) && digits.next().is_none()
    });
    predicate || name.starts_with("CC.") && name != "CC.T"
}

/// An indirect branch, with the targets that nvdisasm writes beside it.
fn indirect<'a>(open: &Open<'a>, at: usize) -> Result<Step<'a>, Wrong> {
    let note = open.notes.get(&at).copied().unwrap_or_default();
    let Some(list) = note.strip_prefix("BRANCH_TARGETS") else { return Ok(Step::Unknown) };
    let line = open.routine.instructions[at].line;
    let find =
        |label: &str| open.at(label).ok_or_else(|| (line, format!("{label} is no label of this function")));
    list.split(',').map(find).collect::<Result<_, _>>().map(Step::Switch)
}

/// A call of an address or a label, of another function, or of what a register holds.
fn call<'a>(open: &Open<'a>, instruction: &Instruction<'_>) -> Step<'a> {
    let operand = instruction.operands.trim();
    let by_register = operand.starts_with('R') && operand[1..].starts_with(|c: char| c.is_ascii_digit());
    let by_register = by_register || operand.starts_with("UR") || operand.starts_with("c[");
    match open.at(operand) {
        _ if by_register => Step::Unknown,
        // A call of this function or of a part of it: its own name stands at its beginning.
        Some(to) => Step::Call(to),
        None => Step::CallOut,
    }
}

/// Where the threads of a `BSSY` go on together: behind the `BSYNC` of its register, which stands at the
/// place that the `BSSY` names or just before.
fn behind(open: &Open<'_>, register: &str, place: usize) -> usize {
    let waits = |one: &Instruction<'_>| one.name() == "BSYNC" && one.operands.trim() == register;
    place + usize::from(open.routine.instructions.get(place).is_some_and(waits))
}

/// The register whose barrier the threads that take a branch have just left, as in `@P0 BREAK B0; @P0 BRA
/// place`.
fn broken<'a>(open: &Open<'a>, branch: usize) -> Option<&'a str> {
    let list = &open.routine.instructions;
    let (before, branch) = (list.get(branch.checked_sub(1)?)?, list.get(branch)?);
    let same = before.guard.is_some() && before.guard == branch.guard && !branch.operands.contains(',');
    let pair = before.name() == "BREAK" && matches!(branch.name(), "BRA" | "JMP");
    (same && pair).then(|| before.operands.trim())
}

/// From 9.0 on, `barrier.sync` where the warp may be apart is a barrier with its number and how many threads it is for in one
/// register: `SHF.L.U32 R, R, 0x10, RZ; LOP3.LUT R, R, 0xf, N, 0xf8, !PT; BAR.SYNC R, R`, the threads in R first. If that is 0, it
/// is for the whole block, as the barrier with a number alone, which it then becomes.
fn whole_barriers(routine: &mut Routine<'_>) {
    let list = &routine.instructions;
    let entered = |from: usize, to: usize| {
        let inside = |at: &usize| (from + 1..=to).contains(at);
        list.iter().any(|one| match &one.flow {
            Flow::Branch(at) | Flow::CallInside(at) => inside(at),
            Flow::Switch(all) => all.iter().any(inside),
            _ => false,
        })
    };
    let operands = |at: usize| -> Vec<&str> { list[at].operands.split(',').map(str::trim).collect() };
    let is_whole = |at: usize| -> bool {
        let [register, same] = operands(at)[..] else { return false };
        if list[at].name() != "BAR" || register != same || number_of(register).is_none() {
            return false;
        }
        // The instructions before it that may write the register, from the last one.
        let straight = (0..at).rev().take_while(|&before| list[before].flow == Flow::Next);
        let one_word = |at: usize| {
            matches!(
                list[at].opcode,
                "MOV" | "IMAD.MOV.U32" | "HFMA2.MMA" | "HFMA2" | "LOP3.LUT" | "SHF.L.U32"
            )
        };
        let mut writes = straight.filter(|&before| match one_word(before) {
            true => operands(before).first() == Some(&register),
            false => names(list[before].operands, register),
        });
        let mut plain = || writes.next().filter(|&before| list[before].guard.is_none());
        let (Some(number), Some(shift), Some(zero)) = (plain(), plain(), plain()) else { return false };
        let combines = list[number].opcode == "LOP3.LUT"
            && matches!(operands(number)[..], [to, from, "0xf", other, "0xf8", "!PT"] if to == register && from == to && other != to);
        let shifts =
            list[shift].opcode == "SHF.L.U32" && operands(shift) == [register, register, "0x10", "RZ"];
        let clears = match (list[zero].opcode, &operands(zero)[..]) {
            ("MOV", &[to, what]) => to == register && matches!(what, "RZ" | "0x0"),
            ("IMAD.MOV.U32", &[to, "RZ", "RZ", what]) => to == register && matches!(what, "RZ" | "0x0"),
            ("HFMA2.MMA" | "HFMA2", &[to, "-RZ", "RZ", "0", "0"]) => to == register,
            _ => false,
        };
        combines && shifts && clears && !entered(zero, at)
    };
    let whole: Vec<usize> = (0..list.len()).filter(|&at| is_whole(at)).collect();
    for at in whole {
        let one = &mut routine.instructions[at];
        one.operands = one.operands.split(',').next().unwrap_or_default().trim();
    }
}

/// The number of a register such as `R12`.
fn number_of(name: &str) -> Option<usize> {
    Register::of(name).filter(|register| register.file == File::General).map(|register| register.number)
}

/// Whether operands name a register, or up to three before it, with which a wide result would reach it.
fn names(operands: &str, register: &str) -> bool {
    let Some(own) = number_of(register) else { return true };
    let near = |first: usize| (first..=first + 3).contains(&own);
    named(operands).any(|one| one.file == File::General && near(one.number))
}

/// Drops what only fills the section at the end: `here: BRA here; NOP; NOP; ...`.
fn trim(routine: &mut Routine<'_>) {
    let list = &routine.instructions;
    let code = list.iter().rposition(|instruction| instruction.opcode != "NOP").unwrap_or(0);
    let filling = list.get(code).is_some_and(|last| last.flow == Flow::Branch(code) && !last.conditional);
    let entered =
        |to: usize| list.iter().enumerate().any(|(at, one)| at != code && one.flow == Flow::Branch(to));
    let falls = code.checked_sub(1).is_some_and(|before| {
        let before = &list[before];
        // A trap ends the launch. Compilers put the filling behind it too.
        let traps = before.name() == "BPT" && before.opcode.split('.').any(|part| part == "TRAP");
        before.conditional
            || !traps && matches!(before.flow, Flow::Next | Flow::Call(_) | Flow::CallInside(_))
    });
    if filling && !falls && !entered(code) {
        routine.instructions.truncate(code);
        routine.labels.retain(|(_, at)| *at < code);
    }
}
