//! The library as the page in a browser calls it: a question in JSON, an answer in JSON.
//!
//! Answers are the records of the command line (`warpspan::records`), with what the page draws beside them. [`answer`] is
//! all there is to call; `boundary` puts it at the edge of a WebAssembly module, by functions on bytes alone, so that no
//! generated code is needed around it.

mod ask;
mod best;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod boundary;
mod bounds;
mod curve;
mod extract;
mod gpus;
mod refusal;
mod simulate;
mod solve;
mod time;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use ask::Ask;
use refusal::Refusal;

/// What the page asks.
#[derive(Debug, Deserialize)]
#[serde(tag = "command", rename_all = "kebab-case", deny_unknown_fields)]
enum Question {
    /// The worst case, with a schedule.
    Solve(Box<Ask>),
    /// The best case, with a schedule.
    Best(Box<Ask>),
    /// Every bound and estimate.
    Bound(Box<Ask>),
    /// What policies take.
    Simulate(Box<Ask>),
    /// Bounds for several numbers of warps.
    Curve(curve::Curve),
    /// Letters and shares of a listing.
    Extract(extract::Extract),
    /// How long a launch takes at most.
    Time(Box<time::Time>),
    /// The GPUs that there are.
    Gpus {},
}

/// Answers a question: `{"ok": ...}`, or `{"error": "what is wrong, on one line"}`. An error about a listing may have a list `missing`
/// beside it: what only the user knows, such as the bounds of loops, with their labels.
pub fn answer(question: &str) -> String {
    let read = serde_json::from_str(question).map_err(|error| format!("question: {error}").into());
    let answer = match read.and_then(asked) {
        Ok(answer) => serde_json::json!({ "ok": answer }),
        Err(refusal) => json(refusal).unwrap_or_default(),
    };
    answer.to_string()
}

fn asked(question: Question) -> Result<Value, Refusal> {
    let answered = match question {
        Question::Time(ask) => return time::time(&ask),
        Question::Solve(ask) => solve::solve(&ask),
        Question::Best(ask) => best::best(&ask),
        Question::Bound(ask) => bounds::bound(&ask),
        Question::Simulate(ask) => simulate::simulate(&ask),
        Question::Curve(curve) => curve::curve(&curve),
        Question::Extract(listing) => return extract::extract(&listing),
        Question::Gpus {} => gpus::gpus(),
    };
    Ok(answered?)
}

/// An answer as JSON.
fn json(answer: impl Serialize) -> Result<Value, String> {
    serde_json::to_value(answer).map_err(|error| error.to_string())
}
