//! The command line: flags become instances and options before any work begins.
//!
//! stdout is data, stderr is messages and progress. Exit codes: 0 done, and for `solve` exact; 1 internal error; 2 bad
//! usage or input, nothing on stdout unless it is one of several inputs of `budget`; 3 a limit or Ctrl-C stopped it, or the answer is not exact or undecided for another reason
//! that it says, the interval is printed; 4 two engines or a verifier disagree; 5 a requirement is missed for certain;
//! 6 an answer rests on what is not accepted.
//!
//! [`embedded`] runs the same commands inside another program.

/// Says something beside the answer, in the form of `format!`.
macro_rules! tell {
    ($($text:tt)*) => { $crate::output::tell(format!($($text)*)) };
}

// Layers: a module uses only those of the groups above its own.
mod asked;
mod compiled;
mod margins;
mod place;
mod screen;

mod host;
mod record;
mod table;

mod progress;

mod guard;

mod args;
mod output;

mod certificates;
mod document;
mod listing;
mod schedules;
mod usage;
mod wrong_kind;

mod instances;
mod summary;

mod commands;

pub mod embedded;

use std::ffi::OsString;
use std::fmt;
use std::panic;

use clap::error::ErrorKind;
use clap::{ColorChoice, FromArgMatches};

use crate::commands::{
    bound, budget, check, compare, completions, explain, extract, gpus, init, partition, prem, rta, schema,
    simulate, solve, sweep, time, verify,
};
use warpspan_engines::program::ProgramError;
use warpspan_launch::Kind;
use warpspan_launch::flags::{flag, in_flags};
use warpspan_model::source::{InputError, Message};
use warpspan_records::Build;
use warpspan_solver::extremes::Beyond;
use warpspan_solver::policy::{RunError, ScenarioError};
use warpspan_solver::portfolio::SolveError;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Exit {
    Done = 0,
    /// One of several inputs is wrong, as the answer says.
    WrongInput = 2,
    Limit = 3,
    Disagree = 4,
    /// A requirement is missed for certain.
    Refuted = 5,
    /// All is proved, but on what is not accepted.
    NotAccepted = 6,
}

/// Why a command failed: the exit code and the message.
#[derive(Debug, Default)]
struct Failure {
    code: u8,
    message: String,
    /// The file that is wrong, or another place, and the line in it.
    place: Option<(String, Option<usize>)>,
    /// The flags that the message names as what would do.
    remedies: Vec<String>,
}

impl Failure {
    fn usage(message: impl fmt::Display) -> Self {
        Self { code: 2, message: message.to_string(), ..Self::default() }
    }

    fn internal(message: impl fmt::Display) -> Self {
        Self { code: 1, message: message.to_string(), ..Self::default() }
    }

    fn ending(exit: Exit, message: impl fmt::Display) -> Self {
        Self { code: exit as u8, ..Self::internal(message) }
    }

    /// A message of the library in the words of the command line.
    fn of(code: u8, message: &Message) -> Self {
        let remedies = message.remedies().map(flag).collect();
        Self { code, message: in_flags(message), remedies, place: None }
    }
}

impl From<InputError> for Failure {
    fn from(error: InputError) -> Self {
        let failure = Self::of(2, &error.message());
        let place = (!error.place.is_empty()).then_some((error.place, error.line));
        Self { place, ..failure }
    }
}

impl From<warpspan_launch::Failure> for Failure {
    fn from(error: warpspan_launch::Failure) -> Self {
        let code = match error.kind {
            Kind::Usage => 2,
            Kind::Internal => 1,
            Kind::Disagreement => Exit::Disagree as u8,
            Kind::Stopped => Exit::Limit as u8,
        };
        Self { code, message: error.in_flags(), remedies: error.flags(), place: error.place }
    }
}

impl From<SolveError> for Failure {
    fn from(error: SolveError) -> Self {
        let code = match &error {
            SolveError::NotApplicable(_)
            | SolveError::Program(_)
            | SolveError::OnMachine(_)
            | SolveError::NoHighs { .. }
            | SolveError::Ilp { usage: true, .. } => 2,
            SolveError::Ilp { usage: false, .. } => 1,
            SolveError::Disagreement(_) => 4,
        };
        Self::of(code, &error.message())
    }
}

impl From<ProgramError> for Failure {
    fn from(error: ProgramError) -> Self {
        Self::usage(error)
    }
}

impl From<ScenarioError> for Failure {
    fn from(error: ScenarioError) -> Self {
        Self::of(2, &error.message())
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Scenario(error) => error.into(),
            RunError::Machine(_) | RunError::TooLarge(_) => Self::of(2, &error.message()),
            RunError::Stopped { .. } => Self::ending(Exit::Limit, error),
            RunError::Disagreement { .. } | RunError::Refused { .. } => Self::ending(Exit::Disagree, error),
        }
    }
}

impl From<Beyond> for Failure {
    fn from(error: Beyond) -> Self {
        Self::ending(Exit::Disagree, error)
    }
}

/// The value of `--color`, at any position: help and errors have colours before the arguments are parsed.
fn colour(words: &[String]) -> ColorChoice {
    let after = words.iter().rposition(|word| word == "--color").and_then(|at| words.get(at + 1));
    let joined = words.iter().rev().find_map(|word| word.strip_prefix("--color="));
    let given = joined.or(after.map(String::as_str)).and_then(|word| word.parse().ok());
    given.unwrap_or_default()
}

/// The arguments; help and version are answered here.
fn parse() -> Result<args::Cli, Failure> {
    let words: Vec<String> = std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    let colour = colour(&words);
    screen::begin(colour);
    let mut command = args::command(colour);
    let read = command.try_get_matches_from_mut(std::env::args_os().map(in_full));
    let read = read.and_then(|matches| args::Cli::from_arg_matches(&matches));
    let read = read.map(wrong_kind::with_listing);
    read.map_err(|error| error.format(&mut command)).map_err(|error| match error.kind() {
        ErrorKind::DisplayHelp
        | ErrorKind::DisplayVersion
        | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => error.exit(),
        _ => wrong_arguments(&error, words.get(1..).unwrap_or_default()),
    })
}

/// A word in full: `--json` is what many programs call `--format json`.
fn in_full(word: OsString) -> OsString {
    if word == "--json" { "--format=json".into() } else { word }
}

/// What is wrong with the arguments, on one line.
fn wrong_arguments(error: &clap::Error, words: &[String]) -> Failure {
    Failure::usage(usage::one_line(error, words))
}

/// The stack of the thread that works. The system gives only the part of it that is used.
const STACKS: [usize; 3] = [1 << 30, 256 << 20, 64 << 20];

/// Runs the command that the arguments name.
fn run(cli: &args::Cli) -> Result<Exit, Failure> {
    screen::show_assumptions(cli.assumptions);
    let done = match &cli.command {
        args::Command::Solve(args) => solve::run(args),
        args::Command::Bound(args) => bound::run(args),
        args::Command::Check(args) => check::run(args),
        args::Command::Simulate(args) => simulate::run(args),
        args::Command::Sweep(args) => sweep::run(args),
        #[cfg(feature = "figures")]
        args::Command::Report(args) => commands::report::run(args),
        #[cfg(not(feature = "figures"))]
        args::Command::Report(_) => Err(output::no_drawings()),
        args::Command::Rta(args) => rta::run(args),
        args::Command::Time(args) => time::run(args),
        args::Command::Budget(args) => budget::run(args),
        args::Command::Prem(args) => prem::run(args),
        args::Command::Partition(args) => partition::run(args),
        args::Command::Extract(args) => extract::run(args),
        args::Command::Compare(args) => compare::run(args),
        args::Command::Trace(args) => commands::trace::run(args),
        args::Command::Gpus(args) => gpus::run(args),
        args::Command::Schema(args) => schema::run(args),
        args::Command::Init(args) => init::run(args),
        args::Command::Completions(args) => completions::completions(args),
        args::Command::Man(args) => completions::man(args),
        args::Command::Verify(args) => verify::run(args),
        args::Command::Explain(args) => explain::run(args),
    };
    done.map_err(|failure| wrong_kind::with_kind(&cli.command, failure))
}

/// Runs the command that the arguments of the process name, and ends the process. `commit` is the state of its code from which the
/// program was built, as `git describe --always --dirty=+` prints it.
pub fn command_line(commit: &str) -> ! {
    Build::set(commit);
    guard::begin();
    panic::set_hook(Box::new(|info| {
        let place = info.location().map(|place| format!("{}:{}: ", place.file(), place.line()));
        let payload = info.payload();
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let what = text.or(payload.downcast_ref::<&str>().copied()).unwrap_or("no reason given");
        let message =
            format!("internal error: {}{what}; this is a bug, please report it", place.unwrap_or_default());
        eprintln!("warpspan: {}", screen::one_line(&message));
    }));
    let works = |stack: &usize| std::thread::Builder::new().stack_size(*stack).spawn(exit_code).ok();
    let code = match STACKS.iter().find_map(works) {
        Some(thread) => thread.join().unwrap_or(1),
        None => panic::catch_unwind(exit_code).unwrap_or(1), // the system grants no thread
    };
    // At once: a solver that was left behind may still be running, and must not meet the destructors of its globals.
    signal_hook::low_level::exit(code.into())
}

/// The exit code of the command that the arguments of the process name.
fn exit_code() -> u8 {
    asked::by_command_line();
    let done = parse().and_then(|cli| {
        let (time, memory) = cli.command.watched();
        guard::watch(time, memory);
        run(&cli)
    });
    match done {
        Ok(exit) => exit as u8,
        Err(Failure { code, message, .. }) => {
            progress::clear();
            let name = screen::paint_message(screen::Tone::Refuted, "warpspan:");
            eprintln!("{name} {}", screen::one_line(&message));
            code
        }
    }
}
