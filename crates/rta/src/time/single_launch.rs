//! A launch that has the GPU for itself.

use std::sync::Arc;

use num_traits::{CheckedAdd, CheckedDiv, CheckedMul, CheckedSub};
use thiserror::Error;

use crate::time::{Launch, Residency};
use crate::{self as rta, ExecutionError, Measured, Stream, System, SystemError, Task};
use warpspan_check::bound::Theorem;
use warpspan_engines::latency::{
    Block, BlockLines, Blocks, Followed, Further, LatencyError, Traffic, block_lines, followed,
    followed_with, grid_followed, spread_lines, window,
};
use warpspan_engines::phase::Rational;
use warpspan_model::Cycles;
use warpspan_model::device::{Gpu, REGISTER_PARTS, Resources, WARP};
use warpspan_model::limits::Limits;
use warpspan_model::machine::{Declared, Machine, Step};
use warpspan_model::program::Piece;
use warpspan_model::time::{Duration, TimeUnit};

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
    /// The cycles if nothing is assumed of the schedulers that the warps of a block get; none where that changes nothing.
    pub without_spread: Option<Cycles>,
}

/// Where the time of a bound goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Where {
    /// The cycles that the warps which are followed take by themselves.
    pub own: Rational,
    /// The cycles of contention with other warps.
    pub others: Rational,
    /// The cycles for which each server of the memory may keep results waiting, by their numbers.
    pub servers: Vec<i128>,
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
    /// Where warps are spread over the schedulers, how many of them count as ones on that of a followed warp.
    near: Option<Rational>,
    /// What the servers of the memory add.
    servers: Vec<i128>,
    /// The cycles of passes that are counted over all warps, besides those of the blocks.
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

/// The multiprocessors of a launch that has the GPU for itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Multiprocessors {
    /// How many there are.
    pub number: u64,
    /// The most warps that each of them holds.
    pub most_warps: u64,
    /// Whether none of them gets more blocks than it has to, and all blocks start at once: ceil(G / M) of G blocks on M.
    pub dealt_evenly: bool,
}

/// A launch that has the GPU for itself, on some multiprocessors. What is asked of the memory is what the code asks, or less where that
/// is declared.
#[derive(Debug, Clone, Copy)]
pub struct Lone<'a> {
    /// The machine of each multiprocessor.
    pub machine: &'a Arc<Machine>,
    /// What each warp runs.
    pub code: &'a Piece<Step>,
    /// How many blocks of how many threads.
    pub launch: &'a Launch,
    /// How many blocks a multiprocessor holds at once.
    pub residency: &'a Residency,
    /// The multiprocessors.
    pub on: Multiprocessors,
    /// What is declared of the traffic.
    pub declared: &'a [Declared],
    /// The loops whose passes are counted over all warps.
    pub in_all: &'a [InAll],
}

impl Lone<'_> {
    /// The most cycles that it takes, with what they follow from and where they go.
    ///
    /// # Errors
    /// If the code has no bound, or numbers do not fit.
    pub fn bound(&self) -> Result<Alone, AloneError> {
        let found = self.largest()?;
        if !found.spread {
            return self.answer(found);
        }
        // A bound of which some part rests on how warps are spread.
        let machine = Arc::new(Machine::clone(self.machine).without_spread());
        let anyhow = Lone { machine: &machine, ..*self };
        let any = anyhow.largest()?;
        if any.counted.cycles <= found.counted.cycles {
            return anyhow.answer(any);
        }
        Ok(Alone { without_spread: Some(any.counted.cycles), ..self.answer(found)? })
    }

    /// The [`Alone::cycles`] of [`Lone::bound`] and nothing else, in less than half the time.
    ///
    /// # Errors
    /// As [`Lone::bound`].
    pub fn cycles(&self) -> Result<Cycles, AloneError> {
        // The bound that assumes nothing of the schedulers is also among those of which the smallest counts where warps are spread,
        // so that by itself it is never smaller.
        Ok(self.largest()?.counted.cycles)
    }

    fn answer(&self, Largest { resident, counted, .. }: Largest) -> Result<Alone, AloneError> {
        let (machine, most_warps) = (self.machine, self.on.most_warps);
        let block = Block { code: self.code, warps: self.launch.warps() };
        let mut parts = parts(machine, block, most_warps, &counted)?;
        parts.add_passes(machine, self.in_all, most_warps, counted.further)?;
        let Counted { cycles, theorem, .. } = counted;
        Ok(Alone { cycles, theorem, resident, parts, without_spread: None })
    }

    fn largest(&self) -> Result<Largest, AloneError> {
        let Self { machine, code, launch, residency, on, declared, in_all } = *self;
        let Multiprocessors { number, most_warps, dealt_evenly } = on;
        let block = Block { code, warps: launch.warps() };
        let traffic = launch_traffic(machine, code, launch, (declared, in_all))?;
        let mut largest: Option<(u64, Counted)> = None;
        let mut spread = false;
        // Where blocks are dealt evenly, the multiprocessor that ends last has its blocks from the start to the end, and no others. All
        // others ask the memory too, whose traffic is that of the whole launch.
        let evenly = Launch { blocks: launch.blocks.div_ceil(number.max(1)), ..*launch };
        let (launch, multiprocessors) = if dealt_evenly { (&evenly, 1) } else { (launch, number) };
        // More blocks than the launch has are never there at once.
        let least = if dealt_evenly { launch.blocks } else { residency.least.min(launch.blocks) };
        let most = if dealt_evenly { launch.blocks } else { residency.most.min(launch.blocks) };
        for resident in least..=most {
            let size = [multiprocessors, most_warps];
            let found = if in_all.is_empty() {
                with_residency(machine, block, launch, resident, size, &traffic)?
            } else {
                let blocks =
                    Blocks { block, number: launch.blocks, resident, multiprocessors, spread: false };
                with_passes(machine, &blocks, in_all, &traffic)?
            };
            spread |= found.near.is_some();
            if largest.as_ref().is_none_or(|(_, largest)| found.cycles > largest.cycles) {
                largest = Some((resident, found));
            }
        }
        let (resident, counted) = largest.ok_or(LatencyError::Zero("resident"))?;
        Ok(Largest { resident, counted, spread })
    }
}

/// The largest bound over all numbers of blocks at once.
struct Largest {
    resident: u64,
    counted: Counted,
    /// Whether a smaller bound was found for some number where warps are spread.
    spread: bool,
}

/// The smallest bound for this number of blocks at once.
fn with_residency(
    machine: &Arc<Machine>,
    block: Block<'_>,
    launch: &Launch,
    resident: u64,
    [multiprocessors, most_warps]: [u64; 2],
    traffic: &Traffic,
) -> Result<Counted, AloneError> {
    let spread = machine.spreads();
    let blocks = Blocks { block, number: launch.blocks, resident, multiprocessors, spread };
    let whole = |number: u64| Rational::from(i128::from(number));
    let counted = |found: Followed| Counted {
        cycles: found.upper.cycles(),
        theorem: found.upper.theorem(),
        blocks: whole(found.blocks),
        followed: whole(found.followed),
        near: found.spread.then_some(found.near),
        servers: found.servers,
        further: Cycles(0),
    };
    let mut best = counted(followed(machine, &blocks, 0, traffic)?);
    if !block.code.has_barrier() {
        // Every result is there when the greatest latency after the last issue is over.
        let latencies = block.code.letters().map(|step| machine.letter(step.letter).latency.most);
        let longest = latencies.max().map_or(1, |most| most.max(1));
        let found = grid_followed(machine, &blocks, longest - 1, traffic)?;
        if found.upper.cycles() < best.cycles {
            best = counted(found);
        }
    }
    // What the servers add is the same for each bound without memory, so it is added to this one too.
    let free = Arc::new(Machine::clone(machine).without_servers());
    if let Some(base) = as_response(&free, block, launch, resident, [multiprocessors, most_warps])? {
        let late = window(machine, traffic, base.0.into())?;
        let cycles = u64::try_from(late.cycles).map(Cycles).map_err(|_| LatencyError::Overflow)?;
        if cycles < best.cycles {
            let (g, m, r) = (whole(launch.blocks), whole(multiprocessors), whole(resident));
            let waiting = (g - 1) / m;
            let beside = (m - 1) / m * (r.min(g) - 1);
            let theorem = if traffic.is_none() { Theorem::Relay } else { Theorem::Memory };
            best = Counted {
                cycles,
                theorem,
                blocks: waiting + 1 + beside,
                followed: waiting / r + 1,
                near: None,
                servers: late.servers,
                further: Cycles(0),
            };
        }
    }
    Ok(best)
}

/// The most that a launch asks of the servers of the memory: what its code asks, or less where that is declared; and something of those for
/// whose pauses it waits in any case.
///
/// # Errors
/// If the code is no valid program, or numbers do not fit.
pub fn launch_traffic(
    machine: &Machine,
    code: &Piece<Step>,
    launch: &Launch,
    (declared, in_all): (&[Declared], &[InAll]),
) -> Result<Traffic, LatencyError> {
    let warps = u128::from(launch.warps()) * u128::from(launch.blocks);
    let mut asked = Traffic::of(machine, code, warps)?;
    for one in in_all {
        // Where the code has the loop at several places, a pass of each of them counts.
        for pass in &one.passes {
            asked.add(&Traffic::of(machine, pass, one.most.into())?)?;
        }
    }
    Ok(asked.declared(machine, declared).with_pauses(machine))
}

/// The bound for this number of blocks at once whose warps pass loops so often in all. It is that of Theorem B alone, which counts
/// each letter by itself (`docs/machine-blocks.md`).
fn with_passes(
    machine: &Arc<Machine>,
    blocks: &Blocks<'_>,
    in_all: &[InAll],
    traffic: &Traffic,
) -> Result<Counted, AloneError> {
    let mut further = Vec::new();
    for one in in_all {
        // Where the code has the loop at several places, each pass may be one of the most expensive of them.
        let cost = |code: &Piece<Step>| -> Result<u64, LatencyError> {
            Ok(followed_with(machine, blocks, &[Further { code, passes: one.most }], traffic)?.1)
        };
        let mut worst: Option<(u64, &Piece<Step>)> = None;
        for pass in &one.passes {
            let cost = cost(pass)?;
            if worst.is_none_or(|(most, _)| cost > most) {
                worst = Some((cost, pass));
            }
        }
        further.extend(worst.map(|(_, code)| Further { code, passes: one.most }));
    }
    let (found, more) = followed_with(machine, blocks, &further, traffic)?;
    let whole = |number: u64| Rational::from(i128::from(number));
    Ok(Counted {
        cycles: found.upper.cycles(),
        theorem: found.upper.theorem(),
        blocks: whole(found.blocks),
        followed: whole(found.followed),
        near: None,
        servers: found.servers,
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
        least: needs,
        stream: 0,
        copy_in: Duration::ZERO,
        copy_out: Duration::ZERO,
        traffic: Vec::new(),
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
    let overflow = || LatencyError::Overflow;
    let warps = Rational::from(i128::from(block.warps));
    let all = found.blocks.checked_mul(&warps).ok_or_else(overflow)?;
    let other_warps = all.checked_sub(&found.followed).ok_or_else(overflow)?;
    let nothing = Rational::from(0);
    // What one warp takes by itself, and all that others are worth.
    let (own, beside) = match found.near {
        None => (of_one.times(1.into(), nothing)?, of_one.times(nothing, other_warps)?),
        Some(near) => {
            let [anywhere, same] = spread_lines(machine, &block, most_warps)?;
            let mut beside = anywhere.times(nothing, other_warps)?;
            beside.add(&same.times(nothing, near)?)?;
            (of_one.times(1.into(), nothing)?, beside)
        }
    };
    let (sum, of_others) = (own.sum()?, beside.sum()?);
    let others = of_others.others_unit.checked_add(&of_others.others_slots).ok_or_else(overflow)?;
    let memory = found.servers.iter().sum::<i128>();
    let total = Rational::from(i128::from(found.cycles.0) - memory - i128::from(found.further.0));
    // Rounding may leave a little less than other warps add up to.
    let others = others.min(total);
    let rest = total - others;
    // Latencies that overlap are shared out among their lines.
    let of_lines = sum.own_issue.checked_add(&sum.own_latency).ok_or_else(overflow)?;
    let followed = rest.checked_div(&of_lines).unwrap_or(found.followed);
    let mut lines = own.times(followed, nothing)?;
    lines.add(&beside)?;
    lines.add_memory(machine, &block, &found.servers)?;
    Ok(Where { own: rest, others, servers: found.servers.clone(), lines })
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use warpspan_kernel::input::find_machine;

    /// Code of a few letters, some of them in a loop or behind a barrier.
    fn code() -> impl Strategy<Value = String> {
        let letters = prop::collection::vec(
            prop::sample::select(vec!["FP32", "INT", "SFU", "GLOBAL", "SHARED", "|"]),
            1..6,
        );
        (letters.clone(), letters, 1..5_u32).prop_map(|(one, two, most)| {
            format!("<{}>(<{}>)0..{most}", one.join(","), two.join(",")).replace("<|>", "|")
        })
    }

    proptest! {
        /// Whoever asks for nothing but the cycles gets those of the whole answer, whether or not they rest on spread warps.
        #[test]
        fn cycles_are_those_of_the_whole_answer(
            code in code(),
            threads in 1..300_u64,
            blocks in 1..40_u64,
            (least, more) in (1..4_u64, 0..3_u64),
            dealt_evenly: bool,
        ) {
            let machine = Arc::new(find_machine("8.7").unwrap().machine);
            let Ok(code) = machine.code(&code) else { return Ok(()) };
            let residency = Residency { least, most: least + more, limits: vec![] };
            let on = Multiprocessors { number: 4, most_warps: 48, dealt_evenly };
            let launch = Launch { blocks: if dealt_evenly { blocks.min(4 * least) } else { blocks }, threads };
            let (launch, residency) = (&launch, &residency);
            let lone = Lone { machine: &machine, code: &code, launch, residency, on, declared: &[], in_all: &[] };
            let (whole, cycles) = match (lone.bound(), lone.cycles()) {
                (Ok(whole), Ok(cycles)) => (whole, cycles),
                // An iteration may have nothing in it but barriers, which is no program.
                (Err(one), Err(other)) => {
                    prop_assert_eq!(one.to_string(), other.to_string());
                    return Ok(());
                }
                (one, other) => return Err(TestCaseError::fail(format!("{one:?}, {other:?}"))),
            };
            prop_assert_eq!(whole.cycles, cycles);
            prop_assert!(whole.without_spread.is_none_or(|any| any > cycles));
        }
    }
}
