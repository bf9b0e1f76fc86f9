//! What to extract, and what follows from it for a routine.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use crate::LoopBounds;
use crate::classes::Given;
use crate::declarations::Declarations;
use crate::flow::FlowOptions;
use crate::machine::{InL2, Transactions};
use crate::message::{fail_with, one_line};
use crate::params::{Launch, Params};
use crate::routine::Routine;
use warpspan_isa::instruction::Language;
use warpspan_isa::row::Transfer;
use warpspan_model::device::Capability;
use warpspan_model::machine::Machine;
use warpspan_model::source::{InputError, Message, Remedy};

/// What to extract, and what the user knows about it.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The only entry to extract; all if none is given.
    pub entry: Option<String>,
    /// The compute capability; that of the listing if none is given.
    pub capability: Option<Capability>,
    /// Classes that take precedence over those of the table.
    pub classes: Vec<Given>,
    /// Bounds of loops.
    pub loop_bounds: LoopBounds,
    /// How often all warps of a launch pass loops together at most. The program then repeats such a loop once for each time a warp
    /// comes to it, and nobody but who counts the passes beside the program may use it; see
    /// [`LoopBound::total`](crate::LoopBound::total).
    pub loop_totals: LoopBounds,
    /// Values of parameters and sizes of the launch, for which alone the bounds of loops then hold.
    pub params: Params,
    /// Labels or lines of branches that all threads of a warp take the same way.
    pub uniform: HashSet<String>,
    /// Labels or lines to which control never comes.
    pub unreachable: BTreeSet<String>,
    /// What a file declares of the entries; what stands in the fields above wins.
    pub declarations: Option<Arc<Declarations>>,
    /// Whether to keep the instructions, each with its letter and why.
    pub explain: bool,
    /// A machine, to extract a program over its letters too.
    pub machine: Option<Arc<Machine>>,
    /// The transactions of memory instructions on the machine.
    pub transactions: Transactions,
    /// Whether to say what a block and a launch touch of each array of global memory.
    pub footprints: bool,
    /// Whether pointers that are different parameters are to different arrays, as the user says.
    pub distinct: bool,
    /// The lines of accesses of global memory that ask nothing of the servers of the machine, since who uses the program counts what they
    /// move by itself.
    pub unmoved: BTreeSet<u32>,
    /// The accesses of global memory to what L2 holds, as the user says.
    pub in_l2: InL2,
    /// Whether an opcode that no class has is an error. If not, it counts as the most expensive instruction of each unit.
    pub strict: bool,
}

/// The launch of a routine, as the options say.
pub(crate) fn launch(
    routine: &Routine<'_>,
    language: Language,
    options: &Options,
) -> Result<Launch, InputError> {
    let wrong = |what| InputError::with("", Message::of(Remedy::GivenParams).then(format!(": {what}")));
    Launch::of(routine, language, &options.params).map_err(wrong)
}

/// What the options and the code say of how the hardware runs it.
pub(crate) fn flow_options<'o>(
    routine: &Routine<'_>,
    capability: Capability,
    options: &'o Options,
    launch: &'o Launch,
) -> FlowOptions<'o> {
    // Code with BSSY is for 7.0 and later, whatever its letters are taken for.
    let alternates = routine.instructions.iter().any(|one| one.transfer() == Transfer::Enter);
    FlowOptions {
        loop_bounds: &options.loop_bounds,
        loop_totals: &options.loop_totals,
        uniform: &options.uniform,
        launch,
        independent_threads: alternates || !matches!(capability.version.as_bytes()[0], b'2'..=b'6'),
    }
}

pub(crate) fn capability(
    place: &str,
    routine: &Routine<'_>,
    options: &Options,
) -> Result<Capability, InputError> {
    if let Some(capability) = options.capability {
        return Ok(capability);
    }
    let target = routine.target.as_deref();
    let known = target.and_then(|target| target.parse().ok());
    known.ok_or_else(|| {
        let what = match target {
            Some(target) => format!("{} is for capability {target}, which is not known", routine.name),
            None => format!("no capability is named for {}", routine.name),
        };
        let what = Message::text(one_line(&what)).then(": want ").remedy(Remedy::Capability);
        fail_with(place, routine.line, what)
    })
}
