//! The reader of PTX: any text as the body of a kernel.
#![no_main]

use libfuzzer_sys::fuzz_target;
use warpspan::listing::{Options, Text, extract};

fuzz_target!(|body: &str| {
    let text = format!(".version 7.0\n.target sm_80\n.visible .entry k(.param .u64 p)\n{{\n{body}\n}}\n");
    let Ok(text) = Text::new("fuzz", text.into_bytes()) else { return };
    for strict in [false, true] {
        let _entries_or_error = extract(&text, &Options { explain: true, strict, ..Options::default() });
    }
});
