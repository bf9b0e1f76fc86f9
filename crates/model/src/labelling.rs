//! Labellings of kernels: which instructions act as one load/store phase, and which as a compute phase.

use std::fmt;

use crate::Unit;

/// A label for each instruction of a kernel, from barrier to barrier. It is written with one letter for each
/// instruction and with the kernel's barriers between them.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Labelling {
    segments: Vec<Vec<Unit>>,
}

impl Labelling {
    /// The labelling of a kernel without barriers.
    #[doc(hidden)]
    pub fn of_segment(labels: Vec<Unit>) -> Self {
        Self { segments: vec![labels] }
    }

    /// The labelling of the segments between barriers.
    #[doc(hidden)]
    pub fn of_segments(segments: impl Iterator<Item = Vec<Unit>>) -> Self {
        Self { segments: segments.collect() }
    }

    /// The labels of all instructions in order.
    pub fn labels(&self) -> impl Iterator<Item = Unit> + '_ {
        self.segments.iter().flatten().copied()
    }
}

impl fmt::Display for Labelling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, segment) in self.segments.iter().enumerate() {
            if at > 0 {
                f.write_str("|")?;
            }
            segment.iter().try_for_each(|label| label.fmt(f))?;
        }
        Ok(())
    }
}
