//! An interpreter of the text of listings, with which tests compare what is lifted of instructions, and what analyses of programs find. It shares
//! nothing with what is tested.
//!
//! | file | is |
//! |---|---|
//! | `text` | instructions and labels |
//! | `thread` | what a thread holds |
//! | `sass`, `ptx` | what an instruction writes in a thread |
//! | `warp` | lanes that run a program together |
//! | `memory` | where accesses of memory go, and what they touch |

pub(crate) mod memory;
pub(crate) mod ptx;
pub(crate) mod sass;
pub(crate) mod text;
pub(crate) mod thread;
pub(crate) mod warp;
