//! Bounds against runs of small task sets, millisecond by millisecond. The simulator knows nothing of the
//! recurrences: it plays releases, priorities, waits and the GPU as the model describes them.

use proptest::prelude::*;
use rand::{RngExt, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;
use warpspan::model::time::Duration;
use warpspan::realtime::amalthea::{analyse, read_model};

use super::small::{Host, model, task};

const MS: u64 = 1_000_000_000;

/// Where a job is.
#[derive(Debug, Clone, Copy, PartialEq)]
enum State {
    Before(u64),
    /// The GPU still has so much to do for it.
    Gpu(u64),
    After(u64),
}

#[derive(Debug, Clone)]
struct Job {
    host: usize,
    arrival: u64,
    release: u64,
    state: State,
    kernel: u64,
    after: u64,
}

/// Plays a run, and returns the shortest and the longest response time of each task.
fn play(hosts: &[Host], seed: u64, horizon: u64) -> Vec<Option<(u64, u64)>> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
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
    let mut running: [Option<usize>; 2] = [None, None];
    let mut found: Vec<Option<(u64, u64)>> = vec![None; hosts.len()];
    let mut number = 0;
    let mut ids: Vec<usize> = Vec::new();
    for now in 0..horizon {
        for (host, of) in hosts.iter().enumerate() {
            if now >= first[host] && (now - first[host]).is_multiple_of(of.period) {
                let late = match (synchronous, now == first[host]) {
                    (true, true) => of.jitter,
                    (true, false) => 0,
                    (false, _) => rng.random_range(0..=of.jitter),
                };
                let release = now + late;
                let before = ticks(&mut rng, of.before);
                let kernel = of.gpu.map_or(0, |(time, _)| ticks(&mut rng, time));
                let after = ticks(&mut rng, of.after);
                jobs.push(Job { host, arrival: now, release, state: State::Before(before), kernel, after });
                ids.push(number);
                number += 1;
            }
        }
        // What takes no time happens at once.
        loop {
            let mut changed = false;
            for at in (0..jobs.len()).rev() {
                let is_first = !jobs[..at].iter().any(|other| other.host == jobs[at].host);
                let job = &mut jobs[at];
                let released = job.release <= now;
                match job.state {
                    State::Before(0) if released && is_first => {
                        let waits = hosts[job.host].gpu.is_some();
                        job.state = if waits { State::Gpu(job.kernel) } else { State::After(job.after) };
                        changed = true;
                    }
                    State::Gpu(0) => {
                        job.state = State::After(job.after);
                        changed = true;
                    }
                    State::After(0) if is_first => {
                        let job = jobs.remove(at);
                        let id = ids.remove(at);
                        running.iter_mut().filter(|one| **one == Some(id)).for_each(|one| *one = None);
                        let response = now - job.arrival;
                        let one = found[job.host].get_or_insert((response, response));
                        *one = (one.0.min(response), one.1.max(response));
                        changed = true;
                    }
                    _ => {}
                }
            }
            if !changed {
                break;
            }
        }
        // The GPU takes any job that is ready.
        let on_gpu: Vec<usize> =
            (0..jobs.len()).filter(|&at| matches!(jobs[at].state, State::Gpu(left) if left > 0)).collect();
        let chosen_gpu = on_gpu.choose(&mut rng).copied();
        // Each core takes the most urgent of its jobs; among equals, any.
        let mut ran = Vec::new();
        for (unit, running) in running.iter_mut().enumerate() {
            let is_oldest = |at: &usize| !jobs[..*at].iter().any(|other| other.host == jobs[*at].host);
            let is_ready = |at: &usize| {
                let job = &jobs[*at];
                let is_suspended = matches!(job.state, State::Gpu(_))
                    && hosts[job.host].gpu.is_some_and(|(_, active)| !active);
                core[job.host] == unit && job.release <= now && !is_suspended && is_oldest(at)
            };
            let ready: Vec<usize> = (0..jobs.len()).filter(is_ready).collect();
            let held = ready
                .iter()
                .copied()
                .find(|&at| *running == Some(ids[at]) && !hosts[jobs[at].host].is_preemptive);
            let most = ready.iter().map(|&at| hosts[jobs[at].host].priority).max();
            let equals: Vec<usize> =
                ready.iter().copied().filter(|&at| Some(hosts[jobs[at].host].priority) == most).collect();
            let chosen = held.or_else(|| equals.choose(&mut rng).copied());
            *running = chosen.map(|at| ids[at]);
            ran.extend(chosen);
        }
        for at in ran {
            match &mut jobs[at].state {
                State::Before(left) | State::After(left) => *left -= 1,
                State::Gpu(_) => {} // its core is busy with waiting
            }
        }
        if let Some(State::Gpu(left)) = chosen_gpu.map(|at| &mut jobs[at].state) {
            *left -= 1;
        }
    }
    found
}

fn hosts() -> impl Strategy<Value = Vec<Host>> {
    let time = |most: u64| (0..=most, 0..=most).prop_map(|(a, b)| (a.min(b), a.max(b)));
    let gpu = prop_oneof![2 => Just(None), 1 => (1..=6_u64, any::<bool>()).prop_map(Some)];
    let cores = prop_oneof![4 => Just(vec![0]), 1 => Just(vec![1]), 1 => Just(vec![0, 1])];
    let host = (
        10..=60_u64,
        prop_oneof![3 => Just(0), 1 => 1..=8_u64],
        cores,
        0..=3_i64,
        prop::bool::weighted(0.8),
        time(6),
        time(3),
        gpu,
    );
    let host = host.prop_map(|(period, jitter, cores, priority, is_preemptive, before, after, gpu)| Host {
        period,
        jitter: jitter.min(period - 1),
        cores,
        priority,
        is_preemptive,
        before: (before.0, before.1.max(1)),
        after,
        gpu: gpu.map(|(most, active)| ((most.div_ceil(2), most), active)),
        deadline: None,
    });
    prop::collection::vec(host, 1..=5)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]
    #[test]
    fn no_run_leaves_the_bounds(hosts in hosts(), seed in any::<u64>()) {
        let model = read_model("m.amxmi", &model(&hosts)).unwrap();
        let analysis = analyse(&model);
        for run in 0..4 {
            let found = play(&hosts, seed.wrapping_add(run), 1_500);
            for (number, found) in found.iter().enumerate() {
                let result = &analysis.tasks[task(&model, &format!("t{number}"))];
                let Some((shortest, longest)) = *found else { continue };
                if let Some(bound) = result.bound {
                    prop_assert!(Duration(longest * MS) <= bound, "t{number}: {longest} ms, bound {bound:?}");
                }
                let least = result.least.unwrap();
                prop_assert!(Duration(shortest * MS) >= least, "t{number}: {shortest} ms, least {least:?}");
            }
        }
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
            .map(|number| Host::plain(rng.random_range(8..=40), rng.random_range(1..=6), 9 - number))
            .collect();
        let model = read_model("m.amxmi", &model(&hosts)).unwrap();
        let analysis = analyse(&model);
        // A run from a common release: the first response of each task.
        for (number, host) in hosts.iter().enumerate() {
            let mut left: Vec<u64> = vec![0; hosts.len()];
            let mut done = None;
            for now in 0..host.period {
                for (left, of) in left.iter_mut().zip(&hosts).take(number + 1) {
                    *left += if now.is_multiple_of(of.period) { of.before.1 } else { 0 };
                }
                if let Some(one) = left.iter_mut().take(number + 1).find(|left| **left > 0) {
                    *one -= 1;
                }
                if left[number] == 0 {
                    done = Some(Duration((now + 1) * MS));
                    break;
                }
            }
            assert_eq!(analysis.tasks[number].bound, done, "t{number} of {hosts:?}");
            reached += usize::from(done.is_some());
        }
    }
    assert!(reached > 400, "{reached}");
}
