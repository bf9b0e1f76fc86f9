//! Why a file gives no task set.

use thiserror::Error;

use warpspan_model::source::InputError;
use warpspan_solver::portfolio::SolveError;

/// Why a file gives no task set.
#[derive(Debug, Error)]
pub enum TasksError {
    /// The file is wrong.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The engines failed at the code of a task.
    #[error("{at}")]
    Solve {
        /// Where the code stands, and why they failed.
        at: InputError,
        /// Why they failed.
        error: Box<SolveError>,
    },
}
