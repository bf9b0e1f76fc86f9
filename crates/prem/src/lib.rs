//! Time-triggered schedules of tiles, so that kernels do not disturb each other's memory phases.
//!
//! # Theory
//!
//! A kernel is cut into tiles that fit into shared memory. Each of its blocks takes its tiles one after the other, each
//! in three phases: *prefetch* from global memory, *compute* on shared memory, *writeback* to global memory (PREM, the
//! predictable execution model). All kernels run at the same time, with all of their blocks; each block spins on the
//! global timer until a start time that was fixed beforehand. The source is **Kr19**: F. Kreiliger, *Time-predictable
//! GPU execution*, master's thesis, Czech Technical University in Prague, 2019, chapters 2.2, 3.2 and 4.2 (on the
//! NVIDIA Tegra X2).
//!
//! | symbol | meaning | in the code |
//! |---|---|---|
//! | `T_PF`, `T_C`, `T_WB` | worst-case durations of the phases, ns | [`Phases`] |
//! | `PF_off`, `WB_off` | distance between the prefetches, the writebacks of one slot and the next, ns | [`Offsets`] |
//! | `T_hyper` | hyperperiod: each slot processes one tile in it, ns | [`Schedule::hyperperiod`] |
//! | `WU`, `Start` | warm-up, start of the kernels, ns | [`TileSet`] |
//! | g | granularity of the timer, ns: a start is seen at the first tick that is not before it | [`TileSet::timer`] |
//! | n | tile, from 1 in Kr19 and in files, from 0 in the code | [`Schedule::start`] |
//!
//! | item | what it does |
//! |---|---|
//! | [`Plan`] | cuts an image into tiles, and says what their phases move |
//! | [`Schedule::uniform`] | builds the four schedules of Kr19 section 3.2.5 |
//! | [`check()`] | finds which phases overlap, exactly, whatever the number of tiles |
//! | [`least_offsets`] | finds the least even offsets that satisfy a [`Rule`], in closed form for equal kernels |
//! | [`least_hyperperiod`] | searches for the least hyperperiod with an offset for each slot |
//! | [`Execution`] | is an upper bound on the time, with its assumption; [`composed`] and others are to compare |
//! | `sharing` | memory phases that overlap share the memory: an estimate of the time, and a bound |
//! | [`compare`] | holds measured times against a schedule and its bound |
//! | [`simulate()`] | simulates runs with jitter, and detects overruns |
//! | [`write_header`], [`write_csv`], [`write_json`] | write the schedule for kernels and programs |
//!
//! # Practice
//!
//! ```
//! use warpspan_model::time::Nanoseconds;
//! use warpspan_prem::{
//!     Durations, Mode, Phases, Rule, Schedule, TiledKernel, TileSet, check, least_offsets,
//! };
//!
//! let phases = Phases { prefetch: Nanoseconds(1781), compute: Nanoseconds(506), writeback: Nanoseconds(421) };
//! let kernel = TiledKernel { name: "2D convolution".into(), blocks: 2, tiles: 512, phases, contended: None };
//! let tile_set = TileSet::new(vec![kernel; 4], Nanoseconds(160), Nanoseconds::ZERO, Nanoseconds::ZERO)?;
//! let offsets = least_offsets(&tile_set, Mode::PhaseKernel, Rule::Relaxed, None).ok_or("no offsets")?;
//! let schedule = Schedule::uniform(&tile_set, Mode::PhaseKernel, offsets)?;
//! assert_eq!(schedule.hyperperiod(), Nanoseconds(9600));
//! assert!(check(&schedule, Durations::UpTo).holds(Rule::Relaxed));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Not covered are the time between two reads of the timer and what the CPU does to memory; both belong into
//! the durations. Computations share the issue slots of a multiprocessor; this module reports which of them
//! overlap, but does not know what that costs. docs/prem.md says what is proved, and where Kr19 is corrected.

// Layers: a module uses only those of the groups above its own.
mod model;
mod tables;

mod mode;
mod plan;

mod offset;
mod schedule_error;

mod schedule;

mod header;
mod overlap;
mod search;
mod simulate;
mod write;

mod artefact;
mod wcet;

mod measured;
mod sharing;

mod file;

mod bounded;

pub use artefact::artefact;
pub use bounded::{Bounded, read_bounded, rests_on};
#[doc(hidden)]
pub use file::schema;
pub use file::{KernelDraft, PhaseDuration, TilesFile, read_tiles};
pub use header::write_header;
pub use measured::{Compared, Crowd, Makespan, Measured, PhaseTimes, Recorded, compare, read_measured};
pub use mode::{Mode, Rule};
pub(crate) use model::MOST_BLOCKS;
pub use model::{LONGEST, Phase, Phases, TileSet, TileSetError, TiledKernel, duration};
pub use offset::{Offsets, can_hold, least_offsets};
pub use overlap::{Check, Durations, Overlap, check};
pub use plan::{Plan, Size, Work, read_plan};
pub use schedule::{Schedule, Slot};
pub use schedule_error::ScheduleError;
pub use search::{Found, least_hyperperiod};
pub use sharing::{
    At, Capacity, OffsetRange, OffsetSweep, Runs, Seen, Sharing, SharingDraft, Swept, Waiting, memory_work,
    shared_bound, shared_run, shared_runs, sweep_offsets,
};
pub use simulate::{Jitter, KEPT, Outcome, Overrun, simulate};
pub use wcet::{Contention, Execution, NoBound, composed, one_after_other, planned_end, ratio};
pub use write::{PhaseRecord, write_csv, write_json};
