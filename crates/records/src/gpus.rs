//! The record of `gpus`: what is known of a GPU that files may name, or of a compute capability.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Number;

use crate::Body;
use crate::number::number;
pub use warpspan_model::device::Between;
use warpspan_model::device::{self, Capability, Preset, WARP};
use warpspan_model::words;
use warpspan_model::{ThroughputError, Unit};

/// A preset of `[gpu]`, or a compute capability.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Gpu {
    /// Which of the two it is.
    pub kind: Kind,
    /// The name by which files and flags call it.
    pub name: String,
    /// What is sold under the name of a preset; null for a compute capability.
    pub title: Option<String>,
    /// The compute capability, such as `8.7`.
    pub compute_capability: String,
    /// How many multiprocessors a preset has; null for a compute capability.
    pub multiprocessors: Option<u64>,
    /// The highest clock in megahertz that the data sheet of a preset names; null for a compute capability, and
    /// where it names none.
    #[serde(default)]
    pub highest_clock_mhz: Option<Number>,
    /// What one multiprocessor has.
    pub multiprocessor: Multiprocessor,
    /// The memory that all multiprocessors of a preset share; null for a compute capability.
    #[serde(default)]
    pub memory: Option<Memory>,
    /// Where the numbers are from.
    pub source: String,
    /// What is assumed without a source; empty where nothing is.
    pub assumed: String,
    /// Where the numbers of the compute capability are from.
    pub capability_source: String,
    /// What is assumed of the compute capability without a source; empty where nothing is.
    pub capability_assumed: String,
}

impl Body for Gpu {
    const SCHEMA: &'static str = "warpspan/gpus/1";
}

words! {
    /// What a record of `gpus` is about.
    Kind {
        /// A GPU that the table `[gpu]` of a file may name.
        Preset = "preset",
        /// A compute capability.
        ComputeCapability = "compute-capability",
    }
}

/// What one multiprocessor has. The two ends of a range differ where the sources leave it open; sigmas are
/// those of the least.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Multiprocessor {
    /// Load/store units.
    pub load_store_units: Between,
    /// CUDA cores.
    pub cuda_cores: u64,
    /// Load/store instructions that warps may issue in a cycle: a whole number, or a ratio such as `1/2`.
    pub sigma_l: String,
    /// CUDA-core instructions that warps may issue in a cycle.
    pub sigma_c: String,
    /// Threads that it holds at once.
    pub threads: u64,
    /// Warps that it holds at once.
    pub warps: u64,
    /// Blocks that it holds at once.
    pub blocks: Between,
    /// Registers of 32 bits.
    pub registers: u64,
    /// The most registers of a block.
    pub registers_per_block: u64,
    /// The most registers of a thread.
    pub registers_per_thread: u64,
    /// Shared memory, in bytes.
    pub shared_memory: u64,
    /// The most shared memory of a block, in bytes.
    pub shared_memory_per_block: u64,
    /// Shared memory that the system takes for each block, in bytes.
    pub reserved_shared_memory: u64,
}

/// The L2 and the DRAM, which all multiprocessors of a GPU share.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Memory {
    /// The most bytes a second that the DRAM moves by its data sheet; no kernel reaches that.
    pub dram_bytes_per_second: u64,
    /// The clock of the DRAM at that rate, in megahertz, at which a wire carries two bits a cycle; null where it
    /// is not known.
    pub dram_clock_mhz: Option<Number>,
    /// The wires for data between the GPU and its DRAM.
    pub dram_bits: u64,
    /// The size of the L2, in bytes.
    pub l2_bytes: u64,
    /// The most bytes that the whole L2 moves in a cycle of the GPU.
    pub l2_bytes_per_cycle: u64,
    /// Whether CPU cores have their memory in the same DRAM.
    pub shared_with_cpu: bool,
    /// Where these numbers are from.
    pub source: String,
    /// What is assumed of them without a source; empty where nothing is.
    pub assumed: String,
}

impl From<device::Memory> for Memory {
    fn from(memory: device::Memory) -> Self {
        Self {
            dram_bytes_per_second: memory.dram_bytes_per_second,
            dram_clock_mhz: memory.dram_clock().map(|clock| number(&clock.megahertz())),
            dram_bits: memory.dram_bits,
            l2_bytes: memory.l2_bytes,
            l2_bytes_per_cycle: memory.l2_bytes_per_cycle,
            shared_with_cpu: memory.shared_with_cpu,
            source: memory.source.to_owned(),
            assumed: memory.assumed.to_owned(),
        }
    }
}

impl Gpu {
    /// A preset, with what its capability has.
    ///
    /// # Errors
    /// If its capability is not known.
    pub fn of_preset(preset: &Preset) -> Result<Self, String> {
        let capability = preset.capability().map_err(|error| error.to_string())?;
        Ok(Self {
            kind: Kind::Preset,
            name: preset.name.to_owned(),
            title: Some(preset.title.to_owned()),
            multiprocessors: Some(preset.multiprocessors),
            highest_clock_mhz: preset.highest_clock().map(|clock| number(&clock.megahertz())),
            memory: Some(preset.memory.into()),
            source: preset.source.to_owned(),
            assumed: preset.assumed.to_owned(),
            ..Self::of_capability(&capability).map_err(|error| error.to_string())?
        })
    }

    /// A compute capability.
    ///
    /// # Errors
    /// If its units make no sigma.
    pub fn of_capability(capability: &Capability) -> Result<Self, ThroughputError> {
        let resident = capability.resident;
        let multiprocessor = capability.multiprocessor()?;
        let sigma = |unit| multiprocessor.sigma(unit).to_string();
        Ok(Self {
            kind: Kind::ComputeCapability,
            name: capability.version.to_owned(),
            title: None,
            compute_capability: capability.version.to_owned(),
            multiprocessors: None,
            highest_clock_mhz: None,
            multiprocessor: Multiprocessor {
                load_store_units: capability.load_store_units,
                cuda_cores: capability.cuda_cores,
                sigma_l: sigma(Unit::LoadStore),
                sigma_c: sigma(Unit::CudaCore),
                threads: resident.warps * WARP,
                warps: resident.warps,
                blocks: resident.blocks,
                registers: resident.registers,
                registers_per_block: resident.registers_per_block,
                registers_per_thread: resident.registers_per_thread,
                shared_memory: resident.shared_memory,
                shared_memory_per_block: resident.shared_memory_per_block,
                reserved_shared_memory: resident.reserved_shared_memory,
            },
            memory: None,
            source: capability.source.to_owned(),
            assumed: capability.assumed.to_string(),
            capability_source: capability.source.to_owned(),
            capability_assumed: capability.assumed.to_string(),
        })
    }
}
