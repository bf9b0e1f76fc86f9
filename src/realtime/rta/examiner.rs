//! Reads a configuration of the public CUDA scheduling examiner (N. Otterness, T. Amert and others), the tool
//! with which the rules of the GPU's scheduler were found and with which chapter 4 of Pa19 was measured.
//!
//! Each benchmark is one launch in a stream of its own. `timer_spin` takes its C in nanoseconds from
//! `additional_info`; `multikernel` has a list of kernels there, with `duration`, `delay` and
//! `shared_memory_size`, which are launched one after the other in one stream. `release_time` is in seconds;
//! a smaller `stream_priority` is more urgent, as in CUDA. Keys that say how to measure change no launch and are
//! passed over; several iterations, masks and shares of multiprocessors are refused, and so is any other
//! key. With `use_processes` each benchmark is a process of its own, and they take turns on the GPU; where benchmarks have a
//! share of MPS, of 100 %, their kernels run side by side. The configuration names no periods, hence no deadlines, and no GPU: the reader takes the Jetson TX2.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;

use crate::input::Device;
use crate::model::device::{Between, Gpu, WARP};
use crate::model::time::{Duration, TimeUnit};
use crate::realtime::rta::shared::MPS;
use crate::realtime::rta::{Kernels, Measured, Shared, Source, Stream, System, Task};
use crate::source::InputError;
use crate::source::{MOST_SHARED, MOST_THREADS};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(alias = "plugins")]
    benchmarks: Vec<Benchmark>,
    max_iterations: Option<f64>,
    #[serde(default)]
    use_processes: bool,
    // These change no launch: a benchmark that is launched once ends before its time, and warming up ends before the
    // first launch that counts.
    #[serde(rename = "name")]
    _name: Option<IgnoredAny>,
    #[serde(rename = "max_time")]
    _max_time: Option<IgnoredAny>,
    #[serde(rename = "cuda_device")]
    _cuda_device: Option<IgnoredAny>,
    #[serde(rename = "base_result_directory")]
    _base_result_directory: Option<IgnoredAny>,
    #[serde(rename = "pin_cpus")]
    _pin_cpus: Option<IgnoredAny>,
    #[serde(rename = "do_warmup")]
    _do_warmup: Option<IgnoredAny>,
    #[serde(rename = "sync_every_iteration")]
    _sync_every_iteration: Option<IgnoredAny>,
    #[serde(rename = "comment")]
    _comment: Option<IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Benchmark {
    filename: String,
    label: Option<String>,
    #[serde(default)]
    thread_count: Value,
    #[serde(default)]
    block_count: Value,
    #[serde(default)]
    additional_info: Value,
    release_time: Option<f64>,
    #[serde(alias = "priority")]
    stream_priority: Option<i64>,
    max_iterations: Option<f64>,
    sm_mask: Option<String>,
    mps_thread_percentage: Option<f64>,
    // These change no launch.
    #[serde(rename = "log_name")]
    _log_name: Option<IgnoredAny>,
    #[serde(rename = "data_size")]
    _data_size: Option<IgnoredAny>,
    #[serde(rename = "max_time")]
    _max_time: Option<IgnoredAny>,
    #[serde(rename = "cpu_core")]
    _cpu_core: Option<IgnoredAny>,
    #[serde(rename = "comment")]
    _comment: Option<IgnoredAny>,
}

/// What a configuration does not say of the kernels of the examiner. With 32 registers a thread, registers limit no
/// block of a Jetson TX2 that its threads do not.
const NEEDS: &str =
    "a block of the examiner needs at most 32 registers a thread, and no shared memory but what is given";

/// A kernel of a benchmark.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Part {
    pub(super) kernel_label: Option<String>,
    /// C in nanoseconds.
    pub(super) duration: u64,
    pub(super) block_count: Value,
    pub(super) thread_count: Value,
    #[serde(default)]
    pub(super) shared_memory_size: u64,
    #[serde(default)]
    pub(super) copy_in_count: u64,
    #[serde(default)]
    pub(super) copy_out_count: u64,
    pub(super) delay: Option<f64>,
    pub(super) sm_mask: Option<String>,
}

/// Refuses what makes a benchmark launch again and again, which is not analysed.
fn refuse_iterations(iterations: Option<f64>) -> Result<(), String> {
    match iterations {
        Some(iterations) if iterations != 1.0 => Err(format!(
            "max_iterations = {iterations}: only the first launch of each benchmark is analysed, and later ones may \
             delay it: want 1"
        )),
        _ => Ok(()),
    }
}

/// Refuses a mask that keeps a launch from some multiprocessors.
fn refuse_mask(mask: Option<&str>) -> Result<(), String> {
    let Some(mask) = mask else { return Ok(()) };
    let digits = mask.strip_prefix('~').unwrap_or(mask);
    let bits = u64::from_str_radix(digits.strip_prefix("0x").unwrap_or(digits), 16)
        .map_err(|_| format!("sm_mask = {mask:?}: want a number in hexadecimal, such as \"0xf0\""))?;
    let off = if mask.starts_with('~') { !bits } else { bits };
    if off != 0 {
        return Err(format!(
            "sm_mask = {mask:?}: a launch on some multiprocessors alone is not analysed: want it without a mask"
        ));
    }
    Ok(())
}

/// Reads a configuration; `place` is its name in messages.
///
/// # Errors
/// The first thing that is wrong, with the number of its benchmark.
pub fn read_examiner(place: &str, text: &str) -> Result<System, InputError> {
    read_examiner_kernels(place, text)?.one(place)
}

/// Reads a configuration, in which each benchmark may be a process of its own; `place` is its name in messages.
///
/// # Errors
/// The first thing that is wrong, with the number of its benchmark.
pub fn read_examiner_kernels(place: &str, text: &str) -> Result<Kernels, InputError> {
    let file: File = serde_json::from_str(text).map_err(|error| InputError {
        place: place.to_owned(),
        line: Some(error.line()).filter(|&line| line > 0),
        what: format!("{error}: want a configuration of the CUDA scheduling examiner").into(),
    })?;
    let refused = |what: String| InputError::new(place, what);
    refuse_iterations(file.max_iterations).map_err(refused)?;
    let (mut streams, mut tasks, mut process) = (Vec::new(), Vec::new(), Vec::new());
    for (number, benchmark) in (1..).zip(&file.benchmarks) {
        let name = benchmark.label.clone().unwrap_or_else(|| format!("benchmark {number}"));
        let error = |what: String| InputError::new(place, format!("benchmark {number} ({name}): {what}"));
        refuse_iterations(benchmark.max_iterations).map_err(error)?;
        refuse_mask(benchmark.sm_mask.as_deref()).map_err(error)?;
        if let Some(share) = benchmark.mps_thread_percentage.filter(|&share| share != 100.0) {
            return Err(error(format!(
                "mps_thread_percentage = {share}: a share is a limit, so blocks may wait beside free multiprocessors, which no \
                 bound covers: want 100"
            )));
        }
        let priority = benchmark.stream_priority.unwrap_or(0).checked_neg();
        let priority = priority.ok_or_else(|| error("stream_priority is too small".to_owned()))?;
        let release = seconds(benchmark.release_time.unwrap_or(0.0)).map_err(error)?;
        let parts = parts(benchmark, &name).map_err(error)?;
        let stream = streams.len();
        streams.push(Stream { name: name.clone(), priority });
        let mut now = release;
        for part in parts {
            refuse_mask(part.sm_mask.as_deref()).map_err(error)?;
            now = Some(now + seconds(part.delay.unwrap_or(0.0)).map_err(error)?)
                .filter(|&time| time <= Duration::MAX)
                .ok_or_else(|| error("delays exceed 2^62 picoseconds".to_owned()))?;
            tasks.push(task(part, stream, now, tasks.len()).map_err(error)?);
            process.push(stream);
        }
    }
    let names: Vec<String> = streams.iter().map(|stream| stream.name.clone()).collect();
    let system = System::new(Gpu::JETSON_TX2, TimeUnit::Nanoseconds, streams, tasks);
    let system = system.map_err(|what| InputError::new(place, what))?;
    let shares = file.benchmarks.iter().any(|benchmark| benchmark.mps_thread_percentage.is_some());
    let times = Shared::of_tegra(system.unit()).filter(|_| file.use_processes && names.len() > 1);
    let Some(times) = times else { return Ok(Kernels::One(system.assuming(vec![NEEDS.to_owned()]))) };
    if shares {
        // A percentage has a meaning under MPS alone, where processes do not take turns.
        let assumed = [NEEDS, MPS].map(str::to_owned).to_vec();
        return Ok(Kernels::One(system.assuming(assumed)));
    }
    let assumed = [NEEDS, Shared::OF_TEGRA].map(str::to_owned).to_vec();
    let shared = Shared::new(system.assuming(assumed), names, process, times);
    Ok(Kernels::Shared(shared.map_err(|(_, what)| InputError::new(place, what))?))
}

/// The kernels of a benchmark.
fn parts(benchmark: &Benchmark, name: &str) -> Result<Vec<Part>, String> {
    let file = benchmark.filename.rsplit('/').next().unwrap_or_default();
    if file.starts_with("multikernel") {
        return serde_json::from_value(benchmark.additional_info.clone())
            .map_err(|error| format!("additional_info: {error}"));
    }
    if file.starts_with("timer_spin_default_stream") {
        return Err(format!("filename = {file:?}: it launches into the NULL stream, which is not covered"));
    }
    if !file.starts_with("timer_spin") {
        return Err(format!("filename = {file:?}: C is known only of timer_spin and multikernel"));
    }
    let info = &benchmark.additional_info;
    let duration = info.as_u64().or_else(|| info.as_str()?.trim().parse().ok());
    Ok(vec![Part {
        kernel_label: Some(name.to_owned()),
        duration: duration.ok_or_else(|| {
            format!("additional_info = {info}: C is missing: want nanoseconds, a whole number")
        })?,
        block_count: benchmark.block_count.clone(),
        thread_count: benchmark.thread_count.clone(),
        shared_memory_size: 0,
        copy_in_count: 0,
        copy_out_count: 0,
        delay: None,
        sm_mask: None,
    }])
}

/// The kernel of a part on a Jetson TX2.
pub(super) fn task(part: Part, stream: usize, release: Duration, number: usize) -> Result<Task, String> {
    if part.copy_in_count > 0 || part.copy_out_count > 0 {
        return Err(
            "copies are given in bytes, not in time: want a system file with copy_in and copy_out".to_owned()
        );
    }
    let threads = count("thread_count", &part.thread_count)?;
    if threads > MOST_THREADS {
        return Err(format!("thread_count = {threads}: want {MOST_THREADS} or less"));
    }
    if part.shared_memory_size > MOST_SHARED {
        return Err(format!("shared_memory_size = {}: want {MOST_SHARED} or less", part.shared_memory_size));
    }
    let demand = Device::jetson_tx2().demand(threads, WARP, part.shared_memory_size, Between::exactly(0));
    let execution = part
        .duration
        .checked_mul(1000)
        .map(Duration)
        .filter(|&time| time > Duration(0) && time <= Duration::MAX);
    let execution = execution.ok_or_else(|| {
        format!("duration {} ns: want more than 0 and at most 2^62 picoseconds", part.duration)
    })?;
    Ok(Task {
        name: part.kernel_label.unwrap_or_else(|| format!("K{}", number + 1)),
        period: None,
        sporadic: false,
        jitter: Duration(0),
        deadline: None,
        release,
        fixed: true,
        execution: Source::Given(execution),
        measured: Measured::BesideOthers,
        blocks: count("block_count", &part.block_count)?,
        threads,
        block: demand.least(),
        least: demand.least(),
        stream,
        copy_in: Duration(0),
        copy_out: Duration(0),
        traffic: Vec::new(),
    })
}

/// A count, or the product of the sizes of up to three dimensions.
fn count(key: &str, value: &Value) -> Result<u64, String> {
    let sizes = match value {
        Value::Array(sizes) => sizes.iter().map(Value::as_u64).collect(),
        one => one.as_u64().map(|size| vec![size]),
    };
    let product = sizes.and_then(|sizes| sizes.into_iter().try_fold(1_u64, u64::checked_mul));
    product
        .filter(|&product| product > 0 && product <= 1 << 40)
        .ok_or_else(|| format!("{key} = {value}: want a whole number, 1 or more"))
}

/// Seconds as the examiner writes them, rounded to the nanosecond.
pub(super) fn seconds(seconds: f64) -> Result<Duration, String> {
    if seconds < 0.0 {
        return Err(format!("a time of {seconds} seconds: want a number, 0 or more"));
    }
    let text = format!("{seconds:.9}");
    TimeUnit::Seconds.read(&text).map_err(|what| format!("a time of {seconds} seconds: {what}"))
}
