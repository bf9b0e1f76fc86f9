//! Reading an instance file.

use std::sync::Arc;

use schemars::{JsonSchema, Schema, schema_for};
use serde::Deserialize;

use crate::input::machine::{
    LetterTable, MachineTable, MachineTables, NamedMachine, UnitTable, named_machine,
};
use crate::input::memory::{MemoryFlags, ServerTable};
use crate::input::multiprocessor::{MultiprocessorTable, multiprocessor};
use crate::input::{AnyDraft, Draft, GridKeys};
use warpspan_model::source::{InputError, MOST_THREADS, Source, Spanned};
use warpspan_model::{CodeError, Group};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct File {
    /// The kernel of all warps.
    kernel: Option<Spanned<KernelTable>>,
    /// Warps of several kernels, instead of `[kernel]`.
    #[serde(default)]
    group: Vec<Spanned<GroupTable>>,
    /// What the warps run on.
    multiprocessor: Option<Spanned<MultiprocessorTable>>,
    /// A machine with latency and issue width, instead of `[multiprocessor]`.
    machine: Option<Spanned<MachineTable>>,
    /// The kinds of unit of the machine.
    #[serde(default)]
    unit: Vec<Spanned<UnitTable>>,
    /// Further letters on the units of the machine.
    #[serde(default)]
    letter: Vec<Spanned<LetterTable>>,
    /// The memory that all multiprocessors share.
    #[serde(default)]
    server: Vec<Spanned<ServerTable>>,
    /// How many warps there are.
    launch: Option<Spanned<LaunchTable>>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct KernelTable {
    /// The kernel string, such as `LLCLL`, or the text of a program with branches or loops.
    string: Spanned<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct GroupTable {
    /// The kernel string, such as `LLCLL`, or the text of a program with branches or loops.
    string: Spanned<String>,
    /// How many warps run it.
    warps: Spanned<i64>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct LaunchTable {
    /// How many warps there are.
    warps: Option<Spanned<i64>>,
    /// How many threads there are, instead of `warps`.
    threads: Option<Spanned<i64>>,
    /// How many warps share barriers; all warps of a group if it is not given.
    warps_per_block: Option<Spanned<i64>>,
    /// How many threads share barriers, instead of `warps_per_block`.
    threads_per_block: Option<Spanned<i64>>,
    /// Whether all warps of a group take the same path through a program with branches or loops; false if it
    /// is not given.
    same_path: Option<bool>,
    /// How many blocks of a grid there are, instead of `warps`.
    blocks: Option<Spanned<i64>>,
    /// How many blocks of the grid a multiprocessor holds at once; all of them if it is not given.
    resident: Option<Spanned<i64>>,
    /// How many multiprocessors run the grid; 1 if it is not given.
    multiprocessors: Option<Spanned<i64>>,
}

/// The JSON Schema of an instance file.
#[doc(hidden)]
pub fn schema() -> Schema {
    schema_for!(File)
}

/// Reads an instance file; `place` is its name in messages.
///
/// # Errors
/// If the file is not an instance file; the error gives the first thing that is wrong, with its line.
pub fn read(place: &str, text: &str) -> Result<Draft, InputError> {
    match read_for(place, text, None)? {
        AnyDraft::Paper(draft) => Ok(draft),
        AnyDraft::Machine(..) => Err(InputError::new(
            place,
            "[machine]: only solve, bound, simulate and rta take a machine: want [multiprocessor]",
        )),
    }
}

/// Reads an instance file, for the machine of a flag if there is one; `place` is its name in messages.
///
/// # Errors
/// If the file is not an instance file; the error gives the first thing that is wrong, with its line.
pub fn read_for(
    place: &str,
    text: &str,
    machine: Option<&Arc<NamedMachine>>,
) -> Result<AnyDraft, InputError> {
    let source = Source { place, text };
    let file: File = source.toml()?;
    let machine = match (machine, &file.machine) {
        (Some(machine), _) => Some(Arc::clone(machine)),
        (None, Some(table)) => {
            if let Some(other) = &file.multiprocessor {
                let later = table.span().start.max(other.span().start);
                return Err(source.error(later, "both [multiprocessor] and [machine]: want one of them"));
            }
            let at = table.span().start;
            let tables = MachineTables {
                machine: table.get_ref(),
                units: &file.unit,
                letters: &file.letter,
                servers: &file.server,
            };
            // No flag gives the clock of a machine that a file describes, so rates by the second need it there.
            let named = named_machine(&source, at, &tables, "")?.with_flags(&MemoryFlags::default(), None);
            Some(Arc::new(named.map_err(|error| source.error(at, error))?))
        }
        (None, None) => {
            let first = file.unit.first().map(Spanned::span).or(file.letter.first().map(Spanned::span));
            if let Some(first) = first {
                return Err(source.error(first.start, "[[unit]] or [[letter]] without [machine]"));
            }
            None
        }
    };
    Ok(match machine {
        None => AnyDraft::Paper(draft(&source, &file, &|text| text.parse())?),
        Some(machine) => {
            let draft = draft(&source, &file, &|text| machine.machine.code(text))?;
            AnyDraft::Machine(machine, draft)
        }
    })
}

/// The contents of a file, whose code `parse` reads.
fn draft<C>(
    source: &Source<'_>,
    file: &File,
    parse: &dyn Fn(&str) -> Result<C, CodeError>,
) -> Result<Draft<C>, InputError> {
    if let (Some(table), Some(group)) = (&file.kernel, file.group.first()) {
        let later = table.span().start.max(group.span().start);
        return Err(source.error(later, "both [kernel] and [[group]]: want one of them"));
    }
    let counted = |launch: &&Spanned<LaunchTable>| {
        let table = launch.get_ref();
        table.warps.is_some() || table.threads.is_some() || table.blocks.is_some()
    };
    if let (Some(launch), Some(_)) = (file.launch.as_ref().filter(counted), file.group.first()) {
        let what = "both [launch] and [[group]]: each [[group]] has its own warps";
        return Err(source.error(launch.span().start, what));
    }
    let (sigmas, warp_size) = match &file.multiprocessor {
        Some(table) => multiprocessor(source, table)?,
        None => (None, 32),
    };
    let launch = file.launch.as_ref();
    let wrong = |what| source.error(launch.map_or(0, |table| table.span().start), what);
    let warps = |warps: &Option<_>, threads: &Option<_>, names: [&str; 2]| match (warps, threads) {
        (Some(warps), None) => source.positive(names[0], warps).map(Some),
        (None, Some(threads)) => {
            let most = if names[1] == "threads_per_block" { MOST_THREADS } else { u64::MAX };
            Ok(Some(source.plausible(names[1], threads, most)?.div_ceil(warp_size)))
        }
        (None, None) => Ok(None),
        _ => Err(wrong(format!("[launch]: want one of {} and {}", names[0], names[1]))),
    };
    let (mut all, mut block, mut same_path, mut grid) = (None, None, false, GridKeys::default());
    if let Some(table) = launch.map(Spanned::get_ref) {
        all = warps(&table.warps, &table.threads, ["warps", "threads"])?;
        let names = ["warps_per_block", "threads_per_block"];
        block = warps(&table.warps_per_block, &table.threads_per_block, names)?;
        let one = all.is_some() != table.blocks.is_some();
        if !one && (file.group.is_empty() || all.is_some()) {
            return Err(wrong("[launch]: want one of warps, threads and blocks".into()));
        }
        same_path = table.same_path.unwrap_or(false);
        let count = |key, value: &Option<Spanned<i64>>| {
            value.as_ref().map(|value| source.positive(key, value)).transpose()
        };
        grid = GridKeys {
            blocks: count("blocks", &table.blocks)?,
            resident: count("resident", &table.resident)?,
            multiprocessors: count("multiprocessors", &table.multiprocessors)?,
        };
    }
    let code = |string: &Spanned<String>| {
        let wrong =
            |what| source.error(string.span().start, format!("string = {:?}: {what}", string.get_ref()));
        parse(string.get_ref()).map_err(wrong)
    };
    let group = |group: &Spanned<GroupTable>| -> Result<Group<C>, InputError> {
        let table = group.get_ref();
        let code = code(&table.string)?;
        Ok(Group { code, warps: source.positive("warps", &table.warps)? })
    };
    let kernel = file.kernel.as_ref().map(|table| table.get_ref().string.span());
    let kernel = kernel.or(file.group.first().map(|table| table.get_ref().string.span()));
    Ok(Draft {
        place: source.place.to_owned(),
        line: kernel.and_then(|span| source.error(span.start, "").line),
        kernel: file.kernel.as_ref().map(|table| code(&table.get_ref().string)).transpose()?,
        warps: all,
        warps_per_block: block,
        same_path,
        grid,
        groups: file.group.iter().map(group).collect::<Result<_, _>>()?,
        sigmas,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Flags;
    use warpspan_model::Unit;

    const ONE: &str = "sigma_l = 1\nsigma_c = 1";

    fn workload(text: &str) -> Result<String, String> {
        let draft = read("f.toml", text).map_err(|error| error.to_string())?;
        let workload = draft.workload(&Flags::default()).map_err(|error| error.to_string())?;
        let groups = workload.groups().iter().map(|group| format!("{}:{}", group.code, group.warps));
        let sigma = Unit::ALL.map(|unit| workload.multiprocessor().sigma(unit).to_string());
        let blocks =
            workload.warps_per_block().map_or(String::new(), |block| format!(" in blocks of {block}"));
        Ok(format!("{} {}{blocks}", groups.collect::<Vec<_>>().join("+"), sigma.join(" ")))
    }

    fn with(kernel: &str, multiprocessor: &str, launch: &str) -> Result<String, String> {
        workload(&format!(
            "[kernel]\nstring = \"{kernel}\"\n[multiprocessor]\n{multiprocessor}\n[launch]\n{launch}\n"
        ))
    }

    #[test]
    fn every_way_to_write_it() {
        assert_eq!(with("L2CL2", "sigma_l = \"1/2\"\nsigma_c = 1", "warps = 4").unwrap(), "LLCLL:4 1/2 1");
        assert_eq!(with("LC", "compute_capability = \"2.0\"", "threads = 128").unwrap(), "LC:4 1/2 1");
        assert_eq!(with("LC", "compute_capability = 2.0", "threads = 129").unwrap(), "LC:5 1/2 1");
        let units = "load_store_units = 16\ncuda_cores = 48\nwarp_size = 32";
        assert_eq!(with("LC", units, "warps = 1").unwrap(), "LC:1 1/2 3/2");
        let sixteen = "load_store_units = 16\ncuda_cores = 32\nwarp_size = 16";
        assert_eq!(with("LC", sixteen, "threads = 64").unwrap(), "LC:4 1 2");
        let groups = "[[group]]\nstring = \"LC\"\nwarps = 2\n[[group]]\nstring = \"CC\"\nwarps = 3\n\
                      [multiprocessor]\nsigma_l = 1\nsigma_c = 1\n";
        assert_eq!(workload(groups).unwrap(), "LC:2+CC:3 1 1");
        assert_eq!(with("L|C", ONE, "warps = 4\nwarps_per_block = 2").unwrap(), "L|C:4 1 1 in blocks of 2");
        assert_eq!(
            with("L|C", ONE, "threads = 128\nthreads_per_block = 33").unwrap(),
            "L|C:4 1 1 in blocks of 2"
        );
        assert_eq!(with("L|C", ONE, "warps = 4\nwarps_per_block = 4").unwrap(), "L|C:4 1 1");
        assert_eq!(with("LC", ONE, "warps = 4\nwarps_per_block = 2").unwrap(), "LC:4 1 1");
        let blocks = "[[group]]\nstring = \"L|C\"\nwarps = 3\n[launch]\nwarps_per_block = 1\n[multiprocessor]\n\
                      sigma_l = 1\nsigma_c = 1\n";
        assert_eq!(workload(blocks).unwrap(), "L|C:3 1 1 in blocks of 1");
    }

    #[test]
    fn errors_name_file_line_and_remedy() {
        let wrong = |kernel: &str, multiprocessor: &str, launch: &str, message: &str| {
            let found = with(kernel, multiprocessor, launch).unwrap_err();
            assert!(found.starts_with(message), "{found}\n{message}");
        };
        wrong("LLX", "", "warps = 4", "f.toml:2: string = \"LLX\": character 3 is 'X': want L, C");
        wrong("", "", "warps = 4", "f.toml:2: string = \"\": the kernel is empty");
        wrong(
            "L",
            "sigma_l = \"2/3\"",
            "warps = 4",
            "f.toml:4: sigma_l = \"2/3\": want a whole number or 1/n",
        );
        wrong("L", "sigma_c = 0", "warps = 4", "f.toml:4: sigma_c = 0: want a whole number or 1/n");
        wrong("L", "sigma_c = -1", "warps = 4", "f.toml:4: sigma_c = -1: want");
        wrong("L", "sigma_c = 0.5", "warps = 4", "f.toml:4: sigma_c = 0.5: want");
        wrong("L", "", "warps = 4", "f.toml:2: no [multiprocessor]: want it with sigma_l and sigma_c");
        wrong("L", "sigma_l = 1", "warps = 4", "f.toml:3: [multiprocessor]: sigma_l without sigma_c");
        wrong("L", "sigma = 1", "warps = 4", "f.toml:4: unknown field `sigma`");
        wrong(
            "L",
            "compute_capability = \"4.2\"",
            "warps = 4",
            "f.toml:4: compute_capability = \"4.2\": no compute",
        );
        wrong(
            "L",
            "sigma_l = 1\ncuda_cores = 32",
            "warps = 4",
            "f.toml:3: [multiprocessor]: sigma_l and cuda_cores",
        );
        wrong(
            "L",
            "cuda_cores = 32",
            "warps = 4",
            "f.toml:3: [multiprocessor]: cuda_cores without load_store_units",
        );
        wrong(
            "L",
            "load_store_units = 24\ncuda_cores = 32",
            "warps = 4",
            "f.toml:3: [multiprocessor]: 24 units",
        );
        let both = "warps = 4\nwarps_per_block = 2\nthreads_per_block = 64";
        wrong("L", "", both, "f.toml:5: [launch]: want one of warps_per_block and threads_per_block");
        wrong("L", "", "warps = 4\nwarps_per_block = 0", "f.toml:7: warps_per_block = 0: want 1 or more");
        wrong("L", "", "warps = 0", "f.toml:6: warps = 0: want 1 or more");
        let quotes = "f.toml:6: warps = \"4\": want a number without quotes, such as warps = 4";
        wrong("L", "", "warps = \"4\"", quotes);
        wrong("L", "", "warps = \"four\"", "f.toml:6: warps = \"four\": want a number without quotes");
        wrong("L", "", "warps = 4\nthreads = 128", "f.toml:5: [launch]: want one of warps and threads");
        wrong("L", "", "", "f.toml:5: [launch]: want one of warps, threads and blocks");
        wrong("L", "", "warps = 4\nblocks = 2", "f.toml:5: [launch]: want one of warps, threads and blocks");
        wrong("L", ONE, "blocks = 0", "f.toml:7: blocks = 0: want 1 or more");
        let grid = "f.toml: only solve and bound take the blocks of a grid: want a number of warps";
        wrong("L", ONE, "blocks = 2", grid);
        wrong("L", "", "warps = 99999999999999999999", "f.toml:6: ");
        wrong("LL", ONE, "warps = 9223372036854775807", "f.toml: warps times instructions exceed 2^61");
        wrong(
            "L9999999999999999999999",
            "",
            "warps = 1",
            "f.toml:2: string = \"L9999999999999999999999\": more than",
        );
        let both = "[kernel]\nstring = \"L\"\n[[group]]\nstring = \"L\"\nwarps = 1\n";
        assert_eq!(workload(both).unwrap_err(), "f.toml:3: both [kernel] and [[group]]: want one of them");
        assert!(
            workload("[[group]]\nstring = \"L\"\nwarps = 1\n[launch]\nwarps = 1\n")
                .unwrap_err()
                .contains(":4:")
        );
        assert!(workload("[[group]]\nstring = \"L\"\n").unwrap_err().contains("missing field `warps`"));
        assert_eq!(
            workload("").unwrap_err(),
            "f.toml: no kernel is given: want [kernel] string, a kernel, or a listing of one"
        );
        assert!(workload("[kernel\n").unwrap_err().starts_with("f.toml:1: "));
    }
}
