//! AMALTHEA models.

mod command;
mod deadlines;
mod elements;
mod malformed;
mod margins;
mod moments;
mod names;
mod published;
mod simulation;
mod small;
