//! The drawings of `simulate`: schedules of several policies, and bars of response times.

use std::path::Path;

use crate::Failure;
use crate::commands::simulate::job::Job;
use crate::output::Target;
use crate::schedules::{target, write_schedule};
#[cfg(feature = "figures")]
use warpspan_document::words::stem;
#[cfg(feature = "figures")]
use warpspan_figures::Responses;
use warpspan_solver::policy::Run;

/// Which files are asked for, opened.
pub(super) struct Drawings {
    schedule: Option<Target>,
    chart: Option<Target>,
    #[cfg(feature = "figures")]
    responses: Vec<Responses>,
}

impl Drawings {
    pub(super) fn open(
        schedule: Option<&Path>,
        chart: Option<&Path>,
        instances: usize,
    ) -> Result<Self, Failure> {
        Ok(Self {
            schedule: schedule.map(|path| target(path, instances)).transpose()?,
            chart: chart.map(|path| Target::with_ending(path, &["svg"])).transpose()?,
            #[cfg(feature = "figures")]
            responses: Vec::new(),
        })
    }

    /// Writes the schedule of a job, if it is asked for, and notes its response times.
    pub(super) fn add(&mut self, job: &Job, runs: &[Run]) -> Result<(), Failure> {
        #[cfg(feature = "figures")]
        self.responses.push(responses(job, runs));
        match (self.schedule.take(), runs, &job.instance) {
            (Some(file), [run], _) if job.on_machine => {
                write_schedule(file, &job.workload, &run.schedule(), &job.title)
            }
            (Some(file), [run], Some(instance)) => {
                let title = format!("{}, {}: {} cycles", job.title, run.policy, run.makespan());
                write_schedule(file, instance, &run.schedule(), &title)
            }
            #[cfg(feature = "figures")]
            (Some(file), runs, Some(instance)) => {
                let of = |run: &Run| (run.policy.name().to_owned(), run.schedule());
                let runs: Vec<_> = runs.iter().map(of).collect();
                let drawing = warpspan_figures::orders(instance, &runs, &job.scenario.launch, &job.title);
                file.write(|_, out| out.write_all(drawing.as_bytes()))
            }
            _ => Ok(()),
        }
    }

    /// Writes the bars of all jobs, if they are asked for.
    #[cfg_attr(not(feature = "figures"), expect(unused_variables, reason = "only drawings have a title"))]
    pub(super) fn finish(self, jobs: &[Job]) -> Result<(), Failure> {
        let Some(target) = self.chart else { return Ok(()) };
        #[cfg(feature = "figures")]
        {
            let scenario = jobs.first().map(|job| &job.scenario);
            let list = |values: &[u64]| values.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
            let title = scenario.map_or_else(String::new, |scenario| {
                format!(
                    "Simulated response times; launch {}, priority {}",
                    list(&scenario.launch),
                    list(&scenario.priority)
                )
            });
            let drawing = warpspan_figures::responses(&self.responses, &title);
            target.write(|_, out| out.write_all(drawing.as_bytes()))?;
        }
        #[cfg(not(feature = "figures"))]
        drop(target);
        Ok(())
    }
}

#[cfg(feature = "figures")]
fn responses(job: &Job, runs: &[Run]) -> Responses {
    let of = |run: &Run| {
        let times = run.completions.iter().zip(&job.scenario.launch);
        let times = times.map(|(completion, launch)| completion.0.saturating_sub(*launch)).collect();
        (run.policy.name().to_owned(), times)
    };
    let name = job.place.file.as_deref().map(stem);
    Responses { name: name.unwrap_or(&job.title).to_owned(), policies: runs.iter().map(of).collect() }
}
