//! The bounds in results, and what they are for.

use std::collections::BTreeMap;

use serde_json::Number;
use thiserror::Error;

use crate::compare::Of;
use crate::compare::rational;
use crate::compared::head::Head;
use crate::compared::ledger::Ledger;
use crate::extract::Entry;
use crate::read_error::parsed;
use crate::{Assumption, Extract, Grid, Instance, Place, ReadError, Record, read};
use warpspan_engines::phase::Rational;
use warpspan_listing::inputs;
use warpspan_model::time::decimal;

/// The bounds of a version of the code.
#[derive(Debug, Clone, Default)]
pub struct Items {
    pub(super) place: String,
    pub(super) items: Vec<Item>,
}

/// A bound.
#[derive(Debug, Clone)]
pub(super) struct Item {
    pub(super) name: String,
    /// The bound as it is written, and its value; or why there is none.
    pub(super) upper: Result<(Number, Rational), String>,
    pub(super) unit: String,
    /// What the bound is for: warps, machine, blocks; empty where the ledger says it. Bounds of other things are not compared.
    pub(super) launch: String,
    /// The capability that letters are counted for.
    pub(super) capability: Option<String>,
    /// What else is known of the launch and of what the bound rests on.
    pub(super) ledger: Option<Ledger>,
    pub(super) adds: Adds,
}

/// What lines add to a bound.
#[derive(Debug, Clone, Default)]
pub(super) struct Adds {
    pub(super) of: Option<Of>,
    /// Lines of the listing with their instructions, in their order.
    pub(super) lines: Vec<(u32, Option<String>, Rational)>,
    pub(super) source: BTreeMap<(String, u32), Rational>,
}

/// Why results cannot be compared.
#[derive(Debug, Error)]
pub enum ItemsError {
    /// A bound holds for some inputs only.
    #[error("holds only for {0}, and bounds are compared for every input")]
    OfInput(String),
    /// A line is no record.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A record of another command.
    #[error("schema {0:?}: want lines of solve, bound, extract, rta, time or budget in JSON")]
    Schema(String),
    /// An entry whose bound nobody asked for.
    #[error("{0}: no bound was asked for: want a result for a number of warps")]
    NotAsked(String),
    /// A number that is no decimal of a plausible size.
    #[error("{0}: want a number in decimals")]
    Number(String),
}

/// Refuses a bound that holds for some inputs only.
pub(super) fn for_every_input(of_input: &[String]) -> Result<(), ItemsError> {
    if of_input.is_empty() { Ok(()) } else { Err(ItemsError::OfInput(inputs(of_input))) }
}

impl Items {
    /// No bounds yet; `place` is the name of the file.
    pub fn new(place: impl Into<String>) -> Self {
        Self { place: place.into(), items: Vec::new() }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Adds the bounds of a line of JSON.
    ///
    /// # Errors
    /// If it is no record, or one without bounds.
    pub fn add_line(&mut self, line: &[u8]) -> Result<(), ItemsError> {
        let head = Head::of(line);
        if head.is_time() {
            return self.add_time(&head, parsed(line)?);
        }
        match read(line)? {
            Record::Solve(record) => {
                let name = self.place_of(record.place.as_ref());
                let ledger = head.ledger("", &record.record.assumptions);
                self.add_instance(name, &record.record.instance, Some(record.record.upper), ledger)
            }
            Record::Bound(record) => {
                let name = self.place_of(record.place.as_ref());
                let ledger = head.ledger("", &record.record.assumptions);
                self.add_instance(name, &record.record.instance, record.record.upper, ledger)
            }
            Record::Rta(record) => {
                let unit = serde_json::to_value(record.record.unit).ok();
                let unit = unit.and_then(|unit| unit.as_str().map(str::to_owned)).unwrap_or_default();
                for kernel in &record.record.kernels {
                    let reason = || kernel.reason.clone().unwrap_or_else(|| "it has no bound".to_owned());
                    let upper = kernel.response_bound.clone().ok_or_else(reason);
                    let launch = format!(
                        "{} blocks of {} threads on {} multiprocessors",
                        kernel.blocks, kernel.threads_per_block, record.record.gpu.multiprocessors
                    );
                    let item = self.add(&kernel.name, upper, &unit, launch)?;
                    item.ledger = Some(head.ledger("", &record.record.assumptions));
                }
                Ok(())
            }
            Record::Extract(record) => self.add_entries(&record.record, &head),
            Record::Budget(record) => {
                record.record.kernels.into_iter().try_for_each(|kernel| self.add_kernel(&head, kernel))
            }
            other => Err(ItemsError::Schema(other.schema().to_owned())),
        }
    }

    /// Adds the bounds of the entries of a listing.
    ///
    /// # Errors
    /// If no bound was asked for.
    pub fn add_extract(&mut self, record: &Extract) -> Result<(), ItemsError> {
        self.add_entries(record, &Head::default())
    }

    fn add_entries(&mut self, record: &Extract, head: &Head) -> Result<(), ItemsError> {
        for entry in &record.entries {
            for_every_input(&entry.of_input)?;
            let (upper, launch, adds) = of_entry(entry)?;
            let item = self.add(&entry.name, upper.map(Number::from), "cycles", launch)?;
            (item.capability, item.adds) = (Some(entry.compute_capability.clone()), adds);
            let of_machine = entry.machine.iter().flat_map(|machine| &machine.assumptions);
            let all: Vec<Assumption> = entry.assumptions.iter().chain(of_machine).cloned().collect();
            item.ledger = Some(head.ledger(&record.file, &all));
        }
        Ok(())
    }

    fn add_instance(
        &mut self,
        name: String,
        instance: &Instance,
        upper: Option<u64>,
        ledger: Ledger,
    ) -> Result<(), ItemsError> {
        let warps: Vec<String> = instance.groups.iter().map(|group| group.warps.to_string()).collect();
        let on = match &instance.machine {
            Some(machine) => machine.name.clone(),
            None => {
                let sigma = |sigma: &Option<String>| sigma.clone().unwrap_or_default();
                format!("sigma_L = {}, sigma_C = {}", sigma(&instance.sigma_l), sigma(&instance.sigma_c))
            }
        };
        let blocks = instance.grid.as_ref().map_or_else(String::new, |grid| {
            let Grid { blocks, warps_per_block, resident, multiprocessors } = grid;
            format!(
                " in {blocks} blocks of {warps_per_block}, {resident} at once on each of {multiprocessors}"
            )
        });
        let launch = format!("{} warps{blocks} on {on}", warps.join(" and "));
        let upper = upper.map(Number::from).ok_or_else(|| "no safe upper bound applies".to_owned());
        self.add(&name, upper, "cycles", launch)?.ledger = Some(ledger);
        Ok(())
    }

    /// The name of an instance: its file, or its number where flags alone name it.
    fn place_of(&self, place: Option<&Place>) -> String {
        let number = || format!("instance {}", self.items.len() + 1);
        match place {
            Some(Place { file: Some(file), line: Some(line) }) => format!("{file}:{line}"),
            Some(Place { file: Some(file), line: None }) => file.clone(),
            _ => number(),
        }
    }

    pub(super) fn add(
        &mut self,
        name: &str,
        upper: Result<Number, String>,
        unit: &str,
        launch: String,
    ) -> Result<&mut Item, ItemsError> {
        let upper = match upper {
            Ok(number) => {
                let text = number.to_string();
                let value = value(&text).ok_or(ItemsError::Number(text))?;
                Ok((number, value))
            }
            Err(reason) => Err(reason),
        };
        let known = |name: &str| self.items.iter().any(|item| item.name == name);
        let mut unique = name.to_owned();
        for number in 2.. {
            if !known(&unique) {
                break;
            }
            unique = format!("{name} ({number})");
        }
        let unit = unit.to_owned();
        self.items.push(Item {
            name: unique,
            upper,
            unit,
            launch,
            capability: None,
            ledger: None,
            adds: Adds::default(),
        });
        let last = self.items.len() - 1;
        Ok(&mut self.items[last])
    }
}

/// A rational of a record.
pub(super) fn number(text: &str) -> Rational {
    text.parse().unwrap_or_default()
}

type OfEntry = (Result<u64, String>, String, Adds);

/// The bound of an entry, what it is for, and what lines add to it.
fn of_entry(entry: &Entry) -> Result<OfEntry, ItemsError> {
    let launch = |warps: u64, block: Option<u64>, machine: Option<&str>| {
        let block = block.map_or(String::new(), |block| format!(" in blocks of {block}"));
        let machine = machine.map_or(String::new(), |name| format!(" on {name}"));
        format!("{warps} warps{block}{machine}")
    };
    if let Some(machine) = &entry.machine {
        if let Some(bound) = &machine.bound {
            let mut adds = Adds { of: Some(Of::CriticalPath), ..Adds::default() };
            // A list that was cut says nothing of the lines that it lacks.
            if bound.further.is_none() {
                let lines = bound.lines.iter().map(|one| (one.line, number(&one.cost.adds)));
                adds.lines = with_all_lines(entry, lines.collect());
                bound.source.iter().for_each(|one| adds.source(&one.file, one.line, number(&one.cost.adds)));
            }
            let launch = launch(bound.warps, bound.warps_per_block, Some(&machine.name));
            return Ok((Ok(bound.upper), launch, adds));
        }
        if let Some(error) = &machine.bound_error {
            return Ok((Err(error.clone()), String::new(), Adds::default()));
        }
    }
    match (&entry.bound, &entry.bound_error) {
        (Some(bound), _) => {
            let mut adds = Adds { of: Some(Of::FurtherWarp), ..Adds::default() };
            if bound.further.is_none() {
                let lines = bound.lines.iter().map(|one| (one.line, number(&one.adds)));
                adds.lines = with_all_lines(entry, lines.collect());
                bound.source.iter().for_each(|one| adds.source(&one.file, one.line, number(&one.adds)));
            }
            Ok((Ok(bound.upper), launch(bound.warps, bound.warps_per_block, None), adds))
        }
        (None, Some(error)) => Ok((Err(error.clone()), String::new(), Adds::default())),
        (None, None) => Err(ItemsError::NotAsked(entry.name.clone())),
    }
}

/// What lines add, with those that add nothing, so that the versions of a listing can be aligned. Lines of functions
/// that are called come last.
fn with_all_lines(entry: &Entry, mut adds: BTreeMap<u32, Rational>) -> Vec<(u32, Option<String>, Rational)> {
    let line = |one: &crate::extract::Line| {
        (one.line, Some(one.instruction.clone()), adds.remove(&one.line).unwrap_or_default())
    };
    let mut lines: Vec<_> = entry.listing.iter().map(line).collect();
    lines.extend(adds.into_iter().map(|(line, adds)| (line, None, adds)));
    lines
}

impl Adds {
    /// Files are compared by their names, since builds lie in different folders.
    pub(super) fn source(&mut self, file: &str, line: u32, adds: Rational) {
        let name = file.rsplit(['/', '\\']).next().unwrap_or(file).to_owned();
        *self.source.entry((name, line)).or_default() += adds;
    }
}

/// What differs besides the code, and that the bounds are none of hardware where they are the paper's model's.
pub(super) fn notes(old: Option<&Item>, new: Option<&Item>) -> Vec<String> {
    let capability = |item: Option<&Item>| item.and_then(|item| item.capability.clone());
    let other = match (capability(old), capability(new)) {
        (Some(old), Some(new)) if old != new => {
            Some(format!("the old version is for compute capability {old}, the new one for {new}"))
        }
        _ => None,
    };
    // Only in that model a further warp adds the same wherever it runs.
    let in_model = |item: &&Item| matches!(item.adds.of, Some(Of::FurtherWarp));
    let in_model = old.iter().chain(&new).any(in_model);
    let in_model =
        in_model.then(|| "these are cycles of the paper's model, which has no latencies".to_owned());
    other.into_iter().chain(in_model).collect()
}

/// The value of a number of JSON.
fn value(text: &str) -> Option<Rational> {
    let value = rational(decimal::exact(text).ok()?)?;
    // Room for the comparison with a percentage.
    Some(value).filter(|value| value.numer().unsigned_abs() < 1 << 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_json_are_read_to_their_last_digit() {
        assert_eq!(value("17"), Some(Rational::from(17)));
        assert_eq!(value("0.1"), Some(Rational::new(1, 10)));
        assert_eq!(value("2.50"), Some(Rational::new(5, 2)));
        assert_eq!(value("1e3"), Some(Rational::from(1000)));
        assert_eq!(value("1.5e-3"), Some(Rational::new(3, 2000)));
        assert_eq!(value("x"), None);
        assert_eq!(value("1e300"), None);
    }

    #[test]
    fn names_that_stand_twice_are_told_apart() {
        let mut items = Items::new("r.json");
        for upper in [1_u64, 2, 3] {
            items.add("k", Ok(upper.into()), "cycles", String::new()).unwrap();
        }
        let names: Vec<&str> = items.items.iter().map(|item| item.name.as_str()).collect();
        assert_eq!(names, ["k", "k (2)", "k (3)"]);
    }
}
