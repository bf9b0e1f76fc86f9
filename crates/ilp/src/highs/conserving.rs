//! Work conservation over named warps: Be12's short (Eq. 34, 37) and long (Eq. 33, 36) constraints.
//!
//! The boolean expression in the middle of each constraint must be true, so only the right one of each pair
//! of inequalities binds, with 1 in the middle. `TL_{w,i,t}` is 1 where `IL_i` = 0 (erratum E4: the sum in
//! its place would reach 2). Such short rows always hold and are not written.

use good_lp::Expression;

use crate::highs::model::{Model, Sense, add, real};
use crate::highs::named_warps::{Named, Warp, name};
use warpspan_model::Unit;

impl Named<'_> {
    /// Adds `TL_{w,i,t}` (`TC` for the CUDA cores) of an instruction for the unit: its predecessor is issued
    /// in t or later, or it is issued in t or before.
    fn not_waiting(&self, row: &mut Expression, factor: f64, warp: Warp, i: usize, t: u64) {
        if i > 0 {
            self.during(row, factor, warp, i - 1, (t, self.horizon));
        }
        self.during(row, factor, warp, i, (1, t));
    }

    /// Whether the windows alone imply that the warp does not wait for instruction i in t.
    fn cannot_wait(&self, (g, w): Warp, i: usize, t: u64) -> bool {
        let issued = self.windows.get(g, w, i).1 <= t;
        let unready = i > 0 && self.windows.get(g, w, i - 1).0 >= t;
        !self.plain && (issued || unready)
    }

    /// Adds the rows of Eq. 34 and 37: `TL + E >= 1`.
    pub(super) fn short(&self, model: &mut Model) {
        for warp in self.warps() {
            for (i, &unit) in self.instance.groups()[warp.0].kernel.units().iter().enumerate() {
                let equation = if unit == Unit::LoadStore { 34 } else { 37 };
                for t in (1..=self.horizon).filter(|&t| !self.cannot_wait(warp, i, t)) {
                    let mut row = Expression::default();
                    self.not_waiting(&mut row, 1.0, warp, i, t);
                    add(&mut row, 1.0, self.full(unit, t));
                    model.row(
                        || format!("eq{equation}_{}_i{}_t{t}", name(warp), i + 1),
                        row,
                        Sense::AtLeast,
                        1.0,
                    );
                }
            }
        }
    }

    /// Adds the rows of Eq. 33 and 36, times I: the sum over i of `TL_i`, plus I E, is at least I.
    pub(super) fn long(&self, model: &mut Model) {
        for warp in self.warps() {
            let units = self.instance.groups()[warp.0].kernel.units();
            let length = real(units.len() as u64);
            for unit in Unit::ALL {
                let equation = if unit == Unit::LoadStore { 33 } else { 36 };
                for t in 1..=self.horizon {
                    let mut row = Expression::default();
                    let mut waits = 0.0; // the number of instructions whose TL is not the constant 1
                    for i in (0..units.len()).filter(|&i| units[i] == unit && !self.cannot_wait(warp, i, t)) {
                        self.not_waiting(&mut row, 1.0, warp, i, t);
                        waits += 1.0;
                    }
                    if waits == 0.0 {
                        continue; // TL is 1 for every instruction (erratum E4), or the windows imply the row
                    }
                    // a warp waits for at most one instruction, so 1 in place of I suffices as the weight of
                    // E
                    add(&mut row, if self.plain { length } else { 1.0 }, self.full(unit, t));
                    model.row(|| format!("eq{equation}_{}_t{t}", name(warp)), row, Sense::AtLeast, waits);
                }
            }
        }
    }
}
