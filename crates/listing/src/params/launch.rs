//! What is known of a launch of one entry.

use std::collections::{BTreeMap, BTreeSet};

use crate::formula::{End, Number};
use crate::interval::Interval;
use crate::params::layout::{base, layout};
use crate::params::pieces::{Pieces, Read, fits, reads};
use crate::params::{MOST, Params, Range, size_of};
use crate::routine::{Parameter, Routine};
use warpspan_isa::instruction::{Instruction, Language};
use warpspan_isa::memory::words_of_constants;
use warpspan_isa::operand::{Kind, constant_address};
use warpspan_isa::ptx_names::every_name;
use warpspan_model::device::WARP;

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
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Launch {
    /// The sizes of the block and of the grid, each by its axis.
    sizes: [[Option<Interval>; 3]; 2],
    sizes_at: Option<[u32; 2]>,
    /// What loads of PTX read of the parameters.
    pieces: Pieces,
    /// The values in the constant bank 0 of SASS, by their address.
    words: BTreeMap<u32, Interval>,
    /// What of this the entry has: the names as they were given.
    pub(crate) used: BTreeMap<String, Range>,
    /// The names of the parameters that the entry reads.
    pub(crate) names: BTreeSet<String>,
    /// Those that it reads as integers of 32 bits, and that have no value.
    pub(crate) numbers: BTreeSet<String>,
    /// Whether counts may be expressions in parameters.
    pub(crate) symbolic: bool,
}

impl Launch {
    /// What the user says of an entry. The error names a value that a load of the parameter cannot give.
    pub(crate) fn of(routine: &Routine<'_>, language: Language, params: &Params) -> Result<Self, String> {
        let target = routine.target.as_deref().filter(|_| language == Language::Sass);
        let mut launch = Self { sizes_at: target.and_then(sizes_at), ..Self::default() };
        for (axis, size) in routine.block.iter().flatten().enumerate() {
            launch.sizes[0][axis] = Some(Interval::point((*size).into()));
        }
        let words = target.map(|target| Words::of(routine, target)).unwrap_or_default();
        let of_ptx = match language {
            Language::Ptx => launch.reads_of_ptx(routine),
            Language::Sass => BTreeSet::new(),
        };
        let of_sass =
            if language == Language::Sass { launch.reads_of_sass(routine, &words) } else { BTreeMap::new() };
        for (name, range) in params.iter() {
            // What has one value is a number.
            let symbol = params.symbols.contains(name) && range.low < range.high;
            let end = if symbol { End::parameter(name) } else { None };
            launch.symbolic |= symbol;
            let interval = Interval::new(range.low, range.high).with_ends([end; 2]);
            if let Some((grid, axis)) = size_of(name) {
                if let Some(size) = routine.block.filter(|_| !grid).map(|block| i128::from(block[axis])) {
                    if !params.of_launch && !(range.low..=range.high).contains(&size) {
                        let compiled = compiled_for(routine.name, routine.block.unwrap_or_default());
                        return Err(format!("{name} = {range}: {compiled}: want {size}"));
                    }
                    launch.used.insert(name.to_owned(), range);
                    continue;
                }
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
            let wrong =
                |bits: u32| format!("{} reads it as {bits} bits, and {range} does not fit", routine.name);
            let twice = match language {
                Language::Ptx => match launch.pieces.give(routine, &of_ptx, &named, (range, interval)) {
                    Ok(Some(twice)) => twice,
                    Ok(None) => continue,
                    Err(_) if symbol => continue,
                    Err(bits) => return Err(wrong(bits)),
                },
                Language::Sass => match of_sass.get(&named) {
                    None => continue,
                    Some(&bits) if fits(range, bits) => {
                        launch.give_words(words.first(&named), bits, interval)
                    }
                    Some(_) if symbol => continue,
                    Some(&bits) => return Err(wrong(bits)),
                },
            };
            launch.used.insert(name.to_owned(), range);
            launch.numbers.remove(&named);
            if named != name {
                launch.names.remove(&named);
            }
            if twice {
                return Err(format!("{name} has a value by another name of it already: want one of them"));
            }
        }
        Ok(launch)
    }

    /// Gives the words at an address their value; whether one of them had another.
    fn give_words(&mut self, first: Option<u32>, bits: u32, interval: Interval) -> bool {
        let Some(at) = first else { return false };
        if bits == 32 {
            return self.words.insert(at, interval).is_some();
        }
        let [low, high] = halves(interval);
        let high = high.and_then(|high| self.words.insert(at + 4, high));
        let low = low.and_then(|low| self.words.insert(at, low));
        low.or(high).is_some()
    }

    /// Only the sizes, which hold in functions that are called too.
    pub(crate) fn sizes_only(&self) -> Self {
        Self { sizes: self.sizes, sizes_at: self.sizes_at, ..Self::default() }
    }

    /// What the loads of PTX read of the parameters. Their names are noted.
    fn reads_of_ptx(&mut self, routine: &Routine<'_>) -> BTreeSet<Read> {
        let found = reads(routine, |name| routine.parameters.contains(&name) && is_only_read(routine, name));
        self.names = found.iter().map(Read::named).collect();
        self.numbers = found.iter().filter(|one| one.bits == 32).map(Read::named).collect();
        found
    }

    /// The words of SASS that hold parameters, and the parameters, with the number of bits of each. The names of those that may be
    /// integers are noted.
    fn reads_of_sass(&mut self, routine: &Routine<'_>, words: &Words) -> BTreeMap<String, u32> {
        let mut reads: BTreeMap<String, u32> = BTreeMap::new();
        let first = words.base.unwrap_or(0x20);
        for at in routine.instructions.iter().flat_map(words_of).filter(|&at| at >= first) {
            // Each word can be given by its address too.
            reads.insert(address_of(at), 32);
            match words.around(at) {
                Some((number, one)) if one.integer && matches!(one.bytes, 4 | 8) => {
                    reads.insert(format!("param_{number}"), 8 * one.bytes);
                    self.names.insert(format!("param_{number}"));
                    if one.bytes == 4 {
                        self.numbers.insert(format!("param_{number}"));
                    }
                }
                Some(_) => {}
                None => _ = self.names.insert(address_of(at)),
            }
        }
        reads
    }

    /// So many bits of a parameter of PTX, from a byte on.
    pub(crate) fn parameter(&self, name: &str, byte: u32, bits: u32) -> Option<Interval> {
        self.pieces.get(name, byte, bits)
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

    /// How many warps there are at least.
    pub(crate) fn fewest_warps(&self) -> u64 {
        let all = |grid: bool| {
            let sizes = (0..3).map(|axis| u64::try_from(self.size(grid, axis).low).unwrap_or(1));
            sizes.fold(1, u64::saturating_mul)
        };
        all(true).saturating_mul(all(false).div_ceil(WARP))
    }

    /// The numbers of threads of a block along an axis, or those of the blocks.
    pub(crate) fn index(&self, grid: bool, axis: usize) -> Interval {
        let size = self.size(grid, axis);
        let ends = [None, size.high_end().plus(Number(None, -1))];
        Interval { high_open: size.high_open, ..Interval::new(0, size.high - 1) }.with_ends(ends)
    }
}

/// That an entry has a size of its blocks, as a part of a message.
#[doc(hidden)]
pub fn compiled_for(entry: &str, block: [u64; 3]) -> String {
    format!(
        "{entry} is compiled for blocks of {} threads (.reqntid)",
        block.map(|size| size.to_string()).join(" x ")
    )
}

/// Whether a parameter of PTX is what the kernel was launched with, wherever its name stands: no other
/// declaration has its name, and no store or call, whose parameters may have the same names, mentions it.
fn is_only_read(routine: &Routine<'_>, name: &str) -> bool {
    let mut declarations = routine.declared.iter().filter(|one| one.is(name));
    let alone = declarations.next().is_none_or(|one| one.whole) && declarations.next().is_none();
    let mentions = |one: &Instruction<'_>| every_name(one).any(|part| part == name);
    alone && !routine.instructions.iter().any(|one| one.passes_parameters() && mentions(one))
}

/// The number of the parameter to which a word of the constant bank 0 of SASS belongs, where that is known.
pub(crate) fn parameter_of_word(routine: &Routine<'_>, at: u32) -> Option<usize> {
    Words::of(routine, routine.target.as_deref()?).around(at).map(|(number, _)| number)
}

/// The words of the constant bank 0 in which parameters of SASS stand.
#[derive(Default)]
struct Words {
    /// The address of the first one.
    base: Option<u32>,
    layout: Vec<Parameter>,
}

impl Words {
    /// Those of a routine for a capability.
    fn of(routine: &Routine<'_>, target: &str) -> Self {
        Self { base: base(target), layout: layout(routine) }
    }

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
            None => constant_address(named),
        }
    }
}

/// Whether an entry has a parameter of this name, whether or not its code reads it.
pub(crate) fn has_parameter(routine: &Routine<'_>, name: &str) -> bool {
    let number = routine.parameters.len().max(layout(routine).len());
    place(name).is_some_and(|at| at < number) || routine.parameters.contains(&name)
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
    let count = words_of_constants(instruction);
    let mut found = Vec::new();
    for one in instruction.operands() {
        if let Kind::Address { constant: Some(first), .. } = one.kind {
            found.extend((0..count).filter_map(|word| first.checked_add(4 * word)));
        }
    }
    found
}

/// How SASS writes the address of a word of the constant bank 0.
fn address_of(at: u32) -> String {
    format!("c[0x0][{at:#x}]")
}
