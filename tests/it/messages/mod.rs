//! Messages: data in the library, words in the front ends.

mod missing;
mod no_flags;
