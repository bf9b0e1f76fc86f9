//! How many transactions memory instructions need, as the user declares it.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::classes::Classes;
use crate::machine::Passes;
use crate::routine::Listing;
use crate::user;
use warpspan_isa::instruction::Instruction;
use warpspan_model::assumption::{Assumption, Id};

/// The transactions of each pass of memory instructions, by label or line. A label stands for all memory
/// instructions up to the next label, and `*` for all of the listing. A line wins over a label, and a label
/// over `*`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Transactions(HashMap<String, u64>, HashMap<u32, [u64; 2]>);

impl Transactions {
    /// Adds `LABEL=N`, which replaces what was said of the same label.
    ///
    /// # Errors
    /// If it is not of this form, or N is not 1 or more.
    pub fn add(&mut self, text: &str) -> Result<(), String> {
        let (label, number) = text.rsplit_once('=').ok_or("want LABEL=N")?;
        match (label.trim(), number.trim().parse()) {
            ("", _) => Err("no label: want LABEL=N, or *=N for all".into()),
            (label, Ok(number)) if number > 0 => {
                self.0.insert(label.to_owned(), number);
                Ok(())
            }
            _ => Err(format!("{number:?}: want the transactions of one pass of a warp, 1 or more")),
        }
    }

    /// The least of the labels that no memory instruction of a listing has.
    pub(crate) fn unknown(&self, listing: &Listing<'_>, classes: &Classes) -> Option<&String> {
        let mut known: HashSet<String> = HashSet::from(["*".to_owned()]);
        if self.0.is_empty() {
            return None;
        }
        let labels = labels(listing);
        for instruction in listing.routines.iter().flat_map(|routine| &routine.instructions) {
            if Self::are_of(classes, instruction) {
                known.insert(instruction.line.to_string());
                known.extend(labels.get(&instruction.line).map(|&label| label.to_owned()));
            }
        }
        self.0.keys().filter(|key| !known.contains(*key)).min()
    }

    /// Whether an instruction is one of memory, which has transactions.
    pub(crate) fn are_of(classes: &Classes, instruction: &Instruction<'_>) -> bool {
        classes.find_of(instruction).is_some_and(|found| found.is_memory())
    }

    /// Declares the transactions of the instruction in a line.
    pub(crate) fn declare(&mut self, line: u32, number: u64) {
        self.0.insert(line.to_string(), number);
    }

    /// Declares the sectors of the instruction in a line, and the lines in which they lie.
    pub(crate) fn declare_touched(&mut self, line: u32, touched: [u64; 2]) {
        self.1.insert(line, touched);
    }

    /// The sectors and lines that are declared of the instruction in a line.
    pub(crate) fn touched(&self, line: u32) -> Option<[u64; 2]> {
        self.1.get(&line).copied()
    }

    /// What numbers rest on of these.
    pub(crate) fn assumptions(&self) -> Vec<Assumption> {
        let labels: BTreeMap<&String, &u64> = self.0.iter().collect();
        let touched: BTreeMap<&u32, &[u64; 2]> = self.1.iter().collect();
        let labels = labels.into_iter().map(|(label, most)| of_transactions(label, &most.to_string()));
        let touched = touched.into_iter().map(|(line, [sectors, lines])| {
            let subject = format!("what line {line} touches");
            Assumption::declared(
                Id::Transactions,
                subject,
                format!("at most {sectors} sectors in {lines} lines"),
            )
        });
        labels.chain(touched).collect()
    }

    /// What is declared of the instruction in a line.
    pub(crate) fn of(&self, line: u32, label: Option<&str>) -> Option<u64> {
        let of_label = || label.and_then(|label| self.0.get(label));
        self.0.get(&line.to_string()).or_else(of_label).or_else(|| self.0.get("*")).copied()
    }
}

/// What rests on the declaration of how many transactions a pass needs at most, by label, line, or `*`.
pub fn of_transactions(label: &str, most: &str) -> Assumption {
    let of = match label {
        "*" => "every access".to_owned(),
        line if line.bytes().all(|byte| byte.is_ascii_digit()) => format!("line {line}"),
        label => label.to_owned(),
    };
    Assumption::declared(Id::Transactions, format!("transactions of {of}"), format!("at most {most}"))
}

/// Where more transactions are declared than the code shows, a sentence for each pair of such numbers.
pub(crate) fn declared_larger<'a>(passes: impl Iterator<Item = (u32, &'a Passes)>) -> Vec<String> {
    let mut lines: BTreeMap<(u64, u64), BTreeSet<u32>> = BTreeMap::new();
    for (line, one) in passes {
        let both = one.declared.zip(one.shown).filter(|(declared, shown)| declared > shown);
        both.into_iter().for_each(|both| _ = lines.entry(both).or_default().insert(line));
    }
    let sentence = |((declared, shown), lines): ((u64, u64), BTreeSet<u32>)| {
        let plural = if lines.len() == 1 { "" } else { "s" };
        let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
        user::declared_larger(&format!("transactions in line{plural} {}", lines.join(", ")), declared, shown)
    };
    lines.into_iter().map(sentence).collect()
}

/// The label that the instruction of each line lies behind.
pub(crate) fn labels<'a>(listing: &Listing<'a>) -> HashMap<u32, &'a str> {
    let mut found = HashMap::new();
    for routine in &listing.routines {
        let mut labels = routine.labels.iter().peekable();
        let mut last = None;
        for (at, instruction) in routine.instructions.iter().enumerate() {
            let mut first = None;
            while let Some((name, _)) = labels.next_if(|(_, label)| *label <= at) {
                first = first.or(Some(*name));
            }
            last = first.or(last);
            found.extend(last.map(|label| (instruction.line, label)));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_wins_over_a_label_and_a_label_over_all() {
        let mut given = Transactions::default();
        for text in ["*=8", "BB0 = 4", "12=1"] {
            given.add(text).unwrap();
        }
        assert_eq!(given.of(12, Some("BB0")), Some(1));
        assert_eq!(given.of(13, Some("BB0")), Some(4));
        assert_eq!(given.of(13, Some("BB1")), Some(8));
        assert_eq!(Transactions::default().of(13, None), None);
        for wrong in ["BB0", "=3", "BB0=0", "BB0=x"] {
            assert!(given.add(wrong).is_err(), "{wrong}");
        }
    }
}
