//! docs/papers.md has a row for every numbered item of each paper.

use std::collections::BTreeSet;

/// The numbered items of each paper. "3.1 to 3.10" are those of a chapter.
const ITEMS: [(&str, &[(&str, &str)]); 5] = [
    ("Be12", &[("Fig.", "1 to 7"), ("Eq.", "1 to 43")]),
    (
        "Pa19",
        &[
            ("Fig.", "1.1 to 1.3, 2.1 to 2.6, 3.1 to 3.13, 4.1 to 4.10"),
            ("Table", "2.1 to 2.4, 3.1"),
            ("Eq.", "3.1 to 3.15"),
            ("Algorithm", "1, 2"),
        ],
    ),
    (
        "Kr19",
        &[
            ("Fig.", "2.1 to 2.21, 3.1 to 3.6, 4.1 to 4.15"),
            ("Table", "2.1, 3.1, 3.2, 4.1"),
            ("Listing", "2.1 to 2.6, 3.1 to 3.5, 4.1, 4.2"),
        ],
    ),
    (
        "Si21",
        &[
            ("Fig.", "2.1, 2.2, 3.1 to 3.6, 4.1 to 4.3"),
            ("Table", "3.1, 4.1, 4.2"),
            ("Definition", "1 to 4"),
            ("Lemma", "1 to 3"),
            ("Algorithm", "1 to 5"),
        ],
    ),
    (
        "GCAPS",
        &[
            ("Fig.", "1 to 13"),
            ("Table", "1 to 5"),
            ("Eq.", "1 to 15"),
            ("Definition", "1, 2"),
            ("Lemma", "1 to 15"),
            ("Algorithm", "1"),
            ("Listing", "1"),
        ],
    ),
];

/// The number at the beginning of a text, as chapter (0 if there is none) and number, and the rest.
fn number(text: &str) -> Option<((u64, u64), &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let digits = text[..end].trim_end_matches('.');
    let (chapter, last) = digits.split_once('.').unwrap_or(("0", digits));
    Some(((chapter.parse().ok()?, last.parse().ok()?), &text[digits.len()..]))
}

/// The numbers of a list at the beginning of a text: `2.2, 2.4 to 2.6`.
fn list(text: &str) -> BTreeSet<(u64, u64)> {
    let mut found = BTreeSet::new();
    let Some((mut last, mut rest)) = number(text) else { return found };
    found.insert(last);
    loop {
        let (from, after) = match (rest.strip_prefix(", "), rest.strip_prefix(" to ")) {
            (Some(after), _) => (None, after),
            (_, Some(after)) => (Some(last.1), after),
            _ => return found,
        };
        let Some((next, after)) = number(after) else { return found };
        found.extend((from.unwrap_or(next.1)..=next.1).map(|item| (next.0, item)));
        (last, rest) = (next, after);
    }
}

#[test]
fn every_numbered_item_has_a_row() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/papers.md");
    let page = std::fs::read_to_string(path).unwrap();
    for (paper, kinds) in ITEMS {
        let section = page.split("\n## ").find(|section| section.starts_with(paper)).unwrap();
        let rows = section.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next());
        let rows: Vec<&str> = rows.collect();
        for (kind, numbers) in kinds {
            let after = rows.iter().flat_map(|row| row.split(*kind).skip(1));
            let texts = after.map(|text| text.trim_start_matches('s').trim_start());
            let named: BTreeSet<(u64, u64)> = texts.flat_map(list).collect();
            let missing: Vec<(u64, u64)> = list(numbers).difference(&named).copied().collect();
            assert!(missing.is_empty(), "{paper}: no row has {kind} {missing:?}");
        }
    }
}

#[test]
fn lists_are_read() {
    assert_eq!(
        list("2.2, 2.4 to 2.6: sizes, 7").into_iter().collect::<Vec<_>>(),
        [(2, 2), (2, 4), (2, 5), (2, 6)]
    );
    assert_eq!(
        list("30, 35, 38 to 40: E").into_iter().collect::<Vec<_>>(),
        [(0, 30), (0, 35), (0, 38), (0, 39), (0, 40)]
    );
}
