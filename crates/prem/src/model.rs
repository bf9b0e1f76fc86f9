//! Kernels cut into tiles, each tile into three phases.

use thiserror::Error;

use warpspan_check::bound::Upper;
use warpspan_model::assumption::{Assumption, Id};
use warpspan_model::time::{Clock, Nanoseconds};
use warpspan_model::words;

/// The longest run, about 36 years in nanoseconds. [`TileSet::new`] and
/// [`Schedule`](crate::Schedule) refuse longer ones, so that sums of a few times stay within
/// 64 bits.
pub const LONGEST: Nanoseconds = Nanoseconds(1 << 60);

words! {
    /// A phase of a tile.
    #[derive(Hash, PartialOrd, Ord)]
    Phase {
        /// The tile is read from global memory.
        Prefetch = "prefetch",
        /// The tile is computed in shared memory.
        Compute = "compute",
        /// The tile is written to global memory.
        Writeback = "writeback",
    }
}

impl Phase {
    /// Whether it uses global memory.
    pub fn is_memory(self) -> bool {
        self != Self::Compute
    }
}

/// The worst-case durations of the phases of a tile, in ns: Kr19's `T_PF`, `T_C`, `T_WB`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Phases {
    /// The duration of the prefetch.
    pub prefetch: Nanoseconds,
    /// The duration of the computation.
    pub compute: Nanoseconds,
    /// The duration of the writeback.
    pub writeback: Nanoseconds,
}

impl Phases {
    /// The duration of a phase.
    pub fn of(&self, phase: Phase) -> Nanoseconds {
        match phase {
            Phase::Prefetch => self.prefetch,
            Phase::Compute => self.compute,
            Phase::Writeback => self.writeback,
        }
    }

    /// The duration of the whole tile, phase after phase.
    pub fn tile(&self) -> Nanoseconds {
        self.prefetch + self.compute + self.writeback
    }
}

/// A kernel: each of its blocks processes `tiles` tiles, one after the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TiledKernel {
    /// The name in messages and drawings.
    pub name: String,
    /// The number of CUDA blocks.
    pub blocks: u64,
    /// The number of tiles that each block processes.
    pub tiles: u64,
    /// Durations that hold under the schedule. If several blocks start together, the durations must hold
    /// while all of them run.
    pub phases: Phases,
    /// Durations under contention, that is, without a schedule.
    pub contended: Option<Phases>,
}

/// Kernels that run side by side, and the timer that they spin on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TileSet {
    kernels: Vec<TiledKernel>,
    timer: Nanoseconds,
    start: Nanoseconds,
    warm_up: Nanoseconds,
    /// Whether nobody says the granularity of the timer.
    pub(crate) by_default: bool,
}

/// Why kernels and a timer do not make such a set.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TileSetError {
    /// There is no kernel.
    #[error("no kernel: want 1 or more")]
    Empty,
    /// A kernel has no blocks or no tiles, or the duration of a phase is zero.
    #[error("kernel {0}: blocks, tiles and the duration of every phase must be 1 or more")]
    Zero(String),
    /// A phase is shorter under contention than without, which cannot be.
    #[error(
        "kernel {kernel}: {phase} takes {contended} ns under contention and {alone} ns without: want contended durations \
         that are no shorter",
        contended = .contended.0,
        alone = .alone.0
    )]
    Contended {
        /// The kernel.
        kernel: String,
        /// The phase.
        phase: Phase,
        /// Its duration under contention.
        contended: Nanoseconds,
        /// Its duration without contention.
        alone: Nanoseconds,
    },
    /// There are more blocks than this analysis takes.
    #[error("{0} blocks in all: want {MOST_BLOCKS} or fewer")]
    Blocks(u64),
    /// The tiles one after the other take longer than [`LONGEST`].
    #[error("all tiles one after the other take more than {} ns: want less", LONGEST.0)]
    TooLong,
    /// The granularity of the timer is zero.
    #[error("a timer of 0 ns: want 1 or more")]
    Timer,
}

/// The most blocks: no GPU holds more at once, and the check examines every pair of them.
pub(crate) const MOST_BLOCKS: u64 = 8192;

impl TileSet {
    /// A set of kernels on a timer of granularity `timer`; the first tile may begin `warm_up` after `start`.
    ///
    /// # Errors
    /// If something is zero that must not be zero, or too large.
    pub fn new(
        kernels: Vec<TiledKernel>,
        timer: Nanoseconds,
        start: Nanoseconds,
        warm_up: Nanoseconds,
    ) -> Result<Self, TileSetError> {
        if kernels.is_empty() {
            return Err(TileSetError::Empty);
        }
        if timer == Nanoseconds::ZERO {
            return Err(TileSetError::Timer);
        }
        let mut blocks = 0_u64;
        let mut longest = start.signed() + warm_up.signed() + timer.signed();
        for kernel in &kernels {
            let durations = [Some(kernel.phases), kernel.contended];
            let zero = |phases: Phases| Phase::ALL.iter().any(|&phase| phases.of(phase) == Nanoseconds::ZERO);
            if kernel.blocks == 0 || kernel.tiles == 0 || durations.into_iter().flatten().any(zero) {
                return Err(TileSetError::Zero(kernel.name.clone()));
            }
            for phase in Phase::ALL {
                let alone = kernel.phases.of(phase);
                if let Some(contended) = kernel.contended.map(|it| it.of(phase)).filter(|&it| it < alone) {
                    let kernel = kernel.name.clone();
                    return Err(TileSetError::Contended { kernel, phase, contended, alone });
                }
            }
            blocks = blocks.saturating_add(kernel.blocks);
            for phases in durations.into_iter().flatten() {
                for phase in Phase::ALL {
                    let one = phases.of(phase).signed() + timer.signed();
                    let all = one.checked_mul(i128::from(kernel.tiles)).ok_or(TileSetError::TooLong)?;
                    longest = longest.saturating_add(all.saturating_mul(i128::from(kernel.blocks)));
                }
            }
        }
        if blocks > MOST_BLOCKS {
            return Err(TileSetError::Blocks(blocks));
        }
        if longest > LONGEST.signed() {
            return Err(TileSetError::TooLong);
        }
        Ok(Self { kernels, timer, start, warm_up, by_default: false })
    }

    /// The kernels.
    pub fn kernels(&self) -> &[TiledKernel] {
        &self.kernels
    }

    /// The granularity of the timer.
    pub fn timer(&self) -> Nanoseconds {
        self.timer
    }

    /// The time at which the kernels start (Kr19's `Start_kernel`, the same for all).
    pub fn start(&self) -> Nanoseconds {
        self.start
    }

    /// What every bound on the time of a schedule of these tiles rests on.
    pub fn rests_on(&self) -> Vec<Assumption> {
        let together = "launched together, and all their blocks spin on the timer when the schedule starts";
        let mut all = vec![Assumption::assumed(Id::TilesLaunched, "the kernels", together)];
        let step = self.timer.0;
        let start = match self.start.0 % step.max(1) {
            0 => "on one of them".to_owned(),
            after => format!("{after} ns after one of them"),
        };
        let value =
            format!("multiples of {step} ns and nothing between them, and the schedule starts {start}");
        let warm_up = format!("at most {} ns", self.warm_up.0);
        let subject = "the time from the start of the kernels to the first tile";
        let given = || Assumption::declared(Id::TilesPrologue, subject, warm_up).by("warm_up_ns");
        all.extend((self.warm_up > Nanoseconds::ZERO).then(given));
        all.push(match self.by_default {
            true => Assumption::assumed(Id::TilesTimer, "the timer shows", value),
            false => {
                Assumption::declared(Id::TilesTimer, "the timer shows", value).by("timer_ns and start_ns")
            }
        });
        all
    }

    /// Kr19's `WU`, the time from the start of the kernels to the first tile.
    pub fn warm_up(&self) -> Nanoseconds {
        self.warm_up
    }

    /// Whether all kernels are the same but for their names.
    pub fn is_uniform(&self) -> bool {
        let same = |a: &TiledKernel, b: &TiledKernel| {
            (a.blocks, a.tiles, a.phases, a.contended) == (b.blocks, b.tiles, b.phases, b.contended)
        };
        self.kernels.windows(2).all(|pair| same(&pair[0], &pair[1]))
    }
}

/// The duration in nanoseconds, rounded up, of a phase whose instructions take at most `upper` cycles of this
/// clock.
///
/// Only an upper bound may become a duration. It holds for the phase alone on its multiprocessor, since the
/// model of the bound knows neither cache misses nor other kernels.
pub fn duration(upper: Upper, clock: Clock) -> Option<Nanoseconds> {
    clock.nanoseconds(upper.cycles().0.into()).filter(|&time| time <= LONGEST)
}
