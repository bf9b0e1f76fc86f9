//! Large listings are read in a time that grows with their size.
use std::fmt::Write;
use std::time::{Duration, Instant};
use warpspan::listing::{Options, Text, extract};

fn time(text: String) -> Duration {
    let start = Instant::now();
    let text = Text::new("k", text.into_bytes()).unwrap();
    let entries = extract(&text, &Options { capability: "8.6".parse().ok(), ..Options::default() }).unwrap();
    assert!(!entries.is_empty());
    start.elapsed()
}

/// Reading eight times as much takes less than 40 times as long, where a quadratic time would be 64 times as long.
#[test]
fn time_grows_with_the_size() {
    let sass = |count: usize| {
        let mut text = String::from("\tcode for sm_86\n\t\tFunction : k\n");
        for at in 0..count {
            let opcode = if at % 50 == 49 { "BAR.SYNC.DEFER_BLOCKING 0x0" } else { "FFMA R1, R2, R3, R4" };
            writeln!(text, "  /*{:04x}*/ {opcode} ;", 16 * at).unwrap();
        }
        writeln!(text, "  /*{:04x}*/ EXIT ;", 16 * count).unwrap();
        text
    };
    let functions = |count: usize| {
        let one = |at: usize| {
            format!("\t\tFunction : k{at}\n  /*0000*/ FFMA R1, R2, R3, R4 ;\n  /*0010*/ EXIT ;\n")
        };
        "\tcode for sm_86\n".to_owned() + &(0..count).map(one).collect::<String>()
    };
    // The register of the condition is written before each branch and varies from the first one on.
    let branches = |count: usize| {
        let one = |at: usize| {
            format!(
                "setp.eq.s32 %p1, %r1, {at};\n@%p1 bra L{at};\nadd.s32 %r2, %r2, 1;\nL{at}:\nadd.s32 %r3, %r3, %r2;\n"
            )
        };
        let body: String = (0..count).map(one).collect();
        format!(
            ".version 8.0\n.target sm_80\n.visible .entry k()\n{{\n.reg .pred %p<3>; .reg .b32 %r<9>;\n\
             mov.u32 %r1, %tid.x;\n{body}ret;\n}}\n"
        )
    };
    for (name, few, many) in [
        ("a straight line", sass(2_000), sass(16_000)),
        ("functions", functions(1_000), functions(8_000)),
        ("branches", branches(80), branches(640)),
    ] {
        // The least of several, since other programs run beside this one.
        let least = |text: &String| (0..3).map(|_| time(text.clone())).min().unwrap();
        let (few, many) = (least(&few).max(Duration::from_millis(2)), least(&many));
        assert!(many < 40 * few, "{name}: {few:?}, {many:?}");
    }
}
