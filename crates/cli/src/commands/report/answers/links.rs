//! Where the page finds files of code.

use std::path::{Component, Path, PathBuf};

use crate::commands::budget::found_source;

/// Links from the folder of the page; none where there is no page.
#[derive(Debug, Default)]
pub(in crate::commands::report) struct Links {
    folder: Option<PathBuf>,
}

impl Links {
    /// Links from a page in a folder.
    pub(in crate::commands::report) fn from(folder: &Path) -> Self {
        Self { folder: std::path::absolute(folder).ok() }
    }

    /// The address of a file that is there.
    pub(super) fn to(&self, file: &Path) -> Option<String> {
        let folder = self.folder.as_ref()?;
        let file = std::path::absolute(file).ok().filter(|file| file.is_file())?;
        Some(between(folder, &file))
    }

    /// The text of the source that a listing names, and where it is, if it is there and a page is written.
    pub(super) fn source(&self, named: &str, listing: &str) -> Option<(String, String)> {
        let path = found_source(named, listing)?;
        let href = self.to(&path)?;
        Some((std::fs::read_to_string(path).ok()?, href))
    }
}

/// The relative address of a file from a folder, both absolute. Where they share nothing, the address of the file.
fn between(folder: &Path, file: &Path) -> String {
    let (from, to): (Vec<Component>, Vec<Component>) =
        (folder.components().collect(), file.components().collect());
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = std::iter::repeat_n("..".to_owned(), from.len() - shared);
    let down = to[shared..].iter().map(|part| escaped(&part.as_os_str().to_string_lossy()));
    let path = up.chain(down).collect::<Vec<_>>().join("/");
    if shared == 0 { format!("file:///{path}") } else { path }
}

/// A name as a part of an address.
fn escaped(name: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    let escape =
        |byte: u8| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    name.bytes().map(escape).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_relative_to_the_page() {
        let of = |folder: &str, file: &str| between(Path::new(folder), Path::new(file));
        assert_eq!(of("/a/out", "/a/src/k.cu"), "../src/k.cu");
        assert_eq!(of("/a", "/a/k #1?.cu"), "k%20%231%3F.cu");
        assert_eq!(of("/a/b/c", "/d/ü.cu"), "../../../d/%C3%BC.cu");
    }
}
