//! `init` writes files that their commands take, and whose further keys exist; completions and manual pages.

use assert_cmd::Command;
use serde_json::Value;
use warpspan::records::schemas::Format;

fn warpspan(args: &[&str]) -> assert_cmd::assert::Assert {
    Command::cargo_bin("warpspan").unwrap().args(args).assert()
}

/// The commands of `init`, each with the name of the schema of its files.
const KINDS: [(&str, &str); 5] = [
    ("solve", "instance-file"),
    ("rta", "system-file"),
    ("partition", "tasks-file"),
    ("prem", "tiles-file"),
    ("sweep", "grid-file"),
];

#[test]
fn every_file_runs_and_none_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    for (kind, _) in KINDS {
        let path = folder.path().join(format!("{kind}.toml"));
        let path = path.to_str().unwrap();
        warpspan(&["init", kind, "-o", path]).success().stdout("");
        let more: &[&str] = if kind == "sweep" { &["--dry-run"] } else { &[] };
        warpspan(&[&[kind, path], more].concat()).success();
        let again = warpspan(&["init", kind, "-o", path]).code(2).stdout("");
        let message = String::from_utf8(again.get_output().stderr.clone()).unwrap();
        assert!(message.contains("is there already") && message.lines().count() == 1, "{message}");
    }
}

/// A line such as `# warps = 4` names a key that the schema has.
#[test]
fn every_key_that_is_named_exists() {
    fn keys(schema: &Value, found: &mut Vec<String>) {
        if let Some(properties) = schema["properties"].as_object() {
            found.extend(properties.keys().cloned());
        }
        match schema {
            Value::Object(fields) => fields.values().for_each(|value| keys(value, found)),
            Value::Array(items) => items.iter().for_each(|value| keys(value, found)),
            _ => {}
        }
    }
    for (kind, name) in KINDS {
        let schema = serde_json::to_value(Format::named(name).unwrap().schema()).unwrap();
        let mut known = Vec::new();
        keys(&schema, &mut known);
        let text = warpspan(&["init", kind]).success().get_output().stdout.clone();
        let text = String::from_utf8(text).unwrap();
        assert!(text.starts_with(&format!("#:schema {name}.json\n")), "{kind}");
        let mut named = 0;
        for line in text.lines() {
            let line = line.trim_start_matches("# ");
            let key = match line.split_once(" = ") {
                Some((key, _)) if !key.contains(' ') => key,
                _ => line
                    .trim_start_matches('[')
                    .split(']')
                    .next()
                    .filter(|_| line.starts_with('['))
                    .unwrap_or_default(),
            };
            if !key.is_empty() {
                assert!(known.iter().any(|one| one == key), "{kind}: {key} is no key of {name}");
                named += 1;
            }
        }
        assert!(named >= 9, "{kind}: {named} keys");
    }
}

#[test]
fn completions_and_manual_pages_know_every_command() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = warpspan(&["completions", shell]).success().get_output().stdout.clone();
        let script = String::from_utf8(script).unwrap();
        assert!(script.contains("partition") && script.contains("time-limit"), "{shell}");
        // clap does not write values of options for these two.
        let has_values = !matches!(shell, "elvish" | "powershell");
        assert_eq!(script.contains("jetson-orin-nano-4gb"), has_values, "{shell}");
    }
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("man1");
    warpspan(&["man", pages.to_str().unwrap()]).success().stdout("");
    let page = std::fs::read_to_string(pages.join("warpspan-solve.1")).unwrap();
    assert!(page.contains("time") && page.contains("Exit codes"), "{page}");
    let first = std::fs::read_to_string(pages.join("warpspan.1")).unwrap();
    let head = format!(".TH warpspan 1  \"warpspan {}\" ", env!("CARGO_PKG_VERSION"));
    assert!(first.lines().any(|line| line.trim_end() == head.trim_end()), "{first}");
}

#[test]
fn the_version_names_what_the_build_can_do() {
    let text = warpspan(&["-V"]).success().get_output().stdout.clone();
    warpspan(&["--version"]).success().stdout(text.clone());
    let text = String::from_utf8(text).unwrap();
    assert!(text.starts_with(concat!("warpspan ", env!("CARGO_PKG_VERSION"))), "{text}");
    assert_eq!(text.contains("HiGHS 1."), cfg!(feature = "highs"), "{text}");
    assert!(text.contains("drawings"), "{text}");
}
