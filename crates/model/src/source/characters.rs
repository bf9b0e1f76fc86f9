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
