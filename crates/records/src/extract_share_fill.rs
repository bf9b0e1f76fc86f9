//! Filling what loops and lines add to the bound of an entry.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use num_traits::ToPrimitive;

use crate::extract::EntryBound;
use crate::extract_share::{FurtherShare, LineShare, LoopShare, SourceShare};
use warpspan_engines::phase::Rational;
use warpspan_engines::program::ProgramBound;
use warpspan_listing::{self as listing, SourceLine};
use warpspan_model::program::Piece;

impl EntryBound {
    pub(super) fn new(
        entry: &listing::Entry,
        warps: u64,
        warps_per_block: Option<u64>,
        bound: &ProgramBound,
    ) -> Self {
        let adds = bound.adds.first().cloned().unwrap_or_default();
        let all: Rational = adds.values().sum();
        let around = entry.program.as_ref().map(loops_around).unwrap_or_default();
        let (mut lines, mut loops) = (Sums::new(all), Sums::new(all));
        for (line, adds) in adds {
            lines.add(line, adds);
            for one in &entry.loops {
                if around.get(&line).is_some_and(|around| around.contains(&one.line)) {
                    loops.add((one.line, one.label.clone()), adds);
                }
            }
        }
        let texts: BTreeMap<u32, &str> =
            entry.lines.iter().rev().map(|line| (line.line, line.text.as_str())).collect();
        let line = |(line, adds, share): (u32, Rational, f64)| {
            let instruction = texts.get(&line).map(|&text| text.to_owned());
            LineShare { line, instruction, adds: adds.to_string(), share }
        };
        let of_loop = |((line, label), adds, share): ((u32, String), Rational, f64)| LoopShare {
            label,
            line,
            adds: adds.to_string(),
            share,
        };
        Self {
            warps,
            warps_per_block,
            upper: bound.makespan.cycles().0,
            exact: bound.exact,
            rate: bound.rates.first().map(ToString::to_string).unwrap_or_default(),
            lines: lines.sorted().into_iter().map(line).collect(),
            further: None,
            loops: loops.sorted().into_iter().map(of_loop).collect(),
            source: Vec::new(),
        }
    }

    /// The same with what each line of the source adds, and with so many lines of each kind at most.
    pub(super) fn with_source(mut self, source: &BTreeMap<u32, SourceLine>, top: Option<usize>) -> Self {
        let adds = |line: &LineShare| line.adds.parse::<Rational>().unwrap_or_default();
        let all: Rational = self.lines.iter().map(adds).sum();
        let mut sums = Sums::new(all);
        for line in &self.lines {
            if let Some(source) = source.get(&line.line) {
                sums.add(source.clone(), adds(line));
            }
        }
        let of_source = |(source, adds, share): (SourceLine, Rational, f64)| SourceShare {
            file: source.file,
            line: source.line,
            adds: adds.to_string(),
            share,
        };
        let top = top.unwrap_or(usize::MAX);
        self.source = sums.sorted().into_iter().take(top).map(of_source).collect();
        let left = self.lines.split_off(top.min(self.lines.len()));
        if !left.is_empty() {
            let further: Rational = left.iter().map(adds).sum();
            self.further = Some(FurtherShare {
                lines: left.len(),
                adds: further.to_string(),
                share: share(further, all),
            });
        }
        self
    }
}

/// Of each line in a loop, the lines of the loops that it stands in.
fn loops_around(program: &Piece) -> BTreeMap<u32, BTreeSet<u32>> {
    let mut found: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    for around in program.pieces() {
        let Piece::Loop { body, line: header, .. } = around else { continue };
        for piece in body.pieces() {
            if let Piece::Letters { line, .. } | Piece::Barrier { line } = piece {
                found.entry(*line).or_default().insert(*header);
            }
        }
    }
    found
}

/// Cycles by what adds them, and all of them together.
struct Sums<K> {
    of: BTreeMap<K, Rational>,
    all: Rational,
}

impl<K: Ord> Sums<K> {
    fn new(all: Rational) -> Self {
        Self { of: BTreeMap::new(), all }
    }

    fn add(&mut self, key: K, adds: Rational) {
        *self.of.entry(key).or_default() += adds;
    }

    /// The largest first; of equal ones, the least key. Each with its share.
    fn sorted(self) -> Vec<(K, Rational, f64)> {
        let all = self.all;
        let mut list: Vec<(K, Rational)> = self.of.into_iter().collect();
        list.sort_by_key(|(_, adds)| Reverse(*adds));
        list.into_iter().map(|(key, adds)| (key, adds, share(adds, all))).collect()
    }
}

/// Percent, rounded down to a tenth.
pub(super) fn share(adds: Rational, all: Rational) -> f64 {
    if all <= Rational::default() {
        return 0.0;
    }
    (adds * Rational::from(1000) / all).to_integer().to_f64().unwrap_or_default() / 10.0
}
