//! A file of another kind than a command takes: its kind, and the command that takes it.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::Failure;
use crate::args::{Cli, Command, InstanceArgs};
use warpspan_kernel::input::FileKind;

/// As much of a file as shows its kind.
const LOOKED_AT: u64 = 1 << 16;

/// The failure of a command, which names the kind of its file if that is not what it takes.
pub(super) fn with_kind(command: &Command, failure: Failure) -> Failure {
    match wrong_kind(command) {
        Some(message) if failure.code == 2 => Failure { message, ..failure },
        _ => failure,
    }
}

/// Takes a listing where an instance may stand for the kernel that `--ptx` names.
pub(super) fn with_listing(mut cli: Cli) -> Cli {
    let instance: &mut InstanceArgs = match &mut cli.command {
        Command::Solve(args) => &mut args.instance,
        Command::Bound(args) => &mut args.instance,
        Command::Simulate(args) => &mut args.instance,
        _ => return cli,
    };
    let InstanceArgs { files, flags } = instance;
    let is_listing = |path: &Path| matches!(kind(path), Some(FileKind::Ptx | FileKind::Sass | FileKind::Elf));
    if files.len() == 1 && !flags.name_a_kernel() && is_listing(&files[0]) {
        flags.listing.ptx = files.pop();
    }
    cli
}

/// What a command was given by mistake, if one of its files is of a kind that it does not take.
fn wrong_kind(command: &Command) -> Option<String> {
    // These take an instance too, but only behind a schedule of it.
    let of_schedule = match command {
        Command::Check(args) => Some(&args.file),
        Command::Explain(args) => Some(&args.file),
        _ => None,
    };
    if let Some(file) = of_schedule.filter(|file| kind(file) == Some(FileKind::Instance)) {
        let want =
            "an instance: want a schedule of it before it, as warpspan solve --schedule FILE writes one";
        return Some(format!("{}: {want}", file.display()));
    }
    let (files, takes) = files(command);
    files.into_iter().find_map(|path| {
        let kind = kind(path)?;
        (!takes(&kind)).then(|| format!("{}: {}", path.display(), taken_by(&kind)))
    })
}

fn kind(path: &Path) -> Option<FileKind> {
    let mut bytes = Vec::new();
    let file = File::open(path).ok().filter(|file| file.metadata().is_ok_and(|data| data.is_file()))?;
    file.take(LOOKED_AT).read_to_end(&mut bytes).ok()?;
    FileKind::of(&bytes)
}

/// The files that a command reads, and which kinds it takes.
fn files(command: &Command) -> (Vec<&PathBuf>, fn(&FileKind) -> bool) {
    use FileKind::{
        Amalthea, Budget, Elf, Grid, Instance, Partition, Prem, Ptx, Record, Sass, Schedule, System, Table,
    };
    match command {
        Command::Solve(args) => (args.instance.files.iter().collect(), |kind| *kind == Instance),
        Command::Bound(args) => (args.instance.files.iter().collect(), |kind| *kind == Instance),
        Command::Simulate(args) => (args.instance.files.iter().collect(), |kind| *kind == Instance),
        Command::Check(args) => (std::iter::once(&args.file).chain(&args.instance).collect(), |kind| {
            matches!(kind, Instance | Schedule | Record(_))
        }),
        Command::Explain(args) => (std::iter::once(&args.file).chain(&args.instance).collect(), |kind| {
            matches!(kind, Instance | Schedule | Table | Record(_))
        }),
        Command::Sweep(args) => (args.file.iter().collect(), |kind| *kind == Grid),
        Command::Report(args) => (args.files.iter().collect(), |kind| matches!(kind, Table | Record(_))),
        Command::Rta(args) => (args.file.iter().collect(), |kind| matches!(kind, System | Amalthea)),
        // What to do with a compiled program, `time`, `extract` and `compare` say themselves, with its name.
        Command::Time(args) => (vec![&args.file], |kind| matches!(kind, Ptx | Sass | Elf)),
        Command::Budget(args) => (vec![&args.file], |kind| *kind == Budget),
        Command::Prem(args) => (vec![&args.file], |kind| *kind == Prem),
        Command::Partition(args) => (args.file.iter().collect(), |kind| *kind == Partition),
        Command::Extract(args) => (vec![&args.file], |kind| matches!(kind, Ptx | Sass | Elf)),
        Command::Compare(args) => {
            (vec![&args.old, &args.new], |kind| matches!(kind, Ptx | Sass | Elf | Record(_)))
        }
        Command::Verify(args) => (args.files.iter().collect(), |kind| matches!(kind, Table | Record(_))),
        // The reader of traces says itself what is none.
        Command::Trace(args) => (vec![&args.sass], |kind| matches!(kind, Ptx | Sass | Elf)),
        Command::Gpus(_)
        | Command::Schema(_)
        | Command::Init(_)
        | Command::Completions(_)
        | Command::Man(_) => (Vec::new(), |_| true),
    }
}

/// What it is, and which command takes it.
fn taken_by(kind: &FileKind) -> String {
    let text = match kind {
        FileKind::Instance => "an instance: warpspan solve, bound and simulate take it",
        FileKind::System => "a system of kernels: warpspan rta takes it",
        FileKind::Partition => "tasks for partitions: warpspan partition takes it",
        FileKind::Budget => "a budget of deadlines: warpspan budget takes it",
        FileKind::Prem => "kernels in tiles and phases: warpspan prem takes it",
        FileKind::Machine => "a machine: give it with --machine FILE together with a kernel",
        FileKind::Grid => "the grid of a sweep: warpspan sweep takes it",
        FileKind::Table => {
            "a table of a sweep: warpspan report draws it, and sweep --resume -o goes on with it"
        }
        FileKind::Schedule => "a schedule: warpspan check verifies it with its instance",
        FileKind::Record(name) => {
            let check = if name == "solve" { ", and check verifies it" } else { "" };
            return format!("a record of warpspan {name}: warpspan compare or report takes it{check}");
        }
        FileKind::Ptx => "this is PTX: warpspan time, extract and solve take it",
        FileKind::Sass => "this is SASS: warpspan time, extract and solve take it",
        FileKind::Amalthea => "an AMALTHEA model: warpspan rta takes it",
        FileKind::Elf => {
            "a compiled program: cuobjdump -sass FILE or cuobjdump -ptx FILE prints the text that warpspan extract takes"
        }
    };
    text.to_owned()
}
