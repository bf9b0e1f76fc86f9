//! Functions that keep or reverse the order of numbers: clamps, divisions, the upper halves of products.
//!
//! Lanes of one unknown part are in the order of their known parts, and so are their values of such a function. Their values lie in
//! a range from the least of them, whose width follows from how far the numbers are apart. That needs the numbers, so that they may not
//! have wrapped.

use crate::affine::atom::OfLane;
use crate::affine::context::{Context, limits};
use crate::affine::form::{Form, Product};
use crate::affine::lanes::{LANES, as_type, low};

impl Context {
    /// A monotone function of a form, and of others that are the same for all lanes. `range` is that of its values, if it is known, and
    /// `apart` says how far they may be apart where the numbers are so far apart.
    pub(super) fn monotone(
        &mut self,
        form: &Form,
        others: &[&Form],
        (bits, signed): (u32, bool),
        range: Option<(i128, i128)>,
        apart: impl Fn(i128) -> i128,
    ) -> Option<Form> {
        let args: Vec<&Form> = std::iter::once(form).chain(others.iter().copied()).collect();
        let (least, end) = limits(bits, signed);
        let range = range.unwrap_or((least, end - 1));
        if self.is_uniform(form) {
            return Some(self.function(&args, range, 0));
        }
        let (low, high) = self.fits(form, bits, signed)?;
        let unknown = |(product, table): (Product, _)| {
            product == Product::ONE || self.lane_atom(product).is_some() || self.is_same(table)
        };
        if !form.terms().all(unknown) {
            return None;
        }
        let spread = self.spread(form)?.min(high - low);
        let lowest = self.function(&args, range, 0);
        let table = (!self.has_lane_atom(form)).then(|| form.known());
        let what = OfLane { table, among: vec![], wraps: None };
        lowest.plus(&self.of_lane(&args, apart(spread), what))
    }

    /// The least or the largest of two numbers.
    pub(super) fn extreme(&mut self, least: bool, one: &Form, two: &Form, kind: (u32, bool)) -> Option<Form> {
        let (bits, signed) = kind;
        if one == two {
            return Some(one.clone());
        }
        let of = |one: i128, two: i128| if least { one.min(two) } else { one.max(two) };
        if one.is_known() && two.is_known() {
            let (one, two) = (one.known(), two.known());
            let typed = |value: i64| as_type(i128::from(value), bits, signed);
            let each = |lane: usize| low(of(typed(one[lane]), typed(two[lane])));
            return Some(Form::lanes(std::array::from_fn::<i64, LANES, _>(each)).modulo(bits));
        }
        let ranges = self.fits(one, bits, signed).zip(self.fits(two, bits, signed));
        if let Some((of_one, of_two)) = ranges {
            for (this, range, other) in [(one, of_one, of_two), (two, of_two, of_one)] {
                if least && range.1 <= other.0 || !least && range.0 >= other.1 {
                    return Some(this.clone());
                }
            }
        }
        let range = ranges.map(|(one, two)| (of(one.0, two.0), of(one.1, two.1)));
        if self.is_uniform(one) && self.is_uniform(two) {
            let twos = self.twos(one).min(self.twos(two));
            let (lowest, end) = limits(bits, signed);
            return Some(self.function(&[one, two], range.unwrap_or((lowest, end - 1)), twos));
        }
        let (one, two) = if self.is_uniform(one) { (two, one) } else { (one, two) };
        if !self.is_uniform(two) {
            return None;
        }
        self.monotone(one, &[two], kind, range, |apart| apart)
    }

    /// The quotient of two numbers, or the rest.
    pub(super) fn divide(&mut self, rest: bool, one: &Form, two: &Form, kind: (u32, bool)) -> Option<Form> {
        let (bits, signed) = kind;
        let of_one = self.fits(one, bits, signed);
        let of_two = self.fits(two, bits, signed).filter(|range| range.0 > 0);
        if let (Some((0.., _)), Some(_)) = (of_one, of_two)
            && one.is_known()
            && two.is_known()
        {
            let (one, two) = (one.known(), two.known());
            let each =
                |lane: usize| if rest { one[lane] % two[lane].max(1) } else { one[lane] / two[lane].max(1) };
            return Some(Form::lanes(std::array::from_fn(each)));
        }
        let positive = of_one.filter(|range| range.0 >= 0).zip(of_two);
        if self.is_uniform(one) && self.is_uniform(two) {
            let (least, end) = limits(bits, signed);
            let range = match positive {
                Some((one, two)) => (0, if rest { one.1.min(two.1 - 1) } else { one.1 / two.0 }),
                None => (least, end - 1),
            };
            return Some(self.function(&[one, two], range, 0));
        }
        let (of_one, of_two) = positive.filter(|_| self.is_uniform(two))?;
        if let Some(power) = self.constant(two).filter(|by| by.count_ones() == 1) {
            let by = Form::number(i128::from(power.trailing_zeros()));
            return if rest {
                let mask = Form::number(i128::from(power - 1));
                self.logic(crate::affine::bits::Logic::And, Some(one), Some(&mask), bits)
            } else {
                self.shift_right(Some(one), &by, bits, false)
            };
        }
        if rest {
            let what = OfLane::default();
            return (of_two.1 <= 4096).then(|| self.of_lane(&[one, two], of_two.1 - 1, what));
        }
        self.monotone(one, &[two], kind, Some((0, of_one.1 / of_two.0)), |apart| apart / of_two.0 + 1)
    }

    /// The upper half of the product of two numbers.
    pub(super) fn upper_product(
        &mut self,
        one: &Form,
        two: &Form,
        (bits, signed): (u32, bool),
    ) -> Option<Form> {
        let typed = |value: i64| as_type(i128::from(value), bits, signed);
        if one.is_known() && two.is_known() {
            let (one, two) = (one.known(), two.known());
            let each = |lane: usize| low(typed(one[lane]).wrapping_mul(typed(two[lane])) >> bits);
            return Some(Form::lanes(std::array::from_fn(each)).modulo(bits));
        }
        if (bits, signed) == (32, false)
            && let Some(word) = self.reciprocal(one, two)
        {
            return Some(word);
        }
        let (one, two) = if self.constant(two).is_none() { (two, one) } else { (one, two) };
        let by = self.constant(two).map(|by| (typed(by), typed(by)));
        let number = self.fits(one, bits, signed).filter(|number| number.0 >= 0);
        match (by, number) {
            (Some((by, _)), Some(_)) if signed && by < 0 && bits == 32 => {
                // The product with a factor of one bit more, without the number times that bit.
                self.scaled_by(one, two, (by + (1 << 32), by + (1 << 32)), (bits, signed))?.minus(one)
            }
            (Some(by), _) if by.0 > 0 && bits <= 32 => self.scaled_by(one, two, by, (bits, signed)),
            _ if self.is_uniform(one) && self.is_uniform(two) => Some(self.any_function(&[one, two], bits)),
            _ => None,
        }
    }

    /// The upper word of a product without a sign of which a factor is a reciprocal.
    pub(super) fn reciprocal(&mut self, one: &Form, two: &Form) -> Option<Form> {
        [(one, two), (two, one)].into_iter().find_map(|(one, two)| {
            let by = self.factor(two).filter(|_| self.constant(two).is_none());
            match by {
                Some(by) => self.fits(one, 32, false).and_then(|_| self.scaled_by(one, two, by, (32, false))),
                None => self.newton(two, one),
            }
        })
    }

    /// The product of a number and a factor in a range, which is the same for all lanes, without its lowest bits.
    fn scaled_by(
        &mut self,
        one: &Form,
        two: &Form,
        by: (i128, i128),
        (bits, signed): (u32, bool),
    ) -> Option<Form> {
        if one.is_known() {
            let typed = |value: i64| as_type(i128::from(value), bits, signed);
            let [least, most] =
                [by.0, by.1].map(|by| one.known().map(|value| low((typed(value) * by) >> bits)));
            if least == most {
                return Some(Form::lanes(least));
            }
        }
        let range =
            self.fits(one, bits, signed).map(|(low, high)| ((low * by.0) >> bits, (high * by.1) >> bits));
        let scaled =
            self.monotone(one, &[two], (bits, signed), range, |apart| ((apart * by.1) >> bits) + 1)?;
        if range.is_some() {
            self.scaled(&scaled, one, by, bits);
        }
        Some(scaled)
    }
}
