//! Answers of commands as facts and tables: response times, measured runs, time-triggered tiles, policies.

use maud::{Markup, html};

use crate::report::Said;
use crate::shapes::clean;

/// What an answer is about; the answers of one kind stand in one section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// The worst case of an instance.
    Worst,
    /// Bounds and estimates of an instance.
    Bounds,
    /// Kernels and whether they meet their deadlines.
    Deadlines,
    /// Response times of the kernels of a GPU.
    Responses,
    /// A measured run compared with the computed one.
    Measured,
    /// A time-triggered schedule of tiles.
    Tiles,
    /// Partitions of multiprocessors.
    Partitions,
    /// Runs of warp-scheduling policies.
    Policies,
}

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

impl Subject {
    /// All subjects, in the order of their sections.
    pub(super) const ALL: [Self; 8] = [
        Self::Worst,
        Self::Bounds,
        Self::Deadlines,
        Self::Responses,
        Self::Measured,
        Self::Tiles,
        Self::Partitions,
        Self::Policies,
    ];

    /// What the title of the page says before the names.
    pub(super) fn of(self) -> &'static str {
        match self {
            Self::Worst => "The worst case of",
            Self::Bounds => "Bounds of",
            Self::Deadlines => "Deadlines of",
            Self::Responses => "Response times of",
            Self::Measured => "A measured run of",
            Self::Tiles => "Time-triggered tiles of",
            Self::Partitions => "Partitions for",
            Self::Policies => "Warp-scheduling policies on",
        }
    }

    /// The beginning of the title of a page with several answers, and the plural of what they are of.
    pub(super) fn many(self) -> (&'static str, &'static str) {
        match self {
            Self::Worst => ("Worst cases of", "instances"),
            Self::Bounds => ("Bounds of", "instances"),
            Self::Deadlines => ("Deadlines of", "budgets"),
            Self::Responses => ("Response times of", "systems"),
            Self::Measured => ("Measured runs of", "systems"),
            Self::Tiles => ("Time-triggered tiles of", "sets of kernels"),
            Self::Partitions => ("Partitions for", "task sets"),
            Self::Policies => ("Warp-scheduling policies on", "instances"),
        }
    }

    /// What an answer is, in the table on top of the page.
    pub(super) fn what(self) -> &'static str {
        match self {
            Self::Worst => "worst case",
            Self::Bounds => "bounds",
            Self::Deadlines => "deadlines",
            Self::Responses => "response times",
            Self::Measured => "measured run",
            Self::Tiles => "tiles",
            Self::Partitions => "partitions",
            Self::Policies => "policies",
        }
    }

    /// The anchor of the section, its title, and its introduction.
    pub(super) fn section(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Worst => (
                "worst",
                "Worst cases",
                "What solve says of the makespan over all work-conserving schedules, and what stands behind it.",
            ),
            Self::Bounds => (
                "bounds",
                "Bounds",
                "What bound says of the makespan. What is NOT SAFE, and every estimate, may be on either side of the worst case.",
            ),
            Self::Deadlines => (
                "deadlines",
                "Deadlines",
                "What budget says of launches of kernels. A verdict and its bound hold under the conditions beside them and what \
                 is assumed.",
            ),
            Self::Responses => (
                "response-times",
                "Response times",
                "What rta says of the kernels of a GPU. The verdict and the response bounds are proved under what is assumed; \
                 the estimates are not.",
            ),
            Self::Measured => (
                "measured",
                "Measured runs",
                "What a GPU did, beside what the scheduling rules compute, and which rules its blocks keep.",
            ),
            Self::Tiles => (
                "prem",
                "Times of time-triggered tiles",
                "What prem says of a schedule of tiles in prefetch, compute and writeback phases. Times are in nanoseconds.",
            ),
            Self::Partitions => (
                "partitioned",
                "Partitions",
                "What partition says of which tasks share which multiprocessors. Times are in the unit of the file.",
            ),
            Self::Policies => (
                "simulated",
                "Makespans of policies",
                "Runs of warp-scheduling policies. In the model, none is longer than the worst case or shorter than the best.",
            ),
        }
    }
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
