//! What a launch moves if caches keep what it touches.

use assert_cmd::Command;
use serde_json::Value;
use tempfile::tempdir;

/// Each block reads the same 256 words eight times, and the third time from a word further on.
const KERNEL: &str = "\
.version 8.0
.target sm_87
.address_size 64
.visible .entry k(.param .u64 a, .param .u64 b)
{
ld.param.u64 %rd1, [a];
mov.u32 %r1, %tid.x;
mul.wide.u32 %rd2, %r1, 4;
add.s64 %rd3, %rd1, %rd2;
ld.global.u32 %r4, [%rd3];
ld.global.u32 %r5, [%rd3];
ld.global.u32 %r6, [%rd3];
ld.global.u32 %r7, [%rd3];
ld.global.u32 %r8, [%rd3];
ld.global.u32 %r9, [%rd3];
ld.global.u32 %r10, [%rd3];
ld.global.u32 %r11, [%rd3];
MORE
ret;
}
";

/// What `time` says of the kernel with further code, in a launch of 100 blocks of 256 threads.
fn time(more: &str, flags: &[&str]) -> Result<Value, String> {
    let folder = tempdir().unwrap();
    let file = folder.path().join("k.ptx");
    std::fs::write(&file, KERNEL.replace("MORE", more)).unwrap();
    let output = Command::cargo_bin("warpspan")
        .unwrap()
        .args(["time", "--grid", "100", "--block", "256", "--format", "json", "--param", "pointers=*256"])
        .arg(&file)
        .args(if flags.contains(&"--gpu") { &[][..] } else { &["--gpu", "jetson-orin"][..] })
        .args(flags)
        .output()
        .unwrap();
    serde_json::from_slice(&output.stdout).map_err(|_| String::from_utf8(output.stderr).unwrap())
}

fn bound(more: &str, flags: &[&str]) -> u64 {
    time(more, flags).unwrap()["bound_cycles"].as_u64().unwrap()
}

/// 256 words at a multiple of 256 bytes are 32 sectors in 8 lines.
#[test]
fn l2_fetches_each_sector_once() {
    // A sector that comes alone costs 96 bytes of lines, and each line may take the place of a written one.
    assert_eq!(bound("", &["--l2-keeps-launch"]), bound("", &["--dram-bytes", "4096B:lines"]));
    assert_eq!((32 * 96 + 8 * 128, 8 * 128 + 8 * 128), (4096, 2048));
    assert_eq!(bound("", &["--l2-keeps-launch=lines"]), bound("", &["--dram-bytes", "2048B:lines"]));
    assert!(bound("", &["--l2-keeps-launch"]) < bound("", &[]));
    // A sector behind them.
    let further = "ld.global.u32 %r12, [%rd3+4];";
    assert_eq!((33 * 96 + 9 * 128), 4320);
    let asked = bound(further, &["--dram-bytes", "4320B:lines"]);
    assert!(bound(further, &["--l2-keeps-launch"]) <= asked);
    assert!(bound(further, &["--l2-keeps-launch"]) > bound("", &["--l2-keeps-launch"]));
}

#[test]
fn the_first_cache_fetches_each_sector_once_for_each_block() {
    let kept = bound("", &["--l1-keeps-block=64KiB"]);
    // 100 blocks: 3200 sectors of 32 bytes at L2, and at DRAM 96 bytes each and 800 lines of others.
    let said = ["--l2-bytes", "102400B", "--dram-bytes", "409600B:lines"];
    assert_eq!((3200 * 32, 3200 * 96 + 800 * 128), (102_400, 409_600));
    assert_eq!(kept, bound("", &said));
    assert!(kept < bound("", &[]));
}

/// What is written is fetched, since it may be a part of a sector, and written back.
#[test]
fn what_is_written_counts_twice() {
    let stores = "st.global.u32 [%rd3], %r4;";
    let kept = bound(stores, &["--l2-keeps-launch"]);
    assert_eq!(kept, bound(stores, &["--dram-bytes", &format!("{}B:lines", 2 * 32 * 96 + 8 * 128)]));
}

/// What is not understood counts each time, and takes room.
#[test]
fn what_is_not_understood_counts_each_time() {
    let gather = "mul.wide.u32 %rd5, %r4, 4;\nadd.s64 %rd6, %rd1, %rd5;\nld.global.u32 %r20, [%rd6];";
    let refused = time(gather, &["--gpu", "jetson-orin-nano", "--l2-keeps-launch"]).unwrap_err();
    assert!(refused.contains("may touch") && refused.contains("lines 20 go"), "{refused}");
    // There is room for what so few blocks touch.
    let some = |flags: &[&str]| {
        let flags: Vec<&str> = flags.iter().copied().chain(["--gpu", "h100"]).collect();
        time(gather, &flags).unwrap()
    };
    let kept = some(&["--l2-keeps-launch"]);
    let open = kept["assumes"]
        .as_array()
        .unwrap()
        .iter()
        .any(|what| what.as_str().unwrap().contains("in lines 20 touch"));
    assert!(open, "{kept}");
    let alone = bound("", &["--l2-keeps-launch", "--gpu", "h100"]);
    let kept = kept["bound_cycles"].as_u64().unwrap();
    assert!(alone < kept && kept < some(&[])["bound_cycles"].as_u64().unwrap());
}

#[test]
fn the_answer_names_the_assumption() {
    let found = time("", &["--l2-keeps-launch", "--l1-keeps-block"]).unwrap();
    let provided: Vec<&str> =
        found["provided"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert!(provided.contains(&"L2 keeps what the launch touches"), "{provided:?}");
    assert!(provided.contains(&"the first cache keeps what a block reads"), "{provided:?}");
    assert!(found["memory"]["undeclared_bound_ns"].as_u64() > found["bound_ns"].as_u64());
    assert_eq!(found["memory"]["declared"], false);
}

#[test]
fn what_cannot_be_kept_is_refused() {
    let refused = |flags: &[&str]| time("", flags).unwrap_err();
    // Eight blocks of 1 KiB at once.
    let why = refused(&["--l1-keeps-block=5KiB"]);
    assert!(why.contains("may touch 6144 bytes") && why.contains("has 5120"), "{why}");
    assert!(refused(&["--l1-keeps-block=much"]).contains("want bytes"));
    assert!(refused(&["--l2-keeps-launch", "--co-running", "k.ptx:k:1:32"]).contains("cannot be used with"));
    let why = refused(&["--gpu", "jetson-tx2", "--l1-keeps-block"]);
    assert!(
        why.contains("compiled") || why.contains("the size of the first cache of 6.2 is not known"),
        "{why}"
    );
}
