//! Code from a listing, PTX or SASS, in place of a kernel string.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crate::input::{NamedMachine, listing_bytes, machine_of_capability};
use warpspan_listing::{Declarations, Options, Range, Text, entry, read_classes, read_declarations, target};
use warpspan_model::Code;
use warpspan_model::assumption::{Assumption, Id, Rests};
use warpspan_model::device::Capability;
use warpspan_model::machine::{Machine, Step};
use warpspan_model::program::Piece;
use warpspan_model::source::{InputError, Message, Remedy, name, text_of};

/// A caveat for every number that is computed from a listing: what the model leaves out.
pub const LISTING_LIMITS: &str = "the model has no cache misses, one cycle for each letter and no limit on the instructions issued a \
                                  cycle in all: hardware may take longer";

/// What numbers rest on where the code of a GPU was taken for letters of the paper's model, and what that model leaves out.
#[doc(hidden)]
pub fn of_letters() -> Rests {
    let value = "stand for it, which is tested, and docs/extract-structure.md says why";
    let letters = Assumption::modelled(Id::ListingLetters, "letters that were read from a listing", value);
    Rests { on: vec![letters], notes: vec![Message::text(LISTING_LIMITS)] }
}

/// What stands behind a number of the paper's model for the code of a GPU.
#[doc(hidden)]
pub const IN_THE_PAPERS_MODEL: &str = ", in the paper's model: no latencies";

/// The machine of the compute capability that a listing is for, if it is for one and the program knows its machine.
///
/// # Errors
/// If the listing has no such entry, or several entries that are for different capabilities.
#[doc(hidden)]
pub fn machine_of(text: &Text, entry: Option<&str>) -> Result<Option<NamedMachine>, InputError> {
    let version = target(text, entry)?;
    Ok(version.map(|version| machine_of_capability(&version)).transpose()?.flatten())
}

/// The code of a listing's entry.
#[derive(Debug, Clone)]
pub struct Listed {
    /// The name of the entry.
    pub entry: String,
    /// The code that its warps run.
    pub code: Code,
    /// The capability for which its letters were counted.
    pub capability: Capability,
    /// Why a launch of it may never end where some of its blocks have not begun, if that is so.
    pub waits: Option<String>,
    /// Why a kernel that is behind it in its stream may run at the same time, with what would do, if that is so.
    pub starts_next: Option<Message>,
    /// The listing.
    pub text: Text,
    /// What numbers of the code rest on.
    pub rests: Rests,
    /// The opcodes that no class has, each with its first line.
    pub unknown_opcodes: Vec<(String, u32)>,
    /// The values of parameters and sizes of the launch for which it was read.
    pub params: BTreeMap<String, Range>,
}

/// Reads a file that is a listing.
///
/// # Errors
/// If the file cannot be read, or is no listing.
pub fn read_listing(path: &Path) -> Result<Text, InputError> {
    Text::new(&name(path), listing_bytes(path)?)
}

/// Takes the entry of a listing that the options name, or else its only entry.
///
/// # Errors
/// If there is no such entry, or if its code has no program.
pub fn listed(text: Text, options: &Options) -> Result<Listed, InputError> {
    let found = entry(&text, options)?;
    let (code, rests) = (found.code(text.place())?, found.rests());
    let (waits, starts_next) = (found.needs_all_blocks(), found.starts_next());
    let (entry, capability, unknown_opcodes) = (found.name, found.capability, found.unknown_opcodes);
    let params = found.params;
    Ok(Listed { entry, code, capability, waits, starts_next, text, rests, unknown_opcodes, params })
}

/// The code of a listing's entry on a machine.
#[derive(Debug, Clone)]
pub struct ListedOnMachine {
    /// The name of the entry.
    pub entry: String,
    /// The code that its warps run.
    pub code: Piece<Step>,
    /// The machine, with letters that memory instructions of the entry have besides its own.
    pub machine: Arc<Machine>,
    /// Why a launch of it may never end where some of its blocks have not begun, if that is so.
    pub waits: Option<String>,
    /// Why a kernel that is behind it in its stream may run at the same time, with what would do, if that is so.
    pub starts_next: Option<Message>,
    /// Whether an instruction of it moves data behind the multiprocessors.
    pub reaches_memory: bool,
    /// The listing.
    pub text: Text,
    /// What numbers of this code rest on.
    pub rests: Rests,
    /// The same of any code that is read on the machine.
    pub of_machine: Vec<Assumption>,
    /// The opcodes that no class has, each with its first line.
    pub unknown_opcodes: Vec<(String, u32)>,
    /// The values of parameters and sizes of the launch for which it was read.
    pub params: BTreeMap<String, Range>,
}

/// The same on the machine of the options.
///
/// # Errors
/// As [`listed`], and if the options have no machine.
pub fn listed_on(text: Text, options: &Options) -> Result<ListedOnMachine, InputError> {
    let found = entry(&text, options)?;
    let on = found.on_machine.as_ref().ok_or_else(|| InputError::new(text.place(), "no machine is given"))?;
    let code = on.program.as_ref().map_err(|error| found.without_program(text.place(), error))?.clone();
    let mut rests = found.rests();
    rests.notes.extend(on.worst_lines());
    let of_machine = on.assumptions();
    let machine = Arc::clone(&on.machine);
    let (waits, starts_next) = (found.needs_all_blocks(), found.starts_next());
    let unknown_opcodes = found.unknown_opcodes;
    let reaches_memory = on.reaches_memory;
    Ok(ListedOnMachine {
        entry: found.name,
        code,
        machine,
        waits,
        starts_next,
        reaches_memory,
        text,
        rests,
        of_machine,
        unknown_opcodes,
        params: found.params,
    })
}

/// Reads a file of instruction classes, which may name letters of a machine.
///
/// # Errors
/// Those of [`read_classes`], and if the file cannot be read.
pub fn classes_of(
    path: &Path,
    machine: Option<&Machine>,
) -> Result<Vec<warpspan_listing::classes::Given>, InputError> {
    read_classes(&name(path), &text_of(path, "TOML")?, machine)
}

/// Reads a file of declarations, whose classes may name letters of a machine.
///
/// # Errors
/// Those of [`read_declarations`], and if the file cannot be read.
pub fn declarations_of(path: &Path, machine: Option<&Machine>) -> Result<Declarations, InputError> {
    read_declarations(&name(path), &declarations_text(path)?, machine)
}

/// The text of a file of declarations.
///
/// # Errors
/// If the file cannot be read, with how such a file is made.
pub fn declarations_text(path: &Path) -> Result<String, InputError> {
    text_of(path, "TOML").map_err(|error| {
        let remedy = Remedy::Declarations { loops: Vec::new(), uniform: Vec::new(), unreachable: Vec::new() };
        InputError { what: error.what.then(": want ").remedy(remedy), ..error }
    })
}
