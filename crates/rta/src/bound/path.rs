//! What kernels add to a path that is followed through a graph, and what the memory adds to it.
//!
//! A path is a chain as in [the bound](super): its kernels are followed one after the other, each from the completion of the
//! one before it to its own. `docs/graphs.md` has the proof.

use num_rational::Ratio;

use crate::bound::NoBound;
use crate::bound::memory::Memory;
use crate::bound::numbers::sum;
use crate::bound::parts::Parts;
use crate::{Execution, System};

/// What launches of the kernels of a system add to a path, at each theta; times are grains.
pub(crate) struct PathCosts {
    /// What each kernel adds if it is on the path: its last block and the rest, theta by theta.
    pub(crate) followed: Vec<Vec<Ratio<i128>>>,
    /// What each adds if it is not, but may be there while kernels on the path wait or run.
    pub(crate) present: Vec<Vec<Ratio<i128>>>,
    /// Whether every C is given. Then a launch that is present adds no more than the time for which it is there.
    pub(crate) all_measured: bool,
}

/// The costs of each kernel of a system, one launch of it each.
///
/// # Errors
/// Why the system has no bounds.
pub(crate) fn path_costs(system: &System, executions: &[Execution]) -> Result<PathCosts, NoBound> {
    let parts = Parts::new(system, executions)?;
    let grains = |parts_of: u128| -> Result<Ratio<i128>, NoBound> {
        let whole = |parts: u128| i128::try_from(parts).map_err(|_| NoBound::TooLarge);
        Ok(Ratio::new(whole(parts_of)?, whole(parts.per_grain)?))
    };
    let (mut followed, mut present) = (Vec::new(), Vec::new());
    for kernel in 0..system.tasks().len() {
        let of = parts.of(kernel);
        let path = of.iter().map(|cost| grains(sum(cost.chained, cost.rest)?));
        followed.push(path.collect::<Result<_, NoBound>>()?);
        present.push(of.iter().map(|cost| grains(cost.both)).collect::<Result<_, NoBound>>()?);
    }
    Ok(PathCosts { followed, present, all_measured: parts.all_measured })
}

/// The memory of a system, for paths through graphs of its kernels.
pub(crate) struct PathMemory(Memory);

impl PathMemory {
    /// The memory; none where no kernel of code asks anything of it.
    ///
    /// # Errors
    /// If numbers do not fit.
    pub(crate) fn new(system: &System) -> Result<Option<Self>, NoBound> {
        Ok(Memory::new(system)?.map(Self))
    }

    /// For how many grains of a window all servers keep results waiting in which these launches ask, each of a kernel and
    /// with a number.
    ///
    /// # Errors
    /// If numbers do not fit.
    pub(crate) fn late(
        &self,
        launches: impl IntoIterator<Item = (usize, u64)>,
        window: u64,
    ) -> Result<u128, NoBound> {
        let late = self.0.late(&self.0.asked(launches)?, window)?;
        late.into_iter().try_fold(0, sum)
    }
}
