//! `--declare` on the command line and the key `declare` in files.

use crate::common::{assumption, assumptions, without_identity};
use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;

fn warpspan(folder: &Path, args: &[&str]) -> std::process::Output {
    let mut command = Command::cargo_bin("warpspan").unwrap();
    command.current_dir(folder).args(args).timeout(std::time::Duration::from_secs(60)).output().unwrap()
}

fn json(folder: &Path, args: &[&str]) -> Value {
    let output = warpspan(folder, &[args, &["--format", "json"]].concat());
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{args:?}: {error}: {}", String::from_utf8_lossy(&output.stderr)))
}

/// A folder with the listing and a file of declarations that is filled in.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy("tests/data/code/flow.ptx", folder.path().join("flow.ptx")).unwrap();
    let written =
        warpspan(folder.path(), &["extract", "flow.ptx", "--entry", "asked", "--declare", "k.toml"]);
    assert_eq!(written.status.code(), Some(0));
    let stderr = String::from_utf8(written.stderr).unwrap();
    assert_eq!(
        stderr,
        "warpspan: k.toml: written: 1 loop without a bound; a run with the same flags reads it\n"
    );
    // The answer is that of a run without the flag.
    assert!(String::from_utf8(written.stdout).unwrap().starts_with("asked  line 46"));
    let path = folder.path().join("k.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("# most = ?", "most = 4")).unwrap();
    folder
}

#[test]
fn extract_writes_what_is_not_there_and_reads_what_is() {
    let folder = folder();
    let path = folder.path().join("k.toml");
    let before = std::fs::read_to_string(&path).unwrap();
    let args = ["extract", "flow.ptx", "--entry", "asked"];
    let mut by_file = json(folder.path(), &[&args[..], &["--declare", "k.toml"]].concat());
    let mut by_flag = json(folder.path(), &[&args[..], &["--loop-bound", "HEAD=4"]].concat());
    // The file has a row of its own.
    let [of_file, of_flag] = [&mut by_file, &mut by_flag].map(|one| one["entries"][0]["assumptions"].take());
    let is_more = |one: &&Value| !of_flag.as_array().unwrap().contains(one);
    let more: Vec<&Value> = of_file.as_array().unwrap().iter().filter(is_more).collect();
    assert_eq!(more.iter().map(|one| &one["id"]).collect::<Vec<_>>(), ["declarations.file"]);
    assert_eq!(by_file["entries"], by_flag["entries"]);
    assert_eq!(by_file["entries"][0]["program"], "CC(CCCLCC)0..3CCC");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), before);
    // On standard output there is the file and nothing else.
    let printed = warpspan(folder.path(), &[&args[..], &["--declare", "-"]].concat());
    assert_eq!(String::from_utf8(printed.stdout).unwrap().replace("# most = ?", "most = 4"), before);
    assert!(printed.stderr.is_empty());
}

#[test]
fn every_command_with_a_listing_reads_it() {
    let folder = folder();
    let file = ["--declare", "k.toml"];
    let flags = ["--loop-bound", "HEAD=4"];
    for command in ["solve", "bound"] {
        let listing = [command, "--ptx", "flow.ptx", "--entry", "asked", "--warps", "8"];
        for machine in [&[][..], &["--machine", "8.6"]] {
            let [by_file, by_flag] =
                [file, flags].map(|said| json(folder.path(), &[&listing[..], machine, &said].concat()));
            assert!(by_file["upper"].as_u64().unwrap() > 0);
            for key in ["upper", "lower", "instance"] {
                assert_eq!(by_file[key], by_flag[key], "{command} {machine:?} {key}");
            }
        }
    }
    // A listing need not be named by --ptx.
    let by_place = ["bound", "flow.ptx", "--entry", "asked", "--warps", "8", "--declare", "k.toml"];
    let named = [&["bound", "--ptx"], &by_place[1..]].concat();
    let [by_place, named] = [&by_place[..], &named].map(|args| json(folder.path(), args)["bounds"].take());
    assert_eq!(by_place, named);
    let refused =
        warpspan(folder.path(), &["solve", "--kernel", "LC", "--warps", "2", "--declare", "k.toml"]);
    assert_eq!(refused.status.code(), Some(2));
    let missing =
        warpspan(folder.path(), &["solve", "--ptx", "flow.ptx", "--declare", "none.toml", "--warps", "2"]);
    let stderr = String::from_utf8(missing.stderr).unwrap();
    assert!(stderr.starts_with("warpspan: none.toml: cannot be read"), "{stderr}");
    assert!(stderr.ends_with("want --declare FILE.toml, which extract writes\n"), "{stderr}");
}

#[test]
fn files_name_it_by_a_key() {
    let folder = folder();
    let write = |name: &str, text: String| std::fs::write(folder.path().join(name), text).unwrap();
    let task = |keys: &str| {
        format!(
            "multiprocessors = 2\n[gpu]\nthreads = 64\nblocks = 1\nclock_mhz = 1\n[multiprocessor]\n\
             compute_capability = \"2.0\"\n[[task]]\nname = \"x\"\nperiod = 4000\nkind = \"compute\"\nptx = \"flow.ptx\"\n\
             entry = \"asked\"\n{keys}\nblocks = 4\nthreads_per_block = 64\nk = 1\n"
        )
    };
    let kernel = |keys: &str| {
        format!(
            "unit = \"cycles\"\n[gpu]\npreset = \"jetson-tx2\"\n[[kernel]]\nptx = \"flow.ptx\"\nentry = \"asked\"\n{keys}\n\
             blocks = 4\nthreads_per_block = 64\nperiod = 4000\n"
        )
    };
    let (file, bounds) = ("declare = \"k.toml\"", "loop_bounds = { HEAD = 4 }");
    for (command, [by_file, by_keys]) in
        [("rta", [kernel(file), kernel(bounds)]), ("partition", [task(file), task(bounds)])]
    {
        write("file.toml", by_file);
        write("keys.toml", by_keys);
        let [by_file, by_keys] = ["file.toml", "keys.toml"].map(|name| {
            let mut record = json(folder.path(), &[command, name]);
            record.as_object_mut().unwrap().remove("seconds");
            let source = assumption(&record, "loop.bound").unwrap()["source"].as_str().map(str::to_owned);
            let of_file = assumption(&record, "declarations.file").is_some();
            record.as_object_mut().unwrap().remove("assumptions");
            for number in record["numbers"].as_array_mut().unwrap() {
                let rests_on = number["rests_on"].as_array_mut().unwrap();
                rests_on.retain(|id| id != "declarations.file");
            }
            (without_identity(record), source.unwrap(), of_file)
        });
        assert_eq!(by_file.0, by_keys.0, "{command}");
        assert_eq!((by_file.1.as_str(), by_file.2), ("declare", true), "{command}");
        assert_eq!((by_keys.1.as_str(), by_keys.2), ("loop_bounds", false), "{command}");
    }
    // A thread of the first warp tests 0, 32, 64 and 96, of which the last is no less.
    let params = "params = { asked_param_0 = \"1..96\", \"blockDim.x\" = 64 }";
    for (command, file, key, of) in
        [("rta", kernel(params), "kernels", "asked"), ("partition", task(params), "tasks", "x")]
    {
        write("params.toml", file);
        let record = json(folder.path(), &[command, "params.toml"]);
        write("keys.toml", if command == "rta" { kernel(bounds) } else { task(bounds) });
        let by_bounds = json(folder.path(), &[command, "keys.toml"]);
        // With the size of the block fewer transactions follow from the code, whatever the loops.
        let both = format!("{bounds}\nparams = {{ \"blockDim.x\" = 64 }}");
        write("both.toml", if command == "rta" { kernel(&both) } else { task(&both) });
        assert_eq!(record[key], json(folder.path(), &[command, "both.toml"])[key], "{command}");
        for value in ["asked_param_0: 1..96", "blockDim.x: 64"] {
            let (name, value) = value.split_once(": ").unwrap();
            let subject = format!("{of}, parameter {name}");
            let of_value = assumptions(&record, "parameter.value");
            let times =
                of_value.iter().filter(|one| one["subject"] == subject.as_str() && one["value"] == value);
            assert_eq!(times.count(), 1, "{subject}: {record}");
        }
        assert!(assumptions(&by_bounds, "parameter.value").is_empty(), "{by_bounds}");
    }
    for (wrong, message) in [
        (
            "{ asked_param_0 = 1.5 }",
            "asked_param_0 = 1.5: want a whole number, or a range such as \"1..1024\"",
        ),
        ("{ asked_param_0 = \"5..1\" }", "\"5..1\": want the lesser number first"),
        (
            "{ n = 5 }",
            "params: no entry of flow.ptx reads \"n\": want one of asked_param_0, blockDim.x, gridDim.x",
        ),
    ] {
        write("params.toml", kernel(&format!("params = {wrong}")));
        let refused = warpspan(folder.path(), &["rta", "params.toml"]);
        let stderr = String::from_utf8(refused.stderr).unwrap();
        assert_eq!(refused.status.code(), Some(2), "{stderr}");
        assert!(stderr.starts_with("warpspan: params.toml:") && stderr.contains(message), "{stderr}");
    }
    write("grid.toml", "ptx = \"flow.ptx\"\nentry = \"asked\"\nwarps = 4\ndeclare = \"k.toml\"\n".to_owned());
    let planned = warpspan(folder.path(), &["sweep", "grid.toml", "--dry-run"]);
    assert_eq!(planned.status.code(), Some(0), "{}", String::from_utf8_lossy(&planned.stderr));
    // What is wrong in the file of declarations is told at the line that names it, and then at its own.
    let text = std::fs::read_to_string(folder.path().join("k.toml")).unwrap();
    write("k.toml", text.replace("most = 4", "most = ?"));
    write("file.toml", kernel(file));
    let refused = warpspan(folder.path(), &["rta", "file.toml"]);
    assert_eq!(refused.status.code(), Some(2));
    let stderr = String::from_utf8(refused.stderr).unwrap();
    assert!(stderr.starts_with("warpspan: file.toml:7: k.toml:"), "{stderr}");
    assert!(stderr.ends_with("most = ?: want a number, or a # in front of the line\n"), "{stderr}");
}
