//! Grid files: the keys are the long flags of `sweep`, and the values are what the flags take, or lists of
//! it.
//!
//! ```toml
//! kernels = ["LLCLL", "LCL"]    # or kernels-file = "FILE", or all-strings = "1..6", or
//!                               # random = "length=8,count=100,share=0.5,seed=7"
//! warps = "1..64,128"           # or a number, or a list; 1..600/50 in steps
//! sigma-l = ["1", "1/2"]        # or compute-capabilities = ["2.0", "3.5"]
//! sigma-c = [1, 2]
//! engines = "auto"
//! up-to = "1..6"
//! time-limit = "30s"
//! policies = "lrr,gto"
//! ptx = "k.ptx"                 # also entry, loop-bound = ["LABEL=16"], loop-bounds, uniform, classes,
//!                               # declare
//! ```

use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, schema_for};
use serde::Deserialize;

use crate::keys::key;
use warpspan_model::source::{InputError, Message, Source, Spanned};

/// The keys of a grid file.
pub const KEYS: [&str; 12] = [
    "kernels",
    "kernels-file",
    "all-strings",
    "random",
    "warps",
    "sigma-l",
    "sigma-c",
    "compute-capabilities",
    "engines",
    "up-to",
    "time-limit",
    "policies",
];

/// The other keys of a grid file, which describe a listing.
pub const LISTING_KEYS: [&str; 9] =
    ["ptx", "entry", "loop-bound", "loop-bounds", "uniform", "unreachable", "classes", "declare", "param"];

/// What is given for each key of a grid.
pub type Settings = BTreeMap<&'static str, Setting>;

/// The text that is given for a key, and the place where it is given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// The name of the file, or the flag.
    pub place: String,
    /// The line of the file, from 1; none for a flag.
    pub line: Option<usize>,
    /// The text; a list in a file is joined by commas.
    pub text: String,
}

impl Setting {
    /// An error about this text.
    pub fn error(&self, what: impl std::fmt::Display) -> InputError {
        InputError { place: self.place.clone(), line: self.line, what: Message::text(what) }
    }

    /// An error about the file that this text names, in the words of a grid file.
    pub fn within(&self, error: &InputError) -> InputError {
        let what = error.message().in_words(key);
        InputError { place: self.place.clone(), line: self.line, what }
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum Value {
    Text(String),
    Whole(i64),
    Real(f64),
    List(Vec<Value>),
}

impl Value {
    /// The value as a flag would write it. Lists of random strings are joined by semicolons, since each of
    /// them contains commas.
    fn text(&self, between: &str) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Whole(number) => number.to_string(),
            Self::Real(number) => format!("{number:?}"),
            Self::List(list) => {
                list.iter().map(|value| value.text(between)).collect::<Vec<_>>().join(between)
            }
        }
    }
}

/// The keys of a grid file, for its schema.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[expect(dead_code, reason = "it describes values and holds none")]
struct File {
    /// Kernel strings.
    kernels: Option<Value>,
    /// A file of kernel strings, one a line.
    kernels_file: Option<Value>,
    /// All kernel strings of these lengths, such as `1..6`.
    all_strings: Option<Value>,
    /// Random kernel strings, such as `length=8,count=100,share=0.5,seed=7`.
    random: Option<Value>,
    /// Numbers of warps, such as `1..64,128`.
    warps: Option<Value>,
    /// Load/store instructions that warps may issue in a cycle, each a whole number or 1/n.
    sigma_l: Option<Value>,
    /// CUDA-core instructions that warps may issue in a cycle, each a whole number or 1/n.
    sigma_c: Option<Value>,
    /// Compute capabilities, instead of the sigmas.
    compute_capabilities: Option<Value>,
    /// Engines: `auto`, `states`, `phase`, `ilp-short`, `ilp-long`, `ilp-aggregated`, or `bounds` for none.
    engines: Option<Value>,
    /// Numbers of warps up to which the estimate solves T(y).
    up_to: Option<Value>,
    /// The time for a cell, such as `30s`.
    time_limit: Option<Value>,
    /// Policies to simulate, such as `lrr,gto`.
    policies: Option<Value>,
    /// A listing, PTX or SASS, instead of kernel strings.
    ptx: Option<Value>,
    /// The entry of the listing, where it has several.
    entry: Option<Value>,
    /// How often loops of the listing pass their label at most, each as `LABEL=N`.
    loop_bound: Option<Value>,
    /// A file of such bounds.
    loop_bounds: Option<Value>,
    /// Labels of branches of the listing that all threads of a warp take alike.
    uniform: Option<Value>,
    /// Labels or lines of the listing to which control never comes.
    unreachable: Option<Value>,
    /// A file of classes for instructions of the listing.
    classes: Option<Value>,
    /// A file of declarations for the listing, as `extract` writes it.
    declare: Option<Value>,
    /// Values of parameters of the listing, each as `NAME=N` or `NAME=LEAST..MOST`.
    param: Option<Value>,
}

/// The JSON Schema of a grid file.
pub fn schema() -> Schema {
    schema_for!(File)
}

/// Reads a grid file; `place` is its name in messages.
///
/// # Errors
/// If it is not TOML, or has a key or a value that a grid cannot have.
pub fn read_grid(place: &str, text: &str) -> Result<Settings, InputError> {
    let source = Source { place, text };
    let table: BTreeMap<Spanned<String>, Spanned<Value>> = source.toml()?;
    let mut settings = BTreeMap::new();
    for (key, value) in table {
        let mut keys = KEYS.iter().chain(&LISTING_KEYS);
        let Some(&known) = keys.find(|&known| known == key.get_ref()) else {
            let all = [&KEYS[..], &LISTING_KEYS[..]].concat();
            let what = format!("{}: no key of a grid: want one of {}", key.get_ref(), all.join(", "));
            return Err(source.error(key.span().start, what));
        };
        let line = source.error(value.span().start, "").line;
        let between = if known == "random" { ";" } else { "," };
        settings
            .insert(known, Setting { place: place.to_owned(), line, text: value.get_ref().text(between) });
    }
    Ok(settings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_has_the_keys_of_the_reader() {
        let schema = schema();
        let properties = schema.get("properties").and_then(serde_json::Value::as_object).unwrap();
        let mut keys = [&KEYS[..], &LISTING_KEYS[..]].concat();
        keys.sort_unstable();
        assert_eq!(properties.keys().collect::<Vec<_>>(), keys);
    }
}
