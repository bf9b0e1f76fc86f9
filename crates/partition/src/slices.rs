//! GPUs that hand out their multiprocessors in whole slices, as NVIDIA's Multi-Instance GPU (MIG) does (Si21
//! section 3.1.1).
//!
//! An A100 has 108 multiprocessors and seven slices of 14: `nvidia-smi mig -lgip` shows 14 multiprocessors for
//! the smallest instance and 98 for the largest, and ten are not used. Only the whole slices of a partition
//! count here. MIG has further rules: an A100 has instances of 1, 2, 3, 4 and 7 slices, and not every
//! combination of them fits, since memory is divided into eight. [`Mechanism::Mig`](super::Mechanism) knows these rules.

use std::fmt;
use std::str::FromStr;

/// The most multiprocessors of a GPU.
pub(super) const MOST_MULTIPROCESSORS: usize = 1000;

/// Slices as a user asks for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slicing {
    /// The number of slices.
    pub count: usize,
    /// The multiprocessors of a slice; `None` divides those of the GPU by the number of slices, rounded down.
    pub size: Option<usize>,
}

/// The slices of a GPU.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slices {
    /// The number of slices.
    pub count: usize,
    /// The multiprocessors of each of them.
    pub size: usize,
}

impl Slicing {
    /// The slices of a GPU of M multiprocessors; `None` if it has not that many.
    pub(super) fn of(self, multiprocessors: usize) -> Option<Slices> {
        let size = self.size.unwrap_or(multiprocessors / self.count.max(1));
        let fits = self.count.checked_mul(size).is_some_and(|used| (1..=multiprocessors).contains(&used));
        fits.then_some(Slices { count: self.count, size })
    }
}

impl fmt::Display for Slicing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.size {
            Some(size) => write!(f, "{}x{size}", self.count),
            None => write!(f, "{}", self.count),
        }
    }
}

impl FromStr for Slicing {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number =
            |text: &str| text.parse().ok().filter(|number| (1..=MOST_MULTIPROCESSORS).contains(number));
        let read = match text.split_once('x') {
            Some((count, size)) => {
                number(count).zip(number(size)).map(|(count, size)| Self { count, size: Some(size) })
            }
            None => number(text).map(|count| Self { count, size: None }),
        };
        read.ok_or_else(|| "want a number of slices, or with the multiprocessors of each: 7x14".to_owned())
    }
}
