//! The commands inside another program, as the Python package runs them.
//!
//! [`run`] takes the arguments of the command line and does what it does with them, so that names and meanings of
//! flags, which of them go together, and the forms of answers and errors are defined once. What the command line would
//! print is collected. Signals stay with the calling program, which stops a command by a flag and is told of its
//! progress.

use clap::builder::ValueRange;
use clap::{ArgAction, CommandFactory, Parser};

use crate::host::RUN;
pub use crate::host::{Answer, Failed, Host, Observer, Standing};
use crate::record::plain_json;
use crate::{args, wrong_arguments};
use warpspan_model::source::{forget_reads, with_texts};
use warpspan_records::read;

/// A flag of a command, or what stands behind its flags.
#[derive(Debug)]
pub struct Flag {
    /// Its long name without `--`, or the name of the value where it has none.
    pub name: String,
    /// What it does, in the words of `--help`.
    pub help: String,
    /// Whether its name is written before its value.
    pub named: bool,
    /// The name of its value; none where it takes none.
    pub value: Option<String>,
    /// The words that it takes, where these are a closed list.
    pub words: Vec<String>,
    /// What stands between several values: a comma, or a blank where the flag is given several times.
    pub several: Option<char>,
}

/// Runs a command. The arguments are those behind the name of the program.
pub fn run(arguments: &[String], mut host: Host) -> Answer {
    forget_reads();
    let texts = std::mem::take(&mut host.texts);
    RUN.with_borrow_mut(|run| *run = Some((host, Answer::default())));
    let program = "warpspan".to_owned();
    let words = std::iter::once(&program).chain(arguments);
    let done = args::Cli::try_parse_from(words)
        .map_err(|error| wrong_arguments(&error, arguments))
        .and_then(|cli| with_texts(texts, || super::run(&cli)));
    let mut answer = RUN.take().map_or_else(Answer::default, |(_, answer)| answer);
    match done {
        Ok(exit) => answer.code = exit as u8,
        Err(failure) => {
            answer.code = failure.code;
            answer.failure = Some(failure.into());
        }
    }
    answer
}

/// The drawings that `report` makes of records, one a line: the name of each file, and its SVG.
///
/// # Errors
/// If a line is no record, or one of which nothing is drawn.
#[cfg(feature = "figures")]
pub fn figures(lines: &str) -> Result<Vec<(String, String)>, Failed> {
    let report = crate::commands::report::of_lines(lines.as_bytes())?;
    Ok(report.figures.into_iter().map(|figure| (figure.file, figure.svg)).collect())
}

/// What a record on a line tells, a document each: in a few words, and as HTML. Empty where it is for programs alone.
pub fn told(line: &str) -> Vec<(String, String)> {
    let Ok(record) = read(plain_json(line).as_bytes()) else { return Vec::new() };
    warpspan_document::of(&record).iter().map(|document| (document.summary(), document.html())).collect()
}

/// All that a command takes; nothing if there is no such command.
pub fn flags(command: &str) -> Vec<Flag> {
    let mut all = args::Cli::command();
    all.build();
    let Some(command) = all.find_subcommand(command) else { return Vec::new() };
    let shown = command.get_arguments().filter(|flag| {
        !flag.is_hide_set() && !["help", "color", "assumptions"].contains(&flag.get_id().as_str())
    });
    let flag = |flag: &clap::Arg| {
        let takes = flag.get_num_args().is_some_and(|values| values != ValueRange::EMPTY);
        let values = flag.get_value_names().unwrap_or_default();
        let value = values.iter().map(|name| name.to_string()).collect::<Vec<_>>().join(" ");
        let id = flag.get_id().to_string();
        Flag {
            named: flag.get_long().is_some(),
            name: flag.get_long().map_or(id, str::to_owned),
            help: flag.get_long_help().or(flag.get_help()).map(ToString::to_string).unwrap_or_default(),
            value: takes.then_some(value),
            words: flag.get_possible_values().iter().map(|word| word.get_name().to_owned()).collect(),
            several: match flag.get_action() {
                ArgAction::Append => Some(flag.get_value_delimiter().unwrap_or(' ')),
                _ => flag.get_value_delimiter(),
            },
        }
    };
    shown.map(flag).collect()
}
