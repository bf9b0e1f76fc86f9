//! Where response bounds come from, and how Algorithm 2 places launches.

use serde_json::Number;

use crate::words::{decimals, is_above_zero};
use crate::{Document, Table};
use warpspan_records::Rta;
use warpspan_records::rta::{Explanation, Freed, Kernel, Launch, Share, VerdictBy};

/// The most launches of Algorithm 2 that are shown.
pub const MOST_LAUNCHES: usize = 100;

/// A table for each kernel that has an explanation, or a sentence that says why it has no bound, and a table of launches;
/// nothing where none was asked for.
pub(super) fn explain(out: &mut Document, record: &Rta, most: usize) {
    let is_explained = |kernel: &&Kernel| kernel.explanation.is_some() || kernel.no_bound.is_some();
    let all: Vec<&Kernel> = record.kernels.iter().filter(is_explained).collect();
    if !all.is_empty() && record.checked.bounds.by == VerdictBy::Algorithm2 {
        out.gap();
        out.line(
            "The response bounds above are those of Algorithm 2. What follows are the bounds that need none of its\nassumptions.",
        );
    }
    for kernel in all.iter().take(most) {
        let name = &kernel.name;
        if let Some(explanation) = &kernel.explanation {
            let theta =
                explanation.theta.as_ref().map_or(String::new(), |theta| format!(", at theta {theta}"));
            out.gap();
            out.line(format!("bound of {name}: {} {}{theta}", decimals(&explanation.bound), record.unit));
            out.gap();
            out.table(parts(explanation));
        }
        if let Some(why) = &kernel.no_bound {
            out.gap();
            out.line(format!("no bound of {name}: {why}"));
        }
    }
    if all.len() > most {
        out.gap();
        out.line(format!("({} more; --format json has all)", all.len() - most));
    }
    if let Some(launches) = &record.trace {
        let shown = if launches.len() < MOST_LAUNCHES {
            "all launches of the first hyperperiod".to_owned()
        } else {
            format!("the first {MOST_LAUNCHES} launches")
        };
        out.gap();
        out.line(format!("Algorithm 2, step by step, {shown}"));
        out.gap();
        out.table(steps(record, launches));
    }
}

/// The parts of a bound; columns without any time are left out.
fn parts(explanation: &Explanation) -> Table {
    type Column = (&'static str, fn(&Share) -> &Number);
    const COLUMNS: [Column; 8] = [
        ("copies", |share| &share.copies),
        ("run", |share| &share.run),
        ("beside", |share| &share.beside),
        ("ahead: A", |share| &share.ahead_a),
        ("ahead: C", |share| &share.ahead_c),
        ("later: A", |share| &share.later_a),
        ("resident", |share| &share.resident),
        ("lost", |share| &share.lost),
    ];
    let shares = &explanation.shares;
    let used: Vec<Column> =
        COLUMNS.into_iter().filter(|(_, of)| shares.iter().any(|share| is_above_zero(of(share)))).collect();
    let count = |count: Option<u64>| count.map_or_else(|| "any".to_owned(), |count| count.to_string());
    let mut header = vec!["part", "launches", "blocks ahead", "blocks later"];
    header.extend(used.iter().map(|(title, _)| *title));
    header.push("sum");
    let columns = header.len();
    let mut table = Table::new(header, 1..columns);
    for share in shares {
        let limited = if share.limited { " (its stream's share)" } else { "" };
        let mut row = vec![
            format!("{}{limited}", share.kernel),
            count(share.launches),
            count(share.blocks_ahead),
            count(share.blocks_later),
        ];
        row.extend(used.iter().map(|(_, of)| decimals(of(share))));
        row.push(decimals(&share.sum));
        table.row(row);
    }
    let mut rest = vec![("wait for copies".to_owned(), &explanation.copy_wait)];
    rest.extend(explanation.memory.iter().map(|late| (format!("memory: {}", late.server), &late.time)));
    rest.push(("jitter".to_owned(), &explanation.jitter));
    rest.push(("rounding".to_owned(), &explanation.rounding));
    let rest = rest.into_iter().filter(|(_, time)| is_above_zero(time));
    let mut rest: Vec<(String, String)> = rest.map(|(title, time)| (title, decimals(time))).collect();
    if is_above_zero(&explanation.before) {
        rest.push(("before it enters its queue".to_owned(), format!("-{}", decimals(&explanation.before))));
    }
    rest.push(("bound".to_owned(), decimals(&explanation.bound)));
    for (title, time) in rest {
        let mut row = vec![title];
        row.resize(columns - 1, String::new());
        row.push(time);
        table.row(row);
    }
    table
}

/// The steps of Algorithm 2. Its assumptions hold, so all blocks have the same number of threads.
fn steps(record: &Rta, launches: &[Launch]) -> Table {
    let threads = record.kernels.first().map_or(1, |kernel| kernel.threads_per_block);
    let header = ["launch", "r", "C", "t_a", "g_f", "g_i", "h", "f"];
    let mut table = Table::new(header, [1, 2, 3, 4, 5, 7]);
    for launch in launches {
        for (number, step) in launch.steps.iter().enumerate() {
            let first = |text: String| if number == 0 { text } else { String::new() };
            let pair =
                |freed: &Freed| format!("({}, {})", decimals(&freed.time), freed.threads / threads.max(1));
            let held: Vec<String> = step.h.iter().map(pair).collect();
            let last = number + 1 == launch.steps.len();
            table.row([
                first(format!("{} {}", launch.kernel, launch.launch)),
                first(decimals(&launch.release)),
                first(decimals(&launch.execution)),
                decimals(&step.t_a),
                (step.free_threads / threads.max(1)).to_string(),
                step.blocks_left.to_string(),
                format!("{{{}}}", held.join(", ")),
                if last { decimals(&launch.completion) } else { String::new() },
            ]);
        }
    }
    table
}
