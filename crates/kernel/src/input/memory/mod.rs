//! The memory behind the multiprocessors: of a GPU that the program knows, of a machine file, and as flags change it.

mod assumptions;
mod bytes;
mod flags;
mod host;
mod preset;
mod quantity;
mod server;

pub use assumptions::{of_memory, of_pointers};
pub use bytes::Moved;
pub use flags::{MemoryError, MemoryFlags, Share};
pub use host::{HostMemory, has_host};
pub(crate) use preset::servers_of;
pub use quantity::{Length, Rate, gigabytes, size};
pub(crate) use server::ServerTable;
pub use server::{NamedServer, Stops};
