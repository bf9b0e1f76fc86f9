//! Sigma, the number of warps that a unit accepts in a cycle.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// The sigma of a unit: `warps` warps every `cycles` cycles, in lowest terms (Be12 Eq. 1-2).
///
/// The analysis works on sub-warps (Be12 section 3): a warp is cut into `cycles` sub-warps, so each
/// instruction becomes `cycles` letters, and the unit issues `warps` of them a cycle. For sigma = 1/n this is
/// Be12's own transformation. A ratio above 1 that is not whole (48 cores for warps of 32, sigma = 3/2) is
/// outside Be12; here it is treated the same way: two half-warps a warp, three half-warps a cycle. A warp
/// still issues one letter a cycle, so its half-warps issue in different cycles, consecutive or not as the
/// adversary likes; the schedules in which they are consecutive are among those considered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Throughput {
    warps: u64,
    cycles: u64,
}

/// Why a value is not a sigma.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ThroughputError {
    /// The text is neither a whole number nor 1/n.
    #[error("{0:?}: want a whole number or 1/n, 1 or more")]
    Form(String),
    /// The model cannot express the ratio of units and warp size.
    #[error("{units} units for warps of {warp_size}: below 1 the ratio must be 1/n (Be12 section 3)")]
    Ratio {
        /// The number of units of the kind in a multiprocessor.
        units: u64,
        /// The number of threads in a warp.
        warp_size: u64,
    },
    /// There are no units, or warps have no threads.
    #[error("{units} units for warps of {warp_size}: want 1 or more of each")]
    Zero {
        /// The number of units of the kind in a multiprocessor.
        units: u64,
        /// The number of threads in a warp.
        warp_size: u64,
    },
}

impl Throughput {
    /// The sigma of one warp a cycle.
    pub const ONE: Self = Self { warps: 1, cycles: 1 };

    /// Sigma of `units` units for warps of `warp_size` threads (Be12 Eq. 1-2).
    ///
    /// # Errors
    /// If either is zero, or the ratio is below 1 and not 1/n.
    pub fn from_units(units: u64, warp_size: u64) -> Result<Self, ThroughputError> {
        if units == 0 || warp_size == 0 {
            return Err(ThroughputError::Zero { units, warp_size });
        }
        let divisor = num_integer::gcd(units, warp_size);
        let sigma = Self { warps: units / divisor, cycles: warp_size / divisor };
        if sigma.warps < sigma.cycles && sigma.warps != 1 {
            return Err(ThroughputError::Ratio { units, warp_size });
        }
        Ok(sigma)
    }

    /// The number of letters issued to the unit in a cycle after the expansion: the sigma of the expanded
    /// instance.
    pub fn letters_a_cycle(self) -> u64 {
        self.warps
    }

    /// The number of letters that each instruction becomes, which is the number of sub-warps of a warp.
    #[doc(hidden)]
    pub fn letters_an_instruction(self) -> u64 {
        self.cycles
    }

    /// Whether Be12 covers this sigma, that is, whether it is whole or 1/n.
    pub fn is_within_be12(self) -> bool {
        self.warps == 1 || self.cycles == 1
    }
}

impl FromStr for Throughput {
    type Err = ThroughputError;

    /// Reads a whole number or `1/n`.
    fn from_str(text: &str) -> Result<Self, ThroughputError> {
        let wrong = || ThroughputError::Form(text.to_owned());
        let number = |digits: &str| match digits.trim().parse::<u64>() {
            Ok(number) if number > 0 => Ok(number),
            _ => Err(wrong()),
        };
        match text.split_once('/') {
            None => Ok(Self { warps: number(text)?, cycles: 1 }),
            Some((one, n)) if number(one)? == 1 => Ok(Self { warps: 1, cycles: number(n)? }),
            Some(_) => Err(wrong()),
        }
    }
}

impl fmt::Display for Throughput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.cycles {
            1 => write!(f, "{}", self.warps),
            cycles => write!(f, "{}/{cycles}", self.warps),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_whole_numbers_and_unit_fractions() {
        for text in ["1", "2", "32", "1/2", "1/16"] {
            assert_eq!(text.parse::<Throughput>().unwrap().to_string(), text);
        }
        assert_eq!("1/1".parse::<Throughput>().unwrap(), Throughput::ONE);
        for text in ["0", "2/3", "3/2", "1/0", "0/1", "", "-1", "1.5", "1/", "one", "99999999999999999999"] {
            assert!(text.parse::<Throughput>().is_err(), "{text}");
        }
    }

    #[test]
    fn be12_section_3_compute_capability_2_0() {
        let sigma = Throughput::from_units(16, 32).unwrap();
        assert_eq!(sigma.to_string(), "1/2");
        assert_eq!((sigma.letters_an_instruction(), sigma.letters_a_cycle()), (2, 1));
    }

    #[test]
    fn a_ratio_above_one_is_expanded_and_below_one_refused() {
        let sigma = Throughput::from_units(48, 32).unwrap();
        assert_eq!((sigma.letters_an_instruction(), sigma.letters_a_cycle()), (2, 3));
        assert!(!sigma.is_within_be12());
        assert!(Throughput::from_units(24, 32).is_err());
        assert!(Throughput::from_units(0, 32).is_err());
        assert!(Throughput::from_units(32, 0).is_err());
    }
}
