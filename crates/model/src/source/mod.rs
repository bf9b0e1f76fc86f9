//! Text that users wrote: reading a whole file, finding the lines of values, and saying what is wrong.

mod atomic_file;
mod bytes;
mod characters;
mod error;
mod json;
mod message;
mod remedy;
mod shortened;
mod spanned;
mod toml;
mod wrong_type;

pub use atomic_file::is_writable;
#[doc(hidden)]
pub use atomic_file::write_whole;
#[doc(hidden)]
pub use bytes::{ReadFile, bytes, forget_reads, is_there, name, read_files, sha256, text_of, with_texts};
#[doc(hidden)]
pub use characters::{disturbs, escaped, quoted};
pub use error::InputError;
#[doc(hidden)]
pub use json::{JsonError, json};
pub use message::Message;
pub use remedy::Remedy;
#[doc(hidden)]
pub use remedy::{declarations, every_remedy, list};
#[doc(hidden)]
pub use shortened::short;
#[doc(hidden)]
pub use spanned::{NumberOrText, Spanned, WholeOrText};
#[doc(hidden)]
pub use toml::{MOST_REGISTERS, MOST_SHARED, MOST_THREADS, Source, decimal, has_keys, plain};
