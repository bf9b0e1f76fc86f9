//! How bounds changed from one version of the code to the next, found from the records of both.

mod assumptions;
mod causes;
mod code;
mod comparison;
mod differences;
mod head;
mod items;
mod launches;
mod ledger;
mod lines;

pub use items::{Items, ItemsError};
