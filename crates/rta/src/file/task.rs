//! From the table of a kernel to a task.

use std::cell::RefCell;

use crate::kernel_table::KernelTable;
use crate::streams::Streams;
use crate::tiles::Tiles;
use crate::{Measured, Source as Origin, Task};
use warpspan_kernel::input::{
    CodeOn, Device, LeftOut, ListingKeys, Listings, Moved, Platform, Shown, of_block,
};
use warpspan_model::assumption::{Assumption, Id};
use warpspan_model::device::Between;
use warpspan_model::machine::{Declared, Role};
use warpspan_model::source::{
    InputError, MOST_REGISTERS, MOST_SHARED, MOST_THREADS, Source, Spanned, decimal,
};
use warpspan_model::time::{Duration, TimeUnit};

/// More blocks than a grid can have in its largest dimension, which is 2^31 - 1.
const MOST_BLOCKS: u64 = 1 << 31;

/// Reads the listing of a kernel, over the letters of the machine if the file gives one.
fn listing(
    listings: &mut Listings<'_>,
    file: &Spanned<String>,
    keys: &ListingKeys<'_>,
    platform: Option<&mut Platform>,
) -> Result<Origin, InputError> {
    let Some(platform) = platform else {
        return listings.read(file, keys).map(Origin::Listing);
    };
    Ok(match platform.listing(listings, file, keys)? {
        CodeOn::Paper(code) => Origin::Listing(code),
        CodeOn::Machine(code) => Origin::OnMachine(code),
    })
}

pub(super) struct Reader<'a> {
    pub(super) source: &'a Source<'a>,
    pub(super) unit: TimeUnit,
    pub(super) device: Device,
    pub(super) tiles: Tiles,
    /// The kernels of which a file does not say what a block needs, with what is missing.
    pub(super) left_out: RefCell<Vec<(String, LeftOut)>>,
    /// What keys of kernels declare besides.
    pub(super) declared: RefCell<Vec<Assumption>>,
}

/// The time of a key, which is no less than so much: 0, or more.
pub(crate) fn time_of_key(
    source: &Source<'_>,
    unit: TimeUnit,
    key: &str,
    value: &Spanned<toml::Value>,
    least: u64,
) -> Result<Duration, InputError> {
    source.number(key, value, |text| {
        let time = unit.read(text).map_err(|what| what.to_string())?;
        if time.0 < least { Err("want more than 0".to_owned()) } else { Ok(time) }
    })
}

impl Reader<'_> {
    fn time(&self, key: &str, value: &Spanned<toml::Value>, least: u64) -> Result<Duration, InputError> {
        time_of_key(self.source, self.unit, key, value, least)
    }

    /// What the table declares of the bytes that a launch moves.
    fn traffic(&self, table: &KernelTable, blocks: u64) -> Result<Vec<Declared>, InputError> {
        let keys = [("dram_bytes", Role::Dram, &table.dram_bytes), ("l2_bytes", Role::L2, &table.l2_bytes)];
        let given = keys.into_iter().filter_map(|(key, role, value)| Some((key, role, value.as_ref()?)));
        let declared = |(key, role, value): (&str, Role, &Spanned<String>)| {
            let moved = Moved::read(value.get_ref());
            let moved =
                moved.map_err(|what| self.source.error(value.span().start, format!("{key} = {what}")))?;
            Ok(moved.declared(role, blocks))
        };
        given.map(declared).collect()
    }

    fn code(&self, string: &Spanned<String>, platform: Option<&mut Platform>) -> Result<Origin, InputError> {
        let Some(platform) = platform else {
            return self.source.parsed("code", string).map(Origin::Code);
        };
        Ok(match platform.code(self.source, "code", string)? {
            CodeOn::Paper(code) => Origin::Code(code),
            CodeOn::Machine(code) => Origin::OnMachine(code),
        })
    }

    fn measured(
        &self,
        name: &str,
        value: &Spanned<String>,
        execution: &Origin,
    ) -> Result<Measured, InputError> {
        let error = |what: &str| {
            let what = format!("kernel {name}: measured = {:?}: {what}", value.get_ref());
            Err(self.source.error(value.span().start, what))
        };
        match (execution, value.get_ref().as_str()) {
            (Origin::Code(_) | Origin::Listing(_) | Origin::OnMachine(_), _) => {
                error("C is computed from code, not measured: want execution = TIME")
            }
            (Origin::Given(_), "alone") => Ok(Measured::Alone),
            (Origin::Given(_), "beside-others") => Ok(Measured::BesideOthers),
            (Origin::Given(_), _) => error("want \"alone\" or \"beside-others\""),
        }
    }

    /// Notes what the keys of a kernel declare of its launches, its blocks, its copies and its urgency.
    fn declare(&self, name: &str, table: &KernelTable) {
        let exact = |value: &Option<Spanned<toml::Value>>| {
            value.as_ref().map(|value| format!("{} {}", decimal(value.get_ref()), self.unit))
        };
        let time = |value: &Option<Spanned<toml::Value>>| exact(value).map(|time| format!("at most {time}"));
        let priority = table.priority.as_ref().map(|value| value.get_ref().to_string());
        let is_alone = table.measured.as_ref().is_some_and(|measured| measured.get_ref() == "alone");
        let of_given = if is_alone { Id::ExecutionAlone } else { Id::ExecutionGiven };
        let keys = [
            (of_given, "execution", "C of a block", time(&table.execution)),
            (Id::LaunchArrivals, "period", "time between launches", exact(&table.period)),
            (Id::LaunchJitter, "jitter", "time from arrival to release", time(&table.jitter)),
            (Id::LaunchCopyIn, "copy_in", "copies before a launch", time(&table.copy_in)),
            (Id::LaunchCopyOut, "copy_out", "copies behind a launch", time(&table.copy_out)),
            (Id::StreamPriority, "priority", "a larger number is more urgent: priority", priority),
            (
                Id::LaunchStream,
                "stream",
                "is launched into",
                table.stream.as_ref().map(|name| name.get_ref().clone()),
            ),
        ];
        let said = |(id, key, subject, value): (Id, &str, &str, Option<String>)| {
            Some(Assumption::declared(id, format!("{name}, {subject}"), value?).by(key))
        };
        let of_block = of_block(name, [table.registers_per_thread.as_ref(), table.shared_memory.as_ref()]);
        self.declared.borrow_mut().extend(of_block.chain(keys.into_iter().filter_map(said)));
    }

    pub(super) fn task(
        &self,
        number: usize,
        spanned: &Spanned<KernelTable>,
        streams: &mut Streams,
        listings: &mut Listings<'_>,
        platform: Option<&mut Platform>,
    ) -> Result<Task, InputError> {
        let (table, at) = (spanned.get_ref(), spanned.span().start);
        let name = table.name.clone().unwrap_or_else(|| format!("K{number}"));
        let time = |key, value: &Option<Spanned<toml::Value>>, least| {
            value.as_ref().map(|value| self.time(key, value, least)).transpose()
        };
        let keys = ListingKeys {
            name: table.name.as_deref(),
            number,
            entry: table.entry.as_ref(),
            loop_bounds: &table.loop_bounds,
            params: &table.params,
            uniform: &table.uniform,
            unreachable: &table.unreachable,
            transactions: &table.transactions,
            classes: table.classes.as_ref(),
            declare: table.declare.as_ref(),
        };
        let tiled = self.tiles.time(number - 1);
        let given = [
            ("execution", table.execution.as_ref().map(Spanned::span)),
            ("code", table.code.as_ref().map(Spanned::span)),
            ("ptx", table.ptx.as_ref().map(Spanned::span)),
            ("prem", table.prem.as_ref().map(Spanned::span)),
        ];
        let given: Vec<_> = given.into_iter().filter_map(|(key, span)| Some((key, span?))).collect();
        if let [_, .., (_, last)] = &given[..] {
            let keys: Vec<&str> = given.iter().map(|(key, _)| *key).collect();
            let what = format!("kernel {name}: both {}: want one of them", keys.join(" and "));
            let last = given.iter().map(|(_, span)| span.start).max().unwrap_or(last.start);
            return Err(self.source.error(last, what));
        }
        let execution = match (&table.execution, &table.code, &table.ptx, tiled) {
            (Some(value), ..) => Origin::Given(self.time("execution", value, 1)?),
            (_, Some(string), ..) => self.code(string, platform)?,
            (_, _, Some(file), _) => listing(listings, file, &keys, platform)?,
            (_, _, _, Some(time)) => Origin::Given(time),
            (None, None, None, None) => {
                let what = format!(
                    "kernel {name}: C is missing: want execution = TIME, code = \"LLCLL\", ptx = \"FILE\" or prem = \"FILE\""
                );
                return Err(self.source.error(at, what));
            }
        };
        if let Some(value) = table.measured.as_ref().filter(|_| tiled.is_some()) {
            let what = format!("kernel {name}: measured is of execution = TIME: C of prem is a bound");
            return Err(self.source.error(value.span().start, what));
        }
        let measured = match &table.measured {
            None if tiled.is_some() => Measured::AtMost,
            None => Measured::BesideOthers,
            Some(value) => self.measured(&name, value, &execution)?,
        };
        let name = match (&table.name, &execution) {
            (None, _) if table.ptx.is_some() => listings.name(),
            _ => name,
        };
        if table.ptx.is_none() && keys.are_given() {
            let what = format!("kernel {name}: {}", ListingKeys::WANT_A_LISTING);
            return Err(self.source.error(at, what));
        }
        let period = time("period", &table.period, 1)?;
        let sporadic = table.sporadic.as_ref().filter(|sporadic| *sporadic.get_ref());
        if let Some(sporadic) = sporadic.filter(|_| period.is_none()) {
            let what = format!(
                "kernel {name}: sporadic = true and no period: want period = TIME, the least time between launches"
            );
            return Err(self.source.error(sporadic.span().start, what));
        }
        let threads = self.source.plausible("threads_per_block", &table.threads_per_block, MOST_THREADS)?;
        let blocks = self.source.plausible("blocks", &table.blocks, MOST_BLOCKS)?;
        let shown = if table.ptx.is_some() { listings.shown() } else { Shown::NOTHING };
        shown.check_threads(self.source, &table.threads_per_block, threads)?;
        shown.check_sizes(self.source, (blocks, &table.blocks), (threads, &table.threads_per_block))?;
        let count = |key: &str, value: &Option<Spanned<i64>>, most: u64, open: Between| match value {
            None => Ok(open),
            Some(value) => {
                shown.check_least(self.source, (key, value), self.source.natural(key, value, most)?, open)
            }
        };
        let registers =
            count("registers_per_thread", &table.registers_per_thread, MOST_REGISTERS, shown.registers)?;
        let shared_memory = count("shared_memory", &table.shared_memory, MOST_SHARED, shown.shared_memory)?;
        if let Some(what) = self.device.refusal(threads, shared_memory.least, registers.least) {
            return Err(self.source.error(at, format!("kernel {name}: {what}: want smaller blocks")));
        }
        let needs = self.device.needs(threads, shared_memory, registers);
        let missing = needs.left_out.map(|left_out| (name.clone(), left_out));
        self.left_out.borrow_mut().extend(missing);
        let stream = streams.of(self.source, &name, table)?;
        self.declare(&name, table);
        Ok(Task {
            period,
            sporadic: sporadic.is_some(),
            jitter: time("jitter", &table.jitter, 0)?.unwrap_or_default(),
            deadline: time("deadline", &table.deadline, 1)?.or(period),
            release: time("release", &table.release, 0)?.unwrap_or_default(),
            fixed: table.release.is_some(),
            execution,
            measured,
            blocks,
            threads,
            block: needs.block,
            least: needs.least,
            stream,
            copy_in: time("copy_in", &table.copy_in, 0)?.unwrap_or_default(),
            copy_out: time("copy_out", &table.copy_out, 0)?.unwrap_or_default(),
            traffic: self.traffic(table, blocks)?,
            name,
        })
    }
}
