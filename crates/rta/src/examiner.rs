//! Reads a configuration of the public CUDA scheduling examiner (N. Otterness, T. Amert and others), the tool
//! with which the rules of the GPU's scheduler were found and with which chapter 4 of Pa19 was measured.
//!
//! Each benchmark is one launch in a separate stream. `timer_spin` takes its C in nanoseconds from `additional_info`;
//! `sharedmem_timer_spin` has `duration` and `shared_memory_size` there, and `multikernel` a list of kernels, also with
//! `delay`, which are launched one after the other in one stream. `shared_memory_size` counts integers of 32 bits. `release_time` is in seconds; a smaller `stream_priority` is more urgent, as in CUDA.
//! Keys that say how to measure change no launch and are ignored; several iterations and shares of multiprocessors are
//! refused, and so is any other key. With `use_processes` each benchmark is a process of its own, and they take turns
//! on the GPU; where benchmarks have a share of MPS, of 100 %, their kernels run side by side. The configuration names
//! no periods, hence no deadlines, and no GPU: the reader takes the Jetson TX2.
//!
//! `sm_mask` is a mask of libsmctrl: a set bit disables the TPC of its number, and after `~` a set bit enables it. The
//! mask of a kernel overrides that of its benchmark, unless no bit of it is set (`libsmctrl_set_next_mask` and
//! `libsmctrl_set_stream_mask`). Where all kernels may use the same TPCs, no block is ever on another one, so the rules
//! are those of a GPU that has these alone. Kernels with different masks are refused: the rules were found without
//! masks, and do not say whether a launch at the head of a queue that waits for its own TPCs holds up those behind it.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeOwned, DeserializeSeed, IgnoredAny, IntoDeserializer, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::shared::rests_on_mps;
use crate::{Kernels, Measured, Shared, Source, Stream, System, Task};
use warpspan_kernel::input::Device;
use warpspan_model::assumption::{Assumption, Id};
use warpspan_model::device::{Between, Gpu, Grouping, WARP};
use warpspan_model::source::{InputError, MOST_SHARED, MOST_THREADS, json};
use warpspan_model::time::{Duration, Nanoseconds, TimeUnit};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(alias = "plugins")]
    benchmarks: Vec<Commented<Benchmark>>,
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
}

/// An object that may have any number of keys `comment` besides its own.
struct Commented<T>(T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Commented<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Comments(PhantomData))
    }
}

struct Comments<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Comments<T> {
    type Value = Commented<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        T::deserialize(MapAccessDeserializer::new(WithoutComments(map))).map(Commented)
    }
}

/// The entries of an object that are no comments.
struct WithoutComments<A>(A);

impl<'de, A: MapAccess<'de>> MapAccess<'de> for WithoutComments<A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        while let Some(key) = self.0.next_key::<String>()? {
            if key != "comment" {
                return seed.deserialize(key.into_deserializer()).map(Some);
            }
            self.0.next_value::<IgnoredAny>()?;
        }
        Ok(None)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.0.next_value_seed(seed)
    }
}

/// What the text should be.
const WANT: &str = "a configuration of the CUDA scheduling examiner";

/// What a configuration does not say of the kernels of the examiner. With 32 registers a thread, registers limit no
/// block of a Jetson TX2 that its threads do not.
fn needs() -> Assumption {
    let value = "at most 32 registers for each thread, and no shared memory but what is given";
    Assumption::assumed(Id::LaunchRegisters, "a block of the examiner needs", value)
}

/// A kernel of a benchmark.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Part {
    pub(super) kernel_label: Option<String>,
    /// C in nanoseconds.
    pub(super) duration: u64,
    pub(super) block_count: Value,
    pub(super) thread_count: Value,
    /// In bytes.
    #[serde(default, rename = "shared_memory_size", deserialize_with = "bytes_of_integers")]
    pub(super) shared_memory: u64,
    #[serde(default)]
    pub(super) copy_in_count: u64,
    #[serde(default)]
    pub(super) copy_out_count: u64,
    pub(super) delay: Option<f64>,
    pub(super) sm_mask: Option<String>,
}

/// What `sharedmem_timer_spin` is told.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Spin {
    /// C in nanoseconds.
    duration: u64,
    /// In bytes.
    #[serde(rename = "shared_memory_size", deserialize_with = "bytes_of_integers")]
    shared_memory: u64,
}

/// The bytes of a number of integers of 32 bits, which is how the examiner counts shared memory.
fn bytes_of_integers<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let integers = u64::deserialize(deserializer)?;
    let bytes = integers.checked_mul(4).filter(|&bytes| bytes <= MOST_SHARED);
    bytes.ok_or_else(|| {
        let most = MOST_SHARED / 4;
        serde::de::Error::custom(format!(
            "shared_memory_size = {integers}: want {most} or less, in integers of 32 bits"
        ))
    })
}

/// Refuses what makes a benchmark launch again and again, which is not analysed.
fn refuse_iterations(iterations: Option<f64>) -> Result<(), String> {
    let found = match iterations {
        Some(1.0) => return Ok(()),
        Some(iterations) => format!("max_iterations = {iterations}"),
        None => "no max_iterations".to_owned(),
    };
    Err(format!(
        "{found}: only the first launch of each benchmark is analysed, and later ones may delay it: want 1"
    ))
}

/// The TPCs that a mask disables, a bit for each.
fn disabled(mask: Option<&str>) -> Result<u64, String> {
    let Some(mask) = mask else { return Ok(0) };
    let digits = mask.strip_prefix('~').unwrap_or(mask);
    let bits = u64::from_str_radix(digits.strip_prefix("0x").unwrap_or(digits), 16)
        .map_err(|_| format!("sm_mask = {mask:?}: want a number in hexadecimal, such as \"0xf0\""))?;
    Ok(if mask.starts_with('~') { !bits } else { bits })
}

/// The TPCs of a GPU.
#[derive(Debug, Clone, Copy)]
struct Tpcs {
    /// How many there are.
    count: u64,
    /// The multiprocessors of each.
    multiprocessors: u64,
}

impl Tpcs {
    /// Those of the Jetson TX2.
    fn of_jetson_tx2() -> Self {
        let known = "6.2".parse().ok().and_then(|capability| Grouping::of(&capability));
        let multiprocessors = known.map_or(1, |row| row.multiprocessors_per_tpc);
        Self { count: Gpu::JETSON_TX2.multiprocessors / multiprocessors, multiprocessors }
    }

    /// The TPCs that are left to a kernel, a bit for each.
    fn left(self, mask: Option<&str>, of_stream: u64) -> Result<u64, String> {
        let own = disabled(mask)?;
        let left = !(if own == 0 { of_stream } else { own }) & ((1 << self.count) - 1);
        if left == 0 {
            let mask = mask.filter(|_| own != 0).map_or_else(|| format!("{of_stream:#x}"), str::to_owned);
            return Err(format!(
                "sm_mask = {mask:?}: it leaves none of the {} TPCs of a Jetson TX2, of {} multiprocessor each: want one or more",
                self.count, self.multiprocessors
            ));
        }
        Ok(left)
    }

    /// The numbers of these TPCs, for a person.
    fn named(self, tpcs: u64) -> String {
        let numbers = (0..self.count).filter(|&tpc| tpcs >> tpc & 1 == 1).map(|tpc| tpc.to_string());
        numbers.collect::<Vec<_>>().join(", ")
    }
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
    let Commented(file): Commented<File> =
        json(text.as_bytes(), WANT).map_err(|error| error.within(place))?;
    let refused = |what: String| InputError::new(place, what);
    if file.max_iterations.is_some() {
        refuse_iterations(file.max_iterations).map_err(refused)?;
    }
    let tpcs = Tpcs::of_jetson_tx2();
    // The TPCs of the first kernel, and its name.
    let mut of_all: Option<(u64, String)> = None;
    let (mut streams, mut tasks, mut process) = (Vec::new(), Vec::new(), Vec::new());
    for (number, Commented(benchmark)) in (1..).zip(&file.benchmarks) {
        let name = benchmark.label.clone().unwrap_or_else(|| format!("benchmark {number}"));
        let error = |what: String| InputError::new(place, format!("benchmark {number} ({name}): {what}"));
        refuse_iterations(benchmark.max_iterations.or(file.max_iterations)).map_err(error)?;
        let of_stream = disabled(benchmark.sm_mask.as_deref()).map_err(error)?;
        if let Some(share) = benchmark.mps_thread_percentage.filter(|&share| share != 100.0) {
            return Err(error(format!(
                "mps_thread_percentage = {share}: a share is a limit, so blocks may wait while multiprocessors are free, which no \
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
            let left = tpcs.left(part.sm_mask.as_deref(), of_stream).map_err(error)?;
            now = Some(now + seconds(part.delay.unwrap_or(0.0)).map_err(error)?)
                .filter(|&time| time <= Duration::MAX)
                .ok_or_else(|| error("delays exceed 2^62 picoseconds".to_owned()))?;
            let task = task(part, stream, now, tasks.len()).map_err(error)?;
            let (of_first, first) = of_all.get_or_insert_with(|| (left, task.name.clone()));
            if left != *of_first {
                return Err(error(format!(
                    "sm_mask: it leaves {} the TPCs {}, and {first} has {}: the rules do not say how launches with different \
                     masks wait for each other: want one mask for all",
                    task.name,
                    tpcs.named(left),
                    tpcs.named(*of_first)
                )));
            }
            tasks.push(task);
            process.push(stream);
        }
    }
    let mut on: Vec<Assumption> = Device::jetson_tx2().running.into_iter().chain([needs()]).collect();
    let mut gpu = Gpu::JETSON_TX2;
    if let Some((left, _)) = of_all
        && u64::from(left.count_ones()) < tpcs.count
    {
        gpu.multiprocessors = u64::from(left.count_ones()) * tpcs.multiprocessors;
        let value = format!(
            "TPC {} of a Jetson TX2 alone, each of {} multiprocessor",
            tpcs.named(left),
            tpcs.multiprocessors
        );
        on.push(Assumption::declared(Id::GpuMultiprocessors, "all kernels run on", value).by("sm_mask"));
    }
    let names: Vec<String> = streams.iter().map(|stream| stream.name.clone()).collect();
    let system = System::new(gpu, TimeUnit::Nanoseconds, streams, tasks);
    let system = system.map_err(|what| InputError::new(place, what))?.resting_on(on.into());
    let shares = file.benchmarks.iter().any(|benchmark| benchmark.0.mps_thread_percentage.is_some());
    let times = Shared::of_tegra(system.unit()).filter(|_| file.use_processes && names.len() > 1);
    let Some(times) = times else { return Ok(Kernels::One(system)) };
    if shares {
        // A percentage has a meaning under MPS alone, where processes do not take turns.
        return Ok(Kernels::One(system.resting_on(rests_on_mps())));
    }
    let shared = Shared::new(system.resting_on(Shared::rests_on_tegra()), names, process, times);
    Ok(Kernels::Shared(shared.map_err(|(_, what)| InputError::new(place, what))?))
}

/// What a benchmark is told besides.
fn informed<T: DeserializeOwned>(info: &Value) -> Result<T, String> {
    json(info.to_string().as_bytes(), "").map_err(|error| format!("additional_info: {}", error.what))
}

/// The kernels of a benchmark.
fn parts(benchmark: &Benchmark, name: &str) -> Result<Vec<Part>, String> {
    let file = benchmark.filename.rsplit('/').next().unwrap_or_default();
    if file.starts_with("multikernel") {
        return informed(&benchmark.additional_info);
    }
    if file.starts_with("timer_spin_default_stream") {
        return Err(format!("filename = {file:?}: it launches into the NULL stream, which is not covered"));
    }
    let info = &benchmark.additional_info;
    let Spin { duration, shared_memory } = if file.starts_with("sharedmem_timer_spin") {
        informed(info)?
    } else if file.starts_with("timer_spin") {
        let duration = info.as_u64().or_else(|| info.as_str()?.trim().parse().ok());
        let missing = || {
            format!(
                "additional_info = {info}: C is missing: want nanoseconds, a whole number, {} or less",
                u64::MAX
            )
        };
        Spin { duration: duration.ok_or_else(missing)?, shared_memory: 0 }
    } else {
        return Err(format!(
            "filename = {file:?}: C is known only of timer_spin, sharedmem_timer_spin and multikernel"
        ));
    };
    Ok(vec![Part {
        kernel_label: Some(name.to_owned()),
        duration,
        block_count: benchmark.block_count.clone(),
        thread_count: benchmark.thread_count.clone(),
        shared_memory,
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
    if part.shared_memory > MOST_SHARED {
        return Err(format!("{} bytes of shared memory: want {MOST_SHARED} or less", part.shared_memory));
    }
    let demand = Device::jetson_tx2().demand(threads, WARP, part.shared_memory, Between::exactly(0));
    let execution = Nanoseconds(part.duration).grains().filter(|&time| time > Duration::ZERO);
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
        .ok_or_else(|| format!("{key} = {value}: want a whole number, 1 to {}", 1_u64 << 40))
}

/// Seconds as the examiner writes them, rounded to the nanosecond.
pub(super) fn seconds(seconds: f64) -> Result<Duration, String> {
    if seconds < 0.0 {
        return Err(format!("a time of {seconds} seconds: want a number, 0 or more"));
    }
    let text = format!("{seconds:.9}");
    TimeUnit::Seconds.read(&text).map_err(|what| format!("a time of {seconds} seconds: {what}"))
}
