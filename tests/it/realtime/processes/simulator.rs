//! Plays the rules of time slices and of GCAPS, one grain of time after the other.
//!
//! It knows nothing of the bounds. Jobs arrive where they are told to, and take what they are told to.

use warpspan::realtime::processes::{Scheduling, TaskSet, Waiting};

/// A job: its task, its arrival, and what each of its segments takes.
#[derive(Debug, Clone)]
pub(super) struct Job {
    pub(super) task: usize,
    pub(super) arrival: u64,
    /// CPU, then for each GPU segment its misc and pure time, and the CPU segment behind it.
    pub(super) cpu: u64,
    pub(super) segments: Vec<[u64; 3]>,
}

/// What a task does with its core while it waits for the update of another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lock {
    /// It leaves the core, which is what the bounds assume.
    Suspends,
    /// It keeps the core from all but more urgent tasks.
    Spins,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Core,
    Pure,
    Begin,
    End,
}

#[derive(Debug)]
struct Running {
    number: usize,
    phases: Vec<(Phase, u64)>,
}

#[derive(Debug, Default)]
struct Turn {
    of: Option<usize>,
    left: u64,
    change: Option<(usize, u64)>,
}

/// When each job ends; `None` of those that are under way at the end. `late` says whether arrivals come after what
/// the GPU decides at the same time.
pub(super) fn play(set: &TaskSet, jobs: &[Job], until: u64, late: bool) -> Vec<Option<u64>> {
    play_with(set, jobs, until, late, Lock::Suspends)
}

/// The same where a task that waits for the update of another one does that.
pub(super) fn play_with(set: &TaskSet, jobs: &[Job], until: u64, late: bool, lock: Lock) -> Vec<Option<u64>> {
    let mut ends = vec![None; jobs.len()];
    let mut queue: Vec<usize> = (0..jobs.len()).collect();
    queue.sort_by_key(|&job| (jobs[job].arrival, job));
    // One job of a task at a time, in the order of arrivals.
    let mut waiting: Vec<Vec<usize>> = vec![Vec::new(); set.tasks().len()];
    let mut now: Vec<Option<Running>> = set.tasks().iter().map(|_| None).collect();
    // The context of one of the processes that use the GPU is on it.
    let first = set.tasks().iter().position(warpspan::realtime::processes::Task::uses_gpu);
    let mut turn = Turn { of: first, ..Turn::default() };
    let mut active = vec![false; set.tasks().len()];
    let mut updating: Option<(usize, u64)> = None;
    let mut next = 0;
    for time in 0..until {
        if late {
            decide(set, &now, &mut turn);
        }
        while next < queue.len() && jobs[queue[next]].arrival <= time {
            waiting[jobs[queue[next]].task].push(queue[next]);
            next += 1;
        }
        // A job that ends at once makes room for the next one in the next grain.
        for (running, waiting) in now.iter_mut().zip(&mut waiting) {
            if running.is_none() && !waiting.is_empty() {
                let number = waiting.remove(0);
                *running = Some(Running { number, phases: phases(set, &jobs[number]) });
            }
            settle(running, &mut ends, time);
        }
        decide(set, &now, &mut turn);
        let rank = |task: usize| {
            let of = &set.tasks()[task];
            (of.recurring.is_some(), of.priority, std::cmp::Reverse(task))
        };
        let phase = |now: &[Option<Running>], task: usize| {
            now[task].as_ref().and_then(|running| running.phases.first().copied()).map(|(phase, _)| phase)
        };
        // Who runs on each core: a task that updates, or the most urgent ready one.
        let chosen = |now: &[Option<Running>], updating: Option<(usize, u64)>| -> Vec<Option<usize>> {
            let on = |core: usize| {
                let there = (0..now.len()).filter(|&task| set.tasks()[task].core == core);
                if let Some((task, _)) = updating.filter(|(task, _)| set.tasks()[*task].core == core) {
                    return Some(task);
                }
                let ready = there.filter(|&task| match phase(now, task) {
                    Some(Phase::Core) => true,
                    Some(Phase::Pure) => set.waiting() == Waiting::Busy,
                    Some(Phase::Begin | Phase::End) => updating.is_none() || lock == Lock::Spins,
                    None => false,
                });
                ready.max_by_key(|&task| rank(task))
            };
            (0..set.cores().len()).map(on).collect()
        };
        if let Scheduling::Preemptive { update } = set.scheduling()
            && updating.is_none()
        {
            let wants = chosen(&now, None).into_iter().flatten();
            let wants = wants.filter(|&task| matches!(phase(&now, task), Some(Phase::Begin | Phase::End)));
            updating = wants.max_by_key(|&task| rank(task)).map(|task| (task, update.0));
        }
        let on_cores = chosen(&now, updating);
        // The GPU.
        let served = match set.scheduling() {
            Scheduling::TimeSlices { .. } => match &mut turn {
                Turn { change: Some((_, left)), .. } => {
                    *left -= 1;
                    None
                }
                Turn { of: Some(task), left, .. } if phase(&now, *task) == Some(Phase::Pure) => {
                    *left -= 1;
                    Some(*task)
                }
                _ => None,
            },
            Scheduling::Preemptive { .. } => {
                let top = (0..now.len()).filter(|&task| active[task]).max_by_key(|&task| rank(task));
                // An update that gives the GPU to somebody else stops it.
                let stops = updating.is_some_and(|(task, _)| {
                    phase(&now, task) == Some(Phase::Begin) && top.is_none_or(|top| rank(task) > rank(top))
                });
                top.filter(|&task| !stops && phase(&now, task) == Some(Phase::Pure))
            }
        };
        // One grain passes.
        for task in on_cores.into_iter().flatten() {
            let head = now[task].as_mut().unwrap().phases.first_mut().unwrap();
            if head.0 == Phase::Core {
                head.1 -= 1;
            }
        }
        if let Some(task) = served {
            now[task].as_mut().unwrap().phases[0].1 -= 1;
        }
        if let Some((task, left)) = &mut updating {
            *left = left.saturating_sub(1);
            if *left == 0 {
                let phases = &mut now[*task].as_mut().unwrap().phases;
                active[*task] = phases[0].0 == Phase::Begin;
                phases.remove(0);
                updating = None;
            }
        }
        for running in &mut now {
            settle(running, &mut ends, time + 1);
        }
    }
    ends
}

/// What a job does, in order.
fn phases(set: &TaskSet, job: &Job) -> Vec<(Phase, u64)> {
    let preemptive = matches!(set.scheduling(), Scheduling::Preemptive { .. });
    let mut phases = vec![(Phase::Core, job.cpu)];
    for &[misc, pure, cpu] in &job.segments {
        if preemptive {
            phases.push((Phase::Begin, 1));
        }
        phases.extend([(Phase::Core, misc), (Phase::Pure, pure)]);
        if preemptive {
            phases.push((Phase::End, 1));
        }
        phases.push((Phase::Core, cpu));
    }
    phases
}

/// Leaves phases that are over, and jobs that are.
fn settle(now: &mut Option<Running>, ends: &mut [Option<u64>], time: u64) {
    let Some(running) = now else { return };
    while running
        .phases
        .first()
        .is_some_and(|(phase, left)| *left == 0 && matches!(phase, Phase::Core | Phase::Pure))
    {
        running.phases.remove(0);
    }
    if running.phases.is_empty() {
        ends[running.number] = Some(time);
        *now = None;
    }
}

/// Whose turn it is.
fn decide(set: &TaskSet, now: &[Option<Running>], turn: &mut Turn) {
    let Scheduling::TimeSlices { slice, switch } = set.scheduling() else { return };
    let works = |task: usize| {
        now[task]
            .as_ref()
            .is_some_and(|running| matches!(running.phases.first(), Some((Phase::Pure, left)) if *left > 0))
    };
    if let Some((task, left)) = turn.change {
        if left > 0 {
            return;
        }
        *turn = Turn { of: Some(task), left: slice.0, change: None };
    }
    if turn.of.is_some_and(|of| works(of) && turn.left > 0) {
        return;
    }
    let after = turn.of.map_or(0, |of| of + 1);
    let tasks = now.len();
    let other =
        (0..tasks).map(|step| (after + step) % tasks).find(|&task| Some(task) != turn.of && works(task));
    match other {
        Some(task) if switch.0 == 0 => *turn = Turn { of: Some(task), left: slice.0, change: None },
        Some(task) => turn.change = Some((task, switch.0)),
        None if turn.left == 0 && turn.of.is_some_and(works) => turn.left = slice.0,
        None => {}
    }
}
