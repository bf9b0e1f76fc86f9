//! Where a bound comes from: what adds up to it, one bar after the other, and what lines of code add.

use crate::bars::{Bars, Piece, Row};
use crate::paper::Paper;
use crate::report::amounts::{Amounts, Costed, Costs, Quantity};
use crate::report::{Shows, Sketch};
use crate::scale::{Scale, short, time};
use crate::theme::{BLUE, Colour, GREEN, INK, ORANGE, PURPLE};

/// The most rows that are drawn; the others are one row together.
const MOST: usize = 24;

/// The reasons with their colours.
const REASONS: [(&str, Colour); 4] = [
    ("latency of a single warp", BLUE),
    ("other warps", ORANGE),
    ("memory", GREEN),
    ("not split further", PURPLE),
];

impl From<Costs> for Sketch {
    fn from(costs: Costs) -> Self {
        Self {
            section: if costs.sum.is_some() { Shows::AddsUp } else { Shows::Lines },
            interest: 0,
            title: costs.title.clone(),
            caption: costs.caption.clone(),
            points: Some(points(&costs)),
            draw: Box::new(move |paper| drawing(&costs, paper)),
        }
    }
}

fn drawing(Costs { title, quantity, rows, sum, deadline, .. }: &Costs, paper: &Paper) -> String {
    let write = |number: f64| match quantity {
        Quantity::Time => time(number),
        Quantity::Cycles => short(number),
    };
    let mut shown: Vec<Costed> = rows.iter().take(MOST).cloned().collect();
    let further = &rows[shown.len()..];
    if !further.is_empty() {
        shown.push(Costed {
            name: format!("{} more together", further.len()),
            amounts: further.iter().map(|row| row.amounts).sum(),
            tip: String::new(),
        });
    }
    let mut from = 0.0;
    let mut drawn = Vec::new();
    for (place, Costed { name, amounts, tip }) in shown.iter().enumerate() {
        // Side by side, a bar of many lines would make those of the others short.
        let is_drawn = sum.is_some() || place < MOST;
        let pieces = if is_drawn { pieces(from, *amounts) } else { Vec::new() };
        from = pieces.last().filter(|_| sum.is_some()).map_or(from, |piece| piece.to);
        let number = write(amounts.sum());
        drawn.push(Row { name: name.clone(), tip: told(name, *amounts, tip, write), pieces, number });
    }
    if let Some((name, sum)) = sum {
        let pieces = vec![Piece { from: 0.0, to: *sum, fill: INK }];
        drawn.push(Row {
            name: name.clone(),
            pieces,
            number: write(*sum),
            tip: format!("{name}: {}", write(*sum)),
        });
    }
    let most = drawn.iter().flat_map(|row| &row.pieces).map(|piece| piece.to).fold(0.0, f64::max);
    // A deadline that is far away would leave no room for the bars.
    let mark = deadline.clone().filter(|(_, at)| *at <= 3.0 * most);
    let is_there = |reason: usize| shown.iter().any(|row| row.amounts.all()[reason].abs() > 0.0);
    let legend: Vec<(&str, Colour)> =
        (0..).zip(REASONS).filter(|(reason, _)| is_there(*reason)).map(|(_, name)| name).collect();
    let bars = Bars {
        title,
        scale: match quantity {
            Quantity::Time => Scale::of_time(mark.iter().map(|(_, at)| *at).fold(most, f64::max)),
            Quantity::Cycles => Scale { unit: "cycles", each: 1.0 },
        },
        rows: drawn,
        mark,
        is_joined: sum.is_some(),
        // A single colour needs no name, unless it says what the bars are of.
        legend: if legend.len() == 1 && legend[0].0 == REASONS[3].0 { Vec::new() } else { legend },
    };
    bars.draw(paper)
}

/// The stretches of a row, one after the other.
fn pieces(mut from: f64, amounts: Amounts) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for (amount, (_, fill)) in amounts.all().into_iter().zip(REASONS) {
        if amount.abs() > 0.0 {
            pieces.push(Piece { from, to: from + amount, fill });
            from += amount;
        }
    }
    pieces
}

fn told(name: &str, amounts: Amounts, tip: &str, write: impl Fn(f64) -> String) -> String {
    let reasons = amounts.all().into_iter().zip(REASONS).filter(|(amount, _)| amount.abs() > 0.0);
    let reasons: Vec<String> =
        reasons.map(|(amount, (reason, _))| format!("\n{reason}: {}", write(amount))).collect();
    let split = if reasons.len() > 1 { reasons.concat() } else { String::new() };
    let more = if tip.is_empty() { String::new() } else { format!("\n{tip}") };
    format!("{name}: {}{split}{more}", write(amounts.sum()))
}

/// All rows with their numbers, in nanoseconds or cycles, as CSV.
fn points(costs: &Costs) -> String {
    let unit = match costs.quantity {
        Quantity::Time => "ns",
        Quantity::Cycles => "cycles",
    };
    let mut table = csv::Writer::from_writer(Vec::new());
    // Writing to memory does not fail.
    let _ = table.write_record(["of", "own", "other warps", "memory", "not split", "unit"]);
    for Costed { name, amounts, .. } in &costs.rows {
        let [own, others, memory, whole] = amounts.all().map(|amount| amount.to_string());
        let _ = table.write_record([name, &own, &others, &memory, &whole, unit]);
    }
    String::from_utf8(table.into_inner().unwrap_or_default()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_follow_one_another_and_further_ones_are_not_lost() {
        let row = |number: u32| Costed {
            name: format!("line {number}"),
            amounts: Amounts { own: f64::from(number), memory: 2.0, ..Amounts::default() },
            tip: String::new(),
        };
        // 1 + ... + 30 is 465, and 30 times 2 is 60.
        let costs = Costs {
            title: "t".to_owned(),
            caption: String::new(),
            quantity: Quantity::Cycles,
            rows: (1..=30).map(row).collect(),
            sum: Some(("all".to_owned(), 525.0)),
            deadline: None,
        };
        let drawn = Sketch::from(costs);
        let svg = (drawn.draw)(&Paper::default());
        // 25 + ... + 30 is 165, and 6 times 2 is 12.
        assert!(svg.contains("6 more together: 177") && svg.contains("all: 525"), "{svg}");
        assert_eq!(drawn.points.unwrap().lines().count(), 31);
        let amounts = Amounts { own: 3.0, others: 4.0, memory: -2.0, whole: 0.0 };
        let ends: Vec<(f64, f64)> =
            pieces(10.0, amounts).iter().map(|piece| (piece.from, piece.to)).collect();
        assert_eq!(ends, [(10.0, 13.0), (13.0, 17.0), (17.0, 15.0)]);
    }
}
