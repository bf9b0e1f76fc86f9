//! Where bounds on response times come from, that they grow with what is worse, and the steps of Algorithm 2.
//!
//! `WARPSPAN_CASES` sets the number of systems.

use crate::common::cases::{self, cases};
use proptest::prelude::*;
use rand::RngExt;
use warpspan::limits::Limits;
use warpspan::model::time::Duration;
use warpspan::realtime::rta::{
    Execution, Source, Step, System, Task, bound, executions, explain, read_system, trace,
};

use crate::realtime::rta_properties::anything;
use crate::realtime::rta_relay::{case, solved};

/// Every bound is the sum of its parts, and what is lost by rounding is less than a grain for each part.
/// Returns the number of bounds, and how many shares are of each kind.
fn adds_up(system: &System, executions: &[Execution]) -> Result<[usize; 8], String> {
    let limits = Limits::generous();
    let mut seen = [0; 8];
    let bounds = bound(system, executions, &limits);
    for (kernel, (bound, found)) in bounds.iter().zip(explain(system, executions, &limits)).enumerate() {
        let found = match (found, bound.response) {
            (Ok(found), Ok(bound)) if found.bound == bound => found,
            (Err(_), Err(_)) => continue,
            (found, bound) => return Err(format!("kernel {kernel}: {found:?} is not {bound:?}")),
        };
        // Copies, the last block, A and C of all others, residents and what is lost: eight parts of a share, and two
        // roundings at the end.
        let parts = 8 * found.shares.len() as u64 + 2;
        if found.total() != found.bound || found.rounding.0 > parts {
            return Err(format!("kernel {kernel}: {found:?}"));
        }
        let own = found.shares.iter().find(|share| share.kernel == kernel);
        if own.is_none_or(|own| own.launches.is_none_or(|launches| launches == 0)) {
            return Err(format!("kernel {kernel} takes no part in its own bound: {found:?}"));
        }
        for share in &found.shares {
            let task = &system.tasks()[share.kernel];
            let ours = task.stream == system.tasks()[kernel].stream;
            // The block of ours that runs last is not among those that are present while ours wait.
            let last = u64::from(share.kernel == kernel);
            let blocks = share.launches.map(|launches| launches * task.blocks - last);
            let most = share.ahead.max(share.later);
            if most > blocks || !ours && share.run + share.beside + share.copies > Duration(0) {
                return Err(format!("kernel {kernel}: {share:?}"));
            }
            seen[1] += usize::from(share.ahead_c > Duration(0));
            seen[2] += usize::from(share.beside > Duration(0));
            seen[3] += usize::from(share.later_a > Duration(0));
            seen[4] += usize::from(share.limited);
        }
        seen[0] += 1;
        seen[5] += usize::from(found.copy_wait > Duration(0));
        seen[6] += usize::from(found.before > Duration(0));
        seen[7] += usize::from(found.shares.iter().any(|share| share.resident > Duration(0)));
    }
    Ok(seen)
}

#[test]
fn the_parts_of_a_bound_add_up_to_it() {
    let mut all = [0; 8];
    for seed in 0..cases(6000) {
        let case = case(&mut cases::random(seed));
        let seen = adds_up(&case.system, &solved(&case.system));
        let seen = seen.unwrap_or_else(|what| panic!("seed {seed}: {what}\n{:?}", case.system));
        all.iter_mut().zip(seen).for_each(|(all, seen)| *all += seen);
    }
    assert!(all[..5].iter().all(|seen| *seen > 0), "{all:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    #[test]
    fn the_parts_add_up_with_copies_and_priorities(system in anything(vec![12, 20, 30])) {
        let executions = executions(&system, &Limits::generous()).unwrap();
        if let Err(what) = adds_up(&system, &executions) {
            return Err(TestCaseError::fail(what));
        }
    }
}

/// The same system with one kernel changed.
fn with(system: &System, kernel: usize, change: impl FnOnce(&mut Task)) -> System {
    let mut tasks = system.tasks().to_vec();
    change(&mut tasks[kernel]);
    let changed = System::new(system.gpu().clone(), system.unit(), system.streams().to_vec(), tasks).unwrap();
    changed.with_throughput(system.multiprocessor(), system.fastest())
}

/// Whether the bounds prove a system, by the function that ends as soon as one is too long.
fn is_proved(system: &System) -> bool {
    let bounds = bound(system, &solved(system), &Limits::generous());
    let proved = bounds.iter().zip(system.tasks()).all(|(bound, task)| {
        bound.response.is_ok_and(|time| task.deadline.is_none_or(|deadline| time <= deadline))
    });
    assert_eq!(warpspan::realtime::rta::is_proved(system, &solved(system), &Limits::generous()), Ok(proved));
    proved
}

/// So margins are found by halves.
#[test]
fn what_is_proved_stays_proved_with_better_numbers() {
    let mut ends = 0;
    for seed in 0..cases(400) {
        let mut rng = cases::random(seed);
        let system = case(&mut rng).system;
        let late = rng.random_range(2..=8);
        let system = (0..system.tasks().len()).fold(system, |system, kernel| {
            with(&system, kernel, |task| {
                task.deadline = task.period.map(|period| Duration(period.0 * late / 2));
            })
        });
        let case = format!("seed {seed}: {system:?}");
        for (kernel, task) in system.tasks().iter().enumerate() {
            let of = |change: &dyn Fn(&mut Task, u64)| -> Vec<bool> {
                let tried = (1..=15).chain([40, 100]);
                tried.map(|value| is_proved(&with(&system, kernel, |task| change(task, value)))).collect()
            };
            if matches!(task.execution, Source::Given(_)) {
                let proved = of(&|task, value| task.execution = Source::Given(Duration(value)));
                assert!(proved.is_sorted_by(|a, b| a >= b), "C of {kernel}: {proved:?}, {case}");
                ends += usize::from(proved.first() != proved.last());
            }
            if task.period.is_some() {
                let proved = of(&|task, value| {
                    task.period = Some(Duration(value));
                    task.sporadic = true;
                });
                assert!(proved.is_sorted(), "period of {kernel}: {proved:?}, {case}");
                ends += usize::from(proved.first() != proved.last());
            }
        }
    }
    assert!(ends > 0);
}

/// Pa19 section 3.6, where `g_f`, `g_i` and h count blocks of 512 threads. The states of the first three
/// kernels are those of the text, and so are all completions.
#[test]
fn algorithm_2_takes_the_steps_of_the_example() {
    let system = read_system("test", include_str!("../../../instances/pa19-section-3-6.toml")).unwrap();
    let executions = executions(&system, &Limits::generous()).unwrap();
    let launches = trace(&system, &executions, 100);
    let step = |left: u64, now: u64, free: u64, held: &[(u64, u64)]| Step {
        left,
        now: Duration(now),
        free: 512 * free,
        held: held.iter().map(|&(time, blocks)| (Duration(time), 512 * blocks)).collect(),
    };
    let wanted = [
        (4, vec![step(2, 0, 8, &[])]),
        (10, vec![step(7, 0, 6, &[(4, 2)]), step(1, 4, 2, &[(6, 6)])]),
        (12, vec![step(2, 4, 1, &[(6, 6), (10, 1)]), step(1, 6, 6, &[(10, 2)])]),
        (11, vec![step(5, 6, 5, &[(10, 2), (12, 1)])]),
    ];
    let found: Vec<(u64, Vec<Step>)> =
        launches.into_iter().map(|launch| (launch.completion.0, launch.steps)).collect();
    assert_eq!(found, wanted);
    assert_eq!(trace(&system, &executions, 3).len(), 3);
}
