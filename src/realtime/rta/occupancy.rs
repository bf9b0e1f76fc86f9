//! Who occupied which multiprocessor when, as a drawing: Pa19 Fig. 4.2, 4.4 and 4.6, a multiprocessor at a
//! time.

use std::collections::BTreeMap;

use num_integer::Integer;
use svg::node::element::{Group, Title};

use crate::figures::theme::{line, page, real, rectangle, text, text_width};
use crate::model::time::{Duration, TimeUnit};
use crate::realtime::rta::{Event, Job, System};

/// Blocks of a launch that run at the same time on a multiprocessor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stay {
    /// The kernel, from 0.
    pub kernel: usize,
    /// The launch of it, from 0.
    pub launch: u64,
    /// The multiprocessor, from 0.
    pub multiprocessor: usize,
    /// When they begin.
    pub start: Duration,
    /// When the last round of them ends.
    pub end: Duration,
    /// How many run side by side.
    pub blocks: u64,
    /// How many times, one after the other.
    pub rounds: u64,
}

/// What is drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Occupancy {
    /// The unit of times.
    pub unit: TimeUnit,
    /// How many multiprocessors.
    pub multiprocessors: usize,
    /// Threads of each.
    pub threads: u64,
    /// The kernels: name, threads of a block in whole warps.
    pub kernels: Vec<(String, u64)>,
    /// What runs where, by start.
    pub stays: Vec<Stay>,
}

/// The most boxes of a drawing.
const MOST: usize = 4000;
/// The most rows of a multiprocessor.
const MOST_LANES: u64 = 64;
const LEFT: f64 = 96.0;
const TOP: f64 = 44.0;
const WIDTH: f64 = 840.0;
/// Fill and ink of kernels, in turn: the colours of M. Okabe and K. Ito.
const COLOURS: [(&str, &str); 7] = [
    ("#0072B2", "#ffffff"),
    ("#E69F00", "#111111"),
    ("#009E73", "#ffffff"),
    ("#CC79A7", "#111111"),
    ("#56B4E9", "#111111"),
    ("#F0E442", "#111111"),
    ("#D55E00", "#ffffff"),
];

impl Occupancy {
    /// What a run of the simulator shows.
    pub(crate) fn new(system: &System, executions: &[Duration], events: &[Event]) -> Self {
        let stay = |event: &Event| match *event {
            Event::Placed(placed) => {
                let Job { task, number, .. } = placed.job;
                Some(Stay {
                    kernel: task,
                    launch: number,
                    multiprocessor: placed.multiprocessor,
                    start: placed.start,
                    end: placed.start + executions[task] * placed.rounds,
                    blocks: placed.blocks,
                    rounds: placed.rounds,
                })
            }
            _ => None,
        };
        let mut stays: Vec<Stay> = events.iter().filter_map(stay).collect();
        stays.sort_by_key(|stay| stay.start);
        Self {
            unit: system.unit(),
            multiprocessors: usize::try_from(system.gpu().multiprocessors).unwrap_or(usize::MAX),
            threads: system.gpu().resources.threads,
            kernels: system.tasks().iter().map(|task| (task.name.clone(), task.block.threads)).collect(),
            stays,
        }
    }

    /// Draws it: time across, the threads of each multiprocessor in rows, a box for blocks of a launch. A
    /// pointer over a box is told which. Returns the text of an SVG file, for light paper and dark.
    pub fn draw(&self, title: &str) -> String {
        let stays = &self.stays[..self.stays.len().min(MOST)];
        let end = stays.iter().map(|stay| stay.end).max().unwrap_or(Duration(1));
        let lane = self.kernels.iter().fold(self.threads, |lane, &(_, threads)| lane.gcd(&threads));
        let lane = lane.max(self.threads.div_ceil(MOST_LANES)).max(1);
        let lanes = usize::try_from(self.threads / lane).unwrap_or(1).max(1);
        let height = (160.0 / real(lanes as u64)).clamp(4.0, 22.0);
        let scale = WIDTH / real(end.0.max(1));
        let x = |time: Duration| LEFT + scale * real(time.0);
        let band = height * real(lanes as u64) + 26.0;
        let y = |multiprocessor: usize, lane: usize| {
            TOP + 14.0 + band * real(multiprocessor as u64) + height * real(lane as u64)
        };
        let bottom = y(self.multiprocessors, 0) - 12.0;
        let legend = bottom + 44.0;
        let width = (LEFT + WIDTH + 24.0).max(text_width(title, 15.0) + 32.0).ceil();
        let names: Vec<&str> = self.kernels.iter().take(28).map(|(name, _)| name.as_str()).collect();
        let full = legend + 22.0 * real(names.len().div_ceil(7) as u64) + 12.0;

        let mut document = page(width, full, &format!("Blocks on multiprocessors of {title}"))
            .add(text(title, 16.0, 22.0).set("font-size", 15))
            .add(text(&format!("time, {}", self.unit), LEFT - 10.0, bottom + 16.0).set("text-anchor", "end"));
        for time in ticks(end, self.unit) {
            document = document
                .add(line((x(time), x(time)), (TOP, bottom)))
                .add(text(&self.unit.write(time), x(time), bottom + 16.0).set("text-anchor", "middle"));
        }
        for multiprocessor in 0..self.multiprocessors {
            let (top, low) = (y(multiprocessor, 0), y(multiprocessor, lanes));
            let name = format!("SM {}", multiprocessor + 1);
            let frame = rectangle(LEFT, top, WIDTH, low - top);
            document = document
                .add(text(&name, LEFT - 10.0, f64::midpoint(top, low) + 4.0).set("text-anchor", "end"))
                .add(frame.set("fill", "none").set("stroke", "currentColor").set("stroke-opacity", 0.3));
        }
        let mut boxes = Group::new().set("text-anchor", "middle").set("font-size", 11);
        for (stay, lanes) in stays.iter().zip(self.lanes(stays, lanes, lane)) {
            let (name, _) = &self.kernels[stay.kernel];
            let (fill, ink) = COLOURS[stay.kernel % COLOURS.len()];
            let (left, right) = (x(stay.start), x(stay.end));
            let rounds = if stay.rounds > 1 { format!(", {} times", stay.rounds) } else { String::new() };
            let tip = format!(
                "{name}, launch {}: {} block{} on multiprocessor {}{rounds}, from {} to {}",
                stay.launch + 1,
                stay.blocks,
                if stay.blocks == 1 { "" } else { "s" },
                stay.multiprocessor + 1,
                self.unit.write(stay.start),
                self.unit.write(stay.end)
            );
            let mut one = Group::new().add(Title::new(tip));
            for (number, run) in lanes.chunk_by(|a, b| a + 1 == *b).enumerate() {
                let (top, low) =
                    (y(stay.multiprocessor, run[0]), y(stay.multiprocessor, run[run.len() - 1] + 1));
                let shape = rectangle(left + 0.5, top + 0.5, (right - left - 1.0).max(0.5), low - top - 1.0);
                one = one.add(shape.set("style", format!("fill:{fill}")));
                let fits = right - left > text_width(name, 11.0) + 6.0 && low - top >= 12.0;
                if number == 0 && fits {
                    let middle = text(name, f64::midpoint(left, right), f64::midpoint(top, low) + 4.0);
                    one = one.add(middle.set("fill", ink));
                }
            }
            boxes = boxes.add(one);
        }
        document = document.add(boxes);
        for (number, name) in names.iter().enumerate() {
            let (left, top) =
                (LEFT + 120.0 * real(number as u64 % 7), legend + 22.0 * real(number as u64 / 7));
            let square = rectangle(left, top - 11.0, 14.0, 14.0);
            let short: String = name.chars().take(14).collect();
            document = document
                .add(square.set("style", format!("fill:{}", COLOURS[number % COLOURS.len()].0)))
                .add(text(&short, left + 20.0, top));
        }
        document.to_string() + "\n"
    }

    /// Rows for the threads of each stay, those that are free when it begins, from the first.
    fn lanes(&self, stays: &[Stay], lanes: usize, lane: u64) -> Vec<Vec<usize>> {
        let mut free: BTreeMap<usize, Vec<Duration>> = (0..self.multiprocessors)
            .map(|multiprocessor| (multiprocessor, vec![Duration(0); lanes]))
            .collect();
        let rows = |stay: &Stay| {
            let until = free.entry(stay.multiprocessor).or_insert_with(|| vec![Duration(0); lanes]);
            let need = (stay.blocks * self.kernels[stay.kernel].1).div_ceil(lane);
            let need = usize::try_from(need).unwrap_or(usize::MAX);
            let rows: Vec<usize> = (0..lanes).filter(|&row| until[row] <= stay.start).take(need).collect();
            for &row in &rows {
                until[row] = stay.end;
            }
            rows
        };
        stays.iter().map(rows).collect()
    }

    /// Whether there are more boxes than are drawn.
    pub fn is_cut(&self) -> bool {
        self.stays.len() > MOST
    }
}

/// Times at which numbers stand: multiples of 1, 2 or 5 times a power of ten, at most a dozen.
fn ticks(end: Duration, unit: TimeUnit) -> Vec<Duration> {
    let width = 9.0 * real(unit.write(end).len() as u64) + 14.0;
    let most = (WIDTH / width).clamp(2.0, 16.0);
    let mut step = 1_u64;
    for factor in [2, 5, 10].into_iter().cycle() {
        if real(end.0 / step) <= most {
            break;
        }
        let Some(power) = 10_u64.checked_pow(step.ilog10()) else { break };
        let Some(next) = power.checked_mul(factor) else { break };
        step = next;
    }
    (0..=end.0 / step).map(|times| Duration(times * step)).collect()
}
