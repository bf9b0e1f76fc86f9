//! The answer in SARIF 2.1.0 (OASIS, "Static Analysis Results Interchange Format"): a result for each deadline that is not
//! proved to be met, and a notification for each other one.
//!
//! A result of the kind `pass` would say that a deadline is met, but what shows results of SARIF as alerts, such as GitHub, does
//! not look at the kind.

use std::path::Path;

use serde_json::{Value, json};

use crate::Failure;
use crate::commands::budget::words;
use warpspan_records::budget::{At, Outcome};
use warpspan_records::{Budget, BudgetKernel};

/// Where the program and its rules are explained: `documentation` of the package.
const MANUAL: &str = "https://docs.rs/warpspan";
/// The name of the folder of the run, which paths start from. Its path is for the reader to give: it is none of the analysis.
const ROOT: &str = "%SRCROOT%";

/// A rule: what it is called, for programs and for people, the outcome that breaks it, what it says, and what to do.
struct Rule {
    id: &'static str,
    name: &'static str,
    outcome: Outcome,
    says: &'static str,
    more: &'static str,
    help: &'static str,
}

const RULES: [Rule; 4] = [
    Rule {
        id: "deadline-missed",
        name: "DeadlineMissed",
        outcome: Outcome::Missed,
        says: "No launch of the kernel can meet its deadline.",
        more: "The least time that a launch of the kernel takes is above the deadline that the budget gives it.",
        help: "Even the least time of a launch is above the deadline: make the kernel smaller or the deadline longer.",
    },
    Rule {
        id: "deadline-undecided",
        name: "DeadlineUndecided",
        outcome: Outcome::Undecided,
        says: "It is not proved that the kernel meets its deadline.",
        more: "The bound on the time of a launch is above the deadline that the budget gives it, or there is no bound; and it is not proved \
               that a launch takes so long.",
        help: "The bound on the time of a launch is above the deadline, or there is none. Declare what the code does not show, or \
               look at the line that costs most.",
    },
    Rule {
        id: "not-accepted",
        name: "DeadlineMetByWhatIsNotAccepted",
        outcome: Outcome::NotAccepted,
        says: "The kernel meets its deadline only by what is not accepted.",
        more: "The proof that the deadline is met rests on declarations or assumptions that are not among those which the budget, or whoever \
               runs it, accepts.",
        help: "The message says what is not accepted: accept it after a review, or declare what takes its place.",
    },
    Rule {
        id: "no-answer",
        name: "NoAnswer",
        outcome: Outcome::Error,
        says: "There is no answer for the kernel.",
        more: "The listing of the kernel cannot be read, or something is not declared without which there is no bound.",
        help: "The message says what is wrong or missing, and what would do.",
    },
];

pub(super) fn json(found: &Budget) -> Result<String, Failure> {
    let rules = RULES.map(|rule| {
        json!({
            "id": rule.id,
            "name": rule.name,
            "shortDescription": { "text": rule.says },
            "fullDescription": { "text": rule.more },
            "help": { "text": rule.help },
            "helpUri": MANUAL,
            "defaultConfiguration": { "level": "error" },
        })
    });
    let results: Vec<Value> = found.kernels.iter().filter_map(|kernel| result(found, kernel)).collect();
    let met = found.kernels.iter().filter(|kernel| kernel.outcome == Outcome::Met);
    let met: Vec<Value> = met
        .map(|kernel| {
            json!({
                "level": "note",
                "message": { "text": ended(words::sentence(kernel)) },
                "locations": [location(&kernel.at)],
                "properties": properties(kernel),
            })
        })
        .collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "warpspan",
                "version": env!("CARGO_PKG_VERSION"),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "informationUri": MANUAL,
                "rules": rules,
            } },
            // Runs of one budget belong together, and those of two do not. What ends in a slash names no single run.
            "automationDetails": { "id": format!("warpspan-budget/{}/", uri(&of_budget(&found.budget))) },
            "originalUriBaseIds": { ROOT: { "description": { "text": "The folder in which the program ran." } } },
            "invocations": [{
                "executionSuccessful": found.outcome != Outcome::Error,
                "exitCode": found.exit_code,
                "exitCodeDescription": ended(words::summary(found)),
                "toolExecutionNotifications": met,
            }],
            "results": results,
        }],
    });
    serde_json::to_string_pretty(&log).map(|text| text + "\n").map_err(Failure::internal)
}

/// A deadline that is not proved to be met.
fn result(found: &Budget, kernel: &BudgetKernel) -> Option<Value> {
    let (index, rule) = RULES.iter().enumerate().find(|(_, rule)| rule.outcome == kernel.outcome)?;
    let table = At { file: found.budget.clone(), line: Some(kernel.line as u64) };
    let mut deadline = location(&table);
    deadline["id"] = json!(1);
    deadline["message"] = json!({ "text": format!("The deadline of {} stands here.", kernel.name) });
    Some(json!({
        "ruleId": rule.id,
        "ruleIndex": index,
        "level": "error",
        "message": { "text": ended(words::sentence(kernel)) },
        // GitHub shows only what has a line.
        "locations": [location(&At { line: Some(kernel.at.line.unwrap_or(1)), ..kernel.at.clone() })],
        "relatedLocations": [deadline],
        // What is the same deadline in the next run, wherever its line has gone.
        "partialFingerprints": { "kernel/v1": kernel.name },
        "properties": properties(kernel),
    }))
}

fn location(at: &At) -> Value {
    let mut physical = json!({ "artifactLocation": { "uri": uri(&at.file) } });
    if !Path::new(&at.file).is_absolute() {
        physical["artifactLocation"]["uriBaseId"] = json!(ROOT);
    }
    if let Some(line) = at.line {
        physical["region"] = json!({ "startLine": line.max(1) });
    }
    json!({ "physicalLocation": physical })
}

/// A message as a sentence.
fn ended(text: String) -> String {
    if text.ends_with('.') { text } else { text + "." }
}

/// The path of the budget, wherever the folder of the run is.
fn of_budget(budget: &str) -> String {
    let path = Path::new(budget);
    let name = path.file_name().filter(|_| path.is_absolute());
    name.map_or_else(|| budget.to_owned(), |name| name.to_string_lossy().into_owned())
}

/// The numbers, and what they rest on.
fn properties(kernel: &BudgetKernel) -> Value {
    let time = kernel.time.as_deref();
    let mut all = json!({
        "kernel": kernel.name,
        "listing": kernel.listing,
        "verdict": kernel.outcome,
        "deadline_ns": kernel.deadline_ns,
        "bound_ns": time.and_then(|time| time.bound_ns),
        "least_ns": time.map(|time| time.least_ns),
        "assumptions": time.map(|time| &time.assumptions),
        "notes": time.map(|time| &time.notes),
        "not_covered": time.map(|time| &time.not_covered),
        "costs_most": words::costliest(kernel),
        "command": words::command(kernel),
    });
    if let Some(all) = all.as_object_mut() {
        all.retain(|_, value| !value.is_null());
    }
    all
}

/// A path as a reference of a URI (RFC 3986): relative, or of a file.
fn uri(path: &str) -> String {
    let path = if cfg!(windows) { path.replace('\\', "/") } else { path.to_owned() };
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    let written = path
        .bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") });
    let written: String = written.collect();
    match Path::new(&path).is_absolute() {
        true => format!("file://{}{written}", if written.starts_with('/') { "" } else { "/" }),
        false => written,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_a_uri() {
        assert_eq!(uri("src/blur.cu"), "src/blur.cu");
        assert_eq!(uri("a b/ü:1.sass"), "a%20b/%C3%BC%3A1.sass");
        if cfg!(unix) {
            assert_eq!(uri("/x/k%.ptx"), "file:///x/k%25.ptx");
        }
    }
}
