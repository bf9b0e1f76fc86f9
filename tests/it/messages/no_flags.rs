//! Only the command line and the record of `time` name flags: the messages of the library are for everyone who uses it.

use std::path::{Path, PathBuf};

/// The string literals of Rust source, without those in comments. Escapes stay as they are written.
fn literals(source: &str) -> Vec<String> {
    let text: Vec<char> = source.chars().collect();
    let at = |index: usize| text.get(index).copied().unwrap_or('\0');
    let (mut found, mut from) = (Vec::new(), 0);
    while from < text.len() {
        match (at(from), at(from + 1)) {
            ('/', '/') => from += text[from..].iter().take_while(|&&c| c != '\n').count(),
            ('/', '*') => {
                let mut depth = 1;
                from += 2;
                while depth > 0 && from < text.len() {
                    match (at(from), at(from + 1)) {
                        ('/', '*') => (depth, from) = (depth + 1, from + 2),
                        ('*', '/') => (depth, from) = (depth - 1, from + 2),
                        _ => from += 1,
                    }
                }
            }
            ('\'', '\\') => from += 3 + text[from + 3..].iter().take_while(|&&c| c != '\'').count() + 1,
            ('\'', _) if at(from + 2) == '\'' => from += 3,
            ('r', '"' | '#') if !at(from.wrapping_sub(1)).is_alphanumeric() || at(from - 1) == 'b' => {
                let hashes = text[from + 1..].iter().take_while(|&&c| c == '#').count();
                from += 1 + hashes;
                if at(from) != '"' {
                    continue; // This is a raw identifier.
                }
                let end: String = std::iter::once('"').chain(std::iter::repeat_n('#', hashes)).collect();
                let rest: String = text[from + 1..].iter().collect();
                let literal = rest.split(&end).next().unwrap_or_default();
                found.push(literal.to_owned());
                from += 1 + literal.chars().count() + end.len();
            }
            ('"', _) => {
                let start = from + 1;
                from = start;
                while from < text.len() && at(from) != '"' {
                    from += if at(from) == '\\' { 2 } else { 1 };
                }
                found.push(text[start..from.min(text.len())].iter().collect());
                from += 1;
            }
            _ => from += 1,
        }
    }
    found
}

/// The literals that hold a flag: two dashes and a letter at the beginning of a word.
fn flags(source: &str) -> Vec<String> {
    let holds = |literal: &String| {
        literal.match_indices("--").any(|(at, _)| {
            let begins = !literal[..at].ends_with(|c: char| c.is_alphanumeric() || c == '-');
            begins && literal[at + 2..].starts_with(|c: char| c.is_ascii_lowercase())
        })
    };
    literals(source).into_iter().filter(holds).collect()
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
    found
}

#[test]
fn a_planted_flag_is_found() {
    assert_eq!(flags(r#"error("want --warps or so")"#), ["want --warps or so"]);
    assert_eq!(flags("let x = \"two\\\" lines: \\\n   --resume\";"), ["two\\\" lines: \\\n   --resume"]);
    assert_eq!(flags("let c = '\"'; let d = '\\''; f::<'a>(r#\"a \" --b\"#)"), ["a \" --b"]);
    assert_eq!(flags("/* \" */ error(\"--x\") // \"--y\""), ["--x"]);
    let none = "/// `--warps` in \"--docs\"\n//! --x\n/* \"--y\" /* --z */ */ let x = \"a -- b\"; let c = b'\"'; x--y";
    assert!(flags(none).is_empty());
}

#[test]
fn the_library_names_no_flag() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates");
    let mut looked_at = 0;
    for path in sources(&crates) {
        // What Nsight Compute is asked for are flags of another program. The record of `time` names what may be declared by the flags
        // of the command, wherever it is made, documents say where the command tells more, and the words of a recorded command are read.
        let with_flags =
            ["cli", "document", "launch", "kernel/src/input/ncu", "records/src/compared/launches.rs"];
        if with_flags.iter().any(|folder| path.starts_with(crates.join(folder))) {
            continue;
        }
        looked_at += 1;
        let found = flags(&std::fs::read_to_string(&path).unwrap());
        assert!(found.is_empty(), "{}: {found:?}: want a Remedy, which launch::flags words", path.display());
    }
    assert!(looked_at > 100, "only {looked_at} files");
}
