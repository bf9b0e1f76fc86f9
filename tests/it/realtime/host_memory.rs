//! Memory of the host: what an answer assumes of pointers, and what it is worth if they may be to memory over a link.

use assert_cmd::Command;
use serde_json::Value;
use tempfile::{TempDir, tempdir};

use crate::common::{assumption, assumptions};

/// A kernel in which each thread does this at its place of an array of words.
fn kernel(body: &str) -> (TempDir, String) {
    let folder = tempdir().unwrap();
    let file = folder.path().join("k.ptx");
    let code = format!(
        ".version 8.0\n.target sm_87\n.address_size 64\n.visible .entry k(.param .u64 a)\n{{\nld.param.u64 %rd1, [a];\n\
         mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmad.lo.u32 %r3, %r2, 256, %r1;\nmul.wide.u32 %rd2, %r3, 4;\n\
         add.s64 %rd3, %rd1, %rd2;\n{body}\nret;\n}}\n"
    );
    std::fs::write(&file, code).unwrap();
    let file = file.display().to_string();
    (folder, file)
}

fn run(args: &[&str]) -> (String, String, Option<i32>) {
    let output = Command::cargo_bin("warpspan").unwrap().args(args).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code())
}

/// The record of a launch of blocks of 256 threads.
fn time(body: &str, grid: &str, flags: &[&str]) -> Value {
    let (_folder, file) = kernel(body);
    let fixed = ["time", &file, "--gpu", "jetson-orin", "--grid", grid, "--block", "256", "--format", "json"];
    let (out, error, _) = run(&[&fixed[..], &["--param", "pointers=*256"], flags].concat());
    serde_json::from_str(&out).unwrap_or_else(|_| panic!("{flags:?}: {error}"))
}

fn bound(body: &str, grid: &str, flags: &[&str]) -> u64 {
    time(body, grid, flags)["bound_ns"].as_u64().unwrap()
}

const LOAD: &str = "ld.global.u32 %r4, [%rd3];";
const STORE: &str = "st.global.u32 [%rd3], 1;";

#[test]
fn that_pointers_are_to_memory_of_the_gpu_is_a_condition() {
    let plain = time(LOAD, "64", &[]);
    let device = assumption(&plain, "memory.device").unwrap();
    assert_eq!((&device["kind"], &device["remedy"]), (&"assumed".into(), &"--host-memory RATE,TIME".into()));
    assert!(
        device["value"].as_str().unwrap().starts_with("all to memory of the GPU: none to that of the host")
    );
    assert_eq!(assumption(&plain, "memory.host"), None);
    // What reaches no memory rests on none.
    let none = time("add.u32 %r4, %r3, 1;", "64", &[]);
    for id in ["memory.device", "memory.host", "memory.unlimited", "dram.rate", "dram.spread", "server.rate"]
    {
        assert_eq!(assumption(&none, id), None);
    }
    let host = time(LOAD, "64", &["--host-memory", "20GB/s,2us"]);
    let link = assumption(&host, "memory.host").unwrap();
    assert_eq!((&link["kind"], &link["source"]), (&"declared".into(), &"--host-memory".into()));
    assert_eq!(link["value"], "20 GB/s in lines (adds 2 us to an access at most)");
    // Then pointers may be to both memories, and no flag says more.
    let device = assumption(&host, "memory.device").unwrap();
    assert_eq!((&device["kind"], &device["remedy"]), (&"assumed".into(), &Value::Null));
    assert!(
        device["value"].as_str().unwrap().starts_with("to memory of this GPU or of the host"),
        "{device}"
    );
    // All of it has its name in the text.
    let (_folder, file) = kernel(LOAD);
    let flags = ["--gpu", "jetson-orin", "--grid", "64", "--block", "256", "--assumptions"];
    let (text, ..) = run(&[&["time", &file][..], &flags].concat());
    assert!(text.contains("pointers: all to memory of the GPU"), "{text}");
    assert!(text.contains(" [memory.device; else --host-memory RATE,TIME]\n"), "{text}");
}

/// No launch ends before its bytes have come over the link, each written one twice, and one access has taken the time that it adds.
#[test]
fn all_bytes_come_over_the_link() {
    let bytes = 65_536 * 256 * 4_u64;
    for rate in [5, 16] {
        let link = format!("{rate}GB/s,1us");
        let flags = ["--host-memory", link.as_str()];
        assert!(bound(LOAD, "65536", &flags) >= bytes / rate, "{rate}");
        assert!(bound(STORE, "65536", &flags) >= 2 * bytes / rate, "{rate}");
    }
    assert!(bound(LOAD, "65536", &[]) < bytes / 5);
    // A sector that comes alone may cost the link a line.
    let alone = "mul.wide.u32 %rd4, %r3, 128;\nadd.s64 %rd5, %rd1, %rd4;\nld.global.u32 %r4, [%rd5];";
    assert!(bound(alone, "4096", &["--host-memory", "16GB/s,1us"]) >= 4096 * 256 * 128 / 16);
}

#[test]
fn each_access_takes_the_time_that_the_link_adds() {
    // Two loads, the second of which needs the first.
    let chain = "ld.global.u64 %rd4, [%rd3];\nld.global.u32 %r4, [%rd4];";
    for body in [LOAD, STORE, chain, "membar.sys;", "atom.global.add.u32 %r4, [%rd3], 1;"] {
        let of = |time: &str| bound(body, "1", &["--host-memory", &format!("20GB/s,{time}")]);
        let accesses = if body == chain { 2 } else { 1 };
        assert!(of("1us") >= accesses * 1_000, "{body}");
        assert!(of("41us") >= of("1us") + accesses * 40_000, "{body}");
    }
    // Lanes of one address may come one after the other, each over the link and back.
    let one = "atom.global.add.u32 %r4, [%rd1], 1;";
    assert!(bound(one, "4", &["--host-memory", "20GB/s,1us"]) >= 4 * 256 * 1_000);
    // What is said of a letter is said of the memory of the GPU.
    let given = ["--latency-of", "GLOBAL=100", "--host-memory", "20GB/s,50us"];
    assert!(bound(LOAD, "1", &given) >= 50_000);
}

/// At another clock the time that the link adds is as long.
#[test]
fn a_range_of_clocks_covers_each_of_them() {
    let chain = "ld.global.u64 %rd4, [%rd3];\nld.global.u64 %rd5, [%rd4];\nld.global.u32 %r4, [%rd5];";
    let of = |clock: &str| bound(chain, "3", &["--host-memory", "20GB/s,1733ns", "--clock", clock]);
    let all = of("617.3..1300");
    for clock in ["617.3", "700", "911.1", "1299", "1300"] {
        assert!(of(clock) <= all, "{clock}");
    }
}

#[test]
fn what_says_too_little_is_refused() {
    let (_folder, file) = kernel(LOAD);
    let refused = |flags: &[&str], what: &str| {
        let fixed = ["time", &file, "--gpu", "jetson-orin", "--grid", "64", "--block", "256"];
        let (out, error, code) = run(&[&fixed[..], flags].concat());
        assert!(code == Some(2) && out.is_empty() && error.contains(what), "{flags:?}: {error}");
    };
    let want =
        "want the least rate of the link and the longest time that it adds to an access, as 25GB/s,2us";
    for wrong in ["25GB/s", "2us", "25GB/s,2", "25,2us", "0GB/s,2us", "25GB/s,0us", ""] {
        refused(&["--host-memory", wrong], want);
    }
    refused(&["--host-memory", "300GB/s,2us"], "more than the 204.8 GB/s of the DRAM's data sheet");
    for keeps in ["--l1-keeps-block=64KiB", "--l2-keeps-launch"] {
        refused(&[keeps, "--host-memory", "25GB/s,2us"], "memory of the host may pass all caches");
    }
}

/// A rate alone takes no time into account, so no machine file has the link: the condition on pointers would go with nothing in its place.
#[test]
fn a_machine_file_has_no_link() {
    let (folder, file) = kernel(LOAD);
    let machine = folder.path().join("m.toml");
    let preset =
        std::fs::read_to_string(format!("{}/machines/sm_87.toml", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let servers = "[[server]]\nname = \"DRAM\"\nrate = \"122.8 GB/s\"\n[[server]]\nname = \"HOST\"\nrate = \"1000 GB/s\"\n";
    std::fs::write(&machine, format!("{preset}{servers}")).unwrap();
    let line = preset.lines().count() + 5;
    let machine = machine.display().to_string();
    let args =
        ["time", &file, "--gpu", "jetson-orin", "--grid", "64", "--block", "256", "--machine", &machine];
    let (out, error, code) = run(&args);
    let what = format!(
        "m.toml:{line}: server HOST: a link to memory of the host has a time that it adds to each access: want --host-memory RATE,TIME, which \
         says both"
    );
    assert!(code == Some(2) && out.is_empty() && error.contains(&what), "{error}");
}

#[test]
fn systems_say_it_too() {
    let (folder, _) = kernel(LOAD);
    let rta = |keys: &str| -> Value {
        let file = folder.path().join("s.toml");
        let text = format!(
            "unit = \"us\"\n[gpu]\npreset = \"jetson-orin\"\nclock_mhz = 1300\n{keys}\n[[kernel]]\nptx = \"k.ptx\"\nblocks = 64\n\
             threads_per_block = 256\nregisters_per_thread = 32\nshared_memory = 0\nperiod = 100000\n"
        );
        std::fs::write(&file, text).unwrap();
        let (out, error, _) = run(&["rta", &file.display().to_string(), "--format", "json"]);
        serde_json::from_str(&out).unwrap_or_else(|_| panic!("{keys}: {error}"))
    };
    let plain = rta("");
    assert_eq!(
        (assumptions(&plain, "memory.device").len(), assumptions(&plain, "clock.declared").len()),
        (1, 1)
    );
    let host = rta("host_memory = \"20GB/s, 90us\"");
    assert_eq!((assumptions(&host, "memory.device").len(), assumptions(&host, "memory.host").len()), (1, 1));
    let bound = |found: &Value| found["kernels"][0]["response_bound"].as_f64().unwrap();
    assert!(bound(&host) >= 90.0 && bound(&plain) < 90.0, "{host}");
    // The file says what the memory is.
    let (_other, listing) = kernel(LOAD);
    let system = folder.path().join("s.toml").display().to_string();
    let launch =
        ["time", &listing, "--grid", "1", "--block", "256", "--registers", "32", "--system", &system];
    let (out, error, code) = run(&[&launch[..], &["--host-memory", "1GB/s,9us"]].concat());
    assert!(
        code == Some(2) && out.is_empty() && error.contains("the memory is that of the system file"),
        "{error}"
    );
    let (out, error, _) = run(&[&launch[..], &["--format", "json"]].concat());
    let found: Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{error}"));
    let from = format!("--system {system}");
    for id in ["memory.host", "clock.declared"] {
        let one = assumption(&found, id).unwrap_or_else(|| panic!("{found}"));
        assert_eq!((&one["kind"], &one["source"]), (&"declared".into(), &from.as_str().into()), "{id}");
    }
    assert_eq!(assumption(&found, "clock.highest"), None);
    assert!(found["bound_ns"].as_u64().unwrap() >= 90_000);
}

#[test]
fn tasks_of_partitions_say_it_too() {
    let (folder, _) = kernel(LOAD);
    let partition = |keys: &str| -> Value {
        let file = folder.path().join("t.toml");
        let text = format!(
            "[gpu]\npreset = \"jetson-orin\"\nclock_mhz = 1300\n{keys}\n[[task]]\nname = \"x\"\nperiod = 100000\nkind = \"compute\"\n\
             ptx = \"k.ptx\"\nblocks = 64\nthreads_per_block = 256\nregisters_per_thread = 32\nshared_memory = 0\nk = 1\n"
        );
        std::fs::write(&file, text).unwrap();
        let (out, error, _) = run(&["partition", &file.display().to_string(), "--format", "json"]);
        serde_json::from_str(&out).unwrap_or_else(|_| panic!("{keys}: {error}"))
    };
    let plain = partition("");
    assert_eq!(
        (assumptions(&plain, "memory.device").len(), assumptions(&plain, "clock.declared").len()),
        (1, 1)
    );
    let host = partition("host_memory = \"20GB/s, 90us\"");
    assert_eq!((assumptions(&host, "memory.device").len(), assumptions(&host, "memory.host").len()), (1, 1));
}
