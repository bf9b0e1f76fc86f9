//! Tasks that share multiprocessors, as `partition` reports them.

use crate::paper::Paper;
use crate::report::{Figure, Section};
use crate::{Partitioning, partitioning};

/// Partitions that are drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Partitioned {
    /// What is known of them, in a sentence.
    pub caption: String,
    /// The partitions.
    pub drawn: Partitioning,
}

/// Draws a figure for each task set.
pub(super) fn section(partitioned: &[Partitioned], paper: &Paper) -> Section {
    Section::new(
        "partitioning",
        "Tasks on multiprocessors",
        "A column for each partition, as wide as its multiprocessors; each task fills the share of the time that it takes there \
         (Si21 chapter 3).",
        partitioned,
        |_| (),
        |Partitioned { caption, drawn }, file| Figure {
            file,
            title: drawn.title.clone(),
            caption: caption.clone(),
            svg: partitioning(drawn, paper),
            points: None,
        },
    )
}
