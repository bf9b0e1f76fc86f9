//! Texts of a question, and what messages call them.

use warpspan_listing::Text;
use warpspan_model::source::InputError;

/// The text of a file, and what messages call it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct File {
    /// Its name.
    pub place: String,
    /// What it holds.
    pub text: String,
}

/// A listing in PTX or SASS, whatever its bytes are, and what messages call it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listing {
    /// Its name.
    pub place: String,
    /// What it holds.
    pub bytes: Vec<u8>,
}

impl Listing {
    /// Its text, if it is one.
    pub(crate) fn text(&self) -> Result<Text, InputError> {
        Text::new(&self.place, self.bytes.clone())
    }
}
