//! What a launch moves if caches keep what it touches.

use assert_cmd::Command;
use serde_json::Value;
use tempfile::tempdir;

use crate::common::assumption;

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

/// The kernel with further code and parameters.
fn code(more: &str, params: &str) -> String {
    KERNEL.replace("MORE", more).replace(", .param .u64 b", params)
}

/// What `time` says of the kernel with further code, in a launch of 100 blocks of 256 threads.
fn time(more: &str, flags: &[&str]) -> Result<Value, String> {
    let sizes = ["--grid", "100", "--block", "256"];
    launched(&code(more, ""), &[&sizes, flags].concat())
}

/// What `time` says of a listing.
fn launched(code: &str, flags: &[&str]) -> Result<Value, String> {
    let folder = tempdir().unwrap();
    let file = folder.path().join("k.ptx");
    std::fs::write(&file, code).unwrap();
    let output = Command::cargo_bin("warpspan")
        .unwrap()
        .args(["time", "--format", "json", "--param", "pointers=*256"])
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
    // 100 blocks: 3200 sectors of 32 bytes at L2, and at DRAM 96 bytes each and as many lines of others.
    let said = ["--l2-bytes", "102400B", "--dram-bytes", "716800B:lines"];
    assert_eq!((3200 * 32, 3200 * 96 + 3200 * 128), (102_400, 716_800));
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
        let flags: Vec<&str> = flags.iter().copied().chain(["--gpu", "h100", "--clock", "1600"]).collect();
        time(gather, &flags).unwrap()
    };
    let kept = some(&["--l2-keeps-launch"]);
    let keeps = assumption(&kept, "cache.l2-keeps-launch").unwrap();
    assert!(keeps["value"].as_str().unwrap().contains("in lines 20 touch"), "{keeps}");
    assert_eq!((&keeps["kind"], &keeps["source"]), (&"declared".into(), &"--l2-keeps-launch".into()));
    let alone = bound("", &["--l2-keeps-launch", "--gpu", "h100", "--clock", "1600"]);
    let kept = kept["bound_cycles"].as_u64().unwrap();
    assert!(alone < kept && kept < some(&[])["bound_cycles"].as_u64().unwrap());
}

/// How far each block is, and what the cache holds.
type State = (Vec<usize>, Vec<(usize, usize)>);

/// Blocks that each read the same lines of their own twice, as many at once as there are places. Whether some order of their reads makes one
/// of them miss what it has read, in a cache that evicts what was used longest ago.
struct Lru {
    blocks: usize,
    places: usize,
    lines: usize,
    room: usize,
    seen: std::collections::HashSet<State>,
}

impl Lru {
    fn misses_again([blocks, places, lines, room]: [usize; 4]) -> bool {
        let mut all = Self { blocks, places, lines, room, seen: Default::default() };
        all.from(vec![0; blocks], vec![])
    }

    /// From here on: what each block has read, and what is in the cache, that which was used last at the end.
    fn from(&mut self, read: Vec<usize>, cache: Vec<(usize, usize)>) -> bool {
        if !self.seen.insert((read.clone(), cache.clone())) {
            return false;
        }
        let ends = 2 * self.lines;
        let open: Vec<usize> = (0..self.blocks).filter(|&one| read[one] < ends).take(self.places).collect();
        open.into_iter().any(|block| {
            let line = (block, read[block] % self.lines);
            let mut cache = cache.clone();
            match cache.iter().position(|one| *one == line) {
                Some(at) => drop(cache.remove(at)),
                None if read[block] >= self.lines => return true,
                None if cache.len() == self.room => drop(cache.remove(0)),
                None => {}
            }
            cache.push(line);
            let mut read = read.clone();
            read[block] += 1;
            self.from(read, cache)
        })
    }
}

/// What may run while a block does has to fit. That the blocks fit which are there at once is too little as soon as one of them may outlive
/// another.
#[test]
fn what_fits_is_kept_whatever_the_order() {
    for ([blocks, places, lines], shared) in [
        ([3, 2, 1], "80000"),
        ([4, 2, 2], "80000"),
        ([5, 3, 1], "53000"),
        ([4, 1, 3], "160000"),
        ([2, 2, 2], "80000"),
    ] {
        let reads: String = (0..2 * lines)
            .map(|one| format!("ld.global.u32 %r{}, [%rd3+{}];\n", 4 + one, one % lines * 128))
            .collect();
        let code = format!(
            ".version 8.0\n.target sm_87\n.address_size 64\n.visible .entry k(.param .u64 a)\n{{\nld.param.u64 %rd1, [a];\n\
             mov.u32 %r1, %ctaid.x;\nmul.wide.u32 %rd2, %r1, {};\nadd.s64 %rd3, %rd1, %rd2;\n{reads}ret;\n}}\n",
            lines * 128
        );
        let grid = blocks.to_string();
        let of = |size: usize| {
            let size = format!("--l1-keeps-block={size}B");
            launched(&code, &["--grid", &grid, "--block", "32", "--dynamic-shared", shared, &size])
        };
        let why = of(1).unwrap_err();
        let bytes = why.split_once("may touch ").unwrap().1.split_once(' ').unwrap().0;
        let bytes: usize = bytes.parse().unwrap();
        let found = of(bytes).unwrap();
        assert_eq!(found["residency"]["most"], places, "{found}");
        assert!(
            !Lru::misses_again([blocks, places, lines, bytes / 128]),
            "{blocks} {places} {lines}: {bytes}"
        );
        // One line less is too little, and so is room for the blocks that are there at once.
        assert!(Lru::misses_again([blocks, places, lines, bytes / 128 - 1]));
        assert_eq!(Lru::misses_again([blocks, places, lines, places * lines]), places > 1 && blocks > places);
    }
}

/// A store may throw what it writes out of the first cache, and pointers may be to one array.
#[test]
fn the_first_cache_keeps_nothing_that_may_be_written() {
    let flags = ["--grid", "10", "--block", "32"];
    let keeps = ["--l1-keeps-block=64KiB"];
    let distinct = ["--l1-keeps-block=64KiB", "--arrays-distinct"];
    let of = |code: &str, more: &[&str]| {
        let found = launched(code, &[&flags[..], more].concat()).unwrap();
        let distinct = assumption(&found, "arrays.distinct").is_some();
        (found["bound_cycles"].as_u64().unwrap(), distinct, found)
    };
    let to_b = "ld.param.u64 %rd5, [b];\nadd.s64 %rd6, %rd5, %rd2;\nst.global.u32 [%rd6], %r4;";
    let params = ", .param .u64 b";
    let saves = |code: &str, more: &[&str]| of(code, more).0 < of(code, &[]).0;
    // Nobody writes.
    assert!(saves(&code("", params), &keeps));
    // The pointers may be the same, unless that is excluded, which then is a condition.
    let other = code(to_b, params);
    assert!(!saves(&other, &keeps) && saves(&other, &distinct));
    assert!(!of(&other, &keeps).1 && of(&other, &distinct).1);
    let found = of(&other, &keeps).2;
    let says = found["notes"].to_string();
    assert!(says.contains("stores in lines 20 may be, unless --arrays-distinct"), "{says}");
    assert!(assumption(&found, "cache.l1-keeps-block").is_none());
    // What is written itself is not kept, and neither is anything if nobody knows where the store goes.
    assert!(!saves(&code("st.global.u32 [%rd3], %r4;", params), &distinct));
    let anywhere = "ld.global.u64 %rd7, [%rd3];\nst.global.u32 [%rd7], %r4;";
    assert!(!saves(&code(anywhere, params), &distinct));
    assert!(!saves(&code("atom.global.add.u32 %r20, [%rd3], 1;", params), &distinct));
    let called =
        ".func f(.param .u64 p)\n{\nld.param.u64 %rd1, [p];\nst.global.u32 [%rd1], 1;\nret;\n}\n.visible";
    let call = "{\n.param .u64 q;\nst.param.u64 [q], %rd3;\ncall f, (q);\n}";
    let calls = code(call, params).replace(".visible", called);
    assert!(!saves(&calls, &distinct));
    // That nobody writes what an opcode reads is said of its bytes, and not of the others of their sectors: the store may go between them.
    let constant = |code: &str| code.replace("ld.global.u32", "ld.global.nc.u32");
    assert!(!saves(&constant(&other), &keeps) && saves(&constant(&other), &distinct));
    assert!(saves(&constant(&code("", params)), &keeps));
    let between = "mul.wide.u32 %rd7, %r1, 8;\nadd.s64 %rd8, %rd1, %rd7;\nst.global.u32 [%rd8+4], %r4;";
    let every_second = |code: &str| constant(code).replace("%rd2, %r1, 4", "%rd2, %r1, 8");
    assert!(saves(&every_second(&code("", params)), &keeps));
    assert!(!saves(&every_second(&code(between, params)), &distinct));
    // Two pointers in one parameter, a structure, are not said to be to different arrays.
    let in_one = |code: &str| {
        code.replace(".param .u64 a, .param .u64 b", ".param .align 8 .b8 a[16]").replace("[b]", "[a+8]")
    };
    assert!(saves(&in_one(&code("", params)), &distinct) && !saves(&in_one(&other), &distinct));
    // Local memory is not global.
    assert!(saves(&code("st.local.u32 [%r1], %r4;", params), &keeps));
}

/// Up to 6.x a plain load may pass the first cache by.
#[test]
fn the_first_cache_of_pascal_keeps_what_is_read_only() {
    let of = |load: &str, flags: &[&str]| {
        let code = code("", "").replace("sm_87", "sm_62").replace("ld.global.u32", load);
        let flags = [&["--gpu", "jetson-tx2", "--grid", "100", "--block", "256"], flags].concat();
        launched(&code, &flags).unwrap()["bound_cycles"].as_u64().unwrap()
    };
    let saves = |load: &str| of(load, &["--l1-keeps-block=24KiB"]) < of(load, &[]);
    assert!(saves("ld.global.nc.u32"));
    assert!(!saves("ld.global.u32") && !saves("ld.global.ca.u32"));
}

/// Where each sector is loaded once, the first cache saves nothing: each may take the place of a line in L2 that somebody has written.
#[test]
fn the_first_cache_saves_nothing_of_what_is_read_once() {
    let once = "mov.u32 %r30, %ctaid.x;\nmad.lo.s32 %r31, %r30, 256, %r1;\nmul.wide.s32 %rd7, %r31, 128;\nadd.s64 %rd8, %rd1, %rd7;\n\
        ld.global.u32 %r32, [%rd8];\nld.global.u32 %r33, [%rd8+32];\nld.global.u32 %r34, [%rd8+64];\nld.global.u32 %r35, [%rd8+96];";
    let flags = ["--grid", "20", "--block", "32", "--l1-keeps-block=170KiB"];
    let code: Vec<String> =
        code(once, "").lines().filter(|line| !line.ends_with("[%rd3];")).map(str::to_owned).collect();
    let bound = |flags: &[&str]| launched(&code.join("\n"), flags).unwrap()["bound_cycles"].as_u64().unwrap();
    assert_eq!(bound(&flags[..4]), bound(&flags));
}

/// What asks L2 for more than it touches counts each time, with all that is fetched.
#[test]
fn what_prefetches_counts_each_time() {
    let spread = |modifier: &str| {
        format!(
            "mul.wide.u32 %rd5, %r1, 256;\nadd.s64 %rd6, %rd1, %rd5;\nld.global{modifier}.u32 %r20, [%rd6];"
        )
    };
    let of = |modifier: &str, flags: &[&str]| bound(&spread(modifier), flags);
    let plain = of("", &[]);
    // Two sectors of a line cost as much as all of it, and two lines more than one.
    assert!(plain < of(".L2::128B", &[]) && of(".L2::128B", &[]) < of(".L2::256B", &[]));
    assert!(plain < of(".L2::64B", &[]) && of(".L2::64B", &[]) <= of(".L2::128B", &[]));
    assert!(of("", &["--l2-keeps-launch"]) < plain);
    assert!(time(&spread(".L2::256B"), &["--gpu", "jetson-orin-nano", "--l2-keeps-launch"]).is_err());
}

/// An access of which only a block is known is missing in what the launch touches.
#[test]
fn a_launch_is_known_if_all_accesses_are() {
    let product = "mov.u32 %r30, %ctaid.x;\nmov.u32 %r31, %ctaid.y;\nmul.lo.s32 %r32, %r30, %r31;\nld.param.u32 %r33, [n];\n\
        mul.lo.s32 %r34, %r32, %r33;\nmul.wide.s32 %rd7, %r34, 128;\nadd.s64 %rd8, %rd3, %rd7;\nld.global.u32 %r35, [%rd8];";
    let folder = tempdir().unwrap();
    let file = folder.path().join("k.ptx");
    std::fs::write(&file, code(product, ", .param .u32 n")).unwrap();
    let of = |values: &str| {
        let mut sizes = vec![];
        for (name, size) in [("blockDim", [256, 1, 1]), ("gridDim", [4, 4, 1])] {
            sizes
                .extend(["x", "y", "z"].iter().zip(size).map(|(axis, size)| format!("{name}.{axis}={size}")));
        }
        let params = sizes.iter().flat_map(|one| ["--param", one.as_str()]);
        let output = Command::cargo_bin("warpspan")
            .unwrap()
            .args(["extract", "--machine", "jetson-orin", "--format", "json", "--param", values])
            .args(params)
            .arg(&file)
            .output()
            .unwrap();
        let record: Value = serde_json::from_slice(&output.stdout).unwrap();
        record["entries"][0]["footprint"][0].clone()
    };
    let unknown = of("n=0..1000");
    assert_eq!((&unknown["launch"], unknown["block"]["sectors"].as_u64() >= Some(64)), (&Value::Null, true));
    // The largest product is nine, and what lies between counts.
    let known = of("n=8");
    assert!(known["launch"]["sectors"].as_u64() >= Some(7 * 32), "{known}");
}

/// A line of which a function and the kernel have one instruction each.
#[test]
fn a_line_of_two_functions_counts_each_time() {
    let shared = |between: &str| {
        format!(
            ".version 8.0\n.target sm_87\n.address_size 64\n.func f(.param .u64 p)\n{{\nld.param.u64 %rd1, [p];\nmov.u32 %r5, 0;\n\
             L:\nadd.u32 %r5, %r5, 1;\nsetp.lt.u32 %p1, %r5, 100;\n@%p1 bra L;\n\
             ld.global.u32 %r1, [%rd1]; ret; }}{between}.visible .entry k(.param .u64 a) {{ .param .u64 q; \
             ld.param.u64 %rd1, [a]; ld.global.u32 %r1, [%rd1];{between}st.param.u64 [q], %rd1;\ncall f, (q);\nret;\n}}\n"
        )
    };
    let bound = |between: &str| {
        let found = launched(&shared(between), &["--grid", "4", "--block", "32"]).unwrap();
        found["bound_cycles"].as_u64().unwrap()
    };
    assert!(bound(" ") >= bound("\n"));
}

#[test]
fn the_answer_names_the_assumption() {
    let found = time("", &["--l2-keeps-launch", "--l1-keeps-block"]).unwrap();
    for (id, flag) in
        [("cache.l2-keeps-launch", "--l2-keeps-launch"), ("cache.l1-keeps-block", "--l1-keeps-block")]
    {
        let one = assumption(&found, id).unwrap_or_else(|| panic!("{found}"));
        assert_eq!((&one["kind"], &one["source"]), (&"declared".into(), &flag.into()));
    }
    assert!(found["memory"]["undeclared_bound_ns"].as_u64() > found["bound_ns"].as_u64());
    assert_eq!(found["memory"]["declared"], false);
}

/// What lowers no bound is no condition of it.
#[test]
fn what_lowers_nothing_is_no_condition() {
    let of = |code: &str, flags: &[&str]| {
        let all = [&["--grid", "10", "--block", "32"], flags].concat();
        launched(code, &all).unwrap()
    };
    let all = ["--l2-keeps-launch", "--l1-keeps-block=64KiB", "--arrays-distinct"];
    let stays =
        |found: &Value| ["cache.l1-keeps-block", "arrays.distinct"].map(|id| assumption(found, id).is_some());
    // Nothing is loaded.
    let stores: Vec<String> = code("st.global.u32 [%rd3], %r4;", "")
        .lines()
        .filter(|line| !line.ends_with("[%rd3];"))
        .map(str::to_owned)
        .collect();
    let found = of(&stores.join("\n"), &all[1..]);
    assert_eq!(stays(&found), [false, false]);
    assert!(
        found["notes"].to_string().contains("--l1-keeps-block: the bound is the same without it"),
        "{found}"
    );
    assert_eq!(found["bound_cycles"], of(&stores.join("\n"), &[])["bound_cycles"]);
    // The store is to an array that nobody reads, as its address alone shows.
    let local = code("st.local.u32 [%r1], %r4;", ", .param .u64 b");
    assert_eq!(stays(&of(&local, &all[1..])), [true, false]);
    // A store may be to the sector of what is read-only, if not to its bytes.
    let to_b = "ld.param.u64 %rd5, [b];\nadd.s64 %rd6, %rd5, %rd2;\nst.global.u32 [%rd6], %r4;";
    let read_only = code(to_b, ", .param .u64 b").replace("ld.global.u32", "ld.global.nc.u32");
    assert_eq!(stays(&of(&read_only, &all[1..])), [true, true]);
}

/// What is kept follows from addresses, even where all transactions are declared.
#[test]
fn what_addresses_rest_on_is_said() {
    let says = |flags: &[&str]| {
        let found = time("", flags).unwrap();
        let together = assumption(&found, "loop.together").map(|one| one["kind"].clone());
        let aligned = assumption(&found, "pointers.aligned").map(|one| one["value"].clone());
        [together, aligned]
    };
    let both = [Some("assumed".into()), Some("each is a multiple of 256".into())];
    assert_eq!(says(&["--transactions", "*=1"]), [None, None]);
    assert_eq!(says(&["--transactions", "*=1", "--l2-keeps-launch"]), both);
    assert_eq!(says(&["--l2-keeps-launch"]), both);
}

/// A fence in another kernel of the listing is none of this one.
#[test]
fn fences_of_other_kernels_do_not_count() {
    let other = ".visible .entry other()\n{\nmembar.gl;\nret;\n}\n";
    let both = format!("{}{other}", code("", ""));
    let flags = ["--grid", "20", "--block", "32", "--l1-keeps-block=64KiB", "--entry"];
    assert!(launched(&both, &[&flags[..], &["k"]].concat()).is_ok());
    let refused = launched(&both, &[&flags[..], &["other"]].concat()).unwrap_err();
    assert!(refused.contains("may empty the first cache"), "{refused}");
}

#[test]
fn what_cannot_be_kept_is_refused() {
    let refused = |flags: &[&str]| time("", flags).unwrap_err();
    // All blocks read the same eight lines.
    let why = refused(&["--l1-keeps-block=1000B"]);
    assert!(why.contains("may touch 1024 bytes") && why.contains("has 1000"), "{why}");
    assert!(refused(&["--arrays-distinct"]).contains("--l1-keeps-block"));
    assert!(refused(&["--l1-keeps-block=much"]).contains("want bytes"));
    let why = refused(&["--l1-keeps-block=164KiB", "--dynamic-shared", "20000"]);
    assert!(why.contains("beside the shared memory of its blocks"), "{why}");
    let why = time("membar.gl;", &["--l1-keeps-block=64KiB"]).unwrap_err();
    assert!(why.contains("what line 18 of") && why.contains("does may empty the first cache"), "{why}");
    for load in ["ld.volatile.global.u32", "ld.relaxed.gpu.global.u32", "ld.acquire.gpu.global.u32"] {
        let why = time(&format!("{load} %r12, [%rd3];"), &["--l1-keeps-block=64KiB"]).unwrap_err();
        assert!(why.contains("may empty the first cache"), "{load}: {why}");
    }
    assert!(refused(&["--l2-keeps-launch", "--co-running", "k.ptx:k:1:32"]).contains("cannot be used with"));
    let why = refused(&["--gpu", "jetson-tx2", "--l1-keeps-block"]);
    assert!(
        why.contains("compiled") || why.contains("the size of the first cache of 6.2 is not known"),
        "{why}"
    );
}
