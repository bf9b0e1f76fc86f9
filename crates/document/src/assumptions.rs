//! What the numbers of a record rest on, in words.

use crate::words::several;
use warpspan_model::assumption::Kind;
use warpspan_records::Assumption;
use warpspan_records::assumption::counted;
use warpspan_records::margin::Margin;

/// How much is told of what an answer rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// The first rows.
    Usual,
    /// Every row, with its name, who vouches for it, and what says otherwise.
    All,
}

/// The number of rows that are shown besides declarations, unless all are asked for.
const MOST: usize = 8;

/// What an answer rests on, in numbers.
pub fn in_numbers(all: &[Assumption]) -> String {
    let [declared, assumed] = counted(all);
    let of_user = (declared > 0).then(|| several(declared as u64, "declaration"));
    let of_nobody = (assumed > 0 || declared == 0).then(|| several(assumed as u64, "assumption"));
    of_user.into_iter().chain(of_nobody).collect::<Vec<_>>().join(" and ")
}

/// Something that an answer rests on, with its name, by which it can be accepted.
pub fn with_id(one: &Assumption) -> String {
    format!("{} [{}]", one.says(), one.id)
}

/// What an answer rests on, a row each, with the name of its kind where that is not the one of the row before.
pub(crate) fn rows(all: &[Assumption], extent: Extent) -> Vec<(&'static str, String)> {
    let (mut found, mut last, mut others) = (Vec::new(), None, 0);
    let [mut left, mut left_sourced] = [0, 0];
    for one in all {
        others += usize::from(one.kind != Kind::Declared);
        if extent == Extent::Usual && one.kind == Kind::Sourced {
            left_sourced += 1;
            continue;
        }
        if extent == Extent::Usual && one.kind != Kind::Declared && others > MOST {
            left += 1;
            continue;
        }
        let name = if last == Some(one.kind) { "" } else { kind(one.kind) };
        last = Some(one.kind);
        let ends = one.margin.as_ref().map_or_else(String::new, |margin| format!("; {}", ends(margin)));
        let said = match extent {
            Extent::Usual => one.says() + &ends,
            Extent::All => {
                let source = one.source.as_ref().map(|source| format!("; {source}"));
                let remedy = one.remedy.as_ref().map(|remedy| format!("; else {remedy}"));
                let more: String = source.into_iter().chain(remedy).collect();
                format!("{}{ends} [{}{more}]", one.says(), one.id)
            }
        };
        found.push((name, said));
    }
    // The line above the rows counts declarations and assumptions, so that rows with a source are counted by themselves here.
    match [left, left_sourced] {
        [0, 0] => {}
        [_, 0] => found.push(("", format!("{left} more: --assumptions"))),
        [0, _] => found.push(("", format!("{left_sourced} from a source: --assumptions"))),
        _ => found.push(("", format!("{left} more, {left_sourced} from a source: --assumptions"))),
    }
    found
}

/// What alone would do for a deadline that is not proved to be met, where the answer says it.
pub(crate) fn would_do(all: &[Assumption]) -> Option<String> {
    all.iter().find_map(|one| {
        let margin = one.margin.as_ref().filter(|margin| margin.would_do && margin.holds_to.is_some())?;
        Some(format!("{}: {}", one.subject, ends(margin)))
    })
}

/// How far a value may be wrong.
fn ends(margin: &Margin) -> String {
    let end = match &margin.holds_to {
        None if margin.would_do => "no value would do".to_owned(),
        None => "holds whatever it is".to_owned(),
        Some(most) if margin.would_do && margin.is_most => format!("{most} or less would do"),
        Some(least) if margin.would_do => format!("{least} or more would do"),
        Some(last) if margin.is_most => format!("holds up to {last}"),
        Some(last) => format!("holds down to {last}"),
    };
    match &margin.breaks_at {
        _ if !margin.is_cut => end,
        Some(other) => format!("{end}, not at {other} (search stopped)"),
        None => format!("{end} at least (search stopped)"),
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
