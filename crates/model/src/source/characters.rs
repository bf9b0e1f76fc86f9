//! Characters that a message must not hold.

/// Whether a character would disturb the line in which it is printed: a control character, an end of line, a
/// mark without width, or a change of direction.
pub fn disturbs(character: char) -> bool {
    let invisible = ['\u{ad}', '\u{61c}', '\u{200b}', '\u{200e}', '\u{200f}', '\u{feff}'];
    character.is_control()
        || invisible.contains(&character)
        || matches!(character, '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
}

/// A text of an input without characters that would disturb a line.
pub fn escaped(text: &str) -> String {
    let plain = |c: char| if disturbs(c) { c.escape_default().to_string() } else { c.to_string() };
    text.chars().map(plain).collect()
}

/// A text as a string of TOML, without characters that would disturb a line.
pub fn quoted(text: &str) -> String {
    if !text.contains(disturbs) {
        return toml::Value::String(text.to_owned()).to_string();
    }
    let letter = |letter: char| match letter {
        '"' | '\\' => format!("\\{letter}"),
        _ if disturbs(letter) => format!("\\u{:04X}", u32::from(letter)),
        _ => letter.to_string(),
    };
    format!("\"{}\"", text.chars().map(letter).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quoted_text_is_read_as_it_was_and_disturbs_nothing() {
        for text in ["k", "a\"b\\", "a\u{202e}\u{1b}[31m\n\"\\b'", "\u{feff}x"] {
            let written = quoted(text);
            assert!(!written.contains(disturbs), "{written:?}");
            let read: toml::Table = toml::from_str(&format!("name = {written}")).unwrap();
            assert_eq!(read["name"].as_str(), Some(text));
        }
    }
}
