//! The device: what a GPU and each of its multiprocessors have, and how many blocks are resident on them at
//! once.
//!
//! A [`Capability`] is what is known of all GPUs of a generation, a [`Preset`] is a GPU that is sold, and a
//! [`Gpu`] is the one that is analysed. Its multiprocessors have [`Resources`], and the [`Demand`] of a block
//! says how much of them it takes. [`Resources::resident`] counts the blocks of one kind that fit at once.
//! Blocks of several kinds fit if a search finds a place for each of them.

mod between;
mod capability;
mod demand;
mod division;
mod gpu;
mod memory;
mod placement;
mod presets;
mod resident;
mod resources;
mod tables;

pub use between::Between;
pub use capability::{Assumed, CAPABILITIES, Capability, CapabilityError, Resident};
pub use demand::Demand;
pub use division::{GROUPINGS, Grouping, INSTANCES, Instance, Instances, Shares};
pub use gpu::Gpu;
pub use memory::Memory;
#[doc(hidden)]
pub use placement::{fit_anyhow, place_all};
pub use presets::{PRESETS, Preset};
#[doc(hidden)]
pub use resources::REGISTER_PARTS;
pub use resources::Resources;
#[doc(hidden)]
pub use resources::WARP;
