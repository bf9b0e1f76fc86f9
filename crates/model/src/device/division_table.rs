//! The figures of how multiprocessors are grouped and handed out.
//!
//! # Sources
//!
//! TPCs: libsmctrl, `libsmctrl_get_tpc_info_cuda` (two multiprocessors from 7.0 on and on 6.0, else one, masks from
//! 3.5 on), and J. Bakita, J. H. Anderson, *Hardware Compute Partitioning on NVIDIA GPUs*, RTAS 2023. Masks: the
//! README of libsmctrl, "Known Working" (3.5 to 8.9) and "Known Issues" (from 9.0 on the bits of a mask are not the
//! numbers of TPCs). Green contexts: the CUDA driver API, "Green Contexts" (minimum and multiple by architecture,
//! from 6.x on), and the CUDA Programming Guide, "Compute Capabilities", rows "Green contexts: minimum SM partition
//! size for useFlags 0" and "SM co-scheduled alignment per partition for useFlags 0" (from 7.5 on). MPS: *Multi-Process
//! Service*, "Volta MPS Execution Resource Provisioning". MIG: `nvidia-smi mig -lgip` and `-lgipp`, as the MIG User
//! Guide and threads of NVIDIA/mig-parted show them. `docs/partitions.md` has the addresses.

use super::division::{Grouping, Instance, Instances, Shares};

const LIBSMCTRL: &str = "TPCs and masks: libsmctrl (libsmctrl_get_tpc_info_cuda, README)";
const LIBSMCTRL_AND_CUDA: &str = "TPCs and masks: libsmctrl (libsmctrl_get_tpc_info_cuda, README); green contexts: CUDA driver API and \
                                  Programming Guide; limits: Multi-Process Service";

/// How multiprocessors are grouped, by compute capability.
pub const GROUPINGS: [Grouping; 8] = [
    row([[3, 5], [3, 7]], 1, None),
    row([[5, 0], [5, 3]], 1, None),
    row([[6, 0], [6, 0]], 2, Some(shares(1, 1))),
    row([[6, 1], [6, 2]], 1, Some(shares(1, 1))),
    of_volta(row([[7, 0], [7, 5]], 2, Some(shares(2, 2)))),
    of_volta(row([[8, 0], [8, 9]], 2, Some(shares(4, 2)))),
    Grouping { has_masks: false, ..of_volta(row([[9, 0], [9, 0]], 2, Some(shares(8, 8)))) },
    Grouping {
        has_masks: false,
        assumed: "two multiprocessors in a TPC, as in all since 7.0",
        ..of_volta(row([[10, 0], [12, 1]], 2, Some(shares(8, 8))))
    },
];

const fn row(
    capabilities: [[u32; 2]; 2],
    multiprocessors_per_tpc: u64,
    green_contexts: Option<Shares>,
) -> Grouping {
    Grouping {
        capabilities,
        multiprocessors_per_tpc,
        has_masks: true,
        green_contexts,
        has_limits: false,
        source: if green_contexts.is_some() { LIBSMCTRL_AND_CUDA } else { LIBSMCTRL },
        assumed: "",
    }
}

/// The same on Volta and later, where MPS can limit the share of a client.
const fn of_volta(row: Grouping) -> Grouping {
    Grouping { has_limits: true, ..row }
}

const fn shares(least: u64, step: u64) -> Shares {
    Shares { least, step }
}

/// The presets that MIG can divide. Of profiles with as many multiprocessors only the one with the least memory is
/// here.
pub const INSTANCES: [Instances; 3] = [
    Instances {
        preset: "a100",
        profiles: [
            one("1g.5gb or 1g.10gb", 19, 14, 1, &[0, 1, 2, 3, 4, 5, 6]),
            one("2g.10gb or 2g.20gb", 14, 28, 2, &[0, 2, 4]),
            one("3g.20gb or 3g.40gb", 9, 42, 4, &[0, 4]),
            one("4g.20gb or 4g.40gb", 5, 56, 4, &[0]),
            one("7g.40gb or 7g.80gb", 0, 98, 8, &[0]),
            None,
        ],
        source: "nvidia-smi mig -lgip and -lgipp of A100 with 40 and 80 GB (MIG User Guide)",
    },
    Instances {
        preset: "h100",
        profiles: hopper(["1g.10gb", "1g.20gb", "2g.20gb", "3g.40gb", "4g.40gb", "7g.80gb"]),
        source: "nvidia-smi mig -lgip of H100 SXM with 80 GB, and -lgipp of one with 94 GB",
    },
    Instances {
        preset: "h200",
        profiles: hopper(["1g.18gb", "1g.35gb", "2g.35gb", "3g.71gb", "4g.71gb", "7g.141gb"]),
        source: "nvidia-smi mig -lgip of H200 (NVIDIA/mig-parted, issue 120); places: as H100",
    },
];

/// The profiles of GH100 with 132 multiprocessors.
const fn hopper(names: [&'static str; 6]) -> [Option<Instance>; 6] {
    [
        one(names[0], 19, 16, 1, &[0, 1, 2, 3, 4, 5, 6]),
        one(names[1], 15, 26, 2, &[0, 2, 4, 6]),
        one(names[2], 14, 32, 2, &[0, 2, 4]),
        one(names[3], 9, 60, 4, &[0, 4]),
        one(names[4], 5, 64, 4, &[0]),
        one(names[5], 0, 132, 8, &[0]),
    ]
}

const fn one(
    name: &'static str,
    id: u32,
    multiprocessors: u64,
    parts: u32,
    starts: &'static [u32],
) -> Option<Instance> {
    Some(Instance { name, id, multiprocessors, parts, starts })
}
