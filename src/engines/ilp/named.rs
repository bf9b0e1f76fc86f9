//! Be12's own formulation, over named warps: the rows of Fig. 3 that `short` and `long` share.
//!
//! # Variables
//!
//! `LS_{w,i,t}`, `CC_{w,i,t}`: warp w issues instruction i in cycle t, on the load/store units or the CUDA cores. In the
//! plain model both exist for every w, i and t; otherwise only the one of the instruction's unit, inside its window.
//! `E_t`, `G_t`: the load/store units, the CUDA cores are full in t. `r_t`: some warp has not finished by the end of t
//! (only with several groups, where Be12's objective does not say which warp is last).
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
//! Eq. 33-37 are in `ilp::conserving`.

use good_lp::Expression;

use crate::engines::ilp::model::{Column, Columns, Model, Sense, Term, add, real};
use crate::engines::ilp::windows::{Windows, warps};
use crate::engines::ilp::{Formulation, Options, Raw};
use crate::model::{Instance, PerUnit, Unit, WarpGroup};
use crate::schedule::{Issue, Schedule};

/// The variables of the formulation.
pub(super) struct Named<'a> {
    pub(super) instance: &'a Instance,
    pub(super) horizon: u64,
    pub(super) plain: bool,
    pub(super) windows: Windows,
    issue: Vec<Vec<Vec<PerUnit<Vec<Column>>>>>, // group, warp, instruction, unit, cycle from the earliest
    full: PerUnit<Vec<Column>>,                 // E and G, cycle from 1
}

/// Group and warp, from 0.
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
        let windows = match plain {
            true => Windows::open(instance, horizon),
            false => Windows::ordered(instance, horizon),
        };
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

    fn instructions(&self, g: usize) -> usize {
        self.instance.groups()[g].kernel.len()
    }

    fn last(&self, g: usize) -> Warp {
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
    fn time(&self, row: &mut Expression, factor: f64, warp: Warp, i: usize) {
        for unit in Unit::ALL {
            for (t, column) in self.cells(unit, warp, i) {
                add(row, factor * real(t), Term::Free(column));
            }
        }
    }

    /// The variables of an instruction on a unit with their cycles.
    fn cells(&self, unit: Unit, (g, w): Warp, i: usize) -> impl Iterator<Item = (u64, Column)> + '_ {
        let (earliest, _) = self.windows.get(g, w, i);
        (earliest..).zip(self.issue[g][w][i][unit].iter().copied())
    }

    /// Adds `factor` times the variable of an instruction on a unit in cycle t, if there is one.
    fn at(&self, row: &mut Expression, factor: f64, unit: Unit, (g, w): Warp, i: usize, t: u64) {
        let (earliest, _) = self.windows.get(g, w, i);
        let offset = t.checked_sub(earliest).and_then(|offset| usize::try_from(offset).ok());
        if let Some(&column) = offset.and_then(|offset| self.issue[g][w][i][unit].get(offset)) {
            add(row, factor, Term::Free(column));
        }
    }

    fn rows(&self, model: &mut Model) {
        for t in 1..=self.horizon {
            for unit in Unit::ALL {
                self.capacity(model, unit, t);
            }
            for warp in self.warps() {
                self.one_a_cycle(model, warp, t);
            }
        }
        for warp in self.warps() {
            for i in 0..self.instructions(warp.0) {
                self.once(model, warp, i);
                self.precedence(model, warp, i);
            }
            match self.plain {
                true => self.finishes_last(model, warp),
                false => self.keeps_order(model, warp),
            }
        }
    }

    /// Eq. 14, 15, 40, 41.
    fn capacity(&self, model: &mut Model, unit: Unit, t: u64) {
        let mut issues = Expression::default();
        for warp in self.warps() {
            for i in 0..self.instructions(warp.0) {
                self.at(&mut issues, 1.0, unit, warp, i, t);
            }
        }
        let sigma = real(self.instance.sigma(unit));
        let capacity = if unit == Unit::LoadStore { 14 } else { 15 };
        model.row(|| format!("eq{capacity}_t{t}"), issues.clone(), Sense::AtMost, sigma);
        let full = self.full(unit, t);
        let mut enough = issues.clone();
        add(&mut enough, -1.0, full);
        model.row(|| format!("eq40_{unit}_t{t}"), enough, Sense::AtMost, sigma - 1.0);
        let mut short = -1.0 * issues;
        add(&mut short, sigma, full);
        model.row(|| format!("eq41_{unit}_t{t}"), short, Sense::AtMost, 0.0);
    }

    pub(super) fn full(&self, unit: Unit, t: u64) -> Term {
        Term::Free(self.full[unit][usize::try_from(t - 1).expect("a cycle of the model")])
    }

    /// Eq. 16; a row for each unit in the plain model, else one for both.
    fn one_a_cycle(&self, model: &mut Model, warp: Warp, t: u64) {
        let mut both = Expression::default();
        for unit in Unit::ALL {
            let mut row = Expression::default();
            for i in 0..self.instructions(warp.0) {
                self.at(if self.plain { &mut row } else { &mut both }, 1.0, unit, warp, i, t);
            }
            model.row(|| format!("eq16_{unit}_{}_t{t}", name(warp)), row, Sense::AtMost, 1.0);
        }
        model.row(|| format!("eq16_{}_t{t}", name(warp)), both, Sense::AtMost, 1.0);
    }

    /// Eq. 17.
    fn once(&self, model: &mut Model, warp: Warp, i: usize) {
        let own = self.instance.groups()[warp.0].kernel.units()[i];
        for unit in Unit::ALL {
            let mut row = Expression::default();
            self.cells(unit, warp, i).for_each(|(_, column)| add(&mut row, 1.0, Term::Free(column)));
            let right = if unit == own { 1.0 } else { 0.0 };
            model.row(|| format!("eq17_{unit}_{}_i{}", name(warp), i + 1), row, Sense::Equal, right);
        }
    }

    /// Eq. 18 and 19.
    fn precedence(&self, model: &mut Model, warp: Warp, i: usize) {
        if i + 1 == self.instructions(warp.0) {
            return;
        }
        let mut row = Expression::default();
        self.time(&mut row, 1.0, warp, i);
        self.time(&mut row, -1.0, warp, i + 1);
        model.row(|| format!("eq18_{}_i{}", name(warp), i + 1), row, Sense::AtMost, -1.0);
    }

    /// The row above Eq. 12: no warp of the group finishes after its last one.
    fn finishes_last(&self, model: &mut Model, warp: Warp) {
        if warp == self.last(warp.0) {
            return;
        }
        let i = self.instructions(warp.0) - 1;
        let mut row = Expression::default();
        self.time(&mut row, 1.0, warp, i);
        self.time(&mut row, -1.0, self.last(warp.0), i);
        model.row(|| format!("eq12_{}", name(warp)), row, Sense::AtMost, 0.0);
    }

    /// No warp overtakes a lower number; it implies the row above Eq. 12.
    fn keeps_order(&self, model: &mut Model, (g, w): Warp) {
        for i in 0..self.instructions(g) {
            let unit = self.instance.groups()[g].kernel.units()[i];
            let sigma = usize::try_from(self.instance.sigma(unit)).unwrap_or(usize::MAX);
            let mut later = |behind: usize, by: f64| {
                if behind <= self.last(g).1 {
                    let mut row = Expression::default();
                    self.time(&mut row, 1.0, (g, w), i);
                    self.time(&mut row, -1.0, (g, behind), i);
                    let name = || format!("order_{}_i{}_w{}", name((g, w)), i + 1, behind + 1);
                    model.row(name, row, Sense::AtMost, -by);
                }
            };
            later(w.saturating_add(sigma), 1.0);
            if sigma > 1 {
                later(w + 1, 0.0);
            }
        }
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

/// A warp as it stands in the names of rows.
pub(super) fn name((g, w): Warp) -> String {
    format!("g{}_w{}", g + 1, w + 1)
}
