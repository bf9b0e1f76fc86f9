//! The remedies of errors in the words of a grid file: its keys, which are the flags of `sweep` without
//! dashes.

use warpspan_model::source::{Remedy, declarations, list};

/// The text that names a remedy in a grid file. Remedies that no grid file can express keep the words of the
/// library.
pub(super) fn key(remedy: &Remedy) -> String {
    let text = match remedy {
        Remedy::LoopBounds(labels) => return bounds(labels),
        Remedy::Uniform(branch) => return format!("with {}", list("uniform", [branch])),
        Remedy::Declarations { loops, uniform, unreachable } => {
            return declarations((!loops.is_empty()).then(|| bounds(loops)), uniform, unreachable);
        }
        Remedy::Unreachable(line) => return format!("with {}", list("unreachable", [line])),
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
        _ => return remedy.to_string(),
    };
    text.to_owned()
}

fn bounds(labels: &[String]) -> String {
    list("loop-bound", labels.iter().map(|label| format!("{label}=N")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpspan_model::source::every_remedy;

    #[test]
    fn what_a_grid_can_say_is_a_key() {
        let of_library: Vec<String> = every_remedy().map(|remedy| remedy.to_string()).collect();
        let words: Vec<String> =
            every_remedy().map(|one| key(&one)).filter(|word| !of_library.contains(word)).collect();
        let expected = [
            "loop-bound = [\"LOOP=N\"]",
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
            "compute-capabilities, or sigma-l and sigma-c",
            "kernels, kernels-file, all-strings, random or ptx",
            "warps = \"1..64,128\"",
            "engines = \"ilp\"",
        ];
        assert_eq!(words, expected);
    }
}
