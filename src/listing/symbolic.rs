//! The bound of an entry as an expression: loops without a bound become symbols.

use std::collections::BTreeMap;

use crate::engines::program::symbolic::{Expression, Rounds, symbolic};
use crate::listing::flow::End;
use crate::listing::{Entry, Formula, Options, Params, Range, Text, extract};
use crate::model::Workload;
use crate::source::Message;

/// The bound of an entry as an expression in the bounds of those loops that have none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbolic {
    /// The expression, in cycles.
    pub expression: Expression,
    /// The loops that its symbols stand for, in their order.
    pub symbols: Vec<Symbol>,
}

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

/// A bound that stands for a symbol while the program is made. It is larger than any other number of rounds that
/// the lowering makes of it: one less, or up to 32 times as many.
const STAND_IN: u64 = 1_000_003;
const MOST_TIMES: u64 = 32;

impl Entry {
    /// The bound of this entry for so many warps as an expression; `text` and `options` are those that the entry was
    /// extracted with.
    ///
    /// # Errors
    /// If the entry has no program even where all loops have a bound, or there is no expression for it.
    pub fn symbolic(
        &self,
        text: &Text,
        options: &Options,
        warps: u64,
        warps_per_block: Option<u64>,
    ) -> Result<Symbolic, Message> {
        let mut symbols: Vec<Symbol> = Vec::new();
        let mut options =
            Options { entry: Some(self.name.clone()), machine: None, explain: false, ..options.clone() };
        // Names that belong to other entries would be unknown in this one alone.
        options.params.retain(|name| self.params.contains_key(name));
        let without = options.clone();
        for one in self.loops.iter().filter(|one| one.most.is_none()) {
            if symbols.iter().all(|known| known.line != one.line) {
                let name = format!("L_{}", symbols.len() + 1);
                let label = one.label.clone();
                symbols.push(Symbol { name, label, line: one.line, definition: None });
                options.loop_bounds.insert(&one.label, STAND_IN);
            }
        }
        options
            .loop_bounds
            .retain(|label| self.loops.iter().any(|one| one.label == label || one.line.to_string() == label));
        let entries = extract(text, &options).map_err(|error| error.what)?;
        let Some(entry) = entries.first() else { return Err(Message::text("no such entry")) };
        let program = entry.program.clone().map_err(|error| error.message())?;
        let multiprocessor = self.capability.multiprocessor().map_err(Message::text)?;
        let workload = Workload::single(program, warps, multiprocessor);
        let workload = match warps_per_block {
            Some(block) => workload.and_then(|workload| workload.in_blocks_of(block)),
            None => workload,
        };
        let workload = workload.map_err(Message::text)?;
        let rounds = |most: u64, line: u32| {
            let symbol = symbols.iter().position(|one| one.line == line)?;
            let times = most / STAND_IN;
            if most + 1 == STAND_IN {
                Some(Rounds { symbol, times: 1, minus: 1 })
            } else {
                let is_multiple = most.is_multiple_of(STAND_IN) && (1..=MOST_TIMES).contains(&times);
                is_multiple.then_some(Rounds { symbol, times, minus: 0 })
            }
        };
        let names = symbols.iter().map(|one| one.name.clone()).collect();
        let expression = symbolic(&workload, names, &rounds).map_err(Message::text)?;
        self.define(text, &without, &mut symbols);
        Ok(Symbolic { expression, symbols })
    }

    /// Gives the symbols their definitions, as far as the counts of their loops follow from parameters.
    fn define(&self, text: &Text, options: &Options, symbols: &mut [Symbol]) {
        let sizes = ["blockDim", "gridDim"]
            .into_iter()
            .flat_map(|what| ["x", "y", "z"].map(|axis| format!("{what}.{axis}")));
        let names: Vec<String> = self.parameters.iter().cloned().chain(sizes).collect();
        for (low, high) in RANGES {
            if symbols.iter().all(|one| one.definition.is_some()) {
                break;
            }
            let range = Range { low, high };
            let all: Vec<&str> = names.iter().map(|name| &**name).collect();
            let found = formulas(text, options, &all, range);
            for symbol in symbols.iter_mut().filter(|one| one.definition.is_none()) {
                let Some((formula, _)) = found.get(&symbol.line) else { continue };
                // It holds for all values of what does not stand in it only if these were not needed.
                let alone = formulas(text, options, &formula.parameters(), range);
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

/// The counts of loops, by their lines, as expressions in parameters with these names and such values. A loop that is
/// there several times has one only if that is the count everywhere.
fn formulas(
    text: &Text,
    options: &Options,
    names: &[&str],
    range: Range,
) -> BTreeMap<u32, (Formula, Params)> {
    End::forget_all();
    let mut options = options.clone();
    names.iter().for_each(|name| options.params.open(name, range));
    let entries = extract(text, &options).unwrap_or_default();
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
