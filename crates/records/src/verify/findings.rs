//! What was found in a record, number by number.

use std::fmt::Display;

use crate::Assumption;
use crate::assumption::are_of_listing;
use crate::basis::Basis;
use crate::verify::evidence::{self, Context};
use crate::verify::{Contradiction, How, Number, Side, Verify, Weakest};
use warpspan_check::bound::Statement;
use warpspan_check::bound::statement::{self, STATEMENTS};
use warpspan_model::assumption::Id;
use warpspan_rta::Verdict as DeadlineVerdict;

/// The numbers of a record and what they follow from.
#[doc(hidden)]
#[derive(Debug, Default)]
pub struct Found {
    numbers: Vec<Number>,
    named: Vec<&'static str>,
    contradictions: Vec<Contradiction>,
    assumptions: Vec<Assumption>,
    /// What upper bounds rest on, where it is something else than `assumptions`; else empty.
    pub(crate) of_bounds: Vec<Assumption>,
    /// The names on which alone bounds from below and what they refute rest; none where that is all of them.
    pub(crate) least: Option<&'static [Id]>,
    pub(crate) notes: Vec<String>,
}

/// Why nothing is known of a number that comes without evidence.
pub(crate) const NO_EVIDENCE: &str = "the record does not say what it follows from";

impl Found {
    /// What is found by this.
    pub(crate) fn of(fill: impl FnOnce(&mut Self)) -> Option<Self> {
        let mut found = Self::default();
        fill(&mut found);
        Some(found)
    }

    /// A number that follows from all of these.
    pub(crate) fn by(
        &mut self,
        name: impl Into<String>,
        value: impl Display,
        side: Side,
        statements: &[&'static Statement],
    ) {
        let weakest = statements.iter().map(|one| one.checked).min();
        self.checked(name, value, side, (weakest.map_or(How::Unknown, Into::into), statements));
    }

    /// A number that is checked just so, and follows from these.
    pub(crate) fn checked(
        &mut self,
        name: impl Into<String>,
        value: impl Display,
        side: Side,
        (checked, statements): (How, &[&'static Statement]),
    ) {
        self.named.extend(statements.iter().map(|one| one.name));
        self.numbers.push(Number {
            name: name.into(),
            value: value.to_string(),
            side,
            checked,
            by: statements.iter().map(|one| one.name.to_owned()).collect(),
            why: (checked == How::Unknown).then(|| NO_EVIDENCE.to_owned()),
            rests_on: Vec::new(),
        });
    }

    /// A number with the evidence that the record names for it, if it names any.
    pub(crate) fn with_basis(
        &mut self,
        name: impl Into<String>,
        value: impl Display,
        side: Side,
        (basis, context): (Option<Basis>, Context),
    ) {
        match basis.map(|basis| (basis, evidence::statement(basis, context))) {
            Some((Basis { checked, .. }, Some(statement))) => {
                self.checked(name, value, side, (How::from(checked), &[statement]));
            }
            Some((Basis { name: claimed, checked }, None)) => {
                let why = format!(
                    "{} checked by {} is more than is known of such a number",
                    claimed.name(),
                    checked.name()
                );
                self.unknown(name, value, side, &why);
            }
            None => self.unknown(name, value, side, NO_EVIDENCE),
        }
    }

    /// Adds to the last number what else there is to know of it, unless it says already why nothing is known.
    pub(crate) fn remark(&mut self, what: &str) {
        if let Some(last) = self.numbers.last_mut().filter(|last| last.why.is_none()) {
            last.why = Some(what.to_owned());
        }
    }

    /// A number for which it is unknown how it is checked.
    pub(crate) fn unknown(&mut self, name: impl Into<String>, value: impl Display, side: Side, why: &str) {
        self.plain(name, value, side, (How::Unknown, Some(why)));
    }

    /// A number that claims to be no bound.
    pub(crate) fn estimate(&mut self, name: impl Into<String>, value: Option<impl Display>) {
        if let Some(value) = value {
            self.plain(name, value, Side::Estimate, (How::NoBound, None));
        }
    }

    /// A number that was given.
    pub(crate) fn given(&mut self, name: impl Into<String>, value: impl Display, why: Option<&str>) {
        self.plain(name, value, Side::Given, (How::Assumed, why));
    }

    fn plain(
        &mut self,
        name: impl Into<String>,
        value: impl Display,
        side: Side,
        (checked, why): (How, Option<&str>),
    ) {
        let (name, value, why) = (name.into(), value.to_string(), why.map(str::to_owned));
        self.numbers.push(Number { name, value, side, checked, by: Vec::new(), why, rests_on: Vec::new() });
    }

    /// The weakest check of the numbers so far whose names satisfy this; `None` where there is none.
    pub(crate) fn weakest_of(&self, chosen: impl Fn(&str) -> bool) -> Option<How> {
        let claims = self.numbers.iter().filter(|number| chosen(&number.name)).map(|number| number.checked);
        claims.filter(|how| how.strength().is_some()).min_by_key(|how| how.strength())
    }

    /// Adds what the numbers rest on, each thing once.
    pub(crate) fn rests_on(&mut self, all: impl IntoIterator<Item = Assumption>) {
        for one in all {
            if !self.assumptions.contains(&one) {
                self.assumptions.push(one);
            }
        }
        self.assumptions.sort_by_key(|one| one.kind);
    }

    /// Says of each number on what it rests, where that is not said yet: those of parts have it before their part gets its name.
    fn settle(&mut self) {
        let of_bounds = std::mem::take(&mut self.of_bounds);
        if self.numbers.iter().any(|number| !number.rests_on.is_empty()) {
            return;
        }
        for number in &mut self.numbers {
            let is_least = number.side == Side::Lower
                || number.side == Side::Verdict && number.value == DeadlineVerdict::Refuted.name();
            let counts = |one: &&Assumption| match number.side {
                Side::Given => false,
                _ if is_least => self.least.is_none_or(|least| least.iter().any(|id| id.name() == one.id)),
                _ => true,
            };
            let is_apart = number.side == Side::Upper && !of_bounds.is_empty();
            let all = if is_apart { &of_bounds } else { &self.assumptions };
            number.rests_on = all.iter().filter(counts).map(|one| one.id.clone()).collect();
            number.rests_on.sort_unstable();
            number.rests_on.dedup();
        }
        self.rests_on(of_bounds);
    }

    /// Adds what was found in a part of the record, under its name.
    pub(crate) fn under(&mut self, part: &str, mut found: Self) {
        found.settle();
        let named = |number: Number| Number { name: format!("{part}: {}", number.name), ..number };
        self.numbers.extend(found.numbers.into_iter().map(named));
        self.named.extend(found.named);
        let of_number =
            |one: Contradiction| Contradiction { number: format!("{part}: {}", one.number), ..one };
        self.contradictions.extend(found.contradictions.into_iter().map(of_number));
        let of_part = |one: Assumption| Assumption { subject: format!("{part}, {}", one.subject), ..one };
        self.rests_on(found.assumptions.into_iter().map(of_part));
        let new: Vec<String> = found.notes.into_iter().filter(|note| !self.notes.contains(note)).collect();
        self.notes.extend(new);
    }

    /// Says of all that is claimed so far that its code was read from a listing, where it was: no more is known of it than of the reading.
    pub(crate) fn of_listing(&mut self, assumptions: &[Assumption]) {
        if !are_of_listing(assumptions) {
            return;
        }
        let (by, checked) = (statement::LISTING.name, How::from(statement::LISTING.checked));
        let is_claimed = |one: &&mut Number| {
            one.checked.strength().is_some() && !matches!(one.side, Side::Given | Side::Estimate)
        };
        for number in
            self.numbers.iter_mut().filter(is_claimed).filter(|one| !one.by.iter().any(|known| known == by))
        {
            number.by.push(by.to_owned());
            if checked.strength() < number.checked.strength() {
                number.checked = checked;
            }
            self.named.push(by);
        }
    }

    /// The numbers, each with what it rests on.
    pub(crate) fn numbers(mut self) -> Vec<Number> {
        self.settle();
        self.numbers
    }

    /// Compares what the record says in its list of numbers.
    pub(crate) fn beside(&mut self, said: &[Number]) {
        self.settle();
        // Several rows may have one name.
        let other = |number: &Number| {
            let same = || said.iter().filter(|one| (&one.name, one.side) == (&number.name, number.side));
            let first = same().next()?;
            let is_said = same().any(|one| one.value == number.value);
            let other_value = || format!("its list of numbers says {}", first.value);
            if !is_said {
                return Some((number.name.clone(), other_value()));
            }
            let rests_on = |one: &Number| {
                if one.rests_on.is_empty() { "nothing".to_owned() } else { one.rests_on.join(", ") }
            };
            let is_known = same().any(|one| one.rests_on == number.rests_on);
            let other_ground = || {
                let [said, found] = [first, number].map(rests_on);
                format!("its list of numbers says that it rests on {said}, and its assumptions are {found}")
            };
            (!is_known).then(|| (number.name.clone(), other_ground()))
        };
        let all: Vec<(String, String)> = self.numbers.iter().filter_map(other).collect();
        for (name, why) in all {
            self.contradicted(&name, why);
        }
    }

    /// The ends of an interval, the lower first.
    pub(crate) fn ends(&mut self, [lower, upper]: [impl AsRef<str>; 2]) {
        let (lower, upper) = (lower.as_ref(), upper.as_ref());
        let value = |name: &str| {
            let number = self.numbers.iter().find(|number| number.name == name)?;
            number.value.parse::<f64>().ok()
        };
        if let (Some(least), Some(most)) = (value(lower), value(upper))
            && least > most
        {
            self.contradicted(upper, format!("{lower} is {least}"));
        }
    }

    /// Nothing is known of a number that something else in the record contradicts.
    pub(crate) fn contradicted(&mut self, name: &str, why: impl Into<String>) {
        let why = why.into();
        for number in self.numbers.iter_mut().filter(|number| number.name == name) {
            number.checked = How::Unknown;
            number.why = Some(format!("the record contradicts itself: {why}"));
        }
        self.contradictions.push(Contradiction { number: name.to_owned(), why });
    }

    /// The record of it.
    pub(crate) fn record(mut self, of: String) -> Verify {
        self.settle();
        let claims = self.numbers.iter().filter(|number| number.checked.strength().is_some());
        let weakest = claims.min_by_key(|number| number.checked.strength());
        let named = STATEMENTS.iter().filter(|one| self.named.contains(&one.name));
        Verify {
            of: Some(of),
            weakest: weakest.map(|number| Weakest { checked: number.checked, number: number.name.clone() }),
            theorems: named.copied().map(Into::into).collect(),
            numbers: self.numbers,
            contradictions: self.contradictions,
            assumptions: self.assumptions,
            notes: self.notes,
        }
    }
}
