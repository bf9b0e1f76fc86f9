//! The program prints and writes the schemas of all formats, and the instances satisfy them.

use serde_json::Value;
use warpspan::records::schemas::{FORMATS, Format};

use crate::records::{instances, named, printed, root};

#[test]
fn all_are_written_into_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("schemas");
    let write = |words: &[&str], folder: &std::path::Path| {
        let status =
            assert_cmd::Command::cargo_bin("warpspan").unwrap().args(words).arg("--folder").arg(folder).ok();
        assert!(status.is_ok_and(|output| output.stdout.is_empty()), "{words:?}");
    };
    write(&["schema"], &inner);
    for format in FORMATS {
        let text = std::fs::read_to_string(inner.join(format!("{}.json", format.name))).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), format.schema(), "{}", format.name);
    }
    assert_eq!(std::fs::read_dir(&inner).unwrap().count(), FORMATS.len());
    let one = folder.path().join("one");
    write(&["schema", "time"], &one);
    assert_eq!(std::fs::read_dir(one).unwrap().count(), 1);
}

#[test]
fn the_command_lists_and_prints_them() {
    let listed = printed("schema");
    assert_eq!(listed.lines().count(), FORMATS.len());
    assert!(listed.starts_with("solve               a line of `solve` in JSON\n"), "{listed}");
    let schema: Value = serde_json::from_str(&printed("schema solve")).unwrap();
    assert_eq!(schema, Format::named("solve").unwrap().schema());
}

/// The schema that a file of `instances` is for.
fn schema_of(name: &str) -> &'static str {
    match name.split('-').next() {
        Some("graph" | "pa19" | "saxpy" | "tx2") => "system-file",
        Some("processes") => "system-file",
        Some("gcaps") => "processes-file",
        Some("kr19") => "tiles-file",
        Some("si21") if name.starts_with("si21-partition") => "tasks-file",
        _ => "instance-file",
    }
}

fn refuses(schema: &str, text: &str) -> Option<String> {
    let schema = Format::named(schema).unwrap().schema();
    let value = serde_json::to_value(toml::from_str::<toml::Value>(text).unwrap()).unwrap();
    let found = jsonschema::validate(&schema, &value).err();
    found.map(|error| format!("{}: {error}", error.instance_path()))
}

#[test]
fn the_instances_satisfy_their_schemas() {
    for path in instances() {
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(refuses(schema_of(named(&path)), &text), None, "{}", path.display());
    }
}

#[test]
fn files_without_an_instance_satisfy_theirs() {
    let grid =
        "kernels = [\"LLCLL\"]\nwarps = \"1..4\"\nsigma-l = [1, \"1/2\"]\nengines = \"auto\"\nup-to = 3\n";
    let budget = std::fs::read_to_string(root().join("docs/ci/budget.toml")).unwrap();
    let classes = "[[class]]\nopcode = \"mma.sync\"\nunit = \"C\"\nletters = 16\n";
    for (schema, text) in [
        ("budget-file", budget.as_str()),
        ("grid-file", grid),
        ("classes-file", classes),
        ("loop-bounds-file", "\"$Lt_0_258\" = 16\n57 = 3\n"),
    ] {
        assert_eq!(refuses(schema, text), None, "{schema}");
    }
}

#[test]
fn a_key_that_no_file_has_is_refused() {
    for (schema, text) in [
        ("instance-file", "[kernel]\nstrng = \"LC\"\n"),
        ("system-file", "[[kernel]]\nname = \"a\"\nblocks = 1\nthreads = 32\n"),
        ("processes-file", "[processes]\nscheduling = \"preemptive\"\nslices = 1\n"),
        ("tiles-file", "kernel = 4\n"),
        ("tasks-file", "[[task]]\nname = \"a\"\nkind = \"memory\"\n"),
        ("grid-file", "kernel = \"LC\"\n"),
        ("budget-file", "[[kernels]]\nlisting = \"k.sass\"\n"),
        ("budget-file", "[[kernel]]\nlisting = \"k.sass\"\n[kernel.grid]\nx = 4\n"),
        ("classes-file", "[[class]]\nopcode = \"mma\"\n"),
        ("loop-bounds-file", "LOOP = \"16\"\n"),
    ] {
        assert!(refuses(schema, text).is_some(), "{schema}");
    }
}
