//! The schedulability tests of partitions against other routes: the crate `response-time-analysis`, which
//! follows proofs checked by Coq, and simulation.

use crate::realtime::partitions::{hyperperiod, limits, misses, offsets, rng, tasks};
use proptest::prelude::*;
use response_time_analysis::time::{Duration, Service};
use response_time_analysis::{arrival, demand, edf, fixed_priority, wcet};
use warpspan::limits::Stop;
use warpspan::realtime::partition::{Sporadic, Test, Undecided};

/// Whether all response times are within the deadlines, by `response-time-analysis`. Its time is discrete and
/// lets a job block for C - 1; doubling all times makes that the same as blocking for C in continuous time.
fn oracle(tasks: &[Sporadic], test: Test) -> bool {
    let limit = Duration::from(100_000);
    let periods: Vec<arrival::Sporadic> = tasks
        .iter()
        .map(|task| arrival::Sporadic::new_zero_jitter(Duration::from(2 * task.period)))
        .collect();
    let costs: Vec<wcet::Scalar> =
        tasks.iter().map(|task| wcet::Scalar::new(Service::from(2 * task.execution))).collect();
    let demands: Vec<demand::RBF<_, _>> =
        periods.iter().zip(&costs).map(|(&period, &cost)| demand::RBF::new(period, cost)).collect();
    let deadlines: Vec<Duration> = tasks.iter().map(|task| Duration::from(2 * task.deadline)).collect();
    let others = |task: usize| (0..tasks.len()).filter(move |&other| other != task);
    let before = |one: usize, other: usize| (tasks[one].deadline, one) < (tasks[other].deadline, other);
    (0..tasks.len()).all(|task| {
        let response = match test {
            Test::Edf => {
                let one = |task: usize| edf::fully_preemptive::Task {
                    rbf: &demands[task],
                    deadline: deadlines[task],
                };
                let others: Vec<_> = others(task).map(one).collect();
                edf::fully_preemptive::dedicated_uniproc_rta(&one(task), &others, limit)
            }
            Test::NpEdf => {
                let one = |task: usize| edf::fully_nonpreemptive::Task {
                    wcet: costs[task],
                    arrivals: &periods[task],
                    deadline: deadlines[task],
                };
                let others: Vec<_> = others(task).map(one).collect();
                edf::fully_nonpreemptive::dedicated_uniproc_rta(&one(task), &others, limit)
            }
            Test::NpDm => {
                let lower = others(task).filter(|&other| before(task, other));
                let blocking = lower.map(|other| 2 * tasks[other].execution - 1).max().unwrap_or(0);
                let one = fixed_priority::fully_nonpreemptive::TaskUnderAnalysis {
                    wcet: costs[task],
                    arrivals: &periods[task],
                    blocking_bound: Service::from(blocking),
                };
                let higher = others(task).filter(|&other| before(other, task));
                let higher: Vec<_> = higher.map(|other| demands[other].clone()).collect();
                fixed_priority::fully_nonpreemptive::dedicated_uniproc_rta(&one, &higher, limit)
            }
        };
        response.is_ok_and(|response| response <= deadlines[task])
    })
}

/// The same verdict on 6,000 random sets, and both verdicts often.
#[test]
fn verdicts_are_those_of_response_time_analysis() {
    for test in Test::ALL {
        let mut accepted = 0;
        for seed in 0..2000 {
            let tasks = tasks(&mut rng(seed));
            let own = test.accepts(&tasks, &limits()).unwrap();
            assert_eq!(own, oracle(&tasks, test), "{test}, seed {seed}: {tasks:?}");
            accepted += u32::from(own);
        }
        assert!((300..1700).contains(&accepted), "{test}: {accepted}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Accepted: no simulation misses a deadline. Refused under preemptive EDF: the synchronous one does.
    #[test]
    fn simulations_agree(seed in any::<u64>()) {
        let mut rng = rng(seed);
        let tasks = tasks(&mut rng);
        let until = 2 * hyperperiod(&tasks) + 60;
        for test in Test::ALL {
            if test.accepts(&tasks, &limits()).unwrap() {
                for offsets in offsets(&tasks, &mut rng) {
                    prop_assert!(!misses(&tasks, test, &offsets, until), "{test} {tasks:?} {offsets:?}");
                }
            } else if test == Test::Edf {
                prop_assert!(misses(&tasks, test, &vec![0; tasks.len()], until), "{tasks:?}");
            }
        }
    }
}

fn sporadic(numbers: &[(u64, u64, u64)]) -> Vec<Sporadic> {
    let one = |&(execution, period, deadline)| Sporadic { execution, period, deadline };
    numbers.iter().map(one).collect()
}

/// A verdict that must be reached.
fn accepts(test: Test, tasks: &[Sporadic]) -> bool {
    test.accepts(tasks, &limits()).unwrap()
}

/// The counterexample of R. Davis et al. 2007, times four: three messages of length 1, periods 2.5, 3.5, 3.5,
/// deadlines 2.5, 3.25, 3.25. The first instance of the last is in time (3), the second is not (3.5).
#[test]
fn the_second_job_of_a_busy_period_counts() {
    assert!(!accepts(Test::NpDm, &sporadic(&[(4, 10, 10), (4, 14, 13), (4, 14, 13)])));
    assert!(accepts(Test::NpDm, &sporadic(&[(4, 10, 10), (4, 14, 13), (4, 14, 14)])));
    assert!(accepts(Test::NpDm, &sporadic(&[(4, 10, 10), (4, 28, 13), (4, 28, 13)])));
}

/// A long job that has just started blocks: fine with preemption only.
#[test]
fn blocking_counts_without_preemption() {
    let tasks = sporadic(&[(1, 4, 4), (4, 20, 20)]);
    assert_eq!(Test::ALL.map(|test| accepts(test, &tasks)), [true, false, false]);
    let tasks = sporadic(&[(1, 4, 4), (3, 20, 20)]);
    assert_eq!(Test::ALL.map(|test| accepts(test, &tasks)), [true, true, true]);
}

/// Full to the last tick, of periods without a common factor; and one tick more.
#[test]
fn a_utilisation_of_one_is_decided_exactly() {
    let full = sporadic(&[(1, 3, 3), (2, 7, 7), (8, 21, 21)]);
    assert!(accepts(Test::Edf, &full));
    assert!(!accepts(Test::Edf, &sporadic(&[(1, 3, 3), (2, 7, 7), (9, 21, 21)])));
    let long = 1_000_000_000_000_000;
    assert!(accepts(Test::Edf, &sporadic(&[(long / 2, long, long), (long / 2, long, long)])));
    assert!(!accepts(Test::Edf, &sporadic(&[(long / 2, long, long), (long / 2 + 1, long, long)])));
}

/// Undecided, not refused: U = 1 - 10^-14, a deadline before its period, and the least common period as long.
/// A limit ends it before the steps do.
#[test]
fn what_takes_too_long_is_undecided() {
    let tasks =
        |first, deadline| sporadic(&[(first, 10_000_019, 10_000_019), (4_525_179, 14_142_157, deadline)]);
    let (full, late) = (6_800_233, 14_142_156);
    let ended = limits().within(std::time::Duration::ZERO);
    assert_eq!(Test::Edf.accepts(&tasks(full, late), &limits()), Err(Undecided::TooLong));
    assert_eq!(Test::Edf.accepts(&tasks(full, late), &ended), Err(Undecided::Stopped(Stop::TimeLimit)));
    assert!(accepts(Test::Edf, &tasks(full, late + 1)), "the utilisation decides");
    assert!(accepts(Test::Edf, &tasks(full - 1, late)));
    assert!(!accepts(Test::Edf, &tasks(full, 10_000_019)), "missed at once");
    assert!(!accepts(Test::Edf, &tasks(full + 1, late)), "more than all the time");
}

/// Shorter execution times never turn a verdict: with 1 - U just above and just below 10^-6, where the linear
/// bound of the interval becomes shorter than the busy period or longer.
#[test]
fn shorter_execution_times_are_accepted_too() {
    let tasks = |last| {
        sporadic(&[
            (2_500_000, 10_000_000, 2_500_000),
            (2_500_000, 10_000_000, 5_000_000),
            (2_500_000, 10_000_000, 7_500_000),
            (last, 10_000_000, 10_000_000),
        ])
    };
    for last in [2_500_000, 2_499_999, 2_499_991, 2_499_990, 2_499_987, 2_499_980, 2_490_000, 1_000_000, 1] {
        assert!(accepts(Test::Edf, &tasks(last)), "{last}");
    }
}

/// A short job may block 15 * 10^9 periods of another task: the demand passes the blocking long before.
#[test]
fn blocking_is_looked_at_only_while_it_counts() {
    let tasks = sporadic(&[(100, 1000, 1000), (500, 15_000_000_000_000, 15_000_000_000_000)]);
    assert_eq!(Test::ALL.map(|test| accepts(test, &tasks)), [true; 3]);
    let tasks = sporadic(&[(100, 1000, 1000), (901, 15_000_000_000_000, 15_000_000_000_000)]);
    assert_eq!(Test::ALL.map(|test| accepts(test, &tasks)), [true, false, false]);
}
