//! Files that appear whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Writes a file that appears whole or not at all, whatever ends the process: it is written next to its destination,
/// under a temporary name, and moved there. A device or a pipe, and a file in a folder where nothing new can be made,
/// are written in place.
///
/// # Errors
/// If anything cannot be written; a file that was there before then keeps its content, unless it is written in place.
pub fn write_whole(path: &Path, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let place = place(path);
    let before = fs::metadata(&place).ok();
    if before.as_ref().is_some_and(|before| !before.is_file()) {
        return fill(OpenOptions::new().write(true).open(path)?, content);
    }
    let beside = beside(&place)?;
    let file = match OpenOptions::new().write(true).create_new(true).open(&beside) {
        Err(_) if before.is_some() => {
            let mut file = OpenOptions::new().write(true).open(path)?;
            file.set_len(0)?;
            file.rewind()?;
            return fill(file, content);
        }
        file => file?,
    };
    let done = fill(file, content).and_then(|()| match before {
        Some(before) => fs::set_permissions(&beside, before.permissions()),
        None => Ok(()),
    });
    let done = done.and_then(|()| fs::rename(&beside, &place));
    if done.is_err() {
        let _ = fs::remove_file(&beside); // nothing better is left to do
    }
    done
}

/// Finds out whether a file can be written, without touching what it holds and without leaving anything.
///
/// # Errors
/// If it cannot.
#[doc(hidden)]
pub fn is_writable(path: &Path) -> io::Result<()> {
    let place = place(path);
    match fs::metadata(&place) {
        Ok(_) => OpenOptions::new().write(true).open(path).map(drop),
        Err(_) => {
            let beside = beside(&place)?;
            OpenOptions::new().write(true).create_new(true).open(&beside)?;
            fs::remove_file(beside)
        }
    }
}

fn fill(file: File, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::new(file);
    content(&mut out)?;
    out.flush()
}

/// Where the file really is: links are followed, so that they stay links.
fn place(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// A name in the same folder that nothing else has.
fn beside(place: &Path) -> io::Result<PathBuf> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let ends_in_a_name = place.file_name().is_some() && !place.as_os_str().as_encoded_bytes().ends_with(b"/");
    if !ends_in_a_name {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "Is a directory"));
    }
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    Ok(place.with_file_name(format!(".warpspan-{}-{number}.part", std::process::id())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn what_fails_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.csv");
        let fails = |out: &mut dyn Write| {
            out.write_all(b"half")?;
            Err(io::Error::other("no more"))
        };
        assert!(write_whole(&file, fails).is_err());
        assert!(names(folder.path()).is_empty());
        write_whole(&file, |out| out.write_all(b"whole")).unwrap();
        assert!(write_whole(&file, fails).is_err());
        assert_eq!(fs::read_to_string(&file).unwrap(), "whole");
        assert_eq!(names(folder.path()), ["a.csv"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("a.csv"), folder.path().join("link.csv"));
        fs::write(&file, "before").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        write_whole(&link, |out| out.write_all(b"after")).unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "after");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_device_is_an_error() {
        let full = Path::new("/dev/full");
        assert!(write_whole(full, |out| out.write_all(b"x")).is_err());
        assert!(write_whole(Path::new("no/folder/here"), |_| Ok(())).is_err());
    }
}
