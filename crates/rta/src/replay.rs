//! A verifier of the simulator's runs that shares no code with the simulator: it checks the events in order against the
//! system.
//!
//! What runs on a multiprocessor never exceeds its resources. Every launch has all its blocks, and none of
//! them is placed before the launch is in a queue; it is in a queue neither before its release nor before the
//! launch ahead of it in its stream is complete (G1, G2, G4). At every time the blocks placed are those of
//! the kernel at the head of the most urgent queue (X1, A2, G3). When no more blocks are placed, the kernel
//! then at the head has no room anywhere (R1 to R3), so no block waits without need.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap, HashSet};

use crate::{Event, Job, Occupation, System};
use warpspan_model::device::Resources;
use warpspan_model::time::Duration;

/// The position of a waiting kernel: the most urgent priority comes first, then the order of arrival.
type Place = (Reverse<i64>, usize);

struct Judge<'a> {
    system: &'a System,
    executions: &'a [Duration],
    free: Vec<Resources>,
    ends: BinaryHeap<Reverse<(Duration, usize, usize, u64)>>,
    /// Kernels in queues, each with the number of its blocks that are not placed.
    waiting: BTreeMap<Place, (Job, u64)>,
    /// Launches that have blocks still to be placed.
    unplaced: HashSet<Job>,
    /// The latest end of the blocks of each launch.
    ends_of: HashMap<Job, Duration>,
    /// The last time at which a launch of each stream was complete.
    last_complete: HashMap<usize, Duration>,
    arrivals: usize,
}

/// Checks that the events of the simulator, in its order, are a run of the system.
///
/// # Errors
/// The first event that breaks a rule.
pub fn replay(system: &System, executions: &[Duration], events: &[Event]) -> Result<(), String> {
    let mut judge = Judge {
        system,
        executions,
        free: vec![
            system.gpu().resources;
            usize::try_from(system.gpu().multiprocessors).unwrap_or(usize::MAX)
        ],
        ends: BinaryHeap::new(),
        waiting: BTreeMap::new(),
        unplaced: HashSet::new(),
        ends_of: HashMap::new(),
        last_complete: HashMap::new(),
        arrivals: 0,
    };
    let tasks = system.tasks().len();
    if executions.len() != tasks {
        return Err(format!("{} execution times for {tasks} kernels", executions.len()));
    }
    let time = |event: &Event| event.time();
    // A batch of several rounds is reported before the first of its rounds begins.
    let mut ordered: Vec<&Event> = events.iter().collect();
    ordered.sort_by_key(|event| time(event));
    for same in ordered.chunk_by(|a, b| time(a) == time(b)) {
        let now = time(same[0]);
        judge.free_until(now)?;
        for event in same {
            judge.is_of_the_system(event)?;
            match **event {
                Event::Released(_) => {} // The system itself says when launches are released.
                Event::Queued(job, _) => judge.queued(job, now)?,
                Event::Placed(placed) => judge.placed(placed)?,
                Event::Completed(job, _) => judge.completed(job, now)?,
            }
        }
        judge.nobody_waits_without_need(now)?;
    }
    Ok(())
}

impl Judge<'_> {
    fn name(&self, job: Job) -> String {
        format!("launch {} of {}", job.number + 1, self.system.tasks()[job.task].name)
    }

    /// Refuses an event that names a kernel or a multiprocessor that the system does not have, or a time that
    /// is too large.
    fn is_of_the_system(&self, event: &Event) -> Result<(), String> {
        if event.time() > Duration::MAX {
            return Err("an event is later than times can be".to_owned());
        }
        let (job, multiprocessor) = match *event {
            Event::Released(job) | Event::Queued(job, _) | Event::Completed(job, _) => (job, 0),
            Event::Placed(placed) => (placed.job, placed.multiprocessor),
        };
        if job.release > Duration::MAX {
            return Err("a launch is released later than times can be".to_owned());
        }
        if job.task >= self.system.tasks().len() {
            return Err(format!("there is no kernel {}", job.task + 1));
        }
        if multiprocessor >= self.free.len() {
            return Err(format!("there is no multiprocessor {}", multiprocessor + 1));
        }
        Ok(())
    }

    /// Gives back the resources of the blocks that end by `now`.
    fn free_until(&mut self, now: Duration) -> Result<(), String> {
        while let Some(&Reverse((end, multiprocessor, task, blocks))) = self.ends.peek() {
            if end > now {
                break;
            }
            self.ends.pop();
            let block = &self.system.tasks()[task].block;
            self.free[multiprocessor].change(block, blocks, false);
            if end < now {
                self.nobody_waits_without_need(end)?;
            }
        }
        Ok(())
    }

    fn queued(&mut self, job: Job, now: Duration) -> Result<(), String> {
        let task = &self.system.tasks()[job.task];
        let ready = job.release + task.copy_in;
        let ahead = self.last_complete.get(&task.stream).copied().unwrap_or_default();
        if now < ready || now < ahead {
            return Err(format!("{} is in a queue too early, at {}", self.name(job), now.0));
        }
        let place = (Reverse(self.system.streams()[task.stream].priority), self.arrivals);
        self.arrivals += 1;
        self.waiting.insert(place, (job, task.blocks));
        if self.unplaced.insert(job) {
            Ok(())
        } else {
            Err(format!("{} is in a queue twice", self.name(job)))
        }
    }

    fn placed(&mut self, placed: Occupation) -> Result<(), String> {
        let Occupation { start, job, multiprocessor, blocks, rounds } = placed;
        let name = self.name(job);
        let Some(mut head) = self.waiting.first_entry() else { return Err(format!("{name} is in no queue")) };
        let (first, left) = head.get_mut();
        if *first != job {
            return Err(format!("{name} is placed at {} before the head of the queues", start.0));
        }
        let placed = blocks.checked_mul(rounds);
        let rest = placed.and_then(|placed| left.checked_sub(placed));
        *left = rest.ok_or_else(|| format!("{name} has too many blocks"))?;
        if *left == 0 {
            head.remove();
            self.unplaced.remove(&job);
        }
        let block = &self.system.tasks()[job.task].block;
        if self.free[multiprocessor].fits(block) < blocks {
            return Err(format!(
                "{name} has no room on multiprocessor {} at {}",
                multiprocessor + 1,
                start.0
            ));
        }
        self.free[multiprocessor].change(block, blocks, true);
        // The sum must stay below half of the range, so that the copy that follows can be added.
        let length = self.executions[job.task].0.checked_mul(rounds);
        let end = length.and_then(|length| start.0.checked_add(length)).filter(|&end| end <= u64::MAX >> 1);
        let end = end.map(Duration).ok_or_else(|| format!("{name} ends later than times can be"))?;
        self.ends.push(Reverse((end, multiprocessor, job.task, blocks)));
        let last = self.ends_of.entry(job).or_default();
        *last = end.max(*last);
        Ok(())
    }

    fn completed(&mut self, job: Job, now: Duration) -> Result<(), String> {
        let task = &self.system.tasks()[job.task];
        let due = self.ends_of.remove(&job).map(|end| end + task.copy_out);
        let due = due.is_some_and(|due| now == due || (now > due && task.copy_out > Duration(0)));
        if !due || self.unplaced.contains(&job) {
            return Err(format!("{} is not complete at {}", self.name(job), now.0));
        }
        self.last_complete.insert(task.stream, now);
        Ok(())
    }

    fn nobody_waits_without_need(&self, now: Duration) -> Result<(), String> {
        let Some((job, _)) = self.waiting.values().next() else { return Ok(()) };
        let block = &self.system.tasks()[job.task].block;
        match self.free.iter().position(|free| free.fits(block) > 0) {
            Some(free) => Err(format!(
                "{} waits at {} while multiprocessor {} has room",
                self.name(*job),
                now.0,
                free + 1
            )),
            None => Ok(()),
        }
    }
}
