//! What `rta --measured` tells: a measured run compared with the computed one.

use serde_json::Number;

use super::MOST;
use crate::words::{decimals, maybe, names, several};
use crate::{Document, Said, Table, Tone};
use warpspan_model::time::decimal;
use warpspan_records::Measured;
use warpspan_records::measured::{Excess, Launch};

/// The answer.
pub fn document(found: &Measured) -> Document {
    let word = |holds: bool| if holds { "kept" } else { "broken" };
    let mut kernels: Vec<&str> = found.launches.iter().map(|launch| launch.kernel.as_str()).collect();
    kernels.dedup();
    let holds = found.rules_hold && found.executions_hold && found.bounds_hold;
    let launches = match found.launches.len() {
        1 => "1 launch".to_owned(),
        many => format!("{many} launches"),
    };
    let tone = if holds { Tone::Proved } else { Tone::Refuted };
    let verdict = format!("rules {}, bounds {}", word(found.rules_hold), word(found.bounds_hold));
    let said = Said::new(tone, verdict, &launches);
    let mut out = Document::new("measured", names(kernels.into_iter()), said, 11);
    let broken: Vec<&str> =
        found.rules.iter().filter(|rule| rule.breach.is_some()).map(|rule| &*rule.rule).collect();
    let verdict =
        if broken.is_empty() { "hold".to_owned() } else { format!("broken: {}", broken.join(", ")) };
    let blocks: usize = found.launches.iter().map(|launch| launch.blocks.len()).sum();
    let (within, blocks) = (decimals(&found.tolerance), several(blocks as u64, "block"));
    out.fact("rules", format!("{verdict}, within {within} {}: {blocks} of {launches}", found.unit));
    for (what, excess) in [("C", &found.beyond_execution), ("bounds", &found.beyond_bounds)] {
        out.fact(what, kept(found, excess.as_ref()));
    }
    let many = several(found.gpu.multiprocessors, "multiprocessor");
    out.line(format!("{many} of {} threads; times in {}", found.gpu.threads, found.unit));
    out.gap();
    let header = ["kernel", "released", "start", "computed", "difference", "end", "computed", "difference"];
    let mut times = Table::new(header, 1..8);
    let header =
        ["kernel", "blocks", "C", "longest block", "response", "bound", "blocks on each SM", "computed"];
    let mut bounds = Table::new(header, 1..6);
    for launch in found.launches.iter().take(MOST) {
        let name = name(found, &launch.kernel, launch.launch);
        let mut row = vec![name.clone(), decimals(&launch.released)];
        row.extend(beside(&launch.start, launch.computed_start.as_ref()));
        row.extend(beside(&launch.end, launch.computed_end.as_ref()));
        times.row(row);
        bounds.row([
            name,
            launch.blocks.len().to_string(),
            decimals(&launch.execution),
            decimals(&launch.longest_block),
            decimals(&launch.response),
            maybe(&launch.response_bound),
            spread(&measured_spread(found, launch)),
            launch.computed_spread.as_ref().map_or_else(|| "-".to_owned(), |computed| spread(computed)),
        ]);
    }
    out.table(times);
    out.gap();
    out.table(bounds);
    if found.launches.len() > MOST {
        out.line(format!("({} more; --format json has all)", found.launches.len() - MOST));
    }
    let mut rules = Table::new(["rule", "what it says of blocks", "judged", "off by", "holds"], [2, 3]);
    for rule in &found.rules {
        let (off, holds) = match rule.holds {
            None => ("-".to_owned(), "not judged"),
            Some(true) => (decimals(&rule.off), "yes"),
            Some(false) => (decimals(&rule.off), "no"),
        };
        rules.row([rule.rule.clone(), rule.says.clone(), rule.judged.to_string(), off, holds.to_owned()]);
    }
    out.gap();
    out.table(rules);
    out.gap();
    for (rule, breach) in found.rules.iter().filter_map(|rule| Some((&rule.rule, rule.breach.as_ref()?))) {
        out.fact(format!("breaks {rule}"), &breach.what);
    }
    out.facts("note", &found.notes);
    out
}

/// A launch, as sentences name it. The number is left out where there is only one.
fn name(found: &Measured, kernel: &str, launch: u64) -> String {
    match found.launches.iter().filter(|launch| launch.kernel == kernel).count() {
        1 if launch == 1 => kernel.to_owned(),
        _ => format!("launch {launch} of {kernel}"),
    }
}

/// The most multiprocessors of which the blocks are counted: a record that somebody else wrote may have any number.
const MOST_MULTIPROCESSORS: u64 = 1 << 16;

/// How many blocks were measured on each multiprocessor.
fn measured_spread(found: &Measured, launch: &Launch) -> Vec<u64> {
    let mut spread =
        vec![0; usize::try_from(found.gpu.multiprocessors.min(MOST_MULTIPROCESSORS)).unwrap_or(0)];
    for block in &launch.blocks {
        if let Some(count) = spread.get_mut(block.multiprocessor.wrapping_sub(1)) {
            *count += 1;
        }
    }
    spread
}

/// The blocks on each multiprocessor; the first ones where there are many.
pub fn spread(blocks: &[u64]) -> String {
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
