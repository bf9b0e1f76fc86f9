//! From files and flags to instances, all of them before any work begins.

use std::path::{Path, PathBuf};

use crate::cli::Failure;
use crate::cli::args::{FlagArgs, InstanceArgs};
use crate::cli::listing::listed;
use crate::input::{Draft, Flags, LISTING_LIMITS, Problem, read};
use crate::model::Instance;
use crate::source::{InputError, bytes, name};

/// What a result is about.
#[derive(Debug, Default)]
pub(super) struct Place {
    /// The file that the instance is from; none by flags alone.
    pub(super) file: Option<String>,
    /// Its line there, where a file holds several.
    pub(super) line: Option<usize>,
    /// Whether there are other results beside it.
    pub(super) beside: bool,
    /// What should be said beside each number.
    pub(super) notes: Vec<String>,
}

impl Place {
    /// A result for a person, under its place where there are several.
    pub(super) fn over(&self, text: &str) -> String {
        match (&self.file, self.line) {
            (Some(file), Some(line)) if self.beside => format!("{file}:{line}\n{text}"),
            (Some(file), None) if self.beside => format!("{file}\n{text}"),
            _ => text.to_owned(),
        }
    }
}

/// The instances that the arguments name, each with its place: one a file, or one by flags alone.
pub(super) fn instances(args: &InstanceArgs) -> Result<Vec<(Place, Instance)>, Failure> {
    each(args, |draft, flags| Ok(draft.instance(flags)?))
}

/// The same for commands that take programs too.
pub(super) fn problems(args: &InstanceArgs) -> Result<Vec<(Place, Problem)>, Failure> {
    let mut problems = each(args, |draft, flags| Ok(draft.problem(flags)?))?;
    for (place, problem) in &mut problems {
        if args.flags.listing.ptx.is_none() && matches!(problem, Problem::Programs(..)) {
            place.notes.push(LISTING_LIMITS.to_owned());
        }
    }
    Ok(problems)
}

fn each<T>(
    args: &InstanceArgs,
    make: impl Fn(Draft, &Flags) -> Result<T, Failure>,
) -> Result<Vec<(Place, T)>, Failure> {
    let flags = flags(&args.flags)?;
    let one = |file: Option<&PathBuf>| {
        let draft = file.map_or(Ok(Draft::default()), |path| draft(path))?;
        let of_listing = args.flags.listing.ptx.as_ref().map(|_| LISTING_LIMITS.to_owned());
        let notes = draft.assumes(&flags).into_iter().chain(of_listing).collect();
        let place =
            Place { file: file.map(|path| name(path)), line: None, beside: args.files.len() > 1, notes };
        Ok((place, make(draft, &flags)?))
    };
    match args.files.is_empty() {
        true => Ok(vec![one(None)?]),
        false => args.files.iter().map(Some).map(one).collect(),
    }
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
    let listed = listed(&args.listing, args.compute_capability)?;
    let target = listed.as_ref().map(|listed| listed.capability);
    Ok(Flags {
        kernel: args.kernel.clone().or(listed.map(|listed| listed.code)),
        warps: args.warps,
        warps_per_block: args.warps_per_block,
        groups: args.group.clone(),
        capability: args.compute_capability,
        target,
        sigma_l: args.sigma_l,
        sigma_c: args.sigma_c,
    })
}
