//! Text that users wrote: reading a whole file, finding the lines of values, and saying what is wrong.

mod bytes;
mod characters;
mod error;
mod message;
mod remedy;
mod spanned;
mod toml;

pub(crate) use bytes::{bytes, name, text_of};
pub(crate) use characters::disturbs;
pub use error::InputError;
pub use message::Message;
pub use remedy::Remedy;
#[cfg(test)]
pub(crate) use remedy::every_remedy;
pub(crate) use spanned::{NumberOrText, Spanned, WholeOrText};
pub(crate) use toml::{MOST_REGISTERS, MOST_SHARED, MOST_THREADS, Source, decimal, quoted};
