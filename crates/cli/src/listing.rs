//! From flags to the code of a listing.

use std::path::PathBuf;
use std::sync::Arc;

use crate::args::{CodeArgs, ListingArgs};
use warpspan_kernel::input::{self, Listed, ListedOnMachine, NamedMachine, declarations_text, read_listing};
use warpspan_launch::{Code, File, with_transactions};
use warpspan_listing::{Options, Text};
use warpspan_model::device::Capability;
use warpspan_model::source::{InputError, name, text_of};

/// What the flags say about the code.
pub(super) fn options(args: &CodeArgs, capability: Option<Capability>) -> Result<Options, InputError> {
    code(args)?.options(capability, None)
}

/// What the flags say about the code and its transactions on a machine. The capability is that of the machine
/// where no flag says another, so that the kinds of its instructions are as fast as there.
pub(super) fn options_on(
    args: &CodeArgs,
    capability: Option<Capability>,
    named: &NamedMachine,
    transactions: &[String],
) -> Result<Options, InputError> {
    let known = || named.capability.as_ref()?.parse().ok();
    let machine = Arc::new(named.machine.clone());
    with_transactions(code(args)?.options(capability.or_else(known), Some(machine))?, transactions)
}

/// What the flags say about the code, with the texts of the files that they name.
pub(super) fn code(args: &CodeArgs) -> Result<Code, InputError> {
    let file = |path: &PathBuf| Ok(File { place: name(path), text: text_of(path, "TOML")? });
    let declared = |path: &PathBuf| Ok(File { place: name(path), text: declarations_text(path)? });
    let code = args.clone();
    Ok(Code {
        loop_bounds: args.loop_bounds.as_ref().map(file).transpose()?,
        classes: args.classes.as_ref().map(file).transpose()?,
        declare: args.declare.as_ref().map(declared).transpose()?,
        entry: code.entry,
        loop_bound: code.loop_bound,
        uniform: code.uniform,
        unreachable: code.unreachable,
        param: code.param,
        strict: code.strict,
    })
}

/// Refuses declarations that hold for some inputs only, in a command that does not say so beside its numbers.
pub(super) fn for_every_input(options: &Options) -> Result<(), InputError> {
    options.declarations.as_ref().map_or(Ok(()), |said| said.for_every_input())
}

/// The listing that `--ptx` names, if it is there.
pub(super) fn text(args: &ListingArgs) -> Result<Option<Text>, InputError> {
    match (&args.ptx, args.code.given()) {
        (Some(path), _) => read_listing(path).map(Some),
        (None, Some(flag)) => Err(InputError::new(flag, "no listing is given: want --ptx FILE")),
        (None, None) => Ok(None),
    }
}

/// The code of a listing on a machine, if there is one.
pub(super) fn listed_on(
    text: Option<&Text>,
    args: &CodeArgs,
    named: &NamedMachine,
    transactions: &[String],
) -> Result<Option<ListedOnMachine>, InputError> {
    let Some(text) = text else {
        return match transactions {
            [given, ..] => {
                let what = "no listing is given: want --ptx FILE";
                Err(InputError::new(format!("--transactions {given}"), what))
            }
            [] => Ok(None),
        };
    };
    let options = options_on(args, None, named, transactions)?;
    for_every_input(&options)?;
    let found = input::listed_on(text.clone(), &options)?;
    warn_of_unknown(text.place(), &found.unknown_opcodes);
    Ok(Some(found))
}

/// Warns of opcodes that no class has.
pub(super) fn warn_of_unknown(place: &str, opcodes: &[(String, u32)]) {
    for (opcode, line) in opcodes {
        tell!(
            "{place}:{line}: opcode {opcode} is not known: it counts as the most expensive one of each unit; \
             --classes FILE gives it a class, and --strict refuses it"
        );
    }
}

/// The code of a listing on the paper's multiprocessor, if there is one.
pub(super) fn listed(
    text: Option<&Text>,
    args: &CodeArgs,
    capability: Option<Capability>,
) -> Result<Option<Listed>, InputError> {
    let Some(text) = text else { return Ok(None) };
    let options = options(args, capability)?;
    for_every_input(&options)?;
    let found = input::listed(text.clone(), &options)?;
    warn_of_unknown(text.place(), &found.unknown_opcodes);
    Ok(Some(found))
}
