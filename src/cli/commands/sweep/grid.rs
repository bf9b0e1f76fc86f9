//! What the flags and the grid file of a sweep say.

use std::collections::BTreeMap;

use crate::cli::Failure;
use crate::cli::args::ListingArgs;
use crate::cli::commands::sweep::args::SweepArgs;
use crate::cli::listing::listed;
use crate::input::{LISTING_LIMITS, Listed};
use crate::model::Code;
use crate::model::device::Capability;
use crate::source::text_of;
use crate::source::{InputError, name};
use crate::sweep::{LISTING_KEYS, Texts, read_grid};

/// What stands in the grid file and in flags, which win.
pub(super) fn texts(args: &SweepArgs) -> Result<BTreeMap<&'static str, Texts>, Failure> {
    let mut texts = BTreeMap::new();
    if let Some(path) = &args.file {
        texts = read_grid(&name(path), &text_of(path, "a grid in TOML")?)?;
    }
    for (key, text) in args.grid.given() {
        if key == "compute-capabilities" {
            texts.retain(|key, _| !key.starts_with("sigma-"));
        } else if key.starts_with("sigma-") && args.grid.compute_capabilities.is_none() {
            texts.remove("compute-capabilities");
        }
        texts.insert(key, Texts { place: format!("--{key}"), line: None, text: text.clone() });
    }
    Ok(texts)
}

/// The code of a listing, whose target is the grid's where nothing else says sigmas.
pub(super) fn listing(
    flags: &ListingArgs,
    texts: &mut BTreeMap<&'static str, Texts>,
) -> Result<Option<(Code, String)>, Failure> {
    let args = flags.or(|key| texts.get(key).map(|texts| texts.text.clone()));
    let said = LISTING_KEYS.map(|key| texts.remove(key)).into_iter().flatten().next();
    let capability = match texts.get("compute-capabilities") {
        Some(one) if args.ptx.is_some() => Some(one.text.parse::<Capability>().map_err(|error| {
            one.error(format!("{error}; the letters of a listing are for one capability"))
        })?),
        _ => None,
    };
    // What is wrong with the listing is reported at the flag, or at the line of the grid file, that names it.
    let wrong = |error: InputError| match &said {
        Some(said) if flags.ptx.is_none() => said.within(&error),
        _ => error,
    };
    let found = listed(&args, capability).map_err(wrong)?;
    if let Some(Listed { capability, .. }) = &found {
        let place = args.ptx.as_ref().map_or_else(String::new, |path| format!("--ptx {}", name(path)));
        eprintln!("warpspan: {place}: {LISTING_LIMITS}");
        if !["sigma-l", "sigma-c", "compute-capabilities"].iter().any(|&key| texts.contains_key(key)) {
            let text = capability.version.to_owned();
            texts.insert("compute-capabilities", Texts { place, line: None, text });
        }
    }
    Ok(found.map(|listed| (listed.code, listed.entry)))
}
