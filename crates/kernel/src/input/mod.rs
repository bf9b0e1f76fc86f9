//! Workloads from TOML files and flags; flags take precedence over files.
//!
//! ```toml
//! [kernel]                      # or several [[group]] tables, each with string and warps
//! string = "LLCLL"
//! [multiprocessor]              # one of three: sigma_l and sigma_c; compute_capability; or
//! sigma_l = "1/2"               # load_store_units, cuda_cores and warp_size
//! sigma_c = 1
//! [launch]
//! warps = 4                     # or threads = 128, in warps of warp_size threads, 32 by default
//! warps_per_block = 2           # or threads_per_block; all warps of a group by default
//! same_path = true              # all warps of a group take the same path; false by default
//! # blocks = 100                # instead of warps: blocks of a grid, which follow one another
//! # resident = 2                # blocks at once on a multiprocessor; all by default
//! # multiprocessors = 4         # 1 by default
//! ```

// Layers: a module uses only those of the groups above its own.
mod budget;
mod compiled;
mod flags;
mod keys;
mod kind;
mod memory;
mod multiprocessor;
mod ncu;

mod gpu;

mod machine;
mod needs;

mod asked;
mod code;
mod draft;
mod ground;
mod shown;

mod file;
mod launch;
mod listings;

mod platform;
mod workload;

pub use asked::{Asked, MachineLaunch, OnMachine, straight_line};
#[doc(hidden)]
pub use budget::{BudgetKernel, BudgetOption, BudgetValue, read_budget, schema as budget_schema};
pub use code::{IN_THE_PAPERS_MODEL, LISTING_LIMITS, machine_of, of_letters};
#[doc(hidden)]
pub use code::{
    Listed, ListedOnMachine, classes_of, declarations_of, declarations_text, listed, listed_on, read_listing,
};
#[doc(hidden)]
pub use compiled::{disassembly, listing_bytes, tool};
pub use draft::{AnyDraft, Draft};
#[doc(hidden)]
pub use file::schema;
pub use file::{read, read_for};
pub use flags::{Flags, GridKeys};
pub use gpu::{Device, GpuTable, device, of_clock, of_count, of_highest_clock};
pub use ground::{Ground, OF_PAPER};
#[doc(hidden)]
pub use keys::key;
pub use kind::FileKind;
#[doc(hidden)]
pub use listings::{ListingKeys, Listings};
pub use machine::{
    Holds, IdleDram, IdlePauses, NamedMachine, Number, Origin, find_machine, machine_of_capability,
    read_machine,
};
#[doc(hidden)]
pub use machine::{names_machine, schema as machine_schema};
pub use memory::{
    HostMemory, Length, MemoryError, MemoryFlags, Moved, NamedServer, Rate, Share, Stops, gigabytes,
    has_host, of_memory, of_pointers, size,
};
#[doc(hidden)]
pub use multiprocessor::{MultiprocessorTable, NO_SIGMAS, Sigmas, machine};
pub use ncu::{Counted, read_ncu};
#[doc(hidden)]
pub use needs::{LeftOut, left_out, of_block, would_mend};
#[doc(hidden)]
pub use platform::{CodeOn, MachineKey, Platform, platform};
#[doc(hidden)]
pub use shown::Shown;
