//! How far each thing may be wrong on which a deadline rests that is proved to be met: the last value with which it still is, and the
//! first one with which it is not, each alone while the others stay as they are.
//!
//! The bound grows with each of these values, so that bisection finds where it passes the deadline.

use crate::Failure;
use crate::alone::{OnGpu, bound};
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

/// A value on which an answer rests, as a whole number of steps, and how it may be worse.
struct Way {
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
    let slack = (deadline / 1000).saturating_sub(found.bound_ns.unwrap_or(u64::MAX));
    let holds = |way: &Way, value: u64| {
        // A DRAM that moves nothing keeps no deadline.
        if value == 0 && way.worst == 0 {
            return Ok(false);
        }
        let mut other = Question { deadline: None, ..args.clone() };
        (way.with)(&mut other, value);
        match bound(&other) {
            Ok(time) => Ok(time.bound_ns.is_some_and(|bound| bound <= deadline / 1000)),
            // Such as a DRAM that is slower than what others take of it.
            Err(error) if error.kind == Kind::Usage => Ok(false),
            Err(error) => Err(error),
        }
    };
    let mut nearness = Vec::new();
    for way in ways(args)? {
        let is_it =
            |one: &Assumption| one.id == way.id.name() && (way.source.is_none() || one.source == way.source);
        let Some(place) = found.assumptions.iter().position(is_it) else { continue };
        // Where another flag or a file says the same thing, this one alone decides nothing.
        let one = &found.assumptions[place];
        if way.source.is_some() && !one.value.split([' ', '.']).any(|word| word == way.now.to_string()) {
            continue;
        }
        let ends = match last(&way, way.adds.then_some(way.now.saturating_add(slack)), &|value| {
            holds(&way, value)
        }) {
            Err(error) if error.kind == Kind::Stopped => break,
            ends => ends?,
        };
        let Some(ends) = ends else { continue };
        // Where another flag or a file says a larger number of the same thing, that counts in its place.
        if ends.is_none() && way.source.is_some() {
            let mut other = Question { deadline: None, ..args.clone() };
            (way.with)(&mut other, way.worst);
            let subject = found.assumptions[place].subject.clone();
            let worst = way.worst.to_string();
            let is_other = |one: &Assumption| {
                one.id == way.id.name() && one.subject == subject && !one.value.contains(&worst)
            };
            if bound(&other)?.assumptions.iter().any(is_other) {
                continue;
            }
        }
        nearness.push((
            found.assumptions[place].clone(),
            ends.map(|[last, _]| last.abs_diff(way.now) * 1000 / way.now.max(1)),
        ));
        let [holds_to, breaks_at] = match ends {
            None => [None, None],
            Some(ends) => ends.map(way.shown).map(Some),
        };
        found.assumptions[place].margin = Some(Margin { is_most: way.worst > way.now, holds_to, breaks_at });
    }
    // What breaks first stands first among what has the same kind.
    let near = |one: &Assumption| {
        let known = nearness.iter().find(|(known, _)| {
            (&known.id, &known.subject, &known.source) == (&one.id, &one.subject, &one.source)
        });
        match known {
            Some((_, Some(near))) => (0, *near),
            Some((_, None)) => (1, 0),
            None => (2, 0),
        }
    };
    found.assumptions.sort_by_cached_key(|one| (one.kind, near(one)));
    Ok(found)
}

/// The last value that holds and the first one that does not, or none if every value holds; nothing if not even the present one does,
/// since it is no whole number of steps. `guess` is looked at first.
fn last(
    way: &Way,
    guess: Option<u64>,
    holds: &dyn Fn(u64) -> Result<bool, Failure>,
) -> Result<Option<Option<[u64; 2]>>, Failure> {
    if !holds(way.now)? {
        return Ok(None);
    }
    if way.worst == way.now || holds(way.worst)? {
        return Ok(Some(None));
    }
    let (mut does, mut fails) = (way.now, way.worst);
    let step = |value: u64| if way.worst < way.now { value.saturating_sub(1) } else { value + 1 };
    for value in guess.into_iter().flat_map(|guess| [guess, step(guess)]) {
        if value.min(does.min(fails)) == value || value.max(does.max(fails)) == value {
            continue;
        }
        if holds(value)? { does = value } else { fails = value }
    }
    // What breaks is rarely far away in numbers that have no end.
    let mut near = does;
    while way.worst > way.now && near < fails / 4 {
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

/// The values of a question that may be worse.
fn ways(args: &Question) -> Result<Vec<Way>, Failure> {
    let mut all = vec![];
    let gpu = OnGpu::of(args)?;
    let Clocks { slowest, fastest } = gpu.clocks(args)?;
    let clock = match args.launch.clock {
        None => Id::ClockHighest,
        Some(_) if args.launch.overclocked => Id::ClockOverclocked,
        Some(_) => Id::ClockDeclared,
    };
    all.push(Way {
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
    all.push(Way {
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
        all.push(Way {
            id: Id::DramRate,
            source: None,
            now: bytes / RATE_STEP,
            worst: 0,
            adds: false,
            with: Box::new(move |other, steps| other.numbers.memory.rate = Some(Share::Rate(rate(steps)))),
            shown: |steps| format!("{} GB/s", decimal::write(steps, 1)),
        });
        let others = args.numbers.memory.others.and_then(|rate| rate.per_second(Some(slowest)));
        all.push(Way {
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
        all.push(Way {
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
        all.push(Way {
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
        all.push(Way {
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
fn pairs(flag: &str, id: Id, all: &[String], of: fn(&mut Question) -> &mut Vec<String>) -> Vec<Way> {
    let way = |(place, given): (usize, &String)| {
        let (label, most) = given.rsplit_once('=')?;
        let label = label.to_owned();
        Some(Way {
            id,
            source: Some(format!("{flag} {}", in_shell(given))),
            now: most.trim().parse().ok()?,
            worst: MOST,
            adds: false,
            with: Box::new(move |other, most| of(other)[place] = format!("{label}={most}")),
            shown: |number| number.to_string(),
        })
    };
    all.iter().enumerate().filter_map(way).collect()
}
