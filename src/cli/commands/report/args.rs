//! Flags of `report`.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
pub(in crate::cli) struct ReportArgs {
    /// Tables of `sweep` (.csv, .jsonl), or lines of `solve --with-schedule`, `rta`, `prem` or `simulate` with `--format json`, or of `extract --warps`
    /// (.json, .jsonl)
    #[arg(value_name = "FILE", required = true)]
    pub(in crate::cli) files: Vec<PathBuf>,
    /// Folder for index.html and the figures; made if there is none
    #[arg(short, long, value_name = "FOLDER")]
    pub(in crate::cli) output: PathBuf,
    /// Draw runs of `rta` and schedules from this time on: in the unit of the run, or a cycle
    #[arg(long, value_name = "TIME")]
    pub(in crate::cli) from: Option<String>,
    /// Draw them up to this time
    #[arg(long, value_name = "TIME")]
    pub(in crate::cli) to: Option<String>,
}
