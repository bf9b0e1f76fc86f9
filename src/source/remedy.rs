//! What would mend an error, as data.

use std::fmt;

/// Something that the user can say, or say otherwise, so that an error goes away.
///
/// Each front end has its own words for it: the command line names a flag, a file a key. The words of [`fmt::Display`] are
/// for users of the library and name neither.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Remedy {
    /// How often the loops with these labels are passed.
    LoopBounds(Vec<String>),
    /// That all threads of a warp go the same way at the branch of this label or line.
    Uniform(String),
    /// The classes of these opcodes.
    Classes(Vec<String>),
    /// One of these entries of a listing.
    Entry(Vec<String>),
    /// The compute capability that a listing is for.
    Capability,
    /// The bounds of loops that were given, of which one is for nothing.
    GivenBounds,
    /// The uniform branches that were given, of which one is for nothing.
    GivenUniform,
    /// What the warps run.
    Kernel,
    /// How many warps run it.
    Warps,
    /// Kernels that each have their own number of warps.
    Groups,
    /// What says the throughputs of the multiprocessor.
    Throughputs,
    /// The kernels of a sweep.
    SweptKernels,
    /// The numbers of warps of a sweep.
    SweptWarps,
    /// The cycles at which groups of warps are launched.
    Launches,
    /// The priorities of groups of warps.
    Priorities,
    /// The latency of the load/store units.
    LatencyL,
    /// The latency of the CUDA cores.
    LatencyC,
    /// The number of warp schedulers.
    Schedulers,
    /// Schedulers that issue as much as the units take.
    UnlimitedWidth,
    /// The engine of this name.
    Engine(&'static str),
    /// The limit on memory.
    Memory,
    /// The method of an analysis.
    Method,
    /// The time up to which launches are looked at.
    Horizon,
    /// An earlier such time.
    NearerHorizon,
    /// An experiment with partitions.
    Experiment,
    /// Going on with a table that was begun before.
    Resume,
}

impl fmt::Display for Remedy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::LoopBounds(_) => "a bound LABEL=N",
            Self::Uniform(branch) => return write!(f, "uniform ({branch})"),
            Self::Classes(_) => "a table of classes",
            Self::Entry(_) => "the name of an entry",
            Self::Capability => "a compute capability",
            Self::GivenBounds => "bounds of loops",
            Self::GivenUniform => "uniform branches",
            Self::Kernel => "a kernel, or a listing of one",
            Self::Warps => "a number of warps",
            Self::Groups => "groups with their own numbers of warps",
            Self::Throughputs => "a compute capability, or both throughputs",
            Self::SweptKernels => "strings, random strings or a listing",
            Self::SweptWarps => "numbers of warps as 1..64,128",
            Self::Launches => "launches",
            Self::Priorities => "priorities",
            Self::LatencyL => "latency of L",
            Self::LatencyC => "latency of C",
            Self::Schedulers => "schedulers",
            Self::UnlimitedWidth => "an unlimited issue width",
            Self::Engine(name) => return write!(f, "engine {name}"),
            Self::Memory => "memory limit",
            Self::Method => "the methods",
            Self::Horizon => "a horizon",
            Self::NearerHorizon => "a nearer horizon",
            Self::Experiment => "experiments",
            Self::Resume => "resume",
        })
    }
}
