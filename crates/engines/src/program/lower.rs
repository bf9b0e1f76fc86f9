//! Paths of a program whose schedules are long, for the lower end of its worst case.
//!
//! At sigma 1, without barriers and with W >= 3 warps, W - 1 *pack* warps on a path p delay one *straggler* on a path z
//! to its end, if both begin with the same letter and z has enough runs. Their schedule takes `|z| + (W - 1) a(p)`
//! cycles. Here p and z may be one path. `docs/programs.md` has the proof.
//!
//! Elsewhere a path is chosen for which the bound of its string is largest, and its schedules are simulated.

use std::sync::Arc;

use crate::phase::Rational;
use crate::program::ProgramError;
use crate::program::best::{Best, Weights};
use crate::program::blocks::{Measure, pack, straggler};
use crate::program::terms::Terms;
use warpspan_check::schedule::Taken;
use warpspan_model::program::Path;
use warpspan_model::{Cycles, Unit, Workload};

/// Paths for the warps of a workload.
#[derive(Debug, Clone)]
pub struct Choice {
    /// A path for each group, or two for one group: that of the pack, and that of the straggler.
    pub taken: Vec<Taken>,
    /// The letters of all warps after the expansion to sub-warps. It is `None` if they are too many to count.
    pub letters: Option<u64>,
    /// The letters of the longest path.
    pub longest: u64,
    /// The length of a schedule of these paths, by the theorem, where it applies.
    pub attains: Option<Cycles>,
}

/// Choices of paths whose schedules promise a long makespan, at the theta of the bound.
///
/// # Errors
/// As [`bound()`](crate::program::bound()).
pub fn choices(workload: &Workload, theta: Rational) -> Result<Vec<Choice>, ProgramError> {
    let terms = Terms::new(workload)?;
    let one = |unit| workload.multiprocessor().sigma(unit).letters_a_cycle() == 1;
    let alone = workload.groups().len() == 1;
    let is_unit = alone && Unit::ALL.into_iter().all(one);
    let warps = workload.total_warps();
    if alone && !workload.groups()[0].code.has_barrier() {
        let theorem = is_unit && warps >= 3 || warps == 1;
        if theorem {
            return Ok(held_back(&terms, warps == 1 || workload.takes_same_path())?.into_iter().collect());
        }
    }
    let mut taken = Vec::new();
    let mut value = None;
    for (at, group) in workload.groups().iter().enumerate() {
        let Some((counted, path)) = terms.joint_path(at, theta)? else { return Ok(Vec::new()) };
        value = Some(counted);
        taken.push(Taken { group: at, warps: group.warps, path });
    }
    let in_one_block = is_unit && workload.warps_per_block().is_none() && (warps >= 3 || warps == 1);
    let attains = value.filter(|value| in_one_block && value.is_integer());
    let attains = attains.and_then(|value| u64::try_from(value.to_integer()).ok()).map(Cycles);
    let mut all = vec![Choice { attains, ..terms.choice(taken)? }];
    let different =
        alone && warps > 1 && !workload.takes_same_path() && !terms.groups[0].program.has_barrier();
    if different && let Some(longest) = terms.path(&straggler(None, terms.times))? {
        let pack = Arc::clone(&all[0].taken[0].path);
        if pack != longest {
            all.push(terms.choice(pair(pack, longest, warps))?);
        }
    }
    Ok(all)
}

/// The pack and the straggler of one group.
fn pair(pack: Arc<Path>, straggler: Arc<Path>, warps: u64) -> Vec<Taken> {
    let taken = |path, warps| Taken { group: 0, warps, path };
    vec![taken(pack, warps - 1), taken(straggler, 1)]
}

/// The best pack and straggler among paths that are largest in one respect.
fn held_back(terms: &Terms<'_>, same_path: bool) -> Result<Option<Choice>, ProgramError> {
    let (program, warps) = (&terms.groups[0].program, terms.groups[0].warps);
    let others = warps - 1;
    let mut paths: Vec<(Measure, Arc<Path>)> = Vec::new();
    for first in Unit::ALL.map(Some) {
        let one = pack([1, others], first, terms.times);
        let apart = [pack([0, 1], first, terms.times), straggler(first, terms.times)];
        for weights in std::iter::once(&one).chain(apart.iter().filter(|_| !same_path)) {
            let Some(path) = terms.path(weights)? else { continue };
            if let Some(measure) = Measure::of(program, &path, terms.times)?
                && paths.iter().all(|(_, known)| *known != path)
            {
                paths.push((measure, path));
            }
        }
    }
    let mut best: Option<(i128, usize, usize)> = None;
    for (at, (pack, _)) in paths.iter().enumerate() {
        for (behind, (straggler, _)) in paths.iter().enumerate() {
            if at != behind && (same_path || !pack.holds_back(straggler)) {
                continue;
            }
            let more = pack.rate.checked_mul(others.into()).ok_or(ProgramError::Overflow)?;
            let cycles = more.checked_add(straggler.letters).ok_or(ProgramError::Overflow)?;
            // One path for all warps is simpler, so it is preferred where it is as good.
            let is_better = |&(known, a, b): &(i128, usize, usize)| {
                cycles > known || cycles == known && a != b && at == behind
            };
            if best.as_ref().is_none_or(is_better) {
                best = Some((cycles, at, behind));
            }
        }
    }
    let Some((cycles, at, behind)) = best else { return Ok(None) };
    let path = |at: usize| Arc::clone(&paths[at].1);
    let taken = if at == behind {
        vec![Taken { group: 0, warps, path: path(at) }]
    } else {
        pair(path(at), path(behind), warps)
    };
    let cycles = u64::try_from(cycles).map_err(|_| ProgramError::Overflow)?;
    Ok(Some(Choice { attains: Some(Cycles(cycles)), ..terms.choice(taken)? }))
}

impl Terms<'_> {
    /// A path of the first group with the largest count, if there is one.
    fn path(&self, weights: &Weights<'_>) -> Result<Option<Arc<Path>>, ProgramError> {
        Ok(Best::new(weights).path(&self.groups[0].program)?.map(|(_, path)| path))
    }

    /// Counts the letters of paths.
    fn choice(&self, taken: Vec<Taken>) -> Result<Choice, ProgramError> {
        let (mut letters, mut longest) = (Some(0_u64), 0);
        for Taken { group, warps, path } in &taken {
            let length = self.length(*group, path)?;
            letters = letters.zip(length.checked_mul(*warps)).and_then(|(sum, more)| sum.checked_add(more));
            longest = longest.max(length);
        }
        Ok(Choice { taken, letters, longest, attains: None })
    }
}
