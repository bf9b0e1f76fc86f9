//! Trip counts: loops of PTX whose number of passes is evident from a counter with a constant start, step and
//! limit.
//!
//! The rule is strict. The counter has two writes in the whole routine: a constant before the loop, in every
//! pass of the loop around it, and an addition of a constant in every pass. The test that leaves the loop is
//! in every pass too and compares the counter with a constant. No value up to the one that leaves overflows
//! the type of the comparison ([`induction`](super::induction)). A register is a constant where its only
//! write is passed on every path.

use crate::listing::flow::analysis::induction::{Counter, IntegerType, Relation};
use crate::listing::flow::analysis::operands::{moved, number, split};
use crate::listing::flow::analysis::{Function, Scope};
use crate::listing::flow::graph::{Edge, Node};
use crate::listing::routine::{Flow, Instruction};

/// A loop whose passes are to be counted.
pub(crate) struct CountedLoop<'a, 's> {
    pub(crate) function: &'s Function<'a, 's>,
    /// What the loop lies in, and its header there.
    pub(crate) around: &'s Scope<'s>,
    pub(crate) header: Node,
    /// One pass of the loop.
    pub(crate) pass: &'s Scope<'s>,
}

impl<'a> CountedLoop<'a, '_> {
    /// How often the header is passed at most: the least count of all tests that have one.
    pub(crate) fn trip_count(&self) -> Option<u64> {
        self.pass.subgraph.nodes().filter_map(|node| self.passes_of_test(node)).min()
    }

    fn instruction(&self, at: usize) -> &Instruction<'a> {
        &self.function.routine.instructions[at]
    }

    /// The only write of a register.
    fn only_write(&self, register: &str) -> Option<usize> {
        let [only] = self.function.writers.get(register)?[..] else { return None };
        Some(only)
    }

    /// The node of a pass that holds an instruction, if every pass has it once.
    fn once_a_pass(&self, at: usize) -> Option<Node> {
        let node = self.pass.subgraph.node_holding(at)?;
        self.pass.dominance.once_a_pass(node).then_some(node)
    }

    /// Whether every path from the beginning of the routine to an instruction passes another one first.
    fn dominates(&self, first: usize, second: usize) -> bool {
        let whole = &self.function.whole;
        match (whole.subgraph.node_holding(first), whole.subgraph.node_holding(second)) {
            (Some(a), Some(b)) if a == b => first < second,
            (Some(a), Some(b)) => whole.dominance.dominates(a, b),
            _ => false,
        }
    }

    /// The value that an operand has at an instruction: a number, or a register whose only write is a number
    /// and stands on every path to there.
    fn constant(&self, mut operand: &'a str, mut at: usize) -> Option<i128> {
        const LONGEST_CHAIN: usize = 8; // of copies of copies
        for _ in 0..LONGEST_CHAIN {
            if let Some(number) = number(operand) {
                return Some(number);
            }
            let only = self.only_write(operand)?;
            if !self.dominates(only, at) {
                return None;
            }
            operand = moved(self.instruction(only))?;
            at = only;
        }
        None
    }

    /// Whether one instruction comes before another in every pass; none if a pass may lack one of them.
    fn precedes(&self, first: usize, second: usize) -> Option<bool> {
        let (a, b) = (self.once_a_pass(first)?, self.once_a_pass(second)?);
        Some(if a == b { first < second } else { self.pass.dominance.dominates(a, b) })
    }

    /// Whether the loop goes on if control goes to an instruction.
    fn goes_on(&self, instruction: usize) -> bool {
        let subgraph = &self.pass.subgraph;
        let edge = match self.function.graph.starting_at(instruction) {
            Some(block) if block == subgraph.block_id(Node::ENTRY) => Edge::Back,
            Some(block) => subgraph.node_of(block).map_or(Edge::Out, Edge::To),
            None => Edge::End,
        };
        self.pass.exits.comes_back(edge)
    }

    /// The passes that the test at the end of a node allows.
    fn passes_of_test(&self, node: Node) -> Option<u64> {
        if !self.pass.dominance.once_a_pass(node) {
            return None;
        }
        let at = self.pass.subgraph.block(node).last();
        let branch = self.instruction(at);
        let (guard, &Flow::Branch(to)) = (branch.guard?, &branch.flow) else { return None };
        let truth = match (self.goes_on(to), self.goes_on(at + 1)) {
            (true, false) => !guard.negated,
            (false, true) => guard.negated,
            _ => return None,
        };
        let compare = self.only_write(guard.register)?;
        let in_order = compare == at || self.precedes(compare, at)?;
        let setp = self.instruction(compare);
        let mut parts = setp.opcode.split('.');
        let (Some("setp"), Some(relation), Some(kind), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return None;
        };
        let operands = split(setp.operands);
        if !in_order || setp.guard.is_some() || operands.len() != 3 || operands[0] != guard.register {
            return None;
        }
        let kind = IntegerType::of(kind)?;
        let limit = kind.value(self.constant(operands[2], compare)?)?;
        let counter = self.counter(operands[1], compare, kind)?;
        counter.tests(Relation::of(relation, truth)?, limit, kind)
    }

    /// The counter that a comparison reads, as it is at the comparison.
    fn counter(&self, tested: &'a str, compare: usize, kind: IntegerType) -> Option<Counter> {
        // A compiler in static single assignment tests `next = counter + step` and copies `next` back to the
        // counter.
        let copied = self.only_write(tested);
        let counter = match copied {
            Some(addition) if self.precedes(addition, compare)? => self.addition(addition, kind)?.0,
            Some(_) => return None,
            None => tested,
        };
        let [one, other] = self.function.writers.get(counter)?[..] else { return None };
        let (start, update) = match (self.is_before_the_loop(one), self.is_before_the_loop(other)) {
            (true, false) => (one, other),
            (false, true) => (other, one),
            _ => return None,
        };
        let start = kind.value(self.constant(moved(self.instruction(start))?, start)?)?;
        let addition = match moved(self.instruction(update)) {
            Some(next) => self.only_write(next)?,
            None => update,
        };
        let (from, step) = self.addition(addition, kind)?;
        let in_place = addition == update;
        let updates = if in_place {
            split(self.instruction(update).operands)[0] == counter
        } else {
            self.precedes(addition, update)?
        };
        if from != counter || !updates {
            return None;
        }
        let after_update = match copied {
            // The tested value is that of the addition of this pass, made from the counter before its update.
            Some(tested) if tested != addition || in_place => return None,
            Some(_) => true,
            None => self.precedes(update, compare)?,
        };
        Some(Counter { first: if after_update { start + step } else { start }, step })
    }

    /// Whether an instruction sets the counter before each run of the loop.
    fn is_before_the_loop(&self, at: usize) -> bool {
        let Some(node) = self.around.subgraph.node_holding(at) else { return false };
        let inside = self.pass.subgraph.node_holding(at).is_some();
        !inside && self.around.dominance.dominates(node, self.header) && node != self.header
    }

    /// What an unguarded `add r, from, constant` or `sub` adds to, and how much, if it is in every pass.
    fn addition(&self, at: usize, kind: IntegerType) -> Option<(&'a str, i128)> {
        let instruction = self.instruction(at);
        let (name, suffix) = instruction.opcode.split_once('.')?;
        let operands = split(instruction.operands);
        if instruction.guard.is_some() || operands.len() != 3 || IntegerType::of(suffix)?.bits != kind.bits {
            return None;
        }
        self.once_a_pass(at)?;
        // The bits of the sum are the same whatever the sign of its type, so that steps are taken as signed.
        let value = |operand| kind.to_signed().value(self.constant(operand, at)?);
        match name {
            "add" => Some((operands[1], value(operands[2])?)),
            "sub" => Some((operands[1], -value(operands[2])?)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::listing::flow::analysis::groups::Returns;
    use crate::listing::flow::analysis::testing::{kernel, with_function};
    use crate::listing::flow::region::{Region, build};

    /// The trip count of the only loop of a kernel.
    fn trips(body: &str) -> Option<u64> {
        with_function(&kernel(body), "6.1", |function, _| {
            let regions = build(function, &Returns::new(), 1000, false);
            let found = |region: &Region| match region {
                Region::Loop(one) => Some(one.bound.clone()),
                _ => None,
            };
            let bound = regions.iter().find_map(found).unwrap();
            assert_eq!(bound.evident, bound.most.is_some());
            bound.most
        })
    }

    #[test]
    fn a_counter_in_place_and_one_that_is_copied_back() {
        let test = "setp.lt.s32 %p1, %r1, 10;\n@%p1 bra L;\nexit;";
        assert_eq!(trips(&format!("mov.s32 %r1, 0;\nL:\nadd.s32 %r1, %r1, 3;\n{test}")), Some(4));
        let test = "setp.ne.s32 %p1, %r2, 10;\nmov.u32 %r1, %r2;\n@%p1 bra L;\nexit;";
        assert_eq!(trips(&format!("mov.s32 %r1, 0;\nL:\nadd.s32 %r2, %r1, 1;\n{test}")), Some(10));
    }

    #[test]
    fn what_is_no_constant_or_not_in_every_pass() {
        let test = "setp.lt.s32 %p1, %r1, %r3;\n@%p1 bra L;\nexit;";
        let with = |start: &str, update: &str| trips(&format!("{start}\nL:\n{update}\n{test}"));
        let step = "add.s32 %r1, %r1, 1;";
        assert_eq!(with("mov.s32 %r3, 7;\nmov.s32 %r1, 0;", step), Some(7));
        assert_eq!(with("ld.param.s32 %r3, [n];\nmov.s32 %r1, 0;", step), None);
        assert_eq!(with("mov.s32 %r3, 7;\nld.param.s32 %r1, [n];", step), None);
        assert_eq!(with("mov.s32 %r3, 7;\nmov.s32 %r1, 0;", "@%p2 add.s32 %r1, %r1, 1;"), None);
        assert_eq!(
            with("mov.s32 %r3, 7;\nmov.s32 %r1, 0;", "add.s32 %r1, %r1, 1;\nadd.s32 %r1, %r1, 1;"),
            None
        );
    }
}
