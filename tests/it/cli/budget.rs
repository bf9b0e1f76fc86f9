//! `budget`: what it says of each kernel is what `time` says, in every form, and what is wrong has one line.

use crate::common::without_identity;
use std::path::Path;

use assert_cmd::Command;
use roxmltree::{Document, Node};
use serde_json::Value;

use crate::cli::hostile::is_decent;

const ALL: &str = "tests/data/budget/all.toml";
/// The kernels of that file with the outcomes and the exit codes of `time`.
const KERNELS: [(&str, &str, i32); 5] = [
    ("declared", "met", 0),
    ("undeclared", "undecided", 3),
    ("hasty", "missed", 5),
    ("without a bound", "error", 2),
    ("nowhere", "error", 2),
];

pub(super) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

pub(super) fn run_in(folder: &Path, args: &[&str]) -> (i32, String, String) {
    let output = Command::cargo_bin("warpspan").unwrap().current_dir(folder).args(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn run(args: &[&str]) -> (i32, String, String) {
    run_in(root(), args)
}

fn record(file: &str) -> (i32, Value) {
    let (code, stdout, stderr) = run(&["budget", file, "--format", "json"]);
    (code, serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stderr}")))
}

/// The command line that a record names for a kernel gives the same record and the same exit code.
#[test]
fn each_kernel_has_the_answer_of_time() {
    let (code, found) = record(ALL);
    assert_eq!((code, &found["exit_code"], &found["outcome"]), (2, &2.into(), &"error".into()));
    let kernels = found["kernels"].as_array().unwrap();
    assert_eq!(kernels.len(), KERNELS.len());
    for (kernel, (name, outcome, exit)) in kernels.iter().zip(KERNELS) {
        assert_eq!((&kernel["name"], &kernel["outcome"]), (&name.into(), &outcome.into()));
        assert_eq!(kernel["exit_code"], exit);
        let words: Vec<&str> =
            kernel["arguments"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
        let (alone, stdout, stderr) = run(&[&words[..], &["--format", "json"]].concat());
        assert_eq!(alone, exit, "{name}: {stderr}");
        if kernel["time"].is_null() {
            let error = kernel["error"].as_str().unwrap();
            assert_eq!(stderr, format!("warpspan: {error}\n"), "{name}");
            continue;
        }
        let mut time = without_identity(serde_json::from_str(&stdout).unwrap());
        for of_envelope in ["schema", "version"] {
            time.as_object_mut().unwrap().remove(of_envelope);
        }
        let numbers = time.as_object_mut().unwrap().remove("numbers").unwrap();
        for number in numbers.as_array().unwrap() {
            let of_kernel = format!("{name}: {}", number["name"].as_str().unwrap());
            let in_all = |other: &&Value| other["name"] == *of_kernel;
            let found = found["numbers"].as_array().unwrap().iter().find(in_all).unwrap();
            assert_eq!(
                [&found["value"], &found["rests_on"]],
                [&number["value"], &number["rests_on"]],
                "{of_kernel}"
            );
        }
        assert_eq!(kernel["time"], time, "{name}");
        assert_eq!(kernel["deadline_ns"], time["deadline_ns"]);
    }
}

/// A folder with the listing of the tutorial and a budget of some of the kernels.
pub(super) fn folder(kernels: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(root().join("docs/tutorial/conv.sm_87.sass"), folder.path().join("conv.sass")).unwrap();
    let launch = "[defaults]\nlisting = \"conv.sass\"\ngpu = \"jetson-orin\"\ngrid = \"60x135\"\nblock = \"32x8\"\nloop-bound = \".L_x_2=3\"\n";
    let tables =
        kernels.iter().enumerate().map(|(at, more)| format!("[[kernel]]\nname = \"k{at}\"\n{more}\n"));
    std::fs::write(folder.path().join("b.toml"), format!("{launch}{}", tables.collect::<String>())).unwrap();
    folder
}

pub(super) const MET: &str = "deadline = \"1s\"";
pub(super) const UNDECIDED: &str = "deadline = \"1ms\"";
pub(super) const MISSED: &str = "deadline = \"1us\"";
pub(super) const WRONG: &str = "deadline = \"1s\"\nloop-bound = []";

#[test]
fn the_exit_code_is_that_of_the_gravest_kernel() {
    for (kernels, expected) in [
        (&[MET, MET][..], 0),
        (&[MET, UNDECIDED], 3),
        (&[UNDECIDED, MISSED, MET], 5),
        (&[WRONG, MISSED, MET], 2),
    ] {
        let folder = folder(kernels);
        let (code, stdout, stderr) = run_in(folder.path(), &["budget", "b.toml", "--format", "json"]);
        assert_eq!((code, stderr.as_str()), (expected, ""), "{kernels:?}: {stdout}");
        let found: Value = serde_json::from_str(&stdout).unwrap();
        // All kernels were tried.
        assert_eq!(found["kernels"].as_array().unwrap().len(), kernels.len());
    }
}

/// From another folder the same files are found.
#[test]
fn files_are_beside_the_budget() {
    let folder = folder(&[MET]);
    let path = folder.path().join("b.toml");
    let (code, stdout, stderr) = run(&["budget", path.to_str().unwrap()]);
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.contains("1 of 1 deadline met"), "{stdout}");
}

/// Number, deadline, verdict, condition and reason of each kernel, as `time` prints them.
#[test]
fn every_form_says_it_all() {
    let (_, found) = record(ALL);
    let folder = tempfile::tempdir().unwrap();
    let files = ["b.json", "b.xml", "b.sarif", "b.md"].map(|name| folder.path().join(name));
    let mut args = vec!["budget", ALL];
    files.iter().for_each(|file| args.extend(["-o", file.to_str().unwrap()]));
    assert_eq!(run(&args).0, 2);
    let written = |at: usize| std::fs::read_to_string(&files[at]).unwrap();
    let printed = |form: &str| run(&["budget", ALL, "--format", form]).1;
    for (form, printed) in [
        ("text", printed("text")),
        ("github", printed("github")),
        ("json", written(0)),
        ("junit", written(1)),
        ("sarif", written(2)),
        ("markdown", written(3)),
    ] {
        let plain = match form {
            "junit" => Document::parse(&printed).unwrap().descendants().fold(String::new(), |all, node| {
                let attributes = node.attributes().map(|one| one.value()).collect::<Vec<_>>().join(" ");
                all + &attributes + node.text().unwrap_or_default()
            }),
            "markdown" => printed.replace('\\', ""),
            _ => printed.replace("\\\"", "\""),
        };
        let numbers = match form {
            "json" => ["\"bound_ns\":4492225", "\"deadline_ns\":10000000", "\"verdict\":\"undecided\""],
            _ => ["4.492225 ms", "10 ms", "undecided"],
        };
        let reasons = found["kernels"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|kernel| kernel["error"].as_str().or(kernel["time"]["reason"].as_str()));
        // What is not covered.
        let notes = ["page faults"];
        for wanted in numbers.into_iter().chain(notes).chain(reasons) {
            assert!(plain.contains(wanted), "{form} lacks {wanted:?}:\n{plain}");
        }
        // All that the answers rest on: annotations have no room for it, and say how much it is.
        let answers: Vec<&Value> =
            found["kernels"].as_array().unwrap().iter().filter(|one| !one["time"].is_null()).collect();
        assert_eq!(answers.len(), 3);
        for kernel in answers {
            let rests = kernel["time"]["assumptions"].as_array().unwrap();
            assert!(rests.len() > 10, "{kernel}");
            let is_listed = form != "github" && (form != "sarif" || kernel["outcome"] != "met");
            for one in rests.iter().filter(|_| is_listed) {
                let text = |key: &str| one[key].as_str().unwrap();
                let words = [text("id").to_owned(), format!("{}: {}", text("subject"), text("value"))];
                let words = match form {
                    "json" | "sarif" => [words[0].clone(), text("value").to_owned()],
                    _ => words,
                };
                for wanted in words {
                    assert!(plain.contains(&wanted), "{form} lacks {wanted:?}:\n{plain}");
                }
            }
        }
        assert!(matches!(form, "json") || plain.contains(" declaration"), "{form}:\n{plain}");
    }
}

#[test]
fn junit_has_a_test_for_each_kernel() {
    let (_, text, _) = run(&["budget", ALL, "--format", "junit"]);
    let document = Document::parse(&text).unwrap();
    let suites = document.root_element();
    assert_eq!(suites.tag_name().name(), "testsuites");
    let [suite] = suites.children().filter(Node::is_element).collect::<Vec<_>>()[..] else {
        panic!("{text}")
    };
    for node in [suites, suite] {
        let count = |name: &str| node.attribute(name).unwrap().parse::<usize>().unwrap();
        assert_eq!([count("tests"), count("failures"), count("errors")], [5, 2, 2], "{text}");
    }
    let tests: Vec<Node> = suite.children().filter(|node| node.has_tag_name("testcase")).collect();
    assert_eq!(tests.len(), KERNELS.len());
    for (test, (name, outcome, _)) in tests.iter().zip(KERNELS) {
        assert_eq!(test.attribute("name"), Some(name));
        assert!(test.attribute("classname").is_some_and(|listing| listing.ends_with(".sass")));
        let failed: Vec<Node> = test
            .children()
            .filter(|node| ["failure", "error", "skipped"].contains(&node.tag_name().name()))
            .collect();
        let element = match outcome {
            "met" => None,
            "error" => Some("error"),
            _ => Some("failure"),
        };
        assert_eq!(failed.first().map(|node| node.tag_name().name()), element, "{name}");
        for node in failed {
            assert_eq!(node.attribute("type"), Some(outcome));
            assert!(node.attribute("message").is_some_and(|message| message.starts_with(name)), "{name}");
        }
    }
}

/// A member that the standard requires (SARIF 2.1.0, sections 3.13 to 3.52), with its type.
fn member<'a>(of: &'a Value, name: &str, is: impl Fn(&Value) -> bool) -> &'a Value {
    assert!(is(&of[name]), "{name}: {}", of[name]);
    &of[name]
}

fn is_location(location: &Value) {
    let physical = member(location, "physicalLocation", Value::is_object);
    let uri = physical["artifactLocation"]["uri"].as_str().unwrap();
    assert!(!uri.is_empty() && !uri.contains([' ', '\\', '[', ']']), "{uri}");
    if let Some(region) = physical.get("region") {
        assert!(region["startLine"].as_u64().is_some_and(|line| line >= 1));
    }
}

#[test]
fn sarif_has_what_the_standard_requires() {
    let (code, text, _) = run(&["budget", ALL, "--format", "sarif"]);
    let log: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let [run] = &member(&log, "runs", Value::is_array).as_array().unwrap()[..] else { panic!("{text}") };
    let driver = member(member(run, "tool", Value::is_object), "driver", Value::is_object);
    member(driver, "name", Value::is_string);
    let rules: Vec<&str> = driver["rules"]
        .as_array()
        .unwrap()
        .iter()
        .map(|rule| member(rule, "id", Value::is_string).as_str().unwrap())
        .collect();
    assert!((1..rules.len()).all(|at| !rules[..at].contains(&rules[at])), "{rules:?}");
    for rule in driver["rules"].as_array().unwrap() {
        ["shortDescription", "fullDescription", "help"].iter().for_each(|name| {
            member(&rule[name], "text", Value::is_string);
        });
    }
    let [invocation] = &run["invocations"].as_array().unwrap()[..] else { panic!("{text}") };
    assert_eq!(member(invocation, "executionSuccessful", Value::is_boolean), false);
    assert_eq!(invocation["exitCode"], code);
    let met = invocation["toolExecutionNotifications"].as_array().unwrap();
    assert_eq!(met.len(), 1);
    assert!(member(&met[0]["message"], "text", Value::is_string).as_str().unwrap().starts_with("declared: "));
    let results = member(run, "results", Value::is_array).as_array().unwrap();
    let failed: Vec<_> = KERNELS.iter().filter(|(_, outcome, _)| *outcome != "met").collect();
    assert_eq!(results.len(), failed.len());
    for (result, (name, ..)) in results.iter().zip(failed) {
        let message = member(&result["message"], "text", Value::is_string).as_str().unwrap();
        assert!(message.starts_with(name), "{message}");
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(result["ruleId"], rules[index]);
        assert_eq!(result["level"], "error");
        assert!(result["partialFingerprints"].as_object().unwrap().values().all(Value::is_string));
        let places = ["locations", "relatedLocations"].map(|name| result[name].as_array().unwrap());
        places.into_iter().flatten().for_each(is_location);
    }
    // Which line costs most: that of the source, which stands beside the listing.
    let first = &results[0]["locations"][0]["physicalLocation"];
    assert_eq!(first["artifactLocation"]["uri"], "docs/tutorial/conv.cu");
    assert_eq!(first["region"]["startLine"], 15);
}

#[test]
fn annotations_are_commands_of_a_workflow() {
    let (_, text, _) = run(&["budget", ALL, "--format", "github"]);
    let commands: Vec<&str> = text.lines().filter(|line| line.starts_with("::")).collect();
    assert_eq!(commands.len(), 4, "{text}");
    for command in commands {
        let (properties, message) = command.strip_prefix("::error ").unwrap().split_once("::").unwrap();
        let pairs: Vec<(&str, &str)> =
            properties.split(',').map(|pair| pair.split_once('=').unwrap()).collect();
        let names: Vec<&str> = pairs.iter().map(|pair| pair.0).collect();
        assert_eq!(names, ["file", "line", "title"], "{command}");
        assert!(root().join(pairs[0].1).is_file(), "{command}");
        assert!(pairs[1].1.parse::<u32>().is_ok() && !message.is_empty(), "{command}");
    }
}

#[test]
fn what_is_wrong_with_a_budget_has_one_line() {
    let folder = folder(&[MET]);
    let text = std::fs::read_to_string(folder.path().join("b.toml")).unwrap();
    let write = |text: &[u8]| std::fs::write(folder.path().join("w.toml"), text).unwrap();
    for (text, said) in [
        (String::new(), "w.toml: no kernel: want [[kernel]] with listing, gpu, grid, block and deadline"),
        (
            format!("{text}depth = 3\n"),
            "w.toml:10: depth is no option of time, which warpspan time --help lists",
        ),
        (
            format!("{text}gird = 3\n"),
            "w.toml:10: gird is no option of time, which warpspan time --help lists: did you mean grid?",
        ),
        (
            format!("{text}format = \"json\"\n"),
            "w.toml:10: format: all kernels have one form: want --format behind warpspan budget",
        ),
        (
            text.replace("1s", "1"),
            "w.toml:9: deadline = \"1\": want a number with its unit: 800ns, 10us, 2.5ms or 1s",
        ),
        (
            text.replace("\"1s\"", "10"),
            "w.toml:9: deadline = \"10\": want a number with its unit: 800ns, 10us, 2.5ms or 1s",
        ),
        (text.replace("deadline = \"1s\"", ""), "w.toml:7: k0: no deadline: want deadline = \"10ms\""),
        (
            text.replace("grid = \"60x135\"\n", ""),
            "w.toml:6: k0: no grid: want it in the table of the kernel or in [defaults]",
        ),
        (
            format!("{text}[[kernel]]\nname = \"k0\"\n{MET}"),
            "w.toml:10: two kernels are named \"k0\": want name = \"...\" to tell them apart",
        ),
        (text.replace("60x135", "60x0"), "w.toml:4: grid = \"60x0\": want N, NxM or N,M,K, each 1 or more"),
        ("[[kernel]\n".to_owned(), "w.toml:1: "),
        (
            "[multiprocessor]\nsigma_l = 1\n[kernel]\nstring = \"LC\"\n".to_owned(),
            "w.toml: an instance: warpspan solve",
        ),
    ] {
        write(text.as_bytes());
        for form in ["text", "sarif"] {
            let (code, stdout, stderr) = run_in(folder.path(), &["budget", "w.toml", "--format", form]);
            assert_eq!((code, stdout.as_str()), (2, ""), "{said}: {stderr}");
            assert!(stderr.starts_with(&format!("warpspan: {said}")), "{stderr}");
            assert_eq!(stderr.lines().count(), 1, "{stderr}");
        }
    }
    write(&[0xff, 0xfe, b'[']);
    let (code, _, stderr) = run_in(folder.path(), &["budget", "w.toml"]);
    assert_eq!((code, stderr.as_str()), (2, "warpspan: w.toml: not UTF-8 text: want a budget in TOML\n"));
    let (code, _, stderr) = run_in(folder.path(), &["budget", "none.toml"]);
    assert_eq!(code, 2);
    assert!(stderr.starts_with("warpspan: none.toml: cannot be read: "), "{stderr}");
    let (code, _, stderr) = run_in(folder.path(), &["budget", "b.toml", "-o", "b.txt"]);
    assert_eq!(
        (code, stderr.as_str()),
        (2, "warpspan: b.txt: want a name that ends in .json, .xml, .sarif or .md\n")
    );
    // A budget is not what other commands take.
    let (code, _, stderr) = run_in(folder.path(), &["rta", "b.toml"]);
    assert_eq!(
        (code, stderr.as_str()),
        (2, "warpspan: b.toml: a budget of deadlines: warpspan budget takes it\n")
    );
}

/// A name may hold what each form gives a meaning to.
#[test]
fn names_are_shown_as_they_are() {
    let folder = folder(&[]);
    let name = "a|b <c> \"d\" & `e` ::error::\\n";
    let launch = std::fs::read_to_string(folder.path().join("b.toml")).unwrap();
    let quoted = toml::Value::String(name.to_owned());
    std::fs::write(
        folder.path().join("b.toml"),
        format!("{launch}[[kernel]]\nname = {quoted}\n{UNDECIDED}\n"),
    )
    .unwrap();
    for form in ["text", "json", "junit", "sarif", "github", "markdown"] {
        let mut command = Command::cargo_bin("warpspan").unwrap();
        let output =
            command.current_dir(folder.path()).args(["budget", "b.toml", "--format", form]).output().unwrap();
        is_decent(&output, form);
        let text = String::from_utf8(output.stdout).unwrap();
        match form {
            "json" => assert_eq!(serde_json::from_str::<Value>(&text).unwrap()["kernels"][0]["name"], name),
            "sarif" => {
                let log: Value = serde_json::from_str(&text).unwrap();
                assert_eq!(log["runs"][0]["results"][0]["properties"]["kernel"], name);
            }
            "junit" => {
                let document = Document::parse(&text).unwrap();
                let test = document.descendants().find(|node| node.has_tag_name("testcase")).unwrap();
                assert_eq!(test.attribute("name"), Some(name));
            }
            "github" => assert_eq!(text.lines().filter(|line| line.starts_with("::")).count(), 1, "{text}"),
            _ => assert!(text.lines().all(|line| !line.starts_with("::")), "{text}"),
        }
    }
}

/// How each number is checked is what `verify` says of the record of `time`.
#[test]
fn numbers_are_verified_as_those_of_time() {
    let folder = folder(&[MET, MISSED]);
    let path = |name: &str| folder.path().join(name).display().to_string();
    run_in(folder.path(), &["budget", "b.toml", "-o", "b.json"]);
    let time = "time conv.sass --gpu jetson-orin --grid 60x135 --block 32x8 --loop-bound .L_x_2=3 --deadline 1s --format json";
    let words: Vec<&str> = time.split(' ').collect();
    std::fs::write(path("t.json"), run_in(folder.path(), &words).1).unwrap();
    let numbers = |file: &str| -> Vec<Value> {
        let (code, stdout, stderr) = run(&["verify", &path(file), "--format", "json"]);
        assert_eq!(code, 0, "{stderr}");
        serde_json::from_str::<Value>(&stdout).unwrap()["numbers"].as_array().unwrap().clone()
    };
    let mut of_time = numbers("t.json");
    for number in &mut of_time {
        number["name"] = format!("k0: {}", number["name"].as_str().unwrap()).into();
    }
    let of_budget = numbers("b.json");
    assert!(!of_time.is_empty() && of_budget.len() > of_time.len());
    assert_eq!(of_budget[..of_time.len()], of_time);
    let (code, stdout, _) = run(&["explain", &path("b.json")]);
    assert_eq!(code, 0);
    assert!(stdout.contains("exit code 5: a deadline is proved to be missed"), "{stdout}");
}

/// Two budgets are compared kernel by kernel, and one without a bound is not overlooked.
#[test]
fn budgets_are_compared() {
    let folder = folder(&[MET, "deadline = \"1s\"\nclock = 1300"]);
    let text = std::fs::read_to_string(folder.path().join("b.toml")).unwrap();
    let answer = |name: &str, text: String| {
        std::fs::write(folder.path().join("b.toml"), text).unwrap();
        run_in(folder.path(), &["budget", "b.toml", "-o", name]);
    };
    answer("old.json", text.clone());
    answer("new.json", text.replace("clock = 1300", "clock = 600"));
    answer("none.json", text.replace("clock = 1300", "loop-bound = []"));
    let compared = |new: &str| {
        let args = ["compare", "old.json", new, "--worse-than", "5%", "--format", "json"];
        let (code, stdout, stderr) = run_in(folder.path(), &args);
        (code, serde_json::from_str::<Value>(&stdout).unwrap_or_else(|_| panic!("{stderr}")))
    };
    assert_eq!(compared("old.json").0, 0);
    let (code, found) = compared("new.json");
    let changes: Vec<(&str, &str)> = found["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["name"].as_str().unwrap(), one["change"].as_str().unwrap()))
        .collect();
    assert_eq!((code, &changes[..]), (5, &[("k0", "equal"), ("k1", "larger")][..]));
    assert_eq!(compared("none.json").0, 3);
}
