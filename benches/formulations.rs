//! Solve times of the three formulations.
fn main() {}
