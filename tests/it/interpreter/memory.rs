//! Accesses of memory: where the lanes of a warp go with one, and what of memory they touch.

use std::collections::{BTreeMap, BTreeSet};

use super::text::Instruction;

/// The lanes of a warp.
pub(crate) const LANES: usize = 32;

/// One execution of an access by a warp.
#[derive(Debug, Clone)]
pub(crate) struct Access {
    /// The number of its instruction.
    pub at: usize,
    /// Where lanes that execute it begin.
    pub addresses: [Option<u64>; LANES],
    /// The bytes of a lane.
    pub bytes: u64,
    pub shared: bool,
    pub stores: bool,
}

/// What an access touches.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Touched {
    pub sectors: u64,
    pub lines: u64,
    /// Lines, of each part of the warp that accesses 128 bytes together.
    pub passes: u64,
    /// Words of the bank with the most, of each such part.
    pub wavefronts: u64,
}

impl Touched {
    /// The larger of each of two.
    pub(crate) fn max(self, other: Self) -> Self {
        Self {
            sectors: self.sectors.max(other.sectors),
            lines: self.lines.max(other.lines),
            passes: self.passes.max(other.passes),
            wavefronts: self.wavefronts.max(other.wavefronts),
        }
    }
}

fn count(all: impl Iterator<Item = u64>) -> u64 {
    all.collect::<BTreeSet<u64>>().len() as u64
}

impl Access {
    /// The access that an instruction is, and the text of its address.
    pub(crate) fn of<'t>(at: usize, one: &Instruction<'t>) -> Option<(Self, &'t str)> {
        let kind = |number: usize| one.modifiers.get(number).copied().unwrap_or_default();
        let (stores, shared) = match one.name {
            "LDG" | "STG" | "LDS" | "STS" => (one.name.starts_with('S'), one.name.ends_with('S')),
            "ld" | "st" if matches!(kind(0), "global" | "shared") => (one.name == "st", kind(0) == "shared"),
            _ => return None,
        };
        let of_modifier = |text: &&str| match *text {
            "128" => 16,
            "64" => 8,
            "v2" => 2,
            "v4" => 4,
            // The type of PTX, in bits.
            kind => {
                kind[1..].parse::<u64>().ok().filter(|_| kind.starts_with('u')).map_or(1, |bits| bits / 8)
            }
        };
        let bytes: u64 = one.modifiers.iter().map(of_modifier).product();
        let bytes = if bytes == 1 && one.name.starts_with(['L', 'S']) { 4 } else { bytes };
        let place = one.operands[usize::from(!stores)].trim_matches(['[', ']']);
        Some((Self { at, addresses: [None; LANES], bytes, shared, stores }, place))
    }

    /// Where it begins. An access that is not aligned is a fault, and not done.
    fn begins(&self) -> impl Iterator<Item = (usize, u64)> {
        let lanes = self.addresses.iter().enumerate().filter_map(|(lane, at)| Some((lane, (*at)?)));
        lanes.filter(|(_, at)| at.is_multiple_of(self.bytes))
    }

    /// The sectors of memory.
    pub(crate) fn sectors(&self) -> impl Iterator<Item = u64> {
        self.begins().map(|(_, at)| at / 32)
    }

    pub(crate) fn touched(&self) -> Touched {
        let parts = usize::try_from(self.bytes / 4).unwrap().max(1);
        let (mut passes, mut wavefronts) = (0, 0);
        for part in 0..parts {
            let here: Vec<u64> =
                self.begins().filter(|(lane, _)| lane * parts / LANES == part).map(|one| one.1).collect();
            passes += count(here.iter().map(|at| at / 128));
            let mut banks: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
            for word in here.iter().flat_map(|at| at / 4..=(at + self.bytes - 1) / 4) {
                banks.entry(word % 32).or_default().insert(word);
            }
            wavefronts += banks.values().map(|words| words.len() as u64).max().unwrap_or(0);
        }
        let lines = count(self.sectors().map(|sector| sector / 4));
        Touched { sectors: count(self.sectors()), lines, passes, wavefronts }
    }
}
