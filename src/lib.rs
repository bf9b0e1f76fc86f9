//! The exact worst-case makespan of the warps of a GPU kernel on one streaming multiprocessor, proved and
//! replayed.
//!
//! # The problem
//!
//! A kernel is a string of instructions: L for the load/store units, C for the CUDA cores. W warps run it on
//! a streaming multiprocessor that issues at most `sigma_L` L's and `sigma_C` C's a cycle, under *any*
//! work-conserving schedule: a ready warp waits only while its unit is full. Each warp issues in order, at
//! most one instruction a cycle. How long can it take until the last warp has finished? That is the
//! worst-case makespan T(W), and a real-time analysis needs a number that is never below it.
//!
//! K. Berezovskyi, K. Bletsas, B. Andersson, *Makespan computation for GPU threads running on a single
//! streaming multiprocessor*, ECRTS 2012 (**Be12** throughout) posed the problem, with a binary ILP, a
//! pessimistic closed form and an estimate built from small W. This crate implements them, corrects them
//! where they are unsafe, and solves instances that are out of their reach. **Si21** is J. Singh's thesis on
//! warp scheduling and spatial partitions, see [`policy`](engines::policy) and
//! [`partition`](realtime::partition). **Pa19** is D. Paredes' on response times of a whole GPU, see
//! [`rta`](realtime::rta). **Kr19** is F. Kreiliger's on time-triggered tiles, see [`prem`](realtime::prem).
//!
//! # Symbols
//!
//! | symbol | meaning | in the code |
//! |---|---|---|
//! | I, `I_U` | instructions of a kernel, those for unit U | [`Kernel::len`](model::Kernel::len), [`count`](model::Kernel::count) |
//! | W | warps of a group | [`Group::warps`](model::Group) |
//! | `sigma_U` | letters that unit U issues a cycle, whole after the sub-warp expansion | [`Instance::sigma`](model::Instance::sigma) |
//! | t | cycle, from 1 | [`Issue::cycle`](schedule::Issue) |
//! | T | horizon of the ILP, in cycles | [`Horizon`](engines::ilp::Horizon) |
//! | T(W) | worst-case makespan, in cycles | [`Interval`](bound::Interval) |
//! | a | cycles that each further warp adds | [`phase::rate`](engines::phase::rate) |
//! | `\|` | barrier of a block of warps | [`Kernel::barriers`](model::Kernel::barriers), [`Workload::in_blocks_of`](model::Workload::in_blocks_of) |
//!
//! # An example
//!
//! ```
#![doc = include_str!("../examples/llcll.rs")]
//! ```
//!
//! # The rooms
//!
//! Each room uses only rooms that stand above it in this table, and of these only those that its row names. A
//! test checks the code against the table. The second column is the crate of the workspace, in `crates`, and its
//! module; `engines::beam` there is `warpspan_engines::beam`. This crate has no code but the names of all of them, so that an example on the page of an inner crate that uses
//! `warpspan_model::Kernel` may as well use `warpspan::model::Kernel`.
//!
//! Nobody outside these crates can make evidence: a bound from a theorem needs the seal of the engines.
//!
//! ```compile_fail,E0433
//! use warpspan::bound::{Theorem, Upper};
//! use warpspan::model::Cycles;
//!
//! let forged = Upper::proved(Cycles(1), Theorem::Relay, warpspan::check::seal::SEAL);
//! ```
//!
//! ```compile_fail,E0277
//! # use warpspan::bound::{Theorem, Upper};
//! # use warpspan::model::Cycles;
//! let forged = Upper::proved(Cycles(1), Theorem::Relay, Default::default());
//! ```
//!
//! ```compile_fail,E0451
//! # use warpspan::bound::{Theorem, Upper};
//! # use warpspan::model::Cycles;
//! let forged = Upper { cycles: Cycles(1), theorem: Theorem::Relay };
//! ```
//!
//! | room | stands in | uses | is |
//! |---|---|---|---|
//! | [`limits`] | `model::limits` | - | time, memory and threads, and how a computation ended |
//! | [`source`] | `model::source` | - | text that users wrote, where things stand in it, what is wrong with it and what would do |
//! | [`model`] | `model` | `source` | kernels, programs, multiprocessors, workloads, instances, devices, times; the semantics |
//! | `tables` | `model::tables` | `source` | tables of rows that survive a crash |
//! | [`schedule`] | `check::schedule` | `model` | who issues what when; the verifier; Fig. 2 in text, CSV, JSON |
//! | [`bound`] | `check::bound` | `model`, `schedule` | bounds with their side and the theorem behind them |
//! | [`check`] | `check::record` | `model`, `schedule`, `bound` | records judged without any engine |
//! | [`engines::simulate`] | `engines::simulate` | `limits`, `model`, `schedule` | simple rules, for lower bounds at once |
//! | [`engines::phase`] | `engines::phase` | `limits`, `model`, `schedule`, `bound` | the closed form for one kernel at sigma = 1, with its schedule; the phase bound for everything else |
//! | [`engines::program`] | `engines::program` | `model`, `schedule`, `bound`, `engines::phase` | a safe bound for programs with branches, loops and barriers |
//! | `engines::crossing` | `engines::crossing` | - | where two bounds cross, one of which rises with the blocks of a multiprocessor while the other falls |
//! | [`engines::own`] | `engines::own` | `model` | how long a warp takes by itself on a machine, with scoreboards |
//! | [`engines::latency`] | `engines::latency` | `model`, `bound`, `engines::crossing`, `engines::phase`, `engines::program`, `engines::own` | safe bounds for machines with latency, issue width, schedulers and any kinds of unit |
//! | [`engines::relay`] | `engines::relay` | `model`, `bound`, `engines::crossing`, `engines::phase`, `engines::program` | a safe bound for blocks that follow one another, and what a block costs others |
//! | [`certificate`] | `engines::certificate` | `limits`, `model`, `schedule`, `bound`, `engines::phase`, `engines::program`, `engines::relay` | an answer with its proof, for a checker that shares no code with this program |
//! | [`engines::beam`] | `engines::beam` | `limits`, `model`, `schedule`, `bound`, `engines::phase` | long schedules found by looking ahead with the phase bound, and what no schedule exceeds |
//! | [`engines::states`] | `engines::states` | `limits`, `model`, `schedule`, `bound` | exhaustive search over states, worst and best case |
//! | [`engines::grid`] | `engines::grid` | `limits`, `model`, `schedule`, `bound` | exhaustive search over states of blocks that follow one another |
//! | [`engines::positions`] | `engines::positions` | `limits`, `model`, `schedule`, `bound` | exhaustive search over positions on a machine with latency, worst and best case |
//! | [`engines::ilp`] | `ilp` | `limits`, `model`, `source`, `schedule`, `bound` | the binary ILP on HiGHS, three formulations |
//! | [`engines::policy`] | `solver::policy` | `limits`, `model`, `source`, `schedule`, `engines::simulate` | warp-scheduling policies of GPUs, simulated |
//! | [`engines::portfolio`] | `solver::portfolio` | `limits`, `model`, `source`, `schedule`, `bound`, `engines::simulate`, `engines::phase`, `engines::program`, `engines::relay`, `engines::beam`, `engines::states`, `engines::grid`, `engines::ilp`, `engines::own`, `engines::latency`, `engines::positions`, `engines::policy` | engines side by side, disagreement refused; the solver |
//! | [`engines::extremes`] | `solver::extremes` | `limits`, `model`, `schedule`, `bound`, `engines::latency`, `engines::states`, `engines::policy`, `engines::portfolio` | the best and the worst case, between which every policy lies |
//! | `isa` | `isa` | `model` | what opcodes of PTX and SASS are, and their instructions |
//! | `isa::spelling` | `isa::spelling` | `isa` | how an opcode is spelled, which only `lift` may ask |
//! | `lift` | `lift` | `isa`, `isa::spelling` | what instructions do to registers, as steps |
//! | [`listing`] | `listing` | `isa`, `lift`, `model`, `source` | PTX and SASS to kernel strings and structured programs |
//! | [`entry`] | `kernel::entry` | `model`, `source`, `engines::phase`, `engines::program`, `engines::latency`, `listing` | bounds of the entries of listings |
//! | [`input`] | `kernel::input` | `model`, `source`, `listing` | files that name a workload or a device |
//! | [`evt`] | `evt` | `model`, `source` | estimates from measured times by extreme value theory: no bounds |
//! | [`realtime::prem`] | `prem` | `limits`, `model`, `source`, `bound`, `input` | time-triggered schedules of tiles; which phases overlap; offsets that keep memory phases apart |
//! | [`realtime::rta`] | `rta` | `limits`, `model`, `source`, `bound`, `engines::latency`, `engines::relay`, `engines::portfolio`, `input`, `realtime::prem` | response times of kernels on a GPU of several multiprocessors |
//! | [`realtime::amalthea`] | `amalthea` | `model`, `source`, `realtime::rta` | response times of AMALTHEA models: tasks on cores and GPUs, event chains |
//! | [`realtime::graph`] | `rta::graph` | `limits`, `model`, `source`, `realtime::rta` | graphs of kernels, copies and host work: makespans, response times, multiprocessors of their own |
//! | [`realtime::processes`] | `rta::processes` | `limits`, `model`, `source`, `realtime::rta` | several processes on one GPU: tasks and kernels under time slices and under preemption |
//! | [`realtime::time`] | `rta::time` | `limits`, `model`, `bound`, `engines::phase`, `engines::latency`, `input`, `realtime::rta` | how long one launch of a kernel takes, alone and with co-running kernels |
//! | [`realtime::partition`] | `partition` | `limits`, `model`, `source`, `tables`, `bound`, `engines::program`, `engines::latency`, `engines::relay`, `engines::portfolio`, `engines::policy`, `input`, `realtime::prem` | GPU tasks on partitions of multiprocessors, so that all deadlines hold |
//! | [`sweep`] | `sweep` | `limits`, `model`, `source`, `tables`, `schedule`, `bound`, `engines::phase`, `engines::program`, `engines::states`, `engines::ilp`, `engines::portfolio`, `engines::policy` | grids of instances, and the tables that come of them |
//! | [`records`] | `records` | `limits`, `model`, `source`, `schedule`, `bound`, `check`, `engines::phase`, `engines::program`, `engines::latency`, `engines::ilp`, `engines::portfolio`, `engines::policy`, `engines::extremes`, `listing`, `entry`, `input`, `evt`, `realtime::rta`, `realtime::amalthea`, `realtime::graph`, `realtime::processes`, `realtime::time`, `realtime::partition`, `realtime::prem`, `sweep` | every JSON record, read and written, and the schemas of all files |
//! | [`realtime::launch`] | `launch` | `limits`, `model`, `source`, `bound`, `engines::portfolio`, `listing`, `input`, `realtime::rta`, `realtime::time`, `records` | from a listing and what is declared of a launch to the record of its time |
//! | [`document`] | `document` | `limits`, `model`, `source`, `listing`, `input`, `records`, `realtime::launch` | what records tell a person, each sentence once, in HTML and Markdown too |
//! | `figures` | `figures` | `model`, `schedule`, `realtime::rta`, `realtime::partition`, `realtime::prem`, `sweep`, `document` | drawings of schedules, tiles, partitions, occupancy and tables, and the page that holds them |
//! | `cli` | `cli` | `limits`, `model`, `source`, `schedule`, `bound`, `certificate`, `check`, `engines::program`, `engines::ilp`, `engines::portfolio`, `engines::policy`, `engines::extremes`, `listing`, `entry`, `input`, `evt`, `realtime::rta`, `realtime::amalthea`, `realtime::graph`, `realtime::processes`, `realtime::partition`, `realtime::prem`, `sweep`, `records`, `realtime::launch`, `document`, `figures` | the command line |
//! | [`prelude`] | - | `limits`, `model`, `bound`, `engines::portfolio` | what most users of the library need |
//!
//! # From equations to functions
//!
//! | equation | what | function |
//! |---|---|---|
//! | Be12 1, 2 | sigma from units and warp size | [`Throughput::from_units`](model::Throughput::from_units) |
//! | Be12 Fig. 1 | sub-warp expansion | [`Kernel::repeat`](model::Kernel::repeat) |
//! | Be12 Fig. 2 | a schedule drawn | [`schedule::chart`], [`figures::warps`] |
//! | Be12 5-7 | pessimistic makespan, unsafe above sigma = 1 | [`bound::pessimistic`] |
//! | Be12 11-41, Fig. 3 | binary ILP | [`ilp::solve`](engines::ilp::solve) |
//! | Be12 42, 43 | estimate from few warps, unsafe | [`bound::min_over_y`] |
//! | Be12 Fig. 5-7 | solve times, convergence of the estimate | [`figures::report`](figures::report()) |
//! | Kr19 section 3.2.5, corrected | time-triggered schedules of tiles, four modes | [`prem::Schedule::uniform`](realtime::prem::Schedule::uniform) |
//! | Kr19 section 4.2.4 | composition of phase maxima | [`prem::composed`](realtime::prem::composed) |
//! | Si21 Algorithm 4 | the issue unit, for any policy | [`policy::simulate`](engines::policy::simulate) |
//! | Si21 Algorithm 5 | RT-PAWS: the order of warps by priority and budget | [`policy::RtPaws`](engines::policy::RtPaws), [`policy::RtPawsRotating`](engines::policy::RtPawsRotating) |
//! | Pa19 3.3, 3.6 | utilisation, threads of the big multiprocessor | [`rta::utilisation`](realtime::rta::utilisation), [`rta::big_multiprocessor`](realtime::rta::big_multiprocessor) |
//! | Pa19 Algorithm 2 | completion times | [`rta::Algorithm2`](realtime::rta::Algorithm2) |
//! | Pa19 3.8-3.15 | closed form for equal C, corrected | [`rta::closed_form`](realtime::rta::closed_form) |
//! | Pa19 2.3 | the rules G1-G4, X1, R1-R3, C1-C4, A1, A2 | [`rta::Method::Simulate`](realtime::rta::Method::Simulate) |
//! | Pa19 chapter 4 | a measured run beside the computed one, and the rules judged on it | [`rta::Measurement`](realtime::rta::Measurement) |
//! | GCAPS 1-14 | tasks of several processes, as published | [`processes::published`](realtime::processes::published::published) |
//! | GCAPS 1-14, corrected | the same, safe | [`processes::bounds`](realtime::processes::bounds) |
//! | ours | response times with any co-running kernels | [`rta::bound`](realtime::rta::bound()) |
//! | ours | response times of tasks that wait for a GPU, latencies of event chains | [`amalthea::analyse`](realtime::amalthea::analyse) |
//! | ours | makespans and response times of graphs of kernels | [`graph::analyse`](realtime::graph::analyse) |
//! | ours | one launch, alone or with co-running kernels | [`time::Lone`](realtime::time::Lone), [`time::co_running`](realtime::time::co_running()) |
//! | ours | the record of `time` for a listing | [`launch::answer`](realtime::launch::answer()) |
//! | Si21 Algorithms 1 to 3, Lemmas 1 to 3 | partitions by merging | [`partition::Heuristic::partition`](realtime::partition::Heuristic::partition) |
//! | Si21 Definition 1, section 3.3 | kinds, a, b and k from measured times | [`partition::MeasuredTimes`](realtime::partition::MeasuredTimes) |
//! | Si21 section 3.6.1 | C(m), random task sets | [`partition::Execution::amdahl`](realtime::partition::Execution::amdahl), [`partition::Generator`](realtime::partition::Generator) |
//! | Si21 Fig. 3.4-3.6 | schedulability and time against utilisation | [`partition::Experiment`](realtime::partition::Experiment) |
//! | ours | kernels of a partition that run together | [`partition::together()`](realtime::partition::together()) |
//! | ours | the fewest multiprocessors of any partitioning | [`partition::exact()`](realtime::partition::exact()) |
//! | Co01 3.1, 4.1 | estimates from measured times, by block maxima and peaks over a threshold | [`evt::estimate`](evt::estimate()) |
//! | ours | critical path, safe for every instance | [`bound::critical_path`] |
//! | ours | T(W) = I + (W-1) a and its schedule | [`phase::solve`](engines::phase::solve), [`phase::straggler`](engines::phase::straggler) |
//! | ours | phase bound for any sigmas and mixes; from any state | [`phase::bound()`](engines::phase::bound()), [`phase::Remaining`](engines::phase::Remaining) |
//! | ours | max-plus matrices of structured programs, barriers | [`program::bound()`](engines::program::bound()) |
//! | ours | machines with latency, issue width and any kinds of unit | [`latency::bounds()`](engines::latency::bounds()), [`latency::grid()`](engines::latency::grid()) |
//! | ours | makespan of blocks that follow one another | [`relay::bound()`](engines::relay::bound()) |
//! | ours | a block alone: segments between barriers add up | [`phase::by_segments`](engines::phase::by_segments) |
//! | ours | f(state) over all states | [`states::solve`](engines::states::solve) |
//! | ours | f(state) over all states of a grid | [`grid::solve`](engines::grid::solve) |
//! | ours | latency as positions: f(state) on a machine | [`positions::solve`](engines::positions::solve) |
//! | ours | aggregated ILP | [`ilp::Formulation::Aggregated`](engines::ilp::Formulation::Aggregated) |

pub mod prelude;

#[doc(inline)]
pub use warpspan_check::{bound, record as check, schedule};
#[doc(inline)]
pub use warpspan_document as document;
#[doc(inline)]
pub use warpspan_engines::certificate;
#[doc(inline)]
pub use warpspan_evt as evt;
#[cfg(feature = "figures")]
#[doc(inline)]
pub use warpspan_figures as figures;
#[doc(inline)]
pub use warpspan_kernel::{entry, input};
#[doc(inline)]
pub use warpspan_listing as listing;
#[doc(inline)]
pub use warpspan_model::{self as model, limits, source};
#[doc(inline)]
pub use warpspan_records as records;
#[doc(inline)]
pub use warpspan_sweep as sweep;

/// Engines. Each finds bounds or schedules of an instance in its own way, and none verifies another.
///
/// [`portfolio`](engines::portfolio) is the only module that uses several of them together.
pub mod engines {
    #[doc(inline)]
    pub use warpspan_engines::{
        beam, grid, latency, own, phase, positions, program, relay, simulate, states,
    };
    #[doc(inline)]
    pub use warpspan_ilp as ilp;
    #[doc(inline)]
    pub use warpspan_solver::{extremes, policy, portfolio};
}

/// Worst cases of kernels against deadlines on a GPU: response times, partitions, time-triggered
/// schedules, and the time of a single launch.
pub mod realtime {
    #[doc(inline)]
    pub use warpspan_amalthea as amalthea;
    #[doc(inline)]
    pub use warpspan_launch as launch;
    #[doc(inline)]
    pub use warpspan_partition as partition;
    #[doc(inline)]
    pub use warpspan_prem as prem;
    #[doc(inline)]
    pub use warpspan_rta::{self as rta, graph, processes, time};
}

/// The binary's only entry; it is no part of the library.
#[cfg(feature = "cli")]
#[doc(hidden)]
pub use warpspan_cli::command_line;
/// The commands inside another program, such as the Python package; it is no part of the library.
#[cfg(feature = "cli")]
#[doc(hidden)]
pub use warpspan_cli::embedded;
