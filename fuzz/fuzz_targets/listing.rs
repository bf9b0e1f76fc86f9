//! Both readers, the classes, the structure and the bound, on any bytes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use warpspan::listing::{Options, Text, extract};

fuzz_target!(|bytes: &[u8]| {
    let options = Options { capability: "6.1".parse().ok(), explain: true, ..Options::default() };
    if let Ok(text) = Text::new("fuzz", bytes.to_vec()) {
        for entry in extract(&text, &options).unwrap_or_default() {
            let _answer_or_error = entry.bound(5, Some(2));
        }
    }
});
