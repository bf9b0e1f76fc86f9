//! Algorithm 2 as an engine that processes launches in time.

use crate::jobs::Releases;
use crate::run::Engine;
use crate::{Algorithm2, Event, Request, System, big_multiprocessor};
use warpspan_model::time::Duration;

/// Algorithm 2, fed with launches.
pub(crate) struct Fifo<'a> {
    system: &'a System,
    executions: &'a [Duration],
    releases: Releases<'a>,
    gpu: Algorithm2,
    last_complete: Vec<Duration>,
    /// A kernel of which a launch came before the launch ahead of it in its stream was complete, or just as
    /// that one completed and ahead of other launches of the same release. In the latter case its order
    /// depends on whether the release or the completion comes first.
    pub(crate) overtaking: Option<usize>,
}

impl<'a> Fifo<'a> {
    pub(crate) fn new(system: &'a System, executions: &'a [Duration]) -> Self {
        Self {
            system,
            executions,
            releases: Releases::new(system),
            gpu: Algorithm2::new(big_multiprocessor(system)),
            last_complete: vec![Duration(0); system.streams().len()],
            overtaking: None,
        }
    }
}

impl Engine for Fifo<'_> {
    fn run(&mut self, end: Duration, observer: &mut dyn FnMut(Event) -> bool) {
        while let Some(job) = self.releases.before(end) {
            let task = &self.system.tasks()[job.task];
            let completion = self.gpu.launch(Request {
                release: job.release,
                execution: self.executions[job.task],
                blocks: task.blocks,
                threads: task.block.threads,
            });
            let last = &mut self.last_complete[task.stream];
            let at_once = *last == job.release && *last > Duration(0);
            if *last > job.release || (at_once && self.releases.peek() == Some(job.release)) {
                self.overtaking = Some(job.task);
            }
            *last = completion.max(*last);
            if !observer(Event::Completed(job, completion)) {
                return;
            }
        }
    }

    /// The state of the GPU, together with the streams whose last launch completes at that time or later:
    /// another launch may be released at the time of its completion.
    fn seen_from(&self, time: Duration) -> Vec<u64> {
        let since = |last: &Duration| if last.0 == 0 { 0 } else { (last.0 + 1).saturating_sub(time.0) };
        let complete = self.last_complete.iter().map(since);
        self.gpu.seen_from(time).into_iter().chain(complete).collect()
    }
}
