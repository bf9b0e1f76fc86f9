//! The right-hand side of the equation for one kernel: what its launch can wait for and co-run with.

mod by_level;
mod explain;

use crate::bound::NoBound;
use crate::bound::counts::Calendar;
use crate::bound::levels::Levels;
use crate::bound::memory::Memory;
use crate::bound::numbers::{Found, product, sum};
use crate::bound::parts::{LaunchCosts, Parts};
use crate::bound::wait::{Stream, longest_wait};
use crate::{Execution, System};

/// All that the right-hand sides are made of.
pub(super) struct Terms<'a> {
    system: &'a System,
    /// The longest time of a block of each kernel.
    times: Vec<u64>,
    parts: Parts,
    calendar: Calendar,
    /// The kernels of each stream.
    members: Vec<Vec<usize>>,
    /// Each stream without load.
    idle: Vec<Stream>,
    /// The longest copies of a launch of each stream; nothing if nothing is copied at all.
    copies_of_one: Vec<u128>,
    /// The memory that all multiprocessors share, where a kernel of code asks anything of it.
    memory: Option<Memory>,
}

/// The launches of another kernel that count, by what they cost.
#[derive(Clone, Copy)]
enum Count {
    /// They are present while ours waits.
    Ahead(u64),
    /// Each block is present while ours waits, or starts after it.
    Either(u64),
    /// Each block may start while a launch of our stream runs and then make the next one wait.
    Both(u64),
    /// Some are ahead and some are behind in the queue: as many ahead as there can be, or as many behind as
    /// there can be, and of the others what is left.
    InOrder([[u64; 2]; 2]),
}

/// The launches of our own stream, up to ours.
struct Chain {
    launches: u64,
    copies: u64,
    /// Whether one of them is of code, so that co-running blocks delay it.
    slowed: bool,
}

impl<'a> Terms<'a> {
    pub(super) fn new(system: &'a System, executions: &[Execution], parts: Parts) -> Result<Self, NoBound> {
        let mut members = vec![Vec::new(); system.streams().len()];
        let mut idle = vec![Stream::default(); system.streams().len()];
        let mut copies_of_one = vec![0; system.streams().len()];
        for (kernel, (task, part)) in system.tasks().iter().zip(&parts.each).enumerate() {
            members[task.stream].push(kernel);
            idle[task.stream].fill = idle[task.stream].fill.max(part.fill);
            copies_of_one[task.stream] = part.copies.max(copies_of_one[task.stream]);
        }
        if copies_of_one.iter().all(|copies| *copies == 0) {
            copies_of_one.clear();
        }
        let memory = Memory::new(system)?;
        let times = executions.iter().map(|execution| execution.time.0).collect();
        Ok(Self {
            calendar: Calendar::new(system),
            system,
            times,
            parts,
            members,
            idle,
            copies_of_one,
            memory,
        })
    }

    /// The levels of priority, where every C is measured.
    pub(super) fn levels(&self) -> Result<Option<Levels>, NoBound> {
        self.parts.all_measured.then(|| Levels::new(self.system, &self.times)).transpose()
    }

    /// The least value of a kernel's bound: the time of a launch without any other.
    pub(super) fn least(&self, kernel: usize) -> Result<u64, NoBound> {
        let copies = self.parts.each[kernel].copies;
        let least = self.parts.of(kernel).iter().map(|costs| costs.last.min(costs.own)).min().unwrap_or(0);
        // An empty window holds no launch, not even ours, and would seem to be as long as what it asks for.
        Ok(self.grains(sum(least, copies)?)?.max(1))
    }

    /// The next value of a kernel's bound.
    pub(super) fn next(&self, found: &[Found], k: usize, scratch: &mut Scratch) -> Found {
        let chain = self.own(found, k, scratch)?;
        if self.parts.all_measured {
            scratch.streams.copy_from_slice(&self.idle);
            let own = self.system.tasks()[k].stream;
            scratch.streams[own].load = scratch.own_rest;
        }
        scratch.copies.fill(0);
        let mut failed = None;
        self.others(found, k, &chain, |j, all, count| {
            let task = &self.system.tasks()[j];
            let Some(count) = count else {
                failed = failed.or(Some(j));
                if self.parts.all_measured {
                    scratch.streams[task.stream].unlimited = Some(j);
                }
                return Ok(());
            };
            if !self.copies_of_one.is_empty() {
                let copies = product(self.parts.each[j].copies, all.into())?;
                scratch.copies[task.stream] = sum(scratch.copies[task.stream], copies)?;
            }
            if self.parts.all_measured {
                let load = &mut scratch.streams[task.stream].load;
                *load = sum(*load, cost(&self.parts.of(j)[0], count)?)?;
                return Ok(());
            }
            let totals = scratch.totals.iter_mut().zip(&mut scratch.apart);
            for ((total, apart), costs) in totals.zip(self.parts.of(j)) {
                *total = sum(*total, cost(costs, count)?)?;
                *apart = sum(*apart, cost_apart(costs, count)?)?;
            }
            Ok(())
        })?;
        if let Some(failed) = failed.filter(|_| !self.parts.all_measured) {
            return Err(NoBound::Held(failed));
        }
        let copies = self.copies(k, &chain, scratch)?;
        let least = scratch.totals.iter().chain(&scratch.apart).copied().min().unwrap_or(0);
        let total = sum(least, copies)?;
        let wait =
            if self.parts.all_measured { longest_wait(self.parts.per_grain, &scratch.streams)? } else { 0 };
        let total = sum(wait, self.grains(total)?.into())?;
        let late =
            self.late(found, k, scratch)?.map_or(Ok(0), |(_, late)| late.into_iter().try_fold(0, sum))?;
        let total = sum(total, late)?;
        u64::try_from(total).map_err(|_| NoBound::TooLarge)
    }

    /// The launches that ask anything of the memory in the window of a kernel's bound, and for how many grains of it
    /// each server keeps results waiting; none where no code asks anything. The launches of our own stream have been
    /// counted.
    fn late(&self, found: &[Found], k: usize, scratch: &Scratch) -> Result<Option<Late>, NoBound> {
        let Some(memory) = &self.memory else { return Ok(None) };
        let (window, own) = (found[k]?, self.system.tasks()[k].stream);
        let mut launches = scratch.own.clone();
        for (j, _) in self.system.tasks().iter().enumerate().filter(|(_, task)| task.stream != own) {
            let theirs = found[j].map_err(|_| NoBound::Held(j)).and_then(signed)?;
            // A launch counts that is behind ours in the queue, too: it may run on another multiprocessor.
            launches.push((j, self.calendar.most(k, j, 1 - theirs, signed(window)? - 1)));
        }
        let late = memory.late(&memory.asked(launches.iter().copied())?, window)?;
        Ok(Some((launches, late)))
    }

    /// What each kernel contributes to a kernel's bound, in parts of a grain.
    pub(super) fn contributions(
        &self,
        found: &[Found],
        k: usize,
        scratch: &mut Scratch,
    ) -> Result<Vec<u128>, NoBound> {
        let chain = self.own(found, k, scratch)?;
        let thetas = 0..self.parts.thetas;
        let mut of = vec![vec![0; found.len()]; thetas.len()];
        for theta in thetas {
            for &(j, launches) in &scratch.own {
                let LaunchCosts { last, rest, .. } = self.parts.of(j)[theta];
                let each = sum(sum(last, rest)?, self.parts.each[j].copies)?;
                of[theta][j] = product(each, launches.into())?;
            }
            self.others(found, k, &chain, |j, all, count| {
                let copies = product(self.parts.each[j].copies, all.into())?;
                let cost = count.map_or(Ok(UNLIMITED), |count| cost(&self.parts.of(j)[theta], count))?;
                of[theta][j] = sum(cost, copies)?;
                Ok(())
            })?;
        }
        let total = |of: &Vec<u128>| of.iter().copied().fold(0, u128::saturating_add);
        let mut of = of.into_iter().min_by_key(total).unwrap_or_default();
        // What a server adds is shared out by what is asked of it.
        if let (Some((launches, late)), Some(memory)) = (self.late(found, k, scratch)?, &self.memory) {
            for (server, late) in late.into_iter().enumerate() {
                let asked =
                    |&(j, number): &(usize, u64)| memory.of_launch(j, server).saturating_mul(number.into());
                let all = launches.iter().map(asked).fold(0, u128::saturating_add);
                for one in launches.iter().filter(|_| all > 0) {
                    let late = product(late, self.parts.per_grain)?;
                    let share = asked(one).saturating_mul(1 << SHARES) / all;
                    of[one.0] = sum(of[one.0], (late >> SHARES).saturating_mul(share))?;
                }
            }
        }
        Ok(of)
    }

    /// The launches of the kernel's own stream, up to ours, and what they cost.
    fn own(&self, found: &[Found], k: usize, scratch: &mut Scratch) -> Result<Chain, NoBound> {
        let mut chain = Chain { launches: 0, copies: 0, slowed: false };
        scratch.own.clear();
        for &j in &self.members[self.system.tasks()[k].stream] {
            let before = found[j].map_err(|_| NoBound::Behind(j)).and_then(signed)?;
            let to = if self.calendar.together(k, j).0 { 0 } else { -1 };
            let launches = self.calendar.most(k, j, 1 - before, to);
            chain.launches += launches;
            chain.copies += self.parts.each[j].operations * launches;
            chain.slowed |= launches > 0 && !self.parts.each[j].measured;
            scratch.own.push((j, launches));
        }
        scratch.totals.fill(0);
        scratch.apart.fill(0);
        scratch.own_rest = 0;
        for &(j, launches) in &scratch.own {
            let copies = self.parts.each[j].copies;
            let totals = scratch.totals.iter_mut().zip(&mut scratch.apart);
            for ((total, apart), costs) in totals.zip(self.parts.of(j)) {
                let last = if chain.launches > 1 { costs.chained } else { costs.last };
                let (mut each, mut each_apart) = (sum(last, copies)?, sum(costs.own, copies)?);
                if self.parts.all_measured {
                    scratch.own_rest = sum(scratch.own_rest, product(costs.rest, launches.into())?)?;
                    each_apart = each;
                } else {
                    each = sum(each, costs.rest)?;
                }
                *total = sum(*total, product(each, launches.into())?)?;
                *apart = sum(*apart, product(each_apart, launches.into())?)?;
            }
        }
        Ok(chain)
    }

    /// Calls `sink` for each kernel of another stream with the number of its launches that are incomplete at
    /// the release of ours or come before it is complete, and with how they count. The latter is `None` if
    /// there may be any number.
    fn others(
        &self,
        found: &[Found],
        k: usize,
        chain: &Chain,
        mut sink: impl FnMut(usize, u64, Option<Count>) -> Result<(), NoBound>,
    ) -> Result<(), NoBound> {
        let stream = self.system.tasks()[k].stream;
        let response = found[k]?;
        let ours = signed(response)?;
        let follows_order = self.parts.in_order && self.calendar.in_time(k, response);
        for (j, task) in self.system.tasks().iter().enumerate() {
            if task.stream == stream {
                continue;
            }
            let Ok(their_response) = found[j] else {
                sink(j, 0, None)?;
                continue;
            };
            let theirs = signed(their_response)?;
            let in_order = follows_order && self.calendar.in_time(j, their_response);
            let (may_be_ahead, may_be_behind) = self.calendar.together(k, j);
            let ahead = || self.calendar.most(k, j, 1 - theirs, if may_be_ahead { 0 } else { -1 });
            if in_order && !chain.slowed {
                let ahead = ahead();
                sink(j, ahead, Some(Count::Ahead(ahead)))?;
                continue;
            }
            let all = self.calendar.most(k, j, 1 - theirs, ours - 1);
            let count = match (in_order, chain.slowed) {
                (true, _) => {
                    let behind = self.calendar.most(k, j, i64::from(!may_be_behind), ours - 1).min(all);
                    let ahead = ahead().min(all);
                    Count::InOrder([[ahead, behind.min(all - ahead)], [ahead.min(all - behind), behind]])
                }
                (false, false) => Count::Ahead(all),
                (false, true) if chain.launches > 1 => Count::Both(all),
                (false, true) => Count::Either(all),
            };
            sink(j, all, Some(count))?;
        }
        Ok(())
    }

    /// How long the copies of a launch wait for those of other streams, in parts: each for the copies of one
    /// launch of a stream at most.
    fn copies(&self, k: usize, chain: &Chain, scratch: &Scratch) -> Result<u128, NoBound> {
        let own = self.system.tasks()[k].stream;
        let mut all = 0;
        for (stream, &of_one) in self.copies_of_one.iter().enumerate().filter(|(stream, _)| *stream != own) {
            let one_each = product(of_one, chain.copies.into())?;
            let unlimited = scratch.streams.get(stream).is_some_and(|stream| stream.unlimited.is_some());
            all = sum(all, if unlimited { one_each } else { one_each.min(scratch.copies[stream]) })?;
        }
        Ok(all)
    }

    /// A time in grains. It is rounded down where nothing happens but at whole grains.
    fn grains(&self, parts: u128) -> Result<u64, NoBound> {
        let per_grain = self.parts.per_grain;
        let grains = if self.parts.whole { parts / per_grain } else { parts.div_ceil(per_grain) };
        u64::try_from(grains).map_err(|_| NoBound::TooLarge)
    }
}

/// Launches by kernel, and the grains that each server adds.
type Late = (Vec<(usize, u64)>, Vec<u128>);

/// What a server adds is shared out in parts of 2 to this number.
const SHARES: u32 = 10;

/// What launches cost, where blocks that co-run with our last blocks are counted with these.
fn cost(costs: &LaunchCosts, count: Count) -> Result<u128, NoBound> {
    match count {
        Count::Ahead(launches) => product(costs.ahead, launches.into()),
        Count::Either(launches) => product(costs.either, launches.into()),
        Count::Both(launches) => product(costs.both, launches.into()),
        Count::InOrder(ways) => in_order(costs.ahead, costs.later, ways),
    }
}

/// What launches cost, where their blocks that co-run with our last ones are counted with them.
fn cost_apart(costs: &LaunchCosts, count: Count) -> Result<u128, NoBound> {
    match count {
        Count::Ahead(launches) => product(costs.ahead, launches.into()),
        Count::Either(launches) | Count::Both(launches) => product(costs.both, launches.into()),
        Count::InOrder(ways) => in_order(costs.both, costs.later, ways),
    }
}

fn in_order(ahead: u128, later: u128, ways: [[u64; 2]; 2]) -> Result<u128, NoBound> {
    let cost = |way: [u64; 2]| sum(product(ahead, way[0].into())?, product(later, way[1].into())?);
    Ok(cost(ways[0])?.max(cost(ways[1])?))
}

/// What a kernel without limit contributes: more than any other, and so little that the sum over all kernels
/// and a hundredfold of it can be computed.
const UNLIMITED: u128 = u128::MAX >> 24;

/// Room for the sums of one evaluation.
pub(super) struct Scratch {
    /// The sum of what counts, at each theta, with [`cost`].
    totals: Vec<u128>,
    /// The same with [`cost_apart`].
    apart: Vec<u128>,
    /// The load of our own stream, where every C is measured.
    own_rest: u128,
    /// The launches of our own stream, by kernel.
    own: Vec<(usize, u64)>,
    /// The load of each stream, where every C is measured.
    streams: Vec<Stream>,
    /// The copies of each stream.
    copies: Vec<u128>,
}

impl Scratch {
    pub(super) fn new(terms: &Terms<'_>) -> Self {
        let of_streams = if terms.parts.all_measured { terms.idle.len() } else { 0 };
        Self {
            totals: vec![0; terms.parts.thetas],
            apart: vec![0; terms.parts.thetas],
            own_rest: 0,
            own: Vec::new(),
            streams: vec![Stream::default(); of_streams],
            copies: vec![0; terms.copies_of_one.len()],
        }
    }
}

fn signed(grains: u64) -> Result<i64, NoBound> {
    i64::try_from(grains).map_err(|_| NoBound::TooLarge)
}
