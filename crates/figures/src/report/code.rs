//! Code with what its lines add: the text of the source, or the instructions of a listing, in the colours of a heat map.

use maud::{Markup, html};

use crate::report::amounts::Amounts;
use warpspan_document::clean;
use warpspan_document::words::last;

/// A file of code, or the part of it that costs anything.
#[derive(Debug, Clone, PartialEq)]
pub struct Code {
    /// What the costs are of, such as the name of the kernel.
    pub of: String,
    /// The file as the record names it.
    pub file: String,
    /// Where the page finds the file; `None` where it is not there.
    pub href: Option<String>,
    /// What the cycles are, for the heading of their column.
    pub unit: &'static str,
    /// The lines, in order.
    pub lines: Vec<CodeLine>,
}

/// A line of code.
#[derive(Debug, Clone, PartialEq)]
pub struct CodeLine {
    /// Its number, from 1.
    pub line: u32,
    /// Its text; `None` where that is not known.
    pub text: Option<String>,
    /// What it adds, if it adds anything.
    pub cost: Option<LineCost>,
}

/// What a line adds.
#[derive(Debug, Clone, PartialEq)]
pub struct LineCost {
    /// By its reasons.
    pub amounts: Amounts,
    /// All of it as a text.
    pub adds: String,
    /// The same in percent of what all lines add.
    pub share: f64,
}

/// The sections of the code; empty without any.
pub(super) fn section(codes: &[Code]) -> Markup {
    html! {
        @if !codes.is_empty() {
            section id="code" {
                h2 { "Lines and what they add" }
                p {
                    "The warmer a line, the more it adds. Its bar has " span class="own" { "the latency of a single warp" } ", "
                    span class="others" { "other warps" } " and " span class="memory" { "the memory" }
                    ", or one colour where the record does not split it; the longest bar is that of the line that adds most."
                }
                @for (number, code) in (1..).zip(codes) { (one(code, number)) }
            }
        }
    }
}

/// The anchor of a code on the page.
pub(super) fn id(number: usize) -> String {
    format!("code-{number:02}")
}

fn one(code: &Code, number: usize) -> Markup {
    let largest = code.lines.iter().filter_map(|line| Some(line.cost.as_ref()?.share)).fold(0.0, f64::max);
    // Of a source all lines around one that adds something are there, so that a gap leaves some out.
    let is_source = code.lines.iter().any(|line| line.cost.is_none());
    let before = std::iter::once(None).chain(code.lines.iter().map(|line| Some(line.line)));
    html! {
        h3 id=(id(number)) { (clean(&code.of)) ", " code { (clean(&code.file)) } }
        div class="listing" {
            table class="code" {
                thead {
                    tr {
                        th scope="col" { "line" }
                        th scope="col" { "code" }
                        th scope="col" { "adds" }
                        th scope="col" class="number" { (code.unit) }
                        th scope="col" class="number" { "share" }
                    }
                }
                tbody {
                    @for (line, before) in code.lines.iter().zip(before) {
                        @let skips = is_source && before.is_some_and(|before| line.line > before + 1);
                        (row(code, line, &id(number), skips, largest))
                    }
                }
            }
        }
    }
}

fn row(code: &Code, line: &CodeLine, id: &str, skips: bool, largest: f64) -> Markup {
    let heat = line.cost.as_ref().map_or(0.0, |cost| if largest > 0.0 { cost.share / largest } else { 0.0 });
    let place = format!("{}:{}", last(&code.file), line.line);
    html! {
        tr id={ (id) "-L" (line.line) } class=[skips.then_some("skips")] style=[(heat > 0.0).then(|| warm(heat))] {
            td class="place" {
                @if let Some(href) = &code.href { a href={ (href) "#L" (line.line) } { (clean(&place)) } }
                @else { (clean(&place)) }
            }
            td { code { (clean(line.text.as_deref().unwrap_or_default())) } }
            @if let Some(LineCost { amounts, adds, share }) = &line.cost {
                td { (bar(*amounts, heat)) }
                td class="number" { (adds) }
                td class="number" { (format!("{share:.1}%")) }
            } @else { td {} td {} td {} }
        }
    }
}

/// The colour behind a line: the more it adds, the fuller, but never so full that its text is hard to read.
fn warm(heat: f64) -> String {
    format!("background:rgb(230 159 0/{:.0}%)", 42.0 * heat)
}

/// A bar whose parts are as long as what they stand for, and which is as long as the line is warm.
fn bar(amounts: Amounts, heat: f64) -> Markup {
    let Amounts { own, others, memory, whole } = amounts;
    let parts = [("own", own), ("others", others), ("memory", memory), ("whole", whole)];
    let sum: f64 = parts.iter().map(|(_, part)| part.max(0.0)).sum();
    let wide =
        |part: f64| format!("width:{:.1}%", if sum > 0.0 { 100.0 * heat * part.max(0.0) / sum } else { 0.0 });
    html! {
        span class="share" { @for (name, part) in parts.into_iter().filter(|(_, part)| *part > 0.0) { i class=(name) style=(wide(part)) {} } }
    }
}
