//! `constraintsModel`: deadlines, event chains and their latencies.

use std::collections::BTreeMap;

use crate::model::{Chain, Finding, Step, Task, Work};
use crate::read::names::{Names, reference, references};
use crate::read::values::{DEEPEST, time};
use crate::xml::Element;
use warpspan_model::source::{InputError, quoted};
use warpspan_model::time::Duration;

/// The longest response time of each task, by its number, with the line that says so.
pub(super) fn deadlines(
    models: &[Element<'_>],
    tasks: &Names,
    findings: &mut Vec<Finding>,
) -> Result<BTreeMap<usize, (Duration, usize)>, InputError> {
    let mut found: BTreeMap<usize, (Duration, usize)> = BTreeMap::new();
    for requirement in models.iter().flat_map(|model| model.children("requirements").collect::<Vec<_>>()) {
        let limit = requirement.child("limit");
        let of = |name| limit.and_then(|limit| limit.attribute(name));
        let is_deadline = requirement.kind() == "ProcessRequirement"
            && of("limitType") == Some("UpperLimit")
            && of("metric") == Some("ResponseTime");
        let Some(limit) = limit.filter(|_| is_deadline) else {
            let only = "upper limits of response times of tasks";
            findings.push(not_checked("requirement", requirement, only));
            continue;
        };
        let task = tasks.one(requirement, "process")?;
        let deadline = time(limit.required_child("limitValue")?)?;
        let one = found.entry(task).or_insert((deadline, requirement.line()));
        if deadline < one.0 {
            *one = (deadline, requirement.line());
        }
    }
    Ok(found)
}

/// A note that nothing is said of a constraint, as `only` others are checked.
fn not_checked(kind: &str, element: Element<'_>, only: &str) -> Finding {
    let name = element.attribute("name").unwrap_or_default();
    let what = format!("the {kind} {name} is not checked: only {only} are");
    Finding { line: element.line(), is_warning: false, what }
}

/// What event chains refer to.
pub(super) struct Events<'a> {
    /// The elements of events by their names.
    pub(super) events: BTreeMap<&'a str, Element<'a>>,
    pub(super) task_names: &'a Names,
    pub(super) runnable_names: &'a Names,
    pub(super) tasks: &'a [Task],
}

impl Events<'_> {
    /// All event chains.
    pub(super) fn chains(
        &self,
        models: &[Element<'_>],
        findings: &mut Vec<Finding>,
    ) -> Result<Vec<Chain>, InputError> {
        let of = |name: &'static str| {
            models.iter().flat_map(move |model| model.children(name).collect::<Vec<_>>())
        };
        let all: Vec<Element<'_>> = of("eventChains").collect();
        let names = Names::new("EventChain", all.iter().copied())?;
        let mut limits: BTreeMap<usize, Duration> = BTreeMap::new();
        for name in [
            "affinityConstraints",
            "runnableSequencingConstraints",
            "dataCoherencyGroups",
            "dataStabilityGroups",
            "physicalSectionConstraints",
        ] {
            let only = "upper limits of response times and of reactions";
            findings.extend(of(name).map(|element| not_checked("constraint", element, only)));
        }
        for constraint in of("timingConstraints").chain(of("dataAgeConstraints")) {
            let is_reaction = constraint.kind() == "EventChainLatencyConstraint"
                && constraint.attribute("type") == Some("Reaction");
            let only = "upper limits of reactions along event chains";
            let Some(most) = constraint.child("maximum").filter(|_| is_reaction) else {
                findings.push(not_checked("timing constraint", constraint, only));
                continue;
            };
            if constraint.child("minimum").is_some() {
                findings.push(not_checked("lower limit of the timing constraint", constraint, only));
            }
            let (chain, most) = (names.one(constraint, "scope")?, time(most)?);
            let limit = limits.entry(chain).or_insert(most);
            *limit = most.min(*limit);
        }
        let chain = |(number, &element): (usize, &Element<'_>)| -> Result<Chain, InputError> {
            let mut events = Vec::new();
            collect(element, &all, &names, &mut events, 0)?;
            let mut tasks: Result<Vec<usize>, String> = Ok(Vec::new());
            for (event, at) in &events {
                let task = self.task(event, *at)?;
                if let Ok(so_far) = &mut tasks {
                    match task {
                        Ok(task) if so_far.last() == Some(&task) => {}
                        Ok(task) => so_far.push(task),
                        Err(reason) => tasks = Err(reason),
                    }
                }
            }
            let name = element.required("name")?.to_owned();
            let limit = limits.get(&number).copied();
            Ok(Chain { name, tasks, limit, is_whole: self.is_whole(&events), at: element.bytes().start })
        };
        all.iter().enumerate().map(chain).collect()
    }

    /// Whether events begin with the arrival or the start of a job of a task, and end with the end of one.
    fn is_whole(&self, events: &[(String, Element<'_>)]) -> bool {
        let is = |event: Option<&(String, Element<'_>)>, types: &[&str]| {
            let event = event.and_then(|(name, _)| self.events.get(name.as_str()));
            event.is_some_and(|event| {
                let kind = event.attribute("eventType").unwrap_or_default();
                event.kind() == "ProcessEvent" && types.contains(&kind)
            })
        };
        is(events.first(), &["activate", "start"]) && is(events.last(), &["terminate"])
    }

    /// The task in which an event happens, or why that cannot be told.
    fn task(&self, name: &str, at: Element<'_>) -> Result<Result<usize, String>, InputError> {
        let event = self.events.get(name).copied();
        let event = event.ok_or_else(|| {
            at.error(format!("it names the event {}: want the name of an event of this model", quoted(name)))
        })?;
        let of_task = |attribute| -> Result<Option<usize>, InputError> {
            let named = !references(event, attribute).is_empty();
            named.then(|| self.task_names.one(event, attribute)).transpose()
        };
        match event.kind() {
            "ProcessEvent" => Ok(of_task("entity")?.ok_or_else(|| format!("the event {name} names no task"))),
            _ if of_task("process").is_ok_and(|task| task.is_some()) => {
                Ok(of_task("process")?.ok_or_else(String::new))
            }
            "RunnableEvent" if !references(event, "entity").is_empty() => {
                let runnable = self.runnable_names.one(event, "entity")?;
                let calls = |&task: &usize| self.tasks[task].steps.iter().any(|step| runs(step, runnable));
                let callers: Vec<usize> = (0..self.tasks.len()).filter(calls).collect();
                Ok(match callers[..] {
                    [one] => Ok(one),
                    _ => {
                        Err(format!("the runnable of the event {name} is called by {} tasks", callers.len()))
                    }
                })
            }
            _ => Ok(Err(format!("the event {name} is not of one task"))),
        }
    }
}

fn runs(step: &Step, runnable: usize) -> bool {
    matches!(step, Step::Run(_, Work::Call(called)) if *called == runnable)
}

/// Collects the names of the events of a chain in order, with the elements that name them.
fn collect<'a>(
    chain: Element<'a>,
    all: &[Element<'a>],
    names: &Names,
    events: &mut Vec<(String, Element<'a>)>,
    depth: usize,
) -> Result<(), InputError> {
    if depth > DEEPEST {
        return Err(chain.error(format!("event chains nest deeper than {DEEPEST}: want fewer levels")));
    }
    events.push((reference(chain, "stimulus")?, chain));
    for item in chain.elements().filter(|item| matches!(item.name(), "items" | "segments")) {
        match (item.kind(), item.child("eventChain")) {
            ("EventChainReference", _) if item.attribute("eventChain").is_some() => {
                collect(all[names.one(item, "eventChain")?], all, names, events, depth + 1)?;
            }
            (_, Some(inner)) => collect(inner, all, names, events, depth + 1)?,
            _ => return Err(item.error("an item without an event chain: want eventChain")),
        }
    }
    if let Some(strands) = chain.child("strands") {
        return Err(strands.error("strands of an event chain are not analysed: want a chain of segments"));
    }
    events.push((reference(chain, "response")?, chain));
    Ok(())
}
