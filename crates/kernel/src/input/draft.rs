//! The contents of a file.

use std::sync::Arc;

use crate::input::{GridKeys, NamedMachine, Sigmas};
use warpspan_model::machine::Step;
use warpspan_model::program::Piece;
use warpspan_model::{Code, Group};

/// The contents of a file, before flags change them, with code of type `C`.
#[derive(Debug, Clone)]
pub struct Draft<C = Code> {
    pub(super) place: String,
    /// The line of the first kernel.
    pub(super) line: Option<usize>,
    pub(super) kernel: Option<C>,
    pub(super) warps: Option<u64>,
    pub(super) warps_per_block: Option<u64>,
    pub(super) same_path: bool,
    pub(super) grid: GridKeys,
    pub(super) groups: Vec<Group<C>>,
    pub(super) sigmas: Option<Sigmas>,
}

impl<C> Default for Draft<C> {
    fn default() -> Self {
        Self {
            place: String::new(),
            line: None,
            kernel: None,
            warps: None,
            warps_per_block: None,
            same_path: false,
            grid: GridKeys::default(),
            groups: Vec::new(),
            sigmas: None,
        }
    }
}

/// The contents of a file for the paper's multiprocessor, or for another machine.
#[derive(Debug, Clone)]
pub enum AnyDraft {
    /// Kernels of L and C, with sigmas.
    Paper(Draft),
    /// Code over the letters of a machine.
    Machine(Arc<NamedMachine>, Draft<Piece<Step>>),
}
