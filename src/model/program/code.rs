//! Reading the code of a warp.

use std::str::FromStr;

use thiserror::Error;

use crate::model::program::ProgramTextError;
use crate::model::{Code, KernelError};

/// Why a text is neither a kernel string nor a program.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CodeError {
    /// It has no branch and no range, and is no kernel string.
    #[error(transparent)]
    Kernel(#[from] KernelError),
    /// It has a branch or a range, and is no program.
    #[error(transparent)]
    Program(#[from] ProgramTextError),
}

impl FromStr for Code {
    type Err = CodeError;

    /// A text with the brackets of a branch or with a range of counts is a program, any other a kernel string.
    fn from_str(text: &str) -> Result<Self, CodeError> {
        if text.contains(['[', '{', '<']) || text.contains("..") {
            Ok(Self::Program(text.parse()?))
        } else {
            Ok(Self::Kernel(text.parse()?))
        }
    }
}
