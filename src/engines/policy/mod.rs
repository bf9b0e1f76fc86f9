//! Warp-scheduling policies of GPUs, simulated: what one of them makes of an instance, beside the exact best and worst.
//!
//! # Theory
//!
//! A warp scheduler calls its policy once a cycle. The policy only *orders* the warps ([`SortWarps`]); an issue unit goes
//! through them in this order and issues each that is ready and whose unit has room ([`simulate`]; **Si21** Algorithm 4:
//! J. Singh, *Toward predictable execution of real-time workloads on modern GPUs*, master's thesis, University of Illinois
//! Urbana-Champaign, 2021, chapter 4).
//!
//! | policy | order |
//! |---|---|
//! | [`Lrr`] | loose round robin: from the warp after the one issued last |
//! | [`Gto`] | greedy, then oldest: the warp issued last, then the others by age |
//! | [`Oldest`] | by age |
//! | [`RtPaws`] | two groups by priority, in turn by budget, GTO in the first, oldest in the second (Si21 Algorithm 5) |
//! | [`Random`] | any order, drawn anew each cycle |
//! | [`Policy::Worst`] | the adversary of [`crate::engines::portfolio`]: a schedule, not an order |
//!
//! The model of this crate ([`crate::model`]) lets *any* order be chosen, so a policy's makespan lies between the exact
//! best and worst case, wherever the machine is that of the model: every unit is filled from the order, a warp is ready
//! again in the cycle after it issued, and all warps are there in cycle 1 ([`Machine::is_within_model`]). Then each
//! schedule is replayed by the verifier. Where schedulers issue one instruction a cycle, instructions have latencies or
//! kernels come one after the other, the exact worst case is of another model and says nothing.
//!
//! # Practice
//!
//! Cycles count from 1. Warps are numbered through all groups in order of launch (ties: in order of groups), and a
//! smaller number is an *older* warp. A group launched at t has its warps ready in cycle t + 1. An instruction issued in
//! cycle t with latency d leaves its warp ready again in cycle t + d, and is complete at the end of cycle t + d - 1; a
//! group completes with its last instruction. Warp w belongs to scheduler w mod n (Si21 section 4.2); the schedulers
//! share the units, and a turn passes among them: scheduler t - 1 mod n is first to take from the units in cycle t.
//! Schedulers without warps, where there are more than warps, have no turn.
//!
//! Where a scheduler issues several instructions a cycle, each unit takes the first warps of the order that want it, the
//! warp "issued in the last cycle" is the first of those: so it is the head of the order unless the head stalled, and loose
//! round robin goes on after it.
//!
//! A barrier opens when the last instruction before it of the last of its block's warps is complete; its warps are ready then.
//!
//! Not covered: fetching, caches, blocks that wait for room on the multiprocessor.
//!
//! ```
//! use warpspan::limits::Limits;
//! use warpspan::model::{Instance, Multiprocessor};
//! use warpspan::engines::policy::{Machine, Policy, simulate};
//!
//! let instance = Instance::single("LLCLL".parse()?, 4, Multiprocessor::default())?;
//! let machine = Machine::of_model(&instance);
//! let run = simulate(&instance, Policy::Gto, &machine, &Limits::generous())?;
//! assert_eq!(run.makespan().0, 17); // the worst case; loose round robin takes 16, the best
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod gto;
mod issue;
mod lrr;
mod machine;
mod name;
mod oldest;
mod random;
mod range;
mod rt_paws;
mod run;
mod sort;

pub use gto::Gto;
pub use issue::simulate;
pub use lrr::Lrr;
pub use machine::{Machine, MachineError, Width};
pub use name::Policy;
pub use oldest::Oldest;
pub use random::Random;
pub use range::{Range, range, worst};
pub use rt_paws::RtPaws;
pub use run::{Run, RunError};
pub use sort::{Candidate, Last, SortWarps};
