//! What is extracted from PTX and SASS.

mod account;
mod against_executor;
mod bound;
mod corpus;
mod entries;
mod executor;
mod files;
mod groups;
mod noise;
mod on_machine;
mod paths;
mod safe;
