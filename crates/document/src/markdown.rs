//! A document in Markdown, as GitHub shows it.

use std::fmt::Write;

use crate::assumptions::Extent;
use crate::{Cell, Document, Part, Table, Text, Tone};

impl Document {
    /// The document in Markdown, with the answer as its heading.
    pub fn markdown(&self) -> String {
        let mut out = String::new();
        let all = self.parts(Extent::All);
        let mut last = &Part::Gap;
        let mut has_details = false;
        for (place, part) in all.iter().enumerate() {
            // A list ends before whatever is no item of it.
            if matches!(last, Part::Fact(..)) && !matches!(part, Part::Fact(..)) {
                out.push('\n');
            }
            let _ = match part {
                Part::Line(said) if place == 0 => writeln!(out, "### {}\n", text(said)),
                Part::Fact(name, said) if place == 0 => {
                    writeln!(out, "### {}: {}\n", plain(name.trim()), text(said))
                }
                Part::Line(said) => writeln!(out, "{}\n", text(said)),
                Part::Fact(name, said) if name.trim().is_empty() => writeln!(out, "- {}", text(said)),
                Part::Fact(name, said) => writeln!(out, "- {}: {}", plain(name.trim()), text(said)),
                Part::Gap | Part::RestsOn(_) | Part::AlsoRestsOn(..) => Ok(()),
                Part::Table(of) => writeln!(out, "{}", table(of)),
                Part::Chart(drawn) => writeln!(out, "```text\n{drawn}```\n"),
                Part::Details(title) => {
                    has_details = true;
                    writeln!(out, "<details><summary>{title}</summary>\n")
                }
            };
            last = part;
        }
        out + if has_details { "\n</details>\n" } else { "" }
    }
}

fn table(Table { heads, numbers, rows, .. }: &Table) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let side = |column: usize| if numbers.contains(&column) { "--:" } else { "---" };
    let sides: Vec<&str> = (0..heads.len()).map(side).collect();
    let row = |row: &Vec<Cell>| line(row.iter().map(cell).collect());
    line(heads.iter().map(|head| plain(head)).collect())
        + &format!("|{}|\n", sides.join("|"))
        + &rows.iter().map(row).collect::<String>()
}

fn cell(cell: &Cell) -> String {
    match cell {
        // A bar ends a cell even within a span of code, where it is the only mark that has to be escaped.
        Cell::Text(Text(spans)) => {
            let bars = |words: &String| words.replace('|', "\\|");
            let span = |(tone, words): &(Option<Tone>, String)| match tone {
                Some(Tone::Code) if !words.contains('`') => format!("`{}`", bars(words)),
                _ => text(&Text(vec![(*tone, words.clone())])),
            };
            spans.iter().map(span).collect::<String>().replace('\n', " ")
        }
        Cell::Bar(_) => String::new(),
    }
}

/// The words of a text; bad news and what is open are bold.
fn text(Text(spans): &Text) -> String {
    let words = |(tone, words): &(Option<Tone>, String)| match tone {
        Some(Tone::Code) => code(words),
        Some(Tone::Refuted | Tone::Undecided) => format!("**{}**", plain(words)),
        _ => plain(words),
    };
    spans.iter().map(words).collect()
}

/// A text that is shown as it is.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if "\\`*_[]<>|~#&$@".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// A name or a command, in a span of code where it can stand in one.
fn code(text: &str) -> String {
    if text.contains('`') { plain(text) } else { format!("`{text}`") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_markdown_are_shown_as_they_are() {
        assert_eq!(plain("a*b_c <d> | `e` [f](g)"), "a\\*b\\_c \\<d\\> \\| \\`e\\` \\[f\\](g)");
        assert_eq!(code("_Z4blurPf"), "`_Z4blurPf`");
        assert_eq!(code("a`b|c"), "a\\`b\\|c");
        assert_eq!(cell(&Text::code("a|b").into()), "`a\\|b`");
    }
}
