//! Drawings of response times.

use serde_json::Number;
use warpspan_document::assumptions::in_numbers;
use warpspan_document::words::{maybe, names};
use warpspan_figures::{Deadlines, Due, Sketch};
use warpspan_records::Rta;
use warpspan_records::rta::Kernel;

/// The response times that are drawn beside their deadlines; none where no kernel has both.
pub(in crate::commands::report) fn deadlines(record: &Rta) -> Option<Sketch> {
    let number = |number: &Option<Number>| number.as_ref().and_then(Number::as_f64);
    let due = |kernel: &Kernel| {
        let deadline = number(&kernel.deadline).filter(|deadline| *deadline > 0.0)?;
        let (bound, estimate) = (number(&kernel.response_bound), number(&kernel.response_estimate));
        let time = kernel.response_bound.as_ref().or(kernel.response_estimate.as_ref())?;
        let text = format!("{time} of {} {}", maybe(&kernel.deadline), record.unit);
        let text = if bound.is_some() { text } else { format!("estimate {text}") };
        Some(Due { name: kernel.name.clone(), estimate, bound, deadline, number: text })
    };
    let kernels: Vec<Due> = record.kernels.iter().filter_map(due).collect();
    let names = names(record.kernels.iter().map(|kernel| kernel.name.as_str()));
    let drawn = (!kernels.is_empty()).then(|| Deadlines {
        title: format!("Response times of {names}"),
        caption: format!(
            "Response bounds are proved and rest on {}; estimates are not proved.",
            in_numbers(&record.assumptions)
        ),
        kernels,
    });
    drawn.map(Sketch::from)
}
