//! The table of docs/simulator.md.

use std::fmt::Write as _;

use super::Row;
use super::bounds::Bounds;

/// A number with its thousands apart.
fn apart(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The median.
pub(crate) fn median(ratios: impl Iterator<Item = f64>) -> f64 {
    let mut all: Vec<f64> = ratios.collect();
    all.sort_by(f64::total_cmp);
    all[all.len() / 2]
}

/// Whether a launch is one of a group.
pub(crate) type Group = fn(&Row) -> bool;

/// The launches that a median is of.
pub(crate) const GROUPS: [(&str, Group); 3] =
    [("single blocks", |row| !row.run.is_grid()), ("grids", |row| row.run.is_grid()), ("all", |_| true)];

/// The median of how many times the simulated cycles a bound of some launches is.
pub(crate) fn median_of(rows: &[Row], group: Group, bound: impl Fn(&Row) -> u64) -> f64 {
    median(rows.iter().filter(|row| group(row)).map(|row| row.ratio(bound(row))))
}

/// The first line and the last one of a table are those between which the page is written anew.
pub(crate) const FIRST: &str = "| launch |";
pub(crate) const LAST: &str = "| whole lines |";

/// The table in Markdown: of each launch the bounds and, behind them, how many times the simulated cycles they are. Then the
/// medians for what is declared.
pub(crate) fn table(rows: &[Row]) -> String {
    let mut text = String::from(
        "| launch | simulated | PTX, undeclared | PTX, declared | SASS, undeclared | SASS, declared | preset, undeclared | preset, declared |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    let cells = |row: &Row| [row.ptx, row.sass, row.preset].map(|[none, _, lines]| [none, lines]).concat();
    for row in rows {
        write!(text, "| {} | {} |", row.run.name, apart(row.run.simulated)).unwrap();
        for bound in cells(row) {
            let ratio = row.ratio(bound);
            let mark = if bound < row.run.simulated { "**" } else { "" };
            write!(text, " {} ({mark}{ratio:.2}{mark}) |", apart(bound)).unwrap();
        }
        text.push('\n');
    }
    for (name, group) in GROUPS {
        write!(text, "| median of {name} | |").unwrap();
        for column in 0..6 {
            write!(text, " {:.2} |", median_of(rows, group, |row| cells(row)[column])).unwrap();
        }
        text.push('\n');
    }
    text.push_str(
        "\nMedians of single blocks and of grids, by what is declared of the traffic:\n\n| declared |",
    );
    for machine in ["PTX", "SASS", "preset"] {
        write!(text, " {machine}, blocks | {machine}, grids |").unwrap();
    }
    text.push_str("\n|---|--:|--:|--:|--:|--:|--:|\n");
    for (declared, name) in ["| nothing |", "| sectors |", LAST].into_iter().enumerate() {
        text.push_str(name);
        let of: [fn(&Row) -> &Bounds; 3] = [|row| &row.ptx, |row| &row.sass, |row| &row.preset];
        for of in of {
            for (_, group) in &GROUPS[..2] {
                write!(text, " {:.2} |", median_of(rows, *group, |row| of(row)[declared])).unwrap();
            }
        }
        text.push('\n');
    }
    text
}
