//! The cheapest labelling of some letters at a price.
//!
//! For strings of up to [`ENUMERATED`] letters all labellings are enumerated. For longer ones a table is
//! filled by label and number of changes.

use num_rational::Ratio;

use crate::record::phases::{Plain, Theta};
use warpspan_model::Unit;

/// All labellings are enumerated for kernels of up to this many letters.
const ENUMERATED: usize = 12;
/// Up to this product of letters and changes, the table distinguishes labellings by their number of changes.
/// Beyond it any number of changes is allowed, which is safe.
const TABLE: usize = 1 << 20;

impl Plain<'_> {
    /// The cost of the cheapest labelling of some letters with at most `changes` changes, if `before` is the
    /// label before the string.
    pub(super) fn cheapest(&self, units: &[Unit], before: Unit, changes: usize) -> Theta {
        if units.len() > ENUMERATED {
            return self.by_table(units, before, changes);
        }
        let cost = |labels: u32| {
            let (mut cost, mut label, mut changed) = (Ratio::from(0), before, 0);
            for (at, &unit) in units.iter().enumerate() {
                let next = Unit::ALL[(labels >> at & 1) as usize];
                if next != label {
                    cost += self.change(label);
                    changed += 1;
                }
                if next != unit {
                    cost += self.worth(unit);
                }
                label = next;
            }
            (changed <= changes).then_some(cost)
        };
        (0..1_u32 << units.len()).filter_map(cost).min().unwrap_or_default()
    }

    /// The same cost, computed forwards by label and number of changes so far.
    fn by_table(&self, units: &[Unit], before: Unit, changes: usize) -> Theta {
        let counted = if units.len().saturating_mul(changes) <= TABLE { changes } else { 0 };
        let free = counted < changes; // then the number of changes is not limited
        let mut best: Vec<[Option<Theta>; 2]> = vec![[None; 2]; counted + 1];
        best[0][before as usize] = Some(Ratio::from(0));
        for &unit in units {
            let old = best.clone();
            for (changed, entry) in best.iter_mut().enumerate() {
                for label in Unit::ALL {
                    let from = Unit::ALL[1 - label as usize];
                    let source = if free { Some(0) } else { changed.checked_sub(1) };
                    let change =
                        source.and_then(|at| old[at][from as usize]).map(|cost| cost + self.change(from));
                    let kept = old[changed][label as usize];
                    let disagreement = if label == unit { Ratio::from(0) } else { self.worth(unit) };
                    let cost = [kept, change].into_iter().flatten().min();
                    entry[label as usize] = cost.map(|cost| cost + disagreement);
                }
            }
        }
        best.into_iter().flatten().flatten().min().unwrap_or_default()
    }
}
