//! Flags of `report`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// Tables of `sweep`, or records of other commands
    ///
    /// These are tables (.csv, .jsonl), or what `solve`, `bound`, `time`, `budget`, `extract`, `compare`, `rta`, `prem`, `partition` or
    /// `simulate` print with `--format json` (.json, .jsonl).
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Folder for index.html and the figures; made if there is none
    #[arg(short, long, value_name = "FOLDER")]
    pub(crate) output: PathBuf,
    /// Draw runs of `rta` and schedules from this time on: in the unit of the run, or a cycle
    #[arg(long, value_name = "TIME")]
    pub(crate) from: Option<String>,
    /// Draw them up to this time
    #[arg(long, value_name = "TIME")]
    pub(crate) to: Option<String>,
    /// Draw only figures that compare rows of tables: a line for each of these
    #[arg(long, value_name = "WHAT", value_enum)]
    pub(crate) by: Option<ByArg>,
    /// Only rows of these kernels
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    pub(crate) kernels: Vec<String>,
    /// Only rows of these numbers of warps: N, A..B, A..B/STEP, and lists of these
    #[arg(long, value_name = "NUMBERS", value_parser = Numbers::read)]
    pub(crate) warps: Option<Numbers>,
    /// Only rows of these sigma_L
    #[arg(long, value_name = "R,R", value_delimiter = ',')]
    pub(crate) sigma_l: Vec<String>,
    /// Only rows of these sigma_C
    #[arg(long, value_name = "R,R", value_delimiter = ',')]
    pub(crate) sigma_c: Vec<String>,
    /// The title of the page, and with --by of each figure
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,
    /// Draw figures as wide as a column of a paper, with type of 9 points: 345pt, 88mm, 8.8cm, 3.5in or \linewidth
    #[arg(long, value_name = "LENGTH", conflicts_with = "size")]
    pub(crate) width: Option<String>,
    /// Draw figures without a title, which a paper has in the caption
    #[arg(long)]
    pub(crate) no_title: bool,
    /// Width and height of the figures of --by in pixels [default: 960x400]
    #[arg(long, value_name = "WxH", requires = "by", value_parser = size)]
    pub(crate) size: Option<(u16, u16)>,
}

/// What tells the lines of a figure apart.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum ByArg {
    /// A line for each kernel, against warps
    Kernel,
    /// A line for each pair of sigmas, against warps
    Sigma,
    /// A line for each number of warps, against kernels
    Warps,
    /// A line for each simulated policy, against warps
    Policy,
}

/// Numbers in a list.
#[derive(Debug, Clone)]
pub(crate) struct Numbers(
    #[cfg_attr(not(feature = "figures"), expect(dead_code, reason = "only drawings choose among rows"))]
    pub(crate) Vec<u64>,
);

impl Numbers {
    fn read(text: &str) -> Result<Self, String> {
        warpspan_sweep::numbers(text).map(Self)
    }
}

/// A size in pixels, of which enough is left for the axes.
fn size(text: &str) -> Result<(u16, u16), String> {
    let wanted = || {
        format!("{text:?}: want WxH with a width of 480 to 4000 and a height of 200 to 4000, such as 960x400")
    };
    let (width, height) = text.split_once('x').ok_or_else(wanted)?;
    let number = |text: &str, least: u16| text.parse().ok().filter(|number| (least..=4000).contains(number));
    number(width, 480).zip(number(height, 200)).ok_or_else(wanted)
}
