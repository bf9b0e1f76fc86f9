//! What `rta` tells.

pub mod explained;
pub mod graphs;
pub mod measured;
pub mod model;
pub mod processes;

use crate::table::first;
use crate::words::{how, names, several};
use crate::{Document, Said, Table, Text, Tone};
use warpspan_records::Rta;
use warpspan_records::rta::{CheckedBounds, CheckedBy, Kernel, Meets, Verdict, VerdictBy};

/// The most kernels of a table.
pub const MOST: usize = 200;

/// The answer where nothing is proved.
const UNDECIDED: &str = "undecided: that all deadlines are met is not proved, nor that one is missed";

/// The answer where the bounds say that all deadlines are met, but take the memory to be without limit.
const WITHOUT_LIMIT: &str = "undecided, memory without limit: the machine has no [[server]] that says how fast the data of its code moves";

/// The answer.
pub fn document(record: &Rta) -> Document {
    let names = names(record.kernels.iter().map(|kernel| kernel.name.as_str()));
    let mut out = begun("rta", names, record.verdict, &says(record));
    out.said.number = tightest(record).unwrap_or_default();
    out.facts("to mend", &record.mends);
    out.rests_on_code(&record.assumptions);
    let many = several(record.gpu.multiprocessors, "multiprocessor");
    out.line(format!("{many} of {} threads; times in {}", record.gpu.threads, record.unit));
    out.fact("utilisation", format!("{:.2} of {} threads", record.utilisation, record.capacity));
    out.fact("checked", checked(record));
    out.gap();
    out.table(table(record));
    if record.kernels.len() > MOST {
        out.line(format!("({} more; --format json has all)", record.kernels.len() - MOST));
    }
    let reasons = record.kernels.iter().take(MOST);
    let reasons = reasons.filter_map(|kernel| Some(format!("{}: {}", kernel.name, kernel.reason.as_ref()?)));
    out.gapped_notes(reasons.chain(record.notes.iter().cloned()));
    explained::explain(&mut out, record, MOST);
    out
}

/// A document that begins with the verdict on deadlines.
fn begun(record: &'static str, title: String, verdict: Verdict, says: &str) -> Document {
    let (tone, word) = match verdict {
        Verdict::Proved => (Tone::Proved, "all deadlines proved"),
        Verdict::Refuted => (Tone::Refuted, "a deadline is missed"),
        Verdict::Undecided => (Tone::Undecided, "undecided"),
    };
    let said = Said::new(tone, word, "");
    let mut out = Document::new(record, title, said, 11);
    out.fact("schedulable", Text::verdict(says));
    out
}

impl Document {
    /// Adds notes, with a blank line above them if there are some.
    fn gapped_notes(&mut self, notes: impl Iterator<Item = String>) {
        let mut notes = notes.peekable();
        if notes.peek().is_some() {
            self.gap();
        }
        self.facts("note", notes);
    }
}

/// The response bound that takes the largest part of its deadline.
fn tightest(record: &Rta) -> Option<String> {
    let part = |kernel: &Kernel| {
        let (bound, deadline) =
            (kernel.response_bound.as_ref()?.as_f64()?, kernel.deadline.as_ref()?.as_f64()?);
        (deadline > 0.0).then(|| bound / deadline)
    };
    let kernels = record.kernels.iter().filter_map(|kernel| Some((part(kernel)?, kernel)));
    let (_, kernel) = kernels.max_by(|a, b| a.0.total_cmp(&b.0))?;
    let (bound, deadline) = (kernel.response_bound.as_ref()?, kernel.deadline.as_ref()?);
    Some(format!("{bound} of {deadline} {}, {}", record.unit, kernel.name))
}

fn table(record: &Rta) -> Table {
    let has_jitter = record.kernels.iter().any(|kernel| kernel.jitter.as_u64() != Some(0));
    let simulated =
        !record.follows_algorithm2 && record.kernels.iter().any(|kernel| kernel.simulated_estimate.is_some());
    Table::of(first(&record.kernels, MOST))
        .words("kernel", |kernel| kernel.name.clone())
        .number("C", |kernel| kernel.execution.clone())
        .number("blocks", |kernel| kernel.blocks)
        .number("threads", |kernel| kernel.threads_per_block)
        .number("release", |kernel| kernel.release.clone())
        .number_if(has_jitter, "jitter", |kernel| kernel.jitter.clone())
        .number("deadline", |kernel| kernel.deadline.clone())
        .verdict("meets", |kernel| meets(kernel.deadline.is_some(), kernel.meets))
        .number("response bound", |kernel| kernel.response_bound.clone())
        .number("response estimate", |kernel| kernel.response_estimate.clone())
        .number("completion", |kernel| kernel.completion.clone())
        .number_if(simulated, "simulated estimate", |kernel| kernel.simulated_estimate.clone())
        .into()
}

/// Whether a deadline is met. Without one only the end has to be bounded, and where it is there is nothing to say.
fn meets(has_deadline: bool, meets: Meets) -> &'static str {
    if has_deadline || meets != Meets::Yes { meets.name() } else { "-" }
}

fn says(record: &Rta) -> String {
    let late = |least: bool| {
        let late = |kernel: &&Kernel| kernel.meets == Meets::No && kernel.missed.is_none() == least;
        record.kernels.iter().find(late).map_or("a kernel", |late| late.name.as_str())
    };
    match record.by {
        Some(VerdictBy::Algorithm2) => "proved: by Algorithm 2, of all launches".to_owned(),
        Some(VerdictBy::Bound) => "proved: by the bounds, of all launches".to_owned(),
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

/// How bounds are checked.
fn bounds_checked(what: &str, bounds: &CheckedBounds) -> String {
    format!("{what} {} ({})", how(bounds.checked), bounds.statement)
}
