//! The numbers of `rta`, `time` and `budget`.

use crate::basis::{Basis, BasisName, Checked};
use crate::rta::{Kernel, Verdict, VerdictBy};
use crate::rta_processes::Sharing;
use crate::time::OF_LEAST_LAUNCH;
use crate::verify::evidence::{self, Context};
use crate::verify::findings::{Found, NO_EVIDENCE};
use crate::verify::{How, Side};
use crate::{Budget, Rta, RtaGraphs, RtaModel, RtaProcesses, Time};
use num_traits::ToPrimitive;
use warpspan_check::bound::{Statement, statement as all};
use warpspan_model::Code;
use warpspan_rta::OF_LEAST;

fn statement_of(by: VerdictBy) -> &'static Statement {
    match by {
        VerdictBy::Algorithm2 => &all::ALGORITHM_2,
        VerdictBy::Bound => &all::RESPONSE_BOUND,
        VerdictBy::Schedule => &all::RUN_OF_RULES,
        VerdictBy::LeastResponse => &all::LEAST_RESPONSE,
        VerdictBy::Overload => &all::OVERLOAD,
    }
}

impl Found {
    pub(crate) fn rta(&mut self, rta: &Rta) {
        for kernel in &rta.kernels {
            self.execution(kernel);
        }
        // Algorithm 2 takes C as it was solved; the bounds do not use it, and where the record does not tell which
        // of the two a response bound is of, it is checked no better than either.
        let of_solved = self.weakest_of(|_| true);
        let weakest = |statement: &Statement| {
            let own = How::from(statement.checked);
            let solved = of_solved.filter(|_| statement.name != all::RESPONSE_BOUND.name);
            solved.filter(|solved| solved.strength() < own.strength()).unwrap_or(own)
        };
        if let Some(by) = rta.by {
            let statement = statement_of(by);
            // The refutations by a replayed run and by overload take C as it is given.
            self.checked("verdict", rta.verdict.name(), Side::Verdict, (weakest(statement), &[statement]));
        }
        let of_bounds = match rta.by {
            Some(VerdictBy::Bound) => &all::RESPONSE_BOUND,
            Some(VerdictBy::Algorithm2) => &all::ALGORITHM_2,
            _ if rta.kernels.iter().any(|kernel| kernel.solved.is_some()) => &all::ALGORITHM_2,
            _ => &all::RESPONSE_BOUND,
        };
        for kernel in &rta.kernels {
            let name = |field: &str| format!("{}: {field}", kernel.name);
            if let Some(bound) = &kernel.response_bound {
                self.checked(name("response_bound"), bound, Side::Upper, (weakest(of_bounds), &[of_bounds]));
            }
            if let Some(least) = &kernel.response_least {
                self.by(name("response_least"), least, Side::Lower, &[&all::LEAST_RESPONSE]);
            }
            self.estimate(name("response_estimate"), kernel.response_estimate.as_ref());
            self.estimate(name("completion"), kernel.completion.as_ref());
            self.estimate(name("simulated_estimate"), kernel.simulated_estimate.as_ref());
        }
        for kernel in &rta.kernels {
            self.ends(["response_least", "response_bound"].map(|field| format!("{}: {field}", kernel.name)));
        }
        self.of_listing(&[&rta.assumptions[..], &rta.bounds_rest_on].concat());
        self.least = Some(&OF_LEAST);
        self.rests_on(rta.assumptions.iter().cloned());
        self.of_bounds.clone_from(&rta.bounds_rest_on);
        self.notes.extend_from_slice(&rta.notes);
    }

    /// C of a kernel.
    fn execution(&mut self, kernel: &Kernel) {
        let name = format!("{}: execution", kernel.name);
        match (&kernel.solved, kernel.measured) {
            (Some(solved), _) => {
                let straight = solved.kernel.parse::<Code>();
                let straight = straight.is_ok_and(|code| code.kernel().is_some());
                // Of two units, C follows from a critical path that Coq has checked: on paper it is that of machines.
                let on_paper =
                    |basis: &Basis| basis.name == BasisName::CriticalPath && basis.checked == Checked::Paper;
                let on_machine = solved.evidence.as_ref().is_some_and(on_paper);
                let two_warps = solved.warps == 2;
                let context = Context { on_machine, straight, plain_grid: false, two_warps };
                self.with_basis(name, &kernel.execution, Side::Upper, (solved.evidence, context));
                self.remark("of blocks that start together, with nothing else on their multiprocessor");
            }
            (None, Some(_)) => {
                self.given(name, &kernel.execution, Some("a measurement, or what the file says"));
            }
            (None, None) => self.unknown(name, &kernel.execution, Side::Upper, NO_EVIDENCE),
        }
    }

    pub(crate) fn rta_graphs(&mut self, graphs: &RtaGraphs) {
        if let Some(by) = graphs.by {
            let statement = match by {
                VerdictBy::LeastResponse => &all::LEAST_RESPONSE,
                _ => &all::GRAPH,
            };
            self.by("verdict", graphs.verdict.name(), Side::Verdict, &[statement]);
        }
        for graph in &graphs.graphs {
            let mut number = |field: &str, value: &Option<serde_json::Number>, side, statement| {
                if let Some(value) = value {
                    self.by(format!("{}: {field}", graph.name), value, side, &[statement]);
                }
            };
            number("makespan", &graph.makespan, Side::Upper, &all::GRAPH);
            number("worst_case_at_least", &graph.worst_case_at_least, Side::Lower, &all::LEAST_RESPONSE);
            number("response_bound", &graph.response_bound, Side::Upper, &all::GRAPH);
        }
        self.least = Some(&OF_LEAST);
        self.rests_on(graphs.assumptions.iter().cloned());
        self.of_bounds.clone_from(&graphs.bounds_rest_on);
    }

    pub(crate) fn rta_model(&mut self, model: &RtaModel) {
        if let Some(by) = model.by {
            let statement = match by {
                VerdictBy::Overload => &all::OVERLOAD,
                _ => &all::AMALTHEA,
            };
            self.by("verdict", model.verdict.name(), Side::Verdict, &[statement]);
        }
        for task in &model.tasks {
            let mut number = |field: &str, value: &Option<serde_json::Number>, side| {
                if let Some(value) = value {
                    self.by(format!("{}: {field}", task.name), value, side, &[&all::AMALTHEA]);
                }
            };
            number("response_least", &task.response_least, Side::Lower);
            number("worst_case_at_least", &task.worst_case_at_least, Side::Lower);
            number("response_bound", &task.response_bound, Side::Upper);
        }
        for chain in &model.chains {
            for (field, value, side) in [
                ("implicit_lower", &chain.implicit_lower, Side::Lower),
                ("implicit_upper", &chain.implicit_upper, Side::Upper),
                ("implicit_upper_at_offsets", &chain.implicit_upper_at_offsets, Side::Upper),
                ("let_upper", &chain.let_upper, Side::Upper),
                ("let_lower_at_offsets", &chain.let_lower_at_offsets, Side::Lower),
                ("let_upper_at_offsets", &chain.let_upper_at_offsets, Side::Upper),
            ] {
                if let Some(value) = value {
                    self.by(format!("{}: {field}", chain.name), value, side, &[&all::AMALTHEA]);
                }
            }
        }
        self.least = Some(&OF_LEAST);
        self.rests_on(model.assumptions.iter().cloned());
        self.of_bounds.clone_from(&model.bounds_rest_on);
    }

    pub(crate) fn rta_processes(&mut self, processes: &RtaProcesses) {
        let of = match (processes.scheduling, processes.kernels.is_empty()) {
            (Sharing::Preemptive, _) => &all::PREEMPTIVE_PROCESSES,
            (Sharing::TimeSlices, true) => &all::TIME_SLICES,
            (Sharing::TimeSlices, false) => &all::TIME_SLICES_OF_KERNELS,
        };
        if processes.verdict != Verdict::Undecided {
            self.by("verdict", processes.verdict.name(), Side::Verdict, &[of]);
        }
        for task in &processes.tasks {
            let name = |field: &str| format!("{}: {field}", task.name);
            if let Some(least) = &task.response_least {
                self.by(name("response_least"), least, Side::Lower, &[of]);
            }
            if let Some(bound) = &task.response_bound {
                self.by(name("response_bound"), bound, Side::Upper, &[of]);
            }
            self.estimate(name("published_estimate"), task.published_estimate.as_ref());
        }
        for kernel in &processes.kernels {
            let name = |field: &str| format!("{}: {field}", kernel.name);
            self.given(name("execution"), &kernel.execution, Some("a measurement, or what the file says"));
            if let Some(least) = &kernel.response_least {
                self.by(name("response_least"), least, Side::Lower, &[&all::LEAST_RESPONSE]);
            }
            if let Some(bound) = &kernel.response_bound {
                self.by(name("response_bound"), bound, Side::Upper, &[of]);
            }
        }
        self.least = Some(&OF_LEAST);
        self.rests_on(processes.assumptions.iter().cloned());
        self.of_bounds.clone_from(&processes.bounds_rest_on);
    }

    pub(crate) fn time(&mut self, time: &Time) {
        let context = Context { on_machine: true, straight: false, plain_grid: false, two_warps: false };
        let theorem = time.evidence.and_then(|basis| {
            let Basis { checked, .. } = basis;
            Some((How::from(checked), evidence::statement(basis, context)?))
        });
        let mut number = |name: &str, value: Option<u64>, more: &[&'static Statement]| {
            let Some(value) = value else { return };
            let Some((checked, statement)) = theorem else {
                return self.unknown(name, value, Side::Upper, NO_EVIDENCE);
            };
            let steps: Vec<&Statement> = [statement].into_iter().chain(more.iter().copied()).collect();
            let all = more.iter().map(|one| How::from(one.checked)).chain([checked]);
            let weakest = all.min_by_key(|how| how.strength()).unwrap_or(How::Unknown);
            self.checked(name, value, Side::Upper, (weakest, &steps));
        };
        number("bound_ns", time.bound_ns, &[&all::LAUNCH, &all::LISTING]);
        number("bound_cycles", time.bound_cycles, &[&all::LISTING]);
        self.by("least_ns", time.least_ns, Side::Lower, &[&all::LEAST_LAUNCH]);
        for method in time.estimate.iter().flat_map(|estimate| &estimate.methods) {
            for level in &method.levels {
                self.estimate(format!("{}: {:e}", method.method, level.probability), Some(level.time));
            }
        }
        match time.verdict {
            Some(Verdict::Proved) => {
                let bound = self.weakest_of(|name| name == "bound_ns").unwrap_or(How::Unknown);
                self.checked("verdict", "proved", Side::Verdict, (bound, &[&all::LAUNCH]));
            }
            Some(Verdict::Refuted) => self.by("verdict", "refuted", Side::Verdict, &[&all::LEAST_LAUNCH]),
            Some(Verdict::Undecided) | None => {}
        }
        self.ends(["least_ns", "bound_ns"]);
        // The bound is rounded up to whole nanoseconds, and the least time down.
        if let Some(deadline) = time.deadline_ns.as_ref().and_then(serde_json::Number::as_f64) {
            let number = |time: u64| time.to_f64().unwrap_or(f64::INFINITY);
            let missed = time.bound_ns.is_none_or(|bound| number(bound.saturating_sub(1)) >= deadline);
            match time.verdict {
                Some(Verdict::Proved) if missed => {
                    self.contradicted("verdict", "the bound is above the deadline")
                }
                Some(Verdict::Refuted) if number(time.least_ns.saturating_add(1)) <= deadline => {
                    self.contradicted("verdict", "the least time is within the deadline");
                }
                _ => {}
            }
        }
        self.least = Some(&OF_LEAST_LAUNCH);
        self.rests_on(time.assumptions.iter().cloned());
        self.notes.extend(time.notes.iter().cloned());
        let not_covered = time.not_covered.iter().map(|what| format!("not covered: {what}"));
        self.notes.extend(not_covered);
    }

    pub(crate) fn budget(&mut self, budget: &Budget) {
        for kernel in &budget.kernels {
            let mut found = Self::default();
            kernel.time.iter().for_each(|time| found.time(time));
            self.under(&kernel.name, found);
        }
    }
}
