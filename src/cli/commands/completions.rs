//! `warpspan completions` and `warpspan man`, both made from the arguments themselves.

use std::path::PathBuf;

use clap::{Args, ColorChoice};
use clap_complete::Shell;

use crate::cli::args::command;
use crate::cli::output::print;
use crate::cli::{Exit, Failure};

#[derive(Debug, Args)]
pub(in crate::cli) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct ManArgs {
    /// The folder into which the pages are written; made if there is none
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

pub(in crate::cli) fn completions(args: &CompletionsArgs) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command(ColorChoice::Never), "warpspan", &mut script);
    print(&String::from_utf8(script).map_err(Failure::internal)?)?;
    Ok(Exit::Done)
}

pub(in crate::cli) fn man(args: &ManArgs) -> Result<Exit, Failure> {
    let folder = &args.folder;
    let wrong = |error: std::io::Error| Failure::internal(format!("{}: {error}", folder.display()));
    std::fs::create_dir_all(folder).map_err(wrong)?;
    // A page has all options, and what `-h` hides would stand there without its text.
    let mut all = command(ColorChoice::Never).mut_args(|arg| arg.hide_short_help(false));
    let names: Vec<String> = all.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    for name in names {
        all = all.mut_subcommand(name, |command| command.mut_args(|arg| arg.hide_short_help(false)));
    }
    clap_mangen::generate_to(all, folder).map_err(wrong)?;
    Ok(Exit::Done)
}
