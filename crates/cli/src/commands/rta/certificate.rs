//! `rta --certificate`.

use std::path::Path;

use crate::Failure;
use crate::certificates::refused;
use crate::output::Target;
use warpspan_rta::{Analysis, Certificate, System};

/// The most kernels that the note names.
const MOST: usize = 8;

/// The file of the certificate, opened, if one was asked for.
pub(super) fn target(path: Option<&Path>, system: &System) -> Result<Option<Target>, Failure> {
    let Some(path) = path else { return Ok(None) };
    crate::output::ending(path, &["v"])?;
    Certificate::is_possible(system).map_err(refused)?;
    Target::open(path).map(Some)
}

/// The kernels of which the certificate proves less than the answer says.
pub(super) fn note(system: &System, analysis: &Analysis, proof: &Certificate<'_>) -> Option<String> {
    let unit = system.unit();
    let less = proof.bounds().iter().enumerate().filter_map(|(kernel, &proved)| {
        let shown = analysis.kernels[kernel].bound?;
        let name = &system.tasks()[kernel].name;
        (proved > shown).then(|| format!("{} for {name}, not {}", unit.write(proved), unit.write(shown)))
    });
    let less: Vec<String> = less.collect();
    let more = less.len().saturating_sub(MOST);
    let rest = if more > 0 { format!("; {more} more") } else { String::new() };
    let named = less[..less.len() - more].join("; ");
    (!less.is_empty()).then(|| {
        format!(
            "the certificate proves only {named}{rest}: it uses neither Algorithm 2 nor that releases are exact, \
             and counts launches whole"
        )
    })
}
