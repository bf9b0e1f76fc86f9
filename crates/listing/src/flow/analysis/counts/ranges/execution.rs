//! What an instruction does to a state.

use std::collections::HashSet;

use crate::flow::analysis::counts::effect::{Comparison, Condition, Half, Operation, Source, Term};
use crate::flow::analysis::counts::ranges::Ranges;
use crate::flow::analysis::counts::ranges::form::Form;
use crate::flow::analysis::counts::ranges::state::{Follows, State};
use crate::flow::analysis::counts::ranges::thresholds::Thresholds;
use crate::interval::IntegerType;
use crate::routine::Routine;
use warpspan_lift::Relation;

impl<'a> Ranges<'a> {
    /// What an instruction does to a state.
    pub(super) fn execute(
        &self,
        routine: &Routine<'a>,
        at: usize,
        state: &mut State<'a>,
        untracked: &HashSet<&'a str>,
        thresholds: &Thresholds,
    ) {
        let effect = &self.effects[at];
        if effect.everything {
            *state = State::default();
            return;
        }
        let guard = routine.instructions[at].guard;
        let guard = guard.map(|guard| Condition { register: guard.register, negated: guard.negated });
        let guard = guard.filter(|guard| !untracked.contains(guard.register));
        // Where the guard is true, and where it is not; one of them may be nowhere.
        let (there, kept) = match guard {
            None => (None, None),
            Some(guard) => {
                let Some(there) = state.where_it_holds(guard) else { return };
                (Some(there), state.where_it_holds(guard.denied()))
            }
        };
        let always = guard.is_some() && kept.is_none();
        let guarded =
            !always && (routine.instructions[at].conditional || routine.instructions[at].guard.is_some());
        let there = there.as_ref().unwrap_or(state);
        let results: Vec<_> = effect
            .writes
            .iter()
            .map(|write| {
                let follows = match &write.result {
                    Operation::All(comparison, given) => there.all(*comparison, given),
                    Operation::Any(comparison, given) => there.any(*comparison, given),
                    Operation::IfEqual { upper, lower, given, .. } if there.are_equal(*upper) => {
                        there.all(*lower, given)
                    }
                    Operation::Carry(terms) => match there.carry(terms) {
                        Some(true) => Follows::always(),
                        Some(false) => Follows::never(),
                        None => Follows::default(),
                    },
                    _ => Follows::default(),
                };
                // What the numbers decide stays decided as the registers that are compared get other values.
                let follows = there.told_of_parts(there.decided(follows));
                if let Operation::All(Some(one), _)
                | Operation::Any(Some(one), _)
                | Operation::IfEqual { lower: Some(one), .. } = &write.result
                {
                    thresholds.add(there, one);
                }
                let forms = [false, true].map(|lowest| there.form_of(&write.result, write.bits, lowest));
                let value = there.result(&write.result, write.bits);
                let value = value.map(|value| there.aligned(value, forms[1].as_ref()));
                let value = if guarded {
                    // Where it is not executed the register stays as it is.
                    let kept = kept.as_ref().unwrap_or(state);
                    let old = kept.registers.get(write.register).copied();
                    old.zip(value).and_then(|(old, new)| old.hull(new))
                } else {
                    value
                };
                (value, follows, forms, there.part(write))
            })
            .collect();
        // What is found of the operands is about what they held before, which is no longer so of a register that is written.
        let written = |name: &str| effect.writes.iter().any(|write| write.register == name);
        let names = |one: &Comparison<'_>| {
            [one.left, one.right]
                .iter()
                .any(|term| matches!(term.source, Source::Register(name) if written(name)))
        };
        let overwritten = |form: Form<'a>| {
            effect.writes.iter().try_fold(form, |form, write| form.overwritten(write.register, at))
        };
        effect.writes.iter().for_each(|write| state.overwrite(write.register, at));
        for (write, (value, mut follows, forms, part)) in effect.writes.iter().zip(results) {
            let name = write.register;
            if untracked.contains(name) {
                continue;
            }
            if let Some(value) = value {
                thresholds.add_ends(value.modular());
                state.registers.insert(name, value);
            }
            follows.truth.retain(|one| !names(one));
            follows.falsity.retain(|one| !names(one));
            if !guarded && follows != Follows::default() {
                state.predicates.insert(name, follows);
            }
            let forms = if guarded { [None, None] } else { forms };
            state.keep_forms(name, write.bits, forms.map(|form| overwritten(form?)));
            let followed = |part: &Half<'a>| {
                let Some(factors) = part.factors() else { return false };
                let known = |name: &str| !untracked.contains(name) && !written(name);
                factors.iter().all(|term| term.register().is_none_or(known))
            };
            let part = part.filter(|(part, _)| !guarded && followed(part));
            state.halves.extend(part.map(|part| (name, part)));
        }
        for write in effect.writes.iter().filter(|_| !guarded) {
            let Operation::NotZero(register) = write.result else { continue };
            if untracked.contains(write.register) || untracked.contains(register) {
                continue;
            }
            let (left, right) = (Term::of(Source::Register(register)), Term::number(0));
            let kind = IntegerType { signed: false, bits: 32 };
            let truth = Comparison { relation: Relation::NotEqual, kind, left, right };
            let follows = Follows { truth: vec![truth], falsity: vec![truth.denied()] };
            state.predicates.insert(write.register, follows);
        }
    }
}
