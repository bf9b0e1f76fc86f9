//! The schedule of the warps of a multiprocessor (Be12 Fig. 2).

use std::collections::BTreeMap;
use std::iter;

use crate::gantt::density::{density, is_long};
use crate::gantt::letters::{Letter, Subject, fill, name};
use crate::gantt::{Bar, Fence, Gantt, WIDTH};
use crate::paper::Paper;
use crate::shapes::{multiples, real, round_numbers};
use crate::theme::{BLACK, Colour};
use warpspan_check::schedule::{Issue, Schedule, heads, row, rows_of_blocks};
use warpspan_model::{Grid, Instance, Unit};

/// The fill of slots in which a unit issues nothing.
const IDLE: Colour = "#A8B0B8";

/// Draws a schedule: time runs to the right, each warp has a row, and each instruction is a box with its
/// letter at the cycle in which it is issued. Below, a row for each unit has the slots that stay idle, and a line
/// stands where a barrier opens. A schedule of more than 840 cycles or 128 warps is drawn as a density.
///
/// `title` is drawn above. A pointer over a box shows the warp, the instruction and the cycle. Returns the
/// text of an SVG file, for light paper and dark.
pub fn warps(instance: &Instance, schedule: &Schedule, title: &str) -> String {
    warps_within(instance, schedule, title, None, &Paper::default())
}

/// Draws the cycles from the first to the last of `window` as [`warps`] does, or all cycles.
pub fn warps_within(
    instance: &Instance,
    schedule: &Schedule,
    title: &str,
    window: Option<(u64, u64)>,
    paper: &Paper,
) -> String {
    let letters = schedule.issues().iter().map(|issue| {
        let group = issue.group as usize;
        let unit = instance.groups()[group].kernel.units()[issue.instruction as usize];
        let instruction = u64::from(issue.instruction) + 1;
        Letter { lane: row(instance, group, issue.warp), unit, instruction, cycle: issue.cycle, of: None }
    });
    let slots = Some(Unit::ALL.map(|unit| instance.sigma(unit)));
    let subject =
        Subject { title, lanes: heads(instance), fences: fences(instance, schedule), slots, window };
    draw(subject, letters.collect(), paper)
}

/// Where the barriers of blocks open: once the last warp of the block has issued the instruction before it.
fn fences(instance: &Instance, schedule: &Schedule) -> Vec<Fence> {
    // The cycle of the last arrival, by group, block and barrier.
    let mut last: BTreeMap<(usize, u64, usize), u64> = BTreeMap::new();
    let size = |group: usize| instance.warps_per_block().unwrap_or(instance.groups()[group].warps).max(1);
    for issue in schedule.issues() {
        let group = issue.group as usize;
        let barriers = instance.groups()[group].kernel.barriers();
        if let Ok(number) = barriers.binary_search(&(issue.instruction as usize + 1)) {
            let cycle = last.entry((group, u64::from(issue.warp) / size(group), number)).or_default();
            *cycle = issue.cycle.max(*cycle);
        }
    }
    let fence = |((group, block, number), cycle): ((usize, u64, usize), u64)| {
        let (first, warps) = (block * size(group), instance.groups()[group].warps);
        let lane = |warp: u64| row(instance, group, u32::try_from(warp).unwrap_or(u32::MAX));
        let of = if size(group) < warps { format!(" of block {}", block + 1) } else { String::new() };
        Fence {
            at: real(cycle),
            lanes: lane(first)..lane((first + size(group)).min(warps) - 1) + 1,
            tip: format!("barrier {}{of} opens at the end of cycle {cycle}", number + 1),
        }
    };
    last.into_iter().map(fence).collect()
}

/// Draws a schedule of a grid in the same way, without idle slots: each warp of each slot has a row, in which the
/// blocks of the slot follow one another.
pub fn slots(of: &Grid, schedule: &Schedule, title: &str) -> String {
    let units = of.block().instance().map_or(&[][..], |instance| instance.groups()[0].kernel.units());
    let (issues, lanes) = rows_of_blocks(of, schedule);
    let letter = |(lane, issue): (usize, &Issue)| {
        let unit = *units.get(issue.instruction as usize)?;
        let block = Some(u64::from(issue.warp) / of.warps_per_block() + 1);
        Some(Letter {
            lane,
            unit,
            instruction: u64::from(issue.instruction) + 1,
            cycle: issue.cycle,
            of: block,
        })
    };
    let subject = Subject { title, lanes, fences: Vec::new(), slots: None, window: None };
    draw(subject, issues.into_iter().filter_map(letter).collect(), &Paper::default())
}

fn draw(subject: Subject<'_>, mut letters: Vec<Letter>, paper: &Paper) -> String {
    let Subject { title, mut lanes, mut fences, slots, window } = subject;
    let makespan = letters.iter().map(|letter| letter.cycle).max().unwrap_or(0);
    let (first, last) =
        window.map_or((1, makespan), |(from, to)| (from.clamp(1, makespan.max(1)), to.min(makespan)));
    letters.retain(|letter| (first..=last).contains(&letter.cycle));
    fences.retain(|fence| (real(first) - 1.0..=real(last)).contains(&fence.at));
    let cycles = (last + 1).saturating_sub(first);
    if is_long(cycles, lanes.len()) {
        let subject = Subject { title, lanes, fences, slots, window };
        return density(&subject, &letters, (first, last), paper);
    }
    let scale = (WIDTH / real(cycles.max(1))).clamp(2.0, 26.0);
    let height = if lanes.len() <= 24 { 22.0 } else { 14.0 };
    let digits = 9.0 * real(last.to_string().len() as u64) + 6.0;
    let step = round_numbers().find(|&step| real(step) * scale >= digits).unwrap_or(u64::MAX);
    let begins = (cycles > 0 && step > 1).then_some(first);
    // The first number stands alone where the next one would run into it.
    let ticks = multiples(first, last, step)
        .filter(|&cycle| begins.is_none_or(|first| cycle - first >= step.div_ceil(2)));
    let ticks: Vec<u64> = begins.into_iter().chain(ticks).collect();
    let mut bars: Vec<Bar> = Vec::new();
    bars.extend(letters.iter().map(|&Letter { lane, unit, instruction, cycle, of }| {
        let block = of.map(|block| format!(", block {block}")).unwrap_or_default();
        Bar {
            lane,
            rows: iter::once(0..1).collect(),
            from: real(cycle) - 1.0,
            to: real(cycle),
            fill: fill(unit),
            name: unit.to_string(),
            short: String::new(),
            tip: format!("{}{block}: instruction {instruction} ({unit}), cycle {cycle}", lanes[lane]),
        }
    }));
    let mut legend: Vec<(String, Colour)> =
        Unit::ALL.map(|unit| (name(unit).to_owned(), fill(unit).0)).into();
    for (unit, slots) in Unit::ALL.into_iter().zip(slots.into_iter().flatten()) {
        let idle = idle(&letters, unit, slots, (first, last), lanes.len());
        if legend.len() == 2 && !idle.is_empty() {
            legend.push(("idle slots".to_owned(), IDLE));
        }
        bars.extend(idle);
        lanes.push(format!("{unit} idle"));
    }
    Gantt {
        title,
        label: format!("Schedule of {title}"),
        caveat: None,
        unit: "cycle",
        scale,
        begin: real(first.saturating_sub(1)),
        end: real(last),
        ticks: ticks.into_iter().map(|cycle| (real(cycle) - 0.5, cycle.to_string())).collect(),
        marks: None,
        signs: Vec::new(),
        rows: None,
        height,
        bars,
        outlines: None,
        strips: None,
        fences: (!fences.is_empty()).then_some(("barrier opens", fences)),
        legend,
        lanes,
    }
    .draw(paper)
}

/// The slots that a unit does not use, a bar for each stretch of cycles with as many.
fn idle(letters: &[Letter], unit: Unit, slots: u64, (first, last): (u64, u64), lane: usize) -> Vec<Bar> {
    let mut used: BTreeMap<u64, u64> = BTreeMap::new();
    for letter in letters.iter().filter(|letter| letter.unit == unit) {
        *used.entry(letter.cycle).or_default() += 1;
    }
    let idle = |cycle: &u64| slots.saturating_sub(used.get(cycle).copied().unwrap_or(0));
    let cycles: Vec<u64> = (first..=last).collect();
    let stretches = cycles.chunk_by(|a, b| idle(a) == idle(b)).filter(|stretch| idle(&stretch[0]) > 0);
    let bar = |stretch: &[u64]| {
        let (from, to, idle) = (stretch[0], stretch[stretch.len() - 1], idle(&stretch[0]));
        let cycles = if from == to { format!("cycle {from}") } else { format!("cycles {from} to {to}") };
        Bar {
            lane,
            rows: iter::once(0..1).collect(),
            from: real(from) - 1.0,
            to: real(to),
            fill: (IDLE, BLACK),
            name: if slots > 1 { idle.to_string() } else { String::new() },
            short: String::new(),
            tip: format!("{cycles}: {idle} of {slots} slots for {unit} idle"),
        }
    };
    stretches.map(bar).collect()
}
