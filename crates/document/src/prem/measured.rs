//! What `prem --measured` tells.

use super::time;
use crate::words::several;
use crate::{Document, Said, Table, Tone};
use warpspan_records::PremMeasured;

/// The answer.
pub fn document(found: &PremMeasured) -> Document {
    let (tone, verdict) = match found.execution_ns {
        _ if found.exceeds || found.breaks => (Tone::Refuted, "refuted"),
        Some(_) => (Tone::Proved, "within the bound"),
        None => (Tone::Undecided, "no bound"),
    };
    let said = Said::new(tone, verdict, format!("at most {} ns seen", found.longest_ns));
    let mut out = Document::new("prem-measured", several(found.runs, "measured run"), said, 12);
    out.fact("measured", format!("{} on average of {}", time(found.mean_ns), several(found.runs, "run")));
    let range = format!("{} to {} ns", found.shortest_ns, found.longest_ns);
    let timer = found.timer_ns.map_or_else(String::new, |timer| format!(", on a timer of {timer} ns"));
    out.fact("", format!("{range}, jitter {:.3} percent{timer}", found.jitter_percent));
    out.fact("planned", format!("{}: no bound", time(found.planned_ns)));
    match found.execution_ns {
        Some(execution) => {
            out.fact("execution", format!("at most {} from the launch", time(execution)));
            out.rests_on(&found.assumptions);
        }
        None => out.fact("execution", "no bound".to_owned()),
    }
    if found.exceeds {
        let over = found.longest_ns.saturating_sub(found.execution_ns.unwrap_or_default());
        out.fact(
            "REFUTED",
            format!("a run took {over} ns longer than the bound: what it assumes does not hold"),
        );
    }
    for times in found.phases.iter().filter(|times| times.above > 0) {
        let granted = times.granted_ns.unwrap_or_default();
        let many = several(times.above, times.phase.name());
        out.fact("REFUTED", format!("{many} took longer than the {granted} ns that the bound assumes"));
    }
    if let Some(overlaps) = found.overlaps {
        let (pairs, within) = (several(overlaps.between_kernels, "pair"), overlaps.within_kernels);
        out.fact("overlaps", format!("{pairs} of memory phases of different kernels, {within} of the same"));
        let most = several(overlaps.most_at_once, "block");
        out.fact("", format!("up to {most} in memory phases at one time"));
    }
    if found.phases.is_empty() {
        out.fact("phases", "not recorded".to_owned());
        return out;
    }
    let table = Table::of(&found.phases)
        .words("ns", |times| times.phase.to_string())
        .number("shortest", |times| times.shortest_ns)
        .number("median", |times| times.median_ns)
        .number("mean", |times| times.mean_ns)
        .number("longest", |times| times.longest_ns)
        .number("after the first tile", |times| times.longest_later_ns)
        .number("file", |times| times.planned_ns)
        .number("for the bound", |times| times.granted_ns);
    out.gap();
    out.table(table);
    out
}
