//! The remedies of errors in the words of a grid file: its keys, which are the flags of `sweep` without
//! dashes.

use warpspan_model::source::{Remedy, quoted};

/// The text that names a remedy in a grid file. Remedies that no grid file can express keep the words of the
/// library.
pub(super) fn key(remedy: &Remedy) -> String {
    let text = match remedy {
        Remedy::LoopBounds(labels) => return bounds(labels),
        Remedy::Uniform(branch) => return format!("with {}", list("uniform", [branch.clone()])),
        Remedy::Declarations { loops, uniform, unreachable } => {
            return declarations(loops, uniform, unreachable);
        }
        Remedy::Unreachable(line) => return format!("with {}", list("unreachable", [line.clone()])),
        Remedy::Classes(_) => "classes = \"FILE\"",
        Remedy::Entry(_) => "entry = \"NAME\"",
        Remedy::Capability => "compute-capabilities = \"X.Y\"",
        Remedy::GivenBounds => "loop-bound",
        Remedy::GivenUniform => "uniform",
        Remedy::GivenUnreachable => "unreachable",
        Remedy::Params(names) => return list("param", names.iter().map(|name| format!("{name}=N"))),
        Remedy::GivenParams => "param",
        Remedy::Kernel | Remedy::SweptKernels => "kernels, kernels-file, all-strings, random or ptx",
        Remedy::Warps | Remedy::SweptWarps => "warps = \"1..64,128\"",
        Remedy::Throughputs => "compute-capabilities, or sigma-l and sigma-c",
        Remedy::Engine(name) => return format!("engines = {name:?}"),
        Remedy::WarpsPerBlock
        | Remedy::Blocks
        | Remedy::Groups
        | Remedy::LoopTotals(_)
        | Remedy::Launches
        | Remedy::Priorities
        | Remedy::LatencyL
        | Remedy::LatencyC
        | Remedy::UnlimitedWidth
        | Remedy::Memory
        | Remedy::Method
        | Remedy::Horizon
        | Remedy::NearerHorizon
        | Remedy::Experiment
        | Remedy::Resume
        | Remedy::Transactions
        | Remedy::LatencyOf
        | Remedy::OccupancyOf
        | Remedy::Dram
        | Remedy::HostMemory
        | Remedy::Clock
        | Remedy::Multiprocessors
        | Remedy::Others
        | Remedy::LaunchOverhead
        | Remedy::CopyIn
        | Remedy::CopyOut
        | Remedy::Shared
        | Remedy::DynamicShared => return remedy.to_string(),
    };
    text.to_owned()
}

fn list(key: &str, texts: impl IntoIterator<Item = String>) -> String {
    let texts: Vec<String> = texts.into_iter().map(|text| quoted(&text)).collect();
    format!("{key} = [{}]", texts.join(", "))
}

fn bounds(labels: &[String]) -> String {
    list("loop-bound", labels.iter().map(|label| format!("{label}=N")))
}

/// Everything that is to be said, as keys of a file.
fn declarations(loops: &[String], uniform: &[String], unreachable: &[String]) -> String {
    let file = "declare = \"FILE\", which extract writes".to_owned();
    if uniform.is_empty() && unreachable.is_empty() {
        return file;
    }
    let bounds = (!loops.is_empty()).then(|| bounds(loops));
    let said = [("uniform", uniform), ("unreachable", unreachable)]
        .into_iter()
        .filter(|(_, items)| !items.is_empty());
    let said = said.map(|(key, items)| Some(list(key, items.iter().cloned())));
    let keys = [bounds].into_iter().chain(said).chain([Some(format!("or {file}"))]);
    keys.flatten().collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpspan_model::source::every_remedy;

    #[test]
    fn what_a_grid_can_say_is_a_key() {
        let words: Vec<String> = every_remedy().iter().map(key).collect();
        let expected = [
            "loop-bound = [\"LOOP=N\"]",
            "a total LABEL=N",
            "with uniform = [\"15\"]",
            "with unreachable = [\"15\"]",
            "classes = \"FILE\"",
            "loop-bound = [\"LOOP=N\"], uniform = [\"15\"], unreachable = [\"16\"], or declare = \"FILE\", which extract writes",
            "entry = \"NAME\"",
            "compute-capabilities = \"X.Y\"",
            "loop-bound",
            "uniform",
            "unreachable",
            "param = [\"n=N\"]",
            "param",
            "kernels, kernels-file, all-strings, random or ptx",
            "warps = \"1..64,128\"",
            "a number of warps of a block",
            "a number of blocks",
            "groups with their own numbers of warps",
            "compute-capabilities, or sigma-l and sigma-c",
            "kernels, kernels-file, all-strings, random or ptx",
            "warps = \"1..64,128\"",
            "launches",
            "priorities",
            "latency of L",
            "latency of C",
            "an unlimited issue width",
            "engines = \"ilp\"",
            "memory limit",
            "the methods",
            "a horizon",
            "a nearer horizon",
            "experiments",
            "resume",
            "declared transactions",
            "another latency",
            "another hold",
            "what is known of the DRAM",
            "the rate and the latency of its link",
            "the clock",
            "the number of multiprocessors that run",
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
