//! What is both declared and shown by the code: the smaller number counts, whoever says it.

use std::collections::BTreeMap;
use std::fs;

use assert_cmd::Command;
use proptest::prelude::*;
use serde_json::Value;

use crate::common::{assumption, assumptions};

/// A loop of `passes` passes that reads words `stride` words apart at a place that follows from the thread, then words at a place that
/// follows from nothing known, and a constant.
fn kernel(passes: u64, stride: u64) -> String {
    format!(
        ".version 8.0\n.target sm_90\n.address_size 64\n.const .align 4 .b8 table[16];\n\
         .visible .entry k(.param .u64 a, .param .u64 b)\n{{\n\
         ld.param.u64 %rd1, [a];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, {};\nadd.s64 %rd3, %rd1, %rd2;\n\
         mov.u32 %r2, 0;\nld.global.u32 %r6, [%rd3];\nLOOP:\nld.global.u32 %r3, [%rd3];\nadd.s32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r2, {passes};\n\
         @%p1 bra LOOP;\nld.param.u64 %rd4, [b];\nmul.wide.u32 %rd6, %r1, 8;\nadd.s64 %rd7, %rd4, %rd6;\n\
         ld.global.nc.u64 %rd5, [%rd7];\nAGAIN:\nld.global.u32 %r4, [%rd5];\n\
         ld.global.u64 %rd5, [%rd5+8];\nsetp.ne.u64 %p2, %rd5, 0;\n@%p2 bra AGAIN;\nret;\n}}\n",
        4 * stride
    )
}

/// What a command says of the kernel, or its only line of error.
fn run(command: &str, code: &str, flags: &[String]) -> Result<Value, String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("k.ptx");
    fs::write(&file, code).unwrap();
    let output = Command::cargo_bin("warpspan")
        .unwrap()
        .args([command, "k.ptx", "--format", "json"])
        .current_dir(folder.path())
        .args(flags)
        .output()
        .unwrap();
    match output.status.code() {
        Some(0 | 3 | 5) => Ok(serde_json::from_slice(&output.stdout).unwrap()),
        code => {
            let error = String::from_utf8(output.stderr).unwrap();
            assert_eq!((code, error.lines().count()), (Some(2), 1), "{error}");
            Err(error)
        }
    }
}

fn time(code: &str, flags: &[String]) -> Result<Value, String> {
    let sizes = ["--gpu", "h100", "--grid", "64", "--block", "64", "--param", "pointers=*256"];
    let mut all: Vec<String> = sizes.map(str::to_owned).to_vec();
    if !flags.windows(2).any(|two| two[0] == "--loop-bound" && two[1].starts_with("AGAIN")) {
        all.extend(["--loop-bound", "AGAIN=5"].map(str::to_owned));
    }
    all.extend_from_slice(flags);
    run("time", code, &all)
}

fn bound(found: &Value) -> u64 {
    found["bound_cycles"].as_u64().unwrap()
}

fn flags(all: &[&str]) -> Vec<String> {
    all.iter().map(|&flag| flag.to_owned()).collect()
}

/// The sentences that say that a declaration is too large to be of use.
fn larger(found: &Value) -> Vec<&str> {
    let all = found["notes"].as_array().unwrap().iter().filter_map(Value::as_str);
    all.filter(|what| what.starts_with("[declared.larger]")).collect()
}

#[test]
fn the_smaller_bound_of_a_loop_counts() {
    let code = kernel(50, 1);
    let plain = time(&code, &[]).unwrap();
    let more = time(&code, &flags(&["--loop-bound", "LOOP=1000"])).unwrap();
    assert_eq!(bound(&more), bound(&plain));
    assert_eq!(
        larger(&more),
        [
            "[declared.larger] loop LOOP (line 14): your declaration of 1000 is larger than what the code shows (50), which counts"
        ]
    );
    let same = time(&code, &flags(&["--loop-bound", "LOOP=50"])).unwrap();
    assert_eq!((&same["notes"], bound(&same)), (&plain["notes"], bound(&plain)));
    // That of the loop that the code does not count is declared in both.
    let bounds = |found| assumptions(found, "loop.bound").len();
    assert_eq!((bounds(&same), bounds(&plain), bounds(&more)), (1, 1, 1));
    let error = time(&code, &flags(&["--loop-bound", "LOOP=49"])).unwrap_err();
    assert_eq!(
        error,
        "warpspan: k.ptx:14: loop LOOP: 49 is declared for the iterations of a warp, and the code makes 50: want 50 or more\n"
    );
    // What is shown is no more than that where another way leaves the loop.
    let left = code
        .replace("LOOP:\n", "LOOP:\nsetp.eq.u32 %p3, %r3, 7;\n@%p3 bra OUT;\n")
        .replace("AGAIN:", "OUT:\nmov.u32 %r7, 0;\nAGAIN:");
    let [less, all] = ["LOOP=20", "LOOP=90"]
        .map(|given| bound(&time(&left, &flags(&["--uniform", "19", "--loop-bound", given])).unwrap()));
    assert!(less < all && all == bound(&time(&left, &flags(&["--uniform", "19"])).unwrap()));
    // In a file of declarations, too, and in the record of `extract`.
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), "LOOP = 1000\nAGAIN = 5\n").unwrap();
    let of_file = flags(&["--loop-bounds", file.path().to_str().unwrap()]);
    assert_eq!(bound(&time(&code, &of_file).unwrap()), bound(&plain));
    let found = run("extract", &code, &of_file).unwrap();
    let loops = &found["entries"][0]["loop_bounds"];
    assert_eq!(
        (&loops[0]["most"], &loops[0]["declared"], &loops[0]["inferred"]),
        (&50.into(), &1000.into(), &true.into())
    );
    assert_eq!((&loops[1]["most"], &loops[1]["inferred"]), (&5.into(), &false.into()));
    assert!(found["entries"][0]["notes"].to_string().contains("[declared.larger] loop LOOP"));
}

/// A total of a loop whose passes the code shows for each warp.
#[test]
fn a_total_replaces_no_smaller_count() {
    let code = kernel(50, 1);
    let plain = time(&code, &[]).unwrap();
    let total = |number: u64| time(&code, &flags(&["--loop-total", &format!("LOOP={number}")]));
    let large = total(1_000_000).unwrap();
    assert_eq!(bound(&large), bound(&plain));
    assert!(larger(&large)[0].contains("1000000 iterations of all warps"), "{large}");
    // All of the 128 warps make 50 passes each.
    for less in [49, 6399] {
        assert!(
            total(less)
                .unwrap_err()
                .contains("for the iterations of all warps together, and the code makes 6400")
        );
    }
    assert_eq!(bound(&total(6400).unwrap()), bound(&plain));
}

#[test]
fn fewer_transactions_count() {
    let code = kernel(50, 1);
    let plain = time(&code, &[]).unwrap();
    let two = time(&code, &flags(&["--transactions", "LOOP=2"])).unwrap();
    assert_eq!(bound(&two), bound(&plain));
    assert_eq!(
        larger(&two),
        [
            "[declared.larger] transactions in lines 14, 21: your declaration of 2 is larger than what the code shows (1), which counts"
        ]
    );
    // Words 2 words apart lie in two lines, for certain where the kernel begins.
    let error = time(&kernel(50, 2), &flags(&["--transactions", "12=1"])).unwrap_err();
    assert!(
        error.starts_with("warpspan: k.ptx:12: 1 transaction is declared") && error.contains("need 2"),
        "{error}"
    );
    // What nothing shows is what is declared, and no more than the worst.
    let of = |given: &str| bound(&time(&code, &flags(&["--transactions", given])).unwrap());
    assert!(of("AGAIN=1") < of("AGAIN=31"));
    assert_eq!((of("AGAIN=32"), of("AGAIN=99")), (bound(&plain), bound(&plain)));
}

/// Constants are in their cache whatever is declared of all accesses.
#[test]
fn constants_are_not_touched() {
    let text = "\tcode for sm_90\n\t\tFunction : k\n\t.headerflags @\"EF_CUDA_SM90\"\n\
                /*0000*/ LDC R1, c[0x0][0x28] ;\n/*0010*/ LDC.64 R2, c[0x0][0x210] ;\n/*0020*/ LDG.E R4, [R2.64] ;\n\
                /*0030*/ EXIT ;\n/*0040*/ BRA 0x40;\n\t\t..........\n";
    let letters = |more: &[&str]| {
        let all = [&["--machine", "h100", "--param", "blockDim.x=32"], more].concat();
        let found = run("extract", text, &flags(&all)).unwrap();
        let used = found["entries"][0]["machine"]["letters"].as_array().unwrap().clone();
        let names = used.iter().map(|one| one["name"].as_str().unwrap().to_owned());
        names.filter(|name| name.starts_with("CONST")).collect::<Vec<_>>()
    };
    let plain = letters(&[]);
    assert!(!plain.is_empty() && plain.iter().all(|name| !name.contains("load")), "{plain:?}");
    assert_eq!(letters(&["--transactions", "*=1"]), plain);
    assert_eq!(letters(&["--transactions", "*=7"]), plain);
}

/// The listing says how many registers a thread has.
#[test]
fn resources_are_what_the_listing_says() {
    let code = kernel(50, 1).replace("u64 b)\n", "u64 b)\n.maxnreg 64\n");
    let registers = |number: &str| time(&code, &flags(&["--registers", number]));
    assert_eq!(registers("200").unwrap()["residency"], time(&code, &[]).unwrap()["residency"]);
    assert!(larger(&registers("200").unwrap())[0].contains("--registers: your declaration of 200"));
    assert!(larger(&registers("64").unwrap()).is_empty());
    let shared = kernel(50, 1).replace("LOOP:\n", ".shared .align 4 .b8 w[400];\nLOOP:\n");
    let of = |number: &str| time(&shared, &flags(&["--shared", number]));
    assert!(of("399").unwrap_err().contains("want 400 or more"));
    assert!(larger(&of("401").unwrap())[0].contains("--shared"));
}

/// Where a kernel really does so much, no declaration raises its bound, and the smaller of two numbers is what counts.
#[test]
fn no_declaration_raises_a_bound() {
    let cases = ProptestConfig { cases: 24, ..ProptestConfig::default() };
    proptest!(cases, |(passes in 2_u64..40, stride in 1_u64..40, declared in 1_u64..80, each in 1_u64..40, all in any::<bool>())| {
        let code = kernel(passes, stride);
        let plain = time(&code, &[]).unwrap();
        let label = if all { "*" } else { "LOOP" };
        let given = [format!("LOOP={declared}"), format!("{label}={each}")];
        let found = time(&code, &flags(&["--loop-bound", &given[0], "--transactions", &given[1]]));
        // 32 words `stride` words apart lie in so many lines, from a multiple of 128 bytes on.
        let lines = (31 * stride / 32 + 1).min(32);
        if declared < passes || all && each < lines {
            prop_assert!(found.is_err(), "{declared} of {passes}, {each} of {lines}");
            return Ok(());
        }
        let found = found.unwrap();
        prop_assert!(bound(&found) <= bound(&plain), "{} above {}", bound(&found), bound(&plain));
        let smaller = [format!("LOOP={}", declared.min(passes)), format!("{label}={}", each.min(lines))];
        let same = time(&code, &flags(&["--loop-bound", &smaller[0], "--transactions", &smaller[1]])).unwrap();
        if !all {
            prop_assert_eq!(bound(&found), bound(&same));
            prop_assert!(each < lines || bound(&found) == bound(&plain));
        }
    });
}

/// Every kernel of the corpus with every loop and access declared as large as possible, and as the code shows it.
#[test]
fn declarations_of_the_corpus_raise_nothing() {
    let mut seen = BTreeMap::new();
    for name in ["tests/data/code/flow.ptx", "docs/tutorial/conv.sm_87.sass", "docs/tutorial/conv.sm_62.sass"]
    {
        let run = |more: &[String]| {
            let sizes =
                ["--machine", "jetson-orin", "--param", "blockDim.x=64", "--warps", "4", "--format", "json"];
            let output = Command::cargo_bin("warpspan")
                .unwrap()
                .arg("extract")
                .arg(name)
                .args(sizes)
                .args(more)
                .output()
                .unwrap();
            serde_json::from_slice::<Value>(&output.stdout).ok()
        };
        let Some(plain) = run(&[]) else { continue };
        for entry in plain["entries"].as_array().unwrap() {
            let mut more = flags(&["--entry", entry["name"].as_str().unwrap(), "--transactions", "*=32"]);
            for one in entry["loop_bounds"].as_array().unwrap().iter().filter(|one| one["inferred"] == true) {
                let label = one["label"].as_str().unwrap();
                more.extend(flags(&[
                    "--loop-bound",
                    &format!("{label}={}", one["most"].as_u64().unwrap() + 7),
                ]));
            }
            let Some(found) = run(&more) else { continue };
            let of = |record: &Value| {
                record["entries"].as_array().unwrap().iter().find(|one| one["name"] == entry["name"]).unwrap()
                    ["machine"]["bound"]["upper"]
                    .as_u64()
            };
            assert!(
                of(&plain).is_none_or(|plain| of(&found).is_some_and(|found| found <= plain)),
                "{}",
                entry["name"]
            );
            *seen.entry(name).or_insert(0) += usize::from(of(&found).is_some());
        }
    }
    assert!(seen.values().sum::<usize>() > 5, "{seen:?}");
}

/// PTX may say for which sizes of a block it is compiled.
#[test]
fn a_required_block_is_its_size() {
    let code = kernel(50, 1).replace("u64 b)\n", "u64 b)\n.reqntid 64\n.minnctapersm 2\n");
    let sectors = |code: &str, more: &[&str]| {
        let all = [&["--machine", "h100", "--param", "pointers=*256"], more].concat();
        let found = run("extract", code, &flags(&all)).unwrap();
        let memory = found["entries"][0]["memory"].as_array().unwrap().clone();
        let is_load = |one: &&Value| {
            let line = one["line"].as_u64().and_then(|line| usize::try_from(line).ok()).unwrap();
            code.lines().nth(line - 1).unwrap().starts_with("ld.global.u32 %r3")
        };
        memory.iter().find(is_load).unwrap()["sectors"].as_u64()
    };
    let known = sectors(
        &kernel(50, 1),
        &["--param", "blockDim.x=64", "--param", "blockDim.y=1", "--param", "blockDim.z=1"],
    );
    assert_eq!((known, sectors(&code, &[]), sectors(&kernel(50, 1), &[])), (Some(4), Some(4), Some(32)));
    let error = run("extract", &code, &flags(&["--param", "blockDim.x=128"])).unwrap_err();
    let compiled = "k is compiled for blocks of 64 x 1 x 1 threads (.reqntid)";
    assert!(error.contains(&format!("--param: blockDim.x = 128: {compiled}: want 64")), "{error}");
    let error = run("extract", &code, &flags(&["--param", "blockDim.y=2"])).unwrap_err();
    assert!(error.contains(&format!("blockDim.y = 2: {compiled}: want 1")), "{error}");
    assert!(run("extract", &code, &flags(&["--param", "blockDim.x=1..64"])).is_ok());
    // A launch of `time` has 64 threads.
    assert!(time(&code, &[]).is_ok());
    let two = code.replace(".reqntid 64\n", ".reqntid 32, 2 .maxnreg 64\n");
    let error = time(&two, &[]).unwrap_err();
    let compiled =
        "k is compiled for blocks of 32 x 2 x 1 threads (.reqntid), not 64 x 1 x 1: want --block 32x2x1";
    assert!(error.contains(compiled) && !error.contains("--param"), "{error}");
    // PTX writes numbers in octal too.
    assert!(time(&code.replace(".reqntid 64\n", ".reqntid 0100\n"), &[]).is_ok());
    assert!(time(&code.replace(".reqntid 64\n", ".reqntid 064\n"), &[]).unwrap_err().contains("of 52 x"));
}

/// Atomic operations are accesses of memory too.
#[test]
fn the_record_has_atomic_operations() {
    let code = kernel(50, 1).replace(
        "AGAIN:\n",
        ".shared .align 4 .b8 w[400];\natom.global.add.u32 %r5, [%rd3], 1;\nred.shared.add.u32 [w], 1;\nAGAIN:\n",
    );
    let all = [
        "--machine",
        "h100",
        "--param",
        "pointers=*256",
        "--param",
        "blockDim.x=64",
        "--param",
        "blockDim.y=1",
        "--param",
        "blockDim.z=1",
    ];
    let found = run("extract", &code, &flags(&all)).unwrap();
    let of = |line: u64| {
        let memory = found["entries"][0]["memory"].as_array().unwrap();
        memory.iter().find(|one| one["line"] == line).unwrap_or_else(|| panic!("{line}: {memory:?}")).clone()
    };
    assert_eq!(
        (&of(23)["space"], &of(23)["sectors"], &of(23)["lines"]),
        (&"global".into(), &4.into(), &1.into())
    );
    assert_eq!((&of(24)["space"], of(24)["conflict"].is_u64()), (&"shared".into(), true));
}

/// What is said of something that the code does not read, or that cannot be reached, changes nothing, and the answer says so.
#[test]
fn what_is_declared_in_vain_is_a_note() {
    let code = kernel(50, 1).replace("u64 b)", "u64 b, .param .u32 spare)");
    let plain = time(&code, &[]).unwrap();
    let in_vain = |found: &Value| {
        let all = found["notes"].as_array().unwrap().iter().filter_map(Value::as_str);
        all.filter(|what| what.starts_with("[declared.unused]")).map(str::to_owned).collect::<Vec<_>>()
    };
    for name in ["spare", "2"] {
        let found = time(&code, &flags(&["--param", &format!("{name}=7")])).unwrap();
        assert_eq!(bound(&found), bound(&plain));
        let want = format!("[declared.unused] the value of {name}: the code reads no integer of this name");
        assert_eq!(in_vain(&found), [want]);
    }
    for name in ["sparse", "3"] {
        assert!(
            time(&code, &flags(&["--param", &format!("{name}=7")]))
                .unwrap_err()
                .contains("no entry of k.ptx reads")
        );
    }
    // The loop behind the second load is left out.
    let left = flags(&["--unreachable", "AGAIN", "--loop-bound", "AGAIN=5"]);
    let code = code
        .replace("AGAIN:\n", "setp.eq.u64 %p4, %rd5, 0;\n@%p4 bra OUT;\nAGAIN:\n")
        .replace("ret;", "OUT:\nret;");
    let found = time(&code, &left).unwrap();
    assert_eq!(
        in_vain(&found),
        [
            "[declared.unused] the bound of loop AGAIN: control never reaches it, as a declaration of what is unreachable says"
        ]
    );
    assert!(bound(&found) < bound(&time(&code, &[]).unwrap()));
    assert!(time(&code, &flags(&["--unreachable", "AGAIN", "--loop-bound", "AGAINST=5"])).is_err());
}

/// A `while` loop that the code leaves at once has no passes left to be counted over all warps.
#[test]
fn a_total_of_a_loop_of_one_pass() {
    let code = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\nmov.u32 %r1, 0;\nH0:\nsetp.ge.s32 %p1, %r1, 0;\n\
                @%p1 bra E0;\nadd.s32 %r1, %r1, 1;\nbra H0;\nE0:\nret;\n}\n";
    let time = |flag: &[&str]| {
        let sizes = ["--gpu", "h100", "--grid", "3", "--block", "64"];
        run("time", code, &flags(&[&sizes, flag].concat()))
    };
    for total in ["H0=6", "H0=7"] {
        let [found, plain] = [&["--loop-total", total][..], &[]].map(|flags| bound(&time(flags).unwrap()));
        assert_eq!(found, plain, "{total}");
    }
    // Each of the six warps comes to the loop.
    assert!(time(&["--loop-total", "H0=5"]).unwrap_err().contains("and the code makes 6: want 6 or more"));
}

/// A loop of `n` passes behind a branch.
fn counted(guard: &str) -> String {
    format!(
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 a, .param .u32 n)\n{{\n\
         ld.param.u64 %rd1, [a];\nld.param.u32 %r1, [n];\nmov.u32 %r2, 0;\n{guard}\nH0:\nadd.u32 %r2, %r2, 1;\n\
         setp.lt.u32 %p1, %r2, %r1;\n@%p1 bra H0;\nOUT:\nret;\n}}\n"
    )
}

fn time_of_counted(guard: &str, more: &[&str]) -> Result<Value, String> {
    let sizes = ["--gpu", "h100", "--grid", "8", "--block", "64"];
    run("time", &counted(guard), &flags(&[&sizes, more].concat()))
}

fn says(found: &Value, id: &str) -> Vec<String> {
    let all = found["notes"].as_array().unwrap().iter().filter_map(Value::as_str);
    all.filter(|what| what.starts_with(id)).map(str::to_owned).collect()
}

/// Of a range of values the least count is what no declaration may be below.
#[test]
fn a_range_of_a_parameter_has_a_least_count() {
    let of = |param: &str, given: &str| time_of_counted("", &["--param", param, "--loop-bound", given]);
    for given in ["H0=5", "H0=6"] {
        let error = of("n=7..50", given).unwrap_err();
        assert!(error.contains("the code makes 7: want 7 or more"), "{error}");
    }
    let between = ["H0=7", "H0=20", "H0=50", "H0=51"].map(|given| bound(&of("n=7..50", given).unwrap()));
    assert!(between.is_sorted() && between[2] == between[3] && between[0] < between[1], "{between:?}");
    assert!(of("n=0..50", "H0=1").is_ok() && of("n=1..50", "H0=1").is_ok() && of("n=2..50", "H0=1").is_err());
    let total = |given: &str| time_of_counted("", &["--param", "n=7..50", "--loop-total", given]);
    assert!(total("H0=111").unwrap_err().contains("want 112 or more") && total("H0=112").is_ok());
}

/// A loop to which no warp may come can be declared with any number, which then says that none comes.
#[test]
fn a_declaration_may_say_that_a_loop_is_never_reached() {
    let read = "ld.global.u32 %r5, [%rd1];\nsetp.eq.u32 %p2, %r5, 1;\n@%p2 bra OUT;";
    let of = |guard: &str, more: &[&str]| {
        let branch = if guard.ends_with("OUT;") { "OUT" } else { "11" };
        time_of_counted(guard, &[&["--param", "n=7..9", "--uniform", branch], more].concat())
    };
    let plain = of(read, &[]).unwrap();
    for flag in ["--loop-bound", "--loop-total"] {
        let found = of(read, &[flag, "H0=5"]).unwrap();
        let said = assumption(&found, "loop.unreached").unwrap();
        assert_eq!((&said["kind"], &said["subject"]), (&"declared".into(), &"loop H0 (line 13)".into()));
        assert!(said["value"].as_str().unwrap().ends_with("each that does makes 7"), "{said}");
        assert!(bound(&found) <= bound(&plain));
        assert!(assumption(&of(read, &[flag, "H0=7"]).unwrap(), "loop.unreached").is_none());
    }
    // The way around it is one that no thread takes.
    let never = "setp.eq.u32 %p2, %r1, 0;\n@%p2 bra OUT;";
    assert!(of(never, &["--loop-bound", "H0=5"]).unwrap_err().contains("want 7 or more"));
    // A thread may end before.
    let ends = "ld.global.u32 %r5, [%rd1];\nsetp.eq.u32 %p2, %r5, 1;\n@%p2 exit;";
    assert!(assumption(&of(ends, &["--loop-bound", "H0=5"]).unwrap(), "loop.unreached").is_some());
}

/// Of several bounds of a loop the smallest counts, and the answer says so.
#[test]
fn the_smallest_declaration_of_a_loop_counts() {
    let folder = tempfile::tempdir().unwrap();
    let [label, line] = ["H0 = 9\n", "11 = 9\n"].map(|text| {
        let file = folder.path().join(format!("{}.toml", &text[..2]));
        fs::write(&file, text).unwrap();
        file.to_str().unwrap().to_owned()
    });
    let one = time_of_counted("", &["--loop-bound", "H0=5"]).unwrap();
    assert!(says(&one, "[declared.twice]").is_empty());
    let pairs: [&[&str]; 6] = [
        &["--loop-bound", "H0=5", "--loop-bound", "H0=9"],
        &["--loop-bound", "H0=9", "--loop-bound", "H0=5"],
        &["--loop-bound", "H0=5", "--loop-bound", "11=9"],
        &["--loop-bound", "H0=9", "--loop-bound", "11=5"],
        &["--loop-bounds", &label, "--loop-bound", "H0=5"],
        &["--loop-bounds", &line, "--loop-bound", "H0=5"],
    ];
    for pair in pairs {
        let found = time_of_counted("", pair).unwrap();
        assert_eq!(bound(&found), bound(&one), "{pair:?}");
        assert_eq!(
            says(&found, "[declared.twice]"),
            [
                "[declared.twice] loop H0 (line 11): 5 and 9 iterations are declared: the smaller number counts"
            ],
            "{pair:?}"
        );
    }
    let totals = |all: &[&str]| {
        let given = all.iter().flat_map(|total| ["--loop-total", total]).collect::<Vec<_>>();
        bound(&time_of_counted("", &given).unwrap())
    };
    assert_eq!(totals(&["H0=90", "11=50"]), totals(&["H0=50"]));
    assert!(totals(&["H0=50"]) < totals(&["H0=90"]));
    // Twice the same is no news, and what is nowhere is still an error.
    let same = time_of_counted("", &["--loop-bound", "H0=5", "--loop-bound", "11=5"]).unwrap();
    assert!(says(&same, "[declared.twice]").is_empty());
    assert!(time_of_counted("", &["--loop-bound", "H0=5", "--loop-bound", "12=5"]).is_err());
}

/// More transactions than a warp can need do not count, whatever the code shows.
#[test]
fn more_transactions_than_lanes_are_named() {
    let code = kernel(50, 1);
    let of = |given: &str| time(&code, &flags(&["--transactions", given])).unwrap();
    let line = 1 + code.lines().position(|line| line.contains("[%rd5];")).unwrap();
    let of_line = |number: u64| of(&format!("{line}={number}"));
    assert!(larger(&of_line(31)).is_empty() && larger(&of_line(32)).is_empty());
    let more = of_line(1000);
    let want = format!(
        "transactions in line {line}: your declaration of 1000 is larger than what the code shows (32), which counts"
    );
    assert_eq!(larger(&more), [format!("[declared.larger] {want}")]);
    assert_eq!(bound(&more), bound(&time(&code, &[]).unwrap()));
}

/// A launch of more threads in a block than the kernel is compiled for fails.
#[test]
fn a_block_has_no_more_threads_than_are_compiled_for() {
    let of =
        |most: &str| time(&kernel(50, 1).replace("u64 b)\n", &format!("u64 b)\n.maxntid {most}\n")), &[]);
    assert!(of("64").is_ok() && of("32, 2").is_ok() && of("128, 1, 1").is_ok());
    assert!(of("63").unwrap_err().contains("is compiled for 63 threads a block at most, not 64"));
    let attribute = |name: &str, words: [u64; 3]| {
        let words = words.map(|word| format!("\t.word\t{word:#010x}\n")).concat();
        let code = "\t.section\t.text.k,\"ax\",@progbits\n\t.sectioninfo\t@\"SHI_REGISTERS=26\"\n.text.k:\n\
                    \t.headerflags @\"EF_CUDA_SM90\"\n/*0000*/ LDC R1, c[0x0][0x28] ;\n/*0010*/ EXIT ;\n/*0020*/ BRA 0x20;\n";
        let text = format!(
            "\t.section\t.nv.info.k,\"\",@\"SHT_CUDA_INFO\"\n\t//----- nvinfo : {name}\n\t.align\t4\n\t.byte\t0x04, 0x10\n\
             \t.short\t(.L_2 - .L_1)\n\t.align\t4\n.L_1:\n{words}.L_2:\n{code}"
        );
        run("time", &text, &flags(&["--gpu", "h100", "--grid", "4", "--block", "64"]))
    };
    assert!(
        attribute("EIATTR_REQNTID", [64, 1, 1]).is_ok()
            && attribute("EIATTR_MAX_THREADS", [128, 1, 1]).is_ok()
    );
    let other = attribute("EIATTR_REQNTID", [128, 1, 1]).unwrap_err();
    assert!(
        other.contains(
            "k is compiled for blocks of 128 x 1 x 1 threads (.reqntid), not 64 x 1 x 1: want --block 128x1x1"
        ),
        "{other}"
    );
    let more = attribute("EIATTR_MAX_THREADS", [32, 1, 1]).unwrap_err();
    assert!(more.contains("k is compiled for 32 threads a block at most, not 64"), "{more}");
}
