//! What a budget accepts: a deadline that is met by anything else fails, in every form, and what is accepted has to exist.

use std::path::Path;

use roxmltree::Document;
use serde_json::Value;

use crate::cli::budget::{MET, MISSED, UNDECIDED, WRONG, folder, run_in};

/// All that the kernels of these tests rest on, but for the bound of their loop.
const ASSUMED: &str = "\"c*\", \"dram.*\", \"g*\", \"h*\", \"la*\", \"loop.together\", \"memory.*\", \"s*\"";

/// The answer to a budget of these kernels with these lines at its top, and with further arguments.
fn answer(top: &str, kernels: &[&str], more: &[&str]) -> (i32, Value) {
    let folder = budget(top, kernels);
    let (code, stdout, stderr) =
        run_in(folder.path(), &[&["budget", "b.toml", "--format", "json"], more].concat());
    (code, serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stderr}")))
}

fn budget(top: &str, kernels: &[&str]) -> tempfile::TempDir {
    let folder = folder(kernels);
    let path = folder.path().join("b.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(path, format!("{top}\n{text}")).unwrap();
    folder
}

/// The outcome of each kernel, and what it rests on though it is not accepted.
fn outcomes(found: &Value) -> String {
    let one = |kernel: &Value| {
        let open = kernel["not_accepted"].as_array().into_iter().flatten();
        let open: Vec<&str> = open.map(|id| id.as_str().unwrap()).collect();
        format!("{}({})", kernel["outcome"].as_str().unwrap(), open.join(" "))
    };
    found["kernels"].as_array().unwrap().iter().map(one).collect::<Vec<_>>().join(", ")
}

#[test]
fn a_deadline_that_is_met_by_what_is_not_accepted_fails() {
    let all = format!("accept = [{ASSUMED}, \"loop.bound\"]");
    let but_the_loop = format!("accept = [{ASSUMED}]");
    for (top, kernels, code, expected) in [
        ("", &[MET][..], 0, "met()"),
        (&all, &[MET], 0, "met()"),
        ("accept = [\"*\"]", &[MET], 0, "met()"),
        (&but_the_loop, &[MET], 6, "not-accepted(loop.bound)"),
        // What a table accepts stands in place of what the file does.
        (&but_the_loop, &[MET, "deadline = \"1s\"\naccept = [\"*\"]"], 6, "not-accepted(loop.bound), met()"),
        // A deadline that is not met stays what it is, which is graver.
        (&but_the_loop, &[MET, UNDECIDED], 3, "not-accepted(loop.bound), undecided(loop.bound)"),
        (&but_the_loop, &[MISSED, MET], 5, "missed(loop.bound), not-accepted(loop.bound)"),
        (&but_the_loop, &[WRONG, MET], 2, "error(), not-accepted(loop.bound)"),
    ] {
        let folder = budget(top, kernels);
        let (found, stdout, stderr) = run_in(folder.path(), &["budget", "b.toml", "--format", "json"]);
        assert_eq!(found, code, "{top} {kernels:?}: {stderr}");
        let record: Value = serde_json::from_str(&stdout).unwrap();
        assert_eq!((outcomes(&record).as_str(), &record["exit_code"]), (expected, &code.into()));
    }
}

/// Rules of the model and what sources say need no acceptance; everything else does.
#[test]
fn an_empty_list_accepts_nothing() {
    let (code, found) = answer("accept = []", &[MET], &[]);
    assert_eq!(code, 6);
    let kernel = &found["kernels"][0];
    assert_eq!(kernel["accept"], Value::Array(Vec::new()));
    let rests_on = kernel["time"]["assumptions"].as_array().unwrap();
    let of = |kinds: &[&str]| -> Vec<&Value> {
        let of_kind = |one: &&Value| kinds.contains(&one["kind"].as_str().unwrap());
        rests_on.iter().filter(of_kind).map(|one| &one["id"]).collect()
    };
    let open: Vec<&Value> = kernel["not_accepted"].as_array().unwrap().iter().collect();
    assert_eq!(open, of(&["declared", "assumed"]));
    assert!(!of(&["modelled"]).is_empty());
}

/// Who calls the command decides, and not who writes the file.
#[test]
fn the_command_line_is_stronger_than_the_file() {
    let top = "accept = [\"*\"]";
    let (code, found) = answer(top, &[MET], &["--accept", "loop.*", "--accept", "clock.highest"]);
    assert_eq!((code, &found["kernels"][0]["accept"]), (6, &serde_json::json!(["loop.*", "clock.highest"])));
    assert!(!outcomes(&found).contains("loop.bound"), "{}", outcomes(&found));
    assert_eq!(answer("accept = []", &[MET], &["--accept", "*"]).0, 0);
}

#[test]
fn every_form_lists_what_is_not_accepted() {
    let folder = budget(&format!("accept = [{ASSUMED}]"), &[MET]);
    let says = "loop .L_x_2 (line 139): at most 3 iterations [loop.bound]";
    for form in ["text", "junit", "sarif", "github", "markdown"] {
        let (code, stdout, _) = run_in(folder.path(), &["budget", "b.toml", "--format", form]);
        assert_eq!(code, 6, "{form}");
        let shown = stdout.replace('\\', "");
        let line = shown.lines().find(|line| line.contains("not accepted") && line.contains(says));
        assert!(line.is_some(), "{form}: {stdout}");
        match form {
            "junit" => {
                let document = Document::parse(&stdout).unwrap();
                let failure = document.descendants().find(|node| node.has_tag_name("failure")).unwrap();
                assert_eq!(failure.attribute("type"), Some("not-accepted"));
            }
            "sarif" => {
                let log: Value = serde_json::from_str(&stdout).unwrap();
                let result = &log["runs"][0]["results"][0];
                assert_eq!((&result["ruleId"], &result["level"]), (&"not-accepted".into(), &"error".into()));
                // The budget is the place to look at, and not a line of the code.
                let place = &result["locations"][0]["physicalLocation"];
                assert_eq!(place["artifactLocation"]["uri"], "b.toml");
                assert_eq!(place["region"]["startLine"], 8);
            }
            _ => assert!(!shown.contains("costs most"), "{form}: {stdout}"),
        }
    }
}

#[test]
fn what_is_accepted_has_to_exist() {
    let is_refused = |folder: &Path, args: &[&str], said: &str| {
        let (code, stdout, stderr) = run_in(folder, &[&["budget", "b.toml"], args].concat());
        assert_eq!((code, stdout.as_str()), (2, ""), "{stderr}");
        assert!(stderr.contains(said) && stderr.lines().count() == 1, "{stderr}");
    };
    let unknown = "no assumption is named \"dram.bites\": did you mean dram.bytes?";
    let at_top = budget("accept = [\"dram.bites\"]", &[MET]);
    is_refused(at_top.path(), &[], &format!("b.toml:1: accept: {unknown}"));
    let in_table = budget("", &["deadline = \"1s\"\naccept = [\"dram.bites\"]"]);
    is_refused(in_table.path(), &[], &format!("b.toml:11: accept: {unknown}"));
    let plain = budget("", &[MET]);
    is_refused(plain.path(), &["--accept", "dram.bites"], unknown);
    is_refused(
        plain.path(),
        &["--accept", "drum.*"],
        "no assumption is named \"drum.*\": did you mean dram.",
    );
    is_refused(plain.path(), &["--accept", ""], "no assumption is named \"\"");
}
