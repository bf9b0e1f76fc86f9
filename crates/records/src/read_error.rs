//! Why a line is not a record.

use serde::de::DeserializeOwned;
use thiserror::Error;

use warpspan_model::source::json;

/// Why a line is not a record.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The line is not JSON, or a field is missing or has another type.
    #[error("{0}")]
    Json(String),
    /// The line names a schema, or a version of one, that is not known.
    #[error("schema {found:?}: want one of {}", want.join(", "))]
    Schema {
        /// The schema that it names.
        found: String,
        /// The schemas that are known.
        want: Vec<&'static str>,
    },
    /// The line names no schema and is not a row of a table of `sweep`.
    #[error("{0}")]
    Row(String),
}

/// A line of JSON as a value of this type.
pub(crate) fn parsed<T: DeserializeOwned>(line: &[u8]) -> Result<T, ReadError> {
    json(line, "").map_err(|error| ReadError::Json(error.what))
}
