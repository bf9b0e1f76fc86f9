//! Listings that grow, by their kind: the seconds that it takes to extract them for a machine, the memory beyond that for a listing of one
//! part, and of both the exponent of the last doubling, which is 1 where they grow with the size.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark prints what it finds, and fails by panicking"
)]

use std::fmt::Write;
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;
use std::{env, fs};

use warpspan::input::find_machine;
use warpspan::listing::{Options, Text, extract};

/// A kernel of PTX around some statements. `%r1` is the number of the thread, `%r2` and `%r3` are parameters.
fn ptx(body: &str) -> String {
    let registers: u32 = 40_000;
    format!(
        ".version 8.0\n.target sm_87\n.address_size 64\n.visible .entry k(.param .u32 n, .param .u32 m)\n{{\n\
         .reg .pred %p<{registers}>; .reg .b32 %r<{registers}>;\n\
         mov.u32 %r1, %tid.x;\nld.param.u32 %r2, [n];\nld.param.u32 %r3, [m];\n{body}ret;\n}}\n"
    )
}

/// Statements that each write a register of their own, from `first` on, as a compiler does.
fn statements(count: usize, first: usize) -> String {
    (first..first + count).fold(String::new(), |mut all, at| {
        let (one, other) = (if at > first { at - 1 } else { 1 }, if at > first + 5 { at - 5 } else { 2 });
        let opcode = [
            "mad.lo.s32 %rA, %rB, %rC, 7",
            "xor.b32 %rA, %rB, %rC",
            "sub.s32 %rA, %rB, %rC",
            "min.s32 %rA, %rB, %rC",
        ][at % 4];
        let line = opcode
            .replace('A', &at.to_string())
            .replace('B', &one.to_string())
            .replace('C', &other.to_string());
        writeln!(all, "{line};").unwrap();
        all
    })
}

/// One loop with so many statements.
fn body(count: usize) -> String {
    let inside = statements(count, 10);
    ptx(&format!(
        "mov.u32 %r4, 0;\nL:\n{inside}add.s32 %r4, %r4, 1;\nsetp.lt.s32 %p1, %r4, %r2;\n@%p1 bra L;\n"
    ))
}

/// So many loops, one behind the other, each with its test before it.
fn loops(count: usize) -> String {
    ptx(&(0..count).fold(String::new(), |mut all, at| {
        let (counter, next) = (10 + 8 * at, 11 + 8 * at);
        let inside = statements(4, 12 + 8 * at);
        writeln!(
            all,
            "setp.ge.s32 %p{a}, %r1, %r2;\nmov.u32 %r{counter}, %r1;\n@%p{a} bra E{at};\nL{at}:\n{inside}\
             add.s32 %r{next}, %r{counter}, %r3;\nmov.u32 %r{counter}, %r{next};\nsetp.lt.s32 %p{b}, %r{counter}, %r2;\n@%p{b} bra L{at};\nE{at}:",
            a = 2 * at + 1,
            b = 2 * at + 2,
        )
        .unwrap();
        all
    }))
}

/// A loop around a choice of so many cases.
fn cases(count: usize) -> String {
    let each = (0..count).fold(String::new(), |mut all, at| {
        let inside = statements(2, 10 + 2 * at);
        writeln!(
            all,
            "setp.ne.s32 %p{}, %r5, {at};\n@%p{} bra N{at};\n{inside}bra E;\nN{at}:",
            at + 2,
            at + 2
        )
        .unwrap();
        all
    });
    ptx(&format!(
        "mov.u32 %r4, 0;\nL:\nand.b32 %r5, %r4, 1023;\n{each}E:\nadd.s32 %r4, %r4, 1;\nsetp.lt.s32 %p1, %r4, %r2;\n@%p1 bra L;\n"
    ))
}

/// So many loops of SASS, one behind the other, each with its test before it and a place where its threads reconverge.
fn sass_loops(count: usize) -> String {
    let mut text = String::from("\tcode for sm_87\n\t\tFunction : k\n");
    let mut at = 0;
    let mut line = |one: &str| {
        writeln!(text, "  /*{at:04x}*/ {one} ;").unwrap();
        at += 16;
        at
    };
    line("S2R R2, SR_TID.X");
    let mut behind = 16;
    for _ in 0..count {
        line("ISETP.GE.AND P0, PT, R2, c[0x0][0x160], PT");
        line(&format!("BSSY B0, {:#x}", behind + 16 * 12));
        line(&format!("@P0 BRA {:#x}", behind + 16 * 11));
        let top = line("MOV R0, R2");
        line("IMAD R5, R6, R7, 0x7");
        line("LOP3.LUT R6, R5, R7, RZ, 0x3c, !PT");
        line("IADD3 R7, R6, -R5, RZ");
        line("IMNMX R6, R7, R5, PT");
        line("IADD3 R0, R0, c[0x0][0x164], RZ");
        line("ISETP.GE.AND P1, PT, R0, c[0x0][0x160], PT");
        line(&format!("@!P1 BRA {top:#x}"));
        behind = line("BSYNC B0");
    }
    line("EXIT");
    text
}

/// The text of a listing of so many parts.
type Grown = fn(usize) -> String;

/// What grows, and to how many parts.
const KINDS: [(&str, Grown, usize); 4] = [
    ("statements in a loop, PTX", body, 4000),
    ("loops in a row, PTX", loops, 1000),
    ("cases in a loop, PTX", cases, 300),
    ("loops in a row, SASS", sass_loops, 1000),
];

/// The seconds that it takes to extract a listing for a machine.
fn seconds(text: String) -> f64 {
    let mut options = Options {
        capability: "8.7".parse().ok(),
        machine: Some(Arc::new(find_machine("8.7").unwrap().machine)),
        ..Options::default()
    };
    let given =
        if text.starts_with('.') { ["n=100", "m=16"] } else { ["c[0x0][0x160]=100", "c[0x0][0x164]=16"] };
    given.iter().for_each(|one| options.params.add(one).unwrap());
    let text = Text::new("k", text.into_bytes()).unwrap();
    let start = Instant::now();
    extract(&text, &options).unwrap();
    start.elapsed().as_secs_f64()
}

/// The most memory that this process has had, in KiB; none where the system does not say it.
fn peak() -> Option<f64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// The seconds and the memory of one listing, in a process of its own, since memory that was used once stays with a process.
fn measured(kind: usize, count: usize) -> [Option<f64>; 2] {
    let arguments = ["one".to_owned(), kind.to_string(), count.to_string()];
    let found = Command::new(env::current_exe().unwrap()).args(arguments).output().unwrap();
    assert!(found.status.success(), "{}", String::from_utf8_lossy(&found.stderr));
    let mut numbers = str::from_utf8(&found.stdout).unwrap().split_whitespace().map(|one| one.parse().ok());
    [numbers.next().flatten(), numbers.next().flatten()]
}

fn main() {
    let arguments: Vec<String> = env::args().collect();
    if let [_, one, kind, count] = &arguments[..]
        && one == "one"
    {
        let (_, text, _) = KINDS[kind.parse::<usize>().unwrap()];
        let seconds = seconds(text(count.parse().unwrap()));
        println!("{seconds} {}", peak().map_or("-".to_owned(), |most| most.to_string()));
        return;
    }
    println!(
        "{:32} {:>6} {:>9} {:>9} {:>9} {:>9}",
        "what", "count", "seconds", "exponent", "MiB", "exponent"
    );
    for (kind, (what, _, most)) in KINDS.into_iter().enumerate() {
        // What the program takes for next to nothing does not grow.
        let [_, least] = measured(kind, 1);
        let mut before = [None; 2];
        for count in [most / 4, most / 2, most] {
            let [seconds, peak] = measured(kind, count);
            let found = [seconds, peak.zip(least).map(|(peak, least)| (peak - least).max(1.0) / 1024.0)];
            let cell = |number: Option<f64>| number.map_or("-".to_owned(), |number| format!("{number:.3}"));
            let mut cells = String::new();
            for (now, before) in found.into_iter().zip(before) {
                let exponent = now.zip(before).map(|(now, before): (f64, f64)| (now / before).log2());
                write!(cells, " {:>9} {:>9}", cell(now), cell(exponent)).unwrap();
            }
            println!("{what:32} {count:6}{cells}");
            before = found;
        }
    }
}
