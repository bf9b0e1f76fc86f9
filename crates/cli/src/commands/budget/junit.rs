//! The answer as tests in the XML of JUnit, one for each kernel.
//!
//! It is valid for the schema by which the xUnit plugin of Jenkins reads it (`junit-10.xsd`), which has properties of a suite and none of a
//! test.

use std::io;
use std::time::Duration;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use crate::Failure;
use crate::commands::budget::words;
use warpspan_records::budget::Outcome;
use warpspan_records::{Budget, BudgetKernel};

type Xml = Writer<Vec<u8>>;

/// The tests; `took` is how long each kernel was analysed.
pub(super) fn xml(found: &Budget, took: &[Duration]) -> Result<String, Failure> {
    let mut xml = Writer::new_with_indent(Vec::new(), b' ', 4);
    suites(&mut xml, found, took).map_err(Failure::internal)?;
    String::from_utf8(xml.into_inner()).map(|text| text + "\n").map_err(Failure::internal)
}

fn suites(xml: &mut Xml, found: &Budget, took: &[Duration]) -> io::Result<()> {
    let errors = found.count(Outcome::Error);
    let failures = found.kernels.len() - found.count(Outcome::Met) - errors;
    let [tests, failures, errors] = [found.kernels.len(), failures, errors].map(|count| count.to_string());
    let (name, time) = (legal(&found.budget), seconds(took.iter().sum()));
    let counts = [("tests", &*tests), ("failures", &*failures), ("errors", &*errors), ("time", &*time)];
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let all =
        xml.create_element("testsuites").with_attribute(("name", "warpspan budget")).with_attributes(counts);
    all.write_inner_content(|xml| {
        let suite = xml.create_element("testsuite").with_attribute(("name", &*name)).with_attributes(counts);
        let suite = suite.with_attribute(("skipped", "0"));
        suite.write_inner_content(|xml| {
            let properties = xml.create_element("properties");
            properties
                .write_inner_content(|xml| found.kernels.iter().try_for_each(|one| numbers(xml, one)))?;
            let each = found.kernels.iter().zip(took);
            each.into_iter().try_for_each(|(kernel, took)| test(xml, kernel, *took))
        })?;
        Ok(())
    })?;
    Ok(())
}

/// The numbers of a kernel, with its name.
fn numbers(xml: &mut Xml, kernel: &BudgetKernel) -> io::Result<()> {
    let bound =
        kernel.time.as_ref().and_then(|time| time.bound_ns).map(|bound| ("bound_ns", bound.to_string()));
    let all = [
        ("verdict", words::verdict(kernel.outcome).to_owned()),
        ("deadline_ns", kernel.deadline_ns.to_string()),
    ];
    for (what, value) in all.into_iter().chain(bound) {
        let name = legal(&format!("{}: {what}", kernel.name));
        let attributes = [("name", &*name), ("value", &*value)];
        xml.create_element("property").with_attributes(attributes).write_empty()?;
    }
    Ok(())
}

/// The test of a kernel: it passes if the deadline is proved to be met.
fn test(xml: &mut Xml, kernel: &BudgetKernel, took: Duration) -> io::Result<()> {
    let sentence = words::sentence(kernel);
    let (name, listing, time) = (legal(&kernel.name), legal(&kernel.listing), seconds(took));
    let attributes = [("name", &*name), ("classname", &*listing), ("time", &*time)];
    let failed = match kernel.outcome {
        Outcome::Met => None,
        Outcome::Missed | Outcome::Undecided | Outcome::NotAccepted => Some("failure"),
        Outcome::Error => Some("error"),
    };
    xml.create_element("testcase").with_attributes(attributes).write_inner_content(|xml| {
        if let Some(failed) = failed {
            let message = legal(&sentence);
            let attributes = [("type", kernel.outcome.name()), ("message", &*message)];
            xml.create_element(failed).with_attributes(attributes).write_empty()?;
        }
        let said = legal(&said(kernel, &sentence));
        xml.create_element("system-out").write_text_content(BytesText::new(&said))?;
        Ok(())
    })?;
    Ok(())
}

/// Seconds to the millisecond.
fn seconds(took: Duration) -> String {
    format!("{:.3}", took.as_secs_f64())
}

/// A text without the characters that XML 1.0 cannot have.
fn legal(text: &str) -> String {
    let is_legal = |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..);
    text.chars().filter(|c| is_legal(*c)).collect()
}

/// All that is said of a kernel, a sentence a line.
fn said(kernel: &BudgetKernel, sentence: &str) -> String {
    let mut lines = vec![sentence.to_owned()];
    lines.extend(words::costliest(kernel).map(|line| format!("costs most: {line}")));
    lines.extend(words::unaccepted(kernel).into_iter().map(|one| format!("not accepted: {one}")));
    if words::is_late(kernel) {
        lines.extend(words::hints(kernel).into_iter().map(|hint| format!("declare: {hint}")));
    }
    lines.push(format!("command: {}", words::command(kernel)));
    if let Some(time) = &kernel.time {
        lines.extend(words::of_time(time).map(|(name, what)| format!("{name}: {what}")));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_xml_cannot_have_is_left_out() {
        assert_eq!(legal("a\u{0}\u{1b}[1m\u{fffe}\u{ffff}\tb\n\u{1f600}"), "a[1m\tb\n\u{1f600}");
        assert_eq!(seconds(Duration::from_micros(12_345)), "0.012");
    }
}
