//! Registers that are known as sums, and what follows from that.

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::flow::analysis::counts::effect::{Operation, Source, Term};
use crate::flow::analysis::counts::ranges::form::{Atom, DEEPEST, Form};
use crate::flow::analysis::counts::ranges::state::State;
use crate::interval::{IntegerType, Interval, Value};

impl<'a> State<'a> {
    /// What a result is the sum of, in all of its bits, or as many of the lowest ones as are known (`lowest`).
    pub(super) fn form_of(&self, operation: &Operation<'a>, bits: u32, lowest: bool) -> Option<Form<'a>> {
        let form = |term: Term<'a>, bits: u32| self.form(term, bits, lowest);
        let number = |term: Term<'a>| self.value(term, bits)?.modular().only();
        match operation {
            Operation::Sum(terms) => {
                let sum = Form::number(bits, Interval::point(0))?;
                terms.iter().try_fold(sum, |sum, &term| sum.add(&form(term, bits)?, 1))
            }
            Operation::Product(a, b, more) => {
                let (of, by) = match (number(*a), number(*b)) {
                    (_, Some(by)) => (*a, by),
                    (Some(by), _) => (*b, by),
                    _ => return None,
                };
                let more = more.map_or(Form::number(bits, Interval::point(0)), |more| form(more, bits))?;
                more.add(&form(of, bits)?, by)
            }
            Operation::ShiftLeft(a, by) => {
                let by = self.shift(*by, bits)?;
                Form::number(bits, Interval::point(0))?.add(&form(*a, bits)?, 1 << by)
            }
            Operation::And(a, b) if lowest => {
                let (of, mask) = match (number(*a), number(*b)) {
                    (_, Some(mask)) => (*a, mask),
                    (Some(mask), _) => (*b, mask),
                    _ => return None,
                };
                // The mask of the lowest bits.
                let size = mask.rem_euclid(1 << bits) + 1;
                let fits = size & (size - 1) == 0 && size > 1;
                Form::number(size.trailing_zeros(), Interval::point(0))
                    .filter(|_| fits)?
                    .add(&form(of, bits)?, 1)
            }
            Operation::Converted(from, a) => {
                let (bits, all) = (bits.min(from.bits), bits <= from.bits);
                form(*a, bits).filter(|_| lowest || all)
            }
            // The greater one of a and b is -1 less the lesser one of -1 - a and -1 - b.
            Operation::Least(kind, a, b) | Operation::Most(kind, a, b) if kind.bits == bits => {
                let by = if matches!(operation, Operation::Least(..)) { 1 } else { -1 };
                let less = Form::number(bits, Interval::point((by - 1) / 2))?;
                let [a, b] = [*a, *b].map(|term| less.clone().add(&self.form(term, bits, false)?, by));
                let both = [a?, b?];
                let exact = both
                    .iter()
                    .all(|one| one.bits == bits && one.plus.only().is_some() && one.depth() < DEEPEST);
                let least = exact.then(|| Form::of(bits, Atom::Least(kind.signed, Rc::new(both))))?;
                less.add(&least, by)
            }
            _ => None,
        }
    }

    /// The same of an operand.
    fn form(&self, term: Term<'a>, bits: u32, lowest: bool) -> Option<Form<'a>> {
        let form = match term.source {
            // What a register holds is not looked at: in the first pass of a loop that may be one number, and in others another one.
            Source::Register(name) => {
                let held = || Form::of(bits, Atom::Held(name, None));
                let known = self.sums.forms.get(name).filter(|known| known.bits >= bits);
                let part = self.remainders.forms.get(name).filter(|_| lowest);
                part.or(known).cloned().unwrap_or_else(held)
            }
            Source::Known(known) => Form::number(bits, known)?,
            Source::Unknown => return None,
        };
        Form::number(bits, Interval::point(0))?.add(&form, if term.negative { -1 } else { 1 })
    }

    /// Says what a register is the sum of, in all of its bits and in its lowest ones.
    pub(super) fn keep_forms(&mut self, name: &'a str, bits: u32, [sum, lowest]: [Option<Form<'a>>; 2]) {
        let made = |form: &Form<'a>| !form.terms.is_empty();
        if let Some(form) = sum.filter(|form| form.bits == bits).filter(made) {
            self.sums.insert(name, form);
        }
        if let Some(form) = lowest.filter(|form| form.bits < bits).filter(made) {
            self.remainders.insert(name, form);
        }
    }

    /// The numbers that a form may be, as far as its terms are registers that are known.
    fn range(&self, form: &Form<'a>) -> Option<Interval> {
        form.terms.iter().try_fold(form.plus, |sum, (atom, factor)| {
            let Atom::Held(name, None) = atom else { return None };
            let held =
                self.value(Term::of(Source::Register(name)), form.bits)?.modular().with_ends([None; 2]);
            sum.plus(held.times(Interval::point(*factor))?)
        })
    }

    /// By which numbers one form is larger than another one.
    fn above(&self, one: &Form<'a>, other: &Form<'a>) -> Option<Interval> {
        let difference = one.clone().add(other, -1)?;
        Some(Value::new(difference.bits, self.range(&difference)?)?.modular())
    }

    /// The numbers of a value that agree with what its lowest bits are the sum of.
    pub(super) fn aligned(&self, value: Value, lowest: Option<&Form<'a>>) -> Value {
        let Some(form) = lowest.filter(|form| form.bits < value.bits) else {
            return value;
        };
        let (size, known) = (1_i128 << form.bits, value.modular());
        let aligned = || {
            let rest = self.range(form)?.only().filter(|_| known.stride % size != 0)?;
            let low = known.low.checked_add((rest - known.low).rem_euclid(size))?;
            let high = known.high.checked_sub((known.high - rest).rem_euclid(size))?;
            let stride = if low == high { 0 } else { size };
            (low <= high).then(|| Value::new(value.bits, Interval { low, high, stride, ..known }))?
        };
        aligned().unwrap_or(value)
    }

    /// Other registers that differ from a register by a number of an interval, in these bits.
    pub(super) fn alike(&self, name: &'a str, bits: u32) -> Vec<(&'a str, Interval)> {
        let own =
            self.sums.forms.get(name).cloned().unwrap_or_else(|| Form::of(bits, Atom::Held(name, None)));
        let mut atoms = BTreeSet::new();
        own.names(&mut atoms);
        let others = atoms.iter().flat_map(|&of| self.sums.made_of(of)).collect::<BTreeSet<_>>();
        let others = others.into_iter().filter_map(|other| {
            let form = self.sums.forms.get(other).filter(|form| form.bits >= bits)?;
            Some((other, self.above(form, &own)?))
        });
        // A register that the form names is one itself.
        let held = atoms
            .iter()
            .filter_map(|&of| Some((of, self.above(&Form::of(bits, Atom::Held(of, None)), &own)?)));
        let all = others.chain(held.filter(|(of, _)| !self.sums.forms.contains_key(of)));
        all.filter(|(other, _)| *other != name && own.bits == bits).collect()
    }

    /// A number without its remainder by a power of two, where a sum is one. With d the number by which the whole is larger than what the
    /// remainder is taken of, whole - ((whole - d) mod m) is whole - d rounded down to a multiple of m, and d. All are numbers without a
    /// sign, and whole - d must be one.
    pub(super) fn multiples(&self, terms: &[Term<'a>], bits: u32) -> Option<Interval> {
        let zero = Source::Known(Interval::point(0));
        let mut real = terms.iter().filter(|term| term.source != zero);
        let (one, other, None) = (real.next()?, real.next()?, real.next()) else { return None };
        let (whole, rest) = if one.negative { (*other, *one) } else { (*one, *other) };
        let Source::Register(name) = rest.source else { return None };
        let part = self
            .remainders
            .forms
            .get(name)
            .filter(|part| part.bits < bits && rest.negative && !whole.negative)?;
        let (kind, size) = (IntegerType { signed: false, bits }, 1 << part.bits);
        let is_rest = self.seen(Term { negative: false, ..rest }, kind).is_some_and(|seen| seen.high < size);
        let more = self.above(&self.form(whole, bits, false)?, part)?.only().filter(|_| is_rest)?;
        let number = self.seen(whole, kind)?.plus(Interval::point(-more))?;
        let fits = kind.contains(number.low) && kind.contains(number.high);
        let multiples = number.quotients(size).times(Interval::point(size)).filter(|_| fits)?;
        multiples.plus(Interval::point(more))
    }
}
