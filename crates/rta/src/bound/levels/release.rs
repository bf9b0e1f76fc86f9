//! How long the launches of a stream wait from the release of the last one on.
//!
//! Follow a launch of k from its release r with the n launches of its stream, up to ours, that are incomplete by then. Wait i of
//! them is one interval, in a queue of priority p. No less urgent block is placed in it, so those that run in it ran when
//! it began: one launch of each stream, for at most C more. Let c(W) be what such [residents](super::residents) take in
//! a time W; as it is concave, they take n c(W / n) in all waits W together. So
//!
//! ```text
//! M W <= sum of (g - 1) w C over the n launches
//!      + sum over the other streams of priority p or above of min(g w C of their launches, their largest g w times W)
//!      + n c(W / n)
//! ```
//!
//! and the launch waits for no more than the largest W for which this is true. The launches of kernel j that count are
//! released from r - `R_j` + 1 to the time by which our last block must be placed; or to r, if n = 1 and our launch enters
//! its queue at its release and j has priority p, since who enters the queue after us is behind us. Kernels without a
//! bound take their largest g w. Where weights have [episodes](crate::bound::episodes), each launch adds what they
//! lose.

use crate::bound::NoBound;
use crate::bound::levels::parts::{Wait, share};
use crate::bound::levels::residents::Residents;
use crate::bound::levels::row::Row;
use crate::bound::levels::{Level, Levels, Weighted};
use crate::bound::numbers::{product, sum};
use crate::bound::wait::{Stream, longest_wait};

/// How many launches of a kernel of another stream a launch sees that may be ahead of it; or `None`, if there may be any number.
/// The kernel may be of the same priority.
pub(in crate::bound) type Seen<'a> = dyn Fn(usize, bool) -> Result<Option<u64>, NoBound> + 'a;

/// A wait from the release on, and what it was found with.
struct FromRelease {
    wait: u128,
    /// The number of the weights.
    weights: usize,
    /// Whether launches of less urgent kernels are counted, and not what of them may be there where each wait begins.
    counted: bool,
}

/// What a row adds.
enum Adds {
    Ahead,
    Resident,
    Lost,
}

impl Levels {
    /// How long the launches of our stream wait in all, up to the one of this kernel, in grains.
    pub(in crate::bound) fn wait_from_release(
        &self,
        kernel: usize,
        own: &[(usize, u64)],
        seen: &Seen<'_>,
    ) -> Result<u128, NoBound> {
        let asked = Asked::new(self, kernel, own, seen)?;
        asked.least().map(|found| found.wait)
    }

    /// What the smaller of both waits of a launch of this kernel consists of, with those of the launches before it in its
    /// stream.
    pub(in crate::bound) fn parts_of_wait(
        &mut self,
        kernel: usize,
        own: &[(usize, u64)],
        seen: &Seen<'_>,
    ) -> Result<Wait, NoBound> {
        let in_queue = self.sum_of_waits(own);
        let busy =
            if own.iter().map(|(_, launches)| launches).sum::<u64>() == 1 { self.wait(kernel) } else { None };
        if let Some(found) = busy.filter(|_| self.is_cheap) {
            return self.parts_of_window(kernel, found).ok_or(NoBound::TooLarge);
        }
        let asked = Asked::new(self, kernel, own, seen)?;
        let from_release = asked.least();
        if let Some(in_queue) = in_queue
            && from_release.as_ref().is_ok_and(|found| in_queue > found.wait)
        {
            return asked.parts(&from_release?);
        }
        if let Some(found) = busy.filter(|_| in_queue.is_some()) {
            return self.parts_of_window(kernel, found).ok_or(NoBound::TooLarge);
        }
        if in_queue.is_none() {
            return asked.parts(&from_release?);
        }
        // Each launch of the stream has a window of its own.
        let mut wait = Wait::new(1, 0);
        for &(kernel, launches) in own.iter().filter(|(_, launches)| *launches > 0) {
            let time = self.wait(kernel).ok_or(NoBound::TooLarge)?.time();
            let part = wait.of(kernel);
            part.launches = Some(launches);
            part.ahead = product(time.into(), launches.into())?;
        }
        Ok(wait)
    }
}

/// All that a wait from the release depends on.
struct Asked<'a> {
    levels: &'a Levels,
    level: &'a Level,
    own: &'a [(usize, u64)],
    /// The launches of our stream.
    chain: u64,
    /// The launches that may be ahead of ours, row by row; `None` if there may be any number.
    launches: Vec<Option<u64>>,
}

impl<'a> Asked<'a> {
    fn new(
        levels: &'a Levels,
        kernel: usize,
        own: &'a [(usize, u64)],
        seen: &Seen<'_>,
    ) -> Result<Self, NoBound> {
        let level = &levels.levels[levels.level_of[kernel]];
        let stream = levels.rows[levels.place[kernel]].stream;
        let of = |(at, row): (usize, &Row)| match row.stream == stream {
            true => Ok(Some(0)),
            false => seen(row.kernel, level.rows.contains(&at)),
        };
        let launches = levels.rows.iter().enumerate().map(of).collect::<Result<_, NoBound>>()?;
        Ok(Self { levels, level, own, chain: own.iter().map(|(_, launches)| launches).sum(), launches })
    }

    /// The least wait of all weights.
    fn least(&self) -> Result<FromRelease, NoBound> {
        let mut least: Result<FromRelease, NoBound> = Err(NoBound::TooLarge);
        let kinds = if self.levels.are_many() { 1 } else { usize::MAX };
        for (weights, weighted) in self.levels.weights[self.level.weights].iter().enumerate().take(kinds) {
            // Several waits cannot meet more launches than there are.
            for counted in [false, true].into_iter().take(if self.chain > 1 { 2 } else { 1 }) {
                let streams = self.streams(weighted, counted, |_, _, _, _| ());
                let wait = streams.and_then(|streams| longest_wait(weighted.capacity, &streams));
                least = match (least, wait) {
                    (Ok(known), Ok(wait)) if known.wait <= wait => Ok(known),
                    (_, Ok(wait)) => Ok(FromRelease { wait, weights, counted }),
                    (Err(_), Err(why)) => Err(why),
                    (known, Err(_)) => known,
                };
            }
        }
        least
    }

    /// What all streams may take while ours waits. Each number of a stream, row, and what that adds is noted.
    fn streams(
        &self,
        weighted: &Weighted,
        counted: bool,
        mut note: impl FnMut(usize, usize, Adds, u128),
    ) -> Result<Vec<Stream>, NoBound> {
        let Self { levels, level, .. } = self;
        let again = levels.losses_again(level, weighted);
        let lost =
            |at: usize| weighted.loss.get(at).zip(again.get(at)).map_or(0, |(a, b)| a.saturating_add(*b));
        let mut streams = vec![Stream { load: 0, fill: weighted.capacity, unlimited: None }];
        let until = if counted { levels.rows.len() } else { level.rows.end };
        let mut number = None;
        for (at, row) in levels.rows.iter().enumerate().take(until) {
            if number != Some(row.stream) {
                streams.push(Stream::default());
                number = Some(row.stream);
            }
            let of_stream = streams.len() - 1;
            // Of our own stream all blocks count but the last ones.
            let own = self.own.iter().find(|(kernel, _)| *kernel == row.kernel);
            let (launches, blocks) = match own {
                Some((_, launches)) => (Some(*launches), weighted.rest[at]),
                None => (self.launches[at], weighted.fill[at]),
            };
            let stream = &mut streams[of_stream];
            stream.fill = stream.fill.max(weighted.fill[at]);
            let Some(launches) = launches else {
                if !weighted.loss.is_empty() && at < level.rows.end {
                    return Err(NoBound::Held(row.kernel));
                }
                stream.unlimited = Some(row.kernel);
                note(of_stream, at, Adds::Ahead, 0);
                continue;
            };
            let load = product(product(blocks, row.time.into())?, launches.into())?;
            stream.load = sum(stream.load, load)?;
            note(of_stream, at, Adds::Ahead, load);
            if at < level.rows.end {
                let of_one =
                    if own.is_some() { weighted.loss.get(at).copied().unwrap_or(0) } else { lost(at) };
                let losses = product(of_one, launches.into())?;
                streams[0].load = sum(streams[0].load, losses)?;
                note(0, at, Adds::Lost, losses);
            }
        }
        if !counted {
            let may_run = |at: usize| at >= level.rows.end && self.launches[at] != Some(0);
            let residents = levels.residents(level, weighted).filter(|resident| may_run(resident.at));
            let mut taken = vec![0; levels.streams];
            let carried = Residents::new(residents, &mut taken, weighted.capacity, 0);
            for step in carried.steps() {
                let load = product(product(step.part, step.time.into())?, self.chain.into())?;
                note(streams.len(), step.at, Adds::Resident, load);
                streams.push(Stream { load, fill: step.part, unlimited: None });
            }
        }
        Ok(streams)
    }

    /// What a wait consists of.
    fn parts(&self, found: &FromRelease) -> Result<Wait, NoBound> {
        let weighted = &self.levels.weights[self.level.weights][found.weights];
        let mut notes = Vec::new();
        let streams = self.streams(weighted, found.counted, |stream, at, adds, load| {
            notes.push((stream, at, adds, load))
        })?;
        let mut wait = Wait::new(weighted.capacity, 0);
        for (number, at, adds, load) in notes {
            let row = &self.levels.rows[at];
            let stream = &streams[number];
            let taken = stream.taken(found.wait);
            let own = self.own.iter().find(|(kernel, _)| *kernel == row.kernel);
            let part = wait.of(row.kernel);
            if !matches!(adds, Adds::Resident) {
                part.launches = own.map_or(self.launches[at], |(_, launches)| Some(*launches));
            }
            let limited = stream.unlimited.is_some() || taken < stream.load;
            let load = match stream.unlimited {
                Some(unlimited) => {
                    if unlimited == row.kernel {
                        taken
                    } else {
                        0
                    }
                }
                None if limited => share(load, taken, stream.load),
                None => load,
            };
            match adds {
                Adds::Ahead => (part.ahead, part.limited) = (load, limited),
                Adds::Resident => part.resident = sum(part.resident, load)?,
                Adds::Lost => part.lost = load,
            }
        }
        Ok(wait)
    }
}
