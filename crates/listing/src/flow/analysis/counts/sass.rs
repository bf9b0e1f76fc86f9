//! What instructions of SASS write.
//!
//! NVIDIA documents the opcodes by their names only. An instruction has an operation here if its name, its
//! modifiers and all of its operands are among those below, which are what compilers make of integer code. Of
//! all others it is known which registers the result may lie in
//! ([`written`](crate::isa::written::written)), or they may write anything.

use crate::flow::analysis::counts::effect::{
    CARRY, Comparison, Condition, Effect, Operation, Source, Term, Write,
};
use crate::flow::analysis::counts::half::half_words;
use crate::flow::analysis::counts::interval::{IntegerType, Interval};
use crate::flow::analysis::counts::recurrence::Relation;
use crate::isa::operand::{Kind, Operand};
use crate::isa::register::{File, Register};
use crate::isa::row::Output;
use crate::isa::sass::row;
use crate::isa::written::written;
use crate::params::Launch;
use crate::routine::{Flow, Instruction};

/// What an instruction writes.
pub(super) fn effect<'a>(instruction: &Instruction<'a>, launch: &Launch) -> Effect<'a> {
    let name = instruction.name();
    let nothing = row(name).is_some_and(|row| row.output == Output::Nothing);
    let calls = matches!(instruction.flow, Flow::Call(_) | Flow::CallInside(_) | Flow::Unknown);
    let Some(blocks) = written(instruction).filter(|_| nothing || !calls) else {
        return Effect::everything();
    };
    let registers = blocks.into_iter().flat_map(|block| block.first.run(block.most));
    let unknown = |register| Write { register, bits: 32, result: Operation::Unknown };
    let writes = registers.filter_map(Register::name).map(unknown).collect();
    let mut effect = Effect { writes, everything: false };
    let reader =
        Reader { operands: instruction.operands(), modifiers: instruction.modifiers().collect(), launch };
    if let ("LOP3" | "ULOP3", [test, register, rest @ ..]) = (name, reader.operands)
        && let Some(test) = test.predicate().and_then(Register::name)
        && let Some(register) = number_register(register).and_then(Register::name)
    {
        return reader.masked(test, register, rest).unwrap_or(effect);
    }
    if let Some([lower, upper]) = reader.wide(name) {
        let names = reader.operands.first().and_then(pair_of).into_iter().flatten();
        for (register, result) in names.zip([lower, upper]) {
            effect.writes.iter_mut().filter(|write| write.register == register).for_each(|write| {
                (write.bits, write.result) = (32, result.clone());
            });
        }
    } else if let Some((bits, result)) = reader.result(name) {
        if let ("IADD3" | "UIADD3", [], Operation::Sum(terms)) = (name, &reader.modifiers[..], &result) {
            // With two carries it is not known which one a sum has.
            let several =
                reader.operands.get(2).is_some_and(|one| one.is_always(true) || one.predicate().is_some());
            for write in effect.writes.iter_mut().filter(|write| is_predicate(write) && !several) {
                (write.bits, write.result) = (1, Operation::Carry(terms.clone()));
            }
        }
        let name = reader.operands.first().and_then(Operand::plain).and_then(Register::name);
        let own = effect.writes.iter_mut().find(|write| name == Some(write.register));
        if let Some(own) = own {
            (own.bits, own.result) = (bits, result);
        }
    } else if let Some(words) = reader.words(name) {
        for (write, word) in effect.writes.iter_mut().zip(words) {
            (write.bits, write.result) = (32, Operation::Sum(vec![word]));
        }
    }
    reader.sum_with_code(&mut effect, name);
    effect
}

fn is_predicate(write: &Write<'_>) -> bool {
    Register::of(write.register).is_some_and(|register| register.file.is_of_predicates())
}

/// The register of a number that an operand is, without a sign and as a whole.
fn number_register(operand: &Operand<'_>) -> Option<Register> {
    operand.plain().filter(|register| matches!(register.file, File::General | File::Uniform))
}

/// The names of the two registers that an operand stands for as a pair.
fn pair_of(operand: &Operand<'_>) -> Option<[&'static str; 2]> {
    let mut names = number_register(operand)?.run(2).filter_map(Register::name);
    Some([names.next()?, names.next()?])
}

/// An instruction that is being read.
pub(super) struct Reader<'i, 'a, 'l> {
    pub(super) operands: &'i [Operand<'a>],
    pub(super) modifiers: Vec<&'a str>,
    pub(super) launch: &'l Launch,
}

const SIGNED: IntegerType = IntegerType { signed: true, bits: 32 };
pub(super) const UNSIGNED: IntegerType = IntegerType { signed: false, bits: 32 };

impl<'i, 'a> Reader<'i, 'a, '_> {
    /// An operand that is read as 32 bits.
    pub(super) fn term(&self, operand: &Operand<'_>) -> Term<'a> {
        let source = match operand.sign {
            None | Some('-') => self.source(operand),
            Some(_) => Source::Unknown,
        };
        Term { negative: operand.sign.is_some(), source }
    }

    /// The same whatever its sign is.
    fn source(&self, operand: &Operand<'_>) -> Source<'a> {
        match operand.kind {
            Kind::Zero(_) => Source::Known(Interval::point(0)),
            Kind::Register {
                register: Register { file: File::General | File::Uniform, .. },
                whole: true,
            } => {
                operand.unsigned_register().and_then(Register::name).map_or(Source::Unknown, Source::Register)
            }
            Kind::Address { .. } => self.bank(operand, 0),
            Kind::Number(value) => Source::Known(Interval::point(value.into())),
            _ => Source::Unknown,
        }
    }

    /// What is added of an operand of the upper words: all of its bits may be changed, and ~x is -x - 1.
    fn addends(&self, operand: &Operand<'a>) -> Vec<Term<'a>> {
        if operand.sign != Some('~') {
            return vec![self.term(operand)];
        }
        vec![Term { negative: true, source: self.source(operand) }, Term::number(-1)]
    }

    /// The word behind an address of the constant bank by so many words.
    fn bank(&self, operand: &Operand<'_>, words: u32) -> Source<'a> {
        let at = operand.constant().and_then(|at| at.checked_add(4 * words));
        at.and_then(|at| self.launch.word(at)).map_or(Source::Unknown, Source::Known)
    }

    fn condition(&self, operand: &Operand<'_>) -> Option<Condition<'a>> {
        let register = operand.unsigned_register().filter(|register| register.file.is_of_predicates())?;
        Some(Condition { register: register.name()?, negated: operand.sign.is_some() })
    }

    /// The operands behind the result, without the predicates that the result may carry into.
    pub(super) fn sources(&self) -> Vec<&'i Operand<'a>> {
        let unused = |one: &&Operand<'_>| one.is_always(true) || one.predicate().is_some();
        let mut sources: Vec<&Operand<'_>> = self.operands.iter().skip(1).skip_while(unused).collect();
        // A carry that is never there.
        while sources.pop_if(|last| last.is_always(false)).is_some() {}
        sources
    }

    /// The bits and the operation of an instruction with one result, if it is understood.
    fn result(&self, name: &str) -> Option<(u32, Operation<'a>)> {
        let modifiers = &self.modifiers[..];
        if matches!(name, "ISETP" | "UISETP") {
            return self.comparison();
        }
        if matches!(name, "PLOP3" | "UPLOP3") {
            return self.logic();
        }
        if name == "PSETP" {
            return self.both();
        }
        if name == "XMAD" {
            return self.part_of_product().map(|part| (32, Operation::Half(part)));
        }
        let sources = self.sources();
        let at = |index: usize| sources.get(index).map(|operand| self.term(operand));
        let whole = |result: Operation<'a>| Some((32, result));
        let kind = if modifiers.contains(&"U32") { UNSIGNED } else { SIGNED };
        let one_or_no =
            |known: &[&str]| modifiers.is_empty() || modifiers.len() == 1 && known.contains(&modifiers[0]);
        match (name, sources.len()) {
            ("MOV" | "UMOV" | "MOV32I", 1) if modifiers.is_empty() => whole(Operation::Sum(vec![at(0)?])),
            ("MOV", 2) if modifiers.is_empty() && sources[1].is(0xf) => whole(Operation::Sum(vec![at(0)?])),
            // The number of some lane, not of each.
            ("R2UR", 1) if modifiers.is_empty() => whole(Operation::Either(at(0)?, at(0)?, None)),
            ("IADD3" | "UIADD3", 3) if modifiers.is_empty() => {
                whole(Operation::Sum(vec![at(0)?, at(1)?, at(2)?]))
            }
            ("IADD", 2) if modifiers == ["X"] => {
                let carry = Condition { register: CARRY, negated: false };
                let addends = sources.iter().flat_map(|one| self.addends(one)).collect();
                whole(Operation::SumWithCarry(addends, carry))
            }
            ("IADD3" | "UIADD3", 4) if modifiers == ["X"] => {
                let carry = self.condition(sources[3])?;
                let addends = sources[..3].iter().flat_map(|one| self.addends(one)).collect();
                whole(Operation::SumWithCarry(addends, carry))
            }
            ("IMAD" | "UIMAD", 4) if modifiers == ["X"] && (sources[0].is_zero() || sources[1].is_zero()) => {
                whole(Operation::SumWithCarry(self.addends(sources[2]), self.condition(sources[3])?))
            }
            ("IADD" | "IADD32I" | "VIADD", 2) if modifiers.is_empty() => {
                whole(Operation::Sum(vec![at(0)?, at(1)?]))
            }
            ("IMAD" | "UIMAD", 3)
                if one_or_no(&["MOV", "IADD", "SHL", "U32"])
                    || modifiers == ["MOV", "U32"]
                    || modifiers == ["SHL", "U32"] =>
            {
                whole(Operation::Product(at(0)?, at(1)?, Some(at(2)?)))
            }
            ("LEA" | "ULEA", 3) if modifiers.is_empty() => self.scaled(at(0)?, at(1)?, at(2)?),
            // The upper word of a number shifted left by n is what a shift right by 32 - n leaves.
            ("LEA" | "ULEA", 4) if modifiers == ["HI"] && sources[2].is_zero() => {
                let Source::Known(left) = amount(at(3)?)?.source else { return None };
                let by = 32 - left.only().filter(|&left| left > 0)?;
                whole(Operation::ShiftedSum(at(0)?, Term::number(by), at(1)?))
            }
            ("ISCADD", 3) if modifiers.is_empty() => self.scaled(at(0)?, at(1)?, at(2)?),
            ("SHL", 2) if modifiers.is_empty() => whole(Operation::ShiftLeft(at(0)?, amount(at(1)?)?)),
            ("SHR", 2) if one_or_no(&["U32", "S32"]) => {
                whole(Operation::ShiftRight(kind, at(0)?, amount(at(1)?)?))
            }
            ("SHF" | "USHF", 3) if modifiers == ["L", "U32"] && sources[2].is_zero() => {
                whole(Operation::ShiftLeft(at(0)?, amount(at(1)?)?))
            }
            ("SHF" | "USHF", 3)
                if sources[0].is_zero() && matches!(modifiers, ["R", "U32" | "S32", "HI"]) =>
            {
                whole(Operation::ShiftRight(kind, at(2)?, amount(at(1)?)?))
            }
            ("LOP3" | "ULOP3", 4) if modifiers == ["LUT"] && sources[2].is_zero() && sources[3].is(0xc0) => {
                whole(Operation::And(at(0)?, at(1)?))
            }
            // The tables of the negations of one operand: ~x is -x - 1.
            ("LOP3" | "ULOP3", 4) if modifiers == ["LUT"] && sources[3].is(0x0f) => whole(complement(at(0)?)),
            ("LOP3" | "ULOP3", 4) if modifiers == ["LUT"] && sources[3].is(0x33) => whole(complement(at(1)?)),
            ("LOP3" | "ULOP3", 4) if modifiers == ["LUT"] && sources[3].is(0x55) => whole(complement(at(2)?)),
            ("LOP" | "LOP32I", 2) if modifiers == ["AND"] => whole(Operation::And(at(0)?, at(1)?)),
            ("LOP", 2) if modifiers == ["PASS_B"] && sources[1].sign == Some('~') => {
                let plain = sources[1].unsigned_register().filter(|one| one.file == File::General)?;
                whole(complement(Term::of(Source::Register(plain.name()?))))
            }
            // The upper word of a product of 64 bits plus a number of 64 bits.
            ("IMAD" | "UIMAD", 3) if matches!(modifiers, ["HI"] | ["HI", "U32"]) => {
                let (a, b) = (at(0)?, at(1)?);
                let kind = if modifiers.len() == 2 { UNSIGNED } else { SIGNED };
                // Before 7.0 the third operand has one word, but then the name has the types of both factors.
                if a.negative || b.negative || kind == SIGNED && !sources[2].is_zero() {
                    return None;
                }
                whole(Operation::Upper(Some((kind, a, b)), vec![self.pair(sources[2])?]))
            }
            ("IABS", 1) if modifiers.is_empty() => {
                let a = at(0)?;
                whole(Operation::Most(SIGNED, a, Term { negative: !a.negative, ..a }))
            }
            ("I2F" | "I2FP", 1)
                if is_conversion(modifiers, &["RP", "RN", "RM", "RZ", "U32", "S32", "F32"]) =>
            {
                whole(Operation::Float(kind, unsigned(at(0)?)?))
            }
            ("MUFU", 1) if modifiers == ["RCP"] => whole(Operation::Reciprocal(unsigned(at(0)?)?)),
            ("F2I", 1)
                if modifiers.contains(&"U32")
                    && modifiers.contains(&"TRUNC")
                    && is_conversion(modifiers, &["FTZ", "U32", "F32", "TRUNC", "NTZ"]) =>
            {
                whole(Operation::Truncated(unsigned(at(0)?)?))
            }
            ("IMNMX" | "UIMNMX" | "VIMNMX", 2 | 3) if one_or_no(&["U32", "S32"]) => {
                let (which, a, b) = (self.operands.last()?, at(0)?, at(1)?);
                match () {
                    () if which.is_always(true) => whole(Operation::Least(kind, a, b)),
                    () if which.is_always(false) => whole(Operation::Most(kind, a, b)),
                    () => None,
                }
            }
            ("SEL" | "USEL", 3) if modifiers.is_empty() => {
                let which = self.operands.last().and_then(|last| self.condition(last));
                whole(Operation::Either(at(0)?, at(1)?, which))
            }
            ("S2R" | "S2UR", 1) => {
                let known = self.special(sources[0])?;
                whole(Operation::Sum(vec![Term::of(Source::Known(known))]))
            }
            ("HFMA2", 4)
                if matches!(modifiers, [] | ["MMA"])
                    && sources[0].text == "-RZ"
                    && sources[1].text == "RZ" =>
            {
                whole(Operation::Sum(vec![Term::number(half_words(sources[2].text, sources[3].text)?)]))
            }
            _ => None,
        }
    }

    /// The words of a number of 64 bits.
    fn pair(&self, operand: &Operand<'_>) -> Option<[Term<'a>; 2]> {
        match operand.kind {
            _ if operand.sign.is_some() => None,
            Kind::Zero(_) => Some([Term::number(0), Term::number(0)]),
            Kind::Register { .. } => Some(pair_of(operand)?.map(|name| Term::of(Source::Register(name)))),
            Kind::Address { of: "c", .. } => Some([0, 1].map(|word| Term::of(self.bank(operand, word)))),
            // A larger one might have a sign.
            Kind::Number(value) if value < 1 << 31 => Some([Term::number(value.into()), Term::number(0)]),
            _ => None,
        }
    }

    /// The lower and the upper word of a result of 64 bits, if it is understood.
    fn wide(&self, name: &str) -> Option<[Operation<'a>; 2]> {
        let sources = self.sources();
        match (name, &self.modifiers[..], &sources[..]) {
            ("IMAD" | "UIMAD", ["WIDE", kind @ ..], &[a, b, more]) if matches!(kind, [] | ["U32"]) => {
                let (a, b, more) = (self.term(a), self.term(b), self.pair(more)?);
                if a.negative || b.negative {
                    return None;
                }
                let kind = if kind.is_empty() { SIGNED } else { UNSIGNED };
                let lower = Operation::Product(a, b, Some(more[0]));
                Some([lower, Operation::Upper(Some((kind, a, b)), vec![more])])
            }
            ("IADD", ["64"], &[a, b]) => {
                let pairs = vec![self.pair(a)?, self.pair(b)?];
                Some([Operation::Sum(vec![pairs[0][0], pairs[1][0]]), Operation::Upper(None, pairs)])
            }
            ("MOV" | "UMOV", ["64"], &[a]) => Some(self.pair(a)?.map(|word| Operation::Sum(vec![word]))),
            _ => None,
        }
    }

    /// The values that the registers of a load from the constant bank get, one after the other, or those of
    /// `CS2R`.
    fn words(&self, name: &str) -> Option<Vec<Term<'a>>> {
        let loads = matches!(name, "LDC" | "ULDC" | "LDCU") && self.operands.len() == 2;
        match (name, &self.modifiers[..]) {
            ("CS2R", []) if self.operands.get(1).is_some_and(|one| one.text == "SRZ") => {
                Some(vec![Term::number(0), Term::number(0)])
            }
            (_, []) if loads => Some(vec![Term::of(self.bank(&self.operands[1], 0))]),
            (_, ["64"]) if loads => {
                Some((0..2).map(|word| Term::of(self.bank(&self.operands[1], word))).collect())
            }
            (_, ["128"]) if loads => {
                Some((0..4).map(|word| Term::of(self.bank(&self.operands[1], word))).collect())
            }
            _ => None,
        }
    }

    /// `a` shifted by a constant, plus `b`.
    fn scaled(&self, a: Term<'a>, b: Term<'a>, by: Term<'a>) -> Option<(u32, Operation<'a>)> {
        let Source::Known(by) = amount(by)?.source else { return None };
        let factor = Term::number(1 << u32::try_from(by.only()?).ok()?);
        Some((32, Operation::Product(a, factor, Some(b))))
    }

    /// `PSETP.AND.AND P0, PT, P1, PT, PT`: all of the conditions.
    fn both(&self) -> Option<(u32, Operation<'a>)> {
        let [_, second, given @ ..] = self.operands else { return None };
        if self.modifiers != ["AND", "AND"] || given.len() != 3 || !second.is_always(true) {
            return None;
        }
        let never = given.iter().any(|one| one.is_always(false)).then(|| {
            let (kind, zero) = (UNSIGNED, Term::number(0));
            Comparison { relation: Relation::NotEqual, kind, left: zero, right: zero }
        });
        let always = || {
            let (kind, zero) = (UNSIGNED, Term::number(0));
            Comparison { relation: Relation::Equal, kind, left: zero, right: zero }
        };
        let real: Vec<_> = given.iter().filter(|one| !matches!(one.kind, Kind::True(_))).collect();
        if never.is_some() || real.is_empty() {
            return Some((1, Operation::All(Some(never.unwrap_or_else(always)), vec![])));
        }
        Some((
            1,
            Operation::All(None, real.into_iter().map(|one| self.condition(one)).collect::<Option<_>>()?),
        ))
    }

    /// `LOP3.LUT P0, R0, R1, 0x3, RZ, 0xc0, !PT`: the bits of R1 under a mask, and whether any of them is set.
    fn masked(&self, test: &'a str, register: &'a str, rest: &[Operand<'_>]) -> Option<Effect<'a>> {
        let [a, b, c, table, carry] = rest else { return None };
        if self.modifiers != ["LUT"] || !c.is_zero() || !table.is(0xc0) || !carry.is_always(false) {
            return None;
        }
        let result = Operation::And(self.term(a), self.term(b));
        let writes = vec![
            Write { register, bits: 32, result },
            Write { register: test, bits: 1, result: Operation::NotZero(register) },
        ];
        Some(Effect { writes, everything: false })
    }

    fn special(&self, operand: &Operand<'_>) -> Option<Interval> {
        match operand.kind {
            Kind::Special("SR_TID", Some(axis)) => Some(self.launch.index(false, axis)),
            Kind::Special("SR_CTAID", Some(axis)) => Some(self.launch.index(true, axis)),
            Kind::Special("SR_LANEID", None) => Some(Interval::new(0, 31)),
            _ => None,
        }
    }

    /// `ISETP.LT.U32.AND P0, PT, R0, R1, P1`: the comparison, and P1.
    fn comparison(&self) -> Option<(u32, Operation<'a>)> {
        if let Some(found) = self.wide_comparison().or_else(|| self.comparison_with_code()) {
            return Some(found);
        }
        let (relation, kind, with) = match self.modifiers[..] {
            [relation, with @ ("AND" | "OR")] => (relation, SIGNED, with),
            [relation, "U32", with @ ("AND" | "OR")] => (relation, UNSIGNED, with),
            _ => return None,
        };
        let [_, second, left, right, other] = self.operands else { return None };
        if !second.is_always(true) {
            return None; // the second result would have to be told from the first
        }
        let relation = Relation::of(&relation.to_lowercase())?;
        let comparison = Comparison { relation, kind, left: self.term(left), right: self.term(right) };
        Some((
            1,
            match with {
                _ if other.is_always(with == "AND") => Operation::All(Some(comparison), vec![]),
                "AND" => Operation::All(Some(comparison), vec![self.condition(other)?]),
                _ => Operation::Any(Some(comparison), vec![self.condition(other)?]),
            },
        ))
    }

    /// `ISETP.LT.AND.EX P0, PT, R1, R3, PT, P2`: the comparison of the upper words of two numbers, where P2 has that of the lower ones.
    /// Or `ISETP.LT.U64.AND P0, PT, R0, R2, PT`, which compares both words.
    fn wide_comparison(&self) -> Option<(u32, Operation<'a>)> {
        let [_, second, left, right, third, lower @ ..] = self.operands else { return None };
        if ![second, third].into_iter().all(|one| one.is_always(true)) {
            return None;
        }
        match (&self.modifiers[..], lower) {
            ([_, "AND", "EX"] | [_, "U32", "AND", "EX"], [lower]) => {
                let upper = [self.term(left), self.term(right)];
                Some((1, Operation::IfEqual(upper, None, vec![self.condition(lower)?])))
            }
            (&[relation, "U64" | "S64", "AND"], []) => {
                let [left, right] = [self.pair(left)?, self.pair(right)?];
                let relation = Relation::of(&relation.to_lowercase())?;
                let lower = Comparison { relation, kind: UNSIGNED, left: left[0], right: right[0] };
                Some((1, Operation::IfEqual([left[1], right[1]], Some(lower), vec![])))
            }
            _ => None,
        }
    }

    /// `PLOP3.LUT P0, PT, PT, PT, UP0, 0x80, 0x8`: all of the three conditions. Compilers also write a constant
    /// so: the table 0x80 of three times true is true, and the table 0x8 is false.
    fn logic(&self) -> Option<(u32, Operation<'a>)> {
        let [_, second, given @ .., table, _] = self.operands else { return None };
        if self.modifiers != ["LUT"] || given.len() != 3 || !second.is_always(true) {
            return None;
        }
        let constant = given.iter().all(|one| one.is_always(true));
        let relation = match (table.kind, constant) {
            (Kind::Number(0x80), false) => None,
            (Kind::Number(0x80), true) => Some(Relation::Equal),
            (Kind::Number(0x8), true) => Some(Relation::NotEqual),
            _ => return None,
        };
        if let Some(relation) = relation {
            let (kind, zero) = (UNSIGNED, Term::number(0));
            let comparison = Comparison { relation, kind, left: zero, right: zero };
            return Some((1, Operation::All(Some(comparison), vec![])));
        }
        let real = given.iter().filter(|one| !one.is_always(true));
        Some((1, Operation::All(None, real.map(|one| self.condition(one)).collect::<Option<_>>()?)))
    }
}

/// What all bits of a number changed make of it.
fn complement(of: Term<'_>) -> Operation<'_> {
    Operation::Sum(vec![Term { negative: !of.negative, ..of }, Term::number(-1)])
}

/// An operand without a sign, which for floating-point numbers would be another bit.
fn unsigned(term: Term<'_>) -> Option<Term<'_>> {
    (!term.negative).then_some(term)
}

/// Whether a conversion has no other modifiers than these.
fn is_conversion(modifiers: &[&str], known: &[&str]) -> bool {
    modifiers.iter().all(|one| known.contains(one))
}

/// The amount of a shift, if it is a number that does not shift everything out.
fn amount(term: Term<'_>) -> Option<Term<'_>> {
    let Source::Known(by) = term.source else { return None };
    (!term.negative && (0..32).contains(&by.only()?)).then_some(term)
}
