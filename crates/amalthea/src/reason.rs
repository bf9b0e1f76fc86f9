//! Why a task is not proved to meet its deadline.

use crate::co_running::is_overloaded;
use crate::cost::Ps;
use crate::job::{Job, Jobs};
use crate::model::Activation;
use crate::response::{Bounds, coarse};
use warpspan_model::time::{Duration, TimeUnit};

/// The reason in a sentence without an end. It names the nearest cause; the reasons of other tasks lead on.
pub(super) fn reason(jobs: &Jobs<'_>, bounds: &Bounds, task: usize, late: bool) -> String {
    let model = jobs.model;
    let name = |task: usize| model.tasks[task].name.as_str();
    let ms = |time: Ps| {
        let time = u64::try_from(time).ok().map(Duration);
        time.map_or_else(|| "more than 2^62 ps".to_owned(), |time| TimeUnit::Milliseconds.write(time) + " ms")
    };
    let of = &model.tasks[task];
    let job = match &jobs.jobs[task] {
        Ok(job) => job,
        Err(reason) => return reason.clone(),
    };
    if let (true, Some(deadline), Some(alone)) = (late, of.deadline, jobs.alone(task)) {
        let deadline = ms(deadline.0.into());
        return format!(
            "a job that takes its upper ticks takes {} even alone, of {deadline} that it has",
            ms(alone.upper)
        );
    }
    if !jobs.is_released(task) {
        return "nothing releases it".to_owned();
    }
    if let Some(bound) = bounds.shown(model, task) {
        let deadline = of.deadline.map_or_else(String::new, |deadline| ms(deadline.0.into()));
        return format!("the bound of {} exceeds the deadline of {deadline}", ms(bound));
    }
    if jobs.steps_left.get() == 0 {
        return "the recurrences take too many steps to be solved".to_owned();
    }
    let waits = || job.waits().map(|wait| wait.setters.as_ref());
    if let Some(reason) = waits().find_map(Result::err) {
        return reason.clone();
    }
    if let Some(setter) = waits().flatten().flatten().find(|&&setter| bounds.window[setter].is_none()) {
        return format!("it waits for {}, which has no bound", name(*setter));
    }
    if let Activation::Triggered(stimulus) = of.activation {
        let places = jobs.origins.get(&stimulus).map_or(0, Vec::len);
        if places > 1 {
            return format!("it is triggered at {places} places, and only one is analysed");
        }
    }
    let group = |unit: usize| {
        let mut all: Vec<usize> = jobs.others(task, unit).chain([task]).collect();
        all.sort_unstable();
        all
    };
    for &unit in &of.units {
        let load = |&task: &usize| {
            let period =
                jobs.arrivals(task, &settled(bounds)).and_then(|arrivals| arrivals.period.map(coarse));
            Some((jobs.job(task)?.execution.upper, period))
        };
        let all = group(unit);
        if is_overloaded(all.iter().filter_map(load)) {
            let (names, unit) =
                (all.iter().map(|&task| name(task)).collect::<Vec<_>>(), &model.units[unit].name);
            return format!("{} may together ask for more than all of {unit}", names.join(", "));
        }
    }
    let waits_for_it =
        |job: &Job| job.waits().any(|wait| wait.setters.iter().flatten().any(|&one| one == task));
    let origin = jobs.origin(task).map(|(origin, _)| origin);
    // Where the origin waits for the task, the cause is here and not there.
    let origin = origin.filter(|&origin| jobs.job(origin).is_none_or(|job| !waits_for_it(job)));
    if let Some(origin) = origin.filter(|&origin| bounds.window[origin].is_none()) {
        return format!("it is triggered by {}, which has no bound", name(origin));
    }
    for &unit in &of.units {
        let is_fixed = of.scheduler.is_some_and(|one| model.schedulers[one].is_fixed_priority());
        let may_delay = |other: &usize| {
            let other = &model.tasks[*other];
            !is_fixed
                || other.scheduler != of.scheduler
                || !other.is_less_urgent_than(of)
                || !other.is_preemptive
        };
        let others: Vec<usize> = jobs.others(task, unit).filter(may_delay).collect();
        if let Some(&other) = others.iter().find(|&&other| bounds.window[other].is_none()) {
            let unit = &model.units[unit].name;
            return format!("{}, which may delay it on {unit}, has no bound", name(other));
        }
        // Where it stays on its core and never suspends itself, its jobs may be late.
        let is_late = |&&other: &&usize| {
            let period = jobs.arrivals(other, bounds).and_then(|arrivals| arrivals.period);
            let response = bounds.response(other);
            let is_late = response.zip(period).is_some_and(|(time, period)| coarse(time) > coarse(period));
            is_late && !jobs.stays(other)
        };
        if let Some(&other) = others.iter().find(is_late) {
            let what =
                "suspends itself or may run elsewhere, may delay it, and may take longer than its period";
            return format!("{}, which {what}", name(other));
        }
    }
    if of.units.len() > 1 {
        return "a job may not be complete when the next one arrives".to_owned();
    }
    "its jobs may pile up without an end".to_owned()
}

/// The same bounds as if all releases had settled, to find periods alone.
fn settled(bounds: &Bounds) -> Bounds {
    let jitter = bounds.jitter.iter().map(|jitter| jitter.or(Some(0))).collect();
    Bounds { window: bounds.window.clone(), jitter }
}
