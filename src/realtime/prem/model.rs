//! Kernels cut into tiles, each tile into three phases.

use std::fmt;

use thiserror::Error;

use crate::bound::Upper;
use crate::realtime::prem::Ns;

/// A phase of a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Phase {
    /// From global to shared memory.
    Prefetch,
    /// On shared memory only.
    Compute,
    /// From shared to global memory.
    Writeback,
}

impl Phase {
    /// In the order of a tile.
    pub const ALL: [Self; 3] = [Self::Prefetch, Self::Compute, Self::Writeback];

    /// As it stands in records.
    pub fn name(self) -> &'static str {
        match self {
            Self::Prefetch => "prefetch",
            Self::Compute => "compute",
            Self::Writeback => "writeback",
        }
    }

    /// Whether it uses global memory.
    pub fn is_memory(self) -> bool {
        self != Self::Compute
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The worst-case durations of the phases of a tile, in ns: Kr19's `T_PF`, `T_C`, `T_WB`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Phases {
    /// Of the prefetch.
    pub prefetch: Ns,
    /// Of the computation.
    pub compute: Ns,
    /// Of the writeback.
    pub writeback: Ns,
}

impl Phases {
    /// Of a phase.
    pub fn of(&self, phase: Phase) -> Ns {
        match phase {
            Phase::Prefetch => self.prefetch,
            Phase::Compute => self.compute,
            Phase::Writeback => self.writeback,
        }
    }

    /// Of the whole tile, phase after phase.
    pub fn tile(&self) -> Ns {
        self.prefetch + self.compute + self.writeback
    }
}

/// A kernel: each of its blocks processes `tiles` tiles, one after the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TiledKernel {
    /// In messages and drawings.
    pub name: String,
    /// CUDA blocks.
    pub blocks: u64,
    /// Tiles that each block processes.
    pub tiles: u64,
    /// Durations that hold under the schedule; with several blocks that start together, while all of them run.
    pub phases: Phases,
    /// Durations under contention, that is, without a schedule.
    pub contended: Option<Phases>,
}

/// Kernels that run side by side, and the timer that they spin on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TileSet {
    kernels: Vec<TiledKernel>,
    timer: Ns,
    start: Ns,
    warm_up: Ns,
}

/// Why kernels and a timer are no such set.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TileSetError {
    /// Nothing to schedule.
    #[error("no kernel: want 1 or more")]
    Empty,
    /// A kernel without blocks, tiles or a phase.
    #[error("kernel {0}: blocks, tiles and the duration of every phase must be 1 or more")]
    Zero(String),
    /// Contention cannot make a phase shorter.
    #[error(
        "kernel {kernel}: {phase} takes {contended} ns under contention and {alone} ns without: want contended durations \
         that are no shorter"
    )]
    Contended {
        /// Whose.
        kernel: String,
        /// Which phase.
        phase: Phase,
        /// Its duration under contention.
        contended: Ns,
        /// Its duration without.
        alone: Ns,
    },
    /// More blocks than this analysis takes.
    #[error("{0} blocks in all: want {MOST_BLOCKS} or fewer")]
    Blocks(u64),
    /// The tiles one after the other exceed [`Ns::LONGEST`].
    #[error("all tiles one after the other take more than {} ns: want less", Ns::LONGEST)]
    TooLong,
    /// No granularity.
    #[error("a timer of 0 ns: want 1 or more")]
    Timer,
}

/// No GPU holds more blocks at once; every pair of them is looked at.
pub const MOST_BLOCKS: u64 = 8192;

impl TileSet {
    /// Kernels on a timer of granularity `timer`, whose first tile may begin `warm_up` after `start`.
    ///
    /// # Errors
    /// If something is zero that must not be, or too large.
    pub fn new(kernels: Vec<TiledKernel>, timer: Ns, start: Ns, warm_up: Ns) -> Result<Self, TileSetError> {
        if kernels.is_empty() {
            return Err(TileSetError::Empty);
        }
        if timer == Ns::ZERO {
            return Err(TileSetError::Timer);
        }
        let mut blocks = 0_u64;
        let mut longest = start.signed() + warm_up.signed() + timer.signed();
        for kernel in &kernels {
            let durations = [Some(kernel.phases), kernel.contended];
            let zero = |phases: Phases| Phase::ALL.iter().any(|&phase| phases.of(phase) == Ns::ZERO);
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
        if longest > Ns::LONGEST.signed() {
            return Err(TileSetError::TooLong);
        }
        Ok(Self { kernels, timer, start, warm_up })
    }

    /// The kernels.
    pub fn kernels(&self) -> &[TiledKernel] {
        &self.kernels
    }

    /// Granularity of the timer.
    pub fn timer(&self) -> Ns {
        self.timer
    }

    /// When the kernels start (Kr19's `Start_kernel`, the same for all).
    pub fn start(&self) -> Ns {
        self.start
    }

    /// Kr19's `WU`: so long after the start, the first tile begins.
    pub fn warm_up(&self) -> Ns {
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

/// The duration of a phase whose instructions take at most `upper` cycles of a clock of `hertz`, rounded up.
///
/// Only an upper bound may become a duration. It is that of the phase alone on its multiprocessor: the model of the
/// bound knows of no cache misses and no other kernel.
pub fn duration(upper: Upper, hertz: u64) -> Option<Ns> {
    let nanoseconds = (u128::from(upper.cycles().0) * 1_000_000_000).div_ceil(u128::from(hertz.max(1)));
    u64::try_from(nanoseconds).ok().filter(|&ns| ns <= Ns::LONGEST.0).map(Ns)
}
