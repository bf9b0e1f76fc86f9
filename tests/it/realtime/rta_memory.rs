//! The memory that all multiprocessors share, in response times, partitions and launches in company.

use assert_cmd::Command;
use serde_json::Value;

use crate::common::assumption;
use warpspan::limits::Limits;
use warpspan::realtime::rta::{bound, executions, explain, read_system};

/// The record, the text and the exit code of a command on a file in the folder of the listings.
fn answer(command: &str, file: &str) -> (Value, String, i32) {
    let folder = tempfile::tempdir().unwrap();
    let listing = "stream8.sm_62.sass";
    let from = format!("{}/tests/data/memory/{listing}", env!("CARGO_MANIFEST_DIR"));
    std::fs::copy(from, folder.path().join(listing)).unwrap();
    let path = folder.path().join("file.toml");
    std::fs::write(&path, file).unwrap();
    let run = |format: &str| {
        let mut run = Command::cargo_bin("warpspan").unwrap();
        run.args(command.split(' ')).arg(&path).args(["--format", format]).output().unwrap()
    };
    let (record, text) = (run("json"), run("text"));
    let said = if record.status.code() == Some(2) { record.stderr.clone() } else { text.stdout };
    (
        serde_json::from_slice(&record.stdout).unwrap_or(Value::Null),
        String::from_utf8(said).unwrap(),
        record.status.code().unwrap(),
    )
}

/// One kernel that reads 100 MB, a sector for each thread and turn. The GPU moves 59.7 GB a second, so no launch takes less
/// than 1.76 ms.
const STREAM8: &str = include_str!("../../data/memory/rta_stream8.toml");
/// What it moves: 800 sectors for each of 4096 threads, of which nobody knows here that they are in whole lines.
const MOVED: &str = "dram_bytes = \"104857600:lines\"\nl2_bytes = \"104857600\"\n";

#[test]
fn a_kernel_takes_no_less_than_its_data() {
    let (record, text, code) = answer("rta", STREAM8);
    assert_eq!((record["verdict"].as_str(), code), (Some("undecided"), 3), "{text}");
    let bound = record["kernels"][0]["response_bound"].as_f64();
    assert!(bound.is_none_or(|bound| bound > 1.76), "{bound:?}");
    // What is declared shortens the bound, and what stands behind the verdict stands in its first line.
    let slow = STREAM8.replace("period = 10", "period = 40").replace("deadline = 0.5", "deadline = 39");
    let (record, text, code) = answer("rta", &format!("{slow}{MOVED}"));
    let bound = record["kernels"][0]["response_bound"].as_f64().unwrap();
    assert!((1.76..39.0).contains(&bound), "{bound}");
    assert_eq!(code, 0, "{text}");
    assert!(text.starts_with("schedulable proved: by the bounds"), "{text}");
    assert!(text.contains("DRAM: 35.8 GB/s in lines"), "{text}");
    assert_eq!(assumption(&record, "dram.rate").unwrap()["kind"], "assumed");
    assert!(!text.contains("by Algorithm 2"), "{text}");
    // Nobody assumes a rate that is given.
    let given = slow.replace("clock_mhz", "dram_rate = \"90%\"\nclock_mhz");
    let (faster, text, _) = answer("rta --explain", &format!("{given}{MOVED}"));
    assert!(faster["kernels"][0]["response_bound"].as_f64().unwrap() < bound);
    assert_eq!(assumption(&faster, "dram.rate").unwrap()["kind"], "declared");
    assert!(text.contains("memory: DRAM"), "{text}");
    assert_eq!(faster["kernels"][0]["explanation"]["memory"][0]["server"], "DRAM");
}

/// Transactions of a listing can be declared in the file, and not only in a file of declarations.
#[test]
fn transactions_are_a_key_of_a_kernel() {
    let slow = STREAM8.replace("period = 10", "period = 40").replace("deadline = 0.5", "deadline = 39");
    let bound = |extra: &str| {
        let (record, text, code) = answer("rta", &format!("{slow}{MOVED}{extra}"));
        assert_eq!(code, 0, "{text}");
        record["kernels"][0]["response_bound"].as_f64().unwrap()
    };
    let most = bound("");
    assert!(bound("transactions = { \"*\" = 32 }\n") <= most);
    assert!(bound("transactions = { \"*\" = 4 }\n") < most);
    let (_, text, code) = answer("rta", &format!("{slow}{MOVED}transactions = {{ \"7777\" = 4 }}\n"));
    assert_eq!(code, 2);
    assert!(
        text.contains("transactions of \"7777\": no memory instruction has this label or line"),
        "{text}"
    );
    let paper = slow.replace("unit = \"ms\"", "unit = \"ms\"\nmachine = \"paper\"");
    let (_, text, code) = answer("rta", &format!("{paper}transactions = {{ \"*\" = 4 }}\n"));
    assert_eq!(code, 2);
    assert!(text.contains("transactions are counted on a machine"), "{text}");
}

#[test]
fn the_paper_has_to_be_asked_for() {
    let paper = STREAM8.replace("unit = \"ms\"", "unit = \"ms\"\nmachine = \"paper\"");
    let (record, text, _) = answer("rta", &paper);
    assert_eq!(record["verdict"], "proved");
    assert!(text.contains("the paper's model, without latencies and memory"), "{text}");
    assert_eq!(assumption(&record, "machine.paper").unwrap()["kind"], "assumed");
    assert_eq!(assumption(&record, "clock.declared").unwrap()["value"], "1300 MHz");
    let both = STREAM8.replace("[[kernel]]", "[multiprocessor]\ncompute_capability = \"6.2\"\n[[kernel]]");
    assert!(answer("rta", &both).1.replace('\n', " ").contains("the paper's model"));
}

#[test]
fn nothing_is_proved_of_a_memory_without_limit() {
    let gpu = "preset = \"jetson-tx2\"";
    let numbers = "multiprocessors = 2\nthreads = 2048\nblocks = 32\nregisters = 65536";
    let file = STREAM8.replace("unit = \"ms\"", "unit = \"ms\"\nmachine = \"6.2\"").replace(gpu, numbers);
    let (record, text, code) = answer("rta", &file.replace("deadline = 0.5", "deadline = 9.5"));
    assert!(record["kernels"][0]["response_bound"].as_f64().unwrap() < 9.5);
    assert_eq!((record["verdict"].as_str(), code), (Some("undecided"), 3));
    assert!(text.starts_with("schedulable undecided, memory without limit:"), "{text}");
}

/// The letters of a machine that may move data are those of one list, in either case of their letters and however often they pass.
#[test]
fn all_letters_of_memory_are_known_to_need_it() {
    let all = [("LSU", "X"), ("L", "X"), ("GLOBAL", "X"), ("Lsu", "X"), ("INT", "X"), ("L", "C")];
    for (letter, other) in all {
        let file = format!(
            "unit = \"us\"\n[machine]\nissue_width = 1\n[[machine.unit]]\nname = \"{letter}\"\n[[machine.unit]]\nname = \"{other}\"\n[gpu]\n\
             multiprocessors = 2\nthreads = 1024\nclock_mhz = 1000\n[[kernel]]\ncode = \"<{letter}><{other}>\"\nblocks = 4\n\
             threads_per_block = 512\nregisters_per_thread = 32\nshared_memory = 0\nperiod = 1000\nrelease = 0\n"
        );
        let (record, said, _) = answer("rta", &file);
        // A machine of L and C is that of the paper.
        let reaches = letter != "INT" && other != "C";
        let verdict = if reaches { "undecided" } else { "proved" };
        assert_eq!(record["verdict"].as_str(), Some(verdict), "{letter}: {said}");
        assert_eq!(said.contains(", memory without limit"), reaches, "{letter}: {said}");
    }
}

/// What a listing says of its blocks is compared with what a file says of them.
#[test]
fn a_file_does_not_say_other_blocks_than_its_listing() {
    let code = |head: &str| {
        format!(
            ".version 8.0\n.target sm_87\n.address_size 64\n.visible .entry k()\n{head}\n{{\n.shared .b8 w[400];\nst.shared.u32 [w], 1;\nret;\n}}\n"
        )
    };
    let folder = tempfile::tempdir().unwrap();
    let said = |command: &str, head: &str, keys: &str| {
        std::fs::write(folder.path().join("k.ptx"), code(head)).unwrap();
        let gpu = "[gpu]\npreset = \"jetson-orin\"\nclock_mhz = 1300\n";
        let (table, more, unit) = if command == "rta" {
            ("kernel", "", "unit = \"us\"\n")
        } else {
            ("task", "k = 2\nkind = \"compute\"\n", "")
        };
        let text = format!(
            "{unit}{gpu}[[{table}]]\nname = \"a\"\nptx = \"k.ptx\"\nblocks = 4\nperiod = 100000\n{more}{keys}"
        );
        let file = folder.path().join("file.toml");
        std::fs::write(&file, text).unwrap();
        let run = Command::cargo_bin("warpspan").unwrap().arg(command).arg(&file).output().unwrap();
        (run.status.code(), String::from_utf8(run.stderr).unwrap())
    };
    let needs = "registers_per_thread = 32\nshared_memory = 400\n";
    for command in ["rta", "partition"] {
        let refused = |head: &str, keys: &str, what: &str| {
            let (code, error) = said(command, head, keys);
            assert!(code == Some(2) && error.lines().count() == 1, "{command}: {error}");
            assert!(error.contains(what), "{command}: {error}");
        };
        let fits = |head: &str, keys: &str| {
            let (code, error) = said(command, head, keys);
            assert_ne!(code, Some(2), "{command}: {error}");
        };
        let of = |threads: u64| format!("threads_per_block = {threads}\n{needs}");
        fits("", &of(16));
        fits(".reqntid 16, 2", &of(32));
        let compiled = "k is compiled for blocks of 16 x 2 x 1 threads (.reqntid): want 32";
        refused(".reqntid 16, 2", &of(16), &format!("threads_per_block = 16: {compiled}"));
        refused(".reqntid 16, 2", &of(64), &format!("threads_per_block = 64: {compiled}"));
        fits(".maxntid 64", &of(32));
        let most = "threads_per_block = 128: k is compiled for 64 threads a block at most: want 64 or fewer";
        refused(".maxntid 64", &of(128), most);
        let less = of(32).replace("400", "399");
        refused(
            "",
            &less,
            "shared_memory = 399: the listing of k shows 400 at least: want 400 or more, or no shared_memory",
        );
    }
    // Partitions want registers in any case.
    let none = format!("threads_per_block = 32\n{}", needs.replace("32", "0"));
    assert!(said("rta", "", &none).1.contains("registers_per_thread = 0: the listing of k shows 1 at least"));
}

#[test]
fn what_is_wrong_is_said_in_one_line() {
    let with = |key: &str| STREAM8.replace("clock_mhz", &format!("{key}\nclock_mhz"));
    for (key, message) in [
        ("dram_rate = \"0 GB/s\"", "dram_rate = \"0 GB/s\": want a rate above 0"),
        ("dram_rate = \"NaN\"", "dram_rate = \"NaN\": want a rate above 0"),
        ("dram_rate = \"300 GB/s\"", "300 GB/s is more than the data sheet's"),
        ("dram_spread = \"odd\"", "dram_spread = \"odd\": want \"even\" or \"none\""),
        ("dram_speed = 3", "unknown field `dram_speed`"),
    ] {
        let (_, said, code) = answer("rta", &with(key));
        assert_eq!((code, said.lines().count()), (2, 1), "{said}");
        assert!(said.contains(message), "{said}");
    }
    let beside =
        format!("{STREAM8}\n[[kernel]]\nperiod = 10\nblocks = 1\nthreads_per_block = 32\nexecution = 1\n");
    let (_, said, code) = answer("rta", &beside);
    assert!(code == 2 && said.contains("want dram_bytes = \"512 MB\""), "{said}");
    let (_, said, code) = answer("rta", &format!("{beside}dram_bytes = \"many\"\n"));
    assert!(code == 2 && said.contains("dram_bytes = \"many\": want bytes"), "{said}");
    let paper = with("dram_rate = \"50%\"").replace("unit", "machine = \"paper\"\nunit");
    assert_eq!(answer("rta", &paper).2, 2);
}

/// A GPU that holds one block at a time. L takes 1 to 4 cycles and asks one request of M.
fn two(rate: &str, before: u64, second: &str, period: u64) -> String {
    format!(
        "unit = \"cycles\"\n[gpu]\nmultiprocessors = 1\nthreads = 32\nblocks = 1\nclock_mhz = 1\n\
         [machine]\nissue_width = 1\n[[machine.unit]]\nname = \"L\"\nlatency = [1, 4]\nrequests = {{ M = 1 }}\n\
         [[machine.unit]]\nname = \"C\"\nlatency = [1, 4]\n\
         [[machine.server]]\nname = \"M\"\nrate = \"{rate}\"\nrequest = 1\nbefore = \"{before}\"\n\
         [[kernel]]\nname = \"one\"\ncode = \"L\"\nblocks = 1\nthreads_per_block = 32\nperiod = 1000\nsporadic = true\n\
         [[kernel]]\nname = \"two\"\ncode = \"{second}\"\nblocks = 1\nthreads_per_block = 32\nperiod = {period}\n\
         sporadic = true\n"
    )
}

fn bounds(file: &str) -> Vec<u64> {
    let system = read_system("test", file).unwrap();
    let (limits, solved) = (Limits::generous(), executions(&system, &Limits::generous()).unwrap());
    for explained in explain(&system, &solved, &limits) {
        let explained = explained.unwrap();
        assert_eq!(explained.total(), explained.bound);
    }
    bound(&system, &solved, &limits).into_iter().map(|bound| bound.response.unwrap().0).collect()
}

/// Without memory a block of `L` takes 4 cycles and one of `LL` 8, and each may wait for the other: 12. In that window M
/// is asked 1 + 2, and 3 from before. At half a request a cycle, these take 6 / (1/2) = 12 cycles more.
#[test]
fn bounds_by_hand() {
    assert_eq!(bounds(&two("0.5 /cycle", 3, "LL", 60)), [24, 24]);
    // Nothing is owed from before: (1 + 2) / (1/2) = 6.
    assert_eq!(bounds(&two("0.5 /cycle", 0, "LL", 60)), [18, 18]);
    // The other kernel asks nothing, and takes as long: (1 + 3) / (1/2) = 8.
    assert_eq!(bounds(&two("0.5 /cycle", 3, "CC", 60))[0], 20);
    // Two launches of the second kernel may be there in the window of the first: one ahead, 8, and one behind, 2, so
    // 8 + 2 + 4 without memory, and (1 + 4 + 3) / (1/2) = 16 with it. With 30 there are still two,
    // 1 + (29 + 23) / 40; and for the second kernel one of each.
    assert_eq!(bounds(&two("0.5 /cycle", 3, "LL", 40)), [30, 24]);
    // C of a block is without memory.
    let system = read_system("test", &two("0.5 /cycle", 3, "LL", 60)).unwrap();
    assert_eq!(executions(&system, &Limits::generous()).unwrap()[1].time.0, 8);
}

#[test]
fn a_slower_memory_never_shortens_a_bound() {
    let rates = ["8 /cycle", "2 /cycle", "1 /cycle", "0.75 /cycle", "0.5 /cycle", "0.4 /cycle", "0.3 /cycle"];
    let all: Vec<Vec<u64>> = rates.iter().map(|rate| bounds(&two(rate, 3, "LL", 200))).collect();
    for pair in all.windows(2) {
        assert!(pair[0].iter().zip(&pair[1]).all(|(faster, slower)| faster <= slower), "{all:?}");
    }
    assert!(all[0] < all[6]);
}

/// Tasks of other partitions make C longer, and code of a GPU is not judged by the paper's multiprocessor.
#[test]
fn partitions_share_the_memory() {
    let task = |name: &str| {
        format!(
            "[[task]]\nname = \"{name}\"\nperiod = 400000\nkind = \"memory\"\nk = 1\nptx = \"stream8.sm_62.sass\"\n\
             loop_bounds = {{ 38 = 5 }}\nblocks = 2\nthreads_per_block = 64\nregisters_per_thread = 32\n"
        )
    };
    let head = "[gpu]\npreset = \"jetson-tx2\"\nclock_mhz = 1300\n";
    let longest = |record: &Value| {
        let part = &record["partitions"][0]["execution"]["a"];
        part.as_f64().unwrap_or_else(|| panic!("{record}"))
    };
    let (one, ..) = answer("partition", &format!("{head}{}", task("a")));
    let (two, text, code) = answer("partition", &format!("{head}{}{}", task("a"), task("b")));
    assert!(longest(&one) < longest(&two), "{one} {two}");
    assert_eq!(code, 0);
    assert!(
        text.contains("schedulable: 2 partitions") && text.contains("DRAM: 35.8 GB/s in lines"),
        "{text}"
    );
    let (_, text, code) = answer("partition --test edf", &format!("{head}{}{}", task("a"), task("b")));
    assert!(code == 3 && text.contains("tasks of other partitions share the DRAM"), "{text}");
    let given = "[[task]]\nname = \"c\"\nperiod = 400000\nkind = \"memory\"\na = 1\nb = 1\nk = 1\n";
    let (_, text, code) = answer("partition", &format!("{head}{}{given}", task("a")));
    assert!(code == 3 && text.contains("tasks of other partitions share the DRAM"), "{text}");
    let (together, text, code) =
        answer("partition --co-located", &format!("{head}{}{}", task("a"), task("b")));
    assert_eq!(code, 0, "{text}");
    assert!(together["tasks"][0]["response"].as_f64() > Some(longest(&one)));
}

/// What a kernel beside ours moves delays it, and what is declared of ours shortens the bound.
#[test]
fn company_shares_the_memory() {
    let listing = format!("{}/tests/data/memory/stream8.sm_62.sass", env!("CARGO_MANIFEST_DIR"));
    let entry = "stream8";
    let system = STREAM8.replace("period = 10\ndeadline = 0.5", "period = 40\nname = \"other\"");
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(&listing, folder.path().join("stream8.sm_62.sass")).unwrap();
    let file = |moved: &str| {
        let path = folder.path().join("system.toml");
        std::fs::write(&path, format!("{system}{MOVED}").replace("104857600", moved)).unwrap();
        path.display().to_string()
    };
    let ours = "--dram-bytes 10MB:lines --l2-bytes 10MB";
    let [little, more] = ["1000000", "50000000"].map(|moved| {
        let path = file(moved);
        let time = format!(
            "time {listing} --entry {entry} --loop-bound 38=100 --system {path} --grid 16 --block 256 --registers 32 --format \
             json {ours}"
        );
        let output = Command::cargo_bin("warpspan").unwrap().args(time.split_whitespace()).output().unwrap();
        let record: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
        let dram = &assumption(&record, "dram.rate").unwrap()["value"];
        assert!(dram.as_str().unwrap().starts_with("35.8 GB/s in lines"), "{dram}");
        record["bound_ns"].as_u64().unwrap()
    });
    // 49 MB more at 35.8 GB/s, and more launches or pauses in a longer window.
    assert!(more >= little + 49_000_000 * 10 / 358, "{little} {more}");
    // A kernel that flags name counts as well. What is open in its loops is declared in a file.
    let open = Command::cargo_bin("warpspan")
        .unwrap()
        .args(["extract", &listing, "--declare", "-"])
        .output()
        .unwrap();
    let declared = String::from_utf8(open.stdout).unwrap().replace("# most = ?", "most = 100");
    let path = folder.path().join("declared.toml");
    std::fs::write(&path, declared).unwrap();
    let bound = |flags: &str| {
        let time = format!(
            "time {listing} --entry {entry} --declare {} --gpu jetson-tx2 --clock 1300 --grid 16 --block 256 --registers 32 \
             --format json {flags}",
            path.display()
        );
        let output = Command::cargo_bin("warpspan").unwrap().args(time.split_whitespace()).output().unwrap();
        let record: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
        record["bound_ns"].as_u64().unwrap()
    };
    let beside = format!("--co-running {listing}:{entry}:16:256");
    assert!(bound(&format!("{beside} {ours}")) > bound(ours) + 5_000_000);
    assert!(bound(&beside) > bound(&format!("{beside} {ours}")));
}

/// A server of another name than DRAM does not limit what moves through the DRAM.
#[test]
fn memory_without_a_dram_is_without_limit() {
    let folder = tempfile::tempdir().unwrap();
    let machine = folder.path().join("m.toml");
    let known = std::fs::read_to_string("machines/sm_87.toml").unwrap();
    for name in ["dram", "ATOMICS", "L2"] {
        std::fs::write(&machine, format!("{known}[[server]]\nname = \"{name}\"\nrate = \"64 B/cycle\"\n"))
            .unwrap();
        let file = machine.display();
        let flags = format!(
            "time tests/data/memory/copy.sm_87.sass --entry copy4 --gpu jetson-orin --grid 8 --block 128 --machine {file} --deadline 1s \
             --format json"
        );
        let output = Command::cargo_bin("warpspan").unwrap().args(flags.split_whitespace()).output().unwrap();
        let record: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
        assert!(assumption(&record, "memory.unlimited").is_some(), "{record}");
        // The text shows it among its first rows.
        let text = flags.replace(" --format json", "");
        let output = Command::cargo_bin("warpspan").unwrap().args(text.split_whitespace()).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains("memory behind the multiprocessors: without limit"), "{text}");
        assert_eq!(record["verdict"], "undecided");
    }
}

/// A file does not say more blocks or threads than it launches.
#[test]
fn sizes_of_parameters_are_no_more_than_what_is_launched() {
    let folder = tempfile::tempdir().unwrap();
    let code = ".version 8.0\n.target sm_87\n.address_size 64\n.visible .entry k()\n{\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %nctaid.x;\n\
                L:\nadd.s32 %r2, %r2, %r3;\nsetp.lt.u32 %p1, %r2, 100000;\n@%p1 bra L;\nret;\n}\n";
    std::fs::write(folder.path().join("k.ptx"), code).unwrap();
    let run = |command: &str, kernel: &str, params: &str| {
        let file = folder.path().join("f.toml");
        let text = format!(
            "[gpu]\npreset = \"jetson-orin\"\nclock_mhz = 1300\n[[{kernel}]]\nname = \"x\"\nptx = \"k.ptx\"\nblocks = 4\n\
             threads_per_block = 64\nregisters_per_thread = 32\nshared_memory = 0\nperiod = 1000000\nparams = {{ {params} }}\n"
        );
        let text = match command {
            "rta" => format!("unit = \"us\"\n{text}"),
            _ => format!("{text}kind = \"compute\"\nk = 1.2\n"),
        };
        std::fs::write(&file, text).unwrap();
        let output = Command::cargo_bin("warpspan").unwrap().arg(command).arg(file).output().unwrap();
        (output.status.code(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
    };
    for (command, kernel) in [("rta", "kernel"), ("partition", "task")] {
        let (code, said) = run(command, kernel, "\"gridDim.x\" = 100000");
        let want = "gridDim.x = 100000: blocks = 4: want no more in all directions together";
        assert!(code == Some(2) && said.contains(want), "{said}");
        let (code, said) = run(command, kernel, "\"gridDim.x\" = 4, \"blockDim.x\" = 32, \"blockDim.y\" = 4");
        assert!(code == Some(2) && said.contains("blockDim.y = 4: threads_per_block = 64"), "{said}");
        let (code, said) = run(command, kernel, "\"gridDim.x\" = 4, \"blockDim.x\" = 64");
        assert!(code != Some(2), "{said}");
    }
}
