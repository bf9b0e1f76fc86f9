//! The launches of several logs as one run, and as a system whose kernels are launched once each.

use std::collections::HashMap;

use crate::measured::kernels::{fits, of_file, of_log};
use crate::measured::{Launch, Log, Logged};
use crate::{Occupancy, Stay, Stream, System, Window};
use warpspan_model::device::Gpu;
use warpspan_model::source::InputError;
use warpspan_model::time::{Duration, TimeUnit};

/// The most blocks of a run.
const MOST_BLOCKS: usize = 1_000_000;

/// A measured run.
#[derive(Debug, Clone)]
pub struct Measurement {
    /// The launches as kernels that are launched once, at the time at which the launch call returned, each log
    /// in a stream of its own.
    pub(super) system: System,
    /// The launches in the order in which their calls returned; each has the index of its kernel.
    pub(super) launches: Vec<Launch>,
}

impl Measurement {
    /// The run of all logs. C, the priority, the registers and the GPU are those of `file`, whose kernels have
    /// the labels of the logs. Without a file, C of a kernel is its longest measured block, the priorities are
    /// equal, and the GPU is a Jetson TX2.
    ///
    /// # Errors
    /// If there is no launch, or more than a million blocks; if logs are of several processes; or if a log does
    /// not fit the file or the GPU.
    pub fn new(logs: &[Log], file: Option<&System>) -> Result<Self, InputError> {
        let Some(first) = logs.first() else {
            return Err(InputError::new(
                "",
                "no log is given: want a result log of the CUDA scheduling examiner",
            ));
        };
        let gpu = file.map_or(Gpu::JETSON_TX2, |file| file.gpu().clone());
        if let Some(file) = file.filter(|file| matches!(file.unit(), TimeUnit::Ticks | TimeUnit::Cycles)) {
            let what = format!(
                "times of logs are seconds, those of the system are {}: want ns, us, ms or s",
                file.unit()
            );
            return Err(InputError::new(&first.place, what));
        }
        for log in logs {
            fits(log, first, &gpu, file.is_some())?;
        }
        let all: Vec<(usize, &Logged)> = logs
            .iter()
            .enumerate()
            .flat_map(|(number, log)| log.launches.iter().map(move |launch| (number, launch)))
            .collect();
        let blocks: usize = all.iter().map(|(_, launch)| launch.blocks.len()).sum();
        if blocks > MOST_BLOCKS {
            let what =
                format!("{blocks} blocks in all logs: want {MOST_BLOCKS} or less, so fewer logs at once");
            return Err(InputError::new(&first.place, what));
        }
        if all.is_empty() {
            let what = "no launch in any log: want a kernel in its list of times";
            return Err(InputError::new(&first.place, what));
        }
        // The sort is stable, so launches of one log stay in their order.
        let mut order = all;
        order.sort_by_key(|(_, launch)| launch.returned);
        let mut longest: HashMap<String, Duration> = HashMap::new();
        for &(log, launch) in &order {
            let block = launch.blocks.iter().map(|block| block.end - block.start).max().unwrap_or_default();
            let known = longest.entry(name(&logs[log], launch)).or_default();
            *known = block.max(*known);
        }
        let mut streams: Vec<Option<Stream>> = vec![None; logs.len()];
        let (mut tasks, mut launches) = (Vec::new(), Vec::new());
        let (mut numbers, mut last): (HashMap<String, u64>, HashMap<usize, usize>) = Default::default();
        for (stream, launch) in order {
            let log = &logs[stream];
            let error = |what: String| InputError {
                place: log.place.clone(),
                line: Some(launch.line),
                what: what.into(),
            };
            let name = name(log, launch);
            let (task, priority) = match file {
                Some(file) => of_file(file, log, launch, stream, &name).map_err(error)?,
                None => (of_log(launch, stream, &name, longest[&name]).map_err(error)?, 0),
            };
            let this = Stream { name: log.label.clone(), priority };
            if streams[stream].replace(this).is_some_and(|known| known.priority != priority) {
                return Err(error("its kernels have several priorities in the system: want one, since a log is of one stream".to_owned()));
            }
            let number = numbers.entry(name).or_default();
            launches.push(Launch {
                number: *number,
                called: launch.called,
                returned: launch.returned,
                synchronised: launch.synchronised,
                copies: launch.copies,
                ahead: last.insert(stream, tasks.len()),
                blocks: launch.blocks.clone(),
            });
            *number += 1;
            tasks.push(task);
        }
        let none = |(stream, log): (Option<Stream>, &Log)| {
            stream.unwrap_or_else(|| Stream { name: log.label.clone(), priority: 0 })
        };
        let streams = streams.into_iter().zip(logs).map(none).collect();
        let system = match file {
            Some(file) => file.with_launches(streams, tasks),
            None => System::new(gpu, TimeUnit::Seconds, streams, tasks),
        };
        let system = system.map_err(|what| InputError::new(&first.place, what))?;
        Ok(Self { system, launches })
    }

    /// The launches as a system. Times are in seconds.
    pub fn system(&self) -> &System {
        &self.system
    }

    /// The launches, in the order of the system's kernels.
    pub fn launches(&self) -> &[Launch] {
        &self.launches
    }

    /// What a drawing shows of the measured blocks.
    pub fn occupancy(&self) -> Occupancy {
        let stays = self.launches.iter().enumerate().flat_map(|(kernel, launch)| {
            launch.blocks.iter().map(move |block| Stay {
                kernel,
                launch: 0,
                multiprocessor: block.multiprocessor,
                start: block.start,
                end: block.end,
                blocks: 1,
                rounds: 1,
            })
        });
        let mut stays: Vec<Stay> = stays.collect();
        stays.sort_by_key(|stay| stay.start);
        let all = Occupancy { stays, ..Occupancy::new(&self.system, &[], &[]) };
        let tasks = self.system.tasks().iter();
        self.named(all.with_launches(tasks.map(|task| (task.release, task.period, task.deadline))))
    }

    /// The same occupancy with the launches of one kernel under one name.
    pub(super) fn named(&self, occupancy: Occupancy) -> Occupancy {
        let mut kernels: Vec<(String, u64)> = Vec::new();
        let mut known: HashMap<(String, u64), usize> = HashMap::new();
        let mut of = |kernel: &(String, u64)| {
            *known.entry(kernel.clone()).or_insert_with(|| {
                kernels.push(kernel.clone());
                kernels.len() - 1
            })
        };
        let names: Vec<usize> = occupancy.kernels.iter().map(&mut of).collect();
        let stay = |stay: Stay| Stay {
            kernel: names[stay.kernel],
            launch: self.launches[stay.kernel].number,
            ..stay
        };
        let window = |window: Window| Window {
            kernel: names[window.kernel],
            launch: self.launches[window.kernel].number,
            ..window
        };
        let stays = occupancy.stays.into_iter().map(stay).collect();
        let windows = occupancy.windows.into_iter().map(window).collect();
        Occupancy { kernels, stays, windows, ..occupancy }
    }
}

/// The name of a launch's kernel: the label of its log, and its own name where the log has several.
fn name(log: &Log, launch: &Logged) -> String {
    if log.launches.iter().all(|other| other.name == launch.name) {
        log.label.clone()
    } else {
        format!("{} {}", log.label, launch.name)
    }
}
