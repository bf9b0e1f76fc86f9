//! Blocks that follow one another, against an oracle that is written from the semantics alone.

mod agrees;
mod bites;
mod campaign;
mod draws;
mod engine;
mod formulas;
mod gpu;
mod known;
mod oracle;
mod prices;
mod random;
mod relays;
