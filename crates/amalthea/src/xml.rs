//! Elements of an XML file that know their line.

use roxmltree::{Document, Node};

use warpspan_model::source::InputError;

/// The namespace of `xsi:type`.
pub(crate) const XSI: &str = "http://www.w3.org/2001/XMLSchema-instance";

/// The beginnings of the lines of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Lines(Vec<usize>);

impl Lines {
    pub(super) fn new(text: &str) -> Self {
        Self(std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect())
    }

    /// The line of a byte, from 1.
    pub(crate) fn of(&self, byte: usize) -> usize {
        self.0.partition_point(|&begin| begin <= byte)
    }
}

/// An XML document with the name of its file.
#[derive(Debug)]
pub(crate) struct Xml<'a> {
    place: &'a str,
    document: Document<'a>,
    pub(super) lines: Lines,
}

impl<'a> Xml<'a> {
    /// Parses a text.
    ///
    /// # Errors
    /// If it is not well-formed XML, or defines entities.
    pub(crate) fn parse(place: &'a str, text: &'a str) -> Result<Self, InputError> {
        let document = Document::parse(text).map_err(|error| InputError {
            place: place.to_owned(),
            line: usize::try_from(error.pos().row).ok(),
            what: format!("not XML that can be read: {error}: want an AMALTHEA model (.amxmi)").into(),
        })?;
        Ok(Self { place, document, lines: Lines::new(text) })
    }

    pub(crate) fn root(&self) -> Element<'_> {
        Element { node: self.document.root_element(), xml: self }
    }
}

/// An element.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Element<'a> {
    node: Node<'a, 'a>,
    xml: &'a Xml<'a>,
}

impl<'a> Element<'a> {
    /// The name without the prefix of its namespace.
    pub(crate) fn name(self) -> &'a str {
        self.node.tag_name().name()
    }

    pub(super) fn namespace(self) -> &'a str {
        self.node.tag_name().namespace().unwrap_or_default()
    }

    /// All elements directly within.
    pub(crate) fn elements(self) -> impl Iterator<Item = Self> {
        self.node.children().filter(Node::is_element).map(move |node| Self { node, xml: self.xml })
    }

    /// The elements of this name directly within.
    pub(crate) fn children(self, name: &str) -> impl Iterator<Item = Self> {
        self.elements().filter(move |element| element.name() == name)
    }

    /// The first element of this name directly within.
    pub(crate) fn child(self, name: &str) -> Option<Self> {
        self.children(name).next()
    }

    /// The elements two levels down.
    pub(super) fn below(self, outer: &str, inner: &str) -> Vec<Self> {
        self.children(outer).flat_map(|element| element.children(inner).collect::<Vec<_>>()).collect()
    }

    /// Whether `xsi` is the prefix of its namespace here.
    pub(crate) fn knows_xsi(self) -> bool {
        self.node.lookup_namespace_uri(Some("xsi")) == Some(XSI)
    }

    /// The value of `xsi:type` without the prefix of its namespace; empty where there is none.
    pub(super) fn kind(self) -> &'a str {
        let kind = self.node.attribute((XSI, "type")).unwrap_or_default();
        kind.rsplit_once(':').map_or(kind, |(_, local)| local)
    }

    pub(crate) fn attribute(self, name: &str) -> Option<&'a str> {
        // By its name alone the crate would also find `xsi:type` where `type` is meant.
        let own = |one: &roxmltree::Attribute<'_, '_>| one.namespace().is_none() && one.name() == name;
        self.node.attributes().find(own).map(|one| one.value())
    }

    /// The names of its attributes, but for those of XML itself and of its schemas.
    pub(super) fn attributes(self) -> impl Iterator<Item = &'a str> {
        self.node.attributes().filter(|one| one.namespace().is_none()).map(|one| one.name())
    }

    /// The value of an attribute that must be there.
    pub(super) fn required(self, name: &str) -> Result<&'a str, InputError> {
        self.attribute(name).ok_or_else(|| self.error(format!("no {name}: want the attribute {name}")))
    }

    /// An element within that must be there.
    pub(super) fn required_child(self, name: &str) -> Result<Self, InputError> {
        self.child(name).ok_or_else(|| self.error(format!("no {name}: want an element {name} within")))
    }

    /// The bytes of the text that the element takes.
    pub(crate) fn bytes(self) -> std::ops::Range<usize> {
        self.node.range()
    }

    /// The element as it is named in messages: the path from the root, each step with its name or its number among its
    /// like.
    pub(super) fn path(self) -> String {
        let step = |node: Node<'_, '_>| {
            let name = node.tag_name().name();
            let alike = |other: &Node<'_, '_>| other.is_element() && other.tag_name().name() == name;
            let label =
                node.attribute("name").or_else(|| node.attribute("task")).map(str::to_owned).or_else(|| {
                    let several = node.parent()?.children().filter(alike).nth(1).is_some();
                    several.then(|| (node.prev_siblings().filter(alike).count()).to_string())
                });
            label.map_or_else(|| name.to_owned(), |label| format!("{name}[{label}]"))
        };
        // Deep nesting would make an unreadable line.
        let ancestors = self.node.ancestors().filter(Node::is_element);
        let mut steps: Vec<String> =
            ancestors.filter(|node| node.parent_element().is_some()).take(8).map(step).collect();
        steps.reverse();
        if steps.is_empty() { self.name().to_owned() } else { steps.join("/") }
    }

    /// An error about the element.
    pub(super) fn error(self, what: impl std::fmt::Display) -> InputError {
        InputError {
            place: self.xml.place.to_owned(),
            line: Some(self.line()),
            what: format!("{}: {what}", self.path()).into(),
        }
    }

    /// The line at which the element begins, from 1.
    pub(super) fn line(self) -> usize {
        self.xml.lines.of(self.bytes().start)
    }
}
