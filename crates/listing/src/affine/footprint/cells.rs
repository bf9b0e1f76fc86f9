//! Addresses by what they share, and the places that they have there.

use std::collections::BTreeMap;

use crate::affine::atom::Key;
use crate::affine::context::{Context, hull};
use crate::affine::count::pointer;
use crate::affine::footprint::Scope;
use crate::affine::footprint::ranges::{Extent, MOST, Ranges};
use crate::affine::form::{self, Form};
use crate::affine::lanes::twos;
use crate::affine::run::Access;
use crate::params::Launch;

/// A product of numbers that stay the same, in order; none of them is the number one.
pub(super) type Product = Vec<Key>;
/// How often products are taken.
type Multiples = BTreeMap<Product, i64>;

/// The most sectors of an array: no GPU has more memory.
const SECTORS: u64 = 1 << 33;
/// The most values of a number that varies.
const VALUES: i128 = 1 << 40;

/// What the addresses of some lanes share.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Shared {
    /// The parameter that points to the array.
    array: Option<usize>,
    /// The multiples of what stays the same.
    fixed: Multiples,
    /// What varies.
    steps: Vec<Step>,
}

/// A number that varies, from 0 on.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Step {
    /// How far one more moves the address: bytes, by the product of nothing, and multiples of what stays the same.
    by: Multiples,
    /// How many values it has.
    count: u64,
}

impl Step {
    /// The bytes, if it moves by nothing else.
    fn bytes(&self) -> Option<i64> {
        if self.by.len() == 1 { self.by.get(&Product::new()).copied() } else { None }
    }
}

/// Where an access goes.
#[derive(Debug, Clone, Default)]
pub(super) struct Groups(BTreeMap<Shared, Ranges>);

impl Groups {
    /// Adds an access of a warp; none if its addresses are not understood.
    pub(super) fn add(&mut self, context: &Context, access: &Access, of: (Scope, &Launch)) -> Option<()> {
        if access.mask == 0 {
            return Some(());
        }
        let address = access.address.as_ref()?;
        let array = array(context, address);
        for lane in context.lanes() {
            let (fixed, steps, (first, last)) = of_lane(context, address, lane, of)?;
            let ranges = Ranges::of(first, last, i64::from(access.bytes))?;
            self.0.entry(Shared { array, fixed, steps }).or_default().add(&ranges);
        }
        self.0.values_mut().for_each(Ranges::merge);
        (self.0.len() <= MOST).then_some(())
    }

    /// The parameters that point to the arrays.
    pub(super) fn arrays(&self) -> impl Iterator<Item = Option<usize>> {
        self.0.keys().map(|shared| shared.array)
    }
}

/// The parameter that points to the array of an address.
fn array(context: &Context, address: &Form) -> Option<usize> {
    let number = |product: form::Product| {
        product.atoms().find_map(|atom| match context.atoms.key(atom) {
            Key::Parameter(number) => Some(number),
            _ => None,
        })
    };
    pointer(context, address).and_then(number)
}

/// What the address of a lane shares with others, and from where to where it is behind that.
fn of_lane(
    context: &Context,
    address: &Form,
    lane: usize,
    (scope, launch): (Scope, &Launch),
) -> Option<(Multiples, Vec<Step>, (i64, i64))> {
    let mut fixed = Multiples::new();
    let mut steps: BTreeMap<u32, Multiples> = BTreeMap::new();
    let (mut first, mut last) = (0_i128, 0_i128);
    for (product, table) in address.terms() {
        let by = table[lane];
        if by == 0 {
            continue;
        }
        let (same, varies): (Vec<u32>, Vec<u32>) =
            product.atoms().partition(|&atom| is_fixed(context.atoms.key(atom), scope));
        let mut same: Product = same.into_iter().map(|atom| context.atoms.key(atom)).collect();
        same.sort_unstable();
        match varies[..] {
            [] if same.is_empty() => (first, last) = (first + i128::from(by), last + i128::from(by)),
            [] => add(&mut fixed, same, by)?,
            [atom] => add(steps.entry(atom).or_default(), same, by)?,
            _ if same.is_empty() => {
                let mut range = (i128::from(by), i128::from(by));
                for atom in varies {
                    range = hull(range, values(context, atom, launch)?)?;
                }
                (first, last) = (first.checked_add(range.0)?, last.checked_add(range.1)?);
            }
            _ => return None,
        }
    }
    let mut found = Vec::new();
    for (atom, by) in steps {
        let (least, most) = values(context, atom, launch)?;
        for (product, by) in &by {
            let from = i128::from(*by).checked_mul(least)?;
            if product.is_empty() {
                (first, last) = (first.checked_add(from)?, last.checked_add(from)?);
            } else {
                add(&mut fixed, product.clone(), i64::try_from(from).ok()?)?;
            }
        }
        let by: Multiples = by.into_iter().filter(|(_, by)| *by != 0).collect();
        if most > least && !by.is_empty() {
            found.push(Step { by, count: u64::try_from(most - least + 1).ok()? });
        }
    }
    fixed.retain(|_, by| *by != 0);
    found.sort_unstable();
    let within = |place: i128| i64::try_from(place).ok().filter(|place| place.unsigned_abs() < 1 << 62);
    Some((fixed, found, (within(first)?, within(last)?)))
}

fn add(multiples: &mut Multiples, product: Product, by: i64) -> Option<()> {
    let sum = multiples.entry(product).or_insert(0);
    *sum = sum.checked_add(by)?;
    Some(())
}

/// The values of a number that varies; none if they are not known.
fn values(context: &Context, atom: u32, launch: &Launch) -> Option<(i128, i128)> {
    if let Key::Index { grid, axis } = context.atoms.key(atom) {
        // The largest index that hardware allows says nothing of a launch.
        launch.size(grid, axis).only()?;
    }
    let atom = context.atoms.get(atom);
    (atom.high >= atom.low && atom.high - atom.low < VALUES).then_some((atom.low, atom.high))
}

/// Notes which power of two divides the products in an address.
pub(super) fn note_twos(
    known: &mut BTreeMap<Product, u32>,
    context: &Context,
    access: &Access,
    aligned: u32,
) {
    let Some(address) = &access.address else { return };
    let pointer = pointer(context, address);
    for (product, _) in address.terms() {
        let mut keys: Product = product.atoms().map(|atom| context.atoms.key(atom)).collect();
        keys.sort_unstable();
        let own = context.twos_of(product);
        // What is a pointer in one access is one in all of them.
        let own = if pointer == Some(product) { own.max(aligned) } else { own };
        known.entry(keys).and_modify(|twos| *twos = own.max(*twos)).or_insert(own);
    }
}

/// How much groups touch together at most; none if there are too many places, or more than memory has.
pub(super) fn extent<'g>(
    groups: impl Iterator<Item = &'g Groups>,
    twos_of: &BTreeMap<Product, u32>,
) -> Option<Extent> {
    let mut all: BTreeMap<&Shared, Ranges> = BTreeMap::new();
    for (shared, ranges) in groups.flat_map(|groups| &groups.0) {
        all.entry(shared).or_default().add(ranges);
    }
    let mut cells: BTreeMap<Multiples, Ranges> = BTreeMap::new();
    let mut sum = Extent::default();
    for (shared, mut ranges) in all {
        let mut times = 1_u64;
        let (mut moves, mut turns): (Vec<(i64, u64)>, Vec<&Step>) = Default::default();
        for step in &shared.steps {
            match step.bytes() {
                Some(bytes) => moves.push((bytes, step.count)),
                None => turns.push(step),
            }
        }
        moves.sort_unstable_by_key(|(by, _)| by.unsigned_abs());
        for (by, count) in moves {
            times = times.checked_mul(ranges.repeat(by, count)?)?;
        }
        let mut places = vec![(shared.fixed.clone(), ranges)];
        for step in turns {
            let count = usize::try_from(step.count).unwrap_or(usize::MAX);
            if places.len().saturating_mul(count) > MOST {
                times = times.checked_mul(step.count)?;
                continue;
            }
            places = moved(&places, step)?;
        }
        for (fixed, mut ranges) in places {
            if times == 1 {
                cells.entry(fixed).or_default().add(&ranges);
            } else {
                // Each time the set lies elsewhere.
                sum = sum.plus(ranges.extent(0).times(times));
            }
        }
        if cells.len() > MOST {
            return None;
        }
    }
    // Many cells are the same set of bytes at another place.
    let mut known: BTreeMap<(Ranges, u32), Extent> = BTreeMap::new();
    for (fixed, mut ranges) in cells {
        let divides = |(product, by): (&Product, &i64)| {
            twos_of.get(product).copied().unwrap_or(0).saturating_add(twos(*by))
        };
        let twos = fixed.iter().map(divides).min().unwrap_or(64).min(7);
        ranges.merge();
        let extent =
            *known.entry((ranges, twos)).or_insert_with_key(|(ranges, twos)| ranges.clone().extent(*twos));
        sum = sum.plus(extent);
    }
    (sum.sectors <= SECTORS).then_some(sum)
}

/// Places at each value of a number that moves them by multiples of what stays the same.
fn moved(places: &[(Multiples, Ranges)], step: &Step) -> Option<Vec<(Multiples, Ranges)>> {
    let mut found = Vec::new();
    for (fixed, ranges) in places {
        for at in 0..step.count {
            let at = i64::try_from(at).ok()?;
            let (mut fixed, mut ranges) = (fixed.clone(), ranges.clone());
            for (product, by) in &step.by {
                let by = by.checked_mul(at)?;
                if product.is_empty() {
                    ranges.shift(by)?;
                } else {
                    add(&mut fixed, product.clone(), by)?;
                }
            }
            fixed.retain(|_, by| *by != 0);
            found.push((fixed, ranges));
        }
    }
    Some(found)
}

/// Whether what an atom stands for stays the same.
fn is_fixed(key: Key, scope: Scope) -> bool {
    match key {
        Key::Parameter(_) | Key::Fixed { .. } | Key::Size { .. } | Key::Symbol(_) => true,
        Key::Index { grid, .. } => grid && scope == Scope::Block,
        _ => false,
    }
}
