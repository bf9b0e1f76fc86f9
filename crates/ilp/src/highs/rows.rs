//! Rows over named warps that `short` and `long` share: capacity, order and fullness (Be12 Eq. 12-19, 40,
//! 41).

use good_lp::Expression;

use crate::highs::model::{Model, Sense, Term, add, real};
use crate::highs::named_warps::{Named, Warp, name};
use warpspan_model::Unit;

impl Named<'_> {
    pub(super) fn rows(&self, model: &mut Model) {
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
            if self.plain {
                self.finishes_last(model, warp);
            } else {
                self.keeps_order(model, warp);
            }
        }
    }

    /// Adds the rows of Eq. 14, 15, 40 and 41.
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

    /// Adds the rows of Eq. 16: one for each unit in the plain model, and otherwise one for both.
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

    /// Adds the row of Eq. 17.
    fn once(&self, model: &mut Model, warp: Warp, i: usize) {
        let own = self.instance.groups()[warp.0].kernel.units()[i];
        for unit in Unit::ALL {
            let mut row = Expression::default();
            self.cells(unit, warp, i).for_each(|(_, column)| add(&mut row, 1.0, Term::Free(column)));
            let right = if unit == own { 1.0 } else { 0.0 };
            model.row(|| format!("eq17_{unit}_{}_i{}", name(warp), i + 1), row, Sense::Equal, right);
        }
    }

    /// Adds the rows of Eq. 18 and 19.
    fn precedence(&self, model: &mut Model, warp: Warp, i: usize) {
        if i + 1 == self.instructions(warp.0) {
            return;
        }
        let mut row = Expression::default();
        self.time(&mut row, 1.0, warp, i);
        self.time(&mut row, -1.0, warp, i + 1);
        model.row(|| format!("eq18_{}_i{}", name(warp), i + 1), row, Sense::AtMost, -1.0);
    }

    /// Adds the row above Eq. 12: no warp of the group finishes after its last one.
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

    /// Adds rows by which no warp overtakes one with a lower number. They imply the row above Eq. 12.
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
}
