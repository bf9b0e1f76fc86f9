//! Worst cases of kernels against deadlines on a GPU: response times, partitions, time-triggered
//! schedules, and the time of a single launch.

pub mod amalthea;
pub mod graph;
pub mod partition;
pub mod prem;
pub mod processes;
pub mod rta;
pub mod time;
