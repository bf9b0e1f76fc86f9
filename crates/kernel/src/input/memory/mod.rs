//! The memory behind the multiprocessors: of a GPU that the program knows, of a machine file, and as flags change it.

mod flags;
mod ground;
mod moved;
mod of_gpu;
mod quantity;
mod says;
mod server;

pub use flags::{MemoryError, MemoryFlags, Share};
pub use ground::{Ground, OF_PAPER};
pub use moved::Moved;
pub(crate) use of_gpu::servers_of;
pub use quantity::{Length, Rate, gigabytes, size};
pub(crate) use says::says;
pub(crate) use server::ServerTable;
pub use server::{NamedServer, Stops};
