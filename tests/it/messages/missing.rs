//! An answer names everything that is missing at once, and each front end words it in its own way.

use std::path::Path;

use assert_cmd::Command;
use warpspan::listing::{Obstacle, Options, Text, entry, extract};
use warpspan::source::{InputError, Remedy};

const FLOW: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/code/flow.ptx");

/// A kernel with these lines, from line 5 of the file.
fn kernel(body: &str) -> String {
    format!(".version 3.0\n.target sm_20\n.entry k()\n{{\n{body}\n}}\n")
}

/// The stderr of a command that reads this file in a folder of its own.
fn said(args: &[&str], file: &str, content: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(file), content).unwrap();
    std::fs::copy(FLOW, folder.path().join("flow.ptx")).unwrap();
    let mut command = Command::cargo_bin("warpspan").unwrap();
    let output = command.current_dir(folder.path()).args(args).arg(file).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    String::from_utf8(output.stderr).unwrap()
}

/// The library's error about the code of a kernel.
fn refused(body: &str) -> InputError {
    let text = Text::new("k.ptx", kernel(body).into_bytes()).unwrap();
    match entry(&text, &Options { strict: true, ..Options::default() }) {
        Ok(entry) => entry.code("k.ptx").unwrap_err(),
        Err(error) => error,
    }
}

#[test]
fn all_opcodes_without_a_class() {
    let body = "frob.u32 %r1, %r2;\nnicate %r1;\nfrob.u32 %r1, %r3;\nexit;";
    let error = refused(body);
    let opcodes = vec!["frob.u32".to_owned(), "nicate".to_owned()];
    assert_eq!(error.remedies().collect::<Vec<_>>(), [&Remedy::Classes(opcodes)]);
    assert_eq!(
        error.to_string(),
        "k.ptx:5: opcodes frob.u32 (line 5), nicate (line 6) are not known: give each a class with a table of classes"
    );
    assert_eq!(
        said(&["extract", "--strict"], "k.ptx", &kernel(body)),
        "warpspan: k.ptx:5: opcodes frob.u32 (line 5), nicate (line 6) are not known: give each a class with --classes \
         FILE\n"
    );
    assert_eq!(
        said(&["extract", "--strict"], "k.ptx", &kernel("nicate %r1;\nexit;")),
        "warpspan: k.ptx:5: opcode nicate is not known: give it a class with --classes FILE\n"
    );
}

#[test]
fn all_opcodes_without_a_number_of_letters() {
    let body =
        "mma.sync.aligned.m8n8k4 %r1, %r2;\nadd.s32 %r1, %r1, 1;\nmma.sync.aligned.m16n8k8 %r1, %r2;\nexit;";
    let text = Text::new("k.ptx", kernel(body).into_bytes()).unwrap();
    let error = extract(&text, &Options::default()).unwrap().remove(0).program.unwrap_err();
    let unrated = |name: &str| Obstacle::Unrated(name.to_owned());
    let expected = [(5, unrated("mma.sync.aligned.m8n8k4")), (7, unrated("mma.sync.aligned.m16n8k8"))];
    assert_eq!(error.obstacles, expected);
    assert_eq!(error.message().remedies().count(), 2);
    assert!(
        error.to_string().starts_with("line 5: how many letters mma.sync.aligned.m8n8k4 is, no table says: ")
    );
}

/// There are two loops that the code gives no bound, and a barrier under a branch that may part the threads
/// of a warp.
#[test]
fn branches_and_loops_at_once() {
    let a_loop = |name: &str, branch: &str| {
        format!("{name}: add.s32 %r1, %r1, %r2;\n{branch}setp.lt.s32 %p1, %r1, %r3;\n@%p1 bra {name};\n")
    };
    let body = format!(
        "mov.u32 %r2, %tid.x;\n{}setp.lt.s32 %p2, %r2, 16;\n@%p2 bra OVER;\nbar.sync 0;\nst.shared.u32 [%r1], %r1;\n\
         OVER: add.s32 %r1, %r1, 1;\nexit;",
        a_loop("ONE", "") + &a_loop("TWO", "")
    );
    let error = refused(&body);
    let labels = vec!["ONE".to_owned(), "TWO".to_owned()];
    let remedies = [&Remedy::Uniform("OVER".into()), &Remedy::LoopBounds(labels)];
    assert_eq!(error.remedies().collect::<Vec<_>>(), remedies);
    assert_eq!(
        error.to_string(),
        "k.ptx:13: a barrier under the branch to OVER, which may part the threads of a warp: declare it uniform (OVER), if it \
         does not; no bound for loop ONE (line 6), loop TWO (line 9): want a bound LABEL=N for each"
    );
    let solved = said(&["solve", "--warps", "2", "--ptx"], "k.ptx", &kernel(&body));
    assert!(solved.ends_with(
        "declare it with --uniform OVER, if it does not; no bound for loop ONE (line 6), loop TWO (line 9): want --loop-bound \
         LABEL=N for each\n"
    ));
}

#[test]
fn files_name_keys_and_no_flags() {
    let task = |keys: &str| {
        format!(
            "multiprocessors = 2\n[gpu]\nthreads = 64\nblocks = 1\nclock_mhz = 1\n[multiprocessor]\n\
             compute_capability = \"2.0\"\n[[task]]\nname = \"x\"\nperiod = 4000\nkind = \"compute\"\nptx = \"flow.ptx\"\n\
             {keys}\nblocks = 4\nthreads_per_block = 64\nk = 1\n"
        )
    };
    let kernel = |keys: &str| {
        format!(
            "unit = \"cycles\"\n[gpu]\npreset = \"jetson-tx2\"\n[[kernel]]\nptx = \"flow.ptx\"\n{keys}\nblocks = 4\n\
             threads_per_block = 64\nperiod = 4000\n"
        )
    };
    let grid = |keys: &str| format!("ptx = \"flow.ptx\"\nwarps = 4\n{keys}\n");
    let cases = [
        (
            "",
            "9 entries: want entry = \"NAME\", one of counted",
            "9 entries: want entry = \"NAME\", one of counted",
        ),
        (
            "entry = \"asked\"",
            "flow.ptx:46: asked: no bound for loop HEAD (line 54): want loop_bounds = { LABEL = N } for each\n",
            "flow.ptx:46: asked: no bound for loop HEAD (line 54): want loop-bound = [\"LABEL=N\"] for each\n",
        ),
        (
            "entry = \"parted\"",
            "declare it with uniform = [\"OVER\"], if it does not\n",
            "declare it with uniform = [\"OVER\"], if it does not\n",
        ),
        (
            "entry = \"counted\"\nuniform = [\"NONE\"]",
            ": uniform: \"NONE\" is no conditional branch in flow.ptx",
            ": uniform: \"NONE\" is no conditional branch in flow.ptx",
        ),
    ];
    assert!(Path::new(FLOW).exists());
    for (keys, of_system, of_grid) in cases {
        for (command, content, message) in [
            (&["partition"][..], task(keys), of_system),
            (&["rta"], kernel(keys), of_system),
            (&["sweep", "--dry-run"], grid(keys), of_grid),
        ] {
            let said = said(command, "f.toml", &content);
            assert!(said.contains(message), "{said}");
            assert!(said.starts_with("warpspan: f.toml:"), "{said}");
            assert!(!said.contains("--"), "{said}");
        }
    }
}
