//! Budgets: kernels with their deadlines, as a file names them.
//!
//! ```toml
//! accept = ["clock.declared", "dram.*"]   # what answers may rest on; anything if it is not given
//! [defaults]                    # what holds for each kernel whose table does not say it
//! gpu = "jetson-orin"
//! deadline = "10ms"
//! [[kernel]]
//! name = "blur"                 # its entry, or else the name of the listing, if it is not given
//! listing = "blur.sass"         # beside this file
//! entry = "blur"
//! grid = "60x135"
//! block = 256
//! loop-bound = [".L_x_2=3"]     # a list where an option may be given several times
//! strict = true                 # an option without a value
//! ```
//!
//! Each key but `name`, `listing` and `accept` is an option of the command that times a launch, which alone knows them: here they are
//! names with values.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use schemars::{JsonSchema, Schema, schema_for};
use serde::Deserialize;

use warpspan_model::assumption::Accepted;
use warpspan_model::source::{InputError, Source, Spanned, decimal};

/// The name of the key that names a kernel.
const NAME: &str = "name";
/// The name of the key of its listing.
const LISTING: &str = "listing";
/// The name of the key of what is accepted.
const ACCEPT: &str = "accept";

type Table = BTreeMap<String, Spanned<toml::Value>>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    accept: Option<Spanned<toml::Value>>,
    #[serde(default)]
    defaults: Table,
    #[serde(default)]
    kernel: Vec<Spanned<Table>>,
}

/// The same for a schema: what stands in the tables.
#[derive(JsonSchema)]
#[schemars(rename = "Budget", deny_unknown_fields)]
#[allow(dead_code)] // only its schema is used
struct FileSchema {
    /// What the answers of all kernels may rest on: names of assumptions, as `clock.declared`, in which `*` stands for any text. A kernel that
    /// rests on another declaration, or on something else that is assumed, fails. Anything is accepted if it is not given.
    accept: Option<Vec<String>>,
    /// What holds for each kernel whose table does not say it: `listing` and every option of `time`. A list in the table of a kernel
    /// stands in place of the one here.
    #[schemars(default)]
    defaults: BTreeMap<String, Written>,
    /// The launches of kernels, each with its deadline. Every further key is an option of `time` by its name: `gpu`, `grid`, `block`,
    /// `deadline`, `entry`, `loop-bound`, `declare`, `dram-bytes`.
    kernel: Vec<KernelSchema>,
}

#[derive(JsonSchema)]
#[schemars(rename = "BudgetKernel")]
#[allow(dead_code)]
struct KernelSchema {
    /// What the answer of this kernel may rest on, in place of the list at the top of the file.
    accept: Option<Vec<String>>,
    /// Its name, which no other kernel of the file has; that of its entry, or else of its listing, if it is not given.
    name: Option<String>,
    /// The listing, PTX or SASS, by its path from this file.
    listing: Option<String>,
    #[serde(flatten)]
    options: BTreeMap<String, Written>,
}

/// A value as it may be written.
#[derive(JsonSchema)]
#[schemars(untagged, inline)]
#[allow(dead_code)]
enum Written {
    Text(String),
    Number(f64),
    Flag(bool),
    Several(Vec<OneOfSeveral>),
}

#[derive(JsonSchema)]
#[schemars(untagged, inline)]
#[allow(dead_code)]
enum OneOfSeveral {
    Text(String),
    Number(f64),
}

/// The JSON Schema of a budget.
#[doc(hidden)]
pub fn schema() -> Schema {
    schema_for!(FileSchema)
}

/// A kernel of a budget.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BudgetKernel {
    /// Its name, which no other kernel of the file has.
    pub name: String,
    /// The line where its table begins, from 1.
    pub line: usize,
    /// The path of its listing, as the file has it.
    pub listing: BudgetOption,
    /// Its options, with the defaults that it does not replace, by their names.
    pub options: Vec<BudgetOption>,
    /// What its answer may rest on; anything if neither its table nor the file says it.
    pub accept: Option<Vec<Accepted>>,
}

/// An option, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BudgetOption {
    /// Its name without dashes before it.
    pub name: String,
    /// Its line, from 1.
    pub line: usize,
    /// What it is given.
    pub value: BudgetValue,
}

/// What an option is given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BudgetValue {
    /// Whether it is there.
    Flag(bool),
    /// A text, or a number as it is written.
    One(String),
    /// Several of them.
    Several(Vec<String>),
}

/// Reads a budget; `place` is its name in messages.
///
/// # Errors
/// If it is no budget; the error gives the first thing that is wrong, with its line.
pub fn read_budget(place: &str, text: &str) -> Result<Vec<BudgetKernel>, InputError> {
    let source = Source { place, text };
    let file: File = source.toml()?;
    if let Some(name) = file.defaults.get(NAME) {
        let what = "[defaults]: name is of one kernel: want it in its table";
        return Err(source.error(name.span().start, what));
    }
    if let Some(accept) = file.defaults.get(ACCEPT) {
        let what = "[defaults]: accept is no option of time: want it at the top of the file, or in the table of a kernel";
        return Err(source.error(accept.span().start, what));
    }
    let accept = file.accept.as_ref().map(|accept| accepted(&source, accept)).transpose()?;
    let defaults = options(&source, &file.defaults)?;
    let mut names = BTreeSet::new();
    let mut kernels = Vec::new();
    for table in &file.kernel {
        let at = table.span().start;
        let mut table = table.get_ref().clone();
        let own = table.remove(ACCEPT).map(|own| accepted(&source, &own)).transpose()?;
        let mut kernel = kernel(&source, &table, at, &defaults)?;
        kernel.accept = own.or_else(|| accept.clone());
        if !names.insert(kernel.name.clone()) {
            let what =
                format!("two kernels are named {:?}: want name = \"...\" to tell them apart", kernel.name);
            return Err(source.error(at, what));
        }
        kernels.push(kernel);
    }
    if kernels.is_empty() {
        let what = "no kernel: want [[kernel]] with listing, gpu, grid, block and deadline";
        return Err(InputError::new(place, what));
    }
    Ok(kernels)
}

fn kernel(
    source: &Source<'_>,
    table: &Table,
    at: usize,
    defaults: &BTreeMap<String, BudgetOption>,
) -> Result<BudgetKernel, InputError> {
    let mut all = defaults.clone();
    all.extend(options(source, table)?);
    let wrong = |option: &BudgetOption, want: &str| InputError {
        place: source.place.to_owned(),
        line: Some(option.line),
        what: format!("{}: want {want}", option.name).into(),
    };
    let line = source.error(at, "").line.unwrap_or(1);
    let Some(listing) = all.remove(LISTING) else {
        return Err(source.error(at, "no listing: want listing = \"FILE\", PTX or SASS"));
    };
    let file = match &listing.value {
        BudgetValue::One(file) if !file.is_empty() && file != "-" => file.clone(),
        _ => return Err(wrong(&listing, "the path of a file, PTX or SASS")),
    };
    let name = match (all.remove(NAME), all.get("entry")) {
        (Some(BudgetOption { value: BudgetValue::One(name), .. }), _) if !name.trim().is_empty() => name,
        (Some(other), _) => return Err(wrong(&other, "a text")),
        (None, Some(BudgetOption { value: BudgetValue::One(entry), .. })) => entry.clone(),
        _ => Path::new(&file).file_stem().map_or(file.clone(), |stem| stem.to_string_lossy().into_owned()),
    };
    Ok(BudgetKernel { name, line, listing, options: all.into_values().collect(), accept: None })
}

/// The assumptions that are accepted.
fn accepted(source: &Source<'_>, given: &Spanned<toml::Value>) -> Result<Vec<Accepted>, InputError> {
    let wrong = |what: String| source.error(given.span().start, format!("{ACCEPT}{what}"));
    let want = "want a list of assumptions, such as [\"clock.declared\", \"dram.*\"]";
    let toml::Value::Array(all) = given.get_ref() else {
        return Err(wrong(format!(" = {}: {want}", given.get_ref())));
    };
    let one = |one: &toml::Value| match one {
        toml::Value::String(text) => text.parse().map_err(|error| wrong(format!(": {error}"))),
        other => Err(wrong(format!(" has {other} in its list: {want}"))),
    };
    all.iter().map(one).collect()
}

/// The options of a table by their names.
fn options(source: &Source<'_>, table: &Table) -> Result<BTreeMap<String, BudgetOption>, InputError> {
    let option = |(name, value): (&String, &Spanned<toml::Value>)| {
        let at = value.span().start;
        let line = source.error(at, "").line.unwrap_or(1);
        let value = match value.get_ref() {
            toml::Value::Boolean(given) => BudgetValue::Flag(*given),
            toml::Value::Array(all) => {
                let one = |value: &toml::Value| {
                    text(value).ok_or_else(|| {
                        source.error(at, format!("{name} has {value} in its list: want texts or numbers"))
                    })
                };
                BudgetValue::Several(all.iter().map(one).collect::<Result<_, _>>()?)
            }
            other => BudgetValue::One(text(other).ok_or_else(|| {
                let found = if other.is_table() { "is a table".to_owned() } else { format!("= {other}") };
                source.error(at, format!("{name} {found}: want a text, a number, true, or a list of texts"))
            })?),
        };
        Ok((name.clone(), BudgetOption { name: name.clone(), line, value }))
    };
    table.iter().map(option).collect()
}

/// A text, or a number as a text.
fn text(value: &toml::Value) -> Option<String> {
    match value {
        toml::Value::String(text) => Some(text.clone()),
        toml::Value::Integer(_) | toml::Value::Float(_) => Some(decimal(value)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<BudgetKernel>, String> {
        read_budget("b.toml", text).map_err(|error| error.to_string())
    }

    fn option(name: &str, line: usize, value: BudgetValue) -> BudgetOption {
        BudgetOption { name: name.to_owned(), line, value }
    }

    #[test]
    fn a_table_wins_over_the_defaults() {
        let text = "[defaults]\nlisting = \"k.sass\"\ngpu = \"a\"\nparam = [\"n=1\", \"m=2\"]\nstrict = true\n\
                    [[kernel]]\nentry = \"f\"\nparam = [\"n=3\"]\nclock = 1300.5\ngrid = 64\n\
                    [[kernel]]\nname = \"g\"\nlisting = \"x/y.sm_87.sass\"\ngpu = \"b\"\nstrict = false\n";
        let found = read(text).unwrap();
        let one = |text: &str| BudgetValue::One(text.to_owned());
        assert_eq!(
            found[0],
            BudgetKernel {
                name: "f".to_owned(),
                line: 6,
                listing: option("listing", 2, one("k.sass")),
                options: vec![
                    option("clock", 9, one("1300.5")),
                    option("entry", 7, one("f")),
                    option("gpu", 3, one("a")),
                    option("grid", 10, one("64")),
                    option("param", 8, BudgetValue::Several(vec!["n=3".to_owned()])),
                    option("strict", 5, BudgetValue::Flag(true)),
                ],
                accept: None,
            }
        );
        assert_eq!((found[1].name.as_str(), found[1].line), ("g", 11));
        assert_eq!(found[1].listing, option("listing", 13, one("x/y.sm_87.sass")));
        assert!(found[1].options.contains(&option("strict", 15, BudgetValue::Flag(false))));
        let unnamed = read("[[kernel]]\nlisting = \"x/y.sm_87.sass\"").unwrap();
        assert_eq!(unnamed[0].name, "y.sm_87");
    }

    /// The list of a kernel stands in place of that of the file, also where it is empty.
    #[test]
    fn a_kernel_accepts_its_own_list_or_else_that_of_the_file() {
        let kernels = "[[kernel]]\nlisting = \"a\"\n[[kernel]]\nlisting = \"b\"\naccept = []\n\
                       [[kernel]]\nlisting = \"c\"\naccept = [\"loop.bound\"]\n";
        let lists = |text: &str| -> Vec<Option<String>> {
            let list =
                |all: &Vec<Accepted>| all.iter().map(Accepted::to_string).collect::<Vec<_>>().join(" ");
            read(text).unwrap().iter().map(|kernel| kernel.accept.as_ref().map(list)).collect()
        };
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(lists(kernels), [None, some(""), some("loop.bound")]);
        let with_top = format!("accept = [\"clock.declared\", \"dram.*\"]\n{kernels}");
        assert_eq!(lists(&with_top), [some("clock.declared dram.*"), some(""), some("loop.bound")]);
    }

    #[test]
    fn what_is_wrong_has_its_line() {
        for (text, said) in [
            ("", "b.toml: no kernel: want [[kernel]] with listing, gpu, grid, block and deadline"),
            ("[defaults]\nname = \"k\"", "b.toml:2: [defaults]: name is of one kernel: want it in its table"),
            ("\n[[kernel]]\ngrid = 1", "b.toml:2: no listing: want listing = \"FILE\", PTX or SASS"),
            ("[[kernel]]\nlisting = \"-\"", "b.toml:2: listing: want the path of a file, PTX or SASS"),
            ("[[kernel]]\nlisting = [\"a\"]", "b.toml:2: listing: want the path of a file, PTX or SASS"),
            (
                "[[kernel]]\nlisting = \"a\"\nname = 1979-05-27",
                "b.toml:3: name = 1979-05-27: want a text, a number, true, or a list of texts",
            ),
            ("[[kernel]]\nlisting = \"a\"\nname = true", "b.toml:3: name: want a text"),
            (
                "[[kernel]]\nlisting = \"a\"\n[kernel.grid]\nx = 1",
                "b.toml:3: grid is a table: want a text, a number, true, or a list of texts",
            ),
            (
                "[[kernel]]\nlisting = \"a\"\nparam = [\"n=1\", true]",
                "b.toml:3: param has true in its list: want texts or numbers",
            ),
            (
                "[[kernel]]\nlisting = \"a\"\n[[kernel]]\nlisting = \"b/a.ptx\"",
                "b.toml:3: two kernels are named \"a\": want name = \"...\" to tell them apart",
            ),
            (
                "[defaults]\naccept = [\"dram.rate\"]\n[[kernel]]\nlisting = \"a\"",
                "b.toml:2: [defaults]: accept is no option of time: want it at the top of the file, or in the table of a kernel",
            ),
            (
                "accept = \"dram.rate\"\n[[kernel]]\nlisting = \"a\"",
                "b.toml:1: accept = \"dram.rate\": want a list of assumptions, such as [\"clock.declared\", \"dram.*\"]",
            ),
            (
                "[[kernel]]\nlisting = \"a\"\naccept = [3]",
                "b.toml:3: accept has 3 in its list: want a list of assumptions, such as [\"clock.declared\", \"dram.*\"]",
            ),
            (
                "[[kernel]]\nlisting = \"a\"\naccept = [\"dram.bites\"]",
                "b.toml:3: accept: no assumption is named \"dram.bites\": did you mean dram.bytes? docs/assumptions.md has all of them",
            ),
            ("[kernel]\nlisting = \"a\"", "b.toml:1: [kernel]: want [[kernel]], once for each"),
        ] {
            assert_eq!(read(text).unwrap_err(), said, "{text}");
        }
        assert!(
            read("[[kernels]]\nlisting = \"a\"")
                .unwrap_err()
                .starts_with("b.toml:1: unknown field `kernels`")
        );
    }
}
