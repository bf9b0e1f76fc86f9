//! An interpreter of the text of PTX, for one thread, written from its manual (*PTX ISA* 8, chapter 9). It shares nothing with what is tested.

mod values;

use super::text::Instruction;
use super::thread::Position;

pub(crate) use self::values::{Doubt, Registers, width};
use self::values::{Type, word};

/// A register, what it gets, and how many of its lower bits are said; none where these may be anything.
pub(crate) type Writes = Vec<(String, Option<u64>, u32)>;

type Outcome = Result<Writes, Doubt>;

struct Text<'a> {
    modifiers: &'a [&'a str],
    operands: &'a [&'a str],
    thread: &'a Registers,
}

/// What an instruction writes in a thread that executes it.
pub(crate) fn execute(one: &Instruction<'_>, thread: &Registers) -> Outcome {
    let text = Text { modifiers: &one.modifiers, operands: &one.operands, thread };
    match one.name {
        "setp" => text.compare(),
        "selp" => text.select(),
        "cvt" => text.convert(),
        "ld" => text.load(),
        "and" | "or" | "xor" | "not" | "mov" if text.modifiers == ["pred"] => text.predicate(one.name),
        "mul" | "mad" | "mul24" | "mad24" => text.product(one.name),
        _ => text.integer(one.name),
    }
}

fn known<T>(found: Option<T>) -> Result<T, Doubt> {
    found.ok_or(Doubt::Unknown)
}

impl Text<'_> {
    fn all<const COUNT: usize>(&self) -> Result<[&str; COUNT], Doubt> {
        known(self.operands.try_into().ok())
    }

    /// The bits of a register that is written.
    fn width(&self, to: &str) -> Result<u32, Doubt> {
        match width(to) {
            Some(bits) => Ok(bits),
            // Nothing can be written to a special register.
            None if to.starts_with('%') || to == "WARP_SZ" => Err(Doubt::Mismatch),
            None => Err(Doubt::Unknown),
        }
    }

    /// A register that gets the lower bits of a number.
    fn gives(&self, to: &str, bits: u32, value: Option<i128>) -> Outcome {
        match self.width(to)? {
            has if has < bits || has == 1 => Err(Doubt::Mismatch),
            _ => Ok(vec![(to.to_owned(), value.map(word), bits)]),
        }
    }

    fn bit_of<'t>(&self, to: &'t str) -> Result<&'t str, Doubt> {
        match width(to) {
            Some(1) => Ok(to),
            _ => self.width(to).and(Err(Doubt::Mismatch)),
        }
    }

    /// The one type of an instruction, if it is one of these letters and bits.
    fn kind(&self, letters: &str, bits: &[u32]) -> Result<Type, Doubt> {
        let [kind] = self.modifiers[..] else { return Err(Doubt::Unknown) };
        let kind = Type::of(kind).filter(|kind| letters.contains(kind.letter) && bits.contains(&kind.bits));
        known(kind)
    }

    fn compare(&self) -> Outcome {
        let (relation, logic, kind) = match self.modifiers[..] {
            [relation, kind] => (relation, None, kind),
            [relation, logic @ ("and" | "or" | "xor"), kind] => (relation, Some(logic), kind),
            _ => return Err(Doubt::Unknown),
        };
        let kind = known(Type::of(kind).filter(|kind| kind.bits > 8))?;
        let fits = match relation {
            "eq" | "ne" => true,
            "lt" | "le" | "gt" | "ge" => kind.letter != 'b',
            // Other names of the same for numbers without a sign.
            "lo" | "ls" | "hi" | "hs" => kind.letter == 'u',
            _ => false,
        };
        known(fits.then_some(()))?;
        let (to, a, b, with) = match (self.operands, logic) {
            (&[to, a, b], None) => (to, a, b, None),
            (&[to, a, b, with], Some(logic)) => (to, a, b, Some((logic, self.thread.bit(with)?))),
            _ => return Err(Doubt::Unknown),
        };
        let (a, b) = (self.thread.source(a, kind)?, self.thread.source(b, kind)?);
        let order = a.zip(b).map(|(a, b)| a.cmp(&b));
        let holds = order.map(|order| match relation {
            "eq" => order.is_eq(),
            "ne" => order.is_ne(),
            "lt" | "lo" => order.is_lt(),
            "le" | "ls" => order.is_le(),
            "gt" | "hi" => order.is_gt(),
            _ => order.is_ge(),
        });
        let result = |holds: bool| match with {
            None => holds,
            Some(("and", with)) => holds && with,
            Some(("or", with)) => holds || with,
            Some((_, with)) => holds != with,
        };
        let results: Vec<&str> = to.split('|').map(str::trim).collect();
        if results.len() > 2 || results.len() == 2 && results[0] == results[1] {
            return Err(Doubt::Unknown);
        }
        let values = [holds.map(result), holds.map(|holds| result(!holds))];
        let written = results.into_iter().zip(values);
        written.map(|(to, value)| Ok((self.bit_of(to)?.to_owned(), value.map(u64::from), 1))).collect()
    }

    fn select(&self) -> Outcome {
        let [kind] = self.modifiers[..] else { return Err(Doubt::Unknown) };
        let kind = match kind {
            "f32" => Type { letter: 'b', bits: 32 },
            "f64" => Type { letter: 'b', bits: 64 },
            _ => known(Type::of(kind).filter(|kind| kind.bits > 8))?,
        };
        let [to, a, b, which] = self.all()?;
        let (a, b) = (self.thread.source(a, kind)?, self.thread.source(b, kind)?);
        self.gives(to, kind.bits, if self.thread.bit(which)? { a } else { b })
    }

    fn convert(&self) -> Outcome {
        let [to_kind, from] = self.modifiers[..] else { return Err(Doubt::Unknown) };
        let (to_kind, from) = (known(Type::of(to_kind))?, known(Type::of(from))?);
        if to_kind.letter == 'b' || from.letter == 'b' {
            return Err(Doubt::Unknown);
        }
        let [to, of] = self.all()?;
        let of = self.thread.source(of, from)?;
        // A wider register gets the number with its sign or with zeros.
        match self.width(to)? {
            1 => Err(Doubt::Mismatch),
            has if has < to_kind.bits => Err(Doubt::Mismatch),
            _ => Ok(vec![(to.to_owned(), of.map(|of| word(to_kind.number(word(of)))), 64)]),
        }
    }

    fn load(&self) -> Outcome {
        let (vector, kind) = match self.modifiers[..] {
            ["param" | "param::entry", kind] => (1, kind),
            ["param" | "param::entry", "v2", kind] => (2, kind),
            ["param" | "param::entry", "v4", kind] => (4, kind),
            _ => return Err(Doubt::Unknown),
        };
        let kind = match kind {
            "f32" => Type { letter: 'b', bits: 32 },
            "f64" => Type { letter: 'b', bits: 64 },
            _ => known(Type::of(kind))?,
        };
        let [to, from] = self.all()?;
        let from = known(from.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')))?;
        let (name, byte) = from.split_once('+').unwrap_or((from, "0"));
        if name.starts_with('%') {
            return Err(Doubt::Unknown);
        }
        let byte: u32 = known(byte.trim().parse().ok())?;
        let list: Vec<&str> = match vector {
            1 => vec![to],
            _ => {
                let inside = known(to.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')))?;
                inside.split(',').map(str::trim).collect()
            }
        };
        known((list.len() == vector).then_some(()))?;
        let mut writes = Writes::new();
        for (at, to) in (0..).zip(list) {
            let start = 8 * byte + at * kind.bits;
            // The parameters here have eight bytes.
            known((start + kind.bits <= 64).then_some(()))?;
            let value = kind.number(self.thread.parameter(name) >> start);
            let has = self.width(to)?;
            if has == 1 || has < kind.bits {
                return Err(Doubt::Mismatch);
            }
            if writes.iter().any(|(name, ..)| name == to) {
                return Err(Doubt::Unknown);
            }
            writes.push((to.to_owned(), Some(word(value)), if kind.bits < 16 { 64 } else { kind.bits }));
        }
        Ok(writes)
    }

    fn predicate(&self, name: &str) -> Outcome {
        let (_, sources) = known(self.operands.split_first())?;
        let bits = sources.iter().map(|text| self.thread.bit(text)).collect::<Result<Vec<_>, _>>()?;
        let value = match (name, &bits[..]) {
            ("mov", &[a]) => a,
            ("not", &[a]) => !a,
            ("and", &[a, b]) => a && b,
            ("or", &[a, b]) => a || b,
            ("xor", &[a, b]) => a != b,
            _ => return Err(Doubt::Unknown),
        };
        Ok(vec![(self.bit_of(self.operands[0])?.to_owned(), Some(value.into()), 1)])
    }

    fn product(&self, name: &str) -> Outcome {
        let [part, kind] = self.modifiers[..] else { return Err(Doubt::Unknown) };
        let kind = known(Type::of(kind).filter(|kind| kind.letter != 'b' && kind.bits > 8))?;
        let short = name.ends_with("24");
        let fits = match part {
            "lo" => !short || kind.bits == 32,
            "hi" => !short,
            "wide" => !short && kind.bits < 64,
            _ => false,
        };
        known(fits.then_some(()))?;
        let (to, a, b, c) = match (self.operands, name.starts_with("mad")) {
            (&[to, a, b], false) => (to, a, b, None),
            (&[to, a, b, c], true) => (to, a, b, Some(c)),
            _ => return Err(Doubt::Unknown),
        };
        let bits = if part == "wide" { 2 * kind.bits } else { kind.bits };
        let factor = |text| {
            let factor = self.thread.source(text, kind)?;
            // The lower 24 bits, the uppermost of which may be a sign.
            let narrow = |factor: i128| match kind.letter {
                's' => (factor << 104) >> 104,
                _ => factor & 0xff_ffff,
            };
            Ok(if short { factor.map(narrow) } else { factor })
        };
        let (a, b) = (factor(a)?, factor(b)?);
        let c = c.map(|c| self.thread.source(c, Type { bits, ..kind })).transpose()?;
        let all = a.zip(b).map(|(a, b)| {
            let product = a.wrapping_mul(b);
            if part == "hi" { product >> kind.bits } else { product }
        });
        let sum = match c {
            Some(c) => all.zip(c).map(|(all, c)| all.wrapping_add(c)),
            None => all,
        };
        self.gives(to, bits, sum)
    }

    fn integer(&self, name: &str) -> Outcome {
        const ALL: &[u32] = &[16, 32, 64];
        let kind = match name {
            "add" | "sub" | "div" | "rem" | "min" | "max" => self.kind("us", ALL)?,
            "abs" | "neg" => self.kind("s", ALL)?,
            "and" | "or" | "xor" | "not" | "shl" => self.kind("b", ALL)?,
            "shr" | "mov" => self.kind("bus", ALL)?,
            "bfe" => self.kind("us", &[32, 64])?,
            "brev" | "popc" | "clz" => self.kind("b", &[32, 64])?,
            "cvta" => return self.generic(),
            _ => return Err(Doubt::Unknown),
        };
        let amounts = matches!(name, "bfe" | "shl" | "shr");
        let source = |at: usize| match at > 1 && amounts {
            true => self.thread.amount(self.operands[at]),
            false => self.thread.source(self.operands[at], kind),
        };
        let count = match name {
            "abs" | "neg" | "not" | "mov" | "brev" | "popc" | "clz" => 2,
            "bfe" => 4,
            _ => 3,
        };
        known((self.operands.len() == count).then_some(()))?;
        let a = source(1)?;
        let b = if count > 2 { source(2)? } else { Some(0) };
        let c = if count > 3 { source(3)? } else { Some(0) };
        let bits = i128::from(kind.bits);
        let found = a.zip(b).zip(c).and_then(|((a, b), c)| {
            let ones = |number: i128| word(number) << (64 - kind.bits);
            Some(match name {
                "add" => a + b,
                "sub" => a - b,
                // What a division by zero gives is not said.
                "div" => a.checked_div(b)?,
                "rem" => a.checked_rem(b)?,
                "min" => a.min(b),
                "max" => a.max(b),
                "abs" => a.abs(),
                "neg" => -a,
                "and" => a & b,
                "or" => a | b,
                "xor" => a ^ b,
                "not" => !a,
                "mov" => a,
                // An amount that is greater than all bits counts as all.
                "shl" => a << b.min(bits),
                "shr" => a >> b.min(bits),
                "brev" => ones(a).reverse_bits().into(),
                "popc" => ones(a).count_ones().into(),
                "clz" => {
                    if ones(a) == 0 {
                        bits
                    } else {
                        ones(a).leading_zeros().into()
                    }
                }
                _ => field(a, kind, b & 0xff, c & 0xff),
            })
        });
        let bits = if matches!(name, "popc" | "clz") { 32 } else { kind.bits };
        self.gives(self.operands[0], bits, found)
    }

    /// Addresses of global memory are the same in all of memory. What those of other memories are is not said.
    fn generic(&self) -> Outcome {
        let (space, kind) = match self.modifiers[..] {
            ["to", space, kind] | [space, kind] => (space, kind),
            _ => return Err(Doubt::Unknown),
        };
        let kind = known(Type::of(kind).filter(|kind| kind.letter == 'u' && kind.bits > 16))?;
        let [to, from] = self.all()?;
        let found = self.thread.source(from, kind)?;
        match space {
            "global" => self.gives(to, kind.bits, found),
            "shared" | "local" | "const" | "param" | "shared::cta" | "shared::cluster" | "param::entry" => {
                self.gives(to, kind.bits, None)
            }
            _ => Err(Doubt::Unknown),
        }
    }
}

/// Some bits of a number, from one on; above its highest bit there are copies of the sign.
fn field(number: i128, kind: Type, at: i128, length: i128) -> i128 {
    let most = i128::from(kind.bits) - 1;
    let bit = |place: i128| number >> place & 1;
    let sign = match (kind.letter, length) {
        ('u', _) | (_, 0) => 0,
        _ => bit((at + length - 1).min(most)),
    };
    (0..=most).fold(0, |all, place| {
        let one = if place < length && at + place <= most { bit(at + place) } else { sign };
        all | one << place
    })
}
