//! The machines that the program knows.

use std::path::Path;

use crate::input::machine::{NamedMachine, read_machine};
use warpspan_model::device::{Capability, Preset};
use warpspan_model::source::{InputError, name, text_of};

/// The machine of a name that the program knows, or of a file. Names are those of
/// [`Preset`]s of GPUs and compute capabilities, as `8.7` or `sm_87`.
///
/// # Errors
/// If there is neither such a name nor such a file, or the file is not that of a machine.
pub fn find_machine(given: &str) -> Result<NamedMachine, InputError> {
    if let Some(version) = version(given) {
        let machine = machine_of_capability(&version)?.ok_or_else(|| {
            let what =
                format!("no machine is known for capability {version}: want a file, or one of {}", all());
            InputError::new(format!("machine {given}"), what)
        })?;
        let machine = NamedMachine { name: given.to_owned(), ..machine };
        return match Preset::named(given) {
            Some(preset) => machine.of_gpu(preset),
            None => Ok(machine),
        };
    }
    let path = Path::new(given);
    if path.extension().is_none() && !path.exists() {
        let what =
            format!("no such machine: want a file, or one of {}; or a GPU: {}", all(), Preset::like(given));
        return Err(InputError::new(format!("machine {given}"), what));
    }
    let machine = read_machine(&name(path), &text_of(path, "a machine in TOML")?)?;
    let unnamed = machine.name.is_empty();
    Ok(if unnamed { NamedMachine { name: given.to_owned(), ..machine } } else { machine })
}

/// Whether this is the name of a machine and no file: a GPU or a compute capability.
pub fn names_machine(given: &str) -> bool {
    version(given).is_some()
}

/// The compute capability that a name means.
fn version(given: &str) -> Option<String> {
    match Preset::named(given) {
        Some(preset) => Some(preset.capability.to_owned()),
        None => given.strip_prefix("sm_").and_then(warpspan_listing::capability_of).or_else(|| {
            let known = given.parse::<Capability>().ok();
            known.map(|capability| capability.version.to_owned())
        }),
    }
}

/// The machine of a compute capability such as `8.7`, if the program knows it.
///
/// # Errors
/// Only if the file of the machine is wrong.
pub fn machine_of_capability(version: &str) -> Result<Option<NamedMachine>, InputError> {
    let known = KNOWN.iter().find(|(known, _)| *known == version);
    let machine = known.map(|(_, text)| read_machine(&format!("machine {version}"), text)).transpose()?;
    let named = |machine| {
        let name = format!("sm_{}", version.replace('.', ""));
        NamedMachine { name, known: true, ..machine }
    };
    Ok(machine.map(named))
}

/// The machines that the program knows: the file of each compute capability.
const KNOWN: &[(&str, &str)] = &[
    ("2.0", include_str!("../../../machines/sm_20.toml")),
    ("3.5", include_str!("../../../machines/sm_35.toml")),
    ("5.2", include_str!("../../../machines/sm_52.toml")),
    ("5.3", include_str!("../../../machines/sm_53.toml")),
    ("6.1", include_str!("../../../machines/sm_61.toml")),
    ("6.2", include_str!("../../../machines/sm_62.toml")),
    ("7.0", include_str!("../../../machines/sm_70.toml")),
    ("7.2", include_str!("../../../machines/sm_72.toml")),
    ("7.5", include_str!("../../../machines/sm_75.toml")),
    ("8.0", include_str!("../../../machines/sm_80.toml")),
    ("8.6", include_str!("../../../machines/sm_86.toml")),
    ("8.7", include_str!("../../../machines/sm_87.toml")),
    ("8.9", include_str!("../../../machines/sm_89.toml")),
    ("9.0", include_str!("../../../machines/sm_90.toml")),
    ("10.0", include_str!("../../../machines/sm_100.toml")),
    ("11.0", include_str!("../../../machines/sm_110.toml")),
    ("12.0", include_str!("../../../machines/sm_120.toml")),
];

/// The names of the machines that the program knows, for messages.
fn all() -> String {
    KNOWN.iter().map(|(version, _)| *version).collect::<Vec<_>>().join(", ")
}
