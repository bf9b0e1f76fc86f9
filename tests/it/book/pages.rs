//! The pages as the tests read them.

use std::path::{Path, PathBuf};

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// A Markdown file and what the tests look at.
pub(super) struct Page {
    /// From the root of the package.
    pub(super) path: PathBuf,
    pub(super) text: String,
    /// The anchor of each heading.
    pub(super) anchors: Vec<String>,
    /// Targets of links and pictures.
    pub(super) links: Vec<String>,
    /// Pieces of text in code style.
    pub(super) spans: Vec<String>,
    pub(super) blocks: Vec<Block>,
}

/// A block of code.
pub(super) struct Block {
    /// The word behind the fence; none where the block is only indented.
    pub(super) language: Option<String>,
    pub(super) text: String,
}

pub(super) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The README and every page in `docs`.
pub(super) fn pages() -> Vec<Page> {
    let mut paths = vec![PathBuf::from("README.md")];
    files(Path::new("docs"), &["md"], &mut paths);
    paths.into_iter().map(Page::read).collect()
}

/// All files with one of these endings in a folder, in order.
pub(super) fn files(folder: &Path, endings: &[&str], found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(root().join(folder))
        .unwrap()
        .map(|entry| folder.join(entry.unwrap().file_name()))
        .collect();
    entries.sort();
    for path in entries {
        if root().join(&path).is_dir() {
            files(&path, endings, found);
        } else if path.extension().is_some_and(|ending| endings.iter().any(|wanted| ending == *wanted)) {
            found.push(path);
        }
    }
}

impl Page {
    pub(super) fn read(path: PathBuf) -> Page {
        let text = std::fs::read_to_string(root().join(&path)).unwrap();
        let mut page =
            Page { path, text: String::new(), anchors: vec![], links: vec![], spans: vec![], blocks: vec![] };
        let mut heading: Option<String> = None;
        let mut block: Option<Block> = None;
        for event in Parser::new_ext(&text, Options::ENABLE_TABLES) {
            match event {
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::End(TagEnd::Heading(_)) => {
                    page.anchors.extend(heading.take().map(|title| anchor(&title)))
                }
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    page.links.push(dest_url.into_string());
                }
                Event::Start(Tag::CodeBlock(kind)) => {
                    let language = match kind {
                        CodeBlockKind::Fenced(language) => Some(language.into_string()),
                        CodeBlockKind::Indented => None,
                    };
                    block = Some(Block { language, text: String::new() });
                }
                Event::End(TagEnd::CodeBlock) => page.blocks.extend(block.take()),
                Event::Code(span) => {
                    if let Some(title) = &mut heading {
                        title.push_str(&span);
                    }
                    page.spans.push(span.into_string());
                }
                Event::Text(words) => {
                    if let Some(target) = heading.as_mut().or(block.as_mut().map(|block| &mut block.text)) {
                        target.push_str(&words);
                    }
                }
                _ => {}
            }
        }
        page.text = text;
        page
    }
}

/// The anchor that mdBook gives to a heading: letters, digits, `-` and `_` stay, and spaces become `-`.
fn anchor(title: &str) -> String {
    let kept = title.trim().chars().filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | ' '));
    kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
}
