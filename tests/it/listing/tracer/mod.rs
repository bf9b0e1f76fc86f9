//! Traces of runs: what is read of a file is what an interpreter of the kernel did, counted by brute force, and what is wrong is refused.

mod bad;
mod counts;
mod machine;
mod parted;
mod time;
mod write;

use std::io::{BufRead, Cursor};

use machine::{Event, Launch};
use warpspan::listing::Text;
use warpspan::listing::trace::{Traced, trace};
use write::{Style, USUAL, write};

const LISTING: &str = "tests/data/trace/gather.sass";
const EXAMPLE: &str = "tests/data/trace/kernel-1.traceg";

/// The launch of the example: the last block has few threads, and the last warp of each block is not whole.
const SMALL: Launch = Launch { blocks: 3, threads: 80, count: 170, seed: 0 };

fn listing() -> String {
    std::fs::read_to_string(LISTING).unwrap()
}

fn text() -> Text {
    Text::new(LISTING, std::fs::read(LISTING).unwrap()).unwrap()
}

/// Reads files of these names and contents.
fn read(files: &[(&str, &str)]) -> Result<Traced, String> {
    let names: Vec<String> = files.iter().map(|one| one.0.to_owned()).collect();
    let open = |name: &str| {
        let content = files.iter().find(|one| one.0 == name).unwrap().1;
        Ok(Box::new(Cursor::new(content.as_bytes().to_vec())) as Box<dyn BufRead>)
    };
    trace(&text(), None, &names, open).map_err(|error| error.to_string())
}

fn events(launch: &Launch) -> Vec<Vec<Vec<Event>>> {
    launch.run(&listing())
}

fn file(launch: &Launch, style: Style) -> String {
    write(launch, "gather", &events(launch), style)
}

/// The example is what the interpreter and the writer give.
#[test]
fn the_example_is_written_by_the_test() {
    let written = file(&SMALL, USUAL);
    if std::env::var("WARPSPAN_UPDATE").is_ok() {
        std::fs::write(EXAMPLE, &written).unwrap();
    }
    assert_eq!(std::fs::read_to_string(EXAMPLE).unwrap(), written);
}
