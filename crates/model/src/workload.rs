//! Groups of warps on a multiprocessor, the subject of every command and every analysis.

use crate::workload_error::WorkloadError;
use crate::{Code, Instance, Multiprocessor, WarpGroup};

/// Warps that run the same code, which is for the paper's multiprocessor unless `C` says otherwise.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Group<C = Code> {
    /// The code that each of them runs. If it has several paths, each warp takes any of them, whatever the
    /// others take, unless the workload says [otherwise](Workload::with_same_path).
    pub code: C,
    /// The number of warps, at least 1 in a [`Workload`].
    pub warps: u64,
}

/// Groups of warps on one multiprocessor, as the user gave them, in blocks that share barriers.
///
/// If every group is a straight line, [`instance`](Self::instance) holds the letters that the engines
/// schedule. If some code has several paths, the worst case is that over all paths of the warps.
///
/// ```
/// use warpspan_model::device::Capability;
/// use warpspan_model::{Code, Unit, Workload};
///
/// // Be12 Fig. 1: "LC" at compute capability 2.0 becomes "LLC" with sigma_L = 1.
/// let fermi = "2.0".parse::<Capability>()?.multiprocessor()?;
/// let workload = Workload::single("LC".parse::<Code>()?, 4, fermi)?;
/// assert_eq!(workload.groups()[0].code.to_string(), "LC");
/// let instance = workload.instance().ok_or("LC is a straight line")?;
/// assert_eq!(instance.groups()[0].kernel.to_string(), "LLC");
/// assert_eq!(instance.sigma(Unit::LoadStore), 1);
///
/// let branch = Workload::single("L[C/]".parse::<Code>()?, 4, fermi)?;
/// assert!(branch.instance().is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Workload {
    groups: Vec<Group>,
    multiprocessor: Multiprocessor,
    warps_per_block: Option<u64>,
    same_path: bool,
    total_warps: u64,
    instance: Option<Instance>,
}

impl Workload {
    /// A workload of one or more groups, each of which is one block.
    ///
    /// # Errors
    /// If there is no group, a group has no warps, or a count overflows.
    pub fn new(groups: Vec<Group>, multiprocessor: Multiprocessor) -> Result<Self, WorkloadError> {
        if groups.is_empty() {
            return Err(WorkloadError::NoGroup);
        }
        let mut total_warps = 0_u64;
        for (number, group) in (1..).zip(&groups) {
            if group.warps == 0 {
                return Err(WorkloadError::NoWarps(number));
            }
            total_warps = total_warps.checked_add(group.warps).ok_or(WorkloadError::Overflow)?;
        }
        let string = |group: &Group| {
            let kernel = group.code.kernel()?.clone();
            Some(WarpGroup { kernel, warps: group.warps })
        };
        let strings: Option<Vec<WarpGroup>> = groups.iter().map(string).collect();
        let instance = strings.map(|strings| Instance::new(strings, multiprocessor)).transpose()?;
        Ok(Self { groups, multiprocessor, warps_per_block: None, same_path: false, total_warps, instance })
    }

    /// A workload of one group. With a kernel string it is the problem of Be12.
    ///
    /// # Errors
    /// As [`Workload::new`].
    pub fn single(
        code: impl Into<Code>,
        warps: u64,
        multiprocessor: Multiprocessor,
    ) -> Result<Self, WorkloadError> {
        Self::new(vec![Group { code: code.into(), warps }], multiprocessor)
    }

    /// The same workload in blocks of this many warps, where the last block of each group may be smaller. If
    /// this is not called, or with `None`, each group is one block. The number is kept only where it makes a difference:
    /// where a group has a barrier and more warps than a block.
    ///
    /// # Errors
    /// If the number is zero.
    pub fn in_blocks_of(mut self, warps: impl Into<Option<u64>>) -> Result<Self, WorkloadError> {
        let Some(warps) = warps.into() else { return Ok(self) };
        if warps == 0 {
            return Err(WorkloadError::NoBlock);
        }
        self.instance = self.instance.map(|instance| instance.in_blocks_of(warps)).transpose()?;
        let matters = self.groups.iter().any(|group| group.warps > warps && group.code.has_barrier());
        self.warps_per_block = matters.then_some(warps);
        Ok(self)
    }

    /// The same workload under the assumption that all warps of a group take the same path, that is, issue
    /// the same sequence of instructions, if `assumed`. It is kept only where it makes a difference: where
    /// some code has several paths. Branches all of whose threads agree within a warp do not imply it, since
    /// different warps may still take different arms.
    #[must_use]
    pub fn with_same_path(mut self, assumed: bool) -> Self {
        self.same_path = assumed && self.groups.iter().any(|group| !group.code.is_straight());
        self
    }

    /// Whether all warps of a group take the same path, by an assumption that makes a difference.
    pub fn takes_same_path(&self) -> bool {
        self.same_path
    }

    /// The groups, as the user wrote them.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The multiprocessor, as the user gave it.
    pub fn multiprocessor(&self) -> Multiprocessor {
        self.multiprocessor
    }

    /// The number of warps in a block, if it was given and makes a difference. The last block of a group may
    /// have fewer.
    pub fn warps_per_block(&self) -> Option<u64> {
        self.warps_per_block
    }

    /// The number of warps of all groups.
    pub fn total_warps(&self) -> u64 {
        self.total_warps
    }

    /// The letters that the engines schedule, if every group is a straight line.
    pub fn instance(&self) -> Option<&Instance> {
        self.instance.as_ref()
    }
}

/// A workload whose first group may be a block of a [`Grid`](crate::Grid).
pub trait Launchable: Sized {
    /// What a warp runs.
    type Code;
    /// What may be wrong with it.
    type Error;
    /// That no block has room.
    const NO_ROOM: Self::Error;

    /// The first group.
    fn group(&self) -> &Group<Self::Code>;

    /// So many blocks like the first group, which start together on one multiprocessor.
    ///
    /// # Errors
    /// If there is no block, or numbers do not fit.
    fn several(&self, blocks: u64) -> Result<Self, Self::Error>;
}

impl Launchable for Workload {
    type Code = Code;
    type Error = WorkloadError;
    const NO_ROOM: WorkloadError = WorkloadError::NoRoom;

    fn group(&self) -> &Group {
        &self.groups[0]
    }

    fn several(&self, blocks: u64) -> Result<Self, WorkloadError> {
        let Group { code, warps } = self.group().clone();
        let all = warps.checked_mul(blocks).ok_or(WorkloadError::Overflow)?;
        Self::single(code, all, self.multiprocessor)?.in_blocks_of(warps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Throughput;

    fn group(code: &str, warps: u64) -> Group {
        Group { code: code.parse().unwrap(), warps }
    }

    #[test]
    fn nonsense_is_refused() {
        let refused =
            |groups: &[Group]| Workload::new(groups.to_vec(), Multiprocessor::default()).unwrap_err();
        assert_eq!(refused(&[]), WorkloadError::NoGroup);
        assert_eq!(refused(&[group("L", 1), group("[L/C]", 0)]), WorkloadError::NoWarps(2));
        assert_eq!(refused(&[group("LL", 1 << 61)]), WorkloadError::Overflow);
        assert_eq!(refused(&[group("[L/C]", u64::MAX), group("C", 9)]), WorkloadError::Overflow);
        let slow = Multiprocessor::new("1/18446744073709551615".parse().unwrap(), Throughput::ONE);
        assert_eq!(Workload::new(vec![group("LL", 1)], slow), Err(WorkloadError::TooLong(1)));
        let one = Workload::new(vec![group("L|C", 4)], Multiprocessor::default()).unwrap();
        assert_eq!(one.in_blocks_of(0), Err(WorkloadError::NoBlock));
    }

    #[test]
    fn the_engines_get_straight_lines_and_nothing_else() {
        let half = Multiprocessor::new("1/2".parse().unwrap(), Throughput::ONE);
        let lines = Workload::new(vec![group("LC", 3), group("CC", 2)], half).unwrap();
        let expanded = lines.instance().unwrap().groups().iter().map(|group| group.kernel.to_string());
        assert_eq!(expanded.collect::<Vec<_>>(), ["LLC", "CC"]);
        assert_eq!(lines.total_warps(), 5);
        let paths = Workload::new(vec![group("LC", 3), group("C0..2", 2)], half).unwrap();
        assert!(paths.instance().is_none());
        assert_eq!(paths.total_warps(), 5);
    }

    #[test]
    fn blocks_are_kept_where_they_make_a_difference() {
        let blocks = |groups: &[Group], warps| {
            let workload = Workload::new(groups.to_vec(), Multiprocessor::default()).unwrap();
            let workload = workload.in_blocks_of(warps).unwrap();
            if let Some(instance) = workload.instance() {
                assert_eq!(instance.warps_per_block(), workload.warps_per_block());
            }
            workload.warps_per_block()
        };
        assert_eq!(blocks(&[group("L|C", 4)], 2), Some(2));
        assert_eq!(blocks(&[group("L|C", 4)], 4), None);
        assert_eq!(blocks(&[group("LC", 4)], 2), None);
        assert_eq!(blocks(&[group("[L|/C|]", 4)], 2), Some(2));
        assert_eq!(blocks(&[group("[L/C]", 4), group("L|C", 2)], 2), None);
        assert_eq!(blocks(&[group("[L/C]", 4), group("L|C", 3)], 2), Some(2));
    }
}
