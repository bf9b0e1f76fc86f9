//! Models that lack something, or have what is not analysed: one line, with the line and the path.

use assert_cmd::Command;
use predicates::prelude::*;
use rand::{RngExt, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;
use warpspan::realtime::amalthea::{Analysis, analyse, annotate, read_model};

use super::small::{Host, model};

/// What is replaced by what, and what the message says then.
const TABLE: &[(&str, &str, &str)] = &[
    ("</am:Amalthea>", "", "m.amxmi:1: not XML that can be read"),
    ("<am:Amalthea ", "<!DOCTYPE x [<!ENTITY a \"b\">]><am:Amalthea ", "not XML that can be read"),
    ("am:Amalthea", "am:System", "1: System: not an AMALTHEA model"),
    ("app4mc.eclipse.org", "example.org", "its namespace is \"http://example.org/amalthea/2.0.0\""),
    (r#"<tasks name="t0""#, "<tasks", "tasks[1]: no name: want the attribute name"),
    (r#"<tasks name="t0""#, r#"<tasks name="g1""#, "swModel/tasks[g1]: a second Task of the name \"g1\""),
    (
        "every0?type=PeriodicStimulus",
        "never?type=PeriodicStimulus",
        "tasks[t0]: stimuli names \"never\": want the name of a Stimulus",
    ),
    (
        r#"stimuli="every0?"#,
        r#"stimuli="every1?type=PeriodicStimulus every0?"#,
        "tasks[t0]: released by several stimuli",
    ),
    (
        r#"name="every0"><recurrence value="20" unit="ms"/>"#,
        r#"name="every0">"#,
        "stimuliModel/stimuli[every0]: no recurrence",
    ),
    (
        r#"<recurrence value="20""#,
        r#"<recurrence value="-20""#,
        "stimuli[every0]/recurrence: value is \"-20\": want a number",
    ),
    (r#"<recurrence value="20""#, r#"<recurrence value="0""#, "stimuli[every0]: a recurrence of 0"),
    (
        r#"<recurrence value="20" unit="ms""#,
        r#"<recurrence value="20" unit="min""#,
        "recurrence: unit is \"min\": want s, ms",
    ),
    (r#"<recurrence value="20""#, r#"<recurrence value="99999999999999""#, "a time of more than 2^62 ps"),
    (
        r#"<recurrence value="20" unit="ms""#,
        r#"<recurrence value="0.5" unit="ps""#,
        "a time finer than a picosecond",
    ),
    (
        "am:PeriodicStimulus",
        "am:VariableRateStimulus",
        "a stimulus of the kind \"VariableRateStimulus\" is not analysed",
    ),
    ("before0?type", "nothing?type", "items[1]: runnable names \"nothing\": want the name of a Runnable"),
    (
        r#"<items xsi:type="am:Ticks">"#,
        r#"<items xsi:type="am:SemaphoreAccess">"#,
        "an activity of the kind \"SemaphoreAccess\" is not analysed",
    ),
    (
        r#"lowerBound="5" upperBound="5""#,
        r#"lowerBound="5""#,
        "default: DiscreteValueBoundaries without upperBound has no bound",
    ),
    (
        r#"lowerBound="5" upperBound="5""#,
        r#"lowerBound="6" upperBound="5""#,
        "lowerBound 6 exceeds upperBound 5",
    ),
    (
        r#"lowerBound="5" upperBound="5""#,
        r#"lowerBound="5" upperBound="5.5""#,
        "upperBound is \"5.5\": want a whole number",
    ),
    (
        r#"lowerBound="5" upperBound="5""#,
        r#"lowerBound="5" upperBound="1e99""#,
        "upperBound is \"1e99\": want a whole number",
    ),
    ("am:DiscreteValueBoundaries", "am:DiscreteValueHistogram", "a histogram without entries"),
    (
        "done1?type=OsEvent",
        "undone?type=OsEvent",
        "eventMask: events names \"undone\": want the name of a OsEvent",
    ),
    (
        r#"<eventMask events="done1?type=OsEvent"/>"#,
        "",
        "items[2]: no eventMask: want an element eventMask within",
    ),
    (
        r#"<items xsi:type="am:InterProcessTrigger" stimulus="launch1?type=InterProcessStimulus"/>"#,
        r#"<items xsi:type="am:InterProcessTrigger" stimulus="launch1?type=InterProcessStimulus"><counter prescaler="2"/></items>"#,
        "items[2]: a trigger with a counter is not analysed",
    ),
    (
        r#"<items xsi:type="am:ClearEvent">"#,
        r#"<items xsi:type="am:ClearEvent"><counter prescaler="2"/>"#,
        "items[4]: an activity with a counter is not analysed",
    ),
    (
        r#"runnable="before0?type=Runnable"/>"#,
        r#"runnable="before0?type=Runnable"><counter prescaler="2"/></items>"#,
        "items[1]: an activity with a counter is not analysed",
    ),
    (
        r#"name="every0">"#,
        r#"name="every0"><executionCondition/>"#,
        "stimuli[every0]/executionCondition: a stimulus with \"executionCondition\" is not analysed",
    ),
    (
        r#"<stimuli xsi:type="am:InterProcessStimulus" name="launch1"/>"#,
        r#"<stimuli xsi:type="am:InterProcessStimulus" name="launch1"><counter prescaler="2"/></stimuli>"#,
        "stimuli[launch1]/counter: a stimulus with \"counter\" is not analysed",
    ),
    (r#"preemption="preemptive""#, r#"preemption="now""#, "preemption is \"now\": want preemptive"),
    (r#" waitingBehaviour="active""#, "", "waitingBehaviour is \"\": want active or passive"),
    (
        r#"waitingBehaviour="active""#,
        r#"waitingBehaviour="active" maskType="OR""#,
        "a wait for one of several events is not analysed",
    ),
    (
        r#"<items xsi:type="am:SetEvent">"#,
        r#"<items xsi:type="am:SetEvent" process="t9?type=Task">"#,
        "process names \"t9\"",
    ),
    (
        r#"<events name="done1"/>"#,
        r#"<events name="done1"><communicationOverheadInCycles value="5"/></events>"#,
        "the time that an event takes is not analysed",
    ),
    (
        r#"<events name="done1"/>"#,
        r#"<events name="done1" communicationOverheadInBit="8"/>"#,
        "the time that an event takes is not analysed",
    ),
    (
        r#"<operatingSystems name="os">"#,
        r#"<operatingSystems name="os" overhead="calls?type=OsInstructions">"#,
        "operatingSystems[os]: the overhead of an operating system is not analysed",
    ),
    (
        r#"<taskSchedulers name="host">"#,
        r#"<taskSchedulers name="host"><computationItems/>"#,
        "taskSchedulers[host]/computationItems: the time that a scheduler takes is not analysed",
    ),
    (
        r#"name="core0" frequencyDomain="clock?type=FrequencyDomain""#,
        r#"name="core0""#,
        "hwModel/structures[board]/modules[core0]: no frequencyDomain",
    ),
    (
        r#"frequencyDomain="clock?"#,
        r#"frequencyDomain="clocks?"#,
        "modules[core0]: frequencyDomain names \"clocks\"",
    ),
    (
        r#"definition="CPU?type"#,
        r#"definition="APU?type"#,
        "modules[core0]: definition names \"APU\": want the name of a ProcessingUnitDefinition",
    ),
    (r#"<defaultValue value="1" unit="kHz"/>"#, "", "domains[clock]: no defaultValue"),
    (
        r#"<defaultValue value="1" unit="kHz"/>"#,
        r#"<defaultValue value="0" unit="kHz"/>"#,
        "a frequency out of range",
    ),
    (
        r#"<defaultValue value="1" unit="kHz"/>"#,
        r#"<defaultValue value="1" unit="rpm"/>"#,
        "unit is \"rpm\": want Hz, kHz, MHz or GHz",
    ),
    (
        r#"scheduler="host?type=TaskScheduler" affinity"#,
        r#"scheduler="guest?type=TaskScheduler" affinity"#,
        "taskAllocation[t0?type=Task]: scheduler names \"guest\"",
    ),
    (
        r#"affinity="core0?type=ProcessingUnit""#,
        r#"affinity="core7?type=ProcessingUnit""#,
        "affinity names \"core7\": want the name of a ProcessingUnit",
    ),
    (
        r#"affinity="core0?type=ProcessingUnit""#,
        r#"affinity="core0?type=ProcessingUnit gpu0?type=ProcessingUnit""#,
        "tasks[t0]: allocated to a GPU and to another unit",
    ),
    (
        r#"priority="1""#,
        r#"priority="high""#,
        "schedulingParameters: the priority is \"high\": want a whole number",
    ),
    (
        "am:RoundRobin",
        "am:ConstantBandwidthServer",
        "ConstantBandwidthServer may leave a unit idle while a task is ready",
    ),
    (
        "<schedulingAlgorithm xsi:type=\"am:RoundRobin\"/>",
        "<parentAssociation parent=\"host?type=TaskScheduler\"/>",
        "a scheduler under another one is not analysed",
    ),
    (r#"task="g1?type=Task""#, r#"task="t1?type=Task""#, "a second allocation of this task"),
    (
        r#"process="t0?type=Task""#,
        r#"process="x?type=Task""#,
        "constraintsModel/requirements[d0]: process names \"x\"",
    ),
    (r#"<limitValue value="20" unit="ms"/>"#, "", "requirements[d0]/limit: no limitValue"),
    (
        "  </swModel>",
        "<isrs name=\"i\"/></swModel>",
        "swModel/isrs[i]: interrupt service routines are not analysed",
    ),
    (
        "  </swModel>",
        "<labels name=\"l\"><size value=\"1\" unit=\"furlong\"/></labels></swModel>",
        "labels[l]/size: unit is \"furlong\"",
    ),
    (
        "  </constraintsModel>",
        "<eventChains name=\"c\" stimulus=\"a\" response=\"b\"/></constraintsModel>",
        "eventChains[c]: it names the event \"a\"",
    ),
    (
        "  </mappingModel>",
        "<memoryMapping abstractElement=\"l?type=Label\" memory=\"m?type=Memory\"/></mappingModel>",
        "it maps l to m: want the name of a Memory",
    ),
];

fn text() -> String {
    let first = Host { deadline: Some(20), ..Host::plain(20, 5, 1) };
    model(&[first, Host::plain(50, 2, 2).with_gpu(3, true, 1)])
}

#[test]
fn each_is_one_line_with_the_place() {
    read_model("m.amxmi", &text()).unwrap();
    for (from, to, message) in TABLE {
        assert!(text().contains(from), "{from}");
        let malformed = text().replace(from, to);
        let error = read_model("m.amxmi", &malformed).expect_err(to).to_string();
        assert!(error.contains(message) && error.starts_with("m.amxmi:"), "{to}\n{error}\nwant {message}");
        assert_eq!(error.lines().count(), 1, "{error}");
        let line = error.split(':').nth(1).unwrap().parse::<usize>();
        assert!(line.is_ok_and(|line| (1..=malformed.lines().count() + 1).contains(&line)), "{error}");
    }
}

#[test]
fn nothing_nests_without_end() {
    let deep =
        |open: &str, close: &str, count: usize| format!("{}{}", open.repeat(count), close.repeat(count));
    let call = r#"<items xsi:type="am:RunnableCall" runnable="before0?type=Runnable"/>"#;
    for count in [66, 100_000] {
        let group = deep(r#"<items xsi:type="am:Group">"#, "</items>", count);
        let error = read_model("m", &text().replace(call, &group)).unwrap_err().to_string();
        assert!(
            error.contains("groups nest deeper than 64") || error.contains("not XML that can be read"),
            "{error}"
        );
        let structure = deep(r#"<structures name="s">"#, "</structures>", count);
        let model = text().replace("  </hwModel>", &format!("{structure}</hwModel>"));
        let error = read_model("m", &model).unwrap_err().to_string();
        assert!(
            error.contains("structures nest deeper than 64") || error.contains("not XML that can be read"),
            "{error}"
        );
    }
    // A runnable that calls itself.
    let ticks = r#"<items xsi:type="am:Ticks"><default xsi:type="am:DiscreteValueBoundaries" lowerBound="5" upperBound="5"/></items>"#;
    let error = read_model("m", &text().replace(ticks, call)).unwrap_err().to_string();
    assert!(
        error.contains("runnables[before0]: it calls runnables more than 64 levels deep, or itself"),
        "{error}"
    );
}

/// Numbers at the ends of their ranges are read, and no arithmetic leaves its range.
#[test]
fn extreme_numbers_have_no_bound() {
    let most = u64::MAX.to_string();
    let ticks = format!(r#"lowerBound="5" upperBound="{most}""#);
    let slow = text().replace(r#"lowerBound="5" upperBound="5""#, &ticks);
    for text in [
        slow.clone(),
        slow.replace("1\" unit=\"kHz\"", "1\" unit=\"Hz\""),
        slow.replace("value=\"20\" unit=\"ms\"", "value=\"1\" unit=\"ps\""),
    ] {
        let model = read_model("m", &text).unwrap();
        let analysis = analyse(&model);
        assert_eq!(analysis.tasks[super::small::task(&model, "t0")].bound, None);
    }
}

/// The prefix `xsi` is declared where it is used, also if another element, a comment or a text has a declaration of it, or it means
/// something else.
#[test]
fn annotated_models_declare_what_they_use() {
    let xsi = "http://www.w3.org/2001/XMLSchema-instance";
    for (outer, inner) in [
        (String::new(), format!("<hwModel xmlns:xsi=\"{xsi}\"/>")),
        (String::new(), format!("<hwModel>xmlns:xsi=\"{xsi}\"</hwModel>")),
        (" xmlns:xsi=\"http://else.where\"".to_owned(), String::new()),
        (format!(" xmlns:xsi=\"{xsi}\""), String::new()),
    ] {
        let text = format!(
            "<am:Amalthea xmlns:am=\"http://app4mc.eclipse.org/amalthea/2.0.0\"{outer}>\n<swModel>\n<tasks name=\"T\"/>\n</swModel>\n{inner}\n</am:Amalthea>\n"
        );
        let model = read_model("m.amxmi", &text).unwrap();
        let annotated = annotate("m.amxmi", &text, &analyse(&model)).unwrap();
        assert!(annotated.contains("warpspan.meets"), "{annotated}");
        assert!(read_model("m.amxmi", &annotated).is_ok(), "{annotated}");
        let is_declared = annotated.contains(&format!("<value xmlns:xsi=\"{xsi}\""));
        assert_eq!(is_declared, !outer.contains(xsi), "{annotated}");
    }
}

/// Whatever is cut out of a model, or copied over another part of it: it is refused in one line, or analysed,
/// and then its annotated text is a model of the same results.
#[test]
fn damaged_models_are_refused_or_analysed() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let camera = std::fs::read_to_string("instances/camera.amxmi").unwrap();
    let mut analysed = 0;
    for round in 0..3_000 {
        let mut text = if round % 2 == 0 { text() } else { camera.clone() };
        for _ in 0..rng.random_range(1..=3) {
            let marks: Vec<usize> = text.match_indices(['<', '"', '>', ' ']).map(|(at, _)| at).collect();
            let (Some(&at), Some(&from)) = (marks.choose(&mut rng), marks.choose(&mut rng)) else { break };
            let after = |begin: usize, count: usize| {
                marks.iter().copied().filter(|&mark| mark > begin).nth(count).unwrap_or(begin)
            };
            let end = after(at, rng.random_range(0..8));
            let copied = text[from..after(from, 0)].to_owned();
            text.replace_range(at..end, if rng.random_bool(0.5) { "" } else { &copied });
        }
        match read_model("m.amxmi", &text) {
            Err(error) => assert_eq!(error.to_string().lines().count(), 1, "{error}"),
            Ok(model) => {
                let analysis = analyse(&model);
                let annotated = annotate("m.amxmi", &text, &analysis).unwrap();
                let again = read_model("m.amxmi", &annotated);
                let again = analyse(&again.unwrap_or_else(|error| panic!("{error}\n{annotated}")));
                let bounds = |all: &Analysis| all.tasks.iter().map(|task| task.bound).collect::<Vec<_>>();
                assert_eq!((bounds(&again), &again.chains), (bounds(&analysis), &analysis.chains), "{text}");
                analysed += 1;
            }
        }
    }
    assert!(analysed > 200, "{analysed}");
}

#[test]
fn the_command_refuses_them_with_2() {
    let refused = |args: &[&str], input: String, message: &str| {
        let mut command = Command::cargo_bin("warpspan").unwrap();
        command.arg("rta").args(args).write_stdin(input).assert().code(2).stdout("").stderr(
            predicate::str::contains(message)
                .and(predicate::function(|text: &str| text.lines().count() == 1)),
        );
    };
    let broken = text().replace(r#"unit="kHz""#, "");
    refused(
        &["-"],
        broken,
        "standard input:21: hwModel/domains[clock]/defaultValue: no unit: want the attribute unit",
    );
    refused(&["-"], "<a>\n<b></a>".into(), "standard input:2: not XML that can be read");
    refused(&["-", "--horizon", "5"], text(), "--horizon is for kernels on a GPU");
    refused(&["-", "--method", "simulate"], text(), "--method is for kernels on a GPU");
    refused(&["-", "--chain", "t0,t9"], text(), "\"t9\" is no task of the model");
    refused(&["-", "--annotate", "x.xml"], text(), "want a name that ends in .amxmi");
    refused(
        &["instances/pa19-section-3-6.toml", "--chain", "a"],
        String::new(),
        "--chain is for AMALTHEA models",
    );
    refused(
        &["instances/camera.amxmi", "--annotate", "instances/camera.amxmi"],
        String::new(),
        "the model itself",
    );
}
