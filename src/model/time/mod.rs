//! Time: one type for all lengths, the units in which people write them, and the clocks that turn cycles into
//! them.
//!
//! A [`Duration`] is a whole number of *grains*. What a grain is depends on the analysis, as each needs it
//! exact: a tick, a cycle or a picosecond for [`rta`](crate::realtime::rta), as its file's [`TimeUnit`] says;
//! a nanosecond for [`prem`](crate::realtime::prem), whose timer counts them; a millionth of the user's unit
//! for [`partition`](crate::realtime::partition). Nothing is ever rounded but for the conversion of
//! [`Cycles`](crate::model::Cycles) by a [`Clock`], which rounds up, so that an upper bound on cycles becomes
//! an upper bound on time.
//!
//! A duration does not know its grain. Whoever does reads and writes it, exactly, as a [`decimal`].

mod clock;
pub mod decimal;
mod duration;
mod unit;

pub use clock::Clock;
pub use duration::Duration;
pub use unit::{TimeError, TimeUnit};
