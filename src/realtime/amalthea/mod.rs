//! AMALTHEA models of APP4MC: response times of their tasks on processor cores and GPUs, and latencies of
//! their event chains.
//!
//! The model of D. Paredes, *AMALTHEA-based GPU Response Time Analysis for NVIDIA's Jetson TX2*, 2019
//! (section 1.4): a runnable reads, executes and writes. On a GPU, reading is copying to the device and writing
//! is copying back. A task on a core triggers a task on the GPU and waits for its event, actively (its core is
//! busy) or passively (it suspends itself).
//!
//! ```
//! use warpspan::realtime::amalthea::{analyse, read_model};
//!
//! let file = "instances/camera.amxmi";
//! let model = read_model(file, &std::fs::read_to_string(file)?)?;
//! let analysis = analyse(&model);
//! // Jobs of `Detect_on_host` take at most 37 ms, in picoseconds.
//! assert_eq!(model.tasks[2].name, "Detect_on_host");
//! assert_eq!(analysis.tasks[2].bound.map(|bound| bound.0), Some(37_000_000_000));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Symbols
//!
//! | symbol | meaning | in the code |
//! |---|---|---|
//! | `T_i`, `J_i` | the least time between arrivals, the longest time from an arrival to its release | [`Activation`] |
//! | `C_i` | what a job of i runs at most: ticks by the clock, and accesses | [`TaskResult::execution`] |
//! | `E_i` | `C_i` and the bounds of what it waits for actively: what it asks of its core | |
//! | `S_i` | the bounds of what it waits for passively | |
//! | `R_i` | its bound, from its arrival to its end | [`TaskResult::bound`] |
//!
//! # The GPU
//!
//! A GPU runs one task at a time, in any order that leaves it idle only when no task is ready; the order may
//! change at any time, as with time slices, but jobs of one task run in the order of their releases. Let `L_q` be the
//! least L with L >= q `C_k` + sum over the other tasks of ceil((L + `J_g`) / `T_g`) `C_g`. A job of k takes at most the
//! largest `L_q` - max(0, (q - 1) `T_k` - `J_k`) from its release, over q up to the first with `L_q` <= q `T_k` - `J_k`.
//! The jitter `J_g` is that of the trigger: the bound of what the triggering job does before, without the least that takes.
//!
//! *Proof.* Let t be the latest time up to the release of the job at which no work that was released before is left. From
//! t until the job ends the GPU is never idle. If the job is the q-th of k since t, no more than q jobs of k, and those of
//! others that are counted, run until it ends: that is by t + `L_q`. It was released (q - 1) `T_k` - `J_k` after t or later.
//! If `L_q` <= q `T_k` - `J_k`, all work is done before the next job of k is released, which ends the search for larger q.
//!
//! # Moments
//!
//! What ends with something that takes no time, such as a trigger, still needs its unit for a moment, and what is released at
//! that very moment may come first. So each such end takes a time e > 0 in all recurrences together, and the bounds are the
//! limit as e goes to 0. As all times of the model are whole picoseconds, and sums are constant or grow as the window does in between, it
//! is found with e as one of 2^20 parts of a picosecond, and rounded down; were there so many moments in one window that
//! they add up to a picosecond, the bound would only be larger. A circle of waits has no solution, even if nothing in it takes time.
//!
//! # A core
//!
//! Let H be the tasks that may delay a task k on its core: all but those of lower priority, if all tasks of the
//! core are under one scheduler with fixed priorities; else all. The least w with
//!
//! w >= `C_k` + waits + (1 + passive waits) B + sum over H of `W_j(w)`
//!
//! bounds the time from the release of a job of k to its end if w + `J_k` <= `T_k`. The waits are the
//! bounds of all tasks that it waits for, B is the largest `E_j` of a task of lower priority that cannot be
//! preempted at any time, and
//!
//! * `W_j(w)` = ceil((w + `J_j`) / `T_j`) `E_j` if j stays on this core and never suspends itself;
//! * `W_j(w)` = n `E_j` + min(`E_j`, r), where w + `R_j` - `E_j` = n `T_j` + r, for any other j, if `R_j` <= `T_j`.
//!
//! *Proof.* Let t be the latest time up to the release of the job at which neither an earlier job of k nor a
//! job of a j of the first kind is pending. From t until the job completes, one of them or the job itself is
//! pending, so the core runs H or k, or k is suspended, or, once at t and once after each suspension, a
//! job that cannot be preempted is completed. Jobs of the first kind that run were released at t or later. A job of the second kind that was released before t ends within `R_j` of its arrival,
//! so it runs at most `E_j`, and no more than what is left of `R_j`; the later ones arrive `T_j` apart, and the sum
//! is largest where just `E_j` is left of the first (Bertogna and Cirinei, RTSS 2007). As long as only one
//! job of k has been released since t, all this work fits into w; so by t + w, before another one can be released,
//! everything pending is complete. Hence the job began no earlier than t and ends by t + w. The order among
//! jobs of equal priority plays no part. Bounds that use each other hold together: consider the earliest time
//! at which a job exceeds its bound; until then no job has, which is all that the sum for that job uses.
//!
//! A task that may run on several cores has the largest bound of them. It holds if the task stays on one of
//! them, and also if it moves so that it never waits while one of them runs what may not delay it.
//!
//! The bounds are the least solution of all recurrences together, found from below.

mod analysis;
mod annotate;
mod assumes;
mod chain;
mod company;
mod cost;
mod findings;
mod job;
mod model;
mod read;
mod reason;
mod response;

pub use analysis::{Analysis, ChainResult, StepTime, TaskResult, analyse};
pub use annotate::annotate;
pub use assumes::assumes;
pub use model::{
    Access, Activation, Chain, Finding, Label, Model, ProcessingUnit, Range, Runnable, Scheduler, Step, Task,
    Work,
};
pub use read::read_model;
