//! The page: one HTML file that asks for nothing else.

use std::fmt::Write;

use crate::figures::case::Family;
use crate::figures::summary::summary;
use crate::figures::theme::{STYLE, escape};
use crate::figures::{Figure, Input, Section, kernels};

/// The style sheet of the page; that of the drawings is added to it.
const PAGE: &str = include_str!("page.css");

/// What every line of the figures is: name, meaning, side, whether it is safe.
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
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>warpspan report</title>\n\
         <style>\n{PAGE}\n{STYLE}\n</style>\n</head>\n<body>\n<main>\n\
         <h1>Worst-case makespans of GPU warps</h1>\n"
    );
    head(&mut out, input, families);
    contents(&mut out, input, sections);
    for section in sections {
        body(&mut out, section);
    }
    out.push_str(&kernels::section(&input.kernels));
    let _ = writeln!(
        out,
        "<footer>Be12: K. Berezovskyi, K. Bletsas, B. Andersson, <cite>Makespan computation for GPU threads running on a \
         single streaming multiprocessor</cite>, ECRTS 2012. Drawn by warpspan {}.</footer>\n</main>\n</body>\n</html>",
        env!("CARGO_PKG_VERSION")
    );
    out
}

fn head(out: &mut String, input: &Input, families: &[Family]) {
    out.push_str("<section id=\"summary\">\n<h2>Summary</h2>\n<dl>\n");
    for (name, html) in summary(input, families) {
        let _ = writeln!(out, "<dt>{name}</dt><dd>{html}</dd>");
    }
    out.push_str("</dl>\n</section>\n");
    if input.rows.is_empty() {
        return;
    }
    out.push_str(
        "<section id=\"lines\">\n<h2>What the lines are</h2>\n<table>\n<thead><tr><th scope=\"col\">line</th>\
         <th scope=\"col\">is</th><th scope=\"col\">side</th><th scope=\"col\">safe for a real-time analysis</th></tr>\
         </thead>\n<tbody>\n",
    );
    for (name, meaning, side, safe) in LINES {
        let _ = writeln!(
            out,
            "<tr><th scope=\"row\">{name}</th><td>{meaning}</td><td>{side}</td><td>{safe}</td></tr>"
        );
    }
    out.push_str("</tbody>\n</table>\n</section>\n");
}

fn contents(out: &mut String, input: &Input, sections: &[Section]) {
    if sections.is_empty() && input.kernels.is_empty() {
        out.push_str(
            "<p>No figure: each needs two numbers of warps, two values of x, or two engines; a table of more cells \
             has them.</p>\n",
        );
        return;
    }
    out.push_str("<nav id=\"contents\">\n<h2>Contents</h2>\n<ul>\n");
    for section in sections {
        let _ = write!(out, "<li><a href=\"#{}\">{}</a>\n<ol>\n", section.name, section.title);
        for figure in &section.figures {
            let _ = writeln!(out, "<li><a href=\"#{}\">{}</a></li>", id(figure), escape(&figure.title));
        }
        out.push_str("</ol></li>\n");
    }
    if !input.kernels.is_empty() {
        out.push_str("<li><a href=\"#kernels\">Kernels</a>\n<ol>\n");
        for (number, kernel) in (1..).zip(&input.kernels) {
            let _ = writeln!(out, "<li><a href=\"#kernels-{number:02}\">{}</a></li>", escape(&kernel.name));
        }
        out.push_str("</ol></li>\n");
    }
    out.push_str("</ul>\n</nav>\n");
}

fn body(out: &mut String, section: &Section) {
    let Section { name, title, text, figures, of } = section;
    let _ = writeln!(out, "<section id=\"{name}\">\n<h2>{title}</h2>\n<p>{text}</p>");
    if figures.len() < *of {
        let _ = writeln!(
            out,
            "<p class=\"note\">{} of {of} are drawn; give a smaller table for others.</p>",
            figures.len()
        );
    }
    for figure in figures {
        let svg = figure.svg.replacen(&format!("<style>{STYLE}</style>\n"), "", 1);
        let _ = writeln!(
            out,
            "<figure id=\"{}\">\n<div class=\"drawing\">{svg}</div>\n<figcaption><strong>{}.</strong> {} \
             <a class=\"file\" href=\"{file}\">{file}</a></figcaption>\n</figure>",
            id(figure),
            escape(&figure.title),
            escape(&figure.caption),
            file = figure.file,
        );
    }
    out.push_str("</section>\n");
}

fn id(figure: &Figure) -> &str {
    figure.file.trim_end_matches(".svg")
}
