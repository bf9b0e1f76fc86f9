//! Bounds against runs of small task sets, millisecond by millisecond. The simulator knows nothing of the
//! recurrences: it plays releases, priorities, waits and the GPU as the model describes them.

use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use rand::{RngExt, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;
use warpspan::model::time::Duration;
use warpspan::realtime::amalthea::{analyse, read_model};

use super::small::{Host, Waits, model, model_by_deadlines, task};

const MS: u64 = 1_000_000_000;

/// Where a job is.
#[derive(Debug, Clone, Copy, PartialEq)]
enum State {
    Before(u64),
    /// It has launched its kernel and waits for it.
    Waiting,
    After(u64),
}

#[derive(Debug, Clone)]
struct Job {
    id: usize,
    host: usize,
    arrival: u64,
    release: u64,
    /// The least runs first.
    urgency: i64,
    state: State,
    kernel: u64,
    after: u64,
}

/// A job on the GPU.
#[derive(Debug, Clone)]
struct Kernel {
    job: usize,
    host: usize,
    since: u64,
    left: u64,
}

type Shortest = u64;
type Longest = u64;

/// The shortest and the longest response time of each task, of those on the cores and of those on the GPU.
#[derive(Debug, Clone)]
struct Found {
    hosts: Vec<Option<(Shortest, Longest)>>,
    kernels: Vec<Option<(Shortest, Longest)>>,
}

fn note(found: &mut Option<(Shortest, Longest)>, response: u64) {
    let one = found.get_or_insert((response, response));
    *one = (one.0.min(response), one.1.max(response));
}

/// Plays a run. What takes no time needs its core or the GPU for a moment all the same: what is released at that very
/// moment comes before it, if it is more urgent.
fn play(hosts: &[Host], by_deadlines: bool, seed: u64, horizon: u64) -> Found {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    // Deadlines count from arrivals or from releases, as the scheduler likes.
    let from_arrival: Vec<bool> = hosts.iter().map(|_| rng.random_bool(0.5)).collect();
    // One run in two takes the most ticks always, since that is where bounds are reached.
    let longest = rng.random_bool(0.5);
    let synchronous = rng.random_bool(0.3);
    let ticks = |rng: &mut ChaCha8Rng, (lower, upper): (u64, u64)| {
        if longest { upper } else { rng.random_range(lower..=upper) }
    };
    let core: Vec<usize> = hosts.iter().map(|host| *host.cores.choose(&mut rng).unwrap()).collect();
    // Where all are released at once, each after its whole jitter, the next jobs have none.
    let latest = hosts.iter().map(|host| host.jitter).max().unwrap_or(0);
    let begin = |host: &Host, rng: &mut ChaCha8Rng| {
        if synchronous { latest - host.jitter } else { rng.random_range(0..host.period) }
    };
    let first: Vec<u64> = hosts.iter().map(|host| begin(host, &mut rng)).collect();
    let mut jobs: Vec<Job> = Vec::new();
    let mut kernels: Vec<Kernel> = Vec::new();
    let mut running: [Option<usize>; 2] = [None, None];
    let mut found = Found { hosts: vec![None; hosts.len()], kernels: vec![None; hosts.len()] };
    let mut number = 0;
    for now in 0..horizon {
        for (host, of) in hosts.iter().enumerate() {
            if now >= first[host] && (now - first[host]).is_multiple_of(of.period) {
                let late = match (synchronous, now == first[host]) {
                    (true, true) => of.jitter,
                    (true, false) => 0,
                    (false, _) => rng.random_range(0..=of.jitter),
                };
                let state = State::Before(ticks(&mut rng, of.before));
                let kernel = of.gpu.map_or(0, |(time, _)| ticks(&mut rng, time));
                let after = ticks(&mut rng, of.after);
                let (arrival, release) = (now, now + late);
                // Where there is no deadline, any.
                let deadline = of.deadline.unwrap_or_else(|| rng.random_range(0..80));
                let deadline = if from_arrival[host] { arrival } else { release } + deadline;
                let urgency = if by_deadlines { i64::try_from(deadline).unwrap() } else { -of.priority };
                jobs.push(Job { id: number, host, arrival, release, urgency, state, kernel, after });
                number += 1;
            }
        }
        // Moments of the GPU and of the cores, until each has work for a millisecond or nothing at all.
        let mut chosen = None;
        let mut ran = Vec::new();
        loop {
            let mut changed = false;
            // The GPU takes any job that is ready, those of a task in order.
            let is_oldest = |at: &usize| !kernels[..*at].iter().any(|one| one.host == kernels[*at].host);
            let ready: Vec<usize> = (0..kernels.len()).filter(is_oldest).collect();
            chosen = chosen.or_else(|| ready.choose(&mut rng).copied());
            if let Some(at) = chosen.filter(|&at| kernels[at].left == 0) {
                let kernel = kernels.remove(at);
                note(&mut found.kernels[kernel.host], now - kernel.since);
                if let Some(job) =
                    jobs.iter_mut().find(|job| job.id == kernel.job && job.state == State::Waiting)
                {
                    job.state = State::After(job.after);
                }
                chosen = None;
                changed = true;
            }
            ran.clear();
            for (unit, running) in running.iter_mut().enumerate() {
                *running = pick(hosts, &jobs, &core, unit, *running, now, &mut rng);
                let at = jobs.iter().position(|job| Some(job.id) == *running);
                let Some(at) = at else { continue };
                let job = &mut jobs[at];
                match (job.state, hosts[job.host].gpu) {
                    (State::Before(0), Some((_, waits))) => {
                        kernels.push(Kernel { job: job.id, host: job.host, since: now, left: job.kernel });
                        job.state =
                            if waits == Waits::Never { State::After(job.after) } else { State::Waiting };
                        changed = true;
                    }
                    (State::Before(0), None) => {
                        job.state = State::After(job.after);
                        changed = true;
                    }
                    (State::After(0), _) => {
                        let job = jobs.remove(at);
                        *running = None;
                        note(&mut found.hosts[job.host], now - job.arrival);
                        changed = true;
                    }
                    _ => ran.push(job.id),
                }
            }
            if !changed {
                break;
            }
        }
        for id in ran {
            let Some(at) = jobs.iter().position(|job| job.id == id) else { continue };
            match &mut jobs[at].state {
                State::Before(left) => *left -= 1,
                State::After(left) => {
                    *left -= 1;
                    if *left == 0 {
                        let job = jobs.remove(at);
                        running.iter_mut().filter(|one| **one == Some(id)).for_each(|one| *one = None);
                        note(&mut found.hosts[job.host], now + 1 - job.arrival);
                    }
                }
                State::Waiting => {} // its core is busy with waiting
            }
        }
        if let Some(at) = chosen {
            kernels[at].left -= 1;
            // Work that takes time is complete with its last moment.
            if kernels[at].left == 0 {
                let kernel = kernels.remove(at);
                note(&mut found.kernels[kernel.host], now + 1 - kernel.since);
                if let Some(job) =
                    jobs.iter_mut().find(|job| job.id == kernel.job && job.state == State::Waiting)
                {
                    job.state = State::After(job.after);
                }
            }
        }
    }
    found
}

/// Which job a core runs: the most urgent of those that are ready; among equals, any.
fn pick(
    hosts: &[Host],
    jobs: &[Job],
    core: &[usize],
    unit: usize,
    running: Option<usize>,
    now: u64,
    rng: &mut ChaCha8Rng,
) -> Option<usize> {
    let is_oldest = |at: usize| !jobs[..at].iter().any(|other| other.host == jobs[at].host);
    let is_ready = |&at: &usize| {
        let job = &jobs[at];
        let suspends = hosts[job.host].gpu.is_some_and(|(_, waits)| waits == Waits::Passively);
        let is_suspended = job.state == State::Waiting && suspends;
        core[job.host] == unit && job.release <= now && !is_suspended && is_oldest(at)
    };
    let ready: Vec<&Job> = (0..jobs.len()).filter(is_ready).map(|at| &jobs[at]).collect();
    let held = ready.iter().find(|job| running == Some(job.id) && !hosts[job.host].is_preemptive);
    if let Some(held) = held {
        return Some(held.id);
    }
    let most = ready.iter().map(|job| job.urgency).min()?;
    let equals: Vec<usize> = ready.iter().filter(|job| job.urgency == most).map(|job| job.id).collect();
    // Who runs goes on among equals, so that each moment has an end.
    running.filter(|one| equals.contains(one)).or_else(|| equals.choose(rng).copied())
}

/// Tasks of up to so many ticks, of which one in so many launches a kernel.
fn hosts(most: u64, kernels: u32) -> impl Strategy<Value = Vec<Host>> {
    let time = |most: u64| (0..=most, 0..=most).prop_map(|(a, b): (u64, u64)| (a.min(b), a.max(b)));
    let waits = prop_oneof![Just(Waits::Actively), Just(Waits::Passively), Just(Waits::Never)];
    let gpu = prop_oneof![kernels - 1 => Just(None), 1 => (time(6), waits).prop_map(Some)];
    let time = |most: u64| prop_oneof![1 => Just((0, 0)), 2 => time(most)];
    let cores = prop_oneof![4 => Just(vec![0]), 1 => Just(vec![1]), 1 => Just(vec![0, 1])];
    let host = (
        10..=60_u64,
        prop_oneof![3 => Just(0), 1 => 1..=8_u64],
        cores,
        0..=3_i64,
        prop::bool::weighted(0.8),
        (time(most), time(3)),
        gpu,
        prop::option::weighted(0.95, 1..=80_u64),
    );
    let host = host.prop_map(|(period, jitter, cores, priority, is_preemptive, ticks, gpu, deadline)| Host {
        period,
        jitter: jitter.min(period - 1),
        cores,
        priority,
        is_preemptive,
        before: ticks.0,
        after: ticks.1,
        gpu,
        deadline,
    });
    prop::collection::vec(host, 1..=5)
}

fn stays_within_the_bounds(hosts: &[Host], by_deadlines: bool, seed: u64) -> Result<(), TestCaseError> {
    let text = if by_deadlines { model_by_deadlines(hosts) } else { model(hosts) };
    let model = read_model("m.amxmi", &text).unwrap();
    let analysis = analyse(&model);
    for run in 0..4 {
        let found = play(hosts, by_deadlines, seed.wrapping_add(run), 1_500);
        let on_cores = found.hosts.iter().enumerate().map(|(number, found)| (format!("t{number}"), found));
        let on_gpu = found.kernels.iter().enumerate().map(|(number, found)| (format!("g{number}"), found));
        for (name, found) in on_cores.chain(on_gpu) {
            let Some((shortest, longest)) = *found else { continue };
            let result = &analysis.tasks[task(&model, &name)];
            if let Some(bound) = result.bound {
                prop_assert!(Duration(longest * MS) <= bound, "{name}: {longest} ms, bound {bound:?}");
            }
            let least = result.least.unwrap();
            prop_assert!(Duration(shortest * MS) >= least, "{name}: {shortest} ms, least {least:?}");
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]
    #[test]
    fn no_run_leaves_the_bounds(hosts in hosts(6, 2), seed in any::<u64>()) {
        stays_within_the_bounds(&hosts, false, seed)?;
    }

    #[test]
    fn no_run_by_deadlines_leaves_the_bounds(hosts in hosts(6, 3), seed in any::<u64>()) {
        stays_within_the_bounds(&hosts, true, seed)?;
    }

    /// Cores that have so much to do that jobs pile up.
    #[test]
    fn no_run_of_a_busy_core_leaves_the_bounds(hosts in hosts(14, 12), by_deadlines in any::<bool>(), seed in any::<u64>()) {
        stays_within_the_bounds(&hosts, by_deadlines, seed)?;
    }
}

/// Without suspension, on one core and with distinct priorities, the bounds are exact: the run in which all are
/// released at once reaches them.
#[test]
fn the_synchronous_run_reaches_the_bounds() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut reached = 0;
    for _ in 0..200 {
        let hosts: Vec<Host> = (0..4)
            .map(|number| {
                let plain = Host::plain(rng.random_range(8..=40), rng.random_range(0..=5), 9 - number);
                // A job ends with work that takes time.
                Host { after: (1, 1), ..plain }
            })
            .collect();
        let model = read_model("m.amxmi", &model(&hosts)).unwrap();
        let analysis = analyse(&model);
        // A run from a common release, until the core has nothing of a task or of more urgent ones to do.
        for number in 0..hosts.len() {
            let (mut left, mut pending) = (0, std::collections::VecDeque::new());
            let mut done = None;
            for now in 0_u64.. {
                if now > 100_000 {
                    done = None;
                    break;
                }
                for (other, of) in hosts.iter().enumerate().take(number + 1) {
                    if now.is_multiple_of(of.period) {
                        let ticks = of.before.1 + of.after.1;
                        if other == number {
                            pending.push_back((now, ticks));
                        } else {
                            left += ticks;
                        }
                    }
                }
                if left > 0 {
                    left -= 1;
                } else if let Some((arrival, own)) = pending.front_mut() {
                    *own -= 1;
                    if *own == 0 {
                        done = done.max(Some(Duration((now + 1 - *arrival) * MS)));
                        pending.pop_front();
                    }
                }
                if left == 0 && pending.is_empty() {
                    break;
                }
            }
            assert_eq!(analysis.tasks[number].bound, done, "t{number} of {hosts:?}");
            reached += usize::from(done.is_some());
        }
    }
    assert!(reached > 400, "{reached}");
}
