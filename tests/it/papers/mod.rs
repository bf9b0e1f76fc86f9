//! Figures of the papers, and errata of the papers.

mod errata;
mod paper;
