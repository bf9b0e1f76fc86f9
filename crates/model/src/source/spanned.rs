//! Values of TOML files that know their position in the file.

use std::borrow::Cow;
use std::ops::Range;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Deserialize;

/// A value and where it stands; in a schema it is the value alone.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(transparent)]
pub struct Spanned<T>(toml::Spanned<T>);

impl<T> Spanned<T> {
    /// The value.
    pub fn get_ref(&self) -> &T {
        self.0.get_ref()
    }

    /// The range of bytes of the file that the value takes.
    pub fn span(&self) -> Range<usize> {
        self.0.span()
    }

    /// The value without its place.
    pub fn into_inner(self) -> T {
        self.0.into_inner()
    }
}

impl<T: JsonSchema> JsonSchema for Spanned<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

/// In a schema: a number, or a text that says one.
#[derive(JsonSchema)]
#[schemars(untagged, inline)]
#[doc(hidden)]
pub enum NumberOrText {
    Number(f64),
    Text(String),
}

/// In a schema: a whole number, or a text such as `1/2`.
#[derive(JsonSchema)]
#[schemars(untagged, inline)]
#[doc(hidden)]
pub enum WholeOrText {
    Whole(u64),
    Text(String),
}
