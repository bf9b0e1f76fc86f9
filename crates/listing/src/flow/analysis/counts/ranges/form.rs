//! Registers as sums of what registers held, modulo 2 to a number of bits.
//!
//! Two sums of the same terms differ by a number, whatever is known of the terms: `x - (x & 3)` is a multiple of 4, and a comparison of
//! `r = x + 1` says something of x and of `x - 5` too. What a register held stays known as it is overwritten: a term names
//! the instruction that did so, and what names it is forgotten once a thread reaches that instruction again.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::interval::{Interval, Value};

/// Terms of a sum.
const MOST_TERMS: usize = 4;

/// How deep a term may hold others.
pub(super) const DEEPEST: u32 = 2;

/// A number that is not followed further.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Atom<'a> {
    /// What a register holds, or what it held just before a thread reached this instruction the last time.
    Held(&'a str, Option<usize>),
    /// The lesser of two numbers, with a sign or without one.
    Least(bool, Rc<[Form<'a>; 2]>),
}

/// A sum of multiples of atoms and a number of an interval, modulo 2 to the power of `bits`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Form<'a> {
    pub(super) bits: u32,
    pub(super) terms: Vec<(Atom<'a>, i128)>,
    pub(super) plus: Interval,
}

impl<'a> Form<'a> {
    pub(super) fn number(bits: u32, plus: Interval) -> Option<Self> {
        Some(Self { bits, terms: vec![], plus: Value::new(bits, plus.with_ends([None; 2]))?.modular() })
    }

    pub(super) fn of(bits: u32, atom: Atom<'a>) -> Self {
        Self { bits, terms: vec![(atom, 1)], plus: Interval::point(0) }
    }

    /// Adds a multiple of another form; both hold modulo 2 to the lesser number of bits.
    pub(super) fn add(self, other: &Self, by: i128) -> Option<Self> {
        let bits = self.bits.min(other.bits);
        let mut terms = self.terms;
        for (atom, factor) in &other.terms {
            let more = factor.checked_mul(by)?;
            match terms.iter_mut().find(|(known, _)| known == atom) {
                Some((_, sum)) => *sum = sum.checked_add(more)?,
                None => terms.push((atom.clone(), more)),
            }
        }
        // Factors are numbers modulo 2 to the number of bits too.
        for (_, factor) in &mut terms {
            *factor = Value::new(bits, Interval::point(*factor))?.modular().low;
        }
        terms.retain(|(_, factor)| *factor != 0);
        let plus = self.plus.plus(other.plus.times(Interval::point(by))?)?;
        (terms.len() <= MOST_TERMS).then_some(Self { terms, ..Self::number(bits, plus)? })
    }

    pub(super) fn depth(&self) -> u32 {
        let of = |atom: &Atom<'a>| match atom {
            Atom::Held(..) => 0,
            Atom::Least(_, forms) => 1 + forms.iter().map(Self::depth).max().unwrap_or(0),
        };
        self.terms.iter().map(|(atom, _)| of(atom)).max().unwrap_or(0)
    }

    /// The registers of which it is made.
    pub(super) fn names(&self, found: &mut BTreeSet<&'a str>) {
        for (atom, _) in &self.terms {
            match atom {
                Atom::Held(name, _) => _ = found.insert(name),
                Atom::Least(_, forms) => forms.iter().for_each(|form| form.names(found)),
            }
        }
    }

    /// The same where a thread has reached an instruction that writes a register; none if it says something of what that held before
    /// an earlier time.
    pub(super) fn overwritten(mut self, name: &str, at: usize) -> Option<Self> {
        for (atom, _) in &mut self.terms {
            match atom {
                Atom::Held(held, before) if *held == name => match before {
                    None => *before = Some(at),
                    Some(before) if *before == at => return None,
                    Some(_) => {}
                },
                Atom::Held(..) => {}
                Atom::Least(_, forms) => {
                    let [one, other] = &**forms;
                    let both = [one.clone().overwritten(name, at)?, other.clone().overwritten(name, at)?];
                    *forms = Rc::new(both);
                }
            }
        }
        Some(self)
    }
}

/// Registers that are known as forms.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Forms<'a> {
    pub(super) forms: BTreeMap<&'a str, Form<'a>>,
    /// Each register of which one is made, with that one: most registers of long code have nothing made of them.
    of: BTreeSet<(&'a str, &'a str)>,
}

impl<'a> Forms<'a> {
    pub(super) fn insert(&mut self, name: &'a str, form: Form<'a>) {
        self.forget(name);
        let mut names = BTreeSet::new();
        form.names(&mut names);
        self.of.extend(names.into_iter().map(|of| (of, name)));
        self.forms.insert(name, form);
    }

    /// Forgets what one register is made of.
    fn forget(&mut self, name: &'a str) -> Option<Form<'a>> {
        let form = self.forms.remove(name)?;
        let mut names = BTreeSet::new();
        form.names(&mut names);
        names.into_iter().for_each(|of| _ = self.of.remove(&(of, name)));
        Some(form)
    }

    pub(super) fn made_of(&self, of: &'a str) -> Vec<&'a str> {
        self.of.range((of, "")..).take_while(|(one, _)| *one == of).map(|&(_, name)| name).collect()
    }

    /// What is left where a thread has reached an instruction that writes a register.
    pub(super) fn overwrite(&mut self, name: &'a str, at: usize) {
        self.forget(name);
        for made in self.made_of(name) {
            if let Some(form) = self.forget(made).and_then(|form| form.overwritten(name, at)) {
                self.insert(made, form);
            }
        }
    }

    /// Forgets all that is made of a register, or that it is made of.
    pub(super) fn forget_all(&mut self, name: &'a str) {
        self.forget(name);
        self.made_of(name).into_iter().for_each(|made| _ = self.forget(made));
    }

    /// Forgets registers but those of which this is true.
    pub(super) fn retain(&mut self, is_kept: impl Fn(&str) -> bool) {
        self.forms.retain(|name, _| is_kept(name));
        self.of.retain(|(_, name)| is_kept(name));
    }

    /// What both say.
    pub(super) fn in_both(&self, other: &Self) -> Self {
        let mut both = self.clone();
        both.retain(|name| self.forms.get(name) == other.forms.get(name));
        both
    }
}
