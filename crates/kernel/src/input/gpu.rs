//! The `[gpu]` table of `rta`, `partition` and `prem`.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::input::memory::{HostMemory, MemoryFlags, Rate, Share};
use warpspan_model::assumption::{Assumption, Id};
use warpspan_model::device::{Between, Capability, Demand, Gpu, Preset, REGISTER_PARTS, Resources};
use warpspan_model::source::{InputError, MOST_SHARED, Remedy, Source, Spanned};
use warpspan_model::time::Clock;

/// The largest numbers that are accepted, which no GPU reaches: threads and registers of a multiprocessor,
/// and multiprocessors.
const MOST_RESIDENT: u64 = 1 << 14;
const MOST_REGISTERS: u64 = 1 << 20;
const MOST_MULTIPROCESSORS: u64 = 1 << 10;
/// The amount of a resource that a file does not limit.
pub(super) const UNLIMITED: u64 = u64::MAX >> 1;
/// A clock outside of 1 MHz to 10 GHz is refused, since it is probably given in the wrong unit.
const CLOCK: [u64; 2] = [1_000_000, 10_000_000_000];

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[doc(hidden)]
pub struct GpuTable {
    /// A GPU that `warpspan gpus` lists.
    preset: Option<Spanned<String>>,
    /// How many multiprocessors the GPU has.
    multiprocessors: Option<Spanned<i64>>,
    /// Threads that a multiprocessor holds at once.
    threads: Option<Spanned<i64>>,
    /// Shared memory of a multiprocessor, in bytes; no limit if it is not given.
    shared_memory: Option<Spanned<i64>>,
    /// Registers of a multiprocessor; no limit if it is not given.
    registers: Option<Spanned<i64>>,
    /// Blocks that a multiprocessor holds at once.
    pub blocks: Option<Spanned<i64>>,
    /// The clock of the multiprocessors, in megahertz.
    #[schemars(with = "Option<f64>")]
    clock_mhz: Option<Spanned<toml::Value>>,
    /// Whether that clock may be above the highest of the data sheet.
    overclocked: Option<Spanned<bool>>,
    /// The least rate at which the DRAM moves whole lines while requests wait, as `140 GB/s` or `70%` of the data sheet.
    dram_rate: Option<Spanned<String>>,
    /// The clock of the DRAM in megahertz, where a power mode lowers it.
    #[schemars(with = "Option<f64>")]
    dram_clock_mhz: Option<Spanned<toml::Value>>,
    /// What others take of the DRAM at most, such as the cores of a CPU, as `20 GB/s`.
    dram_others: Option<Spanned<String>>,
    /// `none` if nothing is known of how addresses are spread over channels and banks; `even` if it is not given.
    dram_spread: Option<Spanned<String>>,
    /// The link to memory of the host, over which all may come that code reads and writes: its least rate and the longest time that it adds
    /// to an access, as `25 GB/s, 2 us`. If it is not given, pointers are taken to be to memory of the GPU.
    host_memory: Option<Spanned<String>>,
}

/// The contents of the table `[gpu]`.
#[doc(hidden)]
pub struct Device {
    pub preset: Option<Preset>,
    /// The compute capability of the preset.
    pub(super) capability: Option<Capability>,
    /// How many multiprocessors run.
    pub running: Option<Assumption>,
    /// What the file says that a multiprocessor holds at once.
    given: Option<Assumption>,
    pub multiprocessors: Option<u64>,
    pub(crate) resources: Resources,
    pub clock: Option<Clock>,
    /// What the file says of the DRAM.
    pub(crate) memory: MemoryFlags,
    /// Where the table stands.
    pub(crate) at: usize,
}

/// Reads the GPU of the table, which is a preset or is given by its threads and other numbers. A resource
/// that is not given is unlimited.
#[doc(hidden)]
pub fn device(source: &Source<'_>, spanned: &Spanned<GpuTable>) -> Result<Device, InputError> {
    let (table, at) = (spanned.get_ref(), spanned.span().start);
    let preset = match &table.preset {
        None => None,
        Some(name) => Some(Preset::named(name.get_ref()).ok_or_else(|| {
            let what =
                format!("preset = {:?}: no such GPU: {}", name.get_ref(), Preset::like(name.get_ref()));
            source.error(name.span().start, what)
        })?),
    };
    let known = preset.as_ref().map(Preset::gpu).transpose().map_err(|what| source.error(at, what))?;
    let capability = preset.as_ref().map(Preset::capability).transpose();
    let capability = capability.map_err(|what| source.error(at, what))?;
    let given = |key: &str, value: &Option<Spanned<i64>>, most: u64, default: Option<u64>| match value {
        Some(value) => {
            let number = source.plausible(key, value, most)?;
            // How many block slots a multiprocessor has is a range for some capabilities.
            let known = capability.filter(|_| key == "blocks").map(|of| of.resident.blocks.most).or(default);
            match known.filter(|&most| number > most) {
                Some(most) => Err(source.error(value.span().start, above(preset, key, number, most))),
                None => Ok(Some(number)),
            }
        }
        None => Ok(default),
    };
    let known_to_have = |of: fn(&Resources) -> u64| known.as_ref().map(|gpu| of(&gpu.resources));
    let threads = given("threads", &table.threads, MOST_RESIDENT, known_to_have(|each| each.threads))?;
    let threads = threads.ok_or_else(|| missing(source, at, "threads"))?;
    let shared_memory =
        given("shared_memory", &table.shared_memory, MOST_SHARED, known_to_have(|each| each.shared_memory))?;
    let registers =
        given("registers", &table.registers, MOST_REGISTERS, known_to_have(|each| each.registers))?;
    let blocks = given("blocks", &table.blocks, MOST_RESIDENT, known_to_have(|each| each.blocks))?;
    let count = known.as_ref().map(|gpu| gpu.multiprocessors);
    Ok(Device {
        preset,
        capability,
        running: match &table.multiprocessors {
            None => preset.as_ref().map(Preset::running),
            Some(count) => Some(of_count("multiprocessors in [gpu]", count)),
        },
        given: {
            let said = [
                ("threads", &table.threads),
                ("blocks", &table.blocks),
                ("registers", &table.registers),
                ("shared_memory", &table.shared_memory),
            ];
            let open = |key: &str| preset.is_none() && key != "threads" && key != "blocks";
            let all = said.iter().filter_map(|(key, value)| match value {
                Some(value) => Some(format!("{key} {}", value.get_ref())),
                None => open(key).then(|| format!("{key} without limit")),
            });
            let any = said.iter().any(|(_, value)| value.is_some());
            let value = all.collect::<Vec<_>>().join(", ");
            any.then(|| Assumption::declared(Id::GpuResident, "a multiprocessor holds", value).by("[gpu]"))
        },
        multiprocessors: given("multiprocessors", &table.multiprocessors, MOST_MULTIPROCESSORS, count)?,
        resources: Resources {
            threads,
            shared_memory: shared_memory.unwrap_or(UNLIMITED),
            registers: registers.unwrap_or(UNLIMITED),
            blocks: blocks.unwrap_or(threads),
        },
        clock: clock_of(source, table, preset.as_ref())?,
        memory: memory(source, table)?,
        at,
    })
}

/// How many multiprocessors run, as a key says.
#[doc(hidden)]
pub fn of_count(key: &str, count: &Spanned<i64>) -> Assumption {
    let value = format!("{} run", count.get_ref());
    Assumption::declared(Id::GpuMultiprocessors, "multiprocessors", value).by(key)
}

/// What is wrong with a number above that of the GPU.
fn above(preset: Option<Preset>, key: &str, number: u64, most: u64) -> String {
    let name = preset.map_or("the GPU", |preset| preset.name);
    format!("{key} = {number}: {name} has {most}: want no more")
}

/// The clock of the table, which is not above the highest of the data sheet unless the table says so.
fn clock_of(
    source: &Source<'_>,
    table: &GpuTable,
    preset: Option<&Preset>,
) -> Result<Option<Clock>, InputError> {
    let overclocked = table.overclocked.as_ref().filter(|given| *given.get_ref());
    let Some(value) = &table.clock_mhz else {
        let what = "overclocked without clock_mhz: want the clock, or no such key";
        return overclocked.map_or(Ok(None), |given| Err(source.error(given.span().start, what)));
    };
    let clock = clock(source, value)?;
    let Some(highest) = preset.and_then(Preset::highest_clock) else { return Ok(Some(clock)) };
    match overclocked {
        None if clock > highest => {
            let (given, most) = (value.get_ref(), highest.megahertz());
            let what = format!(
                "clock_mhz = {given}: the data sheet has {most} MHz at most: want a lower clock, or overclocked = true"
            );
            Err(source.error(value.span().start, what))
        }
        Some(given) if clock <= highest => {
            let what = format!(
                "overclocked: {} MHz is no more than the data sheet has: want no such key",
                clock.megahertz()
            );
            Err(source.error(given.span().start, what))
        }
        _ => Ok(Some(clock)),
    }
}

/// The slowest and the fastest clock in megahertz, or the only one.
fn in_megahertz([slowest, fastest]: [Clock; 2]) -> String {
    match slowest < fastest {
        true => format!("{} to {}", slowest.megahertz(), fastest.megahertz()),
        false => slowest.megahertz(),
    }
}

/// The clocks at which an answer holds as somebody declares it, the slowest and the fastest.
pub fn of_clock(clocks: [Clock; 2], preset: Option<&Preset>) -> Assumption {
    let highest = preset.and_then(|preset| preset.clock_below(clocks[1]));
    let clocks = in_megahertz(clocks);
    match highest {
        Some(highest) => {
            let value = format!("{clocks} MHz, above the {} of the data sheet", highest.megahertz());
            Assumption::declared(Id::ClockOverclocked, "clock", value)
        }
        None => Assumption::declared(Id::ClockDeclared, "clock", format!("{clocks} MHz")),
    }
}

/// The clock of an answer for which none is given.
pub fn of_highest_clock(clock: Clock) -> Assumption {
    let value = format!("always the highest of the data sheet, {} MHz", clock.megahertz());
    Assumption::assumed(Id::ClockHighest, "clock", value).unless(Remedy::Clock)
}

/// What the table says of the memory.
fn memory(source: &Source<'_>, table: &GpuTable) -> Result<MemoryFlags, InputError> {
    let wrong = |value: &Spanned<String>, key: &str, what: String| {
        source.error(value.span().start, format!("{key} = {what}"))
    };
    let rate = table
        .dram_rate
        .as_ref()
        .map(|value| Share::read(value.get_ref()).map_err(|what| wrong(value, "dram_rate", what)));
    let others = table
        .dram_others
        .as_ref()
        .map(|value| Rate::read(value.get_ref()).map_err(|what| wrong(value, "dram_others", what)));
    let clock = table.dram_clock_mhz.as_ref().map(|value| megahertz(source, "dram_clock_mhz", value));
    let one_bank = table.dram_spread.as_ref().map(|value| match value.get_ref().as_str() {
        "none" => Ok(true),
        "even" => Ok(false),
        other => Err(wrong(value, "dram_spread", format!("{other:?}: want \"even\" or \"none\""))),
    });
    let host = table
        .host_memory
        .as_ref()
        .map(|value| HostMemory::read(value.get_ref()).map_err(|what| wrong(value, "host_memory", what)));
    Ok(MemoryFlags {
        host: host.transpose()?,
        rate: rate.transpose()?,
        clock: clock.transpose()?,
        others: others.transpose()?,
        one_bank: one_bank.transpose()?.unwrap_or(false),
    })
}

fn missing(source: &Source<'_>, at: usize, key: &str) -> InputError {
    let what = format!(
        "[gpu] without {key}: want preset = {:?} or another that `warpspan gpus` lists, or multiprocessors and threads",
        "jetson-tx2"
    );
    source.error(at, what)
}

impl Device {
    /// Refuses keys of the DRAM that would have no effect.
    pub fn without_memory(&self, source: &Source<'_>, why: &str) -> Result<(), InputError> {
        if self.memory == MemoryFlags::default() {
            return Ok(());
        }
        let what = format!(
            "dram_rate, dram_clock_mhz, dram_others, dram_spread and host_memory are of a machine with memory: {why}"
        );
        Err(source.error(self.at, what))
    }

    /// The Jetson TX2, which is assumed where no `[gpu]` is given.
    pub fn jetson_tx2() -> Self {
        let Gpu { multiprocessors, resources, clock, .. } = Gpu::JETSON_TX2;
        let preset = Preset::named("jetson-tx2");
        let capability = preset.and_then(|preset| preset.capability().ok());
        let value =
            format!("a Jetson TX2 of {multiprocessors} multiprocessors, since the file names no other");
        Self {
            running: Some(Assumption::assumed(Id::GpuMultiprocessors, "GPU", value)),
            given: None,
            preset,
            capability,
            multiprocessors: Some(multiprocessors),
            resources,
            clock,
            memory: MemoryFlags::default(),
            at: 0,
        }
    }

    /// The GPU; an error if the number of multiprocessors is not given.
    pub fn gpu(&self, source: &Source<'_>) -> Result<Gpu, InputError> {
        let multiprocessors = self.multiprocessors;
        let multiprocessors = multiprocessors.ok_or_else(|| missing(source, self.at, "multiprocessors"))?;
        Ok(self.gpu_of(multiprocessors))
    }

    /// The same GPU with the given number of multiprocessors.
    pub fn gpu_of(&self, multiprocessors: u64) -> Gpu {
        // The register file of a GPU that is given by numbers is not known to be divided.
        let register_parts = if self.capability.is_some() { REGISTER_PARTS } else { 1 };
        Gpu { multiprocessors, resources: self.resources, register_parts, clock: self.clock }
    }

    /// The kernels that the device runs at once, if its capability is known.
    pub fn resident_kernels(&self) -> Option<u64> {
        Some(self.capability?.resident_kernels)
    }

    /// What numbers rest on that depend on the resources of a multiprocessor, if these are assumed.
    pub fn assumes_resident(&self) -> Option<Assumption> {
        let of_capability = || self.capability?.assumes_resident();
        self.given.clone().or_else(of_capability)
    }

    /// The resources that a block of the given size takes.
    pub fn demand(&self, threads: u64, warp: u64, shared_memory: u64, registers: Between) -> Demand {
        let demand = Demand::new(threads, warp, shared_memory, registers);
        self.capability.map_or(demand, |capability| demand.on(&capability.resident))
    }

    /// The clock of numbers of code, if the file says one.
    pub fn of_clock(&self) -> Option<Assumption> {
        Some(of_clock([self.clock?; 2], self.preset.as_ref()).by("clock_mhz"))
    }

    /// The reason why a block of this size cannot run on the GPU; none if it can.
    pub fn refusal(&self, threads: u64, shared_memory: u64, registers: u64) -> Option<String> {
        let (preset, resident) = (self.preset?, self.capability?.resident);
        let registers = threads.saturating_mul(registers);
        let over = |need: u64, what: &str, most: u64| {
            let name = preset.name;
            (need > most).then(|| format!("a block needs {need} {what}: {name} gives it {most} at most"))
        };
        over(registers, "registers", resident.registers_per_block)
            .or_else(|| over(shared_memory, "bytes of shared memory", resident.shared_memory_per_block))
    }
}

/// The clock of a machine, or of its DRAM.
pub(crate) fn megahertz(
    source: &Source<'_>,
    key: &str,
    value: &Spanned<toml::Value>,
) -> Result<Clock, InputError> {
    source.number(key, value, |text| Clock::from_megahertz(text).ok_or("want megahertz above 0"))
}

/// A clock that is given in megahertz and must be a whole number of hertz.
fn clock(source: &Source<'_>, value: &Spanned<toml::Value>) -> Result<Clock, InputError> {
    source.number("clock_mhz", value, |text| {
        let plausible = |clock: &Clock| (CLOCK[0]..=CLOCK[1]).contains(&clock.hertz());
        let clock = Clock::from_megahertz(text).filter(plausible);
        clock.ok_or("want 1 to 10000, in megahertz, and in whole hertz")
    })
}
