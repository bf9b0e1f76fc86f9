//! Reading a file of declarations.
//!
//! ```toml
//! [[entry]]
//! name = "conv"
//! code = "0123456789abcdef"   # the fingerprint that the writer found; another one is refused
//! of_input = ["k.traceg"]     # the traces for whose inputs alone it holds; the fingerprint is of them too
//! [entry.params]
//! n = 1024                    # or "1..1024"
//! [[entry.loop]]
//! label = "LOOP"              # or instruction = 12; function = "NAME" where a called function holds it
//! most = 16
//! [[entry.branch]]
//! instruction = 17            # or label = "OVER", for all branches to it
//! uniform = true
//! [[entry.place]]
//! instruction = 31            # or label = "FAIL"
//! unreachable = true
//! [[entry.memory]]
//! instruction = 5
//! transactions = 1
//! sectors = 4                 # with lines: what one execution touches of global memory
//! lines = 1
//! [[class]]                   # as in a file of classes
//! opcode = "mma.sync"
//! unit = "C"
//! letters = 16
//! ```

use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, schema_for};
use serde::Deserialize;

use crate::declarations::{At, Declarations, Declared, Mark, Moved, Said};
use crate::user::{ClassTable, given_classes};
use warpspan_model::machine::Machine;
use warpspan_model::source::{InputError, Source, Spanned, WholeOrText};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct File {
    /// The entries, each once for every code that it has.
    #[serde(default)]
    entry: Vec<EntryTable>,
    /// What instructions use; the first class that matches counts.
    #[serde(default)]
    class: Vec<Spanned<ClassTable>>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct EntryTable {
    /// The name of the entry in the listing.
    name: Spanned<String>,
    /// The fingerprint of its instructions, for which alone the table holds.
    code: Spanned<String>,
    /// The traces for whose inputs alone all of it holds, as `warpspan trace` writes it; absent if it holds for every input.
    #[serde(default)]
    of_input: Vec<String>,
    /// Values of parameters: a number, or a range such as `1..1024`.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, WholeOrText>")]
    params: BTreeMap<String, Spanned<toml::Value>>,
    /// Loops, and how often they are passed.
    #[serde(default, rename = "loop")]
    loops: Vec<Spanned<LoopTable>>,
    /// Branches, and whether all threads of a warp go the same way.
    #[serde(default)]
    branch: Vec<Spanned<BranchTable>>,
    /// Instructions, and whether control never comes to them.
    #[serde(default)]
    place: Vec<Spanned<PlaceTable>>,
    /// Memory instructions, and how many transactions a pass of them takes.
    #[serde(default)]
    memory: Vec<Spanned<MemoryTable>>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct LoopTable {
    /// The label of the header.
    label: Option<String>,
    /// The number of the header's first instruction in its function, from 1, instead of the label.
    instruction: Option<Spanned<i64>>,
    /// The function that holds it, if it is not the entry itself.
    function: Option<String>,
    /// How often a warp passes the header at most, each time it comes to the loop; not said if it is absent.
    most: Option<Spanned<i64>>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct BranchTable {
    /// The label of the target, for all branches to it.
    label: Option<String>,
    /// The number of the branch in its function, from 1, instead of the label.
    instruction: Option<Spanned<i64>>,
    /// The function that holds it, if it is not the entry itself.
    function: Option<String>,
    /// Whether all threads of a warp always go the same way; not said if it is absent or false.
    uniform: Option<bool>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PlaceTable {
    /// The label before the instruction.
    label: Option<String>,
    /// The number of the instruction in its function, from 1, instead of the label.
    instruction: Option<Spanned<i64>>,
    /// The function that holds it, if it is not the entry itself.
    function: Option<String>,
    /// Whether control never comes to it; not said if it is absent or false.
    unreachable: Option<bool>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct MemoryTable {
    /// The label before it, for all memory instructions up to the next label.
    label: Option<String>,
    /// The number of the instruction in its function, from 1, instead of the label.
    instruction: Option<Spanned<i64>>,
    /// The function that holds it, if it is not the entry itself.
    function: Option<String>,
    /// The transactions of each pass; not said if it is absent.
    transactions: Option<Spanned<i64>>,
    /// The most sectors of 32 bytes that one execution touches in global memory; goes with `lines` and `transactions`.
    sectors: Option<Spanned<i64>>,
    /// The most lines of 128 bytes in which these lie.
    lines: Option<Spanned<i64>>,
}

/// The JSON Schema of a file of declarations.
#[doc(hidden)]
pub fn schema() -> Schema {
    schema_for!(File)
}

/// Reads a file of declarations; `place` is its name in messages. With a machine, a class may name any letter of it.
///
/// # Errors
/// If the file cannot be read as such; the error gives the first thing that is wrong, with its line.
pub fn read_declarations(
    place: &str,
    text: &str,
    machine: Option<&Machine>,
) -> Result<Declarations, InputError> {
    let source = Source { place, text };
    if let Some((at, key)) = open_number(text) {
        return Err(source.error(at, format!("{key} = ?: want a number, or a # in front of the line")));
    }
    let file: File = source.toml()?;
    let classes = given_classes(&source, file.class, machine)?;
    let reader = Reader { source };
    let entries: Vec<Declared> =
        file.entry.into_iter().map(|table| reader.entry(table)).collect::<Result<_, _>>()?;
    for (at, one) in entries.iter().enumerate() {
        let same =
            |other: &&Declared| other.name.value == one.name.value && other.code.value == one.code.value;
        if let Some(first) = entries[..at].iter().find(same) {
            let what = format!("a second table of {:?}, first in line {}", one.name.value, first.name.line);
            return Err(reader.error(one.name.line, what));
        }
    }
    Ok(Declarations { place: place.to_owned(), entries, classes })
}

/// The first line whose number is a question mark, as the writer leaves it open, and its key.
fn open_number(text: &str) -> Option<(usize, &str)> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if let Some((key, rest)) = line.split_once('=')
            && rest.trim_start().starts_with('?')
            && !key.trim_start().starts_with('#')
        {
            return Some((at, key.trim()));
        }
        at += line.len();
    }
    None
}

struct Reader<'a> {
    source: Source<'a>,
}

impl Reader<'_> {
    fn error(&self, line: usize, what: String) -> InputError {
        InputError { place: self.source.place.to_owned(), line: Some(line), what: what.into() }
    }

    fn line(&self, at: usize) -> usize {
        self.source.error(at, "").line.unwrap_or_default()
    }

    fn said(&self, text: &Spanned<String>) -> Said<String> {
        Said { value: text.get_ref().clone(), line: self.line(text.span().start) }
    }

    fn entry(&self, table: EntryTable) -> Result<Declared, InputError> {
        let mut loops = Vec::new();
        for table in &table.loops {
            let LoopTable { label, instruction, function, most } = table.get_ref();
            let most = most.as_ref().map(|most| self.source.positive("most", most)).transpose()?;
            loops.extend(self.at(table.span().start, label, instruction, function, most)?);
        }
        let mut uniform = Vec::new();
        for table in &table.branch {
            let BranchTable { label, instruction, function, uniform: said } = table.get_ref();
            let said = said.filter(|&said| said).map(|_| ());
            uniform.extend(self.at(table.span().start, label, instruction, function, said)?);
        }
        let mut unreachable = Vec::new();
        for table in &table.place {
            let PlaceTable { label, instruction, function, unreachable: said } = table.get_ref();
            let said = said.filter(|&said| said).map(|_| ());
            unreachable.extend(self.at(table.span().start, label, instruction, function, said)?);
        }
        let mut transactions = Vec::new();
        for table in &table.memory {
            let MemoryTable { label, instruction, function, transactions: said, sectors, lines } =
                table.get_ref();
            let number = |key: &str, said: &Option<Spanned<i64>>| {
                said.as_ref().map(|said| self.source.positive(key, said)).transpose()
            };
            let said = number("transactions", said)?;
            let touched = match (said, number("sectors", sectors)?, number("lines", lines)?) {
                (_, None, None) => None,
                (Some(_), Some(sectors), Some(lines)) => Some([sectors, lines]),
                _ => {
                    let what = "want transactions, sectors and lines together, or transactions alone";
                    return Err(self.error(self.line(table.span().start), what.to_owned()));
                }
            };
            let said = said.map(|transactions| Moved { transactions, touched });
            transactions.extend(self.at(table.span().start, label, instruction, function, said)?);
        }
        let mut params = BTreeMap::new();
        for (name, value) in table.params {
            let line = self.line(value.span().start);
            let value = self.source.number_or_range(&name, &value)?;
            params.insert(name, Said { value, line });
        }
        let (name, code) = (self.said(&table.name), self.said(&table.code));
        let of_input = table.of_input;
        Ok(Declared { name, code, loops, uniform, unreachable, transactions, of_input, params })
    }

    /// What is said of a place; nothing if the value was left open. The place is read all the same.
    fn at<T>(
        &self,
        at: usize,
        label: &Option<String>,
        instruction: &Option<Spanned<i64>>,
        function: &Option<String>,
        value: Option<T>,
    ) -> Result<Option<At<T>>, InputError> {
        let line = self.line(at);
        let mark = match (label, instruction) {
            (Some(label), None) => Mark::Label(label.clone()),
            (None, Some(number)) => Mark::Instruction(self.source.positive("instruction", number)?),
            _ => {
                return Err(
                    self.error(line, "want either label or instruction, which names the place".into())
                );
            }
        };
        Ok(value.map(|value| At { function: function.clone(), mark, value, line }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        read_declarations("d.toml", text, None).unwrap_err().to_string()
    }

    #[test]
    fn what_is_open_is_not_said_and_a_question_mark_is_no_number() {
        let entry = "[[entry]]\nname = \"k\"\ncode = \"0\"\n";
        let open =
            format!("{entry}[[entry.loop]]\nlabel = \"L\"\n# most = ?\n[[entry.branch]]\ninstruction = 3\n");
        let read = read_declarations("d.toml", &open, None).unwrap();
        assert!(read.entries[0].loops.is_empty() && read.entries[0].uniform.is_empty());
        let filled = open.replace("# most = ?", "most = 16");
        let read = read_declarations("d.toml", &filled, None).unwrap();
        let at = At { function: None, mark: Mark::Label("L".into()), value: 16, line: 4 };
        assert_eq!(read.entries[0].loops, [at]);
        let unfilled = open.replace("# most", "most");
        assert_eq!(error(&unfilled), "d.toml:6: most = ?: want a number, or a # in front of the line");
        assert_eq!(error(&filled.replace("16", "0")), "d.toml:6: most = 0: want 1 or more");
        assert!(
            error(&format!("{entry}[[entry.loop]]\nmost = 1\n")).starts_with("d.toml:4: want either label")
        );
        assert!(
            error(&format!("{entry}{entry}"))
                .starts_with("d.toml:5: a second table of \"k\", first in line 2")
        );
        assert!(error("[[entry]]\nname = \"k\"\n").contains("missing field `code`"));
        assert!(error(&format!("{entry}[entry.params]\nn = 1.5\n")).contains("n = 1.5: want a whole number"));
    }
}
