//! From the flags of `time` to what they ask, with the texts of the files that they name.

use std::path::{Path, PathBuf};

use crate::args::Format;
use crate::args::time::{Kept, TimeArgs};
use crate::compiled::compiled;
use crate::host;
use crate::listing::code;
use warpspan_document::time::TOP;
use warpspan_kernel::input::{IdleDram, listing_bytes};
use warpspan_launch::{
    self as launch, File, LaunchFacts, Listing, MachineFrom, Numbers, OtherKernels, Question, Traffic,
};
use warpspan_model::device::Preset;
use warpspan_model::limits::Limits;
use warpspan_model::source::{InputError, name, text_of};

impl TimeArgs {
    /// What the flags ask.
    pub(super) fn question(&self) -> Result<Question, InputError> {
        let Self { launch, others, machine, traffic, .. } = self;
        let file = |path: &PathBuf, want: &str| Ok(File { place: name(path), text: text_of(path, want)? });
        let system = others.system.as_ref().map(|path| file(path, "a system in TOML")).transpose()?;
        let code = code(&self.code)?;
        let other = |other: &crate::args::time::parse::Other| {
            Ok(launch::Other {
                listing: listing(&other.file, self.gpu.as_deref())?,
                entry: other.entry.clone(),
                grid: other.grid,
                block: other.block,
                period: other.period,
            })
        };
        let co_running = others.co_running.iter().map(other).collect::<Result<_, InputError>>()?;
        let ncu = traffic.ncu.as_ref().map(|path| file(path, "what Nsight Compute printed")).transpose()?;
        Ok(Question {
            listing: listing(&self.file, self.gpu.as_deref())?,
            code,
            limits: Limits::until(host::stop().unwrap_or_default()),
            loop_totals: self.totals.loop_total.clone(),
            gpu: self.gpu.clone(),
            grid: self.grid,
            block: self.block,
            deadline: self.deadline,
            top: match self.format {
                Format::Text => Some(self.top.unwrap_or(TOP)),
                Format::Json => self.top,
            },
            launch: LaunchFacts {
                multiprocessors: launch.multiprocessors,
                dealt_evenly: launch.blocks_dealt.is_some(),
                registers: launch.registers,
                shared: launch.shared,
                dynamic_shared: launch.dynamic_shared,
                clock: launch.clock,
                overclocked: launch.overclocked,
                launch_overhead: launch.launch_overhead,
                copy_in: launch.copy_in,
                copy_out: launch.copy_out,
            },
            others: OtherKernels { alone: others.alone, co_running, system },
            numbers: Numbers {
                machine: machine.machine.clone().map(MachineFrom::Name),
                latency_of: machine.latency_of.clone(),
                hold_of: machine.hold_of.clone(),
                transactions: machine.transactions.clone(),
                memory: self.memory.flags(),
            },
            traffic: Traffic {
                dram_bytes: traffic.dram_bytes,
                l2_bytes: traffic.l2_bytes,
                l1_keeps_block: traffic.l1_keeps_block,
                l2_holds: traffic.l2_holds.clone(),
                dram_idle: traffic.dram_idle.then(IdleDram::default),
                l2_keeps_launch: traffic.l2_keeps_launch.map(|kept| match kept {
                    Kept::Sectors => launch::Kept::Sectors,
                    Kept::Lines => launch::Kept::Lines,
                }),
                arrays_distinct: traffic.arrays_distinct,
                ncu,
            },
        })
    }
}

/// A listing, or that of a source of CUDA which is compiled for the GPU.
fn listing(path: &Path, gpu: Option<&str>) -> Result<Listing, InputError> {
    if let Some(Preset { capability, .. }) = gpu.and_then(Preset::named)
        && let Some(bytes) = compiled(path, capability)?
    {
        return Ok(Listing { place: format!("{} for {capability}", name(path)), bytes });
    }
    Ok(Listing { place: name(path), bytes: listing_bytes(path)? })
}
