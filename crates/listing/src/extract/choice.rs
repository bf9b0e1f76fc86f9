//! Which entries of a listing are meant.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use crate::extract::all_of;
use crate::extract::definitions::name_parameters;
use crate::message::one_line;
use crate::reached::reached;
use crate::routine::{Listing, Routine};
use crate::{Entry, Fault, Options, Reading, Text};
use warpspan_model::source::{InputError, Message, Remedy};

/// The entry of a text that the options name, or else its only one.
///
/// # Errors
/// Those of [`extract`](crate::extract()); also if the options name no entry and there is none or more than one.
pub fn entry(text: &Text, options: &Options) -> Result<Entry, InputError> {
    Reading::of(text)?.entry(options)
}

pub(super) fn names<'a>(listing: &'a Listing<'_>) -> Vec<&'a str> {
    let mut seen = HashSet::new();
    listing.routines.iter().filter(|one| one.entry && seen.insert(one.name)).map(|one| one.name).collect()
}

/// The routines without those that stand there for other capabilities too, where the options name one.
fn of_capability(
    place: &str,
    listing: &Listing<'_>,
    chosen: Vec<usize>,
    options: &Options,
) -> Result<Vec<usize>, InputError> {
    let Some(capability) = options.capability else { return Ok(chosen) };
    let mut targets: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for routine in chosen.iter().map(|&number| &listing.routines[number]) {
        targets.entry(routine.name).or_default().push(routine.target.as_deref().unwrap_or("an unknown one"));
    }
    let is_for = |&number: &usize| {
        let routine = &listing.routines[number];
        targets[routine.name].len() == 1 || routine.target.as_deref() == Some(capability.version)
    };
    let kept: Vec<usize> = chosen.into_iter().filter(is_for).collect();
    for (name, of_name) in targets {
        if !kept.iter().any(|&number| listing.routines[number].name == name) {
            let what = Message::text(format!(
                "{name} is there for capabilities {}: want one of them with ",
                of_name.join(", ")
            ))
            .remedy(Remedy::Capability);
            return Err(InputError::with(place, what));
        }
    }
    Ok(kept)
}

/// The name of the entry that a name means: the same, or that of the only one whose name without parameters it is, as
/// `saxpy` is that of `saxpy(int, float)`.
fn meant<'a>(listing: &'a Listing<'_>, name: &'a str) -> &'a str {
    let all = names(listing);
    let short = |one: &&&str| one.split_once('(').is_some_and(|(short, _)| short == name);
    let found: Vec<&&str> = all.iter().filter(short).collect();
    match found[..] {
        [only] if !all.contains(&name) => only,
        _ => name,
    }
}

/// The compute capability that the text names for the entry of this name, or else for all of its entries; none if it names
/// none or several, or does not have the entry.
///
/// # Errors
/// If the text is not a listing.
#[doc(hidden)]
pub fn target(text: &Text, entry: Option<&str>) -> Result<Option<String>, InputError> {
    let listing = text.listing()?;
    let entry = entry.map(|name| meant(&listing, name));
    let meant = |one: &&Routine<'_>| entry.map_or(one.entry, |name| one.name == name);
    let targets: BTreeSet<Option<&str>> =
        listing.routines.iter().filter(meant).map(|one| one.target.as_deref()).collect();
    Ok(match (targets.len(), targets.first()) {
        (1, Some(&Some(only))) => Some(only.to_owned()),
        _ => None,
    })
}

/// Whether a text has an entry of this name.
///
/// # Errors
/// If the text is not a listing.
#[doc(hidden)]
pub fn has_entry(text: &Text, name: &str) -> Result<bool, InputError> {
    Ok(Reading::of(text)?.has_entry(name))
}

impl Reading<'_> {
    /// The entry that the options name, or else the only one.
    ///
    /// # Errors
    /// Those of [`entry`](crate::entry()).
    pub fn entry(&self, options: &Options) -> Result<Entry, InputError> {
        let place = self.place();
        let named = match &options.entry {
            Some(_) => options.clone(),
            None => match names(&self.studied.listing)[..] {
                [name] => Options { entry: Some(name.to_owned()), ..options.clone() },
                [] => return Err(InputError::new(place, "no entry: want a listing of a kernel")),
                ref names => {
                    let what = Message::text(format!("{} entries: want ", names.len()))
                        .remedy(Remedy::Entry(names.iter().map(|&name| name.to_owned()).collect()))
                        .then(format!(", one of {}", names.join(", ")));
                    return Err(InputError::with(place, what));
                }
            },
        };
        let mut found = all_of(self, &named)?;
        let (first, second) = (found.first(), found.get(1));
        if let (Some(first), Some(second)) = (first, second) {
            let versions: Vec<&str> = found.iter().map(|one| one.capability.version).collect();
            let what = if first.capability == second.capability {
                let lines: Vec<String> = found.iter().map(|one| one.line.to_string()).collect();
                Message::text(format!(
                    "{} begins in lines {}: want the listing of one object file",
                    one_line(&first.name),
                    lines.join(", ")
                ))
            } else {
                Message::text(format!(
                    "{} is there for capabilities {}: want one of them with ",
                    one_line(&first.name),
                    versions.join(", ")
                ))
                .remedy(Remedy::Capability)
            };
            return Err(InputError::with(place, what));
        }
        let what = "no such entry"; // a name without an entry is an error of `extract` already
        let mut found = found.pop().ok_or_else(|| InputError::new(place, what))?;
        name_parameters(self, &named, &mut found);
        Ok(found)
    }

    /// Whether there is an entry of this name.
    pub fn has_entry(&self, name: &str) -> bool {
        names(&self.studied.listing).contains(&meant(&self.studied.listing, name))
    }
}

/// The entry that the options name, or else all of them, by their numbers.
pub(crate) fn chosen(
    place: &str,
    listing: &Listing<'_>,
    options: &Options,
) -> Result<Vec<usize>, InputError> {
    let name = options.entry.as_ref().map(|name| meant(listing, name));
    let wanted = |routine: &Routine<'_>| match name {
        Some(name) => routine.name == name,
        None => routine.entry,
    };
    let chosen: Vec<usize> =
        (0..listing.routines.len()).filter(|&number| wanted(&listing.routines[number])).collect();
    let chosen = of_capability(place, listing, chosen, options)?;
    if let (Some(name), []) = (&options.entry, &chosen[..]) {
        let names = names(listing);
        let what = match names[..] {
            [] => format!("no entry {name:?}: the file has none"),
            _ => format!("no entry {name:?}: want one of {}", names.join(", ")),
        };
        return Err(InputError::new(place, what));
    }
    check_texts(listing, &chosen)?;
    Ok(chosen)
}

/// Checks that not every entry that was chosen has, or calls, a text that cannot be read. If only some do, these have no program
/// and say why.
///
/// # Errors
/// The first thing that cannot be read.
fn check_texts(listing: &Listing<'_>, chosen: &[usize]) -> Result<(), InputError> {
    let of = |number: usize| match &listing.routines[number].fault {
        Some(Fault::Text(error)) => Some(error),
        _ => None,
    };
    let mut of_chosen = Vec::with_capacity(chosen.len());
    for &entry in chosen {
        let Some(error) = reached(listing, entry).into_iter().find_map(of) else { return Ok(()) };
        of_chosen.push(error);
    }
    let all = || (0..listing.routines.len()).filter_map(of).min_by_key(|error| error.line);
    let first = of_chosen.into_iter().min_by_key(|error| error.line).or_else(all);
    first.map_or(Ok(()), |error| Err(error.clone()))
}
