//! The record of `time`: how long a launch of a kernel takes at most.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use warpspan::document::Document;
use warpspan::document::time::{document, with_lines};
use warpspan::input::{HostMemory, MemoryFlags, Moved, Rate, Share, size};
use warpspan::limits::Limits;
use warpspan::model::time::Clock;
use warpspan::realtime::launch::{
    self, Code, Failure, File, FirstCache, Kept, Kind, LaunchFacts, Listing, MachineFrom, Numbers,
    OtherKernels, Question, Traffic,
};
use warpspan::records::{self, Envelope};

use crate::json;
use crate::refusal::Refusal;

/// What is asked, in the words of the command's flags: an empty text is as if nothing were given.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Time {
    listing: String,
    /// What messages call the listing.
    file: String,
    entry: String,
    gpu: String,
    grid: String,
    block: String,
    clock: String,
    overclocked: bool,
    deadline: String,
    launch_overhead: String,
    copy_in: String,
    copy_out: String,
    multiprocessors: String,
    registers: String,
    shared: String,
    dynamic_shared: String,
    alone: bool,
    loop_bounds: Vec<String>,
    loop_totals: Vec<String>,
    params: Vec<String>,
    uniform: Vec<String>,
    unreachable: Vec<String>,
    transactions: Vec<String>,
    /// The text of a file of declarations.
    declarations: String,
    /// The text of a machine file.
    machine: String,
    dram_bytes: String,
    l2_bytes: String,
    /// A size, or `yes` for what is left beside shared memory.
    l1_keeps_block: String,
    /// `sectors` or `lines`.
    l2_keeps_launch: String,
    arrays_distinct: bool,
    dram_rate: String,
    dram_clock: String,
    dram_others: String,
    /// `none` where nothing is known of how addresses are spread over channels and banks.
    dram_spread: String,
    /// The rate and the latency of the link to the host.
    host_memory: String,
}

/// What the text of a flag says, if there is one.
fn given<T>(
    flag: &'static str,
    text: &str,
    read: impl Fn(&str) -> Result<T, String>,
) -> Result<Option<T>, Refusal> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(None);
    }
    read(text).map(Some).map_err(|wrong| Refusal::of_flag(flag, &format!(" {text:?}"), &wrong))
}

/// The same of what has to be given.
fn wanted<T>(
    flag: &'static str,
    text: &str,
    read: impl Fn(&str) -> Result<T, String>,
    want: &str,
) -> Result<T, Refusal> {
    given(flag, text, read)?.ok_or_else(|| Refusal::of_flag(flag, "", &format!("want {want}")))
}

/// A whole number of bytes, with or without a unit.
fn bytes(text: &str) -> Result<u64, String> {
    text.parse().or_else(|_| size(text))
}

/// A number of multiprocessors.
fn count(text: &str) -> Result<u64, String> {
    let number = text.parse().ok().filter(|&number| number > 0);
    number.ok_or_else(|| "want a number of 1 or more".to_owned())
}

/// A number of registers.
fn registers(text: &str) -> Result<u64, String> {
    let number = text.parse().ok().filter(|number| (1..=255).contains(number));
    number.ok_or_else(|| "want a number from 1 to 255".to_owned())
}

fn clock(text: &str) -> Result<Clock, String> {
    Clock::from_megahertz(text).ok_or_else(|| "want megahertz above 0".to_owned())
}

/// The text of a file, if there is one.
fn file(place: &str, text: &str) -> Option<File> {
    (!text.trim().is_empty()).then(|| File { place: place.to_owned(), text: text.to_owned() })
}

fn spread(text: &str) -> Result<bool, String> {
    match text {
        "even" => Ok(false),
        "none" => Ok(true),
        _ => Err("want even or none".to_owned()),
    }
}

fn l1(text: &str) -> Result<FirstCache, String> {
    FirstCache::read(if text == "yes" { "" } else { text })
}

fn l2(text: &str) -> Result<Kept, String> {
    match text {
        "sectors" => Ok(Kept::Sectors),
        "lines" => Ok(Kept::Lines),
        _ => Err("want sectors or lines".to_owned()),
    }
}

impl Time {
    fn question(&self) -> Result<Question, Refusal> {
        if self.listing.trim().is_empty() {
            return Err("no listing: want PTX or SASS of a kernel".into());
        }
        let place = if self.file.is_empty() { "the listing" } else { &self.file };
        let entry = Some(self.entry.trim()).filter(|entry| !entry.is_empty());
        Ok(Question {
            // The page ends a question by ending its worker.
            limits: Limits::default(),
            listing: Listing { place: place.to_owned(), bytes: self.listing.clone().into_bytes() },
            code: Code {
                entry: entry.map(str::to_owned),
                loop_bound: self.loop_bounds.clone(),
                uniform: self.uniform.clone(),
                unreachable: self.unreachable.clone(),
                param: self.params.clone(),
                declare: file("the declarations", &self.declarations),
                ..Code::default()
            },
            loop_totals: self.loop_totals.clone(),
            gpu: Some(wanted("gpu", &self.gpu, |name| Ok(name.to_owned()), "the name of one")?),
            grid: wanted("grid", &self.grid, launch::grid, "the blocks of the launch: 1024 or 60x135")?,
            block: wanted("block", &self.block, launch::block, "the threads of a block: 256 or 32x8")?,
            deadline: given("deadline", &self.deadline, launch::time)?,
            top: None,
            launch: LaunchFacts {
                multiprocessors: given("multiprocessors", &self.multiprocessors, count)?,
                dealt_evenly: false,
                registers: given("registers", &self.registers, registers)?,
                shared: given("shared", &self.shared, bytes)?,
                dynamic_shared: given("dynamic-shared", &self.dynamic_shared, bytes)?,
                clock: given("clock", &self.clock, launch::clocks)?,
                overclocked: self.overclocked,
                launch_overhead: given("launch-overhead", &self.launch_overhead, launch::time)?,
                copy_in: given("copy-in", &self.copy_in, launch::time)?,
                copy_out: given("copy-out", &self.copy_out, launch::time)?,
            },
            others: OtherKernels { alone: self.alone, ..OtherKernels::default() },
            numbers: Numbers {
                machine: file("the machine", &self.machine).map(MachineFrom::File),
                transactions: self.transactions.clone(),
                memory: MemoryFlags {
                    host: given("host-memory", &self.host_memory, HostMemory::read)?,
                    rate: given("dram-rate", &self.dram_rate, Share::read)?,
                    clock: given("dram-clock", &self.dram_clock, clock)?,
                    others: given("dram-others", &self.dram_others, Rate::read)?,
                    one_bank: given("dram-spread", &self.dram_spread, spread)?.unwrap_or(false),
                },
                ..Numbers::default()
            },
            traffic: Traffic {
                dram_bytes: given("dram-bytes", &self.dram_bytes, Moved::read)?,
                l2_bytes: given("l2-bytes", &self.l2_bytes, Moved::read)?,
                l1_keeps_block: given("l1-keeps-block", &self.l1_keeps_block, l1)?,
                l2_holds: None,
                dram_idle: None,
                l2_keeps_launch: given("l2-keeps-launch", &self.l2_keeps_launch, l2)?,
                arrays_distinct: self.arrays_distinct,
                ncu: None,
            },
        })
    }
}

/// An answer.
#[derive(Debug, Serialize)]
struct Answer {
    record: Envelope<records::Time>,
    /// The answer in a line, as HTML.
    headline: String,
    /// What else it tells, as HTML, without the lines of code and the hints, which the page shows in its own way.
    html: String,
}

pub(crate) fn time(ask: &Time) -> Result<Value, Refusal> {
    let record = launch::on_gpu_alone(&ask.question()?)?;
    let told = records::Time { hints: Vec::new(), ..with_lines(&record, 0) };
    let mut headline = document(&told);
    let rest = Document { parts: headline.parts.split_off(1), ..headline.clone() };
    Ok(json(Answer { record: Envelope::new(record), headline: headline.html(), html: rest.html() })?)
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        let refusal = Self::of(&failure.message, &failure.in_all);
        match failure.kind {
            Kind::Usage | Kind::Stopped => refusal,
            Kind::Internal | Kind::Disagreement => refusal.with_report(),
        }
    }
}
