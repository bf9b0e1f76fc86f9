//! The scheduling rules of the GPU, simulated block by block in time: G1 to G4, X1, R1 to R3, C1 to C4, A1 and A2 of T.
//! Amert, N. Otterness, M. Yang, J. H. Anderson, F. D. Smith, *GPU Scheduling on the NVIDIA TX2: Hidden Details
//! Revealed*, RTSS 2017, as Pa19 section 2.3 gives them.
//!
//! A launch of a kernel is up to three operations of its stream, one after the other: a copy in, the kernel,
//! and a copy out. A block takes its kernel's execution time, whatever else is on its multiprocessor.
//!
//! The rules leave two things open, which are decided here. Events of the same time happen in the order
//! completions, launches (in the order of their releases, then of the file), placements. A block goes to the
//! multiprocessor that has room for the most further blocks of its kernel, and to the first of several such.
//! Nothing that is called proved depends on completions being first.
//!
//! The blocks of a kernel that are placed on a multiprocessor at the same time are one batch. While only
//! batches of one kernel end, rounds are skipped as in [`Algorithm2`](crate::Algorithm2).
//!
//! Not covered are kernels of several processes, which share the GPU in time slices; the NULL stream; and
//! preemption of the blocks of a less urgent kernel, which the hardware does not have.

mod multiprocessors;
mod rounds;

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use crate::jobs::{Job, Releases};
use crate::{Event, Occupation, System};
use multiprocessors::Multiprocessors;
use warpspan_model::time::Duration;

/// A batch that runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Batch {
    end: Duration,
    multiprocessor: usize,
    launch: usize,
    blocks: u64,
}

/// The operation of a launch that is next or runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    CopyIn,
    Kernel,
    CopyOut,
}

/// A launch that is not complete.
#[derive(Debug, Clone, Copy)]
struct Launch {
    job: Job,
    stage: Stage,
    /// The number of blocks that are not placed.
    left: u64,
    /// The number of blocks that run.
    running: u64,
}

/// The state of the GPU.
#[derive(Debug)]
pub(super) struct Rules<'a> {
    system: &'a System,
    executions: &'a [Duration],
    releases: Releases<'a>,
    now: Duration,
    /// The time up to which the run goes; events at this time or later are not simulated yet.
    end: Duration,
    /// Launches by number; the numbers of complete launches are used again.
    launches: Vec<Launch>,
    spare: Vec<usize>,
    /// The queue of each stream (G1).
    streams: Vec<VecDeque<usize>>,
    /// The queue of each priority (A1), the most urgent first.
    execution_queues: Vec<VecDeque<usize>>,
    /// The queue of each stream, an index of `execution_queues`.
    queue_of: Vec<usize>,
    copy_queue: VecDeque<usize>,
    /// The launch whose copy the copy engine makes, and the end of that copy.
    copying: Option<(Duration, usize)>,
    batches: BinaryHeap<Reverse<Batch>>,
    multiprocessors: Multiprocessors,
    /// Launches whose next operation came to the head of its stream at this time.
    heads: Vec<usize>,
}

impl<'a> Rules<'a> {
    /// An idle GPU; `executions` are C of each kernel, which is above zero.
    pub(super) fn new(system: &'a System, executions: &'a [Duration]) -> Self {
        let mut priorities: Vec<i64> = system.streams().iter().map(|stream| stream.priority).collect();
        priorities.sort_unstable_by_key(|&priority| Reverse(priority));
        priorities.dedup();
        let queue = |priority: i64| priorities.iter().position(|&other| other == priority).unwrap_or(0);
        Self {
            system,
            executions,
            releases: Releases::new(system),
            now: Duration(0),
            end: Duration(0),
            launches: Vec::new(),
            spare: Vec::new(),
            streams: vec![VecDeque::new(); system.streams().len()],
            execution_queues: vec![VecDeque::new(); priorities.len()],
            queue_of: system.streams().iter().map(|stream| queue(stream.priority)).collect(),
            copy_queue: VecDeque::new(),
            copying: None,
            batches: BinaryHeap::new(),
            multiprocessors: Multiprocessors::new(system.gpu()),
            heads: Vec::new(),
        }
    }

    /// Simulates all events before `end`, or until `observer` says that it has seen enough.
    pub(crate) fn run(&mut self, end: Duration, observer: &mut dyn FnMut(Event) -> bool) {
        self.end = end;
        while let Some(time) = self.next_time().filter(|&time| time < end) {
            self.now = time;
            let mut go_on = self.complete(observer);
            while let Some(job) = self.releases.before(Duration(time.0 + 1)) {
                self.launch(job); // G1
                go_on &= observer(Event::Released(job));
            }
            self.enqueue(observer);
            self.copy();
            go_on &= self.place(observer);
            if !go_on {
                return;
            }
        }
    }

    /// The time of the next event.
    fn next_time(&self) -> Option<Duration> {
        let batch = self.batches.peek().map(|Reverse(batch)| batch.end);
        let copy = self.copying.map(|(end, _)| end);
        [self.releases.peek(), batch, copy].into_iter().flatten().min()
    }

    /// Ends the blocks (G4) and copies (C4) whose time has come.
    fn complete(&mut self, observer: &mut dyn FnMut(Event) -> bool) -> bool {
        let mut go_on = true;
        while let Some(&Reverse(batch)) = self.batches.peek().filter(|Reverse(batch)| batch.end == self.now) {
            self.batches.pop();
            let launch = &mut self.launches[batch.launch];
            launch.running -= batch.blocks;
            let block = &self.system.tasks()[launch.job.task].block;
            self.multiprocessors.change(batch.multiprocessor, block, batch.blocks, false);
            if launch.left == 0 && launch.running == 0 {
                go_on &= self.next_stage(batch.launch, observer); // G4
            }
        }
        if let Some((_, launch)) = self.copying.take_if(|(end, _)| *end == self.now) {
            go_on &= self.next_stage(launch, observer); // C4
        }
        go_on
    }

    fn launch(&mut self, job: Job) {
        let task = &self.system.tasks()[job.task];
        let stage = if task.copy_in > Duration(0) { Stage::CopyIn } else { Stage::Kernel };
        let launch = Launch { job, stage, left: task.blocks, running: 0 };
        let number = match self.spare.pop() {
            Some(number) => {
                self.launches[number] = launch;
                number
            }
            None => {
                self.launches.push(launch);
                self.launches.len() - 1
            }
        };
        let stream = &mut self.streams[task.stream];
        stream.push_back(number);
        if stream.len() == 1 {
            self.heads.push(number);
        }
    }

    /// Moves on after the operation at the head of a stream is complete: the next one comes to the head.
    fn next_stage(&mut self, number: usize, observer: &mut dyn FnMut(Event) -> bool) -> bool {
        let launch = &mut self.launches[number];
        let task = &self.system.tasks()[launch.job.task];
        match launch.stage {
            Stage::CopyIn => launch.stage = Stage::Kernel,
            Stage::Kernel if task.copy_out > Duration(0) => launch.stage = Stage::CopyOut,
            Stage::Kernel | Stage::CopyOut => {
                let stream = &mut self.streams[task.stream];
                stream.pop_front();
                self.heads.extend(stream.front());
                self.spare.push(number);
                return observer(Event::Completed(launch.job, self.now));
            }
        }
        self.heads.push(number);
        true
    }

    /// Puts the operations that came to the head of their streams into the queues of their engines (G2, A1,
    /// C1), in the order of launch.
    fn enqueue(&mut self, observer: &mut dyn FnMut(Event) -> bool) {
        let mut heads = std::mem::take(&mut self.heads);
        heads.sort_unstable_by_key(|&number| self.launches[number].job);
        for number in heads.drain(..) {
            let Launch { job, stage, .. } = self.launches[number];
            if stage == Stage::Kernel {
                let queue = self.queue_of[self.system.tasks()[job.task].stream];
                self.execution_queues[queue].push_back(number);
                observer(Event::Queued(job, self.now));
            } else {
                self.copy_queue.push_back(number);
            }
        }
        self.heads = heads;
    }

    /// Starts the copy at the head of the queue on the copy engine (C2), and takes it out of the queue (C3).
    fn copy(&mut self) {
        if self.copying.is_some() {
            return;
        }
        let Some(number) = self.copy_queue.pop_front() else { return };
        let Launch { job, stage, .. } = self.launches[number];
        let task = &self.system.tasks()[job.task];
        let length = if stage == Stage::CopyIn { task.copy_in } else { task.copy_out };
        self.copying = Some((self.now + length, number));
    }

    /// Places blocks of the kernel at the head of the most urgent queue that is not empty (X1, A2) while
    /// there is room (R1 to R3). Once all its blocks are placed, the kernel leaves the queue (G3).
    fn place(&mut self, observer: &mut dyn FnMut(Event) -> bool) -> bool {
        let mut go_on = true;
        while let Some(queue) = self.execution_queues.iter().position(|queue| !queue.is_empty()) {
            let Some(&number) = self.execution_queues[queue].front() else { break };
            let launch = &mut self.launches[number];
            let (job, execution) = (launch.job, self.executions[launch.job.task]);
            let block = &self.system.tasks()[job.task].block;
            for (multiprocessor, blocks) in self.multiprocessors.place(block, launch.left) {
                launch.left -= blocks;
                launch.running += blocks;
                let end = self.now + execution;
                self.batches.push(Reverse(Batch { end, multiprocessor, launch: number, blocks }));
                let placed = Occupation { start: self.now, job, multiprocessor, blocks, rounds: 1 };
                go_on &= observer(Event::Placed(placed));
            }
            if launch.left > 0 {
                go_on &= self.skip_rounds(number, observer);
                break;
            }
            self.execution_queues[queue].pop_front(); // G3
        }
        go_on
    }
}
