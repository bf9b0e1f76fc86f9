//! Comparisons, and functions of bits.

use std::rc::Rc;

use crate::affine::bits::Logic;
use crate::affine::context::Context;
use crate::affine::steps::Steps;
use crate::affine::value::{Kind, Truth, Value};
use warpspan_lift::{Bit, Relation, TABLES, Term, Word};

impl Steps<'_> {
    pub(super) fn compare(
        &self,
        context: &mut Context,
        relation: Relation,
        signed: bool,
        of: [Term; 2],
    ) -> Value {
        let of_warp = |term: Term| match term.word {
            Word::Number(_) | Word::Literal => true,
            Word::Register(register) => register.file.is_of_warp(),
            _ => false,
        };
        let [a, b] = of.map(|term| self.form(context, term));
        let value = context.compare(relation, a.as_ref(), b.as_ref(), (self.lifted.bits, signed));
        // Whatever they hold, it is the same for all lanes.
        if value.kind() == Kind::Any && of.into_iter().all(of_warp) && context.together {
            return Value::truth(Kind::Uniform);
        }
        value
    }

    /// A function of bits. A comparison that the other bit leaves as it is stays a comparison.
    pub(super) fn bits(&self, context: &Context, table: u8, bits: [Bit; 3]) -> Value {
        let [one, two, _] = TABLES;
        let values = bits.map(|bit| self.bit(bit));
        let kinds = values.each_ref().map(Value::kind);
        let logic = [(one & two, Logic::And), (one | two, Logic::Or), (one ^ two, Logic::Xor)];
        let logic = logic.into_iter().find(|(of, _)| *of == table).map(|(_, logic)| logic);
        if let Some(logic) = logic {
            let [value, _, _] = values;
            let [kind, other, _] = kinds;
            return match (logic, &other) {
                (Logic::And, Kind::Known(u32::MAX)) | (Logic::Or | Logic::Xor, Kind::Known(0)) => value,
                _ => Value::truth(context.both(logic, kind, other)),
            };
        }
        let known =
            kinds.each_ref().map(|kind| if let Kind::Known(mask) = kind { Some(*mask) } else { None });
        let kind = match known {
            [Some(a), Some(b), Some(c)] => Kind::Known(by_bits([a, b, c], table)),
            _ if kinds.iter().all(|kind| kind.is_uniform(context.mask)) => Kind::Uniform,
            _ => Kind::Any,
        };
        Value::Truth(Rc::new(Truth { kind, of: None }))
    }
}

/// What a table of three bits gives for each bit of three numbers.
fn by_bits(of: [u32; 3], table: u8) -> u32 {
    (0..32).fold(0, |all, bit| {
        let index = of.iter().fold(0, |index, one| index << 1 | one >> bit & 1);
        all | (u32::from(table) >> index & 1) << bit
    })
}
