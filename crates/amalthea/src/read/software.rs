//! `swModel`: labels, runnables, and the steps of tasks.

use std::collections::BTreeMap;

use crate::model::{Label, Range, Runnable, Step, Work};
use crate::read::names::{Names, reference, references};
use crate::read::values::{DEEPEST, discrete, size, whole};
use crate::xml::Element;
use warpspan_model::source::{InputError, quoted};

/// The names that activities refer to.
#[derive(Debug)]
pub(super) struct Software<'a> {
    pub(super) runnables: Names,
    pub(super) labels: Names,
    pub(super) events: Names,
    pub(super) tasks: &'a Names,
    pub(super) stimuli: &'a Names,
    /// The names of the definitions of processing units.
    pub(super) definitions: &'a Names,
}

pub(super) fn label(element: Element<'_>, memories: &BTreeMap<String, String>) -> Result<Label, InputError> {
    let name = element.required("name")?.to_owned();
    let memory = memories.get(&name).cloned();
    Ok(Label { bits: element.child("size").map(size).transpose()?, memory, name })
}

/// Of what the items are that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Of {
    Task,
    Runnable,
}

/// The graph of a task or a runnable; older versions have other names for it.
fn graph(element: Element<'_>) -> Option<Element<'_>> {
    element.child("activityGraph").or_else(|| element.child("callGraph"))
}

/// The items of a graph, a group or an entry.
fn items(element: Element<'_>) -> impl Iterator<Item = Element<'_>> {
    element
        .elements()
        .filter(|item| matches!(item.name(), "items" | "graphEntries" | "calls" | "runnableItems"))
}

impl Software<'_> {
    pub(super) fn runnable(&self, element: Element<'_>) -> Result<Runnable, InputError> {
        let mut work = self.all(graph(element).unwrap_or(element), 0, Of::Runnable)?;
        if element.child("executionCondition").is_some() {
            work = Work::OneOf { work: vec![work, Work::All(Vec::new())], happens: vec![false, false] };
        }
        Ok(Runnable { name: element.required("name")?.to_owned(), work })
    }

    /// The items within an element, one after the other.
    fn all(&self, element: Element<'_>, depth: usize, of: Of) -> Result<Work, InputError> {
        if depth > DEEPEST {
            return Err(element.error(format!("groups nest deeper than {DEEPEST}: want fewer levels")));
        }
        let work = items(element).map(|item| self.work(item, depth, of));
        work.filter_map(Result::transpose).collect::<Result<_, _>>().map(Work::All)
    }

    /// The work of an item; `None` where it takes no time.
    fn work(&self, item: Element<'_>, depth: usize, of: Of) -> Result<Option<Work>, InputError> {
        refuse_counter(item)?;
        Ok(Some(match item.kind() {
            "Ticks" => self.ticks(item)?,
            "LabelAccess" => {
                let times = match item.child("statistic").and_then(|statistic| statistic.child("value")) {
                    Some(value) => number_of_accesses(value)?,
                    None => Range { lower: 1, upper: 1 },
                };
                let is_write = match item.attribute("access") {
                    Some("read") => false,
                    Some("write") => true,
                    other => {
                        let found = quoted(other.unwrap_or_default());
                        return Err(item.error(format!("access is {found}: want read or write")));
                    }
                };
                Work::Label { label: self.labels.one(item, "data")?, is_write, times }
            }
            "RunnableCall" | "TaskRunnableCall" => Work::Call(self.runnables.one(item, "runnable")?),
            "Group" | "CallSequence" if interruptible(item)? => self.all(item, depth + 1, of)?,
            "Group" | "CallSequence" => {
                let what = "a group that cannot be interrupted, in a runnable or a switch, is not analysed";
                return Err(item.error(format!("{what}: want it directly in the activity graph of a task")));
            }
            "ProbabilitySwitch"
            | "RunnableProbabilitySwitch"
            | "ModeSwitch"
            | "RunnableModeSwitch"
            | "Switch" => {
                let entries: Vec<Element<'_>> =
                    item.children("entries").chain(item.children("defaultEntry")).collect();
                let is_drawn = item.kind().ends_with("ProbabilitySwitch");
                let mut happens: Vec<bool> =
                    entries.iter().map(|&entry| is_drawn && may_be_drawn(entry)).collect();
                let work = entries.iter().map(|&entry| self.all(entry, depth + 1, of));
                let mut work = work.collect::<Result<Vec<_>, _>>()?;
                if item.child("defaultEntry").is_none() {
                    work.push(Work::All(Vec::new()));
                    happens.push(false);
                }
                Work::OneOf { work, happens }
            }
            // A task that can only be preempted at such points is taken never to be.
            "ModeLabelAccess" | "CustomEventTrigger" | "SchedulePoint" => return Ok(None),
            // It takes no time; [`Software::triggers`] finds it.
            "InterProcessTrigger" if of == Of::Task => return Ok(None),
            kind => {
                let what = format!("an activity of the kind {} is not analysed", quoted(kind));
                let want = "Ticks, LabelAccess, RunnableCall, Group, a switch, and in tasks InterProcessTrigger, \
                            WaitEvent, SetEvent and ClearEvent";
                return Err(item.error(format!("{what}: want {want}")));
            }
        }))
    }

    fn ticks(&self, item: Element<'_>) -> Result<Work, InputError> {
        let mut extended = Vec::new();
        for entry in item.children("extended") {
            let definition = reference(entry, "key")?;
            if self.definitions.find(&definition).is_none() {
                let want = "want the name of a ProcessingUnitDefinition of this model";
                return Err(entry.error(format!("key names {}: {want}", quoted(&definition))));
            }
            extended.push((definition, discrete(entry.required_child("value")?)?));
        }
        let default = item.child("default").map(discrete).transpose()?;
        Ok(Work::Ticks { default, extended, at: item.bytes().start })
    }

    /// The steps of a task.
    pub(super) fn steps(&self, task: Element<'_>) -> Result<Vec<Step>, InputError> {
        let mut steps = Vec::new();
        if let Some(graph) = graph(task) {
            self.collect(graph, &mut steps, 0)?;
        }
        Ok(steps)
    }

    fn collect(&self, element: Element<'_>, steps: &mut Vec<Step>, depth: usize) -> Result<(), InputError> {
        if depth > DEEPEST {
            return Err(element.error(format!("groups nest deeper than {DEEPEST}: want fewer levels")));
        }
        for item in items(element) {
            match item.kind() {
                "Group" | "CallSequence" => {
                    if item.attribute("ordered") == Some("false") {
                        self.only_work(item, depth)?;
                    }
                    interruptible(item)?;
                    self.collect(item, steps, depth + 1)?;
                }
                "InterProcessTrigger" => {
                    refuse_counter(item)?;
                    let stimulus = self.stimuli.one(item, "stimulus")?;
                    steps.push(Step::Trigger { stimulus, is_certain: true });
                }
                "WaitEvent" => {
                    let is_active = match item.attribute("waitingBehaviour") {
                        Some("active") => true,
                        Some("passive") => false,
                        other => {
                            let found = quoted(other.unwrap_or_default());
                            let what = format!("waitingBehaviour is {found}: want active or passive");
                            return Err(item.error(what));
                        }
                    };
                    if item.attribute("maskType") == Some("OR") {
                        let what = "a wait for one of several events is not analysed: want maskType=\"AND\"";
                        return Err(item.error(what));
                    }
                    steps.push(Step::Wait { events: self.mask(item)?, is_active });
                }
                "SetEvent" => {
                    let named = !references(item, "process").is_empty();
                    let waiting = named.then(|| self.tasks.one(item, "process")).transpose()?;
                    steps.push(Step::Set { events: self.mask(item)?, waiting });
                }
                "ClearEvent" => steps.push(Step::Clear(self.mask(item)?)),
                kind => {
                    let Some(work) = self.work(item, depth, Of::Task)? else { continue };
                    let name = references(item, "runnable").pop().unwrap_or_else(|| kind.to_owned());
                    steps.push(Step::Run(name, work));
                    let triggers = self.triggers(item, depth)?;
                    steps.extend(triggers.into_iter().flat_map(|(stimulus, times)| {
                        (0..times).map(move |_| Step::Trigger { stimulus, is_certain: false })
                    }));
                }
            }
        }
        Ok(())
    }

    /// The stimuli that a switch of a task may trigger, and how often at most in a job: one of its entries is taken.
    fn triggers(&self, item: Element<'_>, depth: usize) -> Result<BTreeMap<usize, usize>, InputError> {
        let mut most = BTreeMap::new();
        if depth > DEEPEST {
            return Ok(most);
        }
        for entry in item.children("entries").chain(item.children("defaultEntry")) {
            let mut sum = BTreeMap::new();
            self.triggers_of_all(entry, &mut sum, depth + 1)?;
            for (stimulus, times) in sum {
                let most = most.entry(stimulus).or_default();
                *most = times.max(*most);
            }
        }
        Ok(most)
    }

    /// Adds how often the items within an element trigger each stimulus at most.
    fn triggers_of_all(
        &self,
        element: Element<'_>,
        sum: &mut BTreeMap<usize, usize>,
        depth: usize,
    ) -> Result<(), InputError> {
        if depth > DEEPEST {
            return Ok(());
        }
        for item in items(element) {
            match item.kind() {
                "Group" | "CallSequence" => self.triggers_of_all(item, sum, depth + 1)?,
                "InterProcessTrigger" => *sum.entry(self.stimuli.one(item, "stimulus")?).or_default() += 1,
                _ => {
                    for (stimulus, times) in self.triggers(item, depth)? {
                        *sum.entry(stimulus).or_default() += times;
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether a group in the graph of a task cannot be interrupted.
    pub(super) fn cannot_be_interrupted(&self, task: Element<'_>) -> Result<bool, InputError> {
        fn any(element: Element<'_>) -> Result<bool, InputError> {
            for group in items(element).filter(|item| matches!(item.kind(), "Group" | "CallSequence")) {
                if !interruptible(group)? || any(group)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        graph(task).map_or(Ok(false), any)
    }

    /// Refuses a group without an order in which the order matters.
    fn only_work(&self, group: Element<'_>, depth: usize) -> Result<(), InputError> {
        // What nests so deeply is refused where its steps are read.
        if depth > DEEPEST {
            return Ok(());
        }
        for item in items(group) {
            let is_ordered = match item.kind() {
                "InterProcessTrigger" | "WaitEvent" | "SetEvent" | "ClearEvent" => true,
                "Group" | "CallSequence" => {
                    self.only_work(item, depth + 1)?;
                    false
                }
                _ => item.child("entries").is_some() && !self.triggers(item, depth)?.is_empty(),
            };
            if is_ordered {
                return Err(item.error("in a group without an order: want ordered=\"true\""));
            }
        }
        Ok(())
    }

    /// The events of a mask.
    fn mask(&self, item: Element<'_>) -> Result<Vec<String>, InputError> {
        refuse_counter(item)?;
        let mask = item.required_child("eventMask")?;
        let events = references(mask, "events");
        if events.is_empty() {
            return Err(mask.error("no events: want a reference such as events=\"NAME?type=OsEvent\""));
        }
        self.events.all(mask, "events")?;
        Ok(events)
    }
}

/// Whether other tasks may run in the midst of a group, which is so where it does not say.
fn interruptible(group: Element<'_>) -> Result<bool, InputError> {
    match group.attribute("interruptible") {
        None | Some("true") => Ok(true),
        Some("false") => Ok(false),
        Some(other) => Err(group.error(format!("interruptible is {}: want true or false", quoted(other)))),
    }
}

/// Refuses what happens in some jobs only.
fn refuse_counter(item: Element<'_>) -> Result<(), InputError> {
    match item.child("counter") {
        Some(_) => {
            let what = match item.kind() {
                "InterProcessTrigger" => {
                    "a trigger with a counter is not analysed: want one that triggers each time"
                }
                _ => "an activity with a counter is not analysed: want one that happens each time",
            };
            Err(item.error(what))
        }
        None => Ok(()),
    }
}

/// Whether an entry of a probability switch has a probability above 0, which is the default.
fn may_be_drawn(entry: Element<'_>) -> bool {
    entry
        .attribute("probability")
        .and_then(|text| text.parse::<f64>().ok())
        .is_some_and(|chance| chance > 0.0)
}

/// How often a label is accessed.
fn number_of_accesses(value: Element<'_>) -> Result<Range<u64>, InputError> {
    let most = 1 << 32;
    let bounds = if value.attribute("value").is_some() {
        whole(value, "value").map(|times| Range { lower: times, upper: times })?
    } else {
        discrete(value)?
    };
    if bounds.upper > most {
        return Err(value.error("more than 2^32 accesses: want fewer"));
    }
    Ok(bounds)
}
