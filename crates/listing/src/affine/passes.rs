//! How often a loop that counts is passed.

use crate::affine::atom::Key;
use crate::affine::context::{Context, limits};
use crate::affine::form::{Form, Product};
use crate::affine::value::Comparison;
use warpspan_lift::Relation;

/// The number of the last pass, from 0, of a loop whose passes all come to a comparison, and which go on only if it holds, or, without
/// `holds`, only if it does not.
///
/// With the number n of the pass, one side of it is r + c n, where r is the same in all passes, and the other one does not count. As long as it holds for n, r + c n
/// is within a range, and c more is still a number of its type, so that r + c (n + 1) has not wrapped either. So the
/// comparison is that of the numbers for each n up to the first for which it does not hold.
pub(super) fn last_pass(
    context: &Context,
    (header, bit): (usize, u64),
    of: &Comparison,
    holds: bool,
) -> Option<i128> {
    let passes = Product::of(context.atoms.find(Key::Passes(header))?);
    let Comparison { order, left, right, bits, signed } = of;
    let order = if holds { *order } else { order.denied() };
    let counts =
        |form: &Form| form.terms().any(|(product, _)| product.atoms().any(|one| Product::of(one) == passes));
    // The side that counts comes first.
    let (counter, other, order) = match (counts(left), counts(right)) {
        (true, false) => (left, right, order),
        (false, true) => (right, left, order.mirrored()),
        _ => return None,
    };
    let table = counter.coefficient(passes);
    if !context.is_same(&table) {
        return None;
    }
    let step = i128::from(context.first(&table));
    let rest = counter.minus(&Form::from_terms([(passes, table)]))?;
    let stays = |form: &Form| context.changes(form) & bit == 0;
    if counts(&rest) || !stays(&rest) || order == Relation::NotEqual && !stays(other) {
        return None;
    }
    let (least, most) = context.fits(other, *bits, *signed)?;
    let (begin, latest) = context.fits(&rest, *bits, *signed)?;
    let (lowest, end) = limits(*bits, *signed);
    let steps = |way: i128, step: i128| if way <= 0 { 0 } else { (way - 1) / step + 1 };
    match order {
        Relation::Less if step > 0 && most - 1 + step < end => Some(steps(most - begin, step)),
        Relation::LessEqual if step > 0 && most + step < end => Some(steps(most + 1 - begin, step)),
        Relation::Greater if step < 0 && least + 1 + step >= lowest => Some(steps(latest - least, -step)),
        Relation::GreaterEqual if step < 0 && least + step >= lowest => {
            Some(steps(latest + 1 - least, -step))
        }
        // It comes to the other number exactly.
        Relation::NotEqual if step == 1 && latest <= least => Some(most - begin),
        Relation::NotEqual if step == -1 && begin >= most => Some(latest - least),
        Relation::NotEqual => {
            let (begin, end) = (context.constant(&rest)?, context.constant(other)?);
            let way = i128::from(end) - i128::from(begin);
            (step != 0 && way % step == 0 && way / step >= 0).then(|| way / step)
        }
        _ => None,
    }
}
