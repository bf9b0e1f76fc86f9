//! Divisions by a number, as compilers write them: a product with a reciprocal, of which the upper part is the quotient or a little less,
//! and what the quotient leaves of the number.
//!
//! Let q be x f / 2^p, rounded down, for a number x from 0 to X and a factor f from a to b. It is no more than the quotient of x and d, rounded
//! down, if d b <= 2^p or X (d b - 2^p) < 2^p: then x f / 2^p is less than 1 / d above x / d. It is less than that quotient by X (2^p - d a) / (2^p d) at
//! most, rounded up, since it is above x a / 2^p - 1.
//!
//! A factor that is not written in the code is 2^32 / d as a floating-point number makes it, e, and one step of Newton's method in
//! integers, e + e (2^32 - d e) / 2^32, which rises with e as long as d e <= 2^32. What is left of x is then too large by d now and then,
//! so that the code compares it with d, and subtracts d where it is not below that.

use crate::affine::atom::OfLane;
use crate::affine::context::{Context, limits};
use crate::affine::form::{Form, Product};
use crate::affine::lanes::Lanes;
use crate::affine::quotient::{Division, What};
use crate::affine::value::Comparison;
use crate::interval::Interval;
use warpspan_lift::Relation;

/// The most that a quotient may be too small.
const BELOW: i128 = 4;

/// A division of which something is left.
struct Left<'d> {
    /// What is divided.
    number: &'d Form,
    /// The divisor.
    by: i128,
    /// The quotient, as it was found.
    quotient: &'d Form,
    /// How much too small it may be.
    below: i128,
}

impl Context {
    /// Notes what a form is in a division.
    fn note(&mut self, whole: &Form, what: What) {
        if let Some((product, _)) = first_unknown(whole) {
            self.divisions.insert(product, Division { whole: whole.clone(), what });
        }
    }

    /// The divisions whose first unknown stands in a form.
    fn divisions_in(&self, form: &Form) -> impl Iterator<Item = &Division> {
        form.terms().filter_map(|(product, _)| self.divisions.get(&product))
    }

    /// How often another form may have been subtracted in a form, by their coefficients, and the form without that.
    fn subtracted(&self, form: &Form, other: &Form) -> Option<(i128, Form)> {
        let (product, table) = first_unknown(other)?;
        let times = self.first(&form.coefficient(product)).checked_div(self.first(table))?.checked_neg()?;
        (times > 0).then_some(())?;
        Some((times.into(), form.plus(&other.scaled(times))?))
    }

    /// Notes that a form is a number times a factor, divided by 2 to the power of `places` and rounded down.
    pub(super) fn scaled(&mut self, whole: &Form, number: &Form, factor: (i128, i128), places: u32) {
        if self.fits(number, 32, false).is_some() && factor.0 > 0 && places <= 64 {
            self.note(whole, What::Scaled { number: number.clone(), factor, places });
        }
    }

    /// Notes what a form is that is another one, without a sign, shifted to the right.
    pub(super) fn shifted(&mut self, whole: &Form, form: &Form, by: u32) {
        let earlier = self.divisions_in(form).find_map(|division| match &division.what {
            What::Scaled { number, factor, places } if division.whole == *form => {
                Some((number.clone(), *factor, *places))
            }
            _ => None,
        });
        if let Some((number, factor, places)) = earlier {
            return self.scaled(whole, &number, factor, places + by);
        }
        let factor =
            form.terms().flat_map(|(_, table)| table).fold(0, |all, &one| divisor(all, one.unsigned_abs()));
        if let Ok(factor @ 1..) = i64::try_from(factor) {
            let number = form.map(|table| table.map(|one| one / factor));
            self.scaled(whole, &number, (factor.into(), factor.into()), by);
        }
    }

    /// The range of a factor that is the same for all lanes.
    pub(super) fn factor(&self, form: &Form) -> Option<(i128, i128)> {
        let noted = self.divisions_in(form).find_map(|one| match one.what {
            What::Factor(range) if one.whole == *form => Some(range),
            _ => None,
        });
        noted.or_else(|| self.constant(form).map(|one| (one.into(), one.into())))
    }

    /// What a step of Newton's method adds to a reciprocal, if the factors of a product are that and what it lacks: the upper word.
    pub(super) fn newton(&mut self, of: &Form, lack: &Form) -> Option<Form> {
        let (least, most) = self.fits(of, 32, false).filter(|_| self.is_uniform(of))?;
        let (by, zero) = self.subtracted(lack, of)?;
        if by.checked_mul(most)? > 1 << 32 || !zero.equals(&Form::default(), 32) {
            return None;
        }
        let more = |one: i128| (one * ((1 << 32) - by * one)) >> 32;
        let (lowest, highest) = (more(least), more(most));
        // What is added does not rise where the reciprocal does, but the sum does.
        let all = [lowest, highest, 0];
        let range = (*all.iter().min()?, all.iter().max()? + most - least);
        let added = self.function(&[of], range, 0);
        let whole = added.plus(of)?;
        self.note(&whole, What::Factor((least + lowest, most + highest)));
        Some(added)
    }

    /// The number of which a form is the quotient by `by`, and how much too small it may be.
    fn quotient<'d>(&self, of: &'d Division, by: i128) -> Option<(&'d Form, i128)> {
        match &of.what {
            What::Factor(_) => None,
            What::Quotient { number, by: own, below } => {
                let fits = *own == by && self.fits(number, 32, false).is_some();
                fits.then_some((number, *below))
            }
            What::Scaled { number, factor, places } => {
                let high = self.fits(number, 32, false)?.1;
                let below = too_small(high, *factor, *places, by).filter(|&below| below <= BELOW)?;
                Some((number, below))
            }
        }
    }

    /// The division that leaves a form: the form is a number less a quotient of it, times the divisor.
    fn left(&self, form: &Form, bits: u32) -> Option<Left<'_>> {
        self.divisions_in(form).find_map(|of| {
            let (by, all) = self.subtracted(form, &of.whole)?;
            let (number, below) = self.quotient(of, by)?;
            all.equals(number, bits).then_some(Left { number, by, quotient: &of.whole, below })
        })
    }

    /// The rest of a division, if a sum is one.
    pub(super) fn rest(&mut self, sum: Form, bits: u32) -> Form {
        if self.divisions.is_empty() || sum.is_known() {
            return sum;
        }
        let Some((number, by)) =
            self.left(&sum, bits).filter(|left| left.below == 0).map(|left| (left.number.clone(), left.by))
        else {
            return sum;
        };
        if self.range(&sum).is_some_and(|range| range.0 >= 0 && range.1 < by) {
            return sum;
        }
        self.divide(true, &number, &Form::number(by), (bits.min(32), false)).unwrap_or(sum)
    }

    /// By how much a quotient that may be too small has to be larger where a comparison says that the rest is not below the divisor: 1 there,
    /// and 0 elsewhere.
    pub(super) fn corrected(&mut self, of: &Comparison) -> Option<Form> {
        let (rest, by) = match of.order {
            Relation::GreaterEqual => (&of.left, &of.right),
            Relation::LessEqual => (&of.right, &of.left),
            _ => return None,
        };
        let by = i128::from(self.constant(by).filter(|_| of.bits == 32)?);
        let left = self.left(rest, 32).filter(|left| left.by == by && left.below > 0)?;
        let (number, quotient, below) = (left.number.clone(), left.quotient.clone(), left.below - 1);
        if of.signed && self.fits(&number, 31, false).is_none() {
            return None;
        }
        let mut new = self.divide(false, &number, &Form::number(by), (32, false))?;
        if below > 0 {
            let of = [&number, &quotient];
            let less = match self.is_uniform(&number) {
                true => self.function(&of, (0, below), 0),
                false => self.of_lane(&of, below, OfLane::default()),
            };
            new = new.minus(&less)?;
        }
        self.note(&new, What::Quotient { number, by, below });
        new.minus(&quotient)
    }

    /// A function of a form that is the same for all lanes, by which range it has for a range of the form: of the floating-point numbers that
    /// divide integers.
    pub(super) fn of_float(
        &mut self,
        form: Option<Form>,
        of: fn(Interval) -> Option<Interval>,
    ) -> Option<Form> {
        let form = form.filter(|form| self.is_uniform(form))?;
        let range = self.fits(&form, 32, false).and_then(|(least, most)| of(Interval::new(least, most)));
        let (least, end) = limits(32, true);
        Some(self.function(&[&form], range.map_or((least, end - 1), |range| (range.low, range.high)), 0))
    }
}

/// The first product of unknowns in a form, with its coefficients.
fn first_unknown(form: &Form) -> Option<(Product, &Lanes)> {
    form.terms().find(|(product, _)| *product != Product::ONE)
}

/// By how much x f / 2^places, rounded down, may be less than x / by, for a number x up to `high` and a factor f in a range; none if it may be
/// more.
fn too_small(high: i128, (least, most): (i128, i128), places: u32, by: i128) -> Option<i128> {
    let one = 1_i128 << places;
    let over = by.checked_mul(most)? - one;
    if over > 0 && high.checked_mul(over)? >= one {
        return None;
    }
    let under = (one - by.checked_mul(least)?).max(0);
    let whole = one.checked_mul(by)?;
    Some(high.checked_mul(under)?.checked_add(whole - 1)? / whole)
}

/// The largest number that divides two others.
const fn divisor(one: u64, other: u64) -> u64 {
    if other == 0 { one } else { divisor(other, one % other) }
}

#[cfg(test)]
mod tests {
    use super::too_small;

    /// No quotient of small numbers is too large, or too small by more; many are too small by just so much.
    #[test]
    fn quotients_of_small_numbers() {
        let (places, mut met) = (6, 0);
        for by in 1..20_i128 {
            for least in 0..80 {
                for most in least..80 {
                    for high in [0, 1, 7, 30, 63, 100] {
                        let errors =
                            |factor: i128| (0..=high).map(move |x| x / by - ((x * factor) >> places));
                        let all = (least..=most).flat_map(errors);
                        let (less, more) = (all.clone().max().unwrap(), all.min().unwrap());
                        if let Some(below) = too_small(high, (least, most), places, by) {
                            assert!(more >= 0 && less <= below, "{by} {least}..{most} {high}");
                            met += i32::from(less == below);
                        }
                    }
                }
            }
        }
        assert!(met > 10_000);
    }
}
