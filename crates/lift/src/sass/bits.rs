//! Functions of bits, comparisons, and what predicates choose.

use crate::sass::Reader;
use crate::sass::arithmetic::is_negated;
use crate::{Bit, Flag, Operation, Origin, Relation, TABLES, Term};
use warpspan_isa::operand::{Kind, Operand};

/// The function of two bits that a modifier names, as the table of the first two inputs.
fn named(modifier: &str) -> Option<u8> {
    let [a, b, _] = TABLES;
    Some(match modifier {
        "AND" => a & b,
        "OR" => a | b,
        "XOR" => a ^ b,
        _ => return None,
    })
}

/// The relation that a modifier names.
fn relation(modifier: &str) -> Option<Relation> {
    Some(match modifier {
        "LT" => Relation::Less,
        "LE" => Relation::LessEqual,
        "GT" => Relation::Greater,
        "GE" => Relation::GreaterEqual,
        "EQ" => Relation::Equal,
        "NE" => Relation::NotEqual,
        _ => return None,
    })
}

/// The table that an operand is.
fn table_of(operand: &Operand<'_>) -> Option<u8> {
    let Kind::Number(table) = operand.kind else { return None };
    u8::try_from(table).ok().filter(|_| operand.sign.is_none())
}

/// None if both results go to one predicate: which of them it then holds is not known.
fn are_apart(to: &Operand<'_>, opposite: &Operand<'_>) -> Option<()> {
    (to.predicate().is_none() || to.predicate() != opposite.predicate()).then_some(())
}

impl<'a> Reader<'_, 'a> {
    /// `LOP`, `LOP32I`.
    pub(super) fn logic(&mut self, name: &str) -> Option<()> {
        let [a, b] = self.terms()?;
        let table = match self.modifiers {
            ["PASS_B"] => TABLES[1],
            [one] => named(one)?,
            [one, "NZ"] if name == "LOP" => named(one)?,
            _ => return None,
        };
        // A function of bits may invert a word.
        (![a, b].into_iter().any(is_negated)).then_some(())?;
        let result = self.give(Operation::Logic(table, [a, b, Term::number(0)]));
        self.give_code([Operation::UnknownBit, Operation::UnknownBit]);
        let tests = self.has("NZ");
        self.give_test(result, tests);
        Some(())
    }

    /// The predicate before a result says whether the result is not zero, or may be anything.
    fn give_test(&mut self, result: usize, tests: bool) {
        let of = [Term::step(result), Term::number(0)];
        let test = Operation::Compare { relation: Relation::NotEqual, signed: false, of };
        for to in self.before {
            self.give_bit(to, if tests { test.clone() } else { Operation::UnknownBit });
        }
    }

    /// `LOP3.LUT`: any function of three words.
    pub(super) fn table(&mut self) -> Option<()> {
        let [a, b, c, table] = self.sources else { return None };
        if !self.has_only(&["LUT"]) || self.before.len() > 1 || !self.outs.is_empty() {
            return None;
        }
        let words = [self.term(a)?, self.term(b)?, self.term(c)?];
        (!words.into_iter().any(is_negated)).then_some(())?;
        let result = self.give(Operation::Logic(table_of(table)?, words));
        let tests = matches!(self.ins, [] | [_]) && self.ins.iter().all(|one| one.is_always(false));
        self.give_test(result, tests);
        Some(())
    }

    /// `SEL`.
    pub(super) fn select(&mut self) -> Option<()> {
        let ([a, b], [which]) = (self.sources, self.ins) else { return None };
        let which = self.bit(which)?;
        match self.modifiers {
            [] => drop(self.give(Operation::Select(which, [self.plain(a)?, self.plain(b)?]))),
            ["64"] => {
                let ([a, higher_a], [b, higher_b]) = (self.pair(a)?, self.pair(b)?);
                let steps = [[a, b], [higher_a, higher_b]];
                let steps = steps.map(|of| self.lifted.step(Operation::Select(which, of)));
                self.give_pair(steps);
            }
            _ => return None,
        }
        Some(())
    }

    /// A comparison with its modifiers in their order: how, the type of its numbers, what is made of it and of the predicate behind it, and how it
    /// goes on from lower words, `X` or `EX`.
    fn comparison(&self) -> Option<(Relation, &'a str, u8, &'static str)> {
        let (how, rest) = self.modifiers.split_first()?;
        let (kind, rest) = match *rest {
            [kind @ ("U32" | "U64" | "S64"), ref rest @ ..] => (kind, rest),
            _ => ("", rest),
        };
        let (with, further) = match *rest {
            [with] => (with, ""),
            ["X", with] => (with, "X"),
            [with, "EX"] => (with, "EX"),
            _ => return None,
        };
        Some((relation(how)?, kind, named(with)?, further))
    }

    /// `ISETP`: a predicate, and its opposite. `EX` compares upper words, where the last operand has compared the lower ones; `X` does where
    /// the condition code has their difference; `U64` and `S64` compare both words.
    pub(super) fn compare(&mut self) -> Option<()> {
        let (relation, kind, table, further) = self.comparison()?;
        let [to, opposite, left, right, other, lower @ ..] = self.all else { return None };
        are_apart(to, opposite)?;
        let other = self.bit(other)?;
        let found = if let "U64" | "S64" = kind {
            let ([a, higher_a], [b, higher_b]) = (self.pair(left)?, self.pair(right)?);
            (further.is_empty() && lower.is_empty()).then_some(())?;
            let below = self.lifted.step(Operation::Compare { relation, signed: false, of: [a, b] });
            self.upper_comparison(relation, kind == "S64", [higher_a, higher_b], Bit::step(below))
        } else {
            let (signed, of) = (kind.is_empty(), [self.plain(left)?, self.plain(right)?]);
            match (further, lower) {
                ("", []) => self.lifted.step(Operation::Compare { relation, signed, of }),
                ("EX", [lower]) => {
                    let lower = self.bit(lower)?;
                    self.upper_comparison(relation, signed, of, lower)
                }
                ("X", []) => {
                    let (flag, negated) = match relation {
                        Relation::GreaterEqual => (Flag::Carry, false),
                        Relation::Less => (Flag::Carry, true),
                        Relation::Equal => (Flag::Zero, false),
                        Relation::NotEqual => (Flag::Zero, true),
                        _ => return None,
                    };
                    let lower = Bit { of: Origin::Code(flag), negated };
                    self.upper_comparison(relation, signed, of, lower)
                }
                _ => return None,
            }
        };
        let found = Bit::step(found);
        for (to, found) in [(to, found), (opposite, Bit { negated: true, ..found })] {
            self.give_bit(to, Operation::Bits(table, [found, other, Bit::CLEAR]));
        }
        Some(())
    }

    /// How numbers of two words compare whose lower words have been compared in the same way: as the upper ones do, or where these are
    /// equal as the lower ones.
    fn upper_comparison(&mut self, relation: Relation, signed: bool, of: [Term; 2], lower: Bit) -> usize {
        let mut compare = |relation| Bit::step(self.lifted.step(Operation::Compare { relation, signed, of }));
        let (upper, equal) = (compare(relation), compare(Relation::Equal));
        let [a, b, c] = TABLES;
        let table = match relation {
            // What holds of equal words holds of the numbers if it holds of the lower words too.
            Relation::Equal | Relation::LessEqual | Relation::GreaterEqual => a & (!b | c),
            Relation::Less | Relation::Greater | Relation::NotEqual => a | b & c,
        };
        self.lifted.step(Operation::Bits(table, [upper, equal, lower]))
    }

    /// `ISET`: all bits of a register, or none.
    pub(super) fn mask(&mut self) -> Option<()> {
        let (relation, kind @ ("" | "U32"), table, "") = self.comparison()? else { return None };
        let (of, [other], signed) = (self.plain_terms()?, self.ins, kind.is_empty()) else { return None };
        let other = self.bit(other)?;
        let found = Bit::step(self.lifted.step(Operation::Compare { relation, signed, of }));
        let both = Bit::step(self.lifted.step(Operation::Bits(table, [found, other, Bit::CLEAR])));
        self.give(Operation::Select(both, [Term::number(u32::MAX), Term::number(0)]));
        self.give_any_bits();
        Some(())
    }

    /// `PLOP3.LUT`: two functions of three bits.
    pub(super) fn table_of_bits(&mut self) -> Option<()> {
        let [to, opposite, a, b, c, one, two] = self.all else { return None };
        self.has_only(&["LUT"]).then_some(())?;
        are_apart(to, opposite)?;
        let bits = [self.bit(a)?, self.bit(b)?, self.bit(c)?];
        for (to, table) in [(to, one), (opposite, two)] {
            self.give_bit(to, Operation::Bits(table_of(table)?, bits));
        }
        Some(())
    }

    /// `PSETP`: what two functions make of three bits. What the second result is has not been looked into.
    pub(super) fn logic_of_bits(&mut self) -> Option<()> {
        let ([to, opposite, a, b, c], [one, two]) = (self.all, self.modifiers) else { return None };
        are_apart(to, opposite)?;
        let (one, two) = (named(one)?, named(two)?);
        let (a, b, c) = (self.bit(a)?, self.bit(b)?, self.bit(c)?);
        let both = Bit::step(self.lifted.step(Operation::Bits(one, [a, b, Bit::CLEAR])));
        self.give_bit(to, Operation::Bits(two, [both, c, Bit::CLEAR]));
        self.give_bit(opposite, Operation::UnknownBit);
        Some(())
    }
}
