//! Blocks that are dealt evenly: no multiprocessor has more of them than it has to, and all ask the memory.

use assert_cmd::Command;
use serde_json::Value;

/// Additions between barriers, and a load where it is asked for.
fn kernel(folder: &std::path::Path, loads: bool) {
    let load = if loads { "ld.global.f32 %f1, [%rd1];\n" } else { "" };
    let text = format!(
        ".version 7.0\n.target sm_87\n.address_size 64\n.visible .entry k()\n{{\n.reg .b32 %r<9>;\n.reg .f32 %f<3>;\n.reg .b64 %rd<3>;\n\
         mov.u32 %r1, %tid.x;\n{load}add.u32 %r1, %r1, %r2;\nbar.sync 0;\nadd.u32 %r1, %r1, %r2;\nfma.rn.f32 %f1, %f2, %f1, %f2;\nexit;\n}}\n"
    );
    std::fs::write(folder.join("k.ptx"), text).unwrap();
}

fn time(folder: &std::path::Path, args: &str) -> assert_cmd::assert::Assert {
    let command =
        format!("time k.ptx --gpu jetson-orin --registers 16 --transactions *=4 {args} --format json");
    Command::cargo_bin("warpspan").unwrap().current_dir(folder).args(command.split_whitespace()).assert()
}

fn cycles(folder: &std::path::Path, args: &str) -> u64 {
    let found = time(folder, args).success().get_output().stdout.clone();
    serde_json::from_slice::<Value>(&found).unwrap()["bound_cycles"].as_u64().unwrap()
}

/// 16 multiprocessors, of which one holds six blocks of 256 threads.
#[test]
fn a_launch_that_is_dealt_evenly_is_one_of_a_multiprocessor_and_the_traffic_of_all() {
    let folder = tempfile::tempdir().unwrap();
    kernel(folder.path(), false);
    for (blocks, most) in [(1, 1), (15, 1), (16, 1), (17, 2), (32, 2), (33, 3), (96, 6)] {
        let evenly = cycles(folder.path(), &format!("--grid {blocks} --block 256 --blocks-dealt evenly"));
        let alone = cycles(folder.path(), &format!("--grid {most} --block 256 --multiprocessors 1"));
        assert_eq!(evenly, alone, "{blocks} blocks");
        let anyhow = cycles(folder.path(), &format!("--grid {blocks} --block 256"));
        assert_eq!(evenly < anyhow, most < blocks.min(6), "{blocks} blocks: {evenly} of {anyhow}");
    }
    // What changes nothing is no assumption.
    let found = time(folder.path(), "--grid 96 --block 256 --blocks-dealt evenly")
        .success()
        .get_output()
        .stdout
        .clone();
    let found: Value = serde_json::from_slice(&found).unwrap();
    assert!(crate::common::assumptions(&found, "blocks.dealt").is_empty(), "{found}");
    assert!(
        found["notes"]
            .as_array()
            .unwrap()
            .contains(&"--blocks-dealt evenly: the bound is the same without it".into())
    );
    kernel(folder.path(), true);
    let of = |args: &str| cycles(folder.path(), &format!("{args} --block 256"));
    let mut before = of("--grid 1 --multiprocessors 1");
    for blocks in [2, 8, 16] {
        let evenly = of(&format!("--grid {blocks} --blocks-dealt evenly"));
        assert!(
            before < evenly && evenly < of(&format!("--grid {blocks}")),
            "{blocks} blocks: {before}, {evenly}"
        );
        before = evenly;
    }
}

#[test]
fn what_is_not_there_at_once_is_not_dealt_evenly() {
    let folder = tempfile::tempdir().unwrap();
    kernel(folder.path(), false);
    let told = |args: &str, what: &str| {
        time(folder.path(), args).code(2).stderr(predicates::str::contains(what));
    };
    told(
        "--grid 97 --block 256 --blocks-dealt evenly",
        "--blocks-dealt evenly: 97 blocks, and 16 multiprocessors have room for 96 at once: want a launch that has the GPU for itself",
    );
    told(
        "--grid 49 --block 256 --blocks-dealt evenly --multiprocessors 8",
        "49 blocks, and 8 multiprocessors have room for 48 at once",
    );
    told("--grid 8 --block 256 --blocks-dealt evenly --co-running k.ptx:k:1:32", "cannot be used with");
    told("--grid 8 --block 256 --blocks-dealt oddly", "possible values: evenly");
}
