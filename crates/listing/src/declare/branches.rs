//! The branches in a file of declarations: those that may part a warp, and what each of them stands in the way of.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::classes::Classes;
use crate::declare::writer::{Writer, plain};
use crate::declared::is_branch;
use crate::flow::{BranchOf, branches};
use crate::known::Studied;
use crate::options::{flow_options, launch};
use crate::{Entry, Obstacle, Options, Reading};
use warpspan_isa::instruction::Flow;
use warpspan_model::device::Capability;
use warpspan_model::source::InputError;

/// A branch with what a declaration may call it.
pub(super) struct Named {
    branch: BranchOf,
    line: String,
    target: Option<String>,
    /// Whether somebody says already that it parts no warp.
    given: bool,
}

impl Named {
    /// Whether this is its label or its line.
    pub(super) fn is_named(&self, name: &str) -> bool {
        self.target.as_deref() == Some(name) || self.line == name
    }
}

/// The lines of the branches at which the warps of an entry may diverge: neither the code shows that all threads of a warp go
/// the same way there, nor do the options say it. The options name the entry and its capability where the text has several.
///
/// # Errors
/// Those of [`extract`](crate::extract()).
pub fn divergent_branches(
    reading: &Reading<'_>,
    entry: &Entry,
    options: &Options,
) -> Result<Vec<u32>, InputError> {
    let named = Options { entry: Some(entry.name.clone()), ..options.clone() };
    let mut found = BTreeSet::new();
    let studied = &reading.studied;
    for number in crate::extract::chosen(reading.place(), &studied.listing, &named)? {
        let branches = branches_of((reading.place(), studied, number), entry.capability, &named)?;
        let diverging = branches.iter().filter(|one| !one.branch.uniform && !one.given);
        found.extend(diverging.filter_map(|one| one.line.parse::<u32>().ok()));
    }
    Ok(found.into_iter().collect())
}

/// The branches of an entry, by its number in the listing of a place, and of what it calls.
pub(super) fn branches_of(
    (place, studied, entry): (&str, &Studied<'_>, usize),
    capability: Capability,
    options: &Options,
) -> Result<Vec<Named>, InputError> {
    let listing = &studied.listing;
    let all = match &options.declarations {
        Some(declarations) => declarations.with(place, listing, entry, options)?,
        None => options.clone(),
    };
    let mut classes = Classes::new(listing.language, capability, all.classes.clone());
    let routine = &listing.routines[entry];
    let launch = launch(routine, listing.language, &all)?;
    let flow_options = flow_options(routine, capability, &all, &launch);
    let found = branches(studied.with_functions(), entry, &mut classes, flow_options);
    let named = |branch: BranchOf| {
        let routine = &listing.routines[branch.routine];
        let instruction = &routine.instructions[branch.instruction];
        let target = match instruction.flow {
            Flow::Branch(to) => Some(routine.place(to)),
            _ => None,
        };
        let mut named = Named { branch, line: instruction.line.to_string(), target, given: false };
        named.given = all.uniform.iter().any(|name| named.is_named(name));
        named
    };
    Ok(found.into_iter().map(named).collect())
}

impl Writer<'_, '_> {
    /// Writes the branches at which a warp may diverge; how many of them stand in the way of a program.
    pub(super) fn branches(&self, found: &[Named], obstacles: &[(u32, Obstacle)], out: &mut String) -> usize {
        let (mut inferred, mut wanted) = (Vec::new(), 0);
        for one in found {
            let Named { branch, line, target, given } = one;
            if branch.uniform && !given {
                inferred.push(line.as_str());
                continue;
            }
            let instruction = &self.listing.routines[branch.routine].instructions[branch.instruction];
            let against: Vec<String> = obstacles
                .iter()
                .filter(|(at, obstacle)| obstacle.branch(*at).is_some_and(|name| one.is_named(&name)))
                .map(|(at, obstacle)| {
                    format!(
                        "# No program without a word on it: line {at}: {}.\n",
                        plain(&obstacle.to_string())
                    )
                })
                .collect();
            wanted += usize::from(!against.is_empty());
            let guard = instruction.guard.map_or(String::new(), |guard| {
                format!("@{}{} ", if guard.negated { "!" } else { "" }, guard.register)
            });
            let to = target.as_ref().map_or(String::new(), |target| format!(", to {}", plain(target)));
            let _ = write!(
                out,
                "\n# Branch in line {line}{to}: {}{}.\n{}\
                 # Do all threads of a warp always go the same way here? Only then say so.\n",
                plain(&format!("{guard}{instruction}")),
                self.source(instruction.line),
                against.concat(),
            );
            let key = if *given { "uniform = true" } else { "# uniform = true" };
            self.table("branch", (branch.routine, branch.instruction), false, key, is_branch, out);
        }
        if !inferred.is_empty() {
            let _ = write!(
                out,
                "\n# All threads of a warp go the same way, as the code shows, at the branches in these lines: {}.\n",
                inferred.join(", ")
            );
        }
        wanted
    }
}
