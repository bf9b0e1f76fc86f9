//! The clock by which time limits run and times are measured: that of the system, where there is one.
//!
//! WebAssembly in a browser (`wasm32-unknown-unknown`) has no clock of its own. The program around this library
//! passes one in with `set_clock`; until then no time passes, so that no time limit is ever reached.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
#[doc(hidden)]
pub use std::time::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
#[doc(hidden)]
pub use passed_in::Instant;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use passed_in::set_clock;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod passed_in {
    use std::sync::OnceLock;
    use std::time::Duration;

    static CLOCK: OnceLock<fn() -> Duration> = OnceLock::new();

    /// Sets the clock: a function that tells the time since some moment, and never goes back. The first one set stays.
    pub fn set_clock(now: fn() -> Duration) {
        let _ = CLOCK.set(now); // a second clock would tell another time
    }

    /// A moment, with what the library uses of `std::time::Instant`.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    #[doc(hidden)]
    pub struct Instant(Duration);

    impl Instant {
        pub fn now() -> Self {
            Self(CLOCK.get().map_or(Duration::ZERO, |now| now()))
        }

        pub fn elapsed(&self) -> Duration {
            Self::now().saturating_duration_since(*self)
        }

        pub fn saturating_duration_since(&self, earlier: Self) -> Duration {
            self.0.saturating_sub(earlier.0)
        }

        pub fn checked_add(&self, time: Duration) -> Option<Self> {
            self.0.checked_add(time).map(Self)
        }
    }
}
