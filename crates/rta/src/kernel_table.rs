//! The table of a kernel in a system file.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::tiles::Named;
use warpspan_model::source::{Spanned, WholeOrText};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct KernelTable {
    /// Its name; else that of the listing's entry, or K and its number.
    pub(super) name: Option<String>,
    /// The time between launches; one launch only if it is not given.
    #[schemars(with = "Option<f64>")]
    pub(super) period: Option<Spanned<toml::Value>>,
    /// Whether launches may be more than a period apart.
    #[serde(default)]
    pub(super) sporadic: Option<Spanned<bool>>,
    /// How long after its arrival a launch is released at most; 0 if it is not given.
    #[schemars(with = "Option<f64>")]
    pub(super) jitter: Option<Spanned<toml::Value>>,
    /// How long a launch may take from its arrival; the period if it is not given.
    #[schemars(with = "Option<f64>")]
    pub(super) deadline: Option<Spanned<toml::Value>>,
    /// The time of the first arrival; 0 if it is not given.
    #[schemars(with = "Option<f64>")]
    pub(super) release: Option<Spanned<toml::Value>>,
    /// Blocks of a launch.
    pub(super) blocks: Spanned<i64>,
    /// Threads of a block.
    pub(super) threads_per_block: Spanned<i64>,
    /// C, an upper bound on the time of a block.
    #[schemars(with = "Option<f64>")]
    pub(super) execution: Option<Spanned<toml::Value>>,
    /// With which co-running blocks `execution` holds: `beside-others` (the default), where a block takes at most C
    /// whatever runs on its multiprocessor, or `alone`, where no other block is on it.
    pub(super) measured: Option<Spanned<String>>,
    /// The kernel string or the text of a program, instead of `execution`.
    pub(super) code: Option<Spanned<String>>,
    /// A listing by its path from this file, instead of `execution`.
    pub(super) ptx: Option<Spanned<String>>,
    /// A file of `prem` by its path from this file, instead of `execution`: C is the bound of its schedule. Each of its
    /// kernels is a kernel here, in the order of that file.
    pub(super) prem: Option<Spanned<String>>,
    /// The entry of the listing, where it has several.
    pub(super) entry: Option<Spanned<String>>,
    /// How often loops of the listing pass their label at most.
    #[serde(default)]
    pub(super) loop_bounds: BTreeMap<String, Spanned<i64>>,
    /// Values of its parameters and sizes of the launch by their names, each a number or a range such as `1..1024`.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, WholeOrText>")]
    pub(super) params: BTreeMap<String, Spanned<toml::Value>>,
    /// Labels of branches of the listing that all threads of a warp take alike.
    #[serde(default)]
    pub(super) uniform: Vec<String>,
    /// Labels or lines of the listing to which control never comes.
    #[serde(default)]
    pub(super) unreachable: Vec<String>,
    /// The most transactions of a pass of memory instructions of the listing, by labels or lines; `*` for all.
    #[serde(default)]
    pub(super) transactions: BTreeMap<String, Spanned<i64>>,
    /// A file of classes for instructions of the listing.
    pub(super) classes: Option<Spanned<String>>,
    /// A file of declarations for the listing, as `extract` writes it.
    pub(super) declare: Option<Spanned<String>>,
    /// The process that launches it, where there is a table `[processes]`.
    pub(super) process: Option<Spanned<String>>,
    /// The stream that it is launched into.
    pub(crate) stream: Option<Spanned<String>>,
    /// The priority of its stream, where there are no `[[stream]]` tables.
    pub(crate) priority: Option<Spanned<i64>>,
    /// Shared memory of a block, in bytes; that of its listing, or the most that a block may have, if it is not given.
    pub(super) shared_memory: Option<Spanned<i64>>,
    /// Registers of a thread; those of its listing, or the most that a block may have, if they are not given.
    pub(super) registers_per_thread: Option<Spanned<i64>>,
    /// The time on the copy engine before a launch.
    #[schemars(with = "Option<f64>")]
    pub(super) copy_in: Option<Spanned<toml::Value>>,
    /// The time on the copy engine after a launch.
    #[schemars(with = "Option<f64>")]
    pub(super) copy_out: Option<Spanned<toml::Value>>,
    /// The most bytes that a launch moves through the DRAM, as `512 MB`, or those of a block, as `8KB/block`; with
    /// `:lines` if they move in whole lines. By default what the instructions of code can move.
    pub(super) dram_bytes: Option<Spanned<String>>,
    /// The same for the L2.
    pub(super) l2_bytes: Option<Spanned<String>>,
}

impl KernelTable {
    /// A key that says when and in which order the kernel is launched, with its place.
    pub(super) fn of_launches(&self) -> Option<(&'static str, usize)> {
        let time = |key, value: &Option<Spanned<toml::Value>>| Some((key, value.as_ref()?.span().start));
        let given = [
            time("period", &self.period),
            time("jitter", &self.jitter),
            time("deadline", &self.deadline),
            time("release", &self.release),
            time("copy_in", &self.copy_in),
            time("copy_out", &self.copy_out),
            self.sporadic.as_ref().map(|value| ("sporadic", value.span().start)),
            self.stream.as_ref().map(|value| ("stream", value.span().start)),
            self.priority.as_ref().map(|value| ("priority", value.span().start)),
        ];
        given.into_iter().flatten().next()
    }

    /// The file of `prem` that it names.
    pub(super) fn named(&self) -> Named<'_> {
        Named { file: self.prem.as_ref(), copies: self.copy_in.is_some() || self.copy_out.is_some() }
    }
}
