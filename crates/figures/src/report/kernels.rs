//! Listings of compiled kernels: each instruction with its phase and its share of the bound.

use maud::{Markup, html};

use crate::shapes::clean;

/// An entry of a listing with its bound, or with the reason why it has none, as `extract` reports it.
#[derive(Debug, Clone)]
pub struct Listed {
    /// The file of the listing.
    pub file: String,
    /// The name of the entry.
    pub name: String,
    /// Its compute capability.
    pub capability: String,
    /// Where the page finds the listing; `None` where it is not there.
    pub href: Option<String>,
    /// Whether a bound was asked for.
    pub is_asked: bool,
    /// Whether it has a bound; if it has none although one was asked for, the facts say why.
    pub is_bounded: bool,
    /// The cycles that its warps take at most, if it has a bound.
    pub upper: Option<u64>,
    /// The facts about it, each with a name.
    pub facts: Vec<(&'static str, String)>,
    /// Its instructions.
    pub lines: Vec<ListedLine>,
}

/// An instruction of a listing.
#[derive(Debug, Clone)]
pub struct ListedLine {
    /// The line of the listing, from 1.
    pub line: u32,
    /// The label before it, if there is one.
    pub label: Option<String>,
    /// Its text.
    pub instruction: String,
    /// Its letter.
    pub letter: String,
    /// How many letters it counts.
    pub count: Option<u64>,
    /// The phases in which it acts: `L`, `C`, `LC`, or `-` if it is not on the best path.
    pub phase: Option<String>,
    /// The cycles that it adds to a.
    pub adds: Option<String>,
    /// Its share of what all lines add, in percent.
    pub share: Option<f64>,
}

const TEXT: &str = "Each instruction with its letter, how many letters it is, the phase that it acts in on a path of \
    the largest a, and what it adds to a there, the cycles that each further warp takes: in cycles, and as a share of \
    what all lines add. Without an instruction a is smaller by no more than it adds. A dash: no letter of it is on that \
    path. On a machine, which the facts name, each instruction has its letters there, and adds cycles to the critical path.";

/// The headings of the columns.
const HEADS: [&str; 8] = ["line", "label", "instruction", "letter", "count", "phase", "adds", "share"];

/// The section of the listings; it is empty without any.
pub(super) fn section(listings: &[Listed]) -> Markup {
    html! {
        @if !listings.is_empty() {
            section id="kernels" {
                h2 { "Kernels" }
                p { (TEXT) }
                @for (number, listed) in (1..).zip(listings) {
                    h3 id=(id(number)) { (clean(&listed.name)) }
                    dl {
                        dt { "code" }
                        dd {
                            code { (clean(&listed.file)) } ", compute capability " (clean(&listed.capability))
                        }
                        @for (name, fact) in &listed.facts { dt { (name) } dd { (clean(fact)) } }
                    }
                    @if !listed.lines.is_empty() { (table(listed)) }
                }
            }
        }
    }
}

fn table(listed: &Listed) -> Markup {
    let largest = largest(&listed.lines);
    html! {
        div class="listing" {
            table class="sortable" {
                thead {
                    tr {
                        @for head in HEADS {
                            @let is_number = matches!(head, "line" | "count" | "adds" | "share");
                            th scope="col" class=[is_number.then_some("number")] { (head) }
                        }
                    }
                }
                tbody { @for line in &listed.lines { (row(line, listed.href.as_deref(), largest)) } }
            }
        }
    }
}

fn largest(lines: &[ListedLine]) -> f64 {
    lines.iter().filter_map(|line| line.share).fold(0.0, f64::max)
}

/// The anchor of a listing on the page.
pub(super) fn id(number: usize) -> String {
    format!("kernels-{number:02}")
}

/// The bar of a share is as long as the share is of the largest one.
fn row(line: &ListedLine, href: Option<&str>, largest: f64) -> Markup {
    let shares = |share: f64| {
        let part = if largest > 0.0 { 100.0 * share / largest } else { 0.0 };
        (format!("{:.1}", share.clamp(0.0, 100.0)), format!("{:.1}", part.clamp(0.0, 100.0)))
    };
    let text = |text: &Option<String>| text.as_deref().map(clean).unwrap_or_default();
    html! {
        tr {
            td class="number" {
                @if let Some(href) = href { a href={ (href) "#L" (line.line) } { (line.line) } } @else { (line.line) }
            }
            td { (text(&line.label)) }
            td { code { (clean(&line.instruction)) } }
            td { (clean(&line.letter)) }
            td class="number" { (line.count.map_or(String::new(), |count| count.to_string())) }
            td { (text(&line.phase)) }
            td class="number" { (text(&line.adds)) }
            td class="number" {
                @if let Some((share, bar)) = line.share.map(shares) {
                    span class="share" { i style={ "width:" (bar) "%" } {} } " " (share) "%"
                }
            }
        }
    }
}
