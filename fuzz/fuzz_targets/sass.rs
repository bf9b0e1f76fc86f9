//! The reader of SASS, with its printed control fields and encodings: any text as the body of a kernel.
#![no_main]

use libfuzzer_sys::fuzz_target;
use warpspan::listing::{Options, Text, extract};

fuzz_target!(|body: &str| {
    let text = format!("\tcode for sm_120\n\t\tFunction : k\n{body}\n");
    let Ok(text) = Text::new("fuzz", text.into_bytes()) else { return };
    for strict in [false, true] {
        let _entries_or_error = extract(&text, &Options { explain: true, strict, ..Options::default() });
    }
});
