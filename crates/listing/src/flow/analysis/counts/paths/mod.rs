//! The paths that a pass may take, each followed by itself.
//!
//! Where a register is changed in one way on one path and in another way on the other, as `i` and `j` are in `if (..) i++; else
//! j++;`, the counters of `counter` have no answer: they know each register alone. Here each path from the header back to it is
//! followed: along it each predicate is true or false from where it is written on, so what `selp` chooses and which guarded
//! instructions are executed is known too. So each path has an expression for each register in what the registers held
//! at the header (`form`); `walker` finds them, and `rooms` and `halving` have what follows from these.
//!
//! That some of the paths are none that a thread can take does no harm, since what is inferred holds on all of them.

mod form;
mod halving;
mod opposite;
mod rooms;
mod walker;

use std::collections::{BTreeMap, BTreeSet};

use crate::flow::analysis::counts::Numbers;
use crate::flow::analysis::counts::counter::comparisons::Made;
use crate::flow::analysis::counts::counter::held::LONGEST_CHAIN;
use crate::flow::analysis::counts::counter::{CountedLoop, MOST_PASSES};
use crate::flow::analysis::counts::effect::{Comparison, Term};
use crate::flow::analysis::counts::paths::form::{Form, Need};
use crate::flow::analysis::counts::paths::walker::Walker;
use crate::flow::analysis::counts::ranges::{State, decides};
use crate::flow::analysis::counts::recurrence::Tests;
use crate::flow::graph::Node;
use crate::interval::Interval;
use warpspan_lift::Relation;

/// A predicate as it was written by an instruction of the pass, or before the pass.
type Version<'a> = (&'a str, Option<usize>);

/// A path from the header, up to where it has come.
#[derive(Debug, Clone, Default)]
struct Path<'a> {
    /// What the registers hold that the pass has written; none if that is no form.
    registers: BTreeMap<&'a str, Option<Form<'a>>>,
    /// Which predicate a register holds that the pass has written, or of which one it is the opposite.
    predicates: BTreeMap<&'a str, (Version<'a>, bool)>,
    /// Which of them are true on this path.
    decided: BTreeMap<Version<'a>, bool>,
    /// The registers that each comparison has read, with what they held.
    tests: BTreeMap<usize, Vec<(Term<'a>, Option<Form<'a>>)>>,
    /// Comparisons of which no register that they read has been written since.
    compared: Vec<usize>,
    nodes: Vec<Node>,
}

/// All paths of a pass that come back to the header.
#[derive(Debug)]
struct Paths<'a> {
    bits: u32,
    ends: Vec<Path<'a>>,
    /// What must hold so that the forms are right.
    needs: Vec<Need<'a>>,
}

/// What a comparison tests: a register of the header and a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Side<'a> {
    name: &'a str,
    plus: i128,
    /// Whether it is as the pass leaves it, and not as it was at the header.
    later: bool,
}

impl<'a> CountedLoop<'a, '_> {
    /// How often the header is passed at most, as the paths of a pass show.
    pub(super) fn of_paths(&self, numbers: &Numbers<'a>, before: &State<'a>) -> Option<Tests> {
        let going_on = self.going_on(numbers);
        [32, 64].into_iter().find_map(|bits| {
            let tests: Vec<_> = going_on.iter().copied().filter(|(one, _)| one.kind.bits == bits).collect();
            let paths = if tests.is_empty() { None } else { Walker::new(self, numbers, bits).paths() }?;
            let rooms = paths.rooms(self, numbers, before, &tests);
            let least = rooms.into_iter().chain(paths.halving(before, &tests)).min();
            least.filter(|tests| tests.most < MOST_PASSES)
        })
    }

    /// The comparisons that hold in each pass that comes back, as ones of `<` and `<=`.
    fn going_on(&self, numbers: &Numbers<'a>) -> Vec<Made<'a>> {
        let subgraph = &self.pass.subgraph;
        let nodes = subgraph.nodes().filter(|&node| self.pass.dominance.once_a_pass(node));
        let of_node = |node: Node| {
            let last = subgraph.block(node).last();
            let conditions = decides(self.place(), last, |block| self.goes_on(block));
            conditions
                .into_iter()
                .flat_map(|one| self.implied(numbers, one, last, LONGEST_CHAIN))
                .collect::<Vec<_>>()
        };
        let upwards = |(one, at): Made<'a>| match one.relation {
            Relation::Less | Relation::LessEqual => Some((one, at)),
            Relation::Greater | Relation::GreaterEqual => Some((one.mirrored(), at)),
            Relation::Equal | Relation::NotEqual => None,
        };
        nodes.flat_map(of_node).filter_map(upwards).collect()
    }
}

impl<'a> Paths<'a> {
    /// What a register holds on a path as it comes back to the header.
    fn next(path: &Path<'a>, name: &'a str) -> Option<Form<'a>> {
        path.registers.get(name).cloned().unwrap_or_else(|| Some(Form::header(name)))
    }

    /// What an operand of a comparison held on a path.
    fn tested(path: &Path<'a>, (at, term): (usize, Term<'a>)) -> Option<Form<'a>> {
        let found = path.tests.get(&at)?.iter().find(|(one, _)| *one == term)?;
        found.1.clone()
    }

    /// The registers whose value a comparison may test, the same on all paths.
    fn sides(&self, at: usize, term: Term<'a>) -> Vec<Side<'a>> {
        let tested = |path| Self::tested(path, (at, term));
        let forms: Option<Vec<Form<'a>>> = self.ends.iter().map(tested).collect();
        let Some(forms) = forms else { return vec![] };
        let written = |name: &str| self.ends.iter().any(|path| path.registers.contains_key(name));
        if let Some((name, plus)) = forms[0].moved(self.bits)
            && forms.iter().all(|form| *form == forms[0])
            && written(name)
        {
            return vec![Side { name, plus, later: false }];
        }
        let names = self.ends.iter().flat_map(|path| path.registers.keys().copied());
        let as_it_comes_back = |name: &'a str| {
            let mut plus =
                self.ends.iter().zip(&forms).map(|(path, form)| {
                    form.clone().less(Self::next(path, name)?)?.constant(self.bits)?.only()
                });
            let first = plus.next()??;
            plus.all(|one| one == Some(first)).then_some(Side { name, plus: first, later: true })
        };
        let names: BTreeSet<_> = names.collect();
        names.into_iter().filter_map(as_it_comes_back).collect()
    }

    /// What each path adds to a register.
    fn steps(&self, name: &'a str) -> Option<Vec<Interval>> {
        let step = |path| Self::next(path, name)?.less(Form::header(name))?.constant(self.bits);
        self.ends.iter().map(step).collect()
    }
}

/// How much larger than the left side the right one is at least where a comparison holds.
const fn apart(comparison: Comparison<'_>) -> i128 {
    matches!(comparison.relation, Relation::Less) as i128
}
