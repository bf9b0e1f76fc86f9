//! References by name: `name?type=Kind`, several of them separated by blanks, with escapes as in URLs.

use std::collections::BTreeMap;

use crate::xml::Element;
use warpspan_model::source::{InputError, quoted};

/// A text with its URL escapes (`%20`) replaced.
fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let escape = (bytes[at] == b'%').then(|| bytes.get(at + 1..at + 3)).flatten();
        let escape = escape.and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok());
        out.push(escape.unwrap_or(if bytes[at] == b'+' { b' ' } else { bytes[at] }));
        at += if escape.is_some() { 3 } else { 1 };
    }
    String::from_utf8(out).unwrap_or_else(|_| text.to_owned())
}

/// The names that a text refers to.
fn targets(text: &str) -> impl Iterator<Item = String> {
    text.split_whitespace().map(|one| {
        let one = one.rsplit_once('#').map_or(one, |(_, fragment)| fragment).trim_start_matches('/');
        decoded(one.split_once("?type=").map_or(one, |(name, _)| name))
    })
}

/// The names that an element refers to: in an attribute, or in elements within that have a `href`.
pub(super) fn references(element: Element<'_>, name: &str) -> Vec<String> {
    let mut found: Vec<String> = element.attribute(name).into_iter().flat_map(targets).collect();
    found.extend(element.children(name).filter_map(|child| child.attribute("href")).flat_map(targets));
    found
}

/// The one name that an element refers to.
pub(super) fn reference(element: Element<'_>, name: &str) -> Result<String, InputError> {
    let mut found = references(element, name);
    match (found.pop(), found.is_empty()) {
        (Some(one), true) => Ok(one),
        (Some(_), false) => Err(element.error(format!("several in {name}: want one"))),
        (None, _) => {
            Err(element.error(format!("no {name}: want a reference such as {name}=\"NAME?type=KIND\"")))
        }
    }
}

/// The things of one kind by their names.
#[derive(Debug)]
pub(super) struct Names {
    kind: &'static str,
    numbers: BTreeMap<String, usize>,
}

impl Names {
    /// The names of these elements, which are numbered in their order.
    ///
    /// # Errors
    /// If one has no name, or two have the same.
    pub(super) fn new<'a>(
        kind: &'static str,
        elements: impl IntoIterator<Item = Element<'a>>,
    ) -> Result<Self, InputError> {
        let mut numbers = BTreeMap::new();
        for (number, element) in elements.into_iter().enumerate() {
            let name = element.required("name")?;
            if numbers.insert(name.to_owned(), number).is_some() {
                return Err(
                    element.error(format!("a second {kind} of the name {}: want another", quoted(name)))
                );
            }
        }
        Ok(Self { kind, numbers })
    }

    /// The number of a name.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.numbers.get(name).copied()
    }

    /// The numbers of what an element refers to.
    pub(super) fn all(&self, element: Element<'_>, attribute: &str) -> Result<Vec<usize>, InputError> {
        references(element, attribute).iter().map(|name| self.resolved(element, attribute, name)).collect()
    }

    /// The number of the one thing that an element refers to.
    pub(super) fn one(&self, element: Element<'_>, attribute: &str) -> Result<usize, InputError> {
        self.resolved(element, attribute, &reference(element, attribute)?)
    }

    fn resolved(&self, element: Element<'_>, attribute: &str, name: &str) -> Result<usize, InputError> {
        self.find(name).ok_or_else(|| {
            let kind = self.kind;
            element
                .error(format!("{attribute} names {}: want the name of a {kind} of this model", quoted(name)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_decoded() {
        let found: Vec<String> =
            targets("GPU%20island?type=HwStructure a%2Fb?type=Label amlt:/#x?type=Task 50%").collect();
        assert_eq!(found, ["GPU island", "a/b", "x", "50%"]);
    }
}
