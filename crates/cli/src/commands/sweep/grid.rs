//! What the flags and the grid file of a sweep say.

use crate::Failure;
use crate::args::ListingArgs;
use crate::args::sweep::SweepArgs;
use crate::listing::{listed, text};
use warpspan_kernel::input::{LISTING_LIMITS, Listed};
use warpspan_model::Code;
use warpspan_model::device::Capability;
use warpspan_model::source::{InputError, name, text_of};
use warpspan_sweep::{LISTING_KEYS, Setting, Settings, read_grid};

/// What stands in the grid file and in flags, which win.
pub(super) fn settings(args: &SweepArgs) -> Result<Settings, Failure> {
    let mut settings = Settings::new();
    if let Some(path) = &args.file {
        settings = read_grid(&name(path), &text_of(path, "a grid in TOML")?)?;
    }
    for (key, text) in args.grid.given() {
        if key == "compute-capabilities" {
            settings.retain(|key, _| !key.starts_with("sigma-"));
        } else if key.starts_with("sigma-") && args.grid.compute_capabilities.is_none() {
            settings.remove("compute-capabilities");
        }
        settings.insert(key, Setting { place: format!("--{key}"), line: None, text: text.clone() });
    }
    Ok(settings)
}

/// The code of a listing, whose target is the grid's where nothing else says sigmas.
pub(super) fn listing(
    flags: &ListingArgs,
    settings: &mut Settings,
) -> Result<Option<(Code, String)>, Failure> {
    let args = flags.or(|key| settings.get(key).map(|setting| setting.text.clone()));
    let said = LISTING_KEYS.map(|key| settings.remove(key)).into_iter().flatten().next();
    let capability = match settings.get("compute-capabilities") {
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
    let text = text(&args).map_err(wrong)?;
    let found = listed(text.as_ref(), &args.code, capability).map_err(wrong)?;
    if let Some(Listed { capability, rests, .. }) = &found {
        let place = args.ptx.as_ref().map_or_else(String::new, |path| format!("--ptx {}", name(path)));
        tell!("{place}: {LISTING_LIMITS}");
        for one in &rests.on {
            tell!("{place}: {one}");
        }
        for note in &rests.notes {
            tell!("{place}: {note}");
        }
        if !["sigma-l", "sigma-c", "compute-capabilities"].iter().any(|&key| settings.contains_key(key)) {
            let text = capability.version.to_owned();
            settings.insert("compute-capabilities", Setting { place, line: None, text });
        }
    }
    Ok(found.map(|listed| (listed.code, listed.entry)))
}
