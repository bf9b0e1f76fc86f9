//! What lines add more or less.
//!
//! Lines of the source are compared by file and number. Where a version names no source, the instructions of the two
//! listings are aligned by their opcodes, as a tool that shows differences aligns lines: numbers of lines and of
//! registers change with every compilation.

use std::cmp::Reverse;

use num_traits::ToPrimitive;
use serde_json::Number;
use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::compare::in_percent;
use crate::compare::{Exact, LineChange};
use crate::compared::items::Adds;
use warpspan_engines::phase::Rational;

/// Longer listings are not aligned.
const MOST_LINES: usize = 20_000;

/// The lines that add more or less, the largest change first.
pub(super) fn changes(old: &Adds, new: &Adds) -> Vec<LineChange> {
    if old.of != new.of {
        return Vec::new();
    }
    let mut found = if !old.source.is_empty() && !new.source.is_empty() {
        of_source(old, new)
    } else if old.lines.len().max(new.lines.len()) <= MOST_LINES {
        of_listings(old, new)
    } else {
        Vec::new()
    };
    found.retain(|(_, change)| *change != Rational::default());
    let size = |change: Rational| if change < Rational::default() { -change } else { change };
    found.sort_by_key(|(_, change)| Reverse(size(*change)));
    found.into_iter().map(|(line, _)| line).collect()
}

fn of_source(old: &Adds, new: &Adds) -> Vec<(LineChange, Rational)> {
    let gone = old.source.keys().filter(|key| !new.source.contains_key(key));
    let keys = new.source.keys().chain(gone);
    keys.map(|key| {
        let [before, after] = [old, new].map(|side| side.source.get(key).copied());
        let (file, line) = (Some(key.0.clone()), Some(key.1));
        let line = LineChange { file, old_line: line, new_line: line, ..blank() };
        with(line, before, after)
    })
    .collect()
}

fn of_listings(old: &Adds, new: &Adds) -> Vec<(LineChange, Rational)> {
    let opcodes =
        |side: &Adds| -> Vec<String> { side.lines.iter().map(|line| opcode(line.1.as_deref())).collect() };
    let mut found = Vec::new();
    let mut add = |before: Option<usize>, after: Option<usize>| {
        let (before, after) = (before.map(|at| &old.lines[at]), after.map(|at| &new.lines[at]));
        let line = LineChange {
            old_line: before.map(|line| line.0),
            new_line: after.map(|line| line.0),
            instruction: after.or(before).and_then(|line| line.1.clone()),
            ..blank()
        };
        found.push(with(line, before.map(|line| line.2), after.map(|line| line.2)));
    };
    for step in capture_diff_slices(Algorithm::Myers, &opcodes(old), &opcodes(new)) {
        match step {
            DiffOp::Equal { old_index, new_index, len } => {
                (0..len).for_each(|at| add(Some(old_index + at), Some(new_index + at)));
            }
            DiffOp::Delete { old_index, old_len, .. } => {
                (old_index..old_index + old_len).for_each(|at| add(Some(at), None));
            }
            DiffOp::Insert { new_index, new_len, .. } => {
                (new_index..new_index + new_len).for_each(|at| add(None, Some(at)));
            }
            DiffOp::Replace { old_index, old_len, new_index, new_len } => {
                (old_index..old_index + old_len).for_each(|at| add(Some(at), None));
                (new_index..new_index + new_len).for_each(|at| add(None, Some(at)));
            }
        }
    }
    found
}

/// The opcode of an instruction, behind its predicate.
fn opcode(instruction: Option<&str>) -> String {
    let words = instruction.unwrap_or_default().split_whitespace();
    words.into_iter().find(|word| !word.starts_with('@')).unwrap_or_default().to_owned()
}

/// A line of which nothing is known yet.
fn blank() -> LineChange {
    let zero = || Number::from(0);
    let exact = Exact { old: String::new(), new: String::new(), change: String::new() };
    LineChange {
        file: None,
        old_line: None,
        new_line: None,
        instruction: None,
        old: zero(),
        new: zero(),
        change: zero(),
        percent: None,
        exact,
    }
}

fn with(line: LineChange, before: Option<Rational>, after: Option<Rational>) -> (LineChange, Rational) {
    let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
    let change = after - before;
    let [old, new, difference] = [before, after, change].map(|number| number.to_string());
    let line = LineChange {
        old: decimal(before),
        new: decimal(after),
        change: decimal(change),
        percent: in_percent(before, after),
        exact: Exact { old, new, change: difference },
        ..line
    };
    (line, change)
}

/// A whole number if it is one, else the nearest double.
fn decimal(number: Rational) -> Number {
    let whole = number.is_integer().then(|| number.to_integer().to_i64()).flatten();
    let real = || number.to_f64().and_then(Number::from_f64);
    whole.map(Number::from).or_else(real).unwrap_or_else(|| Number::from(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::Of;

    fn listing(lines: &[(u32, &str, i128)]) -> Adds {
        let line =
            |&(line, text, adds): &(u32, &str, i128)| (line, Some(text.to_owned()), Rational::from(adds));
        Adds { of: Some(Of::FurtherWarp), lines: lines.iter().map(line).collect(), ..Adds::default() }
    }

    fn shown(old: &Adds, new: &Adds) -> Vec<String> {
        let side = |line: Option<u32>| line.map_or("-".to_owned(), |line| line.to_string());
        let show = |one: LineChange| {
            format!(
                "{} {} {} {}",
                side(one.old_line),
                side(one.new_line),
                one.change,
                one.instruction.or(one.file).unwrap()
            )
        };
        changes(old, new).into_iter().map(show).collect()
    }

    #[test]
    fn instructions_are_aligned_whatever_their_lines_and_registers() {
        let old = listing(&[(10, "LDG.E R0, [R2]", 8), (11, "FADD R1, R1, R0", 1), (12, "@P0 BRA L", 1)]);
        let new = listing(&[
            (20, "LDG.E R4, [R6]", 16),
            (21, "LDG.E R5, [R6+4]", 4),
            (22, "FADD R1, R1, R4", 1),
            (23, "@P1 BRA M", 1),
        ]);
        assert_eq!(shown(&old, &new), ["10 20 8 LDG.E R4, [R6]", "- 21 4 LDG.E R5, [R6+4]"]);
        assert_eq!(shown(&new, &old), ["20 10 -8 LDG.E R0, [R2]", "21 - -4 LDG.E R5, [R6+4]"]);
        assert!(shown(&old, &old).is_empty());
    }

    #[test]
    fn lines_of_the_source_come_before_those_of_the_listing() {
        let with = |mut adds: Adds, lines: &[(u32, i128)]| {
            let source =
                lines.iter().map(|&(line, cycles)| (("k.cu".to_owned(), line), Rational::from(cycles)));
            adds.source = source.collect();
            adds
        };
        let old = with(listing(&[(1, "LDG R0, [R2]", 8)]), &[(3, 8), (4, 2)]);
        let new = with(listing(&[(1, "LDG R0, [R2]", 9)]), &[(3, 9), (5, 7), (4, 2)]);
        assert_eq!(shown(&old, &new), ["5 5 7 k.cu", "3 3 1 k.cu"]);
    }
}
