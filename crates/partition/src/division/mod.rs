//! Partitions as a mechanism can set them up: which sizes there are, which of them fit together, and what sets them
//! up.
//!
//! # What each mechanism can do
//!
//! | mechanism | sizes | together |
//! |---|---|---|
//! | libsmctrl, nvtaskset | whole TPCs | any that are no more than there are |
//! | green contexts | from a least number on, in steps | any that are no more than there are |
//! | MIG | those of the profiles | those that have a place in the eight parts of the memory |
//! | MPS | whole TPCs that a percentage gives | any that are no more than there are |
//!
//! The figures of GPUs are in [`GROUPINGS`](warpspan_model::device::GROUPINGS) and
//! [`INSTANCES`](warpspan_model::device::INSTANCES), with their sources.
//!
//! Where a number of multiprocessors fits, fewer of them fit in its place. So the smallest size that meets the deadlines
//! of a partition is never worse than a larger one.

mod instances;
mod structure;

use crate::{Mechanism, Partition};
use warpspan_model::assumption::{Assumption, Id};
use warpspan_model::device::{Instance, Instances, Shares};

pub use structure::Structure;

use instances::{combinations, places};

/// The most TPCs that a mask of libsmctrl has bits for.
const MOST_TPCS: u64 = 128;

/// What holds of partitions that a mechanism sets up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Division {
    mechanism: Mechanism,
    /// M, of which partitions may take some.
    pub(crate) multiprocessors: usize,
    /// The multiprocessors of a TPC, where the mechanism hands out TPCs.
    per_tpc: Option<usize>,
    /// The sizes that a partition may have, ascending; there is one or more.
    sizes: Vec<usize>,
    instances: Option<Instances>,
    /// What a verdict rests on, each to be read behind "if".
    rests_on: Vec<Assumption>,
    /// What else should be known.
    notes: Vec<String>,
}

impl Division {
    /// What a mechanism can do on M multiprocessors of this GPU.
    ///
    /// # Errors
    /// A sentence that says why it can do nothing there.
    pub(super) fn new(mechanism: Mechanism, gpu: &Structure, multiprocessors: usize) -> Result<Self, String> {
        let mut found = Self {
            mechanism,
            multiprocessors,
            per_tpc: None,
            sizes: Vec::new(),
            instances: None,
            rests_on: Vec::new(),
            notes: Vec::new(),
        };
        match mechanism {
            Mechanism::Libsmctrl | Mechanism::Nvtaskset => found.by_masks(gpu)?,
            Mechanism::GreenContext => found.by_green_contexts(gpu)?,
            Mechanism::Mig => found.by_instances(gpu)?,
            Mechanism::Mps => found.by_limits(gpu)?,
        }
        if found.sizes.is_empty() {
            return Err(format!("{multiprocessors} multiprocessors are fewer than the smallest part"));
        }
        Ok(found)
    }

    fn by_masks(&mut self, gpu: &Structure) -> Result<(), String> {
        let per_tpc = gpu.per_tpc()?;
        match (gpu.grouping(), &gpu.capability) {
            (Some((_, row)), _) if row.has_masks => {}
            (Some((capability, _)), _) => {
                return Err(format!(
                    "on compute capability {capability} the bits of a mask are not the numbers of TPCs (libsmctrl, known \
                     issues): want another mechanism"
                ));
            }
            (None, Some(capability)) => {
                return Err(format!(
                    "compute capability {} has no masks of TPCs: want 3.5 or later",
                    capability.version
                ));
            }
            (None, None) => {
                self.rests_on.push(Assumption::assumed(
                    Id::ClientsApart,
                    "the bits of a mask",
                    "the numbers of the TPCs",
                ));
                self.notes.push(
                    "no compute capability is given: masks of TPCs are known to work from 3.5 to 8.9 only"
                        .to_owned(),
                );
            }
        }
        if self.multiprocessors as u64 / per_tpc > MOST_TPCS {
            return Err(format!("a mask has bits for {MOST_TPCS} TPCs: want fewer multiprocessors"));
        }
        self.whole_tpcs(per_tpc, gpu);
        let (note, subject, value) = match self.mechanism {
            Mechanism::Libsmctrl => (
                "a set bit of a mask disables its TPC, and all tasks are in one process",
                "streams of different partitions",
                "have hardware queues of their own, as many as CUDA_DEVICE_MAX_CONNECTIONS gives",
            ),
            _ => (
                "a process has one partition, which its tasks share",
                "processes of different partitions",
                "run at once, as clients of the MPS that nvtaskset starts",
            ),
        };
        self.notes.push(note.to_owned());
        self.rests_on.push(Assumption::assumed(Id::ClientsApart, subject, value));
        Ok(())
    }

    fn by_green_contexts(&mut self, gpu: &Structure) -> Result<(), String> {
        let (capability, row) = gpu.grouping().ok_or_else(|| {
            "what a green context may have depends on the compute capability: want [gpu] with a preset, or [multiprocessor] \
             with compute_capability"
                .to_owned()
        })?;
        let Shares { least, step } = row.green_contexts.ok_or_else(|| {
            format!("compute capability {capability} has no green contexts: want 6.0 or later")
        })?;
        let (Ok(least), Ok(step)) = (usize::try_from(least), usize::try_from(step)) else {
            return Ok(());
        };
        self.sizes = (least..=self.multiprocessors).step_by(step).collect();
        self.rests_on.push(Assumption::assumed(
            Id::ClientsApart,
            "kernels of different green contexts",
            "run at once",
        ));
        self.notes.push(
            "CUDA does not promise that kernels of different green contexts run at once, even on different multiprocessors"
                .to_owned(),
        );
        if step as u64 > row.multiprocessors_per_tpc {
            self.rests_on.push(Assumption::assumed(
                Id::ClientsApart,
                "the split",
                "gives as many groups as it is asked for",
            ));
            self.notes.push(format!(
                "{step} multiprocessors of a group are in one GPC, so whether there are enough groups depends on how many each \
                 GPC has: nbGroups and smCount tell it after the call"
            ));
        }
        Ok(())
    }

    fn by_instances(&mut self, gpu: &Structure) -> Result<(), String> {
        let known = || format!("want [gpu] with one of the presets {}", Instances::all());
        let (preset, whole) =
            gpu.preset.ok_or_else(|| format!("instances are known of named GPUs only: {}", known()))?;
        let instances = Instances::of(preset)
            .ok_or_else(|| format!("no instances of the preset {preset:?} are known: {}", known()))?;
        if whole != self.multiprocessors as u64 {
            return Err(format!(
                "it divides all {whole} multiprocessors of the GPU, and there are {}: want no other number",
                self.multiprocessors
            ));
        }
        self.sizes = instances
            .profiles()
            .filter_map(|instance| usize::try_from(instance.multiprocessors).ok())
            .collect();
        self.instances = Some(instances);
        self.notes.push(
            "each instance has its own part of the memory system, so the factor k is about the kernels of one partition alone"
                .to_owned(),
        );
        let value = "hold with the part of the memory that its instance has";
        self.rests_on.push(
            Assumption::declared(Id::ExecutionGiven, "execution times of a task", value).by("mechanism"),
        );
        Ok(())
    }

    fn by_limits(&mut self, gpu: &Structure) -> Result<(), String> {
        if let Some((capability, row)) = gpu.grouping()
            && !row.has_limits
        {
            return Err(format!(
                "MPS limits no client on compute capability {capability}: want 7.0 or later"
            ));
        }
        self.whole_tpcs(gpu.per_tpc()?, gpu);
        let all = self.multiprocessors;
        let step = self.per_tpc.unwrap_or(1);
        self.sizes.retain(|&size| all.saturating_mul(percent(size, all)) / 100 / step * step == size);
        self.rests_on.push(Assumption::assumed(
            Id::ClientsApart,
            "clients of MPS",
            "run on different multiprocessors",
        ));
        self.notes.push(
            "MPS does not promise that clients run on different multiprocessors: a share limits a client and reserves nothing"
                .to_owned(),
        );
        let value = format!("rounded down to whole TPCs of {step}, as the hardware supports");
        self.rests_on.push(Assumption::assumed(Id::ClientsApart, "a share of MPS", value));
        Ok(())
    }

    /// Parts of whole TPCs.
    fn whole_tpcs(&mut self, per_tpc: u64, gpu: &Structure) {
        let per_tpc = usize::try_from(per_tpc).unwrap_or(usize::MAX).max(1);
        self.per_tpc = Some(per_tpc);
        self.sizes = (1..=self.multiprocessors / per_tpc).map(|tpcs| tpcs * per_tpc).collect();
        self.rests_on.extend(gpu.assumes());
    }

    /// What sets partitions up.
    pub fn mechanism(&self) -> Mechanism {
        self.mechanism
    }

    /// The sizes that a partition may have, ascending.
    pub fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// The multiprocessors of a TPC, where the mechanism hands out TPCs.
    pub fn multiprocessors_per_tpc(&self) -> Option<usize> {
        self.per_tpc
    }

    /// What a verdict rests on.
    pub fn rests_on(&self) -> &[Assumption] {
        &self.rests_on
    }

    /// What else should be known.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Whether each part has its own share of the memory system, of which C(m) of code would have to know.
    pub(super) fn divides_memory(&self) -> bool {
        self.mechanism == Mechanism::Mig
    }

    /// Whether partitions of these sizes can be set up together.
    pub fn fits(&self, sizes: &[usize]) -> bool {
        match &self.instances {
            Some(instances) => places(instances, sizes).is_some(),
            None => {
                let most = self.sizes.last().copied().unwrap_or(0);
                sizes.iter().all(|size| self.sizes.contains(size)) && sizes.iter().sum::<usize>() <= most
            }
        }
    }

    /// All combinations of sizes that can be set up together, where that is not only a matter of their sum; the first is
    /// the empty one.
    pub(super) fn combinations(&self) -> Option<Vec<Vec<usize>>> {
        self.instances.as_ref().map(combinations)
    }

    /// The instances of MIG of these partitions, and where they begin.
    pub(crate) fn placed(&self, partitions: &[Partition]) -> Option<Vec<(Instance, u32)>> {
        let sizes: Vec<usize> = partitions.iter().map(|partition| partition.multiprocessors).collect();
        places(self.instances.as_ref()?, &sizes)
    }
}

/// The least whole percentage of all multiprocessors that is not below a size.
pub(crate) fn percent(size: usize, all: usize) -> usize {
    size.saturating_mul(100).div_ceil(all.max(1))
}
