//! Files of classes and of loop bounds, and lists of transactions, on any text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use warpspan::listing::{LoopBounds, Transactions, read_classes, read_loop_bounds};

fuzz_target!(|text: &str| {
    let _classes = read_classes("fuzz", text, None);
    let _bounds = read_loop_bounds("fuzz", text);
    let _bound = LoopBounds::default().add(text);
    let _transactions = Transactions::default().add(text);
});
