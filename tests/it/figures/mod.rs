//! Figures and the page that holds them.

mod answers;
mod browser;
mod compared;
mod costs;
mod drawn;
mod estimates;
mod paper;
mod pdf;
mod policies;
mod report;
