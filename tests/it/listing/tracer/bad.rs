//! Files that are not what the tracer wrote, or not of this listing, are refused in one line; and no file makes the reader panic.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::listing::tracer::machine::Launch;
use crate::listing::tracer::write::USUAL;
use crate::listing::tracer::{SMALL, file, read};

/// The error of a file in which some text is another.
fn error(content: &str, from: &str, to: &str) -> String {
    assert!(content.contains(from), "{from}");
    let error = read(&[("a.traceg", &content.replacen(from, to, 1))]).unwrap_err();
    assert_eq!(error.lines().count(), 1, "{error}");
    error
}

#[test]
fn what_is_wrong_is_said_with_its_line() {
    let content = file(&SMALL, USUAL);
    let line = |pattern: &str| content.lines().position(|line| line.contains(pattern)).unwrap() + 1;
    let first = line("0000 ffffffff");
    for (from, to, expected) in [
        (
            "-accelsim tracer version = 5",
            "-accelsim tracer version = 6",
            "version 6 of the tracer: want 1 to 5",
        ),
        ("-nregs = 16", "-nregs = x", "-nregs = \"x\": want a whole number"),
        ("-nregs = 16", "-registers = 16", "-registers: no such line is known"),
        ("-grid dim = (3,1,1)", "-grid dim = (4,1,1)", "3 of 4 blocks are there"),
        ("-grid dim = (3,1,1)", "-grid dim = (2,1,1)", "a block that is not in the grid"),
        ("-grid dim = (3,1,1)", "-shmem 1", "want -KEY = VALUE"),
        ("-block dim = (80,1,1)\n", "", "the header has no line -block dim"),
        ("-block dim = (80,1,1)", "-block dim = (96,1,1)", "do not end"),
        ("-block dim = (80,1,1)", "-block dim = (72,1,1)", "has lanes that the warp does not have"),
        ("-block dim = (80,1,1)", "-block dim = (64,1,1)", "want #END_TB: the block has no more warps"),
        (
            "MOV 2",
            "MOW 2",
            "MOW at PC 0000, where line 4 of the listing has MOV: the listing is of another binary",
        ),
        ("0010 ffffffff", "0018 ffffffff", "no instruction of the listing has PC 0018"),
        ("0010 ffffffff", "0010 7fffffff", "cannot follow"),
        ("0010 ffffffff", "0010 fffffffff", "want 32 bits"),
        ("0010 ffffffff", "0010 00000000", "no lane executes an instruction that no predicate guards"),
        (
            "0080 ffffffff 1 R5 LDG.E 2 R4 R255 4 1 ",
            "0080 ffffffff 1 R5 LDG.E 2 R4 R255 4 3 ",
            "form \"3\" of addresses",
        ),
        (
            "0080 ffffffff 1 R5 LDG.E 2 R4 R255 4 1 ",
            "0080 ffffffff 1 R5 LDG.E 2 R4 R255 4 0 ",
            "want an address",
        ),
        ("0x7f0000000000 4 0", "0x7f0000000001 4 0", "is no multiple of the 4 bytes of LDG.E"),
        ("0x7f0000000000 4 0", "0x7f0000000000 4 4 0", "is left at the end of the line"),
        ("0x7f0000000000 4 0", "0x7f0000000000 4", "the line ends before the immediate"),
        ("0x7f0000000000 4 0", "0x7f0000000000 -9000000000000 0", "an address below 0"),
        (
            "LDG.E 2 R4 R255 4 1 0x7f0000000000 4 0",
            "LDG.E 2 R4 R255 0 0",
            "no addresses, although LDG.E accesses memory",
        ),
        ("MOV 2 R4 R255 0 0", "MOV 9 R4 R255 0 0", "9 registers: want 8 at most"),
        ("MOV 2 R4 R255 0 0", "MOV 2 R4 X 0 0", "\"X\": want a register"),
        ("thread block = 1,0,0", "thread block = 2,0,0", "block number 2 where 1 is next"),
        ("warp = 1\n", "warp = 2\n", "want warp = 1 of 3"),
        ("insts = ", "insts = 1", "fewer instructions than insts = N says"),
        ("\n#END_TB", "\n#END", "\"#END\""),
    ] {
        let found = error(&content, from, to);
        assert!(found.contains(expected), "{from} -> {to}: {found}");
        assert!(found.starts_with("a.traceg:"), "{found}");
    }
    assert!(error(&content, "0000 ffffffff", "0000 fffffff0").contains(&format!("a.traceg:{}: ", first + 1)));
}

#[test]
fn a_file_that_ends_too_early_is_refused_wherever_that_is() {
    let content = file(&Launch { blocks: 1, threads: 40, count: 40, seed: 3 }, USUAL);
    let whole = content.rfind("#END_TB").unwrap() + "#END_TB\n".len();
    assert!(read(&[("a.traceg", &content[..whole])]).is_ok());
    for end in (0..whole).step_by(7) {
        let error = read(&[("a.traceg", &content[..end])]).unwrap_err();
        assert_eq!(error.lines().count(), 1, "{error}");
    }
    // Without a line of a warp whose count was mended, too.
    let lines: Vec<&str> = content.lines().collect();
    let begin = lines.iter().position(|line| line.starts_with("insts = ")).unwrap();
    let count: usize = lines[begin]["insts = ".len()..].parse().unwrap();
    for left_out in begin + 1..=begin + count {
        let kept = |(at, line): (usize, &&str)| match at {
            _ if at == left_out => String::new(),
            _ if at == begin => format!("insts = {}\n", count - 1),
            _ => format!("{line}\n"),
        };
        let text: String = lines.iter().enumerate().map(kept).collect();
        // An instruction that a predicate keeps from some lanes is missed only where it ends a pass of the loop.
        let guarded = ["0050 ", "0120 ", "0150 ", "01d0 "].iter().any(|pc| lines[left_out].starts_with(pc));
        assert!(read(&[("a.traceg", &text)]).is_err() || guarded, "{}", lines[left_out]);
    }
}

#[test]
fn another_kernel_or_other_sizes_and_compressed_files() {
    let content = file(&SMALL, USUAL);
    let other = file(&Launch { blocks: 2, ..SMALL }, USUAL);
    let found = read(&[("a.traceg", &content), ("b.traceg", &other)]).unwrap_err();
    assert!(found.starts_with("b.traceg: another kernel or other sizes than in a.traceg"), "{found}");
    let found = read(&[("a.traceg", &content.replace("= gather", "= scatter"))]).unwrap_err();
    assert!(found.contains("has no kernel \"scatter\", which was traced"), "{found}");
    let found = read(&[("a.traceg", "\u{1f}\n")]).unwrap_err();
    assert!(found.starts_with("a.traceg:1: "), "{found}");
}

/// Changes of single bytes and of lines, at random.
#[test]
fn no_file_makes_the_reader_panic() {
    let content = file(&Launch { blocks: 2, threads: 40, count: 60, seed: 5 }, USUAL).into_bytes();
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut refused = 0;
    for _ in 0..2000 {
        let mut bytes = content.clone();
        for _ in 0..random.random_range(1..4) {
            let at = random.random_range(0..bytes.len());
            match random.random_range(0..4) {
                0 => bytes[at] = random.random_range(0..128),
                1 => _ = bytes.remove(at),
                2 => bytes.insert(at, b"0123456789abcdfx- \n"[random.random_range(0..19)]),
                _ => {
                    let to = (at + random.random_range(1..200)).min(bytes.len());
                    let part = bytes[at..to].to_vec();
                    bytes.splice(at..at, part);
                }
            }
        }
        refused += u32::from(read(&[("a.traceg", &String::from_utf8(bytes).unwrap())]).is_err());
    }
    assert!(refused > 1000, "{refused}");
}
