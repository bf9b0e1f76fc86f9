//! What the user states about the code: bounds of loops, uniform branches, and classes of instructions.
//!
//! A file of loop bounds has a line `LABEL = N` for each loop. A file of classes has tables of this form:
//!
//! ```toml
//! [[class]]
//! opcode = "mma.sync"     # a name, and modifiers that the opcode has
//! unit = "C"              # L, C or none; on a machine also the name of one of its letters
//! letters = 16            # default 1
//! ```

use std::collections::{BTreeMap, HashMap};

use schemars::{JsonSchema, Schema, schema_for};
use serde::Deserialize;

use crate::classes::Given;
use warpspan_model::Unit;
use warpspan_model::machine::Machine;
use warpspan_model::source::{InputError, Source, Spanned};

/// Bounds of loops, by the label or the line of the header. Of each the smallest and the largest that is said, since somebody may say
/// several: all of them are said to be true, so that the smallest counts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LoopBounds(HashMap<String, [u64; 2]>);

/// What is said of the passes of one loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SaidOfLoop {
    /// The label and the line, as far as they were used to say it.
    pub(crate) by: Vec<String>,
    /// The smallest number.
    pub(crate) least: u64,
    /// The largest number.
    pub(crate) most: u64,
}

impl LoopBounds {
    /// Adds `LABEL=N`. Of several bounds of a loop the smallest counts.
    ///
    /// # Errors
    /// If it is not of this form, or N is not 1 or more.
    pub fn add(&mut self, text: &str) -> Result<(), String> {
        let (label, most) = text.rsplit_once('=').ok_or("want LABEL=N")?;
        match (label.trim(), most.trim().parse()) {
            ("", _) => Err("no label: want LABEL=N".into()),
            (label, Ok(most)) if most > 0 => {
                self.also(label, most);
                Ok(())
            }
            _ => Err(format!("{most:?}: want how many iterations there are at most, 1 or more")),
        }
    }
}

impl LoopBounds {
    /// Whether a label has a bound.
    pub fn has(&self, label: &str) -> bool {
        self.0.contains_key(label)
    }

    /// Sets the bound of a label.
    #[doc(hidden)]
    pub fn insert(&mut self, label: &str, most: u64) {
        self.0.insert(label.to_owned(), [most; 2]);
    }

    /// Adds a bound of a label.
    pub(crate) fn also(&mut self, label: &str, bound: u64) {
        let said = self.0.entry(label.to_owned()).or_insert([bound; 2]);
        *said = [said[0].min(bound), said[1].max(bound)];
    }

    /// The labels and lines that have a bound.
    pub(crate) fn labels(&self) -> impl Iterator<Item = &String> {
        self.0.keys()
    }

    /// What is said of a loop, by its label and by its line.
    pub(crate) fn of(&self, label: &str, line: u32) -> Option<SaidOfLoop> {
        let line = line.to_string();
        let known = [label, &line].into_iter().filter_map(|name| self.0.get_key_value(name));
        let said = known.map(|(name, &[least, most])| SaidOfLoop { by: vec![name.clone()], least, most });
        said.reduce(|one, other| SaidOfLoop {
            by: [one.by, other.by].concat(),
            least: one.least.min(other.least),
            most: one.most.max(other.most),
        })
    }

    /// Keeps the bounds of such labels.
    #[doc(hidden)]
    pub fn retain(&mut self, such: impl Fn(&str) -> bool) {
        self.0.retain(|label, _| such(label));
    }
}

/// That the user says more of something than the code shows, which then counts.
pub fn declared_larger(what: &str, declared: u64, shown: u64) -> String {
    format!(
        "[declared.larger] {what}: your declaration of {declared} is larger than what the code shows ({shown}), which counts"
    )
}

/// Reads a file of loop bounds; `place` is its name in messages.
///
/// # Errors
/// If the file cannot be read as such; the error gives the first thing that is wrong, with its line.
pub fn read_loop_bounds(place: &str, text: &str) -> Result<LoopBounds, InputError> {
    let source = Source { place, text };
    let file: BTreeMap<String, Spanned<i64>> = source.toml()?;
    let mut bounds = LoopBounds::default();
    for (label, most) in file {
        bounds.also(&label, source.positive(&label, &most)?);
    }
    Ok(bounds)
}

/// The JSON Schema of a file of loop bounds.
pub fn loop_bounds_schema() -> Schema {
    schema_for!(BTreeMap<String, Spanned<i64>>)
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ClassFile {
    /// What instructions use; the first class that matches counts.
    #[serde(default)]
    class: Vec<Spanned<ClassTable>>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ClassTable {
    /// The name of the opcode, and modifiers that it has, such as `mma.sync`.
    opcode: Spanned<String>,
    /// The unit that it uses: `L`, `C` or `none`, or a letter of the machine that the code is for.
    unit: Spanned<String>,
    /// How many letters it counts; 1 if it is not given.
    letters: Option<Spanned<i64>>,
}

/// The JSON Schema of a file of classes.
pub fn classes_schema() -> Schema {
    schema_for!(ClassFile)
}

/// Reads a file of classes; `place` is its name in messages. With a machine, a class may name any letter of
/// it.
///
/// # Errors
/// If the file cannot be read as such; the error gives the first thing that is wrong, with its line.
pub fn read_classes(place: &str, text: &str, machine: Option<&Machine>) -> Result<Vec<Given>, InputError> {
    let source = Source { place, text };
    let file: ClassFile = source.toml()?;
    given_classes(&source, file.class, machine)
}

/// The classes of such tables, in a file of their own or in another one.
pub(super) fn given_classes(
    source: &Source<'_>,
    tables: Vec<Spanned<ClassTable>>,
    machine: Option<&Machine>,
) -> Result<Vec<Given>, InputError> {
    let given = |spanned: Spanned<ClassTable>| -> Result<Given, InputError> {
        let line = source.error(spanned.span().start, "").line.unwrap_or_default();
        let table = spanned.into_inner();
        let opcode = table.opcode.get_ref().trim().to_owned();
        if opcode.is_empty() {
            return Err(source.error(table.opcode.span().start, "opcode = \"\": want a name"));
        }
        let letter_of =
            |name: &str| machine.and_then(|machine| Some(&machine.letter(machine.find(name)?).name));
        let letter = letter_of(table.unit.get_ref()).cloned();
        let (unit, letter) = match table.unit.get_ref().as_str() {
            _ if letter.is_some() => (None, letter),
            "none" => (None, None),
            "L" | "l" => (Some(Unit::LoadStore), None),
            "C" | "c" => (Some(Unit::CudaCore), None),
            other => {
                let letters = machine.map_or(String::new(), |machine| {
                    format!(", or a letter of the machine: {}", machine.names())
                });
                let what = format!("unit = {other:?}: want L, C or none{letters}");
                return Err(source.error(table.unit.span().start, what));
            }
        };
        let letters = table.letters.map_or(Ok(1), |letters| source.positive("letters", &letters))?;
        Ok(Given { opcode, unit, letter, letters, place: format!("{}:{line}", source.place) })
    };
    tables.into_iter().map(given).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_in_both_ways() {
        let mut bounds = LoopBounds::default();
        bounds.add("$Lt_0_258=16").unwrap();
        bounds.add("57 = 3").unwrap();
        let file = read_loop_bounds("b.toml", "\"$Lt_0_258\" = 16\n57 = 3\n").unwrap();
        assert_eq!(bounds, file);
        for wrong in ["BB0_1", "=3", "BB0_1=0", "BB0_1=-1", "BB0_1=x"] {
            assert!(bounds.add(wrong).is_err(), "{wrong}");
        }
        let error = |text| read_loop_bounds("b.toml", text).unwrap_err().to_string();
        assert_eq!(error("\nBB0_1 = 0\n"), "b.toml:2: BB0_1 = 0: want 1 or more");
        assert!(error("BB0_1 = \"x\"\n").starts_with("b.toml:1: "));
    }

    #[test]
    fn classes() {
        let text = "[[class]]\nopcode = \"mma.sync\"\nunit = \"C\"\nletters = 16\n";
        let given = read_classes("c.toml", text, None).unwrap();
        assert_eq!((given[0].unit, given[0].letters), (Some(Unit::CudaCore), 16));
        assert_eq!(given[0].place, "c.toml:1");
        let error = |text| read_classes("c.toml", text, None).unwrap_err().to_string();
        assert_eq!(
            error("[[class]]\nopcode = \"a\"\nunit = \"X\"\n"),
            "c.toml:3: unit = \"X\": want L, C or none"
        );
        assert!(error("[[class]]\nunit = \"C\"\n").contains("missing field `opcode`"));
    }
}
