//! Shifts and the bits of numbers.
//!
//! A value *splits* at bit k if it is h + l with h the same for all lanes and a multiple of 2^k, and 0 <= l < 2^k for each lane. Then
//! `and`, `or`, `xor` with a constant and shifts act on both parts alone.

use crate::affine::atom::OfLane;
use crate::affine::context::{Context, limits};
use crate::affine::form::{Form, Product};
use crate::affine::lanes::{LANES, Lanes, as_type, low, twos, unsigned};

/// The parts of a value that splits at a bit.
pub(super) struct Split {
    /// The bit.
    at: u32,
    /// What is the same for all lanes, a multiple of 2^k.
    high: Form,
    /// The least that the rest is, for each lane.
    low: Lanes,
    /// How much more it may be.
    more: i128,
}

/// An operation on the bits of two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Logic {
    /// Both.
    And,
    /// One or both.
    Or,
    /// One of them.
    Xor,
}

impl Logic {
    /// It, of two numbers.
    pub(super) const fn of(self, one: i128, two: i128) -> i128 {
        match self {
            Self::And => one & two,
            Self::Or => one | two,
            Self::Xor => one ^ two,
        }
    }
}

impl Context {
    fn split(&self, form: &Form) -> Option<Split> {
        let (mut at, mut high, mut more) = (64, Vec::new(), 0_i128);
        for (product, table) in form.terms().filter(|term| term.0 != Product::ONE) {
            if let Some(atom) = self.lane_atom(product) {
                let largest = self.lanes().map(|lane| table[lane]).max().unwrap_or(0);
                if product != Product::of(atom) || self.lanes().any(|lane| table[lane] < 0) {
                    return None;
                }
                more = more.checked_add(self.atoms.get(atom).high.checked_mul(i128::from(largest))?)?;
                continue;
            }
            if !self.is_same(table) {
                return None;
            }
            let by = self.first(table);
            high.push((product, [by; LANES]));
            at = at.min(self.twos_of(product) + twos(by));
        }
        let known = form.known();
        let lanes = self.lanes().map(|lane| i128::from(known[lane]));
        let (least, most) = (lanes.clone().min()?, lanes.max()?.checked_add(more)?);
        if at >= 63 {
            // Nothing but the known part: any bit above it.
            at = (1..63).find(|&at| least.abs() < 1 << at && most.abs() < 1 << at)? + 1;
        }
        let base = (least >> at) << at;
        if most - base >= 1 << at {
            return None;
        }
        let first = self.first(&known);
        let mut rest = [0; LANES];
        for (lane, rest) in rest.iter_mut().enumerate() {
            let own = if self.mask >> lane & 1 == 1 { known[lane] } else { first };
            *rest = low(i128::from(own) - base);
        }
        let high = Form::from_terms(high).plus(&Form::number(base))?;
        Some(Split { at, high, low: rest, more })
    }

    /// Whether a value is known for each lane, and what a function of two such values is.
    fn of_known(one: &Form, two: &Form, of: impl Fn(i128, i128) -> i128) -> Option<Form> {
        if !one.is_known() || !two.is_known() {
            return None;
        }
        let (mut table, other) = (one.known(), two.known());
        let each = table.iter_mut().zip(other);
        each.for_each(|(one, two)| *one = low(of(i128::from(*one), i128::from(two))));
        Some(Form::lanes(table))
    }

    /// An operation on the bits of two numbers of so many bits. An unknown one is none.
    pub(super) fn logic(
        &mut self,
        logic: Logic,
        one: Option<&Form>,
        two: Option<&Form>,
        bits: u32,
    ) -> Option<Form> {
        let end = 1_i128 << bits;
        let (Some(one), Some(two)) = (one, two) else {
            let constant = unsigned(i128::from(self.constant(one.or(two)?)?), bits);
            let small = logic == Logic::And && constant < 1 << 31;
            return if small { self.any_of_lane(0, constant) } else { None };
        };
        let raw = |value| unsigned(value, bits);
        if let Some(known) = Self::of_known(one, two, |one, two| logic.of(raw(one), raw(two))) {
            return Some(known.modulo(bits));
        }
        let (one, two) = if self.constant(one).is_some() { (two, one) } else { (one, two) };
        if let Some(constant) = self.constant(two) {
            return self.with_constant(logic, one, raw(i128::from(constant)), bits);
        }
        if self.is_uniform(one) && self.is_uniform(two) {
            let ranges = self.fits(one, bits - 1, false).zip(self.fits(two, bits - 1, false));
            let range = ranges.map_or(limits(bits, true), |(one, two)| (0, ones(one.1.max(two.1)) + 1));
            let twos = self.twos(one).min(self.twos(two));
            return Some(self.function(&[one, two], (range.0, range.1 - 1), twos));
        }
        if logic == Logic::Or {
            for (one, two) in [(one, two), (two, one)] {
                let small = self.fits(two, self.twos(one).min(62), false).is_some();
                if small {
                    return Some(one.plus(two)?.modulo(bits));
                }
            }
        }
        // Lanes whose upper bits are the same keep them the same.
        let (one, two) = if self.is_uniform(one) { (two, one) } else { (one, two) };
        if logic != Logic::And
            && self.is_uniform(two)
            && let Some(split) = self.split(one).filter(|split| split.at < bits.min(31))
        {
            let (least, end) = limits(bits, true);
            let high = self.function(&[one, two], (least, end - 1), split.at);
            let what = OfLane::default();
            let rest = self.of_lane(&[one, two], (1 << split.at) - 1, what);
            return high.plus(&rest);
        }
        let [of_one, of_two] = [one, two].map(|form| self.fits(form, bits, false));
        let most = match logic {
            Logic::And => [of_one, of_two].into_iter().flatten().map(|range| range.1).min()?,
            Logic::Or | Logic::Xor => ones(of_one?.1.max(of_two?.1)),
        };
        let what = OfLane::default();
        (most < end / 2).then(|| self.of_lane(&[one, two], most, what))
    }

    /// An operation on the bits of a value and of a constant without a sign.
    fn with_constant(&mut self, logic: Logic, form: &Form, constant: i128, bits: u32) -> Option<Form> {
        let all = (1_i128 << bits) - 1;
        if let (Logic::And, true) | (Logic::Or | Logic::Xor, false) = (logic, constant == all)
            && (constant == 0 || constant == all)
        {
            return Some(form.clone());
        }
        let what = OfLane::default();
        if let Some(Split { at, high, low: rest, more }) = self.split(form) {
            let below = (1_i128 << at) - 1;
            let (inside, above) = (constant & below, if at < bits { constant >> at } else { 0 });
            let of_low = if more == 0 {
                Form::lanes(rest.map(|one| low(logic.of(i128::from(one), inside))))
            } else if logic == Logic::And && inside == below.min(all) {
                form.minus(&high)?
            } else {
                let most = if logic == Logic::And { inside } else { below.min(all) };
                self.of_lane(&[form], most, what)
            };
            let kept = match logic {
                Logic::And => above == all >> at.min(bits) && at <= bits,
                Logic::Or | Logic::Xor => above == 0,
            };
            let of_high = if kept {
                high
            } else if logic == Logic::And && above == 0 {
                Form::default()
            } else {
                self.uniform_with_constant(logic, &high, above << at, bits)
            };
            return Some(of_high.plus(&of_low)?.modulo(bits));
        }
        if self.is_uniform(form) {
            return Some(self.uniform_with_constant(logic, form, constant, bits));
        }
        (logic == Logic::And && constant < 1 << 31).then(|| self.of_lane(&[form], constant, what))
    }

    /// The same for a value that all lanes share.
    fn uniform_with_constant(&mut self, logic: Logic, form: &Form, constant: i128, bits: u32) -> Form {
        let (least, end) = limits(bits, true);
        let (of_form, of_constant) = (self.twos(form), constant.trailing_zeros().min(64));
        let (range, twos) = match logic {
            Logic::And if constant < end => ((0, constant), of_form.max(of_constant)),
            Logic::And => ((least, end - 1), of_form.max(of_constant)),
            Logic::Or | Logic::Xor => ((least, end - 1), of_form.min(of_constant)),
        };
        self.function(&[form], range, twos.min(bits))
    }

    /// A number of so many bits, shifted to the left.
    pub(super) fn shift_left(&mut self, form: &Form, by: &Form, bits: u32) -> Option<Form> {
        if let Some(by) = self.constant(by) {
            let by = u32::try_from(by).ok().filter(|&by| by < bits);
            return Some(by.map_or(Form::default(), |by| form.scaled(low(1 << by)).modulo(bits)));
        }
        let of = |value: i128, by: i128| if (0..i128::from(bits)).contains(&by) { value << by } else { 0 };
        if let Some(known) = Self::of_known(form, by, of) {
            return Some(known.modulo(bits));
        }
        if self.is_uniform(form) && self.is_uniform(by) {
            return Some(self.any_function(&[form, by], bits));
        }
        // It is a multiple of 2^b, or of 0.
        let times = self.is_uniform(by).then(|| self.any_function(&[by], bits))?;
        Some(self.times(form, &times)?.modulo(bits))
    }

    /// A number of so many bits, shifted to the right. An unknown one is none.
    pub(super) fn shift_right(
        &mut self,
        form: Option<&Form>,
        by: &Form,
        bits: u32,
        signed: bool,
    ) -> Option<Form> {
        let Some(form) = form else {
            let by = u32::try_from(self.constant(by)?).ok().filter(|&by| by < bits)?;
            return if signed { None } else { self.any_of_lane(0, (1 << (bits - by)) - 1) };
        };
        let cap = |by: i128| unsigned(by, 32).min(i128::from(bits));
        let of = |value: i128, by: i128| as_type(value, bits, signed) >> cap(by);
        if let Some(known) = Self::of_known(form, by, of) {
            return Some(known.modulo(bits));
        }
        let Some(constant) = self.constant(by) else {
            let uniform = self.is_uniform(form) && self.is_uniform(by);
            return uniform.then(|| self.any_function(&[form, by], bits));
        };
        let by = u32::try_from(cap(i128::from(constant))).ok()?;
        let fits = self.fits(form, bits, signed);
        let shifted = self.shifted_by(form, by, (bits, signed), fits)?;
        if fits.is_some() {
            self.shifted(&shifted, form, by);
        }
        Some(shifted)
    }

    fn shifted_by(
        &mut self,
        form: &Form,
        by: u32,
        (bits, signed): (u32, bool),
        fits: Option<(i128, i128)>,
    ) -> Option<Form> {
        let (least, end) = limits(bits, signed);
        let range = fits.unwrap_or((least, end - 1));
        let range = (range.0 >> by, range.1 >> by);
        let split = self.split(form).filter(|split| fits.is_some() || split.at < bits);
        let Some(Split { at, high, low: rest, more }) = split else {
            return self.monotone(form, &[], (bits, signed), Some(range), |apart| (apart >> by) + 1);
        };
        if by >= at {
            return Some(self.function(&[form], range, 0));
        }
        let divided = high.terms().all(|(_, table)| twos(table[0]) >= by);
        let upper = if fits.is_some() && divided {
            high.map(|table| table.map(|one| one >> by))
        } else {
            // It is a multiple of 2^(k - s), at most 2^(k - s) below the least value.
            let range = (range.0 - (1 << (at - by)), range.1);
            self.function(&[form], range, at - by)
        };
        if more == 0 {
            return upper.plus(&Form::lanes(rest.map(|one| one >> by)));
        }
        let lanes = self.lanes().map(|lane| i128::from(rest[lane]));
        let (first, last) = (lanes.clone().min()? >> by, (lanes.max()? + more) >> by);
        let what = OfLane::default();
        upper.plus(&Form::number(first))?.plus(&self.of_lane(&[form], last - first, what))
    }
}

/// The number of ones that is at least as large as a number that is not negative.
fn ones(value: i128) -> i128 {
    (0..127).map(|bits| (1_i128 << bits) - 1).find(|&ones| ones >= value).unwrap_or(i128::MAX)
}
