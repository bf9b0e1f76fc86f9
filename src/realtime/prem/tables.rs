//! The tables of a file of `prem`, as they are written.

use serde::Deserialize;
use toml::Spanned;

use crate::input::{GpuTable, MultiprocessorTable};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub(super) kernels: Option<Spanned<i64>>,
    pub(super) blocks: Option<Spanned<i64>>,
    pub(super) tiles: Option<Spanned<i64>>,
    pub(super) timer_ns: Option<Spanned<i64>>,
    pub(super) warm_up_ns: Option<Spanned<i64>>,
    pub(super) start_ns: Option<Spanned<i64>>,
    pub(super) prologue_ns: Option<Spanned<i64>>,
    pub(super) threads_per_block: Option<Spanned<i64>>,
    pub(super) shared_memory: Option<Spanned<i64>>,
    pub(super) gpu: Option<Spanned<GpuTable>>,
    pub(super) phases: Option<Spanned<PhasesTable>>,
    pub(super) contended: Option<Spanned<PhasesTable>>,
    pub(super) offsets: Option<OffsetsTable>,
    pub(super) multiprocessor: Option<Spanned<MultiprocessorTable>>,
    #[serde(default)]
    pub(super) kernel: Vec<Spanned<KernelTable>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KernelTable {
    pub(super) name: Option<String>,
    pub(super) blocks: Option<Spanned<i64>>,
    pub(super) tiles: Option<Spanned<i64>>,
    pub(super) threads_per_block: Option<Spanned<i64>>,
    pub(super) shared_memory: Option<Spanned<i64>>,
    pub(super) phases: Option<Spanned<PhasesTable>>,
    pub(super) contended: Option<Spanned<PhasesTable>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PhasesTable {
    pub(super) prefetch_ns: Option<Spanned<i64>>,
    pub(super) compute_ns: Option<Spanned<i64>>,
    pub(super) writeback_ns: Option<Spanned<i64>>,
    pub(super) prefetch_code: Option<Spanned<String>>,
    pub(super) compute_code: Option<Spanned<String>>,
    pub(super) writeback_code: Option<Spanned<String>>,
    pub(super) warps: Option<Spanned<i64>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OffsetsTable {
    pub(super) prefetch_ns: Option<Spanned<i64>>,
    pub(super) writeback_ns: Option<Spanned<i64>>,
}
