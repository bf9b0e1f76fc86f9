//! Machines with latency and issue width on the command line.

use crate::common::without_identity;
use std::path::Path;

use assert_cmd::Command;
use serde_json::{Value, json};

fn warpspan(args: &[&str]) -> assert_cmd::assert::Assert {
    Command::cargo_bin("warpspan").unwrap().current_dir(env!("CARGO_MANIFEST_DIR")).args(args).assert()
}

fn record(args: &[&str], code: i32) -> Value {
    let output = warpspan(args).code(code).get_output().stdout.clone();
    serde_json::from_slice(&output).unwrap()
}

fn refused(args: &[&str], part: &str) {
    let error = warpspan(args).code(2).stdout("").get_output().stderr.clone();
    let error = String::from_utf8(error).unwrap();
    assert!(error.contains(part) && error.lines().count() == 1, "{error}");
}

/// A file of this text in a folder that is deleted at the end.
fn file(folder: &tempfile::TempDir, name: &str, text: &str) -> String {
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

const ONE_A_CYCLE: &str = "[machine]\nissue_width = 1\n[[unit]]\nname = \"L\"\n[[unit]]\nname = \"C\"\n";

/// At most one issue a cycle in all, so that the bound of the model without a width, 3, would be too low.
#[test]
fn the_width_counts() {
    let folder = tempfile::tempdir().unwrap();
    let machine = file(&folder, "m.toml", ONE_A_CYCLE);
    let flags = ["--machine", &machine, "--kernel", "LC", "--warps", "2", "--format=json"];
    let solved = record(&[&["solve", "--with-schedule"], &flags[..]].concat(), 0);
    assert_eq!(
        (&solved["lower"], &solved["upper"], &solved["completion_upper"]),
        (&json!(4), &json!(4), &json!(4))
    );
    assert_eq!(solved["engine"], "states");
    assert_eq!(solved["machine_schedule"].as_array().unwrap().len(), 4);
    assert_eq!(solved["machine_schedule"][0]["latency"], 1);
    assert_eq!(solved["instance"].get("sigma_l"), None);
    assert_eq!(solved["instance"]["machine"]["issue_width"], 1);
    let bounds = record(&[&["bound"], &flags[..]].concat(), 0);
    assert_eq!(bounds["upper"], 4);
    assert_eq!(bounds["bounds"][0]["name"], "critical-path");
    assert!(bounds["skipped"].as_array().unwrap().iter().all(|row| row["why"].is_string()));
    let paper = record(&["solve", "--kernel", "LC", "--warps", "2", "--format=json"], 0);
    assert_eq!(paper["upper"], 3);
}

/// The tables of the machine may stand in the instance file, and a flag says another machine.
#[test]
fn a_file_says_it_all() {
    let folder = tempfile::tempdir().unwrap();
    let text = format!("{ONE_A_CYCLE}latency = [2, 9]\n[kernel]\nstring = \"L<C>2\"\n[launch]\nwarps = 3\n");
    let name = file(&folder, "k.toml", &text);
    let solved = record(&["solve", &name, "--format=json"], 0);
    assert_eq!(solved["instance"]["groups"], json!([{"kernel": "LCC", "warps": 3}]));
    assert_eq!(solved["instance"]["machine"]["letters"][1]["latency"], json!([2, 9]));
    let other = file(&folder, "m.toml", ONE_A_CYCLE);
    let flagged = record(&["solve", &name, "--machine", &other, "--format=json"], 0);
    assert!(flagged["upper"].as_u64() < solved["upper"].as_u64());
    let told = record(&["solve", &name, "--machine", &other, "--latency-of", "C=2..9", "--format=json"], 0);
    assert_eq!(told["upper"], solved["upper"]);
    for command in ["sweep", "check"] {
        warpspan(&[command, &name]).code(2);
    }
    let both = file(&folder, "both.toml", &format!("{text}[multiprocessor]\nsigma_l = 1\nsigma_c = 1\n"));
    refused(&["solve", &both], "both.toml:12: both [multiprocessor] and [machine]: want one of them");
}

#[test]
fn bad_machines_get_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let bad = |lines: &str, part: &str| {
        let name = file(
            &folder,
            "bad.toml",
            &format!("[machine]\nissue_width = 1\n[[unit]]\nname = \"L\"\n{lines}\n"),
        );
        refused(&["bound", "--machine", &name, "--kernel", "L", "--warps", "2"], part);
    };
    bad("instances = 0", "bad.toml:5: instances = 0: want 1 or more");
    bad("latency = [9, 2]", "bad.toml:5: latency = [9, 2]: want a number, or [least, most], of 1 or more");
    bad("hold = 99999999999", "bad.toml:4: letter L: hold 99999999999: want 4294967296 at most");
    bad("speed = 2", "bad.toml:5: unknown field `speed`");
    let machine = file(&folder, "m.toml", ONE_A_CYCLE);
    let with = |kernel: &str, part: &str| {
        refused(&["solve", "--machine", &machine, "--kernel", kernel, "--warps", "2"], part);
    };
    with("L<SFU>", "character 3 is 'SFU': want a letter of the machine, which are L, C, '|'");
    with("", "the kernel is empty");
    refused(
        &["solve", "--machine", "tpu", "--kernel", "L", "--warps", "2"],
        "machine tpu: no such machine: want a file",
    );
    refused(
        &["solve", "--machine", &machine, "--sigma-l", "1", "--kernel", "L", "--warps", "2"],
        "cannot be used with",
    );
    refused(
        &["sweep", "--kernels", "L", "--warps", "1", "--machine", &machine, "-o", "t.csv"],
        "unexpected argument '--machine'",
    );
}

/// The paper's multiprocessor as a machine gives what it gives by its sigmas, in every record and text but for
/// the time that it took.
#[test]
fn the_papers_machine_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut compared = 0;
    for entry in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("instances")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "toml") {
            continue;
        }
        let table: toml::Table = std::fs::read_to_string(&path).unwrap().parse().unwrap();
        let sigma = |key| table.get("multiprocessor")?.get(key)?.as_integer();
        let (Some(l), Some(c)) = (sigma("sigma_l"), sigma("sigma_c")) else { continue };
        if !table.contains_key("launch") && !table.contains_key("group") {
            continue;
        }
        let unit = |name, sigma| format!("[[unit]]\nname = \"{name}\"\ninstances = {sigma}\n");
        let text = format!("[machine]\nissue_width = \"unlimited\"\n{}{}", unit("C", c), unit("L", l));
        let machine = file(&folder, "paper.toml", &text);
        let name = path.to_str().unwrap();
        for command in ["solve", "bound"] {
            let mut plain = record(&[command, name, "--format=json"], 0);
            let mut on = record(&[command, name, "--machine", &machine, "--format=json"], 0);
            for record in [&mut plain, &mut on] {
                record.as_object_mut().unwrap().retain(|key, _| key != "seconds");
                *record = without_identity(record.take());
                // The numbers of the file are declared, and so are the sigmas, each by its own name.
                record.as_object_mut().unwrap().remove("assumptions");
                for number in record["numbers"].as_array_mut().unwrap() {
                    number.as_object_mut().unwrap().remove("rests_on");
                }
            }
            assert_eq!(plain, on, "{command} {name}");
        }
        compared += 1;
    }
    assert!(compared >= 8, "{compared}");
}

/// Arms that alternate have an upper bound on their time alone, which once stood as a lower one.
#[test]
fn arms_that_alternate_prove_nothing_from_below() {
    let folder = tempfile::tempdir().unwrap();
    let text = "[machine]\nissue_width = 1\n[[unit]]\nname = \"L\"\n[[unit]]\nname = \"C\"\nlatency = 2\n";
    let machine = file(&folder, "m.toml", text);
    for (kernel, warps, worst) in
        [("<L/L>", "1", 2), ("<C/C>", "1", 3), ("<C/C>", "2", 4), ("<C/C>|<C/C>", "1", 7)]
    {
        let found = record(
            &["bound", "--machine", &machine, "--kernel", kernel, "--warps", warps, "--format=json"],
            0,
        );
        let end = |name: &str| found[name].as_u64().unwrap();
        assert!(end("lower") <= worst && worst <= end("upper"), "{kernel}: {found}");
        let solved = record(
            &["solve", "--machine", &machine, "--kernel", kernel, "--warps", warps, "--format=json"],
            3,
        );
        assert_eq!(solved["upper"], found["upper"], "{kernel}");
    }
    let refused = |kernel: &str, part: &str| {
        self::refused(&["bound", "--machine", &machine, "--kernel", kernel, "--warps", "2"], part);
    };
    refused("{C|/L}", "warpspan: a barrier in an arm of a divergent branch");
    refused("[C||/L]L", "warpspan: the arms of the branch hold different numbers of barriers");
}

/// A compiler may set a stall that is longer than the latency of the instruction.
#[test]
fn a_listing_without_control_fields_takes_no_less_time() {
    let folder = tempfile::tempdir().unwrap();
    let code = |control: bool| {
        let field =
            |stall: &str| if control { format!("[B------:R-:W-:-:S{stall}] ") } else { String::new() };
        let flags = "\t.headerflags\t@\"EF_CUDA_SM86 EF_CUDA_VIRTUAL_SM(EF_CUDA_SM86)\"\n";
        let mut text =
            format!("{flags}.section\t.text.k,\"ax\",@progbits\n.global k\n.type k,@function\n.text.k:\n");
        for at in 0..8 {
            text.push_str(&format!("        {}/*{:04x}*/ FADD R0, R0, R1 ;\n", field("15"), 16 * at));
        }
        text.push_str(&format!("        {}/*0080*/ EXIT ;\n", field("05")));
        text
    };
    let upper = |name: &str, control| {
        let name = file(&folder, name, &code(control));
        record(&["bound", "--machine", "8.6", "--ptx", &name, "--warps", "1", "--format=json"], 0)["upper"]
            .as_u64()
    };
    assert!(upper("plain.sass", false) >= upper("control.sass", true));
    assert!(upper("plain.sass", false) >= Some(121));
    // The paper's multiprocessor, which knows no stalls, is no way around them.
    let paper = "[machine]\nissue_width = \"unlimited\"\n[[unit]]\nname = \"L\"\n[[unit]]\nname = \"C\"\n";
    let machine = file(&folder, "paper.toml", paper);
    let listing = file(&folder, "plain.sass", &code(false));
    let flags = ["--machine", &machine, "--ptx", &listing, "--warps", "1", "--format=json"];
    let found = record(&[&["bound"], &flags[..]].concat(), 0);
    assert!(found["upper"].as_u64() >= Some(121), "{found}");
}
