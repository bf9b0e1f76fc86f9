//! The remedies of errors in the words of a file of kernels or tasks: its keys.

use crate::source::Remedy;

/// The text that names a remedy in such a file. Remedies that no file can express keep the words of the
/// library.
pub(super) fn key(remedy: &Remedy) -> String {
    let text = match remedy {
        Remedy::LoopBounds(_) => "loop_bounds = { LABEL = N }",
        Remedy::Uniform(branch) => return format!("with uniform = [{branch:?}]"),
        Remedy::Classes(_) => "classes = \"FILE\"",
        Remedy::Entry(_) => "entry = \"NAME\"",
        Remedy::Capability => "[multiprocessor] compute_capability",
        Remedy::GivenBounds => "loop_bounds",
        Remedy::GivenUniform => "uniform",
        Remedy::GivenParams => "params",
        Remedy::Kernel => "string, code or ptx",
        Remedy::Warps => "warps",
        Remedy::WarpsPerBlock => "warps_per_block",
        Remedy::Blocks => "blocks",
        Remedy::Groups => "[[group]]",
        Remedy::Throughputs => "compute_capability, or sigma_l and sigma_c",
        Remedy::SweptKernels
        | Remedy::SweptWarps
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
        | Remedy::OccupancyOf => return remedy.to_string(),
    };
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::every_remedy;

    #[test]
    fn what_a_file_can_say_is_a_key() {
        let words: Vec<String> = every_remedy().iter().map(key).collect();
        let expected = [
            "loop_bounds = { LABEL = N }",
            "with uniform = [\"15\"]",
            "classes = \"FILE\"",
            "entry = \"NAME\"",
            "[multiprocessor] compute_capability",
            "loop_bounds",
            "uniform",
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
            "another occupancy",
        ];
        assert_eq!(words, expected);
    }
}
