//! The worst case: the record of `solve`, and the instance as the schedule has it.

use serde::Serialize;
use serde_json::Value;
use warpspan::engines::portfolio::{Note, Solver};
use warpspan::input::Asked;
use warpspan::model::{Instance, Unit};
use warpspan::records::solve::subject;
use warpspan::records::{self, Envelope, Solve};

use crate::ask::Ask;
use crate::json;

/// An answer.
#[derive(Debug, Serialize)]
struct Answer {
    record: Envelope<Solve>,
    /// The kernels and sigmas that the schedule is of; null where it has several paths, or is a grid or a machine.
    expanded: Option<Expanded>,
}

/// An instance after its expansion to sub-warps: sigmas are whole.
#[derive(Debug, Serialize)]
pub(crate) struct Expanded {
    groups: Vec<records::Group>,
    sigma_l: u64,
    sigma_c: u64,
    /// Warps of a block; null for all of a group.
    warps_per_block: Option<u64>,
}

impl Expanded {
    pub(crate) fn new(instance: &Instance, warps_per_block: Option<u64>) -> Self {
        let group =
            |group: &warpspan::model::WarpGroup| records::Group::plain(group.kernel.to_string(), group.warps);
        Self {
            groups: instance.groups().iter().map(group).collect(),
            sigma_l: instance.sigma(Unit::LoadStore),
            sigma_c: instance.sigma(Unit::CudaCore),
            warps_per_block,
        }
    }
}

/// A schedule of more issues is left out: it would take long to hand over, and nobody steps through it.
const MOST_ISSUES: u64 = 200_000;

pub(crate) fn solve(ask: &Ask) -> Result<Value, String> {
    let (asked, of_asked) = ask.meant()?;
    let limits = ask.limits();
    let solver = Solver::new().limits(&limits);
    let wrong = |error: warpspan::engines::portfolio::SolveError| error.message().to_string();
    let solution = solver.solve(subject(&asked)).map_err(wrong)?;
    let instance = match &asked {
        Asked::Workload(workload) => workload.instance().map(|of| (of, workload.warps_per_block())),
        Asked::Grid(_) | Asked::OnMachine(_) => None,
    };
    let few = instance.is_none_or(|(of, _)| of.total_issues() <= MOST_ISSUES);
    let mut rests = Note::rests(solution.notes());
    rests.add(of_asked);
    let record = Solve::new(&asked, &solution, ask.with_schedule && few);
    let record = record.resting_on(&rests, ToString::to_string);
    let expanded = instance.map(|(of, warps_per_block)| Expanded::new(of, warps_per_block));
    json(Answer { record: Envelope::new(record), expanded })
}
