//! What the tracer of Accel-Sim writes of a launch, in its version 5 or 3, grouped by blocks.

use std::fmt::Write;

use crate::listing::tracer::machine::{Event, Launch};

/// How addresses are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Each of them.
    All,
    /// As the tracer does: by a stride, or else by distances.
    Compressed,
    /// By distances always.
    Distances,
}

/// How a file is written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Style {
    pub(super) form: Form,
    pub(super) version: u32,
    pub(super) lineinfo: bool,
}

pub(super) const USUAL: Style = Style { form: Form::Compressed, version: 5, lineinfo: false };

/// The file of a launch.
pub(super) fn write(launch: &Launch, kernel: &str, blocks: &[Vec<Vec<Event>>], style: Style) -> String {
    let Style { version, lineinfo, .. } = style;
    let immediate = if version >= 5 { " immediate" } else { "" };
    let mut out = format!(
        "-kernel name = {kernel}\n-kernel id = 1\n-grid dim = ({},1,1)\n-block dim = ({},1,1)\n-shmem = 2048\n-nregs = 16\n\
         -binary version = 75\n-cuda stream id = 0\n-shmem base_addr = 0x00007f5a7a000000\n\
         -local mem base_addr = 0x00007f5a7c000000\n-nvbit version = 1.7.1\n-accelsim tracer version = {version}\n",
        launch.blocks, launch.threads
    );
    if version >= 4 {
        let _ = writeln!(out, "-enable lineinfo = {}", u8::from(lineinfo));
    }
    let _ = writeln!(
        out,
        "\n#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width [adrrescompress?] [mem_addresses]{immediate}\n"
    );
    for (number, warps) in blocks.iter().enumerate() {
        let _ = write!(out, "\n#BEGIN_TB\n\nthread block = {number},0,0\n");
        for (warp, events) in warps.iter().enumerate() {
            let _ = write!(out, "\nwarp = {warp}\ninsts = {}\n", events.len());
            for event in events {
                if version < 3 {
                    let _ = write!(out, "{number} 0 0 {warp} ");
                }
                if lineinfo {
                    out.push_str("12 ");
                }
                line(&mut out, event, style);
            }
        }
        out.push_str("\n#END_TB\n");
    }
    out
}

fn line(out: &mut String, event: &Event, style: Style) {
    let _ = write!(out, "{:04x} {:08x} 1 R5 {} 2 R4 R255 ", event.pc, event.mask, event.opcode);
    match &event.addresses {
        None => out.push_str("0 "),
        Some(addresses) => {
            out.push_str("4 ");
            let all: Vec<(usize, u64)> = addresses.iter().map(|(&lane, &at)| (lane, at)).collect();
            let step = |pair: &[(usize, u64)]| pair[1].1.wrapping_sub(pair[0].1).cast_signed();
            let next = all.windows(2).all(|pair| pair[1].0 == pair[0].0 + 1);
            let even = next && all.windows(2).all(|pair| step(pair) == step(&all[..2]));
            let first = all.first().map_or(0, |one| one.1);
            if style.form == Form::All {
                out.push_str("0 ");
                all.iter().for_each(|one| _ = write!(out, "0x{:016x} ", one.1));
            } else if style.form == Form::Compressed && even && all.len() != 1 {
                let stride = if all.is_empty() { 0 } else { step(&all[..2]) };
                let _ = write!(out, "1 0x{first:x} {stride} ");
            } else {
                let _ = write!(out, "2 0x{first:x} ");
                all.windows(2).for_each(|pair| _ = write!(out, "{} ", step(pair)));
            }
        }
    }
    if style.version >= 5 {
        out.push_str("0 ");
    }
    out.push('\n');
}
