//! Predicates: comparisons, conditions together, and tables of them.

use crate::flow::analysis::counts::effect::{Comparison, Condition, Effect, Operation, Term, Write};
use crate::flow::analysis::counts::interval::IntegerType;
use crate::flow::analysis::counts::recurrence::Relation;
use crate::flow::analysis::counts::sass::{Reader, SIGNED, UNSIGNED};
use crate::isa::operand::{Kind, Operand};
use crate::isa::register::File;

impl<'a> Reader<'_, 'a, '_> {
    /// `PSETP.AND.AND P0, PT, P1, PT, PT`: all of the conditions.
    pub(super) fn both(&self) -> Option<(u32, Operation<'a>)> {
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
    pub(super) fn masked(
        &self,
        test: &'a str,
        register: &'a str,
        rest: &[Operand<'_>],
    ) -> Option<Effect<'a>> {
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

    /// `ISETP.LT.U32.AND P0, PT, R0, R1, P1`: the comparison, and P1.
    pub(super) fn comparison(&self) -> Option<(u32, Operation<'a>)> {
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

    /// `ISET.GE.AND R8, R0, c[0x0][0x150], PT`: all bits of a register are set if the comparison holds, and else none. The register is
    /// followed as if it were a predicate, and nothing is known of it as a number.
    pub(super) fn mask(&self) -> Option<(u32, Operation<'a>)> {
        let (relation, kind) = match self.modifiers[..] {
            [relation, "AND"] => (relation, SIGNED),
            [relation, "U32", "AND"] => (relation, UNSIGNED),
            _ => return None,
        };
        let [_, left, right, other] = self.operands else { return None };
        let relation = Relation::of(&relation.to_lowercase())?;
        let comparison = Comparison { relation, kind, left: self.term(left), right: self.term(right) };
        other.is_always(true).then_some((32, Operation::All(Some(comparison), vec![])))
    }

    /// `LOP.AND.NZ P0, RZ, ~R6, ~R8`: whether a bit is in none of two registers. Where it is, a register that has all of its bits set
    /// or none has none. Where it is not, one that is no such mask may be anything: nothing is said of it as a condition.
    pub(super) fn no_mask(&self) -> Option<(u32, Operation<'a>)> {
        let [_, result, masks @ ..] = self.operands else { return None };
        let negated = |one: &Operand<'_>| {
            let register = one.unsigned_register().filter(|one| one.file == File::General)?;
            (one.sign == Some('~')).then_some(Condition { register: register.name()?, negated: true })
        };
        if !result.is_zero() || masks.len() != 2 {
            return None;
        }
        Some((1, Operation::All(None, masks.iter().map(negated).collect::<Option<_>>()?)))
    }

    /// `ISETP.LT.AND.EX P0, PT, R1, R3, PT, P2`: the comparison of the upper words of two numbers, where P2 has that of the lower ones.
    /// Or `ISETP.LT.U64.AND P0, PT, R0, R2, PT`, which compares both words.
    pub(super) fn wide_comparison(&self) -> Option<(u32, Operation<'a>)> {
        let [_, second, left, right, third, lower @ ..] = self.operands else { return None };
        if ![second, third].into_iter().all(|one| one.is_always(true)) {
            return None;
        }
        match (&self.modifiers[..], lower) {
            ([relation, "AND", "EX"] | [relation, "U32", "AND", "EX"], [lower]) => {
                let upper = [self.term(left), self.term(right)];
                let whole = self.whole(relation)?;
                let given = vec![self.condition(lower)?];
                Some((1, Operation::IfEqual { upper, lower: None, given, whole }))
            }
            (&[relation, "U64" | "S64", "AND"], []) => {
                let [left, right] = [self.pair(left)?, self.pair(right)?];
                let signed = self.modifiers[1] == "S64";
                let relation = Relation::of(&relation.to_lowercase())?;
                let lower = Some(Comparison { relation, kind: UNSIGNED, left: left[0], right: right[0] });
                let whole = (relation, IntegerType { signed, bits: 64 });
                Some((1, Operation::IfEqual { upper: [left[1], right[1]], lower, given: vec![], whole }))
            }
            _ => None,
        }
    }

    /// How an instruction that compares upper words compares the whole numbers.
    pub(super) fn whole(&self, relation: &str) -> Option<(Relation, IntegerType)> {
        let signed = !self.modifiers.contains(&"U32");
        Some((Relation::of(&relation.to_lowercase())?, IntegerType { signed, bits: 64 }))
    }

    /// `PLOP3.LUT P0, PT, PT, PT, UP0, 0x80, 0x8`: all of the three conditions. Compilers also write a constant
    /// so: the table 0x80 of three times true is true, and the table 0x8 is false.
    pub(super) fn logic(&self) -> Option<(u32, Operation<'a>)> {
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
