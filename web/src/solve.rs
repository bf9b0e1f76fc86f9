//! The worst case: the record of `solve`, and the instance as the schedule has it.

use serde::Serialize;
use serde_json::Value;
use warpspan::engines::portfolio::Solver;
use warpspan::input::{Asked, MachineLaunch};
use warpspan::model::{Instance, Unit};
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
        let group = |group: &warpspan::model::WarpGroup| records::Group {
            kernel: group.kernel.to_string(),
            warps: group.warps,
        };
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
    let (asked, notes) = ask.meant()?;
    let limits = ask.limits();
    let solver = Solver::new().limits(&limits);
    let wrong = |error: warpspan::engines::portfolio::SolveError| error.message().to_string();
    let said = |of: &[warpspan::engines::portfolio::Note]| -> Vec<String> {
        of.iter().map(|note| note.message().to_string()).chain(notes.iter().cloned()).collect()
    };
    let (record, expanded) = match &asked {
        Asked::Workload(workload) => {
            let solution = solver.solve(workload).map_err(wrong)?;
            let issues = workload.instance().map_or(0, Instance::total_issues);
            let with_schedule = ask.with_schedule && issues <= MOST_ISSUES;
            let record = Solve::new(workload, &solution, &said(solution.notes()), with_schedule);
            let expanded = workload.instance().map(|of| Expanded::new(of, workload.warps_per_block()));
            (record, expanded)
        }
        Asked::Grid(grid) => {
            let solution = solver.solve_grid(grid).map_err(wrong)?;
            (Solve::of_grid(grid, &solution, &said(solution.notes()), ask.with_schedule), None)
        }
        Asked::OnMachine(on) => {
            let solution = match &on.launch {
                MachineLaunch::Workload(workload) => solver.solve_on_machine(workload),
                MachineLaunch::Grid(grid) => solver.solve_grid_on_machine(grid),
            };
            let solution = solution.map_err(wrong)?;
            (Solve::on_machine(on, &solution, &said(solution.notes()), ask.with_schedule), None)
        }
    };
    json(Answer { record: Envelope::new(record), expanded })
}
