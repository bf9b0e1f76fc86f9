//! A kernel of a system, and the streams that kernels are launched into.

use crate::SystemError;
use warpspan_model::Code;
use warpspan_model::device::{Gpu, Resources, WARP};
use warpspan_model::machine::{Declared, Machine, Step};
use warpspan_model::program::Piece;
use warpspan_model::time::Duration;
use warpspan_model::words;

/// Where the execution time of a block comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// The time is given, for instance by a measurement.
    Given(Duration),
    /// The time is the upper bound on the makespan of the warps that run this string or program.
    Code(Code),
    /// The time is that of code which was read from a listing.
    Listing(Code),
    /// The time is that of code over the letters of the system's machine
    /// ([`System::on_machine`](crate::System::on_machine)).
    OnMachine(Piece<Step>),
}

words! {
    /// With which co-running blocks a measured C holds.
    #[derive(Default)]
    Measured {
        /// A block takes at most C whatever else runs on its multiprocessor.
        #[default]
        BesideOthers = "beside-others",
        /// A block takes at most C while no other block is on its multiprocessor.
        Alone = "alone",
        /// C is not measured but the bound of `prem`, and no block has to take that long.
        AtMost = "at-most",
    }
}

/// A kernel that is launched again and again: tau of Pa19 Eq. 3.2.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// Its name.
    pub name: String,
    /// T, the time between two arrivals; `None` for a kernel that is launched once.
    pub period: Option<Duration>,
    /// Whether arrivals may be further apart than a period.
    pub sporadic: bool,
    /// The longest time from the arrival of a launch to its release.
    pub jitter: Duration,
    /// The time from the arrival by which the launch must be complete.
    pub deadline: Option<Duration>,
    /// r, the time of the first arrival.
    pub release: Duration,
    /// Whether r is known, so that bounds may rest on the distances of its launches from those of others.
    /// Algorithm 2 and the simulator always take r as it is.
    pub fixed: bool,
    /// C, the time that a block takes.
    pub execution: Source,
    /// What C promises if it was measured.
    pub measured: Measured,
    /// g, the blocks of its grid, 1 or more.
    pub blocks: u64,
    /// b, the threads of a block, 1 or more.
    pub threads: u64,
    /// The resources of a multiprocessor that a block takes at most: where fewer blocks run at once, others wait longer.
    pub block: Resources,
    /// What it takes at least; the same as the most where no number is left open. Refutations use it, and so do counts
    /// of blocks that may co-run with one.
    pub least: Resources,
    /// Its stream, an index of [`System::streams`](crate::System::streams).
    pub stream: usize,
    /// The time on the copy engine before the kernel; zero where nothing is copied.
    pub copy_in: Duration,
    /// The time on the copy engine after the kernel; zero where nothing is copied.
    pub copy_out: Duration,
    /// What is declared of the bytes that a launch moves through the memory behind the multiprocessors. Of a kernel of
    /// code nothing needs to be; one whose C is given asks nothing else.
    pub traffic: Vec<Declared>,
}

/// A stream: launches in it run in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stream {
    /// Its name.
    pub name: String,
    /// Its priority; a larger number is more urgent.
    pub priority: i64,
}

impl Task {
    /// Whether its launches are released just when the file says.
    pub(super) fn is_exact(&self) -> bool {
        self.fixed && !self.sporadic && self.jitter == Duration(0)
    }

    /// The registers of a warp, as they are counted in [`Task::block`].
    pub(super) fn registers_of_a_warp(&self) -> u64 {
        self.block.registers / self.warps()
    }

    /// The warps of a block.
    pub(super) fn warps(&self) -> u64 {
        (self.block.threads / WARP).max(1)
    }

    /// Whether the kernel, of this number in its file, can be analysed on this GPU, whose multiprocessors may be
    /// a machine, with so many streams.
    pub(super) fn check(
        &self,
        task: usize,
        gpu: &Gpu,
        machine: Option<&Machine>,
        streams: usize,
    ) -> Result<(), SystemError> {
        let name = || self.name.clone();
        let fits = match self.execution {
            Source::Given(_) => true,
            Source::Code(_) | Source::Listing(_) => machine.is_none(),
            Source::OnMachine(_) => machine.is_some(),
        };
        if !fits {
            return Err(SystemError::Machine { name: name(), task });
        }
        let given = match self.execution {
            Source::Given(time) => Some(time),
            Source::Code(_) | Source::Listing(_) | Source::OnMachine(_) => None,
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
        let times = [
            Some(self.release),
            Some(self.jitter),
            self.period,
            self.deadline,
            given,
            Some(self.copy_in),
            Some(self.copy_out),
        ];
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
