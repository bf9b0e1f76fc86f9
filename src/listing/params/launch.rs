//! What is known of a launch of one entry.

use std::collections::{BTreeMap, BTreeSet};

use crate::listing::flow::{End, Interval, Number};
use crate::listing::params::layout::{base, layout};
use crate::listing::params::{MOST, Params, Range, size_of, spelled};
use crate::listing::routine::{Instruction, Language, Parameter, Routine};

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

impl Launch {
    /// What the user says of an entry. The error names a value that a load of the parameter cannot give.
    pub(crate) fn of(routine: &Routine<'_>, language: Language, params: &Params) -> Result<Self, String> {
        let target = routine.target.as_deref().filter(|_| language == Language::Sass);
        let mut launch = Self { sizes_at: target.and_then(sizes_at), ..Self::default() };
        let words = Words {
            base: target.and_then(base),
            layout: target.map(|_| layout(routine)).unwrap_or_default(),
        };
        let reads = launch.reads(routine, language, &words);
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
                    let own = routine.parameters.contains(&name);
                    let at = place(name).filter(|_| !own).and_then(|at| routine.parameters.get(at).copied());
                    at.unwrap_or(name).to_owned()
                }
                Language::Sass => words.named(name),
            };
            let Some(bits) = reads.get(&named) else { continue };
            let fits = |value: i128| value >= -(1 << (bits - 1)) && value < 1 << bits;
            if !fits(range.low) || !fits(range.high) {
                if symbol {
                    continue;
                }
                return Err(format!("{} reads it as {bits} bits, and {range} does not fit", routine.name));
            }
            launch.used.insert(name.to_owned(), range);
            if named != name {
                launch.names.remove(&named);
            }
            let before = match words.first(&named).filter(|_| language == Language::Sass) {
                None => launch.symbols.insert(named, interval),
                Some(at) if *bits == 32 => launch.words.insert(at, interval),
                Some(at) => {
                    let [low, high] = halves(interval);
                    let high = high.map(|high| launch.words.insert(at + 4, high));
                    let low = low.map(|low| launch.words.insert(at, low));
                    low.into_iter().chain(high).flatten().next()
                }
            };
            if before.is_some() {
                return Err(format!("{name} has a value by another name of it already: want one of them"));
            }
        }
        Ok(launch)
    }

    /// Only the sizes, which hold in functions that are called too.
    pub(crate) fn sizes_only(&self) -> Self {
        Self { sizes: self.sizes, sizes_at: self.sizes_at, ..Self::default() }
    }

    /// The parameters that the entry reads, with the least number of bits of a load. The names of those that may be integers are
    /// noted.
    fn reads(&mut self, routine: &Routine<'_>, language: Language, words: &Words) -> BTreeMap<String, u32> {
        let mut reads: BTreeMap<String, u32> = BTreeMap::new();
        match language {
            Language::Ptx => {
                for (symbol, bits) in routine.instructions.iter().filter_map(parameter_load) {
                    let name = symbol.split('+').next().unwrap_or_default();
                    if routine.parameters.contains(&name) && is_only_read(routine, name) {
                        let known = reads.entry(symbol).or_insert(bits);
                        *known = (*known).min(bits);
                    }
                }
                self.names = reads.keys().cloned().collect();
            }
            Language::Sass => {
                let first = words.base.unwrap_or(0x20);
                for at in routine.instructions.iter().flat_map(words_of).filter(|&at| at >= first) {
                    // Each word can be given by its address too.
                    reads.insert(address_of(at), 32);
                    match words.around(at) {
                        Some((number, one)) if one.integer && matches!(one.bytes, 4 | 8) => {
                            reads.insert(format!("param_{number}"), 8 * one.bytes);
                            self.names.insert(format!("param_{number}"));
                        }
                        Some(_) => {}
                        None => _ = self.names.insert(address_of(at)),
                    }
                }
            }
        }
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

/// The words of the constant bank 0 in which parameters of SASS stand.
struct Words {
    /// The address of the first one.
    base: Option<u32>,
    layout: Vec<Parameter>,
}

impl Words {
    /// The parameter that a word belongs to, with its place.
    fn around(&self, at: u32) -> Option<(usize, Parameter)> {
        let offset = at.checked_sub(self.base?)?;
        let inside = |one: &Parameter| (one.offset..one.offset + one.bytes).contains(&offset);
        let number = self.layout.iter().position(inside)?;
        Some((number, self.layout[number]))
    }

    /// What the user calls a parameter, as its place or the address of a word.
    fn named(&self, name: &str) -> String {
        match place(name) {
            Some(number) => format!("param_{number}"),
            None => name.to_lowercase(),
        }
    }

    /// The address of the first word of a parameter, or of a word.
    fn first(&self, named: &str) -> Option<u32> {
        match place(named) {
            Some(number) => self.base?.checked_add(self.layout.get(number)?.offset),
            None => address(named),
        }
    }
}

/// The place of a parameter that is named by it: `2` or `param_2`.
fn place(name: &str) -> Option<usize> {
    name.strip_prefix("param_").unwrap_or(name).parse().ok()
}

/// The lower and the upper word of integers of 64 bits, as far as they follow.
fn halves(interval: Interval) -> [Option<Interval>; 2] {
    let word = 1_i128 << 32;
    match interval.only() {
        Some(value) => [value.rem_euclid(word), value.div_euclid(word).rem_euclid(word)]
            .map(|half| Some(Interval::point(half))),
        None if interval.low >= 0 && interval.high < word => [Some(interval), Some(Interval::point(0))],
        None => [None, None],
    }
}

/// The words of the constant bank 0 that an instruction reads. A load of several words reads those behind its address too.
fn words_of(instruction: &Instruction<'_>) -> Vec<u32> {
    let wide = |width: &str| instruction.opcode.ends_with(width);
    let count = if wide(".128") { 4 } else { 1 + u32::from(wide(".64")) };
    let mut found = Vec::new();
    for (from, _) in instruction.operands.match_indices("c[0x0][0x") {
        let rest = &instruction.operands[from..];
        let name = rest.match_indices(']').nth(1).map(|(end, _)| &rest[..=end]);
        let Some(first) = name.and_then(address) else { continue };
        found.extend((0..count).filter_map(|word| first.checked_add(4 * word)));
    }
    found
}

/// How SASS writes the address of a word of the constant bank 0.
fn address_of(at: u32) -> String {
    format!("c[0x0][{at:#x}]")
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
