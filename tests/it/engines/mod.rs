//! Engines against brute force, tables and each other.

mod beam;
mod evidence;
mod grids;
mod groups;
mod models;
mod oracle;
mod policy;
mod policy_groups;
pub(crate) mod policy_readings;
mod replays;
mod solver;
mod states;
