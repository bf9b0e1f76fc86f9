//! Response times, partitions and time-triggered schedules.

mod amalthea;
mod gpu;
mod gpus;
mod measured;
mod measured_rules;
mod partition;
mod partition_command;
mod partition_measured;
mod partition_tests;
mod partitions;
mod prem;
mod prem_artefact;
mod prem_measured;
mod prem_properties;
mod prem_sharing;
mod prem_tasks;
mod rta;
mod rta_command_line;
mod rta_explain;
mod rta_machine;
mod rta_memory;
mod rta_properties;
mod rta_relay;
mod rta_serial;
mod time;
mod together;
