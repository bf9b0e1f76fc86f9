//! The formulation for machines with latency.
//!
//! # Variables
//!
//! `y_{w,i,t}` is 1 if warp w has issued instruction i by the end of cycle t, so that w issues i in cycle t if
//! `y_{w,i,t} - y_{w,i,t-1}` = 1. Outside the window in which w can issue i it is a constant.
//!
//! `a_{w,i,t}` is 1 if the latency of the instruction before i is over by the start of cycle t. It is
//! `y_{w,i-1,t-l}` where the latency l is constant, and else the adversary's choice.
//!
//! `o_{b,i,t}` is 1 if the barrier before instruction i has opened for block b by the start of cycle t.
//! `r_{w,i,t}` stands for `o` at a barrier, for 1 at the first instruction and for `a` elsewhere.
//!
//! `f_{u,t}` is 1 only if all instances of u are held in cycle t, and `g_{s,t}` only if all slots of scheduler
//! s are used.
//!
//! # Rows
//!
//! | name | row | for |
//! |---|---|---|
//! | `stay` | `y_{w,i,t-1} <= y_{w,i,t}`, and the same for a and o | w, i, t |
//! | `order` | `y_{w,i,t} <= r_{w,i,t}` | w, i, t |
//! | `soonest`, `latest` | `y_{w,i-1,t-hi} <= a_{w,i,t} <= y_{w,i-1,t-lo}` | w, i, t |
//! | `open` | o is 1 just if a is 1 for all warps of the block | b, i, t |
//! | `capacity` | issues on u in the last n cycles <= m, each with the n of its letter | u, t |
//! | `full` | `m f_{u,t} <=` the same sum | u, t |
//! | `width`, `busy` | issues of s in t <= d, and `d g_{s,t} <=` the same sum | s, t |
//! | `conserve` | `r_{w,i,t} - y_{w,i,t} <= f_{u,t} + g_{s,t}` | w, i, t |
//! | `name` | `y_{v,1,t} <= y_{w,1,t}` where v follows w in its group, block and scheduler | w, t |
//! | `running` | `p_t <=` number of warps that have not finished by t | t |
//!
//! The objective to be maximised is the sum of `p_t`, which is the last cycle with an issue.

use std::collections::HashMap;
use warpspan_check::seal::SEAL;

use good_lp::Expression;

use crate::highs::model::{Column, Columns, Model, Sense, Term, add, real};
use crate::highs::runner::{self, Presolve, Raw};
use crate::{IlpError, LatencyOutcome, Options};
use warpspan_check::bound::{Theorem, Upper};
use warpspan_check::schedule::{Issue, Schedule};
use warpspan_model::Cycles;
use warpspan_model::limits::Limits;
use warpspan_model::machine::{Letter, Line, MachineWorkload};

/// Builds and solves the model.
pub(crate) fn latency(
    workload: &MachineWorkload,
    lines: &[Line],
    (horizon, is_safe): (Cycles, bool),
    limits: &Limits,
) -> Result<LatencyOutcome, IlpError> {
    let attempt = |presolve| {
        let (timed, model) = Timed::build(workload, lines, horizon.0);
        let raw = runner::run(model, &Options::DEFAULT, presolve, limits, None)?;
        let schedule = raw.has_solution().then(|| timed.decode(&raw));
        let upper = raw.dual_bound.filter(|_| is_safe);
        let upper = upper.map(|cycles| Upper::proved(cycles, Theorem::DualLatency, SEAL));
        let Raw { objective, infeasible, stop, size, .. } = raw;
        Ok(LatencyOutcome { schedule, objective, upper, infeasible, stop, size })
    };
    match attempt(Presolve::On) {
        Err(IlpError::Solver(_)) => attempt(Presolve::Off),
        other => other,
    }
}

/// A warp with its letters.
struct Warp<'a> {
    group: u32,
    index: u32,
    scheduler: u64,
    block: u64,
    letters: Vec<&'a Letter>,
    /// The instructions before which a barrier stands.
    gates: Vec<usize>,
    /// By instruction, the first and the last cycle in which it can issue.
    windows: Vec<(u64, u64)>,
}

/// The kinds of columns that a warp or block has for an instruction and a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Issued,
    Arrived,
    Opened,
}

/// The variables of the formulation.
struct Timed<'a> {
    workload: &'a MachineWorkload,
    horizon: u64,
    warps: Vec<Warp<'a>>,
    /// By kind, warp (or the first warp of the block), instruction and cycle.
    columns: HashMap<(Kind, usize, usize, u64), Column>,
}

impl<'a> Timed<'a> {
    fn build(workload: &'a MachineWorkload, lines: &[Line], horizon: u64) -> (Self, Model) {
        let mut timed =
            Self { workload, horizon, warps: warps(workload, lines, horizon), columns: HashMap::new() };
        let mut columns = Columns::new(false);
        for w in 0..timed.warps.len() {
            for i in 0..timed.warps[w].letters.len() {
                for t in 1..=horizon {
                    for kind in [Kind::Issued, Kind::Arrived, Kind::Opened] {
                        if timed.known(kind, w, i, t).is_none() {
                            timed.columns.insert((kind, w, i, t), columns.binary(String::new));
                        }
                    }
                }
            }
        }
        let full = timed.each_sum(|_, _| columns.binary(String::new));
        let running: Vec<Column> = (0..horizon).map(|_| columns.count(1, String::new)).collect();
        let mut objective = Expression::default();
        running.iter().for_each(|&column| add(&mut objective, 1.0, Term::Free(column)));
        let mut model = columns.maximise(objective);
        for (t, &column) in (0..).zip(&running) {
            let mut row = Expression::default();
            add(&mut row, 1.0, Term::Free(column));
            for (w, warp) in timed.warps.iter().enumerate() {
                add(&mut row, 1.0, timed.term(Kind::Issued, w, warp.letters.len() - 1, t));
            }
            model.row(String::new, row, Sense::AtMost, real(timed.warps.len() as u64));
        }
        timed.progress(&mut model);
        timed.resources(&mut model, &full);
        (timed, model)
    }

    /// The value of a variable that is no choice: `Some` where it is a constant or another variable stands for
    /// it, with the kind, warp, instruction and cycle of that one.
    fn known(&self, kind: Kind, w: usize, i: usize, t: u64) -> Option<Stands> {
        let warp = &self.warps[w];
        match kind {
            Kind::Issued => {
                let (earliest, latest) = warp.windows[i];
                match t {
                    _ if t < earliest => Some(Stands::Known(false)),
                    _ if t >= latest => Some(Stands::Known(true)),
                    _ => None,
                }
            }
            Kind::Arrived => {
                let Some(before) = i.checked_sub(1) else { return Some(Stands::Known(true)) };
                let (least, most) = (warp.letters[before].latency.least, warp.letters[before].latency.most);
                let issued = |latency: u64| match t.checked_sub(latency) {
                    None | Some(0) => Stands::Known(false),
                    Some(at) => {
                        let other = Stands::For(Kind::Issued, w, before, at);
                        self.known(Kind::Issued, w, before, at).unwrap_or(other)
                    }
                };
                match (issued(least), issued(most)) {
                    (same, _) if least == most => Some(same),
                    (Stands::Known(false), _) => Some(Stands::Known(false)),
                    (_, Stands::Known(true)) => Some(Stands::Known(true)),
                    _ => None,
                }
            }
            Kind::Opened if !warp.gates.contains(&i) => {
                let arrived = Stands::For(Kind::Arrived, w, i, t);
                Some(self.known(Kind::Arrived, w, i, t).unwrap_or(arrived))
            }
            Kind::Opened => {
                let same = |other: &Warp<'_>| (other.group, other.block) == (warp.group, warp.block);
                let first = self.warps.iter().position(same).filter(|&first| first != w);
                first.map(|first| Stands::For(Kind::Opened, first, i, t))
            }
        }
    }

    /// A variable, or the constant or variable that stands for it. In cycle 0 nothing has happened.
    fn term(&self, kind: Kind, w: usize, i: usize, t: u64) -> Term {
        if t == 0 {
            return Term::Known(false);
        }
        match self.known(kind, w, i, t) {
            Some(Stands::Known(value)) => Term::Known(value),
            Some(Stands::For(kind, w, i, t)) => self.term(kind, w, i, t),
            None => Term::Free(self.columns[&(kind, w, i, t)]),
        }
    }

    /// Adds the rows on the progress of warps.
    fn progress(&self, model: &mut Model) {
        let mut at_most = |left: Term, right: Term| {
            let mut row = Expression::default();
            add(&mut row, 1.0, left);
            add(&mut row, -1.0, right);
            model.row(String::new, row, Sense::AtMost, 0.0);
        };
        let mut open = Vec::new();
        for (w, warp) in self.warps.iter().enumerate() {
            let alike = |other: &&Warp<'_>| {
                (other.group, other.block, other.scheduler) == (warp.group, warp.block, warp.scheduler)
            };
            let follows = (w + 1..self.warps.len()).find(|&other| alike(&&self.warps[other]));
            for (i, &(earliest, latest)) in warp.windows.iter().enumerate() {
                if earliest > latest {
                    at_most(Term::Known(true), Term::Known(false)); // no schedule fits
                }
                for t in 1..=self.horizon {
                    let (issued, arrived) =
                        (self.term(Kind::Issued, w, i, t), self.term(Kind::Arrived, w, i, t));
                    for kind in [Kind::Issued, Kind::Arrived, Kind::Opened] {
                        if self.known(kind, w, i, t).is_none() {
                            at_most(self.term(kind, w, i, t - 1), self.term(kind, w, i, t));
                        }
                    }
                    at_most(issued, self.term(Kind::Opened, w, i, t));
                    if let Some(before) = i.checked_sub(1) {
                        let latency = warp.letters[before].latency;
                        let by = |latency| self.term(Kind::Issued, w, before, t.saturating_sub(latency));
                        at_most(by(latency.most), arrived);
                        at_most(arrived, by(latency.least));
                    }
                    if let (0, Some(other)) = (i, follows) {
                        at_most(self.term(Kind::Issued, other, 0, t), issued);
                    }
                    if warp.gates.contains(&i) && self.known(Kind::Opened, w, i, t).is_none() {
                        open.push((w, i, t));
                    }
                }
            }
        }
        for (w, i, t) in open {
            self.open(model, w, i, t);
        }
    }

    /// Adds the rows for the barrier before an instruction, in the block whose first warp is w.
    fn open(&self, model: &mut Model, w: usize, i: usize, t: u64) {
        let (group, block) = (self.warps[w].group, self.warps[w].block);
        let mut all = Expression::default();
        let mut others = -1.0;
        for (v, _) in self.warps.iter().enumerate().filter(|(_, v)| (v.group, v.block) == (group, block)) {
            let mut row = Expression::default();
            add(&mut row, 1.0, self.term(Kind::Opened, w, i, t));
            add(&mut row, -1.0, self.term(Kind::Arrived, v, i, t));
            model.row(String::new, row, Sense::AtMost, 0.0);
            add(&mut all, 1.0, self.term(Kind::Arrived, v, i, t));
            others += 1.0;
        }
        add(&mut all, -1.0, self.term(Kind::Opened, w, i, t));
        model.row(String::new, all, Sense::AtMost, others);
    }

    /// One thing for each limit on what issues in a cycle, and each cycle: for each unit and scheduler that
    /// shares it with no other, for each unit that is shared, and for each scheduler.
    fn each_sum<T>(&self, mut make: impl FnMut(Limit, u64) -> T) -> HashMap<(Limit, u64), T> {
        let mut limits: Vec<Limit> = Vec::new();
        for warp in &self.warps {
            let units = warp.letters.iter().map(|letter| self.instances(letter, warp.scheduler));
            limits.extend(units);
            limits.extend(self.workload.machine().width().map(|_| Limit::Slots(warp.scheduler)));
        }
        limits.sort_unstable();
        limits.dedup();
        let cycles = 1..=self.horizon;
        limits
            .iter()
            .flat_map(|&l| cycles.clone().map(move |t| (l, t)))
            .map(|(l, t)| ((l, t), make(l, t)))
            .collect()
    }

    /// The instances of a letter's unit that a scheduler sees.
    fn instances(&self, letter: &Letter, scheduler: u64) -> Limit {
        let is_shared = self.workload.machine().units()[letter.unit].shared;
        Limit::Instances(letter.unit, (!is_shared).then_some(scheduler))
    }

    /// Adds the rows on instances and slots, and those of work conservation.
    fn resources(&self, model: &mut Model, full: &HashMap<(Limit, u64), Column>) {
        let mut keys: Vec<(Limit, u64)> = full.keys().copied().collect();
        keys.sort_unstable();
        for (limit, t) in keys {
            let mut sum = Expression::default();
            for (w, warp) in self.warps.iter().enumerate() {
                for (i, letter) in warp.letters.iter().enumerate() {
                    let cycles = match limit {
                        Limit::Slots(scheduler) if scheduler == warp.scheduler => 1,
                        Limit::Instances(..) if self.instances(letter, warp.scheduler) == limit => {
                            letter.occupancy
                        }
                        _ => continue,
                    };
                    add(&mut sum, 1.0, self.term(Kind::Issued, w, i, t));
                    add(&mut sum, -1.0, self.term(Kind::Issued, w, i, t.saturating_sub(cycles)));
                }
            }
            let most = real(match limit {
                Limit::Slots(_) => self.workload.machine().width().unwrap_or(u64::MAX),
                Limit::Instances(unit, _) => self.workload.machine().units()[unit].instances,
            });
            let mut spare = -sum.clone();
            add(&mut spare, most, Term::Free(full[&(limit, t)]));
            model.row(String::new, sum, Sense::AtMost, most);
            model.row(String::new, spare, Sense::AtMost, 0.0);
        }
        for (w, warp) in self.warps.iter().enumerate() {
            for (i, letter) in warp.letters.iter().enumerate() {
                for t in 1..=self.horizon {
                    let mut row = Expression::default();
                    add(&mut row, 1.0, self.term(Kind::Opened, w, i, t));
                    add(&mut row, -1.0, self.term(Kind::Issued, w, i, t));
                    add(&mut row, -1.0, Term::Free(full[&(self.instances(letter, warp.scheduler), t)]));
                    if let Some(&busy) = full.get(&(Limit::Slots(warp.scheduler), t)) {
                        add(&mut row, -1.0, Term::Free(busy));
                    }
                    model.row(String::new, row, Sense::AtMost, 0.0);
                }
            }
        }
    }

    /// The schedule of a solution. After its last letter a warp has the longest latency.
    fn decode(&self, raw: &Raw) -> Schedule {
        let first = |kind, w, i| {
            let is_one = |&t: &u64| match self.term(kind, w, i, t) {
                Term::Known(value) => value,
                Term::Free(column) => raw.is_one(column),
            };
            (1..=self.horizon).find(is_one).unwrap_or(self.horizon)
        };
        let mut issues = Vec::new();
        for (w, warp) in self.warps.iter().enumerate() {
            for (instruction, (i, letter)) in (0..).zip(warp.letters.iter().enumerate()) {
                let cycle = first(Kind::Issued, w, i);
                let latency = match i + 1 < warp.letters.len() {
                    true => first(Kind::Arrived, w, i + 1).saturating_sub(cycle),
                    false => letter.latency.most,
                };
                let (group, warp) = (warp.group, warp.index);
                issues.push(Issue { cycle, group, warp, instruction, latency });
            }
        }
        Schedule::new(issues)
    }
}

/// What stands for a variable.
#[derive(Debug, Clone, Copy)]
enum Stands {
    Known(bool),
    For(Kind, usize, usize, u64),
}

/// What limits the issues of a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Limit {
    /// The instances of a unit: those of a scheduler, or those that all share.
    Instances(usize, Option<u64>),
    /// The slots of a scheduler.
    Slots(u64),
}

/// The warps that have something to issue.
fn warps<'a>(workload: &'a MachineWorkload, lines: &[Line], horizon: u64) -> Vec<Warp<'a>> {
    let machine = workload.machine();
    let mut warps = Vec::new();
    for (group, line) in lines.iter().enumerate().filter(|(_, line)| !line.concat().is_empty()) {
        let (mut letters, mut gates) = (Vec::new(), Vec::new());
        for segment in line.iter().filter(|segment| !segment.is_empty()) {
            gates.extend((!letters.is_empty()).then_some(letters.len()));
            letters.extend(segment.iter().map(|&letter| machine.letter(letter)));
        }
        let least =
            |of: &[&Letter]| of.iter().fold(0_u64, |sum, letter| sum.saturating_add(letter.latency.least));
        let last = letters.len() - 1;
        let window = |i| (1 + least(&letters[..i]), horizon.saturating_sub(least(&letters[i..last])));
        let windows: Vec<(u64, u64)> = (0..letters.len()).map(window).collect();
        for (index, number) in (0_u32..).zip(workload.warps_of(group)) {
            warps.push(Warp {
                group: u32::try_from(group).unwrap_or(u32::MAX),
                index,
                scheduler: number % machine.schedulers(),
                block: workload.warps_per_block().map_or(0, |block| u64::from(index) / block),
                letters: letters.clone(),
                gates: gates.clone(),
                windows: windows.clone(),
            });
        }
    }
    warps
}
