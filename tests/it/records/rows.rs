//! Rows of answers from files: of what refutes and nothing else, of sigmas, memory and defaults, of which task they are, and where they
//! are from.

use serde_json::Value;
use tempfile::TempDir;
use warpspan::model::assumption::Id;

use super::declared::{declared, folder, record, rta};
use crate::common::{assumption, assumptions};
use crate::records::root;

/// What a command answers to a file.
fn of_file(folder: &TempDir, command: &str, text: &str) -> Value {
    std::fs::write(folder.path().join("f.toml"), text).unwrap();
    record(folder, &[command, "f.toml"])
}

/// The names of its rows, in their order.
fn ids(record: &Value) -> Vec<&str> {
    let all = record["assumptions"].as_array().unwrap();
    let mut ids: Vec<&str> = all.iter().map(|one| one["id"].as_str().unwrap()).collect();
    ids.sort_unstable();
    ids
}

/// Subject, value and source of the rows of a name.
fn rows(record: &Value, id: Id) -> Vec<[&str; 3]> {
    let all = assumptions(record, id.name()).into_iter();
    all.map(|one| ["subject", "value", "source"].map(|key| one[key].as_str().unwrap_or_default())).collect()
}

#[test]
fn what_is_refuted_rests_on_what_refutes_it() {
    let folder = folder();
    let task = |deadline: &str| {
        format!(
            "multiprocessors = 2\n[[task]]\nname = \"a\"\nperiod = 20\ndeadline = {deadline}\nkind = \"memory\"\nexecution = [9, 5]\nk = 2\n"
        )
    };
    let found = of_file(&folder, "partition", &task("3"));
    let of_least = [
        "execution.conflict",
        "execution.least",
        "gpu.multiprocessors",
        "launch.arrivals",
        "partition.tests",
    ];
    assert_eq!((&found["verdict"], ids(&found)), (&"impossible".into(), of_least.to_vec()));
    let found = of_file(&folder, "partition", &task("8"));
    assert_eq!(found["verdict"], "schedulable");
    assert!(
        assumption(&found, "execution.least").is_none() && !assumptions(&found, "execution.given").is_empty()
    );
    // Kernels of several processes, of which two rounds of blocks are too long.
    let kernels = std::fs::read_to_string(root().join("instances/processes-tx2.toml")).unwrap();
    let of_least = ["execution.least", "gpu.multiprocessors"];
    let of_blocks = ["launch.registers", "launch.shared"];
    let late = of_file(&folder, "rta", &kernels.replace("period = 200", "period = 200\ndeadline = 10"));
    let expected = [&of_least[..], &of_blocks.map(|id| [id; 3]).concat()].concat();
    assert_eq!((&late["verdict"], ids(&late)), (&"refuted".into(), expected));
    let given = of_file(&folder, "rta", &kernels);
    assert!(!assumptions(&given, "execution.given").is_empty(), "{given}");
    // Tasks of several processes.
    let tasks = std::fs::read_to_string(root().join("instances/gcaps-table-4.toml")).unwrap();
    let late = of_file(&folder, "rta", &tasks.replacen("period = 200", "period = 200\ndeadline = 60", 1));
    assert_eq!((&late["verdict"], ids(&late)), (&"refuted".into(), vec!["execution.least"]));
    // A model: a task without a GPU that is too long, and a chain whose fastest reaction is.
    let model = std::fs::read_to_string(root().join("instances/camera.amxmi")).unwrap();
    let refuted = |old: &str, new: &str| {
        std::fs::write(folder.path().join("m.amxmi"), model.replacen(old, new, 1)).unwrap();
        let found = record(&folder, &["rta", "m.amxmi"]);
        assert_eq!(found["verdict"], "refuted");
        found
    };
    let late = refuted("limitValue value=\"50\"", "limitValue value=\"5\"");
    // One of each task, and of all.
    assert_eq!(ids(&late), [&["execution.least"; 6][..], &["labels.time"]].concat());
}

/// The least time of a launch depends on how many blocks fit at once.
#[test]
fn what_refutes_counts_the_blocks_that_fit() {
    let folder = folder();
    let late = |bytes: u64| {
        rta(
            &folder,
            &format!(
                "[gpu]\npreset = \"jetson-tx2\"\n[[kernel]]\nname = \"a\"\nexecution = 2\nblocks = 8\nthreads_per_block = 32\nperiod = 100\n\
                 deadline = 3\nregisters_per_thread = 32\nshared_memory = {bytes}\n"
            ),
        )
    };
    assert_eq!(late(0)["verdict"], "proved");
    let refuted = late(32 << 10);
    assert_eq!(
        (&refuted["verdict"], declared(&refuted, Id::LaunchShared)),
        (&"refuted".into(), vec!["32768".to_owned()])
    );
}

#[test]
fn sigmas_are_rows_whoever_says_them() {
    let folder = folder();
    let instance = |said: &str| {
        let text = format!("[kernel]\nstring = \"LLCLL\"\n[launch]\nwarps = 4\n[multiprocessor]\n{said}\n");
        std::fs::write(folder.path().join("i.toml"), text).unwrap();
    };
    for command in ["bound", "solve", "simulate"] {
        let found = |more: &[&str]| record(&folder, &[&[command, "i.toml"], more].concat());
        instance("sigma_l = 2\nsigma_c = 4");
        let by = "sigma_l and sigma_c";
        assert_eq!(
            rows(&found(&[]), Id::GpuUnits),
            [["sigma_L", "2", by], ["sigma_C", "4", by]],
            "{command}"
        );
        let of_flag = found(&["--sigma-l", "1"]);
        assert_eq!(
            rows(&of_flag, Id::GpuUnits),
            [["sigma_L", "1", "--sigma-l"], ["sigma_C", "4", by]],
            "{command}"
        );
        instance("load_store_units = 16\ncuda_cores = 32");
        let by = "load_store_units and cuda_cores";
        assert_eq!(
            rows(&found(&[]), Id::GpuUnits),
            [["sigma_L", "1/2", by], ["sigma_C", "1", by]],
            "{command}"
        );
        instance("compute_capability = \"8.0\"");
        assert_eq!(assumption(&found(&[]), "gpu.units").unwrap()["kind"], "sourced", "{command}");
        let plain = record(&folder, &[command, "--kernel", "LC", "--warps", "2"]);
        assert!(assumptions(&plain, "gpu.units").iter().all(|one| one["kind"] == "assumed"), "{command}");
        assert_eq!(rows(&plain, Id::GpuUnits).len(), 2, "{command}");
    }
    let code = "unit = \"us\"\n[gpu]\nthreads = 64\nblocks = 8\nmultiprocessors = 1\nclock_mhz = 1\n[multiprocessor]\nsigma_l = 1\nsigma_c = 2\n";
    let kernel =
        "[[kernel]]\nname = \"a\"\nperiod = 100\ncode = \"LCL\"\nblocks = 4\nthreads_per_block = 32\n";
    let found = of_file(&folder, "rta", &format!("{code}{kernel}"));
    let [sigma_l, sigma_c] =
        [["sigma_L", "1"], ["sigma_C", "2"]].map(|[of, is]| [of, is, "sigma_l and sigma_c"]);
    assert_eq!(rows(&found, Id::GpuUnits), [sigma_l, sigma_c]);
    // The least time of a string depends on them too.
    let late = of_file(&folder, "rta", &format!("{code}{kernel}deadline = 1\n"));
    assert_eq!((&late["verdict"], rows(&late, Id::GpuUnits)), (&"refuted".into(), vec![sigma_l, sigma_c]));
}

#[test]
fn code_of_tiles_is_of_the_paper_and_the_default_gpu_is_a_row() {
    let folder = folder();
    let tiles = "kernels = 2\ntiles = 4\nprologue_ns = 0\n[phases]\nprefetch_ns = 100\nwriteback_ns = 100\n";
    let sigmas =
        "[gpu]\npreset = \"jetson-tx2\"\nclock_mhz = 1300\n[multiprocessor]\nsigma_l = 1\nsigma_c = 1\n";
    let given = of_file(&folder, "prem", &format!("{tiles}compute_ns = 50\n"));
    assert!(assumption(&given, "machine.paper").is_none() && rows(&given, Id::GpuUnits).is_empty());
    let gpu = assumption(&given, "gpu.multiprocessors").unwrap();
    assert_eq!((&gpu["kind"], &gpu["subject"]), (&"assumed".into(), &"GPU".into()));
    let code = of_file(&folder, "prem", &format!("{tiles}compute_code = \"LCC\"\nwarps = 2\n{sigmas}"));
    assert!(assumption(&code, "machine.paper").is_some() && rows(&code, Id::GpuUnits).len() == 2, "{code}");
    let examiner = "{\"max_iterations\": 1, \"benchmarks\": [{\"filename\": \"timer_spin.so\", \"thread_count\": 32, \"block_count\": 1, \
                    \"additional_info\": 5}]}";
    std::fs::write(folder.path().join("e.json"), examiner).unwrap();
    let found = record(&folder, &["rta", "e.json"]);
    let gpu = assumption(&found, "gpu.multiprocessors").unwrap();
    assert_eq!(gpu["kind"], "assumed");
    assert!(gpu["value"].as_str().unwrap().starts_with("a Jetson TX2 of 2 multiprocessors"), "{gpu}");
}

#[test]
fn a_power_mode_is_a_row_wherever_code_uses_the_memory() {
    let folder = folder();
    let keys = "ptx = \"conv.sass\"\nloop_bounds = { \".L_x_2\" = 3 }\nblocks = 16\nthreads_per_block = 256\nperiod = 100000\n";
    let gpu = "[gpu]\npreset = \"jetson-orin\"\nclock_mhz = 1000\ndram_clock_mhz = 2133\n";
    let kernel = format!("unit = \"us\"\n{gpu}[[kernel]]\nname = \"a\"\n{keys}");
    let task = format!("{gpu}[[task]]\nname = \"a\"\nkind = \"memory\"\nk = 1\n{keys}");
    for (command, text) in [("rta", &kernel), ("partition", &task)] {
        let found = of_file(&folder, command, text);
        assert_eq!(declared(&found, Id::DramClock), ["2133 MHz"], "{command}");
        let even = of_file(&folder, command, &text.replace("dram_clock_mhz = 2133", ""));
        assert!(declared(&even, Id::DramClock).is_empty(), "{command}");
        let spread =
            of_file(&folder, command, &text.replace("dram_clock_mhz = 2133", "dram_spread = \"none\""));
        assert_eq!(declared(&spread, Id::DramSpread).len(), 1, "{command}");
    }
    let bound = [
        "bound",
        "--ptx",
        "conv.sass",
        "--machine",
        "jetson-orin",
        "--warps",
        "8",
        "--loop-bound",
        ".L_x_2=3",
    ];
    let found = record(&folder, &[&bound[..], &["--dram-clock", "2133"]].concat());
    assert_eq!(declared(&found, Id::DramClock), ["2133 MHz"]);
}

/// Two tasks and two kernels of one entry are told apart, and a file of declarations is named beside what it says.
#[test]
fn rows_of_code_say_of_which_task_they_are() {
    let folder = folder();
    let keys = |most: u64| {
        format!(
            "ptx = \"conv.sass\"\nloop_bounds = {{ \".L_x_2\" = {most} }}\nblocks = 16\nthreads_per_block = 256\nperiod = 100000\n"
        )
    };
    let gpu = "[gpu]\npreset = \"jetson-orin\"\nclock_mhz = 1000\n";
    let task =
        |name: &str, most| format!("[[task]]\nname = {name:?}\nkind = \"memory\"\nk = 1\n{}", keys(most));
    let tasks = format!("{gpu}{}registers_per_thread = 40\n{}", task("a", 3), task("b", 5));
    let found = of_file(&folder, "partition", &tasks);
    let loops = [
        ["a, loop .L_x_2 (line 139)", "at most 3 iterations"],
        ["b, loop .L_x_2 (line 139)", "at most 5 iterations"],
    ];
    let by_key = loops.map(|[of, is]| [of, is, "loop_bounds"]);
    assert_eq!(rows(&found, Id::LoopBound), by_key);
    assert_eq!(
        rows(&found, Id::LaunchRegisters),
        [["a, registers of a thread", "40", "registers_per_thread"]]
    );
    let kernels = format!("unit = \"us\"\n{gpu}[[kernel]]\n{}[[kernel]]\n{}", keys(3), keys(5));
    let found = of_file(&folder, "rta", &kernels);
    let values: Vec<&str> = rows(&found, Id::LoopBound).into_iter().map(|[_, value, _]| value).collect();
    assert_eq!(values, loops.map(|[_, value]| value));
    let written = ["extract", "conv.sass", "--declare", "d.toml"];
    let _ = std::process::Command::new(env!("CARGO_BIN_EXE_warpspan"))
        .current_dir(folder.path())
        .args(written)
        .output();
    let declarations = std::fs::read_to_string(folder.path().join("d.toml")).unwrap();
    std::fs::write(folder.path().join("d.toml"), declarations.replace("# most = ?", "most = 3")).unwrap();
    let bound =
        ["bound", "--ptx", "conv.sass", "--machine", "jetson-orin", "--warps", "8", "--declare", "d.toml"];
    let found = record(&folder, &bound);
    assert_eq!(declared(&found, Id::DeclarationsFile), ["as d.toml says"]);
    let by_file = kernels.replacen("loop_bounds = { \".L_x_2\" = 3 }", "declare = \"d.toml\"", 1);
    let found = of_file(&folder, "rta", &by_file);
    assert_eq!(rows(&found, Id::DeclarationsFile).iter().map(|one| one[2]).collect::<Vec<_>>(), ["declare"]);
}

#[test]
fn what_stood_in_notes_alone_is_a_row() {
    let folder = folder();
    let instance = |name: &str| std::fs::read_to_string(root().join("instances").join(name)).unwrap();
    std::fs::write(folder.path().join("c.toml"), instance("si21-partition-co-located.toml")).unwrap();
    let found = record(&folder, &["partition", "c.toml", "--co-located"]);
    assert_eq!(assumption(&found, "block.room").unwrap()["kind"], "assumed");
    assert!(assumption(&found, "partition.tests").is_none());
    let masks = of_file(&folder, "partition", &instance("si21-partition-masks.toml"));
    let queues = rows(&masks, Id::ClientsApart);
    assert!(queues.iter().any(|[_, value, _]| value.contains("CUDA_DEVICE_MAX_CONNECTIONS")), "{queues:?}");
    let mps = of_file(
        &folder,
        "partition",
        &instance("si21-partition-masks.toml").replace("libsmctrl", "nvtaskset"),
    );
    assert!(rows(&mps, Id::ClientsApart).iter().any(|[_, value, _]| value.contains("MPS")), "{mps}");
}
