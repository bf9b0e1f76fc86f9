//! What other programs of continuous integration read: the GitHub action, the hook of pre-commit, the problem matcher, and the
//! workflow on the page.

use std::path::Path;

use assert_cmd::Command;
use fancy_regex::Regex;
use serde_json::Value;

use super::pages::root;

fn read(file: &str) -> String {
    std::fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

fn warpspan(args: &[&str]) -> (i32, String, String) {
    let output = Command::cargo_bin("warpspan").unwrap().current_dir(root()).args(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// The text below a key of YAML that ends in `|`, without its indentation.
fn block(yaml: &str, key: &str) -> String {
    let start = format!("{key}: |");
    let mut lines = yaml.lines().skip_while(|line| line.trim_start() != start);
    let depth = |line: &str| line.len() - line.trim_start().len();
    let outer = depth(lines.next().unwrap_or_else(|| panic!("no {key}")));
    let inner = lines.take_while(|line| line.trim().is_empty() || depth(line) > outer);
    let inner: Vec<&str> = inner.collect();
    let left = inner.iter().filter(|line| !line.trim().is_empty()).map(|line| depth(line)).min().unwrap();
    inner.iter().map(|line| format!("{}\n", line.get(left..).unwrap_or_default())).collect()
}

/// The keys right below a key of YAML.
fn keys(yaml: &str, key: &str) -> Vec<String> {
    let start = format!("{key}:");
    let mut lines = yaml.lines().skip_while(|line| line.trim() != start);
    let depth = |line: &str| line.len() - line.trim_start().len();
    let outer = depth(lines.next().unwrap_or_else(|| panic!("no {key}")));
    let inner: Vec<&str> = lines.take_while(|line| depth(line) > outer).collect();
    let own = inner.first().map_or(0, |line| depth(line));
    let names = inner.iter().filter(|line| depth(line) == own).filter_map(|line| line.trim().split_once(':'));
    names.map(|(name, _)| name.to_owned()).collect()
}

struct Job {
    code: i32,
    stdout: String,
    summary: String,
    folder: tempfile::TempDir,
}

/// The step of the action as a runner runs it.
#[cfg(unix)]
fn job(budget: &str, output: &str) -> Job {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("step.sh"), block(&read("action.yml"), "run")).unwrap();
    std::fs::write(path("summary"), "before\n").unwrap();
    let run = std::process::Command::new("bash")
        .args(["--noprofile", "--norc", "-eo", "pipefail"])
        .arg(path("step.sh"))
        .current_dir(root())
        .env("GITHUB_ACTION_PATH", root())
        .env("GITHUB_STEP_SUMMARY", path("summary"))
        .env("RUNNER_TEMP", folder.path())
        .env("WARPSPAN_BUDGET", budget)
        .env("WARPSPAN_PROGRAM", env!("CARGO_BIN_EXE_warpspan"))
        .env("WARPSPAN_OUTPUT", output.replace("FOLDER", folder.path().to_str().unwrap()))
        .output()
        .unwrap();
    let summary = std::fs::read_to_string(path("summary")).unwrap();
    let stdout = String::from_utf8(run.stdout).unwrap();
    Job { code: run.status.code().unwrap(), stdout, summary, folder }
}

#[cfg(unix)]
#[test]
fn the_action_runs_a_budget_and_fails_as_it_does() {
    let failed = job("tests/data/budget/all.toml", "FOLDER/b.xml\n\nFOLDER/b.sarif\n");
    assert_eq!(failed.code, 2, "{}", failed.stdout);
    let (_, github, _) = warpspan(&["budget", "tests/data/budget/all.toml", "--format", "github"]);
    let matcher = failed.stdout.lines().next().unwrap().strip_prefix("::add-matcher::").unwrap();
    assert!(Path::new(matcher).is_file(), "{matcher}");
    assert_eq!(failed.stdout.split_once('\n').unwrap().1, github);
    let (_, markdown, _) = warpspan(&["budget", "tests/data/budget/all.toml", "--format", "markdown"]);
    assert_eq!(failed.summary, format!("before\n{markdown}"));
    for name in ["b.xml", "b.sarif"] {
        assert!(failed.folder.path().join(name).is_file(), "{name}");
    }
    let met = job("docs/ci/budget.toml", "");
    assert_eq!(met.code, 0, "{}", met.stdout);
    assert!(met.summary.contains("2 of 2 deadlines met"), "{}", met.summary);
    // A budget that cannot be read leaves the summary as it was.
    let none = job("none.toml", "");
    assert_eq!((none.code, none.summary.as_str()), (2, "before\n"));
}

/// The step takes its inputs from variables, so that no input becomes a part of the script.
#[test]
fn every_input_of_the_action_is_used_and_none_is_pasted() {
    let action = read("action.yml");
    let script = block(&action, "run");
    assert!(!script.contains("${{"), "{script}");
    for input in keys(&action, "inputs") {
        let given = action.lines().find(|line| line.ends_with(&format!("${{{{ inputs.{input} }}}}")));
        let variable =
            given.unwrap_or_else(|| panic!("{input} is not used")).trim().split_once(':').unwrap().0;
        assert!(script.contains(&format!("${variable}")), "{variable}");
    }
    assert!(
        read("docs/commands/budget.md").contains(&read("docs/ci/budget.toml")),
        "the page shows another budget"
    );
    // The workflow on the page gives inputs that there are.
    let page = read("docs/ci.md");
    let given = keys(&page, "with");
    let known = keys(&action, "inputs");
    assert!(!given.is_empty() && given.iter().all(|input| known.contains(input)), "{given:?}");
}

#[test]
fn the_hook_is_a_command_that_runs() {
    let hook = read(".pre-commit-hooks.yaml");
    let value = |key: &str| {
        let start = format!("{key}: ");
        let found = hook.lines().find_map(|line| line.trim_start_matches("- ").trim().strip_prefix(&start));
        found.unwrap_or_else(|| panic!("no {key}")).to_owned()
    };
    assert_eq!(value("language"), "system");
    let entry = value("entry");
    let words: Vec<&str> = entry.split(' ').collect();
    assert_eq!(words[0], "warpspan");
    let folder = tempfile::tempdir().unwrap();
    for (from, to) in
        [("docs/ci/budget.toml", "budget.toml"), ("docs/tutorial/conv.sm_87.sass", "conv.sm_87.sass")]
    {
        std::fs::write(folder.path().join(to), read(from).replace("../tutorial/", "")).unwrap();
    }
    let args = value("args");
    let args = args.trim_matches(['[', ']']).split(", ");
    let mut command = Command::cargo_bin("warpspan").unwrap();
    command.current_dir(folder.path()).args(&words[1..]).args(args).assert().success();
    // A change of any file that a budget may name runs it again.
    let files = Regex::new(&value("files")).unwrap();
    for name in ["budget.toml", "build/conv.sass", "k.ptx", "counters.csv"] {
        assert!(files.is_match(name).unwrap(), "{name}");
    }
    assert!(!files.is_match("conv.cu").unwrap());
}

#[test]
fn the_problem_matcher_knows_the_lines_that_the_program_prints() {
    let matcher: Value = serde_json::from_str(&read("docs/ci/problem-matcher.json")).unwrap();
    let patterns: Vec<(Regex, Value)> = matcher["problemMatcher"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            let [pattern] = &one["pattern"].as_array().unwrap()[..] else { panic!("{one}") };
            (Regex::new(pattern["regexp"].as_str().unwrap()).unwrap(), pattern.clone())
        })
        .collect();
    let folder = tempfile::tempdir().unwrap();
    let wrong = folder.path().join("wrong.toml");
    let wrong = wrong.to_str().unwrap();
    std::fs::write(wrong, "[[kernel]]\nlisting = \"k.sass\"\ndepth = 3\n").unwrap();
    for (args, place) in [
        (&["budget", wrong][..], Some((wrong, "3"))),
        (&["budget", "none.toml"], None),
        (&["solve", "--warp", "4"], None),
        (
            &[
                "time",
                "docs/tutorial/conv.sm_62.sass",
                "--gpu",
                "jetson-tx2",
                "--grid",
                "4",
                "--block",
                "256",
            ],
            Some(("docs/tutorial/conv.sm_62.sass", "6")),
        ),
        (&["time", "docs/tutorial/conv.sm_62.sass", "--gpu", "none", "--grid", "4", "--block", "256"], None),
    ] {
        let (code, _, stderr) = warpspan(args);
        assert_eq!((code, stderr.lines().count()), (2, 1), "{stderr}");
        let line = stderr.trim_end();
        let found: Vec<_> = patterns
            .iter()
            .filter_map(|(regex, pattern)| Some((regex.captures(line).unwrap()?, pattern)))
            .collect();
        // Exactly one of them, so that nothing is reported twice.
        let [(groups, pattern)] = &found[..] else { panic!("{} patterns: {line}", found.len()) };
        let group = |name: &str| {
            let number = pattern[name].as_u64().and_then(|number| usize::try_from(number).ok());
            number.and_then(|number| groups.get(number)).map(|found| found.as_str())
        };
        assert_eq!(group("file").zip(group("line")), place, "{line}");
        assert!(
            group("message").is_some_and(|message| line.ends_with(message) && message.len() > 10),
            "{line}"
        );
    }
}
