//! What the user says of a launch: the values of parameters, and how many threads and blocks there are.

use std::collections::{BTreeMap, BTreeSet};

use crate::listing::flow::{End, Interval, Number};
use crate::listing::routine::{Instruction, Language, Routine};

/// Values of the parameters of a kernel and the sizes of its launch, by their names.
///
/// A name is that of a parameter of PTX, its place in the list of parameters, counted from 0, an address of the constant
/// bank as SASS writes it (`c[0x0][0x160]`), or `blockDim.x`, `gridDim.x` and their like.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Params {
    values: BTreeMap<String, Range>,
    /// Names whose values stay open within their ranges, so that counts are expressions in them.
    symbols: BTreeSet<String>,
}

/// The least and the largest value of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    /// The least value.
    pub low: i128,
    /// The largest value.
    pub high: i128,
}

impl std::fmt::Display for Range {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { low, high } = self;
        if low == high { write!(f, "{low}") } else { write!(f, "{low}..{high}") }
    }
}

impl Params {
    /// Adds `NAME=N` or `NAME=LEAST..MOST`, which replaces an earlier value of the same name.
    ///
    /// # Errors
    /// If it is not of this form, or the numbers fit into no parameter of 64 bits.
    pub fn add(&mut self, text: &str) -> Result<(), String> {
        let (name, value) = text.rsplit_once('=').ok_or("want NAME=N or NAME=LEAST..MOST")?;
        let name = spelled(name);
        if name.is_empty() {
            return Err("no name: want NAME=N or NAME=LEAST..MOST".into());
        }
        let value = value.trim();
        let (low, high) = value.split_once("..").unwrap_or((value, value));
        let wrong = || format!("{value:?}: want a whole number of up to 64 bits, or LEAST..MOST");
        let range = Range { low: number(low).ok_or_else(wrong)?, high: number(high).ok_or_else(wrong)? };
        if range.low > range.high {
            return Err(format!("{value:?}: want the lesser number first"));
        }
        if let Some((grid, axis)) = size_of(&name)
            && let most = MOST[usize::from(grid)][axis]
            && !(range.low >= 1 && range.high <= most)
        {
            return Err(format!("{value:?}: want a number from 1 to {most}"));
        }
        self.values.insert(name, range);
        Ok(())
    }

    /// Adds the sizes of a launch.
    ///
    /// # Errors
    /// If one of them has another value already.
    pub fn add_sizes(&mut self, grid: [u64; 3], block: [u64; 3]) -> Result<(), String> {
        for (what, sizes) in [("gridDim", grid), ("blockDim", block)] {
            for (axis, size) in ["x", "y", "z"].into_iter().zip(sizes) {
                let (name, size) = (format!("{what}.{axis}"), i128::from(size));
                let range = Range { low: size, high: size };
                if let Some(other) = self.values.insert(name.clone(), range).filter(|&other| other != range) {
                    return Err(format!("{name} = {other}, but the launch has {size}"));
                }
            }
        }
        Ok(())
    }

    /// Adds values of names that have none yet.
    pub(crate) fn extend_unless_given(&mut self, others: Self) {
        for (name, range) in others.values {
            self.values.entry(name).or_insert(range);
        }
    }

    /// Makes a symbol of a name. Where it has no value yet it has this range, as far as that is one of a size.
    pub(crate) fn open(&mut self, name: &str, range: Range) {
        let range = match size_of(name) {
            Some((grid, axis)) => {
                Range { low: range.low.max(1), high: range.high.min(MOST[usize::from(grid)][axis]) }
            }
            None => range,
        };
        self.values.entry(name.to_owned()).or_insert(range);
        self.symbols.insert(name.to_owned());
    }

    /// The values of a name.
    pub(crate) fn get(&self, name: &str) -> Option<Range> {
        self.values.get(name).copied()
    }

    /// Keeps the values of such names.
    pub(crate) fn retain(&mut self, such: impl Fn(&str) -> bool) {
        self.values.retain(|name, _| such(name));
    }

    /// The names, each with its values.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, Range)> {
        self.values.iter().map(|(name, &range)| (&**name, range))
    }
}

/// A name without the blanks in and around it.
fn spelled(name: &str) -> String {
    name.chars().filter(|c| !c.is_whitespace()).collect()
}

/// A number in decimal or hexadecimal digits that fits into 64 bits, with or without a sign.
fn number(text: &str) -> Option<i128> {
    let text = text.trim();
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
    let value = match digits.strip_prefix("0x") {
        Some(hex) => i128::from(u64::from_str_radix(hex, 16).ok()?),
        None if digits.starts_with('+') => return None,
        None => i128::from(digits.parse::<u64>().ok()?),
    };
    let value = if negative { -value } else { value };
    (value >= i128::from(i64::MIN)).then_some(value)
}

/// The size of a launch that a name means: whether it is that of the grid, and its axis.
fn size_of(name: &str) -> Option<(bool, usize)> {
    let (what, axis) = name.split_once('.')?;
    let axis = ["x", "y", "z"].into_iter().position(|known| known == axis)?;
    match what {
        "blockDim" => Some((false, axis)),
        "gridDim" => Some((true, axis)),
        _ => None,
    }
}

/// Where SASS of a capability finds the sizes of the launch in constant bank 0: those of the block, and those
/// of the grid, four bytes each. They were read off what ptxas makes of a kernel that stores them.
fn sizes_at(target: &str) -> Option<[u32; 2]> {
    match target.split('.').next()? {
        "5" | "6" => Some([0x8, 0x14]),
        "7" | "8" | "9" => Some([0x0, 0xc]),
        "10" | "11" | "12" => Some([0x360, 0x370]),
        _ => None,
    }
}

/// What is known of a launch of one entry.
#[derive(Debug, Clone, Default)]
pub(crate) struct Launch {
    /// The sizes of the block and of the grid, each by its axis.
    sizes: [[Option<Interval>; 3]; 2],
    sizes_at: Option<[u32; 2]>,
    /// The values of parameters of PTX, by what stands between the brackets of their loads.
    symbols: BTreeMap<String, Interval>,
    /// The values in the constant bank 0 of SASS, by their address.
    words: BTreeMap<u32, Interval>,
    /// What of this the entry has: the names as they were given.
    pub(crate) used: BTreeMap<String, Range>,
    /// The names of the parameters that the entry reads.
    pub(crate) names: BTreeSet<String>,
}

/// The most threads of a block along each axis, and the most blocks of a grid.
const MOST: [[i128; 3]; 2] = [[1024, 1024, 64], [0x7fff_ffff, 0xffff, 0xffff]];

impl Launch {
    /// What the user says of an entry. The error names a value that a load of the parameter cannot give.
    pub(crate) fn of(routine: &Routine<'_>, language: Language, params: &Params) -> Result<Self, String> {
        let sizes_at = routine.target.as_deref().and_then(sizes_at).filter(|_| language == Language::Sass);
        let mut launch = Self { sizes_at, ..Self::default() };
        let reads = launch.reads(routine, language);
        for (name, range) in params.iter() {
            // What has one value is a number.
            let symbol = params.symbols.contains(name) && range.low < range.high;
            let end = if symbol { End::parameter(name) } else { None };
            let interval = Interval::new(range.low, range.high).with_ends([end; 2]);
            if let Some((grid, axis)) = size_of(name) {
                launch.sizes[usize::from(grid)][axis] = Some(interval);
                launch.used.insert(name.to_owned(), range);
                continue;
            }
            let named = match language {
                Language::Ptx => {
                    let at = name.parse().ok().and_then(|at: usize| routine.parameters.get(at).copied());
                    at.unwrap_or(name).to_owned()
                }
                Language::Sass => name.to_lowercase(),
            };
            let Some(bits) = reads.get(&named) else { continue };
            let fits = |value: i128| value >= -(1 << (bits - 1)) && value < 1 << bits;
            if symbol && (!fits(range.low) || !fits(range.high)) {
                continue;
            }
            if !fits(range.low) || !fits(range.high) {
                return Err(format!("{} reads it as {bits} bits, and {range} does not fit", routine.name));
            }
            launch.used.insert(name.to_owned(), range);
            match address(&named).filter(|_| language == Language::Sass) {
                Some(at) => _ = launch.words.insert(at, interval),
                None => _ = launch.symbols.insert(named, interval),
            }
        }
        Ok(launch)
    }

    /// Only the sizes, which hold in functions that are called too.
    pub(crate) fn sizes_only(&self) -> Self {
        Self { sizes: self.sizes, sizes_at: self.sizes_at, ..Self::default() }
    }

    /// The parameters that the entry reads, with the least number of bits of a load.
    fn reads(&mut self, routine: &Routine<'_>, language: Language) -> BTreeMap<String, u32> {
        let mut reads: BTreeMap<String, u32> = BTreeMap::new();
        let mut add = |name: String, bits: u32| {
            let known = reads.entry(name).or_insert(bits);
            *known = (*known).min(bits);
        };
        for instruction in &routine.instructions {
            match language {
                Language::Ptx => {
                    let Some((symbol, bits)) = parameter_load(instruction) else { continue };
                    let name = symbol.split('+').next().unwrap_or_default();
                    if routine.parameters.contains(&name) && is_only_read(routine, name) {
                        add(symbol, bits);
                    }
                }
                Language::Sass => {
                    let first = if self.sizes_at == Some([0x360, 0x370]) { 0x380 } else { 0x20 };
                    let parts = instruction.operands.match_indices("c[0x0][0x");
                    for (from, _) in parts {
                        let rest = &instruction.operands[from..];
                        let Some(end) = rest.match_indices(']').nth(1) else { continue };
                        let name = &rest[..=end.0];
                        let Some(at) = address(name).filter(|&at| at >= first) else { continue };
                        let wide = |width: &str| instruction.opcode.ends_with(width);
                        let words = if wide(".128") { 4 } else { 1 + u32::from(wide(".64")) };
                        // A load of several words reads those behind it too.
                        for at in (0..words).filter_map(|word| at.checked_add(4 * word)) {
                            add(format!("c[0x0][{at:#x}]"), 32);
                        }
                    }
                }
            }
        }
        self.names = reads.keys().cloned().collect();
        reads
    }

    /// The value of a parameter of PTX; its name may have an offset.
    pub(crate) fn symbol(&self, symbol: &str) -> Option<Interval> {
        self.symbols.get(symbol).copied()
    }

    /// The four bytes at an address of the constant bank 0 of SASS.
    pub(crate) fn word(&self, at: u32) -> Option<Interval> {
        if let Some(&interval) = self.words.get(&at) {
            return Some(interval);
        }
        let sizes = self.sizes_at?.into_iter().enumerate();
        for (which, first) in sizes {
            for axis in 0..3 {
                if at == first + 4 * u32::try_from(axis).ok()? {
                    return Some(self.size(which == 1, axis));
                }
            }
        }
        None
    }

    /// How many threads a block has along an axis, or how many blocks the grid has.
    pub(crate) fn size(&self, grid: bool, axis: usize) -> Interval {
        let which = usize::from(grid);
        match self.sizes[which][axis] {
            Some(interval) => interval,
            None => Interval { high_open: grid, ..Interval::new(1, MOST[which][axis]) },
        }
    }

    /// The numbers of threads of a block along an axis, or those of the blocks.
    pub(crate) fn index(&self, grid: bool, axis: usize) -> Interval {
        let size = self.size(grid, axis);
        let ends = [None, size.high_end().plus(Number(None, -1))];
        Interval { high_open: size.high_open, ..Interval::new(0, size.high - 1) }.with_ends(ends)
    }
}

/// Whether a parameter of PTX is what the kernel was launched with, wherever its name stands: no other
/// declaration has its name, and no store or call, whose parameters may have the same names, mentions it.
fn is_only_read(routine: &Routine<'_>, name: &str) -> bool {
    let mut declarations = routine.declared.iter().filter(|one| one.is(name));
    let alone = declarations.next().is_none_or(|one| one.whole) && declarations.next().is_none();
    let writes = |one: &Instruction<'_>| one.opcode.starts_with("st.param") || one.name() == "call";
    let word = |c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$' | '%'));
    let mentions = |one: &Instruction<'_>| one.operands.split(word).any(|part| part == name);
    alone && !routine.instructions.iter().any(|one| writes(one) && mentions(one))
}

/// The address of `c[0x0][0x160]`.
pub(crate) fn address(name: &str) -> Option<u32> {
    let inside = name.strip_prefix("c[0x0][0x")?.strip_suffix(']')?;
    u32::from_str_radix(inside, 16).ok()
}

/// What a load of a parameter of PTX reads, without blanks, and how many bits of it.
fn parameter_load(instruction: &Instruction<'_>) -> Option<(String, u32)> {
    let mut parts = instruction.opcode.split('.');
    let space = (parts.next()?, parts.next()?);
    if !matches!(space, ("ld", "param" | "param::entry")) {
        return None;
    }
    let bits: u32 = parts.next_back()?.get(1..)?.parse().ok()?;
    let symbol = instruction.operands.split_once('[')?.1.split(']').next()?;
    (matches!(bits, 8 | 16 | 32 | 64)).then(|| (spelled(symbol), bits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_users_write() {
        let mut params = Params::default();
        for text in ["n=1024", " m = -3", "c[0x0][0x160]=0x10", "k=1..8", "blockDim.x=256"] {
            params.add(text).unwrap();
        }
        let values: Vec<String> = params.iter().map(|(name, range)| format!("{name}={range}")).collect();
        assert_eq!(values, ["blockDim.x=256", "c[0x0][0x160]=16", "k=1..8", "m=-3", "n=1024"]);
        for wrong in ["n", "=1", "n=x", "n=5..1", "blockDim.x=0", "gridDim.y=-1", "n=99999999999999999999"] {
            assert!(params.add(wrong).is_err(), "{wrong}");
        }
    }
}
