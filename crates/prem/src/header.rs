//! The schedule as a C header, for kernels that spin on the global timer.

use std::io::{self, Write};

use crate::{Schedule, Slot};
use warpspan_model::time::Nanoseconds;

/// Writes a header for C, C++ and CUDA: constants, and macros that give the start times of each tile.
///
/// Kernels, blocks and tiles are counted from 0, as in CUDA. The argument `start` of a macro is the timer's
/// value when the kernels start; a block spins until the timer is at least the start time. Writebacks have
/// macros where they are scheduled. `caveat` says what is proved of the times; it is written as a comment, so
/// it must not hold the end of a comment.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_header(schedule: &Schedule, caveat: &str, mut out: impl Write) -> io::Result<()> {
    let tile_set = schedule.tile_set();
    let kernels = tile_set.kernels();
    writeln!(
        out,
        "/* Time-triggered schedule, mode {}; times in ns. Written by warpspan. */",
        schedule.mode()
    )?;
    writeln!(out, "/* {caveat} */")?;
    writeln!(out, "#ifndef WARPSPAN_PREM_H\n#define WARPSPAN_PREM_H\n")?;
    for (index, kernel) in kernels.iter().enumerate() {
        // A name may hold any characters, but must not end the comment or the line.
        let name: String =
            kernel.name.chars().filter(|c| c.is_alphanumeric() || " _-.".contains(*c)).collect();
        let (blocks, tiles) = (kernel.blocks, kernel.tiles);
        writeln!(out, "/* kernel {index}: {name}, {blocks} blocks, {tiles} tiles a block */")?;
    }
    writeln!(out, "#define PREM_KERNELS {}", kernels.len())?;
    writeln!(out, "#define PREM_TIMER_NS {}ull", tile_set.timer().0)?;
    writeln!(out, "#define PREM_WARM_UP_NS {}ull", tile_set.warm_up().0)?;
    writeln!(out, "#define PREM_HYPERPERIOD_NS {}ull", schedule.hyperperiod().0)?;
    let numbers = |value: fn(&crate::TiledKernel) -> u64| -> Vec<(String, u64)> {
        kernels.iter().enumerate().map(|(k, kernel)| (format!("(kernel) == {k}"), value(kernel))).collect()
    };
    choose(&mut out, "PREM_BLOCKS(kernel)", &numbers(|kernel| kernel.blocks))?;
    choose(&mut out, "PREM_TILES(kernel)", &numbers(|kernel| kernel.tiles))?;
    let offsets = |time: fn(&Slot) -> Nanoseconds| -> Vec<(String, u64)> {
        let one = |slot: &Slot| {
            let block = slot.block.map_or(String::new(), |block| format!(" && (block) == {block}"));
            (format!("(kernel) == {}{block}", slot.kernel), time(slot).0)
        };
        schedule.slots().iter().map(one).collect()
    };
    choose(&mut out, "PREM_PREFETCH_OFFSET_NS(kernel, block)", &offsets(|slot| slot.prefetch))?;
    writeln!(out, "\n/* Spin until the timer is at least this. */")?;
    start(&mut out, "PREFETCH")?;
    if schedule.mode().times_writebacks() {
        choose(&mut out, "PREM_WRITEBACK_OFFSET_NS(kernel, block)", &offsets(|slot| slot.writeback))?;
        start(&mut out, "WRITEBACK")?;
    }
    writeln!(out, "\n#endif")?;
    out.flush()
}

/// Writes the macro of a start time.
fn start(out: &mut impl Write, phase: &str) -> io::Result<()> {
    writeln!(
        out,
        "#define PREM_{phase}_START_NS(start, kernel, block, tile) \\\n    \
         ((start) + PREM_WARM_UP_NS + (tile) * PREM_HYPERPERIOD_NS + PREM_{phase}_OFFSET_NS(kernel, block))"
    )
}

/// Writes a macro whose value depends on its arguments; the last case needs no condition.
fn choose(out: &mut impl Write, name: &str, cases: &[(String, u64)]) -> io::Result<()> {
    write!(out, "#define {name} (")?;
    for (n, (condition, value)) in cases.iter().enumerate() {
        if n + 1 == cases.len() {
            writeln!(out, "{value}ull)")?;
        } else {
            write!(out, "{condition} ? {value}ull : \\\n    ")?;
        }
    }
    Ok(())
}
