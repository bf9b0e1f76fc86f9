//! The instruction sets of NVIDIA GPUs, decoded once: what an opcode of PTX or SASS is, and the instructions of a listing.
//!
//! | file | has |
//! |---|---|
//! | `instruction` | an instruction with its operands, guard and targets |
//! | `opcode` | an opcode as it is written, which outside can only be printed |
//! | `spelling` | its parts, for `warpspan-lift` |
//! | `row` | what a row of the table of SASS says of an opcode |
//! | `sass` | the table of SASS, one row for each opcode |
//! | `ptx` | the table of PTX, one row for each opcode |
//! | `register` | the registers of SASS and their names |
//! | `operand` | the operands of an instruction of SASS |
//! | `ptx_operand` | the operands of an instruction of PTX |
//! | `memory` | the space and the width of memory instructions, what they move, and what they do to caches |
//! | `effects` | what an instruction of SASS does to the registers of a thread, and whether threads get the same |
//! | `dataflow` | what an instruction reads and writes, memory included, for slices |
//! | `control` | what an instruction does to the flow of control, and to the lanes that are together |
//! | `block_barrier` | who waits at a barrier of the block |
//! | `comparison` | the parts of a comparison of PTX |
//! | `exchange` | where lanes wait for one another, and what they get from one another |
//! | `written` | which registers an instruction of SASS may write |
//! | `class`, `rates` | what an opcode uses, and how many of a kind a multiprocessor executes a cycle |
//! | `classes` | the tables of classes, those of PTX above all |
//! | `cores`, `banks` | which letter of a machine an instruction of the cores has, and how its source registers share a bank |
//! | `ptx_names` | the registers and symbols that an instruction of PTX reads and writes |
//! | `half` | the halves of registers that instructions of 16 bits read |
//! | `waits` | the instructions that wait, and what covers that |
//!
//! How an opcode is added stands in `docs/instruction-set.md`.

// Layers: a module uses only those of the groups above its own.
pub mod half;
pub mod opcode;
pub mod rates;
pub mod register;

pub mod class;
pub mod operand;
pub mod waits;

pub mod ptx_operand;
pub mod row;

pub mod instruction;
pub mod ptx;
pub mod sass;

pub mod banks;
pub mod block_barrier;
pub mod classes;
pub mod comparison;
pub mod control;
pub mod cores;
pub mod exchange;
pub mod memory;
pub mod ptx_names;
pub mod spelling;
pub mod written;

pub mod effects;

pub mod dataflow;
