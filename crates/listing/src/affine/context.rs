//! What is asked of forms where control has come to: which lanes may be there, and in which loops it is.

use std::collections::HashMap;

use crate::affine::atom::{Atom, Atoms, Key, OfLane};
use crate::affine::form::{Form, Product};
use crate::affine::lanes::{LANES, Lanes, lanes_of, twos};
use crate::affine::quotient::Division;

/// Ranges that go further are none, so that what is computed with those that are left does not overflow.
const LARGE: i128 = 1 << 110;

/// Where control has come to.
#[derive(Debug, Default)]
pub(super) struct Context {
    /// The atoms.
    pub(super) atoms: Atoms,
    /// The lanes that may be here.
    pub(super) mask: u32,
    /// The loops around.
    pub(super) around: u64,
    /// Whether lanes that are together here have come here together in each pass, so that what one instruction gives all of
    /// them is one value.
    pub(super) together: bool,
    /// Whether lanes that are together here may be in different passes of a loop around.
    pub(super) mixed: bool,
    /// The instruction.
    pub(super) at: usize,
    /// How many atoms it has made.
    pub(super) made: u32,
    /// What is known of divisions, since the code was begun.
    pub(super) divisions: HashMap<Product, Division>,
}

impl Context {
    /// The lanes that may be here.
    pub(super) fn lanes(&self) -> impl Iterator<Item = usize> + Clone + use<> {
        lanes_of(self.mask)
    }

    /// The least and the largest value of a form for the lanes here; none if they are very large.
    pub(super) fn range(&self, form: &Form) -> Option<(i128, i128)> {
        let products: Option<Vec<((i128, i128), &Lanes)>> = form
            .terms()
            .map(|(product, table)| {
                let mut range = (1_i128, 1_i128);
                for atom in product.atoms() {
                    let atom = self.atoms.get(atom);
                    range = hull(range, (atom.low, atom.high))?;
                }
                Some((range, table))
            })
            .collect();
        let products = products?;
        let mut all: Option<(i128, i128)> = None;
        for lane in self.lanes() {
            let (mut low, mut high) = (0_i128, 0_i128);
            for (range, table) in &products {
                let by = i128::from(table[lane]);
                let (least, most) = hull(*range, (by, by))?;
                (low, high) = (low.checked_add(least)?, high.checked_add(most)?);
            }
            all = Some(all.map_or((low, high), |(least, most)| (least.min(low), most.max(high))));
        }
        all.or(Some((0, 0))).filter(|(low, high)| *low > -LARGE && *high < LARGE)
    }

    /// Whether a form is the number itself, not only modulo 2^bits.
    pub(super) fn fits(&self, form: &Form, bits: u32, signed: bool) -> Option<(i128, i128)> {
        let (low, high) = self.range(form)?;
        let (least, end) = limits(bits, signed);
        (low >= least && high < end).then_some((low, high))
    }

    /// The atom of lanes in a product.
    pub(super) fn lane_atom(&self, product: Product) -> Option<u32> {
        product.atoms().find(|&atom| self.atoms.get(atom).of_lane.is_some())
    }

    /// Whether a form has an atom of lanes.
    pub(super) fn has_lane_atom(&self, form: &Form) -> bool {
        form.terms().any(|(product, _)| self.lane_atom(product).is_some())
    }

    /// Whether a coefficient is the same for all lanes here.
    pub(super) fn is_same(&self, table: &Lanes) -> bool {
        let mut lanes = self.lanes().map(|lane| table[lane]);
        lanes.next().is_none_or(|first| lanes.all(|one| one == first))
    }

    /// The coefficient of the first lane here.
    pub(super) fn first(&self, table: &Lanes) -> i64 {
        self.lanes().next().map_or(table[0], |lane| table[lane])
    }

    /// Whether a form is the same for all lanes that are together here.
    pub(super) fn is_uniform(&self, form: &Form) -> bool {
        form.terms().all(|(product, table)| self.lane_atom(product).is_none() && self.is_same(table))
    }

    /// The number that a form is for all lanes here.
    pub(super) fn constant(&self, form: &Form) -> Option<i64> {
        (form.is_known() && self.is_uniform(form)).then(|| self.first(&form.known()))
    }

    /// The power of two that divides a product of atoms.
    pub(super) fn twos_of(&self, product: Product) -> u32 {
        product.atoms().map(|atom| self.atoms.get(atom).twos).sum::<u32>().min(64)
    }

    /// The power of two that divides a form for all lanes here.
    pub(super) fn twos(&self, form: &Form) -> u32 {
        let of_term = |(product, table): (Product, &Lanes)| {
            let least = self.lanes().map(|lane| twos(table[lane])).min().unwrap_or(64);
            (self.twos_of(product) + least).min(64)
        };
        form.terms().map(of_term).min().unwrap_or(64)
    }

    /// The loops in which a form may change.
    pub(super) fn changes(&self, form: &Form) -> u64 {
        let atoms = form.terms().flat_map(|(product, _)| product.atoms());
        atoms.fold(0, |all, atom| all | self.atoms.get(atom).changes)
    }

    /// The tables of unknown multiples in a form: lanes that agree in them are in the order of the known part.
    pub(super) fn among(&self, form: &Form) -> Vec<Lanes> {
        let mut found: Vec<Lanes> = Vec::new();
        for (product, table) in form.terms() {
            if product != Product::ONE && !self.is_same(table) && !found.contains(table) {
                found.push(*table);
            }
        }
        found
    }

    /// The product of two forms; none if it is too large, or if unknowns of lanes are multiplied.
    pub(super) fn times(&self, one: &Form, two: &Form) -> Option<Form> {
        let product = one.times(two)?;
        let of_lanes =
            |product: Product| product.atoms().filter(|&one| self.atoms.get(one).of_lane.is_some()).count();
        let fits = product.terms().all(|(product, _)| of_lanes(product) < 2);
        fits.then_some(product)
    }

    /// How far the coefficients of the lanes here are apart.
    pub(super) fn spread_of(&self, table: &Lanes) -> i128 {
        let lanes = self.lanes().map(|lane| i128::from(table[lane]));
        lanes.clone().max().unwrap_or(0) - lanes.min().unwrap_or(0)
    }

    /// How far the values of a form may be apart for lanes that are together here; none if that is very large.
    pub(super) fn spread(&self, form: &Form) -> Option<i128> {
        form.terms().try_fold(0_i128, |all, (product, table)| {
            let of_term = if self.lane_atom(product).is_some() {
                let (low, high) = self.range(&Form::from_terms([(product, *table)]))?;
                high - low
            } else {
                let (low, high) = self.range(&Form::from_terms([(product, [1; LANES])]))?;
                self.spread_of(table).checked_mul(low.abs().max(high.abs()))?
            };
            all.checked_add(of_term).filter(|&all| all < LARGE)
        })
    }

    fn next_key(&mut self) -> Key {
        self.made += 1;
        Key::Made(self.at, self.made)
    }

    /// A number that is a function of forms that are the same for all lanes.
    pub(super) fn function(&mut self, of: &[&Form], (low, high): (i128, i128), twos: u32) -> Form {
        let changes = self.around & of.iter().fold(0, |all, form| all | self.changes(form));
        let key = self.next_key();
        if low == high {
            return Form::number(low);
        }
        Form::atom(self.atoms.make(key, Atom { low, high, twos, changes, of_lane: None }))
    }

    /// A number of so many bits that is a function of forms.
    pub(super) fn any_function(&mut self, of: &[&Form], bits: u32) -> Form {
        let (least, end) = limits(bits, true);
        self.function(of, (least, end - 1), 0)
    }

    /// A number that is a function of predicates that are the same for all lanes, in each pass its own.
    pub(super) fn function_here(&mut self, (low, high): (i128, i128)) -> Form {
        let key = self.next_key();
        let atom = Atom { low, high, twos: 0, changes: self.around, of_lane: None };
        Form::atom(self.atoms.make(key, atom))
    }

    /// A number that one instruction gives to all lanes that are together here; none where they may have been apart.
    pub(super) fn given(&mut self, (low, high): (i128, i128), twos: u32) -> Option<Form> {
        let key = self.next_key();
        let atom = Atom { low, high, twos, changes: self.around, of_lane: None };
        self.together.then(|| Form::atom(self.atoms.make(key, atom)))
    }

    /// A number from 0 on for each lane, which is a function of forms.
    pub(super) fn of_lane(&mut self, of: &[&Form], high: i128, what: OfLane) -> Form {
        let changes = self.around & of.iter().fold(0, |all, form| all | self.changes(form));
        self.lane_atom_of(changes, high, what)
    }

    pub(super) fn lane_atom_of(&mut self, changes: u64, high: i128, what: OfLane) -> Form {
        let key = self.next_key();
        if high <= 0 {
            return Form::default();
        }
        Form::atom(self.atoms.make(key, Atom { low: 0, high, twos: 0, changes, of_lane: Some(what) }))
    }

    /// Any number in a range for each lane and each pass; none if the range is large.
    pub(super) fn any_of_lane(&mut self, low: i128, high: i128) -> Option<Form> {
        let what = OfLane::default();
        let atom = (high - low < 1 << 31).then(|| self.lane_atom_of(self.around, high - low, what))?;
        atom.plus(&Form::number(low))
    }
}

/// The least number of a type, and the one behind its largest.
pub(super) const fn limits(bits: u32, signed: bool) -> (i128, i128) {
    if signed { (-(1 << (bits - 1)), 1 << (bits - 1)) } else { (0, 1 << bits) }
}

/// The least and the largest product of numbers of two ranges.
pub(super) fn hull(one: (i128, i128), two: (i128, i128)) -> Option<(i128, i128)> {
    let products = [
        one.0.checked_mul(two.0)?,
        one.0.checked_mul(two.1)?,
        one.1.checked_mul(two.0)?,
        one.1.checked_mul(two.1)?,
    ];
    Some((products.into_iter().min()?, products.into_iter().max()?))
}
