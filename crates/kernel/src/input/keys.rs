//! The remedies of errors in the words of a file of kernels or tasks: its keys.

use warpspan_model::source::{Remedy, quoted};

/// The text that names a remedy in such a file. Remedies that no file can express keep the words of the
/// library.
pub fn key(remedy: &Remedy) -> String {
    let text = match remedy {
        Remedy::LoopBounds(labels) => return bounds(labels),
        Remedy::Uniform(branch) => return format!("with uniform = [{}]", quoted(branch)),
        Remedy::Unreachable(line) => return format!("with unreachable = [{}]", quoted(line)),
        Remedy::Classes(_) => "classes = \"FILE\"",
        Remedy::Declarations { loops, uniform, unreachable } => {
            return declarations(loops, uniform, unreachable);
        }
        Remedy::Entry(_) => "entry = \"NAME\"",
        Remedy::Capability => "[multiprocessor] compute_capability",
        Remedy::GivenBounds => "loop_bounds",
        Remedy::GivenUniform => "uniform",
        Remedy::GivenUnreachable => "unreachable",
        Remedy::Params(names) => return params(names),
        Remedy::GivenParams => "params",
        Remedy::Kernel => "string, code or ptx",
        Remedy::Warps => "warps",
        Remedy::WarpsPerBlock => "warps_per_block",
        Remedy::Blocks => "blocks",
        Remedy::Groups => "[[group]]",
        Remedy::Throughputs => "compute_capability, or sigma_l and sigma_c",
        Remedy::SweptKernels
        | Remedy::SweptWarps
        | Remedy::LoopTotals(_)
        | Remedy::Launches
        | Remedy::Priorities
        | Remedy::LatencyL
        | Remedy::LatencyC
        | Remedy::UnlimitedWidth
        | Remedy::Engine(_)
        | Remedy::Memory
        | Remedy::Method
        | Remedy::Horizon
        | Remedy::NearerHorizon
        | Remedy::Experiment
        | Remedy::Resume
        | Remedy::Transactions
        | Remedy::LatencyOf
        | Remedy::OccupancyOf
        | Remedy::Others
        | Remedy::LaunchOverhead
        | Remedy::CopyIn
        | Remedy::CopyOut
        | Remedy::Shared
        | Remedy::DynamicShared => return remedy.to_string(),
        Remedy::Dram => "dram_rate, dram_others and dram_spread in [gpu]",
        Remedy::HostMemory => "host_memory in [gpu]",
        Remedy::Clock => "clock_mhz in [gpu]",
        Remedy::Multiprocessors => "multiprocessors in [gpu]",
    };
    text.to_owned()
}

/// Bounds of loops as the key of a table.
fn bounds(labels: &[String]) -> String {
    numbers("loop_bounds", labels)
}

/// Values of parameters as the key of a table.
fn params(names: &[String]) -> String {
    numbers("params", names)
}

/// A table of numbers by their names: a name that is no bare key stands in quotes.
fn numbers(key: &str, labels: &[String]) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let bound = |label: &String| match label.chars().all(is_bare) {
        true => format!("{label} = N"),
        false => format!("{} = N", quoted(label)),
    };
    format!("{key} = {{ {} }}", labels.iter().map(bound).collect::<Vec<_>>().join(", "))
}

/// Everything that is to be said, as keys of a file.
fn declarations(loops: &[String], uniform: &[String], unreachable: &[String]) -> String {
    let file = "declare = \"FILE\", which extract writes".to_owned();
    if uniform.is_empty() && unreachable.is_empty() {
        return file;
    }
    let list = |key: &str, items: &[String]| {
        let items: Vec<String> = items.iter().map(|item| quoted(item)).collect();
        (!items.is_empty()).then(|| format!("{key} = [{}]", items.join(", ")))
    };
    let bounds = (!loops.is_empty()).then(|| bounds(loops));
    let said = [list("uniform", uniform), list("unreachable", unreachable)];
    let keys = [bounds].into_iter().chain(said).chain([Some(format!("or {file}"))]);
    keys.flatten().collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpspan_model::source::every_remedy;

    #[test]
    fn what_a_file_can_say_is_a_key() {
        let words: Vec<String> = every_remedy().iter().map(key).collect();
        let expected = [
            "loop_bounds = { LOOP = N }",
            "a total LABEL=N",
            "with uniform = [\"15\"]",
            "with unreachable = [\"15\"]",
            "classes = \"FILE\"",
            "loop_bounds = { LOOP = N }, uniform = [\"15\"], unreachable = [\"16\"], or declare = \"FILE\", which extract writes",
            "entry = \"NAME\"",
            "[multiprocessor] compute_capability",
            "loop_bounds",
            "uniform",
            "unreachable",
            "params = { n = N }",
            "params",
            "string, code or ptx",
            "warps",
            "warps_per_block",
            "blocks",
            "[[group]]",
            "compute_capability, or sigma_l and sigma_c",
            "strings, random strings or a listing",
            "numbers of warps as 1..64,128",
            "launches",
            "priorities",
            "latency of L",
            "latency of C",
            "an unlimited issue width",
            "engine ilp",
            "memory limit",
            "the methods",
            "a horizon",
            "a nearer horizon",
            "experiments",
            "resume",
            "declared transactions",
            "another latency",
            "another hold",
            "dram_rate, dram_others and dram_spread in [gpu]",
            "host_memory in [gpu]",
            "clock_mhz in [gpu]",
            "multiprocessors in [gpu]",
            "what else is on the GPU",
            "the overhead of a launch",
            "the time of copies before the kernel",
            "the time of copies after the kernel",
            "the shared memory of the kernel",
            "the shared memory that the launch adds",
        ];
        assert_eq!(words, expected);
    }
}
