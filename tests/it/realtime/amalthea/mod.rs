//! AMALTHEA models.

mod command;
mod elements;
mod malformed;
mod moments;
mod names;
mod published;
mod simulation;
mod small;
