//! PTX on a machine that runs it as it stands: a warp that is alone takes exactly as long as a program that tracks its
//! registers says, which knows the instructions before they were written down. `WARPSPAN_CASES` asks for more cases.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::Arc;

use warpspan::engines::own::own;
use warpspan::input::read_machine;
use warpspan::listing::{Options, Text, Transactions, entry, read_classes};
use warpspan::model::device::Capability;

use crate::common::cases::{cases, first_seed};

const MACHINE: &str = r#"
[machine]
capability = "7.5"
issue_width = 1
ptx_stall = 3

[[unit]]
name = "INT"
occupancy = 2
latency = [1, 9]

[[unit]]
name = "COMPARE"
latency = [2, 7]

[[unit]]
name = "BRANCH"
latency = [1, 5]

[[unit]]
name = "GLOBAL"
shared = true
occupancy = 4
latency = [10, 60]

[[letter]]
name = "STORE"
unit = "GLOBAL"
occupancy = 2
latency = [10, 40]

[[letter]]
name = "ATOMIC"
unit = "GLOBAL"
occupancy = 6
latency = [10, 80]
"#;

const CLASSES: &str = r#"
[[class]]
opcode = "add.s32"
unit = "INT"

[[class]]
opcode = "setp.lt.s32"
unit = "COMPARE"

[[class]]
opcode = "selp.b32"
unit = "INT"
"#;

/// An instruction: its text, its unit, how long it holds that and how long its result takes, and the registers that it
/// reads and writes.
struct One {
    text: String,
    unit: &'static str,
    times: [u64; 2],
    registers: Vec<String>,
    written: Option<String>,
    /// Whether the next one waits for it.
    waits: bool,
}

/// A generator of random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }
}

fn draw(random: &mut Random) -> One {
    let mut one = |kind: &str, most: u64| format!("%{kind}{}", random.below(most));
    let [a, b, c] = [one("r", 5), one("r", 5), one("r", 5)];
    let (address, predicate) = (one("rd", 2), one("p", 2));
    let (text, unit, times, read, written) = match random.below(6) {
        0 => (format!("add.s32 {a}, {b}, {c}"), "INT", [2, 9], vec![b, c], Some(a)),
        1 => {
            (format!("setp.lt.s32 {predicate}, {a}, 7"), "COMPARE", [1, 7], vec![a], Some(predicate.clone()))
        }
        2 => {
            (format!("selp.b32 {a}, {b}, 3, {predicate}"), "INT", [2, 9], vec![b, predicate.clone()], Some(a))
        }
        3 => (format!("ld.global.u32 {a}, [{address}+8]"), "GLOBAL", [4, 60], vec![address], Some(a)),
        4 => (format!("st.global.u32 [{address}], {a}"), "GLOBAL", [2, 40], vec![address, a], None),
        _ => (
            format!("atom.global.add.u32 {a}, [{address}], {b}"),
            "GLOBAL",
            [6, 80],
            vec![address, b],
            Some(a),
        ),
    };
    let guarded = random.below(4) == 0;
    let text = if guarded { format!("@!{predicate} {text}") } else { text };
    let registers = read.into_iter().chain(written.clone()).chain(guarded.then_some(predicate)).collect();
    One { text, unit, times, registers, written, waits: false }
}

/// The last cycle in which something of a warp that is alone goes on.
fn completion(all: &[One]) -> u64 {
    let (mut ready, mut free) = (HashMap::new(), HashMap::new());
    let (mut now, mut over) = (1, 0);
    for one in all {
        let from = |at: Option<&u64>| at.copied().unwrap_or(0);
        now = one.registers.iter().map(|name| from(ready.get(name))).fold(now, u64::max);
        now = now.max(from(free.get(one.unit)));
        let [held, later] = one.times;
        if let Some(name) = &one.written {
            ready.insert(name.clone(), now + later);
        }
        free.insert(one.unit, now + held);
        over = over.max(now + held.max(later) - 1);
        now += if one.waits { later } else { 3 };
    }
    over
}

#[test]
fn a_warp_takes_as_long_as_its_registers_say() {
    let machine = Arc::new(read_machine("m.toml", MACHINE).unwrap().machine);
    let capability: Capability = "7.5".parse().unwrap();
    let classes = read_classes("c.toml", CLASSES, Some(&machine)).unwrap();
    let mut transactions = Transactions::default();
    transactions.add("*=1").unwrap();
    for seed in 0..cases(300) {
        let mut random =
            Random(first_seed().wrapping_add(seed).wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(7));
        let number = 2 + random.below(12);
        let mut all: Vec<One> = (0..number).map(|_| draw(&mut random)).collect();
        let end = |text: &str| One {
            text: text.to_owned(),
            unit: "BRANCH",
            times: [1, 5],
            registers: vec![],
            written: None,
            waits: true,
        };
        all.push(end("ret"));
        let lines = all.iter().fold(String::new(), |mut lines, one| {
            writeln!(lines, "{};", one.text).unwrap();
            lines
        });
        let text = format!(".version 7.0\n.target sm_75\n.visible .entry k()\n{{\n{lines}}}\n");
        let options = Options {
            capability: Some(capability),
            classes: classes.clone(),
            machine: Some(Arc::clone(&machine)),
            transactions: transactions.clone(),
            ..Options::default()
        };
        let text = Text::new("k.ptx", text.into_bytes()).unwrap();
        let found = entry(&text, &options).unwrap().on_machine.unwrap();
        let takes = own(found.program.as_ref().unwrap(), &found.machine).unwrap().completion;
        assert_eq!(takes, completion(&all), "{lines}");
    }
}
