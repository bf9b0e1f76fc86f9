//! Reading files.

use std::path::Path;

use crate::source::{InputError, bytes, name};

/// The text of a file, or of standard input for `-`; `want` says what it should be.
pub(super) fn text_of(path: &Path, want: &str) -> Result<String, InputError> {
    String::from_utf8(bytes(path)?)
        .map_err(|_| InputError::new(name(path), format!("not UTF-8 text: want {want}")))
}
