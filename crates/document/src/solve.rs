//! What `solve` tells: the interval, its subject, the evidence of its ends, and what else was found.

use crate::subject::{counted, heading, phases, title};
use crate::words::{end, gap, open, several, worst_case};
use crate::{Document, Said, Tone};
use warpspan_records::Solve;
use warpspan_records::solve::Verdict;

/// The answer.
pub fn document(found: &Solve) -> Document {
    let &Solve { lower, upper, ref evidence, .. } = found;
    let (tone, verdict, number) = match found.verdict {
        Verdict::Exact => (Tone::Proved, "exact", several(upper, "cycle")),
        Verdict::Bounded => (Tone::Undecided, "bounded", format!("{lower} to {}", several(upper, "cycle"))),
    };
    let mut out = Document::new("solve", title(&found.instance), Said::new(tone, verdict, number), 11);
    out.said.gap = Some(gap(lower, upper));
    let ends = [evidence.lower.map(|basis| (lower, basis)), evidence.upper.map(|basis| (upper, basis))];
    let open = open(found.stop, found.not_exact);
    out.fact("worst case", worst_case(ends, Some(&open)));
    out.line(heading(&found.instance));
    out.gap();
    let names = [("at least", &found.lower_from), ("at most", &found.upper_from)];
    for ((name, from), (cycles, basis)) in names.into_iter().zip(ends.into_iter().flatten()) {
        out.fact(name, end(cycles, basis, from));
    }
    let results = |cycle| format!("all there by the end of cycle {cycle} at the latest");
    out.facts("results", found.completion_upper.map(results));
    out.facts("best case", found.best_case.map(|best| format!("{best} cycles")));
    out.fact("engine", format!("{}, {:.3} s", found.engine, found.seconds));
    out.facts(
        "model",
        found.model.as_ref().map(|model| {
            format!("{} rows, {} columns, {} nonzeros", model.rows, model.columns, model.nonzeros)
        }),
    );
    for check in &found.checks {
        let by = match &*check.by {
            "states" => "exhaustive search",
            "ilp" => "the ILP",
            _ => "the phase bound",
        };
        out.fact("cross-check", format!("{by} {} ({})", check.result.text(), check.detail));
    }
    out.rests_on_code(&found.assumptions);
    out.facts("note", &found.notes);
    if let Some(phase) = &found.phase {
        phases(&mut out, &found.instance, &phase.rates, &phase.labels);
    }
    let path = |warps, kernel: &str| format!("{}: {}", several(warps, "warp"), counted(kernel));
    out.facts("path", found.paths.iter().map(|line| path(line.warps, &line.kernel)));
    out
}
