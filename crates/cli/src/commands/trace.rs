//! `warpspan trace`: what a run showed, joined to its listing.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use crate::args::trace::TraceArgs;
use crate::document::answer;
use crate::output::{Target, print};
use crate::{Exit, Failure};
use warpspan_document::trace::document;
use warpspan_kernel::input::listing_bytes;
use warpspan_listing::Text;
use warpspan_listing::trace::trace;
use warpspan_model::source::{InputError, is_there, name};
use warpspan_records::Trace;

pub(crate) fn run(args: &TraceArgs) -> Result<Exit, Failure> {
    let stdout = Path::new("-");
    let target = match args.declare.as_deref() {
        Some(path) if path == stdout => None,
        Some(path) if is_there(path) => {
            let path = path.display();
            return Err(Failure::usage(format!(
                "{path}: exists, and declarations are never overwritten: want another name"
            )));
        }
        Some(path) => Some(Target::open(path)?),
        None => None,
    };
    let inputs = args.files.iter().map(|file| file.as_path()).chain([args.sass.as_path()]);
    if inputs.filter(|path| *path == stdout).count() > 1 {
        return Err(Failure::usage("standard input is named twice: want one `-`"));
    }
    let sass = Text::new(&name(&args.sass), listing_bytes(&args.sass)?)?;
    let files: Vec<String> = args.files.iter().map(|file| name(file)).collect();
    let open = |wanted: &str| {
        let path = args.files.iter().find(|file| name(file) == wanted);
        text_of(path.map_or(Path::new(wanted), |path| path))
    };
    let found = trace(&sass, args.entry.as_deref(), &files, open)?;
    if args.declare.as_deref() == Some(stdout) {
        print(&found.declarations)?;
        return Ok(Exit::Done);
    }
    if let Some(target) = target {
        target.write(|_, out| out.write_all(found.declarations.as_bytes()))?;
    }
    let written = args.declare.as_ref().map(|path| path.display().to_string());
    let record = Trace::new(sass.place(), &found, written);
    answer(args.format, record, document)?;
    Ok(Exit::Done)
}

/// The text of a file, read as it is asked for.
fn text_of(path: &Path) -> Result<Box<dyn BufRead>, InputError> {
    if path == Path::new("-") {
        return Ok(Box::new(BufReader::new(io::stdin())));
    }
    let file = File::open(path);
    let file = file.map_err(|error| InputError::new(name(path), format!("cannot be read: {error}")))?;
    Ok(Box::new(BufReader::new(file)))
}
