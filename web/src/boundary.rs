//! The edge of the WebAssembly module: bytes go in and out through its memory.
//!
//! JavaScript calls `take(length)` for a place to write a question to, then `call(place, length)`. The answer begins with
//! its own length, four bytes with the lowest first; `give_back` frees it. One clock comes in, `env.now`, in milliseconds.
#![expect(unsafe_code, reason = "the boundary of a WebAssembly module is made of plain pointers")]

use std::sync::Once;
use std::time::Duration;

use crate::answer;

#[link(wasm_import_module = "env")]
unsafe extern "C" {
    /// Milliseconds since some moment.
    fn now() -> f64;
    /// Takes the text of a panic, after which the module is not called again.
    fn panicked(place: *const u8, length: usize);
}

fn clock() -> Duration {
    // SAFETY: the import takes nothing and returns a number.
    let milliseconds = unsafe { now() };
    Duration::try_from_secs_f64(milliseconds / 1000.0).unwrap_or_default()
}

static START: Once = Once::new();

fn start() {
    START.call_once(|| {
        warpspan::limits::set_clock(clock);
        std::panic::set_hook(Box::new(|panic| {
            let text = panic.to_string();
            // SAFETY: the import reads as many bytes as it is told, which live until it returns.
            unsafe { panicked(text.as_ptr(), text.len()) }
        }));
    });
}

/// Memory for so many bytes.
#[unsafe(no_mangle)]
extern "C" fn take(length: usize) -> *mut u8 {
    Box::into_raw(vec![0_u8; length].into_boxed_slice()).cast()
}

/// Answers the question that is written in memory from `take`, which is freed.
///
/// # Safety
/// The memory is from `take` with this length.
#[unsafe(no_mangle)]
unsafe extern "C" fn call(place: *mut u8, length: usize) -> *mut u8 {
    start();
    // SAFETY: the caller says that the memory is from `take`.
    let question = unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(place, length)) };
    let answer = answer(&String::from_utf8_lossy(&question));
    let length = u32::try_from(answer.len()).unwrap_or(u32::MAX).to_le_bytes();
    let bytes: Vec<u8> = length.into_iter().chain(answer.into_bytes()).collect();
    Box::into_raw(bytes.into_boxed_slice()).cast()
}

/// Frees an answer, whose length does not count its first four bytes.
///
/// # Safety
/// The memory is from `call`, with the length that stands at its beginning.
#[unsafe(no_mangle)]
unsafe extern "C" fn give_back(place: *mut u8, length: usize) {
    // SAFETY: the caller says that the memory is from `call`.
    drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(place, length + 4)) });
}
