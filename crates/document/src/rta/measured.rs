//! What `rta --measured` tells: a measured run compared with the computed one.

use serde_json::Number;

use super::MOST;
use crate::table::first;
use crate::words::{decimals, names, several};
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
    let shown = first(&found.launches, MOST);
    let name = |launch: &Launch| name(found, &launch.kernel, launch.launch);
    out.table(
        Table::of(shown)
            .words("kernel", name)
            .number("released", |launch| launch.released.clone())
            .number("start", |launch| launch.start.clone())
            .number("computed", |launch| launch.computed_start.clone())
            .number("difference", |launch| later(&launch.start, &launch.computed_start))
            .number("end", |launch| launch.end.clone())
            .number("computed", |launch| launch.computed_end.clone())
            .number("difference", |launch| later(&launch.end, &launch.computed_end)),
    );
    out.gap();
    out.table(
        Table::of(shown)
            .words("kernel", name)
            .number("blocks", |launch| launch.blocks.len())
            .number("C", |launch| launch.execution.clone())
            .number("longest block", |launch| launch.longest_block.clone())
            .number("response", |launch| launch.response.clone())
            .number("bound", |launch| launch.response_bound.clone())
            .words("blocks on each SM", |launch| spread(&measured_spread(found, launch)))
            .words("computed", |launch| launch.computed_spread.as_ref().map(|computed| spread(computed))),
    );
    if found.launches.len() > MOST {
        out.line(format!("({} more; --format json has all)", found.launches.len() - MOST));
    }
    out.gap();
    out.table(
        Table::of(&found.rules)
            .words("rule", |rule| rule.rule.clone())
            .words("what it says of blocks", |rule| rule.says.clone())
            .number("judged", |rule| rule.judged)
            .number("off by", |rule| rule.holds.map(|_| rule.off.clone()))
            .words("holds", |rule| match rule.holds {
                None => "not judged",
                Some(true) => "yes",
                Some(false) => "no",
            }),
    );
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

/// How much later a measured time is than the computed one.
fn later(measured: &Number, computed: &Option<Number>) -> Option<String> {
    let (measured, computed) = (decimals(measured), decimals(computed.as_ref()?));
    let places = |text: &str| text.split_once('.').map_or(0, |(_, places)| places.len());
    let places = places(&measured).max(places(&computed));
    match [&measured, &computed].map(|text| decimal::read(text, places)) {
        [Ok(later), Ok(time)] if later < time => Some(format!("-{}", decimal::write(time - later, places))),
        [Ok(later), Ok(time)] => Some(decimal::write(later - time, places)),
        _ => None,
    }
}

/// Whether what was computed is kept, in a few words.
fn kept(found: &Measured, excess: Option<&Excess>) -> String {
    let Some(Excess { kernel, launch, by, certain }) = excess else { return "kept".to_owned() };
    let open = if *certain { "" } else { ", which the logs leave open" };
    let (name, by) = (name(found, kernel, *launch), decimals(by));
    format!("exceeded by up to {by} {} ({name}){open}", found.unit)
}
