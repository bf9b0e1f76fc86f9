//! `warpspan completions` and `warpspan man`, both made from the arguments themselves.

use clap::builder::PossibleValuesParser;
use clap::{ColorChoice, Command};
use clap_mangen::Man;

use crate::args::command;
use crate::args::completions::{CompletionsArgs, ManArgs};
use crate::output::{Target, print};
use crate::{Exit, Failure};
use warpspan_model::device::PRESETS;

pub(crate) fn completions(args: &CompletionsArgs) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    let mut all = with_names(command(ColorChoice::Never));
    clap_complete::generate(args.shell, &mut all, "warpspan", &mut script);
    print(&String::from_utf8(script).map_err(Failure::internal)?)?;
    Ok(Exit::Done)
}

/// The commands with the presets as values of `--gpu` and `--machine`. Only a shell is told of them in this way: on the
/// command line other spellings and files are good too, and help would list every name at each option.
fn with_names(mut all: Command) -> Command {
    let is_gpu = |arg: &clap::Arg| matches!(arg.get_long(), Some("gpu" | "machine"));
    let commands: Vec<String> = all.get_subcommands().map(|one| one.get_name().to_owned()).collect();
    for name in commands {
        all = all.mut_subcommand(name, with_names);
    }
    all.mut_args(|arg| match is_gpu(&arg) {
        true => arg.value_parser(PossibleValuesParser::new(PRESETS.iter().map(|preset| preset.name))),
        false => arg,
    })
}

pub(crate) fn man(args: &ManArgs) -> Result<Exit, Failure> {
    let folder = &args.folder;
    std::fs::create_dir_all(folder)
        .map_err(|error| Failure::usage(format!("{}: cannot be written: {error}", folder.display())))?;
    // A page has all options, and those that `-h` hides would be there without their text. Its head has room for one
    // line.
    let mut all = command(ColorChoice::Never)
        .version(env!("CARGO_PKG_VERSION"))
        .disable_help_subcommand(true)
        .mut_args(|arg| arg.hide_short_help(false));
    let names: Vec<String> = all.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    for name in names {
        all = all.mut_subcommand(name, |command| command.mut_args(|arg| arg.hide_short_help(false)));
    }
    all.build();
    for command in all.get_subcommands().chain([&all]) {
        let page = Man::new(command.clone());
        Target::open(&folder.join(page.get_filename()))?.write(|_, out| page.render(out))?;
    }
    Ok(Exit::Done)
}
