//! Rows that belong together: a case is a kernel with a number of warps and a pair of sigmas, and a family is
//! all cases of a kernel and a pair of sigmas.

use std::collections::BTreeMap;

use crate::report::Contradiction;
use warpspan_sweep::{Row, sigma};

/// The results of all rows for a kernel, a number of warps and a pair of sigmas.
#[derive(Debug, Clone)]
pub(super) struct Case {
    pub(super) warps: u64,
    /// The greatest lower bound in any row.
    pub(super) lower: u64,
    /// The least upper bound in any row.
    pub(super) upper: u64,
    pub(super) pessimistic: u64,
    pub(super) phase: u64,
    pub(super) bottleneck: u64,
    /// The smallest makespan, if a row has it.
    pub(super) best: Option<u64>,
    /// The makespan of each simulated policy.
    pub(super) policies: BTreeMap<&'static str, u64>,
    /// The estimates, by their x.
    pub(super) estimates: BTreeMap<u64, u64>,
    /// The last terms of the estimates, ceil(W/x) T(x), by their x, where tables have them.
    pub(super) terms: BTreeMap<u64, u64>,
    pub(super) runs: Vec<Run>,
}

/// The run of an engine that a row records.
#[derive(Debug, Clone)]
pub(super) struct Run {
    pub(super) asked: String,
    pub(super) seconds: f64,
    pub(super) end: End,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum End {
    Proved,
    /// The time limit stopped it.
    TimeLimit,
    /// Anything else, such as the memory limit.
    Otherwise,
}

/// The cases of a kernel and a pair of sigmas, ordered by the number of warps.
#[derive(Debug, Clone)]
pub(super) struct Family {
    pub(super) kernel: String,
    /// The name of the listing's entry, if the kernel is from a listing.
    pub(super) entry: Option<String>,
    pub(super) sigma_l: String,
    pub(super) sigma_c: String,
    /// The file of its first row.
    pub(super) file: String,
    pub(super) cases: Vec<Case>,
}

impl Case {
    /// Whether the worst case is known.
    pub(super) fn is_exact(&self) -> bool {
        self.lower == self.upper
    }

    /// By how many cycles at most a number of Be12 that is meant to be an upper bound lies below the worst case.
    pub(super) fn below(&self) -> u64 {
        let of = |value: u64| self.lower.saturating_sub(value);
        of(self.pessimistic).max(self.estimates.values().map(|&value| of(value)).max().unwrap_or(0))
    }

    /// The estimate with the largest x, which is the smallest estimate, preceded by this x.
    pub(super) fn estimate(&self) -> Option<(u64, u64)> {
        self.estimates.last_key_value().map(|(&x, &value)| (x, value))
    }

    /// The worst case in words: a number or an interval.
    pub(super) fn worst(&self) -> String {
        if self.is_exact() {
            return format!("{}, exact", self.upper);
        }
        format!("{} to {}", self.lower, self.upper)
    }

    fn new(row: &Row) -> Self {
        let &Row { warps, lower, upper, pessimistic, phase, bottleneck, .. } = row;
        Self {
            warps,
            lower,
            upper,
            pessimistic,
            phase,
            bottleneck,
            best: None,
            policies: BTreeMap::new(),
            estimates: BTreeMap::new(),
            terms: BTreeMap::new(),
            runs: Vec::new(),
        }
    }

    fn add(&mut self, row: &Row) {
        self.lower = self.lower.max(row.lower);
        self.upper = self.upper.min(row.upper);
        self.best = self.best.or(row.best_case);
        self.policies.extend(row.makespans().map(|(policy, cycles)| (policy.name(), cycles)));
        if let (Some(x), Some(value)) = (row.up_to, row.min_over_y) {
            let least = self.estimates.entry(x).or_insert(value);
            *least = value.min(*least);
        }
        self.terms.extend(row.up_to.zip(row.term));
        // A row may be exact although a limit stopped its engine, since other bounds may meet. Only `auto`
        // may answer by any of them.
        let is_exact = row.verdict == "exact";
        let end = match row.stop.as_deref() {
            _ if is_exact && row.asked == "auto" => End::Proved,
            Some("time-limit") => End::TimeLimit,
            Some("memory-limit" | "interrupted") => End::Otherwise,
            _ if is_exact => End::Proved,
            _ => End::Otherwise,
        };
        self.runs.push(Run { asked: row.asked.clone(), seconds: row.seconds, end });
    }
}

impl Family {
    /// What makes its figure worth a look, from the most to the least important: the largest gap between the bounds
    /// of a case, in millionths of the lower one, and the most by which a number of Be12 lies below the worst case.
    pub(super) fn interest(&self) -> (u128, u64) {
        let gap =
            |case: &Case| u128::from(case.upper - case.lower) * 1_000_000 / u128::from(case.lower.max(1));
        let gaps = self.cases.iter().map(gap).max();
        (gaps.unwrap_or(0), self.cases.iter().map(Case::below).max().unwrap_or(0))
    }

    /// A short name of the family: its kernel and its sigmas.
    pub(super) fn name(&self) -> String {
        format!("{}, {}", self.short(), self.sigmas())
    }

    /// A short name of the kernel: its entry, or its string cut to fit.
    pub(super) fn short(&self) -> String {
        self.entry.as_ref().map_or_else(|| shortened(&self.kernel), |entry| shortened(entry))
    }

    /// The sigmas as text.
    pub(super) fn sigmas(&self) -> String {
        format!("sigma_L = {}, sigma_C = {}", self.sigma_l, self.sigma_c)
    }
}

/// A kernel, cut so that it fits into a heading.
pub(super) fn shortened(kernel: &str) -> String {
    const MOST: usize = 40;
    match kernel.chars().count() {
        0..=MOST => kernel.to_owned(),
        letters => format!("{}... ({letters} letters)", kernel.chars().take(MOST - 8).collect::<String>()),
    }
}

/// Sorts rows into families: kernels stay in the order of the rows, and sigmas rise. Each file has the index of its
/// first row.
///
/// # Errors
/// If two rows contradict each other.
pub(super) fn families(rows: &[Row], files: &[(usize, String)]) -> Result<Vec<Family>, Contradiction> {
    let mut kernels: Vec<&str> = Vec::new();
    let mut numbers = std::collections::HashMap::new();
    let mut found = BTreeMap::new();
    let file =
        |at: usize| files.iter().rev().find(|(first, _)| *first <= at).map_or("", |(_, file)| file.as_str());
    for (at, row) in rows.iter().enumerate() {
        let number = *numbers.entry(row.kernel.as_str()).or_insert_with(|| {
            kernels.push(&row.kernel);
            kernels.len() - 1
        });
        let key = (number, sigma(&row.sigma_l), sigma(&row.sigma_c));
        let (_, _, cases) = found.entry(key).or_insert_with(|| (row, file(at), BTreeMap::new()));
        cases.entry(row.warps).or_insert_with(|| Case::new(row)).add(row);
    }
    let family = |(row, file, cases): (&Row, &str, BTreeMap<u64, Case>)| Family {
        file: file.to_owned(),
        kernel: row.kernel.clone(),
        entry: row.entry.clone(),
        sigma_l: row.sigma_l.clone(),
        sigma_c: row.sigma_c.clone(),
        cases: cases.into_values().collect(),
    };
    let families: Vec<Family> = found.into_values().map(family).collect();
    for family in &families {
        for case in &family.cases {
            // A policy's schedule is a schedule too, so the worst case is at least as long.
            let longest = case.policies.values().copied().fold(case.lower, u64::max);
            if longest > case.upper {
                return Err(Contradiction {
                    case: format!("{}, W = {}", family.name(), case.warps),
                    lower: longest,
                    upper: case.upper,
                });
            }
        }
    }
    Ok(families)
}
