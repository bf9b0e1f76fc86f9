//! From 32 to 64 bits, and choices between two values.
//!
//! A form holds modulo 2^32, and an address needs the number. Where the range of the form fits the type, the form is the
//! number. Otherwise the number is the form plus 2^32 times (K + w), where K is the same for all lanes and w, from 0 on, says how many
//! boundaries more lie below a lane than below the lowest. Lanes that are less than s apart have s / 2^32 + 1 boundaries between them
//! at most. Those that agree in the unknown multiples are less than 2^32 apart, so that they cross one, in the order of the known part.

use crate::affine::atom::OfLane;
use crate::affine::context::{Context, limits};
use crate::affine::form::Form;
use crate::affine::lanes::{as_type, low};
use crate::affine::value::Kind;

impl Context {
    /// The number that a form modulo 2^bits is for its type.
    pub(super) fn extend(&mut self, form: &Form, bits: u32, signed: bool) -> Option<Form> {
        if self.fits(form, bits, signed).is_some() || bits >= 64 {
            return Some(form.clone());
        }
        if form.is_known() {
            return Some(Form::lanes(form.known().map(|one| low(as_type(i128::from(one), bits, signed)))));
        }
        let (least, end) = limits(bits, signed);
        if bits < 32 {
            return self.any_of_lane(least, end - 1);
        }
        let (low, high) = self.range(form)?;
        let table = form.known();
        let apart = self.spread_of(&table);
        let most = if self.is_uniform(form) { 0 } else { (self.spread(form)? >> bits) + 1 };
        let paths =
            self.function(&[form], (((least - high) >> bits) - most - 1, ((end - low) >> bits) + 1), 0);
        let mut boundaries = paths;
        if most > 0 {
            let table = (!self.has_lane_atom(form) && apart < 1 << bits).then_some(table);
            let what = OfLane { table, among: self.among(form), wraps: Some(form.clone()) };
            boundaries = boundaries.plus(&self.of_lane(&[form], most, what))?;
        }
        let number = form.plus(&self.times(&boundaries, &Form::number(1 << bits))?)?;
        Some(number)
    }

    /// One of two values for each lane: the first where the predicate holds. `path` is the unknown that is 1 there, for a
    /// predicate that is not known.
    pub(super) fn choose(
        &self,
        first: &Form,
        second: &Form,
        known: Option<u32>,
        path: Option<&Form>,
    ) -> Option<Form> {
        if first == second {
            return Some(first.clone());
        }
        if let Some(mask) = known {
            let pick = |form: &Form, mask: u32| {
                form.map(|table| {
                    let mut table = *table;
                    let others = table.iter_mut().enumerate().filter(|(lane, _)| mask >> lane & 1 == 0);
                    others.for_each(|(_, one)| *one = 0);
                    table
                })
            };
            return pick(first, mask).plus(&pick(second, !mask));
        }
        let difference = first.minus(second)?;
        if self.has_lane_atom(&difference) {
            return None;
        }
        second.plus(&self.times(&difference, path?)?)
    }

    /// The unknown that is 1 where a predicate holds, and 0 elsewhere.
    pub(super) fn path(&mut self, kind: &Kind) -> Option<Form> {
        match kind {
            Kind::Known(_) => None,
            Kind::Uniform if !self.mixed => Some(self.function_here((0, 1))),
            Kind::Threshold(table, among) => {
                let what = OfLane { table: Some(**table), among: among.clone(), wraps: None };
                Some(self.way_of_lane(what))
            }
            Kind::Uniform | Kind::Any => Some(self.way_of_lane(OfLane::default())),
        }
    }

    fn way_of_lane(&mut self, what: OfLane) -> Form {
        let around = self.around;
        self.lane_atom_of(around, 1, what)
    }
}
