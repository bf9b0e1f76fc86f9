//! Every command has a page, and the page names every option, and no option that does not exist.

use std::collections::BTreeSet;

use assert_cmd::Command;

use super::pages::Page;

fn help(args: &[&str]) -> String {
    let output = Command::cargo_bin("warpspan").unwrap().args(args).arg("--help").output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

fn commands() -> Vec<String> {
    let help = help(&[]);
    let listed =
        help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names = listed.filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

/// The long options that begin a text, of `--time-limit TIME` for instance `--time-limit`.
fn option(text: &str) -> Option<&str> {
    let name = text.strip_prefix("--")?;
    let end = name
        .find(|c: char| !(c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'))
        .unwrap_or(name.len());
    (end > 0).then(|| &text[..end + 2])
}

/// The long options that a command has.
pub(crate) fn options(command: &str) -> BTreeSet<String> {
    let help = help(&[command]);
    // What is said of an option stands further to the right, and may begin with another one.
    let lines = help.lines().filter(|line| !line.starts_with("       "));
    let lines = lines.map(str::trim_start).filter(|line| line.starts_with('-'));
    let long = lines.filter_map(|line| option(line.find("--").map_or(line, |at| &line[at..])));
    long.filter(|name| !["--help", "--color", "--assumptions"].contains(name)).map(str::to_owned).collect()
}

#[test]
fn every_command_has_a_page_with_its_options() {
    let commands = commands();
    assert_eq!(commands.len(), 21, "{commands:?}");
    let mut known: BTreeSet<String> = commands.iter().flat_map(|command| options(command)).collect();
    known.insert("--assumptions".to_owned());
    for command in &commands {
        let page = Page::read(format!("docs/commands/{command}.md").into());
        // One span may hold several words of a command line.
        let words = page.spans.iter().flat_map(|span| span.split_whitespace());
        let named: BTreeSet<String> = words.filter_map(option).map(str::to_owned).collect();
        let missing: Vec<String> = options(command).difference(&named).cloned().collect();
        assert!(missing.is_empty(), "docs/commands/{command}.md lacks {missing:?}");
        if cfg!(not(feature = "highs")) {
            continue; // the options of the ILP are named, but not there
        }
        let unknown: Vec<&String> = named.difference(&known).collect();
        assert!(unknown.is_empty(), "docs/commands/{command}.md names {unknown:?}");
    }
}

/// The file with all its keys that each page shows is one that the command takes.
#[test]
fn commands_take_the_files_of_their_pages() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("kernels.txt"), "LCL\n").unwrap();
    for (command, more) in
        [("solve", None), ("sweep", Some("--dry-run")), ("rta", None), ("prem", None), ("partition", None)]
    {
        let page = Page::read(format!("docs/commands/{command}.md").into());
        let file = page.blocks.iter().find(|block| block.language.as_deref() == Some("toml")).unwrap();
        std::fs::write(folder.path().join("file.toml"), &file.text).unwrap();
        let mut run = Command::cargo_bin("warpspan").unwrap();
        run.current_dir(folder.path()).args([command, "file.toml"]).args(more).assert().success();
    }
}
