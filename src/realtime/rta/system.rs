//! The GPU and the kernels that run on it again and again.

use thiserror::Error;

use crate::model::Code;
use crate::model::Multiprocessor;
use crate::realtime::rta::{REGISTER_PARTS, Room, Time, Unit, WARP};

/// A GPU: equal multiprocessors and one copy engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gpu {
    /// How many multiprocessors, 1 or more.
    pub multiprocessors: u64,
    /// What each of them has.
    pub room: Room,
    /// Parts that the registers of a multiprocessor lie in, of one size. A warp takes all of its own from one of them. 1 where nothing
    /// is known of parts.
    pub register_parts: u64,
    /// Its clock, in hertz.
    pub clock: Option<u64>,
}

impl Gpu {
    /// The GPU of the NVIDIA Jetson TX2: two multiprocessors of compute capability 6.2 (Pa19 section 2.2).
    pub const JETSON_TX2: Self = Self {
        multiprocessors: 2,
        room: Room { threads: 2048, shared_memory: 64 << 10, registers: 65_536, blocks: 32 },
        register_parts: REGISTER_PARTS,
        clock: None,
    };
}

/// Where the execution time of a block comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// Given, as by a measurement.
    Given(Time),
    /// The upper bound on the makespan of the warps that run this string or program.
    Code(Code),
    /// The same, read from a listing.
    Listing(Code),
}

/// A kernel that is launched again and again: tau of Pa19 Eq. 3.2.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// Its name.
    pub name: String,
    /// T, between two releases; `None` for a kernel that is launched once.
    pub period: Option<Time>,
    /// From release to the time by which it must be complete.
    pub deadline: Option<Time>,
    /// r, the first release.
    pub release: Time,
    /// C, the time that a block takes.
    pub execution: Source,
    /// g, the blocks of its grid, 1 or more.
    pub blocks: u64,
    /// b, the threads of a block, 1 or more.
    pub threads: u64,
    /// What a block takes of a multiprocessor.
    pub block: Room,
    /// Its stream, an index of [`System::streams`].
    pub stream: usize,
    /// Time on the copy engine before the kernel; zero for none.
    pub copy_in: Time,
    /// Time on the copy engine after it; zero for none.
    pub copy_out: Time,
}

/// A stream: what is launched in it runs in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stream {
    /// Its name.
    pub name: String,
    /// A larger number is more urgent.
    pub priority: i64,
}

/// Kernels on a GPU, in launch order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct System {
    /// The GPU.
    pub gpu: Gpu,
    /// The unit of all times.
    pub unit: Unit,
    /// Throughput of a multiprocessor, for kernels given as strings.
    pub multiprocessor: Multiprocessor,
    /// That of the most units that its sources leave open. Less time than on it no kernel string takes.
    pub fastest: Multiprocessor,
    /// The streams.
    pub streams: Vec<Stream>,
    /// The kernels.
    pub tasks: Vec<Task>,
    /// What is taken for granted of the GPU without a source, a sentence each.
    pub assumed: Vec<String>,
}

impl Task {
    /// Registers of a warp, as they are counted in [`Task::block`].
    pub(super) fn registers_of_a_warp(&self) -> u64 {
        self.block.registers / self.warps()
    }

    /// Warps of a block.
    pub(super) fn warps(&self) -> u64 {
        (self.block.threads / WARP).max(1)
    }
}

impl System {
    /// Whether a block finds registers just where those of the resident blocks and its own add up to no more than there are. Warps of
    /// different sizes may leave registers in each part, too few for another warp; and rounded up so that they add up among
    /// themselves, they may seem to leave too few.
    pub(super) fn registers_add_up(&self) -> bool {
        let sizes: Vec<u64> =
            self.tasks.iter().map(Task::registers_of_a_warp).filter(|&size| size > 0).collect();
        let Some(&largest) = sizes.iter().max() else { return true };
        let (parts, room) = (self.gpu.register_parts, self.gpu.room);
        // A part that holds so many of the largest warps holds as many of any, and then threads run out before registers do.
        let held = parts.saturating_mul(room.registers / parts / largest);
        parts == 1 || sizes.iter().all(|&size| size == largest) || held >= room.threads / WARP
    }
}

/// Why kernels cannot be analysed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SystemError {
    /// Nothing to do.
    #[error("no kernel is given: want a [[kernel]] table")]
    Empty,
    /// A block that no multiprocessor can take.
    #[error("kernel {name}: a block needs {need} {what}, a multiprocessor has {room}: want smaller blocks")]
    TooLarge {
        /// The kernel.
        name: String,
        /// Its place in the file, from 0.
        task: usize,
        /// The resource.
        what: &'static str,
        /// What a block needs.
        need: u64,
        /// What there is.
        room: u64,
    },
}

impl SystemError {
    /// The kernel to blame, from 0.
    pub fn task(&self) -> Option<usize> {
        match self {
            Self::Empty => None,
            Self::TooLarge { task, .. } => Some(*task),
        }
    }
}

impl System {
    /// Checks what holds for the system as a whole; the rest is checked where it is read.
    ///
    /// # Errors
    /// If there is no kernel, or a block that does not fit on an empty multiprocessor.
    pub fn check(&self) -> Result<(), SystemError> {
        if self.tasks.is_empty() {
            return Err(SystemError::Empty);
        }
        let names = ["threads in whole warps", "bytes of shared memory", "registers", "block slots"];
        for (number, task) in self.tasks.iter().enumerate() {
            let each = task.block.each().into_iter().zip(self.gpu.room.each()).zip(names);
            for ((need, room), what) in each {
                if need > room {
                    return Err(SystemError::TooLarge {
                        name: task.name.clone(),
                        task: number,
                        what,
                        need,
                        room,
                    });
                }
            }
        }
        Ok(())
    }
}
