//! Every link leads somewhere, and every page can be reached.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use super::pages::{Page, files, pages, root};

/// Folders of pictures that the published package leaves out.
const LEFT_OUT: [&str; 2] = ["docs/partitions", "docs/reproduction"];

/// Where a link on a page leads: a file, and an anchor in it.
fn target(page: &Path, link: &str) -> (PathBuf, Option<String>) {
    let (file, anchor) = match link.split_once('#') {
        Some((file, anchor)) => (file, Some(anchor.to_owned())),
        None => (link, None),
    };
    if file.is_empty() {
        return (page.to_owned(), anchor);
    }
    let mut path = page.parent().unwrap().to_owned();
    for part in Path::new(file).components() {
        match part {
            Component::ParentDir => assert!(path.pop(), "{}: {link}", page.display()),
            Component::CurDir => {}
            part => path.push(part),
        }
    }
    (path, anchor)
}

fn is_elsewhere(link: &str) -> bool {
    link.starts_with("https://") || link.starts_with("http://")
}

fn is_left_out(path: &Path) -> bool {
    LEFT_OUT.iter().any(|folder| path.starts_with(folder) && !root().join(folder).exists())
}

#[test]
fn every_link_has_a_target() {
    let pages = pages();
    let mut broken = vec![];
    for page in &pages {
        for link in page.links.iter().filter(|link| !is_elsewhere(link)) {
            let (path, anchor) = target(&page.path, link);
            let there = match (anchor, pages.iter().find(|page| page.path == path)) {
                (Some(anchor), Some(page)) => page.anchors.contains(&anchor),
                (Some(_), None) => false,
                (None, _) => root().join(&path).is_file() || is_left_out(&path),
            };
            if !there {
                broken.push(format!("{}: {link}", page.path.display()));
            }
        }
    }
    assert!(broken.is_empty(), "links without a target:\n{}", broken.join("\n"));
}

/// The links of a page of the book stay within `docs`, since nothing else is copied into the book.
#[test]
fn the_book_links_to_nothing_outside() {
    for page in pages().iter().filter(|page| page.path.starts_with("docs")) {
        for link in page.links.iter().filter(|link| !is_elsewhere(link)) {
            let (path, _) = target(&page.path, link);
            assert!(path.starts_with("docs"), "{}: {link}", page.path.display());
        }
    }
}

#[test]
fn the_summary_names_every_page_once() {
    let summary = Page::read("docs/SUMMARY.md".into());
    let named: Vec<PathBuf> = summary.links.iter().map(|link| target(&summary.path, link).0).collect();
    let set: BTreeSet<&PathBuf> = named.iter().collect();
    assert_eq!(set.len(), named.len(), "a page is named twice");
    let mut there = vec![];
    files(Path::new("docs"), &["md"], &mut there);
    there.retain(|path| *path != summary.path);
    assert_eq!(set, there.iter().collect());
}

/// Files that pages name in code style exist.
#[test]
fn every_file_named_exists() {
    let folders =
        ["src/", "crates/", "tests/", "docs/", "instances/", "scripts/", "examples/", "benches/", "proofs/"];
    let for_developers = ["ARCHITECTURE.md", "CONTRIBUTING.md"].map(|page| Page::read(page.into()));
    for page in pages().iter().chain(&for_developers) {
        for span in &page.spans {
            let Some(file) = span.split_whitespace().next() else { continue };
            let is_pattern = file.contains('*') || file.contains("NAME");
            if folders.iter().any(|folder| file.starts_with(folder)) && !is_pattern {
                let there = root().join(file).exists() || is_left_out(Path::new(file));
                assert!(there, "{}: {span}", page.path.display());
            }
        }
    }
}

/// Pages that code, tests, examples and instances cite exist.
#[test]
fn every_page_cited_exists() {
    let mut sources = vec![];
    for folder in ["src", "crates", "tests", "examples", "benches", "instances"] {
        files(Path::new(folder), &["rs", "toml", "trycmd"], &mut sources);
    }
    for source in sources {
        let text = std::fs::read_to_string(root().join(&source)).unwrap();
        for (at, _) in text.match_indices("docs/") {
            let is_path = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '-' | '_' | '.');
            let before = text[..at].ends_with(|c: char| is_path(c));
            let rest = &text[at..];
            let cited = &rest[..rest.find(|c| !is_path(c)).unwrap_or(rest.len())];
            if let Some(page) = cited.find(".md").map(|end| &cited[..end + 3])
                && !before
            {
                assert!(root().join(page).is_file(), "{}: {page}", source.display());
            }
        }
    }
}
