//! System files of `rta`, on any text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use warpspan::realtime::rta::read_system;

fuzz_target!(|text: &str| {
    let _system_or_error = read_system("fuzz", text);
});
