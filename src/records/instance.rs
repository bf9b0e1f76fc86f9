//! The instance that a record is about.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::engines::program::ProgramGroup;
use crate::model::program::Code;
use crate::model::{self, InstanceError, Multiprocessor, Throughput, Unit, WarpGroup};

/// Warps of one or more kernels on a multiprocessor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Instance {
    /// The kernels and how many warps run each of them.
    pub groups: Vec<Group>,
    /// Load/store instructions that warps may issue in a cycle: a whole number, or a ratio such as `1/2`.
    pub sigma_l: String,
    /// CUDA-core instructions that warps may issue in a cycle: a whole number, or a ratio such as `3/2`.
    pub sigma_c: String,
    /// Warps of a block; absent unless a kernel has barriers and a group is more than one block.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warps_per_block: Option<u64>,
}

/// Warps that run the same kernel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Group {
    /// The kernel string, or the text of a program with branches or loops.
    pub kernel: String,
    /// How many warps run it.
    pub warps: u64,
}

impl From<&model::Instance> for Instance {
    fn from(instance: &model::Instance) -> Self {
        let group = |group: &WarpGroup| Group { kernel: group.kernel.to_string(), warps: group.warps };
        Self {
            groups: instance.given().iter().map(group).collect(),
            warps_per_block: instance.warps_per_block(),
            ..Self::on(instance.multiprocessor())
        }
    }
}

impl Instance {
    /// Programs on a multiprocessor.
    pub fn of_programs(groups: &[ProgramGroup], multiprocessor: Multiprocessor) -> Self {
        let record = |group: &ProgramGroup| {
            let kernel = Code::Program(group.program.clone()).to_string();
            Group { kernel, warps: group.warps }
        };
        Self {
            groups: groups.iter().map(record).collect(),
            warps_per_block: groups.iter().find_map(ProgramGroup::blocks_of),
            ..Self::on(multiprocessor)
        }
    }

    /// A multiprocessor without warps.
    fn on(multiprocessor: Multiprocessor) -> Self {
        let sigma = |unit| multiprocessor.sigma(unit).to_string();
        Self {
            groups: Vec::new(),
            sigma_l: sigma(Unit::LoadStore),
            sigma_c: sigma(Unit::CudaCore),
            warps_per_block: None,
        }
    }

    /// The instance that the record names.
    ///
    /// # Errors
    /// If a kernel is not a kernel string, or a number is not one that an instance can have.
    pub fn instance(&self) -> Result<model::Instance, String> {
        let group = |group: &Group| -> Result<WarpGroup, String> {
            let kernel =
                group.kernel.parse().map_err(|error| format!("kernel {:?}: {error}", group.kernel))?;
            Ok(WarpGroup { kernel, warps: group.warps })
        };
        let multiprocessor = Multiprocessor::new(sigma(&self.sigma_l)?, sigma(&self.sigma_c)?);
        let groups = self.groups.iter().map(group).collect::<Result<_, _>>()?;
        let instance = model::Instance::new(groups, multiprocessor);
        let instance = match self.warps_per_block {
            Some(block) => instance.and_then(|instance| instance.in_blocks_of(block)),
            None => instance,
        };
        instance.map_err(|error: InstanceError| error.to_string())
    }
}

/// A sigma as records have it: flags take whole numbers and 1/n only, but counts of units also give ratios
/// such as 3/2.
fn sigma(text: &str) -> Result<Throughput, String> {
    let ratio = text.split_once('/').and_then(|(p, q)| Some((p.parse().ok()?, q.parse().ok()?)));
    match ratio {
        Some((p, q)) => Throughput::from_units(p, q).map_err(|error| error.to_string()),
        None => text.parse().map_err(|error| format!("{error}")),
    }
}
