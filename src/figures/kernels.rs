//! Listings of compiled kernels: each instruction with its phase and its share of the bound.

use std::fmt::Write;

use crate::figures::theme::escape;

/// An entry of a listing with its bound, or why it has none, as `extract --warps` found it.
#[derive(Debug, Clone)]
pub struct Listed {
    /// The file of the code.
    pub file: String,
    /// The name of the entry.
    pub name: String,
    /// Its compute capability.
    pub capability: String,
    /// Whether it has a bound; if not, the facts say why.
    pub is_bounded: bool,
    /// What is known of it, each with a name.
    pub facts: Vec<(&'static str, String)>,
    /// Its instructions.
    pub lines: Vec<ListedLine>,
}

/// An instruction of a listing.
#[derive(Debug, Clone)]
pub struct ListedLine {
    /// Where it stands.
    pub line: u32,
    /// The label before it.
    pub label: Option<String>,
    /// Its text.
    pub instruction: String,
    /// Its letter.
    pub letter: String,
    /// How many letters it is.
    pub count: Option<u64>,
    /// The phases that it acts in: `L`, `C`, `LC`, or `-` off the best path.
    pub phase: Option<String>,
    /// What it adds to a, in cycles.
    pub adds: Option<String>,
    /// The same in percent of what all lines add.
    pub share: Option<f64>,
}

const TEXT: &str = "Each instruction with its letter, how many letters it is, the phase that it acts in on a path of the largest a, \
    and what it adds to a there, the cycles that each further warp takes: in cycles, and as a share of what all lines add. Without an \
    instruction a is smaller by no more than it adds. A dash: no letter of it is on that path.";

/// The section; nothing without listings.
pub(super) fn section(listings: &[Listed]) -> String {
    let mut out = String::new();
    if listings.is_empty() {
        return out;
    }
    let _ = writeln!(out, "<section id=\"kernels\">\n<h2>Kernels</h2>\n<p>{TEXT}</p>");
    for (number, Listed { file, name, capability, facts, lines, .. }) in (1..).zip(listings) {
        let _ = writeln!(
            out,
            "<h3 id=\"kernels-{number:02}\">{}</h3>\n<dl>\n<dt>code</dt><dd><code>{}</code>, compute capability {}</dd>",
            escape(name),
            escape(file),
            escape(capability)
        );
        for (name, fact) in facts {
            let _ = writeln!(out, "<dt>{name}</dt><dd>{}</dd>", escape(fact));
        }
        out.push_str(
            "</dl>\n<div class=\"listing\"><table>\n<thead><tr><th scope=\"col\">line</th><th scope=\"col\">label</th>\
             <th scope=\"col\">instruction</th><th scope=\"col\">letter</th><th scope=\"col\">count</th><th scope=\"col\">phase</th>\
             <th scope=\"col\">adds</th><th scope=\"col\">share</th></tr></thead>\n<tbody>\n",
        );
        lines.iter().for_each(|line| row(&mut out, line));
        out.push_str("</tbody>\n</table></div>\n");
    }
    out.push_str("</section>\n");
    out
}

fn row(out: &mut String, line: &ListedLine) {
    let text = |text: &Option<String>| text.as_deref().map(escape).unwrap_or_default();
    let share = line.share.map_or(String::new(), |share| {
        let share = share.clamp(0.0, 100.0);
        format!("<meter min=\"0\" max=\"100\" value=\"{share:.1}\"></meter> {share:.1}%")
    });
    let _ = writeln!(
        out,
        "<tr><td class=\"number\">{}</td><td>{}</td><td><code>{}</code></td><td>{}</td><td class=\"number\">{}</td><td>{}</td>\
         <td class=\"number\">{}</td><td class=\"number\">{share}</td></tr>",
        line.line,
        text(&line.label),
        escape(&line.instruction),
        escape(&line.letter),
        line.count.map_or("?".to_owned(), |count| count.to_string()),
        text(&line.phase),
        text(&line.adds),
    );
}
