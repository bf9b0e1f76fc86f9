//! What a cell is about: warps that run a string, or a program.

use crate::engines::program::{ProgramGroup, bound, plain_bounds};
use crate::model::Code;
use crate::model::{Instance, Multiprocessor};

/// What is to be solved or bounded.
#[derive(Debug, Clone)]
pub enum Work {
    /// Warps of a kernel string.
    Kernel(Instance),
    /// Warps of a program with branches or loops, which has a bound only.
    Program(ProgramGroup, Multiprocessor),
}

impl Work {
    /// So many warps of some code, in one block.
    ///
    /// # Errors
    /// In words: if it is no instance.
    pub(super) fn new(code: &Code, warps: u64, multiprocessor: Multiprocessor) -> Result<Self, String> {
        match code {
            Code::Kernel(kernel) => Instance::single(kernel.clone(), warps, multiprocessor)
                .map(Self::Kernel)
                .map_err(|error| error.to_string()),
            Code::Program(piece) => {
                Ok(Self::Program(ProgramGroup::new(piece.clone(), warps), multiprocessor))
            }
        }
    }

    /// Whether a program has its bounds; those of fewer warps are no larger.
    ///
    /// # Errors
    /// In words: why not.
    pub(super) fn check(&self) -> Result<(), String> {
        let Self::Program(group, multiprocessor) = self else { return Ok(()) };
        let group = std::slice::from_ref(group);
        let found = bound(group, *multiprocessor).and_then(|_| plain_bounds(group, *multiprocessor));
        found.map(|_| ()).map_err(|error| error.to_string())
    }

    /// The string or the program, as text.
    pub(super) fn kernel(&self) -> String {
        match self {
            Self::Kernel(instance) => instance.given()[0].kernel.to_string(),
            Self::Program(group, _) => Code::Program(group.program.clone()).to_string(),
        }
    }

    /// W.
    pub(super) fn warps(&self) -> u64 {
        match self {
            Self::Kernel(instance) => instance.total_warps(),
            Self::Program(group, _) => group.warps,
        }
    }

    /// Its sigmas.
    pub(super) fn multiprocessor(&self) -> Multiprocessor {
        match self {
            Self::Kernel(instance) => instance.multiprocessor(),
            Self::Program(_, multiprocessor) => *multiprocessor,
        }
    }
}
