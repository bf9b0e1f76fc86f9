//! What `extract` tells a person.

use std::collections::HashMap;

use crate::commands::extract::{costs, shares};
use crate::commands::rests;
use crate::table::{Sheet, table};
use crate::text::several;
use warpspan_kernel::input::IN_THE_PAPERS_MODEL;
use warpspan_launch::flags::bounds;
use warpspan_listing::inputs;
use warpspan_records::extract::{Entry, Extent, Footprint, OnMachine, Symbol, UsedLetter};

/// What is shown of an entry besides its facts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shown {
    /// Why each instruction has its letter.
    pub(super) why: bool,
    /// The most expensive lines in place of the whole listing.
    pub(super) dearest: bool,
}

/// An entry: its facts, its listing if there is one, and what adds most to its bound.
pub(super) fn text(entry: &Entry, Shown { why, dearest }: Shown) -> String {
    let mut out =
        format!("{}  line {}, compute capability {}\n", entry.name, entry.line, entry.compute_capability);
    for (name, fact) in facts(entry) {
        out.push_str(&format!("  {name:<12}  {fact}\n"));
    }
    if !entry.listing.is_empty() && (why || entry.bound.is_some() && !dearest) {
        out.push_str(&format!("{}\n", listing(entry, why)));
    }
    if let Some(bound) = &entry.bound {
        let tables = shares::tables(bound, dearest);
        // A blank line parts them from the listing.
        out.push_str(if dearest && !why || tables.is_empty() { "" } else { "\n" });
        out.push_str(&tables);
    }
    if let Some(bound) = entry.machine.as_ref().and_then(|machine| machine.bound.as_ref()) {
        out.push_str(&costs::tables(bound));
    }
    if let Some(machine) = entry.machine.as_ref().filter(|machine| why && !machine.listing.is_empty()) {
        out.push_str(&format!("on {}\n{}\n", machine.name, machine_listing(entry, machine)));
    }
    out
}

/// The letters of each instruction on a machine.
fn machine_listing(entry: &Entry, machine: &OnMachine) -> Sheet {
    let mut table = table(["line", "instruction", "letters", "why"], [0]);
    let instructions: HashMap<u32, &str> =
        entry.listing.iter().map(|line| (line.line, line.instruction.as_str())).collect();
    for line in &machine.listing {
        let instruction = instructions.get(&line.line).copied().unwrap_or_default();
        table.add_row([
            line.line.to_string(),
            shortened(instruction),
            line.letters.clone().unwrap_or_else(|| "?".to_owned()),
            line.why.clone(),
        ]);
    }
    table
}

/// So that a line of megabytes is no table of megabytes times lines.
pub(crate) fn shortened(text: &str) -> String {
    const MOST: usize = 200;
    match text.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text.to_owned(),
    }
}

fn listing(entry: &Entry, why: bool) -> Sheet {
    let bound = entry.bound.is_some();
    let mut header = vec!["line", "label", "instruction", "letter", "count"];
    header.extend(if bound { &["phase", "adds", "share"][..] } else { &[] });
    header.extend(why.then_some("why"));
    let numbers = if bound { &[0, 4, 6, 7][..] } else { &[0, 4] };
    let mut table = table(header, numbers.iter().copied());
    for line in &entry.listing {
        let mut row = vec![
            line.line.to_string(),
            line.label.clone().unwrap_or_default(),
            shortened(&line.instruction),
            line.letter.clone(),
            line.count.map_or("?".to_owned(), |count| count.to_string()),
        ];
        if bound {
            row.push(line.phase.clone().unwrap_or_default());
            // A line without letters has nothing to add.
            let has_letters = line.phase.is_some();
            row.push(line.adds.clone().filter(|_| has_letters).unwrap_or_default());
            let share = line.share.filter(|_| has_letters);
            row.push(share.map_or(String::new(), |share| format!("{share:.1}%")));
        }
        row.extend(why.then(|| line.why.clone()));
        table.add_row(row);
    }
    table
}

/// The facts of an entry in words: what it is, its bound or why there is none.
pub(crate) fn facts(entry: &Entry) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    if !entry.of_input.is_empty() {
        facts.push(("holds for", format!("{}, and no other", inputs(&entry.of_input))));
    }
    facts.push((
        "instructions",
        format!(
            "{}: {} L, {} C, barriers {}; branches {}, loops {}",
            entry.instructions, entry.load_store, entry.compute, entry.barriers, entry.branches, entry.loops
        ),
    ));
    for one in &entry.loop_bounds {
        let most = match one.most {
            Some(most) if one.inferred => format!("at most {most} passes, inferred"),
            Some(most) => format!("at most {most} passes, given"),
            None => format!("no bound: want {}", bounds(std::slice::from_ref(&one.label))),
        };
        facts.push(("loop", format!("{} (line {}): {most}", one.label, one.line)));
    }
    match (&entry.kernel, &entry.program, &entry.structure_error) {
        (Some(kernel), ..) => facts.push(("kernel", kernel.clone())),
        (None, Some(program), _) => facts.push(("program", program.clone())),
        (None, None, error) => facts.push(("no program", error.clone().unwrap_or_default())),
    }
    facts.extend(entry.unknown_opcodes.iter().map(|unknown| {
        let what = "counts as the dearest instruction of each unit";
        ("not known", format!("{} (line {}): {what}", unknown.opcode, unknown.line))
    }));
    if let Some(bound) = &entry.bound {
        let block = bound.warps_per_block.map_or(String::new(), |block| format!(" in blocks of {block}"));
        let exact = if bound.exact { "exact for these letters" } else { "upper bound" };
        let (upper, warps, rate) = (bound.upper, several(bound.warps, "warp"), &bound.rate);
        facts.push((
            "bound",
            format!(
                "{upper} cycles for {warps}{block}{IN_THE_PAPERS_MODEL}; {exact}; a further warp adds {rate}"
            ),
        ));
    }
    if let Some(symbolic) = &entry.symbolic {
        let warps = several(symbolic.warps, "warp");
        facts.push(("symbolic", format!("{} cycles for {warps}{IN_THE_PAPERS_MODEL}", symbolic.expression)));
        let symbol = |one: &Symbol| {
            format!("{} is how often {} (line {}) is passed at most", one.name, one.label, one.line)
        };
        let defined = |one: &Symbol| {
            let definition = one.definition.as_ref()?;
            Some(("definition", format!("{} = {definition} for {}", one.name, one.holds.join(", "))))
        };
        for one in &symbolic.symbols {
            facts.push(("symbol", symbol(one)));
            facts.extend(defined(one));
        }
    }
    facts.extend(entry.symbolic_error.iter().map(|error| ("symbolic", error.clone())));
    facts.extend(rests::rows(&entry.assumptions));
    facts.extend(entry.notes.iter().map(|note| ("note", note.clone())));
    if let Some(machine) = &entry.machine {
        facts.push(("machine", machine.name.clone()));
        match (&machine.program, &machine.structure_error) {
            (Some(program), _) => facts.push(("program", program.clone())),
            (None, error) => facts.push(("no program", error.clone().unwrap_or_default())),
        }
        facts.extend(machine.bound.iter().flat_map(costs::facts));
        facts.extend(machine.letters.iter().map(|letter| {
            let [least, most] = letter.latency;
            let cycles = several(letter.occupancy, "cycle");
            let UsedLetter { name, unit, instructions, .. } = letter;
            let what = format!(
                "{name}: {unit} for {cycles}, latency {least} to {most}; instructions {instructions}"
            );
            ("letter", what)
        }));
        facts.extend(entry.footprint.iter().map(|one| ("touches", touched(one))));
        let unplaced: Vec<String> = entry.unplaced.iter().map(u32::to_string).collect();
        let unplaced = (!unplaced.is_empty())
            .then(|| format!("not known where the accesses in these lines go: {}", unplaced.join(", ")));
        facts.extend(unplaced.map(|what| ("touches", what)));
        let no_program = machine.structure_error.as_ref().map(|_| "it has no program".to_owned());
        let no_bound = machine.bound_error.clone().map(|what| ("no bound", no_program.unwrap_or(what)));
        facts.extend(no_bound);
        facts.extend(rests::rows(&machine.assumptions));
        facts.extend(machine.notes.iter().map(|what| ("note", what.clone())));
    }
    let no_program = entry.structure_error.as_ref().map(|_| "it has no program".to_owned());
    facts.extend(entry.bound_error.clone().map(|what| ("no bound", no_program.unwrap_or(what))));
    facts
}

/// What is touched of an array.
fn touched(footprint: &Footprint) -> String {
    let of = |extent: Option<Extent>, whose: &str| match extent {
        Some(Extent { sectors, lines }) => {
            format!("{} in {} {whose}", several(sectors, "sector"), several(lines, "line"))
        }
        None => format!("of {whose} not known"),
    };
    let Footprint { array, block, launch } = footprint;
    format!("{array}: {}; {}", of(*block, "a block"), of(*launch, "the launch"))
}
