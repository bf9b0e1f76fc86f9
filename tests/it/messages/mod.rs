//! Messages are data in the library and become words in the front ends.

mod cut;
mod missing;
mod no_flags;
