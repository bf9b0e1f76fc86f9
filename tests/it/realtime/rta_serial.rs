//! The bound on a multiprocessor's busy time (docs/response-times.md section 5) against all work-conserving
//! schedules of blocks that follow one another, on small instances, by brute force.

use std::collections::HashMap;

use proptest::prelude::*;
use warpspan::limits::Limits;
use warpspan::model::device::Gpu;
use warpspan::realtime::partition::{Launch, kernel_times, read_tasks};
use warpspan::realtime::rta::executions;
use warpspan::realtime::rta::read_system;

/// Blocks on the multiprocessor, each with the letters that its warps have left, and how many have begun.
type State = (Vec<Vec<String>>, usize);

/// The longest time until all blocks are done: in order, as many at once as `resident`, the next as soon as
/// one ends.
struct Search<'a> {
    blocks: &'a [(String, usize)],
    resident: usize,
    sigma: [usize; 2],
    known: HashMap<State, u64>,
}

impl Search<'_> {
    fn longest(&mut self, mut state: State) -> u64 {
        while state.0.len() < self.resident && state.1 < self.blocks.len() {
            let (string, warps) = &self.blocks[state.1];
            state.0.push(vec![string.clone(); *warps]);
            state.1 += 1;
        }
        state.0.iter_mut().for_each(|block| block.sort_unstable());
        state.0.sort_unstable();
        if state.0.is_empty() {
            return 0;
        }
        if let Some(&longest) = self.known.get(&state) {
            return longest;
        }
        let ready = |letter: char| -> Vec<(usize, usize)> {
            let warps = state.0.iter().enumerate();
            let all = warps.flat_map(|(at, block)| (0..block.len()).map(move |warp| (at, warp)));
            all.filter(|&(at, warp)| state.0[at][warp].starts_with(letter)).collect()
        };
        let (loads, cores) = (choices(&ready('L'), self.sigma[0]), choices(&ready('C'), self.sigma[1]));
        let mut longest = 0;
        for load in &loads {
            for core in &cores {
                let mut next = state.clone();
                for &(at, warp) in load.iter().chain(core) {
                    next.0[at][warp].remove(0);
                }
                next.0.iter_mut().for_each(|block| block.retain(|letters| !letters.is_empty()));
                next.0.retain(|block| !block.is_empty());
                longest = longest.max(1 + self.longest(next));
            }
        }
        self.known.insert(state, longest);
        longest
    }
}

/// All ways to choose as many as there may be.
fn choices(ready: &[(usize, usize)], most: usize) -> Vec<Vec<(usize, usize)>> {
    if ready.len() <= most {
        return vec![ready.to_vec()];
    }
    let mut all = Vec::new();
    for mask in 0_u32..1 << ready.len() {
        if mask.count_ones() as usize == most {
            all.push((0..ready.len()).filter(|at| mask >> at & 1 == 1).map(|at| ready[at]).collect());
        }
    }
    all
}

fn longest(blocks: &[(String, usize)], resident: usize, sigma: [usize; 2]) -> u64 {
    Search { blocks, resident, sigma, known: HashMap::new() }.longest((Vec::new(), 0))
}

/// What the library adds up for these blocks.
fn serial(blocks: &[(String, usize)], sigma: [usize; 2]) -> u64 {
    let kernel = |(string, warps): &(String, usize)| {
        format!("[[kernel]]\nblocks = 1\nthreads_per_block = {}\ncode = \"{string}\"\n", 32 * warps)
    };
    let kernels: String = blocks.iter().map(kernel).collect();
    let text = format!(
        "unit = \"cycles\"\n[gpu]\npreset = \"jetson-tx2\"\n[multiprocessor]\nsigma_l = {}\nsigma_c = {}\n{kernels}",
        sigma[0], sigma[1]
    );
    let system = read_system("test", &text).unwrap();
    let found = executions(&system, &Limits::generous()).unwrap();
    found.iter().map(|execution| execution.solved.as_ref().unwrap().serial.0).sum()
}

#[test]
fn two_rounds_of_lcl_take_nine_cycles() {
    let blocks = vec![("LCL".to_owned(), 1); 4];
    assert_eq!(longest(&blocks[..2], 2, [1, 1]), 4);
    assert_eq!(longest(&blocks, 2, [1, 1]), 9, "more than two rounds of 4");
    assert_eq!(serial(&blocks, [1, 1]), 12);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn busy_time_is_at_most_the_sum_over_blocks(
        blocks in prop::collection::vec(("[LC]{1,4}", 1..3_usize), 1..5),
        resident in 1..4_usize,
        sigma in prop::sample::select(vec![[1, 1], [1, 2], [2, 1], [2, 2]]),
    ) {
        prop_assert!(longest(&blocks, resident, sigma) <= serial(&blocks, sigma));
    }
}

/// C(1) of `partition`, in cycles, of two blocks of 33 threads on a multiprocessor of 96.
fn on_one_multiprocessor(string: &str) -> u64 {
    let text = format!(
        "multiprocessors = 1\n[gpu]\nthreads = 96\nblocks = 8\nclock_mhz = 1\n[multiprocessor]\nsigma_l = 1\nsigma_c = 1\n\
         [[task]]\nname = \"a\"\nperiod = 1000\nkind = \"compute\"\nk = 1\ncode = \"{string}\"\nblocks = 2\n\
         threads_per_block = 33\n"
    );
    let limits = Limits::new(None, 1 << 28, 1, std::sync::Arc::default());
    let times = |launch: &Launch, gpu: &Gpu| kernel_times(launch, gpu, &limits);
    read_tasks("test", &text, times).unwrap().tasks()[0].execution().on(1, false).0 / 1_000_000
}

/// 33 threads are two warps, so that of the three warps that a multiprocessor of 96 threads holds one such
/// block takes two, and the second block follows it. LC, two warps and then two: 3 + 3 cycles; four that
/// start together take 5.
#[test]
fn blocks_of_33_threads_follow_one_another() {
    for string in ["LC", "CL", "LCL", "CLC", "LLC", "LCC", "CCL", "LCLC"] {
        let blocks = vec![(string.to_owned(), 2); 2];
        let (truth, bound) = (longest(&blocks, 1, [1, 1]), on_one_multiprocessor(string));
        assert!(bound >= truth, "{string}: {bound} < {truth}");
        assert!(string != "LC" || truth == 6);
    }
}
