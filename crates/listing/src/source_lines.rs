//! Which line of the source each line of a listing is from.
//!
//! PTX says so with `.loc FILE LINE COLUMN`, where `.file FILE "PATH"` names the file, and `nvdisasm -g` and
//! `cuobjdump -sass` with comments `//## File "PATH", line LINE`. Both hold until the next one. Where code was
//! inlined, the source is the innermost function; of several comments in a row that is the first one.

use std::collections::{BTreeMap, HashMap};

use crate::Language;
use crate::text::Text;

/// A line of a source.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SourceLine {
    /// The file as the listing names it; its number if it has no name.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}

impl Text {
    /// The source of each line of the listing. Lines are left out for which the listing names none.
    pub fn source_lines(&self) -> BTreeMap<u32, SourceLine> {
        match self.language() {
            Language::Ptx => of_ptx(self.text()),
            Language::Sass => of_sass(self.text()),
        }
    }
}

fn of_ptx(text: &str) -> BTreeMap<u32, SourceLine> {
    let mut files: HashMap<&str, &str> = HashMap::new();
    for line in text.lines() {
        let mut words = line.split_whitespace();
        if let (Some(".file"), Some(number), Some(path)) =
            (words.next(), words.next(), line.split('"').nth(1))
        {
            files.insert(number, path);
        }
    }
    let (mut lines, mut now) = (BTreeMap::new(), None);
    for (number, line) in (1..).zip(text.lines()) {
        let mut words = line.split_whitespace();
        let first = words.next();
        if let (Some(".loc"), Some(file), Some(at)) = (first, words.next(), words.next()) {
            let file = files.get(file).copied().unwrap_or(file);
            now = at.parse().ok().map(|line| SourceLine { file: file.to_owned(), line });
        } else if line.split_whitespace().any(|word| matches!(word, ".entry" | ".func")) {
            now = None;
        } else if let Some(source) = &now {
            lines.insert(number, source.clone());
        }
    }
    lines
}

fn of_sass(text: &str) -> BTreeMap<u32, SourceLine> {
    let (mut lines, mut now, mut in_row) = (BTreeMap::new(), None, false);
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim_start();
        if let Some(comment) = line.strip_prefix("//## File ") {
            if !in_row {
                now = source_of(comment);
            }
            in_row = true;
            continue;
        }
        in_row = false;
        if line.starts_with(".section") || line.starts_with("Function :") {
            now = None;
        } else if let Some(source) = &now {
            lines.insert(number, source.clone());
        }
    }
    lines
}

/// The source in `"PATH", line LINE` and what may follow.
fn source_of(comment: &str) -> Option<SourceLine> {
    let (file, rest) = comment.strip_prefix('"')?.split_once('"')?;
    let digits = rest.trim_start_matches([',', ' ']).strip_prefix("line ")?;
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    Some(SourceLine { file: file.to_owned(), line: digits[..end].parse().ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        let text = Text::new("k", text.as_bytes().to_vec()).unwrap();
        let show = |(at, source): (u32, SourceLine)| format!("{at} {}:{}", source.file, source.line);
        text.source_lines().into_iter().map(show).collect()
    }

    #[test]
    fn lines_of_ptx() {
        let text = ".version 7.0\n.target sm_61\n.visible .entry k()\n{\n.loc 1 7 3\nadd.s32 %r1, %r1, 1;\n\
                    .loc 2 9 1, function_name $L, inlined_at 1 8 2\nret;\n}\n.visible .entry l()\n{\nret;\n}\n\
                    .file 1 \"a b.cu\", 1, 2\n";
        assert_eq!(lines(text), ["6 a b.cu:7", "8 2:9", "9 2:9"]);
    }

    #[test]
    fn lines_of_sass() {
        let text = "\t.section\t.text.k,\"ax\"\nk:\n\t//## File \"/a/k.cu\", line 3\n/*0000*/ NOP ;\n\
                    \t//## File \"/a/m.h\", line 8 inlined at \"/a/k.cu\", line 4\n\t//## File \"/a/k.cu\", line 4\n\
                    /*0010*/ EXIT ;\n\t.section\t.text.l,\"ax\"\n/*0000*/ EXIT ;\n";
        assert_eq!(lines(text), ["4 /a/k.cu:3", "7 /a/m.h:8"]);
    }
}
