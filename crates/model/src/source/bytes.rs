//! Reading files whole.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::source::InputError;

/// The size of the largest text that is read, in bytes.
const LARGEST: u64 = 1 << 30;

thread_local! {
    /// What is read in this thread in place of these files, and of standard input as `-`.
    static GIVEN: RefCell<BTreeMap<PathBuf, Vec<u8>>> = const { RefCell::new(BTreeMap::new()) };
    /// What was read in this thread, in the order of the first time.
    static READ: RefCell<Vec<ReadFile>> = const { RefCell::new(Vec::new()) };
}

/// A file that was read, and what was in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadFile {
    /// Its name as it stands in messages.
    pub file: String,
    /// The SHA-256 of its bytes, in hexadecimal digits.
    pub sha256: String,
}

/// What was read in this thread since the last [`forget_reads`], so that a record can say of which files it is.
pub fn read_files() -> Vec<ReadFile> {
    READ.with_borrow(Clone::clone)
}

/// Forgets what was read in this thread, since another command begins.
pub fn forget_reads() {
    READ.take();
}

/// The SHA-256 of bytes, in hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn note(path: &Path, bytes: &[u8]) {
    let read = ReadFile { file: name(path), sha256: sha256(bytes) };
    READ.with_borrow_mut(|all| {
        if !all.contains(&read) {
            all.push(read);
        }
    });
}

/// Does work for which these texts stand in place of the files of these names, and of standard input for `-`.
///
/// A program that holds a text already can have it read under a name of its own, and no file is written for it. It holds in
/// this thread only, so that several threads can work on texts of one name.
pub fn with_texts<R>(texts: BTreeMap<PathBuf, Vec<u8>>, work: impl FnOnce() -> R) -> R {
    /// Puts back what was there before, also if the work panics.
    struct Back(BTreeMap<PathBuf, Vec<u8>>);
    impl Drop for Back {
        fn drop(&mut self) {
            GIVEN.set(std::mem::take(&mut self.0));
        }
    }
    let _back = Back(GIVEN.replace(texts));
    work()
}

/// Whether there is such a file, or a text that stands for it.
pub fn is_there(path: &Path) -> bool {
    GIVEN.with_borrow(|given| given.contains_key(path)) || path.exists()
}

/// The content of a file or of standard input.
pub fn bytes(path: &Path) -> Result<Vec<u8>, InputError> {
    if let Some(given) = GIVEN.with_borrow(|given| given.get(path).cloned()) {
        note(path, &given);
        return Ok(given);
    }
    let mut bytes = Vec::new();
    let read = if path == Path::new("-") {
        std::io::stdin().lock().take(LARGEST + 1).read_to_end(&mut bytes)
    } else {
        std::fs::File::open(path).and_then(|file| file.take(LARGEST + 1).read_to_end(&mut bytes))
    };
    match read {
        Err(error) => Err(InputError::new(name(path), format!("cannot be read: {error}"))),
        Ok(_) if bytes.len() as u64 > LARGEST => {
            Err(InputError::new(name(path), "larger than 1 GiB: want a smaller file"))
        }
        Ok(_) => {
            note(path, &bytes);
            Ok(bytes)
        }
    }
}

/// The text of a file, or of standard input for `-`; `want` says what it should be.
pub fn text_of(path: &Path, want: &str) -> Result<String, InputError> {
    String::from_utf8(bytes(path)?)
        .map_err(|_| InputError::new(name(path), format!("not UTF-8 text: want {want}")))
}

/// A path as it stands in messages.
pub fn name(path: &Path) -> String {
    if path == Path::new("-") { "standard input".into() } else { path.display().to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_stands_for_a_file_in_its_thread_and_while_the_work_goes_on() {
        let no_file = Path::new("no such file");
        let texts = |text: &str| BTreeMap::from([(no_file.to_owned(), text.as_bytes().to_vec())]);
        let read = || text_of(no_file, "text").ok();
        let inner = with_texts(texts("outer"), || {
            let other = std::thread::spawn(|| bytes(Path::new("no such file")).is_err());
            assert!(other.join().unwrap());
            let inner = with_texts(texts("inner"), read);
            assert_eq!(read().as_deref(), Some("outer"));
            inner
        });
        assert_eq!(inner.as_deref(), Some("inner"));
        assert_eq!(read(), None);
    }
}
