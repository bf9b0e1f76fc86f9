//! What is known of how the multiprocessors of a GPU are grouped.

use warpspan_model::assumption::{Assumption, Id};
use warpspan_model::device::{Capability, Grouping};

/// How the multiprocessors of a GPU are grouped, as far as a file says or implies it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Structure {
    /// The name of the GPU, if it is one that is known, and its multiprocessors.
    pub preset: Option<(&'static str, u64)>,
    /// The compute capability, if it is known.
    pub capability: Option<Capability>,
    /// The multiprocessors of a TPC, if the file gives them.
    pub multiprocessors_per_tpc: Option<u64>,
}

impl Structure {
    /// The capability, and what is known of it.
    pub(super) fn grouping(&self) -> Option<(&'static str, Grouping)> {
        let capability = self.capability.as_ref()?;
        Some((capability.version, Grouping::of(capability)?))
    }

    /// The multiprocessors of a TPC.
    pub(super) fn per_tpc(&self) -> Result<u64, String> {
        let known = self.grouping();
        match (self.multiprocessors_per_tpc, known) {
            (Some(given), Some((capability, row))) if given != row.multiprocessors_per_tpc => Err(format!(
                "multiprocessors_per_tpc = {given}: compute capability {capability} has {}: want that, or none",
                row.multiprocessors_per_tpc
            )),
            (Some(given), _) => Ok(given),
            (None, Some((_, row))) => Ok(row.multiprocessors_per_tpc),
            (None, None) => Err(
                "it is not known how many multiprocessors a TPC has: want multiprocessors_per_tpc, or [gpu] \
                                 with a preset, or [multiprocessor] with compute_capability 3.5 or later"
                    .to_owned(),
            ),
        }
    }

    /// What is declared of TPCs, or assumed without a source.
    pub(super) fn assumes(&self) -> Option<Assumption> {
        if let Some(given) = self.multiprocessors_per_tpc {
            let value = format!("{given} multiprocessors each");
            return Some(
                Assumption::declared(Id::GpuMultiprocessors, "TPCs", value).by("multiprocessors_per_tpc"),
            );
        }
        let (capability, row) = self.grouping()?;
        (!row.assumed.is_empty()).then(|| {
            Assumption::assumed(Id::GpuMultiprocessors, format!("TPCs of {capability}"), row.assumed)
        })
    }
}
