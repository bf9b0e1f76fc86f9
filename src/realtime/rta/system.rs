//! The GPU and the kernels that run on it again and again.

use thiserror::Error;

use crate::model::Code;
use crate::model::Multiprocessor;
use crate::model::device::{Gpu, Resources, WARP};
use crate::model::time::{Duration, TimeUnit};

/// Where the execution time of a block comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// The time is given, for instance by a measurement.
    Given(Duration),
    /// The time is the upper bound on the makespan of the warps that run this string or program.
    Code(Code),
    /// The time is that of code which was read from a listing.
    Listing(Code),
}

/// A kernel that is launched again and again: tau of Pa19 Eq. 3.2.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// Its name.
    pub name: String,
    /// T, the time between two releases; `None` for a kernel that is launched once.
    pub period: Option<Duration>,
    /// The time from the release by which the launch must be complete.
    pub deadline: Option<Duration>,
    /// r, the time of the first release.
    pub release: Duration,
    /// C, the time that a block takes.
    pub execution: Source,
    /// g, the blocks of its grid, 1 or more.
    pub blocks: u64,
    /// b, the threads of a block, 1 or more.
    pub threads: u64,
    /// The resources of a multiprocessor that a block takes.
    pub block: Resources,
    /// Its stream, an index of [`System::streams`].
    pub stream: usize,
    /// The time on the copy engine before the kernel; zero where nothing is copied.
    pub copy_in: Duration,
    /// The time on the copy engine after the kernel; zero where nothing is copied.
    pub copy_out: Duration,
}

/// A stream: launches in it run in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stream {
    /// Its name.
    pub name: String,
    /// Its priority; a larger number is more urgent.
    pub priority: i64,
}

/// Kernels on a GPU, in launch order. [`System::new`] has checked what the analyses rely on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct System {
    gpu: Gpu,
    unit: TimeUnit,
    multiprocessor: Multiprocessor,
    fastest: Multiprocessor,
    streams: Vec<Stream>,
    tasks: Vec<Task>,
    assumed: Vec<String>,
}

impl Task {
    /// The registers of a warp, as they are counted in [`Task::block`].
    pub(super) fn registers_of_a_warp(&self) -> u64 {
        self.block.registers / self.warps()
    }

    /// The warps of a block.
    pub(super) fn warps(&self) -> u64 {
        (self.block.threads / WARP).max(1)
    }
}

impl System {
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

/// Why kernels cannot be analysed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SystemError {
    /// There is no kernel.
    #[error("no kernel is given: want a [[kernel]] table")]
    Empty,
    /// The GPU has none of something that it needs in order to run kernels.
    #[error("the GPU has no {0}: want 1 or more")]
    Gpu(&'static str),
    /// A figure of a kernel is zero that must not be zero.
    #[error("kernel {name}: {what} = 0: want more than 0")]
    Zero {
        /// The kernel.
        name: String,
        /// Its position in the file, from 0.
        task: usize,
        /// The figure that is zero.
        what: &'static str,
    },
    /// A time of a kernel exceeds [`Duration::MAX`].
    #[error("kernel {name}: a time of more than 2^62 grains: want a coarser unit")]
    TooLong {
        /// The kernel.
        name: String,
        /// Its position in the file, from 0.
        task: usize,
    },
    /// A kernel names a stream that does not exist.
    #[error("kernel {name}: there is no stream {stream}, counted from 0")]
    Stream {
        /// The kernel.
        name: String,
        /// Its position in the file, from 0.
        task: usize,
        /// The stream that it names.
        stream: usize,
    },
    /// A block does not fit on any multiprocessor.
    #[error(
        "kernel {name}: a block needs {need} {what}, a multiprocessor has {available}: want smaller blocks"
    )]
    TooLarge {
        /// The kernel.
        name: String,
        /// Its position in the file, from 0.
        task: usize,
        /// The resource that is missing.
        what: &'static str,
        /// How much a block needs.
        need: u64,
        /// How much a multiprocessor has.
        available: u64,
    },
}

impl SystemError {
    /// The position of the kernel that is to blame, from 0.
    pub fn task(&self) -> Option<usize> {
        match *self {
            Self::Empty | Self::Gpu(_) => None,
            Self::Zero { task, .. }
            | Self::TooLong { task, .. }
            | Self::Stream { task, .. }
            | Self::TooLarge { task, .. } => Some(task),
        }
    }
}

impl System {
    /// A system of these kernels on this GPU, with times in grains of this unit. Kernels given as code run on
    /// multiprocessors of the default throughput unless [`System::with_throughput`] gives another one.
    ///
    /// # Errors
    /// If there is no kernel; if a kernel has no blocks, no threads, or a time that is zero or too long where
    /// it must not be; if it names a stream that does not exist; or if its block does not fit on an empty
    /// multiprocessor.
    pub fn new(
        gpu: Gpu,
        unit: TimeUnit,
        streams: Vec<Stream>,
        tasks: Vec<Task>,
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
            task.check(number, &gpu, streams.len())?;
        }
        let multiprocessor = Multiprocessor::default();
        let assumed = Vec::new();
        Ok(Self { gpu, unit, multiprocessor, fastest: multiprocessor, streams, tasks, assumed })
    }

    /// The same system on multiprocessors of this throughput. Where its sources leave units open, they have
    /// at most the throughput of `fastest`.
    #[must_use]
    pub fn with_throughput(self, multiprocessor: Multiprocessor, fastest: Multiprocessor) -> Self {
        Self { multiprocessor, fastest, ..self }
    }

    /// The same system, with sentences that say which figures of the GPU are assumed without a source.
    #[must_use]
    pub fn assuming(self, assumed: Vec<String>) -> Self {
        Self { assumed, ..self }
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

    /// The streams.
    pub fn streams(&self) -> &[Stream] {
        &self.streams
    }

    /// The kernels, one or more.
    pub fn tasks(&self) -> &[Task] {
        &self.tasks
    }

    /// What is taken for granted of the GPU without a source, a sentence each.
    pub fn assumed(&self) -> &[String] {
        &self.assumed
    }
}

impl Task {
    /// Whether the kernel, of this number in its file, can be analysed on this GPU with so many streams.
    fn check(&self, task: usize, gpu: &Gpu, streams: usize) -> Result<(), SystemError> {
        let name = || self.name.clone();
        let given = match self.execution {
            Source::Given(time) => Some(time),
            Source::Code(_) | Source::Listing(_) => None,
        };
        let zero = |time: Option<Duration>| time == Some(Duration::ZERO);
        let wanted = [
            (self.blocks == 0, "blocks"),
            (self.threads == 0 || self.block.threads == 0, "threads_per_block"),
            (zero(self.period), "period"),
            (zero(given), "execution"),
        ];
        if let Some((_, what)) = wanted.into_iter().find(|(is_zero, _)| *is_zero) {
            return Err(SystemError::Zero { name: name(), task, what });
        }
        let times =
            [Some(self.release), self.period, self.deadline, given, Some(self.copy_in), Some(self.copy_out)];
        if times.into_iter().flatten().any(|time| time > Duration::MAX) {
            return Err(SystemError::TooLong { name: name(), task });
        }
        if self.stream >= streams {
            return Err(SystemError::Stream { name: name(), task, stream: self.stream });
        }
        let names = ["threads in whole warps", "bytes of shared memory", "registers", "block slots"];
        let each = self.block.each().into_iter().zip(gpu.resources.each()).zip(names);
        for ((need, available), what) in each {
            if need > available {
                return Err(SystemError::TooLarge { name: name(), task, what, need, available });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task() -> Task {
        Task {
            name: "K1".to_owned(),
            period: Some(Duration(9)),
            deadline: None,
            release: Duration(0),
            execution: Source::Given(Duration(1)),
            blocks: 1,
            threads: 32,
            block: Resources { threads: 32, shared_memory: 0, registers: 0, blocks: 1 },
            stream: 0,
            copy_in: Duration(0),
            copy_out: Duration(0),
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
