//! One figure of many cells, with a line for each kernel, each pair of sigmas or each number of warps.

use std::collections::{BTreeMap, BTreeSet};

use crate::chart::axis::Axis;
use crate::chart::marker::{Look, Marker, Stroke};
use crate::chart::series::{Chart, Series};
use crate::paper::Paper;
use crate::report::case::{Case, Family};
use crate::report::{Figure, Section};
use crate::shapes::real;
use crate::theme::{BLUE, Colour, GREEN, INK, ORANGE, PURPLE, VERMILION};

/// What tells the lines of a figure apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// A line for each kernel against warps, a figure for each pair of sigmas.
    Kernel,
    /// A line for each pair of sigmas against warps, a figure for each kernel.
    Sigma,
    /// A line for each number of warps against kernels, a figure for each pair of sigmas.
    Warps,
    /// A line for each policy against warps, a figure for each kernel and pair of sigmas.
    Policy,
}

/// The most lines that a reader can tell apart.
const MOST_LINES: usize = 12;
const COLOURS: [Colour; 6] = [INK, BLUE, ORANGE, GREEN, PURPLE, VERMILION];
const MARKERS: [Marker; 6] =
    [Marker::Disc, Marker::Square, Marker::Triangle, Marker::Diamond, Marker::Wedge, Marker::Cross];
const STROKES: [Stroke; 4] = [Stroke::Solid, Stroke::Dashed, Stroke::Long, Stroke::Dotted];

/// A line: its name, and for each place on the axis the case there.
type Line<'a> = (String, Vec<(u64, &'a Case)>);

/// A figure before it is drawn.
struct Subject<'a> {
    /// What all its lines share.
    of: String,
    x: Axis,
    /// Whether what lies between two places on the axis means something, so that a line joins the points.
    is_joined: bool,
    lines: Vec<Line<'a>>,
}

/// Draws the figures. `title` stands above each, where it is given; `on` is the size of each in pixels, which
/// a paper overrules.
pub(super) fn section(families: &[Family], by: By, title: Option<&str>, on: ((f64, f64), &Paper)) -> Section {
    let subjects = match by {
        By::Kernel => against_warps(families, Family::sigmas, Family::short),
        By::Sigma => against_warps(families, Family::short, Family::sigmas),
        By::Warps => against_kernels(families),
        By::Policy => Vec::new(),
    };
    let subjects: Vec<Subject> = subjects.into_iter().filter(|subject| subject.lines.len() > 1).collect();
    Section::new(
        "by",
        match by {
            By::Kernel => "Worst cases, kernel by kernel",
            By::Sigma => "Worst cases, sigma by sigma",
            By::Warps => "Worst cases by the number of warps",
            By::Policy => "Policies",
        },
        "The worst case over all work-conserving schedules, or what it takes at most where it is not known exactly.",
        &subjects,
        |subject| {
            subject.lines.iter().flat_map(|(_, cases)| cases).map(|(_, case)| case.upper - case.lower).max()
        },
        |subject, file| figure(subject, title, on, file),
    )
}

/// One figure for each value of `shared`; one line for each value of `own`, over the number of warps.
fn against_warps(
    families: &[Family],
    shared: fn(&Family) -> String,
    own: fn(&Family) -> String,
) -> Vec<Subject<'_>> {
    let mut groups: Vec<(String, Vec<&Family>)> = Vec::new();
    for family in families {
        match groups.iter_mut().find(|(of, _)| *of == shared(family)) {
            Some((_, group)) => group.push(family),
            None => groups.push((shared(family), vec![family])),
        }
    }
    let subjects = groups.into_iter().map(|(of, group)| {
        let warps = || group.iter().flat_map(|family| &family.cases).map(|case| case.warps);
        let x = Axis::count("warps W", warps().min().unwrap_or(1), warps().max().unwrap_or(1));
        let lines = group.iter().map(|family| {
            let cases = family.cases.iter().map(|case| (case.warps, case));
            (own(family), cases.collect())
        });
        Subject { of, x, is_joined: true, lines: lines.collect() }
    });
    subjects.collect()
}

/// A figure for each pair of sigmas, with a line against kernels for each number of warps.
fn against_kernels(families: &[Family]) -> Vec<Subject<'_>> {
    let mut groups: Vec<(String, Vec<&Family>)> = Vec::new();
    for family in families {
        match groups.iter_mut().find(|(of, _)| *of == family.sigmas()) {
            Some((_, group)) => group.push(family),
            None => groups.push((family.sigmas(), vec![family])),
        }
    }
    groups.retain(|(_, group)| group.len() > 1);
    let subjects = groups.into_iter().map(|(of, group)| {
        let names = group.iter().map(|family| family.short());
        let mut lines: BTreeMap<u64, Vec<(u64, &Case)>> = BTreeMap::new();
        for (place, family) in (1..).zip(group.iter().copied()) {
            for case in &family.cases {
                lines.entry(case.warps).or_default().push((place, case));
            }
        }
        let lines = lines.into_iter().map(|(warps, cases)| (format!("W = {warps}"), cases));
        Subject { of, x: Axis::names("kernel", names), is_joined: false, lines: lines.collect() }
    });
    subjects.collect()
}

fn figure(
    Subject { of, x, is_joined, lines }: &Subject,
    title: Option<&str>,
    (size, paper): ((f64, f64), &Paper),
    file: String,
) -> Figure {
    // The lines with the largest gaps; they stay in their order.
    let gap = |(_, cases): &Line| {
        let gap =
            |case: &Case| u128::from(case.upper - case.lower) * 1_000_000 / u128::from(case.lower.max(1));
        cases.iter().map(|(_, case)| gap(case)).max().unwrap_or(0)
    };
    let mut order: Vec<usize> = (0..lines.len()).collect();
    order.sort_by_key(|&line| std::cmp::Reverse(gap(&lines[line])));
    let chosen: BTreeSet<usize> = order.into_iter().take(MOST_LINES).collect();
    let chosen: Vec<&Line> = chosen.into_iter().map(|line| &lines[line]).collect();
    let point = |&(place, case): &(u64, &Case)| (real(place), real(case.upper));
    let series = |(number, (name, cases)): (usize, &&Line)| {
        let look = Look {
            colour: COLOURS[number % COLOURS.len()],
            stroke: if *is_joined { STROKES[number / COLOURS.len() % STROKES.len()] } else { Stroke::None },
            marker: Some(MARKERS[(number + number / COLOURS.len()) % MARKERS.len()]),
        };
        Series::new(&[name], look, cases.iter().map(point).collect())
    };
    let bands = chosen.iter().flat_map(|(_, cases)| {
        let is_open = |cases: &[(u64, &Case)]| cases.iter().any(|(_, case)| !case.is_exact());
        let corner = |&(place, case): &(u64, &Case)| (real(place), real(case.lower), real(case.upper));
        cases
            .windows(2)
            .filter(|two| is_open(two))
            .map(|two| two.iter().map(corner).collect())
            .collect::<Vec<_>>()
    });
    let bands = bands.collect();
    let all = || chosen.iter().flat_map(|(_, cases)| cases);
    let places: BTreeSet<u64> = all().map(|(place, _)| *place).collect();
    let tip = |place: u64| {
        let lines = chosen.iter().filter_map(|(name, cases)| {
            let (_, case) = cases.iter().find(|(at, _)| *at == place)?;
            Some(format!("\n{name}: {}", case.worst()))
        });
        (real(place), format!("{}{}", x.tip(real(place)), lines.collect::<String>()))
    };
    let heading = title.map_or_else(|| format!("Worst cases, {of}"), str::to_owned);
    let chart = Chart {
        title: heading.clone(),
        x: x.clone(),
        y: Axis::cycles(all().map(|(_, case)| case.upper).max().unwrap_or(1)),
        bands,
        // The legend begins with the last series.
        series: chosen.iter().enumerate().rev().filter_map(series).collect(),
        tips: places.into_iter().map(tip).collect(),
    };
    let exact = all().filter(|(_, case)| case.is_exact()).count();
    let mut caption = format!("{exact} of {} worst cases are known exactly; {of}.", all().count());
    if chosen.len() < lines.len() {
        caption += &format!(
            " {} of {} lines are drawn, those with the largest gaps first.",
            chosen.len(),
            lines.len()
        );
    }
    Figure { file, title: heading, caption, svg: chart.draw_in(size, paper), points: Some(chart.points()) }
}
