//! Small models as text. A tick takes a millisecond on all units.

use std::fmt::Write;

/// How a task waits for what it launched on the GPU.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Waits {
    Actively,
    Passively,
    Never,
}

/// A task on cores, which may launch a task on the GPU, and wait for it.
#[derive(Debug, Clone)]
pub(crate) struct Host {
    pub(crate) period: u64,
    pub(crate) jitter: u64,
    /// The cores on which it may run.
    pub(crate) cores: Vec<usize>,
    pub(crate) priority: i64,
    pub(crate) is_preemptive: bool,
    /// The least and the most ticks before the launch, and after the wait.
    pub(crate) before: (u64, u64),
    pub(crate) after: (u64, u64),
    /// The ticks on the GPU, and how it waits for them.
    pub(crate) gpu: Option<((u64, u64), Waits)>,
    pub(crate) deadline: Option<u64>,
}

impl Host {
    /// A task that only runs.
    pub(crate) fn plain(period: u64, ticks: u64, priority: i64) -> Self {
        Self {
            period,
            jitter: 0,
            cores: vec![0],
            priority,
            is_preemptive: true,
            before: (ticks, ticks),
            after: (0, 0),
            gpu: None,
            deadline: None,
        }
    }

    /// A task that waits for the GPU between its two parts.
    pub(crate) fn with_gpu(self, gpu: u64, is_active: bool, after: u64) -> Self {
        let waits = if is_active { Waits::Actively } else { Waits::Passively };
        Self { gpu: Some(((gpu, gpu), waits)), after: (after, after), ..self }
    }
}

/// A model of these tasks, named `t0`, `t1` and so on, and `g0` and so on those on the GPU.
pub(crate) fn model(hosts: &[Host]) -> String {
    let mut tasks = String::new();
    let mut runnables = String::new();
    let mut events = String::new();
    let mut stimuli = String::new();
    let mut constraints = String::new();
    let mut mapping = String::new();
    let mut runnable = |name: &str, (lower, upper): (u64, u64)| {
        let _ = writeln!(
            runnables,
            r#"    <runnables name="{name}"><activityGraph><items xsi:type="am:Ticks"><default xsi:type="am:DiscreteValueBoundaries" lowerBound="{lower}" upperBound="{upper}"/></items></activityGraph></runnables>"#
        );
    };
    let call = |name: &str| format!(r#"<items xsi:type="am:RunnableCall" runnable="{name}?type=Runnable"/>"#);
    for (number, host) in hosts.iter().enumerate() {
        runnable(&format!("before{number}"), host.before);
        runnable(&format!("after{number}"), host.after);
        let mut items = call(&format!("before{number}"));
        if let Some((ticks, waits)) = host.gpu {
            runnable(&format!("kernel{number}"), ticks);
            let mask = format!(r#"<eventMask events="done{number}?type=OsEvent"/>"#);
            let _ = write!(
                items,
                r#"<items xsi:type="am:InterProcessTrigger" stimulus="launch{number}?type=InterProcessStimulus"/>"#
            );
            if waits != Waits::Never {
                let behaviour = if waits == Waits::Actively { "active" } else { "passive" };
                let _ = write!(
                    items,
                    r#"<items xsi:type="am:WaitEvent" waitingBehaviour="{behaviour}">{mask}</items><items xsi:type="am:ClearEvent">{mask}</items>"#
                );
            }
            let kernel = call(&format!("kernel{number}"));
            let _ = writeln!(
                tasks,
                r#"    <tasks name="g{number}" stimuli="launch{number}?type=InterProcessStimulus"><activityGraph>{kernel}<items xsi:type="am:SetEvent">{mask}</items></activityGraph></tasks>"#
            );
            let _ = writeln!(events, r#"    <events name="done{number}"/>"#);
            let _ = writeln!(
                stimuli,
                r#"    <stimuli xsi:type="am:InterProcessStimulus" name="launch{number}"/>"#
            );
            let _ = writeln!(
                mapping,
                r#"    <taskAllocation task="g{number}?type=Task" scheduler="gpu?type=TaskScheduler"/>"#
            );
        }
        items += &call(&format!("after{number}"));
        let preemption = if host.is_preemptive { "preemptive" } else { "non_preemptive" };
        let _ = writeln!(
            tasks,
            r#"    <tasks name="t{number}" stimuli="every{number}?type=PeriodicStimulus" preemption="{preemption}"><activityGraph>{items}</activityGraph></tasks>"#
        );
        let jitter = host.jitter;
        let jitter = if jitter == 0 {
            String::new()
        } else {
            format!(
                r#"<jitter xsi:type="am:TimeBoundaries"><lowerBound value="0" unit="ms"/><upperBound value="{jitter}" unit="ms"/></jitter>"#
            )
        };
        let period = host.period;
        let _ = writeln!(
            stimuli,
            r#"    <stimuli xsi:type="am:PeriodicStimulus" name="every{number}"><recurrence value="{period}" unit="ms"/>{jitter}</stimuli>"#
        );
        let cores: Vec<String> =
            host.cores.iter().map(|core| format!("core{core}?type=ProcessingUnit")).collect();
        let (cores, priority) = (cores.join(" "), host.priority);
        let _ = writeln!(
            mapping,
            r#"    <taskAllocation task="t{number}?type=Task" scheduler="host?type=TaskScheduler" affinity="{cores}"><schedulingParameters priority="{priority}"/></taskAllocation>"#
        );
        if let Some(deadline) = host.deadline {
            let _ = writeln!(
                constraints,
                r#"    <requirements xsi:type="am:ProcessRequirement" name="d{number}" process="t{number}?type=Task"><limit xsi:type="am:TimeRequirementLimit" limitType="UpperLimit" metric="ResponseTime"><limitValue value="{deadline}" unit="ms"/></limit></requirements>"#
            );
        }
    }
    format!(
        r#"<am:Amalthea xmlns:am="http://app4mc.eclipse.org/amalthea/2.0.0" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
  <swModel>
{tasks}{runnables}{events}  </swModel>
  <hwModel>
    <definitions xsi:type="am:ProcessingUnitDefinition" name="CPU" puType="CPU"/>
    <definitions xsi:type="am:ProcessingUnitDefinition" name="GPU" puType="GPU"/>
    <structures name="board">
      <modules xsi:type="am:ProcessingUnit" name="core0" frequencyDomain="clock?type=FrequencyDomain" definition="CPU?type=ProcessingUnitDefinition"/>
      <modules xsi:type="am:ProcessingUnit" name="core1" frequencyDomain="clock?type=FrequencyDomain" definition="CPU?type=ProcessingUnitDefinition"/>
      <modules xsi:type="am:ProcessingUnit" name="gpu0" frequencyDomain="clock?type=FrequencyDomain" definition="GPU?type=ProcessingUnitDefinition"/>
    </structures>
    <domains xsi:type="am:FrequencyDomain" name="clock"><defaultValue value="1" unit="kHz"/></domains>
  </hwModel>
  <osModel>
    <operatingSystems name="os">
      <taskSchedulers name="host"><schedulingAlgorithm xsi:type="am:FixedPriorityPreemptive"/></taskSchedulers>
      <taskSchedulers name="gpu"><schedulingAlgorithm xsi:type="am:RoundRobin"/></taskSchedulers>
    </operatingSystems>
  </osModel>
  <stimuliModel>
{stimuli}  </stimuliModel>
  <constraintsModel>
{constraints}  </constraintsModel>
  <mappingModel>
    <schedulerAllocation scheduler="host?type=TaskScheduler" responsibility="core0?type=ProcessingUnit core1?type=ProcessingUnit" executingPU="core0?type=ProcessingUnit"/>
    <schedulerAllocation scheduler="gpu?type=TaskScheduler" responsibility="gpu0?type=ProcessingUnit" executingPU="gpu0?type=ProcessingUnit"/>
{mapping}  </mappingModel>
</am:Amalthea>
"#
    )
}

/// The same with a scheduler that puts the earliest deadline first.
pub(crate) fn model_by_deadlines(hosts: &[Host]) -> String {
    model(hosts).replace("FixedPriorityPreemptive", "EarliestDeadlineFirst")
}

/// The number of the task of this name.
pub(crate) fn task(model: &warpspan::realtime::amalthea::Model, name: &str) -> usize {
    model.tasks.iter().position(|task| task.name == name).unwrap()
}
