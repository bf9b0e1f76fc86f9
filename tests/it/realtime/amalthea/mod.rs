//! AMALTHEA models.

mod command;
mod elements;
mod malformed;
mod published;
mod simulation;
mod small;
