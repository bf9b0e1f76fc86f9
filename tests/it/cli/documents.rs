//! A record says the same as text, in HTML and in Markdown: they are printed from one document.

use assert_cmd::Command;
use warpspan::document::{self, Cell, Document, Part};
use warpspan::records::{Record, read};

const CONV: &str = "time docs/tutorial/conv.sm_87.sass --entry conv --gpu jetson-orin --grid 60x135 --block 32x8 --loop-bound .L_x_2=3 \
                    --deadline 10ms --launch-overhead 20us --margins";

/// What a command prints on a screen on which each line has room, whatever its verdict is.
fn run(args: &[&str]) -> String {
    String::from_utf8(
        Command::cargo_bin("warpspan").unwrap().env("COLUMNS", "1000").args(args).output().unwrap().stdout,
    )
    .unwrap()
}

/// What a command prints for a person, the record, and its document.
fn printed(command: &str, more: &[&str]) -> (String, Record, Document) {
    let args: Vec<&str> = command.split_whitespace().collect();
    let text = run(&[&args[..], more].concat());
    let json = run(&[&args[..], &["--format", "json"]].concat());
    let record = read(json.trim().as_bytes()).unwrap_or_else(|what| panic!("{command}: {what}"));
    let [document] = &document::of(&record)[..] else { panic!("{command}: no document") };
    let document = document.clone();
    (text, record, document)
}

/// HTML without its marks.
fn of_html(page: &str) -> String {
    let parts = page.split('<').filter_map(|part| part.split_once('>').map(|(_, text)| text));
    let text = parts.collect::<Vec<_>>().join("\n");
    ["&lt;<", "&gt;>", "&quot;\"", "&amp;&"].iter().fold(text, |text, escape| {
        let (name, letter) = escape.split_at(escape.len() - 1);
        text.replace(name, letter)
    })
}

/// Checks that each of these is in each form.
fn are_in(wanted: &[String], text: &str, document: &Document) {
    let page = of_html(&document.html());
    let markdown = document.markdown().replace('\\', "");
    for (form, shown) in [("text", text), ("HTML", &page), ("Markdown", &markdown)] {
        for one in wanted {
            let shown = shown.replace("σ_", "sigma_");
            assert!(shown.contains(one.trim()), "{form} lacks {one:?}:\n{shown}");
        }
    }
}

#[test]
fn all_that_a_time_says_and_rests_on_is_in_each_form() {
    let (text, record, document) = printed(CONV, &["--assumptions"]);
    let Record::Time(found) = record else { panic!("a record of time") };
    let found = found.record;
    assert!(found.assumptions.len() > 10 && found.assumptions.iter().any(|one| one.margin.is_some()));
    let mut wanted: Vec<String> = found
        .assumptions
        .iter()
        .flat_map(|one| {
            let more = one.source.iter().chain(&one.remedy).cloned();
            [one.says(), format!("[{}", one.id)].into_iter().chain(more)
        })
        .collect();
    wanted.extend(found.notes.iter().chain(&found.not_covered).cloned());
    wanted.push(format!("{} cycles of single-warp latency", found.cycles.as_ref().unwrap().own));
    wanted.push("at most ".to_owned());
    for part in &document.parts {
        if let Part::Fact(name, text) = part {
            // The marks of bold words are those of Markdown alone.
            wanted.extend([name.clone(), text.plain()]);
        }
    }
    are_in(&wanted, &text, &document);
}

/// Facts, sentences and cells of all kinds of records.
#[test]
fn all_that_a_record_says_is_in_each_form() {
    for command in [
        "solve --kernel LLCLL --warps 4 --engine phase",
        "bound --kernel LL --warps 4 --sigma-l 2",
        "simulate instances/llcll-w4.toml",
        "rta instances/pa19-section-3-6.toml",
        "partition instances/si21-partition-table.toml",
        "prem instances/kr19-least.toml",
        "budget tests/data/budget/all.toml",
        "compare tests/data/compare/old.ptx tests/data/compare/new.ptx --warps 32 --compute-capability 6.2",
    ] {
        let (text, _, document) = printed(command, &["--assumptions"]);
        assert!(!document.title.is_empty() && !document.said.verdict.is_empty(), "{command}");
        let mut wanted = Vec::new();
        for part in &document.parts {
            match part {
                // How long it took, and what rta assumes, which only a page has.
                Part::Fact(name, _) if ["engine", "if"].contains(&name.as_str()) => {}
                Part::Fact(_, text) | Part::Line(text) => {
                    wanted.extend(text.0.iter().map(|(_, words)| words.clone()))
                }
                Part::Table(table) => {
                    let cells = table.rows.iter().flatten();
                    wanted.extend(cells.filter_map(|cell| match cell {
                        Cell::Text(text) => Some(text.plain()),
                        Cell::Bar(_) => None,
                    }));
                    wanted.extend(table.heads.iter().cloned());
                }
                Part::RestsOn(all) | Part::AlsoRestsOn(_, all) => {
                    wanted.extend(all.iter().map(warpspan::records::Assumption::says));
                }
                Part::Gap | Part::Chart(_) | Part::Details(_) => {}
            }
        }
        wanted.retain(|one| !one.contains('\n'));
        are_in(&wanted, &text, &document);
    }
}
