//! The numbers of `solve`, `bound`, `simulate`, `sweep` and `compare`.

use crate::assumption::{listed, of_model};
use crate::bound::{self, Bound};
use crate::verify::evidence::Context;
use crate::verify::findings::{Found, NO_EVIDENCE};
use crate::verify::{How, Side};
use crate::{Assumption, Claim, Compare, Simulate, Solve, SweepRow};
use warpspan_check::bound::statement as all;
use warpspan_kernel::input::of_letters;
use warpspan_model::Code;

impl Found {
    /// What numbers of an instance rest on, and what else should be known of them.
    fn of_instance(&mut self, assumptions: &[Assumption], notes: &[String]) {
        self.rests_on(listed(of_model(None), ToString::to_string));
        self.rests_on(assumptions.iter().cloned());
        self.notes.extend_from_slice(notes);
    }

    pub(crate) fn solve(&mut self, solve: &Solve) {
        let context = Context::from(&solve.instance);
        self.with_basis("lower", solve.lower, Side::Lower, (solve.evidence.lower, context));
        self.with_basis("upper", solve.upper, Side::Upper, (solve.evidence.upper, context));
        self.ends(["lower", "upper"]);
        if let Some(best) = solve.best_case {
            self.by("best_case", best, Side::Exact, &[&all::EXHAUSTIVE]);
        }
        if let Some(completion) = solve.completion_upper {
            // It follows from the theorems, or from the search where there was one.
            let searched = solve.states.is_some();
            let from = if searched { &all::EXHAUSTIVE } else { &all::CRITICAL_PATH_ON_MACHINE };
            self.by("completion_upper", completion, Side::Upper, &[from]);
        }
        if let Some(phase) = &solve.phase {
            let from = if context.straight { &all::PHASE } else { &all::PROGRAM };
            self.by("phase.upper", phase.upper, Side::Upper, &[from]);
        }
        self.of_listing(&solve.assumptions);
        self.of_instance(&solve.assumptions, &solve.notes);
    }

    pub(crate) fn solve_1(&mut self, claim: &Claim) {
        let why = "records of schema 1 name no evidence: solve again";
        self.unknown("lower", claim.lower, Side::Lower, why);
        self.unknown("upper", claim.upper, Side::Upper, why);
    }

    pub(crate) fn bound(&mut self, found: &Bound) {
        let context = Context::from(&found.instance);
        let best = |side, value| {
            let rows = found.bounds.iter().filter(move |row| row.safe && row.side == side);
            rows.filter(|row| row.value == value).find_map(|row| row.evidence)
        };
        self.with_basis("lower", found.lower, Side::Lower, (best(bound::Side::Lower, found.lower), context));
        if let Some(upper) = found.upper {
            self.with_basis("upper", upper, Side::Upper, (best(bound::Side::Upper, upper), context));
        }
        self.ends(["lower", "upper"]);
        for row in &found.bounds {
            let side = match row.side {
                bound::Side::Upper => Side::Upper,
                bound::Side::Lower => Side::Lower,
                bound::Side::Estimate => Side::Estimate,
            };
            let name = format!("bounds: {}", row.name);
            match row.safe && side != Side::Estimate {
                true => self.with_basis(name, row.value, side, (row.evidence, context)),
                false => self.estimate(name, Some(row.value)),
            }
        }
        if let Some(completion) = found.completion_upper {
            self.by("completion_upper", completion, Side::Upper, &[&all::CRITICAL_PATH_ON_MACHINE]);
        }
        self.of_listing(&found.assumptions);
        self.of_instance(&found.assumptions, &found.notes);
    }

    pub(crate) fn sweep_row(&mut self, row: &SweepRow) {
        let why = "rows of tables name no evidence for it: solve the instance";
        self.unknown("lower", row.lower, Side::Lower, why);
        self.unknown("upper", row.upper, Side::Upper, why);
        if let Some(best) = row.best_case {
            self.by("best_case", best, Side::Exact, &[&all::EXHAUSTIVE]);
        }
        let straight = row.kernel.parse::<Code>().is_ok_and(|code| code.kernel().is_some());
        let at_most_one = |sigma: &str| sigma == "1" || sigma.starts_with("1/");
        match at_most_one(&row.sigma_l) && at_most_one(&row.sigma_c) {
            true => self.by("pessimistic", row.pessimistic, Side::Upper, &[&all::PESSIMISTIC]),
            false => self.estimate("pessimistic", Some(row.pessimistic)),
        }
        let [path, phase] =
            if straight { [&all::CRITICAL_PATH, &all::PHASE] } else { [&all::PROGRAM, &all::PROGRAM] };
        self.by("critical_path", row.critical_path, Side::Upper, &[path]);
        // Of one kernel at sigma 1 this is the closed form, or the longest path of two warps.
        let one_block = straight && !row.kernel.contains('|');
        match one_block && at_most_one(&row.sigma_l) && at_most_one(&row.sigma_c) {
            true if row.warps == 2 => self.by("phase", row.phase, Side::Upper, &[&all::LONGEST_PAIR]),
            true => self.by("phase", row.phase, Side::Upper, &[&all::CLOSED_FORM]),
            false => self.by("phase", row.phase, Side::Upper, &[phase]),
        }
        self.by("bottleneck", row.bottleneck, Side::Lower, &[&all::BOTTLENECK]);
        self.estimate("min_over_y", row.min_over_y);
        self.estimate("term", row.term);
        for (policy, makespan) in row.makespans() {
            self.estimate(format!("makespan of {}", policy.name()), Some(makespan));
        }
        self.of_instance(&[], &[]);
        if row.entry.is_some() {
            self.rests_on(listed(of_letters().on, ToString::to_string));
        }
    }

    pub(crate) fn simulate(&mut self, simulate: &Simulate) {
        for run in &simulate.runs {
            self.estimate(format!("makespan of {}", run.policy.name()), Some(run.makespan));
        }
        let mut unknown = |name: &str, value: Option<u64>, side| {
            if let Some(value) = value {
                self.unknown(name, value, side, NO_EVIDENCE);
            }
        };
        unknown("best", simulate.best, Side::Exact);
        unknown("worst", simulate.worst, Side::Exact);
        unknown("interval: lower", simulate.interval.map(|ends| ends[0]), Side::Lower);
        unknown("interval: upper", simulate.interval.map(|ends| ends[1]), Side::Upper);
        unknown("upper", simulate.upper, Side::Upper);
        self.of_instance(&simulate.assumptions, &simulate.notes);
    }

    pub(crate) fn compare(&mut self, compare: &Compare) {
        for entry in &compare.entries {
            for (version, bound) in [("old", &entry.old), ("new", &entry.new)] {
                if let Some(bound) = bound {
                    self.unknown(format!("{version} of {}", entry.name), bound, Side::Upper, NO_EVIDENCE);
                }
            }
        }
        let bounds = self.weakest_of(|_| true).unwrap_or(How::Unknown);
        self.checked("verdict", compare.verdict.name(), Side::Verdict, (bounds, &[]));
        self.rests_on(compare.assumptions.iter().cloned());
        self.of_instance(&[], &[]);
    }
}
