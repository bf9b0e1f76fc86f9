//! Measured times by multiprocessors: `partition --classify`, and kinds that files of tasks leave out.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use proptest::prelude::*;
use serde_json::Value;
use warpspan::model::assumption::Id;
use warpspan::model::time::Millionths;
use warpspan::realtime::partition::{
    Kind, TaskSet, Tolerance, read_measured, read_tasks, read_time, tasks_file,
};

use crate::realtime::partition_command::{here, refused_with, stdout, warpspan};

const TIMES: &str = "instances/si21-times.csv";

/// Si21 Table 3.1 has the kinds, and section 3.3.2 the times of transpose: 2.300 ms alone, 5.566 ms beside
/// vectoradd.
#[test]
fn the_four_kernels_of_the_thesis() {
    let text = stdout(&warpspan(here(), &["partition", "--classify", TIMES, "--format", "json"]));
    let record: Value = serde_json::from_str(&text).unwrap();
    let tasks = record["tasks"].as_array().unwrap();
    let of = |task: &Value, key: &str| task[key].clone();
    let kinds: Vec<(Value, Value)> = tasks.iter().map(|task| (of(task, "task"), of(task, "kind"))).collect();
    let expected =
        [("hotspot", "compute"), ("pathfinder", "compute"), ("transpose", "memory"), ("vectoradd", "memory")];
    assert_eq!(kinds, expected.map(|(task, kind)| (task.into(), kind.into())));
    let transpose = &tasks[2];
    assert_eq!((&transpose["hardly_faster_from"], &transpose["fit"]["k"]), (&40.into(), &2.42.into()));
    assert_eq!(transpose["above_all"]["k"], 2.42);
    let last = transpose["alone"].as_array().unwrap().last().unwrap();
    assert_eq!((&last["multiprocessors"], &last["time"]), (&68.into(), &2.3.into()), "the longest of two");
    assert_eq!(transpose["beside"][0]["conflict"], false);
    // Each measured time of hotspot by hand from the file, against the curve.
    let curve = |key: &str| tasks[0]["above_all"][key].as_f64().unwrap();
    for line in std::fs::read_to_string(here().join(TIMES)).unwrap().lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        if let ["hotspot", m, time, beside, ..] = cells[..] {
            let factor = if beside == "pathfinder" { curve("k") } else { 1.0 };
            let above = factor * (curve("a") / m.parse::<f64>().unwrap() + curve("b"));
            assert!(above > time.parse::<f64>().unwrap() - 1e-9, "{line}");
        }
    }
}

/// The file of tasks that is written is read, and what was not measured is asked for in a line.
#[test]
fn the_file_of_tasks_is_taken() {
    let folder = tempfile::tempdir().unwrap();
    let times = here().join(TIMES);
    let classify = |output: &str| {
        warpspan(folder.path(), &["partition", "--classify", times.to_str().unwrap(), "-o", output])
    };
    stdout(&classify("tasks.toml"));
    let found = stdout(&warpspan(folder.path(), &["partition", "tasks.toml", "--test", "edf"]));
    assert!(found.contains("verified"), "{found}");
    let text = std::fs::read_to_string(folder.path().join("tasks.toml")).unwrap();
    assert!(text.contains("measured and not proved"), "{text}");
    refused_with(folder.path(), &["partition", "--classify", "x", "-o", "t.csv"], "x: cannot be read");
    refused_with(
        here(),
        &["partition", "--classify", TIMES, "-o", "t.csv"],
        "t.csv: want a name that ends in .toml",
    );
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("short.csv", "task,multiprocessors,time\nx,1,4\nx,2,2.5\n");
    stdout(&warpspan(folder.path(), &["partition", "--classify", "short.csv", "-o", "short.toml"]));
    refused_with(
        folder.path(),
        &["partition", "short.toml"],
        "short.toml:6: task \"x\": no period: want period =",
    );
    let text = std::fs::read_to_string(folder.path().join("short.toml")).unwrap();
    write("short.toml", &text.replace("# period =    to be", "period = 9 #"));
    refused_with(
        folder.path(),
        &["partition", "short.toml"],
        "short.toml:6: task \"x\": no k: want the factor",
    );
    // From 1 to 68 it may be flat from any number on: no file, and exit code 3.
    write("two.csv", "task,multiprocessors,time\nx,1,4\nx,68,0.1\n");
    let output = warpspan(folder.path(), &["partition", "--classify", "two.csv", "-o", "two.toml"]);
    assert_eq!(output.status.code(), Some(3));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(
        message.contains("\"x\" does not follow from its times: want its time alone on 54 multi"),
        "{message}"
    );
    assert!(!folder.path().join("two.toml").exists());
}

#[cfg(feature = "figures")]
#[test]
fn the_three_figures_are_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let chart = folder.path().join("c.svg");
    stdout(&warpspan(here(), &["partition", "--classify", TIMES, "--chart", chart.to_str().unwrap()]));
    let svg = std::fs::read_to_string(chart).unwrap();
    for title in ["Longest times, as parts", "Speed-up against", "Longest times beside other tasks"] {
        assert!(svg.contains(title), "{title}");
    }
    assert!(
        svg.contains(
            "transpose beside vectoradd on 68 multiprocessors: 2.3 alone, 5.566 beside it, conflict"
        )
    );
    assert!(svg.contains("\ntranspose 2.314, speed-up 39.92"), "92.380 / 2.314 on 40 multiprocessors");
}

#[test]
fn bad_tables_get_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |content: &[u8], message: &str| {
        std::fs::write(folder.path().join("t.csv"), content).unwrap();
        refused_with(folder.path(), &["partition", "--classify", "t.csv"], message);
    };
    let row = |row: &str, message: &str| {
        let table = format!("task,multiprocessors,time,beside,period,deadline\nx,1,4,,9,8\n{row}\n");
        refused(table.as_bytes(), &format!("t.csv:3: {message}"));
    };
    refused(b"", "t.csv:1: no column \"task\": want task,multiprocessors,time, and if need be");
    refused(b"task,time\n", "t.csv:1: no column \"multiprocessors\"");
    refused(b"task,multiprocessors,time\n", "t.csv: no times: want a line for each");
    refused(b"task,multiprocessors,time,besides\nx,1,4,\n", "t.csv:1: column \"besides\": want task,multi");
    refused(b"task,multiprocessors,time,time\nx,1,4,4\n", "t.csv:1: two columns \"time\"");
    refused(b"task,multiprocessors,time\nx,1,\xff\n", "t.csv:2: not UTF-8 text");
    refused(b"task,multiprocessors,time\nx,1\n", "t.csv:2: 2 fields: want 3, as the header has");
    row(",1,4,,,", "task = \"\": want one or more characters");
    row("\"a\u{7}\",1,4,,,", "task = \"a\\u{7}\": want one or more characters");
    row("x,0,4,,,", "multiprocessors = \"0\": want a whole number from 1 to 1000");
    row("x,1001,4,,,", "multiprocessors = \"1001\": want a whole number");
    row("x,+2,4,,,", "multiprocessors = \"+2\": want a whole number");
    row("x,2.5,4,,,", "multiprocessors = \"2.5\": want a whole number");
    row("x,2,0,,,", "time = \"0\": want more than 0");
    row("x,2,-1,,,", "time = \"-1\": want a number from 0 to");
    row("x,2,1e3,,,", "time = \"1e3\": want a number from 0 to");
    row("x,2,,,,", "time = \"\": want a number from 0 to");
    row("x,2,nan,,,", "time = \"nan\": want a number from 0 to");
    row("x,2,0.0000001,,,", "time = \"0.0000001\": want a number");
    row("x,2,4,y,,", "beside = \"y\": no task of this table: want its times alone too");
    row("x,2,4,x,,", "x with x co-running on 2 multiprocessors: want its time alone on 2 too");
    row("x,2,4,,10,", "period = \"10\": x has another one above: want one of each task");
    row("x,2,4,,,7", "deadline = \"7\": x has another one above");
    row("y,2,4,,5,6", "deadline = \"6\" of y: beyond its period");
    row("y,2,4,,0,", "period = \"0\": want more than 0");
    let many: String = (0..1001).map(|number| format!("t{number},1,1\n")).collect();
    refused(format!("task,multiprocessors,time\n{many}").as_bytes(), "t.csv: 1001 tasks: want 1 to 1000");
    refused_with(
        here(),
        &["partition", "--classify", TIMES, "--exact"],
        "the argument '--classify <FILE>' cannot be used",
    );
    refused_with(
        here(),
        &["partition", "--classify", TIMES, "--tolerance", "21"],
        "invalid value '21' for '--tolerance",
    );
    refused_with(
        here(),
        &["partition", "x.toml", "-o", "t.toml"],
        "the argument '[FILE]' cannot be used with",
    );
}

/// A file of tasks without `kind`.
#[test]
fn kinds_are_derived_where_times_tell_them() {
    let set = |task: &str, multiprocessors: usize| -> Result<TaskSet, String> {
        let text =
            format!("multiprocessors = {multiprocessors}\n[[task]]\nname = \"x\"\nperiod = 100\n{task}\n");
        read_tasks("f.toml", &text, |_, _| panic!("no code")).map_err(|error| error.to_string())
    };
    let kind = |task: &str, multiprocessors| {
        let set = set(task, multiprocessors).unwrap();
        let of_kind = set.rests_on(None).into_iter().filter(|one| one.id == Id::ExecutionConflict);
        (set.tasks()[0].kind(), of_kind.map(|one| one.to_string()).collect::<Vec<_>>())
    };
    // b = 0.02 a and 0.1 a on 68 multiprocessors, as in Si21 section 3.6.1; on 8, both get faster.
    assert_eq!(kind("a = 10\nb = 0.2\nk = 1.2", 68).0, Kind::Compute);
    assert_eq!(kind("a = 10\nb = 1\nk = 2.3", 68).0, Kind::Memory);
    assert_eq!(kind("a = 10\nb = 1\nk = 2.3", 8).0, Kind::Compute);
    let (memory, notes) = kind("execution = [9, 5, 3, 2.9, 2.9]\nconflict = [18, 10, 6, 6, 6]", 8);
    assert_eq!(memory, Kind::Memory);
    let expected = "x, kind: memory-intensive by its execution times (Si21 Definition 1): it gains at most 5 \
                    percent from 3 multiprocessors on";
    assert_eq!(notes, [expected]);
    assert_eq!(kind("execution = [9, 5, 3.5, 2.9]\nk = 2", 8).0, Kind::Compute);
    assert_eq!(
        kind("kind = \"memory\"\na = 10\nb = 0\nk = 1", 68),
        (Kind::Memory, vec!["kinds of tasks: x memory".to_owned()])
    );
    let refused = |task: &str, multiprocessors| set(task, multiprocessors).unwrap_err();
    let one = "f.toml:2: task \"x\": no kind, and times on one multiprocessor do not tell it: want kind = ";
    assert!(refused("execution = [9]\nk = 2", 8).starts_with(one));
    assert!(refused("a = 10\nb = 1\nk = 2", 1).starts_with(one));
    let gpu = "[gpu]\nthreads = 64\nblocks = 2\nclock_mhz = 1\n[multiprocessor]\nsigma_l = 1\nsigma_c = 1";
    let code = format!("code = \"LC\"\nblocks = 1\nthreads_per_block = 32\nk = 1\n{gpu}");
    let text = format!("multiprocessors = 2\n[[task]]\nname = \"x\"\nperiod = 100\n{code}\n");
    let error = read_tasks("f.toml", &text, |_, _| Ok(vec![Millionths(1)])).unwrap_err().to_string();
    assert!(
        error.starts_with("f.toml:2: task \"x\": no kind, and code does not tell it: want kind = "),
        "{error}"
    );
}

/// A measured row: task, multiprocessors, time in thousandths, and perhaps the task beside it.
type Measured = (usize, usize, u64, Option<usize>);

/// Two tasks on 1 to n multiprocessors, each cell once or twice, and some cells beside a task.
fn tables() -> impl Strategy<Value = Vec<Measured>> {
    (2..12_usize).prop_flat_map(|most| {
        let row = (0..2_usize, 1..=most, 1..100_000_u64, proptest::option::of(0..2_usize));
        let alone = proptest::collection::vec(1..100_000_u64, 2 * most);
        (alone, proptest::collection::vec(row, 0..20)).prop_map(move |(alone, mut rows)| {
            rows.extend(alone.iter().enumerate().map(|(at, &time)| (at / most, at % most + 1, time, None)));
            rows
        })
    })
}

proptest! {
    /// No measured time is above the file that is written, whatever was measured; and with b or k one tick less,
    /// some time is.
    #[test]
    fn no_measured_time_is_above_the_curve(rows in tables()) {
        let mut table = "task,multiprocessors,time,beside,period\n".to_owned();
        for &(task, m, time, beside) in &rows {
            let time = format!("{}.{:03}", time / 1000, time % 1000);
            let beside = beside.map_or(String::new(), |other| format!("t{other}"));
            table += &format!("t{task},{m},{time},{beside},1000000\n");
        }
        let classes = read_measured("t.csv", table.as_bytes()).unwrap().classify(Tolerance::default());
        let text = tasks_file(&classes, "t.csv").unwrap();
        let filled = text.replace("# k =    to be filled in", "k = 1 #");
        let set = read_tasks("t.toml", &filled, |_, _| panic!("no code")).unwrap();
        let place = |task: usize| set.tasks().iter().position(|one| one.name() == format!("t{task}")).unwrap();
        let conflict = |task: usize, other: Option<usize>| {
            other.is_some_and(|other| set.tasks()[place(task)].kind() == set.tasks()[place(other)].kind())
        };
        let above = |task: usize, m: usize, time: u64, other| {
            let curve = set.tasks()[place(task)].execution().on(m, conflict(task, other));
            (time * 1000).checked_sub(curve.0)
        };
        for &(task, m, time, other) in &rows {
            prop_assert!(above(task, m, time, other).is_none_or(|more| more == 0), "{task} on {m}: {text}");
        }
        // The curve touches a time without conflict: within one tick, or b is 0.
        for (number, task) in set.tasks().iter().enumerate() {
            let touches = rows.iter().any(|&(of, m, time, other)| {
                place(of) == number
                    && !conflict(of, other)
                    && task.execution().on(m, false).0 <= time * 1000 + 1
            });
            let no_b = read_time("0").unwrap();
            prop_assert!(touches || classes.tasks[number].curve.unwrap().b == no_b, "{text}");
        }
    }
}
