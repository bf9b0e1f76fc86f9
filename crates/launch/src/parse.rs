//! Values as people write them: sizes of grids, times with units, and clocks.

use warpspan_model::time::{Clock, Duration, TimeUnit};

/// The sizes of a grid or of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sizes(pub [u64; 3]);

impl Default for Sizes {
    fn default() -> Self {
        Self([1; 3])
    }
}

impl Sizes {
    /// The product of the three sizes.
    pub fn all(self) -> u64 {
        self.0.into_iter().fold(1, u64::saturating_mul)
    }
}

/// The most blocks of a grid in each direction.
const MOST_BLOCKS: [u64; 3] = [(1 << 31) - 1, 65_535, 65_535];
/// The most threads of a block in each direction, and in all.
const MOST_THREADS: [u64; 3] = [1024, 1024, 64];

fn sizes(text: &str, most: [u64; 3], what: &str) -> Result<Sizes, String> {
    let want = || "want N, NxM or N,M,K, each 1 or more".to_owned();
    let parts: Vec<&str> = text.split(['x', 'X', ',']).map(str::trim).collect();
    let mut found = [1; 3];
    if parts.len() > found.len() {
        return Err(want());
    }
    for (size, part) in found.iter_mut().zip(&parts) {
        *size = part.parse().ok().filter(|&size| size > 0).ok_or_else(want)?;
    }
    match found.into_iter().zip(most).zip(["x", "y", "z"]).find(|((size, most), _)| size > most) {
        Some(((_, most), axis)) => Err(format!("a GPU takes at most {most} {what} in {axis}")),
        None => Ok(Sizes(found)),
    }
}

/// The blocks of a grid.
///
/// # Errors
/// If the text is none.
pub fn grid(text: &str) -> Result<Sizes, String> {
    sizes(text, MOST_BLOCKS, "blocks")
}

/// The threads of a block.
///
/// # Errors
/// If the text is none.
pub fn block(text: &str) -> Result<Sizes, String> {
    let found = sizes(text, MOST_THREADS, "threads")?;
    if found.all() > 1024 { Err("a block has at most 1024 threads".to_owned()) } else { Ok(found) }
}

/// A time with its unit, in picoseconds.
///
/// # Errors
/// If the text is none.
pub fn time(text: &str) -> Result<Duration, String> {
    let text = text.trim();
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let number = text[..text.len() - unit.len()].trim();
    let units = [TimeUnit::Nanoseconds, TimeUnit::Microseconds, TimeUnit::Milliseconds, TimeUnit::Seconds];
    let known = units.into_iter().find(|known| known.name() == unit.trim());
    let known = known.ok_or("want a number with its unit: 800ns, 10us, 2.5ms or 1s")?;
    known.read(number).map_err(|what| what.to_string())
}

/// A clock in megahertz, or the slowest and the fastest one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clocks {
    /// The slowest.
    pub slowest: Clock,
    /// The fastest.
    pub fastest: Clock,
}

/// A clock in megahertz, or a range of clocks: `1300`, `900..1300`.
///
/// # Errors
/// If the text is none.
pub fn clocks(text: &str) -> Result<Clocks, String> {
    let want = || "want megahertz, 1 to 10000, or a range such as 900..1300".to_owned();
    let text = text.trim().trim_end_matches("MHz").trim_end();
    let (slowest, fastest) = text.split_once("..").unwrap_or((text, text));
    let one = |text: &str| {
        let clock = Clock::from_megahertz(text.trim());
        clock.filter(|clock| (1_000_000..=10_000_000_000).contains(&clock.hertz())).ok_or_else(want)
    };
    let (slowest, fastest) = (one(slowest)?, one(fastest)?);
    if slowest > fastest { Err(want()) } else { Ok(Clocks { slowest, fastest }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_of_up_to_three_directions() {
        assert_eq!(grid("1024").unwrap().0, [1024, 1, 1]);
        assert_eq!(grid("16x8").unwrap().0, [16, 8, 1]);
        assert_eq!(grid("16,8,4").unwrap().all(), 512);
        assert_eq!(block("16x16").unwrap().all(), 256);
        assert!(block("64x32").is_err() && block("1,1,65").is_err() && grid("1x70000").is_err());
        for wrong in ["", "0", "4x", "1x2x3x4", "-1", "a"] {
            assert!(grid(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn times_and_clocks_are_exact() {
        assert_eq!(time("2.5ms"), Ok(Duration(2_500_000_000)));
        assert_eq!(time("10 us"), Ok(Duration(10_000_000)));
        assert_eq!(time("1s"), Ok(Duration(1_000_000_000_000)));
        for wrong in ["5", "ms", "-1ms", "0.0001ns", "5 minutes"] {
            assert!(time(wrong).is_err(), "{wrong}");
        }
        let found = clocks("900..1300.5").unwrap();
        assert_eq!((found.slowest.hertz(), found.fastest.hertz()), (900_000_000, 1_300_500_000));
        assert_eq!(clocks("1300").unwrap().slowest, clocks("1300MHz").unwrap().fastest);
        assert!(clocks("1300..900").is_err() && clocks("0.5").is_err() && clocks("1300000").is_err());
    }
}
