//! Engines against brute force, tables and each other.

mod beam;
mod groups;
mod oracle;
mod policy;
mod states;
