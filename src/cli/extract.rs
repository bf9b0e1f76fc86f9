//! `warpspan extract`.

use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;

use crate::cli::args::{ExtractArgs, Format};
use crate::cli::listing::options;
use crate::cli::output::print;
use crate::cli::record::line;
use crate::cli::{Exit, Failure};
use crate::code::{Entry, Letters, LoopBound, Text, extract};
use crate::input::{bytes, name};
use crate::model::{Kernel, Unit};
use crate::program::Code;

const EXTRACT: &str = "warpspan/extract/1";

#[derive(Debug, Serialize)]
struct ExtractRecord {
    schema: &'static str,
    version: &'static str,
    file: String,
    entries: Vec<EntryRecord>,
}

#[derive(Debug, Serialize)]
struct EntryRecord {
    name: String,
    line: u32,
    language: &'static str,
    compute_capability: &'static str,
    instructions: usize,
    kernel: Option<String>,
    straight: bool,
    /// Where it is not a straight line, or an instruction is several letters.
    program: Option<String>,
    branches: usize,
    loops: usize,
    barriers: usize,
    load_store: usize,
    compute: usize,
    loop_bounds: Vec<LoopRecord>,
    structure_error: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    listing: Vec<LineRecord>,
}

#[derive(Debug, Serialize)]
struct LoopRecord {
    label: String,
    line: u32,
    most: Option<u64>,
    evident: bool,
}

#[derive(Debug, Serialize)]
struct LineRecord {
    line: u32,
    label: Option<String>,
    instruction: String,
    letter: String,
    count: Option<u64>,
    why: String,
}

/// How many letters an instruction counts; none where no table says.
fn count(letters: &Letters) -> Option<u64> {
    match letters {
        Letters::Unit(_, count) => Some(*count),
        Letters::Barrier | Letters::None => Some(0),
        Letters::Unrated(_) | Letters::Refused(..) => None,
    }
}

impl From<&Entry> for EntryRecord {
    fn from(entry: &Entry) -> Self {
        let a_loop = |one: &LoopBound| LoopRecord {
            label: one.label.clone(),
            line: one.line,
            most: one.most,
            evident: one.evident,
        };
        let lines = entry.lines.iter().map(|line| LineRecord {
            line: line.line,
            label: line.label.clone(),
            instruction: line.text.clone(),
            letter: line.class.letters.to_string(),
            count: count(&line.class.letters),
            why: line.class.why.clone(),
        });
        Self {
            name: entry.name.clone(),
            line: entry.line,
            language: entry.language.name(),
            compute_capability: entry.capability.version,
            instructions: entry.instructions,
            kernel: entry.kernel.clone(),
            straight: entry.kernel.is_some(),
            program: program(entry),
            branches: entry.branches,
            loops: entry.loops.len(),
            barriers: entry.barriers,
            load_store: entry.letters[Unit::LoadStore],
            compute: entry.letters[Unit::CudaCore],
            loop_bounds: entry.loops.iter().map(a_loop).collect(),
            structure_error: entry.program.as_ref().err().map(ToString::to_string),
            listing: lines.collect(),
        }
    }
}

pub(super) fn run(args: &ExtractArgs) -> Result<Exit, Failure> {
    let mut options = options(&args.code, args.compute_capability)?;
    options.explain = args.explain;
    let text = Text::new(&name(&args.file), bytes(&args.file)?)?;
    let entries = extract(&text, &options)?;
    print(&match args.format {
        Format::Text => entries.iter().map(self::text).collect::<Vec<_>>().join("\n"),
        Format::Json => line(&ExtractRecord {
            schema: EXTRACT,
            version: env!("CARGO_PKG_VERSION"),
            file: name(&args.file),
            entries: entries.iter().map(EntryRecord::from).collect(),
        })?,
    })?;
    Ok(Exit::Done)
}

/// The program as `--kernel` takes it, where the string of one letter an instruction does not say it all.
fn program(entry: &Entry) -> Option<String> {
    let program = entry.program.as_ref().ok()?;
    match &entry.kernel {
        None => Some(Code::Program(program.clone()).to_string()),
        Some(kernel) => {
            let text = program.normal().to_string();
            (text.parse::<Kernel>() != kernel.parse()).then_some(text)
        }
    }
}

fn text(entry: &Entry) -> String {
    let capability = entry.capability.version;
    let mut out = format!("{}  line {}, compute capability {capability}\n", entry.name, entry.line);
    let (load_store, compute) = (entry.letters[Unit::LoadStore], entry.letters[Unit::CudaCore]);
    out.push_str(&format!(
        "  instructions  {}: {load_store} L, {compute} C, barriers {}; branches {}, loops {}\n",
        entry.instructions,
        entry.barriers,
        entry.branches,
        entry.loops.len()
    ));
    for one in &entry.loops {
        let most = match one.most {
            Some(most) if one.evident => format!("at most {most} passes, evident"),
            Some(most) => format!("at most {most} passes, given"),
            None => "no bound: want --loop-bound".to_owned(),
        };
        out.push_str(&format!("  loop          {} (line {}): {most}\n", one.label, one.line));
    }
    match (&entry.kernel, &entry.program) {
        (Some(kernel), _) => out.push_str(&format!("  kernel        {kernel}\n")),
        (None, Err(error)) => out.push_str(&format!("  no program    {error}\n")),
        (None, Ok(_)) => {}
    }
    if let Some(program) = program(entry) {
        out.push_str(&format!("  program       {program}\n"));
    }
    if !entry.lines.is_empty() {
        out.push_str(&format!("{}\n", listing(entry)));
    }
    out
}

fn listing(entry: &Entry) -> Table {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header(["line", "label", "instruction", "letter", "count", "why"]);
    for line in &entry.lines {
        let count = count(&line.class.letters).map_or("?".to_owned(), |count| count.to_string());
        table.add_row([
            line.line.to_string(),
            line.label.clone().unwrap_or_default(),
            line.text.clone(),
            line.class.letters.to_string(),
            count,
            line.class.why.clone(),
        ]);
    }
    for column in [0, 4] {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}
