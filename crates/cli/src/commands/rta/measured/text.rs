//! A measured run compared with the computed one, for a person to read.

use std::fmt::Write;

use serde_json::Number;

use crate::commands::rta::text::MOST;
use crate::table::table as table_of;
use crate::text::{decimals, several};
use warpspan_model::time::decimal;
use warpspan_records::Measured;
use warpspan_records::measured::{Excess, Launch};

/// The whole of it.
pub(super) fn text(found: &Measured) -> String {
    let broken: Vec<&str> =
        found.rules.iter().filter(|rule| rule.breach.is_some()).map(|rule| &*rule.rule).collect();
    let verdict =
        if broken.is_empty() { "hold".to_owned() } else { format!("broken: {}", broken.join(", ")) };
    let blocks: usize = found.launches.iter().map(|launch| launch.blocks.len()).sum();
    let launches = match found.launches.len() {
        1 => "1 launch".to_owned(),
        many => format!("{many} launches"),
    };
    let mut out = format!(
        "rules       {verdict}, within {} {}: {} of {launches}\n",
        decimals(&found.tolerance),
        found.unit,
        several(blocks as u64, "block"),
    );
    for (what, excess) in [("C           ", &found.beyond_execution), ("bounds      ", &found.beyond_bounds)]
    {
        let _ = writeln!(out, "{what}{}", kept(found, excess.as_ref()));
    }
    let _ = writeln!(
        out,
        "{} of {} threads; times in {}\n",
        several(found.gpu.multiprocessors, "multiprocessor"),
        found.gpu.threads,
        found.unit,
    );
    let header = ["kernel", "released", "start", "computed", "difference", "end", "computed", "difference"];
    let mut times = table_of(header, 1..8);
    let header =
        ["kernel", "blocks", "C", "longest block", "response", "bound", "blocks on each SM", "computed"];
    let mut bounds = table_of(header, 1..6);
    for launch in found.launches.iter().take(MOST) {
        let name = name(found, &launch.kernel, launch.launch);
        let mut row = vec![name.clone(), decimals(&launch.released)];
        row.extend(beside(&launch.start, launch.computed_start.as_ref()));
        row.extend(beside(&launch.end, launch.computed_end.as_ref()));
        times.add_row(row);
        bounds.add_row([
            name,
            launch.blocks.len().to_string(),
            decimals(&launch.execution),
            decimals(&launch.longest_block),
            decimals(&launch.response),
            launch.response_bound.as_ref().map_or_else(|| "-".to_owned(), decimals),
            spread(&measured_spread(found, launch)),
            launch.computed_spread.as_ref().map_or_else(|| "-".to_owned(), |computed| spread(computed)),
        ]);
    }
    let _ = writeln!(out, "{times}\n\n{bounds}");
    if found.launches.len() > MOST {
        let _ = writeln!(out, "({} more; --format json has all)", found.launches.len() - MOST);
    }
    let mut rules = table_of(["rule", "what it says of blocks", "judged", "off by", "holds"], [2, 3]);
    for rule in &found.rules {
        let (off, holds) = match rule.holds {
            None => ("-".to_owned(), "not judged"),
            Some(true) => (decimals(&rule.off), "yes"),
            Some(false) => (decimals(&rule.off), "no"),
        };
        rules.add_row([rule.rule.clone(), rule.says.clone(), rule.judged.to_string(), off, holds.to_owned()]);
    }
    let _ = writeln!(out, "\n{rules}\n");
    for (rule, breach) in found.rules.iter().filter_map(|rule| Some((&rule.rule, rule.breach.as_ref()?))) {
        let _ = writeln!(out, "{:<11} {}", format!("breaks {rule}"), breach.what);
    }
    for note in &found.notes {
        let _ = writeln!(out, "note        {note}");
    }
    out
}

/// A launch, as sentences name it. The number is left out where there is only one.
fn name(found: &Measured, kernel: &str, launch: u64) -> String {
    match found.launches.iter().filter(|launch| launch.kernel == kernel).count() {
        1 if launch == 1 => kernel.to_owned(),
        _ => format!("launch {launch} of {kernel}"),
    }
}

/// How many blocks were measured on each multiprocessor.
fn measured_spread(found: &Measured, launch: &Launch) -> Vec<u64> {
    let mut spread = vec![0; usize::try_from(found.gpu.multiprocessors).unwrap_or(usize::MAX)];
    for block in &launch.blocks {
        if let Some(count) = spread.get_mut(block.multiprocessor.wrapping_sub(1)) {
            *count += 1;
        }
    }
    spread
}

/// The blocks on each multiprocessor; the first ones where there are many.
pub(super) fn spread(blocks: &[u64]) -> String {
    const FIRST: usize = 8;
    let first: Vec<String> = blocks.iter().take(FIRST).map(u64::to_string).collect();
    let more = if blocks.len() > FIRST { ", ..." } else { "" };
    format!("{}{more}", first.join(", "))
}

/// A measured time, the computed one, and how much later the measured one is.
fn beside(measured: &Number, computed: Option<&Number>) -> [String; 3] {
    let measured = decimals(measured);
    let Some(computed) = computed.map(decimals) else {
        return [measured, "-".to_owned(), "-".to_owned()];
    };
    let places = |text: &str| text.split_once('.').map_or(0, |(_, places)| places.len());
    let places = places(&measured).max(places(&computed));
    let difference = match [&measured, &computed].map(|text| decimal::read(text, places)) {
        [Ok(later), Ok(time)] if later < time => format!("-{}", decimal::write(time - later, places)),
        [Ok(later), Ok(time)] => decimal::write(later - time, places),
        _ => "-".to_owned(),
    };
    [measured, computed, difference]
}

/// Whether what was computed is kept, in a few words.
fn kept(found: &Measured, excess: Option<&Excess>) -> String {
    let Some(Excess { kernel, launch, by, certain }) = excess else { return "kept".to_owned() };
    let open = if *certain { "" } else { ", which the logs leave open" };
    let (name, by) = (name(found, kernel, *launch), decimals(by));
    format!("exceeded by up to {by} {} ({name}){open}", found.unit)
}
