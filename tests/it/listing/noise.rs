//! The readers answer damaged listings with an entry or an error, and never panic, whatever stands in them.
//! WARPSPAN_CASES raises the number of cases, and `fuzz/` has the same test for cargo-fuzz.
use crate::common::cases::cases;
use proptest::prelude::*;
use warpspan::listing::{Options, Text, extract};

const FILES: [&[u8]; 7] = [
    include_bytes!("../../data/code/straight.ptx"),
    include_bytes!("../../data/code/flow.ptx"),
    include_bytes!("../../data/code/fatbin.ptx"),
    include_bytes!("../../data/code/cuobjdump.sass"),
    include_bytes!("../../data/code/stack.cuasm"),
    include_bytes!("../../data/code/nvdisasm.sass"),
    include_bytes!("../../data/code/tri.sm_120.sass"),
];

/// One change to a text, with its place and what it puts there.
#[derive(Debug, Clone)]
enum Damage {
    Byte(usize, u8),
    Cut(usize, usize),
    Copy(usize, usize, usize),
    End(usize),
    Insert(usize, &'static str),
}

const WORDS: [&str; 20] = [
    "{",
    "}",
    ";",
    "@",
    ":",
    "/*",
    "*/",
    "\"",
    "bra ",
    ".entry ",
    "`(",
    "@!P0 ",
    "BRX R2",
    "SSY ",
    "\n",
    "\u{e9}",
    " &req={7}",
    " ?trans16 ",
    ".loc 1 2 ",
    "FROB ",
];

fn damage() -> impl Strategy<Value = Damage> {
    let at = || any::<usize>();
    prop_oneof![
        (at(), any::<u8>()).prop_map(|(at, byte)| Damage::Byte(at, byte)),
        (at(), 0_usize..200).prop_map(|(at, length)| Damage::Cut(at, length)),
        (at(), 0_usize..200, at()).prop_map(|(from, length, to)| Damage::Copy(from, length, to)),
        at().prop_map(Damage::End),
        (at(), 0..WORDS.len()).prop_map(|(at, word)| Damage::Insert(at, WORDS[word])),
    ]
}

fn apply(text: &mut Vec<u8>, damage: &Damage) {
    let size = text.len().max(1);
    match *damage {
        Damage::Byte(at, byte) => {
            if let Some(place) = text.get_mut(at % size) {
                *place = byte;
            }
        }
        Damage::Cut(at, length) => {
            let at = at % size;
            text.drain(at.min(text.len())..(at + length).min(text.len()));
        }
        Damage::Copy(from, length, to) => {
            let from = (from % size).min(text.len());
            let part = text[from..(from + length).min(text.len())].to_vec();
            let to = (to % size).min(text.len());
            text.splice(to..to, part);
        }
        Damage::End(at) => text.truncate(at % size),
        Damage::Insert(at, word) => {
            let at = (at % size).min(text.len());
            text.splice(at..at, word.bytes());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: u32::try_from(cases(3000)).unwrap(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_panic(file in 0..FILES.len(), damages in proptest::collection::vec(damage(), 1..6)) {
        let mut text = FILES[file].to_vec();
        damages.iter().for_each(|damage| apply(&mut text, damage));
        let lines = text.iter().filter(|&&byte| byte == b'\n').count() + 1;
        let capability = Some("6.1".parse().unwrap());
        let options = Options { capability, explain: true, ..Options::default() };
        if let Err(error) = Text::new("f", text).and_then(|text| extract(&text, &options)) {
            prop_assert!(!error.to_string().contains(char::is_control), "{error}");
            prop_assert!(error.line.is_none_or(|line| (1..=lines).contains(&line)), "{error}");
        }
    }
}
