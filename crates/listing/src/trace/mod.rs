//! What a run showed: the files of Accel-Sim's tracer (NVBit), joined to a listing of SASS by the addresses of instructions.
//!
//! Everything here holds for the inputs that the files were traced with, and for no other.
//!
//! | file | does |
//! |---|---|
//! | `header`, `read`, `instruction`, `field` | the text of a file, a line at a time |
//! | `code` | the routine: where lanes may go on, and which loops are around an instruction |
//! | `follow` | a warp through its instructions: passes of loops, branches at which lanes diverge |
//! | `access` | what accesses touch, counted as inferred ones are |
//! | `touched` | sets of sectors |
//! | `traced` | what is known in the end |
//! | `undeclared` | which loops a run says nothing of, and what it did not reach |

mod access;
mod code;
mod declarations;
mod field;
mod follow;
mod header;
mod instruction;
mod read;
mod touched;
mod traced;
mod undeclared;

use std::io::BufRead;

use crate::message::{one_line, shorten};
use crate::{Options, Text};
use access::Accesses;
pub use access::TracedAccess;
use code::Code;
use declarations::of_traced;
pub use follow::Passes;
use follow::{Shown, Warp};
pub use header::Header;
use read::{Item, Reader};
pub use traced::{Traced, TracedBranch, TracedLaunch, TracedLoop};
use undeclared::{undeclared, unreached, waiting};
use warpspan_isa::instruction::{Flow, Instruction, Language};
use warpspan_isa::memory::{Access, access};
use warpspan_model::source::{InputError, Message, Remedy};

/// Reads traces of a kernel and joins them to its listing. `open` gives the text of a file by its name; the kernel is the one that the first
/// file names, unless an `entry` is given.
///
/// # Errors
/// If a file cannot be read as such, is not whole, is of another kernel, of other sizes than the first, or of other code than the listing.
pub fn trace(
    text: &Text,
    entry: Option<&str>,
    files: &[String],
    open: impl Fn(&str) -> Result<Box<dyn BufRead>, InputError>,
) -> Result<Traced, InputError> {
    if text.language() != Language::Sass {
        let what =
            "PTX, whose instructions have no addresses: want the SASS that ran, as cuobjdump -sass prints it";
        return Err(InputError::new(text.place(), what));
    }
    let Some(first) = files.first() else { return Err(InputError::new("", "no trace: want a .traceg file")) };
    let mut opened = Some(Reader::open(first, open(first)?)?);
    let header = opened.as_ref().map(|(header, _)| header.clone()).unwrap_or_default();
    let listing = text.listing()?;
    let number = number_of(text, &listing, entry, &header)?;
    let routine = &listing.routines[number];
    if let Some(one) = routine.instructions.iter().find(|one| one.address.is_none()) {
        return Err(InputError {
            line: Some(one.line as usize),
            ..InputError::new(text.place(), "an instruction without an address")
        });
    }
    let code = Code::of(routine);
    let mut all = Joined::new(&code);
    let mut launches: Vec<TracedLaunch> = Vec::new();
    for file in files {
        let (header, reader) = match opened.take() {
            Some(opened) => opened,
            None => Reader::open(file, open(file)?)?,
        };
        if let Some(first) = launches.first() {
            let same = (&header.kernel, header.grid, header.block)
                == (&first.header.kernel, first.header.grid, first.header.block);
            if !same {
                let what = format!(
                    "another kernel or other sizes than in {}: want a run for each of them, since declarations are of one kernel and its sizes",
                    first.file
                );
                return Err(InputError::new(file.as_str(), what));
            }
        }
        launches.push(all.file(file, header, reader)?);
    }
    let mut found = all.found(routine.name, launches);
    let place = (text.place(), &listing, number);
    found.declarations = of_traced(place, &text.source_lines(), &found);
    let waiting = waiting(text, &found, &code);
    if !waiting.is_empty() {
        for one in found.loops.iter_mut().filter(|one| waiting.contains(&one.line)) {
            one.undeclared =
                Some("its end depends on what other warps write, so that one run does not tell it");
        }
        found.declarations = of_traced(place, &text.source_lines(), &found);
    }
    Ok(found)
}

/// The routine that was traced.
fn number_of(
    text: &Text,
    listing: &crate::routine::Listing<'_>,
    entry: Option<&str>,
    header: &Header,
) -> Result<usize, InputError> {
    let name = entry.unwrap_or(&header.kernel);
    let version = header.binary.map(|digits| format!("{}.{}", digits / 10, digits % 10));
    let capability = version.as_ref().and_then(|version| version.parse().ok());
    let mut names: Vec<&str> = listing.routines.iter().filter(|one| one.entry).map(|one| one.name).collect();
    names.dedup();
    if !names.contains(&name) {
        let what = Message::text(format!(
            "has no kernel {:?}, which was traced: want its listing, or ",
            one_line(&name)
        ))
        .remedy(Remedy::Entry(names.iter().map(|&name| name.to_owned()).collect()))
        .then(format!(" of {}", names.join(", ")));
        return Err(InputError::with(text.place(), what));
    }
    let options = Options { entry: Some(name.to_owned()), capability, ..Options::default() };
    match crate::extract::chosen(text.place(), listing, &options)?[..] {
        [one] => match (listing.routines[one].target.as_deref(), &version) {
            (Some(target), Some(version)) if target != version => {
                let what = format!(
                    "is for compute capability {target}, and what was traced is for {version}: want the listing of the binary that ran"
                );
                Err(InputError::new(text.place(), what))
            }
            _ => Ok(one),
        },
        _ => {
            let what = format!(
                "{} stands there several times: want the listing of one object file",
                one_line(&name)
            );
            Err(InputError::new(text.place(), what))
        }
    }
}

/// What the files that were read say together.
struct Joined<'c, 'r, 'a> {
    code: &'c Code<'r, 'a>,
    shown: Shown,
    accesses: Accesses,
    most_of_a_warp: u64,
}

impl<'c, 'r, 'a> Joined<'c, 'r, 'a> {
    fn new(code: &'c Code<'r, 'a>) -> Self {
        let count = code.routine.instructions.len();
        let shown = Shown {
            times: vec![0; count],
            passes: vec![Passes::default(); code.loops.as_ref().map_or(0, Vec::len)],
            diverged: vec![0; count],
        };
        Self { code, shown, accesses: Accesses::new(code.routine), most_of_a_warp: 0 }
    }

    fn file(
        &mut self,
        file: &str,
        header: Header,
        mut reader: Reader<impl BufRead>,
    ) -> Result<TracedLaunch, InputError> {
        let (blocks, threads) = (header.blocks().unwrap_or(0), header.threads().unwrap_or(0));
        let warps = threads.div_ceil(32);
        let [x, y, _] = header.grid;
        self.accesses.begin(&header);
        let (mut next_block, mut instructions) = (0, 0);
        while let Some(item) = reader.next()? {
            let Item::Block(at) = item else {
                return Err(reader.error("want thread block = X,Y,Z"));
            };
            if (0..3).any(|axis| at[axis] >= header.grid[axis]) {
                return Err(reader.error("a block that is not in the grid"));
            }
            let number = at[2] * x * y + at[1] * x + at[0];
            if number != next_block {
                let what = format!(
                    "block number {number} where {next_block} is next: some block is missing or stands twice"
                );
                return Err(reader.error(&what));
            }
            next_block += 1;
            instructions += self.block(&mut reader, [threads, warps])?;
            self.accesses.end_block();
        }
        if next_block != blocks {
            let what = format!("{next_block} of {blocks} blocks are there: was the tracer stopped?");
            return Err(reader.error(&what));
        }
        let [block, all] = self.accesses.touched();
        let asked = self.accesses.asked();
        Ok(TracedLaunch {
            file: file.to_owned(),
            header,
            warps: blocks * warps,
            instructions,
            block,
            all,
            asked,
        })
    }

    /// Reads a block; how many instructions its warps issued.
    fn block(
        &mut self,
        reader: &mut Reader<impl BufRead>,
        [threads, warps]: [u64; 2],
    ) -> Result<u64, InputError> {
        let mut instructions = 0;
        for number in 0..warps {
            let count = match reader.next()? {
                Some(Item::Warp { number: found, instructions }) if found == number => instructions,
                Some(Item::Executed(_)) => {
                    return Err(reader.error("more instructions than insts = N says"));
                }
                _ => return Err(reader.error(&format!("want warp = {number} of {warps}"))),
            };
            if count == 0 {
                return Err(reader.error("a warp without instructions: was the tracer stopped?"));
            }
            let lanes = (threads - number * 32).min(32);
            let mut warp = Warp::new(u32::MAX >> (32 - lanes), self.shown.passes.len());
            let mut issued = 0;
            let mut copy = None;
            for _ in 0..count {
                let Some(Item::Executed(one)) = reader.next()? else {
                    return Err(
                        reader.error("fewer instructions than insts = N says: was the tracer stopped?")
                    );
                };
                // Some versions of the tracer write a line for each of the two addresses of a copy.
                let is_second = copy.take() == Some((one.pc, one.mask));
                let again = if is_second { None } else { Some(&mut warp) };
                let is_copy = self.instruction(again, &one).map_err(|what| reader.error(&what))?;
                copy = (is_copy && !is_second).then_some((one.pc, one.mask));
                issued += u64::from(!is_second);
            }
            warp.end(&mut self.shown).map_err(|what| reader.error(&what))?;
            self.most_of_a_warp = self.most_of_a_warp.max(issued);
            instructions += issued;
        }
        match reader.next()? {
            Some(Item::End) => Ok(instructions),
            Some(Item::Executed(_)) => Err(reader.error("more instructions than insts = N says")),
            _ => Err(reader.error("want #END_TB: the block has no more warps")),
        }
    }

    /// Goes on with an instruction, or with the second address of one that the warp has executed; whether it is a copy, with two of them.
    fn instruction(&mut self, warp: Option<&mut Warp>, one: &instruction::Executed) -> Result<bool, String> {
        let found = one.opcode.text();
        let at = self.code.at(one.pc).ok_or_else(|| {
            format!("no instruction of the listing has PC {:04x}: the listing is of another binary", one.pc)
        })?;
        let listed = &self.code.routine.instructions[at];
        if !listed.opcode().is_shown_as(found) {
            return Err(format!(
                "{} at PC {:04x}, where line {} of the listing has {}: the listing is of another binary",
                shorten(found),
                one.pc,
                listed.line,
                listed.opcode()
            ));
        }
        if let Some(warp) = warp {
            warp.step(self.code, at, one, &mut self.shown)?;
        }
        self.accesses.add(listed, at, one)?;
        Ok(matches!(access(listed), Access::Copy(_)))
    }

    fn found(self, entry: &str, launches: Vec<TracedLaunch>) -> Traced {
        let Self { code, shown, accesses, most_of_a_warp } = self;
        let routine = code.routine;
        let unreached = unreached(code, &shown);
        let loops = code.loops.iter().flatten().zip(&shown.passes);
        let mut loops: Vec<TracedLoop> = loops
            .map(|(one, &passes)| TracedLoop {
                label: routine.place(one.header),
                line: routine.line_of(one.header),
                passes,
                undeclared: undeclared(code, one, &unreached),
                header: one.header,
            })
            .collect();
        loops.sort_by_key(|one| one.line);
        let all = || routine.instructions.iter().enumerate();
        let is_branch = |(at, one): &(usize, &Instruction<'_>)| {
            one.conditional && !matches!(one.flow, Flow::Next | Flow::End) && shown.times[*at] > 0
        };
        let branches = all().filter(is_branch).map(|(at, one)| TracedBranch {
            line: one.line,
            times: shown.times[at],
            diverged: shown.diverged[at],
            at,
        });
        let unreached = unreached.into_iter().map(|at| {
            let one = &routine.instructions[at];
            (one.line, one_line(one).trim().to_owned())
        });
        Traced {
            entry: entry.to_owned(),
            line: routine.line,
            launches,
            most_of_a_warp,
            loops,
            loops_unknown: code.loops.is_none(),
            branches: branches.collect(),
            unreached: unreached.collect(),
            accesses: accesses.found(routine),
            declarations: String::new(),
        }
    }
}
