//! What stands at the head of the page: what was read, what is known, what was found unsafe.

use std::collections::BTreeSet;

use crate::figures::Input;
use crate::figures::case::Family;
use crate::figures::theme::escape;

/// The lines of the summary: a name and HTML.
pub(super) fn summary(input: &Input, families: &[Family]) -> Vec<(&'static str, String)> {
    let rows = &input.rows;
    let files: Vec<String> =
        input.files.iter().map(|file| format!("<code>{}</code>", escape(file))).collect();
    let mut lines = vec![("files", files.join(", "))];
    if !rows.is_empty() {
        let exact = rows.iter().filter(|row| row.verdict == "exact").count();
        let cases: usize = families.iter().map(|family| family.cases.len()).sum();
        lines.push((
            "cells",
            format!("{}, of {cases} cases (a kernel, its warps and its sigmas)", rows.len()),
        ));
        lines.push(("worst case", format!("{exact} cells exact, {} bounded", rows.len() - exact)));
        let with = rows.iter().filter(|row| row.min_over_y.is_some()).count();
        let low = rows.iter().filter(|row| row.min_over_y.is_some_and(|value| value < row.lower)).count();
        if with > 0 {
            lines.push(("erratum E1", found(low, with, "the estimate is below the worst case")));
        }
        let low = rows.iter().filter(|row| row.pessimistic < row.lower).count();
        lines.push(("erratum E2", found(low, rows.len(), "pessimistic is below the worst case")));
        let versions: BTreeSet<&str> = rows.iter().map(|row| row.version.as_str()).collect();
        let versions: Vec<String> = versions.into_iter().map(escape).collect();
        lines.push(("made by", format!("warpspan {}", versions.join(", "))));
    }
    if !input.partitions.is_empty() {
        lines.push(("partitions", format!("{} rows of experiments", input.partitions.len())));
    }
    if !input.schedules.is_empty() {
        lines.push(("schedules", format!("{}, replayed and drawn", input.schedules.len())));
    }
    if !input.occupancies.is_empty() {
        lines.push(("runs on a GPU", format!("{}, drawn", input.occupancies.len())));
    }
    if !input.kernels.is_empty() {
        let bounded = input.kernels.iter().filter(|kernel| kernel.is_bounded).count();
        let without = match input.kernels.len() - bounded {
            0 => String::new(),
            without => format!("; {without} without a bound, with the reason"),
        };
        lines.push(("kernels", format!("{bounded}, listed with their bounds{without}")));
    }
    lines
}

fn found(low: usize, of: usize, what: &str) -> String {
    match low {
        0 => format!("in none of {of} cells {what}"),
        _ => format!("<strong>in {low} of {of} cells {what}: unsafe</strong>"),
    }
}
