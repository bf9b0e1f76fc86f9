//! What Nsight Compute prints, on any text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use warpspan::input::read_ncu;

fuzz_target!(|text: &str| {
    for kernel in ["scale", "_Z5scalePfi", "_Z4fillILi4EEvPf"] {
        let _counted = read_ncu("fuzz", text, kernel);
    }
});
