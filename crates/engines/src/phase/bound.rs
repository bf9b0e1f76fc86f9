//! The phase bound, which is a safe upper bound for any whole sigmas and any mix of kernels.
//!
//! With the labellings of [`labelling`](super::labelling), let a(s) be the rate of a string at some theta,
//! and n(s) the number of places where a slow letter is followed by a fast one. Then
//!
//! ```text
//! c = min(sigma_fast - 1, D) (theta - 1/sigma_fast),   D = the number of other warps with two fast letters in a row
//! finish(w) <= I_w + n(s_w) c + sum over the other warps v of a(s_v)         for every warp w
//! ```
//!
//! for every theta, so the smallest bound over theta holds. It is a convex, piecewise linear function, whose
//! minimum is found exactly by tangents. `docs/closed-form.md` has the proof. With barriers, a(s) is the sum
//! over the segments between them, n(s) counts places across them, too, and D is W - 1, or 0 if no segment has two
//! fast letters in a row (`docs/programs.md`). There are two refinements of the waits, `n c + sum a(s_v)`:
//!
//! * They are at most those of the critical path, unit by unit: none on a unit that takes every warp or for
//!   which w has no letter, and otherwise `floor(the others' letters / sigma)`.
//! * Without barriers, the proof follows w through its runs of letters, so only labellings with at most as
//!   many changes count. Let r be the number of letter changes in `s_w`, X its first letter, Y the other
//!   letter, k the length of its first run, `c_X` = c if X is the slow unit and 0 otherwise, and `A^r_X` the
//!   most that a labelling with at most r changes earns if X is the label before the string. Then the waits are
//!   at most `n c + max(sum A^r_X, sum A^(r-1)_Y - c_X - k)` (for r = 0 the first of the two).

use std::collections::HashMap;
use warpspan_check::seal::SEAL;

use num_rational::Ratio;

use crate::phase::labelling::{Cost, Rational, Weights, fast, sigmas};
use warpspan_check::bound::{Theorem, Upper};
use warpspan_model::Labelling;
use warpspan_model::{Cycles, Instance, Kernel, PerUnit, Unit};

/// The phase bound of an instance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PhaseBound {
    /// A bound on the makespan of every schedule.
    pub makespan: Upper,
    /// For each group, a bound on the cycle in which any of its warps finishes.
    pub finish: Vec<Cycles>,
    /// The price of a change from the slow label at which the bound is smallest, for the group that finishes
    /// last.
    pub theta: Rational,
    /// The same price for each group.
    pub thetas: Vec<Rational>,
    /// The rate a of each group at that price: the cycles that a further warp of the group adds.
    pub rates: Vec<Rational>,
    /// A best labelling of each group's kernel.
    pub labels: Vec<Labelling>,
}

/// Up to this product of letters and changes, labellings are distinguished by their number of changes. Beyond it
/// all labellings count, which is safe.
const MOST_RESTRICTED: usize = 1 << 16;
/// The number of tangents that are tried. Each gives a valid bound.
const MOST_TANGENTS: usize = 40;

/// Computes the bound. Each theta takes time O(I), and a few of them are tried.
///
/// ```
/// use warpspan_model::{Instance, Multiprocessor};
/// use warpspan_engines::phase::bound;
///
/// // one of the instances that need the term n c: the exact worst case is 9
/// let sigmas = Multiprocessor::new("1".parse()?, "2".parse()?);
/// let instance = Instance::single("LCCC".parse()?, 4, sigmas)?;
/// assert_eq!(bound(&instance).makespan.cycles().0, 9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn bound(instance: &Instance) -> PhaseBound {
    bound_while(instance, &|| true)
}

/// The same, but as soon as `goes_on` says no, the waits of the groups that are left are bounded by the critical path
/// alone, which takes no time.
pub fn bound_while(instance: &Instance, goes_on: &dyn Fn() -> bool) -> PhaseBound {
    let terms = Terms::new(instance);
    let of_kinds: Vec<(Cycles, Rational)> = (0..terms.kinds.len())
        .map(|kind| if goes_on() { terms.finish(kind) } else { terms.critical_finish(kind) })
        .collect();
    let finishes: Vec<(Cycles, Rational)> = terms.kind.iter().map(|&kind| of_kinds[kind]).collect();
    let &(latest, theta) =
        finishes.iter().max_by_key(|(cycles, _)| *cycles).expect("an instance has a group");
    let weights = Weights::new(terms.sigmas, theta);
    let rate = |kernel: &Kernel| {
        let cheapest: i128 = segments(kernel).iter().map(|part| weights.free(part).value()).sum();
        Ratio::new(weights.work(|unit| kernel.count(unit)) - cheapest, weights.scale)
    };
    let labels = |kernel: &Kernel| {
        Labelling::of_segments(segments(kernel).iter().map(|part| weights.labels(part, None)))
    };
    let of_kinds: Vec<(Rational, Labelling)> =
        terms.kinds.iter().map(|kind| (rate(kind.kernel), labels(kind.kernel))).collect();
    PhaseBound {
        makespan: Upper::proved(latest, Theorem::Phase, SEAL),
        finish: finishes.iter().map(|&(cycles, _)| cycles).collect(),
        theta,
        thetas: finishes.iter().map(|&(_, theta)| theta).collect(),
        rates: terms.kind.iter().map(|&kind| of_kinds[kind].0).collect(),
        labels: terms.kind.iter().map(|&kind| of_kinds[kind].1.clone()).collect(),
    }
}

/// Good labellings, each of all groups: for each first label the cheapest one at both ends of theta and where
/// the bound is smallest. [`simulate::phased`](crate::simulate::phased()) uses them.
pub fn labellings(instance: &Instance, theta: Rational) -> Vec<Vec<Labelling>> {
    let sigmas = sigmas(instance);
    let ends = Unit::ALL.map(|unit| Ratio::new(1, sigmas[unit]));
    let kernels = || instance.groups().iter().map(|group| &group.kernel);
    let at = |theta, first| -> Vec<Labelling> {
        let weights = Weights::new(sigmas, theta);
        kernels().map(|kernel| Labelling::of_segment(weights.labels(kernel, first))).collect()
    };
    let firsts = [None, Some(Unit::LoadStore), Some(Unit::CudaCore)];
    let thetas = ends.into_iter().chain([theta]);
    let mut labellings: Vec<Vec<Labelling>> =
        thetas.flat_map(|theta| firsts.map(|first| at(theta, first))).collect();
    labellings.sort_unstable_by(|a, b| b.cmp(a)); // policies are then tried in a fixed order
    labellings.dedup();
    labellings
}

/// The groups of one kernel. The bound on a warp depends on its kernel and on all warps, so it is the same for each of
/// these groups.
struct Kind<'a> {
    kernel: &'a Kernel,
    /// The warps of these groups.
    warps: u64,
    /// The segments between barriers. A kernel without barriers is one segment.
    segments: Vec<Kernel>,
    /// The number n of places where a slow letter is followed by a fast one.
    switches: u64,
    /// The number of letter changes.
    changes: usize,
    /// The factor of c for its warps: c is this times (theta - 1/sigma_fast).
    switch: i128,
}

/// The terms of the bound.
struct Terms<'a> {
    instance: &'a Instance,
    sigmas: PerUnit<i128>,
    fast: Unit,
    has_barriers: bool,
    kinds: Vec<Kind<'a>>,
    /// The kind of each group.
    kind: Vec<usize>,
    /// The number of warps, and of letters for each unit.
    warps: u64,
    issues: PerUnit<u64>,
}

/// A value at some theta, and the slope there.
#[derive(Clone, Copy)]
struct Tangent {
    theta: Rational,
    value: Rational,
    slope: i128,
}

impl<'a> Terms<'a> {
    fn new(instance: &'a Instance) -> Self {
        let sigmas = sigmas(instance);
        let fast = fast(sigmas);
        let (mut kinds, mut kind, mut known) = (Vec::<Kind<'_>>::new(), Vec::new(), HashMap::new());
        for group in instance.groups() {
            let kernel = &group.kernel;
            let at = *known.entry(kernel).or_insert(kinds.len());
            kind.push(at);
            match kinds.get_mut(at) {
                Some(kind) => kind.warps += group.warps,
                None => kinds.push(Kind {
                    kernel,
                    warps: group.warps,
                    segments: segments(kernel),
                    switches: switches(kernel, fast),
                    changes: kernel.changes(),
                    switch: 0,
                }),
            }
        }
        let has_barriers = instance.has_barriers();
        let twice: Vec<bool> = kinds.iter().map(|kind| twice(kind.kernel, fast)).collect();
        // Only the warps with two fast letters in a row can lose by a switch; with barriers, all count if any segment
        // has two.
        let counts = |at: usize| if has_barriers { twice.contains(&true) } else { twice[at] };
        let all = kinds.iter().enumerate().filter(|&(at, _)| counts(at));
        let all: i128 = all.map(|(_, kind)| i128::from(kind.warps)).sum();
        for (at, kind) in kinds.iter_mut().enumerate() {
            kind.switch = (all - i128::from(counts(at))).min(sigmas[fast] - 1);
        }
        let issues = PerUnit::from_fn(|unit| instance.total_issues_on(unit));
        let warps = instance.total_warps();
        Self { instance, sigmas, fast, has_barriers, kinds, kind, warps, issues }
    }

    /// The bound on the finish of the warps of a kind, and the theta that gives it.
    fn finish(&self, kind: usize) -> (Cycles, Rational) {
        let best = self.smallest(kind);
        let phases = u64::try_from(best.value.floor().to_integer()).unwrap_or(0);
        let waits = phases.min(self.critical(kind));
        (Cycles(self.kinds[kind].kernel.instructions() + waits), best.theta)
    }

    /// The bound on the finish of the warps of a kind by the critical path, and a theta.
    fn critical_finish(&self, kind: usize) -> (Cycles, Rational) {
        let cycles = self.kinds[kind].kernel.instructions() + self.critical(kind);
        (Cycles(cycles), Rational::new(1, self.sigmas[self.fast]))
    }

    /// The bound on the waits by the critical path, unit by unit.
    fn critical(&self, kind: usize) -> u64 {
        let kernel = self.kinds[kind].kernel;
        let waits = |unit: Unit| match self.instance.sigma(unit) {
            sigma if sigma >= self.warps || kernel.count(unit) == 0 => 0,
            sigma => (self.issues[unit] - kernel.count(unit)) / sigma,
        };
        Unit::ALL.into_iter().map(waits).sum()
    }

    /// The smallest bound over theta on the waits by phases.
    fn smallest(&self, kind: usize) -> Tangent {
        let at = |unit| Rational::new(1, self.sigmas[unit]);
        let mut low = self.waits(kind, at(self.fast));
        let mut high = self.waits(kind, at(self.fast.other()));
        let mut best = if high.value < low.value { high } else { low };
        for _ in 0..MOST_TANGENTS {
            if low.slope >= 0 || high.slope <= 0 || low.theta >= high.theta {
                break;
            }
            // the theta where the two tangents meet
            let (a, b) = (Rational::from(low.slope), Rational::from(high.slope));
            let theta = (high.value - low.value + a * low.theta - b * high.theta) / (a - b);
            let middle = self.waits(kind, theta);
            if middle.value < best.value {
                best = middle;
            }
            if middle.value <= low.value + a * (theta - low.theta) {
                break; // the value is on both tangents, so no smaller value exists
            }
            if middle.slope < 0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        best
    }

    /// The bound on the waits of a warp of the kind at some theta.
    fn waits(&self, kind: usize, theta: Rational) -> Tangent {
        let weights = Weights::new(self.sigmas, theta);
        let own = &self.kinds[kind];
        let (mut work, mut same, mut opposite) = (0, Sum::default(), Sum::default());
        let (first, length) = own.kernel.runs().next().expect("a kernel has an instruction");
        let (changes, barriers) = (own.changes, self.has_barriers);
        for (at, members) in self.kinds.iter().enumerate() {
            let warps = i128::from(members.warps - u64::from(at == kind));
            let kernel = members.kernel;
            let few = kernel.len().saturating_mul(changes) <= MOST_RESTRICTED;
            work += warps * weights.work(|unit| kernel.count(unit));
            if barriers {
                members.segments.iter().for_each(|part| same.add(warps, weights.free(part)));
                continue;
            }
            let [most, fewer] = weights.cheapest(kernel, few.then_some(changes));
            same.add(warps, most[first]);
            opposite.add(warps, fewer[first.other()]); // this value is not used if the kernel has no change
        }
        let (switch, switches) = (own.switch, i128::from(own.switches));
        opposite.value += length as i128 * weights.scale;
        if first != self.fast {
            opposite.value += switch * (weights.change[first] - weights.letter[self.fast]);
            opposite.slow_changes += switch;
        }
        let least = if changes > 0 && !barriers && opposite.value < same.value { opposite } else { same };
        let price = (theta - Rational::new(1, self.sigmas[self.fast])) * switch * switches;
        Tangent {
            theta,
            value: Rational::new(work - least.value, weights.scale) + price,
            slope: switch * switches - least.slow_changes,
        }
    }
}

/// The sum of the costs of all other warps.
#[derive(Default, Clone, Copy)]
struct Sum {
    value: i128,
    slow_changes: i128,
}

impl Sum {
    fn add(&mut self, warps: i128, cost: Cost) {
        self.value += warps * cost.value();
        self.slow_changes += warps * cost.slow_changes();
    }
}

/// Whether a segment of the kernel has two letters of the unit in a row.
fn twice(kernel: &Kernel, unit: Unit) -> bool {
    kernel.segments().any(|part| part.windows(2).any(|pair| pair == [unit, unit]))
}

/// The segments between barriers, each as a kernel.
fn segments(kernel: &Kernel) -> Vec<Kernel> {
    match kernel.barriers() {
        [] => vec![kernel.clone()],
        _ => kernel.segments().filter_map(|units| Kernel::new(units.to_vec())).collect(),
    }
}

/// The number n of places where a slow letter is followed by a fast one.
fn switches(kernel: &Kernel, fast: Unit) -> u64 {
    kernel.units().windows(2).filter(|pair| pair[0] != fast && pair[1] == fast).count() as u64
}
