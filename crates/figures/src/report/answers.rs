//! Answers of commands: the documents of their records.

use maud::{Markup, PreEscaped, html};

use crate::report::subject::{SUBJECTS, Subject};
use warpspan_document::{Document, clean};

/// An answer of a command, for a person to read.
#[derive(Debug, Clone)]
pub struct Answer {
    /// What it says.
    pub document: Document,
    /// The file that it is from.
    pub file: String,
}

/// The sections of all answers.
pub(super) fn sections(answers: &[Answer]) -> Markup {
    html! {
        @for (subject, answers) in by_subject(answers) {
            section id=(subject.id) {
                h2 { (subject.title) }
                p { (subject.text) }
                @for (number, answer) in (1..).zip(answers) {
                    h3 id=(id(subject, number)) { (clean(&answer.document.title)) }
                    (PreEscaped(answer.document.html()))
                }
            }
        }
    }
}

/// The subjects that have answers, with these.
pub(super) fn by_subject(answers: &[Answer]) -> Vec<(&'static Subject, Vec<&Answer>)> {
    let of = |subject: &'static Subject| {
        let is_of = |answer: &&Answer| subject.records.contains(&answer.document.record);
        (subject, answers.iter().filter(is_of).collect::<Vec<_>>())
    };
    SUBJECTS.iter().map(of).filter(|(_, answers)| !answers.is_empty()).collect()
}

/// The anchor of an answer on the page.
pub(super) fn id(subject: &Subject, number: usize) -> String {
    format!("{}-{number:02}-table", subject.id)
}
