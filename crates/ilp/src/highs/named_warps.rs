//! Be12's own formulation, over named warps: the rows of Fig. 3 that `short` and `long` share.
//!
//! # Variables
//!
//! `LS_{w,i,t}` and `CC_{w,i,t}` say that warp w issues instruction i in cycle t, on the load/store units or
//! the CUDA cores. In the plain model both exist for every w, i and t; otherwise only the one of the
//! instruction's unit exists, inside its window. `E_t` and `G_t` say that the load/store units or the CUDA
//! cores are full in t. `r_t` says that some warp has not finished by the end of t. It exists only with
//! several groups, where Be12's objective does not say which warp is last.
//!
//! # Rows
//!
//! | name | row | equation |
//! |---|---|---|
//! | `eq12` | the last warp of a group finishes last | 12, unnumbered row above it |
//! | `eq14`, `eq15` | issues on U in t <= `sigma_U` | 14, 15 |
//! | `eq16` | at most one issue of a warp on U in t | 16 |
//! | `eq17` | each instruction is issued once, on its unit | 17 |
//! | `eq18` | instruction i is issued before i+1 | 18, 19 |
//! | `eq40`, `eq41` | `E_t` (`G_t`) says whether U is full | 40, 41 |
//! | `eq34`, `eq37` | short: issued, not yet ready, not for U, or U full, for each (w, i, t) | 34, 37 |
//! | `eq33`, `eq36` | long: the same for each (w, t) | 33, 36 |
//! | `order` | warp w issues i no later than w+1, and a cycle before `w + sigma_U` | ours, unless plain |
//!
//! Eq. 33-37 are in `conserving`, the other rows in `rows`.

use good_lp::Expression;

use crate::highs::model::{Column, Columns, Model, Sense, Term, add, real};
use crate::highs::runner::Raw;
use crate::highs::windows::{Windows, warps};
use crate::{Formulation, Options};
use warpspan_check::schedule::{Issue, Schedule};
use warpspan_model::{Instance, PerUnit, Unit, WarpGroup};

/// The variables of the formulation.
pub(super) struct Named<'a> {
    pub(super) instance: &'a Instance,
    pub(super) horizon: u64,
    pub(super) plain: bool,
    pub(super) windows: Windows,
    // by group, warp, instruction, unit, and cycle from the earliest
    issue: Vec<Vec<Vec<PerUnit<Vec<Column>>>>>,
    full: PerUnit<Vec<Column>>, // E and G, by cycle from 1
}

/// A group and a warp, both from 0.
pub(super) type Warp = (usize, usize);

impl<'a> Named<'a> {
    /// Creates the model.
    pub(super) fn build(instance: &'a Instance, horizon: u64, options: &Options) -> (Self, Model) {
        let mut columns = Columns::new(options.write_model.is_some());
        let named = Self::new(instance, horizon, options.plain, &mut columns);
        let groups = instance.groups().len();
        let mut objective = Expression::default();
        let mut running = Vec::new();
        if groups == 1 {
            named.time(&mut objective, 1.0, named.last(0), named.instructions(0) - 1); // Eq. 13
        } else {
            running.extend((0..horizon).map(|t| columns.binary(|| format!("r_t{t}"))));
            running.iter().for_each(|&column| add(&mut objective, 1.0, Term::Free(column)));
        }
        let mut model = columns.maximise(objective);
        for (t, &column) in (0..).zip(&running) {
            let mut row = Expression::default();
            add(&mut row, 1.0, Term::Free(column));
            for g in 0..groups {
                named.during(&mut row, -1.0, named.last(g), named.instructions(g) - 1, (t + 1, horizon));
            }
            model.row(|| format!("running_t{t}"), row, Sense::AtMost, 0.0);
        }
        named.rows(&mut model);
        match options.formulation {
            Formulation::Long => named.long(&mut model),
            _ => named.short(&mut model),
        }
        (named, model)
    }

    fn new(instance: &'a Instance, horizon: u64, plain: bool, out: &mut Columns) -> Self {
        let windows =
            if plain { Windows::open(instance, horizon) } else { Windows::ordered(instance, horizon) };
        let mut column = |unit: Unit, (g, w): Warp, i: usize| {
            let (earliest, latest) = windows.get(g, w, i);
            let own = instance.groups()[g].kernel.units()[i] == unit;
            let latest = if plain || own { latest } else { 0 };
            let name = |t| format!("{}_g{}_w{}_i{}_t{t}", prefix(unit), g + 1, w + 1, i + 1);
            (earliest..=latest).map(|t| out.binary(|| name(t))).collect()
        };
        let of_group = |(g, group): (usize, &WarpGroup)| -> Vec<Vec<PerUnit<Vec<Column>>>> {
            let of_warp = |w: usize| -> Vec<PerUnit<Vec<Column>>> {
                (0..group.kernel.len()).map(|i| PerUnit::from_fn(|unit| column(unit, (g, w), i))).collect()
            };
            (0..warps(group.warps)).map(of_warp).collect()
        };
        let issue = instance.groups().iter().enumerate().map(of_group).collect();
        let full = PerUnit::from_fn(|unit| {
            let name = |t| format!("{}_t{t}", if unit == Unit::LoadStore { 'E' } else { 'G' });
            (1..=horizon).map(|t| out.binary(|| name(t))).collect()
        });
        Self { instance, horizon, plain, windows, issue, full }
    }

    pub(super) fn instructions(&self, g: usize) -> usize {
        self.instance.groups()[g].kernel.len()
    }

    pub(super) fn last(&self, g: usize) -> Warp {
        (g, warps(self.instance.groups()[g].warps) - 1)
    }

    pub(super) fn warps(&self) -> impl Iterator<Item = Warp> + '_ {
        let groups = self.instance.groups().iter().enumerate();
        groups.flat_map(|(g, group)| (0..warps(group.warps)).map(move |w| (g, w)))
    }

    /// Adds `factor` times (`LS_{w,i,t} + CC_{w,i,t}`), summed over the cycles from first to last.
    pub(super) fn during(
        &self,
        row: &mut Expression,
        factor: f64,
        warp: Warp,
        i: usize,
        (first, last): (u64, u64),
    ) {
        for unit in Unit::ALL {
            for (t, column) in self.cells(unit, warp, i) {
                if (first..=last).contains(&t) {
                    add(row, factor, Term::Free(column));
                }
            }
        }
    }

    /// Adds `factor` times `Y_{w,i}`, the cycle in which warp w issues i (Eq. 19).
    pub(super) fn time(&self, row: &mut Expression, factor: f64, warp: Warp, i: usize) {
        for unit in Unit::ALL {
            for (t, column) in self.cells(unit, warp, i) {
                add(row, factor * real(t), Term::Free(column));
            }
        }
    }

    /// The variables of an instruction on a unit, each with its cycle.
    pub(super) fn cells(
        &self,
        unit: Unit,
        (g, w): Warp,
        i: usize,
    ) -> impl Iterator<Item = (u64, Column)> + '_ {
        let (earliest, _) = self.windows.get(g, w, i);
        (earliest..).zip(self.issue[g][w][i][unit].iter().copied())
    }

    /// Adds `factor` times the variable of an instruction on a unit in cycle t, if there is one.
    pub(super) fn at(&self, row: &mut Expression, factor: f64, unit: Unit, (g, w): Warp, i: usize, t: u64) {
        let (earliest, _) = self.windows.get(g, w, i);
        let offset = t.checked_sub(earliest).and_then(|offset| usize::try_from(offset).ok());
        if let Some(&column) = offset.and_then(|offset| self.issue[g][w][i][unit].get(offset)) {
            add(row, factor, Term::Free(column));
        }
    }

    pub(super) fn full(&self, unit: Unit, t: u64) -> Term {
        Term::Free(self.full[unit][usize::try_from(t - 1).expect("a cycle of the model")])
    }

    /// The schedule of a solution.
    pub(super) fn decode(&self, raw: &Raw) -> Schedule {
        let mut issues = Vec::new();
        for (g, w) in self.warps() {
            for i in 0..self.instructions(g) {
                let unit = self.instance.groups()[g].kernel.units()[i];
                let index = |value: usize| u32::try_from(value).expect("a model fits in memory");
                let ones = self.cells(unit, (g, w), i).filter(|&(_, column)| raw.is_one(column));
                issues.extend(ones.map(|(cycle, _)| Issue {
                    cycle,
                    group: index(g),
                    warp: index(w),
                    instruction: index(i),
                    latency: 1,
                }));
            }
        }
        Schedule::new(issues)
    }
}

const fn prefix(unit: Unit) -> &'static str {
    match unit {
        Unit::LoadStore => "LS",
        Unit::CudaCore => "CC",
    }
}

/// The name of a warp in the names of rows.
pub(super) fn name((g, w): Warp) -> String {
    format!("g{}_w{}", g + 1, w + 1)
}
