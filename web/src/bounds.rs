//! The record of `bound`.

use serde_json::Value;
use warpspan::engines::portfolio::{
    Note, grid_table, machine_grid_table, machine_table, table, table_of_paths, terms,
};
use warpspan::input::{Asked, MachineLaunch};
use warpspan::model::machine::Order;
use warpspan::records::{Bound, Envelope};

use crate::ask::Ask;
use crate::json;

pub(crate) fn bound(ask: &Ask) -> Result<Value, String> {
    let (asked, mut rests) = ask.meant()?;
    let limits = ask.limits();
    let record = match &asked {
        Asked::Workload(workload) => match workload.instance() {
            Some(instance) => {
                let up_to = ask.up_to.map(|up_to| up_to.min(instance.total_warps()));
                // Without an answer for few warps there is no estimate, as if none had been asked for.
                let terms =
                    up_to.and_then(|up_to| terms(instance, up_to, &limits, || ())).and_then(Result::ok);
                Bound::new(workload.into(), table(instance, terms.as_ref(), &limits))
            }
            None => {
                let (rows, more) = table_of_paths(workload).map_err(|error| error.to_string())?;
                rests.add(Note::rests(&more));
                Bound::new(workload.into(), rows)
            }
        },
        Asked::Grid(grid) => Bound::new(grid.into(), grid_table(grid).map_err(|error| error.to_string())?),
        Asked::OnMachine(on) => {
            let table = match &on.launch {
                MachineLaunch::Workload(workload) => machine_table(workload, Order::Any, &limits),
                MachineLaunch::Grid(grid) => machine_grid_table(grid, Order::Any, &limits),
            };
            let table = table.map_err(|error| error.message().to_string())?;
            rests.add(Note::rests(&table.notes));
            Bound::on_machine(on, table)
        }
    };
    json(Envelope::new(record.resting_on(&rests, ToString::to_string)))
}
