//! All bounds on a workload, and the best of them for each group.

use crate::latency::context::Context;
use crate::latency::error::plus;
use crate::latency::most::{Count, whole};
use crate::latency::prices::Prices;
use crate::latency::{LatencyError, Traffic, critical, phase, pipelined, policy, window};
use warpspan_check::bound::{Checked, Theorem, Upper};
use warpspan_check::seal::SEAL;
use warpspan_model::Cycles;
use warpspan_model::machine::{LetterId, MachineGroup, MachineWorkload, Order, Step};
use warpspan_model::program::Piece;

/// The kind of price list of the phase bound with width and latency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PriceList {
    /// Each issue slot has its price, and no unit is neutral.
    Uniform,
    /// Only full units and full schedulers count; units outside a set R are neutral. It is the best of all
    /// sets R.
    Neutral,
}

/// A bound that applies to a workload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Applied {
    /// The price list, if the bound is a phase bound.
    pub prices: Option<PriceList>,
    /// For each group, the last cycle in which one of its warps issues.
    pub groups: Vec<Upper>,
    /// The last cycle in which any warp issues.
    pub makespan: Upper,
}

/// A bound that does not apply to a workload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// The theorem.
    pub theorem: Theorem,
    /// The price list, if the others of this theorem apply.
    pub prices: Option<PriceList>,
    /// Why it does not apply, as a sentence without a full stop.
    pub why: String,
}

/// Upper bounds on the worst case of a workload on a machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MachineBounds {
    /// All bounds that apply, in the order of the documentation.
    pub applied: Vec<Applied>,
    /// All bounds that do not apply.
    pub skipped: Vec<Skipped>,
    /// For each group the smallest bound on the last cycle in which one of its warps issues.
    pub groups: Vec<Upper>,
    /// For each group the smallest bound on the cycle at whose end its last result is there.
    pub group_completions: Vec<Upper>,
    /// The last cycle in which any warp issues: the largest of `groups`.
    pub makespan: Upper,
    /// The cycle at whose end the last result of any warp is there: the largest of `group_completions`.
    pub completion: Upper,
    /// What is asked of the servers of the memory.
    pub traffic: Traffic,
}

/// All upper bounds on the worst case of a workload, over all schedules, latencies and paths, and the smallest
/// for each group.
///
/// # Errors
/// If a group has no letter, its code is no valid program (see [`LatencyError`]), or numbers do not fit.
pub fn bounds(workload: &MachineWorkload) -> Result<MachineBounds, LatencyError> {
    bounds_under(workload, Order::Any)
}

/// The same where the schedulers try their warps in a known order.
///
/// # Errors
/// As [`bounds`].
pub fn bounds_under(workload: &MachineWorkload, order: Order) -> Result<MachineBounds, LatencyError> {
    let context = Context::new(workload)?;
    let traffic = Traffic::of_workload(workload)?;
    let mut found = Found { applied: vec![], skipped: vec![], completions: vec![], traffic };
    let path = critical::finishes(&context)?;
    let theorem = found.critical_path();
    let finishes: Vec<i128> = path.iter().map(|finish| finish[0]).collect();
    found.apply(theorem, None, &found.late(&context, &finishes)?)?;
    for finish in path {
        let late = found.late(&context, &[finish[1]])?;
        found.completions.push(upper(late[0], theorem)?);
    }
    if !found.traffic.is_none() {
        for theorem in [Theorem::PhaseWidthLatency, Theorem::Pipelined] {
            found.skip(theorem, None, "memory may keep results longer than their latencies".to_owned());
        }
        add_segments(&context, &mut found)?;
        add_policy(&context, &mut found, order)?;
        return found.best(&context);
    }
    add_phase(&context, &mut found)?;
    match pipelined::finishes(&context)? {
        Ok(finishes) => found.apply(Theorem::Pipelined, None, &finishes)?,
        Err(why) => found.skip(Theorem::Pipelined, None, why),
    }
    add_segments(&context, &mut found)?;
    add_policy(&context, &mut found, order)?;
    found.best(&context)
}

/// For more groups nothing is cut to what it can have issued, unless an order is known.
const MOST_GROUPS: usize = 64;

/// Adds the bound of letters that others can have issued, and that of a known order, where they are smaller than what is known.
fn add_policy(context: &Context<'_>, found: &mut Found, order: Order) -> Result<(), LatencyError> {
    let orders = [
        (Order::Any, Theorem::Reachable),
        (Order::RoundRobin, Theorem::RoundRobin),
        (Order::Oldest, Theorem::OldestFirst),
        (Order::GreedyOldest, Theorem::GreedyOldest),
        (Order::GreedyYoungest, Theorem::GreedyYoungest),
    ];
    let many = context.groups().len() > MOST_GROUPS;
    for (one, theorem) in
        orders.into_iter().filter(|&(one, _)| one == Order::Any && !many || one == order && one != Order::Any)
    {
        let bounds = policy::finishes(context, &found.traffic, one)?;
        if bounds.iter().all(Option::is_none) {
            if one != Order::Any {
                found.skip(theorem, None, "there is a barrier".to_owned());
            }
            continue;
        }
        let known = |group: usize| {
            let all = found.applied.iter().map(|bound| i128::from(bound.groups[group].cycles().0));
            all.min().unwrap_or(i128::MAX)
        };
        let known: Vec<i128> = context.groups().map(known).collect();
        let path = &found.applied[0].groups;
        let finishes: Vec<i128> = bounds
            .iter()
            .zip(path)
            .map(|(bound, path)| bound.map_or(i128::from(path.cycles().0), |[issued, _]| issued))
            .collect();
        for (group, bound) in bounds.iter().enumerate() {
            if let &Some([_, completed]) = bound {
                found.completions[group] = smaller(found.completions[group], upper(completed, theorem)?);
            }
        }
        if one == order && one != Order::Any
            || finishes.iter().zip(&known).any(|(finish, known)| finish < known)
        {
            found.apply(theorem, None, &finishes)?;
        }
    }
    Ok(())
}

/// Adds the phase bound with width and latency, by each kind of price list.
fn add_phase(context: &Context<'_>, found: &mut Found) -> Result<(), LatencyError> {
    let theorem = Theorem::PhaseWidthLatency;
    if let Some(why) = phase::obstacle(context) {
        found.skip(theorem, None, why.to_owned());
        return Ok(());
    }
    let uniform = phase::finishes(context, &Prices::uniform(context)?)?;
    found.apply(theorem, Some(PriceList::Uniform), &uniform)?;
    if let Some(why) = phase::obstacle_to_neutral(context) {
        found.skip(theorem, Some(PriceList::Neutral), why.to_owned());
        return Ok(());
    }
    let mut best: Option<Vec<i128>> = None;
    for prices in Prices::neutral(context)? {
        let finishes = phase::finishes(context, &prices)?;
        best = Some(match best {
            Some(best) => best.into_iter().zip(finishes).map(|(a, b)| a.min(b)).collect(),
            None => finishes,
        });
    }
    match best {
        Some(finishes) => found.apply(theorem, Some(PriceList::Neutral), &finishes),
        None => {
            found.skip(theorem, Some(PriceList::Neutral), "there is no set R of units".to_owned());
            Ok(())
        }
    }
}

/// Adds the sum over the segments between barriers, for one block alone.
fn add_segments(context: &Context<'_>, found: &mut Found) -> Result<(), LatencyError> {
    let theorem = Theorem::Segments(Checked::Paper);
    let workload = context.workload;
    if !workload.has_barriers() {
        return Ok(());
    }
    let machine = context.machine();
    let one_block = workload.warps_per_block().is_none_or(|warps| warps >= workload.total_warps());
    let short = |letter: &LetterId| {
        let letter = machine.letter(*letter);
        letter.occupancy <= letter.latency.least
    };
    let why = match workload.lines() {
        _ if workload.groups().len() > 1 || !one_block => "there are several blocks",
        _ if workload.has_dependences() => "not every instruction waits for the one before",
        _ if !context.all_letters().iter().all(short) => {
            "a letter may hold its unit for longer than its latency, so across a barrier"
        }
        None => "the code has several paths, or is too long to be written out",
        Some(lines) if found.traffic.is_none() => return add_lines(context, &lines.concat(), found),
        Some(lines) => return add_critical_lines(context, &lines.concat(), found),
    };
    found.skip(theorem, None, why.to_owned());
    Ok(())
}

/// Adds the sum over segments that follow one another: each begins when the last result of the one before is
/// there, with all units free.
fn add_lines(
    context: &Context<'_>,
    segments: &[Vec<LetterId>],
    found: &mut Found,
) -> Result<(), LatencyError> {
    let (mut finish, mut completion) = (0_i128, 0_i128);
    for segment in segments.iter().filter(|segment| !segment.is_empty()) {
        let alone = bounds(&segment_alone(context, segment)?)?;
        finish = plus(completion, alone.makespan.cycles().0.into())?;
        completion = plus(completion, alone.completion.cycles().0.into())?;
    }
    let theorem = Theorem::Segments(Checked::Paper);
    found.apply(theorem, None, &[finish])?;
    let completion = upper(completion, theorem)?;
    found.completions[0] = smaller(found.completions[0], completion);
    Ok(())
}

/// The same sum where memory may keep results waiting: of critical paths only, and what the servers add once, to the
/// whole. There are no requests before the first segment, but there may be some during later ones.
fn add_critical_lines(
    context: &Context<'_>,
    segments: &[Vec<LetterId>],
    found: &mut Found,
) -> Result<(), LatencyError> {
    let (mut finish, mut completion) = (0_i128, 0_i128);
    for segment in segments.iter().filter(|segment| !segment.is_empty()) {
        let alone = segment_alone(context, segment)?;
        let path = critical::finishes(&Context::new(&alone)?)?;
        let [issued, done] = *path.first().ok_or(LatencyError::Overflow)?;
        finish = plus(completion, issued)?;
        completion = plus(completion, done)?;
    }
    let theorem = Theorem::Segments(Checked::Paper);
    let late = found.late(context, &[finish, completion])?;
    found.apply(theorem, None, &late[..1])?;
    found.completions[0] = smaller(found.completions[0], upper(late[1], theorem)?);
    Ok(())
}

/// The warps of a block in one of its segments.
fn segment_alone(context: &Context<'_>, segment: &[LetterId]) -> Result<MachineWorkload, LatencyError> {
    let letter = |&letter: &LetterId| Piece::Letters { letter: Step::of(letter), count: 1, line: 0 };
    let code = Piece::Sequence(segment.iter().map(letter).collect());
    let group = MachineGroup { code, warps: context.workload.total_warps() };
    let alone = MachineWorkload::new(context.workload.shared_machine(), vec![group]);
    alone.map_err(|_| LatencyError::Overflow)
}

struct Found {
    applied: Vec<Applied>,
    skipped: Vec<Skipped>,
    /// The smallest bound on the last result of each group.
    completions: Vec<Upper>,
    /// What is asked of the memory by all groups together.
    traffic: Traffic,
}

impl Found {
    /// The theorem of the critical path.
    fn critical_path(&self) -> Theorem {
        critical_path(&self.traffic)
    }

    /// Bounds without memory, with what its servers add.
    fn late(&self, context: &Context<'_>, bounds: &[i128]) -> Result<Vec<i128>, LatencyError> {
        let late = |&bound: &i128| Ok(window(context.machine(), &self.traffic, bound)?.cycles);
        bounds.iter().map(late).collect()
    }

    fn apply(
        &mut self,
        theorem: Theorem,
        prices: Option<PriceList>,
        finishes: &[i128],
    ) -> Result<(), LatencyError> {
        let groups = finishes.iter().map(|&finish| upper(finish, theorem)).collect::<Result<Vec<_>, _>>()?;
        let makespan = largest(&groups)?;
        self.applied.push(Applied { prices, groups, makespan });
        Ok(())
    }

    fn skip(&mut self, theorem: Theorem, prices: Option<PriceList>, why: String) {
        self.skipped.push(Skipped { theorem, prices, why });
    }

    /// The smallest of all bounds for each group.
    fn best(self, context: &Context<'_>) -> Result<MachineBounds, LatencyError> {
        let Self { applied, skipped, completions, traffic } = self;
        let mut groups = completions.clone();
        for bound in &applied {
            for (best, &upper) in groups.iter_mut().zip(&bound.groups) {
                *best = smaller(*best, upper);
            }
        }
        let mut group_completions = completions;
        // If every instruction waits for the one before, and no barrier keeps the last result from being that
        // of the last issue, the last result of a warp follows its last issue.
        // A result that memory keeps waiting is late after the last issue too, so this is not said of memory.
        if traffic.is_none() && !context.workload.has_dependences() && !context.workload.has_barriers() {
            for (group, best) in group_completions.iter_mut().enumerate() {
                let late = plus(groups[group].cycles().0.into(), last_latency(context, group)? - 1)?;
                *best = smaller(*best, upper(late, groups[group].theorem())?);
            }
        }
        let (mut makespan, mut completion) = (largest(&groups)?, largest(&group_completions)?);
        // Where no bound alone gives the largest of all groups, what holds under the most conditions is named.
        let alone = applied.iter().find(|bound| bound.makespan.cycles() == makespan.cycles());
        let rests_on =
            |all: &[Upper]| LAST.into_iter().find(|last| all.iter().any(|upper| upper.theorem() == *last));
        let of_makespan = alone.map(|bound| bound.makespan.theorem()).or_else(|| rests_on(&groups));
        if let Some(theorem) = of_makespan {
            makespan = upper(makespan.cycles().0.into(), theorem)?;
        }
        if let Some(theorem) = rests_on(&group_completions) {
            completion = upper(completion.cycles().0.into(), theorem)?;
        }
        Ok(MachineBounds { applied, skipped, groups, group_completions, makespan, completion, traffic })
    }
}

/// The theorems under further conditions, those with the most first.
const LAST: [Theorem; 5] = [
    Theorem::RoundRobin,
    Theorem::OldestFirst,
    Theorem::GreedyOldest,
    Theorem::GreedyYoungest,
    Theorem::Reachable,
];

/// The longest latency of a letter that may be the last one of a warp of a group.
fn last_latency(context: &Context<'_>, group: usize) -> Result<i128, LatencyError> {
    let latency = |step: &Step| context.machine().letter(step.letter).latency.most.into();
    let of = |step: &Step| Count { inside: 0, issued: 0, done: latency(step) };
    Ok(whole(context.code(group), &of)?.ended()[1])
}

/// The theorem of the critical path, where this is asked of the memory.
pub(super) fn critical_path(traffic: &Traffic) -> Theorem {
    if traffic.is_none() { Theorem::CriticalPathOnMachine } else { Theorem::Memory }
}

/// An upper bound, if it is so small that others can be added to it.
pub(super) fn upper(cycles: i128, theorem: Theorem) -> Result<Upper, LatencyError> {
    let cycles = u64::try_from(cycles).ok().filter(|&cycles| cycles < 1 << 63);
    Ok(Upper::proved(Cycles(cycles.ok_or(LatencyError::Overflow)?), theorem, SEAL))
}

fn smaller(a: Upper, b: Upper) -> Upper {
    if b.cycles() < a.cycles() { b } else { a }
}

fn largest(uppers: &[Upper]) -> Result<Upper, LatencyError> {
    uppers.iter().copied().max_by_key(|upper| upper.cycles()).ok_or(LatencyError::Overflow)
}
