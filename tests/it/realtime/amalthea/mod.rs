//! AMALTHEA models.

mod command;
mod elements;
mod malformed;
mod moments;
mod published;
mod simulation;
mod small;
