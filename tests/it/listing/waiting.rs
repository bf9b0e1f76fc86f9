//! Instructions that wait are refused or have a theorem (`crates/listing/src/isa/waits.rs`).

use std::sync::Arc;

use warpspan::input::find_machine;
use warpspan::listing::{Options, Text, capability_of, extract};

/// A kernel with an instruction of SASS or PTX in it.
fn kernel(capability: &str, instruction: &str) -> String {
    match instruction.starts_with(|c: char| c.is_ascii_uppercase()) {
        true => {
            // Up to 6.x each 32 bytes begin with a word of control fields.
            let first = if capability.parse::<u32>().unwrap() < 70 { "0008" } else { "0000" };
            format!(
                "\t.headerflags @\"EF_CUDA_SM{capability}\"\n\t.section\t.text.k,\"ax\",@progbits\n.text.k:\n\
                 /*{first}*/ {instruction} ;\n/*0010*/ EXIT ;\n"
            )
        }
        false => {
            format!(
                ".version 8.7\n.target sm_{capability}\n.visible .entry k()\n{{\n{instruction};\nret;\n}}\n"
            )
        }
    }
}

/// Why the kernel has no program, on the machine of its capability and on the multiprocessor of the paper.
fn refused(capability: &str, instruction: &str) -> [Option<String>; 2] {
    let text = Text::new("k", kernel(capability, instruction).into_bytes()).unwrap();
    let machine = Arc::new(find_machine(&capability_of(capability).unwrap()).unwrap().machine);
    let options = Options { machine: Some(machine), ..Options::default() };
    match extract(&text, &options) {
        Err(error) => [Some(error.to_string()), Some(error.to_string())],
        Ok(entries) => {
            let on = entries[0].on_machine.as_ref().unwrap();
            [on.program.as_ref().err(), entries[0].program.as_ref().err()]
                .map(|error| error.map(|error| error.to_string()))
        }
    }
}

#[test]
fn what_waits_is_refused_unless_a_theorem_covers_it() {
    let cases = include_str!("../../data/waiting.txt");
    let mut wrong = Vec::new();
    let mut seen = 0;
    for line in cases.lines().filter(|line| !line.starts_with('#')) {
        let [capability, expected, instruction] = line.splitn(3, ' ').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let found = refused(capability, instruction);
        if found.iter().any(|found| found.is_some() != (expected == "refused")) {
            wrong.push(format!("{line}: {found:?}"));
        }
        seen += 1;
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(seen > 60);
}

#[test]
fn a_refusal_says_what_would_do() {
    assert_eq!(
        refused("90", "setmaxnreg.inc.sync.aligned.u32 240")[0].as_deref(),
        Some(
            "line 5: setmaxnreg.inc.sync.aligned.u32 waits for registers that other warps of its block give back: the model \
             does not cover that: want code without it"
        )
    );
    assert_eq!(
        refused("90", "griddepcontrol.wait")[0].as_deref(),
        Some(
            "line 5: griddepcontrol.wait waits for the kernels before it in its stream: the model does not cover that: want \
             code without it, or a class for it with a table of classes, if the kernel is launched without programmatic \
             dependent launch"
        )
    );
}
