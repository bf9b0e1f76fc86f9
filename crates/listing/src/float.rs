//! Bits of floating-point numbers, as far as they divide integers.
//!
//! Compilers write the quotient of two integers, of which neither is a constant, as a product with a reciprocal: `I2F`, `MUFU.RCP`,
//! `F2I`, and one step of Newton's method in integers. The bits of positive numbers stand in the order of the numbers, so that
//! an interval of bits is one of numbers, and all of these functions rise or fall.

use crate::interval::Interval;

/// The bits of the numbers next to positive integers, whatever the rounding is.
pub(crate) fn of_integers(integers: Interval) -> Option<Interval> {
    let fits = integers.low >= 1 && integers.high <= u32::MAX.into();
    let wide = |integer: i128| Some(f64::from(u32::try_from(integer).ok()?));
    fits.then(|| Some(Interval::new(around(wide(integers.low)?)?[0], around(wide(integers.high)?)?[1])))?
}

/// The bits of the reciprocals of numbers between 1/2 and 2^33. The manual of PTX gives `rcp.approx.ftz.f32` an error of one in the
/// last place.
pub(crate) fn reciprocals(of: Interval) -> Option<Interval> {
    let inverse = |bits: i128| number(bits).filter(|number| (0.5..8_589_934_592.0).contains(number));
    let (least, most) = (inverse(of.low)?, inverse(of.high)?);
    Some(Interval::new(around(1.0 / most)?[0] - 1, around(1.0 / least)?[1] + 1))
}

/// Numbers without their fractions, if all fit into 32 bits.
pub(crate) fn truncated(of: Interval) -> Option<Interval> {
    let (least, most) = (number(of.low)?, number(of.high)?);
    let integer = |number: f64| format!("{:.0}", number.trunc()).parse::<i128>().ok();
    let fits = least >= 0.0 && most < 4_294_967_296.0;
    fits.then(|| Some(Interval::new(integer(least)?, integer(most)?)))?
}

/// The bits of the numbers of 32 bits on both sides of a positive one, which are the same if it is one of them. A reciprocal of such
/// a number that is none itself is further from all of them than a division of 64 bits is off.
#[expect(clippy::cast_possible_truncation, reason = "rounding to 32 bits is meant")]
fn around(exact: f64) -> Option<[i128; 2]> {
    let near = exact as f32;
    let bits = i128::from(near.to_bits());
    (near.is_normal() && near > 0.0).then(|| {
        let off = f64::from(near).total_cmp(&exact);
        [bits - i128::from(off.is_gt()), bits + i128::from(off.is_lt())]
    })
}

/// The positive number of some bits.
fn number(bits: i128) -> Option<f64> {
    let number = f32::from_bits(u32::try_from(bits).ok()?);
    (number.is_normal() && number > 0.0).then(|| number.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bits of all numbers in between lie between those of the ends.
    #[test]
    fn reciprocals_of_integers() {
        for (low, high) in [(1, 1), (3, 7), (1000, 1024), (0x7fff_ffff, 0xffff_ffff)] {
            let found = of_integers(Interval::new(low, high)).and_then(reciprocals).unwrap();
            for one in [low, i128::midpoint(low, high), high] {
                let exact = around(1.0 / f64::from(u32::try_from(one).unwrap())).unwrap();
                assert!(found.low < exact[0] && exact[1] < found.high, "{one}");
                assert!(found.high - found.low < 5 || low < high);
            }
        }
        assert_eq!(of_integers(Interval::new(0, 7)), None);
        assert_eq!(reciprocals(Interval::new(0, 7)), None);
    }

    #[test]
    fn fractions_are_left_out() {
        let bits = |number: f32| i128::from(number.to_bits());
        let found = |low: f32, high: f32| truncated(Interval::new(bits(low), bits(high)));
        assert_eq!(found(1.9, 3.99), Some(Interval::new(1, 3)));
        assert_eq!(found(-1.0, 3.0), None);
        assert_eq!(found(1.0, 4_294_967_296.0), None);
    }
}
