//! Files of tiles and of measured times, on any text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use warpspan::realtime::prem::{read_bounded, read_measured, read_plan};

fuzz_target!(|text: &str| {
    let _bounded = read_bounded("fuzz", text);
    let _plan = read_plan("fuzz", text).map(|plan| (plan.bytes_read(), plan.tiles_of_block()));
    let _measured = read_measured("fuzz", text);
});
