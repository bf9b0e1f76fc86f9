//! Files of tasks and tables of experiments of `partition`, on any text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use warpspan::realtime::partition::{read_rows, read_tasks};

fuzz_target!(|text: &str| {
    let _tasks_or_error = read_tasks("fuzz", text, |_, _| panic!("no code"));
    let _rows_or_error = read_rows("fuzz", text.as_bytes());
});
