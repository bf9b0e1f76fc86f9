//! `warpspan completions` and `warpspan man`, both made from the arguments themselves.

use std::path::PathBuf;

use clap::{Args, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;

use crate::cli::args::Cli;
use crate::cli::output::{Target, print};
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
    clap_complete::generate(args.shell, &mut Cli::command(), "warpspan", &mut script);
    print(&String::from_utf8(script).map_err(Failure::internal)?)?;
    Ok(Exit::Done)
}

pub(in crate::cli) fn man(args: &ManArgs) -> Result<Exit, Failure> {
    let folder = &args.folder;
    std::fs::create_dir_all(folder)
        .map_err(|error| Failure::usage(format!("{}: cannot be written: {error}", folder.display())))?;
    let mut cli = Cli::command().disable_help_subcommand(true);
    cli.build();
    for command in cli.get_subcommands().chain([&cli]) {
        let page = Man::new(command.clone());
        Target::open(&folder.join(page.get_filename()))?.write(|_, out| page.render(out))?;
    }
    Ok(Exit::Done)
}
