//! The operands of an instruction of SASS, taken apart.

use crate::isa::register::Register;
use crate::routine::Instruction;

/// An operand of SASS.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Operand<'a> {
    /// As it is written, without hints of reuse.
    pub(crate) text: &'a str,
    /// Whether `-`, `~` or `!` stands before it.
    pub(crate) negated: bool,
    /// What it is.
    pub(crate) kind: Kind<'a>,
}

/// What an operand is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind<'a> {
    /// A register, or its absolute value or a part of it. `whole` says that nothing stands behind the name.
    Register {
        /// The register.
        register: Register,
        /// Whether all of it is meant, with its own sign.
        whole: bool,
    },
    /// `RZ` or `URZ`.
    Zero,
    /// `PT` or `UPT`.
    True,
    /// A number that is written with its digits.
    Number(u32),
    /// An address: `[R2.64+0x8]`, `c[0x0][0x160]`, `desc[UR4][R2.64]`, `gdesc[UR8]`.
    Address {
        /// What stands before the first bracket, without a sign: `c`, `desc` or nothing.
        of: &'a str,
    },
    /// Anything else: a special register, a place, a floating-point number.
    Other,
}

impl<'a> Operand<'a> {
    fn new(text: &'a str) -> Self {
        let text = text.trim().trim_end_matches(".reuse");
        let rest = text.trim_start_matches(['-', '~', '!']);
        let negated = rest.len() < text.len();
        let name = rest.trim_matches('|');
        let base = name.split('.').next().unwrap_or(name).trim_end_matches('|');
        let kind = match base {
            "RZ" | "URZ" => Kind::Zero,
            "PT" | "UPT" | "pt" => Kind::True,
            _ if rest.contains('[') => Kind::Address { of: rest.split('[').next().unwrap_or_default() },
            _ => match (Register::of(base), number(rest)) {
                (Some(register), _) => Kind::Register { register, whole: base.len() == rest.len() },
                (None, Some(value)) => Kind::Number(value),
                (None, None) => Kind::Other,
            },
        };
        Self { text, negated, kind }
    }

    /// The register that it is, or a part of which it is.
    pub(crate) const fn register(&self) -> Option<Register> {
        match self.kind {
            Kind::Register { register, .. } => Some(register),
            _ => None,
        }
    }

    /// The register that it is, without a sign and as a whole.
    pub(crate) fn plain(&self) -> Option<Register> {
        match self.kind {
            Kind::Register { register, whole: true } if !self.negated => Some(register),
            _ => None,
        }
    }

    /// Whether it is a predicate, or one that is always true.
    pub(crate) fn is_predicate(&self) -> bool {
        self.kind == Kind::True || self.register().is_some_and(|register| register.file.is_of_predicates())
    }

    /// Whether a uniform register chooses the register that it is: `R[UR4]`, at 12.0.
    pub(crate) fn is_chosen(&self) -> bool {
        matches!(self.kind, Kind::Address { of } if of.trim_start_matches('|') == "R")
    }

    /// Whether it is a predicate or its negation that may be a result: no constant, and not negated.
    pub(crate) fn predicate(&self) -> Option<Register> {
        self.plain().filter(|register| register.file.is_of_predicates())
    }
}

impl<'a> Instruction<'a> {
    /// The operands of an instruction of SASS, without what printers add behind them.
    pub(crate) fn operands(&self) -> Vec<Operand<'a>> {
        split(self.operands).map(Operand::new).collect()
    }

    /// The modifiers of its opcode.
    pub(crate) fn modifiers(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.opcode.split('.').skip(1)
    }

    /// Whether its opcode has a modifier.
    pub(crate) fn has_modifier(&self, modifier: &str) -> bool {
        self.modifiers().any(|one| one == modifier)
    }

    /// Whether its opcode has one of some modifiers.
    pub(crate) fn has_any(&self, modifiers: &[&str]) -> bool {
        self.modifiers().any(|one| modifiers.contains(&one))
    }
}

/// The text between commas outside of brackets. Assemblers write control fields behind ` &` and ` ?`.
fn split(text: &str) -> impl Iterator<Item = &str> {
    let text = text.split(" &").next().unwrap_or_default().split(" ?").next().unwrap_or_default();
    let mut rest = Some(text.trim()).filter(|text| !text.is_empty());
    std::iter::from_fn(move || {
        let text = rest?;
        let mut depth = 0_u32;
        let comma = text.bytes().position(|byte| {
            match byte {
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            byte == b',' && depth == 0
        });
        let (one, more) = match comma {
            Some(at) => (&text[..at], Some(&text[at + 1..])),
            None => (text, None),
        };
        rest = more;
        Some(one)
    })
}

/// An integer in hexadecimal or decimal digits.
pub(crate) fn number(text: &str) -> Option<u32> {
    match text.strip_prefix("0x") {
        Some(hex) => u32::from_str_radix(hex, 16).ok(),
        None => text.parse().ok(),
    }
}
