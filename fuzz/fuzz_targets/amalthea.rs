//! AMALTHEA models: reading, analysing and annotating any text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use warpspan::realtime::amalthea::{Analysis, analyse, annotate, read_model};

fuzz_target!(|text: &str| {
    if let Ok(model) = read_model("fuzz", text) {
        let analysis = analyse(&model);
        let annotated = annotate("fuzz", text, &analysis).expect("it was read before");
        let again = read_model("fuzz", &annotated).expect("an annotated model is a model");
        let bounds = |analysis: Analysis| analysis.tasks.into_iter().map(|task| task.bound).collect::<Vec<_>>();
        assert_eq!(bounds(analyse(&again)), bounds(analysis));
    }
});
