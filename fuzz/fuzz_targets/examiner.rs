//! Configurations and result logs of the CUDA scheduling examiner, on any text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use warpspan::model::time::Duration;
use warpspan::realtime::rta::{Measurement, read_examiner, read_log};

fuzz_target!(|text: &str| {
    let system = read_examiner("fuzz", text);
    let Ok(log) = read_log("fuzz", text) else { return };
    let logs = [log.clone(), log];
    for file in [None, system.as_ref().ok()] {
        if let Ok(run) = Measurement::new(&logs, file) {
            let _findings = run.findings(Duration(1));
        }
    }
});
