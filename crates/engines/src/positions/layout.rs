//! What a state is made of: the cells of lines, and the places of warps and instances in a state.

use std::ops::Range;

use warpspan_model::limits::{Limits, Stop};
use warpspan_model::machine::{Line, MachineWorkload};

/// A letter of a line, and where its issue leads.
#[derive(Debug, Clone)]
pub(super) struct Action {
    /// Index of the instruction in the line.
    pub(super) instruction: u32,
    pub(super) unit: usize,
    pub(super) occupancy: u32,
    /// The latencies to choose from. After the last letter of a line, where the choice changes nothing, it is
    /// the greatest alone.
    pub(super) least: u32,
    pub(super) most: u32,
    /// The cell of the next letter, or the end.
    pub(super) next: u32,
    /// Whether a barrier stands before the letter.
    pub(super) is_gate: bool,
    /// Whether it is the last letter of its line.
    pub(super) is_last: bool,
}

impl Action {
    /// The position of a warp in the cycle after an issue with this latency.
    pub(super) fn lands(&self, latency: u32) -> u32 {
        if self.is_last { self.next } else { self.next - (latency - 1) }
    }
}

/// The cells of a group.
#[derive(Debug)]
pub(super) struct Track {
    /// For each cell its letter, if it has one, and else how many cells further the next letter or the end is.
    pub(super) cells: Vec<Result<Action, u32>>,
}

impl Track {
    /// The number of cells, which is the position of a warp that has issued everything.
    pub(super) fn end(&self) -> u32 {
        u32::try_from(self.cells.len()).unwrap_or(u32::MAX)
    }
}

/// The interchangeable warps of a group on a scheduler. Where there are barriers, those of one block.
#[derive(Debug)]
pub(super) struct Class {
    pub(super) group: usize,
    /// Index of the scheduler among those that have warps.
    pub(super) scheduler: usize,
    /// Index of the block among those with barriers.
    pub(super) block: Option<usize>,
    /// The places of its warps in a state, each of which holds the position of one.
    pub(super) places: Range<usize>,
    /// For each place, the index of the warp in the group.
    pub(super) warps: Vec<u32>,
}

/// The instances of a unit that a scheduler sees.
#[derive(Debug)]
pub(super) struct Instances {
    pub(super) count: u32,
    /// The places in a state that hold, for each instance, for how many more cycles it is held. It is empty
    /// if no instance is ever held from one cycle to the next, or there are always enough of them.
    pub(super) places: Range<usize>,
}

/// Schedulers with equally many warps of each class: the places of the first of them, and their number.
#[derive(Debug)]
pub(super) struct Family {
    pub(super) first: Range<usize>,
    pub(super) count: usize,
}

/// The shape of the states of a workload.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) tracks: Vec<Track>,
    pub(super) classes: Vec<Class>,
    /// By block with barriers, its classes.
    pub(super) blocks: Vec<Vec<usize>>,
    pub(super) instances: Vec<Instances>,
    /// By scheduler and unit, the index in `instances`.
    pub(super) seen: Vec<Vec<usize>>,
    pub(super) families: Vec<Family>,
    /// d, or as many as there are warps.
    pub(super) width: u32,
    /// By place, the number of bits of its largest number.
    pub(super) bits: Vec<u32>,
}

impl Layout {
    /// The layout of lines. It is refused if it alone would exceed the memory limit, or if cycles could exceed
    /// 32 bits, in which case there are far too many states too.
    pub(super) fn new(workload: &MachineWorkload, lines: &[Line], limits: &Limits) -> Result<Self, Stop> {
        let machine = workload.machine();
        let small = |number: u64| u32::try_from(number).map_err(|_| Stop::MemoryLimit);
        let (mut all, mut cells, mut warps) = (0_u64, 0_u64, 0_u64);
        for (line, group) in lines.iter().zip(workload.groups()).filter(|(line, _)| !line.concat().is_empty())
        {
            let letters = || line.iter().flatten().map(|&letter| machine.letter(letter));
            let longest = letters().fold(0_u64, |sum, letter| sum.saturating_add(letter.longest()));
            all = all.saturating_add(longest.saturating_mul(group.warps));
            cells = letters().fold(cells, |sum, letter| sum.saturating_add(letter.latency.most));
            warps += group.warps;
        }
        small(all)?;
        let bytes = cells.saturating_mul(64).saturating_add(warps.saturating_mul(256));
        if bytes > limits.memory {
            return Err(Stop::MemoryLimit);
        }
        let tracks = lines.iter().map(|line| track(workload, line)).collect::<Result<Vec<_>, Stop>>()?;
        let mut layout = Self {
            tracks,
            classes: Vec::new(),
            blocks: Vec::new(),
            instances: Vec::new(),
            seen: Vec::new(),
            families: Vec::new(),
            width: u32::try_from(machine.width().unwrap_or(warps).min(warps)).unwrap_or(u32::MAX),
            bits: Vec::new(),
        };
        layout.place(workload)?;
        Ok(layout)
    }

    /// The number of bits of a state.
    pub(super) fn bits(&self) -> u32 {
        self.bits.iter().sum()
    }

    /// The state in which no warp has issued.
    pub(super) fn start(&self) -> Vec<u32> {
        vec![0; self.bits.len()]
    }

    /// The state in which all warps have issued everything.
    pub(super) fn end(&self) -> Vec<u32> {
        let mut state = self.start();
        for class in &self.classes {
            state[class.places.clone()].fill(self.tracks[class.group].end());
        }
        state
    }

    /// Sorts what is interchangeable in a state, so that equal states look equal.
    pub(super) fn sort(&self, state: &mut [u32]) {
        for class in &self.classes {
            state[class.places.clone()].sort_unstable();
        }
        for instances in &self.instances {
            state[instances.places.clone()].sort_unstable();
        }
        for &Family { ref first, count } in &self.families {
            let length = first.len();
            for sorted in 1..count {
                for at in (first.start..first.start + sorted * length).step_by(length.max(1)).rev() {
                    let (left, right) = state[at..at + 2 * length].split_at_mut(length);
                    if left <= right {
                        break;
                    }
                    left.swap_with_slice(right);
                }
            }
        }
    }

    /// Gives every warp and every instance that may be held for long its place.
    fn place(&mut self, workload: &MachineWorkload) -> Result<(), Stop> {
        let mut blocks = Vec::new();
        let mut schedulers = members(workload, &self.tracks, &mut blocks);
        let signature =
            |members: &Members| members.iter().map(|(key, warps)| (*key, warps.len())).collect::<Vec<_>>();
        schedulers.sort_by_key(|members| signature(members));
        self.blocks = vec![Vec::new(); blocks.len()];
        let used = self.uses(workload);
        let units = workload.machine().units();
        let mut shared = vec![None; units.len()];
        for alike in schedulers.chunk_by(|a, b| signature(a) == signature(b)) {
            let first = self.bits.len();
            for members in alike {
                let (scheduler, begin) = (self.seen.len(), self.classes.len());
                for (&(group, block), warps) in members {
                    let places = self.places(self.tracks[group].end(), warps.len());
                    if let Some(block) = block {
                        self.blocks[block].push(self.classes.len());
                    }
                    self.classes.push(Class { group, scheduler, block, places, warps: warps.clone() });
                }
                let own: Vec<u64> =
                    self.classes[begin..].iter().map(|class| class.places.len() as u64).collect();
                let groups: Vec<usize> = self.classes[begin..].iter().map(|class| class.group).collect();
                let mut seen = Vec::new();
                for (unit, of) in units.iter().enumerate() {
                    if !of.shared {
                        seen.push(self.instances.len());
                        let uses: Vec<(u64, &Use)> = own
                            .iter()
                            .zip(&groups)
                            .map(|(&warps, &group)| (warps, &used[group][unit]))
                            .collect();
                        self.hold(of.instances, &uses)?;
                    } else {
                        seen.push(usize::MAX);
                    }
                }
                self.seen.push(seen);
            }
            let first = first..first + (self.bits.len() - first) / alike.len();
            self.families.push(Family { first, count: alike.len() });
        }
        for (unit, of) in units.iter().enumerate().filter(|(_, of)| of.shared) {
            let uses: Vec<(u64, &Use)> =
                workload.groups().iter().zip(&used).map(|(group, used)| (group.warps, &used[unit])).collect();
            shared[unit] = Some(self.instances.len());
            self.hold(of.instances, &uses)?;
        }
        for seen in &mut self.seen {
            for (unit, index) in shared.iter().enumerate().filter_map(|(unit, index)| Some((unit, (*index)?)))
            {
                seen[unit] = index;
            }
        }
        Ok(())
    }

    /// By group and unit, how the letters use it.
    fn uses(&self, workload: &MachineWorkload) -> Vec<Vec<Use>> {
        let units = workload.machine().units().len();
        let of = |track: &Track| {
            let mut uses = vec![Use { letters: 0, longest: 1, shortest: u32::MAX }; units];
            for action in track.cells.iter().flatten() {
                let use_ = &mut uses[action.unit];
                use_.letters += 1;
                use_.longest = use_.longest.max(action.occupancy);
                use_.shortest = use_.shortest.min(action.least);
            }
            uses
        };
        self.tracks.iter().map(of).collect()
    }

    /// Adds the instances of a unit that warps see, so many of each use.
    fn hold(&mut self, count: u64, uses: &[(u64, &Use)]) -> Result<(), Stop> {
        let warps: u64 = uses.iter().filter(|(_, of)| of.letters > 0).map(|(warps, _)| warps).sum();
        let longest = uses.iter().map(|(_, of)| of.longest).max().unwrap_or(1);
        // A warp whose letter on the unit is ready holds fewer than this many instances, and any other at most
        // this many, since its issues on the unit are a shortest latency apart.
        let most = |(warps, of): &(u64, &Use)| {
            warps.saturating_mul(of.letters.min(u64::from(longest.div_ceil(of.shortest))))
        };
        let held = uses.iter().map(most).fold(0_u64, u64::saturating_add);
        let is_tracked = longest > 1 && count < held;
        let number = if is_tracked { count } else { count.min(warps) };
        let number = u32::try_from(number).map_err(|_| Stop::MemoryLimit)?;
        let places = if is_tracked { self.places(longest - 1, number as usize) } else { 0..0 };
        self.instances.push(Instances { count: number, places });
        Ok(())
    }

    /// Adds places for numbers up to `most`.
    fn places(&mut self, most: u32, count: usize) -> Range<usize> {
        let first = self.bits.len();
        self.bits.extend(std::iter::repeat_n(u32::BITS - most.leading_zeros(), count));
        first..first + count
    }
}

/// How the letters of a line use a unit.
#[derive(Debug, Clone)]
struct Use {
    letters: u64,
    /// The longest occupancy.
    longest: u32,
    /// The shortest latency.
    shortest: u32,
}

/// The warps of a scheduler by their group and block.
type Members = std::collections::BTreeMap<(usize, Option<usize>), Vec<u32>>;

/// The warps of each scheduler that has some, and the blocks with barriers.
fn members(workload: &MachineWorkload, tracks: &[Track], blocks: &mut Vec<(usize, u64)>) -> Vec<Members> {
    let mut schedulers = std::collections::BTreeMap::<u64, Members>::new();
    for (group, track) in tracks.iter().enumerate().filter(|(_, track)| track.end() > 0) {
        let has_gates = track.cells.iter().flatten().any(|action| action.is_gate);
        for (warp, number) in (0_u32..).zip(workload.warps_of(group)) {
            let block = has_gates.then(|| {
                let block = (group, workload.warps_per_block().map_or(0, |size| u64::from(warp) / size));
                if blocks.last() != Some(&block) {
                    blocks.push(block);
                }
                blocks.len() - 1
            });
            let members = schedulers.entry(number % workload.machine().schedulers()).or_default();
            members.entry((group, block)).or_default().push(warp);
        }
    }
    schedulers.into_values().collect()
}

/// The cells of a line.
fn track(workload: &MachineWorkload, line: &Line) -> Result<Track, Stop> {
    let small = |number: u64| u32::try_from(number).map_err(|_| Stop::MemoryLimit);
    let mut cells: Vec<Result<Action, u32>> = Vec::new();
    let count = line.concat().len();
    let mut instruction = 0_u32;
    for segment in line {
        for (at, &letter) in segment.iter().enumerate() {
            let letter = workload.machine().letter(letter);
            let is_last = instruction as usize + 1 == count;
            let (least, most) = (small(letter.latency.least)?, small(letter.latency.most)?);
            let idle = if is_last { 0 } else { most - 1 };
            let cell = small(cells.len() as u64)?;
            cells.push(Ok(Action {
                instruction,
                unit: letter.unit,
                occupancy: small(letter.occupancy)?,
                least: if is_last { most } else { least },
                most,
                next: cell.checked_add(1 + idle).ok_or(Stop::MemoryLimit)?,
                is_gate: at == 0 && instruction > 0,
                is_last,
            }));
            cells.extend((1..=idle).rev().map(Err));
            instruction += 1;
        }
    }
    Ok(Track { cells })
}
