//! How rows are written.

/// Lines `"NAME" "NAME" = { class, "note" => facts }` as rows, one for each name.
macro_rules! rows {
    ($($($name:literal)+ = $facts:tt)*) => {
        &[$($($crate::sass::rows::each!($name $facts)),+),*]
    };
}
macro_rules! each {
    ($name:literal { $class:tt $(($($of:expr),*))? $(, $note:expr)? $(=> $($fact:ident ($($value:expr),*))+)? }) => {
        $crate::row::Row::new(
            $name,
            $crate::sass::rows::class!($class $(($($of),*))?),
            $crate::sass::rows::note!($($note)?),
        )$($(.$fact($($value),*))+)?
    };
}
macro_rules! class {
    (NoClass) => {
        None
    };
    ($class:tt $(($($of:expr),*))?) => {
        Some($class $(($($of),*))?)
    };
}
macro_rules! note {
    () => {
        ""
    };
    ($note:expr) => {
        $note
    };
}
pub(super) use {class, each, note, rows};
