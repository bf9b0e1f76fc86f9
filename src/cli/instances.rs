//! From files and flags to instances, all of them before any work begins.

use std::io::Read;
use std::path::{Path, PathBuf};

use crate::cli::Failure;
use crate::cli::args::{FlagArgs, InstanceArgs};
use crate::input::{Draft, Flags, InputError, read};
use crate::model::Instance;

/// The largest text read, in bytes.
const LARGEST: u64 = 1 << 30;

/// The instances that the arguments name: one a file, or one by flags alone.
pub(super) fn instances(args: &InstanceArgs) -> Result<Vec<Instance>, Failure> {
    let flags = flags(&args.flags)?;
    if args.files.is_empty() {
        return Ok(vec![Draft::default().instance(&flags)?]);
    }
    args.files.iter().map(|path| one(path, &flags)).collect()
}

/// The instance of one file, or of flags alone.
pub(super) fn instance(path: Option<&PathBuf>, args: &FlagArgs) -> Result<Instance, Failure> {
    let flags = flags(args)?;
    match path {
        Some(path) => one(path, &flags),
        None => Ok(Draft::default().instance(&flags)?),
    }
}

fn one(path: &Path, flags: &Flags) -> Result<Instance, Failure> {
    let text = String::from_utf8(bytes(path)?)
        .map_err(|_| InputError::new(name(path), "not UTF-8 text: want an instance in TOML"))?;
    Ok(read(&name(path), &text)?.instance(flags)?)
}

/// The content of a file or of standard input.
pub(super) fn bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = if path == Path::new("-") {
        std::io::stdin().lock().take(LARGEST + 1).read_to_end(&mut bytes)
    } else {
        std::fs::File::open(path).and_then(|file| file.take(LARGEST + 1).read_to_end(&mut bytes))
    };
    match read {
        Err(error) => Err(InputError::new(name(path), format!("cannot be read: {error}")).into()),
        Ok(_) if bytes.len() as u64 > LARGEST => {
            Err(InputError::new(name(path), "larger than 1 GiB: want an instance or a schedule").into())
        }
        Ok(_) => Ok(bytes),
    }
}

/// A path as it stands in messages.
pub(super) fn name(path: &Path) -> String {
    match path == Path::new("-") {
        true => "standard input".into(),
        false => path.display().to_string(),
    }
}

fn flags(args: &FlagArgs) -> Result<Flags, Failure> {
    let capability = args.compute_capability.as_ref();
    Ok(Flags {
        kernel: args.kernel.clone(),
        warps: args.warps,
        warps_per_block: args.warps_per_block,
        groups: args.group.clone(),
        multiprocessor: capability.map(|c| c.multiprocessor()).transpose().map_err(Failure::usage)?,
        sigma_l: args.sigma_l,
        sigma_c: args.sigma_c,
    })
}
