//! AMALTHEA models of APP4MC: response times of their tasks on processor cores and GPUs, and latencies of
//! their event chains.
//!
//! The model of D. Paredes, *AMALTHEA-based GPU Response Time Analysis for NVIDIA's Jetson TX2*, 2019
//! (section 1.4): a runnable reads, executes and writes. On a GPU, reading is copying to the device and writing
//! is copying back. A task on a core triggers a task on the GPU and waits for its event, actively (its core is
//! busy) or passively (it suspends itself).
//!
//! ```
//! use warpspan_amalthea::{analyse, read_model};
//!
//! let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../instances/camera.amxmi");
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
//! A part that ends with something that takes no time, such as a trigger, still needs its unit for a moment, and work
//! that is released at that very moment may run first. So each such end takes a time e > 0 in all recurrences together,
//! and the bounds are the limit as e goes to 0. As all times of the model are whole picoseconds, and sums are constant
//! or grow as the window does in between, it is found with e as one of 2^20 parts of a picosecond, and rounded down;
//! were there so many moments in one window that they add up to a picosecond, the bound would only be larger. A circle
//! of waits has no solution, even if nothing in it takes time.
//!
//! # A core
//!
//! Let H be the tasks that may delay a task k on its core: under fixed priorities all but those of lower priority (of a
//! task without a priority that is not known), else all. The
//! *first kind* of them stays on this core and never suspends itself. Let `D_i` be the time from the arrival of a job of i, or from
//! its release, to its deadline: the longest response time that the model allows.
//!
//! The tasks are ordered by fixed priorities, or by deadlines (`EarliestDeadlineFirst`), if all tasks of the core are under one such
//! scheduler; else in no known way. By deadlines they are ordered only if k stays on this core, and if k and all of the first kind have
//! deadlines, and a jitter below their periods: else a job might have to wait for one of its task whose deadline is later.
//!
//! Of x >= 0 and q = 1, 2, .. let `w_q(x)` be the least w with
//!
//! w >= q (`C_k` + waits) + `B(x)` + q s B + sum over H of `W_j(w, x)`
//!
//! where the waits are the bounds of all tasks that a job of k waits for, s is the number of its passive waits, and
//!
//! * `W_j(w, x)` = min(ceil((w + `J_j`) / `T_j`), max(0, 1 + floor((x + `D_k` - `D_j` + `J_j`) / `T_j`))) `E_j` for the first kind; the
//!   second term of min is there under deadlines;
//! * `W_j(w, x)` = n `E_j` + min(`E_j`, r), where w + `R_j` - `E_j` = n `T_j` + r, for any other j, if `R_j` <= `T_j`;
//! * B is the largest `E_j` of a task that cannot be preempted at any time and is of lower priority, or under deadlines of the first
//!   kind; `B(x)` is the same under fixed priorities, and under deadlines the largest with `D_j` - `D_k` > x.
//!
//! Let `L_q` be the least w without the second terms, with `B(0)`. A job of k takes, from its release, at most the
//! largest `w_q(x)` - x over q up to the first with `L_q` <= q `T_k` - `J_k`, and over x with
//! max(0, (q - 1) `T_k` - `J_k`) <= x < min(`L_q`, q `T_k` - `J_k`). As x grows, `w_q(x)` grows only where one more job of some j is as
//! urgent, at x = n `T_j` + `D_j` - `D_k` - `J_j`, so only these x and the least are looked at. For a part of a job at its beginning, the q-th
//! summand of the first two is that of the part.
//!
//! *Proof.* Say that our job is released at r. Let Q be the jobs of k that are released before, and the jobs of the first kind in H
//! that may come before it: under deadlines, those with deadlines of at most r + `D_k`. Jobs of k up to ours
//! have such deadlines too, whether these count from arrivals or from releases; so have jobs of j that wait before one of Q. So whenever one of Q or our job is ready, the core runs one of them or a job of the second kind, or completes a job that is
//! not of these and cannot be preempted. Let t be the latest time up to r at which none of Q is pending, and x = r - t. From t until our job
//! ends, the core runs Q, our job or the second kind, or k is suspended, or, once at t and once after each suspension, a job that cannot be
//! preempted is completed. One that began before t was released before t, so its deadline, later than r + `D_k`, is earlier than t + `D_j`: then
//! `D_j` - `D_k` > x.
//! Jobs of Q that run were released at t or later; those of j arrive by r + `D_k` - `D_j`, `T_j` apart, and the first at t - `J_j` or
//! later: that is the second term. A job of the second kind that was released before t ends within `R_j` of its arrival,
//! so it runs at most `E_j`, and no more than what is left of `R_j`; the later ones arrive `T_j` apart, and the sum
//! is largest where just `E_j` is left of the first (Bertogna and Cirinei, RTSS 2007). If our job is the q-th of k since t, then all this
//! work up to t + `w_q(x)` fits in there, so our job ends by then. It is released (q - 1) `T_k` - `J_k` after t or later, and before t + `L_q`, as
//! by then nothing of Q is pending. If `L_q` <= q `T_k` - `J_k`, nothing is pending before the next job of k is released, which ends
//! the search for larger q; fewer jobs of k than fit before x only make the sum smaller. The order among jobs
//! of equal urgency plays no part, but jobs of one task run in the order of their releases. Bounds that use each other hold together:
//! consider the earliest time at which a job exceeds its bound; until then no job has, which is all that the sum for that
//! job uses.
//!
//! Without jitter, suspension and blocking these are the response times of M. Spuri (*Analysis of deadline scheduled real-time
//! systems*, INRIA RR-2772, 1996) under deadlines, and of J. Lehoczky (RTSS 1990) under priorities, both of which are exact.
//!
//! A task that may run on several cores has the largest bound of them, with q = 1 and x = 0, if that is at most `T_k` -
//! `J_k` from its release: its jobs might run side by side. It holds if the task stays on one of them, and also if it
//! moves so that it never waits while one of them runs a task that may not delay it.
//!
//! The bounds are the least solution of all recurrences together, found from below.

// Layers: a module uses only those of the groups above its own.
mod xml;

mod model;

mod cost;

mod chain;
mod co_running;
mod findings;
mod job;

mod read;
mod response;

mod processor;
mod reason;

mod analysis;

mod annotate;
mod assumes;

pub use analysis::{Analysis, ChainResult, StepTime, TaskResult, analyse};
pub use annotate::annotate;
pub use assumes::{bounds_rest_on, rests_on};
pub use model::{
    Access, Activation, Chain, Finding, Label, Model, ProcessingUnit, Range, Runnable, Scheduler, Step, Task,
    Work,
};
pub use read::read_model;
