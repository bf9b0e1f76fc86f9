//! Random tasks, and a discrete-event simulation of what runs in a partition.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use warpspan::limits::Limits;
use warpspan::model::time::Millionths;
use warpspan::realtime::partition::{Execution, Factor, Kind, Sporadic, Task, TaskSet, Test};

pub(crate) fn rng(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

pub(crate) fn limits() -> Limits {
    Limits::new(None, 1 << 30, 1, std::sync::Arc::default())
}

/// A few tasks with small whole numbers, a utilisation around 0.9, D between C and T.
pub(crate) fn tasks(rng: &mut ChaCha8Rng) -> Vec<Sporadic> {
    let count = rng.random_range(1..=5_u64);
    let one = |_| {
        let period = [4, 5, 6, 8, 10, 12, 15, 20, 24, 30][rng.random_range(0..10)];
        let execution = rng.random_range(1..=(2 * period / count).clamp(1, period));
        Sporadic { execution, period, deadline: rng.random_range(execution..=period) }
    };
    (0..count).map(one).collect()
}

/// A task set by the formula of Si21, with small whole numbers.
pub(crate) fn set(rng: &mut ChaCha8Rng, most_tasks: usize, multiprocessors: usize) -> TaskSet {
    let unit = |units: u64| Millionths(units * 1_000_000);
    let count = rng.random_range(1..=most_tasks);
    let one = |number: usize| {
        let period = [50, 80, 100, 125, 200, 400][rng.random_range(0..6)];
        let kind = Kind::ALL[rng.random_range(0..2)];
        let a = rng.random_range(1..=period * 3 / 2);
        let k = Factor::from_millionths([1_000_000, 1_200_000, 2_300_000][rng.random_range(0..3)]).unwrap();
        let execution = Execution::amdahl(unit(a), unit(a / 20), k, multiprocessors).unwrap();
        let deadline = rng.random_range(period / 2..=period);
        Task::new(format!("t{number}"), unit(period), unit(deadline), kind, execution).unwrap()
    };
    TaskSet::new((0..count).map(one).collect(), multiprocessors).unwrap()
}

/// A job that has arrived.
struct Job {
    task: usize,
    left: u64,
    deadline: u64,
}

/// Runs the policy of a test on tasks that arrive at their offsets and then every period, each job for all of
/// C, up to a time: whether a deadline was missed.
pub(crate) fn misses(tasks: &[Sporadic], test: Test, offsets: &[u64], until: u64) -> bool {
    let mut next: Vec<u64> = offsets.to_vec();
    let mut ready: Vec<Job> = Vec::new();
    let mut now = 0;
    while now < until {
        for (task, arrival) in next.iter_mut().enumerate() {
            while *arrival <= now {
                let deadline = *arrival + tasks[task].deadline;
                ready.push(Job { task, left: tasks[task].execution, deadline });
                *arrival += tasks[task].period;
            }
        }
        let arrival = *next.iter().min().unwrap();
        let first = (0..ready.len()).min_by_key(|&job| match test {
            Test::Edf | Test::NpEdf => (ready[job].deadline, ready[job].task, 0),
            Test::NpDm => (tasks[ready[job].task].deadline, ready[job].task, ready[job].deadline),
        });
        let Some(first) = first else {
            now = arrival;
            continue;
        };
        let end = now + ready[first].left;
        if test == Test::Edf && end > arrival {
            ready[first].left -= arrival - now;
            now = arrival;
        } else {
            now = end;
            if now > ready[first].deadline {
                return true;
            }
            ready.swap_remove(first);
        }
    }
    ready.iter().any(|job| job.deadline < now)
}

/// The least common period.
pub(crate) fn hyperperiod(tasks: &[Sporadic]) -> u64 {
    fn gcd(a: u64, b: u64) -> u64 {
        if b == 0 { a } else { gcd(b, a % b) }
    }
    tasks.iter().fold(1, |common, task| common / gcd(common, task.period) * task.period)
}

/// Offsets that are hard on deadlines: all at once; each task a tick before all others; some at random.
pub(crate) fn offsets(tasks: &[Sporadic], rng: &mut ChaCha8Rng) -> Vec<Vec<u64>> {
    let mut all = vec![vec![0; tasks.len()]];
    for first in 0..tasks.len() {
        all.push((0..tasks.len()).map(|task| u64::from(task != first)).collect());
    }
    for _ in 0..3 {
        all.push(tasks.iter().map(|task| rng.random_range(0..task.period)).collect());
    }
    all
}
