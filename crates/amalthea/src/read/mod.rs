//! Reading a model: XML of the versions 0.9.3 to 3, as far as it says what takes time.

mod constraints;
mod hardware;
mod latencies;
mod mapping;
mod names;
mod software;
mod stimuli;
mod values;
mod vocabulary;

use std::collections::{BTreeMap, BTreeSet};

use crate::findings;
use crate::model::{Activation, Finding, Label, Model, Runnable, Scheduler, Step, Task, Untimed, Work};
use crate::read::constraints::Events;
use crate::read::names::Names;
use crate::read::software::Software;
use crate::read::values::DEEPEST;
use crate::xml::{Element, Xml};
use warpspan_model::source::{InputError, quoted};

/// The namespace of a model, before its version.
const NAMESPACE: &str = "http://app4mc.eclipse.org/amalthea/";

/// Reads a model from the text of the file `place`.
///
/// # Errors
/// If the text is not XML, is not a model, lacks what the analysis needs, or has what it does not cover: with
/// the line and the path of the element.
pub fn read_model(place: &str, text: &str) -> Result<Model, InputError> {
    let xml = Xml::parse(place, text)?;
    let root = xml.root();
    if root.name() != "Amalthea" {
        return Err(root.error("not an AMALTHEA model: want am:Amalthea as the outermost element"));
    }
    let version = root.namespace().strip_prefix(NAMESPACE);
    let Some(version) = version else {
        let found = quoted(root.namespace());
        return Err(root.error(format!("its namespace is {found}: want {NAMESPACE}VERSION")));
    };
    let within = |name: &'static str| -> Vec<Element<'_>> { root.children(name).collect() };
    let mut found: Vec<Finding> = Vec::new();
    if !is_known(version) {
        let what = format!(
            "version {version} of AMALTHEA: this reader knows 0.9.3 to 3, and others may mean something else"
        );
        found.push(Finding { line: root.line(), is_warning: true, what });
    }

    vocabulary::refuse_unknown(root)?;
    let hardware = hardware::hardware(&within("hwModel"))?;
    let memories = hardware::memory_of(&within("mappingModel"))?;
    let stimulus_elements = root.below("stimuliModel", "stimuli");
    let stimulus_names = Names::new("Stimulus", stimulus_elements.iter().copied())?;
    let task_elements = root.below("swModel", "tasks");
    if task_elements.is_empty() {
        return Err(root.error("no tasks: want tasks in swModel"));
    }
    let task_names = Names::new("Task", task_elements.iter().copied())?;
    let runnable_elements = root.below("swModel", "runnables");
    let label_elements = root.below("swModel", "labels");
    let software = Software {
        runnables: Names::new("Runnable", runnable_elements.iter().copied())?,
        labels: Names::new("Label", label_elements.iter().copied())?,
        events: Names::new("OsEvent", root.below("swModel", "events"))?,
        tasks: &task_names,
        stimuli: &stimulus_names,
        definitions: &hardware.definitions,
    };
    if let Some(isr) = root.below("swModel", "isrs").first() {
        return Err(isr.error("interrupt service routines are not analysed: want a model without them"));
    }
    let labels = label_elements.iter().map(|&label| software::label(label, &memories));
    let labels: Vec<Label> = labels.collect::<Result<_, _>>()?;
    if let Some((label, memory)) =
        memories.iter().find(|(_, memory)| hardware.memory_names.find(memory).is_none())
    {
        let mapping = root.child("mappingModel").unwrap_or(root);
        return Err(
            mapping.error(format!("it maps {label} to {memory}: want the name of a Memory of this model"))
        );
    }
    let runnables = runnable_elements.iter().map(|&element| software.runnable(element));
    let runnables: Vec<Runnable> = runnables.collect::<Result<_, _>>()?;
    refuse_deep_calls(&runnables, &runnable_elements)?;

    let os: Vec<Element<'_>> = root.below("osModel", "operatingSystems");
    refuse_overhead(&os, root)?;
    let scheduler_elements: Vec<Element<'_>> =
        os.iter().flat_map(|os| os.children("taskSchedulers").collect::<Vec<_>>()).collect();
    let scheduler_names = Names::new("TaskScheduler", scheduler_elements.iter().copied())?;
    let mut schedulers: Vec<Scheduler> =
        scheduler_elements.iter().map(|&element| mapping::scheduler(element)).collect::<Result<_, _>>()?;
    let mappings = within("mappingModel");
    mapping::responsibilities(&mappings, &scheduler_names, &hardware.unit_names, &mut schedulers)?;
    let allocations = mapping::allocations(
        &mappings,
        &task_names,
        &scheduler_names,
        &hardware.unit_names,
        &schedulers,
        &mut found,
    )?;
    found.extend(mapping::unused_defaults(&within("osModel"), &allocations));
    let deadlines = constraints::deadlines(&within("constraintsModel"), &task_names, &mut found)?;

    let mut used_stimuli = BTreeSet::new();
    let mut tasks = Vec::with_capacity(task_elements.len());
    for (number, &element) in task_elements.iter().enumerate() {
        let allocation = allocations.get(&number);
        let stimuli = stimulus_names.all(element, "stimuli")?;
        used_stimuli.extend(stimuli.iter().copied());
        let activation = match stimuli[..] {
            [] => Activation::Never,
            [one] => stimuli::activation(stimulus_elements[one], one)?,
            _ => return Err(element.error("released by several stimuli, which is not analysed: want one")),
        };
        let task = Task {
            name: element.required("name")?.to_owned(),
            activation,
            steps: software.steps(element)?,
            units: allocation.map(|one| one.units.clone()).unwrap_or_default(),
            scheduler: allocation.map(|one| one.scheduler),
            priority: allocation.and_then(|one| one.priority),
            is_preemptive: is_preemptive(element, software.cannot_be_interrupted(element)?, &mut found)?,
            deadline: deadlines.get(&number).map(|(deadline, _)| *deadline),
            stretch: 1.into(),
            at: element.bytes().start,
        };
        let gpus = task.units.iter().filter(|&&unit| hardware.units[unit].is_gpu).count();
        if gpus > 0 && task.units.len() > 1 {
            return Err(
                element.error("allocated to a GPU and to another unit: want one GPU, or processor cores")
            );
        }
        let waits = |step: &Step| matches!(step, Step::Wait { .. } | Step::Trigger { .. });
        if gpus > 0 && task.steps.iter().any(waits) {
            return Err(
                element.error("a task on a GPU that waits or triggers is not analysed: want one that runs")
            );
        }
        tasks.push(task);
    }
    let events = root.below("eventModel", "events");
    let named = events.iter().filter_map(|event| Some((event.attribute("name")?, *event)));
    let events: BTreeMap<&str, Element<'_>> = named.collect();
    let chains =
        Events { events, task_names: &task_names, runnable_names: &software.runnables, tasks: &tasks };
    let chains = chains.chains(&within("constraintsModel"), &mut found)?;

    let places: Vec<usize> = label_elements.iter().map(|label| label.line()).collect();
    let untimed = latencies::untimed(&tasks, &runnables, (&labels, &places), &hardware.units);
    found.extend(untimed.iter().map(Untimed::finding));
    for task in &tasks {
        latencies::refuse_unknown(task, &runnables, &labels, &hardware)
            .map_err(|(line, what)| InputError { line: Some(line), ..root.error(what) })?;
    }
    let namespace = root.namespace().to_owned();
    let units = hardware.units;
    let mut model = Model {
        namespace,
        units,
        tasks,
        runnables,
        labels,
        schedulers,
        chains,
        findings: found,
        untimed,
        at_offsets: false,
        lines: xml.lines.clone(),
    };
    let lines = |elements: &[Element<'_>]| -> Vec<(String, usize)> {
        elements
            .iter()
            .map(|one| (one.attribute("name").unwrap_or_default().to_owned(), one.line()))
            .collect()
    };
    let places = findings::Places {
        stimuli: lines(&stimulus_elements),
        used_stimuli,
        runnables: lines(&runnable_elements),
        schedulers: mappings.iter().flat_map(|one| lines_of_allocations(*one)).collect(),
        deadlines: deadlines.into_iter().map(|(task, (_, line))| (task, line)).collect(),
    };
    findings::add(&mut model, &places);
    Ok(model)
}

/// Whether a task can be preempted at any time. To take that it cannot is safe for all: only others wait longer then.
fn is_preemptive(
    task: Element<'_>,
    holds_its_core: bool,
    findings: &mut Vec<Finding>,
) -> Result<bool, InputError> {
    match task.attribute("preemption") {
        Some("preemptive") if holds_its_core => {
            let name = task.attribute("name").unwrap_or_default();
            let what = format!(
                "{name} has a group that cannot be interrupted: taken that the whole task cannot be preempted"
            );
            findings.push(Finding { line: task.line(), is_warning: false, what });
            Ok(false)
        }
        Some("preemptive") => Ok(true),
        Some("cooperative" | "non_preemptive") => Ok(false),
        None | Some("_undefined_" | "unknown") => {
            let name = task.attribute("name").unwrap_or_default();
            let what = format!("{name} does not say whether it can be preempted: taken that it cannot");
            findings.push(Finding { line: task.line(), is_warning: false, what });
            Ok(false)
        }
        Some(other) => {
            let want = "want preemptive, cooperative or non_preemptive";
            Err(task.error(format!("preemption is {}: {want}", quoted(other))))
        }
    }
}

/// Refuses times that operating systems and events take by themselves.
fn refuse_overhead(os: &[Element<'_>], root: Element<'_>) -> Result<(), InputError> {
    let systems = os.iter().filter(|os| !names::references(**os, "overhead").is_empty()).copied();
    let events = root.below("swModel", "events");
    let bits =
        |event: &Element<'_>| event.attribute("communicationOverheadInBit").is_some_and(|bits| bits != "0");
    let takes_time =
        |event: &Element<'_>| event.child("communicationOverheadInCycles").is_some() || bits(event);
    if let Some(event) = events.into_iter().find(takes_time) {
        return Err(event.error("the time that an event takes is not analysed: want one without an overhead"));
    }
    for consistency in os.iter().flat_map(|os| os.children("osDataConsistency").collect::<Vec<_>>()) {
        let mode = consistency.attribute("mode").unwrap_or_default();
        if !matches!(mode, "" | "_undefined_" | "noProtection") {
            let what =
                format!("mode is {}: its copies or locks take time, which is not analysed", quoted(mode));
            return Err(consistency.error(format!("{what}: want noProtection")));
        }
    }
    match systems.into_iter().next() {
        Some(element) => {
            Err(element.error("the overhead of an operating system is not analysed: want a model without it"))
        }
        None => Ok(()),
    }
}

/// Whether the reader was written for a version.
fn is_known(version: &str) -> bool {
    let numbers: Option<Vec<u32>> = version.split('.').map(|part| part.parse().ok()).collect();
    numbers.is_some_and(|numbers| numbers >= vec![0, 9, 3] && numbers < vec![4])
}

/// For each allocation of a scheduler: its name, the names of the executing units, and its line.
fn lines_of_allocations(model: Element<'_>) -> Vec<(String, Vec<String>, usize)> {
    let one = |element: Element<'_>| {
        let scheduler = names::references(element, "scheduler").concat();
        (scheduler, names::references(element, "executingPU"), element.line())
    };
    model.children("schedulerAllocation").map(one).collect()
}

/// Refuses runnables that call themselves, or each other too deeply to be followed.
fn refuse_deep_calls(runnables: &[Runnable], elements: &[Element<'_>]) -> Result<(), InputError> {
    fn called(work: &Work, found: &mut Vec<usize>) {
        match work {
            Work::Call(runnable) => found.push(*runnable),
            Work::All(parts) | Work::OneOf { work: parts, .. } => {
                parts.iter().for_each(|part| called(part, found))
            }
            Work::Ticks { .. } | Work::Label { .. } => {}
        }
    }
    let calls = |runnable: &Runnable| {
        let mut found = Vec::new();
        called(&runnable.work, &mut found);
        found
    };
    let calls: Vec<Vec<usize>> = runnables.iter().map(calls).collect();
    // The depth of calls, found in as many rounds as it has levels.
    let mut depth = vec![0_usize; runnables.len()];
    for round in 0..=DEEPEST {
        let next: Vec<usize> = calls
            .iter()
            .map(|calls| calls.iter().map(|&called| depth[called] + 1).max().unwrap_or(0))
            .collect();
        if next == depth {
            return Ok(());
        }
        depth = next;
        if round == DEEPEST {
            break;
        }
    }
    let deepest = (0..runnables.len()).max_by_key(|&runnable| depth[runnable]).unwrap_or_default();
    let what = format!("it calls runnables more than {DEEPEST} levels deep, or itself: want fewer levels");
    Err(elements[deepest].error(what))
}
