//! Figures of the papers, errata of the papers, and the page that says what of them is here.

mod errata;
mod items;
mod page;
mod paper;
mod values;
