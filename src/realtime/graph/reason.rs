//! Why graphs have no bound, and what bounds take for granted.

use crate::model::time::Duration;
use crate::realtime::graph::{Graphs, Multiprocessors, Policy, Work};
use crate::realtime::rta::{MOST_PENDING, Measured, Source};

/// Why a graph has no bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unbounded {
    /// Its kernels have none, in a sentence.
    Kernels(String),
    /// The bound has come to this, more than so many periods as launches may pile up, and would grow further.
    Grows(Duration),
    /// Launches of this other graph may pile up, and its nodes are in the way.
    Beside(usize),
    /// This graph copies and launches no kernel, and what its copies ask of the memory is not known.
    CopiesAlone(usize),
    /// Times or blocks are too large to be multiplied.
    TooLarge,
    /// The search was stopped, or takes too many steps.
    Stopped,
}

impl Graphs {
    /// Why there is no bound, in a sentence.
    pub fn why_no_bound(&self, why: &Unbounded) -> String {
        let unit = self.system.unit();
        let name = |graph: &usize| &self.graphs[*graph].name;
        match why {
            Unbounded::Kernels(what) => what.clone(),
            Unbounded::Grows(reached) => format!(
                "the bound has come to {} {unit}, which is more than {MOST_PENDING} periods, and grows",
                unit.write(*reached)
            ),
            Unbounded::Beside(other) => {
                format!("launches of {} may pile up, and its nodes are in the way", name(other))
            }
            Unbounded::CopiesAlone(graph) => format!(
                "{} copies and launches no kernel: what its copies ask of the memory is not known",
                name(graph)
            ),
            Unbounded::TooLarge => {
                "times or blocks are too large to be multiplied: want a coarser unit".to_owned()
            }
            Unbounded::Stopped => "the search for one was stopped or takes too many steps".to_owned(),
        }
    }

    /// What bounds and verdicts take for granted, a sentence each.
    pub fn assumes(&self) -> Vec<String> {
        let has = |is: &dyn Fn(&Work) -> bool| {
            self.graphs.iter().flat_map(|graph| &graph.nodes).any(|node| is(&node.work))
        };
        let mut all = vec![
            "launches of a graph arrive a period or more apart and are released up to the jitter later; one of them begins when the one before it is complete".to_owned(),
            "a node begins when all nodes before it are complete, which takes no time".to_owned(),
        ];
        if has(&|work| matches!(work, Work::Kernel(_))) {
            all.push("a multiprocessor has no room for a block that waits, or for one that is ahead of it; blocks may go to any multiprocessor with room, in any order".to_owned());
        }
        let own = |graph: &crate::realtime::graph::Graph| graph.multiprocessors != Multiprocessors::Shared;
        if self.graphs.iter().any(own) {
            all.push("the blocks of a graph with multiprocessors of its own run on these alone, and no others do".to_owned());
        }
        let given = |measured: Measured| {
            let mut tasks = self.system.tasks().iter();
            tasks.any(|task| task.measured == measured && matches!(task.execution, Source::Given(_)))
        };
        if given(Measured::BesideOthers) {
            all.push("a block takes at most the C that is given, whatever runs beside it".to_owned());
        }
        if given(Measured::Alone) {
            all.push("a block that has its multiprocessor for itself takes at most the C that was measured alone".to_owned());
        }
        if has(&|work| matches!(work, Work::Copy(..))) {
            let order = match self.copies.policy {
                Policy::Any => "in any order",
                Policy::FixedPriority => "the most urgent one first",
            };
            all.push(format!(
                "a copy takes at most its time and is never interrupted; a copy engine makes one at a time, {order}, and is idle only while none is ready"
            ));
        }
        if has(&|work| matches!(work, Work::Host(_))) {
            let order = match self.cores.policy {
                Policy::Any => "in any order",
                Policy::FixedPriority => "the most urgent ones at each moment",
            };
            all.push(format!(
                "a host node takes at most its time and may run on any core; cores run what is ready, {order}, and nothing else, and are idle only while nothing waits"
            ));
        }
        all.extend(self.system.assumed().iter().cloned());
        all
    }
}
