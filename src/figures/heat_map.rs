//! How much the pessimistic makespan is above the worst case, over warps and sigmas.

use std::collections::BTreeMap;

use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use crate::figures::axis::{pixel, real, step};
use crate::figures::case::Family;
use crate::figures::marker::{Paper, write, write_with};
use crate::figures::theme::{self, Colour, VERMILION};
use crate::figures::{Figure, ReportError, Section};
use crate::sweep::sigma;

const LEFT: i32 = 190;
const TOP: i32 = 72;
const ROW: i32 = 36;
/// Width of all cells at most.
const WIDTH: i32 = 740;
/// The most numbers of warps.
const MOST: usize = 246;
/// Corners of the colour scale, from low to high: it grows lighter all the way (cividis).
const SCALE: [Colour; 5] = [(0, 32, 77), (66, 78, 108), (124, 123, 120), (188, 175, 111), (255, 234, 70)];

/// Ratios of the kernels at a number of warps and a pair of sigmas.
#[derive(Debug, Default)]
struct Cell {
    sum: f64,
    kernels: u32,
    /// Kernels whose worst case is above the pessimistic makespan.
    low: Vec<String>,
}

impl Cell {
    fn mean(&self) -> f64 {
        self.sum / f64::from(self.kernels.max(1))
    }
}

/// One figure, if there are two numbers of warps and two pairs of sigmas or more.
pub(super) fn section(families: &[Family]) -> Result<Section, ReportError> {
    let mut rows = BTreeMap::new();
    let mut warps: Vec<u64> = families.iter().flat_map(|f| f.cases.iter().map(|case| case.warps)).collect();
    warps.sort_unstable();
    warps.dedup();
    let every = warps.len().div_ceil(MOST).max(1);
    let warps: Vec<u64> = warps.into_iter().step_by(every).collect();
    for family in families {
        let key = (sigma(&family.sigma_l), sigma(&family.sigma_c));
        let name = format!("{}, {}", family.sigma_l, family.sigma_c);
        let (_, cells) = rows.entry(key).or_insert_with(|| (name, BTreeMap::<u64, Cell>::new()));
        for case in family.cases.iter().filter(|case| warps.binary_search(&case.warps).is_ok()) {
            let cell = cells.entry(case.warps).or_default();
            cell.sum += real(case.pessimistic) / real(case.upper.max(1));
            cell.kernels += 1;
            if case.pessimistic < case.lower {
                cell.low.push(family.short());
            }
        }
    }
    let maps: Vec<Map> = match rows.len() > 1 && warps.len() > 1 {
        true => vec![Map { rows: rows.into_values().collect(), warps, every }],
        false => Vec::new(),
    };
    Section::new(
        "ratio",
        "How pessimistic the closed form of Be12 is",
        "The pessimistic makespan (Be12 Eq. 5-7) over the worst case, or its upper bound where it is not known, averaged \
         over the kernels. 1 is tight; below 1 it is unsafe.",
        &maps,
        |map, file| map.figure(file),
    )
}

struct Map {
    rows: Vec<(String, BTreeMap<u64, Cell>)>,
    warps: Vec<u64>,
    /// One in so many numbers of warps is drawn.
    every: usize,
}

impl Map {
    fn figure(&self, file: String) -> Result<Figure, ReportError> {
        let cells = || self.rows.iter().flat_map(|(_, cells)| cells.values());
        let low = cells().map(Cell::mean).fold(f64::INFINITY, f64::min);
        let high = cells().map(Cell::mean).fold(0.0, f64::max).max(low + 0.1);
        let title = "Pessimistic over worst case, mean over the kernels".to_owned();
        let count = i32::try_from(self.warps.len()).unwrap_or(i32::MAX);
        let width = (WIDTH / count).clamp(3, 64);
        let bottom = TOP + ROW * i32::try_from(self.rows.len()).unwrap_or(i32::MAX);
        let right = LEFT + width * count;
        let size =
            (u32::try_from((right + 24).max(960)).unwrap_or(960), u32::try_from(bottom + 122).unwrap_or(400));
        let mut svg = String::new();
        let paper = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        let mut tips = Vec::new();
        write(&paper, &title, (16, 20), 16)?;
        for ((name, cells), top) in self.rows.iter().zip((TOP..).step_by(ROW.unsigned_abs() as usize)) {
            write_with(&paper, name, (LEFT - 10, top + ROW / 2), 13, HPos::Right, BLACK)?;
            for (warps, left) in self.warps.iter().zip((LEFT..).step_by(width.unsigned_abs() as usize)) {
                if let Some(cell) = cells.get(warps) {
                    let corners = [(left, top), (left + width, top + ROW)];
                    draw(&paper, cell, corners, (cell.mean() - low) / (high - low))?;
                    let text = tip(cell, name, *warps);
                    tips.push(theme::Tip { x: left, y: top, width, height: ROW, text });
                }
            }
        }
        let digits = self.warps.last().map_or(1, |warps| warps.to_string().len() as u64);
        let every = step(8 * digits + 10, width.unsigned_abs().into());
        for ((number, warps), left) in
            (1..).zip(&self.warps).zip((LEFT..).step_by(width.unsigned_abs() as usize))
        {
            if number == 1 || number % every == 0 {
                let at = (left + width / 2, bottom + 12);
                write_with(&paper, &warps.to_string(), at, 13, HPos::Center, BLACK)?;
            }
        }
        write_with(&paper, "warps W", ((LEFT + right) / 2, bottom + 34), 14, HPos::Center, BLACK)?;
        write_with(&paper, "sigma_L, sigma_C", (LEFT - 10, TOP - 14), 13, HPos::Right, BLACK)?;
        legend(&paper, bottom + 74, low, high, cells().any(|cell| !cell.low.is_empty()))?;
        drop(paper);
        let low_cells = cells().filter(|cell| !cell.low.is_empty()).count();
        let mut caption = format!("The mean ratio lies between {low:.2} and {high:.2}.");
        if self.every > 1 {
            caption += &format!(" One in {} numbers of warps is drawn.", self.every);
        }
        if low_cells > 0 {
            caption += &format!(
                " At {low_cells} marked places it is below the worst case of a kernel, and so unsafe (erratum E2)."
            );
        }
        Ok(Figure {
            file,
            title: "Pessimistic over worst case".to_owned(),
            caption,
            svg: theme::finish(&svg, &title, &tips),
        })
    }
}

fn draw(paper: &Paper, cell: &Cell, corners: [(i32, i32); 2], level: f64) -> Result<(), ReportError> {
    let [(left, top), (right, bottom)] = corners;
    let (red, green, blue) = shade(level);
    let covered = [(left, top), (right + 1, bottom)]; // no seam before the next
    paper.draw(&Rectangle::new(covered, RGBColor(red, green, blue).filled()))?;
    if !cell.low.is_empty() {
        outline(paper, corners)?;
    }
    if right - left >= 36 {
        // Not quite black, which would become ink and so light on dark paper.
        let colour = if level < 0.5 { WHITE } else { RGBColor(1, 1, 1) };
        let middle = ((left + right) / 2, (top + bottom) / 2);
        write_with(paper, &format!("{:.2}", cell.mean()), middle, 12, HPos::Center, colour)?;
    }
    Ok(())
}

/// The mark of an unsafe place: an outline, or a bar where there is no room for one.
fn outline(paper: &Paper, [(left, top), (right, bottom)]: [(i32, i32); 2]) -> Result<(), ReportError> {
    let (red, green, blue) = VERMILION;
    let colour = RGBColor(red, green, blue);
    if right - left < 16 {
        return Ok(paper.draw(&Rectangle::new([(left, bottom - 10), (right, bottom)], colour.filled()))?);
    }
    for by in 1..4 {
        paper.draw(&Rectangle::new([(left + by, top + by), (right - by, bottom - by)], colour))?;
    }
    Ok(())
}

fn legend(paper: &Paper, y: i32, low: f64, high: f64, has_low: bool) -> Result<(), ReportError> {
    const STEPS: i32 = 60;
    for step in 0..STEPS {
        let (red, green, blue) = shade(f64::from(step) / f64::from(STEPS - 1));
        let left = LEFT + 4 * step;
        paper.draw(&Rectangle::new([(left, y), (left + 5, y + 16)], RGBColor(red, green, blue).filled()))?;
    }
    for part in 0..=4 {
        let value = low + (high - low) * f64::from(part) / 4.0;
        write_with(paper, &format!("{value:.2}"), (LEFT + 60 * part, y + 28), 12, HPos::Center, BLACK)?;
    }
    write_with(paper, "ratio", (LEFT - 22, y + 8), 13, HPos::Right, BLACK)?;
    if has_low {
        outline(paper, [(LEFT + 300, y - 2), (LEFT + 330, y + 18)])?;
        write(paper, "pessimistic below the worst case of a kernel (unsafe)", (LEFT + 340, y + 8), 13)?;
    }
    Ok(())
}

fn tip(cell: &Cell, name: &str, warps: u64) -> String {
    let mut text = format!("W = {warps}, sigmas {name}\nratio {:.3}, mean of {}", cell.mean(), cell.kernels);
    if !cell.low.is_empty() {
        text += &format!("\nunsafe for {}", cell.low.join(", "));
    }
    text
}

/// The colour of a level from 0 to 1.
fn shade(level: f64) -> Colour {
    let place = level.clamp(0.0, 1.0) * 4.0;
    let from = usize::try_from(pixel(place.floor())).unwrap_or(0).min(3);
    let part = place - place.floor().min(3.0);
    let ((r, g, b), (to_r, to_g, to_b)) = (SCALE[from], SCALE[from + 1]);
    let mix = |a: u8, b: u8| {
        let mixed = f64::from(a) + (f64::from(b) - f64::from(a)) * part;
        u8::try_from(pixel(mixed)).unwrap_or(u8::MAX)
    };
    (mix(r, to_r), mix(g, to_g), mix(b, to_b))
}
