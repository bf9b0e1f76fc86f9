//! Warp-scheduling policies of GPUs, simulated, to compare them with the exact best and worst case of an
//! instance.
//!
//! # Theory
//!
//! A warp scheduler calls its policy once a cycle. The policy only *orders* the warps ([`SortWarps`]); an
//! issue unit goes through them in this order and issues each that is ready and whose unit has room
//! ([`simulate`]; **Si21** Algorithm 4: J. Singh, *Toward predictable execution of real-time workloads on
//! modern GPUs*, master's thesis, University of Illinois Urbana-Champaign, 2021, chapter 4).
//!
//! | policy | order |
//! |---|---|
//! | [`Lrr`] | loose round robin: from the warp after the one issued last |
//! | [`Gto`] | greedy, then oldest: the warp issued last, then the others by age |
//! | [`Oldest`] | by age |
//! | [`RtPaws`], [`RtPawsRotating`] | groups by priority and budget, GTO in the first, oldest in the others (Si21 Algorithm 5, in two readings) |
//! | [`Random`] | any order, drawn anew each cycle |
//! | [`Cggty`] | greedy, then youngest: the warp issued last, then the others from the youngest on |
//! | [`Policy::Worst`] | the adversary of [`crate::extremes`]: a schedule, not an order |
//!
//! The model of this crate ([`warpspan_model`]) lets *any* order be chosen. A policy's makespan therefore lies
//! between the exact best and worst case wherever the machine is that of the model: every unit is filled from
//! the order, a warp is ready again in the cycle after it issued, and all warps are present in cycle 1
//! ([`Scenario::is_within_model`]). There each schedule is replayed by the verifier. If schedulers issue one
//! instruction a cycle, instructions have latencies or kernels are launched one after the other, the exact
//! worst case is of another model and says nothing about the run. If all warps are launched together, the
//! schedule is replayed by the verifier on its [machine](warpspan_check::schedule::replay()) instead. [`crate::extremes`]
//! has the best and the worst case.
//!
//! # Practice
//!
//! Cycles count from 1. Warps are numbered through all groups in the order of launch (ties: in the order of
//! groups), and a smaller number is an *older* warp. A group launched at t has its warps ready in cycle
//! t + 1. An instruction issued in cycle t with latency d leaves its warp ready again in cycle t + d, and is
//! complete at the end of cycle t + d - 1. A group completes with its last instruction. Warp w belongs to
//! scheduler w mod n (Si21 section 4.2). The schedulers share the units, and a turn passes among them:
//! scheduler t - 1 mod n is the first to take from the units in cycle t. If there are more schedulers than
//! warps, those without warps have no turn.
//!
//! Where a scheduler issues several instructions a cycle, each unit takes the first warps of the order that
//! want it. The warp "issued in the last cycle" is then the first of those, which is the head of the order
//! unless the head stalled, and loose round robin goes on after it.
//!
//! A barrier opens when every warp of its block has completed its last instruction before the barrier. The
//! warps of the block are ready then.
//!
//! The machine is any [machine](warpspan_model::machine), with private and shared units, occupancies, widths,
//! intervals of latency and dependences, and the schedule is one of its semantics if all warps are launched
//! together. The multiprocessor of L and C is the machine of [`on_units`]. Of an interval, the scenario takes
//! the least or the greatest latency or draws one ([`Draw`]); none of these is the worst case.
//!
//! The simulation does not cover instruction fetch, caches, or blocks that wait for room on the
//! multiprocessor.
//!
//! ```
//! use warpspan_model::limits::Limits;
//! use warpspan_model::{Instance, Multiprocessor};
//! use warpspan_solver::policy::{Policy, Scenario, of_model, simulate};
//!
//! let instance = Instance::single("LLCLL".parse()?, 4, Multiprocessor::default())?;
//! let workload = of_model(&instance)?;
//! let run = simulate(&workload, Policy::Gto, &Scenario::of(&workload), &Limits::generous())?;
//! assert_eq!(run.makespan().0, 17); // the worst case; loose round robin takes 16, the best
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cggty;
mod code;
mod gto;
mod issue;
mod lrr;
mod name;
mod oldest;
mod paper;
mod pool;
mod random;
mod rt_paws;
mod run;
mod scenario;
mod scheduler;
mod sort;
mod units;

pub use cggty::Cggty;
pub use gto::Gto;
pub use issue::simulate;
pub use lrr::Lrr;
pub use name::Policy;
pub use oldest::Oldest;
pub use paper::{instance_of, of_model, on_units};
pub use random::Random;
pub use rt_paws::{Reading, RtPaws, RtPawsRotating};
pub use run::{Run, RunError};
pub use scenario::{Draw, Scenario, ScenarioError};
pub use sort::{Candidate, Last, SortWarps};

pub(crate) use code::{Line, total_issues};
