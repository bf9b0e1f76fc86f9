//! How long matrix instructions of SASS keep the tensor cores of a multiprocessor busy.
//!
//! An instruction of the shape M x N x K is 2 M N K operations. What a multiprocessor does of them in a cycle follows from the peak
//! figures of NVIDIA's white papers for boards of the capability, divided by their multiprocessors and boost clocks: Volta (2017),
//! Xavier (2018), Turing (2018), A100 and GA102 (2020), Ada (2022), H100 (2022), Blackwell (2025). Where boards of one capability differ,
//! as GeForce boards add to 32 bits at half the rate, the lower figure counts, and sparse matrices count with half of their operations,
//! as the papers do. What no paper gives is assumed, and named: above all what `mma` reaches from 9.0 on, where the peak is that of
//! other instructions. There it counts as on the A100, which is half of the peak; it was measured to reach 63 % of it (W. Luo et al.,
//! *Benchmarking and Dissecting the Nvidia Hopper GPU Architecture via Microbenchmarking*, 2024).
//!
//! 8.7 is Jetson Orin alone, whose tensor cores do not add to 32 bits at half the rate: 34.1 TFLOPS of BF16 were measured on 16
//! multiprocessors at 1.3 GHz (infinigence/ApxInf, pull request 74), which is 1639 operations a cycle and 80 % of what follows from
//! the 171 TOPS of sparse matrices of bytes that NVIDIA names for the GPU (Deep-Learning-Accelerator-SW), by the ratios of the
//! A100. What was not measured there is assumed to reach 80 % too.

use crate::opcode::Opcode;
use crate::rates::Kind;
use warpspan_model::device::Capability;

/// What a matrix instruction takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tensor {
    /// The letters C.
    pub letters: u64,
    /// Where that is from.
    pub why: String,
    /// Whether anything of it is assumed.
    pub assumed: bool,
    /// Whether it multiplies numbers of 64 bits.
    pub of_doubles: bool,
}

/// What is multiplied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operands {
    /// Floating-point numbers of 16 bits, added to 32 bits.
    HalfToSingle,
    /// The same, added to 16 bits.
    Half,
    /// TF32.
    Tf32,
    /// Integers of 8 bits.
    Byte,
    /// Integers of 4 bits.
    Nibble,
    /// Single bits.
    Bit,
    /// Floating-point numbers of 8 or 6 bits.
    Eight,
    /// Floating-point numbers of 4 bits.
    Four,
    /// Floating-point numbers of 64 bits.
    Double,
}

impl Operands {
    /// Of an opcode that this model covers; none for another one.
    fn of(opcode: &str) -> Option<Self> {
        let has = |wanted: &[&str]| opcode.split('.').any(|part| wanted.contains(&part));
        Some(match opcode.split('.').next()? {
            "HMMA" if has(&["TF32"]) => Self::Tf32,
            "HMMA" if has(&["F32", "BF16"]) => Self::HalfToSingle,
            "HMMA" => Self::Half,
            "IMMA" if has(&["S4", "U4"]) => Self::Nibble,
            "IMMA" => Self::Byte,
            "BMMA" => Self::Bit,
            "QMMA" => Self::Eight,
            "OMMA" => Self::Four,
            "DMMA" => Self::Double,
            _ => return None,
        })
    }

    /// The operations of a multiprocessor in a cycle, and whether that is assumed.
    fn rate(self, capability: &Capability) -> (u64, bool) {
        // The types in their order; 0 where no paper has a figure.
        let (row, assumed): ([u64; 8], bool) = match capability.version {
            "7.0" | "7.2" => ([1024, 1024, 0, 2048, 0, 0, 0, 0], false),
            "7.5" => ([512, 1024, 0, 2048, 4096, 16384, 0, 0], false),
            "8.0" => ([2048, 2048, 1024, 4096, 8192, 32768, 0, 0], false),
            // No type but that of 16 bits was measured.
            "8.7" => {
                ([1639, 1639, 820, 3277, 6554, 26215, 0, 0], !matches!(self, Self::HalfToSingle | Self::Half))
            }
            "8.6" | "8.8" => ([512, 1024, 256, 2048, 4096, 16384, 0, 0], false),
            "8.9" => ([512, 1024, 256, 2048, 4096, 0, 1024, 0], false),
            "9.0" | "10.0" => ([2048, 2048, 1024, 4096, 0, 0, 0, 0], true),
            "12.0" | "12.1" => ([512, 1024, 256, 2048, 0, 0, 1024, 4096], false),
            _ => ([512, 512, 256, 1024, 0, 0, 0, 0], true),
        };
        let double = 2 * Kind::Double.rate(capability);
        let given = match self {
            // As whole multiplications of the units for 64 bits, unless there are tensor cores for them.
            Self::Double if matches!(capability.version, "8.0" | "9.0" | "10.0") => return (128, false),
            Self::Double => return (double, true),
            other => row[other as usize],
        };
        if given > 0 {
            return (given, assumed);
        }
        // What is narrower is no slower than the next wider type that has a figure; a type without any is as slow as that of 64 bits.
        let wider = match self {
            Self::Bit | Self::Nibble | Self::Byte => row[Self::Byte as usize],
            Self::Four | Self::Eight => row[Self::HalfToSingle as usize],
            _ => 0,
        };
        (if wider > 0 { wider } else { double.max(1) }, true)
    }

    /// The largest K of an instruction.
    const fn largest_depth(self) -> u64 {
        match self {
            Self::HalfToSingle | Self::Half => 32,
            Self::Tf32 | Self::Double => 16,
            Self::Byte | Self::Eight => 64,
            Self::Nibble | Self::Four => 128,
            Self::Bit => 256,
        }
    }
}

/// M, N and K: `16816`, `168256`, `884`, `16x8x4`.
fn shape(opcode: &str) -> Option<[u64; 3]> {
    let number = |text: &str| text.parse().ok().filter(|&number: &u64| (1..=1024).contains(&number));
    opcode.split('.').skip(1).find_map(|part| {
        if let [m, n, k] = part.split('x').collect::<Vec<_>>()[..] {
            return Some([number(m)?, number(n)?, number(k)?]);
        }
        if !part.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let long = part.strip_prefix("16").map(|rest| (16, rest));
        let (m, rest) = long.or_else(|| Some((8, part.strip_prefix('8')?)))?;
        let k = number(rest.strip_prefix('8')?).filter(|k| k.is_power_of_two())?;
        Some([m, 8, k])
    })
}

/// What a matrix instruction of SASS takes; none if it is one whose time is not that of its multiplications.
pub fn tensor(opcode: &Opcode<'_>, capability: &Capability) -> Option<Tensor> {
    let opcode = &*opcode.0;
    let operands = Operands::of(opcode)?;
    let found = shape(opcode);
    let [m, n, k] = found.unwrap_or([16, 8, operands.largest_depth()]);
    let has = |wanted: &str| opcode.split('.').any(|part| part.starts_with(wanted));
    let mut operations = 2 * m * n * k;
    let mut assumed = found.is_none();
    if found == Some([8, 8, 4]) && operands != Operands::Double {
        // Each quarter of the warp has matrices of its own, and at 7.x the opcode is a half or a quarter of all.
        operations *= if has("STEP") { 2 } else { 4 };
    }
    if has("SP") {
        operations = operations.div_ceil(2);
    }
    let (rate, rate_assumed) = operands.rate(capability);
    assumed |= rate_assumed;
    let cores = capability.cuda_cores;
    let letters = (cores * operations).div_ceil(32 * rate).max(1);
    let shape = if found.is_some() { "" } else { ", the most of any shape" };
    let what = if assumed { ", which is assumed" } else { "" };
    let why =
        format!("matrix instruction: {operations} operations{shape} at {rate} a cycle, {cores} cores{what}");
    Some(Tensor { letters, why, assumed, of_doubles: operands == Operands::Double })
}

/// How many letters C the usual matrix instruction takes, that of 16 x 8 x 16 numbers of 16 bits that are added to 32 bits.
pub fn usual_matrix(capability: &Capability) -> u64 {
    tensor(&Opcode::new("HMMA.16816.F32"), capability).map_or(1, |found| found.letters)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(opcode: &str, version: &str) -> (u64, bool) {
        let found = tensor(&Opcode::new(opcode), &version.parse().unwrap()).unwrap();
        (found.letters, found.assumed)
    }

    #[test]
    fn shapes() {
        assert_eq!(shape("HMMA.16816.F32.BF16"), Some([16, 8, 16]));
        assert_eq!(shape("HMMA.1688.F32.TF32"), Some([16, 8, 8]));
        assert_eq!(shape("IMMA.8816.S8.S8"), Some([8, 8, 16]));
        assert_eq!(shape("BMMA.168256.XOR.POPC"), Some([16, 8, 256]));
        assert_eq!(shape("BMMA.88128.AND.POPC"), Some([8, 8, 128]));
        assert_eq!(shape("DMMA.8x8x4"), Some([8, 8, 4]));
        assert_eq!((shape("HMMA.32816.F32"), shape("HMMA.F32"), shape("HMMA.1687")), (None, None, None));
    }

    /// A multiprocessor does so many operations in a cycle, in which its CUDA cores are cores / 32 letters.
    #[test]
    fn letters_follow_from_the_peak_figures() {
        // A100: 312 TFLOPS of 108 multiprocessors at 1.41 GHz. 4096 operations take 2 cycles of 64 cores.
        assert_eq!(of("HMMA.16816.F32", "8.0"), (4, false));
        assert_eq!(of("HMMA.1688.F32.TF32", "8.0"), (4, false));
        assert_eq!(of("IMMA.16832.S8.S8", "8.0"), (4, false));
        assert_eq!(of("IMMA.16864.S4.S4", "8.0"), (4, false));
        assert_eq!(of("DMMA.884", "8.0"), (8, false));
        // V100: 125 TFLOPS of 80 at 1.53 GHz; each of four steps counts as a half.
        assert_eq!(of("HMMA.884.F32.F32.STEP0", "7.0"), (2, false));
        // GeForce RTX 3090: 71 TFLOPS of 82 at 1.695 GHz with sums of 32 bits, 142 with those of 16.
        assert_eq!(of("HMMA.16816.F32", "8.6"), (32, false));
        assert_eq!(of("HMMA.16816.F16", "8.6"), (16, false));
        // Jetson Orin: 34.1 TFLOPS of 16 at 1.3 GHz are 4096 operations in 9.99 cycles of a quarter, or of 128 cores.
        assert_eq!(of("HMMA.16816.F32.BF16", "8.7"), (10, false));
        assert_eq!(of("HMMA.1688.F32.TF32", "8.7"), (10, true));
        assert_eq!(of("IMMA.16832.S8.S8", "8.7"), (10, true));
        assert_eq!(of("HMMA.SP.16832.F32", "8.6"), (32, false));
        // GeForce RTX 5090: 419 TFLOPS of 170 at 2.407 GHz.
        assert_eq!(of("QMMA.16832.F32.E4M3.E5M2", "12.0"), (32, false));
        assert_eq!(of("HMMA.16816.F32", "9.0"), (8, true));
        assert_eq!(of("DMMA.884", "8.6"), (512, true));
        // A shape that is not known is as large as any.
        assert_eq!(of("HMMA.32816.F32", "8.6"), (64, true));
        assert_eq!(of("IMMA.S8.S8", "8.6"), (32, true));
        assert_eq!(tensor(&Opcode::new("HGMMA.64x128x16.F32"), &"9.0".parse().unwrap()), None);
    }
}
