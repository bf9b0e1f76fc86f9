//! A grid file: the keys are the long flags of `sweep`, the values what the flags take, or lists of it.
//!
//! ```toml
//! kernels = ["LLCLL", "LCL"]    # or kernels-file, all-strings = "1..6", random = "length=8,count=100,share=0.5,seed=7"
//! warps = "1..64,128"           # or a number, or a list; 1..600/50 in steps
//! sigma-l = ["1", "1/2"]        # or compute-capabilities = ["2.0", "3.5"]
//! sigma-c = [1, 2]
//! engines = "auto"
//! up-to = "1..6"
//! time-limit = "30s"
//! policies = "lrr,gto"
//! ptx = "k.ptx"                 # also entry, loop-bound = ["LABEL=16"], loop-bounds, uniform, classes
//! ```

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

use crate::source::{InputError, Message, Source};
use crate::sweep::keys::key;

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

/// The keys of a grid file that name a listing, besides.
pub const LISTING_KEYS: [&str; 6] = ["ptx", "entry", "loop-bound", "loop-bounds", "uniform", "classes"];

/// What stands for a key, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Texts {
    /// File or flag.
    pub place: String,
    /// Line of the file, from 1.
    pub line: Option<usize>,
    /// What stands there; a list in a file is joined by commas.
    pub text: String,
}

impl Texts {
    /// An error about them.
    pub fn error(&self, what: impl std::fmt::Display) -> InputError {
        InputError { place: self.place.clone(), line: self.line, what: Message::text(what) }
    }

    /// An error about what they name, in the words of a grid file.
    pub fn within(&self, error: &InputError) -> InputError {
        let what = error.message().in_words(key);
        InputError { place: self.place.clone(), line: self.line, what }
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Value {
    Text(String),
    Whole(i64),
    Real(f64),
    List(Vec<Value>),
}

impl Value {
    /// As a flag would have it; lists of random strings are parted by semicolons, since they hold commas.
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

/// Reads a grid file; `place` is its name in messages.
///
/// # Errors
/// If it is not TOML, or has a key or a value that a grid does not.
pub fn read_grid(place: &str, text: &str) -> Result<BTreeMap<&'static str, Texts>, InputError> {
    let source = Source { place, text };
    let table: BTreeMap<Spanned<String>, Spanned<Value>> = source.toml()?;
    let mut texts = BTreeMap::new();
    for (key, value) in table {
        let mut keys = KEYS.iter().chain(&LISTING_KEYS);
        let Some(&known) = keys.find(|&known| known == key.get_ref()) else {
            let all = [&KEYS[..], &LISTING_KEYS[..]].concat();
            let what = format!("{}: no key of a grid: want one of {}", key.get_ref(), all.join(", "));
            return Err(source.error(key.span().start, what));
        };
        let line = source.error(value.span().start, "").line;
        let between = if known == "random" { ";" } else { "," };
        texts.insert(known, Texts { place: place.to_owned(), line, text: value.get_ref().text(between) });
    }
    Ok(texts)
}
