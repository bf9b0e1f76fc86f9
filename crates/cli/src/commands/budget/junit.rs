//! The answer as tests in the XML of JUnit, one for each kernel.

use quick_junit::{NonSuccessKind, Property, Report, TestCase, TestCaseStatus, TestSuite};

use crate::Failure;
use crate::commands::budget::words;
use warpspan_records::budget::Outcome;
use warpspan_records::{Budget, BudgetKernel};

pub(super) fn xml(found: &Budget) -> Result<String, Failure> {
    let mut suite = TestSuite::new(found.budget.clone());
    suite.add_test_cases(found.kernels.iter().map(test));
    let mut report = Report::new("warpspan budget");
    report.add_test_suite(suite);
    report.to_string().map_err(Failure::internal)
}

/// The test of a kernel: it passes if the deadline is proved to be met.
fn test(kernel: &BudgetKernel) -> TestCase {
    let sentence = words::sentence(kernel);
    let failed = |kind| {
        let mut status = TestCaseStatus::non_success(kind);
        status.set_type(kernel.outcome.name()).set_message(&sentence);
        status
    };
    let status = match kernel.outcome {
        Outcome::Met => TestCaseStatus::success(),
        Outcome::Missed | Outcome::Undecided | Outcome::NotAccepted => failed(NonSuccessKind::Failure),
        Outcome::Error => failed(NonSuccessKind::Error),
    };
    let mut test = TestCase::new(kernel.name.clone(), status);
    test.set_classname(kernel.listing.clone()).set_system_out(said(kernel, &sentence));
    test.add_property(Property::new("verdict", words::verdict(kernel.outcome)));
    test.add_property(Property::new("deadline_ns", kernel.deadline_ns.to_string()));
    if let Some(bound) = kernel.time.as_ref().and_then(|time| time.bound_ns) {
        test.add_property(Property::new("bound_ns", bound.to_string()));
    }
    test
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
