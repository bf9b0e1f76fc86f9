//! What bounds of loops are as expressions in the parameters of a launch.

use std::collections::BTreeMap;

use crate::extract::all_of;
use crate::formula::End;
use crate::{Entry, Formula, LoopBound, Options, Params, Range, Reading, Text};

/// A loop whose bound is a symbol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    /// What the expression calls its bound.
    pub name: String,
    /// The label of its header, or the line.
    pub label: String,
    /// The line of its header.
    pub line: u32,
    /// What it is for the parameters of a launch, where the code shows that.
    pub definition: Option<Definition>,
}

/// A bound of a loop as an expression in the parameters of a launch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    /// The expression; no launch passes the loop more often.
    pub formula: Formula,
    /// The parameters in it, each with the values for which it holds.
    pub holds: BTreeMap<String, Range>,
}

impl Definition {
    /// `0 <= n <= 100`, for each parameter.
    pub fn ranges(&self) -> Vec<String> {
        self.holds.iter().map(|(name, Range { low, high })| format!("{low} <= {name} <= {high}")).collect()
    }
}

/// The ranges of parameters that are tried, the widest first: a counter must not overflow for any value.
const RANGES: [(i128, i128); 8] = [
    (0, (1 << 62) - 1),
    (0, (1 << 31) - 1),
    (0, 1 << 30),
    (1, 1 << 30),
    (0, 1 << 24),
    (1, 1 << 24),
    (0, 1 << 16),
    (1, 1 << 16),
];

impl Entry {
    /// Gives the symbols their definitions, as far as the counts of their loops follow from parameters.
    #[doc(hidden)]
    pub fn define(&self, text: &Text, options: &Options, symbols: &mut [Symbol]) {
        let sizes = ["blockDim", "gridDim"]
            .into_iter()
            .flat_map(|what| ["x", "y", "z"].map(|axis| format!("{what}.{axis}")));
        let names: Vec<String> = self.parameters.iter().cloned().chain(sizes).collect();
        let Ok(reading) = Reading::of(text) else { return };
        for (low, high) in RANGES {
            if symbols.iter().all(|one| one.definition.is_some()) {
                break;
            }
            let range = Range { low, high };
            let all: Vec<&str> = names.iter().map(|name| &**name).collect();
            let found = formulas(&reading, options, &all, range);
            for symbol in symbols.iter_mut().filter(|one| one.definition.is_none()) {
                let Some((formula, _)) = found.get(&symbol.line) else { continue };
                // It holds for all values of what does not stand in it only if these were not needed.
                let alone = formulas(&reading, options, &formula.parameters(), range);
                let Some((same, params)) = alone.get(&symbol.line).filter(|(one, _)| one == formula) else {
                    continue;
                };
                let holds: BTreeMap<String, Range> = same
                    .parameters()
                    .into_iter()
                    .filter_map(|name| Some((name.to_owned(), params.get(name)?)))
                    .collect();
                // The expression takes a symbol to be 1 at least. For values with which no thread comes to the loop, what
                // its counter would come to may be less.
                let ends = |name: &str| holds.get(name).map(|range| (range.low, range.high));
                let Some((least, _)) = same.range(&ends) else { continue };
                let formula = if least < 1 { same.one_or_more() } else { same.clone() };
                symbol.definition = Some(Definition { formula, holds });
            }
        }
    }
}

/// Names the parameters of which values would bound the loops of an entry that have no bound.
pub(crate) fn name_parameters(reading: &Reading<'_>, options: &Options, entry: &mut Entry) {
    let programs = entry.on_machine.as_mut().map(|on| on.program.as_mut().err());
    let errors = entry.program.as_mut().err().into_iter().chain(programs.flatten());
    let mut open: Vec<&mut LoopBound> =
        errors.flat_map(|error| &mut error.unbounded).filter(|one| one.wait.is_none()).collect();
    let names: Vec<&str> = entry.parameters.iter().map(String::as_str).collect();
    let options = Options { machine: None, explain: false, ..options.clone() };
    for (low, high) in RANGES {
        if names.is_empty() || open.iter().all(|one| !one.parameters.is_empty()) {
            break;
        }
        let found = formulas(reading, &options, &names, Range { low, high });
        for one in open.iter_mut().filter(|one| one.parameters.is_empty()) {
            let Some((formula, _)) = found.get(&one.line) else { continue };
            let wanted = formula.parameters().into_iter().filter(|name| options.params.get(name).is_none());
            one.parameters = wanted.map(str::to_owned).collect();
        }
    }
}

/// The counts of loops, by their lines, as expressions in parameters with these names and such values. A loop that is
/// there several times has one only if that is the count everywhere.
fn formulas(
    reading: &Reading<'_>,
    options: &Options,
    names: &[&str],
    range: Range,
) -> BTreeMap<u32, (Formula, Params)> {
    End::forget_all();
    let mut options = options.clone();
    names.iter().for_each(|name| options.params.open(name, range));
    let entries = all_of(reading, &options).unwrap_or_default();
    let mut found: BTreeMap<u32, Option<Formula>> = BTreeMap::new();
    for one in entries.iter().flat_map(|entry| &entry.loops) {
        let known = found.entry(one.line).or_insert_with(|| one.formula.clone());
        if *known != one.formula {
            *known = None;
        }
    }
    End::forget_all();
    let found = found.into_iter();
    found.filter_map(|(line, formula)| Some((line, (formula?, options.params.clone())))).collect()
}
