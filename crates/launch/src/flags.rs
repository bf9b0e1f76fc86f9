//! The command line's words for what would mend an error: its flags.

use warpspan_model::source::{Message, Remedy};

/// A message of the library in the words of the command line.
pub fn in_flags(message: &Message) -> String {
    message.worded(flag)
}

/// The flag that a remedy means.
pub fn flag(remedy: &Remedy) -> String {
    let text = match remedy {
        Remedy::LoopBounds(labels) => return bounds(labels),
        Remedy::LoopTotals(labels) => return totals(labels),
        Remedy::Uniform(branch) => return format!("with --uniform {}", in_shell(branch)),
        Remedy::Unreachable(line) => return format!("with --unreachable {}", in_shell(line)),
        Remedy::Classes(_) => "--classes FILE",
        Remedy::Declarations { loops, uniform, unreachable } => {
            return declarations(loops, uniform, unreachable);
        }
        Remedy::Entry(_) => "--entry NAME",
        Remedy::Capability => "--compute-capability X.Y",
        Remedy::GivenBounds => "--loop-bound",
        Remedy::GivenUniform => "--uniform",
        Remedy::GivenUnreachable => "--unreachable",
        Remedy::Params(names) => return params(names),
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
        Remedy::OccupancyOf => "--hold-of LETTER=N",
        Remedy::Dram => "--dram-rate, --dram-others and --dram-spread none",
        Remedy::HostMemory => "--host-memory RATE,TIME",
        Remedy::Clock => "--clock MHZ",
        Remedy::Multiprocessors => "--multiprocessors N",
        Remedy::Others => "--alone, --co-running or --system",
        Remedy::LaunchOverhead => "--launch-overhead TIME",
        Remedy::CopyIn => "--copy-in TIME",
        Remedy::CopyOut => "--copy-out TIME",
        Remedy::Shared => "--shared BYTES",
        Remedy::DynamicShared => "--dynamic-shared BYTES",
        Remedy::AnySpread => "--machine FILE with spread = false",
    };
    text.to_owned()
}

/// The flags that bound loops, as they can be pasted behind a command.
pub fn bounds(labels: &[String]) -> String {
    let flag = |label: &String| format!("--loop-bound {}", in_shell(&format!("{label}=N")));
    labels.iter().map(flag).collect::<Vec<_>>().join(" ")
}

/// The flags that say what parameters are, as they can be pasted behind a command.
pub fn params(names: &[String]) -> String {
    let flag = |name: &String| format!("--param {}", in_shell(&format!("{name}=N")));
    names.iter().map(flag).collect::<Vec<_>>().join(" ")
}

/// The flags of `time` that bound loops over all blocks together.
pub fn totals(labels: &[String]) -> String {
    let flag = |label: &String| format!("--loop-total {}", in_shell(&format!("{label}=N")));
    labels.iter().map(flag).collect::<Vec<_>>().join(" ")
}

/// Everything that is to be said, as it can be pasted behind a command.
fn declarations(loops: &[String], uniform: &[String], unreachable: &[String]) -> String {
    let file = "--declare FILE.toml, which extract writes";
    if uniform.is_empty() && unreachable.is_empty() {
        return file.to_owned();
    }
    let bounds = (!loops.is_empty()).then(|| bounds(loops));
    let branches = uniform.iter().map(|branch| format!("--uniform {}", in_shell(branch)));
    let never = unreachable.iter().map(|line| format!("--unreachable {}", in_shell(line)));
    let flags: Vec<String> = bounds.into_iter().chain(branches).chain(never).collect();
    format!("{}, or {file}", flags.join(" "))
}

/// The flags of all that the code of a listing leaves open, as they can be pasted behind a command.
pub(crate) fn pasted(remedies: &[Remedy]) -> Vec<String> {
    let flag = |remedy: &Remedy| match remedy {
        Remedy::Params(names) => Some(params(names)),
        Remedy::LoopTotals(labels) => Some(totals(labels)),
        Remedy::LoopBounds(labels) => Some(bounds(labels)),
        Remedy::Uniform(branch) => Some(format!("--uniform {}", in_shell(branch))),
        Remedy::Unreachable(line) => Some(format!("--unreachable {}", in_shell(line))),
        Remedy::Classes(_) => Some("--classes FILE".to_owned()),
        _ => None,
    };
    let mut flags: Vec<String> = remedies.iter().filter_map(flag).collect();
    flags.dedup();
    flags
}

/// A word as a shell reads it: in single quotes where it holds anything that a shell might change.
pub fn in_shell(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./:=@%+,".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpspan_model::source::every_remedy;

    #[test]
    fn a_shell_reads_each_label_as_it_is_written() {
        let labels = ["$L_1", ".L_x_1", "f(int)", "it's", "17"].map(str::to_owned);
        let expected = "--loop-bound '$L_1=N' --loop-bound .L_x_1=N --loop-bound 'f(int)=N' --loop-bound 'it'\\''s=N' \
                        --loop-bound 17=N";
        assert_eq!(bounds(&labels), expected);
        assert_eq!(flag(&Remedy::Uniform("$L_1".into())), "with --uniform '$L_1'");
    }

    #[test]
    fn every_remedy_is_a_flag() {
        let words: Vec<String> = every_remedy().map(|one| flag(&one)).collect();
        let expected = [
            "--loop-bound LOOP=N",
            "--loop-total LOOP=N",
            "with --uniform 15",
            "with --unreachable 15",
            "--classes FILE",
            "--loop-bound LOOP=N --uniform 15 --unreachable 16, or --declare FILE.toml, which extract writes",
            "--entry NAME",
            "--compute-capability X.Y",
            "--loop-bound",
            "--uniform",
            "--unreachable",
            "--param n=N",
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
            "--hold-of LETTER=N",
            "--dram-rate, --dram-others and --dram-spread none",
            "--host-memory RATE,TIME",
            "--clock MHZ",
            "--multiprocessors N",
            "--alone, --co-running or --system",
            "--launch-overhead TIME",
            "--copy-in TIME",
            "--copy-out TIME",
            "--shared BYTES",
            "--dynamic-shared BYTES",
            "--machine FILE with spread = false",
        ];
        assert_eq!(words, expected);
    }
}
