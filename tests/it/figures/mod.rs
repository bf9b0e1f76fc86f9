//! Figures and the page that holds them.

mod browser;
mod report;
