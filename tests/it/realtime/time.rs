//! `warpspan time`: one launch of a kernel from its listing to its deadline.

use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;

use crate::common::assumption;

const CONV: &str = "docs/tutorial/conv.sm_87.sass";
const FLOW: &str = "tests/data/code/flow.ptx";

fn warpspan(args: &str) -> Command {
    let mut command = Command::cargo_bin("warpspan").unwrap();
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(args.split_whitespace());
    command
}

/// The record and the exit code.
fn record(args: &str) -> (Value, i32) {
    let output = warpspan(args).args(["--format", "json"]).output().unwrap();
    let code = output.status.code().unwrap();
    let error = || panic!("{args}: {}", String::from_utf8_lossy(&output.stderr));
    (serde_json::from_slice(&output.stdout).unwrap_or_else(|_| error()), code)
}

fn number(args: &str, key: &str) -> u64 {
    record(args).0[key].as_u64().unwrap_or_else(|| panic!("{args}: no {key}"))
}

/// The convolution on a Jetson AGX Orin, at 1 GHz so that a cycle is a nanosecond.
fn conv(more: &str) -> String {
    format!("time {CONV} --gpu jetson-orin --clock 1000 --loop-bound .L_x_2=16 {more}")
}

fn refused(args: &str, message: &str) {
    let output = warpspan(args).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{args}: {error}");
    assert!(error.contains(message) && error.lines().count() == 1, "{args}: {error}");
}

/// Three instructions without control fields: each waits for the result of the one before, and 15 cycles.
const SASS: &str = "\tcode for sm_62\n\t\tFunction : k\n\t.headerflags @\"EF_CUDA_SM62\"\n\
                    /*0008*/ MOV R1, R2 ;\n/*0010*/ LDG.E R4, [R2] ;\n/*0018*/ EXIT ;\n";
/// One scheduler that issues an instruction a cycle to units that take one each.
const MACHINE: &str = "[machine]\nissue_width = 1\n[[unit]]\nname = \"L\"\nlatency = [1, 20]\n\
                       [[unit]]\nname = \"C\"\nlatency = [1, 4]\n";

fn small(folder: &Path) -> String {
    let (code, machine) = (folder.join("k.sass"), folder.join("m.toml"));
    std::fs::write(&code, SASS).unwrap();
    std::fs::write(&machine, MACHINE).unwrap();
    format!(
        "time {} --gpu jetson-tx2 --machine {} --transactions *=1 --registers 8 --clock 1000",
        code.display(),
        machine.display()
    )
}

/// By hand, on the two multiprocessors of a Jetson TX2. A warp by itself issues in cycles 1, 16 and 36: the second
/// instruction waits for the stall of 15, and the third for the load of 20. The result of EXIT is there at the end of
/// cycle 36 + 4 - 1 = 39. Each of its three instructions is worth a cycle to other warps.
#[test]
fn a_kernel_by_hand() {
    let folder = tempfile::tempdir().unwrap();
    let small = small(folder.path());
    let cycles = |more: &str| number(&format!("{small} {more}"), "bound_cycles");
    assert_eq!(cycles("--grid 1 --block 32"), 39);
    // A second block of one warp may be on the same multiprocessor: three cycles more.
    assert_eq!(cycles("--grid 2 --block 32"), 42);
    // 30 KiB of shared memory: two blocks at once in 64 KiB. Four blocks are all there at once.
    let two = "--shared 30720 --block 32";
    assert_eq!(cycles(&format!("{two} --grid 4")), 42);
    // Of six blocks four start at once. x of them on the multiprocessor that issues last, of which K = ceil(x / 2)
    // are followed: P(x) = 39 (K - 1) + 36 + (3 x - 3 K) + 3 for K > 1, so P(3) = 81 and P(4) = 84. The last block of
    // all starts within Q(y) = 39 k + 3 (y - k), k = floor(y / 2): Q(3) = 45 and Q(2) = 42; and from then on L = P(2) = 39
    // cycles are enough. min(P(3), Q(3) + L) = 81 and min(P(4), Q(2) + L) = 81; fewer or more blocks give less. The
    // longest latency, of 20, is over 19 cycles after the last issue.
    let (found, _) = record(&format!("{small} {two} --grid 6"));
    assert_eq!(found["bound_cycles"], 81 + 19);
    assert_eq!(found["residency"]["most"], 2);
    assert_eq!(found["residency"]["limits"], serde_json::json!(["shared memory"]));
    // A cycle is a nanosecond, and rounds up at 1.3 GHz: 39 / 1.3 = 30.
    assert_eq!(number(&format!("{small} --grid 1 --block 32"), "bound_ns"), 39);
    let fast = small.replace("--clock 1000", "--clock 1300");
    assert_eq!(number(&format!("{fast} --grid 1 --block 32"), "bound_ns"), 30);
    let all = "--launch-overhead 10us --copy-in 2us --copy-out 0.5us";
    assert_eq!(number(&format!("{small} --grid 1 --block 32 {all}"), "bound_ns"), 12_539);
}

/// Three instructions at least for each of 64 warps, of which a scheduler of 6.2 may issue two of one warp in a cycle.
#[test]
fn a_deadline_is_refuted_by_what_must_be_issued() {
    let folder = tempfile::tempdir().unwrap();
    let small = small(folder.path());
    // The machine has one scheduler: 2 multiprocessors issue 64 * 3 instructions in 48 cycles.
    let args = |deadline: &str| format!("{small} --grid 64 --block 32 --deadline {deadline}");
    assert_eq!(number(&args("1ms"), "least_ns"), 48);
    assert_eq!(record(&args("48ns")).1, 3);
    let (found, code) = record(&args("47ns"));
    assert_eq!((code, &found["verdict"]), (5, &"refuted".into()));
    assert_eq!(found["reason"], "no launch takes less than 48 ns at 1000 MHz on 2 multiprocessors");
    let copies = record(&args("1us").replace("--grid", "--copy-in 2us --grid"));
    assert_eq!(copies.1, 5);
}

#[test]
fn verdicts_and_exit_codes() {
    let base = conv("--registers 37 --shared 0 --grid 60x135 --block 32x8");
    let (found, code) = record(&base);
    let bound = found["bound_ns"].as_u64().unwrap();
    assert_eq!((code, &found["verdict"], &found["reason"]), (0, &Value::Null, &Value::Null));
    assert_eq!(found["schema"], "warpspan/time/4");
    let (met, code) = record(&format!("{base} --deadline {bound}ns"));
    assert_eq!((code, &met["verdict"]), (0, &"proved".into()));
    let (open, code) = record(&format!("{base} --deadline {}ns", bound - 1));
    assert_eq!((code, &open["verdict"]), (3, &"undecided".into()));
    assert!(open["reason"].as_str().unwrap().starts_with("the bound is "));
    let (missed, code) = record(&format!("{base} --deadline 1ns"));
    assert_eq!((code, &missed["verdict"]), (5, &"refuted".into()));
    for (id, value, remedy) in [
        ("gpu.alone", "nothing else is on it", "--alone, --co-running or --system"),
        ("launch.overhead", "0", "--launch-overhead TIME"),
        ("launch.copy-in", "0", "--copy-in TIME"),
        ("launch.copy-out", "0", "--copy-out TIME"),
    ] {
        let one = assumption(&found, id).unwrap_or_else(|| panic!("{id}: {found}"));
        assert_eq!([&one["kind"], &one["value"], &one["remedy"]], ["assumed", value, remedy], "{id}");
    }
    let clock = assumption(&found, "clock.declared").unwrap();
    assert_eq!([&clock["kind"], &clock["value"], &clock["source"]], ["declared", "1000 MHz", "--clock"]);
    assert_eq!(assumption(&found, "clock.highest"), None);
    // A clock that nobody gave decides the verdict, so it stands beside it, with and without co-running kernels.
    let without = base.replace("--clock 1000", "");
    let co_running = "time docs/tutorial/conv.sm_62.sass --gpu jetson-tx2 --grid 16 --block 128 --loop-bound .L_x_1=3 \
                      --co-running docs/tutorial/vote.sm_62.sass:vote:16:64:10ms";
    for args in [&without, co_running] {
        let (assumed, _) = record(args);
        let clock = assumption(&assumed, "clock.highest").unwrap_or_else(|| panic!("{assumed}"));
        assert_eq!([&clock["kind"], &clock["remedy"]], ["assumed", "--clock MHZ"]);
        assert_eq!(clock["value"], "always the highest of the data sheet, 1300 MHz");
        assert_eq!(assumption(&assumed, "clock.declared"), None);
        assert_eq!(assumed["clock"]["assumed"], true);
    }
}

#[test]
fn wrong_usage_is_one_line() {
    let size = "--grid 4 --block 64";
    refused(
        &format!("time {CONV} --gpu orinn {size}"),
        "--gpu orinn: no such GPU: did you mean \"jetson-orin\"",
    );
    refused(
        &format!("time {CONV} --gpu jetson-orin {size}"),
        "or --loop-bound .L_x_2=N; in all: --param 'c[0x0][0x180]=N'",
    );
    refused(&conv("--grid 0 --block 64"), "want N, NxM or N,M,K");
    refused(&conv("--grid 4 --block 64x32"), "a block has at most 1024 threads");
    refused(&conv("--grid 4 --block 64 --deadline 5"), "want a number with its unit");
    refused(&conv("--grid 4 --block 1024 --registers 5"), "the listing shows 37 at least: want 37 or more");
    let counted =
        format!("time {FLOW} --entry counted --gpu jetson-orin --grid 4 --block 1024 --registers 65");
    refused(&counted, "a block needs 66560 registers");
    refused(&conv("--grid 4 --block 64 --alone --co-running a:b:1:1"), "cannot be used with");
    refused(&conv(&format!("{size} --co-running {FLOW}:counted:4:64")), "are not known");
    let orin_on_tx2 = conv(size).replace("jetson-orin", "jetson-tx2");
    refused(&orin_on_tx2, "is compiled for capability 8.7, and a GPU of 6.2 cannot run it");
    refused(
        &conv(size).replace("jetson-orin", "jetson-nano").replace("--clock 1000", "--clock 900"),
        "a GPU of 5.3 cannot run it: want a listing for 5.3",
    );
    refused(&format!("time {FLOW} --entry counted --gpu jetson-thor-t4000 {size}"), "want --clock MHZ");
}

/// More blocks, more warps, more passes, longer latencies and a slower clock never make the time shorter.
#[test]
fn more_is_never_less() {
    let of = |more: &str| {
        let args = format!("time {CONV} --gpu jetson-orin --registers 37 --shared 0 --block 256 {more}");
        number(&args, "bound_ns")
    };
    let rising = |all: Vec<String>| {
        let found: Vec<u64> = all.iter().map(|more| of(more)).collect();
        assert!(found.is_sorted(), "{all:?}: {found:?}");
        assert!(found.first() < found.last());
    };
    let fixed = "--clock 1000 --loop-bound .L_x_2=16";
    rising([1, 2, 7, 96, 97, 100, 500, 5000].map(|blocks| format!("{fixed} --grid {blocks}")).into());
    rising(
        [1, 2, 16, 100].map(|passes| format!("--clock 1000 --grid 200 --loop-bound .L_x_2={passes}")).into(),
    );
    rising(
        [1300, 1299, 900, 306]
            .map(|clock| format!("--loop-bound .L_x_2=16 --grid 200 --clock {clock}"))
            .into(),
    );
    rising([200, 800, 2000].map(|most| format!("{fixed} --grid 200 --latency-of GLOBAL=38..{most}")).into());
    rising([1, 2, 32].map(|each| format!("{fixed} --grid 200 --transactions *={each}")).into());
    rising(["0us", "3us", "1ms"].map(|time| format!("{fixed} --grid 200 --launch-overhead {time}")).into());
    // With two blocks at once, whatever their size is.
    let of_threads = |threads: u64| {
        let args = format!("--registers 37 --shared 70000 --grid 200 --block {threads}");
        let (found, _) = record(&conv(&args));
        assert_eq!(found["residency"]["most"], 2);
        found["bound_cycles"].as_u64().unwrap()
    };
    assert!([32, 64, 65, 256, 512].map(of_threads).is_sorted());
}

/// What is not known of registers or shared memory is never counted as less than any value that it may have.
#[test]
fn what_is_not_known_counts_as_the_worst() {
    let (folder, base) = (tempfile::tempdir().unwrap(), conv(""));
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(CONV)).unwrap();
    let file = folder.path().join("conv.sass");
    std::fs::write(&file, text.replace(".sectioninfo\t@\"SHI_REGISTERS=37\"", "")).unwrap();
    let base = base.replace(CONV, file.to_str().unwrap());
    for size in ["--grid 16 --block 256", "--grid 1000 --block 64", "--grid 77 --block 512"] {
        let (open, _) = record(&format!("{base} {size}"));
        let room = &open["residency"];
        assert!(room["least"].as_u64() < room["most"].as_u64(), "{open}");
        let said = open["notes"].to_string();
        assert!(said.contains("the listing does not say the registers of a thread"), "{said}");
        let most = open["bound_cycles"].as_u64().unwrap();
        let mut largest = 0;
        for registers in [37, 40, 48, 64, 96, 128] {
            largest = largest.max(number(&format!("{base} {size} --registers {registers}"), "bound_cycles"));
        }
        assert!(largest <= most, "{size}: {largest} > {most}");
    }
}

/// The smaller one of what `bound` says of the grid and `rta` of the kernel by itself.
#[test]
fn the_long_way_gives_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let code = Path::new(env!("CARGO_MANIFEST_DIR")).join(FLOW);
    for (entry, bound, [blocks, threads, resident, registers]) in [
        ("counted", "", [200, 256, 8, 32]),
        ("counted", "", [9, 1024, 2, 32]),
        ("asked", "HEAD=5", [77, 128, 16, 32]),
        ("asked", "HEAD=5", [333, 512, 2, 64]),
    ] {
        let bounds = if bound.is_empty() { String::new() } else { format!("--loop-bound {bound}") };
        let args = format!(
            "time {FLOW} --entry {entry} {bounds} --gpu jetson-tx2 --clock 1300 --grid {blocks} --block {threads} \
             --registers {registers} --shared 0"
        );
        let (found, _) = record(&args);
        assert_eq!(found["residency"]["most"], resident, "{found}");
        let by_bound = record(&format!(
            "bound --ptx {FLOW} --entry {entry} {bounds} --machine jetson-tx2 --warps-per-block {} --blocks {blocks} \
             --resident {resident} --multiprocessors 2 --param blockDim.x={threads} --param gridDim.x={blocks} \
             --param blockDim.y=1 --param blockDim.z=1 --param gridDim.y=1 --param gridDim.z=1",
            threads / 32
        ));
        let sizes = format!(
            "\"blockDim.x\" = {threads}, \"gridDim.x\" = {blocks}, \"blockDim.y\" = 1, \"blockDim.z\" = 1, \
             \"gridDim.y\" = 1, \"gridDim.z\" = 1"
        );
        let loops = bound
            .split_once('=')
            .map_or(String::new(), |(label, most)| format!("loop_bounds = {{ {label} = {most} }}\n"));
        let system = format!(
            "unit = \"cycles\"\nmachine = \"jetson-tx2\"\n[gpu]\npreset = \"jetson-tx2\"\n[[kernel]]\nptx = {:?}\nentry = \
             {entry:?}\n{loops}params = {{ {sizes} }}\nblocks = {blocks}\nthreads_per_block = {threads}\nregisters_per_thread = {registers}\n",
            code.to_str().unwrap()
        );
        let file = folder.path().join("system.toml");
        std::fs::write(&file, system).unwrap();
        let by_rta =
            record(&format!("rta {}", file.display())).0["kernels"][0]["response_bound"].as_u64().unwrap();
        let by_bound = by_bound.0["completion_upper"].as_u64().unwrap();
        assert_eq!(
            found["bound_cycles"].as_u64().unwrap(),
            by_bound.min(by_rta),
            "{entry} {by_bound} {by_rta}"
        );
    }
}

/// Co-running kernels never make the time shorter, and more of them never make it less long.
#[test]
fn company_is_never_faster_than_alone() {
    let base = conv("--registers 37 --shared 0 --grid 100 --block 256 --transactions *=2");
    let alone = number(&format!("{base} --alone"), "bound_ns");
    assert_eq!(alone, number(&base, "bound_ns"));
    let folder = tempfile::tempdir().unwrap();
    let other = folder.path().join("k.sass");
    let usage = "Resource usage:\n Function k:\n  REG:8 STACK:0 SHARED:0 LOCAL:0\n\n";
    let code = "\tcode for sm_87\n\t\tFunction : k\n/*0000*/ MOV R1, R2 ;\n/*0010*/ LDG.E R4, [R2] ;\n/*0020*/ EXIT ;\n";
    std::fs::write(&other, format!("{usage}{code}")).unwrap();
    let beside = |what: &str| format!("--co-running {}:k:{what}", other.display());
    let one = number(&format!("{base} {}", beside("4:64")), "bound_ns");
    // The flag's old name says the same.
    assert_eq!(
        one,
        number(&format!("{base} {}", beside("4:64").replace("--co-running", "--beside")), "bound_ns")
    );
    let two = number(&format!("{base} {} {}", beside("4:64"), beside("4:64")), "bound_ns");
    let more = number(&format!("{base} {}", beside("400:64")), "bound_ns");
    let again = number(&format!("{base} {}", beside("4:64:100us")), "bound_ns");
    assert!(alone <= one && one < two && one < more && one <= again, "{alone} {one} {two} {more} {again}");
    let system = folder.path().join("system.toml");
    let of_system = |kernels: &str| {
        let head =
            "unit = \"us\"\nmachine = \"jetson-orin\"\n[gpu]\npreset = \"jetson-orin\"\nclock_mhz = 1000\n";
        std::fs::write(&system, format!("{head}{kernels}")).unwrap();
        let args = base.replace("--gpu jetson-orin --clock 1000", &format!("--system {}", system.display()));
        record(&args)
    };
    let kernel =
        "[[kernel]]\nptx = \"k.sass\"\nblocks = 4\nthreads_per_block = 64\nregisters_per_thread = 8\n";
    let (found, code) = of_system(&format!("{kernel}period = 100\nsporadic = true\n"));
    assert_eq!(code, 0);
    assert_eq!(found["bound_ns"].as_u64().unwrap(), again);
    let parts: f64 = found["parts"].as_array().unwrap().iter().map(|part| part["ns"].as_f64().unwrap()).sum();
    assert!((parts - f64::from(u32::try_from(again).unwrap())).abs() < 1.5, "{found}");
    // A kernel that never lets go leaves no bound.
    let (none, code) = of_system(&format!("{}period = 0.1\n", kernel.replace("= 4", "= 4000")));
    assert_eq!((code, &none["bound_ns"]), (3, &Value::Null), "{none}");
    assert!(none["reason"].is_string());
}

/// What is missing of a co-running kernel is declared in the same file as what is missing of ours.
#[test]
fn declarations_hold_for_company_too() {
    let tutorial = |name: &str| format!("{}/docs/tutorial/{name}.sm_62.sass", env!("CARGO_MANIFEST_DIR"));
    let (conv, vote) = (tutorial("conv"), tutorial("vote"));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("both.toml");
    let declared = |listing: &str, most: &str| {
        let output = warpspan(&format!("extract {listing} --declare -")).output().unwrap();
        String::from_utf8(output.stdout).unwrap().replace("# most = ?", &format!("most = {most}"))
    };
    let both = [declared(&conv, "3"), declared(&vote, "1")];
    let alone = format!("time {vote} --entry vote --gpu jetson-tx2 --clock 1300 --grid 16 --block 64");
    let beside = format!("{alone} --co-running {conv}:conv:2:64:1s");
    refused(&beside, "want it in the --declare file, to which `warpspan extract");
    let bound = |declarations: &str, command: &str| {
        std::fs::write(&file, declarations).unwrap();
        number(&format!("{command} --declare {}", file.display()), "bound_ns")
    };
    let own = bound(&both[1], &alone);
    let [little, more] =
        ["3", "30"].map(|most| bound(&format!("{}{}", declared(&conv, most), both[1]), &beside));
    assert!(own < little && little < more, "{own} {little} {more}");
    // Without the co-running kernel the file is about an entry that nobody knows.
    std::fs::write(&file, both.concat()).unwrap();
    refused(&format!("{alone} --declare {}", file.display()), "no entry \"conv\" in ");
}

/// The shares of lines, of letters and of lines of the source are of the same sum.
#[test]
fn the_cycles_are_accounted_for() {
    let (found, _) = record(&conv("--registers 37 --shared 0 --grid 1000 --block 256"));
    let of = |list: &str| -> f64 {
        let all = found["cycles"][list].as_array().unwrap();
        all.iter().map(|one| one["cost"]["share"].as_f64().unwrap()).sum()
    };
    for list in ["lines", "units", "source"] {
        assert!((95.0..=100.1).contains(&of(list)), "{list}: {}", of(list));
    }
    assert_eq!(found["cycles"]["source"][0]["file"], "conv.cu");
    assert_eq!(found["cycles"]["source"][0]["line"], 15);
    let text =
        String::from_utf8(warpspan(&conv("--grid 1000 --block 256 --deadline 9ms")).output().unwrap().stdout);
    let first = text.unwrap().lines().next().unwrap().to_owned();
    assert!(first.starts_with("conv on jetson-orin: at most "), "{first}");
}

/// Cycles as a whole number or a ratio.
fn cycles(text: &Value) -> f64 {
    let text = text.as_str().unwrap();
    let (whole, part) = text.split_once('/').unwrap_or((text, "1"));
    whole.parse::<f64>().unwrap() / part.parse::<f64>().unwrap()
}

/// What the units add with the lines of the listing is what each line adds, and what each unit adds, in all.
#[test]
fn columns_of_units_add_up_to_lines_and_to_units() {
    let (found, _) = record(&conv("--registers 37 --shared 0 --grid 60x135 --block 32x8"));
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * a.abs().max(1.0);
    for kind in ["lines", "source"] {
        let mut of_units = std::collections::BTreeMap::new();
        let lines = found["cycles"][kind].as_array().unwrap();
        assert!(lines.len() > 3, "{kind}");
        for line in lines {
            let units = line["by_unit"].as_object().unwrap();
            assert!(near(units.values().map(cycles).sum(), cycles(&line["cost"]["adds"])), "{line}");
            units.iter().for_each(|(unit, of)| *of_units.entry(unit.clone()).or_insert(0.0) += cycles(of));
        }
        let units = found["cycles"]["units"].as_array().unwrap();
        assert_eq!(units.len(), of_units.len());
        for unit in units {
            assert!(near(of_units[unit["unit"].as_str().unwrap()], cycles(&unit["cost"]["adds"])), "{unit}");
        }
    }
    // A load asks of its unit and of the servers behind it.
    let is_load = |line: &&Value| line["instruction"].as_str().unwrap_or_default().starts_with("LDG");
    let load = found["cycles"]["lines"].as_array().unwrap().iter().find(is_load);
    let names: Vec<&String> = load.unwrap()["by_unit"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["DRAM", "L2", "LSU"]);
}
