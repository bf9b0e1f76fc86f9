//! A launch that has the GPU for itself.

use std::sync::Arc;

use num_traits::{CheckedAdd, CheckedDiv, CheckedMul, CheckedSub};
use thiserror::Error;

use crate::bound::Theorem;
use crate::engines::latency::{
    Block, BlockLines, Blocks, Followed, Further, LatencyError, MachineGrid, block_lines, followed,
    followed_with, grid_followed,
};
use crate::engines::phase::Rational;
use crate::limits::Limits;
use crate::model::Cycles;
use crate::model::device::{Gpu, REGISTER_PARTS, Resources, WARP};
use crate::model::machine::{Machine, Step};
use crate::model::program::Piece;
use crate::model::time::{Duration, TimeUnit};
use crate::realtime::rta::{self, ExecutionError, Measured, Stream, System, SystemError, Task};
use crate::realtime::time::{Launch, Residency};

/// The most cycles that a launch takes which has the GPU for itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alone {
    /// The last result is there at the end of this cycle at the latest.
    pub cycles: Cycles,
    /// What the bound follows from.
    pub theorem: Theorem,
    /// The number of blocks at once for which the bound is largest.
    pub resident: u64,
    /// Where the time goes.
    pub parts: Where,
}

/// Where the time of a bound goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Where {
    /// The cycles that the warps which are followed take by themselves.
    pub own: Rational,
    /// The cycles for which other warps are in their way.
    pub others: Rational,
    /// What the lines and units add. What the followed warps take by themselves is shared out in proportion to what
    /// each of their instructions would take if the next one waited for it.
    pub lines: BlockLines,
}

/// Why there is no bound.
#[derive(Debug, Error)]
pub enum AloneError {
    /// The code has no bound on the machine.
    #[error(transparent)]
    Latency(#[from] LatencyError),
    /// The launch is no kernel of a system.
    #[error(transparent)]
    System(#[from] SystemError),
    /// The code has no execution time.
    #[error(transparent)]
    Execution(#[from] ExecutionError),
}

/// A bound with the number of blocks that it counts and how many of them are followed.
struct Counted {
    cycles: Cycles,
    theorem: Theorem,
    blocks: Rational,
    followed: Rational,
    /// The cycles of passes that are counted over all warps, beside those of the blocks.
    further: Cycles,
}

/// Passes of a loop that are counted over all warps of a launch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InAll {
    /// One pass; several where the code has the loop at several places.
    pub passes: Vec<Piece<Step>>,
    /// How often all warps of the launch pass it together at most.
    pub most: u64,
}

/// The most cycles that a launch takes on `multiprocessors` which hold up to `most_warps` warps each.
///
/// # Errors
/// If the code has no bound, or numbers do not fit.
pub fn alone(
    machine: &Arc<Machine>,
    code: &Piece<Step>,
    launch: &Launch,
    residency: &Residency,
    [multiprocessors, most_warps]: [u64; 2],
    in_all: &[InAll],
) -> Result<Alone, AloneError> {
    let block = Block { code, warps: launch.warps() };
    let mut largest: Option<(u64, Counted)> = None;
    // More blocks than the launch has are never there at once.
    let (from, to) = (residency.least.min(launch.blocks), residency.most.min(launch.blocks));
    for resident in from..=to {
        let size = [multiprocessors, most_warps];
        let found = if in_all.is_empty() {
            with_residency(machine, block, launch, resident, size)?
        } else {
            let blocks = Blocks { block, number: launch.blocks, resident, multiprocessors };
            with_passes(machine, &blocks, in_all)?
        };
        if largest.as_ref().is_none_or(|(_, largest)| found.cycles > largest.cycles) {
            largest = Some((resident, found));
        }
    }
    let (resident, found) = largest.ok_or(LatencyError::Zero("resident"))?;
    let mut parts = parts(machine, block, most_warps, &found)?;
    parts.add_passes(machine, in_all, most_warps, found.further)?;
    Ok(Alone { cycles: found.cycles, theorem: found.theorem, resident, parts })
}

/// The smallest bound for this number of blocks at once.
fn with_residency(
    machine: &Arc<Machine>,
    block: Block<'_>,
    launch: &Launch,
    resident: u64,
    [multiprocessors, most_warps]: [u64; 2],
) -> Result<Counted, AloneError> {
    let blocks = Blocks { block, number: launch.blocks, resident, multiprocessors };
    let whole = |number: u64| Rational::from(i128::from(number));
    let by_blocks = followed(machine, &blocks, 0)?;
    let counted = |found: Followed, cycles: Cycles| Counted {
        cycles,
        theorem: found.upper.theorem(),
        blocks: whole(found.blocks),
        followed: whole(found.followed),
        further: Cycles(0),
    };
    let mut best = counted(by_blocks, by_blocks.upper.cycles());
    if !block.code.has_barrier() {
        let found = grid_followed(&MachineGrid {
            machine,
            code: block.code,
            warps_per_block: block.warps,
            blocks: launch.blocks,
            resident,
            multiprocessors,
        })?;
        // Every result is there when the greatest latency after the last issue is over.
        let mut longest = 1;
        block.code.map(&mut |step: &Step| longest = longest.max(machine.letter(step.letter).latency.most));
        let cycles = found.upper.cycles().0.checked_add(longest - 1).ok_or(LatencyError::Overflow)?;
        if Cycles(cycles) < best.cycles {
            best = counted(found, Cycles(cycles));
        }
    }
    if let Some(cycles) = as_response(machine, block, launch, resident, [multiprocessors, most_warps])?
        && cycles < best.cycles
    {
        let (g, m, r) = (whole(launch.blocks), whole(multiprocessors), whole(resident));
        let waiting = (g - 1) / m;
        let beside = (m - 1) / m * (r.min(g) - 1);
        let theorem = Theorem::Relay;
        best = Counted {
            cycles,
            theorem,
            blocks: waiting + 1 + beside,
            followed: waiting / r + 1,
            further: Cycles(0),
        };
    }
    Ok(best)
}

/// The bound for this number of blocks at once whose warps pass loops so often in all. It is that of Theorem B alone, which counts
/// each letter by itself (`docs/machine-blocks.md`).
fn with_passes(machine: &Arc<Machine>, blocks: &Blocks<'_>, in_all: &[InAll]) -> Result<Counted, AloneError> {
    let mut further = Vec::new();
    for one in in_all {
        // Where the code has the loop at several places, each pass may be one of the dearest of them.
        let cost = |code: &Piece<Step>| -> Result<u64, LatencyError> {
            Ok(followed_with(machine, blocks, &[Further { code, passes: one.most }])?.1)
        };
        let mut dearest: Option<(u64, &Piece<Step>)> = None;
        for pass in &one.passes {
            let cost = cost(pass)?;
            if dearest.is_none_or(|(most, _)| cost > most) {
                dearest = Some((cost, pass));
            }
        }
        further.extend(dearest.map(|(_, code)| Further { code, passes: one.most }));
    }
    let (found, more) = followed_with(machine, blocks, &further)?;
    let whole = |number: u64| Rational::from(i128::from(number));
    Ok(Counted {
        cycles: found.upper.cycles(),
        theorem: found.upper.theorem(),
        blocks: whole(found.blocks),
        followed: whole(found.followed),
        further: Cycles(more),
    })
}

/// The bound on the response time of the launch, if there is one.
fn as_response(
    machine: &Arc<Machine>,
    block: Block<'_>,
    launch: &Launch,
    resident: u64,
    [multiprocessors, most_warps]: [u64; 2],
) -> Result<Option<Cycles>, AloneError> {
    let threads = block.warps * WARP;
    let needs = Resources { threads, shared_memory: 0, registers: 0, blocks: 1 };
    let gpu = Gpu {
        multiprocessors,
        // What else keeps blocks out is in the number of slots.
        resources: Resources { threads: most_warps * WARP, shared_memory: 0, registers: 0, blocks: resident },
        register_parts: REGISTER_PARTS,
        clock: None,
    };
    let task = Task {
        name: "kernel".to_owned(),
        period: None,
        sporadic: false,
        jitter: Duration::ZERO,
        deadline: None,
        release: Duration::ZERO,
        fixed: true,
        execution: rta::Source::OnMachine(block.code.clone()),
        measured: Measured::default(),
        blocks: launch.blocks,
        threads: launch.threads,
        block: needs,
        stream: 0,
        copy_in: Duration::ZERO,
        copy_out: Duration::ZERO,
    };
    let stream = Stream { name: String::new(), priority: 0 };
    let system = System::on_machine(gpu, TimeUnit::Cycles, vec![stream], vec![task], Arc::clone(machine))?;
    let limits = Limits::generous();
    let executions = rta::executions(&system, &limits)?;
    let found = rta::bound(&system, &executions, &limits);
    Ok(found.first().and_then(|bound| bound.response.ok()).map(|time| Cycles(time.0)))
}

/// Where the time of a bound goes.
fn parts(
    machine: &Arc<Machine>,
    block: Block<'_>,
    most_warps: u64,
    found: &Counted,
) -> Result<Where, LatencyError> {
    let of_one = block_lines(machine, &block, most_warps)?;
    let warps = Rational::from(i128::from(block.warps));
    let overflow = || LatencyError::Overflow;
    let all = found.blocks.checked_mul(&warps).ok_or_else(overflow)?;
    let other_warps = all.checked_sub(&found.followed).ok_or_else(overflow)?;
    let sum = of_one.sum()?;
    let others = sum.others_unit.checked_add(&sum.others_slots).ok_or_else(overflow)?;
    let others = others.checked_mul(&other_warps).ok_or_else(overflow)?;
    let total = Rational::from(i128::from(found.cycles.0 - found.further.0));
    // Rounding may leave a little less than other warps add up to.
    let others = others.min(total);
    let own = total - others;
    // Latencies that overlap are shared out among their lines.
    let of_lines = sum.own_issue.checked_add(&sum.own_latency).ok_or_else(overflow)?;
    let followed = own.checked_div(&of_lines).unwrap_or(found.followed);
    Ok(Where { own, others, lines: of_one.times(followed, other_warps)? })
}

impl Where {
    /// Adds passes that are counted over all warps, which take so many cycles in all, as what warps take by themselves. Of
    /// several loops each has as much of it as its passes would take one after the other.
    fn add_passes(
        &mut self,
        machine: &Arc<Machine>,
        in_all: &[InAll],
        most_warps: u64,
        further: Cycles,
    ) -> Result<(), LatencyError> {
        let overflow = || LatencyError::Overflow;
        let mut all = BlockLines::default();
        for one in in_all {
            // Of copies of the loop the first stands for all.
            let Some(code) = one.passes.first() else { continue };
            let lines = block_lines(machine, &Block { code, warps: 1 }, most_warps)?;
            all.add(&lines.times(Rational::from(i128::from(one.most)), Rational::from(0))?)?;
        }
        let sum = all.sum()?;
        let sum = sum.own_issue.checked_add(&sum.own_latency).ok_or_else(overflow)?;
        let further = Rational::from(i128::from(further.0));
        if let Some(share) = further.checked_div(&sum) {
            self.lines.add(&all.times(share, Rational::from(0))?)?;
            self.own = self.own.checked_add(&further).ok_or_else(overflow)?;
        }
        Ok(())
    }
}
