//! What a warp does in a cycle, and why a work-conserving scheduler may let it, in words.

use warpspan_check::schedule::{Activity, Doing, Issued};

/// What a warp does and why that is allowed, in words.
pub(super) fn why(activity: &Activity, name: &str, cycle: u64, doing: &Doing) -> String {
    let issue = |of: &Issued| {
        let at = if of.cycle == cycle { String::new() } else { format!(" since cycle {}", of.cycle) };
        format!("{} with instruction {} ({}){at}", activity.name(of.warp), of.instruction + 1, of.letter)
    };
    let list = |by: &[Issued]| match by {
        [few @ .., last] if few.len() < MOST => {
            let few: Vec<String> = few.iter().map(issue).collect();
            if few.is_empty() { issue(last) } else { format!("{} and {}", few.join(", "), issue(last)) }
        }
        many => format!("{} and {} more", issue(&many[0]), many.len() - 1),
    };
    let choice = "which of them issues is the scheduler's choice";
    match doing {
        Doing::Absent { starts } => format!(
            "{name} waits for a slot until cycle {starts}: no multiprocessor has room for its block before, and no slot is empty \
             while a block waits"
        ),
        Doing::Issues(of) => format!("{name} issues instruction {} ({})", of.instruction + 1, of.letter),
        Doing::Latency { of, ready } => format!(
            "{name} waits for the result of its instruction {} ({}), issued in cycle {}, until cycle {ready}: it is not ready, so \
             no rule asks that it issues",
            of.instruction + 1,
            of.letter,
            of.cycle
        ),
        Doing::Barrier { instruction, missing, opens } => {
            let missing: Vec<String> = missing.iter().map(|&warp| activity.name(warp)).collect();
            let who = match &missing[..] {
                many if many.len() > MOST => format!("{} and {} more", many[0], many.len() - 1),
                few => few.join(", "),
            };
            format!(
                "{name} stands at the barrier before instruction {} until cycle {opens}, since {who} has yet to come: it is not \
                 ready, so no rule asks that it issues",
                instruction + 1
            )
        }
        Doing::Unit { next, unit, instances, by } => {
            // Where all of it is held since earlier cycles, no warp can issue there now.
            let may = match by.iter().any(|of| of.cycle == cycle) {
                true => format!("{} ready for it, and {choice}", warps(next.ready)),
                false => "no warp can issue to it in this cycle".to_owned(),
            };
            format!(
                "{name} is ready for instruction {} ({}) since cycle {}, and unit {unit} is full: it takes {instances} at once, \
                 and that is {}; {may}, since a ready warp may wait only while its unit is full",
                next.instruction + 1,
                next.letter,
                next.since,
                list(by)
            )
        }
        Doing::Width { next, width, by } => format!(
            "{name} is ready for instruction {} ({}) since cycle {}, and its scheduler issues no more: {width} a cycle, and that \
             is {}; of its scheduler {} ready, and {choice}",
            next.instruction + 1,
            next.letter,
            next.since,
            list(by),
            warps(next.ready)
        ),
        Doing::Finished { last } => format!("{name} has issued its last instruction in cycle {last}"),
    }
}

/// How many warps are something.
fn warps(count: u64) -> String {
    if count == 1 { "1 warp is".to_owned() } else { format!("{count} warps are") }
}

/// The most issues or warps that a sentence names.
const MOST: usize = 8;
