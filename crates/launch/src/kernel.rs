//! A kernel with its launch, read from a listing.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::Failure;
use crate::flags::{flag, in_flags, in_shell};
use crate::parse::Sizes;
use crate::waits::{self, Room};
use warpspan_kernel::input::NamedMachine;
use warpspan_listing::Language;
use warpspan_listing::machine::HELD;
use warpspan_listing::{Entry, KernelResources, Options, Reading, StructureError, compiled_for};
use warpspan_model::assumption::{Assumption, Id};
use warpspan_model::device::{Between, Capability, Demand, Gpu, Resources, WARP};
use warpspan_model::machine::{Machine, Step};
use warpspan_model::program::Piece;
use warpspan_model::source::Remedy;
use warpspan_rta::time::{Launch, Use};

/// What is asked of a listing.
pub(crate) struct Asked<'a> {
    pub(crate) options: Options,
    pub(crate) grid: Sizes,
    pub(crate) block: Sizes,
    pub(crate) registers: Option<u64>,
    pub(crate) shared: Option<u64>,
    pub(crate) dynamic: Option<u64>,
    /// The other entries of the listing, which declarations may be about too.
    pub(crate) others: Vec<&'a str>,
    /// What there is for its blocks.
    pub(crate) room: Room,
    /// Whether it co-runs with the kernel that is timed; only a file of declarations describes such a kernel.
    pub(crate) is_co_running: bool,
}

/// A kernel of a listing, and how it is launched.
pub(crate) struct Kernel {
    pub(crate) place: String,
    pub(crate) entry: Entry,
    pub(crate) code: Piece<Step>,
    /// The machine with the letters that the listing adds.
    pub(crate) machine: Arc<Machine>,
    pub(crate) launch: Launch,
    /// The sizes of the grid and of a block.
    pub(crate) sizes: [[u64; 3]; 2],
    /// Whether an instruction moves data behind the multiprocessors.
    pub(crate) reaches_memory: bool,
    pub(crate) resources: KernelResources,
    pub(crate) needs: Use,
    /// Where the user says more than the listing shows, a sentence each.
    pub(crate) declared_larger: Vec<String>,
    /// Whether no shared memory is known to be added by the launch, and 0 is assumed.
    pub(crate) assumes_no_dynamic: bool,
    /// Whether 0 is assumed for the kernel's own shared memory, because the code has no access to any.
    pub(crate) assumes_no_shared: bool,
}

impl Kernel {
    /// A kernel for a GPU of this capability.
    pub(crate) fn of(
        reading: &Reading<'_>,
        asked: Asked<'_>,
        capability: &Capability,
    ) -> Result<Self, Failure> {
        let place = reading.place().to_owned();
        let mut options = Options { explain: true, ..asked.options };
        if let Some(declared) = &options.declarations {
            let others: Vec<&str> =
                asked.others.into_iter().filter(|other| !reading.has_entry(other)).collect();
            let own = declared.of_entries(|name| !others.contains(&name));
            options.declarations = Some(Arc::new(own));
        }
        // Loops may be counted by the sizes of the launch.
        options.params.add_sizes(asked.grid.0, asked.block.0).map_err(Failure::usage)?;
        let entry = reading.entry(&options)?;
        let on = entry.on_machine.as_ref().ok_or_else(|| Failure::internal("no machine was given"))?;
        let machine = Arc::clone(&on.machine);
        let reaches_memory = on.reaches_memory;
        let resources = reading.resources(&entry.name);
        runs_on(&place, &entry, &resources, capability)?;
        if resources.clusters {
            let what =
                "its blocks may be launched in clusters, which wait for room together: no bound covers that";
            return Err(Failure::usage(format!("{place}: {}: {what}", entry.name)));
        }
        let launch = Launch { blocks: asked.grid.all(), threads: asked.block.all() };
        if let Some(block) = resources.required_block.filter(|block| *block != asked.block.0) {
            let [given, want] = [(asked.block.0, " x "), (block, "x")]
                .map(|(sizes, between)| sizes.map(|size| size.to_string()).join(between));
            let compiled = compiled_for(&entry.name, block);
            let flag = if asked.is_co_running { "blocks of" } else { "--block" };
            return Err(Failure::usage(format!("{place}: {compiled}, not {given}: want {flag} {want}")));
        }
        if let Some(most) = resources.most_threads.filter(|&most| most < launch.threads) {
            let (entry, threads) = (&entry.name, launch.threads);
            let what =
                format!("{place}: {entry} is compiled for {most} threads a block at most, not {threads}");
            return Err(Failure::usage(what));
        }
        let mut declared_larger = entry.declared_larger();
        let mut known = |flag: &str, said: Option<u64>, shown: Between| match said {
            Some(said) if said < shown.least => {
                let (entry, least) = (&entry.name, shown.least);
                let what = format!("{place}: {entry}: {flag} {said}, and the listing shows {least} at least");
                Err(Failure::usage(format!("{what}: want {least} or more, or no {flag}")))
            }
            Some(said) if said > shown.most => {
                declared_larger.push(warpspan_listing::declared_larger(flag, said, shown.most));
                Ok(shown)
            }
            said => Ok(said.map_or(shown, Between::exactly)),
        };
        let own = resources.shared_memory;
        let own_shown = Between { least: own.unwrap_or(0), most: own.unwrap_or(u64::MAX) };
        let own = known("--shared", asked.shared, own_shown)?;
        let own = Some(own.least).filter(|_| own.least == own.most);
        let needs = Use {
            registers: known("--registers", asked.registers, resources.registers)?,
            shared_memory: resources.block_shared_memory(own, asked.dynamic),
            least_resident: resources.least_resident.unwrap_or(1),
        };
        waits::check(&place, &entry, &launch, &needs, (capability, asked.room))?;
        let code = match &on.program {
            Ok(code) => code.clone(),
            Err(error) if asked.is_co_running => return Err(missing_of_co_running(&entry, &place, error)),
            Err(error) => return Err(missing(&entry, &place, error)),
        };
        Ok(Self {
            assumes_no_shared: asked.shared.or(resources.shared_memory).is_none() && !resources.uses_shared,
            assumes_no_dynamic: asked.dynamic.is_none() && !resources.dynamic,
            declared_larger,
            place,
            code,
            machine,
            launch,
            sizes: [asked.grid.0, asked.block.0],
            reaches_memory,
            resources,
            needs,
            entry,
        })
    }

    /// What a block takes of a multiprocessor. With co-running kernels its needs have to be known.
    pub(crate) fn placed(&self, capability: &Capability, gpu: &Gpu) -> Result<Resources, Failure> {
        let Use { registers, shared_memory, .. } = self.needs;
        let open = [
            (registers, "the registers of a thread", "are", "--registers N"),
            (
                shared_memory,
                "the shared memory of a block",
                "is",
                "--shared BYTES and --dynamic-shared BYTES",
            ),
        ];
        if let Some((_, what, are, flag)) = open.into_iter().find(|(one, ..)| one.least != one.most) {
            let Self { place, entry, .. } = self;
            return Err(Failure::usage(format!(
                "{place}: {what} of {} {are} not known, on which it depends which blocks share a multiprocessor: want {flag} for the kernel that is timed, \
                 or a listing of `cuobjdump -sass --dump-resource-usage`",
                entry.name
            )));
        }
        let demand = Demand::new(self.launch.threads, WARP, shared_memory.least, registers);
        Ok(demand.on(&capability.resident).placed(&gpu.resources))
    }

    /// The assumptions behind the reading of the code, the letters of the machine that it uses, and the servers that it needs.
    pub(crate) fn assumptions(&self, named: &NamedMachine, needs: &dyn Fn(usize) -> bool) -> Vec<Assumption> {
        let Some(on) = &self.entry.on_machine else { return Vec::new() };
        let mut used = BTreeSet::new();
        self.code.map(&mut |step: &Step| {
            let name = &self.machine.letter(step.letter).name;
            let base = named.base(name).to_owned();
            if name.ends_with(HELD) {
                used.insert(format!("{base}{HELD}"));
            }
            used.insert(base);
        });
        let used: Vec<&str> = used.iter().map(String::as_str).collect();
        // The letters of a machine file may have any names.
        let reaches = self.reaches_memory || named.reaches_memory(used.iter().copied());
        // What bounds of PTX and of a memory without limit rest on fails most easily, so that it is never behind what the text leaves out.
        let is_weak = |one: &Assumption| matches!(one.id, Id::ListingPtx | Id::MemoryUnlimited);
        let (weak, others): (Vec<_>, Vec<_>) = on.assumptions().into_iter().partition(is_weak);
        weak.into_iter().chain(named.assumptions(&used, needs, reaches)).chain(others).collect()
    }

    /// For which other capability its listing is, if that is so.
    fn of_other_capability(&self) -> Option<String> {
        let version = self.entry.capability.version;
        match (self.entry.language, self.resources.target.as_deref()) {
            (Language::Sass, Some(target)) if target != version => {
                Some(format!("the listing is for capability {target}, which a GPU of {version} runs too"))
            }
            _ => None,
        }
    }

    /// What a user should know of what was declared of the code and of what it lacks.
    pub(crate) fn notes(&self) -> Vec<String> {
        let worst = self.entry.on_machine.as_ref().and_then(|on| on.worst_lines());
        let worst = worst.map(|message| in_flags(&message));
        self.declared_larger.iter().cloned().chain(self.of_other_capability()).chain(worst).collect()
    }
}

/// The error that the listing of a co-running kernel has no program.
fn missing_of_co_running(entry: &Entry, place: &str, error: &StructureError) -> Failure {
    // `--param` is for the kernel that is timed.
    let mut error = error.clone();
    error.unbounded.iter_mut().for_each(|one| one.parameters.clear());
    let error = entry.without_program(place, &error);
    let words = |remedy: &Remedy| match remedy {
        Remedy::LoopBounds(_) | Remedy::Uniform(_) | Remedy::Classes(_) | Remedy::Declarations { .. } => {
            let (file, name) = (in_shell(place), in_shell(&entry.name));
            format!(
                "it in the --declare file, to which `warpspan extract {file} --entry {name} --declare FILE` writes what is open"
            )
        }
        other => flag(other),
    };
    Failure::usage(error.message().worded(words))
}

/// The error that a listing has no program, with all that would do.
fn missing(entry: &Entry, place: &str, error: &StructureError) -> Failure {
    let error = entry.without_program(place, error);
    let mut in_all: Vec<Remedy> = Vec::new();
    let mut answered = false;
    for remedy in error.remedies() {
        // Bounds of the loops that parameters would bound are the other way.
        if std::mem::take(&mut answered) && matches!(remedy, Remedy::LoopBounds(_)) {
            continue;
        }
        answered = matches!(remedy, Remedy::Params(_));
        // A loop that has a total has no need of a bound for one warp.
        let has_total = |labels: &Vec<String>| in_all.contains(&Remedy::LoopTotals(labels.clone()));
        let is_told = match remedy {
            Remedy::LoopBounds(labels) => !has_total(labels),
            Remedy::Params(_)
            | Remedy::LoopTotals(_)
            | Remedy::Uniform(_)
            | Remedy::Unreachable(_)
            | Remedy::Classes(_) => true,
            _ => false,
        };
        if is_told {
            in_all.push(remedy.clone());
        }
    }
    in_all.dedup();
    Failure::open(error.message(), in_all)
}

/// The capabilities of Tegra chips, whose GPUs run code of their own capability only (CUDA C++ Programming Guide,
/// "Binary Compatibility").
const TEGRA: [&str; 8] = ["3.2", "5.3", "6.2", "7.2", "8.7", "8.8", "10.1", "11.0"];

/// SASS runs on GPUs of its own major capability, from its minor one on; on those of Tegra chips only if it is for
/// them.
fn runs_on(
    place: &str,
    entry: &Entry,
    resources: &KernelResources,
    capability: &Capability,
) -> Result<(), Failure> {
    let Some(target) = resources.target.as_deref().filter(|_| entry.language == Language::Sass) else {
        return Ok(());
    };
    let of = |version: &str| -> Option<[u32; 2]> {
        let (major, minor) = version.split_once('.')?;
        Some([major.parse().ok()?, minor.parse().ok()?])
    };
    let tegra = [target, capability.version].iter().any(|version| TEGRA.contains(version));
    match of(target).zip(of(capability.version)) {
        Some((ours, theirs)) if ours != theirs && (tegra || ours[0] != theirs[0] || ours[1] > theirs[1]) => {
            Err(Failure::usage(format!(
                "{place}: {} is compiled for capability {target}, and a GPU of {} cannot run it: want a listing for {}",
                entry.name, capability.version, capability.version
            )))
        }
        _ => Ok(()),
    }
}
