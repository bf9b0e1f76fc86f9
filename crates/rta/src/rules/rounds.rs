//! Skipping rounds of one kernel that need not be followed one by one, and the state in a form that can be
//! compared with another.

use std::cmp::Reverse;

use super::{Batch, Event, Launch, Occupation, Rules};
use warpspan_model::time::Duration;

impl Rules<'_> {
    /// Skips whole rounds of the kernel at the head, which has blocks left and no room for them.
    ///
    /// Where one of its batches ends, as many blocks take its place. So until something else happens, each
    /// batch ends again one execution time later.
    pub(super) fn skip_rounds(&mut self, number: usize, observer: &mut dyn FnMut(Event) -> bool) -> bool {
        let Launch { job, left, running, .. } = self.launches[number];
        let execution = self.executions[job.task];
        if running == 0 || left / 4 <= running {
            return true;
        }
        let others = self.batches.iter().filter(|Reverse(batch)| batch.launch != number);
        let other = others.map(|Reverse(batch)| batch.end).min();
        let copy = self.copying.map(|(end, _)| end);
        let other = [other, copy, self.releases.peek()].into_iter().flatten().fold(self.end, Duration::min);
        let rounds = (other.0 - 1).saturating_sub(self.now.0) / execution.0;
        let rounds = rounds.min((left - 1) / running);
        if rounds < 2 {
            return true;
        }
        let mut go_on = true;
        let shifted = self.batches.drain().collect::<Vec<_>>().into_iter().map(|Reverse(batch)| {
            let Batch { end, multiprocessor, launch, blocks } = batch;
            if launch != number {
                return Reverse(batch);
            }
            go_on &= observer(Event::Placed(Occupation { start: end, job, multiprocessor, blocks, rounds }));
            Reverse(Batch { end: end + execution * rounds, ..batch })
        });
        self.batches = shifted.collect();
        self.launches[number].left -= running * rounds;
        self.now = self.now + execution * rounds;
        go_on
    }

    /// The state relative to `time`, before the events of that time: the launches in each queue in their order, and how
    /// much later each running one ends.
    pub(crate) fn seen_from(&self, time: Duration) -> Vec<u64> {
        const NEXT: u64 = u64::MAX;
        let wide = |index: usize| index as u64;
        let task = |&number: &usize| wide(self.launches[number].job.task);
        let after = |end: Duration| (end - time).0;
        let mut state = Vec::new();
        for stream in &self.streams {
            state.extend(stream.iter().map(task));
            if let Some(&number) = stream.front() {
                let Launch { stage, left, running, .. } = self.launches[number];
                state.extend([wide(stage as usize), left, running]);
            }
            state.push(NEXT);
        }
        for queue in self.execution_queues.iter().chain([&self.copy_queue]) {
            state.extend(queue.iter().map(task));
            state.push(NEXT);
        }
        state.extend(self.copying.iter().flat_map(|(end, number)| [after(*end), task(number)]));
        let mut batches: Vec<[u64; 4]> = self
            .batches
            .iter()
            .map(|Reverse(batch)| {
                [after(batch.end), wide(batch.multiprocessor), task(&batch.launch), batch.blocks]
            })
            .collect();
        batches.sort_unstable();
        state.push(NEXT);
        // Batches that end together on a multiprocessor may have been placed together or apart; the state is
        // the same.
        for same in batches.chunk_by(|a, b| a[..3] == b[..3]) {
            state.extend(&same[0][..3]);
            state.push(same.iter().map(|batch| batch[3]).sum());
        }
        state
    }
}
