//! The text of kernels and programs: what is read is written and read again as the same, and has a bound or an error.
#![no_main]

use libfuzzer_sys::fuzz_target;
use warpspan::model::program::Piece;
use warpspan::model::{Code, Kernel};

fuzz_target!(|text: &str| {
    let kernel = text.parse::<Kernel>();
    let code = text.parse::<Code>();
    if let Ok(kernel) = kernel {
        assert_eq!(code, Ok(Code::Kernel(kernel)));
    }
    if let Ok(program) = text.parse::<Piece>() {
        let written = program.to_string();
        assert_eq!(written.parse::<Piece>().as_ref(), Ok(&program), "{written}");
    }
});
