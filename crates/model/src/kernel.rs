//! The kernel instruction string.

use std::fmt;
use std::sync::Arc;

use crate::{PerUnit, Unit};

/// The length of the longest kernel that is accepted, in instructions after expansion of counts, brackets and
/// sub-warps.
pub const MAX_KERNEL_LENGTH: usize = 1 << 26;

/// A kernel instruction string (Be12 section 3): one or more instructions, each for one unit, and barriers
/// between them.
///
/// A barrier before the first instruction, after the last or right after another changes nothing, since all
/// warps of a block run the same string. It is not kept. A kernel is cheap to clone. Indexes of instructions
/// count from 0 in this type and from 1 in everything that is printed.
///
/// ```
/// use warpspan_model::{Kernel, Unit};
///
/// let kernel: Kernel = "L2 C (LL)1".parse()?;
/// assert_eq!(kernel.to_string(), "LLCLL");
/// assert_eq!(kernel.count(Unit::LoadStore), 4);
/// assert_eq!(kernel.runs().map(|(unit, length)| format!("{unit}{length}")).collect::<String>(), "L2C1L2");
/// # Ok::<(), warpspan_model::CodeError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Kernel {
    units: Arc<[Unit]>,
    counts: PerUnit<u64>,
    /// The number of instructions before each barrier, rising and inside the string.
    barriers: Arc<[usize]>,
}

impl Kernel {
    /// The kernel of these instructions. It is `None` if there are none or more than [`MAX_KERNEL_LENGTH`].
    pub fn new(units: Vec<Unit>) -> Option<Self> {
        if units.is_empty() || units.len() > MAX_KERNEL_LENGTH {
            return None;
        }
        let mut counts = PerUnit::from_fn(|_| 0);
        for &unit in &units {
            counts[unit] += 1;
        }
        Some(Self { units: units.into(), counts, barriers: Arc::default() })
    }

    /// The kernel of these instructions with a barrier after each of these numbers of instructions. It is
    /// `None` in the same cases as for [`Kernel::new`].
    pub fn with_barriers(units: Vec<Unit>, mut barriers: Vec<usize>) -> Option<Self> {
        let length = units.len();
        barriers.retain(|&at| at > 0 && at < length);
        barriers.sort_unstable();
        barriers.dedup();
        Some(Self { barriers: barriers.into(), ..Self::new(units)? })
    }

    /// The number of instructions before each barrier, rising. None of them is 0 or the length.
    pub fn barriers(&self) -> &[usize] {
        &self.barriers
    }

    /// The instructions between barriers, or all of them if there is no barrier.
    #[doc(hidden)]
    pub fn segments(&self) -> impl Iterator<Item = &[Unit]> {
        let starts = std::iter::once(0).chain(self.barriers.iter().copied());
        let ends = self.barriers.iter().copied().chain(std::iter::once(self.units.len()));
        starts.zip(ends).map(|(start, end)| &self.units[start..end])
    }

    /// The instructions in order.
    pub fn units(&self) -> &[Unit] {
        &self.units
    }

    /// I, the number of instructions; at least 1.
    #[expect(clippy::len_without_is_empty, reason = "a kernel is never empty")]
    pub fn len(&self) -> usize {
        self.units.len()
    }

    /// I as a 64-bit number, to compute with cycles.
    pub fn instructions(&self) -> u64 {
        self.units.len() as u64
    }

    /// `I_U`, the number of instructions for a unit.
    pub fn count(&self, unit: Unit) -> u64 {
        self.counts[unit]
    }

    /// The maximal runs of equal letters, each as a unit and a length.
    pub fn runs(&self) -> impl Iterator<Item = (Unit, usize)> + '_ {
        self.units.chunk_by(|a, b| a == b).map(|run| (run[0], run.len()))
    }

    /// The number of instructions that are for another unit than the instruction before.
    pub fn changes(&self) -> usize {
        self.units.windows(2).filter(|pair| pair[0] != pair[1]).count()
    }

    /// The number of instructions left from each position on, for each unit. The last entry is for the end.
    pub fn left(&self) -> Vec<PerUnit<u64>> {
        let mut left = vec![PerUnit::both(0)];
        for &unit in self.units.iter().rev() {
            let mut longer = left[left.len() - 1];
            longer[unit] += 1;
            left.push(longer);
        }
        left.reverse();
        left
    }

    /// The same kernel with each instruction repeated as often as `times` says for its unit. This is the
    /// sub-warp expansion of Be12 section 3, Fig. 1. The result is `None` if it is longer than
    /// [`MAX_KERNEL_LENGTH`].
    pub fn repeat(&self, times: &PerUnit<u64>) -> Option<Self> {
        let length = Unit::ALL
            .iter()
            .try_fold(0_u64, |sum, &unit| sum.checked_add(self.counts[unit].checked_mul(times[unit])?))?;
        if usize::try_from(length).ok()? > MAX_KERNEL_LENGTH {
            return None;
        }
        let (mut units, mut barriers) = (Vec::new(), Vec::new());
        for segment in self.segments() {
            units.extend(segment.iter().flat_map(|&unit| (0..times[unit]).map(move |_| unit)));
            barriers.push(units.len());
        }
        Self::with_barriers(units, barriers)
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let segment = |units: &[Unit]| units.iter().map(|unit| unit.letter()).collect::<String>();
        f.pad(&self.segments().map(segment).collect::<Vec<_>>().join("|"))
    }
}

impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Kernel({self})")
    }
}
