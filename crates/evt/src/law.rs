//! The two laws of extremes, in one form.

/// Which of the two laws.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Maxima of blocks: the generalised extreme value distribution (Co01, theorem 3.1).
    Maxima,
    /// What exceeds a threshold: the generalised Pareto distribution (Co01, theorem 4.1).
    Excesses,
}

/// A law of extremes. Its location is that of the generalised extreme value distribution, or the threshold of the
/// generalised Pareto distribution.
///
/// Both laws are told by one number, here `w`: with y = (x - location) / scale it is ln(1 + shape y) / shape, and y where
/// the shape is 0. P(X <= x) is exp(-exp(-w)) for maxima and 1 - exp(-w) for excesses.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Law {
    /// Its location, in the unit of the data.
    pub location: f64,
    /// Its scale, in the unit of the data; above 0.
    pub scale: f64,
    /// Its shape: above 0 the tail is heavy, below 0 there is a longest time, at 0 the tail falls exponentially.
    pub shape: f64,
}

/// Below this a shape is 0: the difference is lost in rounding.
const ZERO: f64 = 1e-9;

impl Law {
    /// The number `w` of a value; infinite outside of the law's range.
    pub fn reduced(&self, x: f64) -> f64 {
        let y = (x - self.location) / self.scale;
        if self.shape.abs() < ZERO {
            return y;
        }
        if self.shape * y <= -1.0 {
            return if self.shape < 0.0 { f64::INFINITY } else { f64::NEG_INFINITY };
        }
        (self.shape * y).ln_1p() / self.shape
    }

    /// The value of a number `w`: the inverse of [`Law::reduced`].
    pub fn at(&self, w: f64) -> f64 {
        let y = if self.shape.abs() < ZERO { w } else { (self.shape * w).exp_m1() / self.shape };
        self.location + self.scale * y
    }

    /// The end of its range, which no value exceeds; none where the shape is 0 or above.
    pub fn end(&self) -> Option<f64> {
        (self.shape <= -ZERO).then(|| self.location - self.scale / self.shape)
    }
}

impl Kind {
    /// The natural logarithms of P(X <= x) and of P(X > x), by the number `w` of x.
    pub fn logarithms(self, w: f64) -> [f64; 2] {
        match self {
            Self::Maxima => {
                let below = -(-w).exp();
                [below, (-below.exp_m1()).ln()]
            }
            Self::Excesses => [(-(-w).exp_m1()).ln(), -w],
        }
    }

    /// The number `w` of the value that is exceeded with a probability, of which this is the part of a
    /// generator of numbers between 0 and 1.
    pub fn draw(self, uniform: f64) -> f64 {
        match self {
            Self::Maxima => -(-uniform.ln()).ln(),
            Self::Excesses => -uniform.ln(),
        }
    }

    /// The negative logarithm of the likelihood of a law; infinite where a value is outside of its range.
    pub fn cost(self, law: &Law, data: &[f64]) -> f64 {
        if law.scale.is_nan() || law.scale <= 0.0 || law.shape.is_nan() {
            return f64::INFINITY;
        }
        let term = |x: &f64| {
            let w = law.reduced(*x);
            if !w.is_finite() || (self == Self::Excesses && w < 0.0) {
                return f64::INFINITY;
            }
            let of_maxima = if self == Self::Maxima { (-w).exp() } else { 0.0 };
            w * (1.0 + law.shape) + of_maxima
        };
        crate::real(data.len()) * law.scale.ln() + data.iter().map(term).sum::<f64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// P(X <= x) as Coles writes it, without the number `w`.
    fn as_published(kind: Kind, law: &Law, x: f64) -> f64 {
        let y = (x - law.location) / law.scale;
        let base = 1.0 + law.shape * y;
        match (kind, law.shape == 0.0) {
            (Kind::Maxima, true) => (-(-y).exp()).exp(),
            (Kind::Maxima, false) => (-base.powf(-1.0 / law.shape)).exp(),
            (Kind::Excesses, true) => 1.0 - (-y).exp(),
            (Kind::Excesses, false) => 1.0 - base.powf(-1.0 / law.shape),
        }
    }

    #[test]
    fn both_laws_are_those_of_the_book() {
        for kind in [Kind::Maxima, Kind::Excesses] {
            for shape in [-0.4, -0.05, 0.0, 0.05, 0.4] {
                let law = Law { location: 3.0, scale: 2.0, shape };
                for x in [3.1, 4.0, 5.0, 6.5] {
                    let [below, above] = kind.logarithms(law.reduced(x)).map(f64::exp);
                    let want = as_published(kind, &law, x);
                    assert!((below - want).abs() < 1e-12, "{kind:?} {shape} {x}: {below} {want}");
                    assert!((above - (1.0 - want)).abs() < 1e-12, "{kind:?} {shape} {x}");
                    assert!((law.at(law.reduced(x)) - x).abs() < 1e-9);
                    // The likelihood is the density, the slope of the distribution.
                    let step = 1e-5;
                    let slope = (as_published(kind, &law, x + step) - as_published(kind, &law, x - step))
                        / (2.0 * step);
                    let density = (-kind.cost(&law, &[x])).exp();
                    assert!((density - slope).abs() < 1e-7, "{kind:?} {shape} {x}: {density} {slope}");
                }
            }
        }
    }

    #[test]
    fn a_negative_shape_has_an_end_that_nothing_exceeds() {
        let law = Law { location: 3.0, scale: 2.0, shape: -0.5 };
        assert_eq!(law.end(), Some(7.0));
        assert_eq!(law.reduced(7.5), f64::INFINITY);
        assert_eq!(Kind::Maxima.cost(&law, &[7.5]), f64::INFINITY);
        assert_eq!(Law { shape: 0.5, ..law }.end(), None);
    }
}
