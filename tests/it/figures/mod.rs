//! Figures and the page that holds them.

mod browser;
mod policies;
mod report;
