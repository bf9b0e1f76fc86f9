//! Multiprocessors on which blocks follow one another, cycle by cycle: every placement and every
//! work-conserving choice.
//!
//! It is written from the semantics alone and shares no code with the library.

/// No block has more warps.
pub(crate) const MOST_WARPS: usize = 4;

/// A block: what its warps run (`L`, `C` and `|`), the room that it takes, and the cycle before which it
/// cannot start.
///
/// A block that is half-done when the clock starts is a block of what its warps have left: a warp that waits
/// at a barrier has a string that begins with `|`, and a warp that has ended has an empty one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Block {
    pub(crate) warps: Vec<String>,
    pub(crate) size: u64,
    pub(crate) arrival: u64,
    /// Whether it is told apart from equal blocks.
    pub(crate) named: bool,
}

impl Block {
    /// Equal warps and a size of 1.
    pub(crate) fn of(text: &str, warps: usize) -> Self {
        Self { warps: vec![text.to_owned(); warps], size: 1, arrival: 1, named: false }
    }

    pub(crate) fn sized(self, size: u64) -> Self {
        Self { size, ..self }
    }
}

/// A block on a multiprocessor: which one it is, a mark that the user of this module may set, and how many
/// characters each warp has behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Present {
    pub(crate) kind: u8,
    pub(crate) mark: u8,
    at: [u8; MOST_WARPS],
}

/// The state before a cycle.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct State {
    /// The next cycle, or the last arrival if that was earlier.
    pub(crate) clock: u64,
    /// The kinds of the blocks that have not started, in the order of the queue.
    pub(crate) queue: Vec<u8>,
    pub(crate) machines: Vec<Vec<Present>>,
    /// A number that the user of this module may keep.
    pub(crate) tally: u64,
}

/// Equal multiprocessors and the blocks that come to them.
pub(crate) struct Gpu {
    sigma: [usize; 2],
    capacity: u64,
    /// The distinct blocks.
    pub(crate) kinds: Vec<Block>,
    letters: Vec<Vec<Vec<u8>>>,
    /// Whether any block of the queue may be the next, and not only its head.
    any_order: bool,
    last_arrival: u64,
}

impl Gpu {
    /// The multiprocessors and the state before cycle 1, with all blocks in the queue.
    pub(crate) fn new(
        sigma: [usize; 2],
        (machines, capacity): (usize, u64),
        blocks: &[Block],
        any_order: bool,
    ) -> (Self, State) {
        let mut kinds = blocks.to_vec();
        kinds.iter_mut().for_each(|block| block.warps.sort());
        let mut queue = Vec::new();
        let all = kinds.clone();
        kinds.sort();
        kinds.dedup();
        for block in &all {
            assert!(block.size <= capacity && block.warps.len() <= MOST_WARPS);
            queue.push(u8::try_from(kinds.iter().position(|kind| kind == block).unwrap()).unwrap());
        }
        queue.sort_by_key(|&kind| kinds[usize::from(kind)].arrival);
        let letters: Vec<Vec<Vec<u8>>> = kinds
            .iter()
            .map(|kind| kind.warps.iter().map(|warp| warp.as_bytes().to_vec()).collect())
            .collect();
        let last_arrival = kinds.iter().map(|kind| kind.arrival).max().unwrap_or(1);
        let state = State { clock: 1, queue, machines: vec![Vec::new(); machines], tally: 0 };
        (Self { sigma, capacity, kinds, letters, any_order, last_arrival }, state)
    }

    /// The kind of the one block that is named.
    pub(crate) fn named(&self) -> u8 {
        u8::try_from(self.kinds.iter().position(|kind| kind.named).unwrap()).unwrap()
    }

    /// All ways to start blocks until nothing that has arrived and is next in the queue has room.
    pub(crate) fn placements(&self, state: &State) -> Vec<State> {
        self.starts(state, false)
    }

    /// All ways to start blocks; if they are `lazy`, room may stay empty while blocks wait.
    pub(crate) fn starts(&self, state: &State, lazy: bool) -> Vec<State> {
        let (mut open, mut done) = (vec![state.clone()], Vec::new());
        while let Some(state) = open.pop() {
            let mut stuck = true;
            let candidates = if self.any_order { state.queue.len() } else { state.queue.len().min(1) };
            for next in 0..candidates {
                let kind = state.queue[next];
                let block = &self.kinds[usize::from(kind)];
                if block.arrival > state.clock || state.queue[..next].contains(&kind) {
                    continue;
                }
                for machine in 0..state.machines.len() {
                    let used: u64 =
                        state.machines[machine].iter().map(|p| self.kinds[usize::from(p.kind)].size).sum();
                    if used + block.size > self.capacity {
                        continue;
                    }
                    stuck = false;
                    let mut placed = state.clone();
                    placed.queue.remove(next);
                    let mut started = Present { kind, mark: 0, at: [0; MOST_WARPS] };
                    self.settle(&mut started);
                    placed.machines[machine].push(started);
                    placed.machines[machine].sort_unstable();
                    placed.machines.sort_unstable();
                    open.push(placed);
                }
            }
            if stuck || lazy {
                done.push(state);
            }
        }
        done.sort_unstable();
        done.dedup();
        done
    }

    /// All states after a cycle. Blocks that end in it are gone.
    pub(crate) fn cycle(&self, state: &State) -> Vec<State> {
        let mut after = vec![Vec::new()];
        for machine in &state.machines {
            let ways = self.issue(machine);
            after = after
                .iter()
                .flat_map(|rest: &Vec<Vec<Present>>| {
                    ways.iter().map(move |way| rest.iter().chain([way]).cloned().collect())
                })
                .collect();
        }
        let mut states: Vec<State> = after
            .into_iter()
            .map(|mut machines| {
                machines.sort_unstable();
                State { clock: (state.clock + 1).min(self.last_arrival), machines, ..state.clone() }
            })
            .collect();
        states.sort_unstable();
        states.dedup();
        states
    }

    fn issue(&self, machine: &[Present]) -> Vec<Vec<Present>> {
        let ready = |unit: u8| -> Vec<(usize, usize)> {
            let blocks = machine.iter().enumerate();
            let warps = blocks.flat_map(|(block, present)| {
                let letters = self.letters[usize::from(present.kind)].iter().enumerate();
                let wants =
                    letters.filter(|(warp, text)| text.get(usize::from(present.at[*warp])) == Some(&unit));
                wants.map(move |(warp, _)| (block, warp)).collect::<Vec<_>>()
            });
            warps.collect()
        };
        let choices =
            [(b'L', self.sigma[0]), (b'C', self.sigma[1])].map(|(u, sigma)| subsets(&ready(u), sigma));
        let mut ways = Vec::new();
        for on_l in &choices[0] {
            for on_c in &choices[1] {
                let mut way = machine.to_vec();
                for &(block, warp) in on_l.iter().chain(on_c) {
                    way[block].at[warp] += 1;
                }
                way.iter_mut().for_each(|present| self.settle(present));
                way.retain(|present| !self.ended(present));
                way.sort_unstable();
                ways.push(way);
            }
        }
        ways.sort_unstable();
        ways.dedup();
        assert!(machine.is_empty() || ways.iter().all(|way| way != machine), "something issues");
        ways
    }

    /// Opens the barriers at which all warps stand that have not ended, and puts equal warps in order.
    fn settle(&self, present: &mut Present) {
        let letters = &self.letters[usize::from(present.kind)];
        let next = |present: &Present, warp: usize| letters[warp].get(usize::from(present.at[warp])).copied();
        let warps = 0..letters.len();
        while warps.clone().all(|warp| matches!(next(present, warp), None | Some(b'|')))
            && warps.clone().any(|warp| next(present, warp).is_some())
        {
            for warp in warps.clone() {
                present.at[warp] += u8::from(next(present, warp).is_some());
            }
        }
        for end in 1..letters.len() {
            for warp in (1..=end).rev() {
                if letters[warp] == letters[warp - 1] && present.at[warp] < present.at[warp - 1] {
                    present.at.swap(warp, warp - 1);
                }
            }
        }
    }

    fn ended(&self, present: &Present) -> bool {
        let letters = self.letters[usize::from(present.kind)].iter().zip(present.at);
        letters.into_iter().all(|(text, at)| usize::from(at) == text.len())
    }
}

/// Every set of ready warps that may issue: as many as the unit takes, or all of them.
fn subsets(ready: &[(usize, usize)], sigma: usize) -> Vec<Vec<(usize, usize)>> {
    let count = ready.len().min(sigma);
    (0_u32..1 << ready.len())
        .filter(|set| set.count_ones() as usize == count)
        .map(|set| (0..ready.len()).filter(|bit| set >> bit & 1 == 1).map(|bit| ready[bit]).collect())
        .collect()
}
