//! Random and exhaustive task sets: no job of a run takes longer than its bound, and some take longer than published.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use warpspan::model::assumption::Id;
use warpspan::model::time::{Duration, TimeUnit};
use warpspan::realtime::processes::published::published;
use warpspan::realtime::processes::{
    Recurring, Scheduling, Segment, Task, TaskSet, Waiting, bounds, read_tasks, rests_on,
};

use super::simulator::{Job, Lock, play, play_with};

/// A task set of small numbers.
fn drawn(rng: &mut ChaCha8Rng, preemptive: bool, busy: bool) -> TaskSet {
    let cores = rng.random_range(1..=3);
    // Where updates are long, what blocks matters.
    let long = preemptive && rng.random_bool(0.5);
    let tasks = rng.random_range(2..=if long { 6 } else { 5 });
    let scheduling = if preemptive {
        Scheduling::Preemptive {
            update: Duration(if long { rng.random_range(3..=9) } else { rng.random_range(1..=3) }),
        }
    } else {
        let [slice, switch] = [rng.random_range(1..=4), rng.random_range(0..=3)];
        Scheduling::TimeSlices { slice: Duration(slice), switch: Duration(switch) }
    };
    let longest = if long { 400 } else { rng.random_range(30..=150) };
    let task = |number: i64, rng: &mut ChaCha8Rng| {
        let best_effort =
            (number == 0 || long && number <= 2) && rng.random_bool(if long { 0.7 } else { 0.3 });
        let segments = if rng.random_bool(0.25) && !best_effort { 0 } else { rng.random_range(1..=2) };
        let segment = |rng: &mut ChaCha8Rng| Segment {
            misc: Duration(rng.random_range(0..=3)),
            pure: Duration(rng.random_range(0..=6)),
        };
        let period = Duration(rng.random_range(15..=longest));
        let mut task = Task {
            name: format!("T{number}"),
            core: rng.random_range(0..cores),
            priority: number,
            recurring: (!best_effort).then_some(Recurring { period, deadline: period }),
            cpu: Duration(rng.random_range(1..=if long { 3 } else { 5 })),
            segments: (0..segments).map(|_| segment(rng)).collect(),
        };
        leave_out(&mut task, rng);
        task
    };
    let tasks = (0..tasks).map(|number| task(number, rng)).collect();
    let cores = (0..cores).map(|core| core.to_string()).collect();
    let waiting = if busy { Waiting::Busy } else { Waiting::Suspend };
    TaskSet::new(TimeUnit::Ticks, scheduling, waiting, cores, tasks).unwrap()
}

/// Leaves out keys that are optional: then the time of a task with a period is 0, and that of a best-effort task any.
fn leave_out(task: &mut Task, rng: &mut ChaCha8Rng) {
    let kept = task.clone();
    let is_out = |rng: &mut ChaCha8Rng| rng.random_bool(if kept.recurring.is_some() { 0.1 } else { 0.5 });
    if is_out(rng) {
        task.cpu = Duration(0);
    }
    for segment in &mut task.segments {
        if is_out(rng) {
            segment.misc = Duration(0);
        }
        if is_out(rng) {
            segment.pure = Duration(0);
        }
    }
    if task.recurring.is_some() && task.least() == 0 {
        *task = kept;
        task.cpu = task.cpu.max(Duration(1));
    }
}

/// What a job may do: of a best-effort task the file says nothing, whatever numbers it has.
fn able(task: &Task, rng: &mut ChaCha8Rng) -> Task {
    if task.recurring.is_some() {
        return task.clone();
    }
    let segments = if task.uses_gpu() { rng.random_range(0..=3) } else { 0 };
    let mut time = |most| Duration(rng.random_range(0..=most));
    let segments = (0..segments).map(|_| Segment { misc: time(4), pure: time(12) }).collect();
    Task { cpu: time(6), segments, ..task.clone() }
}

/// A job of a task that arrives then, with most of its time or all of it.
fn job(set: &TaskSet, task: usize, arrival: u64, rng: &mut ChaCha8Rng, whole: bool) -> Job {
    let of = &able(&set.tasks()[task], rng);
    let part = |time: u64, rng: &mut ChaCha8Rng| if whole { time } else { rng.random_range(0..=time) };
    let mut left = part(of.cpu.0, rng);
    let cpu = rng.random_range(0..=left);
    left -= cpu;
    let segments: Vec<[u64; 3]> = of
        .segments
        .iter()
        .enumerate()
        .map(|(number, segment)| {
            let last = number + 1 == of.segments.len();
            let behind = if last { left } else { rng.random_range(0..=left) };
            left -= behind;
            [part(segment.misc.0, rng), part(segment.pure.0, rng), behind]
        })
        .collect();
    let cpu = if segments.is_empty() { cpu + left } else { cpu };
    Job { task, arrival, cpu, segments }
}

/// Arrivals of all tasks.
fn jobs(set: &TaskSet, until: u64, rng: &mut ChaCha8Rng) -> Vec<Job> {
    let dense = rng.random_bool(0.6);
    let whole = rng.random_bool(0.7);
    let mut jobs = Vec::new();
    for (task, of) in set.tasks().iter().enumerate() {
        let mut time = if rng.random_bool(0.3) { 0 } else { rng.random_range(0..40) };
        while time < until {
            let all = whole || rng.random_bool(0.5);
            jobs.push(job(set, task, time, rng, all));
            let period = of.recurring.map_or_else(|| rng.random_range(5..40), |every| every.period.0);
            time += period + if dense { 0 } else { rng.random_range(0..=period / 2) };
        }
    }
    jobs
}

/// What a campaign has seen.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) jobs: usize,
    pub(super) bounded: usize,
    pub(super) attained: usize,
    pub(super) above_published: usize,
    /// The response of each of them over the bound, in percent, summed up for the longest of each task.
    percent: usize,
    tasks: usize,
}

/// Plays so many task sets, with `runs` runs of each.
pub(super) fn campaign(seed: u64, sets: usize, runs: usize, preemptive: bool, busy: bool) -> Seen {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut seen = Seen::default();
    for _ in 0..sets {
        let set = drawn(&mut rng, preemptive, busy);
        let (bounds, published) = (bounds(&set), published(&set));
        let mut longest = vec![0; bounds.len()];
        for _ in 0..runs {
            let until = 400;
            let jobs = jobs(&set, until, &mut rng);
            let late = rng.random_bool(0.5);
            let ends = play(&set, &jobs, until, late);
            for (job, end) in jobs.iter().zip(ends) {
                // A job that is under way at the end has taken so long at least.
                let response = end.unwrap_or(until) - job.arrival;
                seen.jobs += 1;
                longest[job.task] = response.max(longest[job.task]);
                let Ok(bound) = bounds[job.task] else { continue };
                seen.bounded += 1;
                assert!(
                    response <= bound.0,
                    "{response} > {} of {}, late {late}\n{set:#?}\n{bounds:?}\n{jobs:?}",
                    bound.0,
                    set.tasks()[job.task].name
                );
            }
        }
        for (task, longest) in longest.into_iter().enumerate() {
            if let Ok(bound) = bounds[task] {
                seen.tasks += 1;
                seen.attained += usize::from(longest == bound.0);
                seen.percent += usize::try_from(longest * 100 / bound.0).unwrap();
            }
            // All more urgent tasks must have kept theirs, or the equation claims nothing.
            seen.above_published += usize::from(published[task].is_some_and(|time| longest > time.0));
        }
    }
    seen
}

#[test]
fn no_job_takes_longer_under_time_slices() {
    for busy in [false, true] {
        let seen = campaign(1, 600, 6, false, busy);
        assert!(seen.bounded > 8_000, "{seen:?}");
        assert!(seen.attained > 50 && seen.above_published > 0, "{seen:?}");
    }
}

/// A best-effort process takes a whole turn before each visit of another one, whatever its file leaves out: 3 + 4 of its own, and
/// two visits of `4 / 3` rounded up, each behind a turn of 3 and two changes of 3.
#[test]
fn a_best_effort_process_without_numbers_takes_all_its_turns() {
    let set = |waiting: &str, gpu: &str| {
        let text = format!(
            "[processes]\nscheduling = \"time-slices\"\nslice = 3\nswitch = 3\nwaiting = \"{waiting}\"\n[[task]]\nname = \"t0\"\n\
             core = \"0\"\npriority = 5\nperiod = 100\ncpu = [2, 1]\ngpu = [{{ pure = 4 }}]\n[[task]]\nname = \"desktop\"\n\
             core = \"1\"\nbest_effort = true\ngpu = [{gpu}]\n"
        );
        read_tasks("f.toml", &text).unwrap()
    };
    for waiting in ["suspend", "busy"] {
        for gpu in ["{}", "{ pure = 0 }", "{ misc = 1 }", "{ misc = 1, pure = 1 }", "{}, {}"] {
            assert_eq!(
                bounds(&set(waiting, gpu))[0].map(|bound| bound.0),
                Ok(3 + 4 + 2 * (3 + 3 + 3)),
                "{gpu}"
            );
        }
        assert_eq!(bounds(&set(waiting, ""))[0].map(|bound| bound.0), Ok(3 + 4), "it does not use the GPU");
        // A task with a period takes what its file says, and nothing is 0.
        let text = "[processes]\nscheduling = \"time-slices\"\nslice = 3\nswitch = 3\n[[task]]\nname = \"a\"\ncore = \"0\"\npriority = 2\n\
                    period = 50\ncpu = 1\ngpu = [{ pure = 4 }]\n[[task]]\nname = \"b\"\ncore = \"1\"\npriority = 1\nperiod = 9\ncpu = 10\ngpu = [{ pure = 0 }]\n";
        let found = bounds(&read_tasks("f.toml", text).unwrap());
        assert_eq!(found[0].map(|bound| bound.0), Ok(1 + 4 + 2 * 3));
        assert!(found[1].is_err());
    }
}

/// Where a task that waits for the update of another one keeps its core, jobs take longer than the bounds: these are for
/// tasks that leave it, as `gcaps.lock-suspends` says.
#[test]
fn the_bounds_of_gcaps_need_that_who_waits_for_an_update_leaves_its_core() {
    let text = "[processes]\nscheduling = \"preemptive\"\nupdate = 2\n";
    let task = |name: &str, core: u64, priority: i64, period: u64, rest: &str| {
        format!(
            "[[task]]\nname = \"{name}\"\ncore = \"{core}\"\npriority = {priority}\nperiod = {period}\n{rest}\n"
        )
    };
    let text = text.to_owned()
        + &task("t0", 1, 2, 23, "cpu = 1")
        + &task("t1", 1, 15, 49, "cpu = [4, 2]\ngpu = [{ misc = 2, pure = 6 }]")
        + &task("t2", 0, 7, 104, "cpu = [0, 1]\ngpu = [{ misc = 1, pure = 5 }]")
        + &task("t3", 0, 16, 87, "cpu = [2, 1]\ngpu = [{ misc = 1, pure = 4 }]");
    let set = read_tasks("f.toml", &text).unwrap();
    let bounds: Vec<u64> = bounds(&set).into_iter().map(|bound| bound.unwrap().0).collect();
    let job = |task: usize, arrival: u64| {
        let segments = set.tasks()[task].segments.iter().map(|of| [of.misc.0, of.pure.0, 0]).collect();
        Job { task, arrival, cpu: set.tasks()[task].cpu.0, segments }
    };
    let mut longest = [Lock::Suspends, Lock::Spins].map(|lock| (lock, [0; 4]));
    for arrivals in (0..20 * 20 * 20).map(|at| [at % 20, at / 20 % 20, at / 400, 10]) {
        let jobs: Vec<Job> = (0..4).zip(arrivals).map(|(task, arrival)| job(task, arrival)).collect();
        for (lock, longest) in &mut longest {
            for (job, end) in jobs.iter().zip(play_with(&set, &jobs, 200, false, *lock)) {
                longest[job.task] = longest[job.task].max(end.unwrap() - job.arrival);
            }
        }
    }
    let exceeded = |longest: [u64; 4]| longest.iter().zip(&bounds).filter(|(one, bound)| one > bound).count();
    assert_eq!(exceeded(longest[0].1), 0, "{longest:?} {bounds:?}");
    assert!(exceeded(longest[1].1) > 0, "{longest:?} {bounds:?}");
    assert!(rests_on(&set).iter().any(|one| one.id == Id::GcapsLockSuspends));
}

#[test]
fn no_job_takes_longer_under_gcaps() {
    for busy in [false, true] {
        let seen = campaign(2, 600, 6, true, busy);
        assert!(seen.bounded > 8_000, "{seen:?}");
        assert!(seen.above_published > 0, "{seen:?}");
    }
}

/// With `--ignored --nocapture`, and SETS task sets.
#[test]
#[ignore = "a long campaign"]
fn campaign_of_processes() {
    let sets = std::env::var("SETS").ok().and_then(|sets| sets.parse().ok()).unwrap_or(10_000);
    for preemptive in [false, true] {
        for busy in [false, true] {
            let seen = campaign(3, sets, 8, preemptive, busy);
            let percent = seen.percent / seen.tasks;
            println!("preemptive {preemptive}, busy {busy}: {seen:?}, the longest {percent} % of its bound");
        }
    }
}

/// Two or three tasks of tiny numbers under time slices, with all arrivals of their first jobs.
#[test]
fn no_job_takes_longer_in_any_tiny_set() {
    let mut attained = 0;
    for [slice, switch] in [[1, 0], [1, 1], [2, 1], [2, 2], [3, 1]] {
        for busy in [Waiting::Suspend, Waiting::Busy] {
            for ours in 1..=4 {
                for theirs in 1..=4 {
                    for (same, three) in [(false, false), (true, false), (false, true), (true, true)] {
                        attained += tiny([slice, switch], busy, [ours, theirs], same, three);
                    }
                }
            }
        }
    }
    assert!(attained > 300, "{attained}");
}

/// Plays all arrivals; returns how many tasks attain their bound.
fn tiny(times: [u64; 2], waiting: Waiting, pure: [u64; 2], same: bool, three: bool) -> usize {
    let [slice, switch] = times.map(Duration);
    let task = |number: usize, core: usize, pure: u64| Task {
        name: format!("T{number}"),
        core,
        priority: i64::try_from(number).unwrap(),
        recurring: Some(Recurring { period: Duration(70), deadline: Duration(70) }),
        cpu: Duration(1),
        segments: vec![Segment { misc: Duration(0), pure: Duration(pure) }],
    };
    let mut tasks = vec![task(0, 0, pure[0]), task(1, usize::from(!same), pure[1])];
    tasks.extend(three.then(|| task(2, 2, pure[0])));
    let cores = (0..3).map(|core| core.to_string()).collect();
    let set = TaskSet::new(TimeUnit::Ticks, Scheduling::TimeSlices { slice, switch }, waiting, cores, tasks)
        .unwrap();
    let bounds: Vec<u64> = bounds(&set).into_iter().map(|bound| bound.unwrap().0).collect();
    let mut longest = vec![0; bounds.len()];
    let last = if three { 8 } else { 0 };
    for first in 0..=10 {
        for third in 0..=last {
            let job = |task: usize, arrival| Job {
                task,
                arrival,
                cpu: 1,
                segments: vec![[0, set.tasks()[task].segments[0].pure.0, 0]],
            };
            let mut jobs = vec![job(0, first), job(1, 5)];
            jobs.extend(three.then(|| job(2, third)));
            for late in [false, true] {
                for (job, end) in jobs.iter().zip(play(&set, &jobs, 150, late)) {
                    longest[job.task] = longest[job.task].max(end.unwrap() - job.arrival);
                }
            }
        }
    }
    for (task, (&longest, &bound)) in longest.iter().zip(&bounds).enumerate() {
        assert!(longest <= bound, "task {task}: {longest} > {bound}\n{set:#?}");
    }
    longest.iter().zip(&bounds).filter(|(longest, bound)| longest == bound).count()
}
