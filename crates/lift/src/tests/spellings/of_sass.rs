//! SASS: random spellings of all rows against an interpreter of the text.

use std::collections::{BTreeMap, BTreeSet};

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

use super::interpreter::thread::{Slot, Thread, Writes, constants, fixed};
use super::interpreter::{sass, text};
use super::shapes::{Shapes, Spelling, vary};
use super::{Findings, any_word, cases, position};
use crate::run::{Lane, place};
use crate::sass::lift;
use crate::{Flag, Lifted, Place};
use warpspan_isa::instruction::{Instruction, Language};
use warpspan_isa::register::{File, Register};
use warpspan_isa::spelling::names;
use warpspan_isa::written::written;

/// Names of which something is lifted, with and without an `U` before it.
const LIFTED: &[&str] = &[
    "MOV",
    "MOV32I",
    "S2R",
    "CS2R",
    "LDC",
    "LDCU",
    "R2UR",
    "S2UR",
    "HFMA2",
    "SEL",
    "IADD3",
    "IADD",
    "IADD32I",
    "VIADD",
    "ISCADD",
    "LEA",
    "IMAD",
    "XMAD",
    "IABS",
    "SHL",
    "SHR",
    "SHF",
    "LOP",
    "LOP32I",
    "LOP3",
    "PLOP3",
    "PSETP",
    "ISETP",
    "ISET",
    "IMNMX",
    "VIMNMX",
    "VIADDMNMX",
    "I2I",
    "VMNMX",
    "MUFU",
    "I2F",
    "I2FP",
    "F2I",
];

/// Those of which no value is known, since how they are rounded is not said.
const UNKNOWN: [&str; 4] = ["F2I", "I2F", "I2FP", "MUFU"];

pub(super) fn thread(random: &mut ChaCha8Rng) -> Thread {
    let mut thread = Thread {
        predicates: std::array::from_fn(|at| at == 7 || random.random()),
        uniform_predicates: std::array::from_fn(|_| random.random()),
        carry: random.random(),
        zero: random.random(),
        ..Thread::new(position(random))
    };
    // Words that are near to each other are often equal.
    for at in 0..REGISTERS + 4 {
        let near = at > 0 && random.random_bool(0.2);
        thread.general[at] = if near { thread.general[at - 1] } else { any_word(random) };
        thread.uniform[at] = if near { thread.general[at - 1] } else { any_word(random) };
    }
    thread
}

/// How many registers instructions here name.
const REGISTERS: usize = 24;

pub(super) fn lane(thread: &Thread) -> Lane<'static> {
    let mut registers = BTreeMap::new();
    let mut put = |file, number, word| registers.extend([(place(Register { file, number }), word)]);
    for at in 0..REGISTERS + 4 {
        put(File::General, at, thread.general[at]);
        put(File::Uniform, at, thread.uniform[at]);
    }
    for at in 0..8 {
        put(File::Predicate, at, thread.predicates[at].into());
        put(File::UniformPredicate, at, thread.uniform_predicates[at].into());
    }
    let at = &thread.place;
    Lane {
        registers,
        named: vec![],
        code: [thread.carry, thread.zero],
        constants: constants(),
        banks: Some(fixed),
        thread: at.thread,
        block: at.block,
        sizes: [at.threads, at.blocks],
        lane: at.lane,
    }
}

fn slot(register: Register) -> Option<Slot> {
    Some(match register.file {
        File::General => Slot::General(register.number),
        File::Uniform => Slot::Uniform(register.number),
        File::Predicate => Slot::Predicate(register.number),
        File::UniformPredicate => Slot::UniformPredicate(register.number),
        File::Barrier => return None,
    })
}

fn slot_of(place: Place) -> Option<Slot> {
    match place {
        Place::Register(register) => slot(register),
        Place::Code(Flag::Carry) => Some(Slot::Carry),
        Place::Code(Flag::Zero) => Some(Slot::Zero),
        Place::Named(_) => None,
    }
}

/// What a place holds.
pub(super) fn held(thread: &Thread, slot: Slot) -> u32 {
    match slot {
        Slot::General(number) => thread.general[number],
        Slot::Uniform(number) => thread.uniform[number],
        Slot::Predicate(number) => thread.predicates[number].into(),
        Slot::UniformPredicate(number) => thread.uniform_predicates[number].into(),
        Slot::Carry => thread.carry.into(),
        Slot::Zero => thread.zero.into(),
    }
}

/// An operand of any kind, or one that is like another one.
fn operand(random: &mut ChaCha8Rng, like: Option<&str>) -> String {
    let number = random.random_range(0..REGISTERS);
    if let Some(like) = like.filter(|_| random.random_bool(0.6)) {
        let plain = like.trim_start_matches(['-', '~', '!', '|']);
        let sign = *["-", "~", "!", "", "|"].choose(random).unwrap();
        let behind =
            *["", "", ".reuse", ".H1", ".H0_H0", ".CC", ".64", ".B1", ".U32", "|"].choose(random).unwrap();
        return match random.random_range(0..4) {
            0 => format!("{sign}{plain}"),
            1 => format!("{like}{behind}"),
            _ if plain.starts_with("UR") => format!("UR{number}"),
            _ if plain.starts_with('R') => format!("R{number}"),
            _ if plain.starts_with("UP") => format!("UP{}", number % 8),
            _ if plain.starts_with('P') => format!("P{}", number % 7),
            _ if plain.starts_with("c[") => format!("c[0x0][{:#x}]", 4 * random.random_range(0..256)),
            _ => format!("{:#x}", any_word(random)),
        };
    }
    match random.random_range(0..24) {
        0..5 => format!("R{number}"),
        5 => format!("UR{number}"),
        6 => "RZ".to_owned(),
        7 => "URZ".to_owned(),
        8 => format!("P{}", number % 7),
        9 => format!("!P{}", number % 7),
        10 => (*["PT", "!PT", "UPT", "!UPT", "PR", "CC"].choose(random).unwrap()).to_owned(),
        11 => format!("{}UP{}", ["", "!"].choose(random).unwrap(), number % 8),
        12..15 => format!("{:#x}", any_word(random)),
        15 => format!("-{:#x}", any_word(random) >> 1),
        16 => format!("-R{number}"),
        17 => format!("~R{number}"),
        18 => format!("c[0x0][{:#x}]", 4 * random.random_range(0..256)),
        19 => format!("{}c[0x{}][{:#x}]", ["", "-", "~"].choose(random).unwrap(), number % 5, 4 * number),
        20 => format!("c[0x0][R{number}]"),
        21 => format!("{:#x}", random.random_range(0..40)),
        22 => (*["-RZ", "~RZ", "|RZ|", "1.5", "0", "-QNAN", "SRZ", "SR_TID.X", "SR_TID", "SR_CLOCKLO"]
            .choose(random)
            .unwrap())
        .to_owned(),
        _ => format!("{:#x}", random.random::<u64>()),
    }
}

/// A random spelling of a row.
pub(super) fn spelling(random: &mut ChaCha8Rng, shapes: &Shapes) -> Spelling {
    let name = match random.random_bool(0.9) {
        true => LIFTED.choose(random).unwrap(),
        false => *shapes.names.choose(random).unwrap(),
    };
    let name = match random.random_bool(0.25) {
        true if shapes.names.iter().any(|one| one.strip_prefix('U') == Some(name)) => format!("U{name}"),
        _ => (*name).to_owned(),
    };
    let mut one = shapes.one(random, &name);
    if name.starts_with('U') {
        for text in &mut one.operands {
            *text = uniform(text);
        }
    }
    let most = random.random_range(0..4);
    for _ in 0..most {
        match random.random_bool(0.3) {
            true => shapes.modify(random, &mut one),
            false => vary(random, &mut one, operand),
        }
    }
    // Registers that the tests have.
    for text in &mut one.operands {
        *text = renumbered(random, text);
    }
    one
}

/// An operand of the uniform data path instead of one of threads.
fn uniform(text: &str) -> String {
    let signs = text.len() - text.trim_start_matches(['-', '~', '!', '|']).len();
    let (sign, plain) = text.split_at(signs);
    let is_register = plain.starts_with(['R', 'P']);
    if is_register { format!("{sign}U{plain}") } else { text.to_owned() }
}

/// An operand whose registers have small numbers.
fn renumbered(random: &mut ChaCha8Rng, text: &str) -> String {
    let Some(at) = text.find('R').filter(|_| !text.contains(['[', '_'])) else { return text.to_owned() };
    let digits = text[at + 1..].bytes().take_while(u8::is_ascii_digit).count();
    let (start, rest) = text.split_at(at + 1);
    match rest[..digits].parse::<usize>() {
        Ok(number) if number >= REGISTERS || random.random_bool(0.3) => {
            format!("{start}{}{}", random.random_range(0..REGISTERS), &rest[digits..])
        }
        _ => text.to_owned(),
    }
}

/// What is wrong with what is lifted of an instruction, if anything.
fn fault(
    instruction: &Instruction<'_>,
    lifted: Option<&Lifted>,
    (thread, lane): (&Thread, &Lane<'_>),
) -> Option<String> {
    let expected = sass::execute(
        &text::Instruction::new(&instruction.opcode().to_string(), instruction.operands),
        thread,
    );
    if let Some(expected) = &expected
        && let Some(problem) = fault_of_written(instruction, expected)
    {
        return Some(problem);
    }
    let found = lane.writes(lifted?);
    let Some(expected) = expected else {
        // A word at an address that registers hold may be anything.
        let known = !instruction.operands.contains("[R") && found.iter().any(|(_, value)| value.is_some());
        return known.then(|| "it is lifted, and not known to mean anything".to_owned());
    };
    let mut places = BTreeSet::new();
    for (place, value) in &found {
        let slot = slot_of(*place)?;
        if !places.insert(slot) {
            return Some(format!("{slot:?} is written twice"));
        }
        let Some((_, wanted)) = expected.iter().find(|(other, _)| *other == slot) else {
            return Some(format!("{slot:?} is not written"));
        };
        if let Some(value) = value
            && wanted.map(u64::from) != Some(*value)
        {
            return Some(match wanted {
                Some(wanted) => format!("{slot:?} is {wanted:#x}, and not {value:#x}"),
                None => format!("{slot:?} may be anything, and not only {value:#x}"),
            });
        }
    }
    let left = expected.iter().find(|(slot, _)| !places.contains(slot));
    left.map(|(slot, _)| format!("{slot:?} is written"))
}

/// What is wrong with the registers that an instruction is said to write.
fn fault_of_written(instruction: &Instruction<'_>, writes: &Writes) -> Option<String> {
    let blocks = written(instruction)?;
    let of_block = |first: Register, count| first.run(count).filter_map(slot).collect::<Vec<_>>();
    let certain: Vec<Slot> = blocks.iter().flat_map(|block| of_block(block.first, block.certain)).collect();
    let most: Vec<Slot> = blocks.iter().flat_map(|block| of_block(block.first, block.most)).collect();
    let is_written = |slot: &Slot| writes.iter().any(|(other, _)| other == slot);
    if let Some(slot) = certain.iter().find(|slot| !is_written(slot)) {
        return Some(format!("{slot:?} is said to be written"));
    }
    let missed =
        writes.iter().find(|(slot, _)| !matches!(slot, Slot::Carry | Slot::Zero) && !most.contains(slot));
    missed.map(|(slot, _)| format!("{slot:?} is said to be left alone"))
}

pub(super) fn shapes() -> Shapes {
    use crate::tests::{BITS, PAIRS, WORDS};
    let known = WORDS.iter().map(|(text, _)| *text).chain(PAIRS.iter().map(|(text, _)| *text));
    let known = known.chain(BITS.iter().map(|(text, _)| *text));
    Shapes::new(names(Language::Sass), ".sass", known)
}

fn compare(findings: &mut Findings, one: &Spelling, threads: &[(Thread, Lane<'_>)]) {
    let operands = one.text();
    let instruction = Instruction::new(Language::Sass, 1, None, &one.opcode, &operands);
    let lifted = lift(&instruction);
    let found =
        threads.iter().find_map(|(thread, lane)| fault(&instruction, lifted.as_ref(), (thread, lane)));
    findings.note(&instruction, found);
    if let Some(lifted) = lifted {
        let name = one.name().strip_prefix('U').unwrap_or(one.name());
        let known = threads[0].1.writes(&lifted).iter().any(|(_, value)| value.is_some());
        findings.note_lifted(name, &one.opcode, known);
    }
}

pub(super) fn threads(random: &mut ChaCha8Rng, count: usize) -> Vec<(Thread, Lane<'static>)> {
    let one = |_| {
        let thread = thread(random);
        let lane = lane(&thread);
        (thread, lane)
    };
    (0..count).map(one).collect()
}

#[test]
fn sass_is_lifted_as_its_text_does() {
    let (shapes, mut findings) = (shapes(), Findings::default());
    for case in 0..cases::cases(100_000) {
        let random = &mut cases::random(case);
        let threads = threads(random, 6);
        for _ in 0..50 {
            compare(&mut findings, &spelling(random, &shapes), &threads);
        }
    }
    findings.end();
}

/// Each row with all operands and modifiers of others: what is lifted is known, and what is known is lifted.
#[test]
fn all_that_is_lifted_of_sass_is_known() {
    let (shapes, mut findings) = (shapes(), Findings::default());
    let threads = threads(&mut cases::random(0), 1);
    for name in &shapes.names {
        for one in shapes.by_name.values().flatten() {
            let rest = &one.opcode[one.name().len()..];
            let mut operands = one.operands.clone();
            if name.starts_with('U') {
                operands.iter_mut().for_each(|text| *text = uniform(text));
            }
            compare(&mut findings, &Spelling { opcode: format!("{name}{rest}"), operands }, &threads);
        }
    }
    findings.are_of(LIFTED, &UNKNOWN);
    findings.end();
}
