//! By which flags something is declared on which an answer rests.
//!
//! The crates that say what is declared know no flags, so that the flag is added here.

use crate::flags::in_shell;
use crate::question::Question;
use crate::texts::File;
use warpspan_model::assumption::{Assumption, Id, Kind};

/// A flag with the file that it names.
pub(crate) fn of_file(flag: &str, file: &File) -> String {
    format!("{flag} {}", in_shell(&file.place))
}

/// The same with the flags and files by which it may have been declared, if it is declared and says none itself.
pub(crate) fn with_source(args: &Question, one: Assumption) -> Assumption {
    if one.kind != Kind::Declared || one.source.is_some() {
        return one;
    }
    let (code, memory) = (&args.code, &args.numbers.memory);
    let flag = |flag: &str, given: bool| given.then(|| flag.to_owned());
    let declare = code.declare.as_ref().map(|file| of_file("--declare", file));
    let of_loops = code.loop_bounds.as_ref().map(|file| of_file("--loop-bounds", file));
    let found = match one.id {
        Id::LoopBound | Id::LoopWaits | Id::LoopUnreached => {
            vec![flag("--loop-bound", !code.loop_bound.is_empty()), of_loops, declare]
        }
        Id::LoopTotal => vec![flag("--loop-total", !args.loop_totals.is_empty())],
        Id::CodeUnreachable => vec![flag("--unreachable", !code.unreachable.is_empty()), declare],
        Id::ParameterValue | Id::PointersAligned => vec![flag("--param", !code.param.is_empty()), declare],
        Id::DeclarationsFile | Id::InputTraced => vec![declare],
        Id::DramRate => vec![flag("--dram-rate", memory.rate.is_some())],
        Id::DramClock => vec![flag("--dram-clock", memory.clock.is_some())],
        Id::DramSpread => vec![flag("--dram-spread none", memory.one_bank)],
        Id::DramOthers => vec![flag("--dram-others", memory.others.is_some())],
        Id::MemoryHost | Id::ServerRate => vec![flag("--host-memory", memory.host.is_some())],
        _ => Vec::new(),
    };
    let found: Vec<String> = found.into_iter().flatten().collect();
    // What no flag says of the memory a file does.
    let machine = args.numbers.machine.as_ref().map(|from| format!("--machine {}", in_shell(from.place())));
    let system = args.others.system.as_ref().map(|file| of_file("--system", file));
    match found.is_empty() {
        false => one.by(found.join(" or ")),
        true => match machine.or(system) {
            Some(file) => one.by(file),
            None => one,
        },
    }
}
