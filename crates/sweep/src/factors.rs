//! The factors of a grid, parsed from the settings of a sweep.

use std::hash::Hash;
use std::path::Path;

use crate::kernels;
use crate::lists::items;
use crate::{Setting, Settings};
use warpspan_model::device::Capability;
use warpspan_model::source::{InputError, Message, Remedy, text_of};
use warpspan_model::{Code, CodeError, Multiprocessor, Throughput};
use warpspan_solver::policy::Policy;

/// Parses the value of a key, if the key is given.
pub(super) fn list<T>(
    settings: &Settings,
    key: &str,
    parse: impl Fn(&str) -> Result<T, String>,
) -> Result<Option<T>, InputError> {
    let parse = |setting: &Setting| {
        parse(&setting.text).map_err(|what| match setting.line {
            Some(_) => setting.error(format!("{key}: {what}")),
            None => setting.error(what), // the place already names the flag
        })
    };
    settings.get(key).map(parse).transpose()
}

/// Removes repeated items; each stays where it stood first.
pub(super) fn once<T: Clone + Eq + Hash>(items: Vec<T>) -> Vec<T> {
    let mut known = rustc_hash::FxHashSet::default();
    items.into_iter().filter(|item| known.insert(item.clone())).collect()
}

/// Parses policies. The policy `worst` is refused, since the cell itself computes it.
pub(super) fn policies(text: &str) -> Result<Vec<Policy>, String> {
    let policies = items::<Policy>(text)?;
    if policies.contains(&Policy::Worst) {
        return Err(
            "\"worst\": the column lower has it: want lrr, gto, oldest, rt-paws, random, cggty".into()
        );
    }
    Ok(policies)
}

pub(super) fn every_kernel(settings: &Settings, listed: Option<Code>) -> Result<Vec<Code>, InputError> {
    let mut every = Vec::new();
    every.extend(list(settings, "kernels", items::<Code>)?.unwrap_or_default());
    if let Some(file) = settings.get("kernels-file") {
        every.extend(from_file(file)?);
    }
    let strings = [list(settings, "all-strings", kernels::all)?, list(settings, "random", kernels::random)?];
    every.extend(strings.into_iter().flatten().flatten().map(Code::Kernel));
    every.extend(listed);
    if every.is_empty() {
        let what = Message::text("no kernel is given: want ").remedy(Remedy::SweptKernels);
        return Err(InputError::with("", what));
    }
    Ok(once(every))
}

/// Reads a file with one kernel a line, where `#` begins a comment.
fn from_file(file: &Setting) -> Result<Vec<Code>, InputError> {
    let text = text_of(Path::new(&file.text), "kernels, one a line").map_err(|error| file.error(error))?;
    let mut kernels = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or_default().trim();
        if !line.is_empty() {
            let kernel = line.parse().map_err(|error: CodeError| InputError {
                place: file.text.clone(),
                line: Some(number),
                what: format!("{line:?}: {error}").into(),
            })?;
            kernels.push(kernel);
        }
    }
    if kernels.is_empty() {
        return Err(InputError::new(&*file.text, "no kernel in the file: want one a line"));
    }
    Ok(kernels)
}

pub(super) fn multiprocessors(settings: &Settings) -> Result<Vec<Multiprocessor>, InputError> {
    let sigma = |key| list(settings, key, items::<Throughput>);
    let (sigma_l, sigma_c) = (sigma("sigma-l")?, sigma("sigma-c")?);
    let capabilities = list(settings, "compute-capabilities", |text| {
        let of = |capability: Capability| capability.multiprocessor().map_err(|error| error.to_string());
        items::<Capability>(text)?.into_iter().map(of).collect::<Result<Vec<_>, _>>()
    })?;
    if let Some(capabilities) = capabilities {
        if sigma_l.is_some() || sigma_c.is_some() {
            let what = "compute-capabilities and sigmas contradict each other: want one way to say it";
            return Err(settings["compute-capabilities"].error(what));
        }
        return Ok(once(capabilities));
    }
    let one = || vec![Throughput::ONE];
    let (sigma_l, sigma_c) = (sigma_l.unwrap_or_else(one), sigma_c.unwrap_or_else(one));
    let pairs = sigma_l.iter().flat_map(|&l| sigma_c.iter().map(move |&c| Multiprocessor::new(l, c)));
    Ok(once(pairs.collect()))
}
