//! The command `warpspan`.
#![expect(unsafe_code, reason = "an allocator")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write;

/// The allocator of the system. Where it has no memory left, the program ends with a line and exit code 3, as for every
/// other limit, and not by a signal.
struct Ending;

fn or_end(memory: *mut u8) -> *mut u8 {
    if memory.is_null() {
        let line = b"warpspan: the system has no memory left: want a smaller input\n";
        let _ = std::io::stderr().write_all(line); // this allocates nothing
        signal_hook::low_level::exit(3)
    }
    memory
}

// SAFETY: every call is passed on as it is, and a null pointer is never returned.
unsafe impl GlobalAlloc for Ending {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's contract is that of the system's allocator.
        or_end(unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        or_end(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        or_end(unsafe { System.realloc(memory, layout, size) })
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static MEMORY: Ending = Ending;

fn main() {
    // Who compares answers of several builds, as tests do, names a commit.
    let named = std::env::var("WARPSPAN_COMMIT").ok();
    let built = git_version::git_version!(
        args = ["--always", "--dirty=+", "--abbrev=40", "--exclude=*"],
        fallback = "unknown"
    );
    warpspan::command_line(named.as_deref().unwrap_or(built))
}
