//! Loops whose number of passes is evident: a counter with a constant start, step and limit.
//!
//! Strict: the register has two writes in the whole routine, a constant before the loop, in every pass of the loop
//! around it, and an addition of a constant in every pass; the test that leaves is in every pass too and compares it
//! with a constant; no value up to the one that leaves overflows the type of the comparison. A register is a constant where
//! its one write is passed on every path. PTX only.

use std::collections::HashMap;

use crate::listing::flow::blocks::Blocks;
use crate::listing::flow::operands::{moved, number, split};
use crate::listing::flow::view::{View, Way};
use crate::listing::routine::{Flow, Routine};

/// What there is to look at.
pub(super) struct Place<'a, 'b> {
    pub(super) routine: &'b Routine<'a>,
    pub(super) graph: &'b Blocks,
    /// Where registers are written; without those that have a name of several, or that a caller hands over.
    pub(super) writers: &'b HashMap<&'a str, Vec<usize>>,
    /// All of the routine.
    pub(super) whole: &'b View,
    /// What the loop lies in, and its header there.
    pub(super) outer: &'b View,
    pub(super) header: usize,
    /// One pass of the loop.
    pub(super) body: &'b View,
}

/// How often the header is passed at most, the least over all tests that tell.
pub(super) fn passes(place: &Place<'_, '_>) -> Option<u64> {
    (0..place.body.nodes.len()).filter_map(|node| place.test(node)).min()
}

impl<'a> Place<'a, '_> {
    /// The node of a pass that holds an instruction, if every pass has it.
    fn every_pass(&self, at: usize) -> Option<usize> {
        let holds = |block: &usize| self.graph.blocks[*block].instructions.contains(&at);
        let node = self.body.nodes.iter().position(holds)?;
        self.body.every_pass(node).then_some(node)
    }

    /// Whether every path from the beginning of the routine to an instruction passes another one.
    fn dominates(&self, first: usize, second: usize) -> bool {
        let node = |at: usize| {
            let holds = |block: &usize| self.graph.blocks[*block].instructions.contains(&at);
            self.whole.nodes.iter().position(holds)
        };
        match (node(first), node(second)) {
            (Some(a), Some(b)) if a == b => first < second,
            (Some(a), Some(b)) => self.whole.dominates(a, b),
            _ => false,
        }
    }

    /// The value, at an instruction, of a number or of a register that is written once, with a number, on every path to there.
    fn constant(&self, mut operand: &'a str, mut at: usize) -> Option<i128> {
        for _ in 0..8 {
            if let Some(number) = number(operand) {
                return Some(number);
            }
            let [only] = self.writers.get(operand)?[..] else { return None };
            if !self.dominates(only, at) {
                return None;
            }
            operand = moved(&self.routine.instructions[only])?;
            at = only;
        }
        None
    }

    /// Whether one instruction comes before another in every pass.
    fn before(&self, first: usize, second: usize) -> Option<bool> {
        let (a, b) = (self.every_pass(first)?, self.every_pass(second)?);
        Some(if a == b { first < second } else { self.body.dominates(a, b) })
    }

    /// The passes that the test at the end of a node allows.
    fn test(&self, node: usize) -> Option<u64> {
        if !self.body.every_pass(node) {
            return None;
        }
        let at = self.graph.blocks[self.body.nodes[node]].instructions.end - 1;
        let branch = &self.routine.instructions[at];
        let (guard, Flow::Branch(to)) = (branch.guard?, &branch.flow) else { return None };
        let way = |instruction: usize| match self.graph.at(instruction) {
            Some(block) if block == self.body.nodes[0] => Way::Back,
            Some(block) => self.body.node(block).map_or(Way::Out, Way::To),
            None => Way::Exit,
        };
        let stays = |way| self.body.comes_back(way);
        let truth = match (stays(way(*to)), stays(way(at + 1))) {
            (true, false) => !guard.negated,
            (false, true) => guard.negated,
            _ => return None,
        };
        let [compare] = self.writers.get(guard.register)?[..] else { return None };
        let order = compare == at || self.before(compare, at)?;
        let setp = &self.routine.instructions[compare];
        let mut parts = setp.opcode.split('.');
        let (Some("setp"), Some(relation), Some(kind), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return None;
        };
        let operands = split(setp.operands);
        if !order || setp.guard.is_some() || operands.len() != 3 || operands[0] != guard.register {
            return None;
        }
        let range = Range::of(kind)?;
        let limit = range.value(self.constant(operands[2], compare)?)?;
        let (first, step) = self.first(operands[1], compare, &range)?;
        passes_of(first, step, Relation::of(relation, truth)?, limit, &range)
    }

    /// The value of a counter at an instruction in the first pass, and its step.
    fn first(&self, counter: &'a str, at: usize, range: &Range) -> Option<(i128, i128)> {
        let mut counter = counter;
        // A compiler in static single assignment tests `next = counter + step` and copies it back.
        let mut ahead = false;
        if let [only] = self.writers.get(counter)?[..] {
            let (from, _) = self.addition(only, range)?;
            if !self.before(only, at)? {
                return None;
            }
            counter = from;
            ahead = true;
        }
        let [one, other] = self.writers.get(counter)?[..] else { return None };
        let (start, update) = match (self.starts(one), self.starts(other)) {
            (true, false) => (one, other),
            (false, true) => (other, one),
            _ => return None,
        };
        let start = range.value(self.constant(moved(&self.routine.instructions[start])?, start)?)?;
        let (add, step) = match moved(&self.routine.instructions[update]) {
            Some(next) => {
                let [add] = self.writers.get(next)?[..] else { return None };
                let (from, step) = self.addition(add, range)?;
                if from != counter || !self.before(add, update)? {
                    return None;
                }
                (add, step)
            }
            None => {
                let (from, step) = self.addition(update, range)?;
                if from != counter || split(self.routine.instructions[update].operands)[0] != counter {
                    return None;
                }
                (update, step)
            }
        };
        if ahead {
            // The value tested is that of the addition in this pass, made from the counter before its update.
            let [tested] = self.writers.get(split(self.routine.instructions[at].operands)[1])?[..] else {
                return None;
            };
            return (tested == add && add != update).then_some((start + step, step));
        }
        let updated = self.before(update, at)?;
        Some((if updated { start + step } else { start }, step))
    }

    /// Whether an instruction sets the counter before each run of the loop.
    fn starts(&self, at: usize) -> bool {
        let holds = |block: &usize| self.graph.blocks[*block].instructions.contains(&at);
        let Some(node) = self.outer.nodes.iter().position(holds) else { return false };
        let inside = self.body.nodes.iter().any(holds);
        !inside && self.outer.dominates(node, self.header) && node != self.header
    }

    /// `add r, from, constant` or `sub`: what it adds to, and how much.
    fn addition(&self, at: usize, range: &Range) -> Option<(&'a str, i128)> {
        let instruction = &self.routine.instructions[at];
        let (name, kind) = instruction.opcode.split_once('.')?;
        let operands = split(instruction.operands);
        if instruction.guard.is_some() || operands.len() != 3 || Range::of(kind)?.bits != range.bits {
            return None;
        }
        self.every_pass(at)?;
        // The number is the same whatever the sign of its type: steps are taken as signed.
        let signed = Range { signed: true, bits: range.bits };
        let value = |operand| signed.value(self.constant(operand, at)?);
        match name {
            "add" => Some((operands[1], value(operands[2])?)),
            "sub" => Some((operands[1], -value(operands[2])?)),
            _ => None,
        }
    }
}

/// An integer type.
#[derive(Debug, Clone, Copy)]
struct Range {
    signed: bool,
    bits: u32,
}

impl Range {
    fn of(kind: &str) -> Option<Self> {
        let (signed, bits) = match kind {
            "s32" => (true, 32),
            "u32" => (false, 32),
            "s64" => (true, 64),
            "u64" => (false, 64),
            _ => return None,
        };
        Some(Self { signed, bits })
    }

    const fn least(self) -> i128 {
        if self.signed { -(1 << (self.bits - 1)) } else { 0 }
    }

    const fn most(self) -> i128 {
        if self.signed { (1 << (self.bits - 1)) - 1 } else { (1 << self.bits) - 1 }
    }

    /// The bits of a written constant as this type has them; none if it is too long.
    fn value(&self, written: i128) -> Option<i128> {
        let size = 1_i128 << self.bits;
        if written < -(size / 2) || written >= size {
            return None;
        }
        let bits = written.rem_euclid(size);
        Some(if bits > self.most() { bits - size } else { bits })
    }
}

/// The loop goes on while the counter stands so to the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Relation {
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
}

impl Relation {
    fn of(name: &str, truth: bool) -> Option<Self> {
        Some(match (name, truth) {
            ("lt" | "lo", true) | ("ge" | "hs", false) => Self::Less,
            ("le" | "ls", true) | ("gt" | "hi", false) => Self::LessEqual,
            ("gt" | "hi", true) | ("le" | "ls", false) => Self::Greater,
            ("ge" | "hs", true) | ("lt" | "lo", false) => Self::GreaterEqual,
            ("eq", true) | ("ne", false) => Self::Equal,
            ("ne", true) | ("eq", false) => Self::NotEqual,
            _ => return None,
        })
    }

    fn holds(self, value: i128, limit: i128) -> bool {
        match self {
            Self::Less => value < limit,
            Self::LessEqual => value <= limit,
            Self::Greater => value > limit,
            Self::GreaterEqual => value >= limit,
            Self::Equal => value == limit,
            Self::NotEqual => value != limit,
        }
    }
}

/// The first k for which `first + (k - 1) step` does not hold, if no value up to it overflows.
fn passes_of(first: i128, step: i128, relation: Relation, limit: i128, range: &Range) -> Option<u64> {
    // How often the step is added: the distance over it, rounded up.
    let steps = match relation {
        _ if !relation.holds(first, limit) => 0,
        Relation::Equal if step != 0 => 1,
        Relation::Less if step > 0 => (limit - first + step - 1) / step,
        Relation::LessEqual if step > 0 => (limit - first) / step + 1,
        Relation::Greater if step < 0 => (first - limit - step - 1) / -step,
        Relation::GreaterEqual if step < 0 => (first - limit) / -step + 1,
        Relation::NotEqual if step != 0 && (limit - first) % step == 0 && (limit - first) / step > 0 => {
            (limit - first) / step
        }
        _ => return None,
    };
    let last = first + steps * step;
    let fits = [first, last].iter().all(|value| (range.least()..=range.most()).contains(value));
    (fits && !relation.holds(last, limit)).then(|| u64::try_from(steps + 1).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// By counting.
        #[test]
        fn closed_form_counts(first in -40_i128..40, step in -7_i128..8, limit in -40_i128..40, which in 0_usize..6) {
            let relation = [
                Relation::Less, Relation::LessEqual, Relation::Greater,
                Relation::GreaterEqual, Relation::Equal, Relation::NotEqual,
            ][which];
            // As 8-bit numbers, so that running away overflows soon.
            let range = Range { signed: true, bits: 8 };
            let mut value = first;
            let mut count = 1;
            let counted = loop {
                if !relation.holds(value, limit) {
                    break Some(count);
                }
                value += step;
                count += 1;
                if !(range.least()..=range.most()).contains(&value) || count > 1000 {
                    break None;
                }
            };
            prop_assert_eq!(passes_of(first, step, relation, limit, &range), counted);
        }
    }

    #[test]
    fn bits_of_constants() {
        let unsigned = Range::of("u32").unwrap();
        let signed = Range::of("s32").unwrap();
        assert_eq!(unsigned.value(-1), Some(0xffff_ffff));
        assert_eq!(signed.value(0xffff_ffff), Some(-1));
        assert_eq!(signed.value(1 << 32), None);
        // i = 0xfffffff0; i != 0; ++i: unsigned, it would have to overflow.
        let first = unsigned.value(0xffff_fff0).unwrap();
        assert_eq!(passes_of(first, 1, Relation::NotEqual, 0, &unsigned), None);
    }
}
