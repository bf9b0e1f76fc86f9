//! Several processes on one GPU: the bounds against simulators of the rules that share no code with them.

mod against;
mod command;
mod kernels;
mod paper;
mod simulator;
