//! Which kernel a launch of a log is, and whether a log fits the system and the GPU.

use serde_json::Value;

use crate::examiner::{Part, task};
use crate::measured::{Log, Logged};
use crate::{System, Task};
use warpspan_model::device::Gpu;
use warpspan_model::source::InputError;
use warpspan_model::time::Duration;

/// Checks that a log is of the same process as the first one, and of this GPU.
pub(super) fn fits(log: &Log, first: &Log, gpu: &Gpu, is_given: bool) -> Result<(), InputError> {
    let error = |what: String| Err(InputError::new(&log.place, what));
    if log.process != first.process {
        return error(format!(
            "process {}, but {} is of process {}: want logs of one process, since the rules do not say how processes share a GPU",
            log.process, first.place, first.process
        ));
    }
    let threads = gpu.multiprocessors.saturating_mul(gpu.resources.threads);
    if log.threads != threads {
        let gpu = if is_given { "the GPU of the system" } else { "a Jetson TX2" };
        let want = if is_given { "its GPU as [gpu]" } else { "a system file with its [gpu] as well" };
        return error(format!("max_resident_threads = {}: {gpu} has {threads}; want {want}", log.threads));
    }
    let multiprocessors = usize::try_from(gpu.multiprocessors).unwrap_or(usize::MAX);
    for launch in &log.launches {
        if let Some(block) = launch.blocks.iter().find(|block| block.multiprocessor >= multiprocessors) {
            return Err(InputError {
                place: log.place.clone(),
                line: Some(launch.line),
                what: format!(
                    "block_smids: {}: the GPU has {multiprocessors} multiprocessors, which count from 0",
                    block.multiprocessor
                )
                .into(),
            });
        }
    }
    Ok(())
}

/// The kernel of a launch, with what the log says of it.
pub(super) fn of_log(launch: &Logged, stream: usize, name: &str, longest: Duration) -> Result<Task, String> {
    let part = Part {
        kernel_label: Some(name.to_owned()),
        duration: longest.0.div_ceil(1000),
        block_count: Value::from(launch.blocks.len()),
        thread_count: Value::from(launch.threads),
        shared_memory: launch.shared_memory,
        copy_in_count: 0,
        copy_out_count: 0,
        delay: None,
        sm_mask: None,
    };
    task(part, stream, launch.returned, 0)
}

/// The kernel of a launch, with what the system says of it, and the priority of its stream there.
pub(super) fn of_file(
    file: &System,
    log: &Log,
    launch: &Logged,
    stream: usize,
    name: &str,
) -> Result<(Task, i64), String> {
    let tasks = file.tasks();
    let in_stream = |task: &&Task| file.streams()[task.stream].name == log.label && task.name == launch.name;
    let found = (tasks.iter().find(|task| task.name == name || task.name == log.label))
        .or_else(|| tasks.iter().find(in_stream))
        .or_else(|| tasks.iter().find(|task| task.name == launch.name));
    let task = found.ok_or_else(|| {
        let known: Vec<&str> = tasks.iter().take(8).map(|task| task.name.as_str()).collect();
        format!("the system has no kernel named {:?}: want one of {}", log.label, known.join(", "))
    })?;
    let blocks = launch.blocks.len() as u64;
    let counts = [
        ("blocks", blocks, task.blocks, blocks != task.blocks),
        ("threads in a block", launch.threads, task.threads, launch.threads != task.threads),
        (
            "bytes of shared memory",
            launch.shared_memory,
            task.block.shared_memory,
            launch.shared_memory > task.block.shared_memory,
        ),
    ];
    if let Some((what, found, wanted, _)) = counts.into_iter().find(|&(.., differs)| differs) {
        return Err(format!("{found} {what}: kernel {} of the system has {wanted}", task.name));
    }
    let priority = file.streams()[task.stream].priority;
    let task = Task {
        name: name.to_owned(),
        period: None,
        sporadic: false,
        jitter: Duration::ZERO,
        deadline: None,
        release: launch.returned,
        fixed: true,
        stream,
        // The host waits for copies before and after the launch.
        copy_in: Duration::ZERO,
        copy_out: Duration::ZERO,
        ..task.clone()
    };
    Ok((task, priority))
}
