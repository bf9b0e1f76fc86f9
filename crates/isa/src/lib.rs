//! The instruction sets of NVIDIA GPUs, decoded once: what an opcode of PTX or SASS is, and the instructions of a listing.
//!
//! | file | has |
//! |---|---|
//! | `instruction` | an instruction with its operands, guard and targets |
//! | `row` | what a row of the table of SASS says of an opcode |
//! | `sass` | the table of SASS, one row for each opcode |
//! | `ptx` | the table of PTX, one row for each opcode |
//! | `register` | the registers of SASS and their names |
//! | `operand` | the operands of an instruction of SASS |
//! | `ptx_operand` | the operands of an instruction of PTX |
//! | `written` | which registers an instruction of SASS may write |
//! | `class`, `rates` | what an opcode uses, and how many of a kind a multiprocessor executes a cycle |
//! | `ptx_names` | the registers and symbols that an instruction of PTX reads and writes |
//! | `half` | the halves of registers that instructions of 16 bits read |
//! | `waits` | the instructions that wait, and what covers that |
//!
//! How an opcode is added stands in `docs/instruction-set.md`.

pub mod class;
pub mod half;
pub mod instruction;
pub mod operand;
pub mod ptx;
pub mod ptx_names;
pub mod ptx_operand;
pub mod rates;
pub mod register;
pub mod row;
pub mod sass;
pub mod waits;
pub mod written;
