//! Bounds and closed forms against brute force.

mod barriers;
mod closed_form;
mod large_sigma;
mod path_choices;
mod phase_bound;
mod program_text;
mod programs;
