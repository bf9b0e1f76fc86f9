//! What is extracted from PTX and SASS.

mod account;
mod against_executor;
mod asked_again;
mod bound;
mod corpus;
mod counted;
mod damaged;
mod declare;
mod declared;
mod entries;
mod executor;
mod files;
mod groups;
mod instructions;
mod large;
mod noise;
mod on_machine;
mod pairs;
mod paths;
mod places;
mod ptx_against_sass;
mod reading;
mod safe;
mod tracer;
mod transactions;
mod waiting;
