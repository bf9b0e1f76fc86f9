//! The instruction sets, decoded once.
//!
//! | file | has |
//! |---|---|
//! | `row` | what a row of the table of SASS says of an opcode |
//! | `sass` | the table of SASS, one row for each opcode |
//! | `ptx` | the table of PTX, one row for each opcode |
//! | `register` | the registers of SASS and their names |
//! | `operand` | the operands of an instruction of SASS |
//! | `ptx_operand` | the operands of an instruction of PTX |
//! | `written` | which registers an instruction of SASS may write |
//! | `waits` | the instructions that wait, and what covers that |
//!
//! How an opcode is added stands in `docs/instruction-set.md`.

pub(crate) mod half;
pub(crate) mod operand;
pub(crate) mod ptx;
pub(crate) mod ptx_names;
pub(crate) mod ptx_operand;
pub(crate) mod register;
pub(crate) mod row;
pub(crate) mod sass;
pub(crate) mod waits;
pub(crate) mod written;
