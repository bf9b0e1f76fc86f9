//! The page: one self-contained HTML file.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::report::case::Family;
use crate::report::summary::summary;
use crate::report::title::title;
use crate::report::{Figure, Input, Section, answers, code, overview};
use crate::theme::STYLE;
use warpspan_document::clean;
use warpspan_document::words::last;

/// The style sheet of the page, to which that of the drawings is added.
const PAGE: &str = include_str!("page.css");
/// The script of the page. Without it tables keep their order, and drawings show their texts after a while.
const SCRIPT: &str = include_str!("page.js");
/// The page may load nothing: it is self-contained.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

/// The lines of the figures: the name of each, its meaning, its side of the worst case, and whether it is
/// safe.
const LINES: [(&str, &str, &str, &str); 8] = [
    ("worst case, exact", "lower and upper bound meet: the largest makespan of any schedule", "both", "yes"),
    (
        "at least",
        "a schedule that long was replayed, or a theorem says so",
        "lower bound",
        "as a lower bound",
    ),
    ("at most", "proved by an engine or a formula", "upper bound", "yes"),
    (
        "phase bound",
        "closed form of warpspan; exact for one kernel where both sigmas are at most 1",
        "upper bound",
        "yes",
    ),
    ("pessimistic", "Be12 Eq. 5-7", "upper bound", "only where both sigmas are at most 1 (erratum E2)"),
    ("estimate", "Be12 Eq. 42-43: min over y = 1..x of ceil(W/y) T(y)", "neither", "never (erratum E1)"),
    (
        "lrr, gto, oldest, rt-paws, random",
        "a warp-scheduling policy, simulated: one of the schedules",
        "lower bound",
        "as a lower bound",
    ),
    ("(unsafe)", "a number of Be12 that lies below what the worst case is at least", "", "no"),
];

/// The text of the page.
pub(super) fn page(input: &Input, families: &[Family], sections: &[Section]) -> String {
    let about = title(input, families);
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="color-scheme" content="light dark";
                title { (about) " - warpspan" }
                style { (PreEscaped(PAGE)) (PreEscaped(STYLE)) }
            }
            body {
                main {
                    h1 { (about) }
                    (overview::table(input, families, sections))
                    (contents(input, sections))
                    (answers::sections(&input.answers))
                    @for section in sections { (body(section)) }
                    (code::section(&input.codes))
                    (foot(input, families))
                    footer {
                        "Be12: K. Berezovskyi, K. Bletsas, B. Andersson, "
                        cite { "Makespan computation for GPU threads running on a single streaming multiprocessor" }
                        ", ECRTS 2012. Drawn by warpspan " (env!("CARGO_PKG_VERSION")) "."
                    }
                }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    }
    .into_string()
        + "\n"
}

/// What the page is made of, and what the lines of its figures mean.
fn foot(input: &Input, families: &[Family]) -> Markup {
    html! {
        section id="input" {
            h2 { "What was read" }
            dl { @for (name, text) in summary(input, families) { dt { (name) } dd { (text) } } }
        }
        @if !input.rows.is_empty() {
            section id="lines" {
                h2 { "What the lines are" }
                div class="listing" {
                    table {
                        thead {
                            tr {
                                @for head in ["line", "is", "side", "safe for a real-time analysis"] {
                                    th scope="col" { (head) }
                                }
                            }
                        }
                        tbody {
                            @for (name, meaning, side, safe) in LINES {
                                tr { th scope="row" { (name) } td { (meaning) } td { (side) } td { (safe) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn contents(input: &Input, sections: &[Section]) -> Markup {
    if sections.is_empty() && input.answers.is_empty() {
        return html! {
            p {
                "No figure: each needs two numbers of warps, two values of x, or two engines; a table of more cells \
                 has them."
            }
        };
    }
    html! {
        nav id="contents" {
            details {
            summary { "Contents" }
            ul {
                @for (subject, answers) in answers::by_subject(&input.answers) {
                    li {
                        a href={ "#" (subject.id) } { (subject.title) }
                        ol {
                            @for (number, answer) in (1..).zip(answers) {
                                li { a href={ "#" (answers::id(subject, number)) } { (clean(&answer.document.title)) } }
                            }
                        }
                    }
                }
                @for section in sections {
                    li {
                        a href={ "#" (section.name) } { (section.title) }
                        ol {
                            @for figure in &section.figures {
                                li { a href={ "#" (id(figure)) } { (clean(&figure.title)) } }
                            }
                        }
                    }
                }
                @if !input.codes.is_empty() {
                    li {
                        a href="#code" { "Lines and what they add" }
                        ol {
                            @for (number, code) in (1..).zip(&input.codes) {
                                li { a href={ "#" (code::id(number)) } { (clean(&code.of)) ", " (clean(last(&code.file))) } }
                            }
                        }
                    }
                }
                li { a href="#input" { "What was read" } }
                @if !input.rows.is_empty() { li { a href="#lines" { "What the lines are" } } }
            }
            }
        }
    }
}

fn body(section: &Section) -> Markup {
    let Section { name, title, text, figures, of } = section;
    html! {
        section id=(name) {
            h2 { (title) }
            p { (text) }
            @if figures.len() < *of {
                p class="note" { (figures.len()) " of " (of) " are drawn, first those with the largest gaps or misses, and of equal ones the first; give a smaller table for others." }
            }
            @for figure in figures {
                figure id=(id(figure)) {
                    div class="drawing" { (PreEscaped(without_style(&figure.svg))) }
                    figcaption {
                        strong { (clean(&figure.title)) "." } " " (clean(&figure.caption)) " "
                        span class="file" {
                            a href=(figure.file) { (figure.file) }
                            " " a href={ (id(figure)) ".tex" } { ".tex" }
                            " " a href={ (id(figure)) ".pdf" } { ".pdf" }
                            @if figure.points.is_some() { " " a href={ (id(figure)) ".csv" } { ".csv" } }
                        }
                    }
                }
            }
        }
    }
}

/// A drawing without its style sheet, of which the page has a single copy.
fn without_style(svg: &str) -> String {
    let (before, rest) = svg.split_once("<style>").unwrap_or((svg, ""));
    let (_, after) = rest.split_once("</style>").unwrap_or(("", rest));
    format!("{before}{after}")
}

fn id(figure: &Figure) -> &str {
    figure.file.trim_end_matches(".svg")
}
