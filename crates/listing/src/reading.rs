//! A text of which several questions are asked, so that what does not depend on the question is found once.

use crate::Text;
use crate::known::Studied;
use warpspan_model::source::InputError;

/// A text with its routines, and with what earlier questions found of them.
#[derive(Debug)]
pub struct Reading<'t> {
    pub(crate) text: &'t Text,
    pub(crate) studied: Studied<'t>,
}

impl<'t> Reading<'t> {
    /// Reads the routines of a text.
    ///
    /// # Errors
    /// Those of [`Text::listing`].
    pub fn of(text: &'t Text) -> Result<Self, InputError> {
        Ok(Self { text, studied: text.listing()?.into() })
    }

    /// The file's name in messages.
    pub fn place(&self) -> &'t str {
        self.text.place()
    }
}
