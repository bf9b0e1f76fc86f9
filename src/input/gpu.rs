//! The `[gpu]` table of `rta` and `prem`.

use serde::Deserialize;
use toml::Spanned;

use crate::input::InputError;
use crate::input::source::{Source, decimal};
use crate::rta::{Gpu, Room, Time, Unit};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GpuTable {
    preset: Option<Spanned<String>>,
    multiprocessors: Option<Spanned<i64>>,
    threads: Option<Spanned<i64>>,
    shared_memory: Option<Spanned<i64>>,
    registers: Option<Spanned<i64>>,
    blocks: Option<Spanned<i64>>,
    clock_mhz: Option<Spanned<toml::Value>>,
}

/// The GPU of the table: a preset, or multiprocessors and threads; what else is not given limits nothing.
pub(super) fn gpu(source: &Source<'_>, spanned: &Spanned<GpuTable>) -> Result<Gpu, InputError> {
    let table = spanned.get_ref();
    let preset = match &table.preset {
        None => None,
        Some(name) if name.get_ref() == "jetson-tx2" => Some(Gpu::JETSON_TX2),
        Some(name) => {
            let what = format!("preset = {:?}: want \"jetson-tx2\"", name.get_ref());
            return Err(source.error(name.span().start, what));
        }
    };
    let given = |key: &str, value: &Option<Spanned<i64>>, default: Option<u64>| match (value, default) {
        (Some(value), _) => source.positive(key, value),
        (None, Some(default)) => Ok(default),
        (None, None) => {
            let what =
                format!("[gpu] without {key}: want preset = \"jetson-tx2\", or multiprocessors and threads");
            Err(source.error(spanned.span().start, what))
        }
    };
    let preset = preset.as_ref();
    let room = |of: fn(&Room) -> u64| preset.map(|gpu| of(&gpu.room));
    let unlimited = Some(u64::MAX >> 1);
    let threads = given("threads", &table.threads, room(|room| room.threads))?;
    let count = given("multiprocessors", &table.multiprocessors, preset.map(|gpu| gpu.multiprocessors))?;
    Ok(Gpu {
        multiprocessors: source.at_most("multiprocessors", count, 1 << 16, spanned.span().start)?,
        room: Room {
            threads,
            shared_memory: given(
                "shared_memory",
                &table.shared_memory,
                room(|room| room.shared_memory).or(unlimited),
            )?,
            registers: given("registers", &table.registers, room(|room| room.registers).or(unlimited))?,
            blocks: given("blocks", &table.blocks, room(|room| room.blocks).or(Some(threads)))?,
        },
        clock: table.clock_mhz.as_ref().map(|value| clock(source, value)).transpose()?,
    })
}

/// Megahertz, to the hertz: a second has a million microseconds, and a megahertz a million hertz.
fn clock(source: &Source<'_>, value: &Spanned<toml::Value>) -> Result<u64, InputError> {
    let hertz = Unit::Microseconds.read(&decimal(value.get_ref())).ok().filter(|hertz| hertz.0 > 0);
    hertz.map(|Time(hertz)| hertz).ok_or_else(|| {
        let what = format!("clock_mhz = {}: want a number above 0, in whole hertz", value.get_ref());
        source.error(value.span().start, what)
    })
}
