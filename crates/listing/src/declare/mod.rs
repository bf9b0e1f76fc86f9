//! Declarations: a file in which users say what the code of a kernel does not show.
//!
//! | part | does |
//! |---|---|
//! | `write` | writes a file with everything that may be said of a listing, unknown numbers left open |
//! | `branches` | writes the part of it about branches |
//! | `read` | reads such a file |
//! | `apply` | adds what it says of an entry to the options of an extraction |
//! | `code` | the fingerprint of an entry's instructions |
//!
//! A place in the code is a label, or an instruction by its number in its function. It is no line, because lines
//! move with comments and blanks. A table of the file holds for an entry with the same instructions only: what was
//! true of a loop need not be true of the one that has its label after the next compilation.

mod apply;
mod branches;
mod code;
mod read;
mod write;

use std::collections::BTreeMap;

use crate::classes::Given;

pub use branches::divergent_branches;
pub(crate) use code::reached;
pub use read::read_declarations;
#[doc(hidden)]
pub use read::schema as declarations_schema;
pub use write::{Undeclared, declare};

/// What a file says of the kernels of a listing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Declarations {
    /// The name of the file in messages.
    place: String,
    entries: Vec<Declared>,
    /// Classes of opcodes, of all entries.
    classes: Vec<Given>,
}

/// What is said of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Declared {
    name: Said<String>,
    /// The fingerprint of its instructions.
    code: Said<String>,
    /// How often loops are passed at most.
    loops: Vec<At<u64>>,
    /// The branches at which all threads of a warp go the same way.
    uniform: Vec<At<()>>,
    /// The places to which control never comes.
    unreachable: Vec<At<()>>,
    /// The transactions of a pass of memory instructions.
    transactions: Vec<At<u64>>,
    /// Values of parameters: numbers, or ranges such as `1..1024`.
    params: BTreeMap<String, Said<String>>,
}

/// Something with its line in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Said<T> {
    value: T,
    line: usize,
}

/// Something that is said of a place in the code, with its line in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
struct At<T> {
    /// The function that is called, if it is not the entry itself.
    function: Option<String>,
    mark: Mark,
    value: T,
    line: usize,
}

/// A place in a function.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Mark {
    Label(String),
    /// The number of an instruction, from 1.
    Instruction(u64),
}
