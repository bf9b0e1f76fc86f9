//! Enums whose values are the words of a field.

/// Declares an enum whose variants are the words of a field, and, after `from`, how an enum of the library
/// with the same variants becomes it.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$what:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$doc])*
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
        )]
        pub enum $name {
            $($(#[$what])* #[serde(rename = $word)] $variant,)+
        }

        impl $name {
            /// The word.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }
        }
    };
    (
        $(#[$doc:meta])* $name:ident from $source:ty { $($(#[$what:meta])* $variant:ident = $word:literal,)+ }
    ) => {
        crate::words::words! { $(#[$doc])* $name { $($(#[$what])* $variant = $word,)+ } }

        impl From<$source> for $name {
            fn from(source: $source) -> Self {
                match source {
                    $(<$source>::$variant => Self::$variant,)+
                }
            }
        }
    };
}

pub(super) use words;
