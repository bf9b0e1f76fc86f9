//! The GPU and the kernels that run on it again and again.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::{Measured, Source, Stream, SystemError, Task};
use warpspan_engines::latency::overhang;
use warpspan_kernel::input::Ground;
use warpspan_model::Multiprocessor;
use warpspan_model::assumption::Rests;
use warpspan_model::device::{Capability, Gpu, Resources, WARP};
use warpspan_model::machine::Machine;
use warpspan_model::time::{Duration, TimeUnit};

/// Kernels on a GPU, in launch order. [`System::new`] has checked what the analyses rely on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct System {
    gpu: Gpu,
    unit: TimeUnit,
    multiprocessor: Multiprocessor,
    fastest: Multiprocessor,
    machine: Option<Arc<Machine>>,
    streams: Vec<Stream>,
    tasks: Vec<Task>,
    rests: Rests,
    mends: Vec<String>,
    capability: Option<Capability>,
    ground: Ground,
    spread: bool,
}

impl System {
    /// A system of these kernels on this GPU, with times in grains of this unit. Kernels given as code run on
    /// multiprocessors of the default throughput unless [`System::with_throughput`] gives another one.
    ///
    /// # Errors
    /// If there is no kernel; if a kernel has no blocks, no threads, or a time that is zero or too long where
    /// it must not be; if it names a stream that does not exist; or if its block does not fit on an empty
    /// multiprocessor; or if its code is for a machine.
    pub fn new(
        gpu: Gpu,
        unit: TimeUnit,
        streams: Vec<Stream>,
        tasks: Vec<Task>,
    ) -> Result<Self, SystemError> {
        Self::with_or_without(gpu, unit, streams, tasks, None)
    }

    /// A system whose multiprocessors are this machine. All its kernels that are given as code run code over
    /// the letters of the machine.
    ///
    /// # Errors
    /// As [`System::new`], and if code of a kernel is not for a machine.
    pub fn on_machine(
        gpu: Gpu,
        unit: TimeUnit,
        streams: Vec<Stream>,
        tasks: Vec<Task>,
        machine: Arc<Machine>,
    ) -> Result<Self, SystemError> {
        Self::with_or_without(gpu, unit, streams, tasks, Some(machine))
    }

    fn with_or_without(
        gpu: Gpu,
        unit: TimeUnit,
        streams: Vec<Stream>,
        tasks: Vec<Task>,
        machine: Option<Arc<Machine>>,
    ) -> Result<Self, SystemError> {
        if tasks.is_empty() {
            return Err(SystemError::Empty);
        }
        let parts =
            [(gpu.multiprocessors, "multiprocessors"), (gpu.register_parts, "parts that registers lie in")];
        if let Some((_, what)) = parts.into_iter().find(|(count, _)| *count == 0) {
            return Err(SystemError::Gpu(what));
        }
        for (number, task) in tasks.iter().enumerate() {
            task.check(number, &gpu, machine.as_deref(), streams.len())?;
        }
        let multiprocessor = Multiprocessor::default();
        let (rests, mends) = (Rests::default(), Vec::new());
        let fastest = multiprocessor;
        let (capability, ground, spread) = (None, Ground::default(), false);
        Ok(Self {
            gpu,
            unit,
            multiprocessor,
            fastest,
            machine,
            streams,
            tasks,
            rests,
            mends,
            capability,
            ground,
            spread,
        })
    }

    /// The same system on multiprocessors of this throughput. Where its sources leave units open, they have
    /// at most the throughput of `fastest`.
    #[must_use]
    pub fn with_throughput(self, multiprocessor: Multiprocessor, fastest: Multiprocessor) -> Self {
        Self { multiprocessor, fastest, ..self }
    }

    /// The same system, with what numbers of its file rest on besides.
    #[must_use]
    pub(crate) fn resting_on(mut self, rests: Rests) -> Self {
        self.rests.add(rests);
        self
    }

    /// The same system, with what a file would gain if it said more of its blocks, a sentence each.
    #[must_use]
    pub(crate) fn mended_by(self, mends: Vec<String>) -> Self {
        Self { mends, ..self }
    }

    /// What a file would gain if it said more of its blocks, a sentence each.
    pub fn mends(&self) -> &[String] {
        &self.mends
    }

    /// The same system, whose bounds count on schedulers that get no more than their share of the warps of a block, where its
    /// machine is assumed to have such.
    #[must_use]
    pub fn counting_on_spread(self) -> Self {
        let spread = self.machine.as_ref().is_some_and(|machine| machine.spreads());
        Self { spread, ..self }
    }

    /// Whether its bounds count on schedulers that get no more than their share of the warps of a block.
    pub fn counts_on_spread(&self) -> bool {
        self.spread
    }

    /// The same system, with what is known of its memory besides the numbers of its machine.
    #[must_use]
    pub fn on_ground(self, ground: Ground) -> Self {
        Self { ground, ..self }
    }

    /// What is known of its memory besides the numbers of its machine.
    pub fn ground(&self) -> &Ground {
        &self.ground
    }

    /// The same system on a GPU of this compute capability, if it is known.
    #[must_use]
    pub(super) fn of_capability(self, capability: Option<Capability>) -> Self {
        Self { capability, ..self }
    }

    /// The streams that kernels are launched into, and the kernels that the GPU runs at once, where these are known
    /// and fewer. Then a kernel may have to wait although there is room for its blocks, for which no bound accounts.
    pub fn more_streams_than_run(&self) -> Option<(usize, u64)> {
        let most = self.capability?.resident_kernels;
        let streams: BTreeSet<usize> = self.tasks.iter().map(|task| task.stream).collect();
        (streams.len() as u64 > most).then_some((streams.len(), most))
    }

    /// The compute capability of the GPU, if a file has named it.
    pub fn capability(&self) -> Option<Capability> {
        self.capability
    }

    /// The same system with one kernel more, the last in launch order, in a stream of its own. The machine has
    /// the letters of all kernels.
    ///
    /// # Errors
    /// If the kernel can not be analysed there.
    #[doc(hidden)]
    pub fn with_kernel(
        mut self,
        task: Task,
        stream: Stream,
        machine: Arc<Machine>,
    ) -> Result<Self, SystemError> {
        self.streams.push(stream);
        self.machine = Some(machine);
        task.check(self.tasks.len(), &self.gpu, self.machine.as_deref(), self.streams.len())?;
        self.tasks.push(task);
        Ok(self)
    }

    /// So many launches of each kernel on the same GPU and in the same streams, each of which may come at any time. They stand in
    /// the order of the kernels.
    pub(crate) fn launched(&self, launches: &[u64]) -> Self {
        let once = |task: &Task| Task {
            period: None,
            sporadic: false,
            jitter: Duration::ZERO,
            deadline: None,
            release: Duration::ZERO,
            fixed: false,
            ..task.clone()
        };
        let of = |(task, &number): (&Task, &u64)| (0..number).map(|_| once(task)).collect::<Vec<_>>();
        let tasks = self.tasks.iter().zip(launches).flat_map(of).collect();
        Self { tasks, ..self.clone() }
    }

    /// The same system with arrivals that may be further apart than a period, at any times.
    pub(super) fn with_any_arrivals(&self) -> Self {
        let mut system = self.clone();
        system.tasks.iter_mut().for_each(|task| task.sporadic = true);
        system
    }

    /// These kernels and streams on the same GPU, with times in seconds. The unit of this system must be one of
    /// time.
    ///
    /// # Errors
    /// As [`System::new`].
    pub(super) fn with_launches(&self, streams: Vec<Stream>, tasks: Vec<Task>) -> Result<Self, SystemError> {
        if tasks.is_empty() {
            return Err(SystemError::Empty);
        }
        for (number, task) in tasks.iter().enumerate() {
            task.check(number, &self.gpu, self.machine.as_deref(), streams.len())?;
        }
        Ok(Self { unit: TimeUnit::Seconds, streams, tasks, ..self.clone() })
    }

    /// These kernels and streams on so many of the multiprocessors. A kernel and a stream each have been checked.
    pub(crate) fn of_nodes(&self, multiprocessors: u64, streams: Vec<Stream>, tasks: Vec<Task>) -> Self {
        Self { gpu: Gpu { multiprocessors, ..self.gpu }, streams, tasks, ..self.clone() }
    }

    /// The GPU.
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// The unit of all times.
    pub fn unit(&self) -> TimeUnit {
        self.unit
    }

    /// Throughput of a multiprocessor, for kernels given as code.
    pub fn multiprocessor(&self) -> Multiprocessor {
        self.multiprocessor
    }

    /// The throughput of the most units that its sources leave open. No kernel string takes less time than on
    /// it.
    pub fn fastest(&self) -> Multiprocessor {
        self.fastest
    }

    /// The machine that each multiprocessor is, if it is not that of [`warpspan_model`].
    pub fn machine(&self) -> Option<&Arc<Machine>> {
        self.machine.as_ref()
    }

    /// The most cycles for which a letter may still hold its unit after its block has ended: of the letters of
    /// all kernels, or of any letter of the machine if a kernel is measured, since nobody knows what it issues.
    pub(super) fn overhang(&self) -> u64 {
        let Some(machine) = &self.machine else { return 0 };
        let of = |task: &Task| match &task.execution {
            Source::OnMachine(code) => overhang(machine, Some(code)),
            Source::Given(_) | Source::Code(_) | Source::Listing(_) => overhang(machine, None),
        };
        self.tasks.iter().map(of).max().unwrap_or(0)
    }

    /// The streams.
    pub fn streams(&self) -> &[Stream] {
        &self.streams
    }

    /// The kernels, one or more.
    pub fn tasks(&self) -> &[Task] {
        &self.tasks
    }

    /// What numbers of its file rest on: of the GPU, of the code, and of the machine.
    pub fn rests(&self) -> &Rests {
        &self.rests
    }

    /// A kernel whose C was measured alone, and one of which a block may be on the same multiprocessor as a block of
    /// the former; `None` if there is no such pair. A stream is in order, so launches of one stream never co-run.
    pub fn alone_in_company(&self) -> Option<(usize, usize)> {
        let alone =
            |task: &Task| task.measured == Measured::Alone && matches!(task.execution, Source::Given(_));
        let alone = self.tasks.iter().enumerate().filter(|(_, task)| alone(task));
        // Registers that are rounded up may seem to leave too little room.
        let room = |task: &Task| {
            let mut room = self.gpu.resources;
            room.change(&task.least, 1, true);
            if self.registers_add_up() { room } else { Resources { registers: u64::MAX, ..room } }
        };
        alone.into_iter().find_map(|(kernel, task)| {
            let room = room(task);
            let meets = |(other, beside): (usize, &Task)| {
                let at_once = if other == kernel { task.blocks > 1 } else { beside.stream != task.stream };
                (at_once && room.fits(&beside.least) > 0).then_some((kernel, other))
            };
            self.tasks.iter().enumerate().find_map(meets)
        })
    }

    /// Whether what a block takes of a multiprocessor is known of all kernels.
    pub(super) fn needs_are_known(&self) -> bool {
        self.tasks.iter().all(|task| task.block == task.least)
    }

    /// The same system, where what is left open of a block's needs counts nothing: estimates follow the threads alone then, as
    /// Pa19 does.
    pub(super) fn with_least_needs(&self) -> Self {
        let mut system = self.clone();
        system.tasks.iter_mut().for_each(|task| task.block = task.least);
        system
    }

    /// Whether a block finds room for its registers exactly where those of the resident blocks and its own
    /// add up to no more than there are. This can fail in two ways. Warps of different sizes may leave
    /// registers over in each part that are too few for another warp. And registers that are rounded up so
    /// that they add up may seem to leave too little room.
    pub(super) fn registers_add_up(&self) -> bool {
        let sizes: Vec<u64> =
            self.tasks.iter().map(Task::registers_of_a_warp).filter(|&size| size > 0).collect();
        let Some(&largest) = sizes.iter().max() else { return true };
        let (parts, room) = (self.gpu.register_parts, self.gpu.resources);
        // A part that holds so many of the largest warps holds as many of any warps, and then threads run out
        // before registers do.
        let held = parts.saturating_mul(room.registers / parts / largest);
        parts == 1 || sizes.iter().all(|&size| size == largest) || held >= room.threads / WARP
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task() -> Task {
        Task {
            name: "K1".to_owned(),
            period: Some(Duration(9)),
            sporadic: false,
            jitter: Duration(0),
            deadline: None,
            release: Duration(0),
            fixed: true,
            execution: Source::Given(Duration(1)),
            measured: Measured::BesideOthers,
            blocks: 1,
            threads: 32,
            block: Resources { threads: 32, shared_memory: 0, registers: 0, blocks: 1 },
            least: Resources { threads: 32, shared_memory: 0, registers: 0, blocks: 1 },
            stream: 0,
            copy_in: Duration(0),
            copy_out: Duration(0),
            traffic: Vec::new(),
        }
    }

    fn new(gpu: Gpu, tasks: Vec<Task>) -> Result<System, SystemError> {
        let streams = vec![Stream { name: String::new(), priority: 0 }];
        System::new(gpu, TimeUnit::Ticks, streams, tasks)
    }

    #[test]
    fn a_system_is_one_that_can_be_analysed() {
        assert!(new(Gpu::JETSON_TX2, vec![task()]).is_ok());
        assert_eq!(new(Gpu::JETSON_TX2, Vec::new()), Err(SystemError::Empty));
        let none = Gpu { multiprocessors: 0, ..Gpu::JETSON_TX2 };
        assert_eq!(new(none, vec![task()]), Err(SystemError::Gpu("multiprocessors")));
        let wide = Resources { threads: 4096, ..task().block };
        for (wrong, message) in [
            (Task { blocks: 0, ..task() }, "blocks = 0"),
            (Task { period: Some(Duration(0)), ..task() }, "period = 0"),
            (Task { execution: Source::Given(Duration(0)), ..task() }, "execution = 0"),
            (Task { copy_out: Duration(u64::MAX), ..task() }, "more than 2^62 grains"),
            (Task { stream: 1, ..task() }, "no stream 1"),
            (Task { block: wide, ..task() }, "needs 4096 threads in whole warps, a multiprocessor has 2048"),
        ] {
            let error = new(Gpu::JETSON_TX2, vec![task(), wrong]).unwrap_err();
            assert!(error.to_string().contains(message), "{error}");
            assert_eq!(error.task(), Some(1));
        }
    }
}
