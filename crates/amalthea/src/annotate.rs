//! Results written into the model as custom properties of its tasks and event chains; everything else stays as
//! it is, byte by byte.

use std::fmt::Write;

use crate::analysis::Analysis;
use crate::xml::{Element, XSI, Xml};
use warpspan_model::source::InputError;
use warpspan_model::time::Duration;

/// The keys of all properties begin so.
const PREFIX: &str = "warpspan.";

/// The text of a model with the results of the analysis of that model; those of an earlier one are replaced.
///
/// # Errors
/// If the text is not XML; a text from which the model was read is.
pub fn annotate(place: &str, text: &str, analysis: &Analysis) -> Result<String, InputError> {
    let xml = Xml::parse(place, text)?;
    let root = xml.root();
    let prefix = tag_name(&text[root.bytes()]).split_once(':').map(|(prefix, _)| format!("{prefix}:"));
    let prefix = prefix.unwrap_or_default();
    let mut edits = Vec::new();
    let tasks = root.children("swModel").flat_map(|one| one.children("tasks").collect::<Vec<_>>());
    for (task, result) in tasks.zip(&analysis.tasks) {
        let times = [
            ("response_bound_ps", result.bound),
            ("worst_case_at_least_ps", result.worst_lower),
            ("response_least_ps", result.least),
        ];
        edit(task, text, &prefix, &times, result.meets.name(), &mut edits);
    }
    let chains =
        root.children("constraintsModel").flat_map(|one| one.children("eventChains").collect::<Vec<_>>());
    for (chain, result) in chains.zip(&analysis.chains) {
        let times = [
            ("implicit_upper_ps", result.implicit_upper),
            ("implicit_lower_ps", result.implicit_lower),
            ("let_upper_ps", result.let_upper),
        ];
        edit(chain, text, &prefix, &times, result.meets.name(), &mut edits);
    }
    edits.sort_by_key(|(range, _): &(std::ops::Range<usize>, String)| (range.start, range.end));
    let mut out = String::with_capacity(text.len() + 256 * edits.len());
    let mut at = 0;
    for (range, new) in edits {
        out.push_str(&text[at..range.start]);
        out.push_str(&new);
        at = range.end;
    }
    out.push_str(&text[at..]);
    Ok(out)
}

/// Replaces the properties of an element by new ones.
fn edit(
    element: Element<'_>,
    text: &str,
    prefix: &str,
    times: &[(&str, Option<Duration>)],
    meets: &str,
    edits: &mut Vec<(std::ops::Range<usize>, String)>,
) {
    let own = |property: &Element<'_>| property.attribute("key").is_some_and(|key| key.starts_with(PREFIX));
    for old in element.children("customProperties").filter(own) {
        // With the blanks before it, which came with it.
        let blanks = text[..old.bytes().start].trim_end().len();
        edits.push((blanks..old.bytes().end, String::new()));
    }
    let begin = element.bytes().start;
    let indent: String = {
        let line = text[..begin].rfind('\n').map_or(0, |at| at + 1);
        text[line..begin].chars().take_while(|c| c.is_whitespace()).collect()
    };
    let end_of_line = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let mut new = String::new();
    let declaration = if element.knows_xsi() { String::new() } else { format!("xmlns:xsi=\"{XSI}\" ") };
    let mut property = |key: &str, kind: &str, value: &str| {
        let value = format!("<value {declaration}xsi:type=\"{prefix}{kind}\" value=\"{value}\"/>");
        let _ = write!(
            new,
            "{end_of_line}{indent}  <customProperties key=\"{PREFIX}{key}\">{value}</customProperties>"
        );
    };
    for (key, time) in times {
        if let Some(time) = time {
            property(key, "LongObject", &time.0.to_string());
        }
    }
    property("meets", "StringObject", meets);
    let whole = &text[element.bytes()];
    let end = start_tag(whole);
    if let Some(open) = whole[..end].strip_suffix("/>") {
        // An element without content gets some.
        let name = tag_name(whole);
        let slash = begin + open.len();
        edits.push((slash..slash + 2, format!(">{new}{end_of_line}{indent}</{name}>")));
    } else {
        edits.push((begin + end..begin + end, new));
    }
}

/// The name of an element, with the prefix of its namespace.
fn tag_name(element: &str) -> &str {
    let end = element.find(|c: char| c.is_whitespace() || matches!(c, '/' | '>')).unwrap_or(element.len());
    element[..end].trim_start_matches('<')
}

/// The length of the start tag at the beginning of an element.
fn start_tag(element: &str) -> usize {
    let mut quote = None;
    for (at, byte) in element.bytes().enumerate() {
        match (quote, byte) {
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), byte) if open == byte => quote = None,
            (None, b'>') => return at + 1,
            _ => {}
        }
    }
    element.len()
}
