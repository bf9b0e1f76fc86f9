//! Tables of measured execution times by multiprocessors, on any bytes: what is read gives a file of tasks that is read again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use warpspan::realtime::partition::{Tolerance, read_measured, read_tasks, tasks_file};

fuzz_target!(|bytes: &[u8]| {
    let Ok(times) = read_measured("fuzz", bytes) else { return };
    let classes = times.classify(Tolerance::default());
    let Ok(text) = tasks_file(&classes, "fuzz") else { return };
    let _set = read_tasks("fuzz", &text, |_, _| panic!("no code"));
});
