//! The title of the page, which says what it is about.

use crate::Input;
use crate::report::answers::by_subject;
use crate::report::case::Family;
use crate::shapes::clean;

/// The most subjects that the title has.
const MOST: usize = 3;

/// What the page is about, most of all first.
pub(super) fn title(input: &Input, families: &[Family]) -> String {
    if let Some(title) = &input.title {
        return clean(title);
    }
    let mut subjects: Vec<String> = Vec::new();
    if !families.is_empty() {
        let mut kernels: Vec<String> = families.iter().map(Family::short).collect();
        kernels.dedup();
        subjects.push(format!("Worst-case makespans of {}", first(kernels)));
    }
    for (subject, answers) in by_subject(&input.answers) {
        subjects.push(match &answers[..] {
            [answer] => format!("{} {}", subject.of, answer.document.title),
            many => {
                let (of, what) = subject.many;
                format!("{of} {} {what}", many.len())
            }
        });
    }
    if !input.partitions.is_empty() {
        subjects.push("Schedulability of partitions of multiprocessors".to_owned());
    }
    let more = if subjects.len() > MOST { "; and more" } else { "" };
    subjects.truncate(MOST);
    clean(&format!("{}{more}", subjects.join("; ")))
}

/// The first of many names, and how many more there are.
fn first(names: Vec<String>) -> String {
    const FIRST: usize = 3;
    let more = names.len().saturating_sub(FIRST);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let shortened = |name: &String| match name.char_indices().nth(80) {
        Some((end, _)) => format!("{}...", &name[..end]),
        None => name.clone(),
    };
    let names: Vec<String> = names.iter().take(FIRST).map(shortened).collect();
    format!("{}{more}", names.join(", "))
}
