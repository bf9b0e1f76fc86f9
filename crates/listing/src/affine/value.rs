//! What a register holds.

use std::rc::Rc;

use crate::affine::form::Form;
use crate::affine::lanes::Lanes;
use warpspan_lift::Relation;

/// What is known of a register.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    /// Nothing.
    Unknown,
    /// It is this form modulo 2^w, where w is the width of the register.
    Form(Rc<Form>),
    /// It is the upper 32 bits of this form modulo 2^64.
    Upper(Rc<Form>),
    /// It is a predicate.
    Truth(Rc<Truth>),
    /// It is what is carried out of the lower 32 bits of the sum of these numbers of 32 bits without a sign.
    Carry(Rc<Vec<Form>>),
    /// It is one of the two bits that the sum of these carries: the first or the second one.
    OneCarry(Rc<Vec<Form>>, usize),
    /// It is a part of a product of numbers of 32 bits.
    Halves(Rc<Halves>),
}

/// A part of a product of two words, in halves of 16 bits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Halves {
    /// The product of the lower halves of two numbers plus a third.
    Lower(Form, Form, Form),
    /// The lower half of one times the upper half of another in 16 bits, and above it the lower half of the other.
    Merged(Form, Form),
    /// The lower half of one times the upper half of another.
    LowerByUpper(Form, Form),
    /// The upper half of one times the lower half of another, and what the product of the lower halves has above 16 bits.
    Chained(Form, Form),
    /// The product of the upper halves of two numbers plus a third.
    Upper(Form, Form, Form),
}

/// What is known of a predicate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Truth {
    /// For which lanes it holds.
    pub(super) kind: Kind,
    /// The comparison that it is the result of.
    pub(super) of: Option<Comparison>,
}

/// For which lanes a predicate holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// For those of this mask.
    Known(u32),
    /// For all that are together, or for none of them.
    Uniform,
    /// It changes once at most along the table, among lanes that agree in all of the others.
    Threshold(Box<Lanes>, Vec<Lanes>),
    /// For any.
    Any,
}

/// A comparison of two integers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Comparison {
    /// How they are compared.
    pub(super) order: Relation,
    /// The first one.
    pub(super) left: Form,
    /// The second one.
    pub(super) right: Form,
    /// Their bits.
    pub(super) bits: u32,
    /// Whether they have a sign.
    pub(super) signed: bool,
}

impl Value {
    /// A form.
    pub(super) fn form(form: Form) -> Self {
        Self::Form(Rc::new(form))
    }

    /// A form, if there is one.
    pub(super) fn maybe(form: Option<Form>) -> Self {
        form.map_or(Self::Unknown, Self::form)
    }

    /// A predicate of which nothing is compared.
    pub(super) fn truth(kind: Kind) -> Self {
        Self::Truth(Rc::new(Truth { kind, of: None }))
    }

    /// The form that it is.
    pub(super) fn as_form(&self) -> Option<&Form> {
        if let Self::Form(form) = self { Some(form) } else { None }
    }

    /// The comparison that a predicate is the result of.
    pub(super) fn compared(&self) -> Option<&Comparison> {
        if let Self::Truth(truth) = self { truth.of.as_ref() } else { None }
    }

    /// For which lanes it holds, if it is a predicate.
    pub(super) fn kind(&self) -> Kind {
        if let Self::Truth(truth) = self { truth.kind.clone() } else { Kind::Any }
    }
}

impl Kind {
    /// The opposite.
    pub(super) fn not(self) -> Self {
        if let Self::Known(mask) = self { Self::Known(!mask) } else { self }
    }

    /// Whether all lanes of a mask agree, as far as is known.
    pub(super) const fn is_uniform(&self, mask: u32) -> bool {
        match self {
            Self::Known(known) => *known & mask == 0 || *known & mask == mask,
            Self::Uniform => true,
            Self::Threshold(..) | Self::Any => false,
        }
    }

    /// Whether it holds, or does not, for all lanes of a mask, as is known.
    pub(super) const fn decided(&self, mask: u32) -> Option<bool> {
        match self {
            Self::Known(known) if *known & mask == mask => Some(true),
            Self::Known(known) if *known & mask == 0 => Some(false),
            _ => None,
        }
    }
}
