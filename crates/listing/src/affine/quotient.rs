//! What is known of forms that stand in divisions.

use crate::affine::form::Form;

/// What a form is in a division.
#[derive(Debug, Clone)]
pub(super) struct Division {
    /// The form.
    pub(super) whole: Form,
    /// What it is.
    pub(super) what: What,
}

/// What a form may be in a division.
#[derive(Debug, Clone)]
pub(super) enum What {
    /// A factor in this range.
    Factor((i128, i128)),
    /// A number times a factor between two others, divided by a power of two and rounded down.
    Scaled { number: Form, factor: (i128, i128), places: u32 },
    /// The quotient of a number and another one, rounded down, or a number that is `below` less at most.
    Quotient { number: Form, by: i128, below: i128 },
}
