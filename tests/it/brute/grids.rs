//! The best and the worst makespan of a grid by brute force over named slots: it tries every way to fill them
//! and every choice of ready warps in every cycle.
//!
//! It is written from the semantics alone and shares no code with the library.

use std::collections::HashMap;

/// A grid of blocks of equal warps.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Grid {
    /// The letters L and C, with `|` for a barrier.
    pub(crate) code: String,
    /// Letters that each unit takes a cycle.
    pub(crate) sigma: [usize; 2],
    pub(crate) warps: usize,
    pub(crate) blocks: usize,
    pub(crate) resident: usize,
    pub(crate) multiprocessors: usize,
}

/// By multiprocessor, slot and warp: the letters issued. All letters are issued in an empty slot.
type Slots = Vec<Vec<Vec<usize>>>;

/// The smallest and the largest makespan.
pub(crate) fn makespans(grid: &Grid) -> (u64, u64) {
    let letters: Vec<char> = grid.code.chars().filter(|&letter| letter != '|').collect();
    let mut barriers = Vec::new();
    let mut before = 0;
    for letter in grid.code.chars() {
        if letter == '|' {
            barriers.push(before);
        } else {
            before += 1;
        }
    }
    let mut search = Search { grid, letters, barriers, known: HashMap::new() };
    let slots = grid.multiprocessors * grid.resident;
    let filled = grid.blocks.min(slots);
    let mut result = (u64::MAX, 0);
    for set in subsets(&(0..slots).collect::<Vec<_>>(), filled) {
        let mut state =
            vec![vec![vec![search.letters.len(); grid.warps]; grid.resident]; grid.multiprocessors];
        for slot in set {
            state[slot / grid.resident][slot % grid.resident] = vec![0; grid.warps];
        }
        let (best, worst) = search.left(grid.blocks - filled, state);
        result = (result.0.min(best), result.1.max(worst));
    }
    result
}

struct Search<'a> {
    grid: &'a Grid,
    letters: Vec<char>,
    barriers: Vec<usize>, // the number of letters before each
    known: HashMap<(usize, Slots), (u64, u64)>,
}

impl Search<'_> {
    /// The fewest and the most cycles until all blocks have ended.
    fn left(&mut self, waiting: usize, slots: Slots) -> (u64, u64) {
        let length = self.letters.len();
        if slots.iter().flatten().flatten().all(|&at| at == length) {
            assert_eq!(waiting, 0, "no slot is empty while a block waits");
            return (0, 0);
        }
        let mut state = (waiting, slots);
        // Names make no difference, and without them there are fewer states to remember.
        for slots in &mut state.1 {
            slots.iter_mut().for_each(|block| block.sort_unstable());
            slots.sort_unstable();
        }
        if let Some(&known) = self.known.get(&state) {
            return known;
        }
        let slots = &state.1;
        let mut choices = vec![Vec::new()];
        for (multiprocessor, slots) in slots.iter().enumerate() {
            for (unit, letter) in [(0, 'L'), (1, 'C')] {
                let mut ready = Vec::new();
                for (slot, block) in slots.iter().enumerate() {
                    let ready_here = |&warp: &usize| self.is_ready(block, warp, letter);
                    ready
                        .extend((0..block.len()).filter(ready_here).map(|warp| (multiprocessor, slot, warp)));
                }
                let sets = subsets(&ready, ready.len().min(self.grid.sigma[unit]));
                let longer = |choice: Vec<_>| {
                    sets.iter().map(move |set| [&choice[..], &set[..]].concat()).collect::<Vec<_>>()
                };
                choices = choices.into_iter().flat_map(longer).collect();
            }
        }
        let mut result = (u64::MAX, 0);
        for choice in choices {
            let mut next = slots.clone();
            for &(multiprocessor, slot, warp) in &choice {
                next[multiprocessor][slot][warp] += 1;
            }
            let mut freed = Vec::new();
            for (multiprocessor, slots) in next.iter().enumerate() {
                for (slot, block) in slots.iter().enumerate() {
                    let was_there = state.1[multiprocessor][slot] != vec![length; block.len()];
                    if was_there && block.iter().all(|&at| at == length) {
                        freed.push((multiprocessor, slot));
                    }
                }
            }
            let starting = freed.len().min(waiting);
            for set in subsets(&freed, starting) {
                let mut next = next.clone();
                for (multiprocessor, slot) in set {
                    next[multiprocessor][slot] = vec![0; self.grid.warps];
                }
                let (best, worst) = self.left(waiting - starting, next);
                result = (result.0.min(1 + best), result.1.max(1 + worst));
            }
        }
        self.known.insert(state, result);
        result
    }

    fn is_ready(&self, block: &[usize], warp: usize, letter: char) -> bool {
        let at = block[warp];
        let stands = self.barriers.contains(&at) && block.iter().any(|&other| other < at);
        self.letters.get(at) == Some(&letter) && !stands
    }
}

/// Every set of so many of the items.
fn subsets<T: Copy>(items: &[T], count: usize) -> Vec<Vec<T>> {
    (0_u32..1 << items.len())
        .filter(|set| set.count_ones() as usize == count)
        .map(|set| (0..items.len()).filter(|bit| set >> bit & 1 == 1).map(|bit| items[bit]).collect())
        .collect()
}
