//! Kernels that are straight lines, on a multiprocessor, ready for the engines.

use crate::{Kernel, Multiprocessor, PerUnit, Unit, WorkloadError};

/// Warps that run the same kernel.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct WarpGroup {
    /// The kernel that each of them runs.
    pub kernel: Kernel,
    /// The number of warps, at least 1 in an [`Instance`].
    pub warps: u64,
}

/// Groups of warps with the letters that the engines schedule.
///
/// Their kernels are expanded to sub-warps (Be12 section 3), so that each [`sigma`](Self::sigma) is a whole
/// number. What the user wrote is a [`Workload`](crate::Workload), of which this is the
/// [instance](crate::Workload::instance).
///
/// ```
/// use warpspan_model::device::Capability;
/// use warpspan_model::{Instance, Unit};
///
/// // Be12 Fig. 1: "LC" at compute capability 2.0 becomes "LLC" with sigma_L = 1.
/// let fermi = "2.0".parse::<Capability>()?.multiprocessor()?;
/// let instance = Instance::single("LC".parse()?, 4, fermi)?;
/// assert_eq!(instance.groups()[0].kernel.to_string(), "LLC");
/// assert_eq!(instance.sigma(Unit::LoadStore), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Instance {
    groups: Vec<WarpGroup>,
    /// Letters that each unit issues in a cycle. There may be more than there are warps.
    given_sigma: PerUnit<u64>,
    warps_per_block: Option<u64>,
}

impl Instance {
    /// The most instructions, over all warps, that an instance may have; it keeps every bound below 2^63.
    pub const MAX_ISSUES: u64 = 1 << 61;

    /// The instance of one or more groups of kernels as the user wrote them.
    ///
    /// # Errors
    /// If there is no group, a group without warps, or a count overflows.
    pub fn new(given: Vec<WarpGroup>, multiprocessor: Multiprocessor) -> Result<Self, WorkloadError> {
        let times = PerUnit::from_fn(|unit| multiprocessor.sigma(unit).letters_an_instruction());
        let is_whole = Unit::ALL.iter().all(|&unit| times[unit] == 1);
        let expand = |(number, group): (usize, WarpGroup)| {
            if is_whole {
                return Ok(group);
            }
            let kernel = group.kernel.repeat(&times).ok_or(WorkloadError::TooLong(number))?;
            Ok(WarpGroup { kernel, warps: group.warps })
        };
        let groups = (1..).zip(given).map(expand).collect::<Result<_, _>>()?;
        Self::of_letters(groups, PerUnit::from_fn(|unit| multiprocessor.sigma(unit).letters_a_cycle()))
    }

    /// The instance of groups whose kernels are expanded already.
    fn of_letters(groups: Vec<WarpGroup>, given_sigma: PerUnit<u64>) -> Result<Self, WorkloadError> {
        if groups.is_empty() {
            return Err(WorkloadError::NoGroup);
        }
        let mut issues = 0_u64;
        for (number, group) in (1..).zip(&groups) {
            if group.warps == 0 {
                return Err(WorkloadError::NoWarps(number));
            }
            let product = group.kernel.instructions().checked_mul(group.warps);
            issues = product
                .and_then(|product| issues.checked_add(product))
                .filter(|&sum| sum <= Self::MAX_ISSUES)
                .ok_or(WorkloadError::Overflow)?;
        }
        Ok(Self { groups, given_sigma, warps_per_block: None })
    }

    /// An instance of one group: the problem of Be12.
    ///
    /// # Errors
    /// As [`Instance::new`].
    pub fn single(kernel: Kernel, warps: u64, multiprocessor: Multiprocessor) -> Result<Self, WorkloadError> {
        Self::new(vec![WarpGroup { kernel, warps }], multiprocessor)
    }

    /// The same instance in blocks of this many warps, where the last block of each group may be smaller. If
    /// this is not called, or with `None`, each group is one block. The number matters only where a kernel has a barrier, and
    /// is dropped elsewhere.
    ///
    /// # Errors
    /// If the number is zero.
    pub fn in_blocks_of(mut self, warps: impl Into<Option<u64>>) -> Result<Self, WorkloadError> {
        let Some(warps) = warps.into() else { return Ok(self) };
        if warps == 0 {
            return Err(WorkloadError::NoBlock);
        }
        let matters =
            self.groups.iter().any(|group| group.warps > warps && !group.kernel.barriers().is_empty());
        self.warps_per_block = matters.then_some(warps);
        Ok(self)
    }

    /// The number of warps in a block, if it was given and matters. The last block of a group may have fewer.
    pub fn warps_per_block(&self) -> Option<u64> {
        self.warps_per_block
    }

    /// Whether a kernel has a barrier.
    pub fn has_barriers(&self) -> bool {
        self.groups.iter().any(|group| !group.kernel.barriers().is_empty())
    }

    /// Whether all warps are in one block. Then a barrier cuts the schedule in two.
    pub fn is_one_block(&self) -> bool {
        self.groups.len() == 1 && self.warps_per_block.is_none()
    }

    /// The instances between barriers, where all warps are in one block. Each is a separate problem, and begins where
    /// the one before it ends. The result is `None` for several blocks.
    #[doc(hidden)]
    pub fn segments(&self) -> Option<Vec<Self>> {
        let [group] = self.groups.as_slice() else { return None };
        if !self.is_one_block() {
            return None;
        }
        let segment = |units: &[Unit]| {
            let groups = vec![WarpGroup { kernel: Kernel::new(units.to_vec())?, warps: group.warps }];
            Some(Self { groups, given_sigma: self.given_sigma, warps_per_block: None })
        };
        group.kernel.segments().map(segment).collect()
    }

    /// The groups as the engines see them, with kernels expanded to sub-warps.
    pub fn groups(&self) -> &[WarpGroup] {
        &self.groups
    }

    /// The letters that a unit issues in a cycle: sigma after the expansion, a whole number, and no more than
    /// there are warps.
    ///
    /// A warp issues at most one letter a cycle. A unit that takes as many letters as there are warps
    /// therefore never makes a warp wait, and a unit that takes more allows the same schedules. So no engine
    /// and no bound sees a larger sigma.
    pub fn sigma(&self, unit: Unit) -> u64 {
        self.given_sigma(unit).min(self.total_warps())
    }

    /// The same number for any number of warps, even larger than that of this instance.
    #[doc(hidden)]
    pub fn given_sigma(&self, unit: Unit) -> u64 {
        self.given_sigma[unit]
    }

    /// Whether each unit issues one letter a cycle after the expansion, however many warps there are. That is
    /// the domain of Be12's Eq. 5-7 and of the closed form.
    pub fn has_unit_sigma(&self) -> bool {
        Unit::ALL.iter().all(|&unit| self.given_sigma(unit) == 1)
    }

    /// The number of warps of all groups.
    pub fn total_warps(&self) -> u64 {
        self.groups.iter().map(|group| group.warps).sum()
    }

    /// The number of instructions of all warps.
    pub fn total_issues(&self) -> u64 {
        self.groups.iter().map(|group| group.warps * group.kernel.instructions()).sum()
    }

    /// The number of instructions of all warps for one unit.
    #[doc(hidden)]
    pub fn total_issues_on(&self, unit: Unit) -> u64 {
        self.groups.iter().map(|group| group.warps * group.kernel.count(unit)).sum()
    }

    /// The same instance with another number of warps, if it has one group.
    pub fn with_warps(&self, warps: u64) -> Option<Result<Self, WorkloadError>> {
        let [group] = self.groups.as_slice() else { return None };
        let groups = vec![WarpGroup { kernel: group.kernel.clone(), warps }];
        let single = Self::of_letters(groups, self.given_sigma);
        Some(single.and_then(|single| single.in_blocks_of(self.warps_per_block)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Throughput;

    fn group(kernel: &str, warps: u64) -> WarpGroup {
        WarpGroup { kernel: kernel.parse().unwrap(), warps }
    }

    #[test]
    fn nonsense_is_refused() {
        let one = Multiprocessor::default();
        assert_eq!(Instance::new(vec![], one), Err(WorkloadError::NoGroup));
        assert_eq!(Instance::new(vec![group("L", 1), group("C", 0)], one), Err(WorkloadError::NoWarps(2)));
        assert_eq!(Instance::new(vec![group("LL", 1 << 61)], one), Err(WorkloadError::Overflow));
        assert_eq!(
            Instance::new(vec![group("L", u64::MAX), group("C", 9)], one),
            Err(WorkloadError::Overflow)
        );
        let slow = Multiprocessor::new("1/18446744073709551615".parse().unwrap(), Throughput::ONE);
        assert_eq!(Instance::new(vec![group("LL", 1)], slow), Err(WorkloadError::TooLong(1)));
    }

    #[test]
    fn totals_count_expanded_letters() {
        let instance = Instance::new(
            vec![group("LC", 3), group("CC", 2)],
            Multiprocessor::new("1/2".parse().unwrap(), "2".parse().unwrap()),
        )
        .unwrap();
        assert_eq!(instance.total_issues_on(Unit::LoadStore), 6);
        assert_eq!(instance.total_issues_on(Unit::CudaCore), 7);
        assert_eq!(instance.total_issues(), 13);
        assert_eq!(instance.sigma(Unit::CudaCore), 2);
        assert!(!instance.has_unit_sigma());
        assert_eq!(instance.total_warps(), 5);
    }

    #[test]
    fn no_more_letters_issue_than_there_are_warps() {
        let vast = Multiprocessor::new("1000000000000".parse().unwrap(), "3".parse().unwrap());
        let instance = Instance::new(vec![group("LC", 3), group("CC", 2)], vast).unwrap();
        assert_eq!(Unit::ALL.map(|unit| instance.sigma(unit)), [5, 3]);
        assert_eq!(Unit::ALL.map(|unit| instance.given_sigma(unit)), [1_000_000_000_000, 3]);
        assert!(!Instance::single("LC".parse().unwrap(), 1, vast).unwrap().has_unit_sigma());
    }
}
