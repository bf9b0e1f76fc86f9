//! Machine files, on any text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use warpspan::input::read_machine;

fuzz_target!(|text: &str| {
    let Ok(named) = read_machine("fuzz", text) else { return };
    let _code_or_error = named.machine.code("LC|L2");
});
