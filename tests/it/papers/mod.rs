//! Figures of the papers, and errors in them.

mod errata;
mod paper;
