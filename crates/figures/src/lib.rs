//! Drawings of the results of the other modules, and a page that contains them.
//!
//! This module is at the top of the layers: it imports what it draws, and only the command line imports it. It exists
//! with the feature `figures`. Each drawing is the text of an SVG file, for light paper and dark; a figure of a report
//! is also printed as TikZ and as PDF.
//!
//! | here | draws |
//! |---|---|
//! | [`warps`] | a schedule of the warps of a multiprocessor (Be12 Fig. 2) |
//! | [`slots`] | a schedule of the blocks of a grid, slot by slot |
//! | [`tiles`] | a time-triggered schedule of tiles (Kr19 Fig. 3.3 to 3.6) |
//! | [`offsets()`] | time and jitter over the offset between tiles (Kr19 Fig. 4.9) |
//! | [`occupancy`] | blocks of kernels on the multiprocessors of a GPU (Pa19 chapter 4) |
//! | [`measured`] | the same of a measured run, with the computed one over it |
//! | [`policies`] | makespans of policies between the best and the worst case |
//! | [`orders`] | the schedules of several policies, one below the other (Si21 Fig. 4.1) |
//! | [`responses()`] | response times under several policies, relative to one of them (Si21 Fig. 4.2 and 4.3) |
//! | [`partitioning`] | which tasks share which multiprocessors (Si21 chapter 3) |
//! | [`classes()`] | measured times and speed-ups by multiprocessors, and interference (Si21 Fig. 3.1 to 3.3) |
//! | [`report`] | charts of tables, with all of the above, on one page of HTML |

// Layers: a module uses only those of the groups above its own.
mod outline;
mod scale;
mod theme;

mod primitives;

mod paper;

mod pdf;
mod shapes;

mod bars;
mod chart;
mod gantt;
mod partitioning;
mod responses;
mod tikz;

mod classes;
mod offsets;
mod report;

pub use classes::classes;
pub use gantt::{is_cut, measured, occupancy, orders, policies, slots, tiles, warps, warps_within};
pub use offsets::offsets;
pub use paper::{Paper, Width};
pub use partitioning::{Column, Partitioning, Share, partitioning};
pub use report::{
    Amounts, Answer, By, Changed, Changes, Code, CodeLine, Contradiction, Costed, Costs, Deadlines, Drawn,
    Due, Figure, Input, LineCost, Quantity, Report, Shows, Sketch, report,
};
pub use responses::{Responses, responses};
