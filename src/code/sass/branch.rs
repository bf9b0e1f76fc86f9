//! Where the instructions of a SASS function go.

use std::collections::HashMap;

use crate::code::listing::{Flow, Instruction, Routine};
use crate::code::sass::Open;
use crate::code::sass::reconverge::{Pop, Step, reconverge};

/// A line and what is wrong there.
pub(super) type Wrong = (u32, String);

/// Resolves every target and drops the filling at the end.
pub(super) fn resolve(open: Open<'_>) -> Result<Routine<'_>, Wrong> {
    let places = places(&open);
    let steps: Vec<Step> =
        (0..open.routine.instructions.len()).map(|at| step(&open, &places, at)).collect::<Result<_, _>>()?;
    let meets = meets(&open);
    let Open { mut routine, .. } = open;
    reconverge(&mut routine, &steps)?;
    routine.instructions.iter_mut().zip(meets).for_each(|(instruction, place)| instruction.meets = place);
    trim(&mut routine);
    // Past the last instruction there is nothing to branch to.
    let length = routine.instructions.len();
    let beyond = |flow: &Flow<'_>| match flow {
        Flow::Branch(at) | Flow::CallInside(at) => *at >= length,
        Flow::Switch(list) => list.iter().any(|at| *at >= length),
        _ => false,
    };
    match routine.instructions.iter().find(|instruction| beyond(&instruction.flow)) {
        Some(instruction) => {
            Err((instruction.line, "branches past the last instruction: is the file truncated?".into()))
        }
        None => Ok(routine),
    }
}

/// What one instruction does to the flow and to the stack of reconvergence points.
fn step(open: &Open<'_>, places: &Places<'_>, at: usize) -> Result<Step, Wrong> {
    let instruction = &open.routine.instructions[at];
    let operands: Vec<&str> = instruction.operands.split(',').map(str::trim).collect();
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
    let base = instruction.opcode.split('.').next().unwrap_or_default();
    Ok(match base {
        "BRA" | "JMP" => Step::Branch { to: target()?, conditional: operands.len() > 1 },
        "BRX" | "JMX" | "BRXU" | "JMXU" | "LONGJMP" => indirect(open, at)?,
        "CAL" | "JCAL" | "CALL" => call(open, instruction),
        "EXIT" | "KIL" | "KILL" | "RTT" => Step::End,
        "SSY" => Step::Push(Pop::Sync, target()?),
        "PBK" => Step::Push(Pop::Break, target()?),
        "PCNT" => Step::Push(Pop::Continue, target()?),
        "PRET" => Step::Push(Pop::Return, target()?),
        "SYNC" => Step::Pop(Pop::Sync),
        "BRK" => Step::Pop(Pop::Break),
        "CONT" => Step::Pop(Pop::Continue),
        "RET" => Step::Pop(Pop::Return),
        "BSYNC" => meet(places, at, last),
        // On Fermi and Kepler any instruction may end with .S, which is a SYNC behind it.
        _ if instruction.opcode.ends_with(".S") => match open.routine.target.as_deref() {
            Some(target) if target.starts_with("2.") || target.starts_with("3.") => Step::Pop(Pop::Sync),
            Some(_) => Step::Next,
            None => {
                let what = format!(
                    "{}: what .S is depends on the capability, and none is named before this function: want a line like \"code for sm_20\"",
                    instruction.opcode
                );
                return Err((instruction.line, what));
            }
        },
        _ => Step::Next,
    })
}

/// The targets that nvdisasm writes beside an indirect branch.
fn indirect(open: &Open<'_>, at: usize) -> Result<Step, Wrong> {
    let note = open.notes.get(&at).copied().unwrap_or_default();
    let Some(list) = note.strip_prefix("BRANCH_TARGETS") else { return Ok(Step::Unknown) };
    let line = open.routine.instructions[at].line;
    let find =
        |label: &str| open.at(label).ok_or_else(|| (line, format!("{label} is no label of this function")));
    list.split(',').map(find).collect::<Result<_, _>>().map(Step::Switch)
}

fn call(open: &Open<'_>, instruction: &Instruction<'_>) -> Step {
    let operand = instruction.operands.trim();
    let by_register = operand.starts_with('R') && operand[1..].starts_with(|c: char| c.is_ascii_digit());
    let by_register = by_register || operand.starts_with("UR") || operand.starts_with("c[");
    match open.at(operand) {
        _ if by_register => Step::Unknown,
        // The function's own name stands at its beginning: a call of itself.
        Some(to) => Step::Call(to),
        None => Step::CallOut,
    }
}

/// The places that `BSSY B0, place` names, by register.
type Places<'a> = HashMap<&'a str, Vec<usize>>;

fn places<'a>(open: &Open<'a>) -> Places<'a> {
    let mut places = Places::new();
    for instruction in open.routine.instructions.iter().filter(|one| one.name() == "BSSY") {
        if let Some((register, place)) = instruction.operands.split_once(',')
            && let Some(at) = open.at(place)
        {
            places.entry(register.trim()).or_default().push(at);
        }
    }
    places.values_mut().for_each(|list| list.sort_unstable());
    places
}

/// Of each instruction: the place of the last push of a reconvergence point before it in the listing that names one behind it.
fn meets(open: &Open<'_>) -> Vec<Option<usize>> {
    let mut around: Vec<usize> = Vec::new();
    let place = |(at, instruction): (usize, &Instruction<'_>)| {
        around.retain(|&place| place > at);
        let found = around.last().copied();
        if matches!(instruction.name(), "SSY" | "BSSY" | "PBK" | "PCNT") {
            let target = instruction.operands.rsplit(',').next().and_then(|target| open.at(target));
            around.extend(target.filter(|&place| place > at));
        }
        found
    };
    open.routine.instructions.iter().enumerate().map(place).collect()
}

/// `BSYNC B0` waits at, or just before, the place that `BSSY B0, place` names; elsewhere it goes on there, if there is but one.
fn meet(places: &Places<'_>, at: usize, register: &str) -> Step {
    let list = places.get(register).map(Vec::as_slice).unwrap_or_default();
    match list {
        _ if [at, at + 1].iter().any(|place| list.binary_search(place).is_ok()) => Step::Next,
        &[only] => Step::Branch { to: only, conditional: false },
        _ => Step::Unknown,
    }
}

/// Drops `here: BRA here; NOP; NOP; ...` at the end.
fn trim(routine: &mut Routine<'_>) {
    let list = &routine.instructions;
    let code = list.iter().rposition(|instruction| instruction.opcode != "NOP").unwrap_or(0);
    let filling = list.get(code).is_some_and(|last| last.flow == Flow::Branch(code) && !last.conditional);
    let entered =
        |to: usize| list.iter().enumerate().any(|(at, one)| at != code && one.flow == Flow::Branch(to));
    let falls = code.checked_sub(1).is_some_and(|before| {
        let before = &list[before];
        before.conditional || matches!(before.flow, Flow::Next | Flow::Call(_) | Flow::CallInside(_))
    });
    if filling && !falls && !entered(code) {
        routine.instructions.truncate(code);
        routine.labels.retain(|(_, at)| *at < code);
    }
}
