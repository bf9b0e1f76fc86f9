//! The aggregated formulation, which treats the warps of a group as an ordered crowd.
//!
//! # Variables
//!
//! `z_{g,k,i,t}` is 1 if at least k warps of group g have issued instruction i by the end of cycle t.
//! Equally, it is 1 if the k-th warp has, where warps are named in the order of [`windows`](super::windows).
//! Outside its window z is a constant. The k-th warp issues i in cycle t if `z_{k,i,t} - z_{k,i,t-1}` = 1.
//!
//! `n_{U,t}`, continuous, is the number of issues on U in cycle t. It keeps the rows of work conservation
//! short. A row that sums over all other warps instead made the same model five times slower on LLCLL, W = 6.
//!
//! Another way to aggregate has integers `N_{i,t}` for the number of warps that have issued i. It needs a
//! big-M for work conservation and took 27 times as long on LLCLL, W = 6 (19 times for W = 8, 11 times on
//! LLCLLCLL, W = 3).
//!
//! # Rows
//!
//! | name | row | for |
//! |---|---|---|
//! | `capacity` | `n_{U,t}` = issues on U in t, and <= `sigma_U` | U, t |
//! | `stay` | `z_{k,i,t-1} <= z_{k,i,t}` | g, k, i, t |
//! | `order` | `z_{k,i,t} <= z_{k,i-1,t-1}`: at most one instruction a cycle, in order | g, k, i > 1, t |
//! | `crowd` | `z_{k+sigma_U,i,t} <= z_{k,i,t-1}`, and `z_{k+1,i,t} <= z_{k,i,t}` where `sigma_U > 1` | g, k, i, t |
//! | `conserve` | `sigma_U` (k ready for U at the start of t, not issuing in t) <= `n_{U,t}` - (k issuing on U in t) | g, k, U, t |
//! | `window` | 0 <= -1 where no cycle is left for the k-th warp to issue i, so that no schedule ends within the horizon | g, k, i |
//! | `running` | `r_t <=` number of groups whose last warp has not finished by t (only with several groups) | t |
//!
//! Warp k is ready for U and does not issue if the sum over instructions i for U of
//! `z_{k,i-1,t-1} - z_{k,i,t}` is 1. The sum is 0 or 1, since a warp stands at one instruction. One row
//! therefore covers what Be12 says I times, and no variable for "U is full" is needed: in integers the row
//! holds exactly if the warp issues, wants another unit, or `sigma_U` others issue. The objective to be
//! maximised is the number of cycles at whose start the last warp has not finished.

use good_lp::Expression;

use crate::Options;
use crate::highs::model::{Column, Columns, Model, Sense, Term, add, real};
use crate::highs::runner::Raw;
use crate::highs::windows::{Windows, warps};
use warpspan_check::schedule::{Issue, Schedule};
use warpspan_model::{Instance, PerUnit, Unit};

/// The variables of the formulation.
pub(super) struct Crowd<'a> {
    instance: &'a Instance,
    horizon: u64,
    windows: Windows,
    // by group: warps, within them instructions, within them all cycles of the window but the last
    columns: Vec<Vec<Column>>,
    starts: Vec<Vec<usize>>, // by group, warp and instruction: the index of its first column
    totals: PerUnit<Vec<Column>>, // by unit: issues in each cycle, from the first
}

impl<'a> Crowd<'a> {
    /// Creates the model.
    pub(super) fn build(instance: &'a Instance, horizon: u64, options: &Options) -> (Self, Model) {
        let mut columns = Columns::new(options.write_model.is_some());
        let mut crowd = Self::new(instance, horizon, options.plain, &mut columns);
        let running: Vec<Term> = (0..horizon).map(|t| crowd.running(t, &mut columns)).collect();
        crowd.totals = PerUnit::from_fn(|unit| {
            let total = |t| columns.count(instance.sigma(unit), || format!("n_{unit}_t{t}"));
            (1..=horizon).map(total).collect()
        });
        let mut objective = Expression::default();
        for (t, &term) in running.iter().enumerate() {
            match crowd.single(t as u64) {
                Some(finished) => {
                    objective += 1.0;
                    add(&mut objective, -1.0, finished);
                }
                None => add(&mut objective, 1.0, term),
            }
        }
        let mut model = columns.maximise(objective);
        for (t, &term) in running.iter().enumerate() {
            if let Term::Free(_) = term {
                let mut row = Expression::default();
                add(&mut row, 1.0, term);
                crowd.finished(t as u64).for_each(|finished| add(&mut row, 1.0, finished));
                let groups = instance.groups().len();
                model.row(|| format!("running_t{t}"), row, Sense::AtMost, real(groups as u64));
            }
        }
        crowd.rows(&mut model);
        (crowd, model)
    }

    fn new(instance: &'a Instance, horizon: u64, plain: bool, out: &mut Columns) -> Self {
        let windows =
            if plain { Windows::open(instance, horizon) } else { Windows::ordered(instance, horizon) };
        let (mut columns, mut starts) = (Vec::new(), Vec::new());
        for (g, group) in instance.groups().iter().enumerate() {
            let (mut cells, mut begins) = (Vec::new(), Vec::new());
            for k in 0..warps(group.warps) {
                for i in 0..group.kernel.len() {
                    begins.push(cells.len());
                    let (earliest, latest) = windows.get(g, k, i);
                    let name = |t| format!("z_g{}_k{}_i{}_t{t}", g + 1, k + 1, i + 1);
                    cells.extend((earliest..latest).map(|t| out.binary(|| name(t))));
                }
            }
            columns.push(cells);
            starts.push(begins);
        }
        Self { instance, horizon, windows, columns, starts, totals: PerUnit::default() }
    }

    /// The term `z_{g,k,i,t}` with g, k and i from 0. The instruction `None` stands before the first.
    fn z(&self, g: usize, k: usize, i: Option<usize>, t: u64) -> Term {
        let Some(i) = i else { return Term::Known(true) };
        let (earliest, latest) = self.windows.get(g, k, i);
        if t < earliest {
            Term::Known(false)
        } else if t >= latest {
            Term::Known(true)
        } else {
            let start = self.starts[g][k * self.instance.groups()[g].kernel.len() + i];
            let offset = usize::try_from(t - earliest).expect("a window fits in memory");
            Term::Free(self.columns[g][start + offset])
        }
    }

    /// For each group, whether its last warp has finished by the end of t.
    fn finished(&self, t: u64) -> impl Iterator<Item = Term> + '_ {
        let last = move |(g, group): (usize, &warpspan_model::WarpGroup)| {
            self.z(g, warps(group.warps) - 1, Some(group.kernel.len() - 1), t)
        };
        self.instance.groups().iter().enumerate().map(last)
    }

    /// The finish of the only group, if there is just one.
    fn single(&self, t: u64) -> Option<Term> {
        self.finished(t).next().filter(|_| self.instance.groups().len() == 1)
    }

    /// The term `r_t`, which says whether some warp has not finished by the end of t. Only several groups
    /// need a variable for it.
    fn running(&self, t: u64, out: &mut Columns) -> Term {
        if self.instance.groups().len() == 1 || self.finished(t).all(|term| matches!(term, Term::Known(true)))
        {
            return Term::Known(false);
        }
        if self.finished(t).any(|term| matches!(term, Term::Known(false))) {
            Term::Known(true)
        } else {
            Term::Free(out.binary(|| format!("r_t{t}")))
        }
    }

    fn rows(&self, model: &mut Model) {
        for (g, group) in self.instance.groups().iter().enumerate() {
            for k in 0..warps(group.warps) {
                for (i, &unit) in group.kernel.units().iter().enumerate() {
                    self.progress(model, (g, k, i), unit, warps(group.warps));
                }
            }
        }
        for t in 1..=self.horizon {
            for unit in Unit::ALL {
                self.capacity(model, unit, t);
                for (g, group) in self.instance.groups().iter().enumerate() {
                    for k in 0..warps(group.warps) {
                        self.conserve(model, (g, k), unit, t);
                    }
                }
            }
        }
    }

    /// Adds the rows `stay`, `order` and `crowd`, each over a pair of variables.
    fn progress(&self, model: &mut Model, (g, k, i): (usize, usize, usize), unit: Unit, count: usize) {
        let (earliest, latest) = self.windows.get(g, k, i);
        if earliest > latest {
            let name = || format!("window_g{}_k{}_i{}", g + 1, k + 1, i + 1);
            // no cycle is left for it, so no schedule fits
            model.row(name, Expression::default(), Sense::AtMost, -1.0);
        }
        let sigma = usize::try_from(self.instance.sigma(unit)).unwrap_or(usize::MAX);
        let behind = k.saturating_add(sigma);
        for t in earliest..=latest.max(earliest).min(self.horizon) {
            let here = self.z(g, k, Some(i), t);
            let mut at_most = |name: &str, left: Term, right: Term| {
                let mut row = Expression::default();
                add(&mut row, 1.0, left);
                add(&mut row, -1.0, right);
                let name = || format!("{name}_g{}_k{}_i{}_t{t}", g + 1, k + 1, i + 1);
                model.row(name, row, Sense::AtMost, 0.0);
            };
            at_most("stay", self.z(g, k, Some(i), t - 1), here);
            if i > 0 {
                at_most("order", here, self.z(g, k, Some(i - 1), t - 1));
            }
            if behind < count {
                at_most("crowd", self.z(g, behind, Some(i), t + 1), here);
            }
            if sigma > 1 && k + 1 < count {
                at_most("crowd1", self.z(g, k + 1, Some(i), t), here);
            }
        }
    }

    /// The number of issues on a unit in cycle t.
    fn total(&self, unit: Unit, t: u64) -> Term {
        Term::Free(self.totals[unit][usize::try_from(t - 1).expect("a cycle of the model")])
    }

    fn capacity(&self, model: &mut Model, unit: Unit, t: u64) {
        let mut row = Expression::default();
        for (g, group) in self.instance.groups().iter().enumerate() {
            for k in 0..warps(group.warps) {
                self.issues(&mut row, 1.0, (g, k), unit, t);
            }
        }
        add(&mut row, -1.0, self.total(unit, t));
        model.row(|| format!("capacity_{unit}_t{t}"), row, Sense::Equal, 0.0);
    }

    fn conserve(&self, model: &mut Model, (g, k): (usize, usize), unit: Unit, t: u64) {
        let sigma = real(self.instance.sigma(unit));
        let mut row = Expression::default();
        let mut ready = false;
        for (i, _) in self.on(g, unit) {
            let (before, after) = (self.z(g, k, i.checked_sub(1), t - 1), self.z(g, k, Some(i), t));
            if let (Term::Known(a), Term::Known(b)) = (before, after)
                && a == b
            {
                continue;
            }
            ready = true;
            add(&mut row, sigma, before);
            add(&mut row, -sigma, after);
        }
        if !ready {
            return;
        }
        self.issues(&mut row, 1.0, (g, k), unit, t);
        add(&mut row, -1.0, self.total(unit, t));
        let name = || format!("conserve_{unit}_g{}_k{}_t{t}", g + 1, k + 1);
        model.row(name, row, Sense::AtMost, 0.0);
    }

    /// Adds `factor` times the issues of a warp on a unit in cycle t.
    fn issues(&self, row: &mut Expression, factor: f64, (g, k): (usize, usize), unit: Unit, t: u64) {
        for (i, _) in self.on(g, unit) {
            let (earliest, latest) = self.windows.get(g, k, i);
            if (earliest..=latest).contains(&t) {
                add(row, factor, self.z(g, k, Some(i), t));
                add(row, -factor, self.z(g, k, Some(i), t - 1));
            }
        }
    }

    /// The instructions of a group for a unit, with their indexes.
    fn on(&self, g: usize, unit: Unit) -> impl Iterator<Item = (usize, &Unit)> {
        let units = self.instance.groups()[g].kernel.units();
        units.iter().enumerate().filter(move |&(_, &other)| other == unit)
    }

    /// The schedule of a solution. Warp k issues i in the first cycle in which z is 1.
    pub(super) fn decode(&self, raw: &Raw) -> Schedule {
        let mut issues = Vec::new();
        for (g, group) in (0..).zip(self.instance.groups()) {
            for k in 0..warps(group.warps) {
                for i in 0..group.kernel.len() {
                    let (earliest, latest) = self.windows.get(g, k, i);
                    let issued = |&t: &u64| match self.z(g, k, Some(i), t) {
                        Term::Known(value) => value,
                        Term::Free(column) => raw.is_one(column),
                    };
                    let cycle = (earliest..latest).find(issued).unwrap_or(latest);
                    let index = |value: usize| u32::try_from(value).expect("a model fits in memory");
                    issues.push(Issue {
                        cycle,
                        group: index(g),
                        warp: index(k),
                        instruction: index(i),
                        latency: 1,
                    });
                }
            }
        }
        Schedule::new(issues)
    }
}
