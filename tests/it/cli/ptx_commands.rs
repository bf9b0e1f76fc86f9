//! `--ptx FILE --entry NAME` where a kernel string may stand, and the keys for listings in a system file.
use crate::common::assumption;
use assert_cmd::Command;
use serde_json::Value;

const STRAIGHT: &str = "tests/data/code/straight.ptx";
const FLOW: &str = "tests/data/code/flow.ptx";

fn warpspan(args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("warpspan").unwrap();
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(args).timeout(std::time::Duration::from_secs(60));
    command
}

fn json(args: &[&str], code: i32) -> Value {
    let output = warpspan(args).args(["--format", "json"]).output().unwrap();
    assert_eq!(output.status.code(), Some(code), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Checks that the command prints one line on stderr that holds all of `parts`, nothing on stdout, and exits
/// with code 2.
fn refused(args: &[&str], parts: &[&str]) {
    let output = warpspan(args).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{args:?}: {stderr}");
    assert!(output.stdout.is_empty(), "{args:?}");
    assert_eq!(stderr.lines().count(), 1, "{args:?}: {stderr}");
    parts.iter().for_each(|part| assert!(stderr.contains(part), "{args:?}: {stderr}"));
}

fn says_limits(notes: &Value) -> bool {
    notes.as_array().unwrap().iter().any(|note| note.as_str().unwrap().contains("no cache misses"))
}

/// At capability 2.0, where a 32-bit multiplication is two letters, this straight line is the string
/// `CCCCLCCL|LCL`.
#[test]
fn a_straight_line_is_as_good_as_its_string() {
    let program = json(&["extract", STRAIGHT], 0)["entries"][0]["program"].clone();
    let string = program.as_str().map_or("CCCCLCCL|LCL", |text| text).to_owned();
    for warps in ["1", "4", "48"] {
        let listing = json(&["solve", "--ptx", STRAIGHT, "--warps", warps, "--compute-capability", "2.0"], 0);
        let given = ["solve", "--kernel", &string, "--warps", warps, "--compute-capability", "2.0"];
        let written = json(&given, 0);
        for key in ["verdict", "lower", "upper", "instance"] {
            assert_eq!(listing[key], written[key], "{key} with {warps} warps");
        }
        assert_eq!((&listing["verdict"], &listing["instance"]["sigma_l"]), (&"exact".into(), &"1/2".into()));
        assert!(says_limits(&listing["notes"]));
    }
    let units = ["--sigma-l", "1", "--sigma-c", "1"];
    let listing =
        json(&[&["solve", "--ptx", STRAIGHT, "--entry", "swap", "--warps", "8"], &units[..]].concat(), 0);
    // By hand: segments of a block alone add up, I + (W-1) a each (docs/programs.md, Theorem 3).
    assert_eq!(listing["instance"]["sigma_l"], "1");
    assert_eq!(listing["verdict"], "exact");
}

/// Code for a capability whose machine is known runs on that machine, by every command, as if it were named; with a capability
/// or sigmas, and where no machine is known, the first line says that the number is one of the paper's model.
#[test]
fn code_runs_on_the_machine_of_its_capability() {
    for command in ["bound", "solve"] {
        let of = |flags: &[&str]| {
            let args = [&[command, "--ptx", STRAIGHT, "--warps", "4", "--format", "json"], flags].concat();
            let output = warpspan(&args).output().unwrap();
            serde_json::from_slice::<Value>(&output.stdout).unwrap()
        };
        let (inferred, named) = (of(&[]), of(&["--machine", "sm_20"]));
        assert!(inferred["instance"]["machine"].is_object(), "{inferred}");
        for key in ["instance", "lower", "upper", "bounds"] {
            assert_eq!(inferred[key], named[key], "{command}: {key}");
        }
        for flags in [&["--sigma-l", "1"][..], &["--sigma-c", "1"], &["--compute-capability", "2.0"]] {
            assert!(of(flags)["instance"]["machine"].is_null(), "{flags:?}");
        }
    }
    let all = |args: &[&str]| String::from_utf8(warpspan(args).output().unwrap().stdout).unwrap();
    let paper = "one cycle for each letter";
    let straight = ["bound", "--ptx", STRAIGHT, "--warps", "4"];
    assert!(!all(&straight).contains(paper));
    assert!(all(&[&straight[..], &["--compute-capability", "2.0"]].concat()).contains(paper));
    // No machine is known for 6.0.
    assert!(all(&["bound", "--ptx", FLOW, "--entry", "counted", "--warps", "4"]).contains(paper));
    assert!(!all(&["bound", "--kernel", "LLCLL", "--warps", "4"]).contains(paper));
    let simulated = ["simulate", STRAIGHT, "--warps", "4"];
    let compared = ["compare", STRAIGHT, STRAIGHT, "--warps", "4"];
    for (command, says) in [(&simulated[..], paper), (&compared, "the paper's model, which has no latencies")]
    {
        assert!(!all(command).contains(says), "{command:?}");
        assert!(all(&[command, &["--compute-capability", "2.0"]].concat()).contains(says), "{command:?}");
    }
    let bound = |flags: &[&str]| {
        let record = json(&[&["extract", STRAIGHT, "--warps", "4"], flags].concat(), 0);
        record["entries"][0]["machine"]["bound"]["upper"].clone()
    };
    assert!(bound(&[]).is_u64());
    assert_eq!(bound(&[]), bound(&["--machine", "sm_20"]));
    assert_eq!(
        bound(&[]),
        json(&["bound", STRAIGHT, "--warps", "4"], 0)["upper"],
        "one answer by every command"
    );
    assert!(bound(&["--compute-capability", "2.0"]).is_null());
}

/// Sixteen passes of L C C C C after C C are one path, whose bound is the worst case of the string at sigma
/// 1.
#[test]
fn a_loop_has_a_bound() {
    let program = json(&["extract", FLOW, "--entry", "counted"], 0)["entries"][0]["program"].clone();
    let program = program.as_str().unwrap();
    assert!(program.contains("(LCCCC)16"), "{program}");
    let sigmas = ["--sigma-l", "1", "--sigma-c", "1", "--warps", "8"];
    let with = |args: &[&'static str]| [args, &sigmas[..]].concat();
    let exact = json(&[&["solve", "--kernel", program], &sigmas[..]].concat(), 0)["upper"].clone();
    let found = json(&with(&["solve", "--ptx", FLOW, "--entry", "counted"]), 0);
    assert_eq!(found["upper"], exact);
    assert_eq!((&found["lower"], &found["verdict"]), (&exact, &"exact".into()));
    assert_eq!((&found["engine"], &found["not_exact"]), (&"program".into(), &Value::Null));
    assert_eq!(found["stop"], Value::Null, "no limit was reached");
    let evidence = serde_json::json!({
        "lower": {"name": "schedule", "checked": "machine"},
        "upper": {"name": "program", "checked": "paper"},
    });
    assert_eq!(found["evidence"], evidence);
    assert_eq!(found["instance"]["groups"][0]["kernel"], program);
    assert!(says_limits(&found["notes"]));
    let bound = json(&with(&["bound", "--ptx", FLOW, "--entry", "counted"]), 0);
    let row = &bound["bounds"][0];
    assert_eq!((&row["name"], &row["side"], &row["value"]), (&"program".into(), &"upper".into(), &exact));
    assert_eq!((&bound["lower"], &bound["upper"]), (&exact, &exact));
    assert!(says_limits(&bound["notes"]));
    let asked = ["solve", "--ptx", FLOW, "--entry", "asked", "--warps", "4", "--loop-bound", "HEAD=4"];
    let four = json(&asked, 3)["upper"].as_u64().unwrap();
    let eight = json(&[&asked[..8], &["HEAD=8"]].concat(), 3)["upper"].as_u64().unwrap();
    assert!(four < eight, "{four} {eight}");
    warpspan(&asked).assert().code(3).stdout(predicates::str::contains("no cache misses"));
}

/// A program written as text: {LC/C}, with its arms in either order, alone.
#[test]
fn a_program_as_text() {
    let found = json(&["bound", "--kernel", "{LC/C}", "--warps", "1"], 0);
    assert_eq!(found["bounds"][0]["value"], 3, "a warp alone issues one letter a cycle");
    refused(&["bound", "--kernel", "{LC/C", "--warps", "1"], &["--kernel", "bracket at character 1"]);
}

/// Several programs at once, as groups given by flags or by a file. By hand at sigma 1: {LC/C} has at most 3
/// letters, so 2 warps of it beside 3 warps of LCL never take more than 6 + 9 cycles, and one warp of each no
/// more than 3 + 2 + 1.
#[test]
fn several_programs_at_once() {
    let bound = |args: &[&str]| json(&[&["bound"], args].concat(), 0);
    let alone = bound(&["--kernel", "{LC/C}", "--warps", "2"])["bounds"][0]["value"].as_u64().unwrap();
    let both = bound(&["--group", "{LC/C}:2", "--group", "LCL:3"]);
    let value = both["bounds"][0]["value"].as_u64().unwrap();
    assert!(alone < value && value <= 15, "{both}");
    let finish = both["bounds"][0]["finish"].as_array().unwrap();
    assert_eq!((finish.len(), finish.iter().filter_map(Value::as_u64).max()), (2, Some(value)));
    assert_eq!(both["instance"]["groups"][1], serde_json::json!({"kernel": "LCL", "warps": 3}));
    let solved = json(&["solve", "--group", "{LC/C}:2", "--group", "LCL:3"], 3);
    assert_eq!((&solved["upper"], &solved["engine"]), (&value.into(), &"program".into()));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("f.toml");
    std::fs::write(
        &file,
        "[[group]]\nstring = \"{LC/C}\"\nwarps = 2\n[[group]]\nstring = \"LCL\"\nwarps = 3\n\
         [multiprocessor]\nsigma_l = 1\nsigma_c = 1\n",
    )
    .unwrap();
    assert_eq!(bound(&[file.to_str().unwrap()])["bounds"], both["bounds"]);
    // Two strings are an instance, so all engines apply.
    let strings = json(&["solve", "--group", "LC:2", "--group", "LCL:3"], 0);
    assert_eq!(strings["verdict"], "exact");
    refused(&["simulate", "--group", "{LC/C}:2", "--group", "LCL:3"], &["branches or loops"]);
    refused(&["bound", "--group", "{LC/C:2"], &["--group", "bracket at character 1"]);
}

#[test]
fn simulate_and_sweep_take_straight_lines() {
    let runs = json(
        &["simulate", "--ptx", STRAIGHT, "--warps", "4", "--policy", "lrr", "--compute-capability", "2.0"],
        0,
    );
    let worst =
        json(&["solve", "--ptx", STRAIGHT, "--warps", "4", "--compute-capability", "2.0"], 0)["upper"]
            .clone();
    assert_eq!(runs["worst"], worst);
    assert!(says_limits(&runs["notes"]));
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("t.jsonl");
    let args = ["sweep", "--kernels", "LC", "--ptx", STRAIGHT, "--warps", "4", "-o", table.to_str().unwrap()];
    warpspan(&args).assert().success().stderr(predicates::str::contains("no cache misses"));
    let rows = std::fs::read_to_string(&table).unwrap();
    let rows: Vec<Value> = rows.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 2);
    assert_eq!((&rows[1]["upper"], &rows[1]["sigma_l"]), (&worst, &"1/2".into()));
    // A kernel of a listing has the name of its entry.
    assert_eq!((&rows[0]["entry"], &rows[1]["entry"]), (&Value::Null, &"swap".into()));
    refused(&["simulate", "--ptx", FLOW, "--entry", "counted", "--warps", "4"], &["branches or loops"]);
    let two = ["--compute-capabilities", "2.0,3.5", "--dry-run"];
    refused(&[&["sweep", "--ptx", STRAIGHT, "--warps", "4"], &two[..]].concat(), &["one capability"]);
}

/// A program in a sweep has the bound that `bound` gives, and nothing is proved from below; flags and grid
/// file agree. By hand, CC (LCCCC)16 at sigma 1 has 82 letters a warp, so Eq. 5-7 gives 82 W.
#[test]
fn sweep_takes_programs() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let rows = |args: &[&str], table: &str| -> Vec<Value> {
        warpspan(&[&["sweep", "-o", table], args].concat()).assert().success();
        let rows = std::fs::read_to_string(table).unwrap();
        rows.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let flags = ["--ptx", FLOW, "--entry", "counted", "--warps", "1,4,48", "--sigma-l", "1"];
    let found = rows(&flags, &file("a.jsonl"));
    for (row, warps) in found.iter().zip(["1", "4", "48"]) {
        let units = ["--sigma-l", "1", "--sigma-c", "1"];
        let one = ["bound", "--ptx", FLOW, "--entry", "counted", "--warps", warps];
        let bound = json(&[&one[..], &units[..]].concat(), 0);
        assert_eq!(row["upper"], bound["bounds"][0]["value"]);
        assert_eq!((&row["lower"], &row["verdict"]), (&0.into(), &"bounded".into()));
        assert_eq!(row["pessimistic"], 83 * warps.parse::<u64>().unwrap());
        assert_eq!((&row["engine"], &row["not_exact"]), (&"program".into(), &"paths".into()));
        assert_eq!(row["stop"], Value::Null);
    }
    let grid = format!("ptx = {FLOW:?}\nentry = \"asked\"\nloop-bound = [\"HEAD=4\"]\nwarps = 4\n");
    std::fs::write(file("g.toml"), &grid).unwrap();
    let by_file = rows(&[&file("g.toml")], &file("b.jsonl"));
    let flags = ["--ptx", FLOW, "--entry", "asked", "--loop-bound", "HEAD=4", "--warps", "4"];
    let by_flags = rows(&flags, &file("c.jsonl"));
    for key in ["grid", "kernel", "upper", "sigma_l", "critical_path"] {
        assert_eq!(by_file[0][key], by_flags[0][key], "{key}");
    }
    let as_text = by_flags[0]["kernel"].as_str().unwrap();
    let sigma = |key: &str| by_flags[0][key].as_str().unwrap().to_owned();
    let text = rows(
        &[
            "--kernels",
            as_text,
            "--warps",
            "4",
            "--sigma-l",
            &sigma("sigma_l"),
            "--sigma-c",
            &sigma("sigma_c"),
        ],
        &file("d.jsonl"),
    );
    assert_eq!(text[0]["upper"], by_flags[0]["upper"]);
    let dry = ["--warps", "4", "--dry-run"];
    let asked = [&["sweep", "--kernels", as_text][..], &dry[..]].concat();
    refused(&[&asked[..], &["--engines", "states"]].concat(), &["--engines: ", "branches or loops"]);
    refused(&[&asked[..], &["--policies", "lrr"]].concat(), &["--policies: ", "branches or loops"]);
    for (line, parts) in [
        ("ptx = \"nowhere.ptx\"", ["g.toml:1: ", "nowhere.ptx"]),
        ("entry = \"x\"", ["g.toml:1: ", "no listing is given"]),
    ] {
        std::fs::write(file("g.toml"), format!("{line}\nwarps = 4\n")).unwrap();
        refused(&["sweep", &file("g.toml"), "--dry-run"], &parts);
    }
}

const GPU: &str = "unit = \"cycles\"\n[gpu]\nmultiprocessors = 1\nthreads = 256\n";
const KERNEL: &str = "[[kernel]]\nblocks = 2\nthreads_per_block = 128\nperiod = 100000\n";

fn system(kernels: &str, code: i32) -> Result<Value, String> {
    let folder = tempfile::tempdir().unwrap();
    for file in ["straight.ptx", "flow.ptx"] {
        std::fs::copy(format!("tests/data/code/{file}"), folder.path().join(file)).unwrap();
    }
    let path = folder.path().join("s.toml");
    std::fs::write(&path, format!("{GPU}{kernels}")).unwrap();
    let output = warpspan(&["rta", path.to_str().unwrap(), "--format", "json"]).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{stderr}");
    if code == 2 { Err(stderr) } else { Ok(serde_json::from_slice(&output.stdout).unwrap()) }
}

/// Eight warps in two blocks: C is the upper end for them, and a block adds no more than all its letters.
#[test]
fn rta_takes_listings() {
    let straight = system(&format!("{KERNEL}ptx = \"straight.ptx\"\n"), 0).unwrap();
    let solved = &straight["kernels"][0]["solved"];
    let flags =
        ["solve", "--ptx", STRAIGHT, "--warps", "8", "--warps-per-block", "4", "--compute-capability", "2.0"];
    let output = warpspan(&flags).args(["--format", "json"]).output().unwrap();
    let alone: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&solved["warps"], &solved["upper"]), (&8.into(), &alone["upper"]));
    assert!(says_limits(&straight["notes"]));
    // Also where times are cycles, the verdict is one of the paper's model.
    let paper = assumption(&straight, "machine.paper").unwrap();
    assert!(paper["value"].as_str().unwrap().contains("without latencies and memory"), "{straight}");
    // A kernel without a name has the name of its entry.
    let one = format!("{KERNEL}ptx = \"straight.ptx\"\n");
    // Kernels of listings and one whose C is given have bounds together.
    let three = system(&format!("{one}{one}{KERNEL}execution = 5\n"), 0).unwrap();
    let names = three["kernels"].as_array().unwrap().iter().map(|kernel| kernel["name"].as_str().unwrap());
    assert!(names.eq(["swap", "swap (K2)", "K3"]), "{three}");
    let keys = "ptx = \"flow.ptx\"\nentry = \"asked\"\nloop_bounds = { HEAD = 4 }\n";
    let program = system(&format!("{KERNEL}{keys}"), 0).unwrap();
    let (kernel, solved) = (&program["kernels"][0], &program["kernels"][0]["solved"]);
    let flags = ["bound", "--ptx", FLOW, "--entry", "asked", "--loop-bound", "HEAD=4", "--warps"];
    let bound = |warps| json(&[&flags[..], &[warps]].concat(), 0)["bounds"][0]["value"].as_u64().unwrap();
    assert_eq!(kernel["execution"], bound("8"));
    assert!(solved["lower"].as_u64().unwrap() > 0 && solved["lower"].as_u64() <= solved["upper"].as_u64());
    assert_eq!(solved["serial"], 4 * bound("1"), "a warp alone issues one letter a cycle");
    assert!(kernel["response_bound"].as_u64().unwrap() >= bound("8"));
    assert!(says_limits(&program["notes"]));
}

/// Warps share barriers only with their own block, and the load of a block is not the rate across its
/// barriers: four warps of L|C in one block take 1 + 3 and 1 + 3 cycles at sigma 1.
#[test]
fn rta_keeps_barriers_within_blocks() {
    let solved = |string: &str| {
        let one = "[multiprocessor]\nsigma_l = 1\nsigma_c = 1\n";
        let system = system(&format!("{KERNEL}code = \"{string}\"\n{one}"), 0).unwrap();
        system["kernels"][0]["solved"].clone()
    };
    assert_eq!(solved("L|C")["serial"], 8);
    assert_eq!(solved("LC")["serial"], 2 + 3);
    let string = ["solve", "--kernel", "LLC|LCC", "--warps", "8", "--warps-per-block", "4"];
    let output = warpspan(&string).args(["--format", "json"]).output().unwrap();
    let alone: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(solved("LLC|LCC")["upper"], alone["upper"]);
}

#[test]
fn one_clear_line_for_what_is_wrong() {
    let with = |flags: &[&'static str]| [&["bound", "--warps", "4", "--ptx", FLOW], flags].concat();
    refused(&with(&[]), &["flow.ptx: ", "--entry NAME", "counted, copied, asked"]);
    refused(&with(&["--entry", "nobody"]), &["flow.ptx: no entry \"nobody\"", "counted, copied, asked"]);
    refused(&with(&["--entry", "asked"]), &["flow.ptx:", "loop HEAD (line 54)", "--loop-bound HEAD=N"]);
    refused(&with(&["--entry", "asked", "--kernel", "LC"]), &["--kernel", "--ptx"]);
    refused(&with(&["--entry", "asked", "--group", "LC:2"]), &["--group"]);
    refused(&with(&["--entry", "tangled"]), &["flow.ptx:", "entered both at LEFT and at RIGHT"]);
    refused(&["bound", "--warps", "4", "--ptx", "no.ptx"], &["no.ptx: cannot be read"]);
    refused(&["bound", "--warps", "4", "--kernel", "LC", "--entry", "k"], &["--entry: ", "want --ptx FILE"]);
    let loops = ["solve", "--ptx", FLOW, "--entry", "counted", "--warps", "4"];
    refused(&[&loops[..], &["--engine", "states"]].concat(), &["branches or loops", "engine"]);
    let wrong = |keys: &str, part: &str| {
        let message = system(&format!("{KERNEL}{keys}"), 2).unwrap_err();
        assert!(message.contains(part) && message.lines().count() == 1, "{message}");
    };
    wrong("ptx = \"flow.ptx\"\nentry = \"nobody\"\n", "s.toml:9: ");
    wrong(
        "ptx = \"flow.ptx\"\nentry = \"asked\"\n",
        "loop HEAD (line 54): want params = { asked_param_0 = N }, or loop_bounds = { HEAD = N }",
    );
    wrong("ptx = \"flow.ptx\"\ncode = \"LC\"\n", "both code and ptx");
    wrong("code = \"LC\"\nentry = \"k\"\n", "want ptx");
    wrong("ptx = \"gone.ptx\"\n", "gone.ptx: cannot be read");
    let two = format!("{KERNEL}ptx = \"straight.ptx\"\n{KERNEL}ptx = \"flow.ptx\"\nentry = \"branches\"\n");
    assert!(system(&two, 2).unwrap_err().contains("capabilities 2.0 and 6.0"));
}

/// The record of a listing's schedule says what waits for which instruction, so that `check` replays it; with other waits it is refused.
#[test]
fn the_schedule_of_a_listing_can_be_checked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.json");
    let check = |record: &Value| {
        std::fs::write(&path, record.to_string()).unwrap();
        let output = warpspan(&["check", path.to_str().unwrap()]).output().unwrap();
        (output.status.code(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
    };
    for listing in [STRAIGHT, "tests/data/code/straight.sm_62.sass"]
        .into_iter()
        .filter(|file| std::path::Path::new(file).exists())
    {
        for warps in ["1", "3"] {
            let output = warpspan(&[
                "solve",
                "--ptx",
                listing,
                "--warps",
                warps,
                "--with-schedule",
                "--format",
                "json",
            ]);
            let output = { output }.output().unwrap();
            let record: Value = serde_json::from_slice(&output.stdout).unwrap();
            let (code, said) = check(&record);
            assert!(matches!(code, Some(0 | 3)) && !said.contains("NOT valid"), "{listing} {warps}: {said}");
            let waits = &record["instance"]["groups"][0]["waits"];
            assert!(waits.is_array(), "{record}");
            // Without them each instruction waits for the one before it, and the schedule is another machine's.
            let mut plain = record.clone();
            plain["instance"]["groups"][0].as_object_mut().unwrap().remove("waits");
            assert!(check(&plain).1.contains("NOT valid"), "{listing} {warps}");
            let mut short = record.clone();
            short["instance"]["groups"][0]["waits"].as_array_mut().unwrap().pop();
            let (code, said) = check(&short);
            assert!(code == Some(2) && said.contains("waits: "), "{said}");
        }
    }
}

/// The schedule of a program's paths is written for the lines of those paths, and `check` judges it for them.
#[test]
fn the_schedule_of_paths_can_be_checked() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("s.csv");
    let program = ["solve", "--kernel", "[LCLCLCLC/LLLLL]", "--warps", "4"];
    let written = ["--with-schedule", "--schedule", file.to_str().unwrap()];
    let found = json(&[&program[..], &written].concat(), 0);
    assert_eq!((&found["lower"], &found["upper"]), (&23.into(), &23.into()));
    let line = |kernel: &str, warps: u64| serde_json::json!({"group": 1, "kernel": kernel, "warps": warps});
    assert_eq!(found["paths"], Value::from(vec![line("LLLLL", 3), line("LCLCLCLC", 1)]));
    assert_eq!(found["schedule"].as_array().unwrap().len(), 3 * 5 + 8);
    let lines = ["--group", "LLLLL:3", "--group", "LCLCLCLC:1"];
    warpspan(&[&["check", file.to_str().unwrap()], &lines[..]].concat()).assert().success();
    let same = json(&[&program[..], &["--same-path"]].concat(), 0);
    assert_eq!((&same["lower"], &same["upper"]), (&20.into(), &20.into()));
    assert_eq!(same["instance"]["same_path"], true);
    assert_eq!(found["instance"]["same_path"], Value::Null);
    let bound = |flags: &[&str]| json(&[&["bound"], &program[1..], flags].concat(), 0);
    assert_eq!((&bound(&[])["lower"], &bound(&[])["upper"]), (&23.into(), &23.into()));
    assert_eq!(bound(&["--same-path"])["upper"], 20);
    let input = folder.path().join("f.toml");
    let text = "[kernel]\nstring = \"[LCLCLCLC/LLLLL]\"\n[multiprocessor]\nsigma_l = 1\nsigma_c = 1\n\
                [launch]\nwarps = 4\nsame_path = true\n";
    std::fs::write(&input, text).unwrap();
    assert_eq!(json(&["solve", input.to_str().unwrap()], 0)["upper"], 20);
    refused(&[&program[..], &["--engine", "states"]].concat(), &["no engine searches"]);
    refused(&[&program[..], &["--best-schedule", "b.csv"]].concat(), &["--best-schedule"]);
}
