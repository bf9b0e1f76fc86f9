//! From the worst case of a kernel to deadlines of a GPU: response times, partitions, time-triggered schedules.

pub mod partition;
pub mod prem;
pub mod rta;
