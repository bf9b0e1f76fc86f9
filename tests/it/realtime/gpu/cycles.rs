//! A GPU cycle by cycle, for tests: blocks of kernel strings and measured blocks on several multiprocessors,
//! under schedules that try to delay one kernel. Nothing is shared with the analysis.

use std::cmp::Reverse;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use warpspan::model::machine::Machine;
use warpspan::realtime::rta::System;

use super::machine::Held;

/// What the blocks of a kernel run.
#[derive(Debug, Clone)]
pub(crate) enum Body {
    /// Warps of this string over L, C and `|`.
    Code(String, usize),
    /// Anything, for at most so many cycles.
    Measured(u64),
}

/// The choices of one run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Adversary {
    /// The kernel whose warps issue last.
    pub(crate) victim: usize,
    /// How ready warps are chosen.
    pub(crate) order: Order,
    /// Whether a block goes to the multiprocessor with the least room that has enough, or to a random one.
    pub(crate) pack: bool,
    /// Whether arrivals of sporadic kernels are as early as possible and jitters are the largest and then none.
    pub(crate) extreme: bool,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Order {
    Random,
    /// Those of the victim last, the others by the letters that they have left.
    VictimLast {
        longest_first: bool,
    },
    /// Warps keep a random order for as long as they live.
    Fixed,
}

/// What the multiprocessors are.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Units<'a> {
    /// Units for L and C that issue so many letters a cycle.
    Sigma([usize; 2]),
    /// Machines with latency and issue width.
    Machine(&'a Machine),
}

pub(super) struct Warp {
    pub(super) letters: Vec<char>,
    pub(super) next: usize,
    pub(super) rank: u64,
    /// On a machine, the scheduler, and the first cycle in which the result of its last issue is there.
    pub(super) scheduler: u64,
    pub(super) ready: u64,
}

pub(super) struct Block {
    stream: usize,
    pub(super) kernel: usize,
    pub(super) warps: Vec<Warp>,
    /// The end of a measured block.
    until: u64,
    pub(super) place: usize,
}

struct Launch {
    kernel: usize,
    arrival: u64,
    release: u64,
    unplaced: u64,
    running: u64,
    queued: bool,
}

impl Adversary {
    /// Warps of smaller keys issue first.
    pub(super) fn key(&self, kernel: usize, warp: &Warp, rng: &mut ChaCha8Rng) -> (u64, u64) {
        let random = rng.random_range(0..1_000_000);
        let left = u64::try_from(warp.letters.len() - warp.next).unwrap();
        match self.order {
            Order::Random => (0, random),
            Order::Fixed => (0, warp.rank),
            Order::VictimLast { longest_first } => {
                let last = u64::from(kernel == self.victim) * 1000;
                (last, if longest_first { 1000 - left } else { left } * 1_000_000 + random)
            }
        }
    }
}

/// Plays until all launches that arrive before `horizon` are complete, or for `patience` more cycles. Returns
/// arrival and completion of each launch, kernel by kernel; what is not complete then completes at the end.
pub(crate) fn play(
    system: &System,
    bodies: &[Body],
    units: Units<'_>,
    [horizon, patience]: [u64; 2],
    adversary: &Adversary,
    rng: &mut ChaCha8Rng,
) -> Vec<Vec<(u64, u64)>> {
    let mut releases = releases(system, horizon, adversary, rng);
    let multiprocessors = usize::try_from(system.gpu().multiprocessors).unwrap();
    let mut free = vec![system.gpu().resources.each(); multiprocessors];
    let mut blocks: Vec<Block> = Vec::new();
    let mut machines: Vec<Held> = (0..multiprocessors).map(|_| Held::default()).collect();
    let mut streams: Vec<Vec<Launch>> = system.streams().iter().map(|_| Vec::new()).collect();
    let mut queue: Vec<(Reverse<i64>, usize, usize)> = Vec::new();
    let (mut arrivals, mut open) = (0, releases.len());
    let mut done: Vec<Vec<(u64, u64)>> = system.tasks().iter().map(|_| Vec::new()).collect();
    for now in 0..horizon + patience {
        // What has ended makes room, and completes launches.
        blocks.retain(|block| {
            let over = if block.warps.is_empty() {
                block.until <= now
            } else {
                block.warps.iter().all(|warp| warp.next == warp.letters.len() && warp.ready <= now)
            };
            if over {
                let need = system.tasks()[block.kernel].block.each();
                (0..4).for_each(|r| free[block.place][r] += need[r]);
                streams[block.stream][0].running -= 1;
            }
            !over
        });
        for stream in &mut streams {
            if stream.first().is_some_and(|launch| launch.unplaced == 0 && launch.running == 0) {
                let launch = stream.remove(0);
                done[launch.kernel].push((launch.arrival, now));
                open -= 1;
            }
        }
        if open == 0 {
            return done;
        }
        while releases.last().is_some_and(|launch| launch.release == now) {
            let launch = releases.pop().unwrap();
            streams[system.tasks()[launch.kernel].stream].push(launch);
        }
        // New heads of streams enter the queue: those that were just released in the order of the file if
        // their releases are exact, all others in any order.
        let exact = |kernel: usize| !system.tasks()[kernel].sporadic && system.tasks()[kernel].jitter.0 == 0;
        let mut heads: Vec<(u64, usize, usize)> = Vec::new();
        for (number, stream) in streams.iter_mut().enumerate() {
            let Some(launch) = stream.first_mut().filter(|launch| !launch.queued) else { continue };
            launch.queued = true;
            heads.push((rng.random_range(0..1000), launch.kernel, number));
        }
        heads.sort_unstable();
        let fixed = |at: usize| streams[heads[at].2][0].release == now && exact(heads[at].1);
        let places: Vec<usize> = (0..heads.len()).filter(|&at| fixed(at)).collect();
        let mut in_order: Vec<(u64, usize, usize)> = places.iter().map(|&at| heads[at]).collect();
        in_order.sort_by_key(|head| head.1);
        for (place, head) in places.into_iter().zip(in_order) {
            heads[place] = head;
        }
        for (_, _, stream) in heads {
            arrivals += 1;
            queue.push((Reverse(system.streams()[stream].priority), arrivals, stream));
        }
        queue.sort_unstable();
        place(system, bodies, now, adversary, rng, &mut queue, &mut streams, &mut free, &mut blocks);
        for (multiprocessor, held) in machines.iter_mut().enumerate() {
            match units {
                Units::Sigma(sigma) => issue(multiprocessor, sigma, adversary, rng, &mut blocks),
                Units::Machine(machine) => {
                    held.issue(machine, (multiprocessor, now), adversary, rng, &mut blocks);
                }
            }
        }
    }
    for launch in releases.into_iter().chain(streams.into_iter().flatten()) {
        done[launch.kernel].push((launch.arrival, horizon + patience));
    }
    done
}

/// All launches that arrive before the horizon, the last one first.
fn releases(system: &System, horizon: u64, adversary: &Adversary, rng: &mut ChaCha8Rng) -> Vec<Launch> {
    let mut all = Vec::new();
    for (kernel, task) in system.tasks().iter().enumerate() {
        let mut arrival = task.release.0;
        if task.sporadic && rng.random_bool(0.3) {
            arrival += rng.random_range(0..6);
        }
        let mut earliest = 0;
        for number in 0.. {
            if arrival >= horizon {
                break;
            }
            let jitter = match (adversary.extreme, number) {
                (true, 0) => task.jitter.0,
                (true, _) => 0,
                (false, _) => rng.random_range(0..=task.jitter.0),
            };
            // The launches of a kernel are released in order.
            let release = (arrival + jitter).max(earliest);
            earliest = release;
            all.push(Launch { kernel, arrival, release, unplaced: task.blocks, running: 0, queued: false });
            let Some(period) = task.period else { break };
            let more = if task.sporadic && !adversary.extreme { rng.random_range(0..4) } else { 0 };
            arrival += period.0 + more;
        }
    }
    // In one stream, launches of one time stand in the order of the file if they are exact.
    all.sort_by_key(|launch| (launch.release, launch.kernel));
    all.reverse();
    all
}

#[expect(clippy::too_many_arguments, reason = "the state of a run")]
fn place(
    system: &System,
    bodies: &[Body],
    now: u64,
    adversary: &Adversary,
    rng: &mut ChaCha8Rng,
    queue: &mut Vec<(Reverse<i64>, usize, usize)>,
    streams: &mut [Vec<Launch>],
    free: &mut [[u64; 4]],
    blocks: &mut Vec<Block>,
) {
    while let Some(&(_, _, stream)) = queue.first() {
        let launch = &mut streams[stream][0];
        let need = system.tasks()[launch.kernel].block.each();
        let fits: Vec<usize> = (0..free.len()).filter(|&at| (0..4).all(|r| free[at][r] >= need[r])).collect();
        if fits.is_empty() {
            return;
        }
        let place = if adversary.pack {
            *fits.iter().min_by_key(|&&at| free[at][0]).unwrap()
        } else {
            fits[rng.random_range(0..fits.len())]
        };
        (0..4).for_each(|r| free[place][r] -= need[r]);
        let (warps, until) = match &bodies[launch.kernel] {
            Body::Code(string, warps) => {
                let warp = |_| {
                    let (rank, scheduler) = (rng.random(), rng.random());
                    Warp { letters: string.chars().collect(), next: 0, rank, scheduler, ready: 0 }
                };
                ((0..*warps).map(warp).collect(), 0)
            }
            Body::Measured(most) => {
                let time = if rng.random_bool(0.7) { *most } else { rng.random_range(1..=*most) };
                (Vec::new(), now + time)
            }
        };
        blocks.push(Block { stream, kernel: launch.kernel, warps, until, place });
        launch.unplaced -= 1;
        launch.running += 1;
        if launch.unplaced == 0 {
            queue.remove(0);
        }
    }
}

/// One cycle of a multiprocessor. Each unit issues as much as it can, for measured blocks or ready warps.
fn issue(
    multiprocessor: usize,
    sigma: [usize; 2],
    adversary: &Adversary,
    rng: &mut ChaCha8Rng,
    blocks: &mut [Block],
) {
    let mut room = sigma;
    for block in blocks.iter().filter(|block| block.place == multiprocessor && block.warps.is_empty()) {
        let _ = block;
        for room in &mut room {
            let taken = if rng.random_bool(0.5) { *room } else { rng.random_range(0..=*room) };
            *room -= taken;
        }
    }
    for (unit, letter) in ['L', 'C'].into_iter().enumerate() {
        let mut ready: Vec<(u64, u64, usize, usize)> = Vec::new();
        for (at, block) in blocks.iter().enumerate().filter(|(_, block)| block.place == multiprocessor) {
            for (number, warp) in block.warps.iter().enumerate() {
                if warp.letters.get(warp.next) != Some(&letter) {
                    continue;
                }
                let key = adversary.key(block.kernel, warp, rng);
                ready.push((key.0, key.1, at, number));
            }
        }
        ready.sort_unstable();
        for &(_, _, at, number) in ready.iter().take(room[unit]) {
            // The letter is replaced, so that the warp does not issue twice in a cycle.
            let warp = &mut blocks[at].warps[number];
            warp.letters[warp.next] = '.';
        }
    }
    for block in blocks.iter_mut().filter(|block| block.place == multiprocessor) {
        for warp in &mut block.warps {
            if warp.letters.get(warp.next) == Some(&'.') {
                warp.next += 1;
            }
        }
        open_barriers(block, |_| true);
    }
}

/// Opens each barrier at which every warp of a block stands, or which it has passed, once each `is_there`.
pub(super) fn open_barriers(block: &mut Block, is_there: impl Fn(&Warp) -> bool) {
    let passed = |warp: &Warp| warp.letters[..warp.next].iter().filter(|letter| **letter == '|').count();
    while block.warps.iter().any(|warp| warp.letters.get(warp.next) == Some(&'|')) {
        let behind = block.warps.iter().map(passed).min().unwrap();
        let at = |warp: &Warp| passed(warp) > behind || warp.letters.get(warp.next) == Some(&'|');
        if !block.warps.iter().all(|warp| at(warp) && is_there(warp)) {
            break;
        }
        for warp in block.warps.iter_mut().filter(|warp| passed(warp) == behind) {
            warp.next += 1;
        }
    }
}
