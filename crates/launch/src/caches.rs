//! What is declared of caches.

use crate::flags::in_shell;
use warpspan_kernel::input::size;

/// The flag that says what L2 holds before a launch. Latencies are shorter with it, so that it is of use wherever it is given.
pub(crate) const HOLDS: &str = "--l2-holds";

/// The bytes of the first cache of a multiprocessor, if they are given.
#[derive(Debug, Clone, Copy)]
pub struct FirstCache(pub Option<u64>);

impl FirstCache {
    /// Reads a size, such as 48KiB, or nothing.
    ///
    /// # Errors
    /// If it is none.
    pub fn read(text: &str) -> Result<Self, String> {
        if text.is_empty() { Ok(Self(None)) } else { size(text).map(|size| Self(Some(size))) }
    }
}

/// What comes from DRAM into a cache that keeps it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    /// Each sector may come alone in its line.
    Sectors,
    /// Whole lines come.
    Lines,
}

/// What L2 holds of a launch.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Held {
    /// The only arrays that it holds, by the parameters that point to them; all that the launch touches if none is given.
    pub arrays: Vec<String>,
    /// The bytes of all, if they are given.
    pub size: Option<u64>,
    /// The most cycles of the fastest access to it, in place of what the machine says; slower ones take as much longer as they do there.
    pub fastest: Option<u64>,
}

impl Held {
    /// Reads a size, such as 2MB, the parameters that point to arrays, such as k_param_0,k_param_2, or `*` for all as the code shows it.
    ///
    /// # Errors
    /// If it is none of these.
    pub fn read(text: &str) -> Result<Self, String> {
        if text == "*" {
            return Ok(Self::default());
        }
        if text.starts_with(|first: char| first.is_ascii_digit()) {
            let wrong = |what| format!("{what}, or parameters that point to arrays, as k_param_0,k_param_2");
            return size(text).map(|size| Self { size: Some(size), ..Self::default() }).map_err(wrong);
        }
        let arrays: Vec<String> = text.split(',').map(|one| one.trim().to_owned()).collect();
        match arrays.iter().any(String::is_empty) {
            true => Err("want a parameter on each side of a comma, or a size".to_owned()),
            false => Ok(Self { arrays, ..Self::default() }),
        }
    }

    /// The flag as it is given.
    pub(crate) fn flag(&self) -> String {
        match self.size {
            _ if !self.arrays.is_empty() => format!("{HOLDS}={}", in_shell(&self.arrays.join(","))),
            Some(size) => format!("{HOLDS}={size}"),
            None => HOLDS.to_owned(),
        }
    }
}
