//! A measured run compared with the computed one, for a person to read.

use std::fmt::Write;

use crate::commands::rta::text::MOST;
use crate::table::table as table_of;
use crate::text::several;
use warpspan_model::time::Duration;
use warpspan_rta::{Analysis, Computed, DRIFT, Excess, Execution, Finding, Measurement, NOT_JUDGED};

/// The most launches whose excess is told one by one.
const FEW: usize = 8;

/// The whole of it.
pub(super) fn text(
    run: &Measurement,
    (executions, analysis): (&[Execution], &Analysis),
    computed: &[Option<Computed>],
    (findings, tolerance): (&[Finding], Duration),
    excesses: &[Vec<Excess>; 2],
    notes: &[String],
) -> String {
    let system = run.system();
    let write = |time| system.unit().write(time);
    let broken: Vec<&str> = findings
        .iter()
        .filter(|finding| finding.breach.is_some())
        .map(|finding| finding.rule.name())
        .collect();
    let verdict =
        if broken.is_empty() { "hold".to_owned() } else { format!("broken: {}", broken.join(", ")) };
    let blocks: usize = run.launches().iter().map(|launch| launch.blocks.len()).sum();
    let launches = match run.launches().len() {
        1 => "1 launch".to_owned(),
        many => format!("{many} launches"),
    };
    let mut out = format!(
        "rules       {verdict}, within {} {}: {} of {launches}\n",
        write(tolerance),
        system.unit(),
        several(blocks as u64, "block"),
    );
    for (what, excesses) in [("C           ", &excesses[0]), ("bounds      ", &excesses[1])] {
        let _ = writeln!(out, "{what}{}", kept(run, excesses));
    }
    let _ = writeln!(
        out,
        "{} of {} threads; times in {}\n",
        several(system.gpu().multiprocessors, "multiprocessor"),
        system.gpu().resources.threads,
        system.unit(),
    );
    let header = ["kernel", "released", "start", "computed", "difference", "end", "computed", "difference"];
    let mut times = table_of(header, 1..8);
    let header =
        ["kernel", "blocks", "C", "longest block", "response", "bound", "blocks on each SM", "computed"];
    let mut bounds = table_of(header, 1..6);
    for (index, launch) in run.launches().iter().enumerate().take(MOST) {
        let name = run.launch(index);
        let computed = computed[index].as_ref();
        let beside = |measured: Duration, computed: Option<Duration>| match computed {
            Some(time) => [write(measured), write(time), difference(run, measured, time)],
            None => [write(measured), "-".to_owned(), "-".to_owned()],
        };
        let mut row = vec![name.clone(), write(launch.returned)];
        row.extend(beside(launch.start(), computed.map(|computed| computed.start)));
        row.extend(beside(launch.end(), computed.map(|computed| computed.end)));
        times.add_row(row);
        let spread = spread(&launch.spread(multiprocessors(run)));
        bounds.add_row([
            name,
            launch.blocks.len().to_string(),
            write(executions[index].time),
            write(launch.longest()),
            write(launch.response()),
            analysis.kernels[index].bound.map_or_else(|| "-".to_owned(), write),
            spread,
            computed.map_or_else(|| "-".to_owned(), |computed| self::spread(&computed.spread)),
        ]);
    }
    let _ = writeln!(out, "{times}\n\n{bounds}");
    if run.launches().len() > MOST {
        let _ = writeln!(out, "({} more; --format json has all)", run.launches().len() - MOST);
    }
    let mut rules = table_of(["rule", "what it says of blocks", "judged", "off by", "holds"], [2, 3]);
    for finding in findings {
        let Finding { rule, judged, off, breach } = finding;
        let (off, holds) = match (judged, breach) {
            (0, _) => ("-".to_owned(), "not judged"),
            (_, None) => (write(*off), "yes"),
            (_, Some(_)) => (write(*off), "no"),
        };
        rules.add_row([
            rule.name().to_owned(),
            rule.says().to_owned(),
            judged.to_string(),
            off,
            holds.to_owned(),
        ]);
    }
    let _ = writeln!(out, "\n{rules}\n");
    for (rule, breach) in findings.iter().filter_map(|finding| Some((finding.rule, finding.breach.as_ref()?)))
    {
        let _ = writeln!(out, "{:<11} {}", format!("breaks {}", rule.name()), breach.what);
    }
    for note in notes {
        let _ = writeln!(out, "note        {note}");
    }
    out
}

fn multiprocessors(run: &Measurement) -> usize {
    usize::try_from(run.system().gpu().multiprocessors).unwrap_or(usize::MAX)
}

/// The blocks on each multiprocessor; the first ones where there are many.
fn spread(blocks: &[u64]) -> String {
    const FIRST: usize = 8;
    let first: Vec<String> = blocks.iter().take(FIRST).map(u64::to_string).collect();
    let more = if blocks.len() > FIRST { ", ..." } else { "" };
    format!("{}{more}", first.join(", "))
}

/// How much later a time was measured than computed.
fn difference(run: &Measurement, measured: Duration, computed: Duration) -> String {
    let sign = if measured < computed { "-" } else { "" };
    format!("{sign}{}", run.system().unit().write(Duration(measured.0.abs_diff(computed.0))))
}

/// Whether what was computed is kept, in a few words.
fn kept(run: &Measurement, excesses: &[Excess]) -> String {
    let over = |excess: &Excess| excess.measured - excess.computed;
    let Some(most) = excesses.iter().max_by_key(|excess| (excess.is_certain, over(excess))) else {
        return "kept".to_owned();
    };
    let (name, over) = (run.launch(most.launch), run.system().unit().write(over(most)));
    let open = if most.is_certain { "" } else { ", which the logs leave open" };
    format!("exceeded by up to {over} {} ({name}){open}", run.system().unit())
}

/// The notes to the numbers, a sentence each.
pub(super) fn notes(
    run: &Measurement,
    [executions, bounds]: &[Vec<Excess>; 2],
    computed: &[Option<Computed>],
    is_given: bool,
) -> Vec<String> {
    let time = |time| format!("{} {}", run.system().unit().write(time), run.system().unit());
    let mut notes = Vec::new();
    for Excess { launch, measured, computed, .. } in bounds.iter().take(FEW) {
        let name = run.launch(*launch);
        notes.push(format!("{name} took {}, more than its bound of {}", time(*measured), time(*computed)));
    }
    if bounds.len() > FEW {
        notes.push(format!("{} more launches took more than their bounds", bounds.len() - FEW));
    }
    if !bounds.is_empty() && executions.is_empty() {
        let what = "no block exceeds C: what goes beyond the bounds is the launch itself and the placing of blocks, which they do not count";
        notes.push(what.to_owned());
    }
    if !executions.is_empty() {
        notes.push(
            "where a block takes longer than C, neither the bounds nor the computed run hold".to_owned(),
        );
    }
    if !is_given {
        notes.push(
            "C is the longest measured block of each kernel, so an estimate: other runs may have longer ones, and \
             the bounds do not hold for these"
                .to_owned(),
        );
    }
    notes.extend(order(run, computed));
    notes.extend(apart(run, computed));
    let behind =
        run.launches().iter().filter_map(|launch| launch.end().0.checked_sub(launch.synchronised?.0));
    if let Some(behind) = behind.max().filter(|&behind| behind > 0) {
        notes.push(format!(
            "the clock of the host is up to {} or more behind that of the GPU; the rules allow {DRIFT} millionths of the time",
            time(Duration(behind))
        ));
    }
    notes.extend(NOT_JUDGED.map(str::to_owned));
    notes
}

/// Whether launches complete in the computed order.
fn order(run: &Measurement, computed: &[Option<Computed>]) -> Option<String> {
    let by = |end: &dyn Fn(usize) -> Duration| {
        let mut order: Vec<usize> = (0..run.launches().len()).collect();
        order.sort_by_key(|&launch| end(launch));
        order
    };
    let ends: Option<Vec<Duration>> = computed.iter().map(|computed| Some(computed.as_ref()?.end)).collect();
    let Some(ends) = ends else {
        return Some("the computed run is too long to be kept, so nothing is compared with it".to_owned());
    };
    let (measured, computed) = (by(&|launch| run.launches()[launch].end()), by(&|launch| ends[launch]));
    let differs = measured.iter().zip(&computed).position(|(a, b)| a != b && ends[*a] != ends[*b]);
    Some(match differs {
        None if measured.len() <= 8 => {
            let names: Vec<String> = measured.iter().map(|&launch| run.launch(launch)).collect();
            format!("launches complete in the computed order: {}", names.join(", "))
        }
        None => "launches complete in the computed order".to_owned(),
        Some(place) => format!(
            "{} completes where {} should by the computed run",
            run.launch(measured[place]),
            run.launch(computed[place])
        ),
    })
}

/// Where the measured run is furthest from the computed one, and the first launch with other multiprocessors.
fn apart(run: &Measurement, computed: &[Option<Computed>]) -> Vec<String> {
    let both = || {
        run.launches()
            .iter()
            .zip(computed)
            .enumerate()
            .filter_map(|(index, (launch, computed))| Some((index, launch, computed.as_ref()?)))
    };
    let far = both().flat_map(|(index, launch, computed)| {
        [("starts", launch.start(), computed.start), ("ends", launch.end(), computed.end)].map(
            |(what, measured, computed)| (measured.0.abs_diff(computed.0), index, what, measured > computed),
        )
    });
    let far = far.max_by_key(|&(far, ..)| far).filter(|&(far, ..)| far > 0);
    let mut notes = Vec::new();
    notes.extend(far.map(|(far, index, what, is_later)| {
        let how = if is_later { "later" } else { "earlier" };
        let far = run.system().unit().write(Duration(far));
        format!(
            "the largest difference: {} {what} {far} {} {how} than computed",
            run.launch(index),
            run.system().unit()
        )
    }));
    let elsewhere =
        both().find(|(_, launch, computed)| launch.spread(multiprocessors(run)) != computed.spread);
    notes.extend(elsewhere.map(|(index, launch, computed)| {
        format!(
            "{} has {} blocks on the multiprocessors, and {} by the computed run; the rules leave the choice open",
            run.launch(index),
            spread(&launch.spread(multiprocessors(run))),
            spread(&computed.spread)
        )
    }));
    notes
}
