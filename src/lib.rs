//! The exact worst-case makespan of the warps of a GPU kernel on one streaming multiprocessor, proved and replayed.
//!
//! # The problem
//!
//! A kernel is a string of instructions: L for the load/store units, C for the CUDA cores. W warps run it on a streaming
//! multiprocessor that issues at most `sigma_L` L's and `sigma_C` C's a cycle, under *any* work-conserving schedule: a
//! ready warp waits only while its unit is full. Each warp issues in order, at most one instruction a cycle. How long
//! can it take until the last warp has finished? That is the worst-case makespan T(W), and a real-time analysis needs a
//! number that is never below it.
//!
//! K. Berezovskyi, K. Bletsas, B. Andersson, *Makespan computation for GPU threads running on a single streaming
//! multiprocessor*, ECRTS 2012 (**Be12** throughout) posed it, with a binary ILP, a closed form that is pessimistic and an
//! estimate built from small W. This crate implements them, corrects them where they are unsafe, and goes past them. **Si21** is J. Singh's thesis on warp scheduling, see [`policy`].
//!
//! # Symbols
//!
//! | symbol | meaning | in the code |
//! |---|---|---|
//! | I, `I_U` | instructions of a kernel, those for unit U | [`Kernel::len`](model::Kernel::len), [`count`](model::Kernel::count) |
//! | W | warps of a group | [`WarpGroup::warps`](model::WarpGroup) |
//! | `sigma_U` | letters that unit U issues a cycle, whole after the sub-warp expansion | [`Instance::sigma`](model::Instance::sigma) |
//! | t | cycle, from 1 | [`Issue::cycle`](schedule::Issue) |
//! | T | horizon of the ILP, in cycles | [`Horizon`](ilp::Horizon) |
//! | T(W) | worst-case makespan, in cycles | [`Interval`](bound::Interval) |
//! | a | cycles that each further warp adds | [`phase::rate`] |
//!
//! # An example
//!
//! ```
#![doc = include_str!("../examples/llcll.rs")]
//! ```
//!
//! # The modules
//!
//! ```text
//! model ---> schedule ---> bound ---> { simulate, phase -> beam, states, ilp } ---> solve ---> policy ---> sweep ---> report ---> cli
//!   |           '--> check (imports no engine)  ------------------------------------^
//!   '--> input ----------------------------------------------------------------------^
//!   '--> program -> code -------------------------------------------------------------^
//! ```
//!
//! | module | is |
//! |---|---|
//! | [`model`] | kernels, multiprocessors, warp groups, instances; the semantics |
//! | [`schedule`] | who issues what when; the verifier; Fig. 2, CSV, JSON, SVG |
//! | [`bound`] | bounds with their side and evidence |
//! | [`phase`] | the closed form for one kernel at sigma = 1, with its schedule; the phase bound for everything else |
//! | [`beam`] | long schedules found by looking ahead with the phase bound, and what no schedule exceeds |
//! | [`states`] | exhaustive search over states, worst and best case |
//! | [`ilp`] | the binary ILP on HiGHS, three formulations |
//! | [`simulate`] | simple rules, for lower bounds at once |
//! | [`solve`] | engines side by side, disagreement refused |
//! | [`policy`] | warp-scheduling policies of GPUs, simulated beside the exact best and worst |
//! | [`sweep`] | grids of instances, tables that survive a crash |
//! | [`check`] | certificates judged without any engine |
//! | [`code`] | PTX and SASS to instruction strings and structured programs |
//! | [`report`] | figures of tables and schedules, and the page that holds them |
//! | [`input`], [`limits`], [`cli`] | instance files, time and memory, the command line |
//!
//! # From equations to functions
//!
//! | equation | what | function |
//! |---|---|---|
//! | Be12 1, 2 | sigma from units and warp size | [`Throughput::from_units`](model::Throughput::from_units) |
//! | Be12 Fig. 1 | sub-warp expansion | [`Kernel::repeat`](model::Kernel::repeat) |
//! | Be12 Fig. 2 | a schedule drawn | [`schedule::chart`], [`schedule::gantt`](schedule::gantt()) |
//! | Be12 5-7 | pessimistic makespan, unsafe above sigma = 1 | [`bound::pessimistic`] |
//! | Be12 11-41, Fig. 3 | binary ILP | [`ilp::solve`] |
//! | Be12 42, 43 | estimate from few warps, unsafe | [`bound::min_over_y`] |
//! | Be12 Fig. 5-7 | solve times, convergence of the estimate | [`report::report`] |
//! | Si21 Algorithm 4 | the issue unit, for any policy | [`policy::simulate`] |
//! | Si21 Algorithm 5 | RT-PAWS: the order of warps by priority and budget | [`policy::RtPaws`] |
//! | ours | critical path, safe for every instance | [`bound::critical_path`] |
//! | ours | T(W) = I + (W-1) a and its schedule | [`phase::solve`], [`phase::straggler`] |
//! | ours | phase bound for any sigmas and mixes; from any state | [`phase::bound()`], [`phase::Rest`] |
//! | ours | f(state) over all states | [`states::solve`] |
//! | ours | aggregated ILP | [`ilp::Formulation::Aggregated`] |

pub mod beam;
pub mod bound;
pub mod check;
pub mod cli;
pub mod code;
#[cfg(feature = "highs")]
pub mod ilp;
pub mod input;
pub mod limits;
pub mod model;
pub mod phase;
pub mod policy;
pub mod program;
pub mod report;
pub mod schedule;
pub mod simulate;
pub mod solve;
pub mod states;
pub mod sweep;
mod theme;
