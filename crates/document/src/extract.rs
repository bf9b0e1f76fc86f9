//! What `extract` tells of an entry.

use std::collections::HashMap;

use crate::words::{several, shortened};
use crate::{Document, Said, Table, Tone, extract_costs as costs};
use warpspan_kernel::input::IN_THE_PAPERS_MODEL;
use warpspan_launch::flags::bounds;
use warpspan_listing::inputs;
use warpspan_records::Assumption;
use warpspan_records::extract::{Entry, Extent, Footprint, Line, OnMachine, Symbol, UsedLetter};

/// What is shown of an entry besides its facts.
#[derive(Debug, Clone, Copy)]
pub struct Shown {
    /// Why each instruction has its letter.
    pub why: bool,
    /// The most expensive lines in place of the whole listing.
    pub most_expensive: bool,
}

/// The answer: facts, the listing if there is one, and what adds most to the bound.
pub fn document(entry: &Entry, Shown { why, most_expensive }: Shown) -> Document {
    let machine = entry.machine.as_ref();
    let on_machine = machine.and_then(|machine| machine.bound.as_ref());
    let upper = on_machine.map(|bound| bound.upper).or(entry.bound.as_ref().map(|bound| bound.upper));
    let no_bound =
        machine.is_some_and(|machine| machine.bound_error.is_some()) || entry.bound_error.is_some();
    let (tone, verdict) = match (upper, no_bound) {
        (Some(_), _) => (Tone::Proved, "bounded"),
        (None, true) => (Tone::Undecided, "no bound"),
        (None, false) => (Tone::Proved, "read, no bound asked for"),
    };
    let number = upper.map_or_else(String::new, |upper| format!("at most {upper} cycles"));
    let (line, capability) = (entry.line, &entry.compute_capability);
    let warps = on_machine.map(|bound| bound.warps).or(entry.bound.as_ref().map(|bound| bound.warps));
    let answer = warps.map_or_else(String::new, |warps| format!(": {number} for {}", several(warps, "warp")));
    let said = Said::new(tone, verdict, number);
    let mut out = Document::new("extract", &entry.name, said, 15);
    out.line(format!("{}  line {line}, compute capability {capability}{answer}", entry.name));
    out.indented(facts(entry));
    out.indented(entry.notes.iter().map(|note| ("note", note.clone())));
    if let Some(machine) = machine {
        out.indented(machine_facts(entry, machine));
        out.indented(machine.notes.iter().map(|what| ("note", what.clone())));
    }
    out.rests_on(&rests_on(entry));
    let no_program = entry.structure_error.as_ref().map(|_| "it has no program".to_owned());
    out.indented(entry.bound_error.clone().map(|what| ("no bound", no_program.unwrap_or(what))));
    if !entry.listing.is_empty() && (why || entry.bound.is_some() && !most_expensive) {
        out.table(listing(entry, why));
    }
    if let Some(bound) = &entry.bound {
        let tables = costs::shares(bound, most_expensive);
        // A blank line parts them from the listing.
        if !(most_expensive && !why || tables.is_empty()) {
            out.gap();
        }
        out.tables(tables);
    }
    out.tables(on_machine.map_or_else(Vec::new, costs::costs));
    if let Some(machine) = machine.filter(|machine| why && !machine.listing.is_empty()) {
        out.line(format!("on {}", machine.name));
        out.table(machine_listing(entry, machine));
    }
    out
}

/// What the reading of the entry and its numbers on a machine rest on, without repetition.
fn rests_on(entry: &Entry) -> Vec<Assumption> {
    let mut all = entry.assumptions.clone();
    let of_machine = entry.machine.iter().flat_map(|machine| &machine.assumptions);
    all.extend(of_machine.filter(|one| !entry.assumptions.contains(one)).cloned());
    all.sort_by_key(|one| one.kind);
    all
}

impl Document {
    /// Adds facts of an entry.
    fn indented(&mut self, facts: impl IntoIterator<Item = (&'static str, String)>) {
        facts.into_iter().for_each(|(name, fact)| self.fact(format!("  {name}"), fact));
    }

    /// Adds tables with blank lines between them.
    fn tables(&mut self, tables: Vec<Table>) {
        for (place, table) in tables.into_iter().enumerate() {
            if place > 0 {
                self.gap();
            }
            self.table(table);
        }
    }
}

/// The letters of each instruction on a machine.
fn machine_listing(entry: &Entry, machine: &OnMachine) -> Table {
    let instructions: HashMap<u32, &str> =
        entry.listing.iter().map(|line| (line.line, line.instruction.as_str())).collect();
    let instruction = |line: u32| instructions.get(&line).copied().unwrap_or_default();
    Table::of(&machine.listing)
        .number("line", |line| line.line)
        .words("instruction", |line| shortened(instruction(line.line)))
        .words("letters", |line| line.letters.clone().unwrap_or_else(|| "?".to_owned()))
        .words("why", |line| line.why.clone())
        .into()
}

fn listing(entry: &Entry, why: bool) -> Table {
    let bound = entry.bound.is_some();
    // A line without letters has nothing to add.
    let has_letters = |line: &Line| line.phase.is_some();
    let share = |line: &Line| line.share.filter(|_| has_letters(line)).map(|share| format!("{share:.1}%"));
    Table::of(&entry.listing)
        .number("line", |line| line.line)
        .words("label", |line| line.label.clone().unwrap_or_default())
        .words("instruction", |line| shortened(&line.instruction))
        .words("letter", |line| line.letter.clone())
        .number("count", |line| line.count.map_or("?".to_owned(), |count| count.to_string()))
        .words_if(bound, "phase", |line| line.phase.clone().unwrap_or_default())
        .number_if(bound, "adds", |line| line.adds.clone().filter(|_| has_letters(line)).unwrap_or_default())
        .number_if(bound, "share", |line| share(line).unwrap_or_default())
        .words_if(why, "why", |line| line.why.clone())
        .into()
}

/// The facts of an entry in words: what it is, its bound or why there is none.
fn facts(entry: &Entry) -> Vec<(&'static str, String)> {
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
            Some(most) if one.inferred => format!("at most {most} iterations, inferred"),
            Some(most) => format!("at most {most} iterations, given"),
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
        let what = "counts as the most expensive instruction of each unit";
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
            format!("{} is how many iterations {} (line {}) has at most", one.name, one.label, one.line)
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
    facts
}

/// The same of a machine.
fn machine_facts(entry: &Entry, machine: &OnMachine) -> Vec<(&'static str, String)> {
    let mut facts = vec![("machine", machine.name.clone())];
    match (&machine.program, &machine.structure_error) {
        (Some(program), _) => facts.push(("program", program.clone())),
        (None, error) => facts.push(("no program", error.clone().unwrap_or_default())),
    }
    facts.extend(machine.bound.iter().flat_map(costs::facts));
    facts.extend(machine.letters.iter().map(|letter| {
        let [least, most] = letter.latency;
        let cycles = several(letter.occupancy, "cycle");
        let UsedLetter { name, unit, instructions, .. } = letter;
        let what =
            format!("{name}: {unit} for {cycles}, latency {least} to {most}; instructions {instructions}");
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
