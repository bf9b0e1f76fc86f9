//! Multiprocessors for graphs that want some of their own, so that all deadlines are proved.
//!
//! Where every C is given, more multiprocessors of its own raise no bound. Then the search is complete:
//!
//! * With fewer multiprocessors than it needs where all others have as many as there are, a graph is never proved.
//! * If these least numbers add up to more than there are, no allocation is proved by the bounds.
//! * What uses fewer than there are is proved by one that uses all, so only these are examined, until one is proved.

use crate::Execution;
use crate::graph::bound::{Found, Memory, Setting};
use crate::graph::{Graphs, Multiprocessors};
use warpspan_model::limits::Limits;

/// The most allocations that are examined.
const MOST_ALLOCATIONS: usize = 200_000;

/// What a search has found: the multiprocessors of each graph that wanted some, and 0 of every other one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Allocation {
    pub(super) of: Vec<u64>,
    /// Whether the bounds prove all deadlines with it.
    pub(super) is_proved: bool,
    /// Whether it is known, where it is not proved, that none is.
    pub(super) is_complete: bool,
    /// How many allocations were examined.
    pub(super) tried: usize,
}

struct Search<'a> {
    graphs: &'a Graphs,
    executions: &'a [Execution],
    memory: Option<&'a Memory>,
    limits: &'a Limits,
    searching: Vec<usize>,
    tried: usize,
}

/// Looks for an allocation; none where no graph wants one.
pub(super) fn search(
    graphs: &Graphs,
    executions: &[Execution],
    memory: Option<&Memory>,
    limits: &Limits,
) -> Option<Allocation> {
    let wants = |&graph: &usize| graphs.graphs[graph].multiprocessors == Multiprocessors::Search;
    let searching: Vec<usize> = (0..graphs.graphs.len()).filter(wants).collect();
    if searching.is_empty() {
        return None;
    }
    let shared =
        |graph: &crate::graph::Graph| graph.multiprocessors == Multiprocessors::Shared && graph.has_kernels();
    // What is given is taken off, and graphs that share have one at least.
    let none = vec![0; graphs.graphs.len()];
    let budget = graphs.left(&none).saturating_sub(u64::from(graphs.graphs.iter().any(shared)));
    let measured = graphs.graphs.iter().flat_map(|graph| graph.kernel_nodes());
    let measured = measured.into_iter().all(|(_, kernel)| executions[kernel].solved.is_none());
    // Those that share get what is left, so an allocation that uses less may be the one that they need.
    let all_alone = !graphs.graphs.iter().any(shared);
    let mut search = Search { graphs, executions, memory, limits, searching, tried: 0 };
    Some(search.run(budget, measured && all_alone))
}

/// Whether the bounds prove that all deadlines are met, as [`analyse`](super::analyse) says. It stops at the first bound that is above a
/// deadline, because a large bound takes many rounds.
pub fn is_proved(graphs: &Graphs, executions: &[Execution], limits: &Limits) -> bool {
    let Ok(memory) = Memory::new(graphs, executions) else { return false };
    if graphs.system.memory_without_limit() {
        return false;
    }
    if let Some(found) = search(graphs, executions, memory.as_ref(), limits) {
        return found.is_proved;
    }
    let mut search =
        Search { graphs, executions, memory: memory.as_ref(), limits, searching: Vec::new(), tried: 0 };
    search.is_proved(&vec![0; graphs.graphs.len()])
}

impl Search<'_> {
    fn found(&mut self, of: &[u64], only: Option<usize>) -> Found {
        self.tried += 1;
        let setting = Setting::new(self.graphs, self.executions, of, self.memory);
        setting.settle(self.limits, |graph, bound| {
            only.is_some_and(|only| only != graph)
                || bound.as_ref().is_ok_and(|&bound| self.is_met(graph, bound))
        })
    }

    fn is_met(&self, graph: usize, bound: u64) -> bool {
        let graph = &self.graphs.graphs[graph];
        let response = bound.checked_add(graph.jitter.0);
        response.is_some_and(|response| graph.deadline.is_none_or(|deadline| response <= deadline.0))
    }

    fn is_proved(&mut self, of: &[u64]) -> bool {
        let found = self.found(of, None);
        found.iter().all(Result::is_ok)
    }

    /// Whether a graph is proved where the others have as many multiprocessors as there are.
    fn is_proved_alone(&mut self, of: &[u64], graph: usize) -> bool {
        let found = self.found(of, Some(graph));
        found[graph].as_ref().is_ok_and(|&bound| self.is_met(graph, bound))
    }

    fn run(&mut self, budget: u64, monotone: bool) -> Allocation {
        let number = self.searching.len();
        let fair = self.fair(budget);
        let mut least = vec![1; number];
        if monotone {
            for (at, least) in least.iter_mut().enumerate() {
                match self.least(at, budget) {
                    Some(found) => *least = found,
                    None => return self.ended(fair, true),
                }
            }
        }
        let needed = least.iter().try_fold(0_u64, |all, least| all.checked_add(*least));
        if needed.is_none_or(|needed| needed > budget) {
            return self.ended(fair, monotone);
        }
        let spare = budget - needed.unwrap_or(0);
        let mut extra = vec![0; number];
        self.next(&least, &mut extra, 0, spare, monotone)
            .unwrap_or_else(|complete| self.ended(fair, complete && monotone))
    }

    /// Shares out the spare multiprocessors among the graphs from one on, in every way. The error says whether all were
    /// tried.
    fn next(
        &mut self,
        least: &[u64],
        extra: &mut Vec<u64>,
        at: usize,
        spare: u64,
        all: bool,
    ) -> Result<Allocation, bool> {
        if self.tried > MOST_ALLOCATIONS || self.limits.stopped().is_some() {
            return Err(false);
        }
        if at == least.len() {
            let numbers: Vec<u64> = least.iter().zip(&*extra).map(|(least, extra)| least + extra).collect();
            let of = self.allocation(&numbers);
            if !self.is_proved(&of) {
                return Err(true);
            }
            return Ok(Allocation { of, is_proved: true, is_complete: true, tried: self.tried });
        }
        let is_last = at + 1 == least.len();
        // An even share first: that is most often enough.
        let even = spare / (least.len() - at) as u64;
        let mut choices: Vec<u64> = if is_last && all { vec![spare] } else { (0..=spare).collect() };
        choices.sort_by_key(|choice| choice.abs_diff(even));
        let mut complete = true;
        for choice in choices {
            extra[at] = choice;
            match self.next(least, extra, at + 1, spare - choice, all) {
                Ok(found) => return Ok(found),
                Err(looked) => complete &= looked,
            }
            if !complete {
                break;
            }
        }
        extra[at] = 0;
        Err(complete)
    }

    /// The fewest multiprocessors with which a graph is proved if the others have as many as there are.
    fn least(&mut self, at: usize, budget: u64) -> Option<u64> {
        let graph = self.searching[at];
        let mut numbers = vec![budget.max(1); self.searching.len()];
        let mut proved = |this: &mut Self, number: u64| {
            numbers[at] = number;
            let of = this.allocation(&numbers);
            this.is_proved_alone(&of, graph)
        };
        if budget == 0 || !proved(self, budget) {
            return None;
        }
        let (mut low, mut high) = (1, budget);
        while low < high {
            let middle = low.midpoint(high);
            if proved(self, middle) { high = middle } else { low = middle + 1 }
        }
        Some(high)
    }

    /// The numbers of all graphs, given those of the ones that search.
    fn allocation(&self, numbers: &[u64]) -> Vec<u64> {
        let mut of = vec![0; self.graphs.graphs.len()];
        self.searching.iter().zip(numbers).for_each(|(&graph, &number)| of[graph] = number);
        of
    }

    /// As many for each as there are for all, and one at least.
    fn fair(&self, budget: u64) -> Vec<u64> {
        let each = (budget / self.searching.len() as u64).max(1);
        self.allocation(&vec![each; self.searching.len()])
    }

    fn ended(&self, of: Vec<u64>, is_complete: bool) -> Allocation {
        let is_complete = is_complete && self.limits.stopped().is_none();
        Allocation { of, is_proved: false, is_complete, tried: self.tried }
    }
}
