//! The table of docs/simulator.md.

use std::fmt::Write as _;

use super::Row;

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

/// The table in Markdown: of each launch the bounds and, behind them, how many times the simulated cycles they are.
pub(crate) fn table(rows: &[Row]) -> String {
    let mut text = String::from(
        "| launch | simulated | PTX, old bound | undeclared | declared | SASS, preset, old bound | undeclared | declared |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    let cells = |row: &Row| {
        let [ptx, preset] = [row.ptx, row.preset].map(|[none, sectors, _]| [none, sectors]);
        [row.old_ptx, ptx[0], ptx[1], row.old_preset, preset[0], preset[1]]
    };
    for row in rows {
        write!(text, "| {} | {} |", row.run.name, apart(row.run.simulated)).unwrap();
        for bound in cells(row) {
            let ratio = row.ratio(bound);
            let mark = if bound < row.run.simulated { "**" } else { "" };
            write!(text, " {} ({mark}{ratio:.2}{mark}) |", apart(bound)).unwrap();
        }
        text.push('\n');
    }
    text.push_str("| median ratio | |");
    for column in 0..6 {
        write!(text, " {:.2} |", median(rows.iter().map(|row| row.ratio(cells(row)[column])))).unwrap();
    }
    text.push('\n');
    text
}
