//! The rules on the order of streams and queues: G2, X1 and A2.
//!
//! A kernel enters the queue of its priority when it is launched or when the launch ahead in its stream ends, whichever
//! is later. It may be launched at any time from its call to the return of that. Two ends are ordered by the GPU's
//! timer. Where times overlap or are too close together, the order is not known. Of two launches whose calls overlap,
//! either may be ahead, so all that X1 implies is that their blocks do not mix; other pairs of an unknown order are not
//! checked.

use std::cmp::Reverse;

use crate::measured::rules::{Tally, beyond, by_start, drift, earliest, latest};
use crate::measured::{Finding, Measurement, Rule};
use warpspan_model::time::Duration;

/// When a kernel enters its queue.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arrival {
    /// The latest time, as far as its clock is right.
    at: Duration,
    /// The earliest time, by the same clock.
    from: Duration,
    /// The time is at least so late by the clock of the GPU.
    pub(super) earliest: Duration,
    /// The time is at most so late by the clock of the GPU.
    pub(super) latest: Duration,
    /// Whether it is the end of the launch ahead, so a time of the GPU.
    is_end: bool,
}

/// The queues of a run.
pub(super) struct Queues {
    tolerance: Duration,
    /// The longest time in which a launch may have entered its queue.
    longest: Duration,
    /// When each launch enters its queue.
    pub(super) arrivals: Vec<Arrival>,
    /// The launches of each priority in the order of their arrival, the most urgent first.
    pub(super) queues: Vec<(i64, Vec<usize>)>,
    /// For each launch of a queue, the latest start of a block among those up to it, with launch and block.
    latest_start: Vec<Vec<(Duration, usize, usize)>>,
}

impl Queues {
    pub(super) fn new(run: &Measurement, tolerance: Duration) -> Self {
        let arrival = |launch: &crate::measured::Launch| {
            let end = launch.ahead.map_or(Duration::ZERO, |ahead| run.launches[ahead].end());
            Arrival {
                at: end.max(launch.returned),
                from: end.max(launch.called),
                earliest: end.max(earliest(launch.called)),
                latest: end.max(latest(launch.returned)),
                is_end: end > launch.returned,
            }
        };
        let arrivals: Vec<Arrival> = run.launches.iter().map(arrival).collect();
        let mut order: Vec<(i64, usize)> = (run.system.tasks().iter().enumerate())
            .map(|(launch, task)| (run.system.streams()[task.stream].priority, launch))
            .collect();
        order.sort_by_key(|&(priority, launch)| (Reverse(priority), arrivals[launch].at));
        let queues: Vec<(i64, Vec<usize>)> = order
            .chunk_by(|a, b| a.0 == b.0)
            .map(|same| (same[0].0, same.iter().map(|&(_, launch)| launch).collect()))
            .collect();
        let running = |(_, queue): &(i64, Vec<usize>)| {
            let mut most = (Duration::ZERO, 0, 0);
            let start = |&launch: &usize| {
                let (start, block) = run.launches[launch].last_start();
                most = most.max((start, launch, block));
                most
            };
            queue.iter().map(start).collect()
        };
        let latest_start = queues.iter().map(running).collect();
        let longest = arrivals.iter().map(|arrival| arrival.at - arrival.from).max().unwrap_or_default();
        Self { tolerance, longest, arrivals, queues, latest_start }
    }

    /// Whether one launch enters its queue before another for certain.
    fn is_before(&self, one: usize, other: usize) -> bool {
        let (a, b) = (self.arrivals[one], self.arrivals[other]);
        match (a.is_end, b.is_end) {
            (false, false) => (a.at, one) < (b.from, other),
            _ => b.from > self.blur(a.at.max(b.from), a.at),
        }
    }

    /// The latest time that may be the same as `time`, where the later of two times is `late`.
    fn blur(&self, late: Duration, time: Duration) -> Duration {
        Duration(time.0.saturating_add(self.tolerance.0).saturating_add(drift(late)))
    }

    /// The latest start of a block among the other launches of the queue for which `counts` holds, with launch
    /// and block. It must hold for all launches that arrive long before, and for none that arrive long after.
    fn latest_start(
        &self,
        run: &Measurement,
        [queue, place]: [usize; 2],
        counts: impl Fn(usize) -> bool,
    ) -> Option<(Duration, usize, usize)> {
        let launches = &self.queues[queue].1;
        let Arrival { at, from, .. } = self.arrivals[launches[place]];
        let long = |other: usize| self.blur(from, self.arrivals[other].at) < from;
        let before = launches[..place].partition_point(|&other| long(other));
        let near = launches[before..].iter().enumerate().take_while(|&(number, &other)| {
            let other = self.arrivals[other].at;
            before + number <= place || beyond(other, self.longest) <= self.blur(other, at)
        });
        let near = near.map(|(_, &other)| other).filter(|&other| other != launches[place] && counts(other));
        let start = |other: usize| {
            let (start, block) = run.launches[other].last_start();
            (start, other, block)
        };
        let all = before.checked_sub(1).map(|last| self.latest_start[queue][last]);
        near.map(start).chain(all).max()
    }

    /// The latest start of a block of a launch that is ahead in the queue for certain.
    fn ahead(&self, run: &Measurement, place: [usize; 2]) -> Option<(Duration, usize, usize)> {
        let this = self.queues[place[0]].1[place[1]];
        self.latest_start(run, place, |other| self.is_before(other, this))
    }

    /// The launches that returned before this one of the same queue, but of which either may be ahead, as their calls
    /// overlap.
    fn overlapping(&self, [queue, place]: [usize; 2]) -> impl Iterator<Item = usize> {
        let launches = &self.queues[queue].1;
        let (this, from) = (launches[place], self.arrivals[launches[place]].from);
        let others = launches[..place].iter().rev().copied();
        let others = others.take_while(move |&other| self.arrivals[other].at >= from);
        others.filter(move |&other| {
            !self.arrivals[other].is_end && !self.arrivals[this].is_end && !self.is_before(other, this)
        })
    }

    /// The time from which a launch is at the head of its queue for certain, so far as its own queue tells.
    pub(super) fn head(&self, run: &Measurement, place: [usize; 2]) -> Duration {
        let this = self.queues[place[0]].1[place[1]];
        let start = self.latest_start(run, place, |other| !self.is_before(this, other));
        start.map_or(Duration::ZERO, |(start, ..)| start).max(self.arrivals[this].latest)
    }
}

pub(super) fn findings(run: &Measurement, queues: &Queues, tolerance: Duration) -> [Finding; 3] {
    let [mut in_stream, mut in_queue, mut urgent] =
        [Rule::G2, Rule::X1, Rule::A2].map(|rule| Tally::new(rule, tolerance));
    for (queue, (_, launches)) in queues.queues.iter().enumerate() {
        for (place, &number) in launches.iter().enumerate() {
            let launch = &run.launches[number];
            let starts = by_start(launch);
            let (first, start) = (starts[0], launch.start());
            let name = |block: usize| {
                format!("{} starts at {}", run.block(number, block), run.time(launch.blocks[block].start))
            };
            if let Some(ahead) = launch.ahead {
                let (end, last) = run.launches[ahead].last_end();
                in_stream.judge([number, first], start, beyond(end, start), || {
                    let (block, end) = (run.block(ahead, last), run.time(end));
                    format!(
                        "{}, before {block}, of the launch ahead in its stream, ends at {end}",
                        name(first)
                    )
                });
            }
            let ahead = queues.ahead(run, [queue, place]);
            let ahead = ahead.map(|(late, other, block)| {
                (beyond(late, start), late, other, block, "is ahead in the queue")
            });
            let mixed = queues.overlapping([queue, place]).map(|other| {
                let (other_launch, (late, block)) = (&run.launches[other], run.launches[other].last_start());
                let off = beyond(late, start).min(beyond(launch.last_start().0, other_launch.start()));
                (off, late, other, block, "mixes its blocks with those of this kernel")
            });
            if let Some((off, late, other, block, which)) = ahead.into_iter().chain(mixed).max() {
                in_queue.judge([number, first], start, off, || {
                    let (other, late) = (run.block(other, block), run.time(late));
                    format!("{}, before {other}, which {which}, at {late}", name(first))
                });
            }
            for &more in queues.queues[..queue].iter().flat_map(|(_, launches)| launches) {
                let (waits, (until, last)) = (queues.arrivals[more].latest, run.launches[more].last_start());
                for &block in &starts {
                    let start = launch.blocks[block].start;
                    urgent.judge(
                        [number, block],
                        start,
                        beyond(start, waits).min(beyond(until, start)),
                        || {
                            let (other, until) = (run.block(more, last), run.time(until));
                            format!(
                                "{}, while {other}, which is more urgent, waits until {until}",
                                name(block)
                            )
                        },
                    );
                }
            }
        }
    }
    [in_stream.end(), in_queue.end(), urgent.end()]
}
