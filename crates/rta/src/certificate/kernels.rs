//! What bounds need to know of a system.

use crate::{System, Task};
use warpspan_model::time::Duration;

/// What the bounds need to know of a kernel. Times are in grains.
#[derive(Debug, Clone)]
pub(super) struct Kernel {
    /// Zero for a kernel that is launched once.
    pub(super) period: u128,
    pub(super) jitter: u128,
    pub(super) time: u128,
    pub(super) blocks: u128,
    pub(super) needs: [u128; 4],
    pub(super) stream: usize,
    pub(super) priority: i64,
    pub(super) copy_in: u128,
    pub(super) copy_out: u128,
}

/// A system whose bounds are sought.
#[derive(Debug)]
pub(super) struct Windows {
    pub(super) kernels: Vec<Kernel>,
    pub(super) room: [u128; 4],
    pub(super) multiprocessors: u128,
}

impl Windows {
    pub(super) fn new(system: &System, times: &[Duration], streams: &[usize]) -> Self {
        let kernel = |((task, time), &stream): ((&Task, &Duration), &usize)| Kernel {
            period: task.period.map_or(0, |period| period.0.into()),
            jitter: task.jitter.0.into(),
            time: time.0.into(),
            blocks: task.blocks.into(),
            needs: task.block.each().map(u128::from),
            stream,
            priority: system.streams()[task.stream].priority,
            copy_in: task.copy_in.0.into(),
            copy_out: task.copy_out.0.into(),
        };
        Self {
            kernels: system.tasks().iter().zip(times).zip(streams).map(kernel).collect(),
            room: system.gpu().resources.each().map(u128::from),
            multiprocessors: system.gpu().multiprocessors.into(),
        }
    }
}
