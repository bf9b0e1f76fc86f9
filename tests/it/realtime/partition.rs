//! Partitioning: heuristics, the exact search, the verifier, the generator.
#![allow(clippy::unwrap_used, clippy::cast_precision_loss, reason = "a test fails by panicking")]

use crate::realtime::partitions::{hyperperiod, limits, misses, offsets, rng, set, tasks};
use approx::assert_abs_diff_eq;
use proptest::prelude::*;
use rand::RngExt;
use warpspan::model::time::Millionths;
use warpspan::realtime::partition::{
    Ended, Execution, Experiment, Factor, Figure, Generator, Heuristic, Impossible, Kind, Method, PERIODS,
    Parameters, Partition, Sporadic, Task, TaskSet, Test, Verified, Violation, exact, one_partition,
    read_time, verify,
};

fn time(text: &str) -> Millionths {
    read_time(text).unwrap()
}

fn task(name: &str, period: &str, kind: Kind, times: &[&str], k: &str) -> Task {
    let times = times.iter().map(|text| time(text)).collect();
    let execution = Execution::with_factor(times, k.parse().unwrap()).unwrap();
    Task::new(name.to_owned(), time(period), time(period), kind, execution).unwrap()
}

/// Runs the policy of each partition in simulation.
fn simulate(set: &TaskSet, verified: &Verified, seed: u64) {
    let test = verified.test();
    for partition in verified.partitions() {
        let tasks: Vec<Sporadic> = (partition.tasks.iter())
            .map(|placed| {
                let task = &set.tasks()[placed.task];
                let period = task.period().0;
                Sporadic { execution: placed.execution.0, period, deadline: task.deadline().0 }
            })
            .collect();
        let until = hyperperiod(&tasks) + tasks.iter().map(|task| task.period).max().unwrap();
        for offsets in offsets(&tasks, &mut rng(seed)) {
            assert!(!misses(&tasks, test, &offsets, until), "{test}, seed {seed}: {tasks:?} {offsets:?}");
        }
    }
}

/// What a method finds for a set, verified.
fn found(set: &TaskSet, test: Test, method: Method) -> Option<Verified> {
    let partitions = match method {
        Method::OnePartition => vec![one_partition(set, test, &limits()).ok()??],
        Method::Heuristic(heuristic) => {
            let found = heuristic.partition(set, test, set.multiprocessors(), &limits()).ok()?;
            (found.required() <= set.multiprocessors()).then_some(found.partitions)?
        }
    };
    Some(verify(set, test, &partitions, &limits()).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// No accepted set misses a deadline over the hyperperiod, whatever the method and the policy.
    #[test]
    fn accepted_sets_meet_all_deadlines(seed in any::<u64>()) {
        let set = set(&mut rng(seed), 10, 8);
        for test in Test::ALL {
            for method in Method::all() {
                if let Some(verified) = found(&set, test, method) {
                    simulate(&set, &verified, seed);
                }
            }
        }
    }
}

/// The tests and the verifier, which share no method, on 6,000 sets: small whole numbers, and utilisations
/// just below 1 with periods without a common factor.
#[test]
fn the_verifier_agrees_with_the_tests() {
    let narrow = |rng: &mut rand_chacha::ChaCha8Rng| -> Vec<Sporadic> {
        let count = rng.random_range(2..=5_u64);
        let one = |_| {
            let period = rng.random_range(1_000..60_000_u64);
            let execution = (period / count).saturating_sub(rng.random_range(0..=period / 50)).max(1);
            Sporadic { execution, period, deadline: period - rng.random_range(0..=period / 20) }
        };
        (0..count).map(one).collect()
    };
    for test in Test::ALL {
        let mut accepted = 0;
        for seed in 0..2000 {
            let loads = if seed % 2 == 0 { tasks(&mut rng(seed)) } else { narrow(&mut rng(seed)) };
            let task = |(number, load): (usize, &Sporadic)| {
                let [c, period, deadline] = [load.execution, load.period, load.deadline].map(Millionths);
                let execution = Execution::with_factor(vec![c], Factor::ONE).unwrap();
                Task::new(number.to_string(), period, deadline, Kind::Compute, execution).unwrap()
            };
            let whole = [Partition { multiprocessors: 1, tasks: (0..loads.len()).collect() }];
            let set = TaskSet::new(loads.iter().enumerate().map(task).collect(), 1).unwrap();
            let verified = match verify(&set, test, &whole, &limits()) {
                Ok(_) => true,
                Err(Violation::Missed { .. } | Violation::Overload(_)) => false,
                Err(other) => panic!("{test}, seed {seed}: {other}"),
            };
            assert_eq!(test.accepts(&loads, &limits()), Ok(verified), "{test}, seed {seed}: {loads:?}");
            accepted += u32::from(verified);
        }
        assert!((300..1900).contains(&accepted), "{test}: {accepted}");
    }
}

/// Sets as the experiments draw them, with the periods up to 4000.
#[test]
fn accepted_sets_of_the_experiments_meet_all_deadlines() {
    let experiment = Experiment { seed: 9, quick: true, ..Experiment::new(Figure::Tasks50) };
    let mut accepted = 0;
    for utilisation in [4, 20, 36, 42] {
        for number in 0..3 {
            let set = experiment.set((50, utilisation), number).unwrap();
            for test in Test::ALL {
                for verified in Method::all().filter_map(|method| found(&set, test, method)) {
                    accepted += 1;
                    simulate(&set, &verified, number.into());
                }
            }
        }
    }
    assert!(accepted > 60, "{accepted}");
}

/// The fewest multiprocessors over all partitions of the tasks into groups, by trying them all; sizes one by
/// one, by the verifier.
fn brute_force(set: &TaskSet, test: Test) -> Option<usize> {
    fn rest(set: &TaskSet, test: Test, task: usize, groups: &mut Vec<Vec<usize>>) -> Option<usize> {
        if task == set.tasks().len() {
            return groups.iter().map(|group| alone(set, test, group)).sum();
        }
        let mut best = None;
        for place in 0..=groups.len() {
            if place == groups.len() {
                groups.push(Vec::new());
            }
            groups[place].push(task);
            let found = rest(set, test, task + 1, groups);
            best = [best, found].into_iter().flatten().min();
            groups[place].pop();
            if groups[place].is_empty() {
                groups.pop();
            }
        }
        best
    }
    /// The smallest size of one partition of these tasks.
    fn alone(set: &TaskSet, test: Test, group: &[usize]) -> Option<usize> {
        let tasks: Vec<Task> = group.iter().map(|&task| set.tasks()[task].clone()).collect();
        let part = TaskSet::new(tasks, set.multiprocessors()).unwrap();
        (1..=set.multiprocessors()).find(|&multiprocessors| {
            let whole = Partition { multiprocessors, tasks: (0..group.len()).collect() };
            verify(&part, test, &[whole], &limits()).is_ok()
        })
    }
    rest(set, test, 0, &mut Vec::new())
}

#[test]
fn the_exact_search_is_the_best_of_all_partitions_and_no_heuristic_beats_it() {
    let mut compared = 0;
    for seed in 0..60 {
        let set = set(&mut rng(seed), 6, 6);
        for test in Test::ALL {
            let expected = brute_force(&set, test);
            let used = |found: &[Partition]| found.iter().map(|p| p.multiprocessors).sum::<usize>();
            let least = match exact(&set, test, &limits()) {
                Ok(found) => {
                    let least = found.partitions.map(|partitions| used(&partitions));
                    assert_eq!(least, found.at_least, "seed {seed}, {test}");
                    least
                }
                Err(Ended::Impossible(_)) => {
                    assert!(expected.is_none_or(|expected| expected > 6), "seed {seed}");
                    continue;
                }
                Err(Ended::Undecided | Ended::Stopped(_)) => panic!("no limit"),
            };
            assert_eq!(least, expected, "seed {seed}, {test}");
            for heuristic in Heuristic::ALL {
                let found = heuristic.partition(&set, test, 0, &limits()).unwrap();
                assert!(found.required() >= least.unwrap_or(0), "seed {seed}, {test}, {}", heuristic.name());
                compared += 1;
            }
        }
    }
    assert!(compared > 300, "{compared}");
}

/// The fewest multiprocessors over all partitions in slices of a size: groups are enumerated, sizes are tried one by
/// one, and each partition is judged alone on a GPU of its own size, which knows no slices.
fn brute_force_in_slices(set: &TaskSet, test: Test, [count, size]: [usize; 2]) -> Option<usize> {
    let mut best: Option<usize> = None;
    // The group of each task: a task may join a group of those before it or open the next one.
    let mut groups = vec![0_usize; set.tasks().len()];
    loop {
        let mut used = Some(0);
        for group in 0..=groups.iter().copied().max().unwrap() {
            let of_group = groups.iter().zip(set.tasks()).filter(|&(&of, _)| of == group);
            let tasks: Vec<Task> = of_group.map(|(_, task)| task.clone()).collect();
            let whole: Vec<usize> = (0..tasks.len()).collect();
            let fits = |slices: &usize| {
                let multiprocessors = slices * size;
                let alone = TaskSet::new(tasks.clone(), multiprocessors).unwrap();
                let part = Partition { multiprocessors, tasks: whole.clone() };
                verify(&alone, test, &[part], &limits()).is_ok()
            };
            let least = (1..=count).find(fits);
            used = used.zip(least).map(|(used, slices)| used + slices * size);
        }
        best = [best, used].into_iter().flatten().min();
        // The next one in order: group numbers grow by one at most.
        let Some(place) =
            (1..groups.len()).rev().find(|&at| groups[at] <= *groups[..at].iter().max().unwrap())
        else {
            return best;
        };
        groups[place] += 1;
        groups[place + 1..].fill(0);
    }
}

/// All methods in whole slices, against all partitions: the optimum is the same, no heuristic is better, the baseline
/// is all slices, what is impossible is so, and the verifier accepts what is found and takes no other size.
#[test]
fn slices_hold_in_all_methods() {
    let (mut impossible, mut found, mut dearer) = (0, 0, 0);
    for seed in 0..40 {
        let whole = set(&mut rng(seed), 5, 7);
        for [count, size] in [[3, 2], [2, 3], [7, 1], [1, 7]] {
            let slicing = format!("{count}x{size}").parse().unwrap();
            let sliced = whole.clone().in_slices(slicing).unwrap();
            assert_eq!((sliced.multiprocessors(), sliced.unused()), (count * size, 7 - count * size));
            for test in Test::ALL {
                let expected = brute_force_in_slices(&whole, test, [count, size]);
                let context = format!("seed {seed}, {test}, {count}x{size}");
                let least = match exact(&sliced, test, &limits()) {
                    Ok(optimum) => {
                        let used =
                            |found: &Vec<Partition>| found.iter().map(|p| p.multiprocessors).sum::<usize>();
                        let least = optimum.partitions.as_ref().map(used);
                        assert_eq!((least, optimum.at_least), (expected, expected), "{context}");
                        if let Some(partitions) = optimum.partitions.filter(|_| least <= Some(count * size)) {
                            verify(&sliced, test, &partitions, &limits()).unwrap();
                            found += 1;
                        }
                        least
                    }
                    Err(Ended::Impossible(_)) => {
                        impossible += 1;
                        assert!(
                            expected.is_none_or(|expected| expected > count * size),
                            "{context}: {expected:?}"
                        );
                        continue;
                    }
                    Err(other) => panic!("{context}: {other:?}"),
                };
                for heuristic in Heuristic::ALL {
                    let partitions = heuristic.partition(&sliced, test, 0, &limits()).unwrap();
                    assert!(partitions.required() >= least.unwrap_or(0), "{context}");
                    assert!(
                        partitions.partitions.iter().all(|part| part.multiprocessors % size == 0),
                        "{context}"
                    );
                    if partitions.required() <= count * size {
                        verify(&sliced, test, &partitions.partitions, &limits()).unwrap();
                    }
                }
                if let Some(one) = one_partition(&sliced, test, &limits()).unwrap() {
                    assert_eq!(one.multiprocessors, count * size, "{context}");
                    verify(&sliced, test, &[one], &limits()).unwrap();
                }
                let fine = exact(&whole, test, &limits()).unwrap().at_least;
                assert!(fine <= least || least.is_none(), "{context}");
                dearer += u32::from(fine < least);
            }
        }
    }
    assert!(impossible > 5 && found > 100 && dearer > 50, "{impossible} {found} {dearer}");
}

/// The lemmas in slices of 14 out of 108, by hand: on 98 multiprocessors, and with whole slices only.
#[test]
fn what_is_impossible_in_slices_is_proved() {
    let curve = |a: &str, b: &str, deadline: &str| {
        let execution = Execution::amdahl(time(a), time(b), Factor::ONE, 108).unwrap();
        let name = format!("t{a}");
        Task::new(name, time("10"), time(deadline), Kind::Compute, execution).unwrap()
    };
    let ended = |tasks: Vec<Task>, slices: Option<&str>| {
        let mut set = TaskSet::new(tasks, 108).unwrap();
        if let Some(slices) = slices {
            set = set.in_slices(slices.parse().unwrap()).unwrap();
        }
        match Heuristic::ALL[0].partition(&set, Test::Edf, 0, &limits()) {
            Ok(found) => found.required().to_string(),
            Err(Ended::Impossible(why)) => why.to_string(),
            Err(other) => panic!("{other:?}"),
        }
    };
    // 1000/100 <= 10 wants 100 multiprocessors, of which 98 are in slices of 14 and 105 in slices of 15.
    let large = || vec![curve("1000", "0", "10")];
    assert_eq!(ended(large(), None), "100");
    assert_eq!(ended(large(), Some("7")), "105");
    let why = "t1000 takes 10.204082 alone on all 98 multiprocessors, its deadline is 10";
    assert_eq!(ended(large(), Some("7x14")), why);
    // b = 4 on m multiprocessors fills 0.4 m of them: on 14 at least 5.6, besides a/10, for each of 16 tasks.
    let many = || (1..=16).map(|number| curve(&number.to_string(), "4", "10")).collect::<Vec<_>>();
    assert!(ended(many(), None).parse::<usize>().is_ok_and(|required| required <= 98));
    let why = "the tasks need 103.200 multiprocessors' time, there are 98 (Si21 Lemma 1)";
    assert_eq!(ended(many(), Some("7x14")), why);
}

#[test]
fn the_verifier_knows_slices() {
    let tasks = || ["a", "b"].map(|name| task(name, "20", Kind::Memory, &["6"], "2")).to_vec();
    let set = TaskSet::new(tasks(), 7).unwrap().in_slices("3x2".parse().unwrap()).unwrap();
    let part = |multiprocessors, task| Partition { multiprocessors, tasks: vec![task] };
    let judge =
        |parts: &[Partition]| verify(&set, Test::Edf, parts, &limits()).map(|verified| verified.used());
    assert_eq!(judge(&[part(2, 0), part(4, 1)]), Ok(6));
    let wrong = |partition, multiprocessors| Err(Violation::Slice { partition, multiprocessors, slice: 2 });
    assert_eq!(judge(&[part(3, 0), part(2, 1)]), wrong(1, 3));
    assert_eq!(judge(&[part(2, 0), part(1, 1)]), wrong(2, 1));
    assert_eq!(judge(&[part(4, 0), part(4, 1)]), Err(Violation::TooMany { used: 8, there: 6 }));
    assert_eq!(judge(&[part(6, 0), part(1, 1)]), Err(Violation::TooMany { used: 7, there: 6 }));
    for (slices, fits) in [("7x1", true), ("7", true), ("8", false), ("2x4", false), ("1x7", true)] {
        let set = TaskSet::new(tasks(), 7).unwrap().in_slices(slices.parse().unwrap());
        assert_eq!(set.is_ok(), fits, "{slices}");
    }
}

/// Si21 section 3.4.2: nine compute-intensive tasks and a memory-intensive one: only the nine are in
/// conflict.
#[test]
fn conflict_is_by_kind() {
    let mut tasks: Vec<Task> =
        (0..9).map(|number| task(&format!("c{number}"), "1000", Kind::Compute, &["2"], "1.2")).collect();
    tasks.push(task("m", "1000", Kind::Memory, &["2"], "2.3"));
    let set = TaskSet::new(tasks, 1).unwrap();
    let verified = found(&set, Test::Edf, Method::OnePartition).unwrap();
    let placed = &verified.partitions()[0].tasks;
    assert!(placed[..9].iter().all(|placed| placed.conflict && placed.execution == time("2.4")));
    assert_eq!((placed[9].conflict, placed[9].execution), (false, time("2")));
}

/// By hand: each task needs one multiprocessor; a and c cannot share one (2 * 6 * 2 > 20), each of them can
/// with b.
#[test]
fn heuristics_by_hand() {
    let set = |there| {
        let tasks = vec![
            task("a", "20", Kind::Memory, &["6", "4"], "2"),
            task("b", "20", Kind::Compute, &["7", "5"], "2"),
            task("c", "20", Kind::Memory, &["6", "4"], "2"),
        ];
        TaskSet::new(tasks, there).unwrap()
    };
    for heuristic in Heuristic::ALL {
        let found = heuristic.partition(&set(2), Test::Edf, 2, &limits()).unwrap();
        let groups: Vec<(usize, &[usize])> =
            found.partitions.iter().map(|p| (p.multiprocessors, &p.tasks[..])).collect();
        assert_eq!(groups, [(1, &[0, 1][..]), (1, &[2])], "{}", heuristic.name());
        // On one multiprocessor there is no way: the loop ends though no merge is left.
        let found = heuristic.partition(&set(1), Test::Edf, 1, &limits()).unwrap();
        assert_eq!(found.required(), 2, "{}", heuristic.name());
    }
    assert_eq!(one_partition(&set(1), Test::Edf, &limits()), Ok(None));
    // 4 + 4, twice as long in conflict, and 5 take 21 of 20 on two multiprocessors; they would do with 4
    // less.
    assert_eq!(one_partition(&set(2), Test::Edf, &limits()), Ok(None));
}

/// Lemma 1 with C(m) = a/m + b; and with more than linear speed-up, for which C(1)/T would be wrong.
#[test]
fn what_is_impossible_is_proved() {
    let ended = |tasks: Vec<Task>, there| {
        let set = TaskSet::new(tasks, there).unwrap();
        Heuristic::ALL[0].partition(&set, Test::Edf, there, &limits()).map(|found| found.required())
    };
    let slow = task("slow", "10", Kind::Compute, &["30", "20"], "1");
    let why = ended(vec![slow], 2).unwrap_err();
    let Ended::Impossible(why) = why else { panic!("{why:?}") };
    assert_eq!(why.to_string(), "slow takes 20 alone on all 2 multiprocessors, its deadline is 10");
    let full = |name: &str| task(name, "10", Kind::Compute, &["9", "8"], "1");
    let why = ended(vec![full("a"), full("b"), full("c")], 2).unwrap_err();
    let Ended::Impossible(why @ Impossible::Utilisation { .. }) = why else { panic!("{why:?}") };
    assert_eq!(why.to_string(), "the tasks need 2.700 multiprocessors' time, there are 2 (Si21 Lemma 1)");
    let fast = |name: &str| task(name, "10", Kind::Compute, &["20", "3"], "1");
    assert_eq!(ended(vec![fast("a"), fast("b")], 2), Ok(2));
}

#[test]
fn the_verifier_refuses_what_is_wrong() {
    let tasks = vec![
        task("a", "20", Kind::Memory, &["6", "4"], "2"),
        task("b", "20", Kind::Compute, &["7", "5"], "2"),
        task("c", "20", Kind::Memory, &["6", "4"], "2"),
    ];
    let set = TaskSet::new(tasks, 2).unwrap();
    let part = |multiprocessors, tasks: &[usize]| Partition { multiprocessors, tasks: tasks.to_vec() };
    let judge =
        |test, parts: &[Partition]| verify(&set, test, parts, &limits()).map(|verified| verified.used());
    assert_eq!(judge(Test::Edf, &[part(1, &[0, 1]), part(1, &[2])]), Ok(2));
    for test in Test::ALL {
        assert_eq!(judge(test, &[part(2, &[0, 1, 2])]), Err(Violation::Overload(1)), "{test}"); // 8 + 5 + 8 of 20
    }
    // By 11 there are 12 to do; without preemption the second delays the first beyond 10.
    let short = |name: &str, deadline: &str| {
        let execution = Execution::with_factor(vec![time("6")], Factor::ONE).unwrap();
        Task::new(name.to_owned(), time("20"), time(deadline), Kind::Compute, execution).unwrap()
    };
    let both = TaskSet::new(vec![short("a", "10"), short("b", "11")], 1).unwrap();
    for (test, at) in Test::ALL.into_iter().zip(["11", "10", "10"]) {
        let missed = Violation::Missed { partition: 1, at: time(at) };
        assert_eq!(verify(&both, test, &[part(1, &[0, 1])], &limits()), Err(missed), "{test}");
    }
    let times = |name: &str, times| Err(Violation::Times { name: name.to_owned(), times });
    assert_eq!(judge(Test::Edf, &[part(1, &[0, 1])]), times("c", 0));
    assert_eq!(judge(Test::Edf, &[part(1, &[0, 1]), part(1, &[2, 1])]), times("b", 2));
    assert_eq!(judge(Test::Edf, &[part(1, &[0, 1]), part(1, &[3])]), Err(Violation::NoTask(3)));
    assert_eq!(judge(Test::Edf, &[part(1, &[0, 1]), part(0, &[2])]), Err(Violation::Empty(2)));
    let too_many = Violation::TooMany { used: 3, there: 2 };
    assert_eq!(judge(Test::Edf, &[part(2, &[0, 1]), part(1, &[2])]), Err(too_many));
}

/// The verifier decides what the tests accept: long intervals, blocking far off, busy periods of thousands of
/// jobs; and it obeys the limits.
#[test]
fn the_verifier_keeps_up_with_the_tests() {
    let sets = [
        (Test::NpEdf, &[("0.0001", "0.001"), ("0.0005", "1000000")][..]),
        (Test::NpEdf, &[("0.0001", "0.001"), ("0.0005", "15000")]),
        (Test::NpDm, &[("73833", "100711"), ("26745", "200615"), ("26796", "200622")]),
        (Test::NpDm, &[("10726", "10727"), ("1", "24405"), ("1", "29488")]),
        (Test::Edf, &[("0.000001", "0.000002"), ("499999999.999993", "999999999.999986")]),
    ];
    let one = |&(c, period): &(&str, &str)| task(period, period, Kind::Compute, &[c], "1");
    for (test, tasks) in sets {
        let set = TaskSet::new(tasks.iter().map(one).collect(), 1).unwrap();
        assert!(found(&set, test, Method::OnePartition).is_some(), "{test}, {set:?}");
    }
    let long = sets[2].1.iter().map(one).collect();
    let whole = [Partition { multiprocessors: 1, tasks: vec![0, 1, 2] }];
    let ended = limits().within(std::time::Duration::ZERO);
    let judged = verify(&TaskSet::new(long, 1).unwrap(), Test::NpDm, &whole, &ended);
    assert_eq!(judged, Err(Violation::Stopped(warpspan::limits::Stop::TimeLimit)));
}

#[test]
fn generated_sets_are_those_of_the_text() {
    let parameters = Parameters::default();
    let generator = Generator { tasks: 50, utilisation: 34.0, parameters: &parameters };
    let sum = |set: &TaskSet, kind: Kind| {
        let share = |task: &Task| {
            // C(1) = a (1 + b/a)
            let b = if kind == Kind::Memory { 0.1 } else { 0.02 };
            task.execution().on(1, false).0 as f64 / (1.0 + b) / task.period().0 as f64
        };
        set.tasks().iter().filter(|task| task.kind() == kind).map(share).sum::<f64>()
    };
    let mut memory = 0;
    let mut rng = rng(3);
    for _ in 0..40 {
        let set = generator.draw(&mut rng).unwrap();
        assert_eq!(set.tasks().len(), 50);
        let whole: f64 = Kind::ALL.map(|kind| sum(&set, kind)).iter().sum();
        assert_abs_diff_eq!(whole, 34.0, epsilon = 1e-3);
        memory += set.tasks().iter().filter(|task| task.kind() == Kind::Memory).count();
        for task in set.tasks() {
            let period = task.period().0 / 1_000_000;
            assert!(PERIODS.iter().any(|&known| u64::from(known) == period));
            assert_eq!(task.deadline().0 * 4, task.period().0 * 3);
            let k = if task.kind() == Kind::Memory { "2.3" } else { "1.2" }.parse::<Factor>().unwrap();
            let [alone, conflict] = [false, true].map(|conflict| task.execution().on(68, conflict));
            assert!(conflict <= k.times(alone).unwrap() && conflict > alone);
            assert!(alone <= task.deadline());
        }
    }
    assert!((850..1150).contains(&memory), "{memory}"); // 1000 +- 22 expected
}

/// The same table in any order of points and methods.
#[test]
fn experiments_are_the_same_each_time() {
    let parameters = Parameters { serial: (0.0, 0.0), ..Parameters::default() };
    let experiment = |seed| Experiment {
        test: Test::NpEdf,
        parameters: parameters.clone(),
        seed,
        quick: true,
        ..Experiment::new(Figure::Tasks50)
    };
    let methods: Vec<Method> = Method::all().collect();
    let counts = |seed, methods: &[Method]| -> Vec<(String, u32)> {
        let rows = experiment(seed).rows((50, 14), methods, &limits()).unwrap();
        rows.into_iter().map(|row| (row.method, row.schedulable)).collect()
    };
    let all = counts(1, &methods);
    assert_eq!(all[3..], counts(1, &methods[3..]));
    let sets = |seed| format!("{:?}", experiment(seed).set((50, 14), 0).unwrap());
    assert_eq!(sets(1), sets(1));
    assert_ne!(sets(1), sets(2));
}

/// Every parameter of the generator does what it says.
#[test]
fn sets_are_drawn_by_their_parameters() {
    let parameters = Parameters {
        multiprocessors: 12,
        memory_share: 0.2,
        deadline_ratio: 0.5,
        periods: vec![30, 60, 90],
        shortest: 40.0,
        serial: (0.0, 0.05),
        factor: ("3".parse().unwrap(), "1".parse().unwrap()),
    };
    let generator = Generator { tasks: 7, utilisation: 6.0, parameters: &parameters };
    let mut rng = rng(5);
    let (mut memory, mut short) = (0, 0);
    for _ in 0..200 {
        let set = generator.draw(&mut rng).unwrap();
        assert_eq!((set.tasks().len(), set.multiprocessors()), (7, 12));
        let mut whole = 0.0;
        for task in set.tasks() {
            let period = task.period().0;
            assert!([30, 60, 90].contains(&(period / 1_000_000)));
            assert_eq!(task.deadline().0 * 2, period);
            let [alone, conflict] = [false, true].map(|conflict| task.execution().on(1, conflict).0);
            let is_memory = task.kind() == Kind::Memory;
            memory += u32::from(is_memory);
            assert_eq!(conflict, if is_memory { alone } else { 3 * alone });
            let a = alone as f64 / if is_memory { 1.05 } else { 1.0 };
            whole += a / period as f64;
            // A task with a < 40 has the longest period; without the rule, a third would have it.
            short += u32::from(a < 39e6);
            assert!(a >= 39e6 || period == 90_000_000, "{a} {period}");
        }
        assert_abs_diff_eq!(whole, 6.0, epsilon = 1e-3);
    }
    assert!((200..360).contains(&memory), "{memory}"); // 280 +- 15 expected
    assert!(short > 100, "{short}");
}
