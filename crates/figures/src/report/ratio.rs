//! The ratio of the pessimistic makespan to the worst case, over warps and sigmas.

use std::collections::BTreeMap;

use crate::chart::grid::{self, Grid};
use crate::paper::Paper;
use crate::report::case::Family;
use crate::report::{Figure, Section};
use crate::shapes::real;
use warpspan_sweep::sigma;

/// The ratios of all kernels at one number of warps and one pair of sigmas.
#[derive(Debug, Default)]
struct Ratios {
    sum: f64,
    kernels: u32,
    /// The kernels whose worst case exceeds the pessimistic makespan.
    low: Vec<String>,
}

impl Ratios {
    fn mean(&self) -> f64 {
        self.sum / f64::from(self.kernels.max(1))
    }
}

/// The ratios for each pair of sigmas and each number of warps.
struct Map {
    rows: Vec<(String, BTreeMap<u64, Ratios>)>,
    warps: Vec<u64>,
    /// The step between the numbers of warps that are drawn; 1 draws all.
    every: usize,
}

/// Draws one figure if there are at least two numbers of warps and two pairs of sigmas.
pub(super) fn section(families: &[Family], paper: &Paper) -> Section {
    let mut rows = BTreeMap::new();
    let mut warps: Vec<u64> = families.iter().flat_map(|f| f.cases.iter().map(|case| case.warps)).collect();
    warps.sort_unstable();
    warps.dedup();
    let every = warps.len().div_ceil(Grid::MOST_COLUMNS).max(1);
    let warps: Vec<u64> = warps.into_iter().step_by(every).collect();
    for family in families {
        let key = (sigma(&family.sigma_l), sigma(&family.sigma_c));
        let name = format!("{}, {}", family.sigma_l, family.sigma_c);
        let (_, cells) = rows.entry(key).or_insert_with(|| (name, BTreeMap::<u64, Ratios>::new()));
        for case in family.cases.iter().filter(|case| warps.binary_search(&case.warps).is_ok()) {
            let cell = cells.entry(case.warps).or_default();
            cell.sum += real(case.pessimistic) / real(case.upper.max(1));
            cell.kernels += 1;
            if case.pessimistic < case.lower {
                cell.low.push(family.short());
            }
        }
    }
    let is_map = rows.len() > 1 && warps.len() > 1;
    let map = is_map.then(|| Map { rows: rows.into_values().collect(), warps, every });
    Section::new(
        "ratio",
        "How pessimistic the closed form of Be12 is",
        "The pessimistic makespan (Be12 Eq. 5-7) over the worst case, or its upper bound where it is not known, averaged \
         over the kernels. 1 is tight; below 1 it is unsafe.",
        map.as_slice(),
        |_| (),
        |map, file| map.figure(file, paper),
    )
}

impl Map {
    fn figure(&self, file: String, paper: &Paper) -> Figure {
        let row = |(name, ratios): &(String, BTreeMap<u64, Ratios>)| {
            let cell = |warps| ratios.get(warps).map(|ratios| cell(ratios, name, *warps));
            self.warps.iter().map(cell).collect()
        };
        let grid = Grid {
            title: "Pessimistic over worst case, mean over the kernels",
            value: "ratio",
            columns: ("warps W", &self.warps),
            rows: ("sigma_L, sigma_C", self.rows.iter().map(|of| (of.0.as_str(), row(of))).collect()),
            mark: "pessimistic below the worst case of a kernel (unsafe)",
        };
        let all = || self.rows.iter().flat_map(|(_, ratios)| ratios.values());
        let low = all().map(Ratios::mean).fold(f64::INFINITY, f64::min);
        let high = all().map(Ratios::mean).fold(low, f64::max);
        let mut caption = format!("The mean ratio lies between {low:.2} and {high:.2}.");
        if self.every > 1 {
            caption += &format!(" One in {} numbers of warps is drawn.", self.every);
        }
        let low = all().filter(|ratios| !ratios.low.is_empty()).count();
        if low > 0 {
            caption += &format!(
                " At {low} marked places it is below the worst case of a kernel, and so unsafe (erratum E2)."
            );
        }
        Figure {
            file,
            title: "Pessimistic over worst case".to_owned(),
            caption,
            svg: grid.draw(paper),
            points: None,
        }
    }
}

fn cell(ratios: &Ratios, name: &str, warps: u64) -> grid::Cell {
    let (value, kernels) = (ratios.mean(), ratios.kernels);
    let mut tip = format!("W = {warps}, sigmas {name}\nratio {value:.3}, mean of {kernels}");
    if !ratios.low.is_empty() {
        tip += &format!("\nunsafe for {}", ratios.low.join(", "));
    }
    grid::Cell { value, is_marked: !ratios.low.is_empty(), tip }
}
