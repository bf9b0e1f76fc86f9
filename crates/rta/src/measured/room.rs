//! Rule G3, and R1 to R3 from the other side: a block of the kernel at the head does not wait while some
//! multiprocessor has room for it.

use crate::measured::queue::Queues;
use crate::measured::rules::{Tally, beyond, by_start};
use crate::measured::{Finding, Measurement, Rule};
use warpspan_model::device::Resources;
use warpspan_model::time::Duration;

/// What is taken of each multiprocessor from each time on, in the order of time.
struct Taken(Vec<Vec<(Duration, [u64; 4])>>);

impl Taken {
    fn new(run: &Measurement) -> Self {
        let count = usize::try_from(run.system.gpu().multiprocessors).unwrap_or(usize::MAX);
        let mut changes: Vec<Vec<(Duration, bool, usize)>> = vec![Vec::new(); count];
        for (number, launch) in run.launches.iter().enumerate() {
            for block in &launch.blocks {
                let at = &mut changes[block.multiprocessor];
                at.extend([(block.start, true, number), (block.end, false, number)]);
            }
        }
        let steps = |mut changes: Vec<(Duration, bool, usize)>| {
            changes.sort_unstable();
            let mut taken = [0_i128; 4];
            let step = |same: &[(Duration, bool, usize)]| {
                for &(_, is_start, launch) in same {
                    let need = run.system.tasks()[launch].block.each();
                    for (taken, need) in taken.iter_mut().zip(need) {
                        *taken += if is_start { i128::from(need) } else { -i128::from(need) };
                    }
                }
                (same[0].0, taken.map(|taken| u64::try_from(taken).unwrap_or(0)))
            };
            changes.chunk_by(|a, b| a.0 == b.0).map(step).collect()
        };
        Self(changes.into_iter().map(steps).collect())
    }

    /// The longest time without a break, from one time to another, for which a multiprocessor has room for a
    /// block: its index, and the beginning and the end.
    fn longest_room(
        &self,
        gpu: &Resources,
        block: &Resources,
        from: Duration,
        to: Duration,
    ) -> Option<(usize, Duration, Duration)> {
        let fits = |taken: &[u64; 4]| {
            let each = gpu.each().into_iter().zip(block.each()).zip(taken);
            each.into_iter()
                .all(|((capacity, need), &taken)| need == 0 || taken.saturating_add(need) <= capacity)
        };
        let mut best: Option<(usize, Duration, Duration)> = None;
        for (number, steps) in self.0.iter().enumerate() {
            let first = steps.partition_point(|(time, _)| *time <= from);
            let begin = first.checked_sub(1).map_or([0; 4], |before| steps[before].1);
            let mut since = fits(&begin).then_some(from);
            let within = steps[first..].iter().take_while(|(time, _)| *time < to);
            for (time, taken) in
                within.copied().map(|(time, taken)| (time, fits(&taken))).chain([(to, false)])
            {
                match (since, taken) {
                    (None, true) => since = Some(time),
                    (Some(start), false) => {
                        if best.is_none_or(|(_, from, to)| time - start > to - from) {
                            best = Some((number, start, time));
                        }
                        since = None;
                    }
                    _ => {}
                }
            }
        }
        best
    }
}

pub(super) fn finding(run: &Measurement, queues: &Queues, tolerance: Duration) -> Finding {
    let taken = Taken::new(run);
    let gpu = run.system.gpu().resources;
    let mut tally = Tally::new(Rule::G3, tolerance);
    for (queue, (_, launches)) in queues.queues.iter().enumerate() {
        let more_urgent: Vec<usize> =
            queues.queues[..queue].iter().flat_map(|(_, all)| all).copied().collect();
        for (place, &number) in launches.iter().enumerate() {
            let (launch, need) = (&run.launches[number], run.system.tasks()[number].block);
            // Blocks are placed one after the other, so each waits from the start of the one before it.
            let mut since = queues.head(run, [queue, place]);
            for block in by_start(launch) {
                let start = launch.blocks[block].start;
                // A more urgent kernel takes the turn from its arrival until its last block has started.
                let turns = more_urgent.iter().filter(|&&more| queues.arrivals[more].earliest <= start);
                let turn = turns.map(|&more| run.launches[more].last_start().0).max().unwrap_or_default();
                let from = since.max(turn);
                let room = (from < start).then(|| taken.longest_room(&gpu, &need, from, start)).flatten();
                let off = room.map_or(Duration::ZERO, |(_, from, to)| beyond(to, from));
                tally.judge([number, block], start, off, || {
                    let (on, from, to) = room.unwrap_or_default();
                    format!(
                        "{} starts at {} only, although multiprocessor {} had room for it from {} to {}",
                        run.block(number, block),
                        run.time(start),
                        on + 1,
                        run.time(from),
                        run.time(to)
                    )
                });
                since = since.max(start);
            }
        }
    }
    tally.end()
}
