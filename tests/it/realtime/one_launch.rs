//! One launch is one launch: `time`, `bound` and `solve` say the same of it, and `rta`, which knows less of it, no less but for a
//! few cycles.
//!
//! The kernels are random: instructions between barriers, in loops and outside. `WARPSPAN_CASES` says how many.

use crate::common::cases::{self, cases};
use std::path::Path;

use assert_cmd::Command;
use rand::{Rng, RngExt};
use rayon::prelude::*;
use serde_json::Value;

/// The multiprocessors of a Jetson AGX Orin, its clock in MHz, and the threads that each holds.
const ORIN: [u64; 3] = [16, 1300, 1536];

/// A kernel of up to four parts, each with a barrier behind it or not, and in a loop or not. It says how many registers it has,
/// so that all commands know how many blocks a multiprocessor holds.
fn kernel(rng: &mut impl Rng) -> String {
    let lines = [
        "ld.global.f32 %f1, [%rd1];",
        "st.global.f32 [%rd1], %f1;",
        "ld.shared.f32 %f2, [%r8];",
        "st.shared.f32 [%r8], %f2;",
        "fma.rn.f32 %f1, %f2, %f1, %f2;",
        "add.u32 %r1, %r1, %r2;",
        "rcp.approx.f32 %f1, %f1;",
    ];
    let mut text = String::from(
        ".version 7.0\n.target sm_87\n.address_size 64\n.visible .entry k()\n{\n.reg .pred %p<3>;\n.reg .b32 %r<9>;\n\
         .reg .f32 %f<3>;\n.reg .b64 %rd<3>;\nmov.u32 %r1, %tid.x;\n",
    );
    for part in 0..rng.random_range(1..=4) {
        let rounds = rng.random_bool(0.4).then(|| rng.random_range(2..=12));
        if rounds.is_some() {
            text += &format!("mov.u32 %r5, 0;\nL{part}:\n");
        }
        (0..rng.random_range(1..=4)).for_each(|_| {
            text += lines[rng.random_range(0..lines.len())];
            text.push('\n');
        });
        if rng.random_bool(0.6) {
            text += "bar.sync 0;\n";
        }
        if let Some(rounds) = rounds {
            text += &format!("add.u32 %r5, %r5, 1;\nsetp.lt.u32 %p1, %r5, {rounds};\n@%p1 bra L{part};\n");
        }
    }
    text + "exit;\n}\n"
}

fn record(folder: &Path, args: &str) -> Value {
    let mut command = Command::cargo_bin("warpspan").unwrap();
    command.current_dir(folder).args(args.split_whitespace()).args(["--format", "json"]);
    let output = command.output().unwrap();
    let told = || panic!("{args}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| told())
}

fn agree(seed: u64) {
    let mut rng = cases::random(seed);
    let folder = tempfile::tempdir().unwrap();
    let text = kernel(&mut rng);
    std::fs::write(folder.path().join("k.ptx"), &text).unwrap();
    let blocks = [1, 2, 5, 16, 40][rng.random_range(0..5)];
    let threads: u64 = [32, 64, 256, 1024][rng.random_range(0..4)];
    // Only some commands know the shape of a block, from which they infer how many transactions an access makes: here of none.
    let passes = [1, 4, 32][rng.random_range(0..3)];
    let [multiprocessors, clock, all] = ORIN;
    let record = |args: &str| record(folder.path(), args);
    let number = |record: &Value, key: &str| {
        record[key].as_u64().unwrap_or_else(|| panic!("seed {seed}: no {key} in {record}\n{text}"))
    };

    let time = record(&format!(
        "time k.ptx --gpu jetson-orin --clock {clock} --registers 16 --transactions *={passes} --grid {blocks} \
         --block {threads}"
    ));
    let cycles = number(&time, "bound_cycles");
    let resident = number(&time["residency"], "worst");
    assert!(resident <= (all / threads).min(16).min(blocks.max(1)));

    let machine = format!(
        "--ptx k.ptx --machine jetson-orin --clock {clock} --transactions *={passes} --warps-per-block {}",
        threads / 32
    );
    let grid = format!("--blocks {blocks} --resident {resident} --multiprocessors {multiprocessors}");
    let bound = number(&record(&format!("bound {machine} {grid}")), "completion_upper");
    let solved = number(&record(&format!("solve {machine} {grid} --time-limit 2s")), "completion_upper");
    assert_eq!(bound, solved, "seed {seed}: bound and solve\n{text}");
    // Where the response time of a single launch is smaller, only `time` takes that.
    let as_response = time["evidence"]["name"] == "relay";
    assert!(cycles == bound || as_response && cycles < bound, "seed {seed}: {cycles} {bound}\n{text}");
    if blocks == 1 {
        // Warps that start together are on schedulers in turn, of which a launch knows nothing.
        let together = record(&format!("bound {machine} --warps {}", threads / 32));
        let together = number(&together, "completion_upper");
        assert!(together <= cycles, "seed {seed}: {together} {cycles}\n{text}");
    }

    let kernel = format!(
        "[[kernel]]\nptx = \"k.ptx\"\nblocks = {blocks}\nthreads_per_block = {threads}\nregisters_per_thread = 16\n\
         transactions = {{ \"*\" = {passes} }}\nperiod = 1000000000\n"
    );
    let system = format!(
        "unit = \"cycles\"\nmachine = \"jetson-orin\"\n[gpu]\npreset = \"jetson-orin\"\nclock_mhz = {clock}\n{kernel}"
    );
    std::fs::write(folder.path().join("one.toml"), system).unwrap();
    let response = record("rta one.toml");
    let response = response["kernels"][0]["response_bound"].as_f64().unwrap();
    // What the memory adds is counted in another way there, by which a response time may be a little smaller, or much larger,
    // since others may launch at any time.
    #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
    let cycles = cycles as f64;
    assert!(cycles * 0.95 <= response, "seed {seed}: {cycles} {response}\n{text}");
}

#[test]
fn commands_agree_on_one_launch() {
    (0..cases(100)).into_par_iter().for_each(agree);
}

/// A reduction with a barrier in each of its ten passes. What is pending at a barrier was once counted anew at each, by `bound`
/// alone.
#[test]
fn barriers_cost_the_same_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    let text = ".version 7.0\n.target sm_87\n.address_size 64\n.visible .entry k()\n{\n.reg .pred %p<3>;\n.reg .b32 %r<9>;\n\
                .reg .f32 %f<3>;\n.reg .b64 %rd<3>;\nld.global.f32 %f1, [%rd1];\nbar.sync 0;\nmov.u32 %r5, 0;\nL:\n\
                ld.shared.f32 %f2, [%r1];\nst.shared.f32 [%r1], %f2;\nbar.sync 0;\nadd.u32 %r5, %r5, 1;\n\
                setp.lt.u32 %p1, %r5, 10;\n@%p1 bra L;\nexit;\n}\n";
    std::fs::write(folder.path().join("k.ptx"), text).unwrap();
    let record = |args: &str| record(folder.path(), args);
    let time = record("time k.ptx --gpu jetson-orin --clock 1300 --grid 1 --block 1024");
    for size in ["--blocks 1", "--warps 32"] {
        let bound = record(&format!(
            "bound --ptx k.ptx --machine jetson-orin --clock 1300 --warps-per-block 32 {size}"
        ));
        assert_eq!(bound["completion_upper"], time["bound_cycles"]);
    }
}
