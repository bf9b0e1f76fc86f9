//! Worst cases of kernels against deadlines on a GPU: response times, partitions and time-triggered
//! schedules.

pub mod partition;
pub mod prem;
pub mod rta;
