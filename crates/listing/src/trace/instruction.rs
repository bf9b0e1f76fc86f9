//! A line of an instruction: `[line] PC mask COUNT [registers] OPCODE COUNT [registers] width [addresses] [immediate]`.

use crate::message::shorten;
use crate::trace::field::number;

/// The lanes of a warp.
pub(super) const LANES: usize = 32;

/// The largest address that is read. No address of a GPU is as large, and differences of such addresses are numbers.
const LARGEST: u64 = 1 << 62;

/// Which of the columns that may be there are there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Layout {
    /// The block and the warp come first.
    pub(super) old: bool,
    /// A line of the source comes before the PC.
    pub(super) lineinfo: bool,
    /// An immediate comes last; none if that is not known.
    pub(super) immediate: Option<bool>,
}

/// An instruction that some lanes of a warp executed together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Executed {
    /// Bytes from the beginning of the function.
    pub(super) pc: u64,
    /// The lanes that were there and for which its predicate held.
    pub(super) mask: u32,
    /// The address of each of these lanes, if it accesses memory.
    pub(super) addresses: Option<[i64; LANES]>,
    /// The opcode.
    pub(super) opcode: Opcode,
}

/// The longest opcode.
const OPCODE: usize = 64;

/// The text of an opcode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Opcode {
    bytes: [u8; OPCODE],
    length: usize,
}

impl Opcode {
    fn of(text: &str) -> Option<Self> {
        let mut bytes = [0; OPCODE];
        bytes.get_mut(..text.len())?.copy_from_slice(text.as_bytes());
        text.starts_with(|c: char| c.is_ascii_uppercase()).then_some(Self { bytes, length: text.len() })
    }

    pub(super) fn text(&self) -> &str {
        self.bytes.get(..self.length).and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or_default()
    }
}

/// Reads a line.
pub(super) fn executed(text: &str, layout: Layout) -> Result<Executed, String> {
    let mut words = text.split_ascii_whitespace();
    let mut next = |what: &str| words.next().ok_or_else(|| format!("the line ends before {what}"));
    if layout.old {
        for what in ["the block's x", "the block's y", "the block's z", "the warp"] {
            number(next(what)?)?;
        }
    }
    if layout.lineinfo {
        number(next("the line of the source")?)?;
    }
    let hexadecimal = |word: &str, what: &str| {
        let digits = word.strip_prefix("0x").unwrap_or(word);
        let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        u64::from_str_radix(digits, 16)
            .ok()
            .filter(|_| plain)
            .ok_or_else(|| format!("{:?}: want {what} in hexadecimal digits", shorten(word)))
    };
    let pc = hexadecimal(next("the PC")?, "a PC")?;
    let mask = hexadecimal(next("the mask")?, "a mask")?;
    let mask = u32::try_from(mask).map_err(|_| format!("mask {mask:x}: want 32 bits"))?;
    let count = |word: &str| match number(word)? {
        count @ 0..=8 => Ok(count),
        count => Err(format!("{count} registers: want 8 at most")),
    };
    let results = count(next("the number of results")?)?;
    for _ in 0..results {
        register(next("a register")?)?;
    }
    let word = next("the opcode")?;
    let opcode = Opcode::of(word).ok_or_else(|| format!("{:?}: want an opcode", shorten(word)))?;
    let sources = count(next("the number of sources")?)?;
    for _ in 0..sources {
        register(next("a register")?)?;
    }
    let width = number(next("the width of memory")?)?;
    let addresses = match width {
        0 => None,
        _ => Some(addresses(mask, &mut next)?),
    };
    let immediate = layout.immediate;
    let rest: Vec<&str> = words.by_ref().take(3).collect();
    let integer = |word: &str| word.parse::<i64>().is_ok();
    match (immediate, &rest[..]) {
        (Some(true), [one]) | (None, [one]) if integer(one) => {}
        (Some(false) | None, []) => {}
        (Some(true), []) => return Err("the line ends before the immediate".to_owned()),
        (_, rest) => {
            let found = rest.join(" ");
            let what = if width == 0 { "no more columns" } else { "as many addresses as lanes in the mask" };
            return Err(format!("{:?} is left at the end of the line: want {what}", shorten(&found)));
        }
    }
    Ok(Executed { pc, mask, addresses, opcode })
}

fn register(word: &str) -> Result<(), String> {
    let digits = word.strip_prefix('R').unwrap_or_default();
    number(digits).map(|_| ()).map_err(|_| format!("{:?}: want a register", shorten(word)))
}

/// The addresses of the lanes of a mask, in one of three forms: each, the first and how far apart they are, the first and how far each is
/// from the one before.
fn addresses<'t>(
    mask: u32,
    next: &mut impl FnMut(&str) -> Result<&'t str, String>,
) -> Result<[i64; LANES], String> {
    let address = |word: &str| {
        let digits =
            word.strip_prefix("0x").ok_or_else(|| format!("{:?}: want an address", shorten(word)))?;
        let value = u64::from_str_radix(digits, 16).ok().filter(|&value| value <= LARGEST);
        let value = value.and_then(|value| i64::try_from(value).ok());
        value.ok_or_else(|| format!("{:?}: want an address of up to 62 bits", shorten(word)))
    };
    let distance = |word: &str| {
        word.parse::<i64>().map_err(|_| format!("{:?}: want a distance of two addresses", shorten(word)))
    };
    let beyond = |at: i64, by: i64| {
        let found = at.checked_add(by).filter(|found| (0..=LARGEST.cast_signed()).contains(found));
        found.ok_or_else(|| "an address below 0 or of more than 62 bits".to_owned())
    };
    let mut found = [0; LANES];
    let mut lanes = (0..LANES).filter(|lane| mask >> lane & 1 == 1);
    let form = next("the form of the addresses")?;
    match form {
        "0" => {
            for lane in lanes {
                found[lane] = address(next("the address of a lane")?)?;
            }
        }
        "1" => {
            let (mut at, stride) = (address(next("the first address")?)?, distance(next("the stride")?)?);
            if mask != 0 && mask.count_ones() != 32 - mask.leading_zeros() - mask.trailing_zeros() {
                return Err(format!("a stride for mask {mask:08x}: want lanes next to one another"));
            }
            if let Some(first) = lanes.next() {
                found[first] = at;
            }
            for lane in lanes {
                at = beyond(at, stride)?;
                found[lane] = at;
            }
        }
        "2" => {
            let mut at = address(next("the first address")?)?;
            if let Some(first) = lanes.next() {
                found[first] = at;
            }
            for lane in lanes {
                at = beyond(at, distance(next("the distance of a lane")?)?)?;
                found[lane] = at;
            }
        }
        other => return Err(format!("form {:?} of addresses: want 0, 1 or 2", shorten(other))),
    }
    Ok(found)
}
