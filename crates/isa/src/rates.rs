//! The number of results that a multiprocessor gives a cycle for each kind of instruction.
//!
//! The source is the table of throughput in results a cycle and multiprocessor: in "Arithmetic Instructions"
//! of the *CUDA C++ Programming Guide*, versions 4.2 to 12, for capabilities 2.0 to 9.0; in "Throughput of
//! Native Arithmetic Instructions" of the *CUDA C++ Best Practices Guide* 13 for those from 10.0 on. Where a
//! footnote gives some boards of the same capability a lower figure (FP64 of GeForce boards, shuffles at
//! 7.5), or versions of the guide differ (leading zeros at 5.0 to 6.2, narrow conversions at 7.x, additions
//! at 12.x), the lower figure stands here, so that no bound is too low. Where the table says "multiple
//! instructions", or says nothing (moves, branches), the note of the row says what is assumed.
//!
//! Capabilities that the table does not list share the column of another one ([`column`]): 3.2, 7.2 and 12.1
//! as the table shares them; 8.7 and 8.8 the column of 8.6, which is the lowest of their major version; 10.1
//! and 11.0 the column of 10.3.
//!
//! The columns 2.0 to 7.x were compared with the guide's table figure by figure. Those of 8.0 to 9.0 were
//! compared only for arithmetic of 16, 32 and 64 bits, additions, special functions and conversions. Those
//! from 10.0 on were compared, by quotations, only for arithmetic of 16, 32 and 64 bits, additions,
//! multiplications, shifts, logic, shuffles, counts and conversions. A figure that was not compared is that
//! of 9.0 or, if that is lower, of 8.6.

use warpspan_model::device::Capability;

/// Declares the kinds, each with its name in the guide and its figures, in the order of [`COLUMNS`].
macro_rules! kinds {
    ($($(#[$what:meta])* $kind:ident $name:literal $row:expr;)+) => {
        /// A kind of instruction: a row of the guide's table.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Kind {
            $($(#[$what])* $kind,)+
        }

        impl Kind {
            const fn row(self) -> Row {
                match self {
                    $(Self::$kind => $row,)+
                }
            }

            /// The name in the guide.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => $name,)+
                }
            }
        }
    };
}

// The columns are 2.0 2.1 3.0 3.5 3.7 5.0 5.2 5.3 6.0 6.1 6.2 7.0 7.5 8.0 8.6 8.9 9.0 10.0 10.3.
kinds! {
    /// 16-bit floating-point add, multiply, multiply-add. An instruction may be packed and then has two
    /// results a thread, both of which the guide counts. The figures here are threads a cycle, so they are
    /// half of the guide's.
    Half "16-bit floating-point arithmetic"
        [32, 48, 192, 192, 192, 128, 128, 128, 64, 1, 128, 64, 64, 128, 64, 64, 128, 64, 64];
    /// 32-bit floating-point add, multiply, multiply-add.
    Single "32-bit floating-point arithmetic"
        [32, 48, 192, 192, 192, 128, 128, 128, 64, 128, 128, 64, 64, 64, 128, 128, 128, 128, 128];
    /// 64-bit floating-point add, multiply, multiply-add.
    Double "64-bit floating-point arithmetic" [4, 4, 8, 8, 64, 4, 4, 4, 32, 4, 4, 32, 2, 32, 2, 2, 64, 64, 2];
    /// 32-bit floating-point reciprocal, reciprocal square root, base-2 logarithm and exponential, sine,
    /// cosine.
    Special "special function" [4, 8, 32, 32, 32, 32, 32, 32, 16, 32, 32, 16, 16, 16, 16, 16, 16, 16, 16];
    /// 32-bit integer add and subtract; moves, selections and branches too, which the table does not list.
    Add "32-bit integer addition, move or branch"
        [32, 48, 160, 160, 160, 128, 128, 128, 64, 128, 128, 64, 64, 64, 64, 64, 64, 64, 64];
    /// A branch, a call, a return or a point where threads wait for each other, which the table does not list: as
    /// an addition.
    Branch "branch or reconvergence point"
        [32, 48, 160, 160, 160, 128, 128, 128, 64, 128, 128, 64, 64, 64, 64, 64, 64, 64, 64];
    /// A read of a special register, which the table does not list: as an addition.
    Register "special register"
        [32, 48, 160, 160, 160, 128, 128, 128, 64, 128, 128, 64, 64, 64, 64, 64, 64, 64, 64];
    /// Compare, minimum, maximum.
    Compare "comparison, minimum, maximum"
        [32, 48, 160, 160, 160, 64, 64, 64, 32, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64];
    /// 32-bit integer multiply and multiply-add.
    // On 5.0 to 6.2 it takes several 16-bit multiply-adds, of which four are assumed.
    Multiply "32-bit integer multiplication"
        [16, 16, 32, 32, 32, 32, 32, 32, 16, 32, 32, 64, 64, 64, 64, 64, 64, 64, 64];
    /// 32-bit shift.
    Shift "32-bit shift" [16, 16, 32, 32, 64, 64, 64, 64, 32, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64];
    /// 32-bit AND, OR, XOR.
    Logic "32-bit logical operation"
        [32, 48, 160, 160, 160, 128, 128, 128, 64, 128, 128, 64, 64, 64, 64, 64, 64, 64, 64];
    /// Bit reverse.
    Reverse "bit reversal" [16, 16, 32, 32, 32, 64, 64, 64, 32, 64, 64, 16, 16, 16, 16, 16, 16, 16, 16];
    /// Bit field extract and insert.
    // From 7.0 on it takes several instructions, of which two are assumed.
    BitField "bit field" [16, 16, 32, 32, 32, 64, 64, 64, 32, 64, 64, 32, 32, 32, 32, 32, 32, 32, 32];
    /// Count of leading zeros, most significant non-sign bit.
    Zeros "leading zeros" [16, 16, 32, 32, 32, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16];
    /// Population count.
    Population "population count"
        [16, 16, 32, 32, 32, 32, 32, 32, 16, 32, 32, 16, 16, 16, 16, 16, 16, 16, 16];
    /// Warp shuffle.
    Shuffle "warp shuffle" [32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 16, 32, 32, 32, 32, 32, 32];
    /// Warp vote.
    Vote "warp vote" [32, 32, 32, 32, 32, 64, 64, 64, 32, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64];
    /// Warp reduction, and whether all lanes match.
    Reduce "warp reduction" [16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16];
    /// Which lanes match which, which the table does not list. The hardware takes the lanes one after another: a
    /// multiprocessor of capability 9.0 was measured to take 34 cycles for 32 different values, and 128 for such of 64
    /// bits, which are four here (docs/silicon.md).
    Match "match of lanes" [1; COLUMNS.len()];
    /// Sum of absolute differences.
    Difference "sum of absolute differences"
        [16, 16, 32, 32, 32, 64, 64, 64, 32, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64];
    /// SIMD video instructions.
    // From 5.0 on it takes several instructions, of which eight are assumed.
    Video "SIMD video instruction" [16, 16, 32, 32, 32, 16, 16, 16, 8, 16, 16, 8, 8, 8, 8, 8, 8, 8, 8];
    /// Conversion from 8-bit and 16-bit integers to 32-bit types.
    ConvertNarrow "conversion from 8 or 16 bits"
        [16, 16, 128, 128, 128, 32, 32, 32, 16, 32, 32, 16, 16, 64, 64, 64, 64, 64, 64];
    /// Conversion from and to 64-bit types.
    ConvertWide "conversion from or to 64 bits"
        [4, 4, 8, 8, 32, 4, 4, 4, 16, 4, 4, 16, 2, 16, 2, 2, 16, 16, 2];
    /// All other conversions.
    // Above 10.0, conversions from floating point to 32-bit integers give 2 results a cycle, and this
    // row includes them.
    Convert "conversion" [16, 16, 32, 32, 32, 32, 32, 32, 16, 32, 32, 16, 16, 16, 16, 16, 16, 16, 2];
}

/// The columns of the table.
const COLUMNS: [&str; 19] = [
    "2.0", "2.1", "3.0", "3.5", "3.7", "5.0", "5.2", "5.3", "6.0", "6.1", "6.2", "7.0", "7.5", "8.0", "8.6",
    "8.9", "9.0", "10.0", "10.3",
];

/// The column of a capability: its own, or the one that it shares.
fn column(version: &str) -> Option<usize> {
    let column = match version {
        "3.2" => "3.0",
        "7.2" => "7.0",
        "8.7" | "8.8" => "8.6",
        "10.1" | "11.0" | "12.0" | "12.1" => "10.3",
        own => own,
    };
    COLUMNS.iter().position(|known| *known == column)
}

type Row = [u64; COLUMNS.len()];

impl Kind {
    /// The results a cycle of a multiprocessor with this capability.
    pub fn rate(self, capability: &Capability) -> u64 {
        column(capability.version).map_or(1, |column| self.row()[column])
    }

    /// The letters C for one instruction of this kind in a warp. A letter is the time that the CUDA cores
    /// take for an instruction of 32-bit floating-point arithmetic, so there are `ceil(cores / rate)` of
    /// them, and at least 1.
    pub fn letters(self, capability: &Capability) -> u64 {
        capability.cuda_cores.div_ceil(self.rate(capability)).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpspan_model::device::CAPABILITIES;

    /// The expected figures are from versions 4.2, 8.0 and 12 of the guide.
    #[test]
    fn figures_of_the_guide() {
        let letters = |kind: Kind, version: &str| kind.letters(&version.parse().unwrap());
        for capability in CAPABILITIES.iter() {
            assert!(column(capability.version).is_some(), "{}", capability.version);
            assert_eq!(Kind::Single.letters(capability), 1, "{}", capability.version);
        }
        assert_eq!(letters(Kind::Special, "2.0"), 8);
        assert_eq!(letters(Kind::Special, "2.1"), 6);
        assert_eq!(letters(Kind::Special, "7.0"), 4);
        assert_eq!(letters(Kind::Multiply, "2.0"), 2);
        assert_eq!(letters(Kind::Add, "2.0"), 1);
        assert_eq!(letters(Kind::Add, "3.5"), 2);
        assert_eq!(letters(Kind::Double, "6.0"), 2);
        assert_eq!(letters(Kind::Double, "7.5"), 32);
        assert_eq!(letters(Kind::Double, "9.0"), 2);
        assert_eq!(letters(Kind::Shuffle, "7.0"), 2);
        assert_eq!(letters(Kind::Shuffle, "7.5"), 4);
        assert_eq!(letters(Kind::ConvertNarrow, "7.0"), 4);
        assert_eq!(letters(Kind::Convert, "9.0"), 8);
        // 128 results a cycle are 64 packed instructions of a thread, and 128 cores take 128 of FP32.
        assert_eq!(letters(Kind::Half, "8.6"), 2);
        assert_eq!(letters(Kind::Half, "6.2"), 1);
        assert_eq!(letters(Kind::Half, "12.0"), 2);
        assert_eq!(letters(Kind::Double, "10.0"), 2);
        assert_eq!(letters(Kind::Double, "11.0"), 64);
        assert_eq!(letters(Kind::Convert, "12.0"), 64);
        assert_eq!(letters(Kind::Double, "8.7"), 64);
        assert_eq!(letters(Kind::Double, "5.3"), 32);
    }
}
