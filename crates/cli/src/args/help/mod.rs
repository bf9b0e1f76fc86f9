//! What the help of each command shows besides its options: which of them `-h` has, examples, and the exit codes.
//!
//! `-h` is a screen: the options of the first hour, and examples. `--help`, the manual pages and the completions have all.

mod entries;

use clap::builder::{StyledStr, Styles};
use clap::{ColorChoice, CommandFactory};

use entries::{EXIT, HELPS, Help};

use crate::args::Cli;
use crate::screen;

/// The widest line of help, beyond which lines are hard to read.
const WIDTH: usize = 100;

/// The command line with its help, as wide as the screen.
pub(crate) fn command(colour: ColorChoice) -> clap::Command {
    let width = screen::width().unwrap_or(WIDTH).min(WIDTH);
    let mut all = Cli::command().color(colour).term_width(width);
    let styles = all.get_styles().clone();
    for help in &HELPS {
        all = all.mut_subcommand(help.command, |command| help.of(command, &styles));
    }
    all
}

/// Whether a word is the name of a command.
pub(crate) fn is_command(word: &str) -> bool {
    HELPS.iter().any(|help| help.command == word)
}

impl Help {
    /// The command with this help.
    fn of(&self, command: clap::Command, styles: &Styles) -> clap::Command {
        let examples = self.written(styles);
        let more =
            format!("{examples}\n\n`warpspan {} --help` has all options and the exit codes.", self.command);
        let all = format!("{examples}\n\n{}", self.exit_codes(styles));
        let is_short = |arg: &clap::Arg| {
            arg.is_positional()
                || arg
                    .get_long()
                    .is_some_and(|long| self.short.split(' ').any(|short| short == long) || long == "help")
        };
        command
            .mut_args(|arg| if is_short(&arg) { arg } else { arg.hide_short_help(true) })
            .after_help(StyledStr::from(more))
            .after_long_help(StyledStr::from(all))
    }

    /// The examples, each below what it does.
    fn written(&self, styles: &Styles) -> String {
        let lines = self.examples.iter().map(|(line, what)| format!("\n  # {what}\n  {line}"));
        format!("{}{}", heading("Examples:", styles), lines.collect::<String>())
    }

    /// All exit codes that the command has.
    fn exit_codes(&self, styles: &Styles) -> String {
        let mut all: Vec<(u8, &str)> =
            EXIT.into_iter().filter(|(code, _)| self.exit.iter().all(|(own, _)| own != code)).collect();
        all.extend(self.exit);
        all.sort_unstable();
        let lines = all.iter().map(|(code, what)| format!("\n  {code}  {what}"));
        format!("{}{}", heading("Exit codes:", styles), lines.collect::<String>())
    }
}

/// A heading as those of the options are.
fn heading(text: &str, styles: &Styles) -> String {
    let style = styles.get_header();
    format!("{style}{text}{style:#}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> clap::Command {
        command(ColorChoice::Never)
    }

    #[test]
    fn every_command_has_help() {
        let all = all();
        let commands: Vec<&str> = all.get_subcommands().map(clap::Command::get_name).collect();
        let helped: Vec<&str> = HELPS.iter().map(|help| help.command).collect();
        assert_eq!(commands, helped);
    }

    #[test]
    fn short_options_are_options() {
        let all = all();
        for help in &HELPS {
            let command = all.find_subcommand(help.command).unwrap();
            let known: Vec<&str> = command.get_arguments().filter_map(clap::Arg::get_long).collect();
            for short in help.short.split_whitespace() {
                assert!(known.contains(&short), "{}: --{short}", help.command);
            }
        }
    }

    #[test]
    fn examples_are_command_lines() {
        for help in &HELPS {
            for (line, _) in help.examples {
                assert!(line.len() <= 78, "{line}");
                let parts = line.split(" | ").filter_map(|part| part.split(" > ").next());
                for part in parts.filter(|part| part.starts_with("warpspan ")) {
                    let read = all().try_get_matches_from(part.split(' '));
                    assert!(read.is_ok(), "{part}: {}", read.unwrap_err());
                }
            }
        }
    }

    /// `-h` is a screen of 80 columns and 40 lines, and `--help` has all.
    #[test]
    fn help_fits() {
        for help in &HELPS {
            assert!(help.exit.iter().all(|(_, what)| what.len() <= 75), "{}", help.command);
            let mut all = all().term_width(80);
            all.build();
            let command = all.find_subcommand_mut(help.command).unwrap();
            let [short, long] =
                [command.render_help(), command.render_long_help()].map(|text| text.to_string());
            assert!(short.lines().count() <= 40, "{}: {}\n{short}", help.command, short.lines().count());
            for text in [&short, &long] {
                let wide: Vec<&str> = text.lines().filter(|line| line.chars().count() > 80).collect();
                assert!(wide.is_empty(), "{}: {wide:#?}", help.command);
                assert!(text.contains("\nExamples:\n"), "{text}");
            }
            assert!(long.contains("\nExit codes:\n  0  "), "{long}");
            assert!(
                command
                    .get_arguments()
                    .all(|arg| arg.get_long().is_none_or(|name| long.contains(&format!("--{name}"))))
            );
        }
        let root = all().term_width(80).render_help().to_string();
        assert!(root.lines().count() <= 40 && root.lines().all(|line| line.chars().count() <= 80), "{root}");
    }
}
