//! How far numbers of files may be wrong: the file with the last value that holds is proved, the one with the next value is not, and
//! between them and beyond nothing changes.

use assert_cmd::Command;
use rand::RngExt;
use serde_json::Value as Json;
use toml::Value;

use crate::common::cases;

/// The record of a command for a file, and the note that is printed beside it.
fn answered(command: &[&str], file: &Value) -> Json {
    let mut run = Command::cargo_bin("warpspan").unwrap();
    let text = toml::to_string(file).unwrap();
    let output =
        run.args(command).args(["-", "--format", "json"]).write_stdin(text.clone()).output().unwrap();
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}\n{text}", String::from_utf8_lossy(&output.stderr)))
}

fn is_proved(command: &[&str], file: &Value) -> bool {
    let mut run = Command::cargo_bin("warpspan").unwrap();
    let output = run.args(command).arg("-").write_stdin(toml::to_string(file).unwrap()).output().unwrap();
    output.status.code() == Some(0)
}

/// The table of a name, or that of the GPU.
fn table<'a>(file: &'a mut Value, name: &str) -> &'a mut Value {
    let kinds = ["kernel", "graph", "task"];
    let found = kinds.into_iter().find(|kind| named(file, kind, name).is_some());
    named(file, found.unwrap_or_else(|| panic!("{name}: no table")), name).unwrap()
}

fn named<'a>(file: &'a mut Value, kind: &str, name: &str) -> Option<&'a mut Value> {
    let mut tables = file.get_mut(kind)?.as_array_mut()?.iter_mut();
    tables.find(|table| {
        let own = table.get("name").or_else(|| table.get("kernel"));
        own.and_then(Value::as_str) == Some(name)
    })
}

/// The file with the number of a row changed; none if no key is known for it.
fn changed(file: &Value, row: &Json, to: &str) -> Option<Value> {
    let mut other = file.clone();
    let number: Value =
        toml::from_str::<toml::Table>(&format!("x = {}", to.split(' ').next()?)).unwrap()["x"].clone();
    let (id, source) = (row["id"].as_str()?, row["source"].as_str().unwrap_or_default());
    let whole = row["subject"].as_str()?;
    let (name, what) = whole.split_once(", ").unwrap_or(("", whole));
    let last = what.rsplit(' ').next()?;
    match (id, source) {
        ("gpu.multiprocessors", _) => {
            other["gpu"].as_table_mut()?.insert("multiprocessors".to_owned(), number);
        }
        ("clock.declared", _) => other["gpu"]["clock_mhz"] = number,
        ("loop.bound", _) => other["kernel"][0]["loop_bounds"][".L_x_2"] = number,
        ("dram.rate", _) => {
            other["gpu"].as_table_mut()?.insert("dram_rate".to_owned(), to.into());
        }
        ("process.slices", "switch") | (_, "update") => other["processes"][source] = number,
        (_, "copy" | "host") => named(table(&mut other, name), "node", last)?[source] = number,
        (_, "misc" | "pure") => {
            let segment: usize = last.parse().ok()?;
            table(&mut other, name)["gpu"][segment - 1].as_table_mut()?.insert(source.to_owned(), number);
        }
        (_, "execution" | "conflict") if to.ends_with(" times that") => {
            let scaled = |value: &mut Value, key: &str| {
                let by: f64 = to.split(' ').next().unwrap().parse().unwrap();
                for one in value[key].as_array_mut().unwrap() {
                    let old = one
                        .as_float()
                        .or(one.as_integer().and_then(|one| one.to_string().parse().ok()))
                        .unwrap();
                    // Rounded up to a millionth, but for what is wrong in the last digits of a float.
                    *one = Value::Float((old * by * 1e6 - 1e-4).ceil() / 1e6);
                }
            };
            let table = table(&mut other, name);
            scaled(table, source);
            if source == "execution" && table.get("conflict").is_some() {
                scaled(table, "conflict");
            }
        }
        _ => {
            let is_partition = file.get("processes").is_none() && file.get("task").is_some();
            let of = table(&mut other, name).as_table_mut()?;
            let old = of.insert(source.to_owned(), number);
            if source == "period" && !is_partition {
                of.entry("deadline").or_insert(old?);
                if file.get("kernel").is_some() && file.get("graph").is_none() {
                    of.insert("sporadic".to_owned(), true.into());
                }
            }
        }
    }
    Some(other)
}

/// A time or a count of twice the number, or of about half of it.
fn further(value: &str, doubled: bool) -> Option<String> {
    let (number, unit) = value.split_once(' ').unwrap_or((value, ""));
    let Ok(whole) = number.parse::<u64>() else {
        let number: f64 = number.parse().ok()?;
        return Some(format!("{:.3} {unit}", if doubled { number * 2.0 } else { number / 2.0 }));
    };
    let whole = if doubled { whole.checked_mul(2)? } else { whole / 2 };
    (whole > 0 && unit != "GB/s" && unit != "MHz").then(|| format!("{whole} {unit}"))
}

/// The file with the partitions, or with the multiprocessors of graphs, that were found: they stay when numbers change.
fn with_what_was_found(file: &Value, record: &Json) -> Value {
    let mut file = file.clone();
    if record["verdict"] == "schedulable" {
        for part in record["partitions"].as_array().unwrap() {
            let table =
                file.as_table_mut().unwrap().entry("partition").or_insert_with(|| Value::Array(Vec::new()));
            let text = format!("multiprocessors = {}\ntasks = {}\n", part["multiprocessors"], part["tasks"]);
            table.as_array_mut().unwrap().push(toml::from_str(&text).unwrap());
        }
    }
    for (number, graph) in record["graphs"].as_array().into_iter().flatten().enumerate() {
        let table = &mut file["graph"][number];
        if table.get("multiprocessors").is_some_and(Value::is_str) {
            table["multiprocessors"] = graph["multiprocessors"].as_i64().unwrap().into();
        }
    }
    file
}

/// Tests the margins of a file; the names of the rows that have one with ends, and whether it is proved.
fn tested(command: &[&str], file: &Value) -> (Vec<String>, bool) {
    let plain = answered(command, file);
    let found = answered(&[command, &["--margins"]].concat(), file);
    let numbers = |record: &Json| {
        let mut record = record.clone();
        for row in record["assumptions"].as_array_mut().unwrap() {
            row.as_object_mut().unwrap().remove("margin");
        }
        let rows = record["assumptions"].as_array_mut().unwrap();
        rows.sort_by_key(ToString::to_string);
        record
            .as_object_mut()
            .unwrap()
            .retain(|key, _| !["command", "arguments", "notes"].contains(&key.as_str()));
        record
    };
    assert_eq!(numbers(&plain), numbers(&found), "the flag changes a number");
    let file = &with_what_was_found(file, &plain);
    let is_now = plain["verdict"] == "proved" || plain["verdict"] == "schedulable";
    let mut ends = Vec::new();
    for row in found["assumptions"].as_array().unwrap() {
        let Some(margin) = row["margin"].as_object() else { continue };
        assert_eq!(margin.get("would_do").and_then(Json::as_bool), Some(!is_now), "{row}");
        let [Some(holds), Some(breaks)] = ["holds_to", "breaks_at"].map(|key| margin[key].as_str()) else {
            continue;
        };
        let with = |to: &str| changed(file, row, to).unwrap_or_else(|| panic!("no key is known: {row}"));
        assert!(is_proved(command, &with(holds)), "{row}\n{}", toml::to_string(file).unwrap());
        assert!(!is_proved(command, &with(breaks)), "{row}\n{}", toml::to_string(file).unwrap());
        // What is better than the last value holds too, and what is worse than the next one does not.
        let is_most = margin["is_most"].as_bool().unwrap();
        for (to, doubled, is) in [(holds, !is_most, true), (breaks, is_most, false)] {
            if row["id"] == "gpu.multiprocessors" {
                continue;
            }
            let Some(to) = further(to, doubled) else { continue };
            let row = format!("{row} at {to}\n{}", toml::to_string(file).unwrap());
            assert_eq!(is_proved(command, &with(&to)), is, "{row}");
        }
        ends.push(format!("{} {}", row["id"].as_str().unwrap(), row["source"].as_str().unwrap_or_default()));
    }
    ends.sort_unstable();
    ends.dedup();
    (ends, is_now)
}

fn instance(name: &str) -> Value {
    toml::from_str(&std::fs::read_to_string(format!("instances/{name}.toml")).unwrap()).unwrap()
}

/// Kernels, graphs, processes, tasks and partitions: all numbers that are declared have an end where one breaks the verdict.
#[test]
fn files_hold_to_the_last_value_and_break_at_the_next() {
    let rta: &[&str] = &["rta"];
    for (command, name, expected) in [
        (
            rta,
            "tx2-copies",
            &[
                "execution.given execution",
                "gpu.multiprocessors",
                "launch.arrivals period",
                "launch.copy-in copy_in",
                "launch.copy-out copy_out",
            ][..],
        ),
        (rta, "pa19-scenario-1", &["execution.given execution", "gpu.multiprocessors"]),
        (
            rta,
            "graph-chains",
            &[
                "copy.engine copy",
                "core.scheduling host",
                "execution.given execution",
                "graph.arrivals period",
            ],
        ),
        (
            rta,
            "processes-tx2",
            &["execution.given execution", "launch.arrivals period", "process.slices switch"],
        ),
        (
            rta,
            "gcaps-table-4",
            &[
                "execution.alone pure",
                "execution.given cpu",
                "execution.given misc",
                "launch.arrivals period",
                "process.slices switch",
            ],
        ),
        (
            rta,
            "gcaps-table-4-preemptive",
            &[
                "execution.alone pure",
                "execution.given cpu",
                "execution.given misc",
                "launch.arrivals period",
                "process.update update",
            ],
        ),
        (
            &["partition"],
            "si21-partition-table",
            // No partition has two tasks of one kind, so that no time in conflict counts.
            &["execution.given execution", "launch.arrivals period"],
        ),
        (
            &["partition"],
            "si21-partition-formula",
            &["execution.given a", "execution.given b", "launch.arrivals period"],
        ),
    ] {
        let (ends, is_proved) = tested(command, &instance(name));
        let ends: Vec<&str> =
            ends.iter().map(|end| end.split(" deviceQuery").next().unwrap().trim()).collect();
        assert!(is_proved, "{name}");
        assert_eq!(ends, expected, "{name}");
    }
}

/// A system that is not proved says which single number would do.
#[test]
fn what_would_do_is_proved() {
    let mut file = instance("tx2-copies");
    file["kernel"][0]["execution"] = 9.into();
    let (ends, is_proved) = tested(&["rta"], &file);
    assert!(!is_proved);
    assert_eq!(ends, ["execution.given execution", "launch.copy-in copy_in"]);
    let mut run = Command::cargo_bin("warpspan").unwrap();
    let output =
        run.args(["rta", "-", "--margins"]).write_stdin(toml::to_string(&file).unwrap()).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("SFM, C of a block: at most 9 us; 8 us or less would do"), "{text}");
}

/// Random systems of a few kernels, with and without releases: bounds and Algorithm 2.
#[test]
fn random_systems_hold_to_their_margins() {
    let (mut with_ends, mut proved) = (0, 0);
    let number = cases::cases(60);
    for seed in 0..number {
        let mut rng = cases::random(seed);
        let mut text = "[gpu]\nmultiprocessors = 2\nthreads = 1024\n".to_owned();
        let is_exact = rng.random_bool(0.5);
        for _ in 0..rng.random_range(1..=3) {
            let period = rng.random_range(10..=40);
            let (execution, blocks) = (rng.random_range(1..=6), rng.random_range(1..=6));
            text += &format!(
                "[[kernel]]\nperiod = {period}\nexecution = {execution}\nblocks = {blocks}\nthreads_per_block = 512\n\
                 registers_per_thread = 0\nshared_memory = 0\n"
            );
            if is_exact {
                text += &format!("release = {}\n", rng.random_range(0..10));
            } else {
                text +=
                    &format!("copy_in = {}\njitter = {}\n", rng.random_range(0..3), rng.random_range(0..5));
            }
        }
        let mut file: Value = toml::from_str(&text).unwrap();
        for (number, kernel) in (1..).zip(file["kernel"].as_array_mut().unwrap()) {
            kernel.as_table_mut().unwrap().insert("name".to_owned(), format!("K{number}").into());
        }
        let (ends, is_proved) = tested(&["rta"], &file);
        with_ends += ends.len();
        proved += usize::from(is_proved);
    }
    // A few cases may all be undecided.
    assert!(number < 20 || with_ends > 5 && proved > 1, "{with_ends} {proved}");
}

/// A limit leaves out what is not known, and says so.
#[test]
fn a_search_that_is_stopped_says_so() {
    let found = answered(&["rta", "--margins", "--time-limit", "0s"], &instance("tx2-copies"));
    let notes = found["notes"].to_string();
    assert!(notes.contains("the search for margins was stopped"), "{found}");
    assert!(found["assumptions"].as_array().unwrap().iter().all(|one| one["margin"].is_null()), "{found}");
}

/// A scenario of the CUDA scheduling examiner.
const EXAMINED: &str = r#"{"name": "one", "max_iterations": 1, "max_time": 0, "benchmarks": [{"filename": "./bin/timer_spin.so",
    "log_name": "K1.json", "label": "K1", "thread_count": 512, "block_count": 2, "additional_info": 1000}]}"#;

#[test]
fn what_is_no_toml_is_refused() {
    let mut run = Command::cargo_bin("warpspan").unwrap();
    let output = run.args(["rta", "-", "--margins"]).write_stdin(EXAMINED).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), error.lines().count()), (Some(2), 1), "{error}");
}
