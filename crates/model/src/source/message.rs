//! Messages that name remedies without saying how a front end spells them.

use std::fmt;

use crate::source::{Remedy, short};

/// A message of one line. Its remedies are data, and the front end that prints the message chooses their
/// words.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Message {
    parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Text(String),
    /// A remedy, with its words if the reader of a file has chosen them already.
    Remedy(Remedy, Option<String>),
}

impl Message {
    /// A message that begins with a text.
    pub fn text(text: impl fmt::Display) -> Self {
        Self::default().then(text)
    }

    /// A message that begins with a remedy.
    pub fn of(remedy: Remedy) -> Self {
        Self::default().remedy(remedy)
    }

    /// Adds a text. One that is too long for a message, since it quotes an input, is cut in the middle.
    #[must_use]
    pub fn then(mut self, text: impl fmt::Display) -> Self {
        self.parts.push(Part::Text(short(&text.to_string()).into_owned()));
        self
    }

    /// Adds a remedy.
    #[must_use]
    pub fn remedy(mut self, remedy: Remedy) -> Self {
        self.parts.push(Part::Remedy(remedy, None));
        self
    }

    /// Adds another message with all of its remedies.
    #[must_use]
    pub fn append(mut self, other: Self) -> Self {
        self.parts.extend(other.parts);
        self
    }

    /// All remedies, in the order of the text.
    pub fn remedies(&self) -> impl Iterator<Item = &Remedy> {
        self.parts.iter().filter_map(|part| match part {
            Part::Text(_) => None,
            Part::Remedy(remedy, _) => Some(remedy),
        })
    }

    /// The text, with each remedy in the words of a front end.
    pub fn worded(&self, words: impl Fn(&Remedy) -> String) -> String {
        let worded = |part: &Part| match part {
            Part::Text(text) => text.clone(),
            Part::Remedy(_, Some(chosen)) => chosen.clone(),
            Part::Remedy(remedy, None) => words(remedy),
        };
        self.parts.iter().map(worded).collect()
    }

    /// The same message with the words of a front end, which no later front end changes. A reader of files
    /// chooses the words itself, because what is missing is missing in its file, whichever front end prints
    /// the message.
    #[must_use]
    pub fn in_words(mut self, words: impl Fn(&Remedy) -> String) -> Self {
        for part in &mut self.parts {
            if let Part::Remedy(remedy, chosen @ None) = part {
                *chosen = Some(words(remedy));
            }
        }
        self
    }
}

impl From<String> for Message {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}

impl From<&str> for Message {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

/// Writes the words of the library, which name no flag and no key of a file.
impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.worded(ToString::to_string))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_that_a_reader_chose_stay_and_the_remedies_are_data() {
        let inner = Message::text("no class: give it one with ").remedy(Remedy::Classes(vec!["x".into()]));
        assert_eq!(inner.to_string(), "no class: give it one with a table of classes");
        let chosen = inner.clone().in_words(|_| "classes = \"FILE\"".to_owned());
        let outer = Message::text("f.toml: ").append(chosen).then(", or ").remedy(Remedy::Resume);
        assert_eq!(
            outer.worded(|_| "?".to_owned()),
            "f.toml: no class: give it one with classes = \"FILE\", or ?"
        );
        let remedies: Vec<&Remedy> = outer.remedies().collect();
        assert_eq!(remedies, [&Remedy::Classes(vec!["x".into()]), &Remedy::Resume]);
    }
}
