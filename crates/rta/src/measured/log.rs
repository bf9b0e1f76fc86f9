//! Reading a result log of the CUDA scheduling examiner.
//!
//! A log is of one benchmark, so of one stream. Its list `times` holds an object of copies for each iteration,
//! followed by an object for each kernel that the iteration launched. Times are in seconds.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use crate::examiner::seconds;
use crate::measured::Block;
use warpspan_model::source::{InputError, json};
use warpspan_model::time::{Duration, TimeUnit};

/// The log of a benchmark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Log {
    /// The name of the file in messages.
    pub place: String,
    /// The label of the benchmark.
    pub label: String,
    /// The process that launched.
    pub process: u64,
    /// The threads that the whole GPU holds at once.
    pub threads: u64,
    /// The launches, in their order.
    pub launches: Vec<Logged>,
}

/// A launch as its log has it. Times count from the start of the examiner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Logged {
    /// The line of the log.
    pub line: usize,
    /// The name of the kernel; empty if it has none.
    pub name: String,
    /// Threads of a block.
    pub threads: u64,
    /// Bytes of shared memory of a block.
    pub shared_memory: u64,
    /// When the host called the launch.
    pub called: Duration,
    /// When the call returned.
    pub returned: Duration,
    /// When the host had waited for the stream to be empty; `None` if it did not wait.
    pub synchronised: Option<Duration>,
    /// When the copy in before it was complete, and when the copy out after it was.
    pub copies: Option<[Duration; 2]>,
    /// The blocks, in their order in the grid.
    pub blocks: Vec<Block>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File<'a> {
    label: Option<String>,
    benchmark_name: String,
    max_resident_threads: u64,
    #[serde(rename = "PID")]
    process: u64,
    #[serde(borrow)]
    times: Vec<&'a RawValue>,
    // These say how the run was asked for.
    #[serde(rename = "scenario_name")]
    _scenario_name: Option<IgnoredAny>,
    #[serde(rename = "data_size")]
    _data_size: Option<IgnoredAny>,
    #[serde(rename = "release_time")]
    _release_time: Option<IgnoredAny>,
    #[serde(rename = "TID")]
    _thread: Option<IgnoredAny>,
}

/// An entry of `times`: of copies, of a kernel, or nothing.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    copy_in_times: Option<[f64; 2]>,
    copy_out_times: Option<[f64; 2]>,
    kernel_name: Option<String>,
    block_count: Option<u64>,
    thread_count: Option<u64>,
    shared_memory: Option<u64>,
    cuda_launch_times: Option<[f64; 3]>,
    block_times: Option<Vec<f64>>,
    block_smids: Option<Vec<u64>>,
    // These are of the host, whose part in a launch `cuda_launch_times` has.
    #[serde(rename = "cpu_times")]
    _cpu_times: Option<IgnoredAny>,
    #[serde(rename = "execute_times")]
    _execute_times: Option<IgnoredAny>,
    #[serde(rename = "cpu_core")]
    _cpu_core: Option<IgnoredAny>,
}

/// Reads a log; `place` is its name in messages.
///
/// # Errors
/// The first thing that is wrong, with its line.
pub fn read_log(place: &str, text: &str) -> Result<Log, InputError> {
    let error = |line: usize, what: String| InputError {
        place: place.to_owned(),
        line: Some(line).filter(|&line| line > 0),
        what: what.into(),
    };
    let want = "a result log of the CUDA scheduling examiner";
    let file: File<'_> = json(text.as_bytes(), want).map_err(|error| error.within(place))?;
    let mut launches: Vec<Logged> = Vec::new();
    let (mut copies, mut seen, mut line) = (None, 0, 1);
    for raw in &file.times {
        let at = raw.get().as_ptr().addr().saturating_sub(text.as_ptr().addr());
        line +=
            text.as_bytes().get(seen..at).unwrap_or_default().iter().filter(|&&byte| byte == b'\n').count();
        seen = at;
        let entry: Entry =
            json(raw.get().as_bytes(), want).map_err(|wrong| error(line + wrong.line - 1, wrong.what))?;
        match (entry.copy_in_times, entry.copy_out_times) {
            (Some([_, copied_in]), Some([_, copied_out])) => {
                let read = |time| seconds(time).map_err(|what| error(line, what));
                copies = Some([read(copied_in)?, read(copied_out)?]);
            }
            (None, None) => {}
            _ => {
                let what = "one of copy_in_times and copy_out_times is missing: want both";
                return Err(error(line, what.to_owned()));
            }
        }
        if let Some(launch) = launch(entry, line, copies).map_err(|what| error(line, what))? {
            if launches.last().is_some_and(|before| launch.returned < before.returned) {
                let what =
                    "cuda_launch_times: before those of the launch above: want launches in their order";
                return Err(error(line, what.to_owned()));
            }
            launches.push(launch);
        }
    }
    Ok(Log {
        place: place.to_owned(),
        label: file.label.filter(|label| !label.is_empty()).unwrap_or(file.benchmark_name),
        process: file.process,
        threads: file.max_resident_threads,
        launches,
    })
}

/// The launch of an entry; `None` if the entry is of no kernel.
fn launch(entry: Entry, line: usize, copies: Option<[Duration; 2]>) -> Result<Option<Logged>, String> {
    let Entry { block_count, thread_count, cuda_launch_times, block_times, block_smids, .. } = &entry;
    if block_count.is_none() && cuda_launch_times.is_none() && block_times.is_none() && block_smids.is_none()
    {
        return Ok(None);
    }
    let missing = |key: &str| {
        format!("no {key}: want block_count, thread_count, cuda_launch_times, block_times, block_smids")
    };
    let count = block_count.ok_or_else(|| missing("block_count"))?;
    let threads = thread_count.ok_or_else(|| missing("thread_count"))?;
    let times = block_times.as_ref().ok_or_else(|| missing("block_times"))?;
    let multiprocessors = block_smids.as_ref().ok_or_else(|| missing("block_smids"))?;
    let [called, returned, synchronised] = cuda_launch_times.ok_or_else(|| missing("cuda_launch_times"))?;
    let (called, returned, synchronised) = (seconds(called)?, seconds(returned)?, seconds(synchronised)?);
    let synchronised = Some(synchronised).filter(|&time| time > Duration::ZERO);
    if called > returned || synchronised.is_some_and(|time| time < returned) {
        return Err(
            "cuda_launch_times: want the call, its return and the end of the wait, in this order".to_owned()
        );
    }
    let of = |found: usize, times: u64| u64::try_from(found).ok() == count.checked_mul(times);
    if count == 0 || !of(times.len(), 2) {
        let found = times.len();
        return Err(format!(
            "block_times: {found} numbers for {count} blocks: want the start and the end of each of 1 or more"
        ));
    }
    if !of(multiprocessors.len(), 1) {
        let found = multiprocessors.len();
        return Err(format!("block_smids: {found} numbers for {count} blocks: want one of each"));
    }
    let block = |(number, (times, &multiprocessor)): (usize, (&[f64], &u64))| {
        let &[start, end] = times else { return Err("block_times: want pairs".to_owned()) };
        let (start, end) = (seconds(start)?, seconds(end)?);
        let multiprocessor = usize::try_from(multiprocessor).unwrap_or(usize::MAX);
        if end <= start {
            let [start, end] = [start, end].map(|time| TimeUnit::Seconds.write(time));
            return Err(format!(
                "block_times: block {} runs from {start} to {end}: want an end after the start",
                number + 1
            ));
        }
        Ok(Block { start, end, multiprocessor })
    };
    let blocks = times.chunks(2).zip(multiprocessors).enumerate().map(block).collect::<Result<_, _>>()?;
    Ok(Some(Logged {
        line,
        name: entry.kernel_name.unwrap_or_default(),
        threads,
        shared_memory: entry.shared_memory.unwrap_or(0),
        called,
        returned,
        synchronised,
        copies,
        blocks,
    }))
}
