//! Products that are made half by half, by `XMAD`.

use crate::flow::analysis::counts::effect::{Half, Source, Term};
use crate::flow::analysis::counts::lifted::Steps;
use warpspan_isa::register::Register;
use warpspan_lift::halves::{Part, part_of};
use warpspan_lift::{self as lift, Word};

impl<'a> Steps<'_, 'a> {
    /// The part of a product that a sum is.
    pub(super) fn half(&self, step: usize) -> Option<Half<'a>> {
        Some(match part_of(self.all, step)? {
            Part::Crossed(a, b) => Half::Crossed(self.known(a)?, self.known(b)?),
            Part::Lower(a, b, c) => Half::Lower(self.known(a)?, self.known(b)?, self.term(c)?),
            Part::Whole(a, t, c) => Half::Whole(self.known(a)?, self.register(t)?, self.register(c)?),
            Part::LowerByUpper(a, b) => Half::LowerByUpper(self.known(a)?, self.known(b)?),
            Part::Chained(a, b, c) => Half::Chained(self.known(a)?, self.known(b)?, self.register(c)?),
            Part::Upper(a, b, c) => Half::Upper(self.known(a)?, self.known(b)?, self.term(c)?),
            Part::UpperWord([x, y], c) => {
                Half::UpperWord([self.register(x)?, self.register(y)?], self.register(c)?)
            }
            Part::Short(a, b, c) => Half::Short(self.known(a)?, self.known(b)?, self.register(c)?),
        })
    }

    /// A factor. Two words of the constant bank of which the same is known need not be the same, unless each is one number.
    fn known(&self, term: lift::Term) -> Option<Term<'a>> {
        let term = self.factor(term)?;
        let is_known = match term.source {
            Source::Register(_) => true,
            Source::Known(known) => known.only().is_some(),
            Source::Unknown => false,
        };
        is_known.then_some(term)
    }

    fn register(&self, term: lift::Term) -> Option<&'a str> {
        match (term.word, term.sign) {
            (Word::Register(register), lift::Sign::Plain) => Register::name(register),
            _ => None,
        }
    }
}
