//! The masks, calls and commands that set verified partitions up.

use num_integer::Integer;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::division::{Division, percent};
use crate::{Mechanism, Partition, Verified};

/// What sets partitions up.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Setup {
    /// What comes first, for all of them.
    pub steps: Vec<String>,
    /// What each partition takes, in their order.
    pub parts: Vec<PartSetup>,
}

/// What sets a partition up.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PartSetup {
    /// The first and the last of its TPCs, where they are handed out by number; else null.
    pub tpcs: Option<[usize; 2]>,
    /// The mask in hexadecimal, in which a set bit disables a TPC; null where there is none.
    pub mask: Option<String>,
    /// The profile of its instance of MIG; else null.
    pub profile: Option<String>,
    /// The call, or the command.
    pub call: String,
}

impl Division {
    /// What sets these partitions up. TPCs are handed out from the first on, in the order of the partitions.
    pub fn setup(&self, verified: &Verified) -> Setup {
        let part = |multiprocessors| Partition { multiprocessors, tasks: Vec::new() };
        let parts: Vec<Partition> = verified.partitions().iter().map(|of| part(of.multiprocessors)).collect();
        match self.mechanism() {
            Mechanism::Libsmctrl | Mechanism::Nvtaskset => self.masks(&parts),
            Mechanism::GreenContext => split(&parts, self.sizes()),
            Mechanism::Mig => self.instances(&parts),
            Mechanism::Mps => self.limits(&parts),
        }
    }

    fn masks(&self, parts: &[Partition]) -> Setup {
        let per_tpc = self.multiprocessors_per_tpc().unwrap_or(1);
        let all = self.multiprocessors / per_tpc;
        let mut next = 0;
        let parts = parts.iter().map(|partition| {
            let first = next;
            next += partition.multiprocessors / per_tpc;
            let (last, disabled) = (next - 1, !(ones(next) & !ones(first)));
            let short = disabled & ones(64);
            let (mask, call) = match self.mechanism() {
                Mechanism::Libsmctrl if all <= 64 => {
                    let mask = format!("0x{short:016x}");
                    (Some(mask.clone()), format!("libsmctrl_set_stream_mask(stream, {mask})"))
                }
                Mechanism::Libsmctrl => (
                    Some(format!("0x{disabled:032x}")),
                    format!(
                        "libsmctrl_set_stream_mask_ext(stream, (uint128_t)0x{:016x} << 64 | 0x{short:016x})",
                        disabled >> 64
                    ),
                ),
                _ if first == last => (None, format!("nvtaskset -t {first} PROGRAM")),
                _ => (None, format!("nvtaskset -t {first}-{last} PROGRAM")),
            };
            PartSetup { tpcs: Some([first, last]), mask, profile: None, call }
        });
        Setup { steps: Vec::new(), parts: parts.collect() }
    }

    fn instances(&self, parts: &[Partition]) -> Setup {
        let Some(placed) = self.placed(parts) else { return Setup::default() };
        let part = |(instance, start): &(warpspan_model::device::Instance, u32)| PartSetup {
            profile: Some(instance.name.to_owned()),
            call: format!("nvidia-smi mig -cgi {}:{start} -C", instance.id),
            ..PartSetup::default()
        };
        let steps = vec!["nvidia-smi -mig 1".to_owned()];
        Setup { steps, parts: placed.iter().map(part).collect() }
    }

    fn limits(&self, parts: &[Partition]) -> Setup {
        let part = |partition: &Partition| PartSetup {
            call: format!(
                "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE={} PROGRAM",
                percent(partition.multiprocessors, self.multiprocessors)
            ),
            ..PartSetup::default()
        };
        let steps = vec!["nvidia-cuda-mps-control -d".to_owned()];
        Setup { steps, parts: parts.iter().map(part).collect() }
    }
}

/// The split of all multiprocessors into groups, and the groups of each green context. Groups of one split have one
/// size, so partitions of several sizes take several groups each; resources of one descriptor must come from one split.
/// Where no size of a group divides them all, the split that takes a list of sizes does it.
fn split(parts: &[Partition], sizes: &[usize]) -> Setup {
    let all: Vec<usize> = parts.iter().map(|partition| partition.multiprocessors).collect();
    let unit = all.iter().fold(0, |unit: usize, size| unit.gcd(size));
    let part = |first: usize, groups: usize| PartSetup {
        call: format!("cuDevResourceGenerateDesc(&desc, &result[{first}], {groups})"),
        ..PartSetup::default()
    };
    if sizes.contains(&unit) {
        let groups = all.iter().sum::<usize>() / unit;
        let steps = vec![
            format!("unsigned int nbGroups = {groups}"),
            format!("cuDevSmResourceSplitByCount(result, &nbGroups, &device, &remaining, 0, {unit})"),
        ];
        let mut next = 0;
        let parts = all.iter().map(|size| {
            let first = next;
            next += size / unit;
            part(first, size / unit)
        });
        return Setup { steps, parts: parts.collect() };
    }
    let each = all.iter().enumerate().map(|(at, size)| format!("groupParams[{at}].smCount = {size}"));
    let call = format!("cuDevSmResourceSplit(result, {}, &device, &remaining, 0, groupParams)", all.len());
    let steps = each.chain([call]).collect();
    Setup { steps, parts: (0..all.len()).map(|at| part(at, 1)).collect() }
}

/// So many of the lowest bits.
const fn ones(count: usize) -> u128 {
    if count >= 128 { u128::MAX } else { (1 << count) - 1 }
}
