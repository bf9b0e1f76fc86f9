//! A certificate as JSON, for the checker that is extracted from the proofs (`proofs/checker`).

use serde::Serialize;

use crate::certificate::{Certificate, Lower, Proved, Shape, Upper};
use crate::phase::Rational;
use warpspan_model::{PerUnit, Throughput, Unit};

/// The text of the file, one line.
pub fn json(certificate: &Certificate) -> String {
    let kernels = certificate.kernels.iter();
    let file = File {
        schema: "warpspan/certificate/1",
        sigma_l: pair(&certificate.sigma, Unit::LoadStore),
        sigma_c: pair(&certificate.sigma, Unit::CudaCore),
        warps_per_block: match certificate.shape {
            Shape::Barriers(warps) => Some(warps),
            Shape::Warps | Shape::Grid { .. } => None,
        },
        grid: match certificate.shape {
            Shape::Grid { blocks, multiprocessors, resident } => {
                Some(Blocks { blocks, multiprocessors, resident })
            }
            Shape::Warps | Shape::Barriers(_) => None,
        },
        kernels: kernels.map(|(kernel, warps)| Warps { kernel: kernel.to_string(), warps: *warps }).collect(),
        at_most: AtMost::of(&certificate.upper),
        at_least: match &certificate.lower {
            Some(Lower::Schedule(schedule)) => {
                Some(AtLeast { cycles: schedule.len() as u64, slots: None, schedule })
            }
            Some(Lower::Grid { slots, cycles }) => {
                Some(AtLeast { cycles: cycles.len() as u64, slots: Some(slots), schedule: cycles })
            }
            Some(Lower::Bottleneck(_)) | None => None,
        },
        no_less: match certificate.lower {
            Some(Lower::Bottleneck(cycles)) => Some(NoLess { cycles: cycles.0 }),
            Some(Lower::Schedule(_) | Lower::Grid { .. }) | None => None,
        },
    };
    serde_json::to_string(&file).unwrap_or_default() + "\n"
}

#[derive(Serialize)]
struct File<'a> {
    schema: &'static str,
    /// Letters a cycle, and letters that each instruction becomes.
    sigma_l: [u64; 2],
    sigma_c: [u64; 2],
    /// The size of the blocks that share barriers, or 0 if each kernel's warps are one block; only with barriers.
    #[serde(skip_serializing_if = "Option::is_none")]
    warps_per_block: Option<u64>,
    /// Only for blocks that follow one another; the warps of the kernel are then those of a block.
    #[serde(skip_serializing_if = "Option::is_none")]
    grid: Option<Blocks>,
    kernels: Vec<Warps>,
    at_most: AtMost,
    #[serde(skip_serializing_if = "Option::is_none")]
    at_least: Option<AtLeast<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    no_less: Option<NoLess>,
}

#[derive(Serialize)]
struct Blocks {
    blocks: u64,
    multiprocessors: u64,
    resident: u64,
}

#[derive(Serialize)]
struct Warps {
    kernel: String,
    warps: u64,
}

#[derive(Serialize)]
struct AtMost {
    cycles: u64,
    by: &'static str,
    /// Prices theta as numerators and denominators.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    thetas: Vec<[i128; 2]>,
    /// Only for blocks that follow one another: up to so many blocks on the multiprocessor that ends last, the bound
    /// is P.
    #[serde(skip_serializing_if = "Option::is_none")]
    most: Option<u64>,
    /// The proof of each segment, if `by` is `segments`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    segments: Vec<AtMost>,
}

#[derive(Serialize)]
struct AtLeast<'a> {
    cycles: u64,
    /// Only for blocks that follow one another: the slots that they take, in the order in which they start.
    #[serde(skip_serializing_if = "Option::is_none")]
    slots: Option<&'a [u64]>,
    /// For each cycle the warps that issue in it, numbered from 0 group by group, or slot by slot.
    schedule: &'a [Vec<u64>],
}

#[derive(Serialize)]
struct NoLess {
    cycles: u64,
}

impl AtMost {
    fn of(proved: &Proved) -> Self {
        let prices =
            |thetas: &[Rational]| thetas.iter().map(|theta| [*theta.numer(), *theta.denom()]).collect();
        let (by, thetas) = match &proved.by {
            Upper::Theorem => ("theorem", Vec::new()),
            Upper::Phases(thetas) => ("phases", prices(thetas)),
            Upper::Search(thetas) => ("search", prices(thetas)),
            Upper::Segments(_) => ("segments", Vec::new()),
            Upper::Relay { thetas, .. } => ("relay", prices(thetas)),
        };
        let parts = if let Upper::Segments(parts) = &proved.by { parts.as_slice() } else { &[] };
        let most = if let Upper::Relay { most, .. } = proved.by { Some(most) } else { None };
        Self { cycles: proved.cycles.0, by, thetas, most, segments: parts.iter().map(Self::of).collect() }
    }
}

fn pair(sigma: &PerUnit<Throughput>, unit: Unit) -> [u64; 2] {
    [sigma[unit].letters_a_cycle(), sigma[unit].letters_an_instruction()]
}
