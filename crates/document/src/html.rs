//! A document as HTML, without any style or script.

use maud::{Markup, html};

use crate::assumptions::Extent;
use crate::{Cell, Document, Part, Table, Text, Tone};
use warpspan_model::source::escaped;

/// Tables of more rows can be sorted, where a page has a script for that.
const FEW: usize = 5;

/// Text as it is shown outside a terminal: with the letter of formulas for the ratios of units, which tables and flags spell, and without
/// characters that XML and HTML forbid or that would disturb a line. The name of a kernel may contain them.
pub fn clean(text: &str) -> String {
    let text = text.replace("sigma_L", "σ_L").replace("sigma_C", "σ_C");
    text.split('\n').map(escaped).collect::<Vec<_>>().join("\n")
}

impl Document {
    /// The document as the inner part of a page.
    pub fn html(&self) -> String {
        let all = self.parts(Extent::All);
        let parts: Vec<&Part> = all.iter().filter(|part| **part != Part::Gap).collect();
        let are_facts = |a: &&Part, b: &&Part| matches!((a, b), (Part::Fact(..), Part::Fact(..)));
        html! { @for parts in parts.chunk_by(are_facts) { (group(parts)) } }.into_string()
    }
}

/// A part, or facts that follow one another.
fn group(parts: &[&Part]) -> Markup {
    match parts[0] {
        Part::Line(said) => html! { p { (text(said)) } },
        Part::Fact(..) => html! { dl { @for part in parts { (fact(part)) } } },
        Part::Gap | Part::RestsOn(_) | Part::AlsoRestsOn(..) => html! {},
        Part::Table(of) => table(of),
        Part::Chart(drawn) => html! { pre { (clean(drawn)) } },
        Part::Details(title) => html! { h4 { (title) } },
    }
}

fn fact(part: &Part) -> Markup {
    let Part::Fact(name, said) = part else { return html! {} };
    html! {
        @if !name.is_empty() { dt { (clean(name.trim())) } }
        dd { (text(said)) }
    }
}

/// The words of a text, those with a tone in its element.
fn text(Text(spans): &Text) -> Markup {
    html! {
        @for (tone, words) in spans {
            @match tone {
                None => (clean(words)),
                Some(Tone::Answer) => b { (clean(words)) },
                Some(Tone::Code) => code { (clean(words)) },
                Some(tone) => span class=(tone.class()) { (clean(words)) },
            }
        }
    }
}

impl Tone {
    /// The class of an element of this tone.
    pub fn class(self) -> &'static str {
        match self {
            Self::Refuted => "bad",
            Self::Undecided => "open",
            Self::Proved | Self::Answer | Self::Code => "good",
        }
    }
}

fn table(Table { heads, numbers, rows, .. }: &Table) -> Markup {
    let number = |column: usize| numbers.contains(&column).then_some("number");
    html! {
        div class="listing" {
            table class=[(rows.len() > FEW).then_some("sortable")] {
                thead { tr { @for (column, head) in heads.iter().enumerate() { th scope="col" class=[number(column)] { (head) } } } }
                tbody {
                    @for row in rows {
                        tr { @for (column, one) in row.iter().enumerate() { td class=[number(column)] { (cell(one)) } } }
                    }
                }
            }
        }
    }
}

fn cell(cell: &Cell) -> Markup {
    match cell {
        Cell::Text(said) => text(said),
        Cell::Bar(part) if *part > 0.0 => {
            html! { span class="share" { i style={ "width:" (format!("{:.1}", 100.0 * part.min(1.0))) "%" } {} } }
        }
        Cell::Bar(_) => html! {},
    }
}
