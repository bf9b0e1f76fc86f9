//! Reading files whole.

use std::io::Read;
use std::path::Path;

use crate::source::InputError;

/// The size of the largest text that is read, in bytes.
const LARGEST: u64 = 1 << 30;

/// The content of a file or of standard input.
#[doc(hidden)]
pub fn bytes(path: &Path) -> Result<Vec<u8>, InputError> {
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
        Ok(_) => Ok(bytes),
    }
}

/// The text of a file, or of standard input for `-`; `want` says what it should be.
#[doc(hidden)]
pub fn text_of(path: &Path, want: &str) -> Result<String, InputError> {
    String::from_utf8(bytes(path)?)
        .map_err(|_| InputError::new(name(path), format!("not UTF-8 text: want {want}")))
}

/// A path as it stands in messages.
#[doc(hidden)]
pub fn name(path: &Path) -> String {
    if path == Path::new("-") { "standard input".into() } else { path.display().to_string() }
}
