//! Files of tasks and tables of experiments of `partition`, on any text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use warpspan::model::time::Duration;
use warpspan::realtime::partition::{read_rows, read_tasks};

fuzz_target!(|text: &str| {
    // Code that a task runs is not solved here: it takes as long on any number of multiprocessors.
    let _tasks_or_error = read_tasks("fuzz", text, |_, gpu| {
        let multiprocessors = usize::try_from(gpu.multiprocessors).unwrap_or(usize::MAX);
        Ok(vec![Duration(1_000); multiprocessors.min(1 << 16)])
    });
    let _rows_or_error = read_rows("fuzz", text.as_bytes());
});
