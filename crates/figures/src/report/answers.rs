//! Answers of commands as facts and tables: response times, measured runs, time-triggered tiles, policies.

use maud::{Markup, html};

use crate::report::Said;
use crate::report::subject::Subject;
use crate::shapes::clean;

/// An answer of a command, for a person to read.
#[derive(Debug, Clone)]
pub struct Answer {
    /// What it is about.
    pub subject: Subject,
    /// What it is of, such as the names of the kernels.
    pub title: String,
    /// What it says in a few words.
    pub said: Said,
    /// The facts about the whole, each with a name.
    pub facts: Vec<(&'static str, String)>,
    /// The tables, in order.
    pub tables: Vec<AnswerTable>,
    /// What else should be known, a sentence each.
    pub notes: Vec<String>,
}

/// A table of an answer.
#[derive(Debug, Clone)]
pub struct AnswerTable {
    /// The headings of the columns.
    pub heads: Vec<&'static str>,
    /// How many of the first columns are texts; the others are numbers.
    pub texts: usize,
    /// The cells, row by row.
    pub rows: Vec<Vec<String>>,
}

/// The sections of all answers.
pub(super) fn sections(answers: &[Answer]) -> Markup {
    html! {
        @for (subject, answers) in by_subject(answers) {
            @let (name, title, text) = subject.section();
            section id=(name) {
                h2 { (title) }
                p { (text) }
                @for (number, answer) in (1..).zip(answers) {
                    h3 id=(id(subject, number)) { (clean(&answer.title)) }
                    (body(answer))
                }
            }
        }
    }
}

/// The subjects that have answers, with these.
pub(super) fn by_subject(answers: &[Answer]) -> Vec<(Subject, Vec<&Answer>)> {
    let of =
        |subject| (subject, answers.iter().filter(|answer| answer.subject == subject).collect::<Vec<_>>());
    Subject::ALL.map(of).into_iter().filter(|(_, answers)| !answers.is_empty()).collect()
}

/// The anchor of an answer on the page.
pub(super) fn id(subject: Subject, number: usize) -> String {
    format!("{}-{number:02}-table", subject.section().0)
}

fn body(Answer { facts, tables, notes, .. }: &Answer) -> Markup {
    html! {
        dl { @for (name, fact) in facts { dt { (name) } dd { (clean(fact)) } } }
        @for AnswerTable { heads, texts, rows } in tables {
            div class="listing" {
                table class=[(rows.len() > 5).then_some("sortable")] {
                    thead {
                        tr {
                            @for (column, head) in heads.iter().enumerate() {
                                th scope="col" class=[(column >= *texts).then_some("number")] { (head) }
                            }
                        }
                    }
                    tbody {
                        @for row in rows {
                            tr {
                                @for (column, cell) in row.iter().enumerate() {
                                    td class=[(column >= *texts).then_some("number")] { (clean(cell)) }
                                }
                            }
                        }
                    }
                }
            }
        }
        @if !notes.is_empty() {
            ul { @for note in notes { li { (clean(note)) } } }
        }
    }
}
