//! Text that users wrote: reading a whole file, finding the lines of values, and saying what is wrong.

mod bytes;
mod characters;
mod error;
mod message;
mod remedy;
mod short;
mod spanned;
mod toml;
#[cfg(any(feature = "cli", feature = "highs"))]
mod whole;
mod wrong_type;

pub(crate) use bytes::{bytes, name, text_of};
pub(crate) use characters::disturbs;
pub use error::InputError;
pub use message::Message;
pub use remedy::Remedy;
#[cfg(test)]
pub(crate) use remedy::every_remedy;
pub(crate) use short::short;
pub(crate) use spanned::{NumberOrText, Spanned, WholeOrText};
pub(crate) use toml::{MOST_REGISTERS, MOST_SHARED, MOST_THREADS, Source, decimal, quoted};
#[cfg(feature = "cli")]
pub(crate) use whole::is_writable;
#[cfg(any(feature = "cli", feature = "highs"))]
pub(crate) use whole::write_whole;
