//! Functions of the bits of three words.

use crate::affine::bits::Logic;
use crate::affine::context::Context;
use crate::affine::form::Form;
use warpspan_lift::TABLES;

impl Context {
    /// A function of the bits of three numbers, as a table of eight bits: bit 4 a + 2 b + c of it.
    pub(super) fn by_table(&mut self, forms: &[Option<Form>; 3], table: u8, bits: u32) -> Option<Form> {
        if table == 0 {
            return Some(Form::default());
        }
        let not = |one: &Option<Form>| {
            one.as_ref().and_then(|one| Form::number(-1).minus(one)).map(|one| one.modulo(bits))
        };
        let mut sides: Vec<(u8, Option<Form>)> = Vec::new();
        for (input, form) in TABLES.into_iter().zip(forms) {
            sides.push((input, form.clone()));
            sides.push((!input, not(form)));
        }
        if let Some((_, form)) = sides.iter().find(|(side, _)| *side == table) {
            return form.clone();
        }
        let of = |logic: Logic, one: u8, two: u8| match logic {
            Logic::And => one & two,
            Logic::Or => one | two,
            Logic::Xor => one ^ two,
        };
        const ALL: [Logic; 3] = [Logic::And, Logic::Or, Logic::Xor];
        for logic in ALL {
            for (one, of_one) in &sides {
                for (two, of_two) in &sides {
                    if of(logic, *one, *two) == table {
                        return self.logic(logic, of_one.as_ref(), of_two.as_ref(), bits);
                    }
                }
            }
        }
        for (inner, outer) in ALL.into_iter().flat_map(|inner| ALL.map(|outer| (inner, outer))) {
            for (one, of_one) in &sides {
                for (two, of_two) in &sides {
                    for (three, of_three) in &sides {
                        if of(outer, of(inner, *one, *two), *three) == table {
                            let both = self.logic(inner, of_one.as_ref(), of_two.as_ref(), bits);
                            return self.logic(outer, both.as_ref(), of_three.as_ref(), bits);
                        }
                    }
                }
            }
        }
        None
    }
}
