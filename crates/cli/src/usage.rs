//! What is wrong with a command line, on one line: the error, what it may have meant, the usage and where to read more.

use clap::error::{ContextKind, ContextValue};

use crate::args;

/// The error of clap about these words behind the name of the program, on one line.
pub(super) fn one_line(error: &clap::Error, words: &[String]) -> String {
    let text = error.render().to_string();
    let lines: Vec<&str> = text.lines().take_while(|line| !line.is_empty()).map(str::trim).collect();
    let mut line = lines.join(" ").trim_start_matches("error: ").to_owned();
    let meant = [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg, ContextKind::SuggestedValue];
    if let Some(meant) = meant.into_iter().find_map(|kind| meant_by(error.get(kind)?)) {
        line += &format!(": did you mean {meant}?");
    }
    let usage = match error.get(ContextKind::Usage) {
        Some(ContextValue::StyledStr(usage)) => usage.to_string(),
        _ => String::new(),
    };
    let usage = usage.split_whitespace().collect::<Vec<_>>().join(" ");
    let usage = usage.trim_start_matches("Usage: ");
    if let (Some(files), Some(ContextValue::String(given))) =
        (outputs(words), error.get(ContextKind::InvalidArg))
        && ["-o", "--output", "--out"].contains(&given.as_str())
    {
        line += &format!(": want {files}");
    }
    match usage.split(" [").next().and_then(|start| start.split(" <").next()) {
        Some(command) if !command.is_empty() => {
            let command: Vec<&str> = command.split(' ').take_while(|word| !word.starts_with('-')).collect();
            line + &format!("; usage: {usage}; {} --help says more", command.join(" "))
        }
        _ => {
            let command = words.iter().find(|word| args::is_command(word)).map(|word| format!(" {word}"));
            line + &format!("; warpspan{} --help says more", command.unwrap_or_default())
        }
    }
}

/// How a command is told where its output goes.
fn outputs(words: &[String]) -> Option<String> {
    let all = args::command(clap::ColorChoice::Never);
    let command = words.iter().find_map(|word| all.find_subcommand(word))?;
    let named = |name: &&str| command.get_arguments().any(|arg| arg.get_long() == Some(*name));
    let flags: Vec<String> = ["chart", "schedule"]
        .iter()
        .filter(|name| named(name))
        .map(|name| format!("--{name} FILE"))
        .collect();
    Some(flags.into_iter().chain(["> FILE".to_owned()]).collect::<Vec<_>>().join(" or "))
}

/// The suggestions, each in quotes.
fn meant_by(value: &ContextValue) -> Option<String> {
    let quoted = |text: &String| format!("'{text}'");
    match value {
        ContextValue::String(text) => Some(quoted(text)),
        ContextValue::Strings(texts) if !texts.is_empty() => {
            Some(texts.iter().map(quoted).collect::<Vec<_>>().join(" or "))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use crate::args::Cli;

    fn wrong(line: &str) -> String {
        let words: Vec<String> = line.split(' ').skip(1).map(str::to_owned).collect();
        super::one_line(&Cli::try_parse_from(line.split(' ')).unwrap_err(), &words)
    }

    #[test]
    fn one_line_says_what_was_meant_and_where_to_read_more() {
        let line = wrong("warpspan slove");
        assert!(line.starts_with("unrecognized subcommand 'slove': did you mean 'solve'"), "{line}");
        assert!(line.ends_with("; usage: warpspan [OPTIONS] <COMMAND>; warpspan --help says more"), "{line}");
        let line = wrong("warpspan solve --warp 4");
        assert!(
            line.starts_with("unexpected argument '--warp' found: did you mean '--warps'?; usage: "),
            "{line}"
        );
        assert!(line.ends_with("; warpspan solve --help says more"), "{line}");
        let line = wrong("warpspan solve --engine state");
        assert!(
            line.contains("[possible values: auto, states, ilp, phase]: did you mean 'states'?"),
            "{line}"
        );
        let line = wrong("warpspan solve --warps many");
        assert!(line.starts_with("invalid value 'many' for '--warps <N>'"), "{line}");
        assert!(line.ends_with("; warpspan solve --help says more") && !line.contains('\n'), "{line}");
        assert!(!wrong("warpspan solve --warps 0").contains("did you mean"));
        let line = wrong("warpspan simulate --kernel LC --warps 2 -o x.svg");
        assert!(line.contains(": want --chart FILE or --schedule FILE or > FILE; usage: "), "{line}");
    }
}
