//! Every listing below `tests/data/listing` gives what its leading comments say; the README.md there has the
//! format.
use std::path::{Path, PathBuf};
use warpspan::engines::program::bound;
use warpspan::listing::{Options, Text, extract};
use warpspan::model::assumption::Id;
use warpspan::model::{Multiprocessor, Workload};

/// What the leading comments of a listing declare and expect.
#[derive(Default)]
struct Expectation {
    options: Options,
    explained: bool,
    program: Option<String>,
    code: Option<String>,
    kernel: Option<String>,
    assumes: Vec<String>,
    /// Whether a bound of a loop takes for granted that groups of threads read in uniform registers what they wrote.
    own_registers: bool,
    error: Vec<String>,
    error_part: Vec<String>,
}

impl Expectation {
    /// Reads the comments before the first line of the listing itself; a misspelt key is an error, since it
    /// would check nothing.
    fn read(text: &str) -> Result<Self, String> {
        let mut found = Self::default();
        for line in text.lines().map_while(|line| line.strip_prefix("// ")) {
            let (key, value) = line.split_once(": ").ok_or_else(|| format!("no key in {line:?}"))?;
            match key {
                "why" => found.explained = true,
                "loop-bound" => found.options.loop_bounds.add(value).map_err(|error| error.to_string())?,
                "param" => found.options.params.add(value)?,
                "uniform" => drop(found.options.uniform.insert(value.to_owned())),
                "unreachable" => drop(found.options.unreachable.insert(value.to_owned())),
                "want" => set(&mut found.program, key, value)?,
                "code" => set(&mut found.code, key, value)?,
                "kernel" => set(&mut found.kernel, key, value)?,
                "assumes" => found.assumes.push(value.to_owned()),
                "rests-on" if value == Id::RegistersOwn.name() => found.own_registers = true,
                "error" => found.error.push(value.to_owned()),
                "error-has" => found.error_part.push(value.to_owned()),
                _ => return Err(format!("the key {key:?} is not known")),
            }
        }
        let fails = !found.error.is_empty() || !found.error_part.is_empty();
        let succeeds = found.program.is_some() || found.kernel.is_some() || found.own_registers;
        if fails == succeeds {
            return Err("want either want, kernel or rests-on, or else error or error-has".into());
        }
        if fails && (found.code.is_some() || !found.assumes.is_empty()) {
            return Err("code and assumes go with want, not with an error".into());
        }
        if found.code.is_some() && found.program.is_none() {
            return Err("code goes with want".into());
        }
        if !found.explained {
            return Err("want a sentence under the key why".into());
        }
        Ok(found)
    }

    /// Compares the first entry of the listing with what is expected of it.
    fn check(&self, text: &str) -> Result<(), String> {
        let text = Text::new("k", text.as_bytes().to_vec()).map_err(|error| error.to_string())?;
        let entry = extract(&text, &self.options).map_err(|error| error.to_string())?.remove(0);
        let program = match &entry.program {
            Ok(program) => program,
            Err(error) => return self.check_error(&error.to_string()),
        };
        if !self.error.is_empty() || !self.error_part.is_empty() {
            return Err(format!("want an error, found the program {program}"));
        }
        let own_registers = entry.assumptions().iter().any(|one| one.id == Id::RegistersOwn);
        same("registers.own", &self.own_registers.to_string(), &own_registers.to_string())?;
        if let Some(want) = &self.program {
            same("program", want, &program.to_string())?;
            let code = entry.code("k").map_err(|error| error.to_string())?;
            same("code", self.code.as_ref().unwrap_or(want), &code.to_string())?;
        }
        if let Some(want) = &self.kernel {
            same("kernel", want, entry.kernel.as_deref().unwrap_or("none"))?;
        }
        if !self.assumes.is_empty() {
            let workload = Workload::single(program.clone(), 2, Multiprocessor::default());
            let found =
                bound(&workload.map_err(|error| error.to_string())?).map_err(|error| error.to_string())?;
            let said: Vec<String> = found.assumes.iter().map(ToString::to_string).collect();
            same("assumptions", &self.assumes.join("; "), &said.join("; "))?;
        }
        Ok(())
    }

    fn check_error(&self, found: &str) -> Result<(), String> {
        if self.error.is_empty() && self.error_part.is_empty() {
            return Err(format!("want a program, found the error {found:?}"));
        }
        if let Some(start) = self.error.iter().find(|start| !found.starts_with(start.as_str())) {
            return Err(format!("want an error that begins with {start:?}, found {found:?}"));
        }
        if let Some(part) = self.error_part.iter().find(|part| !found.contains(part.as_str())) {
            return Err(format!("want an error with {part:?} in it, found {found:?}"));
        }
        Ok(())
    }
}

fn set(place: &mut Option<String>, key: &str, value: &str) -> Result<(), String> {
    match place.replace(value.to_owned()) {
        None => Ok(()),
        Some(_) => Err(format!("the key {key:?} stands twice")),
    }
}

fn same(what: &str, want: &str, found: &str) -> Result<(), String> {
    if want == found { Ok(()) } else { Err(format!("want the {what} {want}, found {found}")) }
}

/// The listings of a folder and of those in it, in order of their names.
fn listings(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    let mut found = Vec::new();
    for path in entries {
        if path.is_dir() {
            found.extend(listings(&path));
        } else if path.file_name().is_some_and(|name| name != "README.md") {
            found.push(path);
        }
    }
    found
}

fn examine(path: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    Expectation::read(&text)?.check(&text)
}

#[test]
fn listings_give_what_their_comments_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/listing");
    let files = listings(&folder);
    assert!(files.len() >= LEAST, "{} listings, where there were {LEAST}", files.len());
    let failures: Vec<String> = files
        .iter()
        .filter_map(|path| examine(path).err().map(|error| format!("{}: {error}", path.display())))
        .collect();
    assert!(failures.is_empty(), "{} listings fail:\n{}", failures.len(), failures.join("\n"));
}

/// The number of listings below which some have been lost.
const LEAST: usize = 170;

/// The runner itself must notice a changed expectation, a missing one and a misspelt one.
#[test]
fn a_wrong_or_missing_expectation_fails() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/listing/counters/inferred.ptx");
    let text = std::fs::read_to_string(path).unwrap();
    let run = |text: &str| Expectation::read(text).and_then(|expectation| expectation.check(text));
    assert_eq!(run(&text), Ok(()));
    for (from, to, error) in [
        ("want: C(CCC)10", "want: C(CCC)11", "want the program C(CCC)11, found C(CCC)10"),
        ("code: C31", "code: C32", "want the code C32, found C31"),
        ("want: C(CCC)10", "error: line", "code and assumes go with want, not with an error"),
        ("// want: C(CCC)10\n// code: C31\n", "// error: line\n", "want an error, found the program"),
        ("// want: C(CCC)10\n// code: C31\n", "", "want either want, kernel or rests-on, or else error"),
        ("want: C(CCC)10", "wnat: C(CCC)10", "the key \"wnat\" is not known"),
        ("code: C31", "want: C31", "the key \"want\" stands twice"),
        ("why: ", "why ", "no key in \"why The counter"),
        ("%r1, 10", "%r1, %r9", "want a program, found the error"),
    ] {
        assert!(text.contains(from), "{from}");
        let found = run(&text.replacen(from, to, 1)).unwrap_err();
        assert!(found.starts_with(error), "{found}");
    }
}
