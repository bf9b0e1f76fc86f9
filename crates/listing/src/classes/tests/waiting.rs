//! The list of the instructions that wait, against the tables of classes, the refusals and the manual.

use std::path::Path;
use std::{fs, iter};

use crate::classes::{Classes, Found};
use crate::{Options, Text};
use warpspan_isa::class::Use;
use warpspan_isa::classes::{examples, of_pattern};
use warpspan_isa::instruction::Language;
use warpspan_isa::opcode::Opcode;
use warpspan_isa::waits::Covered::{Refused, StartsNext, Theorem};
use warpspan_isa::waits::{ROWS, of};

fn language(opcode: &str) -> Language {
    if opcode.starts_with(|c: char| c.is_ascii_uppercase()) { Language::Sass } else { Language::Ptx }
}

/// Why there is no code of a kernel with an instruction, if there is none.
fn refusal(opcode: &str) -> Option<String> {
    let text = match language(opcode) {
        Language::Ptx => format!(
            ".version 8.6\n.target sm_90\n.address_size 64\n.visible .entry k()\n{{\n{opcode};\nret;\n}}\n"
        ),
        Language::Sass => format!(
            "\tcode for sm_90\n\t\tFunction : k\n\t.headerflags @\"EF_CUDA_SM90\"\n/*0000*/ {opcode} ;\n/*0010*/ EXIT ;\n"
        ),
    };
    let text = Text::new("k", text.into_bytes()).unwrap();
    let found = crate::entry(&text, &Options::default()).and_then(|found| found.code("k"));
    found.err().map(|error| error.to_string())
}

/// Walks the list: what has an instruction that is refused has no code, for the reason of its row, and each other row names a section of
/// the manual that is there.
#[test]
fn each_instruction_that_waits_is_refused_or_has_its_theorem() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for row in ROWS {
        if let Theorem(section) = row.covered {
            let (page, anchor) = section.split_once('#').unwrap();
            let page = fs::read_to_string(root.join(page)).unwrap();
            let mut heads = page.lines().filter_map(|line| line.strip_prefix("## "));
            let slug = |head: &str| head.to_lowercase().replace(' ', "-");
            assert!(heads.any(|head| slug(head) == anchor), "{section}");
        }
        for opcode in row.opcodes.split(' ').flat_map(of_pattern) {
            assert_eq!(of(&Opcode::new(&opcode)).map(|row| row.manual), Some(row.manual), "{opcode}");
            let classes = Classes::new(language(&opcode), "9.0".parse().unwrap(), vec![]);
            let is_refused =
                matches!(classes.find(&Opcode::new(&opcode)), Some(Found::Row(Use::Refused(_), _)));
            match row.covered {
                Refused(reason, _) => {
                    let said = refusal(&opcode).unwrap_or_default();
                    assert!(said.contains(reason), "{opcode}: {said:?}");
                }
                Theorem(_) | StartsNext => assert!(!is_refused, "{opcode}"),
            }
        }
    }
}

/// The other way round: what the tables know by a name of waiting is in the list, or arrives and does not wait.
#[test]
fn no_opcode_that_sounds_like_waiting_is_missing() {
    const WORDS: [&str; 10] =
        ["wait", "sync", "sleep", "depbar", "membar", "fence", "acq", "exit", "warpgroup", "maxreg"];
    const GO_ON: [&str; 6] = ["exit", "EXIT", "PREEXIT", "SYNCS", "mbarrier", "griddepcontrol"];
    let all = [Language::Ptx, Language::Sass].into_iter().flat_map(examples);
    for opcode in all.chain(iter::once("setmaxnreg.inc.sync.aligned.u32".to_owned())) {
        // An asynchronous or acquiring access is no wait.
        let lower = opcode.to_lowercase().replace("async", "");
        let sounds = WORDS.iter().any(|word| lower.contains(word)) && !lower.contains("acquire");
        let name = opcode.split('.').next().unwrap_or_default();
        assert!(!sounds || of(&Opcode::new(&opcode)).is_some() || GO_ON.contains(&name), "{opcode}");
    }
}
