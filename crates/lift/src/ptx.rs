//! What instructions of PTX do (*PTX ISA* 8, chapter 9).
//!
//! Registers and symbols have any names, so that a step says which of the names in the operands it means. All steps of an instruction have the
//! bits of its type. An instruction that computes something which is not looked into is a function of what it reads.

mod spelling;

use crate::{Bit, Lifted, Operation, Origin, Place, Relation, Sign, Special, TABLES, Term, Word};
use warpspan_isa::instruction::Instruction;
use warpspan_isa::memory::{OfParameter, loaded_parameters};
use warpspan_isa::ptx_names::{every_name, written};
use warpspan_isa::ptx_operand::{Operand, integer_type};
use warpspan_isa::spelling::parts;

const AND: u8 = TABLES[0] & TABLES[1];
const OR: u8 = TABLES[0] | TABLES[1];
const XOR: u8 = TABLES[0] ^ TABLES[1];

/// How the names of special registers begin that change while a thread runs.
const CHANGING: [&str; 5] = ["%clock", "%globaltimer", "%pm", "%smid", "%warpid"];

/// The steps of an instruction; none if it may give anything.
pub fn lift(instruction: &Instruction<'_>) -> Option<Lifted> {
    if let Some(all) = loaded_parameters(instruction) {
        return parameters(instruction, all);
    }
    instruction.ptx_row().filter(|row| row.computes)?;
    let operands = instruction.ptx_operands();
    let (to, sources) = operands.split_first()?;
    let parts: Vec<&str> = parts(instruction).collect();
    // A vector, or a part of one.
    let is_vector = operands.iter().any(|one| one.text.contains('{')) || to.part.is_some();
    // Which of two results a register would hold is not said.
    let is_twice = matches!(to.names[..], [one, other] if one == other);
    if is_vector || is_twice || !spelling::is_result(to) || parts.contains(&"cc") {
        return None;
    }
    let mut reader = Reader {
        names: every_name(instruction).collect(),
        to: written(instruction).len(),
        parts: &parts,
        sources,
        lifted: Lifted::of(bits(&parts)),
    };
    match (parts[0], parts.last().copied()?) {
        ("setp", _) => reader.compare()?,
        ("testp", _) => return None,
        ("selp", _) => reader.select()?,
        ("and" | "or" | "xor" | "not" | "mov", "pred") if parts.len() == 2 => reader.logic_of_bits()?,
        (_, "pred") => return None,
        _ => match reader.integer() {
            Some(result) => reader.gives(result),
            None => reader.function(),
        },
    }
    Some(reader.lifted)
}

/// A load of numbers in a parameter. A register has 16 bits at least, so that a shorter number is extended.
fn parameters<'a>(one: &Instruction<'a>, all: impl Iterator<Item = OfParameter<'a>>) -> Option<Lifted> {
    let parts: Vec<&str> = parts(one).collect();
    let [to, from] = one.ptx_operands() else { return None };
    spelling::is_load(&parts, to, from).then_some(())?;
    let all: Vec<OfParameter<'a>> = all.collect();
    let (names, bits) = (written(one), all.first()?.number.0);
    // Which of two results a register would hold is not said.
    let is_twice = (1..names.len()).any(|at| names[..at].contains(&names[at]));
    if is_twice {
        return None;
    }
    let mut lifted = Lifted::of(if bits < 16 { 64 } else { bits });
    for (at, OfParameter { byte, number, .. }) in all.into_iter().enumerate() {
        lifted.gives(Place::Named(at), Operation::Parameter { name: names.len(), byte, number });
    }
    Some(lifted)
}

/// The bits of what an instruction gives of which only that is known.
fn bits(parts: &[&str]) -> u32 {
    // The type of the result is not always the last one: `cvt.s64.f32`, `mul.wide.s32`.
    let is_wide = parts.iter().any(|part| part.ends_with("64") || *part == "wide");
    if is_wide { 64 } else { 32 }
}

/// The table of an operation on the bits that its name says.
fn table(name: &str) -> Option<u8> {
    Some(match name {
        "and" => AND,
        "or" => OR,
        "xor" => XOR,
        _ => return None,
    })
}

/// An instruction that is being lifted.
struct Reader<'i, 'a> {
    /// All names in its operands.
    names: Vec<&'a str>,
    /// How many of them it writes, which are the first ones.
    to: usize,
    parts: &'i [&'a str],
    sources: &'i [Operand<'a>],
    lifted: Lifted,
}

impl Reader<'_, '_> {
    fn has(&self, part: &str) -> bool {
        self.parts.contains(&part)
    }

    /// The place of a name among all; that of its first use.
    fn place(&self, name: &str) -> usize {
        self.names.iter().position(|one| *one == name).unwrap_or(usize::MAX)
    }

    /// Adds the step whose result goes to the one register that the instruction writes.
    fn gives(&mut self, operation: Operation) {
        let step = self.lifted.step(operation);
        self.lifted.writes.extend((0..self.to.min(1)).map(|at| (Place::Named(at), step)));
    }

    /// A source as a word.
    fn word(&mut self, at: usize) -> Option<Term> {
        let operand = self.sources.get(at)?;
        Some(self.word_of(operand))
    }

    fn word_of(&mut self, operand: &Operand<'_>) -> Term {
        if let Some(number) = operand.number {
            return Term::of(Word::Number(number));
        }
        if operand.address.is_some() || operand.is_negated() {
            return Term::of(Word::Unknown);
        }
        // A number with a fraction.
        if operand.names.is_empty() {
            return Term::of(Word::Literal);
        }
        if operand.part.is_some() {
            return match special(operand) {
                Some(special) => Term::step(self.lifted.step(Operation::Special(special))),
                None => Term::of(Word::Unknown),
            };
        }
        if let Some((name, offset)) = operand.text.split_once('+') {
            // A symbol or a register, and a number.
            let parts = [name, offset].map(|text| Operand::all(text.trim()));
            let [[name], [offset]] = &parts.each_ref().map(Vec::as_slice) else {
                return Term::of(Word::Unknown);
            };
            let Some(offset) = offset.number else { return Term::of(Word::Unknown) };
            let terms = vec![self.word_of(name), Term::of(Word::Number(offset))];
            return Term::step(self.lifted.step(Operation::Sum(terms, Bit::CLEAR)));
        }
        match operand.plain() {
            Some("%laneid") => Term::step(self.lifted.step(Operation::Special(Special::Lane))),
            Some("WARP_SZ") => Term::number(32),
            // Each read may find another number.
            Some(name) if CHANGING.iter().any(|one| name.starts_with(one)) => Term::of(Word::Unknown),
            Some(name) => Term::of(Word::Named(self.place(name))),
            None => Term::of(Word::Unknown),
        }
    }

    fn words(&mut self) -> Vec<Term> {
        self.sources.iter().map(|operand| self.word_of(operand)).collect()
    }

    /// A source as a predicate.
    fn bit(&mut self, at: usize) -> Option<Bit> {
        let operand = self.sources.get(at)?;
        Some(match (operand.number, operand.name()) {
            (Some(0), _) => Bit::CLEAR,
            (Some(_), _) => Bit::SET,
            (None, Some(name)) if operand.text.strip_prefix('!').unwrap_or(operand.text) == name => {
                Bit { of: Origin::Named(self.place(name)), negated: operand.is_negated() }
            }
            (None, _) => Bit::step(self.lifted.step(Operation::UnknownBit)),
        })
    }

    /// A function of all sources.
    fn function(&mut self) {
        self.lifted = Lifted::of(bits(self.parts));
        let words = self.words();
        self.gives(Operation::Function(words.clone()));
        // Behind the result of `lop3` there may be a predicate.
        for at in 1..self.to {
            self.lifted.gives(Place::Named(at), Operation::Test(words.clone()));
        }
    }

    /// `setp.lt.s32 p, a, b` and `setp.lt.and.s32 p|q, a, b, c`, where q is what p is of the opposite comparison.
    fn compare(&mut self) -> Option<()> {
        let (a, b) = (self.word(0)?, self.word(1)?);
        let known = self.parts.last().filter(|_| spelling::is_of_integers(self.parts));
        let kind = known.and_then(|part| integer_type(part));
        let relation = self.parts.get(1).and_then(|part| Relation::of(part));
        let [first, second] = match kind.zip(relation) {
            Some(((bits, signed), relation)) => {
                self.lifted.bits = bits;
                [relation, relation.denied()].map(|relation| Operation::Compare {
                    relation,
                    signed,
                    of: [a, b],
                })
            }
            None => [Operation::Test(vec![a, b]), Operation::Test(vec![a, b])],
        };
        let table = self.parts.get(2).and_then(|part| table(part));
        let other = match (table, self.sources.len()) {
            (None, 2) => None,
            (Some(table), 3) => Some((table, self.bit(2)?)),
            _ => return None,
        };
        for (at, compared) in [first, second].into_iter().enumerate().take(self.to) {
            let mut step = self.lifted.step(compared);
            if let Some((table, other)) = other {
                step = self.lifted.step(Operation::Bits(table, [Bit::step(step), other, Bit::SET]));
            }
            self.lifted.writes.push((Place::Named(at), step));
        }
        Some(())
    }

    fn select(&mut self) -> Option<()> {
        let known = spelling::is_of_integers(self.parts) || matches!(self.parts, [_, "f32" | "f64"]);
        let is_part =
            |one: &Operand<'_>| one.part.is_some() && one.name().is_some_and(|name| !name.starts_with('%'));
        let is_plain = |one: &Operand<'_>| {
            one.number.is_some()
                || !one.text.starts_with(['!', '-', '[']) && !one.text.contains('|') && !is_part(one)
        };
        let plain = self.sources.iter().take(2).all(is_plain);
        (known && plain && self.sources.len() == 3 && self.to == 1).then_some(())?;
        let (of, which) = ([self.word(0)?, self.word(1)?], self.bit(2)?);
        self.lifted.bits =
            self.parts.last().and_then(|part| integer_type(part)).map_or(self.lifted.bits, |kind| kind.0);
        self.gives(Operation::Select(which, of));
        Some(())
    }

    fn logic_of_bits(&mut self) -> Option<()> {
        (self.to == 1).then_some(())?;
        let one = self.bit(0)?;
        let (table, two) = match (table(self.parts[0]), self.sources.len()) {
            (Some(table), 2) => (table, self.bit(1)?),
            (None, 1) => (AND, Bit::SET),
            _ => return None,
        };
        let one = if self.parts[0] == "not" { Bit { negated: !one.negated, ..one } } else { one };
        self.gives(Operation::Bits(table, [one, two, Bit::SET]));
        Some(())
    }

    /// What an instruction on integers gives; none if it is not one of those that are looked into.
    fn integer(&mut self) -> Option<Operation> {
        let name = self.parts[0];
        let (bits, signed) = integer_type(self.parts.last()?)?;
        if self.to != 1 || !spelling::is_of_integers(self.parts) {
            return None;
        }
        if name == "cvt" {
            return self.convert((bits, signed));
        }
        self.lifted.bits = bits;
        let sources = self.words();
        let zero = Term::number(0);
        let sum = |terms: &[Term]| Operation::Sum(terms.to_vec(), Bit::CLEAR);
        let negated = |term: Term| Term { sign: Sign::Negated, ..term };
        Some(match (name, &sources[..]) {
            ("mov", &[a]) => sum(&[a]),
            // Global memory begins at zero of all memory. Where the others lie is not known.
            ("cvta", &[a]) if self.has("global") => sum(&[a]),
            ("cvta", &[a]) => sum(&[a, Term::of(Word::Literal)]),
            ("add", &[a, b]) => sum(&[a, b]),
            ("sub", &[a, b]) => sum(&[a, negated(b)]),
            ("neg", &[a]) => sum(&[negated(a)]),
            ("not", &[a]) => Operation::Logic(!TABLES[0], [a, zero, zero]),
            ("and" | "or" | "xor", &[a, b]) => Operation::Logic(table(name)?, [a, b, zero]),
            ("abs", &[a]) => Operation::Magnitude(a),
            ("mul" | "mad" | "mul24" | "mad24", &[a, b, ref rest @ ..]) => {
                let product = self.product([a, b], (bits, signed))?;
                match (name.starts_with("mad"), rest) {
                    (false, []) => product,
                    (true, &[c]) => {
                        let step = self.lifted.step(product);
                        sum(&[Term::step(step), c])
                    }
                    _ => return None,
                }
            }
            // The amount has 32 bits, whatever the type.
            ("shl" | "shr", &[_, by]) if bits < 32 && by.only().is_none_or(|by| by > 0xffff) => return None,
            ("shl" | "shr", &[of, by]) => Operation::ShiftBy { left: name == "shl", signed, of, by },
            ("min" | "max", &[a, b]) => Operation::Extreme { least: name == "min", signed, of: [a, b] },
            ("div" | "rem", &[a, b]) => Operation::Quotient { signed, of: [a, b], remainder: name == "rem" },
            ("bfe", &[of, at, length]) => Operation::Extract { signed, of, at, length },
            ("brev", &[a]) => Operation::Reverse(a),
            ("popc", &[a]) => Operation::Ones(a),
            ("clz", &[a]) => Operation::Zeros(a),
            _ => return None,
        })
    }

    /// The product of two numbers of a type.
    fn product(&mut self, factors: [Term; 2], (bits, signed): (u32, bool)) -> Option<Operation> {
        if self.has("wide") {
            self.lifted.bits = 2 * bits;
            return (bits < 64).then_some(Operation::WideProduct { signed, factors });
        }
        let is_short = self.parts[0].ends_with("24");
        match (self.has("lo"), self.has("hi")) {
            // The lower 24 bits of each are its numbers.
            (true, _) if is_short => {
                let (at, length) = (Term::number(0), Term::number(24));
                let factors = factors
                    .map(|of| Term::step(self.lifted.step(Operation::Extract { signed, of, at, length })));
                Some(Operation::Product { signed, factors, upper: false })
            }
            (true, _) => Some(Operation::Product { signed, factors, upper: false }),
            (_, true) if !is_short => Some(Operation::Product { signed, factors, upper: true }),
            _ => None,
        }
    }

    /// A conversion between integers.
    fn convert(&mut self, from: (u32, bool)) -> Option<Operation> {
        let &[_, to, _] = self.parts else { return None };
        let (bits, signed) = integer_type(to)?;
        self.lifted.bits = bits;
        let of = self.word(0).filter(|_| self.sources.len() == 1)?;
        Some(Operation::Convert { from, signed, of })
    }
}

/// The special register that an operand is.
fn special(operand: &Operand<'_>) -> Option<Special> {
    let axis = ["x", "y", "z"].into_iter().position(|axis| operand.part == Some(axis))?;
    Some(match operand.name()? {
        "%tid" => Special::Thread(axis),
        "%ctaid" => Special::Block(axis),
        "%ntid" => Special::Threads(axis),
        "%nctaid" => Special::Blocks(axis),
        _ => return None,
    })
}
