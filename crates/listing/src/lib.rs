//! From the text of compiled kernels, PTX or SASS, to instruction strings and structured programs.
//!
//! The passes, in their order; [`extract`](extract()) runs them for a file:
//!
//! | pass | from | to |
//! |---|---|---|
//! | `text` | bytes | UTF-8 text, and whether it is PTX or SASS |
//! | `ptx`, `sass` | text | [`routine::Listing`]: routines of instructions with resolved targets |
//! | `sass::reconverge` | the targets of a routine of SASS | the reconvergence points around instructions |
//! | `declarations`, `declared` | the text, a file of the user | what the code does not show, in the options |
//! | [`classes`] | an opcode | its unit, with how many letters it counts and why |
//! | `dependences` | a routine of SASS | what each instruction waits for and sets |
//! | `flow::graph` | a routine | its control-flow graph |
//! | `flow::analysis` | the graph, what the user says | loops, joins, uniform branches, trip counts |
//! | `flow::region` | the analyses | the region tree: blocks, branches and loops |
//! | `flow::lower` | the tree, the classes | the structured program, a [`Piece`](warpspan_model::program::Piece) |
//! | `lift` | an instruction | what it does to registers, as steps that are the same for all opcodes |
//! | `affine` | a routine, the sizes of a launch | what each access of a warp touches |
//! | [`machine`] | an instruction, its class | its letters on a machine, for the same lowering |
//! | [`trace`] | a routine of SASS, what a tracer wrote of a run | what the run shows, as declarations for its input alone |
//!
//! A [`Reading`] is for several questions about one text: `known` keeps what was found for one of them, by all that it depends on.
//!
//! `docs/extract-structure.md` has the rules, and why the program covers every path of the code.
//!
//! Not covered: what the hardware adds to a listing (replays, cache misses, waiting for operands),
//! instructions that wait for time or for other blocks, and indirect branches whose targets the listing does
//! not give.

// Layers: a module uses only those of the groups above its own.
mod capability;
pub mod classes;
mod closure;
mod demangled;
mod fault;
mod formula;
mod memo;
mod message;
mod passes;

mod interval;
pub mod routine;
mod user;

mod declarations;
mod dependences;
mod float;
mod instruction_count;
mod params;
mod ptx;
mod reached;
mod sass;

mod flow;
mod text;
mod unreachable;

mod affine;
mod opcodes;
mod source_lines;

mod known;
pub mod machine;

mod collect;
mod options;
mod reading;

mod declared;
mod resources;

mod extract;

mod declare;

pub mod trace;

#[doc(hidden)]
pub use capability::capability_of;
pub use classes::{Class, Letters};
#[doc(hidden)]
pub use declarations::declarations_schema;
pub use declarations::{Declarations, inputs, read_declarations};
pub use declare::{Undeclared, declare, divergent_branches};
pub use extract::{Definition, Entry, Line, Symbol, entry, extract, of_parameter, of_uniform};
#[doc(hidden)]
pub use extract::{Unknown, extract_with_unknown, has_entry, target};
pub use fault::Fault;
pub use flow::{LoopBound, Obstacle, StructureError, Wait, WaitKind};
pub use formula::Formula;
pub use machine::InL2;
pub use machine::{
    Evidence, Extent, Footprint, MemoryAccess, MemorySpace, OnMachine, Transactions, of_transactions,
};
pub use options::Options;
use options::capability as capability_for;
pub use params::{Params, Range, compiled_for};
pub use passes::passes_of;
pub use reading::Reading;
pub use resources::{KernelResources, MOST_REGISTERS};
pub use source_lines::SourceLine;
pub use text::{Text, is_object};
pub use user::{LoopBounds, read_classes, read_loop_bounds};
#[doc(hidden)]
pub use user::{classes_schema, declared_larger, loop_bounds_schema};
pub use warpspan_isa::instruction::Language;
