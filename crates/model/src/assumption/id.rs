//! The names of what numbers rest on.

use std::fmt;

/// One list, from which the type, the names and the sentences of the manual are made.
macro_rules! ids {
    ($($variant:ident $name:literal $says:literal,)+) => {
        /// What a number may rest on. Its name stays from release to release: it stands in records, and budgets accept it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Id {
            $(#[doc = $says] $variant,)+
        }

        impl Id {
            /// Every one, in the order of their names.
            pub const ALL: &[Self] = &[$(Self::$variant,)+];

            /// Its name, as `clock.highest`.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }

            /// What it says, as a sentence.
            pub const fn says(self) -> &'static str {
                match self {
                    $(Self::$variant => $says,)+
                }
            }
        }
    };
}

ids! {
    ArraysDistinct "arrays.distinct" "Pointers that are different parameters point to different arrays.",
    BarrierUniform "barrier.uniform" "All threads of a block go the same way where a barrier is on it.",
    BlockFits "block.fits" "No block waits although it fits, since all kernels divide L1 and shared memory alike (rule G3).",
    BlockRoom "block.room" "Each multiprocessor keeps room for the blocks of each kernel, whatever others run.",
    BlockStart "block.start" "A block that waits starts as soon as some multiprocessor has room for it.",
    BlocksDealt "blocks.dealt" "No multiprocessor gets more blocks of a launch than it has to, and all of them start at once.",
    BranchShuffle "branch.shuffle" "All threads of a warp go the same way at a branch that a shuffle of all lanes depends on.",
    BranchUniform "branch.uniform" "All threads of a warp go the same way at a branch.",
    CacheInstructions "cache.instructions" "Instructions and operands in the constant bank are in their caches.",
    CacheL1 "cache.l1-keeps-block" "The first cache of a multiprocessor keeps what a block has read until the block ends.",
    CacheL2Holds "cache.l2-holds" "L2 holds all that the launch touches, or what it touches of some arrays, from before it starts until it ends.",
    CacheL2 "cache.l2-keeps-launch" "L2 keeps what the launch has touched until the launch ends.",
    ChainData "chain.data" "Which jobs hand the data of an event chain on.",
    ClassOfOpcode "class.of-opcode" "What an opcode uses, as a file of classes says.",
    ClientsApart "clients.apart" "Partitions that are made by a mechanism of the driver run at once, on different multiprocessors.",
    ClockDeclared "clock.declared" "The clock of the GPU, or its slowest and fastest one.",
    ClockHighest "clock.highest" "The GPU always runs at the highest clock of its data sheet.",
    ClockOverclocked "clock.overclocked" "The clock of the GPU, above the highest of its data sheet.",
    CoRunning "co-running.kernels" "A co-running kernel is launched no more often than once in each period, or as a system file says.",
    CoRunningOnce "co-running.once" "A co-running kernel is launched once, at any time.",
    CodeUnreachable "code.unreachable" "Control never comes to an instruction.",
    CopyEngine "copy.engine" "A copy takes no longer than its time, and a copy engine is idle only while none is ready.",
    CoreScheduling "core.scheduling" "How the cores of a CPU choose what they run.",
    DeclarationsFile "declarations.file" "What a file of declarations says of the code.",
    DramBytes "dram.bytes" "How many bytes a launch moves through the DRAM.",
    DramClock "dram.clock" "The clock of the DRAM, where a power mode lowers it.",
    DramIdle "dram.idle" "Nothing else uses the DRAM while a launch of one block runs: no other launch, no copy and no core of a CPU.",
    DramOthers "dram.others" "What others take of the DRAM, such as the cores of a CPU.",
    DramPausesTogether "dram.pauses-together" "Channels of a DRAM that nothing else uses pause all at once or one alone, and so long and so often at most.",
    DramRate "dram.rate" "The least rate at which the DRAM moves whole lines while requests wait.",
    DramSpread "dram.spread" "How addresses are spread over the channels and banks of the DRAM.",
    ExecutionAlone "execution.alone" "A block takes no longer than the execution time that was measured while no other was on its multiprocessor.",
    ExecutionConflict "execution.conflict" "Which tasks keep one another longer where they share a partition: those of one kind.",
    ExecutionGiven "execution.given" "A block or a job takes no longer than the execution time that is given, whatever else runs.",
    ExecutionLeast "execution.least" "A block may take as long as the execution time that is given.",
    ExecutionTiles "execution.tiles" "A kernel that is cut into tiles takes no longer than their schedule.",
    GcapsLockSuspends "gcaps.lock-suspends" "A task that waits for the update of another one leaves its core.",
    GpuAlone "gpu.alone" "Nothing else is on the GPU.",
    GpuMultiprocessors "gpu.multiprocessors" "How many multiprocessors run.",
    GpuResident "gpu.resident" "How many blocks, warps and registers a multiprocessor holds at once.",
    GpuUnits "gpu.units" "How many CUDA cores and load/store units a multiprocessor has, or how many warps these let issue in a cycle.",
    GraphArrivals "graph.arrivals" "Launches of a graph arrive a period or more apart, and one begins when the one before it is complete.",
    GraphMultiprocessors "graph.multiprocessors" "The blocks of a graph with multiprocessors of its own run on these alone.",
    GraphNodes "graph.nodes" "A node of a graph begins when all nodes before it are complete.",
    HoldOfLetter "hold.of-letter" "The cycles for which an instruction holds its unit.",
    InputTraced "input.traced" "The input is the one of the trace from which declarations are.",
    InstancesOfUnit "instances.of-unit" "How many instances a unit has.",
    L2Bytes "l2.bytes" "How many bytes a launch moves through L2.",
    LabelsTime "labels.time" "Accesses of a model to its labels take what its latencies and data rates say.",
    LatencyInIdleDram "latency.in-idle-dram" "The longest time of an access to DRAM that nothing else uses, without its pauses.",
    LatencyInL2 "latency.in-l2" "The longest time of an access to what L2 holds.",
    LatencyOfLetter "latency.of-letter" "The latency of an instruction.",
    LaunchArrivals "launch.arrivals" "How far apart launches of a kernel are.",
    LaunchCarveout "launch.carveout" "A multiprocessor has as much shared memory as can be configured.",
    LaunchCopyIn "launch.copy-in" "The time of copies before the kernel.",
    LaunchCopyOut "launch.copy-out" "The time of copies behind the kernel.",
    LaunchDynamicShared "launch.dynamic-shared" "The shared memory that the launch adds to each block.",
    LaunchEdges "launch.edges" "Launches of kernels that are given as code begin at the edge of a cycle.",
    LaunchJitter "launch.jitter" "How long after its arrival a launch is released.",
    LaunchOrder "launch.order" "Kernels that are released at one time are launched in the order of the file.",
    LaunchOverhead "launch.overhead" "The longest time from the call until blocks may start.",
    LaunchRegisters "launch.registers" "The registers of a thread.",
    LaunchShared "launch.shared" "The shared memory of a block that the kernel declares.",
    LaunchStream "launch.stream" "In which stream a kernel is launched.",
    ListingLetters "listing.letters" "The letters that were read from a listing stand for it.",
    ListingPtx "listing.ptx" "PTX is not what the GPU runs: `ptxas` makes no more of it than the tables count.",
    ListingWaits "listing.waits" "Which instructions wait for which.",
    ListingWhole "listing.whole" "No line of the listing is missing.",
    LoopBound "loop.bound" "How many iterations a loop has at most, for each warp.",
    LoopTogether "loop.together" "Threads of a warp that execute an instruction together are in the same iteration of every loop around it.",
    LoopTotal "loop.total" "How many iterations a loop has at most, in all warps of a launch together.",
    LoopUnreached "loop.unreached" "No warp reaches a loop, since fewer iterations are declared than each that reaches it makes.",
    LoopWaits "loop.waits" "How often a loop that waits for other blocks looks.",
    MachineFile "machine.file" "The numbers of the machine, as a file says.",
    MachinePaper "machine.paper" "Times of a GPU are those of the paper's multiprocessor, which has neither latencies nor memory.",
    MatrixTime "matrix.time" "For how long a matrix instruction holds its unit.",
    MemoryDevice "memory.device" "All pointers point to memory of the GPU.",
    MemoryHost "memory.host" "The rate and the latency of the link to memory of the host.",
    MemoryShare "memory.share" "How many blocks the memory always serves.",
    MemoryUnlimited "memory.unlimited" "The memory behind the multiprocessors is without limit.",
    ModelRules "model.rules" "The rules of the model cover what runs.",
    NcuWhole "ncu.whole" "No launch is missing from what Nsight Compute printed.",
    OpcodeUnknown "opcode.unknown" "An opcode that no table has takes no more than the most expensive one.",
    OrderOfWarps "order.warps" "In which order the schedulers try their warps.",
    ParameterValue "parameter.value" "The value of a parameter of the launch.",
    PartitionTests "partition.tests" "What tasks that share a partition wait for one another.",
    PathsSame "paths.same" "All warps of a group take the same path.",
    PointersAligned "pointers.aligned" "Each pointer among the parameters is a multiple of a number.",
    ProcessMps "process.mps" "All kernels are of one process, or of clients of MPS.",
    ProcessSlices "process.slices" "The slice of a process and the time of a switch.",
    ProcessTurns "process.turns" "Processes with work on the GPU take turns.",
    ProcessUpdate "process.update" "How tasks ask for the GPU, and how an update of its runlist is made.",
    ProcessWhole "process.whole" "Every process that uses the GPU is in the file.",
    RegistersOwn "registers.own" "A group of threads of a warp reads in uniform registers what it wrote there itself.",
    SchedulersSpread "schedulers.spread" "No scheduler has more than its share of the warps of a block.",
    ServerRate "server.rate" "The least rate of what all multiprocessors share, while requests wait.",
    StreamPriority "stream.priority" "How urgent the kernels of a stream are, or the nodes of a graph.",
    SystemTraffic "system.traffic" "What kernels with a given execution time ask of the memory.",
    TextureLines "texture.lines" "A lane of a texture instruction reads no more lines than the tables count.",
    TilesLaunched "tiles.launched" "Kernels that are cut into tiles are launched together, and all their blocks run at once.",
    TilesPhases "tiles.phases" "How long a phase of a tile takes at most.",
    TilesPrologue "tiles.prologue" "The time before the first tile.",
    TilesTimer "tiles.timer" "What the timer of the GPU shows.",
    Transactions "transactions.count" "How many transactions a memory instruction needs for a warp.",
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_slugs_in_their_order() {
        let names: Vec<&str> = Id::ALL.iter().map(|id| id.name()).collect();
        assert!(names.is_sorted(), "{names:?}");
        let is_slug = |name: &&str| {
            name.split('.').count() == 2
                && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b".-".contains(&b))
        };
        assert!(names.iter().all(is_slug), "{names:?}");
    }
}
