//! From files and flags to workloads, all of them before any work begins.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::Failure;
use crate::args::{FlagArgs, GridArgs, InstanceArgs, MachineArgs, PathArgs};
use crate::listing::{listed, listed_on, text};
use crate::place::Place;
use warpspan_kernel::input::{
    AnyDraft, Asked, Draft, Flags, GridKeys, LISTING_LIMITS, ListedOnMachine, MachineLaunch, NamedMachine,
    OnMachine, machine_of, machine_of_capability, of_letters, read_for, straight_line,
};
use warpspan_launch::{MachineFrom, Numbers};
use warpspan_listing::Text;
use warpspan_model::assumption::Rests;
use warpspan_model::device::Capability;
use warpspan_model::machine::{MachineWorkload, Step};
use warpspan_model::program::Piece;
use warpspan_model::source::{Message, name, text_of};
use warpspan_model::time::Clock;
use warpspan_model::{CodeError, Group, Instance, Workload};

/// The flags that give sigmas.
const SIGMAS: [&str; 2] = ["--sigma-l", "--sigma-c"];

/// What the arguments name, each with its place: one a file, or one by flags alone.
pub(super) fn asked(
    args: &InstanceArgs,
    paths: &PathArgs,
    grid: &GridArgs,
) -> Result<Vec<(Place, Asked)>, Failure> {
    let GridArgs { blocks, resident, multiprocessors } = *grid;
    let grid = GridKeys { blocks, resident, multiprocessors };
    let Given { text, machine } = given(&args.flags, args.files.is_empty())?;
    let text = text.as_ref();
    let paper = match machine {
        Some(_) => None,
        None => {
            let (flags, of_code) = flags(&args.flags, text)?;
            Some((Flags { grid, same_path: paths.same_path, ..flags }, of_code))
        }
    };
    let one = |file: Option<&PathBuf>| -> Result<(Place, Asked), Failure> {
        match (draft(file, machine.as_ref())?, &paper) {
            (AnyDraft::Paper(draft), Some((flags, of_code))) => {
                let mut rests = of_code.clone();
                rests.on.extend(draft.assumes(flags, SIGMAS));
                let asked = draft.asked(flags)?;
                Ok((place(args, file, rests, asked.is_straight()), asked))
            }
            (AnyDraft::Paper(_), None) => Err(Failure::internal("a machine was not taken")),
            (AnyDraft::Machine(machine, draft), _) => {
                let (flags, machine, notes) = machine_flags(&args.flags, text, machine)?;
                let flags = Flags { grid, same_path: paths.same_path, ..flags };
                let asked = draft.on_machine(&flags, &machine)?;
                Ok((place_on(args, file, (&asked, &machine), notes), asked))
            }
        }
    };
    each(args, one)
}

/// What flags say of the code of a listing, and on what it runs.
struct Given {
    /// The listing, if one is named.
    text: Option<Text>,
    /// The machine; none is the paper's multiprocessor.
    machine: Option<Arc<NamedMachine>>,
}

/// The listing and the machine of the flags. A listing for a compute capability whose machine is known runs on that, unless a
/// sigma, a capability or the file of an instance asks for the paper's multiprocessor.
fn given(args: &FlagArgs, is_all: bool) -> Result<Given, Failure> {
    let text = text(&args.listing)?;
    let of_paper = args.sigma_l.is_some() || args.sigma_c.is_some() || args.compute_capability.is_some();
    let machine = match (machine(&args.machine)?, &text) {
        (None, Some(text)) if is_all && !of_paper => {
            machine_of(text, args.listing.code.entry.as_deref())?.map(Arc::new)
        }
        (machine, _) => machine,
    };
    Ok(Given { text, machine })
}

/// The machine of the flags.
pub(crate) fn machine(args: &MachineArgs) -> Result<Option<Arc<NamedMachine>>, Failure> {
    let Some(given) = &args.machine else {
        return match args.memory.given() {
            None => Ok(None),
            Some(flag) => Err(Failure::usage(format!("{flag}: no machine is given: want --machine NAME"))),
        };
    };
    let numbers = Numbers {
        machine: Some(MachineFrom::Name(given.clone())),
        latency_of: args.latency_of.clone(),
        hold_of: args.hold_of.clone(),
        memory: args.memory.flags(),
        ..Numbers::default()
    };
    let machine = numbers.machine(given, args.clock)?;
    let Some(clock) = args.clock else { return Ok(Some(Arc::new(machine))) };
    if let Some((preset, most)) = machine.preset.and_then(|preset| Some((preset, preset.clock_below(clock)?)))
    {
        let [given, most] = [clock, most].map(Clock::megahertz);
        return Err(Failure::usage(format!(
            "--clock {given}: the data sheet of {} has {most} MHz at most: want a lower clock",
            preset.name
        )));
    }
    // The answer is in cycles, so that nothing but the note on the memory says at which clock.
    Ok(Some(Arc::new(NamedMachine { clock: Some((clock, true)), ..machine })))
}

/// What `one` makes of each file, or of the flags alone.
fn each<T>(
    args: &InstanceArgs,
    one: impl Fn(Option<&PathBuf>) -> Result<T, Failure>,
) -> Result<Vec<T>, Failure> {
    if args.files.is_empty() { Ok(vec![one(None)?]) } else { args.files.iter().map(Some).map(one).collect() }
}

fn place(args: &InstanceArgs, file: Option<&PathBuf>, mut rests: Rests, is_straight: bool) -> Place {
    if args.flags.listing.ptx.is_some() {
        rests.add(of_letters());
    } else if !is_straight {
        rests.notes.push(Message::text(LISTING_LIMITS));
    }
    Place { file: file.map(|path| name(path)), line: None, beside: args.files.len() > 1, rests }
}

/// The place of a request about a machine, with what its numbers rest on.
fn place_on(
    args: &InstanceArgs,
    file: Option<&PathBuf>,
    (asked, machine): (&Asked, &NamedMachine),
    of_code: Rests,
) -> Place {
    let mut place =
        Place { file: file.map(|path| name(path)), beside: args.files.len() > 1, ..Place::default() };
    place.rests.add(Rests::from(match asked {
        Asked::OnMachine(on) => on.assumes(),
        Asked::Workload(_) | Asked::Grid(_) => machine.assumes(&["L", "C"]),
    }));
    place.rests.add(of_code);
    place
}

/// A workload of straight lines and its instance.
pub(super) type StraightLines = (Workload, Instance);

/// What `simulate` runs, and `check` has schedules of.
pub(super) enum Playable {
    /// Straight lines on the paper's multiprocessor.
    Paper(Box<StraightLines>),
    /// Warps that start together on another machine.
    OnMachine(Box<OnMachine>, MachineWorkload),
}

/// The same for commands that simulate schedules.
pub(super) fn playable(args: &InstanceArgs) -> Result<Vec<(Place, Playable)>, Failure> {
    let Given { text, machine } = given(&args.flags, args.files.is_empty())?;
    let text = text.as_ref();
    let paper = if machine.is_none() { Some(flags(&args.flags, text)?) } else { None };
    each(args, |file| match (draft(file, machine.as_ref())?, &paper) {
        (AnyDraft::Paper(draft), Some((flags, of_code))) => {
            let mut rests = of_code.clone();
            rests.on.extend(draft.assumes(flags, SIGMAS));
            let place = place(args, file, rests, true);
            let played = straight(&place, draft.workload(flags)?)?;
            Ok((place, played))
        }
        (AnyDraft::Paper(_), None) => Err(Failure::internal("a machine was not taken")),
        (AnyDraft::Machine(machine, draft), _) => {
            let (flags, machine, notes) = machine_flags(&args.flags, text, machine)?;
            let asked = draft.on_machine(&flags, &machine)?;
            let place = place_on(args, file, (&asked, &machine), notes);
            let played = together(&place, asked)?;
            Ok((place, played))
        }
    })
}

/// What a schedule of one file, or of flags alone, is of.
pub(super) fn scheduled(path: Option<&PathBuf>, args: &FlagArgs) -> Result<Playable, Failure> {
    let Given { text, machine } = given(args, path.is_none())?;
    let text = text.as_ref();
    let place = Place { file: path.map(|path| name(path)), ..Place::default() };
    match draft(path, machine.as_ref())? {
        AnyDraft::Paper(draft) => straight(&place, draft.workload(&flags(args, text)?.0)?),
        AnyDraft::Machine(machine, draft) => {
            let (flags, machine, _) = machine_flags(args, text, machine)?;
            together(&place, draft.on_machine(&flags, &machine)?)
        }
    }
}

/// The same where the blocks of a grid have a schedule too.
pub(super) fn named(path: Option<&PathBuf>, args: &FlagArgs, grid: &GridArgs) -> Result<Asked, Failure> {
    let GridArgs { blocks, resident, multiprocessors } = *grid;
    let grid = GridKeys { blocks, resident, multiprocessors };
    let Given { text, machine } = given(args, path.is_none())?;
    let text = text.as_ref();
    Ok(match draft(path, machine.as_ref())? {
        AnyDraft::Paper(draft) => draft.asked(&Flags { grid, ..flags(args, text)?.0 })?,
        AnyDraft::Machine(machine, draft) => {
            let (flags, machine, _) = machine_flags(args, text, machine)?;
            draft.on_machine(&Flags { grid, ..flags }, &machine)?
        }
    })
}

fn straight(place: &Place, workload: Workload) -> Result<Playable, Failure> {
    let instance = straight_line(place.file.as_deref().unwrap_or_default(), &workload)?.clone();
    Ok(Playable::Paper(Box::new((workload, instance))))
}

/// What is simulated of warps that start together.
fn together(place: &Place, asked: Asked) -> Result<Playable, Failure> {
    match asked {
        Asked::Workload(workload) => straight(place, workload),
        Asked::OnMachine(on) => match on.launch.clone() {
            MachineLaunch::Workload(workload) => Ok(Playable::OnMachine(on, workload)),
            MachineLaunch::Grid(_) => Err(no_grid(place)),
        },
        Asked::Grid(_) => Err(no_grid(place)),
    }
}

fn no_grid(place: &Place) -> Failure {
    let what = "only solve and bound take the blocks of a grid: want a number of warps";
    match &place.file {
        Some(file) => Failure::usage(format!("{file}: {what}")),
        None => Failure::usage(what),
    }
}

fn draft(path: Option<&PathBuf>, machine: Option<&Arc<NamedMachine>>) -> Result<AnyDraft, Failure> {
    Ok(match (path, machine) {
        (Some(path), _) => {
            let text = text_of(path, "an instance in TOML").map_err(|error| match is_kernel(path) {
                true => Failure::usage(format!("{error}; a kernel is given by --kernel {}", path.display())),
                false => error.into(),
            })?;
            read_for(&name(path), &text, machine)?
        }
        (None, Some(machine)) => AnyDraft::Machine(Arc::clone(machine), Draft::default()),
        (None, None) => AnyDraft::Paper(Draft::default()),
    })
}

/// Whether a path is a kernel string, and no file.
fn is_kernel(path: &Path) -> bool {
    !path.exists() && path.to_str().is_some_and(|text| text.parse::<Piece>().is_ok())
}

/// The flags for the paper's multiprocessor, and what the code of a listing rests on.
fn flags(args: &FlagArgs, text: Option<&Text>) -> Result<(Flags, Rests), Failure> {
    let listed = listed(text, &args.listing.code, args.compute_capability)?;
    let target = listed.as_ref().map(|listed| listed.capability);
    let given = codes(args, &|text| text.parse())?;
    let mut of_code = listed.as_ref().map(|listed| listed.rests.clone()).unwrap_or_default();
    if let Some(Capability { version, .. }) = target
        && args.compute_capability.is_none()
        && machine_of_capability(version)?.is_none()
    {
        of_code.notes.push(Message::text(format!(
            "no machine is known for compute capability {version}: --machine names one, or a file of one"
        )));
    }
    let flags = Flags {
        kernel: given.kernel.or(listed.map(|listed| listed.code)),
        capability: args.compute_capability,
        target,
        sigma_l: args.sigma_l,
        sigma_c: args.sigma_c,
        ..given
    };
    Ok((flags, of_code))
}

/// The flags for a machine, with the letters that a listing adds to it, and what its code rests on.
#[expect(clippy::type_complexity, reason = "three things that belong to no type")]
fn machine_flags(
    args: &FlagArgs,
    text: Option<&Text>,
    machine: Arc<NamedMachine>,
) -> Result<(Flags<Piece<Step>>, Arc<NamedMachine>, Rests), Failure> {
    let given = [
        ("--sigma-l", args.sigma_l.is_some()),
        ("--sigma-c", args.sigma_c.is_some()),
        ("--compute-capability", args.compute_capability.is_some()),
    ];
    if let Some((flag, _)) = given.iter().find(|(_, given)| *given) {
        return Err(Failure::usage(format!(
            "{flag}: the file has a [machine], whose units say how many issue"
        )));
    }
    let flags = codes(args, &|text| machine.machine.code(text))?;
    match listed_on(text, &args.listing.code, &machine, &args.machine.transactions)? {
        None => Ok((flags, machine, Rests::default())),
        Some(ListedOnMachine { code, machine: extended, mut rests, of_machine, .. }) => {
            let named = NamedMachine { machine: extended.as_ref().clone(), ..machine.as_ref().clone() };
            rests.add(of_machine.into());
            Ok((Flags { kernel: Some(code), ..flags }, Arc::new(named), rests))
        }
    }
}

/// The flags that every kind of machine has, with the code that `parse` reads.
fn codes<C>(args: &FlagArgs, parse: &dyn Fn(&str) -> Result<C, CodeError>) -> Result<Flags<C>, Failure> {
    let wrong = |text: &str, flag: &str, error: CodeError| {
        Failure::usage(format!("invalid value '{text}' for '{flag}': {error}"))
    };
    let kernel =
        args.kernel.as_ref().map(|text| parse(text).map_err(|error| wrong(text, "--kernel <STRING>", error)));
    let group = |group: &Group<String>| {
        let text = format!("{}:{}", group.code, group.warps);
        let code = parse(&group.code).map_err(|error| wrong(&text, "--group <STRING:N>", error))?;
        Ok(Group { code, warps: group.warps })
    };
    Ok(Flags {
        kernel: kernel.transpose()?,
        warps: args.warps,
        warps_per_block: args.warps_per_block,
        groups: args.group.iter().map(group).collect::<Result<_, Failure>>()?,
        ..Flags::default()
    })
}
