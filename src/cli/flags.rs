//! The command line's words for what would mend an error: its flags.

use crate::source::{Message, Remedy};

/// A message of the library in the words of the command line.
pub(super) fn in_flags(message: &Message) -> String {
    message.worded(flag)
}

fn flag(remedy: &Remedy) -> String {
    let text = match remedy {
        Remedy::LoopBounds(_) => "--loop-bound LABEL=N",
        Remedy::Uniform(branch) => return format!("with --uniform {branch}"),
        Remedy::Classes(_) => "--classes FILE",
        Remedy::Entry(_) => "--entry NAME",
        Remedy::Capability => "--compute-capability X.Y",
        Remedy::GivenBounds => "--loop-bound",
        Remedy::GivenUniform => "--uniform",
        Remedy::GivenParams => "--param",
        Remedy::Kernel => "--kernel or --ptx",
        Remedy::Warps => "--warps",
        Remedy::WarpsPerBlock => "--warps-per-block",
        Remedy::Blocks => "--blocks",
        Remedy::Groups => "--group STRING:N",
        Remedy::Throughputs => "--compute-capability, or --sigma-l and --sigma-c",
        Remedy::SweptKernels => "--kernels, --kernels-file, --all-strings, --random or --ptx",
        Remedy::SweptWarps => "--warps 1..64,128",
        Remedy::Launches => "--launch",
        Remedy::Priorities => "--priority",
        Remedy::LatencyL => "--latency-l",
        Remedy::LatencyC => "--latency-c",
        Remedy::UnlimitedWidth => "--issue-width unlimited",
        Remedy::Engine(name) => return format!("--engine {name}"),
        Remedy::Memory => "--memory-limit",
        Remedy::Method => "--method",
        Remedy::Horizon => "--horizon",
        Remedy::NearerHorizon => "a nearer --horizon",
        Remedy::Experiment => "--experiment",
        Remedy::Resume => "--resume",
        Remedy::Transactions => "--transactions LABEL=N",
        Remedy::LatencyOf => "--latency-of LETTER=LO..HI",
        Remedy::OccupancyOf => "--occupancy-of LETTER=N",
    };
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::every_remedy;

    #[test]
    fn every_remedy_is_a_flag() {
        let words: Vec<String> = every_remedy().iter().map(flag).collect();
        let expected = [
            "--loop-bound LABEL=N",
            "with --uniform 15",
            "--classes FILE",
            "--entry NAME",
            "--compute-capability X.Y",
            "--loop-bound",
            "--uniform",
            "--param",
            "--kernel or --ptx",
            "--warps",
            "--warps-per-block",
            "--blocks",
            "--group STRING:N",
            "--compute-capability, or --sigma-l and --sigma-c",
            "--kernels, --kernels-file, --all-strings, --random or --ptx",
            "--warps 1..64,128",
            "--launch",
            "--priority",
            "--latency-l",
            "--latency-c",
            "--issue-width unlimited",
            "--engine ilp",
            "--memory-limit",
            "--method",
            "--horizon",
            "a nearer --horizon",
            "--experiment",
            "--resume",
            "--transactions LABEL=N",
            "--latency-of LETTER=LO..HI",
            "--occupancy-of LETTER=N",
        ];
        assert_eq!(words, expected);
    }
}
