//! How many sectors, lines and words of a bank one access of a warp touches at most.
//!
//! Lanes that agree in all tables of unknown multiples are a *cell*; what cells touch is added up. In a cell, a predicate that changes once
//! along a table is tried at each place of the table, in both directions; another unknown of each lane is tried with all its values, for
//! all lanes together, and what they touch for each value is added up or, where its multiple is known, put together: that is a
//! superset of what they touch with any values. The unknown part of the address is tried with each residue modulo 128 that is possible.
//! A part of the lanes touches no more than all of them, so that all lanes that may be there count.

use std::collections::BTreeMap;

use crate::affine::atom::Key;
use crate::affine::context::Context;
use crate::affine::form::{Form, Product};
use crate::affine::group::{Group, PHASES, Place, Touched, phases};
use crate::affine::lanes::{Lanes, lanes_of, twos};
use crate::affine::run::Access;

/// The most places of a lane that are tried, and the largest span.
const POINTS: usize = 256;
const SPAN: i64 = 8192;
/// The most scenarios, and the most parts of one.
const SCENARIOS: usize = 4000;
const PARTS: usize = 70;

/// What an access touches at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Counted {
    /// Sectors of 32 bytes.
    pub(crate) sectors: u64,
    /// Lines of 128 bytes.
    pub(crate) lines: u64,
    /// Passes, if each part of the warp that the unit takes passes once for each line.
    pub(crate) passes: u64,
    /// Passes, if each part passes once for each word of the bank with the most.
    pub(crate) wavefronts: u64,
    /// The most words of a bank in a part of the warp.
    pub(crate) conflict: u64,
}

impl Counted {
    pub(super) fn of(touched: Touched, bytes: u32) -> Self {
        let least = phases(bytes) as u64;
        let Touched { sectors, lines, passes, words } = touched;
        Self {
            sectors,
            lines,
            passes: passes.iter().sum::<u64>().max(least),
            wavefronts: words.iter().sum::<u64>().max(least),
            conflict: words.into_iter().max().unwrap_or(0),
        }
    }

    /// The larger of each of two.
    pub(super) fn max(self, other: Self) -> Self {
        Self {
            sectors: self.sectors.max(other.sectors),
            lines: self.lines.max(other.lines),
            passes: self.passes.max(other.passes),
            wavefronts: self.wavefronts.max(other.wavefronts),
            conflict: self.conflict.max(other.conflict),
        }
    }
}

/// The terms of an atom of lanes: the coefficient, the rest of the product, and the power of two that divides the rest.
type Terms = Vec<(Lanes, Product, u32)>;

/// An address, taken apart.
struct Parts {
    /// The known part.
    known: Lanes,
    /// What the part that all lanes share may be modulo 128, a bit for each.
    shared: u128,
    /// The parameter that is a pointer, and the power of two that divides it.
    pointer: Option<(Product, u32)>,
    /// The unknown multiples, each with the power of two that divides the unknown.
    far: Vec<(Lanes, u32)>,
    /// The atoms of lanes at known multiples whose places are put together.
    near: Vec<(u32, Terms)>,
    /// Those whose values are tried.
    tried: Vec<(u32, Terms)>,
    /// Those that say where a number has wrapped.
    wraps: Vec<(u32, i64)>,
}

/// What an access touches at most, and at least, if that is certain. None if all lanes of a warp execute it and
/// its address is not understood.
pub(super) fn count(
    context: &mut Context,
    access: &Access,
    aligned: u32,
) -> Option<(Counted, Option<Counted>)> {
    context.mask = access.mask;
    let bytes = access.bytes;
    if access.mask == 0 || !bytes.is_power_of_two() || bytes > 32 {
        return None;
    }
    let most = Touched::one_each(lanes_of(access.mask), bytes);
    let Some(address) = &access.address else {
        return (access.mask != u32::MAX).then(|| (Counted::of(most, bytes), None));
    };
    let mut found =
        counted(context, address, (access.mask, bytes, aligned)).map_or(most, |found| found.min(most));
    if access.atomic && !is_distinct(context, address) {
        // Lanes of one address come one after the other.
        found.words = most.words;
    }
    let least = if access.certain { least(context, address, bytes, aligned) } else { None };
    Some((Counted::of(found, bytes), least.map(|least| Counted::of(least, bytes))))
}

/// Whether all lanes have addresses of their own.
fn is_distinct(context: &Context, address: &Form) -> bool {
    let mut known: Vec<i64> = context.lanes().map(|lane| address.known()[lane]).collect();
    let lanes = known.len();
    known.sort_unstable();
    known.dedup();
    let shared = |(product, table)| {
        product == Product::ONE || context.lane_atom(product).is_none() && context.is_same(table)
    };
    known.len() == lanes && address.terms().all(shared)
}

/// What all lanes touch at least, if nothing is unknown but what they share.
fn least(context: &Context, address: &Form, bytes: u32, aligned: u32) -> Option<Touched> {
    let parts = take_apart(context, address, aligned)?;
    if !(parts.far.is_empty() && parts.near.is_empty() && parts.tried.is_empty() && parts.wraps.is_empty()) {
        return None;
    }
    if !context.lanes().all(|lane| is_near(parts.known[lane])) {
        return None;
    }
    let place = |lane| Place { lane, points: vec![parts.known[lane]], span: 0 };
    let places: Vec<Place> = context.lanes().map(place).collect();
    let group = Group::new(&places, 64, bytes);
    let width = i64::from(bytes);
    let aligned = |base: &i64| places.iter().all(|one| (one.points[0] + base).rem_euclid(width) == 0);
    bits(parts.shared).filter(aligned).map(|base| group.touched(base)).reduce(Touched::min)
}

/// The parameter in an address that is a pointer, if there is no doubt: it is added as it is, and everything else in the address is too small
/// to be a pointer, or a multiple of 2^33.
pub(super) fn pointer(context: &Context, address: &Form) -> Option<Product> {
    /// No pointer is smaller.
    const SMALL: i128 = 1 << 36;
    let all = |table: &Lanes, value: i64| context.lanes().all(|lane| table[lane] == value);
    let upper = |number: usize| {
        address.terms().map(|term| term.0).find(|&product| {
            parameter(context, product) == Some(number + 4) && all(&address.coefficient(product), 1 << 32)
        })
    };
    let mut found = None;
    let mut halves = Vec::new();
    for (product, table) in address.terms().filter(|term| term.0 != Product::ONE) {
        let Some(number) = parameter(context, product).filter(|_| all(table, 1)) else { continue };
        let range = context.range(&Form::from_terms([(product, *table)]));
        let is_wide = range.is_none_or(|(low, high)| high - low >= 1 << 62);
        let other = if is_wide { None } else { upper(number) };
        if is_wide || other.is_some() {
            if found.is_some() {
                return None;
            }
            found = Some(product);
            halves.extend(other);
        }
    }
    let found = found?;
    let small = |(product, table): (Product, &Lanes)| {
        let range = context.range(&Form::from_terms([(product, *table)]));
        // What counts passes, threads and blocks is no pointer.
        let counts =
            |atom| matches!(context.atoms.key(atom), Key::Passes(_) | Key::Index { .. } | Key::Size { .. });
        product.atoms().all(counts)
            || context.lanes().all(|lane| twos(table[lane]) >= 33)
            || range.is_some_and(|(low, high)| low > -SMALL && high < SMALL)
    };
    address.terms().filter(|term| term.0 != found && !halves.contains(&term.0)).all(small).then_some(found)
}

/// The number of the parameter that a product is.
fn parameter(context: &Context, product: Product) -> Option<usize> {
    let mut atoms = product.atoms();
    match (atoms.next().map(|atom| context.atoms.key(atom)), atoms.next()) {
        (Some(Key::Parameter(number)), None) => Some(number),
        _ => None,
    }
}

/// What a known multiple of a product of unknowns may be modulo 128, a bit for each.
fn residues_of(context: &Context, product: Product, by: i64) -> u128 {
    let all = |twos: u32| residues(twos).fold(0_u128, |all, residue| all | 1 << residue);
    let divides = all(context.twos_of(product) + twos(by));
    let mut atoms = product.atoms();
    let (Some(atom), None) = (atoms.next(), atoms.next()) else { return divides };
    let atom = context.atoms.get(atom);
    if atom.high - atom.low >= 128 {
        return divides;
    }
    let values = (atom.low..=atom.high).map(|value| (value * i128::from(by)).rem_euclid(128));
    divides & values.fold(0_u128, |all, residue| all | 1 << residue)
}

/// The sums modulo 128 of numbers of two sets.
fn shifted(one: u128, two: u128) -> u128 {
    bits(two).fold(0, |all, by| all | one.rotate_left(u32::try_from(by).unwrap_or(0)))
}

/// The bits of a set.
fn bits(set: u128) -> impl Iterator<Item = i64> {
    (0..128).filter(move |bit| set >> bit & 1 == 1)
}

/// The multiples of a power of two below 128.
fn residues(twos: u32) -> impl Iterator<Item = i64> {
    (0..128).step_by(1 << twos.min(7))
}

fn take_apart(context: &Context, address: &Form, aligned: u32) -> Option<Parts> {
    let pointer = pointer(context, address);
    let mut parts = Parts {
        known: address.known(),
        shared: 1,
        pointer: pointer.map(|pointer| (pointer, aligned)),
        far: vec![],
        near: vec![],
        tried: vec![],
        wraps: vec![],
    };
    let mut atoms: BTreeMap<u32, Terms> = BTreeMap::new();
    for (product, table) in address.terms().filter(|term| term.0 != Product::ONE) {
        let divides = context.twos_of(product);
        if let Some(atom) = context.lane_atom(product) {
            let rest = product.without(atom);
            atoms.entry(atom).or_default().push((*table, rest, context.twos_of(rest)));
        } else if context.is_same(table) {
            let of_term = residues_of(context, product, context.first(table));
            let aligned = if pointer == Some(product) { aligned } else { 0 };
            let multiples = residues(aligned).fold(0_u128, |all, residue| all | 1 << residue);
            parts.shared = shifted(parts.shared, of_term & multiples);
        } else {
            parts.far.push((*table, divides));
        }
    }
    for (number, terms) in atoms {
        let atom = context.atoms.get(number);
        let of_lane = atom.of_lane.as_ref()?;
        let known = terms.iter().all(|(_, rest, _)| *rest == Product::ONE);
        let whole = |(table, _, divides): &(Lanes, Product, u32)| {
            context.lanes().all(|lane| divides + twos(table[lane]) >= 7)
        };
        if of_lane.wraps.is_some() && terms.iter().all(whole) {
            let alone = if let [(table, Product::ONE, _)] = &terms[..] {
                context.is_same(table).then(|| context.first(table))
            } else {
                None
            };
            parts.wraps.push((number, alone.unwrap_or(0)));
        } else if known && !(atom.high == 1 && of_lane.table.is_some()) {
            parts.near.push((number, terms));
        } else if atom.high <= 31 {
            parts.tried.push((number, terms));
        } else {
            return None;
        }
    }
    Some(parts)
}

/// Lanes, and the values of the atoms that are tried.
type Part = (u32, Vec<i64>);

fn counted(context: &Context, address: &Form, (mask, bytes, aligned): (u32, u32, u32)) -> Option<Touched> {
    let mut parts = take_apart(context, address, aligned)?;
    let mut cells: BTreeMap<Vec<i64>, u32> = BTreeMap::new();
    let of_lane = |number: u32| context.atoms.get(number).of_lane.as_ref();
    let numbers = parts.tried.iter().map(|one| one.0).chain(parts.wraps.iter().map(|one| one.0));
    let among: Vec<&Lanes> = numbers.filter_map(of_lane).flat_map(|one| &one.among).collect();
    for lane in lanes_of(mask) {
        let far = parts.far.iter().map(|(table, _)| table[lane]);
        let key = far.chain(among.iter().map(|table| table[lane])).collect();
        *cells.entry(key).or_insert(0) |= 1 << lane;
    }
    let mut all = Vec::new();
    if cells.values().any(|&cell| scenarios(context, &parts, cell).is_none()) {
        let known = |(_, terms): &(u32, Terms)| terms.iter().all(|(_, rest, _)| *rest == Product::ONE);
        let near: Vec<_> = parts.tried.extract_if(.., |one| known(one)).collect();
        parts.near.extend(near);
    }
    for (_, cell) in cells {
        let scenarios = scenarios(context, &parts, cell)?;
        let groups: Option<Vec<Vec<Group>>> = scenarios
            .iter()
            .map(|scenario| {
                let of_part = scenario.iter().map(|part| groups(context, &parts, part, bytes));
                of_part.collect::<Option<Vec<_>>>().map(|all| all.concat())
            })
            .collect();
        all.push((cell, groups?));
    }
    let all_apart = Touched::one_each(lanes_of(mask), bytes);
    let mut most = Touched::default();
    let mut known: BTreeMap<(usize, usize, usize, i64), Touched> = BTreeMap::new();
    for base in bits(parts.shared) {
        let mut sum = Touched::default();
        for (number, (cell, scenarios)) in all.iter().enumerate() {
            let mut of_cell = Touched::default();
            for (at, scenario) in scenarios.iter().enumerate() {
                let mut of_scenario = Touched::default();
                for (which, group) in scenario.iter().enumerate() {
                    let mut best = Touched::default();
                    for further in residues(group.twos) {
                        let residue = (base + further) % 128;
                        let key = (number, at, which, residue);
                        let touched = known.entry(key).or_insert_with(|| group.touched(residue));
                        best = best.max(*touched);
                    }
                    of_scenario = of_scenario.plus(best);
                }
                of_cell = of_cell.max(of_scenario);
            }
            for wrap in &parts.wraps {
                of_cell = wrapped(context, address, &parts, (*wrap, *cell), of_cell);
            }
            sum = sum.plus(of_cell.min(Touched::one_each(lanes_of(*cell), bytes)));
        }
        most = most.max(sum);
        if most == all_apart {
            break;
        }
    }
    Some(most)
}

/// What lanes touch of which some may have wrapped, by what they touch if none has.
fn wrapped(
    context: &Context,
    address: &Form,
    parts: &Parts,
    ((number, step), cell): ((u32, i64), u32),
    touched: Touched,
) -> Touched {
    let atom = context.atoms.get(number);
    let Some(of_lane) = &atom.of_lane else { return touched };
    let times = |by: u64| {
        let each = |one: u64, _| one.saturating_mul(by);
        touched.each(touched, each)
    };
    let Some(table) = of_lane.table else {
        return times(u64::try_from(atom.high).unwrap_or(u64::MAX).saturating_add(1));
    };
    let mut order: Vec<(i64, i64)> = lanes_of(cell).map(|lane| (table[lane], parts.known[lane])).collect();
    order.sort_unstable();
    if order.first().map(|one| one.0) == order.last().map(|one| one.0) {
        return touched;
    }
    let grows = order.windows(2).all(|two| two[0].1 <= two[1].1);
    let falls = {
        let mut down = order.clone();
        down.sort_unstable_by_key(|one| (one.0, std::cmp::Reverse(one.1)));
        down.windows(2).all(|two| two[0].1 >= two[1].1)
    };
    if !(grows || falls) || !parts.near.is_empty() || !parts.tried.is_empty() {
        return times(2);
    }
    // The boundary is a multiple of 2^31, and of 128 after the multiplication. If what is added is a multiple of 32 it is the
    // boundary of a sector, too, so that no sector lies on both sides.
    let added = of_lane.wraps.as_ref().and_then(|form| {
        let by = step >> 32;
        let rest = address.minus(&form.scaled(by))?;
        let rest = Form::from_terms(
            rest.terms()
                .filter(|(product, _)| *product != Product::of(number))
                .map(|(product, table)| (product, *table)),
        );
        let twos_of = |(product, table): (Product, &Lanes)| {
            let aligned = parts.pointer.filter(|pointer| pointer.0 == product).map_or(0, |pointer| pointer.1);
            context.twos(&Form::from_terms([(product, *table)])).max(aligned)
        };
        let divides = || rest.terms().map(twos_of).min().unwrap_or(64);
        (by != 0 && by << 32 == step && context.is_uniform(&rest)).then(divides)
    });
    let added = added.unwrap_or(0);
    let more = |one: u64, aligned: u32| if added >= aligned { one } else { one + 1 };
    Touched {
        sectors: more(touched.sectors, 5),
        lines: more(touched.lines, 7),
        passes: touched.passes.map(|one| if one > 0 { more(one, 7) } else { 0 }),
        words: touched.words.map(|one| 2 * one),
    }
}

/// What the atoms that are tried may be for the lanes of a cell.
fn scenarios(context: &Context, parts: &Parts, cell: u32) -> Option<Vec<Vec<Part>>> {
    let mut all = vec![vec![(cell, Vec::new())]];
    for (number, _) in &parts.tried {
        let atom = context.atoms.get(*number);
        let table = atom.of_lane.as_ref()?.table;
        let next = |part: &Part, mask: u32, value: i64| {
            let mut values = part.1.clone();
            values.push(value);
            (part.0 & mask, values)
        };
        let mut found = Vec::new();
        for scenario in &all {
            if let (Some(table), 1) = (table, atom.high) {
                let mut places: Vec<i64> = lanes_of(cell).map(|lane| table[lane]).collect();
                places.sort_unstable();
                places.dedup();
                for place in places {
                    let above = lanes_of(u32::MAX).filter(|&lane| table[lane] >= place);
                    let above = above.fold(0_u32, |mask, lane| mask | 1 << lane);
                    for up in [0, 1] {
                        let both = scenario
                            .iter()
                            .flat_map(|part| [next(part, above, up), next(part, !above, 1 - up)]);
                        found.push(both.filter(|part| part.0 != 0).collect::<Vec<Part>>());
                    }
                }
            } else {
                let high = i64::try_from(atom.high).ok()?;
                let each =
                    scenario.iter().flat_map(|part| (0..=high).map(|value| next(part, u32::MAX, value)));
                found.push(each.collect());
            }
        }
        if found.len() > SCENARIOS || found.iter().any(|scenario| scenario.len() > PARTS) {
            return None;
        }
        all = found;
    }
    Some(all)
}

/// The lanes of a part, by what they share.
fn groups(context: &Context, parts: &Parts, (mask, values): &Part, bytes: u32) -> Option<Vec<Group>> {
    let mut found: BTreeMap<Vec<i64>, (Vec<Place>, u32)> = BTreeMap::new();
    for lane in lanes_of(*mask) {
        let mut point = parts.known[lane];
        let mut key = Vec::new();
        let mut least = 64;
        for (table, divides) in &parts.far {
            key.push(table[lane]);
            least = least.min(divides + twos(table[lane]));
        }
        for ((_, terms), value) in parts.tried.iter().zip(values) {
            for (table, rest, divides) in terms {
                let by = table[lane].checked_mul(*value)?;
                if *rest == Product::ONE {
                    point = point.checked_add(by)?;
                } else {
                    key.push(by);
                    least = least.min(divides + twos(by));
                }
            }
        }
        let place = place(context, parts, lane, point, bytes)?;
        found.entry(key).or_insert((vec![], least)).0.push(place);
    }
    Some(found.into_values().map(|(places, twos)| Group::new(&places, twos, bytes)).collect())
}

/// Where a lane may be, whatever the atoms at known multiples are.
fn place(context: &Context, parts: &Parts, lane: usize, point: i64, bytes: u32) -> Option<Place> {
    let (mut points, mut span) = (vec![point], 0_i64);
    let mut near: Vec<(i64, i128)> = Vec::new();
    for (number, terms) in &parts.near {
        let by = terms.iter().try_fold(0_i64, |all, (table, ..)| all.checked_add(table[lane]))?;
        near.push((by, context.atoms.get(*number).high));
    }
    near.sort_by_key(|(by, _)| by.unsigned_abs());
    for (by, high) in near.into_iter().filter(|(by, _)| *by != 0) {
        let steps = usize::try_from(high).unwrap_or(usize::MAX).saturating_add(1);
        if by.unsigned_abs() <= u64::from(bytes.max(4)) || points.len().saturating_mul(steps) > POINTS {
            let far = by.checked_mul(i64::try_from(high).ok()?)?;
            span = span.checked_add(far.checked_abs()?)?;
            if far < 0 {
                points.iter_mut().for_each(|point| *point = point.saturating_add(far));
            }
        } else {
            let each = points.iter().flat_map(|&point| (0..steps).map(move |at| (point, at)));
            points = each
                .map(|(point, at)| point.checked_add(by.checked_mul(at as i64)?))
                .collect::<Option<_>>()?;
        }
    }
    (span <= SPAN && points.iter().all(|&point| is_near(point))).then_some(Place { lane, points, span })
}

/// Whether a place is so far from the ends of the numbers of 64 bits that nothing which is added to it later overflows.
const fn is_near(point: i64) -> bool {
    point.unsigned_abs() < 1 << 62
}

const _: () = assert!(PHASES >= 8);
