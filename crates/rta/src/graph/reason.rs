//! Why graphs have no bound, in sentences, and what bounds assume.

use crate::graph::unbounded::Unbounded;
use crate::graph::{Analysis, Graphs, Multiprocessors, Policy, Resource, Work};
use crate::{DeadlineMet, MOST_PENDING, Measured, Source, System};
use warpspan_model::assumption::{Assumption, Id};
use warpspan_model::time::Duration;

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
                format!("launches of {} may pile up, and its nodes delay those of this graph", name(other))
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

    /// What a refuted verdict rests on: that all may take as long as is given.
    pub fn rests_on_least(&self) -> Vec<Assumption> {
        let may = "may take as long as is given";
        let arrivals = "released as late as the jitter allows";
        let mut all = vec![
            Assumption::declared(Id::ExecutionLeast, "a block, a copy or a host node", may)
                .by("execution, copy and host in the file"),
            Assumption::declared(Id::LaunchJitter, "a launch of a graph may be", arrivals)
                .by("jitter in the file"),
        ];
        all.extend(self.system.of_least());
        all
    }

    /// What bounds and verdicts that are not refuted rest on.
    pub fn rests_on(&self) -> Vec<Assumption> {
        let has = |is: &dyn Fn(&Work) -> bool| {
            self.graphs.iter().flat_map(|graph| &graph.nodes).any(|node| is(&node.work))
        };
        let arrivals = "a period or more apart, released up to the jitter later; one begins when the one before it is complete";
        let mut all = vec![
            Assumption::declared(Id::GraphArrivals, "launches of a graph", arrivals)
                .by("period and jitter in the file"),
            Assumption::modelled(
                Id::GraphNodes,
                "a node",
                "begins when all nodes before it are complete, which takes no time",
            ),
        ];
        if has(&|work| matches!(work, Work::Kernel(_))) {
            let value = "waits only while its multiprocessor has no room for it or for one that is ahead of it; blocks may go to any \
                         multiprocessor with room, in any order";
            all.push(Assumption::modelled(Id::BlockStart, "a block", value));
        }
        let own = |graph: &crate::graph::Graph| graph.multiprocessors != Multiprocessors::Shared;
        if self.graphs.iter().any(own) {
            let value = "its blocks run on these alone, and no others do";
            let subject = "a graph with multiprocessors of its own";
            all.push(
                Assumption::declared(Id::GraphMultiprocessors, subject, value)
                    .by("multiprocessors in the file"),
            );
        }
        let given = |measured: Measured| {
            let mut tasks = self.system.tasks().iter();
            tasks.any(|task| task.measured == measured && matches!(task.execution, Source::Given(_)))
        };
        let execution = |id, subject: &str, value: &str| {
            Assumption::declared(id, subject, value).by("execution in the file")
        };
        if given(Measured::BesideOthers) {
            let value = "at most the C that is given, whatever else runs";
            all.push(execution(Id::ExecutionGiven, "a block", value));
        }
        if given(Measured::Alone) {
            let subject = "a block that has its multiprocessor for itself";
            all.push(execution(Id::ExecutionAlone, subject, "at most the C that was measured alone"));
        }
        if has(&|work| matches!(work, Work::Copy(..))) {
            let order = match self.copies.policy {
                Policy::Any => "in any order",
                Policy::FixedPriority => "the most urgent one first",
            };
            let value = format!(
                "at most its time, never interrupted; a copy engine makes one at a time, {order}, and is idle only while none is ready"
            );
            all.push(
                Assumption::declared(Id::CopyEngine, "a copy", value).by("copy and [copies] in the file"),
            );
        }
        if has(&|work| matches!(work, Work::Host(_))) {
            let order = match self.cores.policy {
                Policy::Any => "in any order",
                Policy::FixedPriority => "the most urgent ones at each moment",
            };
            let value = format!(
                "at most its time, on any core of {}; these run what is ready, {order}, and nothing else, and are idle only while nothing waits",
                self.cores.count
            );
            all.push(
                Assumption::declared(Id::CoreScheduling, "a host node", value)
                    .by("host and [cores] in the file"),
            );
        }
        if [self.cores.policy, self.copies.policy].contains(&Policy::FixedPriority) {
            let urgent = self.graphs.iter().filter(|graph| graph.priority != 0).map(|graph| {
                let subject = format!("{}, a larger number is more urgent: priority", graph.name);
                Assumption::declared(Id::StreamPriority, subject, graph.priority.to_string()).by("priority")
            });
            all.extend(urgent);
        }
        all.extend(self.numbers());
        all.extend(self.system.assumptions());
        all.extend(System::of_others());
        all.extend(self.system.rests().on.iter().cloned());
        all
    }
}

impl Graphs {
    /// The times of launches, of copies and of work of the host.
    fn numbers(&self) -> Vec<Assumption> {
        let mut all = Vec::new();
        for graph in &self.graphs {
            let mut add = |id, subject: &str, [most, key]: [&str; 2], time: Duration| {
                let (unit, subject) = (self.system.unit(), format!("{}, {subject}", graph.name));
                let value = format!("{most}{} {unit}", unit.write(time));
                all.push(Assumption::declared(id, subject, value).by(key));
            };
            if let Some(period) = graph.period {
                add(Id::GraphArrivals, "time between launches", ["", "period"], period);
            }
            if graph.jitter > Duration::ZERO {
                add(Id::GraphArrivals, "time from arrival to release", ["at most ", "jitter"], graph.jitter);
            }
            for node in &graph.nodes {
                match node.work {
                    Work::Copy(_, time) => {
                        add(Id::CopyEngine, &format!("copy of {}", node.name), ["at most ", "copy"], time);
                    }
                    Work::Host(time) => {
                        add(
                            Id::CoreScheduling,
                            &format!("work of {}", node.name),
                            ["at most ", "host"],
                            time,
                        );
                    }
                    Work::Kernel(_) | Work::Nothing => {}
                }
            }
        }
        all
    }

    /// The name of what nodes wait for.
    pub fn name_of(&self, resource: Resource) -> &str {
        match resource {
            Resource::Multiprocessors => "multiprocessors",
            Resource::Cores => "cores",
            Resource::Engine(engine) => self.copies.engines.get(engine).map_or("", String::as_str),
        }
    }

    /// Why a graph is not proved to meet its deadline, in a sentence; `None` for one that is.
    pub fn reason(&self, analysis: &Analysis, graph: usize) -> Option<String> {
        let (of, result) = (&self.graphs[graph], &analysis.graphs[graph]);
        let write = |time| format!("{} {}", self.system.unit().write(time), self.system.unit());
        let limit = of.deadline.map_or_else(|| "no deadline".to_owned(), write);
        Some(match (result.meets, &result.bound) {
            (DeadlineMet::Yes, _) => return None,
            (DeadlineMet::No, _) => {
                let worst = result.worst_at_least.map_or_else(String::new, write);
                format!(
                    "a launch that is released as late as it may be, and all of whose nodes take as long as they may, takes {worst} or more from its arrival, and its deadline is {limit}"
                )
            }
            (DeadlineMet::Unknown, Ok(bound)) if of.deadline.is_none_or(|deadline| *bound <= deadline) => {
                "the bound takes the memory to be without limit, since the machine has no [[server]]"
                    .to_owned()
            }
            (DeadlineMet::Unknown, Ok(bound)) => {
                let parts = result.explanation.as_ref();
                let most = parts.and_then(|parts| {
                    parts.others.iter().max_by_key(|one| one.time).map(|one| (parts.own, one))
                });
                let most = match most {
                    Some((own, one)) if one.time > own => format!(
                        ", most of which is what {} adds on {}: {}",
                        self.graphs[one.graph].name,
                        self.name_of(one.resource),
                        write(one.time)
                    ),
                    _ => parts.map_or_else(String::new, |parts| {
                        format!(", most of which is what it takes itself: {}", write(parts.own))
                    }),
                };
                format!("bound {} > deadline {limit}{most}", write(*bound))
            }
            (DeadlineMet::Unknown, Err(why)) => format!("no bound: {}", self.why_no_bound(why)),
        })
    }
}
