//! Commands that annotate the run of a GitHub workflow where a deadline is not proved to be met.

use crate::commands::budget::words;
use warpspan_records::budget::Outcome;
use warpspan_records::{Budget, BudgetKernel};

/// A command for each kernel that fails the run.
pub(super) fn annotations(found: &Budget) -> String {
    let failed = found.kernels.iter().filter(|kernel| kernel.outcome != Outcome::Met);
    failed.map(annotation).collect()
}

fn annotation(kernel: &BudgetKernel) -> String {
    let file = property(&kernel.at.file);
    let line = kernel.at.line.map_or_else(String::new, |line| format!(",line={line}"));
    let title = property(&format!("{}: {}", kernel.name, words::verdict(kernel.outcome)));
    format!("::error file={file}{line},title={title}::{}\n", data(&words::sentence(kernel)))
}

/// A message, with the characters escaped that end it.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property, which a comma and a colon end as well.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a runner does with a property: it takes the escapes back, `%25` last.
    fn read(text: &str) -> String {
        let plain = text.replace("%0D", "\r").replace("%0A", "\n").replace("%3A", ":").replace("%2C", ",");
        plain.replace("%25", "%")
    }

    #[test]
    fn nothing_ends_a_property_early() {
        for text in ["a,b::c=d", "50%2C", "two\r\nlines", "::error::x"] {
            let written = property(text);
            assert!(!written.contains([',', ':', '\r', '\n']), "{written}");
            assert_eq!(read(&written), text);
        }
        assert_eq!(data("50%: a\nb"), "50%25: a%0Ab");
    }
}
