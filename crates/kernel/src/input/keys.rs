//! The remedies of errors in the words of a file of kernels or tasks: its keys.

use warpspan_model::source::{Remedy, declarations, list, quoted};

/// The text that names a remedy in such a file. Remedies that no file can express keep the words of the
/// library.
pub fn key(remedy: &Remedy) -> String {
    let text = match remedy {
        Remedy::LoopBounds(labels) => return bounds(labels),
        Remedy::Uniform(branch) => return format!("with {}", list("uniform", [branch])),
        Remedy::Unreachable(line) => return format!("with {}", list("unreachable", [line])),
        Remedy::Classes(_) => "classes = \"FILE\"",
        Remedy::Declarations { loops, uniform, unreachable } => {
            return declarations((!loops.is_empty()).then(|| bounds(loops)), uniform, unreachable);
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
        Remedy::Transactions => "transactions = { LINE = N }",
        Remedy::LatencyOf => "machine = \"FILE\" with another latency",
        Remedy::OccupancyOf => "machine = \"FILE\" with another hold",
        Remedy::CopyIn => "copy_in",
        Remedy::CopyOut => "copy_out",
        Remedy::Shared | Remedy::DynamicShared => "shared_memory",
        Remedy::AnySpread => "spread = false",
        Remedy::Dram => "dram_rate, dram_others and dram_spread in [gpu]",
        Remedy::HostMemory => "host_memory in [gpu]",
        Remedy::Clock => "clock_mhz in [gpu]",
        Remedy::Multiprocessors => "multiprocessors in [gpu]",
        _ => return remedy.to_string(),
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

#[cfg(test)]
mod tests {
    use super::*;
    use warpspan_model::source::every_remedy;

    #[test]
    fn what_a_file_can_say_is_a_key() {
        let of_library: Vec<String> = every_remedy().map(|remedy| remedy.to_string()).collect();
        let words: Vec<String> =
            every_remedy().map(|one| key(&one)).filter(|word| !of_library.contains(word)).collect();
        let expected = [
            "loop_bounds = { LOOP = N }",
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
            "transactions = { LINE = N }",
            "machine = \"FILE\" with another latency",
            "machine = \"FILE\" with another hold",
            "dram_rate, dram_others and dram_spread in [gpu]",
            "host_memory in [gpu]",
            "clock_mhz in [gpu]",
            "multiprocessors in [gpu]",
            "copy_in",
            "copy_out",
            "shared_memory",
            "shared_memory",
            "spread = false",
        ];
        assert_eq!(words, expected);
    }
}
