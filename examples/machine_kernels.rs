//! What the bounds say of compiled kernels on real machines. The program prints the tables of
//! docs/machine-kernels.md.
//!
//! `cargo run --release --example machine_kernels MACHINE FOLDER...` reads every file of the folders as PTX or SASS,
//! and bounds 32 warps of each entry in one block on the machine. A loop without an inferred bound is assumed to
//! make 16 passes, and a branch that has to be uniform to be so. Straight lines are simulated with the policy GTO.

use std::cell::RefCell;
use std::sync::Arc;

use warpspan::engines::latency::bounds;
use warpspan::engines::policy::{Policy, Scenario, simulate};
use warpspan::input::{NamedMachine, find_machine};
use warpspan::limits::Limits;
use warpspan::listing::{Entry, Options, Text, extract};
use warpspan::model::machine::{MachineGroup, MachineWorkload};
use warpspan::source::Remedy;

type Failure = Box<dyn std::error::Error>;

/// The assumed number of passes of a loop whose bound is not inferred.
const ASSUMED: u64 = 16;
const WARPS: u64 = 32;

fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let machine = find_machine(&arguments.next().ok_or("want a machine and folders with PTX or SASS")?)?;
    println!(
        "| file, entry | assumed | paper's model | E alone | bound | one transaction each | GTO | bound / GTO |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    let (mut entries, mut bounded, mut refused) = (0, 0, Vec::new());
    for folder in arguments {
        let mut paths =
            std::fs::read_dir(folder)?.map(|file| Ok(file?.path())).collect::<Result<Vec<_>, Failure>>()?;
        paths.sort();
        for path in paths.iter().filter(|path| path.is_file()) {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let read = Text::new(&name, std::fs::read(path)?).and_then(|text| {
                let found = extract(&text, &options(&machine))?;
                Ok((text, found))
            });
            let Ok((text, found)) = read else { continue }; // no listing of kernels
            for entry in found {
                entries += 1;
                match row(&text, &name, &entry.name, &machine) {
                    Ok(()) => bounded += 1,
                    Err(why) => refused.push(format!("{name}, `{}`: {why}", entry.name)),
                }
            }
        }
    }
    println!("\n{entries} entries, {bounded} with a bound on {}; the others:\n", machine.name);
    refused.iter().for_each(|line| println!("- {line}"));
    Ok(())
}

fn options(machine: &NamedMachine) -> Options {
    let capability = machine.capability.as_ref().and_then(|version| version.parse().ok());
    Options { capability, machine: Some(Arc::new(machine.machine.clone())), ..Options::default() }
}

/// Prints the row of an entry.
fn row(text: &Text, file: &str, name: &str, machine: &NamedMachine) -> Result<(), Failure> {
    let (entry, assumed, mut options) = assuming(text, name, machine)?;
    let upper = |entry: &Entry, warps| -> Result<u64, Failure> {
        Ok(bounds(&workload(entry, warps)?)?.makespan.cycles().0)
    };
    let paper = warpspan::entry::bound(&entry, WARPS, None)
        .map_or("-".to_owned(), |bound| bound.makespan.cycles().to_string());
    let (alone, bound) = (upper(&entry, 1)?, upper(&entry, WARPS)?);
    let straight = entry.kernel.is_some().then(|| gto(&entry)).transpose()?;
    options.transactions.add("*=1")?;
    let narrow = upper(&extract(text, &options)?.remove(0), WARPS)?;
    let (gto, slack) = match straight {
        Some(cycles) => (cycles.to_string(), ratio(bound, cycles)),
        None => ("-".to_owned(), "-".to_owned()),
    };
    println!("| {file}, `{name}` | {assumed} | {paper} | {alone} | {bound} | {narrow} | {gto} | {slack} |");
    Ok(())
}

/// A quotient with two decimal places.
fn ratio(a: u64, b: u64) -> String {
    let hundredths = 100 * u128::from(a) / u128::from(b.max(1));
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

/// Warps of an entry on its machine, in one block.
fn workload(entry: &Entry, warps: u64) -> Result<MachineWorkload, Failure> {
    let on = entry.on_machine.as_ref().ok_or("no machine")?;
    let code = on.program.clone().map_err(|error| error.to_string())?;
    Ok(MachineWorkload::new(Arc::clone(&on.machine), vec![MachineGroup { code, warps }])?)
}

/// The last issue of the policy GTO with the greatest latencies.
fn gto(entry: &Entry) -> Result<u64, Failure> {
    let workload = workload(entry, WARPS)?;
    let run = simulate(&workload, Policy::Gto, &Scenario::of(&workload), &Limits::generous())?;
    Ok(run.last_issue().0)
}

/// The entry, with the assumptions that its bound needs.
fn assuming(text: &Text, name: &str, machine: &NamedMachine) -> Result<(Entry, String, Options), Failure> {
    let mut options = Options { entry: Some(name.to_owned()), ..options(machine) };
    let (mut loops, mut branches) = (0, 0);
    loop {
        let entry = extract(text, &options)?.remove(0);
        let on = entry.on_machine.as_ref().ok_or("no machine")?;
        let Err(error) = &on.program else {
            let assumed = match (loops, branches) {
                (0, 0) => "nothing".to_owned(),
                (loops, 0) => format!("{loops} loops"),
                (0, branches) => format!("{branches} uniform"),
                (loops, branches) => format!("{loops} loops, {branches} uniform"),
            };
            return Ok((entry, assumed, options));
        };
        let wanted = RefCell::new(Vec::new());
        error.message().worded(|remedy| {
            wanted.borrow_mut().push(remedy.clone());
            String::new()
        });
        let mut helped = false;
        for remedy in wanted.into_inner() {
            match remedy {
                Remedy::Uniform(label) => {
                    helped |= options.uniform.insert(label);
                    branches += 1;
                }
                Remedy::LoopBounds(labels) => {
                    for label in labels {
                        options.loop_bounds.add(&format!("{label}={ASSUMED}"))?;
                        (helped, loops) = (true, loops + 1);
                    }
                }
                _ => {}
            }
        }
        if !helped || loops + branches > 1000 {
            return Err(error.to_string().into());
        }
    }
}
