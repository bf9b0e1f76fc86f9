//! The text of a file, which parsers borrow: UTF-8 with blanked comments, in a known language.

use crate::message::{fail, newlines};
use crate::routine::Listing;
use crate::{demangled, ptx, sass};
use warpspan_isa::instruction::Language;
use warpspan_model::source::InputError;

/// The largest text read, in bytes.
const LARGEST: usize = 128 << 20;

/// The text of a file with comments replaced by blanks, so that every byte keeps its line.
#[derive(Debug, Clone)]
pub struct Text {
    place: String,
    language: Language,
    text: String,
}

impl Text {
    /// Checks a file's bytes and tells its language; `place` is its name in messages.
    ///
    /// # Errors
    /// If it is too large, not UTF-8, neither PTX nor SASS, or has a comment that does not end.
    pub fn new(place: &str, bytes: Vec<u8>) -> Result<Self, InputError> {
        if bytes.len() > LARGEST {
            return Err(InputError::new(place, "larger than 128 MiB: want the listing of fewer kernels"));
        }
        if let Some(what) = no_listing(place, &bytes) {
            return Err(InputError::new(place, what));
        }
        let mut text = String::from_utf8(bytes).map_err(|error| {
            let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            fail(
                place,
                newlines(before) + 1,
                "not UTF-8 text: want PTX, or SASS as cuobjdump or nvdisasm print it",
            )
        })?;
        if text.starts_with('\u{feff}') {
            text.remove(0); // a byte order mark
        }
        if text.contains('\0') {
            let line = text.split('\0').next().map_or(1, |before| newlines(before.as_bytes()) + 1);
            return Err(fail(place, line, "a zero byte: want text, not an object file"));
        }
        let language = language(place, &text)?;
        if language == Language::Ptx {
            text = blank_comments(place, &text)?;
            text = demangled::with_plain_names(&text).unwrap_or(text);
        }
        Ok(Self { place: place.to_owned(), language, text })
    }

    /// The routines of the text. A fault of a single routine is kept in that routine, so that the others can still be read.
    ///
    /// # Errors
    /// At the first thing that is wrong with the file as a whole, with its line.
    pub fn listing(&self) -> Result<Listing<'_>, InputError> {
        let routines = match self.language {
            Language::Ptx => ptx::read(&self.place, &self.text)?,
            Language::Sass => sass::read(&self.place, &self.text)?,
        };
        Ok(Listing::new(&self.place, self.language, routines))
    }

    pub(super) fn language(&self) -> Language {
        self.language
    }

    /// The text with comments of PTX replaced by blanks.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// How many lines it has, which is no less than its instructions.
    pub fn lines(&self) -> usize {
        newlines(self.text.as_bytes()) as usize + 1
    }

    /// The file's name in messages.
    pub fn place(&self) -> &str {
        &self.place
    }
}

/// What to do with a file that is no listing, if it is one of the files that listings are made from: source of CUDA, by
/// its name, or an object file, by its first bytes or its name.
fn no_listing(place: &str, bytes: &[u8]) -> Option<String> {
    let plain = |c: char| c.is_alphanumeric() || "/._-+=,@".contains(c);
    let quoted = |name: &str| match name.chars().all(plain) {
        true => name.to_owned(),
        false => format!("'{}'", name.replace('\'', "'\\''")),
    };
    let ending = |wanted: &[&str]| wanted.iter().find_map(|end| place.strip_suffix(end));
    if let Some(stem) = ending(&[".cu", ".cuh"]) {
        let (file, cubin, sass) =
            (quoted(place), quoted(&format!("{stem}.cubin")), quoted(&format!("{stem}.sass")));
        return Some(format!(
            "source of CUDA: want its machine code, as of nvcc -cubin -lineinfo -arch=sm_87 -o {cubin} {file} && \
             cuobjdump -sass {cubin} > {sass} (with the architecture of your GPU)"
        ));
    }
    let is_object = is_object(bytes);
    let stem = ending(&[".cubin", ".fatbin", ".o", ".exe"]);
    (is_object || stem.is_some() && bytes.contains(&0)).then(|| {
        let sass = quoted(&format!("{}.sass", stem.unwrap_or(place)));
        format!("an object file: want its listing, as of cuobjdump -sass {} > {sass}", quoted(place))
    })
}

/// Whether bytes begin as those of an object file or of a fatbin do, of which `cuobjdump` makes a listing.
pub fn is_object(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x7fELF") || bytes.starts_with(&0xba55_ed50_u32.to_le_bytes())
}

/// Tells the language: SASS has functions of `cuobjdump` or `.text` sections, and PTX has a directive
/// such as `.version` or `.entry`.
fn language(place: &str, text: &str) -> Result<Language, InputError> {
    // A target alone stands in both.
    let (mut ptx, mut target, mut sass) = (false, false, false);
    for line in text.lines().map(str::trim_start) {
        let word =
            |word: &str| line.strip_prefix(word).is_some_and(|rest| rest.starts_with(char::is_whitespace));
        ptx |= word(".version") || word(".entry") || word(".visible");
        target |= word(".target") && line.contains("sm_");
        sass |= word(".headerflags") || word("Function") && line.contains(':');
        sass |= line.starts_with("code for sm_") || word(".elftype");
        sass |= word(".section") && line[8..].trim_start().trim_start_matches('"').starts_with(".text.");
    }
    // Compiler Explorer shows neither headers nor sections.
    sass |= !ptx && !target && !sass && sass::is_bare(text);
    match (ptx || target && !sass, sass) {
        (true, false) => Ok(Language::Ptx),
        (false, true) => Ok(Language::Sass),
        (true, true) => {
            Err(InputError::new(place, "both PTX and SASS: want one of them, cuobjdump -ptx or -sass"))
        }
        (false, false) => {
            let what = "neither PTX (no .version, no .entry) nor SASS (no .section .text., no Function :)";
            Err(InputError::new(place, what))
        }
    }
}

/// Replaces comments outside of strings by blanks: `//` to the end of the line, and `/* */`.
fn blank_comments(place: &str, text: &str) -> Result<String, InputError> {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    let (mut from, mut at) = (0, 0);
    while at < bytes.len() {
        match (bytes[at], bytes.get(at + 1)) {
            (b'"', _) => {
                let rest = bytes[at + 1..].iter().position(|&byte| byte == b'"' || byte == b'\n');
                at += 1 + rest.map_or(bytes.len() - at - 1, |length| length + 1);
            }
            (b'/', Some(b'/')) => {
                out.push_str(&text[from..at]);
                at += bytes[at..].iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len() - at);
                from = at;
            }
            (b'/', Some(b'*')) => {
                out.push_str(&text[from..at]);
                let Some(length) = text[at + 2..].find("*/") else {
                    return Err(fail(
                        place,
                        newlines(&bytes[..at]) + 1,
                        "this comment does not end: want */",
                    ));
                };
                let comment = &text[at..at + length + 4];
                out.push(' ');
                out.extend(comment.bytes().filter(|&byte| byte == b'\n').map(char::from));
                at += length + 4;
                from = at;
            }
            _ => at += 1,
        }
    }
    out.push_str(&text[from..]);
    Ok(out)
}
