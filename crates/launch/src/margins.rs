//! How far each thing may be wrong on which a deadline rests that is proved to be met: the last value with which it still is, and the
//! first one with which it is not, each alone while the others stay as they are.
//!
//! The bound grows with each of these values, so that bisection finds where it passes the deadline.

use std::collections::BTreeMap;

use crate::Failure;
use crate::alone::{OnGpu, alone_with};
use crate::failure::Kind;
use crate::flags::in_shell;
use crate::parse::Clocks;
use crate::question::Question;
use crate::words;
use warpspan_kernel::input::{Moved, Rate, Share};
use warpspan_model::assumption::Id;
use warpspan_model::machine::Latency;
use warpspan_model::time::{Clock, Duration, decimal};
use warpspan_records::assumption::Margin;
use warpspan_records::rta::Verdict;
use warpspan_records::{Assumption, Time};

/// What gives a question another value.
type With = Box<dyn Fn(&mut Question, u64)>;

/// A quantity on which an answer rests, as a whole number of steps, and how it may be worse.
struct Quantity {
    id: Id,
    source: Option<String>,
    now: u64,
    worst: u64,
    /// Whether it is a number of nanoseconds that the launch takes longer.
    adds: bool,
    /// The question with another value.
    with: With,
    shown: fn(u64) -> String,
}

/// The bytes a second of a step of a rate.
const RATE_STEP: u64 = 100_000_000;
/// Numbers beyond this one are not asked for.
const MOST: u64 = u32::MAX as u64;

/// Adds to what an answer rests on how far it may be wrong. What is not known when the question is stopped is not said.
///
/// # Errors
/// If what is asked is wrong.
pub fn with_margins(args: &Question, mut found: Time) -> Result<Time, Failure> {
    let (Some(Verdict::Proved), Some(Duration(deadline))) = (found.verdict, args.deadline) else {
        return Ok(found);
    };
    let answer = |quantity: &Quantity, value: u64| {
        let mut other = Question { deadline: None, ..args.clone() };
        (quantity.with)(&mut other, value);
        alone_with(&other, false)
    };
    let holds = |quantity: &Quantity, value: u64| {
        // A DRAM that moves nothing keeps no deadline.
        if value == 0 && quantity.worst == 0 {
            return Ok(false);
        }
        match answer(quantity, value) {
            Ok(time) => Ok(time.bound_ns.is_some_and(|bound| bound <= deadline / 1000)),
            // Such as a DRAM that is slower than what others take of it.
            Err(error) if error.kind == Kind::Usage => Ok(false),
            Err(error) => Err(error),
        }
    };
    let slack = (deadline / 1000).saturating_sub(found.bound_ns.unwrap_or(u64::MAX));
    // How far each may be wrong, in thousandths of itself; those that may be anything behind the others.
    let mut nearness = BTreeMap::new();
    for quantity in quantities(args)? {
        let is_it = |one: &Assumption| {
            one.id == quantity.id.name() && (quantity.source.is_none() || one.source == quantity.source)
        };
        let Some(place) = found.assumptions.iter().position(is_it) else { continue };
        let guess = quantity.adds.then_some(quantity.now.saturating_add(slack));
        let ends = match last(&quantity, guess, &|value| holds(&quantity, value)) {
            Err(error) if error.kind == Kind::Stopped => break,
            ends => ends?,
        };
        let Some(ends) = ends else { continue };
        let one = &mut found.assumptions[place];
        let row = |value: u64| -> Result<Option<String>, Failure> {
            let time = answer(&quantity, value)?;
            let same = |other: &&Assumption| (&other.id, &other.subject) == (&one.id, &one.subject);
            Ok(time.assumptions.iter().find(same).map(|one| one.value.clone()))
        };
        // Where a flag may be anything and what the answer rests on stays as it is, another flag or a file says that.
        if ends.is_none()
            && quantity.source.is_some()
            && let worst @ Some(_) = row(quantity.worst)?
            && worst == row(quantity.worst - 1)?
        {
            continue;
        }
        let (near, [holds_to, breaks_at]) = match ends {
            None => (u64::MAX, [None, None]),
            Some(ends) => {
                let near = ends[0].abs_diff(quantity.now).saturating_mul(1000) / quantity.now.max(1);
                (near, ends.map(quantity.shown).map(Some))
            }
        };
        nearness.insert((one.id.clone(), one.subject.clone()), near);
        one.margin = Some(Margin { is_most: quantity.worst > quantity.now, holds_to, breaks_at });
    }
    // What breaks first stands first among what has the same kind, and last that of which nothing is known.
    let near = |one: &Assumption| nearness.get(&(one.id.clone(), one.subject.clone())).copied();
    found.assumptions.sort_by_cached_key(|one| (one.kind, near(one).is_none(), near(one)));
    Ok(found)
}

/// The last value that holds and the first one that does not, or none if every value holds; nothing if not even the present one does,
/// since it is no whole number of steps. `guess` is looked at first.
fn last(
    quantity: &Quantity,
    guess: Option<u64>,
    holds: &dyn Fn(u64) -> Result<bool, Failure>,
) -> Result<Option<Option<[u64; 2]>>, Failure> {
    if !holds(quantity.now)? {
        return Ok(None);
    }
    if quantity.worst == quantity.now || holds(quantity.worst)? {
        return Ok(Some(None));
    }
    let (mut does, mut fails) = (quantity.now, quantity.worst);
    let step = |value: u64| if quantity.worst < quantity.now { value.saturating_sub(1) } else { value + 1 };
    for value in guess.into_iter().flat_map(|guess| [guess, step(guess)]) {
        if value.min(does.min(fails)) == value || value.max(does.max(fails)) == value {
            continue;
        }
        if holds(value)? { does = value } else { fails = value }
    }
    // What breaks is rarely far away in numbers that have no end.
    let mut near = does;
    while quantity.worst > quantity.now && near < fails / 4 {
        near = near.max(1) * 2;
        if !holds(near)? {
            fails = near;
        } else {
            does = near;
        }
    }
    while does.abs_diff(fails) > 1 {
        let middle = does.min(fails) + does.abs_diff(fails) / 2;
        if holds(middle)? { does = middle } else { fails = middle }
    }
    Ok(Some(Some([does, fails])))
}

/// The quantities of a question that may be worse.
fn quantities(args: &Question) -> Result<Vec<Quantity>, Failure> {
    let mut all = vec![];
    let gpu = OnGpu::of(args)?;
    let Clocks { slowest, fastest } = gpu.clocks(args)?;
    let clock = match args.launch.clock {
        None => Id::ClockHighest,
        Some(_) if args.launch.overclocked => Id::ClockOverclocked,
        Some(_) => Id::ClockDeclared,
    };
    all.push(Quantity {
        id: clock,
        source: None,
        now: slowest.hertz() / 1_000_000,
        worst: 1,
        adds: false,
        with: Box::new(move |other, megahertz| {
            let slowest = Clock::from_hertz(megahertz * 1_000_000).unwrap_or(slowest);
            other.launch.clock = Some(Clocks { slowest, fastest });
        }),
        shown: |megahertz| format!("{megahertz} MHz"),
    });
    all.push(Quantity {
        id: Id::GpuMultiprocessors,
        source: None,
        now: gpu.preset.multiprocessors,
        worst: 1,
        adds: false,
        with: Box::new(|other, count| other.launch.multiprocessors = Some(count)),
        shown: |count| words::several(count, "multiprocessor"),
    });
    let rate = |steps: u64| Rate::PerSecond(steps * RATE_STEP);
    let dram = gpu.named.memory.iter().find(|server| server.name == "DRAM");
    if let Some(bytes) = dram.and_then(|dram| dram.rate.per_second(Some(slowest))) {
        all.push(Quantity {
            id: Id::DramRate,
            source: None,
            now: bytes / RATE_STEP,
            worst: 0,
            adds: false,
            with: Box::new(move |other, steps| other.numbers.memory.rate = Some(Share::Rate(rate(steps)))),
            shown: |steps| format!("{} GB/s", decimal::write(steps, 1)),
        });
        let others = args.numbers.memory.others.and_then(|rate| rate.per_second(Some(slowest)));
        all.push(Quantity {
            id: Id::DramOthers,
            source: None,
            now: others.unwrap_or(0).div_ceil(RATE_STEP),
            worst: bytes / RATE_STEP,
            adds: false,
            with: Box::new(move |other, steps| {
                other.numbers.memory.others = (steps > 0).then(|| rate(steps))
            }),
            shown: |steps| format!("{} GB/s", decimal::write(steps, 1)),
        });
    }
    all.extend(pairs("--loop-bound", Id::LoopBound, &args.code.loop_bound, |other| {
        &mut other.code.loop_bound
    }));
    all.extend(pairs("--loop-total", Id::LoopTotal, &args.loop_totals, |other| &mut other.loop_totals));
    all.extend(pairs("--transactions", Id::Transactions, &args.numbers.transactions, |other| {
        &mut other.numbers.transactions
    }));
    for (place, (letter, Latency { least, most })) in args.numbers.latency_of.iter().enumerate() {
        let least = *least;
        all.push(Quantity {
            id: Id::LatencyOfLetter,
            source: Some(format!("--latency-of {}", in_shell(&format!("{letter}={least}..{most}")))),
            now: *most,
            worst: MOST,
            adds: false,
            with: Box::new(move |other, most| other.numbers.latency_of[place].1 = Latency { least, most }),
            shown: |cycles| words::several(cycles, "cycle"),
        });
    }
    type OfMoved = fn(&mut Question) -> &mut Option<Moved>;
    let moved: [(Id, Option<Moved>, OfMoved); 2] = [
        (Id::DramBytes, args.traffic.dram_bytes, |other| &mut other.traffic.dram_bytes),
        (Id::L2Bytes, args.traffic.l2_bytes, |other| &mut other.traffic.l2_bytes),
    ];
    for (id, given, of) in moved {
        let Some(given) = given else { continue };
        all.push(Quantity {
            id,
            source: None,
            now: given.most,
            worst: u64::MAX / 2,
            adds: false,
            with: Box::new(move |other, most| *of(other) = Some(Moved { most, ..given })),
            shown: if given.of_block {
                |bytes| format!("{bytes} bytes of a block")
            } else {
                |bytes| format!("{bytes} bytes")
            },
        });
    }
    type OfTime = fn(&mut Question) -> &mut Option<Duration>;
    let times: [(Id, Option<Duration>, OfTime); 3] = [
        (Id::LaunchOverhead, args.launch.launch_overhead, |other| &mut other.launch.launch_overhead),
        (Id::LaunchCopyIn, args.launch.copy_in, |other| &mut other.launch.copy_in),
        (Id::LaunchCopyOut, args.launch.copy_out, |other| &mut other.launch.copy_out),
    ];
    for (id, given, of) in times {
        all.push(Quantity {
            id,
            source: None,
            now: given.unwrap_or_default().0.div_ceil(1000),
            worst: Duration::MAX.0 / 1000,
            adds: true,
            with: Box::new(move |other, nanoseconds| *of(other) = Some(Duration(nanoseconds * 1000))),
            shown: words::time,
        });
    }
    Ok(all)
}

/// The values of a flag `LABEL=N` that may be given several times.
fn pairs(flag: &str, id: Id, all: &[String], of: fn(&mut Question) -> &mut Vec<String>) -> Vec<Quantity> {
    let quantity = |(place, given): (usize, &String)| {
        let (label, most) = given.rsplit_once('=')?;
        let label = label.to_owned();
        Some(Quantity {
            id,
            source: Some(format!("{flag} {}", in_shell(given))),
            now: most.trim().parse().ok()?,
            worst: MOST,
            adds: false,
            with: Box::new(move |other, most| of(other)[place] = format!("{label}={most}")),
            shown: |number| number.to_string(),
        })
    };
    all.iter().enumerate().filter_map(quantity).collect()
}
