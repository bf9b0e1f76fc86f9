//! `extract` gives letters, strings and structure of small kernels, and one clear line for what cannot be
//! read.
use assert_cmd::Command;
use serde_json::Value;
use warpspan::listing::{Options, Text, extract};
use warpspan::model::Unit;
use warpspan::model::program::{Divergence, Piece};

fn warpspan() -> Command {
    let mut command = Command::cargo_bin("warpspan").unwrap();
    command.current_dir(env!("CARGO_MANIFEST_DIR")).timeout(std::time::Duration::from_secs(120));
    command
}

fn entries(file: &str, flags: &[&str]) -> Vec<Value> {
    let path = format!("tests/data/code/{file}");
    let output = warpspan().args(["extract", &path, "--format", "json"]).args(flags).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let mut record: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(record["schema"], "warpspan/extract/2");
    record["entries"].as_array_mut().unwrap().drain(..).collect()
}

fn entry(file: &str, name: &str, flags: &[&str]) -> Value {
    let found = entries(file, &[&["--entry", name], flags].concat());
    assert_eq!(found.len(), 1);
    found[0].clone()
}

/// The message for a text as the command line gives it, which is one line with exit code 2 and nothing on
/// stdout.
fn refused(text: &str, flags: &[&str]) -> String {
    let mut command = warpspan();
    let output =
        command.args(["extract", "-"]).args(flags).write_stdin(text.as_bytes().to_vec()).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(output.stdout.is_empty());
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    stderr
}

/// A kernel whose body is these lines, the first of them in line 5.
fn kernel(body: &str) -> String {
    format!(".version 3.0\n.target sm_20\n.entry k()\n{{\n{body}\n}}\n")
}

fn program(body: &str) -> Result<Piece, String> {
    let text = Text::new("k.ptx", kernel(body).into_bytes()).unwrap();
    let entry = extract(&text, &Options::default()).unwrap().remove(0);
    entry.program.map_err(|error| error.to_string())
}

#[test]
fn a_straight_line() {
    let swap = entry("straight.ptx", "swap", &[]);
    assert_eq!(swap["kernel"], "CCCCLCCL|LCL");
    assert_eq!(swap["straight"], true);
    let counts = ["instructions", "load_store", "compute", "barriers", "branches", "loops"];
    assert_eq!(counts.map(|key| swap[key].as_u64().unwrap()), [13, 4, 7, 1, 0, 0]);
    assert_eq!(swap["compute_capability"], "2.0");
    assert_eq!(swap["structure_error"], Value::Null);
}

/// This is the increment kernel of the CUDA samples as nvopencc 3.1 compiled it, written again. Every
/// instruction counts, also the first behind a `.loc`.
#[test]
fn an_increment() {
    let body = "ld.param.u64 %rd1, [g];\n.loc 28 51 0\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;
        mul.lo.u32 %r4, %r2, %r3;\nadd.u32 %r5, %r1, %r4;\ncvt.s64.s32 %rd2, %r5;\nmul.wide.s32 %rd3, %r5, 4;
        add.u64 %rd4, %rd1, %rd3;\nld.global.s32 %r6, [%rd4+0];\nld.param.s32 %r7, [v];\nadd.s32 %r8, %r6, %r7;
        st.global.s32 [%rd4+0], %r8;\nexit;";
    let text = Text::new("k.ptx", kernel(body).into_bytes()).unwrap();
    let found = extract(&text, &Options::default()).unwrap().remove(0);
    assert_eq!(found.kernel.as_deref(), Some("CCCCCCCCCLCCL"));
    assert_eq!(
        (found.instructions, found.letters[Unit::LoadStore], found.letters[Unit::CudaCore]),
        (14, 2, 11)
    );
}

#[test]
fn sass_of_three_printers() {
    let found = entries("cuobjdump.sass", &[]);
    assert_eq!(found[0]["kernel"], Value::Null);
    assert_eq!(found[0]["instructions"], 8, "the branch to itself and the NOPs behind it only fill");
    assert_eq!(found[0]["branches"], 1);
    // Nothing says where the threads wait that the branch may part, so each group issues the rest.
    assert_eq!(found[0]["program"], "CCLCCC<CL/L>");
    let declared = entry("cuobjdump.sass", "scale", &["--uniform", "15"]);
    assert_eq!(declared["structure_error"], Value::Null);
    assert_eq!(found[1]["kernel"], "L|CL");
    assert_eq!(found[1]["compute_capability"], "6.1");
    let volta = entry("nvdisasm.sass", "volta", &[]);
    assert_eq!((&volta["structure_error"], &volta["branches"]), (&Value::Null, &Value::from(2)));
    assert_eq!(volta["compute_capability"], "7.5");
    let stack = entry("stack.cuasm", "stack", &["--loop-bound", ".L_loop=4"]);
    assert_eq!(stack["structure_error"], Value::Null);
    assert_eq!([&stack["load_store"], &stack["compute"]].map(|count| count.as_u64().unwrap()), [3, 11]);
}

/// In a program with a stack of places SSY..SYNC is an if, PBK..BRK a loop whose last pass ends at the break,
/// and CAL a call.
#[test]
fn reconvergence_points_are_followed() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/code/stack.cuasm");
    let text = Text::new(path, std::fs::read(path).unwrap()).unwrap();
    let mut options = Options::default();
    options.loop_bounds.add(".L_loop=4").unwrap();
    let program = extract(&text, &options).unwrap().remove(0).program.unwrap();
    let Piece::Sequence(pieces) = program else { panic!("a sequence") };
    let shape: Vec<String> = pieces.iter().map(shape).collect();
    assert_eq!(shape.join(" "), "C C C {LC / CC} C [LCCC]0..3 L C C L");
}

fn shape(piece: &Piece) -> String {
    match piece {
        Piece::Letters { letter: unit, .. } => unit.to_string(),
        Piece::Barrier { .. } => "|".into(),
        Piece::Sequence(list) => list.iter().map(shape).collect(),
        Piece::Branch { arms, divergence, .. } => {
            let mark = match divergence {
                Divergence::Uniform => "=",
                Divergence::Divergent => "",
                Divergence::Interleaved => "~",
            };
            let mut arms: Vec<String> = arms.iter().map(shape).collect();
            arms.sort_by(|a, b| b.cmp(a));
            format!("{mark}{{{}}}", arms.join(" / "))
        }
        Piece::Loop { body, least, most, .. } => format!("[{}]{least}..{most}", shape(body)),
    }
}

fn shape_of(name: &str, flags: &[&str]) -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/code/flow.ptx");
    let text = Text::new(path, std::fs::read(path).unwrap()).unwrap();
    let mut options = Options { entry: Some(name.into()), ..Options::default() };
    flags.iter().for_each(|bound| options.loop_bounds.add(bound).unwrap());
    extract(&text, &options)
        .unwrap()
        .remove(0)
        .program
        .map_or_else(|error| error.to_string(), |piece| shape(&piece))
}

#[test]
fn structure() {
    assert_eq!(shape_of("counted", &[]), "CC[LCCC]16..16");
    assert_eq!(shape_of("copied", &[]), "C[CCCCC]10..10");
    assert_eq!(shape_of("asked", &[]), "no bound for loop HEAD (line 54): want a bound LABEL=N");
    assert_eq!(shape_of("asked", &["HEAD=5"]), "CC[CCLCC]0..4CC");
    assert_eq!(shape_of("asked", &["54=1"]), "CCCC");
    // The kernel has a uniform branch around a barrier, with the letters of what ptxas puts around it at 6.0, which a path through the barrier covers, then a
    // divergent branch, then a predicated store.
    assert_eq!(shape_of("branches", &[]), "CCCC={ / }[CL|]0..1CC{LC / C}L");
    assert_eq!(shape_of("calls", &[]), "CC={ / }CCCCCCCCCL");
    assert_eq!(shape_of("choice", &[]), "CC={LC / LC / C}");
    assert_eq!(shape_of("tangled", &[]), "line 151: a loop entered both at LEFT and at RIGHT: not supported");
    assert_eq!(shape_of("endless", &[]), "line 161: the loop at AGAIN has no way out");
    // CUDA demands that all threads decide alike about a barrier.
    assert_eq!(shape_of("parted", &[]), "CCC={ / }[CL|]0..1C");
    let promised = entry("flow.ptx", "parted", &["--uniform", "OVER"]);
    assert_eq!(promised["program"], entry("flow.ptx", "parted", &[])["program"]);
}

#[test]
fn a_header_of_cuobjdump_and_independent_threads() {
    let one = &entries("fatbin.ptx", &[])[0];
    assert_eq!((&one["name"], &one["compute_capability"]), (&"one".into(), &"7.0".into()));
    let before = &entries("fatbin.ptx", &["--compute-capability", "6.0", "--explain"])[0];
    let double = &before["listing"][3];
    assert_eq!((&double["letter"], &double["count"]), (&"C".into(), &2.into()));
}

#[test]
fn code_that_is_nested_too_deep_or_shared_too_much() {
    let error = |body: &str| program(body).map(|piece| shape(&piece)).unwrap_err();
    let deep: String = (0..400).map(|_| "@%p1 bra END;\nadd.s32 %r1, %r1, 1;\n").collect();
    assert!(error(&(deep + "END: st.shared.u32 [%r1], %r1;\nexit;")).contains("nested deeper than"));
    let ladder: String =
        (0..60).map(|at| format!("L{at}: @%p1 bra L{};\nadd.s32 %r1, %r1, 1;\n", at + 2)).collect();
    let ladder = ladder + "L60: add.s32 %r1, %r1, 1;\nL61: st.shared.u32 [%r1], %r1;\nexit;";
    // Each thread passes some of the code in this order.
    let found = program(&ladder).unwrap();
    let pieces = shape(&found);
    assert!(
        pieces.matches('L').count() == 1 && pieces.contains("C / ") && pieces.len() < 100_000,
        "{pieces}"
    );
    let uniform = program(&ladder.replace("bra L", "bra.uni L")).map(|piece| shape(&piece)).unwrap();
    assert!(uniform.len() < 1000 && uniform.matches("L").count() == 1, "{uniform}");
    let barrier = ladder.replace("add.s32 %r1, %r1, 1;\nL30", "bar.sync 0;\nL30");
    assert!(error(&barrier).contains("share too much code"));
}

/// What is wrong with one kernel of a file is told of it, and of those that call it; the others have their programs.
#[test]
fn an_odd_kernel_leaves_the_others_of_its_file_alone() {
    let good = "\t\tFunction : good\n  /*0008*/ LDG R1, [R2] ;\n  /*0010*/ EXIT ;\n\t\t..........\n";
    let sass = |bad: &str| format!("\tcode for sm_62\n\t\tFunction : bad\n{bad}\n\t\t..........\n{good}");
    let twice = "  /*0008*/ EXIT ;\n\t\tFunction : bad\n  /*0008*/ EXIT ;";
    let function = ".version 7.0\n.target sm_61\n.func f()\n{\nwhat is this;\n}\n";
    let good_ptx = ".entry good()\n{\nld.global.u32 %r1, [%rd1];\nexit;\n}\n";
    let ptx = |bad: &str| format!("{function}.entry bad()\n{{\n{bad}\n}}\n{good_ptx}");
    for (text, message) in [
        (sass("  /*0008*/ SYNC ;"), "line 3: SYNC without a place to go to"),
        (sass("  what"), "line 3: \"what\": want an instruction, a label or a directive"),
        (sass("A:\nA:"), "line 4: label A is defined a second time, first in line 3"),
        (sass("  /*0008*/ MOV R1, R2 ;\n  /*0048*/ EXIT ;"), "line 4: address 0x48 where 0x10 is next"),
        (sass("  /*0008*/ BRA 0x88 ;"), "line 3: \"0x88\" of BRA is neither a label nor an address"),
        (sass("  /*0008*/ MOV R1, R2.S ;\n  /*0010*/ BRA `(.X) ;"), "line 4: \"`(.X)\" of BRA is neither"),
        (sass(twice), "line 4: bad is defined a second time, first in line 2"),
        (ptx("bra B;"), "line 9: label B is not defined in this function"),
        (ptx("add.s32 %r1, %r1, 1\nsub.s32 %r2, %r1, 1;"), "line 9: no ';' between add.s32 and sub.s32"),
        (ptx("add.s32 %r1, %r1"), "line 10: '}' where a ';' was to come"),
        (ptx("call f, ();"), "line 5: no ';' between what and this"),
    ] {
        let text = Text::new("k", text.into_bytes()).unwrap();
        let all = extract(&text, &Options::default()).unwrap();
        let of = |name: &str| all.iter().find(|one| one.name == name).unwrap();
        assert_eq!(of("good").kernel.as_deref(), Some("L"), "{message}");
        let found = of("bad").program.as_ref().unwrap_err().to_string();
        assert!(found.starts_with(message), "{found}, want {message}");
        let named = |name: &str| extract(&text, &Options { entry: Some(name.into()), ..Options::default() });
        assert_eq!(named("good").unwrap()[0].kernel.as_deref(), Some("L"), "{message}");
        match named("bad") {
            Ok(bad) => assert!(bad[0].program.is_err(), "{message}"),
            Err(error) => assert!(error.to_string().contains(message.split_once(": ").unwrap().1), "{error}"),
        }
    }
    // Where it is not clear where a body ends, or a line is at fault that belongs to no kernel, the file is refused.
    let open = ptx("add.s32 %r1, %r1, 1;").replacen("\n}\n.entry good", "\n.entry good", 1);
    assert!(extract(&Text::new("k", open.into_bytes()).unwrap(), &Options::default()).is_err());
}

#[test]
fn bad_texts_get_one_line() {
    let is = |text: &str, message: &str| {
        let found = refused(text, &[]);
        assert!(found.starts_with(&format!("warpspan: standard input{message}")), "{found}{message}");
    };
    is("", ": neither PTX");
    is("[kernel]\nstring = \"L\"\n", ": neither PTX");
    is(&kernel("exit;").replace("\n}\n", "\n"), ":4: the body of k has no closing brace");
    is(&(kernel("exit;") + "}\n"), ":7: \"}\": want a directive of PTX");
    is(&kernel("add.s32 %r1, %r1"), ":6: '}' where a ';' was to come");
    is(&kernel("add.s32 %r1, %r1, 1\nsub.s32 %r2, %r1, 1;"), ":5: no ';' between add.s32 and sub.s32");
    is(&kernel(".reg .u32 %r<4>\nmov.u32 %r1, 1;"), ":5: no ';' between .reg and mov.u32");
    is(
        &kernel("A:\nadd.s32 %r1, %r1, 1;\nA:\nexit;"),
        ":7: label A is defined a second time, first in line 5",
    );
    is(&kernel("\nbra B;"), ":6: label B is not defined in this function");
    is(&kernel("T: .branchtargets A\nB;\nbrx.idx %r1, T;"), ":7: label A B is not defined");
    is(&kernel("{\nA:\nadd.s32 %r1, %r1, 1;\n}\nbra A;"), ":9: label A is not defined");
    is(&kernel("bra A;\nA:"), ":5: label A has no instruction after it");
    is(&kernel("/* no end"), ":5: this comment does not end");
    is(&kernel("@ bra A;"), ":5: ");
    let again = kernel("exit;").replace(".version 3.0\n", "");
    is(&(kernel("exit;") + &again), ":8: k is defined a second time, first in line 3");
    is(
        &kernel("exit;").replace("sm_20", "sm_13"),
        ":3: k is for capability 1.3, which is not known: want --compute",
    );
    let sass = |line: &str| format!("\t.headerflags @\"EF_CUDA_SM61\"\n\tFunction : k\n{line}\n");
    is(&sass("  /*0008*/  BRA 0x88 ;"), ":3: \"0x88\" of BRA is neither a label nor an address");
    is(&sass("  what"), ":3: \"what\": want an instruction, a label or a directive");
    is(&sass("A:\nA:"), ":4: label A is defined a second time");
    is(&sass("  /*0008*/  EXIT ;\n  /*0008*/  EXIT ;"), ":4: address 0x8 stands a second time");
    let unknown = refused(&sass("  /*0008*/  FROB ;\n  /*0010*/  EXIT ;"), &["--strict"]);
    assert!(unknown.starts_with("warpspan: standard input:3: opcode FROB is not known"), "{unknown}");
    is(&(sass("  /*0008*/  EXIT ;") + &kernel("exit;")), ": both PTX and SASS");
}

#[test]
fn bytes_that_are_no_text() {
    let error = |bytes: &[u8]| Text::new("f", bytes.to_vec()).unwrap_err().to_string();
    assert!(error(b".version 3.0\n\xff\xfe").starts_with("f:2: not UTF-8"));
    assert!(error(b".version 3.0\n\0").starts_with("f:2: a zero byte"));
}

#[test]
fn flags_that_fit_nothing() {
    let found = |flags: &[&str]| refused(&kernel("exit;"), flags);
    assert!(found(&["--entry", "x"]).contains("no entry \"x\": want one of k"));
    assert!(found(&["--loop-bound", "L=3"]).contains("--loop-bound: \"L\" is no loop in standard input"));
    assert!(found(&["--loop-bound", "L=0"]).contains("--loop-bound L=0: \"0\": want"));
    assert!(found(&["--uniform", "L"]).contains("--uniform: \"L\" is no conditional branch"));
    // Of several unknown labels the least is named, in whatever order a hash set holds them.
    for _ in 0..4 {
        assert!(
            found(&["--uniform", "M", "--uniform", "K", "--uniform", "L"])
                .contains("--uniform: \"K\" is no conditional branch")
        );
        assert!(
            found(&["--loop-bound", "M=1", "--loop-bound", "K=2", "--loop-bound", "L=3"])
                .contains("--loop-bound: \"K\" is no loop")
        );
    }
    assert!(found(&["--compute-capability", "4.0"]).contains("no compute capability"));
    assert!(found(&["--classes", "no-such-file"]).contains("no-such-file: cannot be read"));
}

/// Reads each file of a folder that is not part of the project, in which each opcode must have a class.
#[test]
#[ignore = "wants WARPSPAN_LISTINGS, a folder of PTX or SASS"]
fn listings_of_a_folder() {
    let folder = std::env::var("WARPSPAN_LISTINGS").expect("WARPSPAN_LISTINGS names a folder");
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let start = std::time::Instant::now();
        let text = Text::new(&path.display().to_string(), std::fs::read(&path).unwrap()).unwrap();
        for entry in extract(&text, &Options::default()).unwrap_or_else(|error| panic!("{error}")) {
            let structure = entry.program.map_or_else(|error| error.to_string(), |_| "structured".into());
            println!("{} {}: {} instructions, {structure}", path.display(), entry.name, entry.instructions);
        }
        println!("{}: {:?}", path.display(), start.elapsed());
    }
}
