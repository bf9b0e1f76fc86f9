//! The multiprocessors that run tasks given as code, and the launches of such tasks.

use std::cell::RefCell;
use std::sync::Arc;

use crate::{KernelTimeError, Launch, Runs};
use warpspan_kernel::input::{CodeOn, Device, LeftOut, NO_SIGMAS, Platform, Shown, Sigmas, of_block};
use warpspan_model::assumption::Assumption;
use warpspan_model::device::Between;
use warpspan_model::source::{InputError, MOST_REGISTERS, MOST_SHARED, MOST_THREADS, Source, Spanned};

/// More blocks than a grid can have in its largest dimension, which is 2^31 - 1.
const MOST_BLOCKS: u64 = 1 << 31;

/// The GPU of a file.
pub(super) struct Hardware<'a> {
    pub(super) device: Device,
    /// The machine that each multiprocessor is, if the file gives one.
    pub(super) platform: Option<&'a Platform>,
    /// The throughputs, if the file gives or implies them.
    pub(super) sigmas: Option<Sigmas>,
    pub(super) warp_size: u64,
    /// The tasks of which the file does not say what a block needs, with the keys that are missing.
    pub(super) left_out: RefCell<Vec<(String, LeftOut)>>,
    /// What the file says that blocks of tasks need.
    pub(super) declared: RefCell<Vec<Assumption>>,
}

/// The keys of a task's table that describe its launch.
pub(super) struct LaunchKeys<'a> {
    pub(super) task: &'a str,
    pub(super) blocks: Option<&'a Spanned<i64>>,
    pub(super) threads_per_block: Option<&'a Spanned<i64>>,
    pub(super) shared_memory: Option<&'a Spanned<i64>>,
    pub(super) registers_per_thread: Option<&'a Spanned<i64>>,
    /// What is known of its blocks without these keys.
    pub(super) shown: Shown,
}

/// The code of a task.
pub(super) struct Coded {
    pub(super) code: CodeOn,
    /// Where it stands in the file.
    pub(super) at: usize,
    /// What its listing says of its blocks.
    pub(super) shown: Shown,
}

impl Hardware<'_> {
    /// The launch of a task whose code stands at `place`.
    pub(super) fn launch(
        &self,
        source: &Source<'_>,
        keys: &LaunchKeys<'_>,
        code: CodeOn,
        place: usize,
    ) -> Result<Launch, InputError> {
        let error = |what: String| source.error(place, format!("task {:?}: {what}", keys.task));
        let (Some(of_blocks), Some(of_threads)) = (keys.blocks, keys.threads_per_block) else {
            return Err(error("code wants blocks and threads_per_block".to_owned()));
        };
        let runs = match (code, self.platform.and_then(Platform::machine)) {
            (CodeOn::Machine(code), Some(machine)) => Runs::OnMachine(code, Arc::clone(machine)),
            (CodeOn::Paper(code), _) => {
                let sigmas = self.sigmas.ok_or_else(|| error(NO_SIGMAS.to_owned()))?;
                Runs::Code(code, sigmas.multiprocessor)
            }
            (CodeOn::Machine(_), None) => return Err(error(NO_SIGMAS.to_owned())),
        };
        if self.device.clock.is_none() {
            return Err(error(KernelTimeError::NoClock.to_string()));
        }
        let threads = source.plausible("threads_per_block", of_threads, MOST_THREADS)?;
        let shown = &keys.shown;
        shown.check_threads(source, of_threads, threads)?;
        let shared = match keys.shared_memory {
            Some(value) => {
                let said = source.natural("shared_memory", value, MOST_SHARED)?;
                shown.check_least(source, ("shared_memory", value), said, shown.shared_memory)?
            }
            None => {
                let Between { least, most } = shown.shared_memory;
                Between { least, most: most.min(self.device.most_shared_memory()).max(least) }
            }
        };
        let registers = match keys.registers_per_thread {
            Some(value) => {
                let said = source.plausible("registers_per_thread", value, MOST_REGISTERS)?;
                shown.check_least(source, ("registers_per_thread", value), said, shown.registers)?
            }
            None => Between { most: shown.registers.most.min(MOST_REGISTERS), ..shown.registers },
        };
        if let Some(what) = self.device.refusal(threads, shared.least, registers.least) {
            return Err(error(format!("{what}: want smaller blocks")));
        }
        self.declared
            .borrow_mut()
            .extend(of_block(keys.task, [keys.registers_per_thread, keys.shared_memory]));
        let left_out = self.device.needs(threads, shared, registers).left_out;
        self.left_out.borrow_mut().extend(left_out.map(|left_out| (keys.task.to_owned(), left_out)));
        let block = self.device.demand(threads, self.warp_size, shared.least, registers);
        let block = block.with_shared_memory(shared);
        let blocks = source.plausible("blocks", of_blocks, MOST_BLOCKS)?;
        shown.check_sizes(source, (blocks, of_blocks), (threads, of_threads))?;
        Ok(Launch { runs, blocks, block })
    }
}
