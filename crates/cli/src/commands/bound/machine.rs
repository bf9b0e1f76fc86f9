//! `warpspan bound` on a machine with latency and issue width.

use crate::Failure;
use crate::args::Format;
use crate::commands::bound::args::BoundArgs;
use crate::commands::bound::text::answer;
use crate::flags::in_flags;
use crate::instances::Place;
use crate::output::print;
use crate::record::line_of;
use crate::screen::folded;
use crate::summary::Row;
use crate::text::{machine_heading, notes};
use warpspan_kernel::input::{MachineLaunch, OnMachine};
use warpspan_records::Bound;
use warpspan_solver::portfolio::{SolveError, machine_grid_table, machine_table};

/// Prints the bounds on a machine; the row is for the table of several instances.
pub(super) fn of_machine(on: &OnMachine, place: &Place, args: &BoundArgs) -> Result<Row, Failure> {
    let table = match &on.launch {
        MachineLaunch::Workload(workload) => machine_table(workload),
        MachineLaunch::Grid(grid) => machine_grid_table(grid),
    }
    .map_err(SolveError::from)?;
    let warps = match &on.launch {
        MachineLaunch::Workload(workload) => workload.total_warps(),
        MachineLaunch::Grid(grid) => grid.blocks() * grid.warps_per_block(),
    };
    let row = Row::of_bounds(warps, &table.rows);
    let of_table = table.notes.iter().map(|note| in_flags(&note.message()));
    let all_notes: Vec<String> = of_table.chain(place.notes.iter().cloned()).collect();
    print(&match args.format {
        Format::Text => {
            let mut out = answer(&machine_heading(on), &table.rows);
            out.push_str(&format!(
                "results     all there by the end of cycle {} at the latest\n",
                table.completion
            ));
            for (name, why) in &table.skipped {
                out.push_str(&format!("not used    {name}: {why}\n"));
            }
            folded(place.over(&(out + &notes(&all_notes))))
        }
        Format::Json => line_of(place, Bound::on_machine(on, table, all_notes))?,
    })?;
    Ok(row)
}
