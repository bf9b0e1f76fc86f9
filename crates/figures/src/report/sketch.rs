//! Figures of records, each drawn once it is known for which paper.

use std::collections::BTreeSet;

use crate::paper::Paper;
use crate::report::{Figure, Section};

/// The section of a page in which a figure stands, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shows {
    /// What the parts of a bound add up to.
    AddsUp,
    /// What each line adds.
    Lines,
    /// What has changed between two versions.
    Changes,
    /// Response times beside deadlines.
    Deadlines,
    /// Schedules of warps.
    Schedule,
    /// Blocks on multiprocessors.
    Occupancy,
    /// Schedules of tiles.
    Tiles,
    /// Tasks on partitions.
    Partitioning,
    /// Runs under policies.
    Runs,
}

impl Shows {
    /// The name of the section, its title and its text.
    const fn says(self) -> [&'static str; 3] {
        match self {
            Self::AddsUp => [
                "adds-up",
                "What adds up",
                "Each bar begins where the one above it ends, and the last one is the bound.",
            ],
            Self::Lines => [
                "lines",
                "What lines add",
                "A bar for each line of the source or of the listing, the longest first, in the colours of what it waits for.",
            ],
            Self::Changes => [
                "changes",
                "What has changed",
                "A bar to the right where the new version takes more, to the left where it takes less.",
            ],
            Self::Deadlines => [
                "deadlines-met",
                "Response times and deadlines",
                "A bar for each kernel, as long as its response time is of its deadline.",
            ],
            Self::Schedule => [
                "schedule",
                "Schedules",
                "Time across, a row a warp, a box an instruction issued; below, the slots that a unit leaves idle. Long schedules are drawn \
         as densities. Each was replayed before it was drawn.",
            ],
            Self::Occupancy => [
                "occupancy",
                "Blocks on multiprocessors",
                "Time across, the threads of each multiprocessor in rows, a box for blocks of one launch that begin together. Placed by \
         the scheduling rules of the GPU, every block taking its C, as rta found and replayed it.",
            ],
            Self::Tiles => [
                "tiles",
                "Time-triggered schedules of tiles",
                "Time across, a row a block, a box a phase of a tile; the first two tiles (Kr19 Fig. 3.3 to 3.6).",
            ],
            Self::Partitioning => [
                "partitioning",
                "Tasks on multiprocessors",
                "A column for each partition, as wide as its multiprocessors; each task fills the share of the time that it takes there \
         (Si21 chapter 3).",
            ],
            Self::Runs => [
                "runs",
                "Policies, one beside the other",
                "A bar for each policy, as long as its makespan; dashed lines at the best and the worst case, where they are known.",
            ],
        }
    }
}

/// A figure of a record.
pub struct Sketch {
    /// Its section.
    pub section: Shows,
    /// Figures of more interest come first.
    pub interest: u64,
    /// What it shows.
    pub title: String,
    /// What the reader can see in it, in one or two sentences.
    pub caption: String,
    /// The drawn points as CSV, if it is a chart of bars.
    pub points: Option<String>,
    /// Draws it as SVG.
    pub draw: Box<dyn Fn(&Paper) -> String>,
}

/// The sections of these figures.
pub(super) fn sections(sketches: &[Sketch], paper: &Paper) -> Vec<Section> {
    let draw = |sketch: &&Sketch, file| Figure {
        file,
        title: sketch.title.clone(),
        caption: sketch.caption.clone(),
        svg: (sketch.draw)(paper),
        points: sketch.points.clone(),
    };
    let section = |shows: Shows| {
        let of: Vec<&Sketch> = sketches.iter().filter(|sketch| sketch.section == shows).collect();
        let [name, title, text] = shows.says();
        Section::new(name, title, text, &of, |sketch| sketch.interest, draw)
    };
    let shown: BTreeSet<Shows> = sketches.iter().map(|sketch| sketch.section).collect();
    shown.into_iter().map(section).collect()
}
