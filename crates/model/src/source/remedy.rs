//! What would mend an error, as data.

use std::fmt;

use strum::{EnumIter, IntoEnumIterator};

use crate::source::quoted;

/// Something that the user can add or change so that an error goes away.
///
/// Each front end has its own words for it: the command line names a flag, and a file names a key. The words
/// of [`fmt::Display`] are for users of the library and name neither.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EnumIter)]
pub enum Remedy {
    /// How many rounds the loops with these labels make.
    LoopBounds(Vec<String>),
    /// How many rounds the loops with these labels make in all warps of a launch together.
    LoopTotals(Vec<String>),
    /// That all threads of a warp take the same path at the branch with this label or on this line.
    Uniform(String),
    /// That control never reaches the instruction on this line.
    Unreachable(String),
    /// The classes of these opcodes.
    Classes(Vec<String>),
    /// All that is to be said of the code at once, by hand or in a file of declarations.
    Declarations {
        /// The labels of the loops that want bounds.
        loops: Vec<String>,
        /// The labels or lines of the branches that are to be uniform.
        uniform: Vec<String>,
        /// The lines to which control never comes.
        unreachable: Vec<String>,
    },
    /// One of these entries of a listing.
    Entry(Vec<String>),
    /// The compute capability that a listing is for.
    Capability,
    /// The bounds of loops that were given, one of which matches no loop.
    GivenBounds,
    /// The uniform branches that were given, one of which matches no branch.
    GivenUniform,
    /// The places that were declared unreachable, one of which matches no instruction, or leaves none.
    GivenUnreachable,
    /// The values of these parameters of a launch.
    Params(Vec<String>),
    /// The values of parameters that were given, one of which cannot be used.
    GivenParams,
    /// The code that the warps run.
    Kernel,
    /// The number of warps.
    Warps,
    /// The number of warps of a block.
    WarpsPerBlock,
    /// The number of blocks of a grid.
    Blocks,
    /// Kernels that each have their own number of warps.
    Groups,
    /// The throughputs of the multiprocessor.
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
    /// Schedulers that issue as much as the units accept.
    UnlimitedWidth,
    /// The engine of this name.
    Engine(&'static str),
    /// The limit on memory.
    Memory,
    /// The method of an analysis.
    Method,
    /// The time up to which launches are considered.
    Horizon,
    /// An earlier time up to which launches are considered.
    NearerHorizon,
    /// An experiment with partitions.
    Experiment,
    /// Resuming a table that was begun before.
    Resume,
    /// The transactions of memory instructions.
    Transactions,
    /// The latency of letters of a machine.
    LatencyOf,
    /// The occupancy of letters of a machine.
    OccupancyOf,
    /// What is known of the DRAM: its rate, who else uses it, and how addresses are spread over it.
    Dram,
    /// The rate and the latency of the link to memory of the host.
    HostMemory,
    /// The clock of the GPU.
    Clock,
    /// How many multiprocessors run.
    Multiprocessors,
    /// What else may be on the GPU.
    Others,
    /// The time until the blocks of a launch may start.
    LaunchOverhead,
    /// The time of copies before a kernel.
    CopyIn,
    /// The time of copies after a kernel.
    CopyOut,
    /// Shared memory that a kernel declares.
    Shared,
    /// Shared memory that a launch adds.
    DynamicShared,
    /// That the schedulers may share the warps of a block in any way.
    AnySpread,
}

impl fmt::Display for Remedy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::LoopBounds(labels) if labels.len() > 1 => "a bound LABEL=N for each",
            Self::LoopBounds(_) => "a bound LABEL=N",
            Self::LoopTotals(_) => "a total LABEL=N",
            Self::Uniform(branch) => return write!(f, "uniform ({branch})"),
            Self::Unreachable(line) => return write!(f, "that control never comes to line {line}"),
            Self::Classes(_) => "a table of classes",
            Self::Declarations { .. } => "a file of declarations",
            Self::Entry(_) => "the name of an entry",
            Self::Capability => "a compute capability",
            Self::GivenBounds => "bounds of loops",
            Self::GivenUniform => "uniform branches",
            Self::GivenUnreachable => "places to which control never comes",
            Self::Params(names) => return write!(f, "values of {}", names.join(", ")),
            Self::GivenParams => "values of parameters",
            Self::Kernel => "a kernel, or a listing of one",
            Self::Warps => "a number of warps",
            Self::WarpsPerBlock => "a number of warps of a block",
            Self::Blocks => "a number of blocks",
            Self::Groups => "groups with their own numbers of warps",
            Self::Throughputs => "a compute capability, or both throughputs",
            Self::SweptKernels => "strings, random strings or a listing",
            Self::SweptWarps => "numbers of warps as 1..64,128",
            Self::Launches => "launches",
            Self::Priorities => "priorities",
            Self::LatencyL => "latency of L",
            Self::LatencyC => "latency of C",
            Self::UnlimitedWidth => "an unlimited issue width",
            Self::Engine(name) => return write!(f, "engine {name}"),
            Self::Memory => "memory limit",
            Self::Method => "the methods",
            Self::Horizon => "a horizon",
            Self::NearerHorizon => "a nearer horizon",
            Self::Experiment => "experiments",
            Self::Resume => "resume",
            Self::Transactions => "declared transactions",
            Self::LatencyOf => "another latency",
            Self::OccupancyOf => "another hold",
            Self::Dram => "what is known of the DRAM",
            Self::HostMemory => "the rate and the latency of its link",
            Self::Clock => "the clock",
            Self::Multiprocessors => "the number of multiprocessors that run",
            Self::Others => "what else is on the GPU",
            Self::LaunchOverhead => "the overhead of a launch",
            Self::CopyIn => "the time of copies before the kernel",
            Self::CopyOut => "the time of copies after the kernel",
            Self::Shared => "the shared memory of the kernel",
            Self::DynamicShared => "the shared memory that the launch adds",
            Self::AnySpread => "a machine whose schedulers share warps in any way",
        })
    }
}

/// Every remedy once, in the order of their declaration.
pub fn every_remedy() -> impl Iterator<Item = Remedy> {
    let of = |name: &str| vec![name.to_owned()];
    Remedy::iter().map(move |remedy| match remedy {
        Remedy::LoopBounds(_) => Remedy::LoopBounds(of("LOOP")),
        Remedy::LoopTotals(_) => Remedy::LoopTotals(of("LOOP")),
        Remedy::Uniform(_) => Remedy::Uniform("15".into()),
        Remedy::Unreachable(_) => Remedy::Unreachable("15".into()),
        Remedy::Declarations { .. } => {
            Remedy::Declarations { loops: of("LOOP"), uniform: of("15"), unreachable: of("16") }
        }
        Remedy::Params(_) => Remedy::Params(of("n")),
        Remedy::Engine(_) => Remedy::Engine("ilp"),
        other => other,
    })
}

/// A key of a file with a list of these texts.
pub fn list(key: &str, texts: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let texts: Vec<String> = texts.into_iter().map(|text| quoted(text.as_ref())).collect();
    format!("{key} = [{}]", texts.join(", "))
}

/// Everything that is to be said of code, as keys of a file, which has keys of its own for the bounds of loops.
pub fn declarations(bounds: Option<String>, uniform: &[String], unreachable: &[String]) -> String {
    let file = "declare = \"FILE\", which extract writes";
    if uniform.is_empty() && unreachable.is_empty() {
        return file.to_owned();
    }
    let said = [("uniform", uniform), ("unreachable", unreachable)].into_iter();
    let said = said.filter(|(_, items)| !items.is_empty()).map(|(key, items)| list(key, items));
    let keys: Vec<String> = bounds.into_iter().chain(said).chain([format!("or {file}")]).collect();
    keys.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_names_neither_flags_nor_keys() {
        for words in every_remedy().map(|remedy| remedy.to_string()) {
            assert!(!["--", " = ", "[", "\""].iter().any(|sign| words.contains(sign)), "{words}");
        }
    }
}
