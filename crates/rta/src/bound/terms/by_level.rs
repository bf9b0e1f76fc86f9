//! The right-hand side for a kernel of a system in which every C is measured: what its launch waits for by the levels of
//! priority ([`levels`](crate::bound::levels)).

use crate::bound::levels::{Levels, Part, Seen, Wait};
use crate::bound::numbers::{Found, product, sum};
use crate::bound::terms::{Chain, Scratch, Terms, signed};
use crate::bound::{Explanation, NoBound, Share, from_arrival};
use warpspan_model::time::Duration;

impl Terms<'_> {
    /// The next value of a kernel's bound: what the launches of its stream take up to ours, what their copies wait for, and
    /// the smaller of both bounds on how long their blocks wait.
    pub(in crate::bound) fn next_by_level(
        &self,
        levels: &mut Levels,
        found: &[Found],
        k: usize,
        scratch: &mut Scratch,
    ) -> Found {
        let chain = self.own(found, k, scratch)?;
        let waits = levels.sum_of_waits(&scratch.own);
        let seen = self.seen(found, k, &chain);
        let wait = match waits {
            Some(waits) if levels.is_cheap() => waits,
            waits => match levels.wait_from_release(k, &scratch.own, &seen) {
                Ok(from_release) => waits.map_or(from_release, |waits| waits.min(from_release)),
                Err(why) => waits.ok_or(why)?,
            },
        };
        let total = sum(self.runs(&scratch.own)?, wait)?;
        let total = sum(total, self.grains(self.copy_waits(found, k, &chain, scratch)?)?.into())?;
        u64::try_from(total).map_err(|_| NoBound::TooLarge)
    }

    /// What a kernel's bound consists of, once all bounds have settled.
    pub(in crate::bound) fn explain_by_level(
        &self,
        levels: &mut Levels,
        found: &[Found],
        k: usize,
        scratch: &mut Scratch,
    ) -> Result<Explanation, NoBound> {
        let response = found[k]?;
        let chain = self.own(found, k, scratch)?;
        let seen = self.seen(found, k, &chain);
        let Wait { capacity, before, parts, .. } = levels.parts_of_wait(k, &scratch.own, &seen)?;
        let grains = |time: u128| u64::try_from(time).map(Duration).map_err(|_| NoBound::TooLarge);
        let share = |part: &Part| {
            let own = scratch.own.iter().find(|(kernel, _)| *kernel == part.kernel);
            let own_launches = own.map_or(0, |(_, launches)| *launches);
            let launches = own.map_or(part.launches, |(_, launches)| part.launches.max(Some(*launches)));
            let blocks = self.system.tasks()[part.kernel].blocks;
            let ahead = launches.map(|launches| {
                launches.checked_mul(blocks).map(|all| all - own_launches).ok_or(NoBound::TooLarge)
            });
            let of_own = |time: u128| product(time, own_launches.into()).and_then(grains);
            Ok(Share {
                kernel: part.kernel,
                launches,
                ahead: ahead.transpose()?,
                later: launches.map(|_| 0),
                limited: part.limited,
                copies: of_own(self.parts.each[part.kernel].copies / self.parts.per_grain)?,
                run: of_own(self.times[part.kernel].into())?,
                beside: Duration::ZERO,
                ahead_a: Duration::ZERO,
                ahead_c: grains(part.ahead / capacity)?,
                later_a: Duration::ZERO,
                resident: grains(part.resident / capacity)?,
                lost: grains(part.lost / capacity)?,
            })
        };
        let mut parts = parts;
        for &(kernel, launches) in scratch.own.iter().filter(|(_, launches)| *launches > 0) {
            if !parts.iter().any(|part| part.kernel == kernel) {
                parts.push(Part { kernel, launches: Some(launches), ..Part::default() });
            }
        }
        let mut shares = parts.iter().map(share).collect::<Result<Vec<Share>, NoBound>>()?;
        shares.retain(|share| share.launches != Some(0) || share.total() > Duration::ZERO);
        shares.sort_by_key(|share| share.kernel);
        let copy_wait = self.copy_waits(found, k, &chain, scratch)?;
        let copy_wait = grains(copy_wait / self.parts.per_grain)?;
        let all = shares.iter().map(Share::total).try_fold(copy_wait.0, |all, time| all.checked_add(time.0));
        let rounding = all.and_then(|all| response.checked_add(before)?.checked_sub(all));
        Ok(Explanation {
            bound: from_arrival(self.system, k, response)?,
            theta: None,
            shares,
            copy_wait,
            memory: Vec::new(),
            jitter: self.system.tasks()[k].jitter,
            rounding: Duration(rounding.ok_or(NoBound::TooLarge)?),
            before: Duration(before),
        })
    }

    /// The copies of the launches of our stream, and the runs of their last blocks, in grains.
    fn runs(&self, own: &[(usize, u64)]) -> Result<u128, NoBound> {
        own.iter().try_fold(0, |all, &(j, launches)| {
            let each = sum(self.times[j].into(), self.parts.each[j].copies / self.parts.per_grain)?;
            sum(all, product(each, launches.into())?)
        })
    }

    /// How long the copies of our stream wait for others, in parts of a grain.
    fn copy_waits(
        &self,
        found: &[Found],
        k: usize,
        chain: &Chain,
        scratch: &mut Scratch,
    ) -> Result<u128, NoBound> {
        if self.copies_of_one.is_empty() || chain.copies == 0 {
            return Ok(0);
        }
        scratch.copies.fill(0);
        scratch.streams.copy_from_slice(&self.idle);
        let ours = signed(found[k]?)?;
        for (j, task) in self.system.tasks().iter().enumerate() {
            match found[j] {
                Ok(theirs) => {
                    let all = self.calendar.most(k, j, 1 - signed(theirs)?, ours - 1);
                    let copies = product(self.parts.each[j].copies, all.into())?;
                    scratch.copies[task.stream] = sum(scratch.copies[task.stream], copies)?;
                }
                Err(_) => scratch.streams[task.stream].unlimited = Some(j),
            }
        }
        self.copies(k, chain, scratch)
    }

    /// How many launches of others a launch of a kernel sees.
    fn seen<'a>(&'a self, found: &'a [Found], k: usize, chain: &Chain) -> Box<Seen<'a>> {
        let task = &self.system.tasks()[k];
        let until = |found: u64| found.saturating_sub(self.times[k]).saturating_sub(task.copy_out.0);
        // It enters its queue where it is released, and those behind it in the queue stay behind it.
        let at_once = chain.launches == 1 && task.copy_in.0 == 0;
        // Launches of one instant come in the order of the file, unless one waits for another that ends just then.
        let alone = self.members[task.stream].len() == 1
            && found[k].is_ok_and(|found| self.calendar.in_time(k, found));
        let until = found[k].map(until).and_then(signed);
        Box::new(move |j, same_priority| {
            let Ok(theirs) = found[j] else { return Ok(None) };
            let to = if same_priority && at_once {
                if self.calendar.together(k, j).0 || !alone { 0 } else { -1 }
            } else {
                until?
            };
            Ok(Some(self.calendar.most(k, j, 1 - signed(theirs)?, to)))
        })
    }

    /// When launches enter their queues, as far as the bounds say by now.
    pub(in crate::bound) fn enter(&self, levels: &mut Levels, found: &[Found]) {
        let late = |k: usize| {
            let task = &self.system.tasks()[k];
            let found = found[k].ok()?;
            let placed = found.saturating_sub(self.times[k]).saturating_sub(task.copy_out.0);
            let late = match task.period {
                None => 0,
                Some(period) => found.saturating_add(task.jitter.0).saturating_sub(period.0),
            };
            let at_once = self.members[task.stream].len() == 1 && task.copy_in.0 == 0;
            Some(if at_once { late.min(placed) } else { placed })
        };
        levels.enter(self.system, late, found);
    }
}
