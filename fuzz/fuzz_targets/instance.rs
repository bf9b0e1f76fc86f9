//! Instance files, and what the solver makes of them within a moment.
#![no_main]

use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use warpspan::input::{Flags, read, read_for};
use warpspan::prelude::*;

fuzz_target!(|text: &str| {
    let _any = read_for("fuzz", text, None);
    let Ok(draft) = read("fuzz", text) else { return };
    let Ok(workload) = draft.workload(&Flags::default()) else { return };
    if workload.instance().is_some_and(|instance| instance.total_issues() > 1000) {
        return;
    }
    let solver = Solver::new().threads(1).memory(1 << 24).time_limit(Duration::from_millis(20));
    let _answer_or_error = solver.solve(&workload);
});
