//! What instructions of SASS do.
//!
//! NVIDIA documents the opcodes by their names only. What is lifted was read off what `ptxas` makes of PTX whose meaning is documented: an
//! instruction whose name, whose modifiers and all of whose operands are among those below. A carry of a sum of three words, and what an
//! opcode gives besides its result, is any bit.

mod arithmetic;
mod bits;
mod halves;
mod spelling;

use crate::{Bit, Flag, Lifted, Operation, Origin, Place, Sign, Special, Term, Word};
use warpspan_isa::instruction::Instruction;
use warpspan_isa::operand::{Kind, Operand};
use warpspan_isa::spelling::parts;

/// The steps of an instruction; none if it may give anything.
pub fn lift(instruction: &Instruction<'_>) -> Option<Lifted> {
    let mut parts = parts(instruction);
    let name = parts.next().unwrap_or_default();
    let modifiers: Vec<&str> = parts.collect();
    let mut reader = Reader::new(instruction.operands(), &modifiers)?;
    // The uniform data path computes the same.
    let name = name.strip_prefix('U').unwrap_or(name);
    spelling::is_known(name, instruction, &reader).then_some(())?;
    match name {
        "MOV32I" if !modifiers.is_empty() => None,
        "MOV" | "MOV32I" => reader.copy(),
        "R2UR" => reader.some_lane(),
        "S2R" | "S2UR" | "CS2R" => reader.special(name),
        "LDC" | "LDCU" => reader.constant(),
        "HFMA2" => reader.half_words(),
        "IADD" | "IADD32I" | "IADD3" | "VIADD" => reader.sum(name),
        "LEA" | "ISCADD" => reader.scaled_sum(name),
        "IMAD" => reader.multiply(),
        "XMAD" => reader.halves(),
        "SHF" | "SHL" | "SHR" => reader.shift(name),
        "I2F" | "I2FP" | "MUFU" | "F2I" => reader.float(name),
        "IABS" => reader.absolute(),
        "I2I" => reader.without_sign(),
        "IMNMX" | "VIMNMX" => reader.extreme(),
        "VMNMX" => reader.clamp(),
        "VIADDMNMX" => reader.extreme_of_sum(),
        "LOP" | "LOP32I" => reader.logic(name),
        "LOP3" => reader.table(),
        "SEL" => reader.select(),
        "ISETP" => reader.compare(),
        "ISET" => reader.mask(),
        "PLOP3" => reader.table_of_bits(),
        "PSETP" => reader.logic_of_bits(),
        _ => None,
    }?;
    Some(reader.lifted)
}

/// A word of a constant bank at an address that is written there: `c[0x2][0x10]`.
fn fixed(operand: &Operand<'_>) -> Option<Word> {
    let text: String = operand.unsigned().chars().filter(|c| *c != ' ').collect();
    let (bank, at) = text.strip_prefix("c[0x")?.strip_suffix(']')?.split_once("][0x")?;
    let number = |text| u32::from_str_radix(text, 16).ok();
    Some(Word::Fixed { bank: number(bank)?, at: number(at)? })
}

/// The upper word of a number of two words, of which this is the lower one.
fn upper(word: Word) -> Option<Word> {
    match word {
        Word::Number(number) => Some(Word::Number(0)).filter(|_| number < 1 << 31),
        Word::Register(register) => register.run(2).nth(1).map(Word::Register),
        word => behind(word),
    }
}

/// The word behind another in memory.
fn behind(word: Word) -> Option<Word> {
    Some(match word {
        Word::Constant(at) => Word::Constant(at.checked_add(4)?),
        Word::Fixed { bank, at } => Word::Fixed { bank, at: at.checked_add(4)? },
        Word::Unknown => Word::Unknown,
        Word::Number(_) | Word::Register(_) | Word::Named(_) | Word::Literal | Word::Step(_) => return None,
    })
}

/// An instruction that is being lifted: its operands by their places, `to, outs, sources, ins`.
struct Reader<'i, 'a> {
    modifiers: &'i [&'a str],
    /// All operands.
    all: &'i [Operand<'a>],
    /// Predicates before the result.
    before: &'i [Operand<'a>],
    /// The result.
    to: &'i Operand<'a>,
    /// Predicates directly behind it, which are results too.
    outs: &'i [Operand<'a>],
    sources: &'i [Operand<'a>],
    /// Predicates behind the sources, and what follows them.
    ins: &'i [Operand<'a>],
    lifted: Lifted,
}

impl<'i, 'a> Reader<'i, 'a> {
    fn new(operands: &'i [Operand<'a>], modifiers: &'i [&'a str]) -> Option<Self> {
        let is_number = |one: &Operand<'_>| !one.is_predicate();
        // What has predicates alone has its results first.
        let place = operands.iter().position(is_number).unwrap_or(0);
        let (before, rest) = operands.split_at(place);
        let (to, rest) = rest.split_first()?;
        let outs = rest.iter().position(is_number).unwrap_or(0);
        let (outs, rest) = rest.split_at(outs);
        let ins = rest.iter().position(Operand::is_predicate).unwrap_or(rest.len());
        let (sources, ins) = rest.split_at(ins);
        Some(Self { modifiers, all: operands, before, to, outs, sources, ins, lifted: Lifted::of(32) })
    }

    /// Whether the instruction has all of these modifiers and no other.
    fn has_only(&self, wanted: &[&str]) -> bool {
        self.modifiers.len() == wanted.len() && wanted.iter().all(|one| self.modifiers.contains(one))
    }

    fn has(&self, modifier: &str) -> bool {
        self.modifiers.contains(&modifier)
    }

    /// Whether numbers have a sign, where no modifier but one of these says that they have none.
    fn signed(&self) -> Option<bool> {
        match self.modifiers {
            [] | ["S32"] => Some(true),
            ["U32"] => Some(false),
            _ => None,
        }
    }

    /// A word that is read.
    fn term(&self, operand: &Operand<'_>) -> Option<Term> {
        let word = match operand.kind {
            Kind::Zero(_) => Word::Number(0),
            Kind::Number(number) => Word::Number(number.into()),
            Kind::Register { register, whole: true } if !register.file.is_of_predicates() => {
                Word::Register(register)
            }
            Kind::Address { .. } => Self::in_bank(operand),
            _ => return None,
        };
        let sign = match operand.sign {
            None => Sign::Plain,
            Some('-') => Sign::Negated,
            Some('~') => Sign::Inverted,
            Some(_) => return None,
        };
        Some(Term { word, sign })
    }

    /// A word of a constant bank.
    fn in_bank(operand: &Operand<'_>) -> Word {
        operand.constant().map(Word::Constant).or_else(|| fixed(operand)).unwrap_or(Word::Unknown)
    }

    /// A word that is read without a sign. The minus of a number that stands there belongs to the number.
    fn plain(&self, operand: &Operand<'_>) -> Option<Term> {
        self.term(operand).filter(|one| one.sign == Sign::Plain || one.only().is_some())
    }

    /// All words that are read.
    fn terms<const N: usize>(&self) -> Option<[Term; N]> {
        let terms: Vec<Term> = self.sources.iter().map(|one| self.term(one)).collect::<Option<_>>()?;
        terms.try_into().ok()
    }

    /// All words that are read, each without a sign.
    fn plain_terms<const N: usize>(&self) -> Option<[Term; N]> {
        let terms: Vec<Term> = self.sources.iter().map(|one| self.plain(one)).collect::<Option<_>>()?;
        terms.try_into().ok()
    }

    /// A number of two words that is read, the lower one first. That of a written number is what it is without a sign.
    fn pair(&self, operand: &Operand<'_>) -> Option<[Term; 2]> {
        let low = self.term(operand).filter(|one| one.sign == Sign::Plain)?;
        Some([low, Term::of(upper(low.word)?)])
    }

    /// The words of a number of two words that is added, or subtracted: `-x` is `~x + 1`, and the minus of the lower word has the 1.
    fn addend(&self, operand: &Operand<'_>) -> Option<[Term; 2]> {
        let low = self.term(operand)?;
        let sign = match low.sign {
            Sign::Plain => Sign::Plain,
            Sign::Negated => Sign::Inverted,
            Sign::Inverted => return None,
        };
        Some([low, Term { word: upper(low.word)?, sign }])
    }

    /// A bit that is read.
    fn bit(&self, operand: &Operand<'_>) -> Option<Bit> {
        let of = match operand.kind {
            Kind::True(_) => Origin::Set,
            Kind::Register { register, whole: true } if register.file.is_of_predicates() => {
                Origin::Predicate(register)
            }
            _ => return None,
        };
        Some(Bit { of, negated: operand.sign.is_some() })
    }

    /// The result is what this gives.
    fn give(&mut self, operation: Operation) -> usize {
        let step = self.lifted.step(operation);
        self.give_step(step);
        step
    }

    /// The result is what a step gives.
    fn give_step(&mut self, step: usize) {
        if let Some(register) = self.to.register().filter(|one| !one.file.is_of_predicates()) {
            self.lifted.writes.push((Place::Register(register), step));
        }
    }

    /// The result and the register behind it are what two steps give.
    fn give_pair(&mut self, steps: [usize; 2]) {
        let Some(register) = self.to.register() else { return };
        for (register, step) in register.run(2).zip(steps) {
            self.lifted.writes.push((Place::Register(register), step));
        }
    }

    /// A predicate that is written is what this gives.
    fn give_bit(&mut self, to: &Operand<'_>, operation: Operation) {
        if let Some(register) = to.predicate() {
            self.lifted.gives(Place::Register(register), operation);
        }
    }

    /// Predicates that are results, and the condition code, may be anything.
    fn give_any_bits(&mut self) {
        for to in self.outs.iter().chain(self.before) {
            self.give_bit(to, Operation::UnknownBit);
        }
        self.give_code([Operation::UnknownBit, Operation::UnknownBit]);
    }

    /// The condition code, where it is written, is a carry, and whether the result is zero.
    fn give_code(&mut self, [carry, zero]: [Operation; 2]) {
        if self.to.names_code {
            self.lifted.gives(Place::Code(Flag::Carry), carry);
            self.lifted.gives(Place::Code(Flag::Zero), zero);
        }
    }

    fn copy(&mut self) -> Option<()> {
        let from = match self.sources {
            [from] => from,
            [from, mask] if mask.is(0xf) => from,
            _ => return None,
        };
        if let (["64"], [from]) = (self.modifiers, self.sources) {
            let steps = self.pair(from)?.map(|word| self.lifted.step(Operation::Sum(vec![word], Bit::CLEAR)));
            self.give_pair(steps);
            return Some(());
        }
        if !(self.modifiers.is_empty() || self.has_only(&["U32"])) {
            return None;
        }
        self.give(Operation::Sum(vec![self.plain(from)?], Bit::CLEAR));
        Some(())
    }

    fn some_lane(&mut self) -> Option<()> {
        let [term] = self.plain_terms()?;
        self.modifiers.is_empty().then(|| self.give(Operation::SomeLane(term)))?;
        Some(())
    }

    fn special(&mut self, name: &str) -> Option<()> {
        let [from] = self.sources else { return None };
        let known = self.modifiers.is_empty() || name == "CS2R" && self.has_only(&["32"]);
        let zero = matches!(from.kind, Kind::Special("SRZ", None));
        if zero && known {
            let step = self.lifted.step(Operation::Sum(vec![Term::number(0)], Bit::CLEAR));
            match name == "CS2R" && self.modifiers.is_empty() {
                true => self.give_pair([step, step]),
                false => self.give_step(step),
            }
            return Some(());
        }
        let special = match from.kind {
            Kind::Special("SR_TID", Some(axis)) => Special::Thread(axis),
            Kind::Special("SR_CTAID", Some(axis)) => Special::Block(axis),
            Kind::Special("SR_NTID", Some(axis)) => Special::Threads(axis),
            Kind::Special("SR_NCTAID", Some(axis)) => Special::Blocks(axis),
            Kind::Special("SR_LANEID", None) => Special::Lane,
            Kind::Special("SR_CgaCtaId", None) => Special::InCluster,
            _ => return None,
        };
        if !known || name == "CS2R" && self.modifiers.is_empty() {
            return None; // of two words
        }
        let step = self.lifted.step(Operation::Special(special));
        match name {
            "S2UR" => drop(self.give(Operation::SomeLane(Term::step(step)))),
            _ => self.give_step(step),
        }
        Some(())
    }

    /// Words of the constant bank.
    fn constant(&mut self) -> Option<()> {
        let [from] = self.sources else { return None };
        let words = match self.modifiers {
            [] => 1,
            ["64"] => 2,
            ["128"] => 4,
            _ => return None,
        };
        let is_known = from.registers.is_empty() && from.sign.is_none();
        let mut word = if is_known { Self::in_bank(from) } else { Word::Unknown };
        for register in self.to.plain()?.run(words) {
            let step = Operation::Sum(vec![Term::of(word)], Bit::CLEAR);
            self.lifted.gives(Place::Register(register), step);
            word = behind(word)?;
        }
        Some(())
    }
}
