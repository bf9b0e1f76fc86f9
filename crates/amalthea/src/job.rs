//! What a job of each task does, in times.

use std::cell::Cell;
use std::collections::BTreeMap;

use crate::cost::{Costs, Ps, Times};
use crate::model::{Activation, Model, Range, Step, Task};

/// A wait of a job for events.
#[derive(Debug, Clone)]
pub(super) struct Wait {
    /// The tasks that the job triggers before and that set the events; a reason where they do not.
    pub(super) setters: Result<Vec<usize>, String>,
    /// Whether the first job waits for its own triggers: each event is set once, and by nothing else.
    pub(super) is_own: bool,
    /// Whether the events are cleared after, so that each job waits as the first one does.
    pub(super) is_cleared: bool,
    pub(super) is_active: bool,
    /// The events.
    pub(super) events: Vec<String>,
}

/// A step of a job.
#[derive(Debug, Clone)]
pub(super) enum Part {
    Run(Times),
    Trigger { stimulus: usize, is_certain: bool },
    Wait(Wait),
}

/// How what a job does ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// With work that takes time: it ends with that work, even if another job is released right then.
    Work,
    /// With what takes no time but needs its unit for a moment, such as a trigger: a more urgent job that is released
    /// right then comes before it.
    Moment,
}

/// A job of a task.
#[derive(Debug, Clone)]
pub(super) struct Job {
    pub(super) parts: Vec<Part>,
    pub(super) ending: Ending,
    /// The steps that run, with their times.
    pub(super) runs: Vec<(String, Times)>,
    /// The sum of what runs.
    pub(super) execution: Range<Ps>,
    /// The sum of what runs in some job for certain, if that takes its upper ticks.
    pub(super) some: Ps,
}

impl Job {
    pub(super) fn waits(&self) -> impl Iterator<Item = &Wait> {
        self.parts.iter().filter_map(|part| match part {
            Part::Wait(wait) => Some(wait),
            Part::Run(_) | Part::Trigger { .. } => None,
        })
    }

    /// Whether it suspends itself.
    pub(super) fn suspends(&self) -> bool {
        self.waits().any(|wait| !wait.is_active)
    }

    /// The parts after which it has triggered a stimulus at the latest.
    pub(super) fn before(&self, stimulus: usize) -> &[Part] {
        let at = self
            .parts
            .iter()
            .position(|part| matches!(part, Part::Trigger { stimulus: other, .. } if *other == stimulus));
        &self.parts[..at.unwrap_or(self.parts.len())]
    }

    /// The parts after which it triggers a stimulus at the earliest.
    pub(super) fn before_at_earliest(&self, stimulus: usize) -> &[Part] {
        let parts = self.before(stimulus);
        match self.parts.get(parts.len()) {
            Some(Part::Trigger { is_certain: false, .. }) => {
                let run = parts.iter().rposition(|part| matches!(part, Part::Run(_)));
                &parts[..run.unwrap_or(0)]
            }
            _ => parts,
        }
    }
}

/// The jobs of all tasks; a reason where the time of one is not known.
#[derive(Debug)]
pub(super) struct Jobs<'a> {
    pub(super) model: &'a Model,
    pub(super) jobs: Vec<Result<Job, String>>,
    /// Where each stimulus is triggered: the tasks, one entry for each place.
    pub(super) origins: BTreeMap<usize, Vec<usize>>,
    /// Whether each task is ever released, by a stimulus of its own or by a task that is.
    pub(super) released: Vec<bool>,
    /// Whether each task is released for certain: not only by a trigger that may not happen.
    pub(super) surely_released: Vec<bool>,
    /// How many steps of recurrences may still be taken; after that there are no more bounds.
    pub(super) steps_left: Cell<u64>,
}

/// The most steps of all recurrences together: some seconds.
const MOST_STEPS: u64 = 20_000_000;

impl<'a> Jobs<'a> {
    pub(super) fn new(model: &'a Model) -> Self {
        let costs: Vec<Costs<'_>> = (0..model.units.len()).map(|unit| Costs::new(model, unit)).collect();
        let mut origins: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (number, task) in model.tasks.iter().enumerate() {
            for step in &task.steps {
                if let Step::Trigger { stimulus, .. } = step {
                    origins.entry(*stimulus).or_default().push(number);
                }
            }
        }
        let jobs = (0..model.tasks.len()).map(|task| job(model, &costs, task)).collect();
        let released = |any| released(model, any);
        let (surely_released, released) = (released(false), released(true));
        Self { model, jobs, origins, released, surely_released, steps_left: Cell::new(MOST_STEPS) }
    }

    pub(super) fn job(&self, task: usize) -> Option<&Job> {
        self.jobs[task].as_ref().ok()
    }

    /// The one task that triggers a task, at one place.
    pub(super) fn origin(&self, task: usize) -> Option<(usize, usize)> {
        let Activation::Triggered(stimulus) = self.model.tasks[task].activation else { return None };
        match self.origins.get(&stimulus).map(Vec::as_slice) {
            Some([one]) => Some((*one, stimulus)),
            _ => None,
        }
    }

    /// How long a job takes with all units to itself: at least, if it is as fast as can be (`lower`), and if
    /// it takes its upper ticks (`upper`), which some job may.
    pub(super) fn alone(&self, task: usize) -> Option<Range<Ps>> {
        let job = self.job(task)?;
        Some(Range { lower: self.walk(&job.parts, false), upper: self.walk(&job.parts, true) })
    }

    /// The same for some parts of a job.
    pub(super) fn walk(&self, parts: &[Part], upper: bool) -> Ps {
        let mut now: Ps = 0;
        let mut triggered: BTreeMap<usize, Ps> = BTreeMap::new();
        for part in parts {
            match part {
                Part::Run(time) => {
                    now = now.saturating_add(if upper { time.some } else { time.total().lower })
                }
                // Nothing that is waited for is triggered in some jobs only.
                Part::Trigger { stimulus, .. } => {
                    triggered.insert(*stimulus, now);
                }
                // The first job cannot find an event of a job before it, and it may be the slowest; what is triggered
                // elsewhere too may have set the event already.
                Part::Wait(wait) if wait.is_own && (upper || wait.is_cleared) => {
                    for &setter in wait.setters.iter().flatten() {
                        let Some((_, stimulus)) = self.origin(setter) else { continue };
                        let Some(&since) = triggered.get(&stimulus) else { continue };
                        now = now.max(since.saturating_add(self.until_set(setter, &wait.events, upper)));
                    }
                }
                Part::Wait(_) => {}
            }
        }
        now
    }

    /// What a task runs, at least, until it has set one of these events.
    fn until_set(&self, setter: usize, events: &[String], upper: bool) -> Ps {
        let Some(job) = self.job(setter) else { return 0 };
        let mut runs = job.runs.iter();
        let mut sum: Ps = 0;
        for step in &self.model.tasks[setter].steps {
            match step {
                Step::Run(..) => {
                    let time = runs.next().map(|(_, times)| *times).unwrap_or_default();
                    sum = sum.saturating_add(if upper { time.some } else { time.total().lower });
                }
                Step::Set { events: set, .. } if events.iter().any(|event| set.contains(event)) => break,
                _ => {}
            }
        }
        sum
    }
}

/// Whether each task is ever released, by `any` trigger or by those that happen in each job: a circle of triggers alone
/// releases none.
fn released(model: &Model, any: bool) -> Vec<bool> {
    let mut released = vec![false; model.tasks.len()];
    let triggers = |task: &Task, wanted: usize| {
        let is = |step: &Step| matches!(step, Step::Trigger { stimulus, is_certain } if *stimulus == wanted && (any || *is_certain));
        task.steps.iter().any(is)
    };
    loop {
        let is = |activation: Activation| match activation {
            Activation::Recurring { .. } | Activation::Once => true,
            Activation::Never => false,
            Activation::Triggered(stimulus) => {
                let mut tasks = model.tasks.iter().zip(&released);
                tasks.any(|(task, &released)| released && triggers(task, stimulus))
            }
        };
        let next: Vec<bool> = model.tasks.iter().map(|task| is(task.activation)).collect();
        if next == released {
            return released;
        }
        released = next;
    }
}

/// The job of a task, or why its time is not known.
fn job(model: &Model, costs: &[Costs<'_>], number: usize) -> Result<Job, String> {
    let task = &model.tasks[number];
    if task.units.is_empty() {
        return Err("it is allocated to no processing unit".to_owned());
    }
    let (mut parts, mut runs) = (Vec::new(), Vec::new());
    let mut execution: Range<Ps> = Range::default();
    let mut some: Ps = 0;
    for (at, step) in task.steps.iter().enumerate() {
        match step {
            Step::Run(name, work) => {
                let on = |&unit: &usize| {
                    costs[unit].times(work).map_err(|at| {
                        let definition = &model.units[unit].definition;
                        format!("{name} has no ticks for {definition} (line {})", model.lines.of(at))
                    })
                };
                let times = task.units.iter().map(on).collect::<Result<Vec<Times>, String>>()?;
                let times = times.into_iter().reduce(Times::or).unwrap_or_default().stretched(task.stretch);
                let total = times.total();
                execution = Range {
                    lower: execution.lower.saturating_add(total.lower),
                    upper: execution.upper.saturating_add(total.upper),
                };
                some = some.saturating_add(times.some);
                parts.push(Part::Run(times));
                runs.push((name.clone(), times));
            }
            Step::Trigger { stimulus, is_certain } => {
                parts.push(Part::Trigger { stimulus: *stimulus, is_certain: *is_certain });
            }
            Step::Wait { events, is_active } => {
                let cleared = |event| {
                    task.steps[at..]
                        .iter()
                        .any(|step| matches!(step, Step::Clear(all) if all.contains(event)))
                };
                let (setters, is_own) = setters(model, number, at, events);
                parts.push(Part::Wait(Wait {
                    setters,
                    is_own,
                    is_cleared: events.iter().all(cleared),
                    is_active: *is_active,
                    events: events.clone(),
                }));
            }
            Step::Set { .. } | Step::Clear(_) => {}
        }
    }
    let ends_with_work = matches!((task.steps.last(), parts.last()),
        (Some(Step::Run(..)), Some(Part::Run(times))) if times.total().upper > 0);
    let ending = if ends_with_work { Ending::Work } else { Ending::Moment };
    Ok(Job { parts, ending, runs, execution, some })
}

/// The tasks that a task triggers before a step that waits for events and that set these for it, where it clears none in
/// between: then it finds each event when it is set, or waits for it. And whether each is set once, and by nothing else.
fn setters(model: &Model, task: usize, wait: usize, events: &[String]) -> (Result<Vec<usize>, String>, bool) {
    let steps = &model.tasks[task].steps[..wait];
    let (mut found, mut is_own) = (Vec::new(), true);
    for event in events {
        let sets = |step: &&Step| {
            matches!(step, Step::Set { events, waiting }
                if events.contains(event) && waiting.is_none_or(|waiting| waiting == task))
        };
        let times = |setter: usize| model.tasks[setter].steps.iter().filter(sets).count();
        let all: Vec<usize> = (0..model.tasks.len()).filter(|&setter| times(setter) > 0).collect();
        let since = steps.iter().rposition(|step| matches!(step, Step::Clear(all) if all.contains(event)));
        let triggers = |steps: &[Step], setter: usize| match model.tasks[setter].activation {
            Activation::Triggered(stimulus) => steps.contains(&Step::Trigger { stimulus, is_certain: true }),
            _ => false,
        };
        let own = |steps: &[Step]| -> Vec<usize> {
            all.iter().copied().filter(|&setter| triggers(steps, setter)).collect()
        };
        let ours = own(&steps[since.unwrap_or(0)..]);
        if ours.is_empty() {
            return (
                Err(if own(steps).is_empty() {
                    format!("it waits for {event}, which no task sets for it that it triggers before")
                } else {
                    format!("it clears {event} after it triggers what sets it and before it waits for it")
                }),
                false,
            );
        }
        is_own &= all.len() == 1 && times(all[0]) == 1;
        found.extend(ours);
    }
    (Ok(found), is_own)
}
