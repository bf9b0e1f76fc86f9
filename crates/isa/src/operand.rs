//! The operands of an instruction of SASS, decoded when it is read.

use crate::register::{File, Register, named};

/// An operand of SASS.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operand<'a> {
    /// As it is written, without hints of reuse.
    pub text: &'a str,
    /// `-`, `~` or `!` before it.
    pub sign: Option<char>,
    /// What it is.
    pub kind: Kind<'a>,
    /// The registers that it names, in their order. `PR` and `UPR` name all predicates.
    pub registers: Vec<Register>,
    /// Whether it names the condition code, as `CC`, `CC.NEU` and `R4.CC` do.
    pub names_code: bool,
}

/// What an operand is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind<'a> {
    /// A register, or its absolute value or a part of it, or a register and an offset. `whole` says that nothing stands behind
    /// the name.
    Register {
        /// The register.
        register: Register,
        /// Whether all of it is meant, with its own sign.
        whole: bool,
    },
    /// `RZ` or `URZ`.
    Zero(File),
    /// `PT` or `UPT`.
    True(File),
    /// A number that is written with its digits.
    Number(u32),
    /// An address: `[R2.64+0x8]`, `c[0x0][0x160]`, `desc[UR4][R2.64]`, `gdesc[UR8]`.
    Address {
        /// What stands before the first bracket: `c`, `desc` or nothing.
        of: &'a str,
        /// The byte of the constant bank 0, if it is one.
        constant: Option<u32>,
        /// Whether all threads of a warp have the same address: it has only numbers, zeros and uniform registers.
        uniform: bool,
    },
    /// The condition code, or a test of it that may fail.
    Code,
    /// A special register such as `SR_TID.X`: its name, and the number of its axis.
    Special(&'a str, Option<usize>),
    /// The scoreboards that `DEPBAR` names, a bit for each.
    Scoreboards(u8),
    /// `gsb0`, on which instructions of warp groups wait.
    GroupScoreboard,
    /// Anything else: a label, a floating-point number.
    Other,
}

/// What may stand before an operand.
const SIGNS: [char; 3] = ['-', '~', '!'];

impl<'a> Operand<'a> {
    /// Decodes an operand.
    pub fn new(text: &'a str) -> Self {
        let text = text.trim().trim_end_matches(".reuse");
        let names_code =
            text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|word| word == "CC");
        let sign = text.chars().next().filter(|first| SIGNS.contains(first));
        Self { text, sign, kind: kind(text), registers: named(text).collect(), names_code }
    }

    /// What it is without its sign.
    pub fn unsigned(&self) -> &'a str {
        self.text.trim_start_matches(SIGNS)
    }

    /// The register that it is, or a part of which it is.
    pub const fn register(&self) -> Option<Register> {
        match self.kind {
            Kind::Register { register, .. } => Some(register),
            _ => None,
        }
    }

    /// The register that it is, without a sign and as a whole.
    pub fn plain(&self) -> Option<Register> {
        self.unsigned_register().filter(|_| self.sign.is_none())
    }

    /// The register that it is as a whole, whatever its sign.
    pub const fn unsigned_register(&self) -> Option<Register> {
        match self.kind {
            Kind::Register { register, whole: true } => Some(register),
            _ => None,
        }
    }

    /// The file of the register or of the constant that it is.
    pub const fn file(&self) -> Option<File> {
        match self.kind {
            Kind::Register { register: Register { file, .. }, .. } | Kind::Zero(file) | Kind::True(file) => {
                Some(file)
            }
            _ => None,
        }
    }

    /// Whether it is a predicate, or one that is always true.
    pub fn is_predicate(&self) -> bool {
        self.file().is_some_and(File::is_of_predicates)
    }

    /// Whether it is a predicate of a thread that may be a result: it is not negated. It may be one that is always true.
    pub fn is_result(&self) -> bool {
        self.sign.is_none() && (self.file() == Some(File::Predicate) || self.text == "PR")
    }

    /// Whether a uniform register chooses the register that it is: `R[UR4]`, at 12.0.
    pub const fn is_chosen(&self) -> bool {
        matches!(self.kind, Kind::Address { of, .. } if matches!(of.as_bytes(), b"R" | b"UR"))
    }

    /// The predicate that it is, if it may be a result: no constant, and not negated.
    pub fn predicate(&self) -> Option<Register> {
        self.plain().filter(|register| register.file.is_of_predicates())
    }

    /// Whether it is a predicate or the condition code, as a jump may have one.
    pub fn is_condition(&self) -> bool {
        self.kind == Kind::Code || self.register().is_some_and(|register| register.file.is_of_predicates())
    }

    /// The byte of the constant bank 0 at which the word stands that it is, whatever its sign.
    pub fn constant(&self) -> Option<u32> {
        let Kind::Address { constant, .. } = self.kind else { return None };
        constant.filter(|_| self.unsigned().starts_with('c') && self.text.ends_with(']'))
    }

    /// Whether it is an address.
    pub const fn is_address(&self) -> bool {
        matches!(self.kind, Kind::Address { .. })
    }

    /// Whether it is this number.
    pub fn is(&self, number: u32) -> bool {
        self.sign.is_none() && self.kind == Kind::Number(number)
    }

    /// Whether it is zero.
    pub fn is_zero(&self) -> bool {
        self.is(0) || self.sign.is_none() && matches!(self.kind, Kind::Zero(_))
    }

    /// Whether it is a predicate that is always true, or one that never is.
    pub fn is_always(&self, value: bool) -> bool {
        matches!(self.kind, Kind::True(_)) && self.sign == (!value).then_some('!')
    }

    /// Whether it is a number whose 32 bits are all ones.
    pub fn is_all_ones(&self) -> bool {
        self.is(u32::MAX) || self.sign == Some('-') && self.kind == Kind::Number(1)
    }

    /// Whether it is a half or a byte of a register.
    pub fn is_part(&self) -> bool {
        self.text.contains(".H") || self.text.contains(".B")
    }

    /// The label or function in quotes that it names: `` `(.L_x_1) ``, perhaps behind a register.
    pub fn label(&self) -> Option<&'a str> {
        self.text.split_once("`(")?.1.strip_suffix(')')
    }
}

/// What an operand is.
fn kind(text: &str) -> Kind<'_> {
    let text = text.trim_start_matches(SIGNS);
    let name = text.trim_matches('|');
    let base = name.split('.').next().unwrap_or(name).trim_end_matches('|');
    match base {
        "RZ" => return Kind::Zero(File::General),
        "URZ" => return Kind::Zero(File::Uniform),
        "PT" | "pt" => return Kind::True(File::Predicate),
        "UPT" => return Kind::True(File::UniformPredicate),
        "CC" if name != "CC.T" => return Kind::Code,
        _ => {}
    }
    if let Some((of, _)) = text.split_once('[') {
        // Up to 6.x some listings have a blank between the bank and the address.
        let bank = text.split_once("c[0x0][").or_else(|| text.split_once("c[0x0] ["));
        let constant = bank.and_then(|(_, rest)| match rest.split_once(']')?.0 {
            "RZ" => Some(0),
            inside => number(inside).filter(|_| inside.starts_with("0x")),
        });
        return Kind::Address { of: of.trim_matches(['|', ' ']), constant, uniform: is_uniform(text) };
    }
    // `BRX R2 -0x110` and ``RET.REL R2 `(kernel)`` have a register and an offset or a function.
    let of_pair =
        |(base, behind): (&str, &str)| behind.starts_with(['-', '0', '`']).then(|| Register::of(base))?;
    let alone = Register::of(base);
    if let Some(register) = alone.or_else(|| base.split_once(' ').and_then(of_pair)) {
        return Kind::Register { register, whole: alone.is_some() && base.len() == text.len() };
    }
    if base.starts_with("SR") {
        let axis =
            name.split_once('.').and_then(|(_, axis)| ["X", "Y", "Z"].iter().position(|one| *one == axis));
        return Kind::Special(base, axis);
    }
    let boards = |list: &str| {
        let numbers = list.split(',').filter_map(|number| number.trim().parse::<u32>().ok());
        Kind::Scoreboards(numbers.filter(|&number| number < 8).fold(0, |all, number| all | 1 << number))
    };
    // The reader of lines takes a last brace for that of instructions that issue together.
    match (name.strip_prefix("SB"), name.strip_prefix('{').map(|list| list.trim_end_matches('}'))) {
        (Some(list), _) | (_, Some(list)) => boards(list),
        _ if name.starts_with("gsb") => Kind::GroupScoreboard,
        _ => number(text).map_or(Kind::Other, Kind::Number),
    }
}

/// Whether only numbers, zeros and uniform registers stand in the brackets of an address.
fn is_uniform(text: &str) -> bool {
    let inside = text.split('[').skip(1).map(|rest| rest.split(']').next().unwrap_or_default());
    let mut words = inside.flat_map(|inside| inside.split(['+', ' ', ',']));
    words.all(|word| {
        let name = word.trim_start_matches(['-', '|', '~']);
        ["RZ", "UR"].iter().any(|register| name.starts_with(register))
            || name.starts_with(|c: char| c.is_ascii_digit())
    })
}

/// The text between commas outside of brackets.
pub fn split(text: &str) -> impl Iterator<Item = &str> {
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
        Some(one.trim())
    })
}

/// The operands of SASS. Assemblers write control fields behind ` &` and ` ?`.
pub fn operands(text: &str) -> Vec<Operand<'_>> {
    let text = text.split(" &").next().unwrap_or_default().split(" ?").next().unwrap_or_default();
    split(text).map(Operand::new).collect()
}

/// Whether operands of either language name a label or a function: `` `(.L_x_1) ``, `32@lo((kernel + .L_x_1))`, `$L__BB0_1`.
pub fn name_label(operands: &str) -> bool {
    let mut words = operands.split([',', ' ', '(', '[', ']']);
    operands.contains("`(") || words.any(|word| word.starts_with(".L") || word.starts_with('$'))
}

/// The address of `c[0x0][0x160]`.
pub fn constant_address(name: &str) -> Option<u32> {
    u32::from_str_radix(name.strip_prefix("c[0x0][0x")?.strip_suffix(']')?, 16).ok()
}

/// An integer in hexadecimal or decimal digits.
fn number(text: &str) -> Option<u32> {
    match text.strip_prefix("0x") {
        Some(hex) => u32::from_str_radix(hex, 16).ok(),
        None => text.parse().ok(),
    }
}
