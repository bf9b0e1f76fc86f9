//! A text of which several questions are asked, so that what does not depend on the question is found once.

use crate::extract::entry_of;
use crate::routine::Listing;
use crate::{Entry, Options, Text};
use warpspan_model::source::InputError;

/// A text with its routines, and with what earlier questions found of them.
#[derive(Debug)]
pub struct Reading<'t> {
    pub(crate) text: &'t Text,
    pub(crate) listing: Listing<'t>,
}

impl<'t> Reading<'t> {
    /// Reads the routines of a text.
    ///
    /// # Errors
    /// Those of [`Text::listing`].
    pub fn of(text: &'t Text) -> Result<Self, InputError> {
        Ok(Self { text, listing: text.listing()? })
    }

    /// The entry that the options name, or else the only one.
    ///
    /// # Errors
    /// Those of [`entry`](crate::entry()).
    pub fn entry(&self, options: &Options) -> Result<Entry, InputError> {
        entry_of(self, options)
    }

    /// The file's name in messages.
    pub fn place(&self) -> &'t str {
        self.text.place()
    }
}
