//! Texts that are short enough for a message.

use std::borrow::Cow;

/// The longest word of a message, in characters. A longer one is a quoted input, not something to read.
const WORD: usize = 160;
/// The longest message, in characters.
const MESSAGE: usize = 1200;

/// The same text, short enough for a message: of a long word, and of a long text, the beginning and the end.
pub fn short(text: &str) -> Cow<'_, str> {
    if text.len() <= WORD {
        return Cow::Borrowed(text);
    }
    let words: Vec<Cow<'_, str>> = text.split(' ').map(|word| cut(word, WORD)).collect();
    if words.iter().all(|word| matches!(word, Cow::Borrowed(_))) {
        return cut(text, MESSAGE);
    }
    Cow::Owned(cut(&words.join(" "), MESSAGE).into_owned())
}

/// The beginning and the end of a text that is longer than this.
fn cut(text: &str, most: usize) -> Cow<'_, str> {
    if text.len() <= most || text.chars().nth(most).is_none() {
        return Cow::Borrowed(text);
    }
    let (head, tail) = (most / 2, most / 4);
    let at = |(at, _): (usize, char)| at;
    let start = text.char_indices().nth(head).map_or(text.len(), at);
    let end = text.char_indices().rev().nth(tail - 1).map_or(0, at);
    Cow::Owned(format!("{}…{}", &text[..start], &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_words_and_long_texts_are_cut_and_others_stay() {
        let usual = "f.toml:3: warps = 0: want 1 or more";
        assert_eq!(short(usual), usual);
        let exact = format!("kernel {}", "L".repeat(WORD));
        assert_eq!(short(&exact), exact);
        let long = format!("invalid type: string \"{}\", expected a map", "L".repeat(1_000_000));
        let shown = short(&long);
        assert!(shown.starts_with("invalid type: string \"LLL") && shown.ends_with("LLL\", expected a map"));
        assert!(shown.contains("L…L") && shown.chars().count() < 200, "{shown}");
        let many = format!("want {}one of them", "a, ".repeat(100_000));
        assert!(short(&many).chars().count() <= MESSAGE && short(&many).ends_with("one of them"));
        assert!(short(&"ü".repeat(5000)).chars().count() <= WORD);
    }
}
