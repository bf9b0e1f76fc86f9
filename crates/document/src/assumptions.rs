//! What the numbers of a record rest on, in words.

use crate::words::several;
use warpspan_model::assumption::Kind;
use warpspan_records::Assumption;
use warpspan_records::assumption::counted;
use warpspan_records::margin::Margin;

/// How much is told of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// The first line.
    Answer,
    /// All, of what it rests on the first rows.
    Usual,
    /// All, with every row of what it rests on.
    Assumptions,
}

/// The rows of what is assumed that are shown where they are not asked for.
const MOST_ASSUMED: usize = 6;

/// The letters of a row that fits into a terminal of 80 columns, behind its name.
const MOST_LETTERS: usize = 66;

/// What an answer rests on, in numbers.
pub fn in_numbers(all: &[Assumption]) -> String {
    let [declared, assumed] = counted(all);
    let of_user = (declared > 0).then(|| several(declared as u64, "declaration"));
    let of_nobody = (assumed > 0 || declared == 0).then(|| several(assumed as u64, "assumption"));
    of_user.into_iter().chain(of_nobody).collect::<Vec<_>>().join(" and ")
}

/// How many declarations and assumptions there are, then what the answer rests on: all of it, or what is declared and what nobody vouches
/// for. There is no row where an answer rests on rules of the model and sources alone.
pub fn counted_rows(all: &[Assumption], extent: Extent) -> Vec<(&'static str, String)> {
    let is_open = |one: &Assumption| one.kind.has_to_be_accepted();
    if !all.iter().any(is_open) {
        return Vec::new();
    }
    let mut found = vec![("rests on", in_numbers(all))];
    if extent == Extent::Assumptions {
        found.extend(rows(all, extent));
        return found;
    }
    let open: Vec<Assumption> = all.iter().filter(|one| is_open(one)).cloned().collect();
    let mut last = None;
    for one in &open {
        let name = if last == Some(one.kind) { "" } else { kind(one.kind) };
        last = Some(one.kind);
        let ends = one.margin.as_ref().map_or_else(String::new, |margin| format!("; {}", ends(margin)));
        found.push((name, with_id(one) + &ends));
    }
    if open.len() < all.len() {
        found.push(("", format!("{} more: --format json", all.len() - open.len())));
    }
    found
}

/// Something that an answer rests on, with its name, by which it can be accepted.
pub fn with_id(one: &Assumption) -> String {
    format!("{} [{}]", one.says(), one.id)
}

/// What an answer rests on, a row each, with the name of its kind where that is not the one of the row before.
pub fn rows(all: &[Assumption], extent: Extent) -> Vec<(&'static str, String)> {
    let is_shown = |place: usize, one: &Assumption| {
        extent == Extent::Assumptions
            || one.kind == Kind::Declared
            || one.kind == Kind::Assumed && place < MOST_ASSUMED
    };
    let (mut found, mut last, mut assumed, mut left) = (Vec::new(), None, 0, 0);
    for one in all {
        if !is_shown(assumed, one) {
            left += 1;
            continue;
        }
        assumed += usize::from(one.kind == Kind::Assumed);
        let name = if last == Some(one.kind) { "" } else { kind(one.kind) };
        last = Some(one.kind);
        let ends = one.margin.as_ref().map_or_else(String::new, |margin| format!("; {}", ends(margin)));
        let said = match (extent, one.kind) {
            (Extent::Assumptions, _) => {
                let source = one.source.as_ref().map(|source| format!("; {source}"));
                let remedy = one.remedy.as_ref().map(|remedy| format!("; else {remedy}"));
                let more: String = source.into_iter().chain(remedy).collect();
                format!("{}{ends} [{}{more}]", one.says(), one.id)
            }
            // Who declares something wants to read it as it is.
            (_, Kind::Declared) => one.says() + &ends,
            _ => cut(&one.says(), MOST_LETTERS.saturating_sub(ends.len())) + &ends,
        };
        found.push((name, said));
    }
    if left > 0 {
        found.push(("", format!("{left} more: --assumptions")));
    }
    found
}

/// How far a value may be wrong.
fn ends(margin: &Margin) -> String {
    match &margin.holds_to {
        None => "holds whatever it is".to_owned(),
        Some(most) if margin.would_do && margin.is_most => format!("{most} or less would do"),
        Some(least) if margin.would_do => format!("{least} or more would do"),
        Some(last) if margin.is_most => format!("holds up to {last}"),
        Some(last) => format!("holds down to {last}"),
    }
}

/// The name of a kind.
pub const fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Declared => "declared",
        Kind::Assumed => "assumed",
        Kind::Sourced => "sourced",
        Kind::Modelled => "modelled",
    }
}

/// A text that is no longer than this.
fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let start: String = text.chars().take(most.saturating_sub(3)).collect();
    format!("{}...", start.trim_end_matches([' ', ',']))
}
