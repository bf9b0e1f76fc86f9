//! An analysis for a person to read.

use std::fmt::Write;

use serde_json::Number;

use crate::commands::rests;
use crate::screen;
use crate::table::{Sheet, judged, table as table_of};
use crate::text::{decimals, several};
use warpspan_records::Rta;
use warpspan_records::rta::{CheckedBounds, CheckedBy, Kernel, Meets, VerdictBy};
use warpspan_records::solve::Checked;

/// The most kernels of a table.
pub(super) const MOST: usize = 200;

/// The answer where nothing is proved.
pub(super) const UNDECIDED: &str =
    "undecided: that all deadlines are met is not proved, nor that one is missed";

/// The answer where the bounds say that all deadlines are met, but take the memory to be without limit.
pub(super) const WITHOUT_LIMIT: &str = "undecided, memory without limit: the machine has no [[server]] that says how fast the data of its code moves";

/// The whole of it.
pub(super) fn text(record: &Rta) -> String {
    let mut out = format!(
        "schedulable {}\n{}{}{} of {} threads; times in {}\n",
        screen::verdict(&verdict(record)),
        mends(&record.mends),
        rests::lines(&record.assumptions, 12),
        several(record.gpu.multiprocessors, "multiprocessor"),
        record.gpu.threads,
        record.unit
    );
    let _ = writeln!(out, "utilisation {:.2} of {} threads", record.utilisation, record.capacity);
    let _ = writeln!(out, "checked     {}\n", checked(record));
    let _ = writeln!(out, "{}", table(record));
    if record.kernels.len() > MOST {
        let _ = writeln!(out, "({} more; --format json has all)", record.kernels.len() - MOST);
    }
    let reasons = record.kernels.iter().take(MOST);
    let reasons = reasons.filter_map(|kernel| Some(format!("{}: {}", kernel.name, kernel.reason.as_ref()?)));
    let mut gap = "\n";
    for note in reasons.chain(record.notes.iter().cloned()) {
        let _ = writeln!(out, "{gap}note        {note}");
        gap = "";
    }
    out
}

/// What the file leaves out that would make bounds smaller.
pub(super) fn mends(mends: &[String]) -> String {
    mends.iter().map(|mend| format!("to mend     {mend}\n")).collect()
}

/// A time, or a dash where there is none.
pub(super) fn maybe(time: &Option<Number>) -> String {
    time.as_ref().map_or_else(|| "-".to_owned(), decimals)
}

/// Whether a time is shown at all.
pub(super) fn is_above_zero(time: &Number) -> bool {
    time.as_f64().is_some_and(|time| time > 0.0)
}

fn table(record: &Rta) -> Sheet {
    let has_jitter = record.kernels.iter().any(|kernel| kernel.jitter.as_u64() != Some(0));
    let mut header = vec!["kernel", "C", "blocks", "threads", "release"];
    header.extend(has_jitter.then_some("jitter"));
    header.extend(["deadline", "meets", "response bound", "response estimate", "completion"]);
    let simulated =
        !record.follows_algorithm2 && record.kernels.iter().any(|kernel| kernel.simulated_estimate.is_some());
    header.extend(simulated.then_some("simulated estimate"));
    let meets = header.iter().position(|title| *title == "meets");
    let columns = header.len();
    let mut table = table_of(header, (1..columns).filter(|&column| Some(column) != meets));
    for kernel in record.kernels.iter().take(MOST) {
        let mut row = vec![
            kernel.name.clone(),
            decimals(&kernel.execution),
            kernel.blocks.to_string(),
            kernel.threads_per_block.to_string(),
            decimals(&kernel.release),
        ];
        row.extend(has_jitter.then(|| decimals(&kernel.jitter)));
        row.extend([
            maybe(&kernel.deadline),
            kernel.meets.to_string(),
            maybe(&kernel.response_bound),
            maybe(&kernel.response_estimate),
            maybe(&kernel.completion),
        ]);
        row.extend(simulated.then(|| maybe(&kernel.simulated_estimate)));
        table.add_row(judged(row, meets));
    }
    table
}

fn verdict(record: &Rta) -> String {
    let late = |least: bool| {
        let late = |kernel: &&Kernel| kernel.meets == Meets::No && kernel.missed.is_none() == least;
        record.kernels.iter().find(late).map_or("a kernel", |late| late.name.as_str())
    };
    match record.by {
        Some(VerdictBy::Algorithm2) => {
            "proved: by Algorithm 2, all launches, each exactly a period after the one before, whatever blocks take up to C"
                .to_owned()
        }
        Some(VerdictBy::Bound) => {
            "proved: by the bounds, all launches, whatever blocks take up to C".to_owned()
        }
        Some(VerdictBy::Schedule) => {
            format!("refuted: {} misses its deadline in a run where every block takes C", late(false))
        }
        Some(VerdictBy::LeastResponse) => {
            format!("refuted: no launch of {} whose blocks take C can meet its deadline", late(true))
        }
        Some(VerdictBy::Overload) => {
            "refuted: in the long run more threads are asked for than there are, so deadlines are missed"
                .to_owned()
        }
        None if record.without_limit => WITHOUT_LIMIT.to_owned(),
        None => UNDECIDED.to_owned(),
    }
}

/// How the verdict and the bounds are checked.
fn checked(record: &Rta) -> String {
    let say = |CheckedBy { by, checked }| format!("{} ({})", how(checked), by.statement().name);
    let verdict = record.checked.verdict.map(|of| format!("verdict {}, ", say(of)));
    verdict.unwrap_or_default() + &format!("response bounds {}", say(record.checked.bounds))
}

const fn how(checked: Checked) -> &'static str {
    match checked {
        Checked::Machine => "by machine",
        Checked::Paper => "on paper",
        Checked::Tested => "by tests only",
    }
}

/// The line that says how bounds are checked.
pub(super) fn checked_line(what: &str, bounds: &CheckedBounds) -> String {
    format!("checked     {what} {} ({})", how(bounds.checked), bounds.statement)
}
