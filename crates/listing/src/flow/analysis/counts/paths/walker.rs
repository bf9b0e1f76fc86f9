//! Follows the paths of a pass.

use std::collections::HashMap;
use std::rc::Rc;

use crate::flow::analysis::counts::Numbers;
use crate::flow::analysis::counts::counter::CountedLoop;
use crate::flow::analysis::counts::effect::{Condition, Operation, Source, Term};
use crate::flow::analysis::counts::paths::form::{Form, Need};
use crate::flow::analysis::counts::paths::{Path, Paths, Version, opposite};
use crate::flow::analysis::counts::ranges::{State, decides};
use crate::flow::graph::{Edge, Node};
use crate::interval::{IntegerType, Interval, Value};

/// How many paths are followed, and how many instructions on all of them together.
const MOST_PATHS: usize = 64;
const MOST_STEPS: usize = 3_000;

/// Follows paths.
pub(super) struct Walker<'w, 'a, 's> {
    of: &'w CountedLoop<'a, 's>,
    numbers: &'w Numbers<'a>,
    bits: u32,
    states: HashMap<usize, Option<Rc<State<'a>>>>,
    needs: Vec<Need<'a>>,
}

impl<'w, 'a, 's> Walker<'w, 'a, 's> {
    pub(super) fn new(of: &'w CountedLoop<'a, 's>, numbers: &'w Numbers<'a>, bits: u32) -> Self {
        Self { of, numbers, bits, states: HashMap::new(), needs: vec![] }
    }

    /// All paths; none if there are too many, or if something on them is not understood.
    pub(super) fn paths(mut self) -> Option<Paths<'a>> {
        let subgraph = &self.of.pass.subgraph;
        let mut open = vec![(Node::ENTRY, subgraph.block(Node::ENTRY).first(), Path::default())];
        let (mut ends, mut steps) = (vec![], 0);
        while let Some((node, at, mut path)) = open.pop() {
            steps += 1;
            if steps > MOST_STEPS || ends.len() + open.len() > MOST_PATHS {
                return None;
            }
            if at < subgraph.block(node).instructions.end {
                match self.execute(at, &mut path)? {
                    None => open.push((node, at + 1, path)),
                    Some(version) => {
                        let choose = |value: bool| {
                            let mut path = path.clone();
                            path.decided.insert(version, value);
                            (node, at, path)
                        };
                        open.extend([choose(true), choose(false)]);
                    }
                }
                continue;
            }
            path.nodes.push(node);
            for &edge in subgraph.edges(node) {
                if !self.of.pass.exits.comes_back(edge) {
                    continue;
                }
                let to = match edge {
                    Edge::To(next) => next,
                    _ => Node::ENTRY,
                };
                let Some(path) = self.along(node, to, path.clone()) else { continue };
                match edge {
                    Edge::To(next) if path.nodes.contains(&next) => return None, // a loop in the pass
                    Edge::To(next) => open.push((next, subgraph.block(next).first(), path)),
                    _ => ends.push(path),
                }
            }
        }
        (!ends.is_empty()).then_some(Paths { bits: self.bits, ends, needs: self.needs })
    }

    /// The path that goes on to a node; none if what was decided forbids that.
    fn along(&self, node: Node, to: Node, mut path: Path<'a>) -> Option<Path<'a>> {
        let subgraph = &self.of.pass.subgraph;
        let last = subgraph.block(node).last();
        let there = Some(subgraph.block_id(to));
        for condition in decides(self.of.place(), last, |block| block == there) {
            let Some((version, negated)) = self.version(&path, condition) else { continue };
            if *path.decided.entry(version).or_insert(!negated) == negated {
                return None;
            }
        }
        Some(path)
    }

    /// The predicate of a condition, and whether the condition is its opposite; none if nothing is known of it.
    fn version(&self, path: &Path<'a>, condition: Condition<'a>) -> Option<(Version<'a>, bool)> {
        if !self.is_followed(condition.register) {
            return None;
        }
        let (version, opposite) =
            path.predicates.get(condition.register).copied().unwrap_or(((condition.register, None), false));
        Some((version, opposite != condition.negated))
    }

    fn is_followed(&self, name: &str) -> bool {
        !self.numbers.untracked.contains(name) && !self.numbers.of_groups.contains(name)
    }

    /// Executes an instruction, unless a predicate has to be decided first: then it is that one. There is no answer if the
    /// instruction may write anything.
    #[expect(clippy::option_option, reason = "no answer, no predicate and a predicate are three things")]
    fn execute(&mut self, at: usize, path: &mut Path<'a>) -> Option<Option<Version<'a>>> {
        let instruction = &self.of.routine.instructions[at];
        let effect = &self.numbers.ranges.effects[at];
        if effect.everything {
            return None;
        }
        let guard =
            instruction.guard.map(|guard| Condition { register: guard.register, negated: guard.negated });
        let certain = match guard {
            None => !instruction.conditional,
            Some(_) if effect.writes.is_empty() => true,
            Some(guard) => match self.version(path, guard) {
                None => false,
                Some((version, negated)) => match path.decided.get(&version) {
                    None => return Some(Some(version)),
                    Some(&value) if value == negated => return Some(None),
                    Some(_) => true,
                },
            },
        };
        let mut results = vec![];
        for write in &effect.writes {
            let mut form = None;
            let mut predicate = ((write.register, Some(at)), false);
            if certain {
                match &write.result {
                    Operation::Either(_, _, Some(which)) => {
                        if let Some((version, _)) = self.version(path, *which)
                            && !path.decided.contains_key(&version)
                        {
                            return Some(Some(version));
                        }
                    }
                    Operation::All(None, given) if given.len() == 1 => {
                        predicate = self.version(path, given[0]).unwrap_or(predicate);
                    }
                    Operation::All(Some(_), given) if given.is_empty() => {
                        predicate = self.compared(path, at, predicate);
                    }
                    Operation::Unknown => predicate = self.compared(path, at, predicate),
                    _ => {}
                }
                match &write.result {
                    Operation::All(Some(one), _) | Operation::Any(Some(one), _) => {
                        let terms = [one.left, one.right].map(|term| (term, self.term(term, at, path)));
                        path.tests.entry(at).or_default().extend(terms);
                    }
                    _ => {}
                }
                if write.bits >= self.bits {
                    form = self.result(&write.result, write.bits, at, path);
                }
            }
            results.push((write.register, form, predicate));
        }
        let routine = self.of.routine;
        let reads = |at: usize| opposite::read(&routine.instructions[at]).unwrap_or_default();
        path.compared.retain(|&one| effect.writes.iter().all(|write| !reads(one).contains(&write.register)));
        for (register, form, predicate) in results {
            path.registers.insert(register, form);
            path.predicates.insert(register, predicate);
        }
        Some(None)
    }

    /// The predicate that a comparison writes: the opposite of an earlier one, or its own.
    fn compared(&self, path: &mut Path<'a>, at: usize, own: (Version<'a>, bool)) -> (Version<'a>, bool) {
        let instructions = &self.of.routine.instructions;
        let Some(reads) = opposite::read(&instructions[at]) else { return own };
        let alone = self.numbers.ranges.effects[at].writes.len() == 1;
        if !alone || !reads.into_iter().all(|name| self.is_followed(name)) {
            return own;
        }
        let earlier = path
            .compared
            .iter()
            .find(|&&one| opposite::are_opposite(&instructions[one], &instructions[at]))
            .copied();
        path.compared.push(at);
        let written = |at: usize| self.numbers.ranges.effects[at].writes.first().map(|write| write.register);
        match earlier.and_then(|at| Some((written(at)?, Some(at)))) {
            Some(version) => (version, true),
            None => own,
        }
    }

    /// What an operation leaves.
    fn result(
        &mut self,
        operation: &Operation<'a>,
        has: u32,
        at: usize,
        path: &Path<'a>,
    ) -> Option<Form<'a>> {
        match operation {
            Operation::Sum(terms) => {
                let zero = Form::number(Interval::point(0));
                terms.iter().try_fold(zero, |sum, &term| sum.sum(self.term(term, at, path)?))
            }
            Operation::Product(a, b, more) => {
                let [first, second] = [*a, *b].map(|one| self.known(one, at).and_then(Interval::only));
                let product = match (first, second) {
                    (_, Some(by)) => self.term(*a, at, path)?.times(by)?,
                    (Some(by), None) => self.term(*b, at, path)?.times(by)?,
                    (None, None) => return None,
                };
                match more {
                    Some(more) => product.sum(self.term(*more, at, path)?),
                    None => Some(product),
                }
            }
            Operation::ShiftLeft(a, by) if has == self.bits => {
                let by = self.amount(*by, at)?;
                self.term(*a, at, path)?.times(1 << by)
            }
            Operation::ShiftRight(kind, a, by) if kind.bits == self.bits => {
                self.shifted((*kind, *a, *by), at, path)
            }
            Operation::ShiftedSum(kind, a, by, more) if kind.bits == self.bits => {
                self.shifted((*kind, *a, *by), at, path)?.sum(self.term(*more, at, path)?)
            }
            Operation::Converted(from, a) if from.bits >= self.bits => self.term(*a, at, path),
            Operation::Either(a, b, Some(which)) => {
                let (version, negated) = self.version(path, *which)?;
                let first = path.decided.get(&version)? != &negated;
                self.term(if first { *a } else { *b }, at, path)
            }
            _ => None,
        }
    }

    /// A number of a type shifted right.
    fn shifted(
        &mut self,
        (kind, of, by): (IntegerType, Term<'a>, Term<'a>),
        at: usize,
        path: &Path<'a>,
    ) -> Option<Form<'a>> {
        let (of, by) = (self.term(of, at, path)?, self.amount(by, at)?);
        let (form, need) = match by {
            1 => of.half(kind)?,
            _ if by == i128::from(self.bits) - 1 && !kind.signed => of.sign(kind)?,
            _ => return None,
        };
        if !self.needs.contains(&need) {
            self.needs.push(need);
        }
        Some(form)
    }

    /// What an operand holds.
    fn term(&mut self, term: Term<'a>, at: usize, path: &Path<'a>) -> Option<Form<'a>> {
        let known = self.known(term, at);
        let form = match term.source {
            Source::Register(name)
                if self.is_followed(name) && known.is_none_or(|one| one.only().is_none()) =>
            {
                match path.registers.get(name) {
                    Some(form) => form.clone(),
                    None => Some(Form::header(name)),
                }
            }
            _ => None,
        };
        match form {
            Some(form) if term.negative => form.times(-1),
            Some(form) => Some(form),
            None => known.map(Form::number),
        }
    }

    /// The interval of an operand.
    fn known(&mut self, term: Term<'a>, at: usize) -> Option<Interval> {
        let bits = self.bits;
        self.state(at)?.value(term, bits).map(Value::modular)
    }

    /// The amount of a shift, which has 32 bits whatever is shifted.
    fn amount(&mut self, term: Term<'a>, at: usize) -> Option<i128> {
        let by = self.state(at)?.value(term, 32)?.modular().only()?;
        (0..self.bits.into()).contains(&by).then_some(by)
    }

    fn state(&mut self, at: usize) -> Option<&State<'a>> {
        let (of, numbers) = (self.of, self.numbers);
        self.states.entry(at).or_insert_with(|| of.state(numbers, at)).as_deref()
    }
}
