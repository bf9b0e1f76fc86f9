//! Each element of a model, with results that were worked out by hand.

use warpspan::model::time::Duration;
use warpspan::realtime::amalthea::{Analysis, Model, analyse, read_model};
use warpspan::realtime::rta::{Basis, DeadlineMet, Verdict};

use super::small::{Host, model, task};

const MS: u64 = 1_000_000_000;

fn read(text: &str) -> (Model, Analysis) {
    let model = read_model("m.amxmi", text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let analysis = analyse(&model);
    (model, analysis)
}

/// The bound of a task in milliseconds.
fn bound(text: &str, name: &str) -> Option<u64> {
    let (model, analysis) = read(text);
    analysis.tasks[task(&model, name)].bound.map(|bound| {
        assert_eq!(bound.0 % MS, 0, "{name}");
        bound.0 / MS
    })
}

fn bounds(hosts: &[Host]) -> Vec<Option<u64>> {
    let (model, analysis) = read(&model(hosts));
    (0..hosts.len())
        .map(|number| analysis.tasks[task(&model, &format!("t{number}"))].bound.map(|bound| bound.0 / MS))
        .collect()
}

/// Table 11.1 of A. Burns, A. Wellings, Real-Time Systems and Programming Languages, and others by hand.
#[test]
fn fixed_priorities() {
    let tasks = [Host::plain(7, 3, 3), Host::plain(12, 3, 2), Host::plain(20, 5, 1)];
    assert_eq!(bounds(&tasks), [Some(3), Some(6), Some(20)]);
    // The third asks for one more: 21 ms exceed its period, so the second job has to wait for the first. It ends after
    // 42, which is 22 after its release, and the third after 60, when nothing is left.
    let mut tasks = [Host::plain(7, 3, 3), Host::plain(12, 3, 2), Host::plain(20, 5, 1)];
    tasks[2].after = (1, 1);
    assert_eq!(bounds(&tasks), [Some(3), Some(6), Some(22)]);
    // If it ends with a runnable without ticks, that waits for what comes at 60: it ends at 66, and the next job at 87.
    tasks[2].before = (6, 6);
    tasks[2].after = (0, 0);
    assert_eq!(bounds(&tasks), [Some(3), Some(6), Some(27)]);
    // And one more is too much.
    let tasks = [Host::plain(7, 3, 3), Host::plain(12, 3, 2), Host::plain(20, 7, 1)];
    assert_eq!(bounds(&tasks), [Some(3), Some(6), None]);
    // Among equals each delays the other: 3 + 3 and 3 + 3.
    let tasks = [Host::plain(20, 3, 1), Host::plain(20, 3, 1)];
    assert_eq!(bounds(&tasks), [Some(6), Some(6)]);
}

#[test]
fn jitter_counts_from_the_arrival_and_brings_more_jobs() {
    let mut tasks = [Host::plain(10, 2, 2), Host::plain(40, 9, 1)];
    assert_eq!(bounds(&tasks), [Some(2), Some(13)]); // 9 + 2 ceil(13 / 10)
    tasks[0].jitter = 8;
    // Own: 8 + 2. The other: 9 + 2 ceil((15 + 8) / 10) = 15.
    assert_eq!(bounds(&tasks), [Some(10), Some(15)]);
}

#[test]
fn what_cannot_be_preempted_blocks_once_and_after_each_suspension() {
    let mut tasks = [Host::plain(20, 3, 2), Host::plain(50, 7, 1)];
    tasks[1].is_preemptive = false;
    assert_eq!(bounds(&tasks), [Some(10), Some(10)]);
    // It runs 3, waits 4 passively and runs 1: 8, and 7 twice.
    tasks[0] = Host { period: 30, ..tasks[0].clone() }.with_gpu(4, false, 1);
    assert_eq!(bounds(&tasks)[0], Some(22));
}

#[test]
fn an_active_wait_keeps_the_core_busy_and_a_passive_one_does_not() {
    let host = |active| [Host::plain(50, 2, 2).with_gpu(10, active, 3), Host::plain(100, 4, 1)];
    // Both: 2 + 10 + 3. The other is delayed by all 15, and so takes 19.
    assert_eq!(bounds(&host(true)), [Some(15), Some(19)]);
    // Suspended: 4 + 5 = 9; the first of its jobs has R - E = 10 to spare: 9 + 10 < 50.
    assert_eq!(bounds(&host(false)), [Some(15), Some(9)]);
}

#[test]
fn suspension_acts_like_a_jitter() {
    // E = 5, R = 15: w + 10 holds n periods of 20 and a rest. w = 12: 22 = 20 + 2, so 12 + 5 + 2 = 19; w = 19:
    // 29 = 20 + 9, so 12 + 5 + 5 = 22; w = 22: 32 = 20 + 12, and 22 again.
    let tasks = [Host::plain(20, 2, 2).with_gpu(10, false, 3), Host::plain(100, 12, 1)];
    assert_eq!(bounds(&tasks), [Some(15), Some(22)]);
}

#[test]
fn a_gpu_serves_in_any_order() {
    let on_core =
        |core, period, gpu| Host { cores: vec![core], ..Host::plain(period, 1, 1) }.with_gpu(gpu, true, 1);
    let text = model(&[on_core(0, 50, 10), on_core(1, 100, 20)]);
    // Alone on their cores they are never late with the launch: no jitter. L = 10 + 20.
    assert_eq!((bound(&text, "g0"), bound(&text, "g1")), (Some(30), Some(30)));
    assert_eq!((bound(&text, "t0"), bound(&text, "t1")), (Some(32), Some(32)));
}

#[test]
fn an_overloaded_gpu_refutes_if_all_wait_for_it_with_deadlines() {
    let on_core = |core, deadline| {
        Host { cores: vec![core], deadline: Some(deadline), ..Host::plain(20, 1, 1) }.with_gpu(11, true, 1)
    };
    let (_, analysis) = read(&model(&[on_core(0, 20), on_core(1, 20)]));
    assert_eq!((analysis.verdict, analysis.by), (Verdict::Refuted, Some(Basis::Overload)));
    // Without a deadline, one of them may wait for ever.
    let free = Host { deadline: None, ..on_core(1, 20) };
    let (_, analysis) = read(&model(&[on_core(0, 20), free]));
    assert_eq!((analysis.verdict, analysis.by), (Verdict::Undecided, None));
    // A deadline below 13 is missed by each job that takes its ticks.
    let (_, analysis) = read(&model(&[on_core(0, 12), on_core(1, 20)]));
    assert_eq!((analysis.verdict, analysis.by), (Verdict::Refuted, Some(Basis::LeastResponse)));
    assert_eq!(analysis.tasks.iter().filter(|task| task.meets == DeadlineMet::No).count(), 1);
}

#[test]
fn a_task_on_several_cores_has_the_worst_of_them() {
    let mut tasks = [Host::plain(20, 3, 2), Host::plain(20, 5, 2), Host::plain(50, 4, 1)];
    tasks[1].cores = vec![1];
    tasks[2].cores = vec![0, 1];
    assert_eq!(bounds(&tasks), [Some(3), Some(5), Some(9)]);
}

/// Nothing orders the tasks of two schedulers. So the third task may delay the second one, and that delays the
/// first, although the third is less urgent than the first.
#[test]
fn between_schedulers_there_is_no_order() {
    let hosts = [Host::plain(50, 3, 2), Host::plain(50, 4, 1), Host::plain(50, 5, 1)];
    assert_eq!(bounds(&hosts), [Some(3), Some(12), Some(12)]);
    let other = (r#"task="t1?type=Task" scheduler="host?"#, r#"task="t1?type=Task" scheduler="gpu?"#);
    let text = with(&hosts, &[other]);
    assert_eq!((bound(&text, "t0"), bound(&text, "t1"), bound(&text, "t2")), (Some(12), Some(12), Some(12)));
}

/// A model with other content in some element.
fn with(hosts: &[Host], edits: &[(&str, &str)]) -> String {
    let mut text = model(hosts);
    for (from, to) in edits {
        assert!(text.contains(from), "{from} in\n{text}");
        text = text.replace(from, to);
    }
    text
}

/// The first task triggers `g0`, waits for it, and clears its event.
const WAIT: &str = r#"<items xsi:type="am:WaitEvent" waitingBehaviour="active"><eventMask events="done0?type=OsEvent"/></items>"#;
const CLEAR: &str = r#"<items xsi:type="am:ClearEvent"><eventMask events="done0?type=OsEvent"/></items>"#;
const SET: &str = r#"<items xsi:type="am:SetEvent"><eventMask events="done0?type=OsEvent"/></items>"#;

/// An event that comes before it is cleared is lost, and the task would wait for ever.
#[test]
fn an_event_that_may_be_lost_gives_no_bound() {
    let hosts = [Host::plain(50, 2, 1).with_gpu(10, true, 3)];
    let waits = format!("{WAIT}{CLEAR}");
    assert_eq!(bound(&model(&hosts), "t0"), Some(15));
    for (steps, expected) in [
        (format!("{CLEAR}{WAIT}"), None),
        (format!("{WAIT}{CLEAR}{WAIT}"), None),
        (format!("{WAIT}{WAIT}{CLEAR}"), Some(25)),
    ] {
        let text = with(&hosts, &[(&waits, &steps)]);
        assert_eq!(bound(&text, "t0"), expected, "{steps}");
        let (model, analysis) = read(&text);
        let reason = analysis.tasks[task(&model, "t0")].reason.as_deref();
        let lost = "it clears done0 after it triggers what sets it and before it waits for it";
        assert_eq!(reason, expected.is_none().then_some(lost));
    }
    // Before the trigger it may be cleared.
    let trigger = r#"<items xsi:type="am:InterProcessTrigger""#;
    let text = with(&hosts, &[(trigger, &format!("{CLEAR}{trigger}"))]);
    assert_eq!(bound(&text, "t0"), Some(15));
}

/// Events belong to the task that waits.
#[test]
fn an_event_that_is_set_for_another_task_ends_no_wait() {
    let hosts = [Host::plain(50, 2, 2).with_gpu(10, true, 3), Host::plain(50, 2, 1)];
    for (process, expected) in [("t0", Some(15)), ("t1", None)] {
        let set = SET.replace("SetEvent\"", &format!("SetEvent\" process=\"{process}?type=Task\""));
        assert_eq!(bound(&with(&hosts, &[(SET, &set)]), "t0"), expected, "{process}");
    }
}

/// The least and the worst case at least of the first task, in milliseconds.
fn from_below(text: &str) -> (u64, u64) {
    let (model, analysis) = read(text);
    let of = &analysis.tasks[task(&model, "t0")];
    (of.least.unwrap().0 / MS, of.worst_lower.unwrap().0 / MS)
}

/// Where something else sets the event, or the same task sets it again, a job may find it set and not wait at all.
#[test]
fn only_a_task_that_waits_for_its_own_trigger_waits_for_certain() {
    let hosts = [Host::plain(50, 2, 2).with_gpu(10, true, 3), Host::plain(50, 2, 1)];
    assert_eq!(from_below(&model(&hosts)), (15, 15));
    let call = r#"<items xsi:type="am:RunnableCall" runnable="before1?type=Runnable"/>"#;
    assert_eq!(from_below(&with(&hosts, &[(call, &format!("{call}{SET}"))])), (5, 5));
    assert_eq!(from_below(&with(&hosts, &[(SET, &format!("{SET}{SET}"))])), (5, 5));
}

/// Nobody says that a mode is ever set, nor that a task is ever on the slower of its cores.
#[test]
fn what_need_not_happen_refutes_nothing() {
    let late = Host { deadline: Some(15), ..Host::plain(50, 5, 1) };
    let call = r#"<items xsi:type="am:RunnableCall" runnable="before0?type=Runnable"/>"#;
    let switch = |kind: &str, chance: &str| {
        format!(
            r#"<items xsi:type="am:{kind}"><entries probability="{chance}">{call}{call}{call}{call}</entries><entries probability="0.5">{call}</entries><defaultEntry/></items>"#
        )
    };
    for (kind, chance, expected) in [
        ("ModeSwitch", "0.5", (0, 0, Verdict::Undecided)),
        ("Switch", "0.5", (0, 0, Verdict::Undecided)),
        ("ProbabilitySwitch", "0.0", (0, 5, Verdict::Undecided)),
        ("ProbabilitySwitch", "0.5", (0, 20, Verdict::Refuted)),
    ] {
        let text = with(std::slice::from_ref(&late), &[(call, &switch(kind, chance))]);
        let (least, worst) = from_below(&text);
        assert_eq!((least, worst, read(&text).1.verdict), expected, "{kind} {chance}");
        assert_eq!(bound(&text, "t0"), Some(20));
    }
    let condition = (r#"<runnables name="before0">"#, r#"<runnables name="before0"><executionCondition/>"#);
    assert_eq!(from_below(&with(std::slice::from_ref(&late), &[condition])), (0, 0));
    let both = Host { cores: vec![0, 1], deadline: Some(4), ..Host::plain(50, 6, 1) };
    let fast = [
        (r#"name="core1" frequencyDomain="clock"#, r#"name="core1" frequencyDomain="fast"#),
        (
            r#"<domains xsi:type="am:FrequencyDomain" name="clock">"#,
            r#"<domains xsi:type="am:FrequencyDomain" name="fast"><defaultValue value="2" unit="kHz"/></domains><domains xsi:type="am:FrequencyDomain" name="clock">"#,
        ),
    ];
    let text = with(&[both], &fast);
    assert_eq!((from_below(&text), bound(&text, "t0")), ((3, 3), Some(6)));
    assert_eq!(read(&text).1.verdict, Verdict::Undecided);
}

/// A task that only a task without a stimulus triggers never runs, so it is not late.
#[test]
fn what_is_never_released_is_not_late() {
    let hosts = [Host { deadline: Some(5), ..Host::plain(50, 2, 2) }.with_gpu(10, true, 3)];
    let of_kernel = (r#"process="t0?type=Task""#, r#"process="g0?type=Task""#);
    assert_eq!(read(&with(&hosts, &[of_kernel])).1.verdict, Verdict::Refuted);
    let never = (r#"stimuli="every0?type=PeriodicStimulus" "#, "");
    let (model, analysis) = read(&with(&hosts, &[of_kernel, never]));
    assert_eq!(analysis.verdict, Verdict::Undecided);
    let reason = analysis.tasks[task(&model, "g0")].reason.as_deref();
    assert_eq!(reason, Some("nothing releases it"));
}

#[test]
fn a_task_that_does_not_say_whether_it_can_be_preempted_is_taken_to_block() {
    let hosts = [Host::plain(20, 3, 2), Host::plain(50, 7, 1)];
    let say = r#"stimuli="every1?type=PeriodicStimulus" preemption="preemptive""#;
    let text = with(&hosts, &[(say, r#"stimuli="every1?type=PeriodicStimulus""#)]);
    assert_eq!((bound(&model(&hosts), "t0"), bound(&text, "t0")), (Some(3), Some(10)));
    assert!(read(&text).0.findings.iter().any(|found| found.what.starts_with("t1 does not say whether")));
}

/// Between a start and a start less may pass than two jobs take; and only limits of reactions are judged.
#[test]
fn limits_of_chains_that_refute_nothing() {
    let camera = std::fs::read_to_string("instances/camera.amxmi").unwrap();
    let short = camera.replace(r#"<maximum value="60""#, r#"<maximum value="5""#);
    assert_eq!(read(&short).1.verdict, Verdict::Refuted);
    let start = short.replace(r#"eventType="terminate""#, r#"eventType="start""#);
    assert_eq!(read(&start).1.verdict, Verdict::Undecided);
    let (model, analysis) = read(&short.replace(r#" type="Reaction""#, ""));
    assert_eq!(analysis.verdict, Verdict::Proved);
    assert!(model.findings.iter().any(|found| found.what.contains("brake_in_time is not checked")));
    let (model, analysis) = read(&camera.replace("<maximum", r#"<minimum value="50" unit="ms"/><maximum"#));
    assert_eq!(analysis.verdict, Verdict::Proved);
    assert!(
        model.findings.iter().any(|found| found.what.starts_with("the lower limit of the timing constraint"))
    );
}

const TICKS: &str = r#"<default xsi:type="am:DiscreteValueBoundaries" lowerBound="5" upperBound="5"/>"#;

/// The execution time of the first task, in milliseconds.
fn execution(text: &str) -> (u64, u64) {
    let (model, analysis) = read(text);
    let range = analysis.tasks[task(&model, "t0")].execution.unwrap();
    (range.lower.0 / MS, range.upper.0 / MS)
}

#[test]
fn ticks_of_all_kinds() {
    let hosts = [Host::plain(50, 5, 1)];
    for (ticks, expected) in [
        (r#"<default xsi:type="am:DiscreteValueConstant" value="4"/>"#, (4, 4)),
        (
            r#"<default xsi:type="am:DiscreteValueStatistics" lowerBound="3" upperBound="1.0E1" average="4.5"/>"#,
            (3, 10),
        ),
        (
            r#"<default xsi:type="am:DiscreteValueUniformDistribution" lowerBound="1" upperBound="2"/>"#,
            (1, 2),
        ),
        (
            r#"<default xsi:type="am:DiscreteValueBetaDistribution" lowerBound="1" upperBound="2" alpha="1" beta="1"/>"#,
            (1, 2),
        ),
        (
            r#"<default xsi:type="am:DiscreteValueHistogram"><entries occurrences="9" lowerBound="4" upperBound="6"/><entries occurrences="1" lowerBound="1" upperBound="2"/></default>"#,
            (1, 6),
        ),
        // The value of the definition replaces the default.
        (
            r#"<default xsi:type="am:DiscreteValueConstant" value="4"/><extended key="CPU?type=ProcessingUnitDefinition"><value xsi:type="am:DiscreteValueConstant" value="7"/></extended><extended key="GPU?type=ProcessingUnitDefinition"><value xsi:type="am:DiscreteValueConstant" value="9"/></extended>"#,
            (7, 7),
        ),
    ] {
        assert_eq!(execution(&with(&hosts, &[(TICKS, ticks)])), expected, "{ticks}");
    }
    // No ticks for a core: no bound, and a warning that says where.
    let only_gpu = r#"<extended key="GPU?type=ProcessingUnitDefinition"><value xsi:type="am:DiscreteValueConstant" value="9"/></extended>"#;
    let (model, analysis) = read(&with(&hosts, &[(TICKS, only_gpu)]));
    assert_eq!(analysis.tasks[0].bound, None);
    assert_eq!(analysis.tasks[0].reason.as_deref(), Some("before0 has no ticks for CPU (line 4)"));
    assert!(
        model
            .findings
            .iter()
            .any(|found| found.is_warning && found.line == 4 && found.what.contains("no ticks for CPU"))
    );
}

#[test]
fn activities_of_all_kinds() {
    let hosts = [Host::plain(50, 5, 1)];
    let call = r#"<items xsi:type="am:RunnableCall" runnable="before0?type=Runnable"/>"#;
    let ticks = |number| {
        format!(
            r#"<items xsi:type="am:Ticks"><default xsi:type="am:DiscreteValueConstant" value="{number}"/></items>"#
        )
    };
    let group =
        |inner: &str| format!(r#"<items xsi:type="am:Group" name="g" ordered="true">{inner}</items>"#);
    let switch = |kind: &str, default: &str| {
        format!(
            r#"<items xsi:type="am:{kind}"><entries>{}</entries><entries>{}</entries>{default}</items>"#,
            ticks(3),
            ticks(8)
        )
    };
    let default = format!("<defaultEntry>{}</defaultEntry>", ticks(4));
    for (items, expected) in [
        (group(&group(call)), (5, 5)),
        (format!("{call}{}", ticks(2)), (7, 7)),
        (switch("ProbabilitySwitch", &default), (3, 8)),
        (switch("Switch", ""), (0, 8)),
        (String::new(), (0, 0)),
    ] {
        let text = with(&hosts, &[(call, &items)]);
        assert_eq!(execution(&text), expected, "{items}");
    }
    // A runnable that calls another one twice.
    let nested = format!("{}{call}{call}", ticks(1));
    let after = r#"<default xsi:type="am:DiscreteValueBoundaries" lowerBound="0" upperBound="0"/>"#;
    let text = with(&hosts, &[(&format!(r#"<items xsi:type="am:Ticks">{after}</items>"#), &nested)]);
    assert_eq!(execution(&text), (5 + 11, 5 + 11));
}

/// The names that elements have in the versions before 0.9.6, and the way in which version 2 gives priorities.
#[test]
fn older_and_newer_forms() {
    let call = r#"<items xsi:type="am:RunnableCall" runnable="before0?type=Runnable"/><items xsi:type="am:RunnableCall" runnable="after0?type=Runnable"/>"#;
    let old_call = r#"<graphEntries xsi:type="am:CallSequence"><calls xsi:type="am:TaskRunnableCall" runnable="before0?type=Runnable"/></graphEntries>"#;
    let item = format!(r#"<activityGraph><items xsi:type="am:Ticks">{TICKS}</items></activityGraph>"#);
    let old_item = format!(r#"<runnableItems xsi:type="am:Ticks">{TICKS}</runnableItems>"#);
    let text = with(
        &[Host::plain(50, 5, 1)],
        &[
            ("amalthea/2.0.0", "amalthea/0.9.3"),
            (
                &format!("<activityGraph>{call}</activityGraph>"),
                &format!("<callGraph>{old_call}</callGraph>"),
            ),
            (&item, &old_item),
        ],
    );
    assert_eq!(execution(&text), (5, 5));
    let hosts = [Host::plain(20, 3, 2), Host::plain(20, 4, 1)];
    let parameter = |priority| {
        format!(
            r#"<schedulingParameters key="priority?type=SchedulingParameterDefinition"><value xsi:type="am:IntegerObject" value="{priority}"/></schedulingParameters>"#
        )
    };
    let text = with(
        &hosts,
        &[
            ("amalthea/2.0.0", "amalthea/3.1.0"),
            (r#"<schedulingParameters priority="2"/>"#, &parameter(2)),
            (r#"<schedulingParameters priority="1"/>"#, &parameter(1)),
            (
                r#"<taskSchedulers name="host"><schedulingAlgorithm xsi:type="am:FixedPriorityPreemptive"/></taskSchedulers>"#,
                r#"<taskSchedulers name="host" definition="FixedPriorityPreemptive?type=SchedulerDefinition"/>"#,
            ),
        ],
    );
    assert_eq!((bound(&text, "t0"), bound(&text, "t1")), (Some(3), Some(7)));
    // References to other files stand in elements.
    let stimulus = r#"<tasks name="t0" stimuli="every0?type=PeriodicStimulus" preemption="preemptive">"#;
    let href = r#"<tasks name="t0" preemption="preemptive"><stimuli xsi:type="am:PeriodicStimulus" href="amlt:/#every0?type=PeriodicStimulus"/>"#;
    assert_eq!(bound(&with(&hosts, &[(stimulus, href)]), "t1"), Some(7));
    let (model, _) = read(&with(&hosts, &[("amalthea/2.0.0", "amalthea/4.0.0")]));
    assert!(model.findings[0].is_warning && model.findings[0].what.contains("version 4.0.0"));
}

/// A task of which the model gives no priority may be the more urgent one, so it delays the others, and they delay it.
#[test]
fn a_priority_that_is_not_given_is_no_low_one() {
    let hosts = [Host::plain(20, 3, 2), Host::plain(20, 4, 1)];
    let of = |parameters: &str| {
        let text = with(&hosts, &[(r#"<schedulingParameters priority="1"/>"#, parameters)]);
        (bound(&text, "t0"), bound(&text, "t1"), text)
    };
    let (urgent, other, text) = of("");
    assert_eq!((urgent, other), (Some(7), Some(7)));
    let (model, _) = read(&text);
    assert!(model.findings.iter().any(|finding| finding.what.starts_with("t1 without a priority on core0")));
    // EMF leaves out a number of 0, but not a value.
    let parameter = |value: &str| {
        of(&format!(
            r#"<schedulingParameters key="priority?type=SchedulingParameterDefinition">{value}</schedulingParameters>"#
        ))
    };
    let zero = parameter(r#"<value xsi:type="am:IntegerObject"/>"#);
    for (urgent, other, _) in [of("<schedulingParameters/>"), zero] {
        assert_eq!((urgent, other), (Some(3), Some(7)));
    }
    let (urgent, other, text) = parameter("");
    assert_eq!((urgent, other), (Some(7), Some(7)));
    // A default of the definition is not used, which is said where a task has no priority of its own.
    let default = r#"<osModel><schedulingParameterDefinitions name="priority" type="Integer"><defaultValue xsi:type="am:IntegerObject" value="9"/></schedulingParameterDefinitions>"#;
    let says = |text: &str| {
        let (model, _) = read(&text.replacen("<osModel>", default, 1));
        let is =
            |what: &str| what.starts_with("the default of the scheduling parameter priority is not used");
        model.findings.iter().any(|finding| is(&finding.what))
    };
    assert!(says(&text) && !says(&with(&hosts, &[])));
    assert_eq!(bound(&text.replacen("<osModel>", default, 1), "t0"), Some(7));
}

#[test]
fn stimuli_of_all_kinds() {
    let hosts = [Host::plain(20, 3, 2), Host::plain(50, 18, 1)];
    assert_eq!(bound(&model(&hosts), "t1"), Some(24));
    let periodic = r#"<stimuli xsi:type="am:PeriodicStimulus" name="every0"><recurrence value="20" unit="ms"/></stimuli>"#;
    let relative = r#"<stimuli xsi:type="am:RelativePeriodicStimulus" name="every0"><nextOccurrence xsi:type="am:TimeBoundaries"><lowerBound value="10000" unit="us"/><upperBound value="30" unit="ms"/></nextOccurrence></stimuli>"#;
    // 18 + 3 ceil(27 / 10).
    assert_eq!(bound(&with(&hosts, &[(periodic, relative)]), "t1"), Some(27));
    let once =
        r#"<stimuli xsi:type="am:SingleStimulus" name="every0"><occurrence value="0" unit="ms"/></stimuli>"#;
    assert_eq!(bound(&with(&hosts, &[(periodic, once)]), "t1"), Some(21));
}

/// Labels: 64 bytes are 4 accesses of 128 bits. Reading takes 3 cycles each, writing 2 to 5.
#[test]
fn accesses_to_labels() {
    let unit = r#"<modules xsi:type="am:ProcessingUnit" name="core0" frequencyDomain="clock?type=FrequencyDomain" definition="CPU?type=ProcessingUnitDefinition"/>"#;
    let memory = r#"<modules xsi:type="am:Memory" name="ram"/>"#;
    let element = |rate: &str| {
        format!(
            r#"{}<ports name="p" bitWidth="128"/><accessElements name="a" destination="ram?type=Memory"><readLatency xsi:type="am:DiscreteValueConstant" value="3"/><writeLatency xsi:type="am:DiscreteValueBoundaries" lowerBound="2" upperBound="5"/>{rate}</accessElements></modules>{memory}"#,
            unit.replace("/>", ">")
        )
    };
    let label = r#"<labels name="l"><size value="64" unit="B"/></labels>
  </swModel>"#;
    let access =
        |how: &str| format!(r#"<items xsi:type="am:LabelAccess" data="l?type=Label" access="{how}"/>"#);
    let mapped = r#"<memoryMapping abstractElement="l?type=Label" memory="ram?type=Memory"/>
  </mappingModel>"#;
    let ticks = format!(r#"<items xsi:type="am:Ticks">{TICKS}</items>"#);
    let run = |rate: &str, mapped: &str| {
        with(
            &[Host::plain(400, 5, 1)],
            &[
                (unit, &element(rate)),
                ("  </swModel>", label),
                (&ticks, &format!("{}{ticks}{}", access("read"), access("write"))),
                ("  </mappingModel>", mapped),
            ],
        )
    };
    assert_eq!(execution(&run("", mapped)), (5 + 12 + 8, 5 + 12 + 20));
    // 512 bits at 25 bytes a second take 2.56 s: more than the latencies.
    let rate = r#"<dataRate value="25" unit="BPerSecond"/>"#;
    assert_eq!(execution(&run(rate, mapped)), (5 + 5120, 5 + 5120));
    let rate = r#"<dataRate value="40" unit="kbitPerSecond"/>"#;
    // 12.8 ms: more than 12 and 8, less than 20.
    assert_eq!(execution(&run(rate, mapped)), (30, 37));
    let said = |text: &str| {
        let (model, _) = read(text);
        let warnings = model.findings.iter().filter(|one| one.is_warning && one.what.contains("no time"));
        warnings.map(|one| one.what.clone()).collect::<Vec<_>>()
    };
    assert_eq!(said(&run(rate, mapped)), Vec::<String>::new());
    // What is not there is taken to take no time, which is said.
    let without = run("", "  </mappingModel>");
    assert_eq!(execution(&without), (5, 5));
    let sentence = |why: &str| vec![format!("l: an access is taken to take no time, since {why}")];
    assert_eq!(said(&without), sentence("the model gives no memory"));
    let sizeless = run("", mapped).replace(r#"<size value="64" unit="B"/>"#, "");
    assert_eq!(execution(&sizeless), (5, 5));
    assert_eq!(said(&sizeless), sentence("the model gives no size"));
    let write = r#"<writeLatency xsi:type="am:DiscreteValueBoundaries" lowerBound="2" upperBound="5"/>"#;
    let unwritten = run("", mapped).replace(write, "");
    assert_eq!(
        said(&unwritten),
        sentence("the access element of core0 for ram has no writeLatency and no dataRate")
    );
    assert_eq!(said(&run(rate, mapped).replace(write, "")), Vec::<String>::new());
    let text = run("", mapped);
    let (start, end) = (text.find("<accessElements").unwrap(), text.find("</accessElements>").unwrap());
    let apart = text[..start].to_owned() + &text[end + "</accessElements>".len()..];
    assert_eq!(said(&apart), sentence("core0 has no access element of ram"));
}

/// Latencies of a chain, beside what the equations give: R = 3 and 7, T = 20 and 50.
#[test]
fn event_chains() {
    let mut hosts = [Host::plain(20, 3, 2), Host::plain(50, 4, 1)];
    hosts[1].before = (2, 4);
    let chain = |inner: &str, limit: u64| {
        let event = |name: &str, of: &str, kind: &str| {
            format!(
                r#"<events xsi:type="am:ProcessEvent" name="{name}" eventType="{kind}" entity="{of}?type=Task"/>"#
            )
        };
        let constraint = format!(
            r#"  <constraintsModel><eventChains name="c" stimulus="a?type=ProcessEvent" response="b?type=ProcessEvent">{inner}</eventChains><timingConstraints xsi:type="am:EventChainLatencyConstraint" name="l" scope="c?type=EventChain" type="Reaction"><maximum value="{limit}" unit="ms"/></timingConstraints>"#
        );
        let events = [event("a", "t0", "start"), event("b", "t1", "terminate")].concat();
        let events = format!("<eventModel>{events}</eventModel>\n{constraint}");
        with(&hosts, &[("  <constraintsModel>", &events)])
    };
    let segment = r#"<segments xsi:type="am:EventChainContainer"><eventChain name="i" stimulus="a?type=ProcessEvent" response="b?type=ProcessEvent"/></segments>"#;
    let ms = |time: Option<Duration>| time.map(|time| time.0 / MS);
    for (inner, limit, meets, verdict) in [
        ("", 60, DeadlineMet::Yes, Verdict::Proved),
        (segment, 59, DeadlineMet::Unknown, Verdict::Undecided),
        ("", 4, DeadlineMet::No, Verdict::Refuted),
    ] {
        let (model, analysis) = read(&chain(inner, limit));
        assert_eq!(model.chains[0].tasks, Ok(vec![0, 1]));
        let result = &analysis.chains[0];
        assert_eq!((result.meets, analysis.verdict), (meets, verdict), "{limit}");
        // 3 + 2; 3 + 50 + 7; written at 3 mod 20, read at 50, 100, 150, 200: 3 to 7 after 40 k + 10 at most.
        assert_eq!((ms(result.implicit_lower), ms(result.implicit_upper)), (Some(5), Some(60)));
        // Releases at 0, 20, 40, 60, 80: done at 3, 23, 43, 63, 83; read at 50, 50, 50, 100, 100: 50 + 7.
        assert_eq!(ms(result.implicit_upper_at_offsets), Some(57));
        // 20 + 50 + 50; written at 20, 40, 60, 80, 100: read at 50, 50, 100, 100, 100: up to 50 + 50 (from 0: 100; from 40: 110).
        assert_eq!(ms(result.let_upper), Some(120));
        let range = result.let_at_offsets.unwrap();
        assert_eq!((range.lower.0 / MS, range.upper.0 / MS), (70, 110));
        assert!(notes(&model).is_empty(), "{:?}", notes(&model));
    }
    // At the offsets 57 is enough, and 56 is not; where a stimulus has jitter, there are no offsets.
    for (limit, verdict) in [(57, Verdict::Proved), (56, Verdict::Undecided)] {
        let mut model = read_model("m.amxmi", &chain("", limit)).unwrap();
        assert_eq!(analyse(&model).verdict, Verdict::Undecided);
        model.at_offsets = true;
        assert_eq!(analyse(&model).verdict, verdict, "{limit}");
    }
    let jitter = r#"<recurrence value="20" unit="ms"/><jitter xsi:type="am:TimeBoundaries"><lowerBound value="0" unit="ms"/><upperBound value="1" unit="ms"/></jitter>"#;
    let text = chain("", 90).replacen(r#"<recurrence value="20" unit="ms"/>"#, jitter, 1);
    let mut model = read_model("m.amxmi", &text).unwrap();
    assert_eq!(analyse(&model).verdict, Verdict::Proved);
    model.at_offsets = true;
    let analysis = analyse(&model);
    assert_eq!(analysis.verdict, Verdict::Undecided);
    assert!(analysis.chains[0].reason.as_ref().unwrap().contains("do not all arrive exactly"));
    // What is not checked is named, as the verdict says nothing of it.
    let age = chain("", 60).replace("\"Reaction\"", "\"Age\"");
    let age_of_data = chain("", 60).replace(
        "</timingConstraints>",
        r#"</timingConstraints><dataAgeConstraints name="d" label="x?type=Label"/>"#,
    );
    for (text, name) in [(age, "l"), (age_of_data, "d")] {
        let what = format!(
            "the timing constraint {name} is not checked: only upper limits of reactions along event chains are"
        );
        let (model, analysis) = read(&text);
        assert_eq!((notes(&model), analysis.verdict), (vec![what.as_str()], Verdict::Proved));
    }
}

/// The findings on timing constraints.
fn notes(model: &Model) -> Vec<&str> {
    let all = model.findings.iter().map(|finding| finding.what.as_str());
    all.filter(|what| what.contains("timing constraint")).collect()
}
