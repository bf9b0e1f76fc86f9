//! Where response bounds come from, and how Algorithm 2 places launches, for a person to read.

use std::fmt::Write;

use crate::commands::rta::reason::why_no_bound;
use crate::commands::rta::text::MOST;
use crate::table::table as table_of;
use warpspan_model::time::Duration;
use warpspan_rta::{Analysis, Explanation, Launch, NoBound, Share, System};

/// The most launches of Algorithm 2 that are shown.
pub(super) const MOST_LAUNCHES: usize = 100;

/// A table for each kernel, or a sentence that says why it has no bound.
pub(super) fn bounds(
    system: &System,
    analysis: &Analysis,
    explanations: &[Result<Explanation, NoBound>],
) -> String {
    let mut out = String::new();
    if analysis.safe {
        out += "\nThe response bounds above are those of Algorithm 2. What follows are the bounds that need none of its\nassumptions.\n";
    }
    for (kernel, explanation) in explanations.iter().enumerate().take(MOST) {
        let name = &system.tasks()[kernel].name;
        match explanation {
            Ok(explanation) => {
                let bound = system.unit().write(explanation.bound);
                let theta = explanation.theta.map_or_else(String::new, |theta| format!(", at theta {theta}"));
                let _ = writeln!(out, "\nbound of {name}: {bound} {}{theta}\n", system.unit());
                out += &parts(system, explanation);
            }
            Err(_) => {
                let why = why_no_bound(system, analysis, kernel).unwrap_or_default();
                let _ = writeln!(out, "\nno bound of {name}: {why}");
            }
        }
    }
    if explanations.len() > MOST {
        let _ = writeln!(out, "\n({} more; --format json has all)", explanations.len() - MOST);
    }
    out
}

/// The parts of a bound; columns without any time are left out.
fn parts(system: &System, explanation: &Explanation) -> String {
    type Column = (&'static str, fn(&Share) -> Duration);
    const COLUMNS: [Column; 8] = [
        ("copies", |share| share.copies),
        ("run", |share| share.run),
        ("beside", |share| share.beside),
        ("ahead: A", |share| share.ahead_a),
        ("ahead: C", |share| share.ahead_c),
        ("later: A", |share| share.later_a),
        ("resident", |share| share.resident),
        ("lost", |share| share.lost),
    ];
    let shares = &explanation.shares;
    let used: Vec<Column> =
        COLUMNS.into_iter().filter(|(_, of)| shares.iter().any(|share| of(share) > Duration::ZERO)).collect();
    let write = |time| system.unit().write(time);
    let count = |count: Option<u64>| count.map_or_else(|| "any".to_owned(), |count| count.to_string());
    let mut header = vec!["part", "launches", "blocks ahead", "blocks later"];
    header.extend(used.iter().map(|(title, _)| *title));
    header.push("sum");
    let columns = header.len();
    let mut table = table_of(header, 1..columns);
    for share in shares {
        let limited = if share.limited { " (its stream's share)" } else { "" };
        let mut row = vec![
            format!("{}{limited}", system.tasks()[share.kernel].name),
            count(share.launches),
            count(share.ahead),
            count(share.later),
        ];
        row.extend(used.iter().map(|(_, of)| write(of(share))));
        row.push(write(share.total()));
        table.add_row(row);
    }
    let mut rest = vec![("wait for copies".to_owned(), explanation.copy_wait)];
    rest.extend(explanation.memory.iter().map(|late| (format!("memory: {}", late.server), late.time)));
    rest.push(("jitter".to_owned(), explanation.jitter));
    rest.push(("rounding".to_owned(), explanation.rounding));
    let rest = rest.into_iter().filter(|(_, time)| *time > Duration::ZERO);
    let mut rest: Vec<(String, String)> = rest.map(|(title, time)| (title, write(time))).collect();
    if explanation.before > Duration::ZERO {
        rest.push(("before it enters its queue".to_owned(), format!("-{}", write(explanation.before))));
    }
    rest.push(("bound".to_owned(), write(explanation.total())));
    for (title, time) in rest {
        let mut row = vec![title];
        row.resize(columns - 1, String::new());
        row.push(time);
        table.add_row(row);
    }
    format!("{table}\n")
}

/// The steps of Algorithm 2. Its assumptions hold, so all blocks have the same number of threads.
pub(super) fn launches(system: &System, launches: &[Launch]) -> String {
    let header = ["launch", "r", "C", "t_a", "g_f", "g_i", "h", "f"];
    let mut table = table_of(header, [1, 2, 3, 4, 5, 7]);
    let write = |time| system.unit().write(time);
    for Launch { job, steps, completion, execution } in launches {
        let task = &system.tasks()[job.task];
        for (number, step) in steps.iter().enumerate() {
            let first = |text: String| if number == 0 { text } else { String::new() };
            let pair = |&(time, threads): &(Duration, u64)| {
                format!("({}, {})", write(time), threads / task.block.threads)
            };
            let held: Vec<String> = step.held.iter().map(pair).collect();
            let last = number + 1 == steps.len();
            table.add_row([
                first(format!("{} {}", task.name, job.number + 1)),
                first(write(job.release)),
                first(write(*execution)),
                write(step.now),
                (step.free / task.block.threads).to_string(),
                step.left.to_string(),
                format!("{{{}}}", held.join(", ")),
                if last { write(*completion) } else { String::new() },
            ]);
        }
    }
    let shown = if launches.len() < MOST_LAUNCHES {
        "all launches of the first hyperperiod".to_owned()
    } else {
        format!("the first {MOST_LAUNCHES} launches")
    };
    format!("\nAlgorithm 2, step by step, {shown}\n\n{table}\n")
}
