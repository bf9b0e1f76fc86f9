//! Random programs of SASS and PTX as text, with guards, branches that some lanes take and counted loops: the steps of all instructions leave in the
//! registers of 32 lanes what an interpreter of the text does.

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

use super::interpreter::ptx::{Registers, width};
use super::interpreter::text::{self, Code};
use super::interpreter::thread::{Slot, Thread};
use super::interpreter::warp::{Machine, run};
use super::interpreter::{ptx, sass};
use super::of_sass::{held, lane};
use super::shapes::{Shapes, Spelling};
use super::{cases, of_ptx, of_sass};
use crate::run::{Lane, place};
use warpspan_isa::instruction::{Instruction, Language};
use warpspan_isa::ptx_names::every_name;
use warpspan_isa::register::Register;

/// The lanes of a warp.
const LANES: u32 = 32;
/// No program takes more steps of a warp.
const MOST: usize = 10_000;

impl Machine for Lane<'_> {
    fn holds(&self, name: &str) -> bool {
        Register::of(name).is_none_or(|register| self.registers[&place(register)] != 0)
    }

    fn execute(&mut self, one: &text::Instruction<'_>) {
        let one = Instruction::new(Language::Sass, 1, None, one.opcode, one.text);
        self.run(&crate::sass::lift(&one).unwrap());
    }
}

/// A lane that executes the steps of PTX.
struct OfSteps(Registers);

impl Machine for OfSteps {
    fn holds(&self, name: &str) -> bool {
        self.0.held[name] == 1
    }

    fn execute(&mut self, one: &text::Instruction<'_>) {
        let one = Instruction::new(Language::Ptx, 1, None, one.opcode, one.text);
        let names: Vec<&str> = every_name(&one).collect();
        let mut lane = of_ptx::lane(&self.0, &names);
        lane.run(&crate::ptx::lift(&one).unwrap());
        for name in warpspan_isa::ptx_names::written(&one) {
            let at = names.iter().position(|other| *other == name).unwrap();
            self.0.held.insert(name.to_owned(), lane.named[at] & (u64::MAX >> (64 - width(name).unwrap())));
        }
    }
}

/// How programs of a language are written.
struct Style {
    branch: &'static str,
    predicates: [&'static str; 3],
    /// Sets the counter of a loop, which no other instruction writes.
    start: &'static [&'static str],
    /// Counts, and sets the predicate of the loop where there is another pass.
    end: [&'static str; 2],
    /// That predicate.
    again: &'static str,
}

const SASS: Style = Style {
    branch: "BRA",
    predicates: ["P0", "!P1", "P2"],
    start: &["S2R R23, SR_LANEID", "LOP3.LUT R23, R23, 0x3, RZ, 0xc0, !PT"],
    end: ["IADD3 R23, R23, -0x1, RZ", "ISETP.GE.AND P6, PT, R23, RZ, PT"],
    again: "P6",
};

const PTX: Style = Style {
    branch: "bra",
    predicates: ["%p0", "!%p1", "%p2"],
    start: &["mov.u32 %r5, %laneid", "and.b32 %r5, %r5, 3"],
    end: ["sub.s32 %r5, %r5, 1", "setp.ge.s32 %p5, %r5, 0"],
    again: "%p5",
};

/// A program of instructions, with branches and a loop, or without either.
fn program(random: &mut ChaCha8Rng, style: &Style, mut one: impl FnMut(&mut ChaCha8Rng) -> String) -> String {
    let mut lines = vec![];
    let label =
        |number: u32| if style.branch == "bra" { format!("$L{number}") } else { format!(".L_x_{number}") };
    let to =
        |number: u32| if style.branch == "bra" { label(number) } else { format!("`({})", label(number)) };
    let looped = random.random_bool(0.4);
    let mut some = |random: &mut ChaCha8Rng, most| -> Vec<String> {
        let count = random.random_range(1..=most);
        (0..count).map(|_| one(random)).collect()
    };
    lines.extend(some(random, 12));
    if looped {
        lines.extend(style.start.iter().map(|line| (*line).to_owned()));
        lines.push(format!("{}:", label(0)));
    }
    lines.extend(some(random, 6));
    if random.random_bool(0.5) {
        let which = style.predicates.choose(random).unwrap();
        lines.push(format!("@{which} {} {}", style.branch, to(1)));
        lines.extend(some(random, 4));
        lines.push(format!("{} {}", style.branch, to(2)));
        lines.push(format!("{}:", label(1)));
        lines.extend(some(random, 4));
        lines.push(format!("{}:", label(2)));
    }
    if looped {
        lines.extend(style.end.iter().map(|line| (*line).to_owned()));
        lines.push(format!("@{} {} {}", style.again, style.branch, to(0)));
    }
    lines.extend(some(random, 8));
    let ended = |line: String| if line.ends_with(':') { line } else { line + ";" };
    lines.into_iter().map(ended).collect::<Vec<_>>().join("\n")
}

/// A random instruction of SASS, perhaps with a guard: one that gives something that is known in all of these threads.
fn instruction_of_sass(random: &mut ChaCha8Rng, shapes: &Shapes, samples: &[(Thread, Lane<'_>)]) -> String {
    loop {
        let one = of_sass::spelling(random, shapes);
        let operands = one.text();
        let instruction = Instruction::new(Language::Sass, 1, None, &one.opcode, &operands);
        let Some(lifted) = crate::sass::lift(&instruction) else { continue };
        let known = samples.iter().all(|(thread, lane)| {
            let is_free =
                |slot: Slot| !matches!(slot, Slot::General(23) | Slot::Predicate(6) | Slot::Uniform(_));
            let expected = sass::execute(&text::Instruction::new(&one.opcode, &operands), thread);
            let known = |(slot, value): &(Slot, Option<u32>)| value.is_some() && is_free(*slot);
            expected.is_some_and(|writes| writes.iter().all(known) && !writes.is_empty())
                && lane.writes(&lifted).iter().all(|(_, value)| value.is_some())
        });
        // What a warp has once, other lanes would see too.
        if known && !one.name().starts_with('U') {
            let guard = ["", "", "", "@P0 ", "@!P1 ", "@P2 ", "@UP1 "].choose(random).unwrap();
            return format!("{guard}{} {operands}", one.opcode);
        }
    }
}

fn instruction_of_ptx(random: &mut ChaCha8Rng, shapes: &Shapes, samples: &[Registers]) -> String {
    loop {
        let one: Spelling = of_ptx::spelling(random, shapes);
        let operands = one.text();
        let instruction = Instruction::new(Language::Ptx, 1, None, &one.opcode, &operands);
        let Some(lifted) = crate::ptx::lift(&instruction) else { continue };
        let names: Vec<&str> = every_name(&instruction).collect();
        let known = samples.iter().all(|thread| {
            // A register has the bits of the type, so that all of it is known.
            let fits = |name: &str, bits| width(name).is_some_and(|width| width == bits || bits == 64);
            let is_free = |name: &str| thread.held.contains_key(name) && !matches!(name, "%r5" | "%p5");
            let expected = ptx::execute(&text::Instruction::new(&one.opcode, &operands), thread);
            expected.is_ok_and(|writes| {
                writes.iter().all(|(name, value, bits)| value.is_some() && fits(name, *bits) && is_free(name))
            }) && of_ptx::lane(thread, &names).writes(&lifted).iter().all(|(_, value)| value.is_some())
        });
        // A divisor in a register may be zero in another thread, and what a predicate chooses may be unknown there.
        let is_number = |text: &String| text.starts_with(|c: char| c.is_ascii_digit() || c == '-');
        let may_divide = matches!(one.name(), "div" | "rem") && !one.operands.get(2).is_some_and(is_number);
        let is_known = one.name() != "selp"
            || !["%clock", "%smid", "0f", "."].iter().any(|text| operands.contains(text));
        if known && !may_divide && is_known {
            let guard = ["", "", "", "@%p0 ", "@!%p1 ", "@%p2 "].choose(random).unwrap();
            return format!("{guard}{} {operands}", one.opcode);
        }
    }
}

#[test]
fn programs_of_sass_leave_what_their_text_does() {
    let shapes = of_sass::shapes();
    for case in 0..cases::cases(20_000) {
        let random = &mut cases::random(case);
        let samples = of_sass::threads(random, 3);
        let text = program(random, &SASS, |random| instruction_of_sass(random, &shapes, &samples));
        let (code, common) = (Code::read(&text), of_sass::thread(random));
        let mut thread = |number| {
            let mut thread = of_sass::thread(random);
            (thread.uniform, thread.uniform_predicates) = (common.uniform, common.uniform_predicates);
            thread.place = common.place;
            (thread.place.lane, thread.place.thread[0]) = (number, number);
            thread
        };
        let mut threads: Vec<Thread> = (0..LANES).map(&mut thread).collect();
        let mut lanes: Vec<Lane<'_>> = threads.iter().map(lane).collect();
        assert!(run(&code, &mut threads, MOST, &mut ()) && run(&code, &mut lanes, MOST, &mut ()), "it ends");
        for (number, (thread, steps)) in threads.iter().zip(&lanes).enumerate() {
            for (&(file, register), &word) in &steps.registers {
                let file = [Slot::General, Slot::Uniform, Slot::Predicate, Slot::UniformPredicate]
                    [usize::from(file)];
                let slot = file(register);
                assert_eq!(word, held(thread, slot), "case {case}, lane {number}, {slot:?}:\n{text}");
            }
            assert_eq!(steps.code, [thread.carry, thread.zero], "case {case}, lane {number}:\n{text}");
        }
    }
}

#[test]
fn programs_of_ptx_leave_what_their_text_does() {
    let shapes = of_ptx::shapes();
    for case in 0..cases::cases(20_000) {
        let random = &mut cases::random(case);
        let samples: Vec<Registers> = (0..3).map(|_| of_ptx::registers(random)).collect();
        let text = program(random, &PTX, |random| instruction_of_ptx(random, &shapes, &samples));
        let (code, common) = (Code::read(&text), of_ptx::registers(random));
        let mut thread = |number| {
            let mut thread = of_ptx::registers(random);
            (thread.symbol, thread.place) = (common.symbol, common.place);
            (thread.place.lane, thread.place.thread[0]) = (number, number);
            thread
        };
        let mut threads: Vec<Registers> = (0..LANES).map(&mut thread).collect();
        let mut lanes: Vec<OfSteps> = threads.iter().cloned().map(OfSteps).collect();
        assert!(run(&code, &mut threads, MOST, &mut ()) && run(&code, &mut lanes, MOST, &mut ()), "it ends");
        for (number, (thread, steps)) in threads.iter().zip(&lanes).enumerate() {
            let different = thread.held.iter().find(|(name, value)| steps.0.held[*name] != **value);
            let found = &steps.0.held;
            assert_eq!(different, None, "case {case}, lane {number}: steps give {found:x?}\n{text}");
        }
    }
}
