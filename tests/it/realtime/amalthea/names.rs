//! Names of a model that are not read: known to change no time, or refused.

use warpspan::realtime::amalthea::{analyse, read_model};
use warpspan::realtime::rta::Verdict;

use super::small::{Host, Waits, model, task};

const MS: u64 = 1_000_000_000;

fn text() -> String {
    let first = Host { deadline: Some(20), ..Host::plain(20, 5, 1) };
    model(&[first, Host::plain(50, 2, 2).with_gpu(3, true, 1)])
}

const CALL: &str = r#"<items xsi:type="am:RunnableCall" runnable="before0?type=Runnable"/>"#;
const OS: &str = r#"<operatingSystems name="os">"#;
const CORE: &str = r#"<modules xsi:type="am:ProcessingUnit" name="core0""#;

/// What is replaced by what, and what the message says then. Each of these changes when jobs run, or may.
const REFUSED: &[(&str, &str, &str)] = &[
    (
        CALL,
        r#"<item xsi:type="am:RunnableCall" runnable="before0?type=Runnable"/>"#,
        "m.amxmi:3: swModel/tasks[t0]/activityGraph/item: the element \"item\" is not analysed: want one of items, ",
    ),
    (
        CALL,
        r#"<items xsi:type="am:RunnableCall" runnable="before0?type=Runnable"><statistic><statistic xsi:type="am:MinAvgMaxStatistic" min="1" max="3"/></statistic></items>"#,
        "the element \"statistic\" is not analysed: want one of runnable, counter",
    ),
    (
        OS,
        r#"<operatingSystems name="os"><osDataConsistency mode="automaticProtection"/>"#,
        "osDataConsistency: mode is \"automaticProtection\": its copies or locks take time",
    ),
    (
        OS,
        r#"<operatingSystems name="os"><osDataConsistency mode="noProtection"><dataStability enabled="true"/></osDataConsistency>"#,
        "the element \"dataStability\" is not analysed: want one of mode",
    ),
    (
        r#"<schedulingParameters priority="1"/>"#,
        r#"<schedulingParameters priority="1"><minBudget value="1" unit="ms"/></schedulingParameters>"#,
        "the element \"minBudget\" is not analysed",
    ),
    (
        r#"<schedulingParameters priority="1"/>"#,
        r#"<schedulingParameters key="taskGroup?type=SchedulingParameterDefinition"><value xsi:type="am:IntegerObject" value="1"/></schedulingParameters>"#,
        "the scheduling parameter \"taskGroup\" is not analysed: want priority alone",
    ),
    (
        r#"<schedulingParameters priority="1"/>"#,
        r#"<schedulingParameters key="priority?type=SchedulingParameterDefinition"><value xsi:type="am:ListObject"><values xsi:type="am:IntegerObject" value="3"/></value></schedulingParameters>"#,
        "schedulingParameters/value: the priority is of the kind \"ListObject\": want an IntegerObject with a value",
    ),
    (
        r#"<schedulingParameters priority="1"/>"#,
        r#"<schedulingParameters><value xsi:type="am:IntegerObject" value="3"/></schedulingParameters>"#,
        "a value of no scheduling parameter: want key=\"priority\"",
    ),
    (
        r#"<schedulingParameters priority="1"/>"#,
        r#"<schedulingParameters priority="1"/><schedulingParameters priority="2"/>"#,
        "a second priority of the task: want one",
    ),
    (
        "  </mappingModel>",
        r#"<memoryMapping memory="ram?type=Memory"/></mappingModel>"#,
        "memoryMapping: no abstractElement: want the label that this memory holds",
    ),
    (
        r#"preemption="preemptive""#,
        r#"preemtion="preemptive""#,
        "the attribute \"preemtion\" is not analysed",
    ),
    ("  </swModel>", "<runables name=\"x\"/></swModel>", "the element \"runables\" is not analysed"),
    (
        "  </hwModel>",
        r#"<definitions xsi:type="am:Accelerator" name="x"/></hwModel>"#,
        "a definitions of the kind \"Accelerator\" is not analysed",
    ),
    (
        CORE,
        r#"<modules xsi:type="am:Vault" name="v"/><modules xsi:type="am:ProcessingUnit" name="core0""#,
        "a modules of the kind \"Vault\" is not analysed",
    ),
    (
        "  </mappingModel>",
        "<physicalSectionMapping name=\"s\"/></mappingModel>",
        "the element \"physicalSectionMapping\" is not analysed",
    ),
    ("  <stimuliModel>", "<mathModel/><stimuliModel>", "the element \"mathModel\" is not analysed"),
    (
        CALL,
        r#"<items xsi:type="am:Group" interruptible="perhaps"/>"#,
        "interruptible is \"perhaps\": want true or false",
    ),
    (
        CALL,
        r#"<items xsi:type="am:ModeSwitch"><entries><items xsi:type="am:Group" interruptible="false"/></entries></items>"#,
        "a group that cannot be interrupted, in a runnable or a switch, is not analysed",
    ),
    (
        CALL,
        r#"<items xsi:type="am:Group" ordered="false"><items xsi:type="am:Group"><items xsi:type="am:InterProcessTrigger" stimulus="launch1?type=InterProcessStimulus"/></items></items>"#,
        "in a group without an order: want ordered=\"true\"",
    ),
];

#[test]
fn what_may_change_a_time_is_refused() {
    read_model("m.amxmi", &text()).unwrap();
    for (from, to, message) in REFUSED {
        assert!(text().contains(from), "{from}");
        let error = read_model("m.amxmi", &text().replacen(from, to, 1)).expect_err(to).to_string();
        assert!(error.contains(message), "{to}\n{error}\nwant {message}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
}

#[test]
fn what_changes_no_time_is_passed_over() {
    let bounds = |text: &str| {
        let model = read_model("m.amxmi", text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        analyse(&model).tasks.iter().map(|task| task.bound).collect::<Vec<_>>()
    };
    let plain = bounds(&text());
    for (from, to) in [
        (CALL, &*format!(r#"{CALL}<items xsi:type="am:SchedulePoint"/>"#)),
        (CALL, &format!(r#"<items xsi:type="am:Group" interruptible="true">{CALL}</items>"#)),
        (OS, r#"<operatingSystems name="os"><osDataConsistency mode="noProtection"/>"#),
        (
            "  </swModel>",
            "<modes xsi:type=\"am:EnumMode\" name=\"m\"/><channels name=\"c\" maxElements=\"2\"/></swModel>",
        ),
        (r#"<tasks name="t0""#, r#"<tasks name="t0" multipleTaskActivationLimit="1""#),
        (r#"<events name="done1"/>"#, r#"<events name="done1" communicationOverheadInBit="0"/>"#),
        ("  <stimuliModel>", "<configModel/><stimuliModel>"),
    ] {
        assert!(text().contains(from), "{from}");
        assert_eq!(bounds(&text().replacen(from, to, 1)), plain, "{to}");
    }
}

#[test]
fn a_model_without_tasks_is_refused() {
    let text = r#"<am:Amalthea xmlns:am="http://app4mc.eclipse.org/amalthea/2.0.0"/>"#;
    let error = read_model("m.amxmi", text).unwrap_err().to_string();
    assert_eq!(error, "m.amxmi:1: Amalthea: no tasks: want tasks in swModel");
}

/// A group that cannot be interrupted holds its core: more urgent tasks wait for it, as for a task that cannot be preempted.
#[test]
fn a_group_that_cannot_be_interrupted_blocks() {
    let hosts = [Host::plain(20, 3, 2), Host::plain(50, 7, 1)];
    let call = r#"<items xsi:type="am:RunnableCall" runnable="before1?type=Runnable"/>"#;
    let bound = |text: &str| {
        let model = read_model("m.amxmi", text).unwrap();
        let notes =
            model.findings.iter().filter(|one| one.what.contains("a group that cannot be interrupted"));
        (analyse(&model).tasks[task(&model, "t0")].bound.map(|bound| bound.0 / MS), notes.count())
    };
    assert_eq!(bound(&model(&hosts)), (Some(3), 0));
    let group = format!(r#"<items xsi:type="am:Group" interruptible="false">{call}</items>"#);
    assert_eq!(bound(&model(&hosts).replace(call, &group)), (Some(10), 1));
}

/// A trigger in an entry of a switch comes at most once a job, between the beginning and the end of the switch.
#[test]
fn a_trigger_in_a_switch_may_come_early_late_or_never() {
    let host = Host { gpu: Some(((6, 6), Waits::Never)), after: (1, 1), ..Host::plain(10, 3, 1) };
    let trigger =
        r#"<items xsi:type="am:InterProcessTrigger" stimulus="launch0?type=InterProcessStimulus"/>"#;
    let run = r#"<items xsi:type="am:RunnableCall" runnable="before0?type=Runnable"/>"#;
    let of = |entries: &str| {
        let text = model(std::slice::from_ref(&host));
        let from = format!("{run}{trigger}");
        assert!(text.contains(&from));
        let to = format!(r#"<items xsi:type="am:ModeSwitch">{entries}</items>"#);
        let model = read_model("m.amxmi", &text.replace(&from, &to)).unwrap();
        let analysis = analyse(&model);
        let kernel = &analysis.tasks[task(&model, "g0")];
        let ms = |time: Option<warpspan::model::time::Duration>| time.map(|time| time.0 / MS);
        (ms(kernel.bound), ms(kernel.worst_lower), analysis.verdict)
    };
    let entry = |items: &str| format!("<entries>{items}</entries>");
    // At 0 or at 3: the next one may come 7 after the last one, which is long enough for 6.
    let late = entry(&format!("{run}{trigger}"));
    assert_eq!(of(&format!("{late}{}", entry(trigger))), (Some(6), None, Verdict::Proved));
    // Two triggers in one entry are two places.
    assert_eq!(of(&entry(&format!("{trigger}{trigger}"))).0, None);
    // With 6 before it, at 6 and at 10, where the first one runs until 12: 8 from there.
    let slow = Host { gpu: Some(((6, 6), Waits::Never)), ..Host::plain(10, 6, 1) };
    let text = model(&[slow]);
    let to = format!(r#"<items xsi:type="am:ModeSwitch">{late}{}</items>"#, entry(trigger));
    let model = read_model("m.amxmi", &text.replace(&format!("{run}{trigger}"), &to)).unwrap();
    let bound = analyse(&model).tasks[task(&model, "g0")].bound.map(|bound| bound.0 / MS);
    assert_eq!(bound, Some(8));
}

/// What may be triggered in some jobs only may not be waited for.
#[test]
fn a_wait_for_a_trigger_in_a_switch_has_no_bound() {
    let text = model(&[Host::plain(50, 2, 2).with_gpu(10, true, 3)]);
    let trigger =
        r#"<items xsi:type="am:InterProcessTrigger" stimulus="launch0?type=InterProcessStimulus"/>"#;
    let to = format!(r#"<items xsi:type="am:ModeSwitch"><entries>{trigger}</entries></items>"#);
    let model = read_model("m.amxmi", &text.replace(trigger, &to)).unwrap();
    let result = &analyse(&model).tasks[task(&model, "t0")];
    assert_eq!(result.bound, None);
    assert!(result.reason.as_ref().unwrap().contains("which no task sets for it that it triggers before"));
}

/// The latency that the definition of a memory has is not used, so it may not be all that there is.
#[test]
fn a_memory_with_a_latency_wants_access_elements() {
    let text = text();
    let hw = r#"<definitions xsi:type="am:MemoryDefinition" name="RAM"><accessLatency xsi:type="am:DiscreteValueConstant" value="2"/></definitions>
    <definitions xsi:type="am:ProcessingUnitDefinition" name="CPU" puType="CPU"/>"#;
    let text =
        text.replace(r#"<definitions xsi:type="am:ProcessingUnitDefinition" name="CPU" puType="CPU"/>"#, hw);
    let text = text.replace(
        CORE,
        &format!(
            r#"<modules xsi:type="am:Memory" name="ram" definition="RAM?type=MemoryDefinition"/>{CORE}"#
        ),
    );
    let text =
        text.replace("  </swModel>", r#"<labels name="l"><size value="4" unit="B"/></labels></swModel>"#);
    let text = text.replace(
        "  </mappingModel>",
        r#"<memoryMapping abstractElement="l?type=Label" memory="ram?type=Memory"/></mappingModel>"#,
    );
    read_model("m.amxmi", &text).unwrap();
    let access = r#"<items xsi:type="am:LabelAccess" data="l?type=Label" access="read"/>"#;
    let error = read_model("m.amxmi", &text.replacen(CALL, &format!("{access}{CALL}"), 1)).unwrap_err();
    assert!(error.to_string().contains(
        "the definition of ram has an access take time, and t0 accesses l there from core0, which has no latency for it"
    ), "{error}");
}
