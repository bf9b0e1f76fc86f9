//! The worst case in closed form for one kernel at `sigma_L = sigma_C = 1`, and a safe bound for everything
//! else.
//!
//! # Theory
//!
//! The kernel is cut between every two equal neighbours. The pieces are its maximal alternating *blocks*, of
//! lengths `l_1, l_2, ...`. With I instructions and W warps,
//!
//! ```text
//! a = sum over the blocks of ceil(l / 2)        T(W) = I + (W - 1) a   for W >= 3,   T(1) = I
//! ```
//!
//! For example, LLCLL is L|LCL|L, so a = 1 + 2 + 1 = 4 and T(600) = 5 + 599 * 4 = 2401. For W = 2 the worst
//! case is a longest path over pairs of positions (`phase::pair`), which is never above I + a and often
//! below.
//!
//! *Upper half.* Each instruction gets a label L or C. A label that agrees with its letter earns 1, a change
//! of label between neighbours costs 1, and a is what the best labelling earns: each block holds floor(l/2)
//! disjoint pairs of unequal neighbours, each of which holds a disagreement or a change, and a labelling that
//! gives each block its first letter (and the last letter of an even block its own) costs exactly that. A
//! potential argument over these labellings gives `T <= I + (W - 1) a`.
//!
//! *Lower half.* The schedule of [`straggler`] attains the bound. W - 1 *pack* warps go through the kernel
//! block by block while one *straggler* z is kept back, so that both units issue together in only
//! `(W-1) floor(l/2)` cycles of a block. Therefore `W I` issues take `I + (W - 1) a` cycles. The schedule is
//! replayed before it is shown.
//!
//! # Larger sigmas, several kernels
//!
//! For these the same potential argument gives a bound that is safe and often tight ([`bound()`]), from any
//! state ([`Remaining`]). Its weights are `1/sigma`, with a price theta for a change from the slower unit's
//! label and a term for each switch of a warp from the slower to the faster unit. `docs/closed-form.md` has
//! all statements, proofs and evidence.
//!
//! With barriers, the phase bound holds with the rates of the segments between them added up, since a barrier
//! is a free change of label. Where all warps are in one block, the worst cases of the segments add up, too
//! ([`by_segments`]). `docs/programs.md` has the proofs.
//!
//! # Practice
//!
//! [`solve`] answers for every instance in the domain of the closed form, and [`Domain`] says why another
//! instance is outside it. [`bound()`] answers for every instance.
//!
//! This module has no closed form above sigma 1. Whether there is one is an open question.

mod bound;
mod busy_time;
mod labelling;
mod pair;
mod rate;
mod remaining;
mod straggler;

use thiserror::Error;
use warpspan_check::seal::SEAL;

use crate::phase::pair::Pair;
use warpspan_check::bound::{Lower, Theorem, Upper};
use warpspan_check::schedule::Schedule;
use warpspan_model::Labelling;
use warpspan_model::limits::Limits;
use warpspan_model::{Cycles, Instance, Kernel};

pub use bound::{PhaseBound, bound};
#[doc(hidden)]
pub use bound::{bound_while, labellings};
pub use busy_time::busy;
pub use labelling::Rational;
pub use rate::{labels, rate};
pub use remaining::Remaining;
pub(crate) use remaining::Sums;
#[doc(hidden)]
pub use straggler::held_back;
pub use straggler::straggler;

/// The answer of the closed form.
#[derive(Debug, Clone)]
pub struct ClosedForm {
    /// The worst case as a lower bound, by the theorem. [`schedule`](Self::schedule) can be replayed as
    /// evidence.
    pub lower: Lower,
    /// The worst case as an upper bound.
    pub upper: Upper,
    /// The rate a: the cycles that each further warp adds, for W >= 3.
    pub rate: u64,
    /// A best labelling of the kernel.
    pub labels: Labelling,
    plan: Plan,
}

/// How to construct the worst schedule.
#[derive(Debug, Clone)]
enum Plan {
    Straggler(Kernel, u64),
    Pair(Pair),
}

impl ClosedForm {
    /// A schedule that attains the worst case. It is `None` if it is too large for the limits.
    pub fn schedule(&self, limits: &Limits) -> Option<Schedule> {
        match &self.plan {
            Plan::Pair(pair) => Some(pair.schedule()),
            Plan::Straggler(kernel, warps) => {
                let bytes = warps.checked_mul(kernel.instructions())?.checked_mul(BYTES_AN_ISSUE)?;
                let fits = bytes <= limits.memory && *warps <= u64::from(u32::MAX);
                fits.then(|| Schedule::new(straggler(kernel, *warps).collect()))
            }
        }
    }
}

/// Why the closed form does not apply.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Domain {
    /// The instance has more than one group.
    #[error("the closed form is for one kernel; this instance has {0} groups")]
    Groups(usize),
    /// A sigma is above 1.
    #[error("the closed form is for sigma_L = sigma_C = 1 after the expansion to sub-warps")]
    Sigma,
    /// The kernel has barriers.
    #[error("the closed form is for kernels without barriers; take the segments between them")]
    Barriers,
    /// The instance has two warps of a kernel so long that the pairs of positions exceed the limits.
    #[error("two warps of {0} instructions: the pairs of positions exceed the limits")]
    Pairs(u64),
}

/// The number of bytes that an issue takes while its schedule is built and replayed.
const BYTES_AN_ISSUE: u64 = 128;

/// The exact worst case of an instance in the domain of the theorem.
///
/// # Errors
/// If the instance is outside the domain.
pub fn solve(instance: &Instance, limits: &Limits) -> Result<ClosedForm, Domain> {
    let (kernel, warps) = one_kernel(instance)?;
    let rate = rate(kernel);
    let labels = labels(kernel);
    let closed = |cycles, theorem, plan| ClosedForm {
        lower: Lower::proved(cycles, theorem, SEAL),
        upper: Upper::proved(cycles, theorem, SEAL),
        rate,
        labels,
        plan,
    };
    if warps == 2 {
        let pair = Pair::longest(kernel, limits).ok_or(Domain::Pairs(kernel.instructions()))?;
        return Ok(closed(pair.makespan(), Theorem::LongestPair, Plan::Pair(pair)));
    }
    let makespan = Cycles(kernel.instructions() + (warps - 1) * rate);
    Ok(closed(makespan, Theorem::ClosedForm, Plan::Straggler(kernel.clone(), warps)))
}

/// Whether an instance is in the domain of the theorem.
///
/// # Errors
/// The reason why it is not.
pub fn applies(instance: &Instance) -> Result<(), Domain> {
    one_kernel(instance).map(|_| ())
}

/// The bound I + (W - 1) a, which the worst case does not exceed for any W. It takes almost no time.
///
/// # Errors
/// If the instance is outside the domain.
pub fn upper(instance: &Instance) -> Result<Upper, Domain> {
    let (kernel, warps) = one_kernel(instance)?;
    let cycles = Cycles(kernel.instructions() + (warps - 1) * rate(kernel));
    Ok(Upper::proved(cycles, Theorem::ClosedForm, SEAL))
}

/// The sum over the segments between barriers, each by its closed form or phase bound. No schedule takes
/// longer where all warps are in one block. The result is `None` for several blocks and without a barrier.
pub fn by_segments(instance: &Instance, limits: &Limits) -> Option<Upper> {
    let segments = instance.segments().filter(|_| instance.has_barriers())?;
    let each = |segment: &Instance| match solve(segment, limits) {
        Ok(closed) => closed.upper,
        Err(_) => bound(segment).makespan,
    };
    Upper::of_segments(segments.iter().map(each), SEAL)
}

/// The kernel and the warps of an instance with one kernel and unit sigmas.
fn one_kernel(instance: &Instance) -> Result<(&Kernel, u64), Domain> {
    match instance.groups() {
        _ if instance.has_barriers() => Err(Domain::Barriers),
        [group] if instance.has_unit_sigma() => Ok((&group.kernel, group.warps)),
        [_] => Err(Domain::Sigma),
        groups => Err(Domain::Groups(groups.len())),
    }
}
