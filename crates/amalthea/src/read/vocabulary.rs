//! What a model may say: each attribute and element is read, or is known to change no time, or refused. A name that is
//! neither may be a slip, such as `item` for `items`, or part of a newer version; without it the bounds may be
//! of another model.

use crate::read::values::DEEPEST;
use crate::xml::Element;
use warpspan_model::source::{InputError, quoted};

/// A kind of element, and the names of its attributes and of the elements in it: first those that are read, then those that
/// change no time.
///
/// A name that is read may be followed by the kind of that element:
/// * a kind that has a row here;
/// * `*`, where the reader of this name checks or skips all that is in the element;
/// * `@`, where the kind is the `xsi:type` of the element;
/// * `!`, the same, and a kind without a row is refused.
type Row = (&'static str, &'static str, &'static str);

/// Names that change no time anywhere.
const EVERYWHERE: &[&str] = &["name", "customProperties", "tags", "description", "displayName", "namespace"];

const ROWS: &[Row] = &[
    (
        "Amalthea",
        "swModel:SWModel hwModel:HWModel osModel:OSModel stimuliModel:StimuliModel eventModel:* \
         constraintsModel:ConstraintsModel mappingModel:MappingModel",
        // What components are made of, what is traced or was measured, and how parts could be placed.
        "commonElements componentsModel configModel measurementModel propertyConstraintsModel",
    ),
    // Software.
    (
        "SWModel",
        "tasks:Task isrs:* runnables:Runnable labels:Label events:OsEvent",
        // Channels and modes count where a runnable accesses them; the others are never run.
        "channels modes modeLabels typeDefinitions sections processPrototypes processChains customEntities activations",
    ),
    (
        "Task",
        "stimuli:* preemption activityGraph:Graph callGraph:Graph",
        // That no activation is dropped is an assumption.
        "multipleTaskActivationLimit size",
    ),
    (
        "Runnable",
        "activityGraph:Graph callGraph:Graph executionCondition:* runnableItems:@ items:@ graphEntries:@ calls:@",
        "parameters callback service asilLevel section activations ports localLabels size",
    ),
    ("Label", "size:Quantity", "dataType constant bVolatile isBuffered dataStability stabilityLevel section"),
    ("OsEvent", "communicationOverheadInCycles:* communicationOverheadInBit", ""),
    ("Graph", "items:@ graphEntries:@ calls:@ runnableItems:@", ""),
    ("Group", "items:@ graphEntries:@ calls:@ runnableItems:@ ordered interruptible counter:*", ""),
    ("CallSequence", "items:@ calls:@ ordered counter:*", ""),
    ("Ticks", "default:Deviation extended:Extended counter:*", ""),
    ("Extended", "key:* value:Deviation", ""),
    ("LabelAccess", "data:* access statistic:Accesses counter:*", "dataStability implementation dependsOn"),
    ("Accesses", "value:Deviation", ""),
    ("RunnableCall", "runnable:* counter:*", "arguments"),
    ("TaskRunnableCall", "runnable:* counter:*", ""),
    ("ProbabilitySwitch", "entries:Entry defaultEntry:Entry counter:*", ""),
    ("RunnableProbabilitySwitch", "entries:Entry defaultEntry:Entry counter:*", ""),
    ("ModeSwitch", "entries:Entry defaultEntry:Entry counter:*", ""),
    ("RunnableModeSwitch", "entries:Entry defaultEntry:Entry counter:*", ""),
    ("Switch", "entries:Entry defaultEntry:Entry counter:*", ""),
    // Which entry is taken in which mode is not used: any may be.
    ("Entry", "items:@ graphEntries:@ calls:@ runnableItems:@ probability", "condition values"),
    ("InterProcessTrigger", "stimulus:* counter:*", ""),
    ("WaitEvent", "eventMask:EventMask maskType waitingBehaviour counter:*", ""),
    ("SetEvent", "eventMask:EventMask process:* counter:*", ""),
    ("ClearEvent", "eventMask:EventMask counter:*", ""),
    ("EventMask", "events:*", ""),
    ("SchedulePoint", "counter:*", ""),
    ("ModeLabelAccess", "counter:*", "data access value step modeValue dependsOn"),
    ("CustomEventTrigger", "counter:*", "event"),
    // Hardware.
    ("HWModel", "definitions:! structures:HwStructure domains:!", "featureCategories"),
    ("ProcessingUnitDefinition", "puType", "features classifiers"),
    (
        "CacheDefinition",
        "lineSize:Quantity",
        // An access takes what its access element says, whatever a cache holds.
        "size accessLatency cacheType writeStrategy nWays coherency exclusive hitRate",
    ),
    ("MemoryDefinition", "accessLatency:* dataRate:*", "size memoryType classifiers"),
    (
        "ConnectionHandlerDefinition",
        "",
        "policy readLatency writeLatency dataRate maxBurstSize maxConcurrentTransfers",
    ),
    (
        "HwStructure",
        "structures:HwStructure modules:!",
        // A path over connections without latencies of its own is refused.
        "structureType ports connections",
    ),
    (
        "ProcessingUnit",
        "definition:* frequencyDomain:* ports:HwPort accessElements:HwAccessElement caches:Cache",
        "powerDomain",
    ),
    ("Memory", "definition:*", "frequencyDomain powerDomain ports"),
    ("Cache", "definition:*", "frequencyDomain powerDomain ports"),
    ("ConnectionHandler", "", "definition frequencyDomain powerDomain ports internalConnections"),
    ("HwPort", "bitWidth", "priority portType portInterface direction"),
    (
        "HwAccessElement",
        "destination:* readLatency:Deviation writeLatency:Deviation dataRate:Quantity accessPath:*",
        "",
    ),
    ("FrequencyDomain", "defaultValue:Quantity", "clockGating"),
    ("PowerDomain", "", "defaultValue powerGating possibleValues"),
    // The operating system.
    (
        "OSModel",
        "operatingSystems:OperatingSystem",
        // A semaphore counts where it is accessed, an overhead where a system has it, a definition where it is used.
        "semaphores osOverheads schedulerDefinitions schedulingParameterDefinitions",
    ),
    (
        "OperatingSystem",
        "taskSchedulers:TaskScheduler overhead:* osDataConsistency:OsDataConsistency",
        "interruptControllers osName vendor version",
    ),
    ("OsDataConsistency", "mode", ""),
    (
        "TaskScheduler",
        "schedulingAlgorithm:* definition:* computationItems:* parentAssociation:*",
        // The bounds hold for every order in which no unit is idle while a task is ready.
        "schedulingParameters parameterExtensions",
    ),
    // Stimuli are checked where they are read.
    ("StimuliModel", "stimuli:*", "clocks"),
    (
        "MappingModel",
        "schedulerAllocation:SchedulerAllocation taskAllocation:TaskAllocation isrAllocation:* memoryMapping:MemoryMapping",
        "addressMappingType",
    ),
    ("SchedulerAllocation", "scheduler:* responsibility:* executingPU:*", ""),
    (
        "TaskAllocation",
        "task:* scheduler:* affinity:* schedulingParameters:SchedulingParameters",
        // For a scheduler that is not of a known kind, which any order is allowed to.
        "parameterExtensions",
    ),
    ("SchedulingParameters", "priority key:* value:*", ""),
    ("MemoryMapping", "abstractElement:* memory:*", "memoryPositionAddress"),
    // Constraints that are not checked are named where they are read.
    (
        "ConstraintsModel",
        "eventChains:EventChain timingConstraints:* dataAgeConstraints:* requirements:* affinityConstraints:* \
         runnableSequencingConstraints:* dataCoherencyGroups:* dataStabilityGroups:* physicalSectionConstraints:*",
        "",
    ),
    ("EventChain", "stimulus:* response:* segments:Segment items:Segment strands:*", ""),
    ("Segment", "eventChain:EventChain", ""),
    // Values.
    ("Quantity", "value unit", ""),
    (
        "Deviation",
        "value lowerBound upperBound entries:Deviation min max",
        // Only the ends of a distribution are used.
        "average avg samplingType mean sd alpha beta pRemainPromille occurrences",
    ),
];

/// Refuses the first attribute or element below `root` that is neither read nor known to change no time.
pub(super) fn refuse_unknown(root: Element<'_>) -> Result<(), InputError> {
    refuse_within(root, "Amalthea", 0)
}

fn refuse_within(element: Element<'_>, kind: &str, depth: usize) -> Result<(), InputError> {
    // What nests so deeply is refused where it is read.
    if depth > 4 * DEEPEST {
        return Ok(());
    }
    let Some((_, read, idle)) = ROWS.iter().find(|(name, ..)| *name == kind) else { return Ok(()) };
    let split = |one: &'static str| one.split_once(':').unwrap_or((one, "*"));
    let is_idle = |name: &str| EVERYWHERE.contains(&name) || idle.split(' ').any(|one| one == name);
    let of = |name: &str| read.split(' ').map(split).find(|(one, _)| *one == name).map(|(_, kind)| kind);
    let unknown = |at: Element<'_>, what: &str, name: &str| {
        let known: Vec<&str> =
            read.split(' ').map(|one| split(one).0).filter(|one| !one.is_empty()).collect();
        let want = match known[..] {
            [] => "want none".to_owned(),
            _ => format!("want one of {}", known.join(", ")),
        };
        at.error(format!("the {what} {} is not analysed: {want}, or a model without it", quoted(name)))
    };
    for name in element.attributes() {
        if !is_idle(name) && of(name).is_none() {
            return Err(unknown(element, "attribute", name));
        }
    }
    for child in element.elements().filter(|child| !is_idle(child.name())) {
        let Some(kind) = of(child.name()) else { return Err(unknown(child, "element", child.name())) };
        // References to other files stand in elements.
        if kind == "*" || child.attribute("href").is_some() {
            continue;
        }
        let own = if matches!(kind, "@" | "!") { child.kind() } else { kind };
        // Kinds of activities that have no row are refused where they are read.
        if kind == "!" && !ROWS.iter().any(|(name, ..)| *name == own) {
            let what = format!("a {} of the kind {} is not analysed", child.name(), quoted(own));
            return Err(child.error(format!("{what}: want a model without it")));
        }
        refuse_within(child, own, depth + 1)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_has_one_row_and_each_row_is_reached() {
        for (number, (name, ..)) in ROWS.iter().enumerate() {
            assert!(ROWS[..number].iter().all(|(other, ..)| other != name), "{name} twice");
        }
        for (name, read, idle) in ROWS {
            for one in read.split(' ').filter(|one| !one.is_empty()) {
                let (one, kind) = one.split_once(':').unwrap_or((one, "*"));
                assert!(!idle.split(' ').any(|other| other == one), "{name}: {one} is read and idle");
                let has_row =
                    matches!(kind, "*" | "@" | "!") || ROWS.iter().any(|(other, ..)| *other == kind);
                assert!(has_row, "{name}: {one} is a {kind}, which has no row");
            }
        }
    }
}
