//! GPUs and compute capabilities: what is known of them, what files take from them, and what files may not
//! say.

use crate::common::assumption;
use assert_cmd::Command;
use predicates::prelude::*;
use serde_json::Value;
use warpspan::engines::portfolio::{EngineChoice, Solver};
use warpspan::limits::Limits;
use warpspan::model::{Instance, Kernel, Multiprocessor};

fn warpspan(args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("warpspan").unwrap();
    command.args(args);
    command
}

fn out(args: &[&str], input: &str) -> String {
    let output = warpspan(args).write_stdin(input).assert().success().get_output().stdout.clone();
    String::from_utf8(output).unwrap()
}

fn json(args: &[&str], input: &str) -> Value {
    serde_json::from_str(&out(&[args, &["--format", "json"]].concat(), input)).unwrap()
}

/// One line that says so, exit code 2, nothing on stdout.
fn refused(command: &str, input: &str, message: &str) {
    warpspan(&[command, "-"]).write_stdin(input).assert().code(2).stdout("").stderr(
        predicate::str::contains(message).and(predicate::function(|text: &str| text.lines().count() == 1)),
    );
}

/// Those that NVIDIA's guides list up to 12.1, typed in from there.
const VERSIONS: &[&str] = &[
    "2.0", "2.1", "3.0", "3.2", "3.5", "3.7", "5.0", "5.2", "5.3", "6.0", "6.1", "6.2", "7.0", "7.2", "7.5",
    "8.0", "8.6", "8.7", "8.9", "9.0", "10.0", "10.3", "11.0", "12.0", "12.1",
];

#[test]
fn every_capability_is_taken_and_help_names_them() {
    let help = out(&["solve", "--help"], "");
    for version in VERSIONS {
        let solved = ["solve", "--kernel", "LLCLL", "--warps", "4", "--compute-capability", version];
        assert!(json(&solved, "")["upper"].as_u64().unwrap() >= 5, "{version}");
        assert!(
            help.contains(&format!("{version}, ")) || help.contains(&format!(", {version}")),
            "{version}"
        );
        let target = version.replace('.', "");
        let ptx = format!(
            ".version 8.8\n.target sm_{target}\n.address_size 64\n.visible .entry k()\n{{\nadd.s32 %r1, %r2, %r3;\nret;\n}}\n"
        );
        let found = json(&["extract", "-"], &ptx);
        assert_eq!(found["entries"][0]["compute_capability"], *version);
    }
}

#[test]
fn each_preset_and_capability_is_listed_with_sources() {
    let lines = out(&["gpus", "--format", "json"], "");
    let records: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let names = |kind: &str| -> Vec<&str> {
        let of_kind = records.iter().filter(|record| record["kind"] == kind);
        of_kind.map(|record| record["name"].as_str().unwrap()).collect()
    };
    assert!(VERSIONS.iter().all(|version| names("compute-capability").contains(version)));
    for board in ["jetson-nano", "jetson-tx2", "jetson-xavier", "jetson-orin", "jetson-thor"] {
        assert!(names("preset").contains(&board), "{board}");
    }
    for record in &records {
        assert_eq!(record["schema"], "warpspan/gpus/1");
        assert!(!record["source"].as_str().unwrap().is_empty(), "{record}");
        // A preset has a memory with sources of its own.
        let memory = &record["memory"];
        assert_eq!(memory.is_null(), record["kind"] == "compute-capability", "{record}");
        assert!(memory.is_null() || !memory["source"].as_str().unwrap().is_empty(), "{record}");
        let units = &record["multiprocessor"];
        let open = |key: &str| units[key]["least"] != units[key]["most"];
        let said =
            ["assumed", "capability_assumed"].iter().any(|key| !record[key].as_str().unwrap().is_empty());
        let unsettled = ["load_store_units", "blocks"].iter().any(|key| open(key));
        assert!(!unsettled || said, "{record}");
        // The end that makes bounds longer: sigma is the least over 32, where that is whole.
        let least = units["load_store_units"]["least"].as_u64().unwrap();
        assert_eq!(units["sigma_l"], if least < 32 { "1/2" } else { "1" }, "{record}");
        let (capability, name) =
            (record["compute_capability"].as_str().unwrap(), record["name"].as_str().unwrap());
        assert!(names("compute-capability").contains(&capability), "{name}");
    }
    let text = out(&["gpus"], "");
    assert!(text.contains("jetson-thor") && text.contains("assumed") && text.contains("24 to 32"));
    let one = out(&["gpus", "jetson-orin"], "");
    assert!(one.contains("8.7") && !one.contains("jetson-tx2") && one.contains("204.8"));
    warpspan(&["gpus", "k20"]).assert().code(2).stdout("").stderr(predicate::str::contains("is not known"));
}

fn system(gpu: &str, rest: &str) -> String {
    format!(
        "unit = \"cycles\"\n[gpu]\n{gpu}\n{rest}[[kernel]]\nperiod = 9000\nblocks = 2\nthreads_per_block = 512\ncode = \"(LLCC)16\"\n"
    )
}

/// 32 warps of 64 letters. At sigma 1/1 they take 1087 cycles; a TX2 starts four times as many C's a cycle.
#[test]
fn a_preset_implies_the_sigmas_of_its_capability() {
    let worst = |text: &str| json(&["rta", "-"], text)["kernels"][0]["solved"]["upper"].as_u64().unwrap();
    let implied = worst(&system("preset = \"jetson-tx2\"", ""));
    let said = worst(&system("preset = \"jetson-tx2\"", "[multiprocessor]\ncompute_capability = \"6.2\"\n"));
    let units = "[multiprocessor]\nload_store_units = 32\ncuda_cores = 128\n";
    let one = "[multiprocessor]\nsigma_l = 1\nsigma_c = 1\n";
    assert_eq!(implied, said);
    assert_eq!(implied, worst(&system("preset = \"jetson-tx2\"", units)));
    assert!(implied < worst(&system("preset = \"jetson-tx2\"", one)));
    let six = "[multiprocessor]\ncompute_capability = \"7.0\"\n";
    refused(
        "rta",
        &system("preset = \"jetson-tx2\"", six),
        "preset \"jetson-tx2\" has 6.2: want one of them",
    );
    let half = "[multiprocessor]\nsigma_l = 1\n";
    refused(
        "rta",
        &system("preset = \"jetson-tx2\"", half),
        "standard input:4: [multiprocessor]: sigma_l without sigma_c",
    );
}

fn tasks(gpu: &str, rest: &str, task: &str) -> String {
    format!(
        "{rest}[gpu]\n{gpu}\n[[task]]\nname = \"a\"\nperiod = 1000\nkind = \"compute\"\nk = 1\ncode = \"LLC\"\n{task}\n"
    )
}

const SIGMAS: &str = "[multiprocessor]\nsigma_l = 1\nsigma_c = 1\n";

#[test]
fn no_throughput_is_an_error_where_code_needs_one() {
    let missing = "no throughput is given: want [multiprocessor]";
    refused(
        "rta",
        &system("multiprocessors = 2\nthreads = 2048", ""),
        &format!("standard input:9: code = \"(LLCC)16\": {missing}"),
    );
    let launch = "blocks = 3\nthreads_per_block = 64";
    let gpu = "threads = 1024\nblocks = 16\nclock_mhz = 10";
    refused(
        "partition",
        &tasks(gpu, "multiprocessors = 2\n", launch),
        &format!("standard input:11: task \"a\": {missing}"),
    );
    let tiles = "kernels = 1\ntiles = 2\n[gpu]\nmultiprocessors = 1\nthreads = 1024\nclock_mhz = 1000\n\
                 [phases]\nprefetch_code = \"L16\"\ncompute_ns = 5\nwriteback_ns = 5\nwarps = 4\n";
    refused("prem", tiles, &format!("standard input:8: prefetch_code = \"L16\": {missing}"));
    refused(
        "solve",
        "[kernel]\nstring = \"LLC\"\n[launch]\nwarps = 4\n",
        "standard input:2: no [multiprocessor]: want it with",
    );
    // Given times need none, and flags may say them.
    let given =
        system("multiprocessors = 2\nthreads = 2048", "").replace("code = \"(LLCC)16\"", "execution = 5");
    warpspan(&["rta", "-"]).write_stdin(given).assert().success();
    let file = "[kernel]\nstring = \"LLC\"\n[launch]\nwarps = 4\n";
    warpspan(&["solve", "-", "--sigma-l", "1", "--sigma-c", "1"]).write_stdin(file).assert().success();
    warpspan(&["solve", "-", "--sigma-l", "1"]).write_stdin(file).assert().code(2);
    warpspan(&["solve", "--kernel", "LLC", "--warps", "4"]).assert().success();
}

/// 33 threads are two warps, so of 1,024 threads a multiprocessor holds 16 such blocks, by `rta` and by
/// `partition`. 31 of them do not start together: their 62 warps would take 3 + 61 * 2 = 125 cycles if they
/// did, and take at most 62 * 2 + 2 * (3 - 2) = 126.
#[test]
fn blocks_of_33_threads_are_counted_in_whole_warps() {
    let gpu = "multiprocessors = 1\nthreads = 1024\nblocks = 32";
    let text = system(gpu, SIGMAS).replace("blocks = 2\n", "blocks = 31\n").replace("512", "33");
    let record = json(&["rta", "-"], &text);
    assert_eq!(record["kernels"][0]["solved"]["resident_blocks"], 16);
    assert_eq!(record["kernels"][0]["solved"]["warps"], 32);
    let gpu = "threads = 1024\nblocks = 32\nclock_mhz = 10";
    let launch = "blocks = 31\nthreads_per_block = 33";
    let time = |multiprocessors: u64| {
        let text = tasks(gpu, &format!("multiprocessors = {multiprocessors}\n{SIGMAS}"), launch);
        let record = json(&["partition", "-", "--baseline"], &text);
        record["partitions"][0]["execution"]["a"].as_f64().unwrap().to_string()
    };
    assert_eq!(time(1), "12.6");
    // 16 and 15 start together: 32 warps, 3 + 31 * 2.
    assert_eq!(time(2), "6.5");
}

#[test]
fn registers_and_shared_memory_limit_the_blocks_of_partition() {
    let worst = |task: &str| {
        let gpu = "preset = \"jetson-tx2\"\nclock_mhz = 10";
        let text = tasks(
            gpu,
            &format!("multiprocessors = 1\n{SIGMAS}"),
            &format!("blocks = 16\nthreads_per_block = 64\n{task}"),
        );
        let record = json(&["partition", "-"], &text);
        record["partitions"][0]["execution"]["a"].as_f64().unwrap().to_string()
    };
    // 16 blocks of two warps start together: 3 + 31 * 2 = 65. 64 registers a thread allow 16 blocks, 72 only
    // 14, 8 KiB only 8: then two blocks are followed, 32 * 2 + 2 * (3 - 2) = 66.
    assert_eq!(worst("registers_per_thread = 64\nshared_memory = 0"), "6.5");
    assert_eq!(worst("registers_per_thread = 72\nshared_memory = 0"), "6.6");
    assert_eq!(worst("registers_per_thread = 64\nshared_memory = 4096"), "6.5");
    assert_eq!(worst("registers_per_thread = 64\nshared_memory = 8192"), "6.6");
    // Not known: as many as a thread may have, so that there is room for four blocks only.
    assert_eq!(worst("shared_memory = 0"), "6.8");
    // The same of shared memory: as much as a block may have, so that there is room for one.
    let one = worst("registers_per_thread = 64").parse::<f64>().unwrap();
    assert!(one >= 6.8 && worst("") == one.to_string(), "{one}");
}

#[test]
fn what_no_gpu_has_is_refused() {
    let clock = |mhz: &str| format!("preset = \"jetson-tx2\"\nclock_mhz = {mhz}");
    for mhz in ["1300000000", "0", "0.5", "10001", "-3"] {
        let message = format!("clock_mhz = {mhz}: want 1 to 10000");
        refused("rta", &system(&clock(mhz), ""), &format!("standard input:4: {message}"));
        let launch = "blocks = 3\nthreads_per_block = 64";
        refused("partition", &tasks(&clock(mhz), "", launch), &message);
        let tiles = format!(
            "kernels = 1\ntiles = 2\n[gpu]\n{}\n[phases]\nprefetch_ns = 1\ncompute_ns = 5\nwriteback_ns = 5\n",
            clock(mhz)
        );
        refused("prem", &tiles, &message);
    }
    for mhz in ["1", "1300", "10000\noverclocked = true", "1300.5\noverclocked = true"] {
        warpspan(&["rta", "-"]).write_stdin(system(&clock(mhz), "")).assert().success();
    }
    let tx2 = "preset = \"jetson-tx2\"";
    let with = |line: &str| system(tx2, "") + line + "\n";
    refused("rta", &with("registers_per_thread = 256"), "registers_per_thread = 256: want 255 or less");
    refused(
        "rta",
        &with("registers_per_thread = 80"),
        "a block needs 40960 registers: jetson-tx2 gives it 32768 at most",
    );
    refused(
        "rta",
        &with("shared_memory = 49153"),
        "a block needs 49153 bytes of shared memory: jetson-tx2 gives it 49152 at most",
    );
    refused("rta", &with("shared_memory = 99999999"), "shared_memory = 99999999: want 1048576 or less");
    refused("rta", &system(tx2, "").replace("512", "1025"), "threads_per_block = 1025: want 1024 or less");
    refused(
        "rta",
        &system("multiprocessors = 5000\nthreads = 64", ""),
        "multiprocessors = 5000: want 1024 or less",
    );
    refused(
        "rta",
        &system("multiprocessors = 2\nthreads = 99999", ""),
        "threads = 99999: want 16384 or less",
    );
    let units = "[multiprocessor]\nload_store_units = 32\ncuda_cores = 1300000000\n";
    refused("rta", &system(tx2, units), "cuda_cores = 1300000000: want 4096 or less");
    let warps = "[multiprocessor]\nload_store_units = 16\ncuda_cores = 64\nwarp_size = 16\n";
    refused("rta", &system(tx2, warps), "warp_size = 16: want 32");
    let launch = "blocks = 3\nthreads_per_block = 2000";
    refused(
        "partition",
        &tasks("preset = \"jetson-tx2\"\nclock_mhz = 10", "", launch),
        "threads_per_block = 2000: want 1024 or less",
    );
    let more = tasks(
        "preset = \"jetson-tx2\"\nclock_mhz = 10",
        "multiprocessors = 3\n",
        "blocks = 3\nthreads_per_block = 64",
    );
    refused("partition", &more, "multiprocessors = 3: [gpu] has 2");
    let tiles = |line: &str| {
        format!(
            "kernels = 1\ntiles = 2\n{line}\n[phases]\nprefetch_ns = 1\ncompute_ns = 5\nwriteback_ns = 5\n"
        )
    };
    refused("prem", &tiles("threads_per_block = 2000"), "threads_per_block = 2000: want 1024 or less");
    refused("prem", &tiles("timer_ns = 1000000001"), "timer_ns = 1000000001: want 1000000000 or less");
    let many = "kernels = 1\ntiles = 2\n[gpu]\npreset = \"jetson-tx2\"\nclock_mhz = 1300\n[phases]\nprefetch_code = \"L\"\ncompute_ns = 5\nwriteback_ns = 5\nwarps = 65\n";
    refused("prem", many, "warps = 65: want 64 or less");
    refused("prem", &tiles("timer_ns = 0"), "timer_ns = 0: want 1 or more");
    refused(
        "prem",
        &tiles("warm_up_ns = 3600000000001"),
        "warm_up_ns = 3600000000001: want 3600000000000 or less",
    );
    let instance = "[kernel]\nstring = \"L|C\"\n[multiprocessor]\ncompute_capability = \"8.7\"\n[launch]\nwarps = 4\nthreads_per_block = 1025\n";
    refused("solve", instance, "standard input:7: threads_per_block = 1025: want 1024 or less");
}

/// What a record says of figures that are assumed.
fn assumed(args: &[&str], input: &str) -> Vec<String> {
    let output = warpspan(args).args(["--format", "json"]).write_stdin(input).output().unwrap();
    let record: Value = serde_json::from_slice(&output.stdout).unwrap();
    let entries = record["entries"].as_array().into_iter().flatten().chain([&record]);
    let all = entries.flat_map(|entry| entry["assumptions"].as_array().into_iter().flatten());
    let of_gpu = |one: &&Value| ["gpu.units", "gpu.multiprocessors"].iter().any(|id| one["id"] == *id);
    let all = all.filter(|one| of_gpu(one) && one["kind"] == "assumed");
    let said: Vec<String> = all
        .map(|one| format!("{}: {}", one["subject"].as_str().unwrap(), one["value"].as_str().unwrap()))
        .collect();
    let text = String::from_utf8(warpspan(args).write_stdin(input).output().unwrap().stdout).unwrap();
    assert!(said.iter().all(|one| text.contains(one.as_str())), "{said:?}: {text}");
    said
}

/// Of 8.7 no source settles the load/store units, and 6.2 is taken as 6.1; those of 2.0 and 8.0 are in white
/// papers.
#[test]
fn results_say_which_figures_of_a_gpu_are_assumed() {
    let open = "a multiprocessor of 8.7: 16 load/store units; sources leave 16 to 32 open";
    let as_6_1 = "a multiprocessor of 6.2: 32 load/store units";
    let count = "multiprocessors: all 8 run, of which power modes may switch some off";
    let of = |version: &str| match version {
        "8.7" => vec![open],
        "6.2" => vec![as_6_1],
        _ => vec![],
    };
    let by_flags = ["--kernel", "LLCLL", "--warps", "8", "--compute-capability"];
    for version in ["2.0", "8.0", "8.7", "6.2"] {
        for command in ["solve", "bound", "simulate"] {
            assert_eq!(assumed(&[&[command][..], &by_flags, &[version]].concat(), ""), of(version));
        }
        // A program, and a listing's target.
        let program = ["--kernel", "C(LC)0..3", "--warps", "4", "--compute-capability", version];
        assert_eq!(assumed(&[&["solve"][..], &program].concat(), ""), of(version));
        assert_eq!(assumed(&[&["bound"][..], &program].concat(), ""), of(version));
        let ptx = format!(
            ".version 8.8\n.target sm_{}\n.address_size 64\n.visible .entry k()\n{{\nadd.s32 %r1, %r2, %r3;\nret;\n}}\n",
            version.replace('.', "")
        );
        assert_eq!(
            assumed(&["extract", "-", "--warps", "4", "--compute-capability", version], &ptx),
            of(version)
        );
        assert_eq!(assumed(&["extract", "-"], &ptx), [""; 0]);
        assert_eq!(
            assumed(&["solve", "--ptx", "-", "--warps", "4", "--compute-capability", version], &ptx),
            of(version)
        );
        let by_file = format!("[multiprocessor]\ncompute_capability = \"{version}\"\n");
        let instance = format!("[kernel]\nstring = \"LLC\"\n{by_file}[launch]\nwarps = 4\n");
        assert_eq!(assumed(&["solve", "-"], &instance), of(version));
        // Load/store units are not asked for where the sigma is given.
        assert_eq!(assumed(&["solve", "-", "--sigma-l", "1"], &instance), [""; 0]);
        assert_eq!(assumed(&["solve", "-", "--sigma-c", "1"], &instance), of(version));
        let gpu = "multiprocessors = 2\nthreads = 1024";
        assert_eq!(assumed(&["rta", "-"], &system(gpu, &by_file)), of(version));
        let launch = "blocks = 3\nthreads_per_block = 64";
        let gpu = "threads = 1024\nblocks = 16\nclock_mhz = 10";
        let two = format!("multiprocessors = 2\n{by_file}");
        assert_eq!(assumed(&["partition", "-"], &tasks(gpu, &two, launch)), of(version));
        assert_eq!(
            assumed(&["prem", "-"], &tiles("multiprocessors = 1\nthreads = 1024", &by_file)),
            of(version)
        );
    }

    let (orin, tx2) = ("preset = \"jetson-orin-nano\"", "preset = \"jetson-tx2\"");
    let launch = "blocks = 3\nthreads_per_block = 64";
    for (gpu, said) in [(orin, vec![count, open]), (tx2, vec![as_6_1])] {
        assert_eq!(assumed(&["rta", "-"], &system(gpu, "")), said);
        assert_eq!(assumed(&["partition", "-"], &tasks(&format!("{gpu}\nclock_mhz = 10"), "", launch)), said);
        assert_eq!(assumed(&["prem", "-"], &tiles(gpu, "")), said);
    }
    // Sigmas by hand, execution times by hand, multiprocessors by hand.
    let given = |text: String| text.replace("code = \"(LLCC)16\"", "execution = 5");
    assert_eq!(assumed(&["rta", "-"], &system(orin, SIGMAS)), [count]);
    assert_eq!(assumed(&["rta", "-"], &given(system(orin, ""))), [count]);
    assert_eq!(assumed(&["rta", "-"], &given(system(tx2, ""))), [""; 0]);
    assert_eq!(assumed(&["rta", "-"], &system(&format!("{orin}\nmultiprocessors = 4"), "")), [open]);
    let by_hand =
        tasks(&format!("{orin}\nclock_mhz = 10"), &format!("multiprocessors = 2\n{SIGMAS}"), launch);
    assert_eq!(assumed(&["partition", "-"], &by_hand), [""; 0]);
    // What a multiprocessor of 7.2 holds is that of 7.0.
    let xavier = given(system("preset = \"jetson-xavier\"", ""));
    let record = json(&["rta", "-"], &xavier);
    let resident = assumption(&record, "gpu.resident").unwrap();
    assert_eq!(resident["value"], "resident warps, blocks, registers and shared memory: as 7.0");
}

fn tiles(gpu: &str, rest: &str) -> String {
    format!(
        "kernels = 1\ntiles = 2\n[gpu]\n{gpu}\nclock_mhz = 600\n{rest}[phases]\nprefetch_code = \"L16\"\ncompute_ns = 5\n\
         writeback_ns = 5\nwarps = 4\n"
    )
}

/// Where units are not settled the fewest are used. That fewer make no worst case shorter is not proved: here
/// it is looked at.
#[test]
fn fewer_units_make_no_exact_worst_case_shorter() {
    let worst = |string: &str, warps: u64, [sigma_l, sigma_c]: [&str; 2]| {
        let multiprocessor = Multiprocessor::new(sigma_l.parse().unwrap(), sigma_c.parse().unwrap());
        let kernel: Kernel = string.parse().unwrap();
        let instance = Instance::single(kernel, warps, multiprocessor).unwrap();
        let limits = Limits::new(None, 1 << 28, 1, std::sync::Arc::default());
        let solution = Solver::new().engine(EngineChoice::States).limits(&limits).solve(&instance).unwrap();
        solution.states().map(|_| solution.worst_case().upper().cycles())
    };
    let mut compared = 0;
    for letters in 2..=5_u32 {
        for number in 0..1_u32 << letters {
            let string: String =
                (0..letters).map(|bit| if number >> bit & 1 == 0 { 'L' } else { 'C' }).collect();
            for warps in 2..=4 {
                for [fewer, more] in
                    [[["1/2", "4"], ["1", "4"]], [["1/2", "2"], ["1/2", "4"]], [["1/2", "2"], ["1", "2"]]]
                {
                    if let (Some(long), Some(short)) =
                        (worst(&string, warps, fewer), worst(&string, warps, more))
                    {
                        assert!(
                            long >= short,
                            "{string}, {warps} warps: {fewer:?} {long:?}, {more:?} {short:?}"
                        );
                        compared += 1;
                    }
                }
            }
        }
    }
    assert!(compared > 400, "{compared}");
}
