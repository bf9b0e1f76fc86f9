//! An entry over the letters of a machine.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::classes::Classes;
use crate::collect::program_or_all;
use crate::flow::{FlowOptions, LoopBound};
use crate::known::{AddressesOf, Studied};
use crate::machine::{Evidence, MachineAlphabet, MachineLine, OnMachine, Passes};
use crate::message::fail;
use crate::reached::reached;
use crate::{Options, affine, machine};
use warpspan_isa::instruction::Language;
use warpspan_model::machine::Machine;
use warpspan_model::source::InputError;

/// The most passes of loops by the lines of their headers, where all loops that begin in a line have a bound. A loop is there
/// several times where code has been copied.
fn bounds_by_line(loops: &[LoopBound]) -> BTreeMap<u32, u64> {
    let mut found: BTreeMap<u32, Option<u64>> = BTreeMap::new();
    for one in loops {
        let known = found.entry(one.line).or_insert(one.most);
        *known = (*known).zip(one.most).map(|(known, most)| known.max(most));
    }
    found.into_iter().filter_map(|(line, most)| Some((line, most?))).collect()
}

/// The entry on a machine.
pub(super) fn on_machine(
    place: &str,
    studied: &Studied<'_>,
    number: usize,
    machine: &Machine,
    classes: &Classes,
    (flow_options, loops): (FlowOptions<'_>, &[LoopBound]),
    options: &Options,
) -> Result<OnMachine, InputError> {
    let listing = &studied.listing;
    let routine = &listing.routines[number];
    if let Some(label) = options.transactions.unknown(listing, classes) {
        let what = format!("transactions of {label:?}: no memory instruction has this label or line");
        return Err(InputError::new(place, what));
    }
    let (aligned, mut bounds) = (options.params.pointers(), bounds_by_line(loops));
    // Of a line among the code of another function, nobody knows of which the loop is.
    let others = listing.routines.iter().enumerate().filter(|(other, _)| *other != number);
    let spans = others
        .filter_map(|(_, other)| Some(other.instructions.first()?.line..=other.instructions.last()?.line));
    let spans: Vec<_> = if bounds.is_empty() { vec![] } else { spans.collect() };
    bounds.retain(|line, _| !spans.iter().any(|span| span.contains(line)));
    let of = AddressesOf { routine: number, launch: flow_options.launch.clone(), aligned, bounds };
    let addresses = studied.addresses.get(of, |AddressesOf { launch, bounds, .. }| {
        affine::infer((listing, number), launch, aligned, bounds)
    });
    let (touched, places) = &*addresses;
    let alone = machine::Alone::new(listing);
    let touched = machine::by_line(routine, &alone, touched);
    if let Err((line, what)) = machine::check(listing, routine, &options.transactions, &touched) {
        return Err(fail(place, line, what));
    }
    let mut letters = MachineAlphabet::new(
        classes.clone(),
        machine,
        (&options.transactions, &touched),
        (listing, &studied.waits),
    )
    .without_traffic_of(&options.unmoved)
    .with_data_in_l2(&options.in_l2);
    let (program, _) = program_or_all(studied, number, &mut letters, flow_options);
    let (mut worst_case, mut instructions) = (Vec::new(), BTreeMap::new());
    let mut lines = Vec::with_capacity(routine.instructions.len());
    let mut counted = Vec::with_capacity(routine.instructions.len());
    for instruction in &routine.instructions {
        let (letters, barrier) = match letters.parts(instruction) {
            Ok((letters, barrier)) => (Ok(letters), barrier),
            Err(obstacle) => (Err(obstacle.to_string()), false),
        };
        for part in letters.iter().flatten() {
            *instructions.entry(part.letter).or_insert(0) += 1;
        }
        let passes: Vec<Passes> = letters.iter().flatten().filter_map(|part| part.passes).collect();
        if passes.iter().any(|one| one.evidence == Evidence::Assumed && one.most.all > one.passes) {
            worst_case.push(instruction.line);
        }
        counted.push(passes);
        lines.push(MachineLine { line: instruction.line, letters, barrier });
    }
    let accesses = machine::accesses(routine, &touched, |at, number| {
        counted.get(at).and_then(|all| all.get(number)).copied()
    });
    let of_lines = routine
        .instructions
        .iter()
        .zip(&counted)
        .flat_map(|(one, all)| all.iter().map(|passes| (one.line, passes)));
    let from_addresses = counted.iter().flatten().any(|one| one.from_addresses);
    let declared_larger = machine::declared_larger(of_lines);
    let places = places.as_ref().filter(|_| options.footprints);
    let called = reached(listing, number);
    let writes = machine::Writes::of(listing, &called, &letters.moving().collect());
    let footprints = places.map(|places| {
        let on = (listing.language, classes.capability());
        let found = machine::footprints(routine, on, &alone, places, (&writes, options.distinct));
        let placed: BTreeSet<u32> = found.iter().flat_map(machine::Footprint::lines).collect();
        let unplaced = letters.moving().filter(|line| !placed.contains(line)).collect();
        (found, unplaced)
    });
    let (footprints, unplaced) = footprints.unwrap_or_default();
    let own_letters = machine.letters().len();
    let machine_runs_ptx = machine.ptx_stall().is_some();
    let machine = letters.machine().map_err(|error| fail(place, routine.line, error))?;
    let machine = Arc::new(machine.with_worst_letters());
    let lines = if options.explain { lines } else { vec![] };
    let (dependences, reaches_memory) = (letters.has_dependences(), letters.reaches_memory());
    let counts_texels = letters.counts_texels();
    Ok(OnMachine {
        machine,
        program,
        lines,
        instructions,
        worst_case,
        accesses,
        from_addresses,
        declared_larger,
        footprints,
        unplaced,
        writes: writes.lines,
        emptied: machine::emptied(listing, &called),
        pointers: options.params.pointers(),
        dependences,
        ptx: listing.language == Language::Ptx,
        as_it_stands: listing.language == Language::Ptx && machine_runs_ptx,
        reaches_memory,
        counts_texels,
        own_letters,
    })
}
