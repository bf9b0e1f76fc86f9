//! An entry of a listing on a machine, and what its program takes for granted.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::StructureError;
use crate::extract::WHOLE;
use crate::machine::alphabet::LONGEST_STALL;
use crate::machine::{Footprint, MachineLine, MemoryAccess};
use warpspan_model::machine::{LetterId, Machine, Step};
use warpspan_model::program::Piece;
use warpspan_model::source::{Message, Remedy};

/// What every program of a listing on a machine takes for granted.
const CACHES: &str = "assumes that instructions and operands in the constant bank are in their caches, and that each access of memory \
     which no server keeps waiting has its result within the latency of its letter";
/// What code with texture instructions takes for granted.
const TEXELS: &str = "assumes that a lane of a texture instruction reads 8 lines at most";

/// What instructions wait for, if the listing says it.
const CONTROL_FIELDS: &str = "takes which instructions wait for which from the control fields of the listing";
/// What instructions of PTX wait for on a machine that runs it as it stands.
const REGISTERS: &str = "takes the machine to run PTX as it stands and each instruction to wait for the registers that it names, as \
     ptx_stall of its file says";

/// What code takes for granted that reaches memory of which nothing is known.
const UNLIMITED: &str = "takes the memory behind the multiprocessors to be without limit, since the machine has no server: want a \
     GPU that `gpus` lists, or a [[server]] in the machine file";

/// What transactions take for granted that are inferred from the code.
const TOGETHER: &str = "takes threads of a warp that execute an instruction together to be in the same pass of every loop around it, \
     which inferred transactions need";

/// What numbers of PTX take for granted, unless the machine runs it as it stands.
const OF_PTX: &str = "PTX is not what the GPU runs: the bound is one of the instructions that the tables count for it; want SASS";

/// The conditions of a verdict that rests on sentences of [`OnMachine::assumes`] and [`Entry::rests_on`](crate::Entry::rests_on), of the
/// kernel or of a co-running one, each to be read behind "if": what the tables count for PTX, where `ptxas` copies code, adds slow
/// paths, and gathers what the lanes of a warp do to one address; and a listing that nothing shows to be whole.
pub fn conditions_of_listing(assumed: &[String]) -> impl Iterator<Item = String> {
    let says = |what: &str| assumed.iter().any(|sentence| sentence.contains(what));
    let of_ptx = says(OF_PTX).then_some("ptxas makes no more of the PTX than the tables count");
    let whole = says(WHOLE).then_some("the listing is whole");
    of_ptx.into_iter().chain(whole).map(str::to_owned)
}

/// What instructions wait for in any other listing.
fn in_order(ptx_stall: Option<u32>) -> String {
    let stall = LONGEST_STALL.max(ptx_stall.unwrap_or(0));
    format!(
        "assumes that each instruction waits for the result of the one before and for {stall} cycles, which is later than the hardware waits"
    )
}

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
    /// Whether it has a texture instruction.
    pub(crate) reads_textures: bool,
    /// How many letters the machine has without those that were added.
    pub(crate) own_letters: usize,
}

impl OnMachine {
    /// What a user must know of numbers that rest on the program.
    pub fn assumes(&self) -> Vec<String> {
        let waits = match (self.dependences, self.as_it_stands) {
            (true, false) => CONTROL_FIELDS,
            (true, true) => REGISTERS,
            (false, _) => &in_order(self.machine.ptx_stall()),
        };
        let unlimited = self.reaches_memory && self.machine.servers().is_empty();
        let of_addresses = if self.from_addresses { self.of_addresses() } else { vec![] };
        let of_ptx = (self.ptx && !self.as_it_stands).then_some(OF_PTX);
        let texels = self.reads_textures.then_some(TEXELS);
        let always = of_ptx.into_iter().chain([CACHES]).chain(texels).chain([waits]);
        always.chain(unlimited.then_some(UNLIMITED)).map(str::to_owned).chain(of_addresses).collect()
    }

    /// What must be known of numbers that follow from the addresses of accesses: inferred transactions, and footprints.
    pub fn of_addresses(&self) -> Vec<String> {
        let multiple = 1_u64 << self.pointers;
        let pointers = (multiple > 1).then(|| {
            format!("takes each pointer among the parameters to be a multiple of {multiple}, as declared")
        });
        [TOGETHER.to_owned()].into_iter().chain(pointers).collect()
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
        if letter.index() < self.own_letters {
            return name;
        }
        let plain = name.split('-').next().unwrap_or(name);
        let number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        plain.rsplit_once('.').filter(|(_, passes)| number(passes)).map_or(plain, |(base, _)| base)
    }
}
