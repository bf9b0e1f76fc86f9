//! What each line of a listing adds to the critical path on a machine.

use std::collections::BTreeSet;
use std::fs;
use std::sync::Arc;

use warpspan::engines::phase::Rational;
use warpspan::entry::account;
use warpspan::input::{NamedMachine, find_machine};
use warpspan::listing::{Entry, Options, SourceLine, Text, extract};
use warpspan::records::extract::{Asked, Entry as Record, MachineBound};

/// The entries of a listing with bounds `LABEL=N` of loops, and lines of uniform branches.
fn entries(text: &Text, named: &NamedMachine, given: &[&str]) -> Vec<Entry> {
    let machine = Some(Arc::new(named.machine.clone()));
    let mut options = Options { explain: true, machine, ..Options::default() };
    for one in given {
        if options.loop_bounds.add(one).is_err() {
            options.uniform.insert((*one).to_owned());
        }
    }
    extract(text, &options).unwrap()
}

fn data(name: &str) -> Text {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/").to_owned() + name;
    Text::new(name, fs::read(path).unwrap()).unwrap()
}

fn record(text: &Text, entry: &Entry, named: &NamedMachine, top: Option<usize>) -> MachineBound {
    let source = text.source_lines();
    let asked = Asked { warps: 32, warps_per_block: Some(8), top, source: &source };
    let record = Record::new(entry, None, ToString::to_string);
    let record = record.with_machine(entry, named, (Some(&asked), &source), ToString::to_string);
    record.machine.unwrap().bound.unwrap()
}

fn number(text: &str) -> Rational {
    text.parse().unwrap()
}

#[test]
fn the_lines_of_listings_add_up_to_the_bound() {
    let mut found = BTreeSet::new();
    for (name, given) in [
        ("code/flow.ptx", &["HEAD=4"][..]),
        ("code/straight.ptx", &[]),
        ("listing/samples/template-float.ptx", &[]),
        ("code/tri.sm_87.sass", &["261", "409", "412", "415", ".L_x_11=16"]),
        ("code/nvdisasm.sass", &[]),
    ] {
        let text = data(name);
        for machine in ["sm_61", "sm_87", "9.0"] {
            let named = find_machine(machine).unwrap();
            for entry in entries(&text, &named, given) {
                let on = entry.on_machine.as_ref().unwrap();
                let Ok((bounds, account)) = account(on, 32, Some(8)) else { continue };
                assert!(bounds.makespan.cycles() <= account.bound.cycles());
                let record = record(&text, &entry, &named, None);
                assert_eq!(record.critical_path, account.bound.cycles().0);
                assert_eq!(record.further, None);
                let rest = [&record.overlap, &record.several_paths, &record.rounding];
                let costs = record.lines.iter().map(|line| &line.cost.adds);
                let sum: Rational = costs.chain(rest).map(|text| number(text)).sum();
                assert_eq!(sum, Rational::from(i128::from(record.critical_path)), "{name} {}", entry.name);
                let adds: Vec<Rational> = record.lines.iter().map(|line| number(&line.cost.adds)).collect();
                assert!(adds.is_sorted_by(|a, b| a >= b));
                found.insert(name);
            }
        }
    }
    assert_eq!(found.len(), 5, "{found:?}");
}

const NESTED: &str = "\
.version 7.0
.target sm_61
.visible .entry k()
{
.loc 1 3 1
mov.u32 %r1, 0;
A:
.loc 1 4 1
mov.u32 %r2, 0;
B:
.loc 2 9 5, function_name $L, inlined_at 1 5 1
add.s32 %r2, %r2, 1;
setp.lt.s32 %p1, %r2, 10;
@%p1 bra B;
.loc 1 6 1
add.s32 %r1, %r1, 1;
setp.lt.s32 %p1, %r1, 5;
@%p1 bra A;
ret;
}
.file 1 \"k.cu\"
";

#[test]
fn loops_hold_those_inside_and_sources_their_lines() {
    let named = find_machine("sm_87").unwrap();
    let text = Text::new("k.ptx", NESTED.as_bytes().to_vec()).unwrap();
    let all = entries(&text, &named, &["A=5", "B=10"]);
    let found = record(&text, &all[0], &named, None);
    let sum = |lines: &[u32]| -> Rational {
        let of = |line: &u32| {
            let line = found.lines.iter().find(|one| one.line == *line).unwrap();
            number(&line.cost.adds)
        };
        lines.iter().map(of).sum()
    };
    let loops: Vec<(&str, u32, Rational)> =
        found.loops.iter().map(|one| (one.label.as_str(), one.line, number(&one.cost.adds))).collect();
    let (inner, outer) = (sum(&[12, 13, 14]), sum(&[9, 12, 13, 14, 16, 17, 18]));
    assert_eq!(loops, [("A", 9, outer), ("B", 12, inner)]);
    let source = |file: &str, line: u32| SourceLine { file: file.to_owned(), line };
    let sources: Vec<(SourceLine, Rational)> =
        found.source.iter().map(|one| (source(&one.file, one.line), number(&one.cost.adds))).collect();
    let expected = [
        (source("2", 9), inner),
        (source("k.cu", 6), sum(&[16, 17, 18, 19])),
        (source("k.cu", 4), sum(&[9])),
        (source("k.cu", 3), sum(&[6])),
    ];
    assert_eq!(sources, expected);
    let first = record(&text, &all[0], &named, Some(2));
    assert_eq!((first.lines.len(), first.source.len()), (2, 2));
    let further = first.further.unwrap();
    assert_eq!(further.lines, found.lines.len() - 2);
    let shown: Rational = first.lines.iter().map(|line| number(&line.cost.adds)).sum();
    let all: Rational = found.lines.iter().map(|line| number(&line.cost.adds)).sum();
    assert_eq!(shown + number(&further.cost.adds), all);
}
