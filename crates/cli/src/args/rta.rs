//! Flags of `rta`.

use std::path::PathBuf;

use clap::Args;

use crate::Failure;
use crate::args::{Format, LimitArgs};
use warpspan_rta::Method;

#[derive(Debug, Args)]
pub(crate) struct RtaArgs {
    /// A system (TOML), an AMALTHEA model (.amxmi), or a configuration of the CUDA scheduling examiner (.json); `-` for standard
    /// input
    #[arg(value_name = "FILE", required_unless_present = "measured")]
    pub(crate) file: Option<PathBuf>,
    /// How estimates are found [default: algorithm2]
    ///
    /// The verdict rests on what is proved, whatever the method.
    #[arg(long, value_enum)]
    pub(crate) method: Option<Method>,
    /// Only launches before this time, in the system's unit [default: all]
    #[arg(long, value_name = "TIME")]
    pub(crate) horizon: Option<String>,
    /// Write which blocks ran where and when: .csv, .json or .svg
    ///
    /// These are the blocks on each multiprocessor in the computed run.
    #[arg(long, value_name = "FILE")]
    pub(crate) schedule: Option<PathBuf>,
    /// Write the response bounds with their proof: .v, for Coq
    #[arg(long, value_name = "FILE.v")]
    pub(crate) certificate: Option<PathBuf>,
    /// Put that schedule into the JSON, for `report`
    #[arg(long)]
    pub(crate) with_schedule: bool,
    /// Say where each response bound comes from, and how Algorithm 2 places each launch
    #[arg(long)]
    pub(crate) explain: bool,
    /// Say how far each number that the answer rests on may be wrong, or which would do
    ///
    /// The last value with which all deadlines are proved is searched for, while all else stays as it is.
    #[arg(long)]
    pub(crate) margins: bool,
    /// Also bound the reaction along these tasks of an AMALTHEA model: A,B,C (repeatable)
    #[arg(long, value_name = "TASKS")]
    pub(crate) chain: Vec<String>,
    /// Verify the limits of event chains of an AMALTHEA model at its offsets
    #[arg(long)]
    pub(crate) at_offsets: bool,
    /// Write the AMALTHEA model again, with the results as custom properties
    #[arg(long, value_name = "FILE.amxmi")]
    pub(crate) annotate: Option<PathBuf>,
    /// Write the results of the tasks of an AMALTHEA model as a table
    #[arg(long, value_name = "FILE.csv")]
    pub(crate) csv: Option<PathBuf>,
    /// Draw all multiprocessors as one, as Pa19 does
    #[arg(long, requires = "schedule")]
    pub(crate) big_sm: bool,
    /// Compare this measured run with the computed one
    ///
    /// It is checked against the scheduling rules. The files are result logs of the CUDA scheduling examiner.
    #[arg(
        long,
        value_name = "LOG",
        num_args = 1..,
        conflicts_with_all = ["method", "horizon", "certificate", "with_schedule", "explain", "margins"]
    )]
    pub(crate) measured: Vec<PathBuf>,
    /// How far measured times may be off before a rule counts as broken: 10us, 1ms
    #[arg(
        long,
        value_name = "TIME",
        value_parser = humantime::parse_duration,
        default_value = "10us",
        requires = "measured"
    )]
    pub(crate) tolerance: std::time::Duration,
    /// Output on stdout
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

pub(crate) fn refuse(given: &[(&str, bool)], why: &str) -> Result<(), Failure> {
    match given.iter().find(|(_, given)| *given) {
        Some((flag, _)) => Err(Failure::usage(format!("{flag} {why}"))),
        None => Ok(()),
    }
}
