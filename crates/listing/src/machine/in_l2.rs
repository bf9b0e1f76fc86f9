//! Accesses to what L2 holds.

use std::collections::{BTreeMap, BTreeSet};

/// Accesses of global memory to what L2 holds.
#[derive(Debug, Clone, Default)]
pub struct InL2 {
    /// Their lines.
    pub lines: BTreeSet<u32>,
    /// The most cycles until such an access has its result, by the names of letters of the machine. One with another letter takes as long
    /// as ever.
    pub latencies: BTreeMap<String, u64>,
}
