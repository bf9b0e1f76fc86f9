//! How much the phase bound gains on compiled kernels. The program prints the tables of docs/real-kernels.md.
//!
//! `cargo run --release --example real_kernels FOLDER` reads every file of the folder as PTX or SASS. PTX is
//! taken for capability 2.0, SASS for its own. A loop without an inferred bound is assumed to make 16 passes.
//! The pessimistic bound is W times the letters of the longest path. Where both sigmas are at most 1, this is
//! Be12 Eq. 5-7 on that path; above, Eq. 5-7 is no bound. Kernels without branches are solved for 48 warps in
//! one block, and must come to the same number.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use warpspan::engines::portfolio::Solver;
use warpspan::engines::program::ProgramBound;
use warpspan::listing::routine::Language;
use warpspan::listing::{Entry, Obstacle, Options, Text, extract};
use warpspan::model::{Instance, Unit};

type Failure = Box<dyn std::error::Error>;

/// The assumed number of passes of a loop whose bound is not inferred.
const ASSUMED: u64 = 16;
const WARPS: [u64; 3] = [8, 24, 48];

/// The totals of all entries.
#[derive(Default)]
struct Counts {
    entries: usize,
    straight: usize,
    assumed: usize,
    exact: usize,
    refused: BTreeMap<String, Vec<String>>,
    longest: (usize, Duration, String),
}

fn main() -> Result<(), Failure> {
    let folder = std::env::args().nth(1).ok_or("want a folder with PTX or SASS")?;
    let mut paths =
        std::fs::read_dir(folder)?.map(|file| Ok(file?.path())).collect::<Result<Vec<_>, Failure>>()?;
    paths.sort();
    let mut counts = Counts::default();
    println!(
        "| file, entry | at | instructions | L | barriers | loops | I | a | W = 8 | 24 | 48 | pessimistic, 48 | gain |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    for path in paths.iter().filter(|path| path.is_file()) {
        let text = Text::new(&path.display().to_string(), std::fs::read(path)?)?;
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let mut options = Options::default();
        if text.listing()?.language == Language::Ptx {
            options.capability = Some("2.0".parse()?);
        }
        for entry in extract(&text, &options)? {
            row(&text, &name, &entry.name, &options, &mut counts)?;
        }
    }
    summary(&counts);
    Ok(())
}

fn row(text: &Text, file: &str, name: &str, options: &Options, counts: &mut Counts) -> Result<(), Failure> {
    let start = Instant::now();
    let (entry, assumed) = with_loops(text, name, options)?;
    let time = start.elapsed();
    counts.entries += 1;
    if entry.instructions > counts.longest.0 {
        counts.longest = (entry.instructions, time, format!("{file}, {name}"));
    }
    let bounds = [1, WARPS[0], WARPS[1], WARPS[2]].map(|warps| warpspan::entry::bound(&entry, warps, None));
    let [one, few, some, many] = match bounds {
        [Ok(one), Ok(few), Ok(some), Ok(many)] => [one, few, some, many],
        [Err(error), ..] | [_, Err(error), ..] | [.., Err(error), _] | [.., Err(error)] => {
            let error = error.to_string();
            let reason = error.split_once(": ").map_or(error.as_str(), |(_, reason)| reason).to_owned();
            counts.refused.entry(reason).or_default().push(format!("{file}, {name}"));
            return Ok(());
        }
    };
    let multiprocessor = entry.capability.multiprocessor()?;
    let slow = Unit::ALL.into_iter().all(|unit| multiprocessor.sigma(unit).letters_a_cycle() == 1);
    let longest = one.makespan.cycles().0;
    let pessimistic = slow.then(|| longest * WARPS[2]);
    let exact = many.exact;
    if exact {
        check(&entry, &many)?;
        counts.exact += 1;
    }
    counts.straight += usize::from(entry.kernel.is_some());
    counts.assumed += usize::from(assumed.loops > 0);
    let inferred = entry.loops.iter().filter(|one| one.inferred).count();
    let loops = match (inferred, assumed.loops) {
        (0, 0) => "none".to_owned(),
        (inferred, 0) => format!("{inferred} inferred"),
        (0, assumed) => format!("{assumed} assumed"),
        (inferred, assumed) => format!("{inferred} inferred, {assumed} assumed"),
    };
    let loops = match assumed.branches {
        0 => loops,
        branches => format!("{loops}, {branches} uniform"),
    };
    let (l, c) = (entry.letters[Unit::LoadStore], entry.letters[Unit::CudaCore]);
    println!(
        "| {file}, `{name}` | {} | {} | {}% | {} | {loops} | {longest} | {} | {} | {} | {}{} | {} | {} |",
        entry.capability.version,
        entry.instructions,
        100 * l / (l + c).max(1),
        entry.barriers,
        many.rates[0],
        few.makespan.cycles(),
        some.makespan.cycles(),
        many.makespan.cycles(),
        if exact { ", exact" } else { "" },
        pessimistic.map_or("-".to_owned(), |cycles| cycles.to_string()),
        pessimistic.map_or("-".to_owned(), |cycles| percent(many.makespan.cycles().0, cycles)),
    );
    Ok(())
}

/// The percentage by which a bound is smaller than another one.
fn percent(bound: u64, other: u64) -> String {
    let saved = 1000 * u128::from(other - bound) / u128::from(other);
    format!("{}.{}%", saved / 10, saved % 10)
}

/// The assumptions that were made for an entry.
#[derive(Default)]
struct Assumed {
    loops: usize,
    /// The branches that leave loops with barriers; CUDA requires that all threads take them together.
    branches: usize,
}

/// The entry, with the assumptions that its bound needs.
fn with_loops(text: &Text, name: &str, options: &Options) -> Result<(Entry, Assumed), Failure> {
    let mut options = Options { entry: Some(name.to_owned()), ..options.clone() };
    let mut assumed = Assumed::default();
    loop {
        let entry = extract(text, &options)?.remove(0);
        let open: Vec<_> = entry.loops.iter().filter(|one| one.most.is_none()).collect();
        let obstacles = entry.program.as_ref().err().map_or(&[][..], |error| &error.obstacles);
        let label = obstacles.iter().find_map(|(_, obstacle)| match obstacle {
            Obstacle::BarrierBehind(label)
            | Obstacle::BarrierBesideEnd(label)
            | Obstacle::BarrierInLoop(label)
            | Obstacle::BarrierUnder(label) => Some(label),
            _ => None,
        });
        if let Some(label) = label {
            options.uniform.insert(label.clone());
            assumed.branches += 1;
        } else if !open.is_empty() {
            for one in open {
                options.loop_bounds.add(&format!("{}={ASSUMED}", one.label))?;
                assumed.loops += 1;
            }
        } else {
            return Ok((entry, assumed));
        }
    }
}

/// Solves an entry without branches as a kernel string, and checks that its exact worst case equals the
/// bound.
fn check(entry: &Entry, bound: &ProgramBound) -> Result<(), Failure> {
    let program = entry.program.as_ref().map_err(ToString::to_string)?;
    let kernel = program.normal().to_string().parse()?;
    let instance = Instance::single(kernel, WARPS[2], entry.capability.multiprocessor()?)?;
    let solution = Solver::new().solve(&instance)?;
    let found = (solution.worst_case().lower().cycles(), solution.worst_case().upper().cycles());
    if found != (bound.makespan.cycles(), bound.makespan.cycles()) {
        return Err(
            format!("{}: {found:?} where the bound is {}", entry.name, bound.makespan.cycles()).into()
        );
    }
    Ok(())
}

fn summary(counts: &Counts) {
    let refused: usize = counts.refused.values().map(Vec::len).sum();
    let Counts { entries, straight, assumed, exact, refused: reasons, longest } = counts;
    println!(
        "\n{entries} entries; {} with a bound, {assumed} of them with assumed loops;",
        entries - refused
    );
    println!(
        "{straight} straight lines; {exact} exact at W = {} (sigma 1), as `solve` finds too.\n",
        WARPS[2]
    );
    for (reason, entries) in reasons {
        println!("- {}: {reason}", entries.join("; "));
    }
    eprintln!("longest: {}, {} instructions, {:?}", longest.2, longest.0, longest.1);
}
