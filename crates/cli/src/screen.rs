//! The screen on which a person reads an answer: how wide it is, and whether it has colours.
//!
//! `COLUMNS` gives the width, or else the terminal where standard output is one. Without either there is no screen, and
//! lines are not wrapped, so that a script finds each line whole. Colours only repeat what the words say.

use std::cell::Cell;
use std::fmt::Write;
use std::io::{stderr, stdout};
use std::sync::OnceLock;

use anstream::AutoStream;
use anstyle::{AnsiColor, Style};
use clap::ColorChoice;
pub(super) use warpspan_document::Tone;
use warpspan_document::assumptions::Extent;
use warpspan_model::source::{escaped, short};

/// The least width that is kept to: names and numbers need some room.
const LEAST: usize = 40;
/// The width of charts where there is no screen.
const CHART: usize = 100;

#[derive(Debug, Clone, Copy, Default)]
struct Screen {
    width: Option<usize>,
    /// Whether standard output and standard error show colours.
    colours: [bool; 2],
}

thread_local! {
    /// Whether the answers of the command that runs in this thread show all that they rest on.
    static ALL_ASSUMPTIONS: Cell<bool> = const { Cell::new(false) };
}

/// It stays empty inside another program, which shows the answers in its own way.
static SCREEN: OnceLock<Screen> = OnceLock::new();

/// Examines the screen once, with the value of `--color`.
pub(super) fn begin(colour: ColorChoice) {
    let choice = match colour {
        ColorChoice::Auto => anstream::ColorChoice::Auto,
        ColorChoice::Always => anstream::ColorChoice::Always,
        ColorChoice::Never => anstream::ColorChoice::Never,
    };
    choice.write_global();
    let shown = |choice| choice != anstream::ColorChoice::Never;
    let colours = [AutoStream::choice(&stdout()), AutoStream::choice(&stderr())].map(shown);
    let given = std::env::var("COLUMNS").ok().and_then(|columns| columns.trim().parse().ok());
    let terminal = || terminal_size::terminal_size_of(stdout()).map(|(width, _)| usize::from(width.0));
    let width = given.filter(|&width| width > 0).or_else(terminal).filter(|&width| width > 0);
    let _ = SCREEN.set(Screen { width: width.map(|width| width.max(LEAST)), colours });
}

/// Sets whether answers show all that they rest on, for the command that runs in this thread.
pub(super) fn show_assumptions(all: bool) {
    ALL_ASSUMPTIONS.set(all);
}

/// How much answers show of what they rest on.
pub(super) fn assumptions() -> Extent {
    if ALL_ASSUMPTIONS.get() { Extent::All } else { Extent::Usual }
}

fn screen() -> Screen {
    SCREEN.get().copied().unwrap_or_default()
}

/// The characters of a line; none where lines are as long as they are.
pub(super) fn width() -> Option<usize> {
    screen().width
}

/// The characters of a line of a chart.
pub(super) fn chart_width() -> usize {
    width().unwrap_or(CHART)
}

/// Colours that can be read on a light and on a dark ground, in bold so that they differ from plain text by more.
fn style(tone: Tone) -> Style {
    let bold = Style::new().bold();
    match tone {
        Tone::Code => Style::new(),
        Tone::Answer => bold,
        Tone::Proved => bold.fg_color(Some(AnsiColor::Green.into())),
        Tone::Refuted => bold.fg_color(Some(AnsiColor::Red.into())),
        Tone::Undecided => bold.fg_color(Some(AnsiColor::Magenta.into())),
    }
}

/// Whether standard output shows colours.
pub(super) fn is_coloured() -> bool {
    screen().colours[0]
}

/// A word of the answer in its colour, where standard output shows colours.
pub(super) fn paint(tone: Tone, word: &str) -> String {
    painted(is_coloured(), tone, word)
}

/// A word of a message in its colour, where standard error shows colours.
pub(super) fn paint_message(tone: Tone, word: &str) -> String {
    painted(screen().colours[1], tone, word)
}

fn painted(shown: bool, tone: Tone, word: &str) -> String {
    let style = style(tone);
    if shown && tone != Tone::Code { format!("{style}{word}{style:#}") } else { word.to_owned() }
}

/// A message on one short line, whatever text of an input it quotes.
pub(super) fn one_line(message: &str) -> String {
    escaped(&short(message))
}

/// A text whose lines go on below their beginning where they are longer than the screen.
pub(super) fn folded(text: String) -> String {
    match width() {
        Some(width) => fold(&text, width),
        None => text,
    }
}

/// Breaks lines at blanks, but for the rows of tables, which have their own width.
fn fold(text: &str, width: usize) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        if line.starts_with('|') || seen(line.trim_end_matches('\n')) <= width {
            out.push_str(line);
            continue;
        }
        let indent = indent(line).min(width / 2);
        let mut used = 0;
        for (at, word) in line.trim_end_matches('\n').split(' ').enumerate() {
            let length = seen(word);
            if at > 0 && used + 1 + length > width && used > indent {
                let _ = write!(out, "\n{:indent$}", "");
                used = indent;
            } else if at > 0 {
                out.push(' ');
                used += 1;
            }
            out.push_str(word);
            used += length;
        }
        out.push('\n');
    }
    out
}

/// The widest labels of a line together.
const LABELS: usize = 40;

/// Where the text of a line begins after its labels, each of which ends with two blanks or more.
fn indent(line: &str) -> usize {
    let start = line.len() - line.trim_start_matches(' ').len();
    let ends = line.match_indices("  ").filter(|&(at, _)| at > start && at < LABELS).map(|(at, _)| at);
    let text = ends.last().and_then(|at| Some(at + line[at..].find(|c| c != ' ')?));
    text.map_or(start + 2, |text| seen(&line[..text]))
}

/// The characters of a text that are seen, which those that set a colour are not.
fn seen(text: &str) -> usize {
    anstream::adapter::strip_str(text).to_string().chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_go_on_below_their_text() {
        let line = "note        one two three four five six seven eight\n";
        assert_eq!(fold(line, 40), "note        one two three four five six\n            seven eight\n");
        let labels = "8.7     source   one two three four five six\n";
        assert_eq!(fold(labels, 34), "8.7     source   one two three\n                 four five six\n");
        assert_eq!(
            fold("a line without a label that is long\n", 20),
            "a line without a\n  label that is long\n"
        );
        assert_eq!(fold("short\n\nlines\n", 20), "short\n\nlines\n");
        let row = "| a row of a table that is longer than the screen |\n";
        assert_eq!(fold(row, 20), row);
        let kernel = "L".repeat(60);
        assert_eq!(fold(&format!("kernel      {kernel}\n"), 40), format!("kernel      {kernel}\n"));
    }

    #[test]
    fn colours_take_no_room() {
        let red = painted(true, Tone::Refuted, "refuted");
        assert_eq!(seen(&red), 7);
        assert!(red.len() > 7 && red.ends_with("\u{1b}[0m"));
        assert_eq!(painted(false, Tone::Refuted, "refuted"), "refuted");
    }
}
