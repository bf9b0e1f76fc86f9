//! From files and flags to workloads, all of them before any work begins.

use std::path::{Path, PathBuf};

use crate::cli::Failure;
use crate::cli::args::{FlagArgs, GridArgs, InstanceArgs, PathArgs};
use crate::cli::listing::listed;
use crate::input::{Asked, Draft, Flags, GridKeys, LISTING_LIMITS, read, straight_line};
use crate::model::{Instance, Workload};
use crate::source::{InputError, name, text_of};

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

/// The workloads and grids that the arguments name, each with its place: one a file, or one by flags alone.
pub(super) fn asked(
    args: &InstanceArgs,
    paths: &PathArgs,
    grid: &GridArgs,
) -> Result<Vec<(Place, Asked)>, Failure> {
    let GridArgs { blocks, resident, multiprocessors } = *grid;
    let grid = GridKeys { blocks, resident, multiprocessors };
    let flags = Flags { grid, same_path: paths.same_path, ..flags(&args.flags)? };
    each(args, &flags, |draft| {
        let asked = draft.asked(&flags)?;
        let is_straight = match &asked {
            Asked::Workload(workload) => workload.instance().is_some(),
            Asked::Grid(grid) => grid.block().instance().is_some(),
        };
        Ok((asked, is_straight))
    })
}

/// What each file describes, or the flags alone, and whether its code is straight lines.
fn each<T>(
    args: &InstanceArgs,
    flags: &Flags,
    one: impl Fn(Draft) -> Result<(T, bool), InputError>,
) -> Result<Vec<(Place, T)>, Failure> {
    let is_listing = args.flags.listing.ptx.is_some();
    let one = |file: Option<&PathBuf>| -> Result<(Place, T), Failure> {
        let draft = file.map_or(Ok(Draft::default()), |path| draft(path))?;
        let assumes = draft.assumes(flags);
        let (what, is_straight) = one(draft)?;
        let limits = (is_listing || !is_straight).then(|| LISTING_LIMITS.to_owned());
        let notes = assumes.into_iter().chain(limits).collect();
        let file = file.map(|path| name(path));
        Ok((Place { file, line: None, beside: args.files.len() > 1, notes }, what))
    };
    if args.files.is_empty() { Ok(vec![one(None)?]) } else { args.files.iter().map(Some).map(one).collect() }
}

/// A workload of straight lines and its instance.
pub(super) type StraightLines = (Workload, Instance);

/// The same for commands that need a schedule.
pub(super) fn instances(args: &InstanceArgs) -> Result<Vec<(Place, StraightLines)>, Failure> {
    let straight = |(place, workload): (Place, Workload)| {
        let instance = straight_line(place.file.as_deref().unwrap_or_default(), &workload)?.clone();
        Ok((place, (workload, instance)))
    };
    let flags = flags(&args.flags)?;
    let workloads = each(args, &flags, |draft| {
        let workload = draft.workload(&flags)?;
        let is_straight = workload.instance().is_some();
        Ok((workload, is_straight))
    });
    workloads?.into_iter().map(straight).collect()
}

/// The workload of one file, or of flags alone, if it is of straight lines.
pub(super) fn instance(path: Option<&PathBuf>, args: &FlagArgs) -> Result<StraightLines, Failure> {
    let flags = flags(args)?;
    let (place, draft) = match path {
        Some(path) => (name(path), draft(path)?),
        None => (String::new(), Draft::default()),
    };
    let workload = draft.workload(&flags)?;
    let instance = straight_line(&place, &workload)?.clone();
    Ok((workload, instance))
}

fn draft(path: &Path) -> Result<Draft, Failure> {
    Ok(read(&name(path), &text_of(path, "an instance in TOML")?)?)
}

fn flags(args: &FlagArgs) -> Result<Flags, Failure> {
    let listed = listed(&args.listing, args.compute_capability)?;
    let target = listed.as_ref().map(|listed| listed.capability);
    Ok(Flags {
        kernel: args.kernel.clone().or(listed.map(|listed| listed.code)),
        warps: args.warps,
        warps_per_block: args.warps_per_block,
        same_path: false,
        grid: GridKeys::default(),
        groups: args.group.clone(),
        capability: args.compute_capability,
        target,
        sigma_l: args.sigma_l,
        sigma_c: args.sigma_c,
    })
}
