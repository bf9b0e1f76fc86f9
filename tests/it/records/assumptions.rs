//! What answers of `time` rest on: each flag of the command either asks something or declares something, and what is declared stands with
//! the answer in every form, by its name. `docs/assumptions.md` has all names.

use std::collections::BTreeSet;
use std::path::Path;

use assert_cmd::Command;
use roxmltree::Document;
use serde_json::Value;
use tempfile::{TempDir, tempdir};
use warpspan::model::assumption::Id;
use warpspan::records::Verify;

use crate::book::commands::options;
use crate::common::{assumption, assumptions, without_identity};
use crate::records::root;

/// The flags that ask something: of what launch, of what limit, and in what form.
const QUESTIONS: [&str; 8] =
    ["--gpu", "--grid", "--block", "--deadline", "--entry", "--strict", "--evt", "--margins"];
/// Those that choose a form of the answer, with a value.
const FORMS: [(&str, &str); 4] =
    [("--top", "1"), ("--assumptions", ""), ("--short", ""), ("--format", "json")];

/// What is launched.
#[derive(Clone, Copy, PartialEq)]
enum Launch {
    /// The code below.
    Code,
    /// A convolution, from a listing that says what a block needs.
    Conv,
    /// A queue of work.
    Queue,
}

/// A flag with its value, which is empty where it has none.
type Flag = (&'static str, &'static str);

/// A launch in which something is declared by a flag, with what goes with it, and without flags that do not.
struct Case {
    launch: Launch,
    flag: Flag,
    with: &'static [Flag],
    without: &'static [&'static str],
    id: &'static str,
}

const fn case(flag: Flag, id: &'static str) -> Case {
    Case { launch: Launch::Code, flag, with: &[], without: &[], id }
}

const LOOPS: &[&str] = &["--loop-bound"];
const KEEPS: Flag = ("--l1-keeps-block", "64KiB");
const TOTAL: &[Flag] = &[("--loop-total", ".L_x_1=8256")];
const FEW: &[Flag] = &[("--param", "pointers=*256"), ("--registers", "32")];
const APART: &[Flag] = &[("--param", "pointers=*256"), ("--registers", "32"), ("--arrays-distinct", "")];

/// A case or more for each flag that declares something.
const CASES: [Case; 40] = [
    case(("--loop-bound", "LOOP=8"), "loop.bound"),
    Case { without: LOOPS, ..case(("--loop-bounds", "loops.toml"), "loop.bound") },
    Case { launch: Launch::Queue, ..case(("--loop-total", ".L_x_1=8256"), "loop.total") },
    Case { without: LOOPS, ..case(("--param", "n=8"), "parameter.value") },
    case(("--param", "pointers=*256"), "pointers.aligned"),
    Case { without: LOOPS, ..case(("--declare", "declared.toml"), "declarations.file") },
    Case { without: LOOPS, ..case(("--declare", "declared.toml"), "loop.bound") },
    case(("--uniform", "OVER"), "branch.uniform"),
    case(("--unreachable", "DEAD"), "code.unreachable"),
    case(("--classes", "classes.toml"), "class.of-opcode"),
    case(("--multiprocessors", "8"), "gpu.multiprocessors"),
    case(("--registers", "32"), "launch.registers"),
    Case { launch: Launch::Queue, with: TOTAL, ..case(("--shared", "4"), "launch.shared") },
    case(("--dynamic-shared", "1024"), "launch.dynamic-shared"),
    case(("--clock", "1000"), "clock.declared"),
    case(("--clock", "900..1300"), "clock.declared"),
    Case { with: &[("--clock", "1400")], ..case(("--overclocked", ""), "clock.overclocked") },
    case(("--launch-overhead", "5us"), "launch.overhead"),
    case(("--copy-in", "5us"), "launch.copy-in"),
    case(("--copy-out", "5us"), "launch.copy-out"),
    case(("--alone", ""), "gpu.alone"),
    Case {
        launch: Launch::Conv,
        ..case(("--co-running", "docs/tutorial/vote.sm_62.sass:vote:16:64"), "co-running.once")
    },
    Case {
        launch: Launch::Conv,
        ..case(("--co-running", "docs/tutorial/vote.sm_62.sass:vote:16:64:10ms"), "co-running.kernels")
    },
    Case {
        with: &[("--registers", "32")],
        without: &["--gpu"],
        ..case(("--system", "system.toml"), "co-running.kernels")
    },
    Case {
        with: &[("--registers", "32")],
        without: &["--gpu"],
        ..case(("--system", "system.toml"), "clock.declared")
    },
    case(("--machine", "8.7"), "machine.file"),
    case(("--latency-of", "GLOBAL=30..800"), "latency.of-letter"),
    case(("--hold-of", "GLOBAL=5"), "hold.of-letter"),
    case(("--transactions", "*=1"), "transactions.count"),
    case(("--dram-rate", "140GB/s"), "dram.rate"),
    case(("--dram-rate", "70%"), "dram.rate"),
    case(("--dram-clock", "2133"), "dram.clock"),
    case(("--dram-others", "20GB/s"), "dram.others"),
    case(("--dram-spread", "none"), "dram.spread"),
    case(("--host-memory", "20GB/s,2us"), "memory.host"),
    case(("--dram-bytes", "2KB:lines"), "dram.bytes"),
    case(("--l2-bytes", "2KB"), "l2.bytes"),
    Case { with: APART, ..case(KEEPS, "cache.l1-keeps-block") },
    Case { with: FEW, ..case(("--l2-keeps-launch", "lines"), "cache.l2-keeps-launch") },
    case(("--ncu", "counted.csv"), "dram.bytes"),
];
/// One more, whose flag stands only beside another one.
const DISTINCT: Case = Case {
    with: &[KEEPS, ("--param", "pointers=*256"), ("--registers", "32")],
    ..case(("--arrays-distinct", ""), "arrays.distinct")
};

fn cases() -> impl Iterator<Item = &'static Case> {
    CASES.iter().chain([&DISTINCT])
}

/// A loop that memory ends, a branch at which lanes part, and a place that may never be reached.
const CODE: &str = "\
.version 8.0
.target sm_87
.address_size 64
.visible .entry k(.param .u64 a, .param .u32 n, .param .u64 b)
{
ld.param.u64 %rd1, [a];
ld.param.u32 %r9, [n];
ld.param.u64 %rd5, [b];
mov.u32 %r1, %tid.x;
mul.wide.u32 %rd2, %r1, 4;
add.s64 %rd3, %rd1, %rd2;
add.s64 %rd6, %rd5, %rd2;
mov.u32 %r5, 0;
LOOP:
ld.global.u32 %r4, [%rd3];
add.u32 %r5, %r5, 1;
setp.lt.u32 %p1, %r5, %r9;
@%p1 bra LOOP;
setp.eq.u32 %p2, %r4, 7;
@%p2 bra OVER;
add.u32 %r4, %r4, 1;
OVER:
setp.eq.u32 %p3, %r4, 9;
@%p3 bra DEAD;
st.global.u32 [%rd6], %r4;
ret;
DEAD:
st.global.u32 [%rd6], %r5;
ret;
}
";

/// The files that cases name.
fn files() -> TempDir {
    let folder = tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("k.ptx", CODE);
    write("loops.toml", "LOOP = 8\n");
    write("classes.toml", "[[class]]\nopcode = \"add.u32\"\nunit = \"C\"\nletters = 16\n");
    let head = "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\",\"Block Size\",\"Grid Size\",\
                \"Device\",\"CC\",\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n";
    let row = "\"0\",\"1\",\"app\",\"127.0.0.1\",\"k\",\"1\",\"7\",\"(64, 1, 1)\",\"(8, 1, 1)\",\"0\",\"8.7\",\"Command line profiler metrics\",\
               \"dram__bytes.sum\",\"byte\",\"2048\"\n";
    write("counted.csv", &format!("{head}{row}"));
    write(
        "system.toml",
        "unit = \"us\"\nmachine = \"8.7\"\n[gpu]\npreset = \"jetson-orin\"\nclock_mhz = 1300\n[[kernel]]\nname = \"other\"\nptx = \"k.ptx\"\n\
         loop_bounds = { LOOP = 10 }\nblocks = 4\nthreads_per_block = 64\nregisters_per_thread = 32\nshared_memory = 0\nperiod = 100000\n",
    );
    let written = Command::cargo_bin("warpspan")
        .unwrap()
        .current_dir(folder.path())
        .args(["extract", "k.ptx", "--declare", "declared.toml"])
        .output()
        .unwrap();
    assert!(written.status.success(), "{}", String::from_utf8_lossy(&written.stderr));
    let declared = std::fs::read_to_string(folder.path().join("declared.toml")).unwrap();
    write("declared.toml", &declared.replace("# most = ?", "most = 8"));
    folder
}

impl Launch {
    /// The listing and the usual flags.
    fn usual(self, folder: &Path) -> (String, Vec<(&'static str, String)>) {
        let flags = |flags: &[Flag]| flags.iter().map(|(flag, value)| (*flag, (*value).to_owned())).collect();
        let listing = |path: &str| root().join(path).display().to_string();
        let common = [("--gpu", "jetson-orin"), ("--grid", "8"), ("--block", "64"), ("--deadline", "1s")];
        match self {
            Self::Code => (
                folder.join("k.ptx").display().to_string(),
                flags(&[&common[..], &[("--loop-bound", "LOOP=9")]].concat()),
            ),
            Self::Conv => (
                listing("docs/tutorial/conv.sm_62.sass"),
                flags(&[
                    ("--gpu", "jetson-tx2"),
                    ("--grid", "16"),
                    ("--block", "128"),
                    ("--deadline", "1s"),
                    ("--loop-bound", ".L_x_1=3"),
                ]),
            ),
            Self::Queue => (
                listing("tests/data/waits/queue.sass"),
                flags(&[
                    ("--gpu", "jetson-orin"),
                    ("--grid", "32"),
                    ("--block", "256"),
                    ("--registers", "16"),
                    ("--shared", "4"),
                    ("--dynamic-shared", "0"),
                    ("--deadline", "1s"),
                ]),
            ),
        }
    }
}

impl Case {
    /// The listing and the flags, with that of the case or without it. Files are named by their whole paths.
    fn flags(&self, folder: &Path, given: bool) -> (String, Vec<(&'static str, String)>) {
        let (listing, usual) = self.launch.usual(folder);
        let is_left = |flag: &str| !self.without.contains(&flag) && flag != self.flag.0;
        let usual = usual.into_iter().filter(|(flag, _)| is_left(flag));
        let more = self.with.iter().chain(given.then_some(&self.flag)).map(|(flag, value)| {
            let value = match *value {
                file if [".toml", ".csv"].iter().any(|end| file.ends_with(end)) => {
                    folder.join(file).display().to_string()
                }
                file if file.starts_with("docs/") => root().join(file).display().to_string(),
                other => other.to_owned(),
            };
            (*flag, value)
        });
        (listing, usual.chain(more).collect())
    }

    /// Exit code, standard output and standard error of `time`.
    fn time(&self, folder: &Path, given: bool, more: &[&str]) -> (i32, String, String) {
        let (listing, flags) = self.flags(folder, given);
        let word = |(flag, value): &(&str, String)| match value.as_str() {
            "" => (*flag).to_owned(),
            value => format!("{flag}={value}"),
        };
        let words: Vec<String> = flags.iter().map(word).collect();
        let output =
            Command::cargo_bin("warpspan").unwrap().args(["time", &listing]).args(words).args(more).output();
        let output = output.unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    }

    fn record(&self, folder: &Path, given: bool) -> Result<Value, String> {
        let (_, json, error) = self.time(folder, given, &["--format", "json"]);
        serde_json::from_str(&json).map_err(|_| format!("{:?}: {error}", self.flag))
    }

    /// The table of a budget.
    fn table(&self, folder: &Path, name: usize) -> String {
        let (listing, flags) = self.flags(folder, true);
        let key = |(flag, value): &(&str, String)| match value.as_str() {
            "" => format!("{} = true\n", &flag[2..]),
            value => format!("{} = {value:?}\n", &flag[2..]),
        };
        // A flag that stands several times is a list.
        let mut keys: Vec<String> = Vec::new();
        for (flag, value) in &flags {
            let several: Vec<&String> =
                flags.iter().filter(|(other, _)| other == flag).map(|(_, value)| value).collect();
            let text = if several.len() > 1 {
                format!("{} = {several:?}\n", &flag[2..])
            } else {
                key(&(*flag, value.clone()))
            };
            if !keys.contains(&text) {
                keys.push(text);
            }
        }
        format!("[[kernel]]\nname = \"k{name}\"\nlisting = {listing:?}\n{}", keys.concat())
    }
}

/// A new flag has to be put into one of the tables above.
#[test]
fn every_flag_asks_or_declares() {
    let declares = cases().map(|case| case.flag.0);
    let known: Vec<&str> = QUESTIONS.into_iter().chain(FORMS.map(|(flag, _)| flag)).chain(declares).collect();
    let known: BTreeSet<String> = known.into_iter().map(str::to_owned).collect();
    assert_eq!(known, options("time"), "want each flag of `time` as a question or with a case");
    let asks: BTreeSet<&str> = QUESTIONS.into_iter().chain(FORMS.map(|(flag, _)| flag)).collect();
    assert!(cases().all(|case| !asks.contains(case.flag.0)), "a flag asks or declares");
}

/// The declared assumptions of a name, of which one is by this flag.
fn declared<'r>(record: &'r Value, id: &str) -> Vec<&'r Value> {
    assumptions(record, id).into_iter().filter(|one| one["kind"] == "declared").collect()
}

#[test]
fn what_is_declared_stands_with_the_answer() {
    let folder = files();
    let tables: String = cases().enumerate().map(|(at, case)| case.table(folder.path(), at)).collect();
    let budget = folder.path().join("b.toml");
    std::fs::write(&budget, tables).unwrap();
    let printed = |form: &str| {
        let mut command = Command::cargo_bin("warpspan").unwrap();
        let output = command.arg("budget").arg(&budget).args(["--format", form]).output().unwrap();
        assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let of_budget: Value = serde_json::from_str(&printed("json")).unwrap();
    let junit = printed("junit");
    let junit = Document::parse(&junit).unwrap();
    let of_junit: Vec<String> = junit
        .descendants()
        .filter(|node| node.has_tag_name("testcase"))
        .map(|node| node.descendants().filter_map(|inner| inner.text()).collect())
        .collect();
    for (at, case) in cases().enumerate() {
        let Case { flag: (flag, _), id, .. } = case;
        let record = case.record(folder.path(), true).unwrap();
        let all = declared(&record, id);
        let by_flag = |one: &&&Value| one["source"].as_str().is_some_and(|source| source.contains(flag));
        let one = all.iter().find(by_flag).unwrap_or_else(|| panic!("{flag}: no declared {id}: {record}"));
        // It is there because of the flag.
        match case.record(folder.path(), false) {
            Ok(without) => assert!(!declared(&without, id).contains(one), "{flag}: {id} without it"),
            Err(error) => assert!(error.contains("want") || error.contains("required"), "{error}"),
        }
        let text = |key: &str| one[key].as_str().unwrap();
        let said = format!("{}: {}", text("subject"), text("value"));
        let (_, listed, _) = case.time(folder.path(), true, &["--assumptions"]);
        assert!(listed.contains(&format!("{said} [{id}; {}", text("source"))), "{flag}: {said}\n{listed}");
        let (_, usual, _) = case.time(folder.path(), true, &[]);
        assert!(usual.contains(&format!("{said}\n")), "{flag}: {said}\n{usual}");
        let kernel = &of_budget["kernels"][at];
        assert_eq!(kernel["time"]["assumptions"], record["assumptions"], "{flag}: {kernel}");
        assert!(of_junit[at].contains(&format!("declared: {said} [{id}]")), "{flag}: {}", of_junit[at]);
    }
}

/// A form shows more or less of the same answer.
#[test]
fn forms_change_no_number() {
    let folder = files();
    let case = &CASES[0];
    let plain = case.record(folder.path(), true).unwrap();
    let (code, usual, _) = case.time(folder.path(), true, &[]);
    let numbers = |record: &Value| {
        let mut record = without_identity(record.clone());
        record["cycles"].as_object_mut().unwrap().remove("lines");
        record["cycles"].as_object_mut().unwrap().remove("units");
        record
    };
    for (flag, value) in FORMS {
        let words: Vec<&str> = [flag, value].into_iter().filter(|word| !word.is_empty()).collect();
        if flag != "--format" {
            let (_, json, error) =
                case.time(folder.path(), true, &[&words[..], &["--format", "json"]].concat());
            let found: Value = serde_json::from_str(&json).unwrap_or_else(|_| panic!("{error}"));
            assert_eq!(numbers(&found), numbers(&plain), "{flag}");
        }
        let (ending, text, _) = case.time(folder.path(), true, &words);
        assert_eq!(ending, code, "{flag}");
        if flag == "--format" {
            assert_eq!(numbers(&serde_json::from_str(&text).unwrap()), numbers(&plain));
            continue;
        }
        assert_eq!(text.lines().next(), usual.lines().next(), "{flag}");
        // What else has numbers stands in all of them, but for lines that were not asked for.
        let is_number = |line: &&str| {
            ["cycles ", "because ", "limited by ", "adds up ", "launch ", "bound ", "proved "]
                .iter()
                .any(|name| line.starts_with(name))
        };
        let kept =
            |text: &str| -> Vec<String> { text.lines().filter(is_number).map(str::to_owned).collect() };
        assert!(kept(&usual).len() > 4, "{usual}");
        match flag {
            "--short" => assert_eq!(text.lines().count(), 1, "{text}"),
            _ => assert_eq!(kept(&text), kept(&usual), "{flag}"),
        }
    }
    // A budget has a form of its own.
    for (flag, value) in FORMS {
        let value = if value.is_empty() { "true".to_owned() } else { format!("{value:?}") };
        let budget = folder.path().join("form.toml");
        std::fs::write(&budget, format!("{}{} = {value}\n", case.table(folder.path(), 0), &flag[2..]))
            .unwrap();
        let output = Command::cargo_bin("warpspan").unwrap().arg("budget").arg(&budget).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{flag}: {error}");
        assert!(error.contains(&format!("{}: ", &flag[2..])) && error.contains("want "), "{error}");
    }
}

/// A number that a declaration changes carries its name, whichever number it is; and nearly every name that a bound carries changes one.
#[test]
fn a_number_carries_what_changes_it() {
    let folder = files();
    let numbers = |record: &Value| -> Vec<(String, String, Vec<String>)> {
        let found = Verify::of(record.to_string().as_bytes()).unwrap().unwrap();
        let all = found
            .numbers
            .into_iter()
            .filter(|number| number.name.ends_with("_ns") || number.name.ends_with("_cycles"));
        all.map(|number| (number.name, number.value, number.rests_on)).collect()
    };
    let (mut changes, mut carried) = (BTreeSet::new(), BTreeSet::new());
    for case in cases() {
        let with = numbers(&case.record(folder.path(), true).unwrap());
        carried.insert(case.id);
        // Without a bound of a loop there is no bound at all.
        let without = case.record(folder.path(), false).map(|record| numbers(&record)).unwrap_or_default();
        for (name, value, rests_on) in &with {
            let before = without.iter().find(|(other, ..)| other == name);
            // Without a bound there is no least time either, which changes with nothing then.
            let is_new = before.is_none() && name.starts_with("bound");
            if is_new || before.is_some_and(|(_, before, _)| before != value) {
                changes.insert(case.id);
                assert!(
                    rests_on.iter().any(|id| id == case.id),
                    "{name} changes with {:?}: {rests_on:?}",
                    case.flag
                );
            }
        }
    }
    // These say what is taken anyway: a branch without another side, and one block on each multiprocessor, alone.
    let idle = [
        "branch.uniform",
        "gpu.alone",
        "gpu.multiprocessors",
        "launch.dynamic-shared",
        "launch.registers",
        "launch.shared",
    ];
    assert_eq!(carried.difference(&changes).copied().collect::<Vec<_>>(), idle);
}

/// The page has a row for each name, in their order, with its sentence.
#[test]
fn the_page_has_every_name() {
    let page = std::fs::read_to_string(root().join("docs/assumptions.md")).unwrap();
    let row = |id: &Id| format!("| `{id}` | {} |\n", id.says());
    let table =
        format!("| name | what it says |\n|---|---|\n{}", Id::ALL.iter().map(row).collect::<String>());
    assert!(page.contains(&table), "docs/assumptions.md: want this table:\n{table}");
}

/// The record of `time` of a listing on an Orin.
fn timed(listing: &str, launch: &[&str], more: &[&str]) -> Value {
    let mut command = Command::cargo_bin("warpspan").unwrap();
    command.args(["time", listing, "--gpu", "jetson-orin", "--format", "json"]).args(launch).args(more);
    serde_json::from_slice(&command.output().unwrap().stdout).unwrap()
}

/// Another kernel may keep a block waiting that fits, where a GPU divides L1 and shared memory.
#[test]
fn with_other_kernels_blocks_start_where_they_fit() {
    let listing = "tests/data/memory/copy.sm_87.sass";
    let run = |more: &[&str]| timed(listing, &["--entry", "copy1", "--grid", "64", "--block", "256"], more);
    assert!(assumption(&run(&[]), "block.fits").is_none());
    let other = format!("{listing}:copy4:64:256:1s");
    assert!(assumption(&run(&["--co-running", &other]), "block.fits").is_some());
}

/// Of a number that is given twice the one that counts has a row, and least bytes have one where most bytes are too many.
#[test]
fn a_row_is_of_the_number_that_counts() {
    let conv = "docs/tutorial/conv.sm_87.sass";
    let run =
        |more: &[&str]| timed(conv, &["--grid", "8x8", "--block", "32x8", "--loop-bound", ".L_x_2=3"], more);
    let found = run(&["--transactions", "*=1", "--transactions", "*=4"]);
    assert_eq!(assumption(&found, "transactions.count").unwrap()["value"], "at most 4");
    let found = run(&["--latency-of", "GLOBAL=30..800", "--latency-of", "GLOBAL=30..400"]);
    let of = |one: &&Value| one["kind"] == "declared";
    assert_eq!(assumptions(&found, "latency.of-letter").into_iter().filter(of).count(), 1);
    let found = run(&["--dram-bytes", "9MB..1000MB", "--deadline", "40us"]);
    assert_eq!(
        (&found["verdict"], &assumption(&found, "dram.bytes").unwrap()["value"]),
        (&"refuted".into(), &"at least 9000000 bytes".into())
    );
    let found = run(&["--dram-others", "20.04GB/s"]);
    assert_eq!(assumption(&found, "dram.others").unwrap()["value"], "at most 20.04 GB/s");
}
