//! The flag that says in which order the schedulers of a machine try their warps.

use clap::ValueEnum;

use crate::Failure;
use crate::place::Place;
use warpspan_kernel::input::Asked;
use warpspan_model::machine::Order;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OrderArg {
    /// Any order: no schedule takes longer
    Worst,
    /// Loose round robin: from the warp behind the one that issued last, and so on around
    Lrr,
    /// The oldest warp first; warps are numbered over all groups in their order
    Oldest,
    /// Greedy, then oldest: the warp that issued last, then the oldest
    Gto,
    /// Greedy, then youngest: the warp that issued last, then the youngest
    Cggty,
}

/// What a user must know where an order of warps changes nothing.
const OF_GRID: &str =
    "--policy changes nothing here: blocks that follow one another have bounds for every order of warps only";

/// The note on an order that was asked for and is not that of an answer.
pub(crate) fn unused(asked: Order, policy: Option<Order>) -> Option<String> {
    (asked != Order::Any && policy.is_none()).then(|| OF_GRID.to_owned())
}

impl OrderArg {
    /// The order that the flag names.
    pub(crate) fn named(self) -> Order {
        match self {
            Self::Worst => Order::Any,
            Self::Lrr => Order::RoundRobin,
            Self::Oldest => Order::Oldest,
            Self::Gto => Order::GreedyOldest,
            Self::Cggty => Order::GreedyYoungest,
        }
    }

    /// The same, if all that was asked for is on machines or it is any.
    pub(crate) fn order(self, asked: &[(Place, Asked)]) -> Result<Order, Failure> {
        let order = self.named();
        let of_paper = |(_, asked): &(Place, Asked)| !matches!(asked, Asked::OnMachine(_));
        if order != Order::Any && asked.iter().any(of_paper) {
            let what =
                "--policy: bounds for one order of warps are of machines: want --machine, or --policy worst";
            return Err(Failure::usage(what));
        }
        Ok(order)
    }
}
