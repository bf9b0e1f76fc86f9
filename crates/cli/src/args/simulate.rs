//! Flags of `simulate`.

use std::path::PathBuf;

use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};

use crate::args::{Format, InstanceArgs, LimitArgs};
use warpspan_solver::policy::{Draw, Policy, Reading};

/// The policies to simulate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Policies {
    One(Policy),
    All,
}

impl Policies {
    /// The policies named, each once, in their order; none if all are asked for.
    pub(crate) fn named(all: &[Self]) -> Vec<Policy> {
        let mut named = Vec::new();
        for one in all {
            match one {
                Self::All => return Vec::new(),
                Self::One(policy) if named.contains(policy) => {}
                Self::One(policy) => named.push(*policy),
            }
        }
        named
    }
}

impl ValueEnum for Policies {
    fn value_variants<'a>() -> &'a [Self] {
        const VALUES: [Policies; Policy::ALL.len() + 1] = {
            let mut values = [Policies::All; Policy::ALL.len() + 1];
            let mut at = 0;
            while at < Policy::ALL.len() {
                values[at] = Policies::One(Policy::ALL[at]);
                at += 1;
            }
            values
        };
        &VALUES
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            Self::One(policy) => policy.to_possible_value(),
            Self::All => Some(PossibleValue::new("all").help("All of them that the machine allows")),
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct SimulateArgs {
    /// Which policies: one, or several as lrr,gto,rt-paws
    #[arg(long, value_enum, value_name = "NAME,NAME", value_delimiter = ',', default_value = "all")]
    pub(crate) policy: Vec<Policies>,
    /// Instructions that a scheduler issues a cycle [default: unlimited]
    ///
    /// Unlimited is as many as the units take, which is the model of the worst case.
    #[arg(long, value_name = "1|unlimited", value_parser = issue_width)]
    pub(crate) issue_width: Option<IssueWidth>,
    /// Cycles from the issue of a load/store until the warp is ready again [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(crate) latency_l: Option<u64>,
    /// Cycles from the issue of a CUDA-core instruction until the warp is ready again [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(crate) latency_c: Option<u64>,
    /// Of each issue on a machine whose letters have intervals of latency [default: most]
    #[arg(long, value_enum)]
    pub(crate) latency: Option<Draw>,
    /// The cycle after which the warps of each group are there: 0,1 [default: 0, that is, ready in cycle 1]
    #[arg(long, value_name = "T,T", value_delimiter = ',')]
    pub(crate) launch: Option<Vec<u64>>,
    /// The priority of each group, larger is more urgent: 1,2 [default: all 1]
    #[arg(long, value_name = "P,P", value_delimiter = ',')]
    pub(crate) priority: Option<Vec<u64>>,
    /// Which group of warps goes first under rt-paws [default: text]
    #[arg(long, value_enum)]
    pub(crate) reading: Option<Reading>,
    /// Warp schedulers; warp w, in order of launch, belongs to scheduler w mod N [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1024))]
    pub(crate) schedulers: Option<u64>,
    /// Of the random policy and of random latencies
    #[arg(long, value_name = "N", default_value = "0")]
    pub(crate) seed: u64,
    /// Write the schedule of a policy: .csv, .json or .svg
    ///
    /// A file .svg takes several policies.
    #[arg(long, value_name = "FILE")]
    pub(crate) schedule: Option<PathBuf>,
    /// Draw the response times of the groups, relative to the first policy, to a file (.svg)
    #[arg(long, value_name = "FILE")]
    pub(crate) chart: Option<PathBuf>,
    /// Output on stdout
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) instance: InstanceArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

/// How many instructions a scheduler issues a cycle; any number if it is `None`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct IssueWidth(pub(crate) Option<u64>);

fn issue_width(text: &str) -> Result<IssueWidth, String> {
    match text {
        "1" => Ok(IssueWidth(Some(1))),
        "unlimited" => Ok(IssueWidth(None)),
        _ => Err("want 1 or unlimited".into()),
    }
}
