//! The bound of an entry as an expression: loops without a bound become symbols.

use crate::entry::bound::workload;
use warpspan_engines::program;
use warpspan_engines::program::symbolic::{Expression, Rounds};
use warpspan_listing::{Entry, Options, Symbol, Text, extract};
use warpspan_model::source::Message;

/// The bound of an entry as an expression in the bounds of those loops that have none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbolic {
    /// The expression, in cycles.
    pub expression: Expression,
    /// The loops that its symbols stand for, in their order.
    pub symbols: Vec<Symbol>,
}

/// A bound that stands for a symbol while the program is made. It is larger than any other number of rounds that
/// the lowering makes of it: one less, or up to 32 times as many.
const STAND_IN: u64 = 1_000_003;
const MOST_TIMES: u64 = 32;

/// The bound of an entry for so many warps as an expression; `text` and `options` are those that the entry was
/// extracted with.
///
/// # Errors
/// If the entry has no program even where all loops have a bound, or there is no expression for it.
pub fn symbolic(
    entry: &Entry,
    text: &Text,
    options: &Options,
    warps: u64,
    warps_per_block: Option<u64>,
) -> Result<Symbolic, Message> {
    let mut symbols: Vec<Symbol> = Vec::new();
    let mut options =
        Options { entry: Some(entry.name.clone()), machine: None, explain: false, ..options.clone() };
    // Names that belong to other entries would be unknown in this one alone.
    options.params.retain(|name| entry.params.contains_key(name));
    let without = options.clone();
    for one in entry.loops.iter().filter(|one| one.most.is_none()) {
        if symbols.iter().all(|known| known.line != one.line) {
            let name = format!("L_{}", symbols.len() + 1);
            let label = one.label.clone();
            symbols.push(Symbol { name, label, line: one.line, definition: None });
            options.loop_bounds.insert(&one.label, STAND_IN);
        }
    }
    options
        .loop_bounds
        .retain(|label| entry.loops.iter().any(|one| one.label == label || one.line.to_string() == label));
    let entries = extract(text, &options).map_err(|error| error.what)?;
    let Some(bounded) = entries.first() else { return Err(Message::text("no such entry")) };
    let workload = workload(bounded, warps, warps_per_block)?;
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
    let expression = program::symbolic::symbolic(&workload, names, &rounds).map_err(Message::text)?;
    entry.define(text, &without, &mut symbols);
    Ok(Symbolic { expression, symbols })
}
