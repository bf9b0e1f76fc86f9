//! The instructions of SASS that compute.

use std::rc::Rc;

use crate::affine::bits::Logic;
use crate::affine::context::Context;
use crate::affine::form::Form;
use crate::affine::ptx_compute::product;
use crate::affine::sass::{Results, Sass, number};
use crate::affine::state::State;
use crate::affine::value::{Kind, Truth, Value};
use crate::isa::half::half_words;
use crate::isa::operand::{self, Operand};
use crate::lift::Relation;
use crate::routine::Instruction;

impl Sass<'_> {
    /// What an instruction gives, as far as that is known.
    pub(super) fn compute(&self, context: &mut Context, state: &State, one: &Instruction<'_>) -> Results {
        let operands = one.operands();
        let Some((first, rest)) = operands.split_first() else { return vec![] };
        // The uniform data path computes the same.
        let name = match one.name() {
            name @ ("UIADD3" | "UMOV" | "UIMAD" | "ULEA" | "USHF" | "ULOP3" | "USEL" | "UISETP"
            | "UIMNMX" | "UVIMNMX") => &name[1..],
            name => name,
        };
        if !is_known(name, one) {
            return vec![];
        }
        let has = |modifier: &str| one.has_modifier(modifier);
        let lone = |value: Option<Form>| Self::result(first, Value::maybe(value));
        match name {
            "MOV" | "MOV32I" => match rest {
                [from, ..] => Self::result(first, self.signed(context, state, from)),
                [] => vec![],
            },
            "R2UR" => match rest {
                [from] => {
                    let form = self.form(context, state, from).filter(|form| context.is_uniform(form));
                    lone(form.or_else(|| context.given((-(1 << 31), (1 << 31) - 1), 0)))
                }
                _ => vec![],
            },
            "S2R" | "CS2R" => lone(self.special(context, rest)),
            "S2UR" => lone(self.special(context, rest).filter(|form| context.is_uniform(form))),
            "LDC" | "ULDC" | "LDCU" => self.constant(context, state, one),
            "IADD3" | "IADD" | "IADD32I" | "VIADD" => self.sum(context, state, one),
            "LEA" | "ISCADD" => self.scaled_sum(context, state, one),
            "XMAD" => self.halves(context, state, one),
            "IMAD" => self.multiply(context, state, one),
            "SHF" | "SHL" | "SHR" => self.shift(context, state, one),
            "LOP3" => self.table(context, state, one),
            "LOP" | "LOP32I" => {
                let [a, b] = rest else { return vec![] };
                let (a, b) = (self.form(context, state, a), self.form(context, state, b));
                if has("PASS_B") {
                    return lone(b);
                }
                lone(logic_of(one).and_then(|logic| context.logic(logic, a.as_ref(), b.as_ref(), 32)))
            }
            "IMNMX" | "VIMNMX" => {
                let [a, b, which] = rest else { return vec![] };
                if !(which.is_always(true) || which.is_always(false)) {
                    return vec![];
                }
                let kind = (32, !has("U32"));
                let both = self.form(context, state, a).zip(self.form(context, state, b));
                lone(both.and_then(|(a, b)| context.extreme(which.is_always(true), &a, &b, kind)))
            }
            "VIADDMNMX" => {
                let [a, b, c, which] = rest else { return vec![] };
                if !(which.is_always(true) || which.is_always(false)) {
                    return vec![];
                }
                let kind = (32, !has("U32"));
                let all = self.form(context, state, a).zip(self.form(context, state, b));
                let sum = all.and_then(|(a, b)| a.plus(&b)).map(|sum| sum.modulo(32));
                let both = sum.zip(self.form(context, state, c));
                lone(both.and_then(|(sum, c)| context.extreme(which.is_always(true), &sum, &c, kind)))
            }
            "SEL" => {
                let [a, b, which] = rest else { return vec![] };
                let kind = Self::kind(state, which);
                let both = self.form(context, state, a).zip(self.form(context, state, b));
                let which = context.which(&kind);
                both.map_or(vec![], |(a, b)| {
                    Self::result(first, context.join(&Value::form(a), &Value::form(b), &which))
                })
            }
            "ISETP" => self.compare(context, state, one),
            "PLOP3" | "PSETP" => self.predicates(context, state, one),
            "HFMA2" => match rest {
                [a, b, high, low] if a.text == "-RZ" && b.is_zero() => {
                    let number = half_words(high.text, low.text);
                    lone(number.map(|number| Form::number(number.into()).modulo(32)))
                }
                _ => vec![],
            },
            _ => vec![],
        }
    }

    fn special(&self, context: &mut Context, rest: &[Operand<'_>]) -> Option<Form> {
        let [one] = rest else { return None };
        match one.kind {
            operand::Kind::Special("SR_TID", Some(axis)) => {
                Some(context.thread(&self.warp, self.launch, axis))
            }
            operand::Kind::Special("SR_CTAID", Some(axis)) => Some(context.block_index(self.launch, axis)),
            operand::Kind::Special("SR_NTID", Some(axis)) => Some(context.size(self.launch, false, axis)),
            operand::Kind::Special("SR_NCTAID", Some(axis)) => Some(context.size(self.launch, true, axis)),
            operand::Kind::Special("SR_LANEID", None) => {
                Some(Form::lanes(std::array::from_fn(|lane| i64::try_from(lane).unwrap_or(0))))
            }
            // The number of the block in its cluster, by which its shared memory is found.
            operand::Kind::Special("SR_CgaCtaId", None) => Some(context.any_function(&[], 32)),
            operand::Kind::Special("SRZ", None) => Some(Form::default()),
            _ => None,
        }
    }

    /// Loads from the constant bank, at known addresses.
    fn constant(&self, context: &mut Context, _: &State, one: &Instruction<'_>) -> Results {
        let [first, from] = one.operands() else { return vec![] };
        let Some(at) = from.constant().filter(|_| !from.text.contains("UR") && !from.text.contains("[R0"))
        else {
            return vec![];
        };
        let registers = from.registers.is_empty();
        let wide = if one.has_modifier("64") { 2 } else { 1 };
        let typed = ["U8", "S8", "U16", "S16", "128"];
        if !registers || one.has_any(&typed) {
            return vec![];
        }
        let Some(register) = first.register().and_then(number) else { return vec![] };
        (0..wide)
            .map(|word: u32| (register + word as usize, Value::form(self.word(context, at + 4 * word))))
            .collect()
    }

    fn multiply(&self, context: &mut Context, state: &State, one: &Instruction<'_>) -> Results {
        let operands = one.operands();
        let outs = operands.iter().skip(1).take_while(|one| one.is_predicate()).count();
        let Some((first, rest)) = operands.split_first() else { return vec![] };
        let [a, b, c, ins @ ..] = &rest[outs..] else { return vec![] };
        let (of_a, of_b) = (self.form(context, state, a), self.form(context, state, b));
        if one.has_modifier("MOV") && a.is_zero() {
            return Self::result(first, self.signed(context, state, c));
        }
        if one.has_modifier("X") {
            // A sum of upper halves, of which a factor is zero.
            let ([carry], true) = (ins, a.is_zero() || b.is_zero()) else { return vec![] };
            let Value::Carry(low) = Self::carry(state, carry) else { return vec![] };
            let high = if c.is_zero() { vec![] } else { vec![self.signed(context, state, c)] };
            let sum = Self::sum_of_pairs(context, &low, high);
            return sum.map_or(vec![], |sum| Self::result(first, Value::Upper(sum.into())));
        }
        if outs > 0 || !ins.is_empty() {
            return vec![];
        }
        let signed = !one.has_modifier("U32");
        let Some((of_a, of_b)) = of_a.zip(of_b) else { return vec![] };
        if one.has_modifier("WIDE") {
            let number = |context: &mut Context, form: &Form| context.extend(form, 32, signed);
            let (Some(a), Some(b)) = (number(context, &of_a), number(context, &of_b)) else { return vec![] };
            let all = product(context, &a, &b, 64).zip(self.wide(context, state, c));
            return Self::result_pair(first, all.and_then(|(product, c)| product.plus(&c)));
        }
        let of_c = self.form(context, state, c);
        let all = if one.has_modifier("HI") {
            // The pair that is added to the whole product must be zero.
            if !c.is_zero() {
                return vec![];
            }
            context.upper_product(&of_a, &of_b, (32, signed))
        } else {
            product(context, &of_a, &of_b, 32)
        };
        let sum = all.zip(of_c).and_then(|(product, c)| product.plus(&c));
        Self::result(first, Value::maybe(sum.map(|sum| sum.modulo(32))))
    }

    fn shift(&self, context: &mut Context, state: &State, one: &Instruction<'_>) -> Results {
        let has = |modifier: &str| one.has_modifier(modifier);
        let Some((first, rest)) = one.operands().split_first() else { return vec![] };
        let signed = if one.name() == "SHR" { !has("U32") } else { has("S32") };
        let (right, value, by) = match (one.name(), rest) {
            ("SHL", [value, by]) => (false, value, by),
            ("SHR", [value, by]) => (true, value, by),
            ("SHF" | "USHF", [value, by, other])
                if has("L") && has("U32") && !has("HI") && other.is_zero() =>
            {
                (false, value, by)
            }
            ("SHF" | "USHF", [low, by, high]) if has("L") && has("U64") && has("HI") => {
                // The upper half of a pair that is shifted.
                let (low, high) = (self.signed(context, state, low), self.signed(context, state, high));
                let wide = Self::joined(context, &low, &high);
                let by = self.form(context, state, by).and_then(|by| context.constant(&by));
                let Some((wide, by @ 0..32)) = wide.zip(by) else { return vec![] };
                return Self::result(first, Value::Upper(wide.scaled(1 << by).into()));
            }
            ("SHF" | "USHF", [other, by, value])
                if has("R") && has("HI") && !has("U64") && !has("S64") && other.is_zero() =>
            {
                (true, value, by)
            }
            _ => return vec![],
        };
        let Some(by) = self.form(context, state, by) else { return vec![] };
        let form = self.form(context, state, value);
        let Some(form) = form else { return vec![] };
        if !right {
            let shifted = context.shift_left(&form, &by, 32);
            return Self::result(first, Value::maybe(shifted));
        }
        // It is also the upper half of the number, shifted to the left.
        if let (true, Some(places @ 28..32), false) = (signed, context.constant(&by), form.is_known())
            && let Some(number) = context.extend(&form, 32, true)
        {
            // The sign is the upper half of the number itself, too.
            let places = if places == 31 { 0 } else { 32 - places };
            return Self::result(first, Value::Upper(number.scaled(1 << places).into()));
        }
        Self::result(first, Value::maybe(context.shift_right(Some(&form), &by, 32, signed)))
    }

    /// `LOP3`: any function of three bits, as a table.
    fn table(&self, context: &mut Context, state: &State, one: &Instruction<'_>) -> Results {
        let rest = one.operands();
        let outs = rest.iter().take_while(|one| one.is_predicate()).count();
        let [first, a, b, c, table, ..] = &rest[outs..] else { return vec![] };
        let operand::Kind::Number(table @ 0..256) = table.kind else { return vec![] };
        let forms = [a, b, c].map(|one| self.form(context, state, one));
        let found = context.by_table(&forms, table);
        Self::result(first, Value::maybe(found))
    }

    fn compare(&self, context: &mut Context, state: &State, one: &Instruction<'_>) -> Results {
        let [to, opposite, a, b, other, ..] = one.operands() else { return vec![] };
        let order = one.modifiers().find_map(|part| Relation::of(&part.to_ascii_lowercase()));
        let of_warp = |one: &Operand<'_>| match one.kind {
            operand::Kind::Number(_) | operand::Kind::Zero(_) => true,
            _ => one.file().is_some_and(|file| file.is_of_warp()),
        };
        // Whatever they hold, it is the same for all lanes.
        let same = of_warp(a) && of_warp(b) && context.together;
        let (a, b) = (self.form(context, state, a), self.form(context, state, b));
        let (Some(order), Some(logic)) = (order, logic_of(one)) else { return vec![] };
        let mut value = context.compare(order, a.as_ref(), b.as_ref(), (32, !one.has_modifier("U32")));
        if same && value.kind() == Kind::Any {
            value = Value::truth(Kind::Uniform);
        }
        if one.has_modifier("EX") {
            // The upper halves decide with the comparison of the lower ones, the last operand.
            let below = one.operands().get(5).map_or(Kind::Any, |last| Self::kind(state, last));
            let same = value.kind().is_uniform(context.mask) && below.is_uniform(context.mask);
            value = Value::truth(if same { Kind::Uniform } else { Kind::Any });
        }
        let other = Self::kind(state, other);
        let mut results = Vec::new();
        for (to, value) in [(to, value.clone()), (opposite, Value::truth(value.kind().not()))] {
            let Some(register) = to.predicate().and_then(number) else { continue };
            let neutral = matches!(
                (logic, &other),
                (Logic::And, Kind::Known(u32::MAX)) | (Logic::Or | Logic::Xor, Kind::Known(0))
            );
            let value =
                if neutral { value } else { Value::truth(context.both(logic, value.kind(), other.clone())) };
            results.push((register, value));
        }
        results
    }

    /// `PLOP3` and `PSETP`: functions of predicates.
    fn predicates(&self, context: &mut Context, state: &State, one: &Instruction<'_>) -> Results {
        let [to, opposite, a, b, c, rest @ ..] = one.operands() else { return vec![] };
        let kinds = [a, b, c].map(|one| Self::kind(state, one));
        let known: Option<Vec<u32>> = kinds
            .iter()
            .map(|kind| match kind {
                Kind::Known(mask) => Some(*mask),
                _ => None,
            })
            .collect();
        let uniform = kinds.iter().all(|kind| kind.is_uniform(context.mask));
        let otherwise = if uniform { Kind::Uniform } else { Kind::Any };
        let mut results = Vec::new();
        for (to, table) in [(to, rest.first()), (opposite, rest.get(1))] {
            let Some(register) = to.predicate().and_then(number) else { continue };
            let table = table.and_then(|one| {
                if let operand::Kind::Number(table @ 0..256) = one.kind { Some(table) } else { None }
            });
            let kind = match (&known, table, one.name()) {
                (Some(known), Some(table), "PLOP3") => Kind::Known(by_bits(known, table)),
                _ => otherwise.clone(),
            };
            results.push((register, Value::Truth(Rc::new(Truth { kind, of: None }))));
        }
        results
    }
}

/// The operation on bits that a modifier names.
fn logic_of(one: &Instruction<'_>) -> Option<Logic> {
    let all = [("AND", Logic::And), ("OR", Logic::Or), ("XOR", Logic::Xor)];
    all.into_iter().find(|(name, _)| one.has_modifier(name)).map(|(_, logic)| logic)
}

/// Whether it is known what all modifiers of an instruction mean for what it gives. `name` is that of the same on the path of
/// threads. Any other modifier may change everything: `ISETP.X` compares upper halves with a carry, `IMNMX.U64` pairs,
/// `VIMNMX.S16x2` two numbers of 16 bits.
fn is_known(name: &str, one: &Instruction<'_>) -> bool {
    const ORDERS: [&str; 6] = ["EQ", "NE", "LT", "LE", "GT", "GE"];
    let known: &[&str] = match name {
        "MOV" => &["64", "U32"],
        "CS2R" => &["32"],
        // Those that say which words are loaded are looked at there.
        "LDC" | "ULDC" | "LDCU" => &["64", "U8", "S8", "U16", "S16", "128"],
        "IADD" | "IADD3" => &["X", "64"],
        "IADD32I" => &["X"],
        "VIADD" => &["S32", "U32"],
        "LEA" => &["HI", "X", "SX32"],
        // The modifiers are looked at one by one.
        "XMAD" => return true,
        "IMAD" => &["MOV", "SHL", "IADD", "U32", "WIDE", "HI", "X"],
        "SHF" => &["L", "R", "U32", "S32", "U64", "S64", "HI"],
        "SHL" => &[],
        "SHR" => &["U32", "S32"],
        "LOP3" | "PLOP3" => &["LUT"],
        "LOP" | "LOP32I" => &["AND", "OR", "XOR", "PASS_B"],
        "PSETP" => &["AND", "OR", "XOR"],
        "IMNMX" | "VIMNMX" | "VIADDMNMX" => &["U32", "S32"],
        "SEL" => &["64"],
        "ISETP" => {
            return one
                .modifiers()
                .all(|part| ORDERS.contains(&part) || matches!(part, "AND" | "OR" | "XOR" | "U32" | "EX"));
        }
        "HFMA2" => &["MMA"],
        _ => &[],
    };
    // A carry goes into one word.
    let both = |one_of: &str, other: &str| one.has_modifier(one_of) && one.has_modifier(other);
    one.modifiers().all(|part| known.contains(&part)) && !both("X", "64") && !both("X", "WIDE")
}

/// What a table of three bits gives for each bit of three numbers.
fn by_bits(of: &[u32], table: u32) -> u32 {
    (0..32).fold(0, |all, bit| {
        let index = of.iter().fold(0, |index, one| index << 1 | one >> bit & 1);
        all | (table >> index & 1) << bit
    })
}

impl Context {
    /// A function of the bits of three numbers, as a table of eight bits: bit 4 a + 2 b + c of it.
    pub(super) fn by_table(&mut self, forms: &[Option<Form>; 3], table: u32) -> Option<Form> {
        let inputs = [0xf0_u32, 0xcc, 0xaa];
        if table == 0 {
            return Some(Form::default());
        }
        let not = |one: &Option<Form>| {
            one.as_ref().and_then(|one| Form::number(-1).minus(one)).map(|one| one.modulo(32))
        };
        let mut sides: Vec<(u32, Option<Form>)> = Vec::new();
        for (input, form) in inputs.into_iter().zip(forms) {
            sides.push((input, form.clone()));
            sides.push((!input & 0xff, not(form)));
        }
        if let Some((_, form)) = sides.iter().find(|(side, _)| *side == table) {
            return form.clone();
        }
        let of = |logic: Logic, one: u32, two: u32| match logic {
            Logic::And => one & two,
            Logic::Or => one | two,
            Logic::Xor => one ^ two,
        };
        const ALL: [Logic; 3] = [Logic::And, Logic::Or, Logic::Xor];
        for logic in ALL {
            for (one, of_one) in &sides {
                for (two, of_two) in &sides {
                    if of(logic, *one, *two) == table {
                        return self.logic(logic, of_one.as_ref(), of_two.as_ref(), 32);
                    }
                }
            }
        }
        for (inner, outer) in ALL.into_iter().flat_map(|inner| ALL.map(|outer| (inner, outer))) {
            for (one, of_one) in &sides {
                for (two, of_two) in &sides {
                    for (three, of_three) in &sides {
                        if of(outer, of(inner, *one, *two), *three) == table {
                            let both = self.logic(inner, of_one.as_ref(), of_two.as_ref(), 32);
                            return self.logic(outer, both.as_ref(), of_three.as_ref(), 32);
                        }
                    }
                }
            }
        }
        None
    }
}
