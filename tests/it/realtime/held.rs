//! L2 holds what a launch touches from before it starts: loads take as long as hits, nothing comes from DRAM, and it all has to fit.

use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;

use crate::common::assumption;

/// A thread reads its element again and again, and waits for it each time. Returns the lines of the listing, each of which may be an instruction.
fn kernel(folder: &Path, loads: usize) -> usize {
    let load = "ld.global.f32 %f1, [%rd3];\nadd.f32 %f2, %f2, %f1;\n".repeat(loads);
    let text = format!(
        ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 k_param_0)\n{{\n.reg .b32 %r<9>;\n.reg .f32 %f<3>;\n\
         .reg .b64 %rd<4>;\nld.param.u64 %rd1, [k_param_0];\ncvta.to.global.u64 %rd1, %rd1;\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\n\
         mov.u32 %r3, %ntid.x;\nmad.lo.s32 %r1, %r2, %r3, %r1;\nmul.wide.s32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\n{load}\
         st.global.f32 [%rd3], %f2;\nexit;\n}}\n"
    );
    std::fs::write(folder.join("k.ptx"), &text).unwrap();
    text.matches('\n').count() + 1
}

pub(super) fn time(folder: &Path, args: &str) -> assert_cmd::assert::Assert {
    let command = format!("time k.ptx --registers 16 --param pointers=*256 {args} --format json");
    Command::cargo_bin("warpspan").unwrap().current_dir(folder).args(command.split_whitespace()).assert()
}

pub(super) fn record(folder: &Path, args: &str) -> Value {
    let found = time(folder, args);
    let output = found.get_output();
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{args}: {}", String::from_utf8_lossy(&output.stderr)))
}

fn refused(folder: &Path, args: &str, what: &str) {
    time(folder, args).code(2).stderr(predicates::str::contains(what));
}

#[test]
fn loads_are_hits_and_nothing_comes_from_dram() {
    let folder = tempfile::tempdir().unwrap();
    let cycles = |loads: usize, args: &str| {
        kernel(folder.path(), loads);
        record(folder.path(), &format!("--gpu h100 --grid 1 --block 32 {args}"))["bound_cycles"]
            .as_u64()
            .unwrap()
    };
    // A further load that is waited for, without what it asks of servers: 2500 cycles, or the 357 of a hit.
    for (args, latency) in [("", 2500), ("--l2-holds", 357)] {
        let none = "--dram-bytes 0 --l2-bytes 0";
        let further = cycles(5, &format!("{args} {none}")) - cycles(4, &format!("{args} {none}"));
        assert!((latency..latency + 16).contains(&further), "{args}: {further}");
    }
    let lines = kernel(folder.path(), 4);
    let held = record(folder.path(), "--gpu h100 --grid 1000 --block 256 --l2-holds");
    let servers = held["memory"]["servers"].as_array().unwrap();
    let names: Vec<&str> = servers.iter().filter_map(|one| one["name"].as_str()).collect();
    assert_eq!(names, ["L2"], "{held}");
    // A line for each 32 floats in each half of the L2, and code and constants.
    let says = assumption(&held, "cache.l2-holds").unwrap()["value"].as_str().unwrap().to_owned();
    let bytes = 2 * (1000 * 256 * 4 + 320 * lines + (2 << 16));
    assert!(says.contains(&format!("{bytes} of its")), "{says}: want {bytes}");
    let latencies = assumption(&held, "latency.in-l2").unwrap();
    assert_eq!(
        (&latencies["kind"], &latencies["value"]),
        (&"assumed".into(), &"CONST 357, GLOBAL 357".into())
    );
    let rests_on = held["numbers"][0]["rests_on"].as_array().unwrap();
    assert!(["cache.l2-holds", "latency.in-l2"].iter().all(|id| rests_on.contains(&(*id).into())), "{held}");
    // What the bound is without it, loads from DRAM and all.
    let plain = record(folder.path(), "--gpu h100 --grid 1000 --block 256");
    assert_eq!(held["memory"]["undeclared_bound_ns"], plain["bound_ns"], "{held}");
    // Arrays whose size is declared.
    let given = record(folder.path(), "--gpu h100 --grid 1000 --block 256 --l2-holds=20MB");
    let held = assumption(&given, "cache.l2-holds").unwrap();
    assert_eq!(held["source"], "--l2-holds=20000000");
    let bytes = 2 * (20_000_000 + 320 * lines + (2 << 16));
    assert!(held["value"].as_str().unwrap().contains(&format!("{bytes} of its")), "{held}: want {bytes}");
    // What a user says of a letter counts, and then no latency of a hit is taken for granted.
    let given =
        record(folder.path(), "--gpu h100 --grid 1 --block 32 --l2-holds --latency-of GLOBAL=300..500");
    assert_eq!(assumption(&given, "latency.in-l2").unwrap()["value"], "CONST 357", "{given}");
}

#[test]
fn what_does_not_fit_or_is_not_known_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    kernel(folder.path(), 1);
    // 64 MiB of floats, in two halves, and 50 MiB of L2.
    refused(
        folder.path(),
        "--gpu h100 --grid 65536 --block 256 --l2-holds",
        "--l2-holds: the launch may touch 134",
    );
    refused(folder.path(), "--gpu h100 --grid 65536 --block 256 --l2-holds", "and L2 has 52428800");
    refused(
        folder.path(),
        "--gpu h100 --grid 100 --block 256 --l2-holds --dram-bytes 40KB..40KB",
        "40000 bytes move through the DRAM at least, as you say, and nothing does if L2 holds all",
    );
    let small = record(folder.path(), "--gpu h100 --grid 100 --block 256 --l2-holds=128");
    let notes = small["notes"].as_array().unwrap();
    assert!(
        notes.iter().any(|note| note.as_str().unwrap().starts_with("--l2-holds: your size makes")),
        "{small}"
    );
    refused(folder.path(), "--gpu h100 --grid 1 --block 32 --l2-holds=30MB", "with code and constants 60");
    refused(
        folder.path(),
        "--gpu rtx-3070 --grid 1 --block 32 --l2-holds",
        "want a machine file with latency_in_l2",
    );
    refused(
        folder.path(),
        "--gpu h100 --grid 1 --block 32 --l2-holds --l2-keeps-launch",
        "cannot be used with",
    );
    refused(
        folder.path(),
        "--gpu h100 --grid 1 --block 32 --l2-holds --host-memory 20GB/s,2us",
        "may pass all caches",
    );
}

/// A deadline that is met says how long hits may take, and the answer at that value is met still.
#[test]
fn how_long_a_hit_may_take_is_a_margin() {
    let folder = tempfile::tempdir().unwrap();
    kernel(folder.path(), 4);
    let asked = "--gpu h100 --grid 1 --block 32 --l2-holds --deadline 2us";
    let found = record(folder.path(), &format!("{asked} --margins"));
    let margin = &assumption(&found, "latency.in-l2").unwrap()["margin"];
    let holds: u64 = margin["holds_to"].as_str().unwrap().split(' ').next().unwrap().parse().unwrap();
    assert!(holds > 357, "{margin}");
    for (cycles, verdict) in [(holds, "proved"), (holds + 1, "undecided")] {
        let again = record(
            folder.path(),
            &format!("{asked} --latency-of GLOBAL=1..{cycles} --latency-of CONST=1..{cycles}"),
        );
        assert_eq!(again["verdict"], verdict, "{cycles}");
    }
}

/// A thread reads its elements of two arrays, each so often, and waits each time. Returns the lines of the listing.
fn two_arrays(folder: &Path, [of_a, of_b]: [usize; 2]) -> usize {
    let loads = |pointer: &str, times: usize| {
        format!("ld.global.f32 %f1, [{pointer}];\nadd.f32 %f2, %f2, %f1;\n").repeat(times)
    };
    let (a, b) = (loads("%rd4", of_a), loads("%rd5", of_b));
    let text = format!(
        ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 a, .param .u64 b)\n{{\n.reg .b32 %r<9>;\n.reg .f32 %f<3>;\n\
         .reg .b64 %rd<6>;\nld.param.u64 %rd1, [a];\nld.param.u64 %rd2, [b];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\n\
         mad.lo.s32 %r1, %r2, %r3, %r1;\nmul.wide.s32 %rd3, %r1, 4;\nadd.s64 %rd4, %rd1, %rd3;\nadd.s64 %rd5, %rd2, %rd3;\n{a}{b}\
         st.global.f32 [%rd4], %f2;\nexit;\n}}\n"
    );
    std::fs::write(folder.join("k.ptx"), &text).unwrap();
    text.matches('\n').count() + 1
}

#[test]
fn some_arrays_are_held_and_the_others_come_from_dram() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let cycles = |loads: [usize; 2], args: &str| {
        two_arrays(folder, loads);
        record(folder, &format!("--gpu h100 --grid 1 --block 32 {args}"))["bound_cycles"].as_u64().unwrap()
    };
    // What a further load of each array takes, without what it asks of servers.
    for (args, of_a, of_b) in [
        ("", 2500, 2500),
        ("--l2-holds=a", 357, 2500),
        ("--l2-holds=b", 2500, 357),
        ("--l2-holds=b,a", 357, 357),
    ] {
        let args = format!("{args} --dram-bytes 0 --l2-bytes 0");
        let least = cycles([4, 4], &args);
        for (more, latency) in [([5, 4], of_a), ([4, 5], of_b)] {
            let further = cycles(more, &args) - least;
            assert!((latency..latency + 16).contains(&further), "{args} {more:?}: {further}");
        }
    }
    // What the DRAM takes is what it would take of a kernel that does not have the accesses that L2 serves, but for pauses of the DRAM, of which
    // there are more in a longer launch.
    let dram = |args: &str| {
        let found = record(folder, &format!("--gpu h100 --grid 1000 --block 256 {args}"));
        let servers = found["memory"]["servers"].as_array().unwrap().clone();
        let of_dram = servers.into_iter().find(|one| one["name"] == "DRAM");
        (found["bound_cycles"].as_u64().unwrap(), of_dram.map_or(0, |one| one["cycles"].as_u64().unwrap()))
    };
    two_arrays(folder, [3, 0]);
    let (shorter, without) = dram("");
    let count = two_arrays(folder, [3, 5]);
    let (longer, held) = dram("--l2-holds=b");
    assert!((without..without + (longer - shorter) / 8).contains(&held), "{without} {held}");
    assert!(dram("").1 > without * 7 / 5 && dram("--l2-holds=a,b").1 == 0);
    // The lines of one array, in each half of the L2, and who says so.
    let held = record(folder, "--gpu h100 --grid 1000 --block 256 --l2-holds=b");
    let says = assumption(&held, "cache.l2-holds").unwrap();
    assert_eq!(says["source"], "--l2-holds=b");
    let lines = "holds what the accesses in lines 24, 26, 28, 30, 32 touch of b from before the launch starts until it ends: ";
    let bytes = 2 * (1000 * 256 * 4 + 320 * count + (2 << 16));
    let said = format!("{lines}{bytes} of its 52428800 bytes, with code and constants");
    assert!(says["value"].as_str().unwrap().starts_with(&said), "{says}: want {bytes}");
    // Constants are not held.
    assert_eq!(assumption(&held, "latency.in-l2").unwrap()["value"], "GLOBAL 357");
    let plain = record(folder, "--gpu h100 --grid 1000 --block 256");
    assert_eq!(held["memory"]["undeclared_bound_ns"], plain["bound_ns"], "{held}");
    // Said of all arrays it is a little more than said of all that is touched: constants are not in L2 then.
    let bound = |args: &str| {
        record(folder, &format!("--gpu h100 --grid 1000 --block 256 {args}"))["bound_cycles"]
            .as_u64()
            .unwrap()
    };
    let all = ["", "--l2-holds=a", "--l2-holds=a,b"].map(bound);
    assert!(all[0] > all[1] && all[1] > all[2] && all[2] >= bound("--l2-holds"), "{all:?}");
    // A latency that the user gives counts.
    let given = "--dram-bytes 0 --l2-bytes 0 --latency-of GLOBAL=300..500";
    assert_eq!(cycles([5, 4], &format!("{given} --l2-holds=a")), cycles([5, 4], given));
}

#[test]
fn arrays_that_cannot_be_held_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    two_arrays(folder, [1, 1]);
    let asked = "--gpu h100 --grid 100 --block 256";
    refused(
        folder,
        &format!("{asked} --l2-holds=c"),
        "--l2-holds=c: the code does not show that an access goes to what c points to: want some of a,b",
    );
    refused(folder, &format!("{asked} --l2-holds=a,"), "want a parameter on each side of a comma");
    refused(folder, &format!("{asked} --l2-holds=2XB"), "or parameters that point to arrays");
    refused(
        folder,
        "--gpu h100 --grid 65536 --block 256 --l2-holds=a",
        "--l2-holds=a: with code and constants the launch may touch 1344",
    );
    refused(
        folder,
        "--gpu rtx-3070 --grid 1 --block 32 --l2-holds=a",
        "want a machine file with latency_in_l2",
    );
    // Nothing is no name: a variable of a shell that is not set must not declare all.
    refused(folder, &format!("{asked} --l2-holds="), "want a parameter on each side of a comma, or a size");
    // Nobody sees where an access by an index in memory goes.
    let text = std::fs::read_to_string(folder.join("k.ptx")).unwrap();
    let wild = "ld.global.u64 %rd5, [%rd4];\nld.global.f32 %f1, [%rd5];";
    std::fs::write(folder.join("k.ptx"), text.replace("ld.global.f32 %f1, [%rd5];", wild)).unwrap();
    refused(folder, &format!("{asked} --l2-holds=b"), "points to: want some of a");
}

/// What an instruction that releases has of a fence waits for other arrays, and so does a fence of its own.
#[test]
fn a_fence_is_no_access_to_an_array() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for (store, saved) in [
        ("st.global.u32 [%rd1], %r1;", 2500 - 357),
        ("st.release.gpu.global.u32 [%rd1], %r1;", 2500 - 357),
        ("fence.acq_rel.gpu;\nst.global.u32 [%rd1], %r1;", 2500 - 357),
        ("ld.acquire.gpu.global.u32 %r1, [%rd1];", 2500 - 357),
        ("atom.acq_rel.gpu.global.add.u32 %r1, [%rd1], 1;", 2500 - 682),
    ] {
        let text = format!(
            ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 a, .param .u64 b)\n{{\n.reg .b32 %r<4>;\n\
             .reg .b64 %rd<4>;\nld.param.u64 %rd1, [a];\nld.param.u64 %rd2, [b];\nst.global.u32 [%rd2], %r1;\n{store}\nexit;\n}}\n"
        );
        std::fs::write(folder.join("k.ptx"), text).unwrap();
        let cycles = |args: &str| {
            let asked = format!("--gpu h100 --grid 1 --block 32 --dram-bytes 0 --l2-bytes 0 {args}");
            record(folder, &asked)["bound_cycles"].as_u64().unwrap()
        };
        let [without, with] = ["", "--l2-holds=a"].map(cycles);
        assert!((saved - 16..=saved).contains(&(without - with)), "{store}: {without} {with}");
    }
}

/// A machine file may have a letter for just such an access, and then that counts.
#[test]
fn a_letter_of_the_machine_says_its_own_latency() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    two_arrays(folder, [1, 2]);
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let known = std::fs::read_to_string(root.join("machines/sm_90.toml")).unwrap();
    let cycles = |latency: &str, args: &str| {
        let letter =
            format!("\n[[letter]]\nname = \"GLOBAL-load-4-of-1\"\nunit = \"LSU\"\nhold = 4\n{latency}\n");
        let server = "[[server]]\nname = \"DRAM\"\nrate = \"2010 GB/s\"\n";
        std::fs::write(folder.join("m.toml"), format!("{known}{letter}{server}")).unwrap();
        let asked = format!("--gpu h100 --grid 1 --block 32 --machine m.toml --dram-bytes 0 {args}");
        record(folder, &asked)["bound_cycles"].as_u64().unwrap()
    };
    // Two loads of b, one after the other.
    for (latency, saved) in [
        ("latency = [15, 2300]\nlatency_in_l2 = 2200", 200),
        ("latency = [15, 3000]", 0),
        ("latency = [15, 400]", 0),
    ] {
        let found = cycles(latency, "") - cycles(latency, "--l2-holds=b");
        assert!((saved..=saved + 4).contains(&found), "{latency}: {found}");
    }
}
