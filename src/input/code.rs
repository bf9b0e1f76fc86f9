//! Code from a listing, PTX or SASS, in place of a kernel string.

use std::path::Path;
use std::sync::Arc;

use crate::listing::{Options, Text, entry, read_classes};
use crate::model::Code;
use crate::model::device::Capability;
use crate::model::machine::{Machine, Step};
use crate::model::program::Piece;
use crate::source::{InputError, bytes, name, text_of};

/// A caveat for every number that is computed from a listing: what the model leaves out.
pub const LISTING_LIMITS: &str = "the model has no cache misses, one cycle for each letter and no limit on the instructions issued a \
                                  cycle in all: hardware may take longer";

/// The code of a listing's entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Listed {
    /// The name of the entry.
    pub entry: String,
    /// The code that its warps run.
    pub code: Code,
    /// The capability for which its letters were counted.
    pub capability: Capability,
}

/// Reads a file and takes the entry that the options name, or else its only entry.
///
/// # Errors
/// If the file cannot be read or has no such entry, or if its code has no program.
pub(crate) fn read_listed(path: &Path, options: &Options) -> Result<Listed, InputError> {
    let place = name(path);
    let found = entry(&Text::new(&place, bytes(path)?)?, options)?;
    Ok(Listed { code: found.code(&place)?, entry: found.name.clone(), capability: found.capability })
}

/// The entry of a listing on a machine.
pub(crate) struct ListedOnMachine {
    /// The name of the entry.
    pub entry: String,
    /// The code that its warps run.
    pub code: Piece<Step>,
    /// The machine of the options, with the letters of the code that it did not have.
    pub machine: Arc<Machine>,
}

/// Reads a file and takes the entry that the options name, or else its only entry, on the machine of the options.
///
/// # Errors
/// As [`read_listed`].
pub(crate) fn read_listed_on_machine(path: &Path, options: &Options) -> Result<ListedOnMachine, InputError> {
    let place = name(path);
    let found = entry(&Text::new(&place, bytes(path)?)?, options)?;
    let (code, machine) = found.code_on_machine(&place)?;
    Ok(ListedOnMachine { entry: found.name, code, machine })
}

/// Reads a file of instruction classes, which may name letters of a machine.
///
/// # Errors
/// Those of [`read_classes`], and if the file cannot be read.
pub(crate) fn classes_of(
    path: &Path,
    machine: Option<&Machine>,
) -> Result<Vec<crate::listing::classes::Given>, InputError> {
    read_classes(&name(path), &text_of(path, "TOML")?, machine)
}
