//! The terms of a right-hand side one by one.

use crate::bound::numbers::{Found, product, sum};
use crate::bound::terms::{Count, Scratch, Terms};
use crate::bound::{Explanation, Late, NoBound, Share, from_arrival};
use warpspan_model::time::Duration;

/// What the launches of a kernel contribute, in parts of a grain.
#[derive(Default)]
struct Row {
    kernel: usize,
    launches: Option<u64>,
    ahead: u128,
    later: u128,
    copies: u128,
    run: u128,
    beside: u128,
    ahead_a: u128,
    ahead_c: u128,
    later_a: u128,
}

impl Terms<'_> {
    /// Where a kernel's bound comes from, once all bounds have settled.
    pub(in crate::bound) fn explain(
        &self,
        found: &[Found],
        k: usize,
        scratch: &mut Scratch,
    ) -> Result<Explanation, NoBound> {
        let response = found[k]?;
        let chain = self.own(found, k, scratch)?;
        // This leaves the sums at each theta, the copies, and the loads of all streams.
        self.next(found, k, scratch)?;
        let (theta, apart) = least(&scratch.totals, &scratch.apart);
        let mut rows = Vec::new();
        for &(j, launches) in scratch.own.iter().filter(|(_, launches)| *launches > 0) {
            rows.push(self.own_row(j, launches, theta, apart, chain.launches > 1)?);
        }
        self.others(found, k, &chain, |j, launches, count| {
            if let Some(count) = count.filter(|_| launches > 0) {
                rows.push(self.other_row(j, count, theta, apart)?);
            }
            Ok(())
        })?;
        rows.sort_by_key(|row| row.kernel);
        let grains = |parts: u128| {
            let grains = u64::try_from(parts / self.parts.per_grain);
            grains.map(Duration).map_err(|_| NoBound::TooLarge)
        };
        let share = |row: Row| {
            let blocks = |blocks: u128| u64::try_from(blocks).map(Some).map_err(|_| NoBound::TooLarge);
            Ok(Share {
                kernel: row.kernel,
                launches: row.launches,
                ahead: blocks(row.ahead)?,
                later: blocks(row.later)?,
                limited: false,
                copies: grains(row.copies)?,
                run: grains(row.run)?,
                beside: grains(row.beside)?,
                ahead_a: grains(row.ahead_a)?,
                ahead_c: grains(row.ahead_c)?,
                later_a: grains(row.later_a)?,
                resident: Duration::ZERO,
                lost: Duration::ZERO,
            })
        };
        let shares = rows.into_iter().map(share).collect::<Result<Vec<Share>, NoBound>>()?;
        let copy_wait = grains(self.copies(k, &chain, scratch)?)?;
        let memory = self.late_servers(found, k, scratch)?;
        let of_shares = shares.iter().map(Share::total).chain(memory.iter().map(|late| late.time));
        let of_shares = of_shares.into_iter().try_fold(copy_wait.0, |all, time| all.checked_add(time.0));
        let rounding = of_shares.and_then(|all| response.checked_sub(all)).ok_or(NoBound::TooLarge)?;
        Ok(Explanation {
            bound: from_arrival(self.system, k, response)?,
            theta: self.parts.theta.get(theta).copied(),
            shares,
            copy_wait,
            memory,
            jitter: self.system.tasks()[k].jitter,
            rounding: Duration(rounding),
            before: Duration::ZERO,
        })
    }

    /// What each server adds that adds anything.
    fn late_servers(&self, found: &[Found], k: usize, scratch: &Scratch) -> Result<Vec<Late>, NoBound> {
        let (Some((_, late)), Some(memory)) = (self.late(found, k, scratch)?, &self.memory) else {
            return Ok(Vec::new());
        };
        let late = late.into_iter().enumerate().filter(|(_, grains)| *grains > 0);
        let late = late.map(|(server, grains)| {
            let time = u64::try_from(grains).map(Duration).map_err(|_| NoBound::TooLarge)?;
            Ok(Late { server: memory.name(server).to_owned(), time })
        });
        late.collect()
    }

    /// What launches of our own stream contribute. Where launches of other streams are counted `apart`, blocks that
    /// co-run with the last blocks are counted with their own launches.
    fn own_row(
        &self,
        j: usize,
        launches: u64,
        theta: usize,
        apart: bool,
        chained: bool,
    ) -> Result<Row, NoBound> {
        let (block, costs) = (self.parts.blocks[j][theta], self.parts.of(j)[theta]);
        let co_running = self.parts.co_running[j].get(theta).copied().unwrap_or(0);
        let m = u128::from(self.system.gpu().multiprocessors);
        let rest = u128::from(self.system.tasks()[j].blocks - 1);
        let all = |of_one: u128, blocks: u128| product(product(of_one, blocks)?, launches.into());
        let [run, beside] = if apart {
            [product(block.followed, m)?, 0]
        } else if chained || costs.last == costs.chained {
            [product(block.followed, m)?, product(co_running, m - 1)?]
        } else {
            [product(block.first, m)?, product(co_running, m)?]
        };
        let counts_later = apart && !self.parts.each[j].measured;
        Ok(Row {
            kernel: j,
            launches: Some(launches),
            ahead: product(rest, launches.into())?,
            later: if counts_later { product(rest, launches.into())? } else { 0 },
            copies: product(self.parts.each[j].copies, launches.into())?,
            run: all(run, 1)?,
            beside: all(beside, 1)?,
            ahead_a: all(block.beside, rest)?,
            ahead_c: all(block.ahead - block.beside, rest)?,
            later_a: if counts_later { all(product(block.beside, m - 1)?, rest)? } else { 0 },
        })
    }

    /// What launches of another stream contribute.
    fn other_row(&self, j: usize, count: Count, theta: usize, apart: bool) -> Result<Row, NoBound> {
        let (block, costs) = (self.parts.blocks[j][theta], self.parts.of(j)[theta]);
        let m = u128::from(self.system.gpu().multiprocessors);
        // The launches that are ahead, those that start later, and how often A counts for each of the latter.
        let (launches, ahead, later, often) = match count {
            Count::Ahead(all) => (all, all, 0, 0),
            Count::Either(all) | Count::Both(all) if apart => (all, all, all, m - 1),
            Count::Both(all) => (all, all, all, m - 1),
            Count::Either(all) if costs.ahead >= costs.later => (all, all, 0, 0),
            Count::Either(all) => (all, 0, all, m),
            Count::InOrder(ways) => {
                let of_ahead = if apart { costs.both } else { costs.ahead };
                let way = |way: [u64; 2]| {
                    sum(product(of_ahead, way[0].into())?, product(costs.later, way[1].into())?)
                };
                let [ahead, behind] = if way(ways[0])? >= way(ways[1])? { ways[0] } else { ways[1] };
                return self.in_order_row(j, [ahead, behind], theta, apart);
            }
        };
        let blocks = |launches: u64| product(self.system.tasks()[j].blocks.into(), launches.into());
        let (ahead, later) = (blocks(ahead)?, blocks(later)?);
        Ok(Row {
            kernel: j,
            launches: Some(launches),
            ahead,
            later,
            ahead_a: product(block.beside, ahead)?,
            ahead_c: product(block.ahead - block.beside, ahead)?,
            later_a: product(product(block.beside, often)?, later)?,
            ..Row::default()
        })
    }

    /// What launches of another stream contribute of which some are ahead and some behind.
    fn in_order_row(
        &self,
        j: usize,
        [ahead, behind]: [u64; 2],
        theta: usize,
        apart: bool,
    ) -> Result<Row, NoBound> {
        let block = self.parts.blocks[j][theta];
        let m = u128::from(self.system.gpu().multiprocessors);
        let blocks = |launches: u64| product(self.system.tasks()[j].blocks.into(), launches.into());
        let (ahead_blocks, behind_blocks) = (blocks(ahead)?, blocks(behind)?);
        // Blocks that are ahead may also co-run with our last ones.
        let also_later = if apart { ahead_blocks } else { 0 };
        let later_a = product(product(block.beside, m)?, behind_blocks)?;
        let also_a = product(product(block.beside, m - 1)?, also_later)?;
        Ok(Row {
            kernel: j,
            launches: Some(ahead + behind),
            ahead: ahead_blocks,
            later: sum(behind_blocks, also_later)?,
            ahead_a: product(block.beside, ahead_blocks)?,
            ahead_c: product(block.ahead - block.beside, ahead_blocks)?,
            later_a: sum(later_a, also_a)?,
            ..Row::default()
        })
    }
}

/// The theta of the least sum, and whether it is one of those `apart`.
fn least(together: &[u128], apart: &[u128]) -> (usize, bool) {
    let sums = together.iter().map(|sum| (sum, false)).enumerate();
    let all = sums.chain(apart.iter().map(|sum| (sum, true)).enumerate());
    all.min_by_key(|(_, (sum, _))| **sum).map_or((0, false), |(theta, (_, apart))| (theta, apart))
}
