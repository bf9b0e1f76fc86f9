//! Texts in Markdown.

/// A text that is shown as it is.
pub(crate) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if "\\`*_[]<>|~#&$@".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// A name or a command, in a span of code where it can stand in one.
pub(crate) fn code(text: &str) -> String {
    if text.contains('`') { plain(text) } else { format!("`{text}`") }
}

/// The same in a cell of a table.
pub(crate) fn cell(text: &str) -> String {
    if text.contains('`') { plain(text) } else { code(text).replace('|', "\\|") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_markdown_are_shown_as_they_are() {
        assert_eq!(plain("a*b_c <d> | `e` [f](g)"), "a\\*b\\_c \\<d\\> \\| \\`e\\` \\[f\\](g)");
        assert_eq!(code("_Z4blurPf"), "`_Z4blurPf`");
        assert_eq!(code("a`b"), "a\\`b");
    }
}
