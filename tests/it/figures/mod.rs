//! Figures and the page that holds them.

mod answers;
mod browser;
mod compared;
mod drawn;
mod estimates;
mod pdf;
mod policies;
mod report;
