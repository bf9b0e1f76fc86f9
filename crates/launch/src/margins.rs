//! How far each thing may be wrong on which a deadline of `time` rests, or what would do where the verdict is undecided.

use crate::Failure;
use crate::alone::alone_with;
use crate::assumes;
use crate::caches::Held;
use crate::enough::{RATE_STEP, Rates, shown_rate, with_rate};
use crate::failure::Kind;
use crate::flags::in_shell;
use crate::gpu::OnGpu;
use crate::parse::Clocks;
use crate::question::Question;
use crate::words;
use warpspan_kernel::input::{IdleDram, Moved, Rate};
use warpspan_model::assumption::Id;
use warpspan_model::machine::Latency;
use warpspan_model::time::{Clock, Duration};
use warpspan_records::Time;
use warpspan_records::margin::{Judged, Quantity, add_margins};
use warpspan_records::rta::Verdict;

/// Numbers beyond this one are not asked for.
const MOST: u64 = u32::MAX as u64;

/// Adds to what an answer rests on how far it may be wrong.
///
/// # Errors
/// If what is asked is wrong.
pub fn with_margins(args: &Question, mut found: Time) -> Result<Time, Failure> {
    let (Some(Verdict::Proved | Verdict::Undecided), Some(Duration(deadline))) =
        (found.verdict, args.deadline)
    else {
        return Ok(found);
    };
    let judge = |other: &Question| match alone_with(other, false) {
        Ok(Time { verdict, assumptions, .. }) => {
            Ok(Some(Judged { proved: verdict == Some(Verdict::Proved), assumptions }))
        }
        Err(error) if error.kind == Kind::Stopped => Ok(None),
        // Such as a DRAM that is slower than what others take of it.
        Err(error) if error.kind == Kind::Usage => Ok(Some(Judged::default())),
        Err(error) => Err(error),
    };
    let slack = (deadline / 1000).saturating_sub(found.bound_ns.unwrap_or(u64::MAX));
    let proved = found.verdict == Some(Verdict::Proved);
    // Without it the deadline is not met, which no number says.
    let spread_decides = assumes::is_first(&found.assumptions, Id::SchedulersSpread);
    // Where nothing is proved, the answer has what is known of the DRAM.
    let quantities = quantities(args, slack)?.into_iter().filter(|one| proved || !one.is_of(Id::DramRate));
    let rows = (proved, &mut found.assumptions, &mut found.notes);
    add_margins(rows, args, quantities.collect(), judge)?;
    if spread_decides {
        assumes::sort_with_first(&mut found.assumptions, Id::SchedulersSpread);
    }
    assumes::sort_with_enough_first(&mut found.assumptions);
    Ok(found)
}

/// The quantities of a question that may be worse; `slack` is the time in nanoseconds by which the deadline is met.
fn quantities(args: &Question, slack: u64) -> Result<Vec<Quantity<Question>>, Failure> {
    let mut all: Vec<Quantity<Question>> = Vec::new();
    let gpu = OnGpu::of(args)?;
    let Clocks { slowest, fastest } = gpu.clocks(args)?;
    let clock: &[Id] = match args.launch.clock {
        None => &[Id::ClockHighest],
        Some(_) if args.launch.overclocked => &[Id::ClockOverclocked],
        Some(_) => &[Id::ClockDeclared],
    };
    all.push(Quantity::new(
        clock,
        [fastest.hertz() / 1_000_000, slowest.hertz() / 1_000_000, 1],
        move |other: &mut Question, megahertz| {
            let slowest = Clock::from_hertz(megahertz * 1_000_000).unwrap_or(slowest);
            other.launch.clock = Some(Clocks { slowest, fastest });
        },
        |megahertz| format!("{megahertz} MHz"),
    ));
    all.push(Quantity::new(
        &[Id::GpuMultiprocessors],
        [gpu.preset.multiprocessors, gpu.preset.multiprocessors, 1],
        |other: &mut Question, count| other.launch.multiprocessors = Some(count),
        |count| words::several(count, "multiprocessor"),
    ));
    let rate = |steps: u64| Rate::PerSecond(steps * RATE_STEP);
    if let Some(Rates { best, now }) = Rates::of(args, &gpu)? {
        all.push(Quantity::new(&[Id::DramRate], [best, now, 0], with_rate, shown_rate));
        let others = args.numbers.memory.others.and_then(|rate| rate.per_second(Some(slowest)));
        all.push(Quantity::new(
            &[Id::DramOthers],
            [0, others.unwrap_or(0).div_ceil(RATE_STEP), now],
            move |other: &mut Question, steps| other.numbers.memory.others = (steps > 0).then(|| rate(steps)),
            shown_rate,
        ));
    }
    all.extend(pairs("--loop-bound", &[Id::LoopBound], &args.code.loop_bound, |other| {
        &mut other.code.loop_bound
    }));
    all.extend(pairs("--loop-total", &[Id::LoopTotal], &args.loop_totals, |other| &mut other.loop_totals));
    all.extend(pairs("--transactions", &[Id::Transactions], &args.numbers.transactions, |other| {
        &mut other.numbers.transactions
    }));
    for (place, (letter, Latency { least, most })) in args.numbers.latency_of.iter().enumerate() {
        let least = *least;
        all.push(
            Quantity::new(
                &[Id::LatencyOfLetter],
                [least, *most, MOST],
                move |other: &mut Question, most| other.numbers.latency_of[place].1 = Latency { least, most },
                |cycles| words::several(cycles, "cycle"),
            )
            .by(format!("--latency-of {}", in_shell(&format!("{letter}={least}..{most}")))),
        );
    }
    // All accesses may take as much longer as the fastest of them.
    let of_fastest = |cycles| format!("{} for the fastest letter", words::several(cycles, "cycle"));
    let in_l2 = gpu.named.letters.values().filter_map(|origin| origin.in_l2).min();
    if let (Some(held), Some(now)) = (args.traffic.l2_holds.clone(), in_l2) {
        all.push(Quantity::new(
            &[Id::LatencyInL2],
            [1, now, MOST],
            move |other: &mut Question, cycles| {
                other.traffic.l2_holds = Some(Held { fastest: Some(cycles), ..held.clone() });
            },
            of_fastest,
        ));
    }
    if let Some(idle) = args.traffic.dram_idle {
        let now = gpu.named.fastest_in_idle_dram().unwrap_or(1);
        all.push(Quantity::new(
            &[Id::LatencyInIdleDram],
            [1, now, MOST],
            move |other: &mut Question, cycles| {
                other.traffic.dram_idle = Some(IdleDram { fastest: Some(cycles), ..idle });
            },
            of_fastest,
        ));
        let now = gpu.named.idle_pauses.map_or(1, |pauses| pauses.length);
        all.push(Quantity::new(
            &[Id::DramPausesTogether],
            [1, now, MOST],
            move |other: &mut Question, cycles| {
                other.traffic.dram_idle = Some(IdleDram { pause: Some(cycles), ..idle });
            },
            |cycles| format!("{} in a pause", words::several(cycles, "cycle")),
        ));
    }
    type OfMoved = fn(&mut Question) -> &mut Option<Moved>;
    let moved: [(&[Id], Option<Moved>, OfMoved); 2] = [
        (&[Id::DramBytes], args.traffic.dram_bytes, |other| &mut other.traffic.dram_bytes),
        (&[Id::L2Bytes], args.traffic.l2_bytes, |other| &mut other.traffic.l2_bytes),
    ];
    for (ids, given, of) in moved {
        let Some(given) = given else { continue };
        all.push(Quantity::new(
            ids,
            [given.least, given.most, u64::MAX / 2],
            move |other: &mut Question, most| *of(other) = Some(Moved { most, ..given }),
            move |bytes| format!("{bytes} bytes{}", if given.of_block { " of a block" } else { "" }),
        ));
    }
    type OfTime = fn(&mut Question) -> &mut Option<Duration>;
    let times: [(&[Id], Option<Duration>, OfTime); 3] = [
        (&[Id::LaunchOverhead], args.launch.launch_overhead, |other| &mut other.launch.launch_overhead),
        (&[Id::LaunchCopyIn], args.launch.copy_in, |other| &mut other.launch.copy_in),
        (&[Id::LaunchCopyOut], args.launch.copy_out, |other| &mut other.launch.copy_out),
    ];
    for (ids, given, of) in times {
        let now = given.unwrap_or_default().0.div_ceil(1000);
        all.push(
            Quantity::new(
                ids,
                [0, now, Duration::MAX.0 / 1000],
                move |other: &mut Question, nanoseconds| *of(other) = Some(Duration(nanoseconds * 1000)),
                words::time,
            )
            .near(now.saturating_add(slack)),
        );
    }
    Ok(all)
}

/// The values of a flag `LABEL=N` that may be given several times.
fn pairs(
    flag: &str,
    ids: &'static [Id],
    all: &[String],
    of: fn(&mut Question) -> &mut Vec<String>,
) -> Vec<Quantity<Question>> {
    let quantity = |(place, given): (usize, &String)| {
        let (label, most) = given.rsplit_once('=')?;
        let label = label.to_owned();
        Some(
            Quantity::new(
                ids,
                [1, most.trim().parse().ok()?, MOST],
                move |other: &mut Question, most| of(other)[place] = format!("{label}={most}"),
                |number| number.to_string(),
            )
            .by(format!("{flag} {}", in_shell(given))),
        )
    };
    all.iter().enumerate().filter_map(quantity).collect()
}
