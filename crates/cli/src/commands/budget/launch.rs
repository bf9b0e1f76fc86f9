//! From the table of a kernel to the arguments of `time`, which are read as those of the command line: what `time` knows, a
//! budget knows.

use std::error::Error;
use std::path::{Path, PathBuf};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgAction, CommandFactory, Parser};

use crate::args::time::TimeArgs;
use crate::args::{Cli, Command, Format};
use warpspan_kernel::input::{BudgetKernel, BudgetOption, BudgetValue, names_machine};
use warpspan_model::assumption::Accepted;
use warpspan_model::source::InputError;
use warpspan_model::time::Duration;

/// A launch whose deadline is in question.
pub(super) struct Launch {
    /// Its name in the budget.
    pub(super) name: String,
    /// The line of its table.
    pub(super) line: usize,
    /// The words of the command line that times it.
    pub(super) words: Vec<String>,
    pub(super) deadline: Duration,
    /// The command of these words.
    pub(super) command: Command,
    /// What its answer may rest on; anything if nobody says it.
    pub(super) accept: Option<Vec<Accepted>>,
}

/// Options of `time` that say nothing of a launch, and what to do instead.
const REFUSED: [(&str, &str); 5] = [
    ("format", "all kernels have one form: want --format behind warpspan budget"),
    ("top", "the record has what every line adds: want no top"),
    ("assumptions", "every form has all of them: want no assumptions"),
    ("margins", "the tables have no room for them: want no margins, and warpspan time for a kernel"),
    ("short", "all kernels have one form: want --format behind warpspan budget"),
];

/// The option of `time` of this name, if there is one.
fn option<'a>(time: &'a clap::Command, name: &str) -> Option<&'a clap::Arg> {
    let is_own = |arg: &&clap::Arg| !matches!(arg.get_id().as_str(), "help" | "color");
    time.get_arguments().filter(is_own).find(|arg| arg.get_long() == Some(name))
}

/// Reads the tables of kernels; `place` is the name of the budget file, and paths in the tables start from its folder.
pub(super) fn launches(place: &str, kernels: &[BudgetKernel]) -> Result<Vec<Launch>, InputError> {
    let mut all = Cli::command();
    all.build();
    let time = all.find_subcommand("time").ok_or_else(|| InputError::new(place, "no command time"))?;
    kernels.iter().map(|kernel| Table { place, kernel, time }.launch()).collect()
}

/// The table of a kernel.
struct Table<'a> {
    /// The file.
    place: &'a str,
    kernel: &'a BudgetKernel,
    /// What `time` takes.
    time: &'a clap::Command,
}

impl Table<'_> {
    fn launch(&self) -> Result<Launch, InputError> {
        let kernel = self.kernel;
        let mut known = Vec::new();
        for given in &kernel.options {
            if let Some((_, instead)) = REFUSED.iter().find(|(name, _)| *name == given.name) {
                return Err(self.error(given.line, format!("{}: {instead}", given.name)));
            }
            known.push((option(self.time, &given.name).ok_or_else(|| self.unknown(given))?, given));
        }
        // In the order in which `time --help` has them.
        let order = |arg: &clap::Arg| self.time.get_arguments().position(|one| one.get_id() == arg.get_id());
        known.sort_by_key(|(arg, _)| order(arg));
        let mut words = vec!["time".to_owned(), self.listing()];
        for (arg, given) in known {
            words.extend(self.words(arg, given)?);
        }
        let program = ["warpspan".to_owned()];
        let read = Cli::try_parse_from(program.iter().chain(&words)).map_err(|error| self.wrong(&error))?;
        let (command, deadline) = match read.command {
            Command::Time(mut args) => {
                // The record has all lines then.
                args.format = Format::Json;
                let deadline = args.deadline;
                (Command::Time(args), deadline)
            }
            other => (other, None),
        };
        let deadline = deadline.ok_or_else(|| {
            self.error(kernel.line, format!("{}: no deadline: want deadline = \"10ms\"", kernel.name))
        })?;
        let accept = kernel.accept.clone();
        Ok(Launch { name: kernel.name.clone(), line: kernel.line, words, deadline, command, accept })
    }

    /// The path of the listing, which no option is taken for.
    fn listing(&self) -> String {
        let path = match &self.kernel.listing.value {
            BudgetValue::One(file) => self.beside(file),
            _ => String::new(),
        };
        if path.starts_with('-') { format!("./{path}") } else { path }
    }

    /// The words of an option.
    fn words(&self, arg: &clap::Arg, given: &BudgetOption) -> Result<Vec<String>, InputError> {
        let name = &given.name;
        let values = arg.get_num_args().unwrap_or_default();
        let is_flag = values.max_values() == 0;
        let is_repeatable = matches!(arg.get_action(), ArgAction::Append);
        let texts = match &given.value {
            BudgetValue::Flag(false) if values.min_values() == 0 => return Ok(Vec::new()),
            BudgetValue::Flag(true) if values.min_values() == 0 => return Ok(vec![format!("--{name}")]),
            BudgetValue::One(_) | BudgetValue::Several(_) if is_flag => {
                return Err(self.error(given.line, format!("{name}: want true or false")));
            }
            BudgetValue::Flag(found) => {
                let value = arg.get_value_names().and_then(|names| names.first()).map(|name| name.as_str());
                let what = format!("{name} = {found}: want a text: {}", value.unwrap_or("VALUE"));
                return Err(self.error(given.line, what));
            }
            BudgetValue::Several(_) if !is_repeatable => {
                return Err(self.error(given.line, format!("{name} is a list: want one value")));
            }
            BudgetValue::One(text) => std::slice::from_ref(text),
            BudgetValue::Several(texts) => texts,
        };
        let word = |text: &String| {
            let value = self.value(arg, text, given)?;
            let joined = arg.is_require_equals_set() || value.starts_with('-') || value.is_empty();
            let apart = || vec![format!("--{name}"), value.clone()];
            Ok(if joined { vec![format!("--{name}={value}")] } else { apart() })
        };
        Ok(texts.iter().map(word).collect::<Result<Vec<_>, _>>()?.concat())
    }

    /// The value of an option; paths start from the folder of the budget.
    fn value(&self, arg: &clap::Arg, text: &str, given: &BudgetOption) -> Result<String, InputError> {
        let form = arg.get_value_names().and_then(|names| names.first()).map_or("", |name| name.as_str());
        let is_path = match form {
            "FILE" if text == "-" => {
                let what =
                    format!("{} = \"-\": want a file, since standard input is not of one kernel", given.name);
                return Err(self.error(given.line, what));
            }
            "NAME|FILE" => !names_machine(text),
            _ => form == "FILE" || form.starts_with("FILE:"),
        };
        Ok(if is_path { self.beside(text) } else { text.to_owned() })
    }

    /// A path that is relative to the folder of the budget.
    fn beside(&self, file: &str) -> String {
        let folder = Path::new(self.place).parent().map_or_else(PathBuf::new, Path::to_path_buf);
        let path = folder.join(file).to_string_lossy().into_owned();
        if path.contains("..") { inside(&path) } else { path }
    }

    fn error(&self, line: usize, what: String) -> InputError {
        InputError { place: self.place.to_owned(), line: Some(line), what: what.into() }
    }

    /// A key that is no option of `time`.
    fn unknown(&self, given: &BudgetOption) -> InputError {
        let words = ["warpspan".to_owned(), "time".to_owned(), format!("--{}", given.name)];
        let error = Cli::try_parse_from(words).err();
        let meant = match error.as_ref().and_then(|error| error.get(ContextKind::SuggestedArg)) {
            Some(ContextValue::String(meant)) => key(meant),
            _ => "",
        };
        let meant = match option(self.time, meant) {
            Some(_) => format!(": did you mean {meant}?"),
            None => String::new(),
        };
        let what = "is no option of time, which warpspan time --help lists";
        self.error(given.line, format!("{} {what}{meant}", given.name))
    }

    /// What is wrong with the arguments, in the words of a file.
    fn wrong(&self, error: &clap::Error) -> InputError {
        let text = |kind| match error.get(kind) {
            Some(ContextValue::String(text)) => vec![text.as_str()],
            Some(ContextValue::Strings(texts)) => texts.iter().map(String::as_str).collect(),
            _ => Vec::new(),
        };
        let args: Vec<&str> = text(ContextKind::InvalidArg).into_iter().map(key).collect();
        let line_of =
            |name: &str| self.kernel.options.iter().find(|one| one.name == name).map(|one| one.line);
        let line = args.first().and_then(|name| line_of(name)).unwrap_or(self.kernel.line);
        let first = args.first().copied().unwrap_or_default();
        let value = text(ContextKind::InvalidValue).concat();
        let what = match error.kind() {
            ErrorKind::ValueValidation => {
                let why = error.source().map_or_else(String::new, |why| format!(": {why}"));
                format!("{first} = {value:?}{why}")
            }
            ErrorKind::InvalidValue => {
                format!("{first} = {value:?}: want one of {}", text(ContextKind::ValidValue).join(", "))
            }
            ErrorKind::MissingRequiredArgument => {
                let missing = args.join(" and no ");
                let they = if args.len() == 1 { "it" } else { "them" };
                let want = format!("want {they} in the table of the kernel or in [defaults]");
                format!("{}: no {missing}: {want}", self.kernel.name)
            }
            ErrorKind::ArgumentConflict => {
                let others: Vec<&str> = text(ContextKind::PriorArg).into_iter().map(key).collect();
                format!("{first} excludes {}: want one of them", others.join(" and "))
            }
            _ => {
                let text = error.render().to_string();
                text.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned()
            }
        };
        self.error(line, what)
    }
}

/// A path from the folder of the run, if it is in there.
pub(super) fn inside(file: &str) -> String {
    let whole = |path: &Path| path.canonicalize().ok();
    let short = || {
        let path = whole(Path::new(file))?;
        Some(path.strip_prefix(whole(Path::new("."))?).ok()?.display().to_string())
    };
    short().unwrap_or_else(|| file.to_owned())
}

/// The name of an option in a message of the parser, such as `--grid <N>`.
fn key(arg: &str) -> &str {
    let name = arg.trim_start_matches('-');
    name.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).next().unwrap_or_default()
}

impl Launch {
    /// What `time` is asked.
    pub(super) fn args(&self) -> Option<&TimeArgs> {
        match &self.command {
            Command::Time(args) => Some(args),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpspan_kernel::input::read_budget;

    fn read(text: &str) -> Result<Vec<Launch>, String> {
        let kernels = read_budget("a/b.toml", text).unwrap();
        launches("a/b.toml", &kernels).map_err(|error| error.to_string())
    }

    const LAUNCH: &str = "gpu = \"jetson-orin\"\ngrid = 4\nblock = \"8x8\"\ndeadline = \"1ms\"\n";

    #[test]
    fn a_table_is_a_command_line_of_time() {
        let text = format!(
            "[defaults]\n{LAUNCH}strict = true\n[[kernel]]\nlisting = \"k.sass\"\nloop-bound = [\"L=3\", \"M=4\"]\nparam = \"n=1\"\n\
             declare = \"d.toml\"\nco-running = \"/o.sass:f:1:32\"\nmachine = \"m.toml\"\n\
             [[kernel]]\nname = \"x\"\nlisting = \"/k.sass\"\nstrict = false\nmachine = \"8.7\"\nl2-keeps-launch = true\nl1-keeps-block = \"64KB\"\n"
        );
        let found = read(&text).unwrap();
        let words: Vec<String> = found.iter().map(|launch| launch.words.join(" ")).collect();
        assert_eq!(
            words[0],
            "time a/k.sass --gpu jetson-orin --grid 4 --block 8x8 --deadline 1ms --loop-bound L=3 --loop-bound M=4 --param n=1 \
             --declare a/d.toml --strict --co-running /o.sass:f:1:32 --machine a/m.toml"
        );
        assert_eq!(
            words[1],
            "time /k.sass --gpu jetson-orin --grid 4 --block 8x8 --deadline 1ms --machine 8.7 --l1-keeps-block=64KB \
             --l2-keeps-launch"
        );
        assert_eq!(found[1].deadline, Duration(1_000_000_000));
        assert_eq!(found[0].args().unwrap().format, Format::Json);
    }

    /// The keys of the file itself are no options, and each option with a file is taken for one.
    #[test]
    fn options_and_keys_are_apart() {
        let mut all = Cli::command();
        all.build();
        let time = all.find_subcommand("time").unwrap();
        assert!(option(time, "name").is_none() && option(time, "listing").is_none());
        let path = clap::builder::ValueParser::path_buf().type_id();
        for arg in time.get_arguments().filter(|arg| arg.get_long().is_some()) {
            let form = arg.get_value_names().and_then(|names| names.first()).map_or("", |name| name.as_str());
            let is_known = form == "FILE" || form.starts_with("FILE:") || form == "NAME|FILE";
            assert_eq!(form.contains("FILE"), is_known, "{:?}: {form}", arg.get_long());
            assert!(
                arg.get_value_parser().type_id() != path || form == "FILE",
                "{:?}: {form}",
                arg.get_long()
            );
        }
        for (name, _) in REFUSED {
            assert!(option(time, name).is_some(), "{name}");
        }
    }

    #[test]
    fn what_is_wrong_has_its_line_and_what_would_do() {
        let wrong = |more: &str| read(&format!("[[kernel]]\nlisting = \"k.sass\"\n{more}")).err().unwrap();
        let launch = |more: &str| wrong(&format!("{LAUNCH}{more}"));
        assert_eq!(
            launch("loop-bonud = \"L=3\""),
            "a/b.toml:7: loop-bonud is no option of time, which warpspan time --help lists: did you mean loop-bound?"
        );
        assert_eq!(
            launch("help = true"),
            "a/b.toml:7: help is no option of time, which warpspan time --help lists"
        );
        assert_eq!(
            launch("format = \"json\""),
            "a/b.toml:7: format: all kernels have one form: want --format behind warpspan budget"
        );
        assert_eq!(launch("alone = 3"), "a/b.toml:7: alone: want true or false");
        assert_eq!(launch("entry = [\"a\", \"b\"]"), "a/b.toml:7: entry is a list: want one value");
        assert_eq!(launch("entry = true"), "a/b.toml:7: entry = true: want a text: NAME");
        assert_eq!(
            launch("dram-spread = \"odd\""),
            "a/b.toml:7: dram-spread = \"odd\": want one of even, none"
        );
        assert_eq!(
            launch("declare = \"-\""),
            "a/b.toml:7: declare = \"-\": want a file, since standard input is not of one kernel"
        );
        assert_eq!(
            launch("dram-bytes = \"1MB\"\nncu = \"n.csv\""),
            "a/b.toml:7: dram-bytes excludes ncu: want one of them"
        );
        assert_eq!(
            wrong("gpu = \"jetson-orin\"\ngrid = 4\nblock = 32\ndeadline = 10"),
            "a/b.toml:6: deadline = \"10\": want a number with its unit: 800ns, 10us, 2.5ms or 1s"
        );
        assert_eq!(
            wrong("gpu = \"jetson-orin\"\nblock = 32"),
            "a/b.toml:1: k: no grid: want it in the table of the kernel or in [defaults]"
        );
        assert_eq!(
            wrong("gpu = \"jetson-orin\""),
            "a/b.toml:1: k: no grid and no block: want them in the table of the kernel or in [defaults]"
        );
        assert_eq!(
            wrong("gpu = \"jetson-orin\"\ngrid = 4\nblock = 32"),
            "a/b.toml:1: k: no deadline: want deadline = \"10ms\""
        );
    }
}
