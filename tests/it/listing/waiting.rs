//! Instructions that wait are refused or have a theorem (`crates/isa/src/waits.rs`).

use std::sync::Arc;

use assert_cmd::Command;
use warpspan::input::find_machine;
use warpspan::listing::{Entry, Options, Text, capability_of, extract, read_classes};
use warpspan::model::assumption::{Id, Kind};

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

/// What is read of the kernel with a table of classes.
fn read(capability: &str, instruction: &str, classes: &str) -> Result<Entry, String> {
    let text = Text::new("k", kernel(capability, instruction).into_bytes()).unwrap();
    let machine = Arc::new(find_machine(&capability_of(capability).unwrap()).unwrap().machine);
    let classes = read_classes("c.toml", classes, Some(&machine)).unwrap();
    let options = Options { machine: Some(machine), classes, ..Options::default() };
    extract(&text, &options).map(|mut entries| entries.remove(0)).map_err(|error| error.to_string())
}

/// Why the kernel has no program, on the machine of its capability and on the multiprocessor of the paper.
fn refused_with(capability: &str, instruction: &str, classes: &str) -> [Option<String>; 2] {
    match read(capability, instruction, classes) {
        Err(error) => [Some(error.clone()), Some(error)],
        Ok(entry) => {
            let on = entry.on_machine.as_ref().unwrap();
            [on.program.as_ref().err(), entry.program.as_ref().err()]
                .map(|error| error.map(|error| error.to_string()))
        }
    }
}

fn refused(capability: &str, instruction: &str) -> [Option<String>; 2] {
    refused_with(capability, instruction, "")
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

/// A class of the user ends a refusal only where there is a condition under which nothing waits, and then the condition stands with
/// the answer.
#[test]
fn a_class_mends_no_wait_without_a_condition() {
    let mut conditions = 0;
    for line in include_str!("../../data/waiting.txt").lines().filter(|line| !line.starts_with('#')) {
        let [capability, expected, instruction] = line.splitn(3, ' ').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let opcode = instruction.split(' ').next().unwrap();
        let class = format!("[[class]]\nopcode = \"{opcode}\"\nunit = \"C\"\n");
        let before = refused(capability, instruction);
        let with = refused_with(capability, instruction, &class);
        let given =
            read(capability, instruction, &class).map(|entry| entry.given_classes).unwrap_or_default();
        let says = |what: &str| before.iter().flatten().any(|error| error.contains(what));
        match (expected, says("or a class for it with")) {
            ("refused", true) => {
                assert_eq!(with, [None, None], "{line}");
                assert_eq!((given[0].id, given[0].kind), (Id::ClassOfOpcode, Kind::Declared));
                let value = &given[0].value;
                assert!(
                    value.contains("c.toml:1") && value.contains(", if the kernel is launched without "),
                    "{value}"
                );
                conditions += 1;
            }
            // Of an opcode that nobody knows the user's word counts.
            ("refused", false) if says("is not known: give it a class") => {}
            // Whatever it costs, it waits, or only some threads wait there.
            ("refused", false) => assert!(with.iter().all(Option::is_some), "{line}: {with:?}"),
            _ if opcode.contains("launch_dependents") || opcode == "PREEXIT" => {
                assert!(given[0].value.contains("no kernel of the stream is launched"), "{given:?}");
            }
            _ => assert!(given.iter().all(|one| !one.value.contains(", if ")), "{line}: {given:?}"),
        }
    }
    assert!(conditions > 12, "{conditions}");
}

/// The warps of a block wait for one another at a barrier, whatever class it has.
#[test]
fn a_barrier_with_a_class_is_a_barrier() {
    for (capability, instruction) in [("80", "bar.sync 0"), ("80", "BAR.SYNC.DEFER_BLOCKING 0x0")] {
        for unit in ["C", "none"] {
            let opcode = instruction.split(' ').next().unwrap();
            let class = format!("[[class]]\nopcode = \"{opcode}\"\nunit = \"{unit}\"\nletters = 3\n");
            let entry = read(capability, instruction, &class).unwrap();
            assert_eq!(entry.barriers, 1, "{instruction} {unit}");
            let count = |found: String| found.matches("Barrier").count();
            let plain = read(capability, instruction, "").unwrap();
            let of = |entry: &Entry| {
                let on = entry.on_machine.as_ref().unwrap().program.as_ref().unwrap();
                [count(format!("{:?}", entry.program)), count(format!("{on:?}"))]
            };
            assert_eq!(of(&entry), of(&plain), "{instruction} {unit}");
            assert_eq!(of(&plain), [1, 1]);
        }
    }
}

/// Alone on the GPU there is no next kernel that could begin; beside others there may be one.
#[test]
fn who_lets_the_next_kernel_begin_is_timed_alone() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("k.ptx");
    std::fs::write(&file, kernel("90", "griddepcontrol.launch_dependents")).unwrap();
    let name = file.display();
    let time = |more: &str| {
        let command = format!("time {name} --gpu h100 --grid 10 --block 128 --registers 32 {more}");
        let output =
            Command::cargo_bin("warpspan").unwrap().args(command.split_whitespace()).output().unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap(),
        )
    };
    let (code, text) = time("--deadline 1ms");
    assert!(
        code == Some(0) && text.contains("; deadline 1 ms met\n") && text.contains("launches in clusters"),
        "{text}"
    );
    // A texture instruction is not there, so nothing is said of one.
    assert!(!text.contains("texture"), "{text}");
    let (code, text) = time(&format!("--co-running {name}:k:4:64"));
    assert!(code == Some(2) && text.contains("lets the next kernel of its stream begin"), "{text}");
}

#[test]
fn what_a_texture_reads_is_said_where_there_is_one() {
    let says = |instruction: &str| {
        let entry = read("80", instruction, "").unwrap();
        entry.on_machine.unwrap().assumptions().iter().any(|one| one.id == Id::TextureLines)
    };
    assert!(says("TEX R4, R8, R14, 0x0, 2D") && says("tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [t, {%f5,%f6}]"));
    // An opcode of no class may be one of a texture.
    assert!(says("WHATEVER R4, R8") && !says("LDG.E R4, [R2.64]") && !says("ld.global.u32 %r1, [%rd1]"));
}
