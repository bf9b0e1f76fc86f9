//! Schedule files and records, on any bytes: what is read is replayed.
#![no_main]

use libfuzzer_sys::fuzz_target;
use warpspan::model::{Instance, Multiprocessor};
use warpspan::records::read;
use warpspan::schedule::{read_csv, read_json, replay};

fuzz_target!(|bytes: &[u8]| {
    let kernel = "L2CL2".parse().expect("it is a kernel");
    let instance = Instance::single(kernel, 4, Multiprocessor::default()).expect("it is small");
    for schedule in [read_csv(&instance, bytes), read_json(&instance, bytes)].into_iter().flatten() {
        let _witness_or_violation = replay(&instance, schedule);
    }
    let _record_or_error = read(bytes);
});
