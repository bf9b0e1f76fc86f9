//! Nothing else uses the DRAM of a launch of one block: loads take as long as there, and the DRAM pauses now and then.

use std::path::Path;

use assert_cmd::assert::Assert;
use serde_json::Value;

use crate::common::assumption;
use crate::realtime::held;

/// What an H100 is taken to need: cycles of a load, of an atomic operation, and of a pause, and in how many one comes.
const LOAD: u64 = 1290;
const ATOMIC: u64 = 1600;
const PAUSE: u64 = 2500;
const EVERY: u64 = 100_000;
/// The cycles of an access to DRAM that others may use.
const BUSY: u64 = 2500;

/// A thread accesses its element again and again, and waits for it each time.
fn kernel(folder: &Path, access: &str, times: usize) {
    let accesses = format!("{access}\nadd.f32 %f2, %f2, %f1;\n").repeat(times);
    let text = format!(
        ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 k_param_0)\n{{\n.reg .b32 %r<9>;\n.reg .f32 %f<3>;\n\
         .reg .b64 %rd<4>;\nld.param.u64 %rd1, [k_param_0];\nmov.u32 %r1, %tid.x;\nmul.wide.s32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\n\
         {accesses}st.global.f32 [%rd3], %f2;\nexit;\n}}\n"
    );
    std::fs::write(folder.join("k.ptx"), text).unwrap();
}

fn time(folder: &Path, args: &str) -> Assert {
    held::time(folder, &format!("--block 32 {args}"))
}

fn record(folder: &Path, args: &str) -> Value {
    held::record(folder, &format!("--block 32 {args}"))
}

fn cycles(folder: &Path, args: &str) -> u64 {
    record(folder, args)["bound_cycles"].as_u64().unwrap()
}

/// The least time that holds this work and the pauses that may come while it lasts, one in each `EVERY` cycles and one more.
fn with_pauses(work: u64, pause: u64) -> u64 {
    let mut found = work;
    loop {
        let more = work + pause * (found / EVERY + 1);
        if more == found {
            return found;
        }
        found = more;
    }
}

#[test]
fn accesses_take_as_long_as_those_of_an_idle_dram() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let nothing = "--gpu h100 --grid 1 --machine m.toml --dram-bytes 0";
    machine(folder, str::to_owned);
    // Each access is waited for. What it takes besides, such as lanes of an atomic operation one after the other, it takes in any case.
    for (access, latency) in
        [("ld.global.f32 %f1, [%rd3];", LOAD), ("atom.global.add.f32 %f1, [%rd3], %f2;", ATOMIC)]
    {
        let saved = [4, 5].map(|times| {
            kernel(folder, access, times);
            cycles(folder, nothing) + PAUSE - cycles(folder, &format!("{nothing} --dram-idle"))
        });
        assert_eq!(saved[1] - saved[0], BUSY - latency, "{access}");
    }
}

/// Writes a machine file: the machine of an H100 with changes, and a DRAM as its only server.
fn machine(folder: &Path, change: impl Fn(&str) -> String) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let known = std::fs::read_to_string(root.join("machines/sm_90.toml")).unwrap();
    let servers = "[[server]]\nname = \"DRAM\"\nrate = \"2010 GB/s\"\n";
    std::fs::write(folder.join("m.toml"), format!("{}\n{servers}", change(&known))).unwrap();
}

/// The work of 71 loads has room between two pauses, and that of 77 has not.
#[test]
fn pauses_come_while_others_last() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let asked = "--gpu h100 --grid 1 --dram-idle --machine m.toml --dram-bytes";
    let mut pauses = Vec::new();
    for times in [1, 60, 71, 72, 73, 77, 150] {
        kernel(folder, "ld.global.f32 %f1, [%rd3];", times);
        machine(folder, |known| known.replace(&format!("pause = {PAUSE}"), "pause = 1"));
        let least = cycles(folder, &format!("{asked} 32"));
        let work = least - (least / EVERY + 1);
        assert_eq!(least, with_pauses(work, 1));
        machine(folder, str::to_owned);
        // So few bytes take no cycle of the DRAM, and where it is asked for nothing at all accesses may still wait for a pause.
        for bytes in ["32", "0"] {
            let found = cycles(folder, &format!("{asked} {bytes}"));
            assert_eq!(found, with_pauses(work, PAUSE), "{times} loads, {work} cycles, {bytes} bytes");
        }
        pauses.push((with_pauses(work, PAUSE) - work) / PAUSE);
    }
    assert!(pauses.contains(&1) && pauses.contains(&2) && pauses.contains(&3), "{pauses:?}");
}

/// Loads of parameters ask the DRAM for nothing as far as anybody knows, and take as long as others. A pause is longer than what they save.
#[test]
fn a_bound_that_is_no_lower_rests_on_nothing_more() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    kernel(folder, "ld.param.f32 %f1, [k_param_0];", 9);
    let of_array = record(folder, "--gpu h100 --grid 1 --dram-idle --l2-holds=k_param_0");
    assert!(assumption(&of_array, "dram.pauses-together").is_some(), "{of_array}");
    let text = std::fs::read_to_string(folder.join("k.ptx")).unwrap();
    let text = text.replace("st.global.f32 [%rd3], %f2;", "st.shared.f32 [0], %f2;");
    std::fs::write(
        folder.join("k.ptx"),
        text.replacen("ld.param.f32 %f1, [k_param_0];\nadd.f32 %f2, %f2, %f1;\n", "", 8),
    )
    .unwrap();
    let [idle, busy] = ["--dram-idle", ""].map(|flag| record(folder, &format!("--gpu h100 --grid 1 {flag}")));
    assert_eq!(idle["bound_cycles"], busy["bound_cycles"]);
    assert_eq!(idle["assumptions"], busy["assumptions"]);
    let notes = idle["notes"].to_string();
    assert!(notes.contains("--dram-idle: the bound is no lower with it"), "{notes}");
}

#[test]
fn an_answer_says_what_it_rests_on() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    kernel(folder, "ld.global.f32 %f1, [%rd3];", 4);
    let found = record(folder, "--gpu h100 --grid 1 --dram-idle");
    let plain = record(folder, "--gpu h100 --grid 1");
    assert!(found["bound_ns"].as_u64() < plain["bound_ns"].as_u64());
    assert_eq!(found["memory"]["undeclared_bound_ns"], plain["bound_ns"]);
    let said = |id: &str| {
        let said = assumption(&found, id).unwrap_or_else(|| panic!("{id}: {found}"));
        (said["kind"].as_str().unwrap().to_owned(), said["value"].as_str().unwrap().to_owned())
    };
    assert_eq!(said("dram.idle").0, "declared");
    assert_eq!(said("latency.in-idle-dram"), ("assumed".into(), format!("CONST {LOAD}, GLOBAL {LOAD}")));
    let pauses = format!("all at once or one alone, {PAUSE} cycles at most in each {EVERY}");
    assert_eq!(said("dram.pauses-together"), ("assumed".into(), pauses));
    let rests_on = found["numbers"][0]["rests_on"].as_array().unwrap();
    for id in ["dram.idle", "latency.in-idle-dram", "dram.pauses-together"] {
        assert!(rests_on.contains(&id.into()), "{id}: {found}");
    }
    // That there are no others on the DRAM is what is declared.
    assert!(assumption(&found, "dram.others").is_none() && assumption(&plain, "dram.others").is_some());
    // What a user says of a letter counts, and what L2 holds of an array takes as long as a hit.
    let given = record(folder, "--gpu h100 --grid 1 --dram-idle --latency-of GLOBAL=300..700");
    assert_eq!(assumption(&given, "latency.in-idle-dram").unwrap()["value"], format!("CONST {LOAD}"));
    let held = record(folder, "--gpu h100 --grid 1 --dram-idle --l2-holds=k_param_0");
    assert_eq!(assumption(&held, "latency.in-l2").unwrap()["value"], "GLOBAL 357");
    assert!(held["bound_ns"].as_u64() < found["bound_ns"].as_u64());
}

/// A deadline is met as long as accesses and pauses last no longer than it says, and no longer.
#[test]
fn how_long_accesses_and_pauses_may_last_is_a_margin() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    kernel(folder, "ld.global.f32 %f1, [%rd3];", 4);
    let found = record(folder, "--gpu h100 --grid 1 --dram-idle --deadline 7us --margins");
    let [latency, pause] = ["latency.in-idle-dram", "dram.pauses-together"].map(|id| {
        let margin = &assumption(&found, id).unwrap()["margin"];
        margin["holds_to"].as_str().unwrap().split(' ').next().unwrap().parse::<u64>().unwrap()
    });
    // A machine whose file says these numbers, and that the latencies of a busy DRAM are no limit.
    let verdict = |load: u64, length: u64| {
        let most = load - LOAD + ATOMIC;
        machine(folder, |known| {
            known
                .replace(&format!("latency_in_idle_dram = {LOAD}"), &format!("latency_in_idle_dram = {load}"))
                .replace(
                    &format!("latency_in_idle_dram = {ATOMIC}"),
                    &format!("latency_in_idle_dram = {most}"),
                )
                .replace(&format!(", {BUSY}]"), ", 90000]")
                .replace(&format!("pause = {PAUSE}"), &format!("pause = {length}"))
        });
        record(folder, "--gpu h100 --grid 1 --dram-idle --deadline 7us --machine m.toml")["verdict"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert!(latency > LOAD && pause > PAUSE, "{latency} {pause}");
    assert_eq!([verdict(latency, PAUSE), verdict(latency + 20, PAUSE)], ["proved", "undecided"]);
    assert_eq!([verdict(LOAD, pause), verdict(LOAD, pause + 20)], ["proved", "undecided"]);
}

#[test]
fn what_else_may_ask_the_dram_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    kernel(folder, "ld.global.f32 %f1, [%rd3];", 1);
    for (args, what) in [
        ("--gpu h100 --grid 2", "k.ptx: k: --dram-idle: 2 blocks: want a launch of one block"),
        ("--gpu h100 --grid 1 --l2-holds", "nothing comes from the DRAM if L2 holds all (--l2-holds)"),
        (
            "--gpu rtx-3070 --grid 1",
            "want a machine file with latency_in_idle_dram, idle_dram and a server DRAM",
        ),
        ("--gpu h100 --grid 1 --dram-others 20GB/s", "cannot be used with"),
        ("--gpu h100 --grid 1 --host-memory 20GB/s,2us", "cannot be used with"),
        ("--gpu h100 --grid 1 --co-running k.ptx:k:1:32", "cannot be used with"),
    ] {
        time(folder, &format!("--dram-idle {args}")).code(2).stderr(predicates::str::contains(what));
    }
    machine(folder, str::to_owned);
    let text = std::fs::read_to_string(folder.join("m.toml")).unwrap();
    std::fs::write(folder.join("m.toml"), format!("{text}others = \"20 GB/s\"\n")).unwrap();
    let what = "server DRAM: others: want none where nothing else uses it";
    let asked = "--dram-idle --gpu h100 --grid 1 --machine m.toml";
    time(folder, asked).code(2).stderr(predicates::str::contains(what));
    machine(folder, |known| known.replace(&format!("pause = {PAUSE}"), &format!("pause = {EVERY}")));
    let what = "idle_dram: a pause of 100000 cycles in each 100000: want a shorter one";
    time(folder, asked).code(2).stderr(predicates::str::is_match(format!("m.toml:[0-9]+: {what}")).unwrap());
    // A kernel that lets the next one start is not the only one that asks.
    let text = std::fs::read_to_string(folder.join("k.ptx")).unwrap();
    let text = text.replace("exit;", "griddepcontrol.launch_dependents;\nexit;").replace("sm_80", "sm_90");
    std::fs::write(folder.join("k.ptx"), text).unwrap();
    time(folder, "--dram-idle --gpu h100 --grid 1")
        .code(2)
        .stderr(predicates::str::contains("--dram-idle: "));
}
