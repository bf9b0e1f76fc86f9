//! The README and the manual in `docs`: links, completeness, options, and examples that are run.

mod ci;
pub(crate) mod commands;
mod examples;
mod links;
mod moving;
mod pages;
mod release;
