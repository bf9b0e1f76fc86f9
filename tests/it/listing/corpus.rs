//! The programs of the listings in `tests/data/corpus` cover what an interpreter of SASS, which is no part of this
//! project, issued: `issued.toml` has how often the busiest warp of a launch issued each line, and the bounds of loops that
//! this launch needs.
use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use warpspan::listing::{Options, Text, extract};
use warpspan::model::program::{Divergence, Piece};

#[derive(Deserialize)]
struct Runs {
    run: Vec<Run>,
}

#[derive(Deserialize)]
struct Run {
    listing: String,
    entry: String,
    launch: String,
    /// The line of a loop's header, and how often it was passed at most.
    passes: BTreeMap<String, u64>,
    /// `LINE:COUNT`, separated by spaces.
    issued: String,
}

/// How many letters of a line, or barriers, a path of the program has at most.
fn most(piece: &Piece, line: u32) -> u64 {
    match piece {
        Piece::Letters { count, line: at, .. } => {
            if *at == line {
                *count
            } else {
                0
            }
        }
        Piece::Barrier { line: at } => u64::from(*at == line),
        Piece::Sequence(pieces) => pieces.iter().map(|piece| most(piece, line)).sum(),
        Piece::Branch { arms, divergence: Divergence::Uniform, .. } => {
            arms.iter().map(|arm| most(arm, line)).max().unwrap_or(0)
        }
        Piece::Branch { arms, .. } => arms.iter().map(|arm| most(arm, line)).sum(),
        Piece::Loop { body, most: passes, .. } => passes * most(body, line),
    }
}

/// How many letters the instruction of a line has: several groups that issue it may stand in one piece, so the fewest.
fn letters(piece: &Piece, line: u32) -> Option<u64> {
    match piece {
        Piece::Letters { count, line: at, .. } => (*at == line).then_some(*count),
        Piece::Barrier { line: at } => (*at == line).then_some(1),
        Piece::Sequence(pieces) | Piece::Branch { arms: pieces, .. } => {
            pieces.iter().filter_map(|piece| letters(piece, line)).min()
        }
        Piece::Loop { body, .. } => letters(body, line),
    }
}

#[test]
fn programs_of_the_corpus_cover_what_was_issued() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/corpus");
    let runs: Runs = toml::from_str(&std::fs::read_to_string(folder.join("issued.toml")).unwrap()).unwrap();
    let (mut lines, mut exact) = (0, 0);
    for run in &runs.run {
        let at = format!("{} of {}, {}", run.entry, run.listing, run.launch);
        let mut options = Options { entry: Some(run.entry.clone()), ..Options::default() };
        for (line, passes) in &run.passes {
            // Of a loop to which no warp comes there the code may show more passes, so that fewer are refused.
            let comes =
                run.issued.split(' ').any(|pair| pair.split_once(':').is_some_and(|(one, _)| one == line));
            let passes = if comes { *passes } else { 1_000 };
            options.loop_bounds.add(&format!("{line}={passes}")).unwrap();
        }
        let listing = std::fs::read_to_string(folder.join(&run.listing)).unwrap();
        let text = Text::new(&run.listing, listing.clone().into_bytes()).unwrap();
        let entry = extract(&text, &options).unwrap().remove(0);
        let listing: Vec<&str> = listing.lines().collect();
        let program = entry.program.as_ref().unwrap_or_else(|error| panic!("{at}: {error}"));
        for pair in run.issued.split(' ') {
            let (line, issued) = pair.split_once(':').unwrap();
            let (line, issued): (u32, u64) = (line.parse().unwrap(), issued.parse().unwrap());
            let covered = most(program, line) / letters(program, line).unwrap_or(1);
            let text = listing[line as usize - 1];
            // What ends a thread has no letter.
            if covered == 0 && text.contains(" EXIT ") {
                continue;
            }
            assert!(
                covered >= issued,
                "{at}: line {line} issued {issued} times, the program has {covered}: {text}"
            );
            lines += 1;
            exact += usize::from(covered == issued);
        }
    }
    assert!(runs.run.len() >= 45, "{} runs", runs.run.len());
    assert!(lines > 1700 && exact * 10 > lines * 9, "{exact} of {lines} lines exact");
}
