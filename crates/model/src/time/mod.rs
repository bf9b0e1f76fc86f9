//! Time: one type for all lengths, the units in which people write them, and the clocks that turn cycles into
//! them.
//!
//! A [`Duration`] is a whole number of *grains*. The length of a grain depends on the analysis, because each
//! needs exact times: a tick, a cycle or a picosecond for `rta`, as its file's
//! [`TimeUnit`] says; a nanosecond for `prem`, whose timer counts them; a millionth
//! of the user's unit for `partition`. Only the conversion of
//! [`Cycles`](crate::Cycles) by a [`Clock`] rounds. It rounds up, so that an upper bound on cycles
//! becomes an upper bound on time.
//!
//! A duration does not know its grain. The analysis that does reads and writes it, exactly, as a [`decimal`].

mod clock;
pub mod decimal;
mod duration;
mod unit;

pub use clock::Clock;
pub use duration::{Duration, Millionths, Nanoseconds};
pub use unit::{TimeError, TimeUnit};

/// Nanoseconds in the largest unit of which there is one or more, exactly.
pub fn in_largest_unit(nanoseconds: u64) -> String {
    let write = |places: usize| decimal::write(nanoseconds, places);
    match nanoseconds {
        0..1_000 => format!("{nanoseconds} ns"),
        1_000..1_000_000 => format!("{} us", write(3)),
        1_000_000..1_000_000_000 => format!("{} ms", write(6)),
        _ => format!("{} s", write(9)),
    }
}
