//! An entry of a listing on a machine, and what its program takes for granted.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::StructureError;
use crate::machine::alphabet::LONGEST_STALL;
use crate::machine::{Footprint, MachineLine, MemoryAccess, base_of};
use warpspan_model::assumption::{Assumption, Id};
use warpspan_model::machine::{LetterId, Machine, Role, Step};
use warpspan_model::program::Piece;
use warpspan_model::source::{Message, Remedy};

/// An entry of a listing on a machine.
#[derive(Debug, Clone)]
pub struct OnMachine {
    /// The machine, with the letters of memory instructions that pass several times, such as `GLOBAL.32`.
    pub machine: Arc<Machine>,
    /// The structured program over these letters, or why there is none.
    pub program: Result<Piece<Step>, StructureError>,
    /// The instructions, if they were asked for.
    pub lines: Vec<MachineLine>,
    /// How many instructions of the entry have each letter.
    pub instructions: BTreeMap<LetterId, usize>,
    /// The memory instructions for which the worst case of transactions counts, by their lines.
    pub worst_case: Vec<u32>,
    /// What one execution of each access of global or shared memory touches.
    pub accesses: Vec<MemoryAccess>,
    /// Whether what is counted of some access follows from what the code computes as its address.
    pub(crate) from_addresses: bool,
    /// Where the user says more transactions than the code shows, a sentence each.
    pub declared_larger: Vec<String>,
    /// What is touched of each array of global memory, if that was asked for and the sizes of a block are known.
    pub footprints: Vec<Footprint>,
    /// The lines of accesses of memory behind the multiprocessors that are in no footprint, if footprints were asked for.
    pub unplaced: Vec<u32>,
    /// The lines of stores and atomic operations to memory behind the multiprocessors.
    pub writes: BTreeSet<u32>,
    /// The line of the first instruction of the listing that may empty the first cache of a multiprocessor.
    pub emptied: Option<u32>,
    /// The power of two that divides each pointer among the parameters, as the user says.
    pub pointers: u32,
    /// Whether the listing says which instructions wait for which.
    pub dependences: bool,
    /// Whether it is PTX.
    pub ptx: bool,
    /// Whether it is PTX that the machine runs as it stands.
    pub as_it_stands: bool,
    /// Whether an instruction reads or writes behind the multiprocessors.
    pub reaches_memory: bool,
    /// Whether the lines that a texture instruction reads are the most that the tables count.
    pub(crate) counts_texels: bool,
    /// How many letters the machine has without those that were added.
    pub(crate) own_letters: usize,
}

impl OnMachine {
    /// What numbers that rest on the program rest on.
    pub fn assumptions(&self) -> Vec<Assumption> {
        let of_ptx = (self.ptx && !self.as_it_stands).then(|| {
            let value = "ptxas makes no more of it than the tables count, since the GPU runs no PTX; SASS needs no such thing";
            Assumption::assumed(Id::ListingPtx, "PTX", value)
        });
        let caches = Assumption::assumed(
            Id::CacheInstructions,
            "instructions and constants",
            "in their caches, and each access that no server keeps waiting has its result within the latency of its letter",
        );
        let texture = self.counts_texels.then(|| {
            Assumption::assumed(Id::TextureLines, "texture instructions", "at most 8 lines for each lane")
        });
        let waits = match (self.dependences, self.as_it_stands) {
            (true, false) => "wait as the control fields of the listing say".to_owned(),
            (true, true) => {
                "wait for the registers that they name, as ptx_stall of the machine file says".to_owned()
            }
            (false, _) => format!(
                "each waits for the result of the one before and for {} cycles, which is later than the hardware waits",
                LONGEST_STALL.max(self.machine.ptx_stall().unwrap_or(0))
            ),
        };
        let waits = Assumption::modelled(Id::ListingWaits, "instructions", waits);
        let unlimited = (self.reaches_memory && self.machine.server(Role::Dram).is_none()).then(|| {
            let value =
                "without limit, since the machine has no [[server]] DRAM, as a GPU that `gpus` lists has";
            Assumption::assumed(Id::MemoryUnlimited, "memory behind the multiprocessors", value)
        });
        let of_addresses = if self.from_addresses { self.of_addresses() } else { vec![] };
        let always = of_ptx.into_iter().chain([caches]).chain(texture).chain([waits]);
        always.chain(unlimited).chain(of_addresses).collect()
    }

    /// What numbers rest on that follow from the addresses of accesses: inferred transactions, and footprints.
    pub fn of_addresses(&self) -> Vec<Assumption> {
        let multiple = 1_u64 << self.pointers;
        let pointers = (multiple > 1).then(|| {
            let value = format!("each is a multiple of {multiple}");
            Assumption::declared(Id::PointersAligned, "pointers among the parameters", value)
        });
        let together =
            "those that execute an instruction together are in the same iteration of every loop around it";
        let together = Assumption::assumed(Id::LoopTogether, "threads of a warp", together);
        [together].into_iter().chain(pointers).collect()
    }

    /// The lines whose memory instructions count the most transactions that they may need, in words.
    pub fn worst_lines(&self) -> Option<Message> {
        let lines: Vec<String> = self.worst_case.iter().map(ToString::to_string).collect();
        let plural = if lines.len() == 1 { "" } else { "s" };
        let what = format!(
            "takes the worst case of transactions in line{plural} {}, unless there are ",
            lines.join(", ")
        );
        (!lines.is_empty()).then(|| Message::text(what).remedy(Remedy::Transactions))
    }

    /// The name of the machine's own letter that a letter is, or stands for several passes of.
    pub fn base(&self, letter: LetterId) -> &str {
        let name = &self.machine.letter(letter).name;
        if letter.index() < self.own_letters { name } else { base_of(name) }
    }
}
