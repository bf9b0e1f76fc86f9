//! What was read: the files that were read, what is known, and what was found to be unsafe.

use std::collections::BTreeSet;

use maud::{Markup, html};

use crate::Input;
use crate::report::case::Family;
use crate::shapes::clean;

/// The lines of the section, each with a name and a text.
pub(super) fn summary(input: &Input, families: &[Family]) -> Vec<(&'static str, Markup)> {
    let rows = &input.rows;
    let files = html! {
        @for (number, file) in input.files.iter().enumerate() {
            @if number > 0 { ", " }
            code { (clean(file)) }
        }
    };
    let mut lines = vec![("files", files)];
    if !rows.is_empty() {
        let exact = rows.iter().filter(|row| row.verdict == "exact").count();
        let cases: usize = families.iter().map(|family| family.cases.len()).sum();
        let cells = html! { (rows.len()) ", of " (cases) " cases (a kernel, its warps and its sigmas)" };
        lines.push(("cells", cells));
        lines.push(("worst case", html! { (exact) " cells exact, " (rows.len() - exact) " bounded" }));
        let with = rows.iter().filter(|row| row.min_over_y.is_some()).count();
        let low = rows.iter().filter(|row| row.min_over_y.is_some_and(|value| value < row.lower)).count();
        if with > 0 {
            lines.push(("erratum E1", found(low, with, "the estimate is below the worst case")));
        }
        let low = rows.iter().filter(|row| row.pessimistic < row.lower).count();
        lines.push(("erratum E2", found(low, rows.len(), "pessimistic is below the worst case")));
        let versions: BTreeSet<&str> = rows.iter().map(|row| row.version.as_str()).collect();
        let versions: Vec<String> = versions.into_iter().map(clean).collect();
        lines.push(("made by", html! { "warpspan " (versions.join(", ")) }));
    }
    if !input.partitions.is_empty() {
        lines.push(("partitions", html! { (input.partitions.len()) " rows of experiments" }));
    }
    lines
}

fn found(low: usize, of: usize, what: &str) -> Markup {
    html! {
        @if low == 0 { "in none of " (of) " cells " (what) }
        @else { strong { "in " (low) " of " (of) " cells " (what) ": unsafe" } }
    }
}
