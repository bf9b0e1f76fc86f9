//! The examples of the pages: console blocks are run, and no other block pretends to be one.

use super::pages::pages;

/// Every page's console blocks are run, and print what the page says.
#[cfg(feature = "highs")]
#[test]
fn console_blocks_print_what_the_pages_say() {
    // The examples write their files into `target`, and a table of an earlier run must not be there.
    let target = super::pages::root().join("target");
    for folder in ["book", "figures"] {
        let _ = std::fs::remove_dir_all(target.join(folder));
    }
    let _ = std::fs::remove_file(target.join("table.csv"));
    std::fs::create_dir_all(target.join("book")).unwrap();
    trycmd::TestCases::new()
        .register_bin("scripts/warpspan", std::path::Path::new(env!("CARGO_BIN_EXE_warpspan")))
        .case("README.md")
        .case("docs/**/*.md");
}

/// A command with its output stands in a console block, so that it is run; other blocks say what they are. The tests of
/// the Python package run those in Python.
#[test]
fn every_block_has_a_language() {
    let known = ["console", "text", "toml", "rust", "json", "python"];
    for page in pages() {
        for block in &page.blocks {
            match block.language.as_deref() {
                Some(language) => assert!(known.contains(&language), "{}: {language:?}", page.path.display()),
                None => assert!(!block.text.contains("warpspan "), "{}: {}", page.path.display(), block.text),
            }
        }
    }
}

#[test]
fn blocks_of_toml_can_be_read() {
    for page in pages() {
        for block in page.blocks.iter().filter(|block| block.language.as_deref() == Some("toml")) {
            let read: Result<toml::Table, _> = block.text.parse();
            assert!(read.is_ok(), "{}: {}", page.path.display(), read.unwrap_err());
        }
    }
}

/// Code of Rust on a page is that of an example, which is compiled and run.
#[test]
fn rust_on_the_pages_is_that_of_the_examples() {
    let example = std::fs::read_to_string(super::pages::root().join("examples/llcll.rs")).unwrap();
    for page in pages() {
        for block in page.blocks.iter().filter(|block| block.language.as_deref() == Some("rust")) {
            assert_eq!(block.text, example, "{}: copy examples/llcll.rs there", page.path.display());
        }
    }
}
