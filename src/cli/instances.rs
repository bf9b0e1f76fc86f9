//! From files and flags to instances, all of them before any work begins.

use std::path::{Path, PathBuf};

use crate::cli::Failure;
use crate::cli::args::{FlagArgs, InstanceArgs};
use crate::cli::listing::listed;
use crate::input::{Draft, Flags, InputError, LISTING_LIMITS, Problem, bytes, name, read};
use crate::model::Instance;

/// The instances that the arguments name: one a file, or one by flags alone.
pub(super) fn instances(args: &InstanceArgs) -> Result<Vec<Instance>, Failure> {
    let flags = flags(&args.flags)?;
    if args.files.is_empty() {
        return Ok(vec![Draft::default().instance(&flags)?]);
    }
    args.files.iter().map(|path| Ok(draft(path)?.instance(&flags)?)).collect()
}

/// The same for commands that take programs too.
pub(super) fn problems(args: &InstanceArgs) -> Result<Vec<Problem>, Failure> {
    let flags = flags(&args.flags)?;
    if args.files.is_empty() {
        return Ok(vec![Draft::default().problem(&flags)?]);
    }
    args.files.iter().map(|path| Ok(draft(path)?.problem(&flags)?)).collect()
}

/// What should be said beside each number.
pub(super) fn notes(args: &FlagArgs) -> Vec<String> {
    args.listing.ptx.iter().map(|_| LISTING_LIMITS.to_owned()).collect()
}

/// The instance of one file, or of flags alone.
pub(super) fn instance(path: Option<&PathBuf>, args: &FlagArgs) -> Result<Instance, Failure> {
    let flags = flags(args)?;
    match path {
        Some(path) => Ok(draft(path)?.instance(&flags)?),
        None => Ok(Draft::default().instance(&flags)?),
    }
}

fn draft(path: &Path) -> Result<Draft, Failure> {
    let text = String::from_utf8(bytes(path)?)
        .map_err(|_| InputError::new(name(path), "not UTF-8 text: want an instance in TOML"))?;
    Ok(read(&name(path), &text)?)
}

fn flags(args: &FlagArgs) -> Result<Flags, Failure> {
    let capability = args.compute_capability.as_ref();
    let listed = listed(&args.listing, args.compute_capability)?;
    let target = listed.as_ref().map(|listed| listed.multiprocessor);
    Ok(Flags {
        kernel: args.kernel.clone().or(listed.map(|listed| listed.code)),
        warps: args.warps,
        warps_per_block: args.warps_per_block,
        groups: args.group.clone(),
        multiprocessor: capability.map(|c| c.multiprocessor()).transpose().map_err(Failure::usage)?,
        target,
        sigma_l: args.sigma_l,
        sigma_c: args.sigma_c,
    })
}
