//! The metrics that tell the traffic of a launch.
//!
//! Only sums over all units of the GPU are taken: `.avg`, `.max` and `.min` are of one unit.

use super::number::{Notation, Of, amount};
use super::{Cell, wrong};
use warpspan_model::source::InputError;

/// The bytes of a sector, the unit in which the L2 cache and device memory count (Nsight Compute, "Kernel Profiling
/// Guide", "Quantities").
const SECTOR: u64 = 32;

/// One way to find a number: the sum of these metrics, all of which it needs.
pub(super) struct Way {
    pub(super) metrics: &'static [&'static str],
    of: Of,
}

/// Bytes of device memory. The ways are in the order in which they are tried.
pub(super) const DRAM: &[Way] = &[
    Way { metrics: &["dram__bytes.sum"], of: Of::Bytes },
    Way { metrics: &["dram__bytes_read.sum", "dram__bytes_write.sum"], of: Of::Bytes },
    Way { metrics: &["dram__sectors_read.sum", "dram__sectors_write.sum"], of: Of::Sectors },
];

/// Bytes of the L2 cache. The sum by operations is the last way, and needs all four: without atomics and reductions it
/// would be no bound on the whole.
pub(super) const L2: &[Way] = &[
    Way { metrics: &["lts__t_bytes.sum"], of: Of::Bytes },
    Way { metrics: &["lts__t_sectors.sum"], of: Of::Sectors },
    Way {
        metrics: &[
            "lts__t_sectors_op_read.sum",
            "lts__t_sectors_op_write.sum",
            "lts__t_sectors_op_atom.sum",
            "lts__t_sectors_op_red.sum",
        ],
        of: Of::Sectors,
    },
];

/// Requests to the L1 cache. They come from two pipes; a part of one pipe would be no bound on the whole.
pub(super) const L1: &[Way] = &[
    Way { metrics: &["l1tex__t_requests.sum"], of: Of::Requests },
    Way { metrics: &["l1tex__t_requests_pipe_lsu.sum", "l1tex__t_requests_pipe_tex.sum"], of: Of::Requests },
];

/// The metric, if it is one that is read.
pub(super) fn known(name: &str) -> Option<&'static str> {
    let ways = || [DRAM, L2, L1].into_iter().flatten();
    ways().flat_map(|way| way.metrics).copied().find(|&known| known == name)
}

/// Whether a name is that of a metric whose value is a number, which shows how the file writes numbers. Names of
/// sections' rows, and attributes of the device, are not.
pub(super) fn is_measured(name: &str) -> bool {
    name.contains("__") && name.contains('.')
}

/// A number of a launch, by the first sum that the cells allow, or `None` if they allow none.
pub(super) fn total(
    place: &str,
    cells: &[Cell],
    notation: &Notation,
    ways: &'static [Way],
) -> Result<Option<u64>, InputError> {
    let has = |metric: &&str| cells.iter().any(|cell| cell.metric == *metric);
    let Some(way) = ways.iter().find(|way| way.metrics.iter().all(has)) else { return Ok(None) };
    let mut total = 0_u64;
    for metric in way.metrics {
        let mut largest = 0;
        // A metric of several sections is printed more than once.
        for cell in cells.iter().filter(|cell| cell.metric == *metric) {
            let of_cell = |what: String| wrong(place, cell.line, format!("{metric} {what}"));
            let amount = amount(&cell.value, &cell.unit, way.of, notation).map_err(of_cell)?;
            let scale = if way.of == Of::Sectors { SECTOR } else { 1 };
            let too_large = || of_cell(format!("= {:?}: want less than 2^64 bytes in all", cell.value));
            let scaled = amount.checked_mul(scale).ok_or_else(too_large)?;
            total.checked_add(scaled).ok_or_else(too_large)?;
            largest = scaled.max(largest);
        }
        total += largest;
    }
    Ok(Some(total))
}
