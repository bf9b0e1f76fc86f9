//! `warpspan bound` on a machine with latency and issue width.

use crate::cli::Failure;
use crate::cli::args::Format;
use crate::cli::commands::bound::args::BoundArgs;
use crate::cli::commands::bound::text::answer;
use crate::cli::instances::Place;
use crate::cli::output::print;
use crate::cli::record::line_of;
use crate::cli::screen::folded;
use crate::cli::text::{machine_heading, notes};
use crate::engines::portfolio::{SolveError, machine_grid_table, machine_table};
use crate::input::{MachineLaunch, OnMachine};
use crate::records::Bound;

/// Prints the bounds on a machine.
pub(super) fn of_machine(on: &OnMachine, place: &Place, args: &BoundArgs) -> Result<(), Failure> {
    if args.up_to.is_some() {
        return Err(Failure::usage("--up-to: the estimate is of the machine of two sigmas"));
    }
    let table = match &on.launch {
        MachineLaunch::Workload(workload) => machine_table(workload),
        MachineLaunch::Grid(grid) => machine_grid_table(grid),
    }
    .map_err(SolveError::from)?;
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
            folded(place.over(&(out + &notes(&place.notes))))
        }
        Format::Json => line_of(place, Bound::on_machine(on, table, place.notes.clone()))?,
    })
}
