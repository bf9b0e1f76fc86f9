//! What response bounds, times of launches and partitions are made of, and whether the parts fit together.

use num_traits::ToPrimitive;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Number;

use crate::explain::conditions::several;
use crate::explain::exact::{Exact, exact};
use crate::explain::verdict::verdict;
use crate::explain::verification::same;
use crate::explain::{Condition, Explain};
use crate::rta::{self, Explanation, Kernel, Rta, Share, VerdictBy};
use crate::{Partition, Time, partition};

/// A part of a number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Term {
    /// What it is.
    pub name: String,
    /// How much it is, in the unit of the number.
    pub value: String,
    /// The same in percent of the number, rounded down.
    pub percent: u64,
}

/// The parts of a number, the largest first; what is 0 is left out.
fn terms(parts: Vec<(String, &Number)>, all: Exact) -> Vec<Term> {
    let worth = |number: &Number| exact(number).unwrap_or_default();
    let mut parts: Vec<_> = parts.into_iter().filter(|(_, number)| worth(number) > Exact::from(0)).collect();
    parts.sort_by_key(|(_, number)| std::cmp::Reverse(worth(number)));
    let percent = |number: &Number| (worth(number) * 100 / all).floor().to_integer().to_u64().unwrap_or(0);
    let term = |(name, number): (String, &Number)| Term {
        name,
        value: number.to_string(),
        percent: percent(number),
    };
    if all == Exact::from(0) { Vec::new() } else { parts.into_iter().map(term).collect() }
}

/// The times of a share, each with what it is and what would make it smaller.
type Part = (&'static str, fn(&Share) -> &Number, &'static str);
const PARTS: [Part; 6] = [
    ("copies", |share| &share.copies, "less to be copied"),
    ("run of the last block", |share| &share.run, "a smaller C"),
    (
        "what co-runs with the last block",
        |share| &share.beside,
        "a smaller C, or blocks of which fewer fit on a multiprocessor",
    ),
    (
        "blocks ahead",
        |share| &share.ahead_a,
        "fewer blocks ahead (fewer blocks, or launches further apart), or a smaller C",
    ),
    (
        "blocks ahead that are followed",
        |share| &share.ahead_c,
        "fewer blocks ahead (fewer blocks, or launches further apart), or a smaller C",
    ),
    ("blocks that start later", |share| &share.later_a, "fewer blocks, or launches further apart"),
];

impl Explain {
    pub(crate) fn rta(&mut self, rta: &Rta) {
        if let Some(reason) = self.reason("verdict") {
            reason.conditions = verdict(rta);
        }
        let mut untold = 0_u128;
        for kernel in &rta.kernels {
            let Some(bound) = &kernel.response_bound else { continue };
            // Algorithm 2 has another bound, which the explanation does not explain.
            match kernel.explanation.as_ref().filter(|explanation| &explanation.bound == bound) {
                Some(explanation) => self.response_bound(kernel, explanation),
                None => untold += 1,
            }
        }
        if untold > 0 {
            let why = match rta.by {
                Some(VerdictBy::Algorithm2) => {
                    "those of Algorithm 2 are no sums, but the largest of its completions less the releases"
                }
                _ => "an explanation of the bounds has them, if it was asked for",
            };
            let what =
                format!("the record does not tell the terms of {}: {why}", several(untold, "response bound"));
            self.notes.push(what);
        }
        for kernel in rta.kernels.iter().filter(|kernel| kernel.response_bound.is_none()) {
            if let Some(why) = kernel.reason.as_ref().or(kernel.no_bound.as_ref()) {
                self.notes.push(format!("{} has no response bound: {why}", kernel.name));
            }
        }
    }

    fn response_bound(&mut self, kernel: &Kernel, explanation: &Explanation) {
        let all = exact(&explanation.bound).unwrap_or_default();
        let mut parts: Vec<(String, &Number)> = Vec::new();
        for share in &explanation.shares {
            parts.extend(PARTS.iter().map(|(what, of, _)| (format!("{}: {what}", share.kernel), of(share))));
        }
        parts.push(("wait for copies".to_owned(), &explanation.copy_wait));
        parts.push(("jitter".to_owned(), &explanation.jitter));
        parts.push(("rounding".to_owned(), &explanation.rounding));
        let sum = parts.iter().map(|(_, number)| exact(number)).sum::<Option<Exact>>();
        if let Some(reason) = self.reason(&format!("{}: response_bound", kernel.name)) {
            let claimed = explanation.bound.to_string();
            let text = |sum: Exact| if sum == all { claimed.clone() } else { sum.to_string() };
            reason.judged.extend(sum.map(|sum| same("the sum of its terms", &claimed, text(sum))));
            reason.terms = terms(parts, all);
        }
        self.smaller.extend(smaller(kernel, explanation, all));
    }

    pub(crate) fn time(&mut self, time: &Time) {
        let Some(bound) = time.bound_ns else { return };
        let all = Exact::from(i128::from(bound));
        let parts: Vec<(String, &Number)> =
            time.parts.iter().map(|part| (part.name.clone(), &part.ns)).collect();
        let sum = parts.iter().map(|(_, number)| exact(number)).sum::<Option<Exact>>();
        if let (Some(sum), Some(reason)) = (sum, self.reason("bound_ns")) {
            // Each part is rounded up to the picosecond, so that their sum may be a nanosecond too large.
            let rounded = sum.ceil();
            let is = rounded == all || rounded == all + 1;
            let what = "its parts add up to it, each rounded up to the picosecond";
            reason.conditions.push(Condition::of(what, is, format!("{sum} ns")));
            reason.terms = terms(parts, all);
        }
        let found = time.deadline_ns.as_ref().and_then(exact);
        if let (Some(deadline), Some(verdict)) = (found, time.verdict) {
            let condition = match verdict {
                rta::Verdict::Proved => Some(Condition::of(
                    "the bound is within the deadline",
                    // It is rounded up to whole nanoseconds.
                    all < deadline + 1,
                    format!("{bound} ns, rounded up, and {deadline} ns"),
                )),
                rta::Verdict::Refuted => {
                    let (least, what) =
                        (Exact::from(i128::from(time.least_ns)), "no launch is as fast as the deadline");
                    let found = format!("{} ns or more, rounded down, and {deadline} ns", time.least_ns);
                    Some(Condition::of(what, least + 1 > deadline, found))
                }
                rta::Verdict::Undecided => None,
            };
            if let Some(reason) = self.reason("verdict") {
                reason.conditions.extend(condition);
            }
        }
        if let Some(largest) = time.parts.iter().max_by_key(|part| exact(&part.ns)) {
            self.smaller.push(format!(
                "the largest part is {:?}: a shorter one makes the bound smaller by as much",
                largest.name
            ));
        }
        let Some(cycles) = &time.cycles else { return };
        if let Some(unit) = cycles.units.first() {
            self.smaller.push(format!("of its cycles, unit {} adds most: {}", unit.unit, unit.cost.adds));
        }
        if let Some(line) = cycles.lines.first() {
            let what = line.instruction.as_ref().map_or_else(String::new, |text| format!(" ({text})"));
            self.smaller.push(format!(
                "of its cycles, line {} of the listing{what} adds most: {}",
                line.line, line.cost.adds
            ));
        }
    }

    pub(crate) fn partition(&mut self, found: &Partition) {
        if found.verdict != partition::Verdict::Schedulable {
            return;
        }
        let sum: usize = found.partitions.iter().map(|part| part.multiprocessors).sum();
        if let (Some(used), Some(reason)) = (found.used, self.reason("used")) {
            reason.judged.push(same("the sum over the partitions", used, sum));
        }
        let mut tasks: Vec<&String> = found.partitions.iter().flat_map(|part| &part.tasks).collect();
        let all = tasks.len();
        tasks.sort();
        tasks.dedup();
        if let Some(reason) = self.reason("verdict") {
            let what = format!("{sum} of {}", found.multiprocessors);
            reason.conditions.push(Condition::of(
                "the partitions take no more multiprocessors than there are",
                sum <= found.multiprocessors,
                what,
            ));
            let what = several(all as u128, "task");
            reason.conditions.push(Condition::of("no task is in two partitions", tasks.len() == all, what));
            if let Some(mechanism) = &found.mechanism {
                let parts = || found.partitions.iter();
                let what =
                    parts().map(|part| part.multiprocessors.to_string()).collect::<Vec<_>>().join(", ");
                let holds = parts().all(|part| mechanism.sizes.contains(&part.multiprocessors));
                reason.conditions.push(Condition::of("the mechanism can set each partition up", holds, what));
                let mut tpcs: Vec<[usize; 2]> =
                    parts().filter_map(|part| part.setup.as_ref().and_then(|setup| setup.tpcs)).collect();
                tpcs.sort_unstable();
                if !tpcs.is_empty() {
                    let what = tpcs.iter().map(|[first, last]| format!("{first}-{last}")).collect::<Vec<_>>();
                    let holds = tpcs.windows(2).all(|two| two[0][1] < two[1][0]);
                    reason.conditions.push(Condition::of(
                        "no TPC is in two partitions",
                        holds,
                        what.join(", "),
                    ));
                }
            }
            reason.conditions.push(Condition::unknown(
                "all deadlines of each partition hold",
                format!(
                    "by the test {}, of tasks whose periods and deadlines the record does not have",
                    found.test.name()
                ),
            ));
        }
    }
}

/// What would make the bound of a kernel smaller: what the largest part of the largest share asks for.
fn smaller(kernel: &Kernel, explanation: &Explanation, all: Exact) -> Option<String> {
    let total = |share: &Share| PARTS.iter().filter_map(|(_, of, _)| exact(of(share))).sum::<Exact>();
    let most = explanation.shares.iter().max_by_key(|share| total(share))?;
    let part = PARTS.iter().max_by_key(|(_, of, _)| exact(of(most)).unwrap_or_default())?;
    if all == Exact::from(0) || total(most) == Exact::from(0) {
        return None;
    }
    let percent = (total(most) * 100 / all).floor();
    let itself = if most.kernel == kernel.name { " itself" } else { "" };
    Some(format!(
        "of the bound of {}, {percent} % is {}{itself}, most of it {}: {} of {} would make it smaller",
        kernel.name, most.kernel, part.0, part.2, most.kernel
    ))
}
