//! PTX: random spellings of all rows against an interpreter of the text.

use std::collections::BTreeMap;

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

use super::interpreter::ptx::{Doubt, Registers, execute};
use super::interpreter::text;
use super::shapes::{Shapes, Spelling, vary};
use super::{Findings, any_word, cases, position};
use crate::ptx::lift;
use crate::run::Lane;
use crate::{Lifted, Operation, Origin, Place, Term, Word};
use warpspan_isa::instruction::{Instruction, Language};
use warpspan_isa::ptx_names::{every_name, read, written};
use warpspan_isa::spelling::names;

/// Names of which something is lifted that is looked into.
const LIFTED: &[&str] = &[
    "abs", "add", "and", "bfe", "brev", "clz", "cvt", "cvta", "div", "ld", "mad", "mad24", "max", "min",
    "mov", "mul", "mul24", "neg", "not", "or", "popc", "rem", "selp", "setp", "shl", "shr", "sub", "xor",
];

/// Those that give a function of what they read that is not looked into.
const FUNCTIONS: &[&str] = &[
    "bfi", "bfind", "cnot", "copysign", "cos", "ex2", "fma", "lg2", "lop3", "prmt", "rcp", "rsqrt", "sad",
    "set", "shf", "sin", "slct", "sqrt", "tanh",
];

/// How many registers of each width there are.
const REGISTERS: u32 = 6;

pub(super) fn registers(random: &mut ChaCha8Rng) -> Registers {
    let mut held = BTreeMap::new();
    for at in 0..REGISTERS {
        let wide = u64::from(any_word(random)) << 32 | u64::from(any_word(random));
        let signed = i64::from(any_word(random).cast_signed()).cast_unsigned();
        held.insert(format!("%rd{at}"), if random.random() { wide } else { signed });
        held.insert(format!("%r{at}"), any_word(random).into());
        held.insert(format!("%rs{at}"), u64::from(any_word(random)) & 0xffff);
        held.insert(format!("%p{at}"), random.random_range(0..2));
    }
    let symbol = u64::from(any_word(random)) << 32 | u64::from(any_word(random));
    Registers { held, parameters: BTreeMap::new(), symbol, place: position(random) }
}

fn register(random: &mut ChaCha8Rng) -> String {
    let class = ["%r", "%r", "%r", "%rd", "%rd", "%rd", "%rs"].choose(random).unwrap();
    format!("{class}{}", random.random_range(0..REGISTERS))
}

fn operand(random: &mut ChaCha8Rng, like: Option<&str>) -> String {
    if let Some(like) = like.filter(|_| random.random_bool(0.2)) {
        return match random.random_range(0..5) {
            0 => format!("!{like}"),
            1 => format!("-{like}"),
            2 => format!("{like}.x"),
            3 => format!("{{{like}, {}}}", register(random)),
            _ => format!("{like}|%p{}", random.random_range(0..REGISTERS)),
        };
    }
    if let Some(like) = like.filter(|_| random.random_bool(0.7)) {
        return match () {
            () if like.contains('[') => {
                format!("[{}]", ["a", "a+2", "a+4", "b+1", "%rd1"].choose(random).unwrap())
            }
            () if like.contains("%p") => predicate(random),
            () if like.starts_with('%') && random.random_bool(0.8) => register(random),
            () => number(random),
        };
    }
    match random.random_range(0..12) {
        0..4 => register(random),
        4 => predicate(random),
        5..8 => number(random),
        8 => (*["%tid.x", "%ctaid.y", "%ntid.z", "%nctaid.x", "%laneid", "WARP_SZ", "%clock", "%smid"]
            .choose(random)
            .unwrap())
        .to_owned(),
        9 => (*["a", "a+8", "0f3F800000", "1.5", "b+-4", "%rd2+16"].choose(random).unwrap()).to_owned(),
        10 => format!("%p{}|%p{}", random.random_range(0..REGISTERS), random.random_range(0..REGISTERS)),
        _ => (*["[a]", "[a+4]", "{%r1, %r2}", "{%r1, %r2, %r3, %r4}", "%f1", "%fd1"].choose(random).unwrap())
            .to_owned(),
    }
}

fn predicate(random: &mut ChaCha8Rng) -> String {
    let not = if random.random_bool(0.3) { "!" } else { "" };
    format!("{not}%p{}", random.random_range(0..REGISTERS))
}

fn number(random: &mut ChaCha8Rng) -> String {
    match random.random_range(0..6) {
        0 => format!("-{}", any_word(random) >> 1),
        1 => format!("{:#x}", any_word(random)),
        2 => format!("{}U", any_word(random)),
        3 => format!("0{:o}", any_word(random)),
        4 => format!("{}", random.random_range(0..70)),
        _ => format!("{}", any_word(random)),
    }
}

/// An operand with registers that the tests have.
fn renamed(text: &str) -> String {
    let mut found = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        let (before, name) = rest.split_at(at);
        let end = name[1..]
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .map_or(name.len(), |end| end + 1);
        let (name, behind) = name.split_at(end);
        let digits = name.find(|c: char| c.is_ascii_digit()).filter(|_| !name.contains('_'));
        found.push_str(before);
        match digits {
            Some(at) => {
                let number: u32 = name[at..].bytes().map(u32::from).sum();
                let class = match &name[..at] {
                    class @ ("%r" | "%rs" | "%p") => class,
                    "%f" => "%r",
                    "%h" => "%rs",
                    _ => "%rd",
                };
                found.push_str(&format!("{class}{}", number % REGISTERS));
            }
            None if matches!(name, "%SP" | "%SPL") => found.push_str("%rd0"),
            None => found.push_str(name),
        }
        rest = behind;
    }
    found + rest
}

pub(super) fn spelling(random: &mut ChaCha8Rng, shapes: &Shapes) -> Spelling {
    let name = match random.random_bool(0.85) {
        true => LIFTED.choose(random).unwrap(),
        false => *shapes.names.choose(random).unwrap(),
    };
    let mut one = shapes.one(random, name);
    for _ in 0..random.random_range(0..4) {
        match random.random_bool(0.3) {
            true => shapes.modify(random, &mut one),
            false => vary(random, &mut one, operand),
        }
    }
    one.operands.iter_mut().for_each(|text| *text = renamed(text));
    one
}

pub(super) fn shapes() -> Shapes {
    use crate::tests::ptx::{BITS, WORDS};
    let known = WORDS.iter().map(|(text, _)| *text).chain(BITS.iter().map(|(text, _)| *text));
    let mut shapes = Shapes::new(names(Language::Ptx), ".ptx", known);
    // The hand-written table calls its registers `a`, `b`, `c`, `d` and its predicates `p` and `q`.
    for one in shapes.by_name.values_mut().flatten() {
        for text in &mut one.operands {
            let named = |name: &str| match name {
                "a" | "b" | "c" | "d" => format!("%rd{}", name.as_bytes()[0] - b'a'),
                "e" | "p" | "q" => format!("%p{}", name.as_bytes()[0] % 5),
                _ => name.to_owned(),
            };
            let not = text.starts_with('!');
            let plain = text.trim_start_matches('!');
            let names: Vec<String> = plain.split('|').map(named).collect();
            *text = format!("{}{}", if not { "!" } else { "" }, names.join("|"));
        }
    }
    shapes
}

/// What is wrong with a function that is not looked into, if the steps give one: it must read all that the instruction does.
fn fault_of_function(one: &Instruction<'_>, lifted: &Lifted) -> Option<String> {
    let names: Vec<&str> = every_name(one).collect();
    let mut terms: Vec<&Term> = vec![];
    let mut bits: Vec<&str> = vec![];
    for step in &lifted.steps {
        match step {
            Operation::Function(all) | Operation::Test(all) => terms.extend(all),
            Operation::Sum(all, _) => terms.extend(all),
            Operation::Bits(_, of) => {
                bits.extend(of.iter().filter_map(|bit| match bit.of {
                    Origin::Named(at) => Some(names[at]),
                    _ => None,
                }));
            }
            _ => {}
        }
    }
    let is_read = |name: &str| {
        let any = lifted.steps.contains(&Operation::UnknownBit)
            || terms.iter().any(|term| matches!(term.word, Word::Unknown | Word::Step(_)));
        any || bits.contains(&name)
            || terms.iter().any(|term| matches!(term.word, Word::Named(at) if names[at] == name))
    };
    let missed = read(one).find(|name| !is_read(name) && *name != "WARP_SZ");
    missed.map(|name| format!("{name} is read"))
}

/// A lane in which names are what a thread holds.
pub(super) fn lane(thread: &Registers, names: &[&str]) -> Lane<'static> {
    let held = |name: &&str| thread.held.get(*name).copied().unwrap_or(thread.symbol);
    let at = &thread.place;
    Lane {
        registers: BTreeMap::new(),
        named: names.iter().map(held).collect(),
        code: [false; 2],
        constants: &[],
        banks: None,
        thread: at.thread,
        block: at.block,
        sizes: [at.threads, at.blocks],
        lane: at.lane,
    }
}

fn fault(one: &Instruction<'_>, lifted: Option<&Lifted>, thread: &Registers) -> Option<String> {
    let expected = execute(&text::Instruction::new(&one.opcode().to_string(), one.operands), thread);
    let names: Vec<&str> = every_name(one).collect();
    if let Ok(expected) = &expected {
        let said = written(one);
        if let Some((name, ..)) = expected.iter().find(|(name, ..)| !said.contains(&name.as_str())) {
            return Some(format!("{name} is said to be left alone"));
        }
    }
    let lifted = lifted?;
    let lane = lane(thread, &names);
    // The parameters of the tests have eight bytes.
    let beyond = |step: &Operation| matches!(step, Operation::Parameter { byte, number, .. } if 8 * byte + number.0 > 64);
    if lifted.steps.iter().any(beyond) {
        return None;
    }
    let found = lane.writes(lifted);
    let place = |place: Place| match place {
        Place::Named(at) => names[at],
        _ => "",
    };
    let missed = written(one).into_iter().find(|name| !found.iter().any(|(to, _)| place(*to) == *name));
    if let Some(missed) = missed {
        return Some(format!("{missed} is written"));
    }
    if lifted.steps.iter().any(|step| matches!(step, Operation::Function(_) | Operation::Test(_))) {
        return fault_of_function(one, lifted);
    }
    let expected = match expected {
        Err(Doubt::Mismatch) => return None,
        Err(Doubt::Unknown) => {
            let known = found.iter().any(|(_, value)| value.is_some());
            return known.then(|| "it is lifted, and not known to mean anything".to_owned());
        }
        Ok(expected) => expected,
    };
    for (to, value) in &found {
        let Some((name, wanted, bits)) = expected.iter().find(|(name, ..)| name == place(*to)) else {
            return Some(format!("{} is not written", place(*to)));
        };
        let mask = u64::MAX >> (64 - bits);
        if let Some(value) = value
            && wanted.map(|wanted| wanted & mask) != Some(value & mask)
        {
            return Some(format!(
                "{name} is {:x?}, and not {:#x}",
                wanted.map(|wanted| wanted & mask),
                value & mask
            ));
        }
    }
    None
}

fn compare(findings: &mut Findings, one: &Spelling, threads: &[Registers]) {
    let operands = one.text();
    let instruction = Instruction::new(Language::Ptx, 1, None, &one.opcode, &operands);
    let lifted = lift(&instruction);
    let found = threads.iter().find_map(|thread| fault(&instruction, lifted.as_ref(), thread));
    findings.note(&instruction, found);
    if let Some(lifted) = lifted {
        let function = |step: &Operation| matches!(step, Operation::Function(_) | Operation::Test(_));
        findings.note_lifted(one.name(), &one.opcode, !lifted.steps.iter().any(function));
    }
}

#[test]
fn ptx_is_lifted_as_its_text_does() {
    let (shapes, mut findings) = (shapes(), Findings::default());
    for case in 0..cases::cases(100_000) {
        let random = &mut cases::random(case);
        let threads: Vec<Registers> = (0..6).map(|_| registers(random)).collect();
        for _ in 0..50 {
            compare(&mut findings, &spelling(random, &shapes), &threads);
        }
    }
    findings.end();
}

/// Each row with all operands and modifiers of others: what is lifted is known, and what is known is lifted.
#[test]
fn all_that_is_lifted_of_ptx_is_known() {
    let (shapes, mut findings) = (shapes(), Findings::default());
    let threads = [registers(&mut cases::random(0))];
    for name in &shapes.names {
        for one in shapes.by_name.values().flatten() {
            let rest = &one.opcode[one.name().len()..];
            let operands = one.operands.iter().map(|text| renamed(text)).collect();
            compare(&mut findings, &Spelling { opcode: format!("{name}{rest}"), operands }, &threads);
        }
    }
    findings.are_of(&[LIFTED, FUNCTIONS].concat(), FUNCTIONS);
    findings.end();
}
