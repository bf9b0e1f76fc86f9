//! The table on top of the page: a row for each answer, with its verdict, its number and its gap.

use std::cmp::Reverse;

use maud::{Markup, html};

use crate::Input;
use crate::report::case::Family;
use crate::report::{Section, answers};
use warpspan_document::words::{gap, last};
use warpspan_document::{Said, Tone, clean};

/// A row of the table.
struct Line {
    of: String,
    what: &'static str,
    href: Option<String>,
    said: Said,
    file: String,
}

/// The headings of the columns. Where there is no room for columns, each cell has its heading beside it.
const HEADS: [&str; 6] = ["answer", "of", "verdict", "number", "gap, %", "file"];

/// Whether a column has numbers.
fn is_number(column: usize) -> bool {
    matches!(HEADS[column], "number" | "gap, %")
}

/// The table; nothing without an answer.
pub(super) fn table(input: &Input, families: &[Family], sections: &[Section]) -> Markup {
    let lines = lines(input, families, sections);
    let count = |tone| lines.iter().filter(|line| line.said.tone == tone).count();
    let (bad, open) = (count(Tone::Refuted), count(Tone::Undecided));
    let plural = if lines.len() == 1 { "" } else { "s" };
    html! {
        @if !lines.is_empty() {
            section id="summary" {
                h2 { "Summary" }
                p {
                    (lines.len()) " answer" (plural)
                    @if bad > 0 { ", " strong class="bad" { (bad) " with something missed, broken or unsafe" } }
                    @if open > 0 { ", " strong class="open" { (open) " not settled" } }
                    @if bad + open == 0 { ", all settled" }
                    "."
                }
                div class="listing" {
                    table class="sortable" {
                        thead {
                            tr {
                                @for (column, head) in (0..).zip(HEADS) {
                                    th scope="col" class=[is_number(column).then_some("number")] { (head) }
                                }
                            }
                        }
                        tbody { @for line in &lines { (row(line)) } }
                    }
                }
            }
        }
    }
}

fn row(Line { of, what, href, said, file }: &Line) -> Markup {
    let name = clean(of);
    let gap = said.gap.map_or_else(String::new, |gap| format!("{gap:.1}"));
    let cells = [
        html! { (what) },
        html! { span class=(said.tone.class()) { (clean(&said.verdict)) } },
        html! { (clean(&said.number)) },
        html! { (gap) },
        html! { @if !file.is_empty() { code { (clean(last(file))) } } },
    ];
    html! {
        tr {
            th scope="row" { @if let Some(href) = href { a href={ "#" (href) } { (name) } } @else { (name) } }
            @for (column, cell) in (1..).zip(cells) {
                td class=[is_number(column).then_some("number")] data-head=(HEADS[column]) { (cell) }
            }
        }
    }
}

/// The rows: the worst news first, then by falling gaps.
fn lines(input: &Input, families: &[Family], sections: &[Section]) -> Vec<Line> {
    let mut lines: Vec<Line> = families.iter().map(|family| of_family(family, sections)).collect();
    for (subject, answers) in answers::by_subject(&input.answers) {
        lines.extend((1..).zip(answers).map(|(number, answer)| Line {
            of: answer.document.title.clone(),
            what: subject.what,
            href: Some(answers::id(subject, number)),
            said: answer.document.said.clone(),
            file: answer.file.clone(),
        }));
    }
    // Gaps are finite and not negative, so their bits are in the order of their values.
    lines.sort_by_key(|line| (line.said.tone, Reverse(line.said.gap.map_or(0, f64::to_bits))));
    lines
}

/// A kernel and its sigmas: how often the worst case is known, and the largest gap.
fn of_family(family: &Family, sections: &[Section]) -> Line {
    let cases = &family.cases;
    let exact = cases.iter().filter(|case| case.is_exact()).count();
    let low = cases.iter().filter(|case| case.below() > 0).count();
    let name = family.name();
    let figures = sections.iter().flat_map(|section| &section.figures);
    let figure = figures.into_iter().find(|figure| figure.title.starts_with(&name));
    let known =
        if exact == cases.len() { "exact".to_owned() } else { format!("{exact} of {} exact", cases.len()) };
    let (tone, verdict) = match low {
        0 if exact == cases.len() => (Tone::Proved, known),
        0 => (Tone::Undecided, known),
        low => (Tone::Refuted, format!("{known}; Be12 below it in {low}")),
    };
    let number = cases.last().map_or_else(String::new, |case| {
        let worst = if case.is_exact() {
            case.upper.to_string()
        } else {
            format!("{} to {}", case.lower, case.upper)
        };
        format!("{worst} at W = {}", case.warps)
    });
    let gaps = cases.iter().map(|case| gap(case.lower, case.upper));
    Line {
        of: name,
        what: "worst case",
        href: figure.map(|figure| figure.file.trim_end_matches(".svg").to_owned()),
        said: Said { tone, verdict, number, gap: gaps.reduce(f64::max) },
        file: family.file.clone(),
    }
}
