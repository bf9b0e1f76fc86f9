//! Every record that is printed reads back, fits its schema, and is written again as it was.

use serde_json::Value;
use warpspan::records::schemas::{FORMATS, Format};
use warpspan::records::{Record, read};

use crate::records::printed;

/// A record as it is written again.
fn written(record: &Record) -> String {
    let text = match record {
        Record::Solve(record) => serde_json::to_string(record),
        Record::Bound(record) => serde_json::to_string(record),
        Record::Check(record) => serde_json::to_string(record),
        Record::Verify(record) => serde_json::to_string(record),
        Record::Explain(record) => serde_json::to_string(record),
        Record::Simulate(record) => serde_json::to_string(record),
        Record::SweepPlan(record) => serde_json::to_string(record),
        Record::SweepRow(record) => serde_json::to_string(record),
        Record::Rta(record) => serde_json::to_string(record),
        Record::RtaModel(record) => serde_json::to_string(record),
        Record::RtaProcesses(record) => serde_json::to_string(record),
        Record::RtaGraphs(record) => serde_json::to_string(record),
        Record::Measured(record) => serde_json::to_string(record),
        Record::Time(record) => serde_json::to_string(record),
        Record::Prem(record) => serde_json::to_string(record),
        Record::PremOffsets(record) => serde_json::to_string(record),
        Record::PremPlan(record) => serde_json::to_string(record),
        Record::PremMeasured(record) => serde_json::to_string(record),
        Record::Partition(record) => serde_json::to_string(record),
        Record::PartitionClasses(record) => serde_json::to_string(record),
        Record::CoLocated(record) => serde_json::to_string(record),
        Record::Extract(record) => serde_json::to_string(record),
        Record::Gpu(record) => serde_json::to_string(record),
        Record::Compare(record) => serde_json::to_string(record),
        Record::Budget(record) => serde_json::to_string(record),
        Record::Trace(record) => serde_json::to_string(record),
        Record::Solve1(_) => panic!("no command writes the first schema of solve"),
    };
    text.unwrap()
}

/// Reads each line, writes it again, and holds it against the schema of the name.
fn holds(name: &str, what: &str, text: &str) {
    let schema = Format::named(name).unwrap().schema();
    let validator = jsonschema::validator_for(&schema).unwrap();
    for line in text.lines() {
        let record = read(line.as_bytes()).unwrap_or_else(|error| panic!("{what}: {error}\n{line}"));
        assert_eq!(written(&record), line, "{what}");
        let value: Value = serde_json::from_str(line).unwrap();
        if let Err(error) = validator.validate(&value) {
            panic!("{what}: {}: {error}", error.instance_path());
        }
    }
}

#[test]
fn instances_and_their_answers() {
    for (name, commands) in [
        (
            "solve",
            &[
                "solve instances/llcll-w4.toml --with-schedule --format json",
                "solve llc* lcl* two-kernels* simple-templates* --format json",
                "solve --kernel LLCLL --warps 6 --engine states --format json",
                "solve --kernel LLCLL --warps 12 --sigma-l 2 --sigma-c 1/3 --format json",
                "solve --kernel LCL|CC|L --warps 6 --warps-per-block 2 --format json",
                "solve --kernel LC(LLC)0..16[LC/CC] --warps 8 --format json",
                "solve --group LLC:3 --group CCL:4 --format json",
                "solve --kernel LCL --warps-per-block 1 --blocks 4 --resident 2 --with-schedule --format json",
                "solve --ptx tests/data/code/straight.ptx --warps 4 --compute-capability 2.0 --format json",
                "solve --kernel LLCLLCCLLLCLCLLCLCL --warps 40 --sigma-l 3 --sigma-c 2 --time-limit 50ms --format json",
            ][..],
        ),
        (
            "bound",
            &[
                "bound llc* lcl* two-kernels* --format json",
                "bound --kernel LLCLL --warps 600 --up-to 8 --format json",
                "bound --kernel LC(LLC)0..16[LC/CC] --warps 8 --format json",
                "bound --kernel LCL|CC|L --warps 6 --warps-per-block 2 --format json",
            ],
        ),
        (
            "explain",
            &[
                "explain tests/data/llcll-solve.json --format json",
                "explain tests/data/llcll-solve.json --warp 2 --format json",
                "explain tests/data/llcll-solve.json --cycle 9 --format json",
            ],
        ),
        (
            "simulate",
            &[
                "simulate llcll-w4* two-kernels* --format json",
                "simulate --kernel LLCLL --warps 8 --policy lrr --latency-l 4 --issue-width 1 --format json",
            ],
        ),
        (
            "measured",
            &[
                "rta --measured tests/data/tx2/concurrent_1st_1.json tests/data/tx2/concurrent_1st_2.json --format json",
                "rta tests/data/tx2/rta.json --tolerance 0s --format json --measured tests/data/tx2/concurrent_1st_2.json tests/data/tx2/concurrent_1st_4.json",
            ],
        ),
        (
            "time",
            &[
                "time docs/tutorial/conv.sm_87.sass --gpu jetson-orin --grid 60x135 --block 32x8 --loop-bound .L_x_2=3 --deadline 9ms --format json",
                "time docs/tutorial/conv.sm_62.sass --gpu jetson-tx2 --grid 64 --block 256 --loop-bound .L_x_1=3 --co-running docs/tutorial/vote.sm_62.sass:vote:16:64:10ms --format json",
            ],
        ),
        ("gpus", &["gpus --format json"]),
        (
            "budget",
            &["budget docs/ci/budget.toml --format json", "budget tests/data/budget/all.toml --format json"],
        ),
        (
            "compare",
            &[
                "compare tests/data/code/flow.ptx tests/data/code/tile.ptx --warps 4 --compute-capability 6.0 --format json",
                "compare tests/data/code/ret.ptx tests/data/code/ret.ptx --warps 4 --worse-than 1% --format json",
            ],
        ),
    ] {
        for command in commands {
            holds(name, command, &printed(command));
        }
    }
}

#[test]
fn real_time_systems() {
    for path in crate::records::instances() {
        let file = path.to_str().unwrap();
        let (name, command) = match crate::records::named(&path) {
            name if name.starts_with("pa19") || name.starts_with("tx2") => {
                ("rta", format!("rta {file} --with-schedule --format json"))
            }
            name if name.starts_with("gcaps") || name.starts_with("processes") => {
                ("rta-processes", format!("rta {file} --format json"))
            }
            name if name.starts_with("kr19") => {
                ("prem", format!("prem {file} --jitter 90..120 --format json"))
            }
            name if name.starts_with("si21-partition") => {
                ("partition", format!("partition {file} --format json"))
            }
            _ => continue,
        };
        holds(name, &command, &printed(&command));
    }
    let together = "partition instances/si21-partition-co-located.toml --co-located --format json";
    holds("co-located", together, &printed(together));
    let offsets = "prem instances/kr19-least.toml --mode phase-kernel --offsets 0..400:200 --format json";
    holds("prem-offsets", offsets, &printed(offsets));
    let classes = "partition --classify instances/si21-times.csv --format json";
    holds("partition-classes", classes, &printed(classes));
    let plan = "prem instances/kr19-plan.toml --plan --format json";
    holds("prem-plan", plan, &printed(plan));
    let measured =
        "prem instances/kr19-offset-1300.toml --measured tests/data/prem/measured.json --format json";
    holds("prem-measured", measured, &printed(measured));
}

#[test]
fn models() {
    let chains = "--chain Planner,DASM --chain PRE_SFM_gpu_POST,Planner";
    for command in [
        "rta instances/camera.amxmi --format json".to_owned(),
        format!("rta tests/data/amalthea/mobstr.amxmi {chains} --format json"),
    ] {
        holds("rta-model", &command, &printed(&command));
    }
}

#[test]
fn graphs() {
    for file in ["graph-tx2", "graph-chains"] {
        let command = format!("rta instances/{file}.toml --explain --format json");
        holds("rta-graphs", &command, &printed(&command));
    }
}

#[test]
fn listings() {
    let mut files: Vec<_> = std::fs::read_dir(crate::records::root().join("tests/data/code"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    for file in files {
        for flags in ["", "--explain", "--warps 8 --warps-per-block 4"] {
            let command = format!("extract {} {flags} --format json", file.display());
            holds("extract", &command, &printed(&command));
        }
    }
}

#[test]
fn claims_and_tables() {
    let folder = tempfile::tempdir().unwrap();
    let (claims, table) = (folder.path().join("s.json"), folder.path().join("t.jsonl"));
    std::fs::write(&claims, printed("solve llcll-w4* lcl-w4* --with-schedule --format json")).unwrap();
    let command = format!("check {} --format json", claims.display());
    holds("check", &command, &printed(&command));
    holds("sweep-plan", "--dry-run", &printed("sweep --kernels LLCLL,LCL --warps 1..6 --dry-run"));
    for grid in [
        "--kernels LLCLL,LCL --warps 1..4 --engines auto,states --up-to 1..2 --policies lrr,gto",
        "--kernels L(LC)0..3[L/C] --warps 1..4",
    ] {
        printed(&format!("sweep {grid} -o {}", table.display()));
        holds("sweep-row", grid, &std::fs::read_to_string(&table).unwrap());
        std::fs::remove_file(&table).unwrap();
    }
}

#[test]
fn what_is_no_record_is_refused_in_a_line() {
    let error = |line: &str| read(line.as_bytes()).unwrap_err().to_string();
    assert!(
        error(r#"{"schema":"warpspan/solve/9"}"#).starts_with("schema \"warpspan/solve/9\": want one of")
    );
    assert!(error(r#"{"schema":"other/1"}"#).contains("warpspan/solve/2, warpspan/bound/2"));
    assert!(
        error(r#"{"schema":"warpspan/bound/2","version":"0.1.0"}"#).starts_with("missing field `instance`")
    );
    assert!(error(r#"{"kernel":"LC"}"#).starts_with("missing field `grid`: want a row"));
    assert!(error("LLCLL").starts_with("expected value: want a row"));
}

/// A record whose optional place is missing is not given one when it is written again.
#[test]
fn a_place_is_there_or_not() {
    let line = printed("gpus 8.7 --format json");
    let Record::Gpu(gpu) = read(line.as_bytes()).unwrap() else { panic!("{line}") };
    assert_eq!((gpu.place, gpu.schema.as_str()), (None, "warpspan/gpus/1"));
    let line = printed("solve --kernel LC --warps 2 --format json");
    let Record::Solve(solve) = read(line.as_bytes()).unwrap() else { panic!("{line}") };
    let place = solve.place.unwrap();
    assert_eq!((place.file, place.line), (None, None));
}

#[test]
fn every_schema_of_a_record_says_its_name() {
    for format in FORMATS {
        let schema = format.schema();
        if let Some(name) = schema.pointer("/properties/schema/const") {
            let begin = format!("warpspan/{}/", format.name);
            assert!(name.as_str().unwrap().starts_with(&begin), "{name}");
        }
    }
}
