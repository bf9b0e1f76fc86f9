//! The reasons why kernels cannot be analysed.

use thiserror::Error;

/// Why kernels cannot be analysed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SystemError {
    /// There is no kernel.
    #[error("no kernel is given: want a [[kernel]] table")]
    Empty,
    /// The GPU has none of something that it needs in order to run kernels.
    #[error("the GPU has no {0}: want 1 or more")]
    Gpu(&'static str),
    /// A figure of a kernel is zero that must not be zero.
    #[error("kernel {name}: {what} = 0: want more than 0")]
    Zero {
        /// The kernel.
        name: String,
        /// Its position in the file, from 0.
        task: usize,
        /// The figure that is zero.
        what: &'static str,
    },
    /// A time of a kernel exceeds [`Duration::MAX`](warpspan_model::time::Duration::MAX).
    #[error("kernel {name}: a time of more than 2^62 grains: want a coarser unit")]
    TooLong {
        /// The kernel.
        name: String,
        /// Its position in the file, from 0.
        task: usize,
    },
    /// A kernel names a stream that does not exist.
    #[error("kernel {name}: there is no stream {stream}, counted from 0")]
    Stream {
        /// The kernel.
        name: String,
        /// Its position in the file, from 0.
        task: usize,
        /// The stream that it names.
        stream: usize,
    },
    /// The code of a kernel is over other letters than those of the multiprocessors.
    #[error("kernel {name}: its code is not of the machine that the multiprocessors are")]
    Machine {
        /// The kernel.
        name: String,
        /// Its position in the file, from 0.
        task: usize,
    },
    /// A block does not fit on any multiprocessor.
    #[error(
        "kernel {name}: a block needs {need} {what}, a multiprocessor has {available}: want smaller blocks"
    )]
    TooLarge {
        /// The kernel.
        name: String,
        /// Its position in the file, from 0.
        task: usize,
        /// The resource that is missing.
        what: &'static str,
        /// How much a block needs.
        need: u64,
        /// How much a multiprocessor has.
        available: u64,
    },
}

impl SystemError {
    /// The position of the kernel that is to blame, from 0.
    pub fn task(&self) -> Option<usize> {
        match *self {
            Self::Empty | Self::Gpu(_) => None,
            Self::Zero { task, .. }
            | Self::TooLong { task, .. }
            | Self::Stream { task, .. }
            | Self::Machine { task, .. }
            | Self::TooLarge { task, .. } => Some(task),
        }
    }
}
