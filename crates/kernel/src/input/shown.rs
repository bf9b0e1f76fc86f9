//! What a listing shows of the blocks of its entry, and what a file says of them.

use std::collections::BTreeMap;

use crate::input::needs::ANY;
use warpspan_listing::{KernelResources, Range, compiled_for};
use warpspan_model::device::Between;
use warpspan_model::source::{InputError, Source, Spanned};

/// What a listing shows of the blocks of its entry; nothing without a listing.
#[derive(Debug, Clone)]
pub struct Shown {
    /// The entry.
    entry: String,
    /// The registers of a thread.
    pub registers: Between,
    /// The shared memory of a block, in bytes.
    pub shared_memory: Between,
    /// The sizes that each block has, and the most threads of one.
    required_block: Option<[u64; 3]>,
    most_threads: Option<u64>,
    /// The values of parameters and sizes of the launch for which its code was read.
    params: BTreeMap<String, Range>,
}

impl Shown {
    /// Where there is no listing.
    pub const NOTHING: Self = Self {
        entry: String::new(),
        registers: ANY,
        shared_memory: ANY,
        required_block: None,
        most_threads: None,
        params: BTreeMap::new(),
    };

    pub(super) fn of(entry: &str, found: &KernelResources, params: BTreeMap<String, Range>) -> Self {
        Self {
            entry: entry.to_owned(),
            registers: found.registers,
            shared_memory: found.block_shared_memory(None, None),
            required_block: found.required_block,
            most_threads: found.most_threads,
            params,
        }
    }

    /// Refuses the threads of a block for which the entry is not compiled.
    pub fn check_threads(
        &self,
        source: &Source<'_>,
        value: &Spanned<i64>,
        threads: u64,
    ) -> Result<(), InputError> {
        let required = self.required_block.map(|block| (block, block.iter().product::<u64>()));
        let what = match (required, self.most_threads) {
            (Some((block, all)), _) if all != threads => {
                format!("{}: want {all}", compiled_for(&self.entry, block))
            }
            (_, Some(most)) if most < threads => {
                format!("{} is compiled for {most} threads a block at most: want {most} or fewer", self.entry)
            }
            _ => return Ok(()),
        };
        Err(source.error(value.span().start, format!("threads_per_block = {threads}: {what}")))
    }

    /// Refuses a launch of fewer blocks, or of blocks of fewer threads, than the sizes for which the code was read.
    pub fn check_sizes(
        &self,
        source: &Source<'_>,
        (blocks, of_blocks): (u64, &Spanned<i64>),
        (threads, of_threads): (u64, &Spanned<i64>),
    ) -> Result<(), InputError> {
        let launched = [
            ("gridDim.", "blocks", blocks, of_blocks),
            ("blockDim.", "threads_per_block", threads, of_threads),
        ];
        for (of, key, launched, value) in launched {
            let mut all = 1_i128;
            for (name, range) in self.params.iter().filter(|(name, _)| name.starts_with(of)) {
                all = all.saturating_mul(range.low);
                if all > launched.into() {
                    let what = format!(
                        "{name} = {range}: {key} = {launched}: want no more in all directions together"
                    );
                    return Err(source.error(value.span().start, what));
                }
            }
        }
        Ok(())
    }

    /// Refuses a number of a file that is less than what the listing shows.
    pub fn check_least(
        &self,
        source: &Source<'_>,
        (key, value): (&str, &Spanned<i64>),
        said: u64,
        shown: Between,
    ) -> Result<Between, InputError> {
        let least = shown.least;
        if said >= least {
            // What the listing shows counts where more is said: with fewer blocks at once a bound may be smaller.
            return Ok(Between::exactly(said.min(shown.most)));
        }
        let what = format!(
            "{key} = {said}: the listing of {} shows {least} at least: want {least} or more, or no {key}",
            self.entry
        );
        Err(source.error(value.span().start, what))
    }
}
