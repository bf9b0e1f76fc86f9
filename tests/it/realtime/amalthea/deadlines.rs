//! Cores that run the job with the earliest deadline: against cases by hand, all runs of small systems, the processor
//! demand of S. Baruah, L. Rosier and R. Howell (Real-Time Systems 2, 1990), and an example of APP4MC.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use warpspan::model::time::Duration;
use warpspan::realtime::amalthea::{Analysis, Model, analyse, read_model, rests_on};
use warpspan::realtime::rta::{DeadlineMet, Verdict};

use super::small::{Host, model_by_deadlines, task};

const MS: u64 = 1_000_000_000;
const EXAMPLE: &str = include_str!("../../../data/amalthea/modeling_example_periodic_9.amxmi");

fn read(text: &str) -> (Model, Analysis) {
    let model = read_model("m.amxmi", text).unwrap();
    let analysis = analyse(&model);
    (model, analysis)
}

fn bounds(hosts: &[Host]) -> Vec<Option<u64>> {
    let (model, analysis) = read(&model_by_deadlines(hosts));
    let bound = |number: usize| analysis.tasks[task(&model, &format!("t{number}"))].bound;
    (0..hosts.len()).map(|number| bound(number).map(|bound| bound.0 / MS)).collect()
}

/// A task that ends with work that takes time.
fn host(period: u64, ticks: u64, deadline: u64) -> Host {
    Host { after: (ticks, ticks), deadline: Some(deadline), ..Host::plain(period, 0, 0) }
}

#[test]
fn an_earlier_deadline_comes_first() {
    // All of the core is used, and no deadline is missed.
    assert_eq!(bounds(&[host(4, 2, 4), host(6, 3, 6)]), [Some(4), Some(6)]);
    // Equal deadlines: each may come first.
    assert_eq!(bounds(&[host(10, 2, 10), host(10, 3, 10)]), [Some(5), Some(5)]);
    // A job of the first that is released 1 after one of the second has the same deadline: 5 - 1.
    assert_eq!(bounds(&[host(10, 2, 9), host(10, 3, 10)]), [Some(4), Some(5)]);
    // More than there is.
    assert_eq!(bounds(&[host(4, 2, 4), host(6, 4, 6)]), [None, None]);
}

#[test]
fn jitter_of_others_brings_more_jobs() {
    let mut hosts = [host(10, 2, 10), host(40, 9, 40)];
    hosts[0].jitter = 8;
    // 8 + 2; 9 + 2 ceil((15 + 8) / 10).
    assert_eq!(bounds(&hosts), [Some(10), Some(15)]);
    // A job of the second that arrived 6 before its release is due 40 after its arrival at the earliest.
    let mut hosts = [host(50, 2, 35), host(50, 9, 40)];
    assert_eq!(bounds(&hosts), [Some(6), Some(11)]);
    hosts[1].jitter = 6;
    assert_eq!(bounds(&hosts), [Some(11), Some(17)]);
}

#[test]
fn what_cannot_be_preempted_blocks_more_urgent_jobs() {
    let mut hosts = [host(20, 3, 5), host(50, 7, 50)];
    assert_eq!(bounds(&hosts), [Some(3), Some(10)]);
    hosts[1].is_preemptive = false;
    assert_eq!(bounds(&hosts), [Some(10), Some(10)]);
    // The third begins just before 0, the second comes at 0, and the first at 20 with the same deadline: 5 + 30 + 1 - 20.
    let mut hosts = [host(100, 1, 10), host(100, 30, 30), host(100, 5, 45)];
    hosts[2].is_preemptive = false;
    assert_eq!(bounds(&hosts)[0], Some(16));
    // With 3, of three that cannot be preempted the longest with a later deadline alone blocks.
    let unbroken = |period, ticks, deadline| Host { is_preemptive: false, ..host(period, ticks, deadline) };
    let hosts = [unbroken(100, 9, 10), host(100, 3, 30), unbroken(100, 5, 60), unbroken(100, 4, 60)];
    assert_eq!(bounds(&hosts)[1], Some(9 + 3 + 5));
}

/// It runs 3, waits 4 and runs 1, and is blocked twice by 7, once by what is released in the wait.
#[test]
fn what_is_blocked_after_a_suspension() {
    let mut hosts = [host(30, 3, 30).with_gpu(4, false, 1), host(60, 7, 60)];
    hosts[0].before = (3, 3);
    hosts[1].is_preemptive = false;
    assert_eq!(bounds(&hosts)[0], Some(3 + 4 + 1 + 7 + 7));
    // The same if the other is never more urgent, but for what it is released in the wait.
    hosts[1].deadline = Some(31);
    assert_eq!(bounds(&hosts)[0], Some(3 + 4 + 1 + 7 + 7));
}

/// Where a deadline is not known, any task of the core may come first.
#[test]
fn without_a_deadline_there_is_no_order() {
    let mut hosts = [host(20, 2, 5), host(20, 3, 10), host(20, 4, 20)];
    assert_eq!(bounds(&hosts)[0], Some(2));
    hosts[2].deadline = None;
    assert_eq!(bounds(&hosts), [Some(9), Some(9), Some(9)]);
    let (model, _) = read(&model_by_deadlines(&hosts));
    assert!(
        rests_on(&model, &analyse(&model))
            .iter()
            .any(|one| one.subject == "EarliestDeadlineFirst" && one.value.contains("(t2)"))
    );
    // Its jitter may change the order of its jobs.
    hosts[2].deadline = Some(20);
    hosts[2].jitter = 20;
    assert_eq!(bounds(&hosts)[0], Some(2 + 3 + 8));
}

/// The longest response of a task that is first released at `offset`, while all others come at once at 0, the first job
/// of each after all its jitter, until the core has nothing to do. Of equal deadlines its own comes last.
fn longest_from(hosts: &[Host], own: usize, offset: u64) -> u64 {
    struct Left {
        number: usize,
        deadline: u64,
        release: u64,
        ticks: u64,
    }
    let mut ready: Vec<Left> = Vec::new();
    let mut longest = 0;
    // A core that always has something to do repeats itself.
    let whole: u64 = hosts.iter().map(|host| host.period).product();
    for now in 0..3 * whole {
        for (number, of) in hosts.iter().enumerate() {
            // Arrivals at begin - jitter + n period.
            let begin = if number == own { offset } else { 0 };
            for n in 0..=(now + of.jitter) / of.period {
                let arrival = begin + n * of.period;
                if arrival.saturating_sub(of.jitter).max(begin) == now {
                    let deadline = arrival + of.deadline.unwrap() + 1_000 - of.jitter;
                    ready.push(Left { number, deadline, release: now, ticks: of.after.1 });
                }
            }
        }
        let Some(at) = (0..ready.len())
            .min_by_key(|&at| (ready[at].deadline, ready[at].number == own, ready[at].release))
        else {
            return longest;
        };
        ready[at].ticks -= 1;
        if ready[at].ticks == 0 {
            let done = ready.remove(at);
            if done.number == own {
                longest = longest.max(now + 1 - done.release);
            }
        }
    }
    longest
}

fn longest(hosts: &[Host], own: usize) -> u64 {
    (0..hosts[own].period).map(|offset| longest_from(hosts, own, offset)).max().unwrap()
}

fn is_too_much(hosts: &[Host]) -> bool {
    let whole: u64 = hosts.iter().map(|host| host.period).product();
    hosts.iter().map(|host| host.after.1 * whole / host.period).sum::<u64>() > whole
}

/// Whether all deadlines are met, by the demand of all jobs with deadlines in an interval of each length.
fn is_met_by_demand(hosts: &[Host]) -> bool {
    let whole: u64 = hosts.iter().map(|host| host.period).product();
    let last = 2 * whole + hosts.iter().filter_map(|host| host.deadline).max().unwrap();
    let demand = |time: u64| {
        let of = |host: &Host| {
            let spare = time.checked_sub(host.deadline.unwrap());
            spare.map_or(0, |spare| spare / host.period + 1) * host.after.1
        };
        hosts.iter().map(of).sum::<u64>()
    };
    (0..=last).all(|time| demand(time) <= time)
}

/// Without jitter and where all can be preempted, the bounds are exact.
fn is_exact(hosts: &[Host]) {
    let found = bounds(hosts);
    if is_too_much(hosts) {
        assert!(found.iter().all(Option::is_none), "{hosts:?}");
        return;
    }
    for (number, bound) in found.iter().enumerate() {
        assert_eq!(*bound, Some(longest(hosts, number)), "t{number} of {hosts:?}");
    }
    let is_met = found.iter().zip(hosts).all(|(bound, host)| bound.unwrap() <= host.deadline.unwrap());
    assert_eq!(is_met, is_met_by_demand(hosts), "{hosts:?}");
}

#[test]
fn two_tasks_of_all_kinds() {
    let all = |period: u64| (1..=period).flat_map(move |ticks| (1..=5).map(move |d| host(period, ticks, d)));
    let all: Vec<Host> = (2..=4).flat_map(all).collect();
    for (at, one) in all.iter().enumerate() {
        for other in &all[at..] {
            is_exact(&[one.clone(), other.clone()]);
        }
    }
}

#[test]
fn more_tasks_at_random() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    for _ in 0..150 {
        let one = |rng: &mut ChaCha8Rng| {
            let period = rng.random_range(3..=12);
            host(period, rng.random_range(1..=4.min(period)), rng.random_range(1..=16))
        };
        let count = rng.random_range(3..=4);
        is_exact(&(0..count).map(|_| one(&mut rng)).collect::<Vec<_>>());
    }
}

/// With jitter of others, the bounds are reached too.
#[test]
fn jitter_of_others_at_random() {
    let mut rng = ChaCha8Rng::seed_from_u64(12);
    let mut reached = 0;
    for _ in 0..150 {
        let mut hosts: Vec<Host> = (0..3)
            .map(|_| {
                let period = rng.random_range(6..=14);
                let jitter = rng.random_range(0..period);
                Host { jitter, ..host(period, rng.random_range(1..=4), rng.random_range(1..=20)) }
            })
            .collect();
        hosts[0].jitter = 0;
        let whole: u64 = hosts.iter().map(|host| host.period).product();
        // Jobs must have an end.
        if hosts.iter().map(|host| host.after.1 * whole / host.period).sum::<u64>() >= whole {
            continue;
        }
        assert_eq!(bounds(&hosts)[0], Some(longest(&hosts, 0)), "{hosts:?}");
        reached += 1;
    }
    assert!(reached > 60, "{reached}");
}

/// The example of APP4MC, whose tasks do not say whether they can be preempted; and if they can.
#[test]
fn the_periodic_example() {
    let bounds = |text: &str| {
        let (model, analysis) = read(text);
        let bounds: Vec<u64> = analysis.tasks.iter().map(|task| task.bound.unwrap().0 / MS).collect();
        let late = analysis.tasks.iter().filter(|task| task.meets != DeadlineMet::Yes).count();
        assert!(rests_on(&model, &analyse(&model)).iter().any(|one| one.subject == "EarliestDeadlineFirst"));
        (analysis.verdict, late, bounds)
    };
    let can = EXAMPLE
        .replace("multipleTaskActivationLimit", "preemption=\"preemptive\" multipleTaskActivationLimit");
    let times = [
        (80, 10, 10),
        (120, 30, 40),
        (160, 20, 60),
        (180, 15, 75),
        (200, 30, 115),
        (300, 40, 300),
        (1000, 80, 960),
    ];
    let hosts: Vec<Host> =
        times.iter().map(|&(period, ticks, deadline)| host(period, ticks, deadline)).collect();
    let expected: Vec<u64> = (0..hosts.len()).map(|own| longest(&hosts, own)).collect();
    let (verdict, late, found) = bounds(&can);
    assert_eq!((verdict, late), (Verdict::Proved, 0), "{found:?}");
    assert_eq!(found, expected);
    // As it stands, 80 of the last task may come before what is more urgent.
    let (verdict, late, found) = bounds(EXAMPLE);
    assert_eq!((verdict, late), (Verdict::Undecided, 6), "{found:?}");
    assert_eq!(found[0], 90);
    assert!(found.iter().zip(&expected).all(|(found, expected)| found >= expected));
}

/// Under OSEK all tasks of this one have the priority 0, so each may delay the other, and jobs pile up.
#[test]
fn tasks_of_equal_priority_have_bounds_beyond_their_periods() {
    let (model, analysis) = read(include_str!("../../../data/amalthea/modeling_example_periodic_2.amxmi"));
    assert_eq!(analysis.verdict, Verdict::Proved);
    // Together 185, and one more of the first two, whose periods are 160 and 180: 220. Then one more of the third: 250.
    let bounds: Vec<u64> = analysis.tasks.iter().map(|task| task.bound.unwrap().0 / MS).collect();
    assert_eq!((bounds[4], model.tasks.len()), (250, 5), "{bounds:?}");
    assert!(analysis.tasks[0].bound > Some(Duration(160 * MS)));
}
