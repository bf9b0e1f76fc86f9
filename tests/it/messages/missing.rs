//! An answer names everything that is missing at once, and each front end words it in its own way.

use std::path::Path;

use assert_cmd::Command;
use warpspan::listing::{Obstacle, Options, StructureError, Text, entry, extract};
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
    let nest = "mov.u32 %r2, %tid.x;\nONE: add.s32 %r1, %r1, %r2;\n$L_2: add.s32 %r1, %r1, %r2;\n@%p3 bra OVER;\n\
                @%p1 bra $L_2;\n@%p2 bra ONE;\nOVER: add.s32 %r1, %r1, 1;\nexit;";
    std::fs::write(folder.path().join("nest.ptx"), kernel(nest).replace("k()", "nest()")).unwrap();
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
    let classes = error.message().remedies().filter(|one| matches!(one, Remedy::Classes(_))).count();
    assert_eq!(classes, 2);
    assert!(
        error.to_string().starts_with("line 5: how many letters mma.sync.aligned.m8n8k4 is, no table says: ")
    );
}

/// There are loops that the code gives no bound, and a branch that leaves two of them at once.
#[test]
fn branches_and_loops_at_once() {
    let body = "mov.u32 %r2, %tid.x;\nONE: add.s32 %r1, %r1, %r2;\nTWO: add.s32 %r1, %r1, %r2;\n@%p3 bra OVER;\n@%p1 bra TWO;\n\
                @%p2 bra ONE;\nOVER: add.s32 %r1, %r1, 1;\nexit;";
    let error = refused(body);
    let labels = vec!["ONE".to_owned(), "TWO".to_owned()];
    let all = Remedy::Declarations { loops: labels.clone(), uniform: vec!["9".into()], unreachable: vec![] };
    let remedies = [&Remedy::Uniform("9".into()), &Remedy::LoopBounds(labels), &all];
    assert_eq!(error.remedies().collect::<Vec<_>>(), remedies);
    assert_eq!(
        error.to_string(),
        "k.ptx:9: the ways of the branch at 9 leave two loops at once: declare it uniform (9), if it is so; no bound for loop \
         ONE (line 6), loop TWO (line 7): want a bound LABEL=N for each; all at once: a file of declarations"
    );
    let solved = said(&["solve", "--warps", "2", "--ptx"], "k.ptx", &kernel(body));
    assert!(
        solved.ends_with(
            "declare it with --uniform 9, if it is so; no bound for loop ONE (line 6), loop TWO (line 7): want --loop-bound \
             ONE=N --loop-bound TWO=N; all at once: --loop-bound ONE=N --loop-bound TWO=N --uniform 9, or --declare \
             FILE.toml, which extract writes\n"
        ),
        "{solved}"
    );
}

/// The search for a program stops at the first obstacle; the answer names those behind it too.
#[test]
fn what_lies_behind_the_first_obstacle() {
    // A branch that leaves two loops at once, from the first line of the three on.
    let nest = |name: &str| {
        format!(
            "O{name}: add.s32 %r1, %r1, 1;\nI{name}: add.s32 %r1, %r1, 1;\n@%p1 bra X{name};\n@%p2 bra I{name};\n\
             @%p3 bra O{name};\nX{name}: add.s32 %r1, %r1, 2;\n"
        )
    };
    let body = format!(
        "{}mma.sync.aligned.m8n8k4 %r1, %r2;\n{}L: add.s32 %r1, %r1, %r2;\n@%p9 bra L;\nexit;",
        nest("1"),
        nest("2")
    );
    let error = refused(&body);
    let uniform = |name: &str| Remedy::Uniform(name.to_owned());
    let loops: Vec<String> = ["O1", "I1", "O2", "I2", "L"].map(str::to_owned).into();
    let declarations = Remedy::Declarations {
        loops: loops.clone(),
        uniform: vec!["8".to_owned(), "15".to_owned()],
        unreachable: vec![],
    };
    let expected = [
        &uniform("8"),
        &Remedy::Classes(vec!["mma.sync.aligned.m8n8k4".to_owned()]),
        &uniform("15"),
        &Remedy::LoopBounds(loops),
        &declarations,
    ];
    assert_eq!(error.remedies().collect::<Vec<_>>(), expected, "{error}");
    // What would do in one go does.
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("k.ptx"), kernel(&body)).unwrap();
    let class = "[[class]]\nopcode = \"mma.sync\"\nunit = \"C\"\n";
    std::fs::write(folder.path().join("c.toml"), class).unwrap();
    let bounds = ["O1=4", "I1=4", "O2=4", "I2=4", "L=4"].map(|bound| ["--loop-bound", bound]).concat();
    let flags =
        [&bounds[..], &["--uniform", "8", "--uniform", "15", "--classes", "c.toml", "--warps", "2"]].concat();
    let mut command = Command::cargo_bin("warpspan").unwrap();
    command.current_dir(folder.path()).args(["extract", "k.ptx"]).args(flags).assert().success();
}

/// Obstacles of the same words are said once, and all of them stand in what would do.
#[test]
fn the_same_words_are_said_once() {
    let obstacles = vec![
        (261, Obstacle::NoPoint),
        (270, Obstacle::BranchToNext),
        (409, Obstacle::NoPoint),
        (412, Obstacle::NoPoint),
    ];
    let message = StructureError { obstacles, unbounded: vec![] }.message();
    let text = message.to_string();
    assert_eq!(text.matches("says where they wait").count(), 1, "{text}");
    assert!(text.contains("; the same in lines 409, 412; line 270: a branch to the next line"), "{text}");
    let uniform = ["261", "270", "409", "412"].map(str::to_owned).to_vec();
    assert_eq!(
        message.remedies().last(),
        Some(&Remedy::Declarations { loops: vec![], uniform, unreachable: vec![] })
    );
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
            "flow.ptx:46: asked: no bound for loop HEAD (line 54): want params = { asked_param_0 = N }, or loop_bounds = { HEAD = N }\n",
            "flow.ptx:46: asked: no bound for loop HEAD (line 54): want param = [\"asked_param_0=N\"], or loop-bound = [\"HEAD=N\"]\n",
        ),
        (
            "entry = \"nest\"",
            "want loop_bounds = { ONE = N, \"$L_2\" = N }; all at once: loop_bounds = { ONE = N, \"$L_2\" = N }, uniform = \
             [\"9\"], or declare = \"FILE\", which extract writes\n",
            "want loop-bound = [\"ONE=N\", \"$L_2=N\"]; all at once: loop-bound = [\"ONE=N\", \"$L_2=N\"], uniform = [\"9\"], or \
             declare = \"FILE\", which extract writes\n",
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
            let content =
                if keys.contains("nest") { content.replace("flow.ptx", "nest.ptx") } else { content };
            let said = said(command, "f.toml", &content);
            assert!(said.contains(message), "{said}");
            assert!(said.starts_with("warpspan: f.toml:"), "{said}");
            assert!(!said.contains("--"), "{said}");
        }
    }
}
