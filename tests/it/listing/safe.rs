//! Code that looks simpler than it is: what a reader of listings must not take for uniform, counted, straight
//! or nothing. Most of it stands in the files of `tests/data/listing`; here are the tests that compare
//! bounds, or texts that no file should hold.
use warpspan::engines::program::bound;
use warpspan::listing::{Options, Text, extract, read_classes};
use warpspan::model::program::Piece;
use warpspan::model::{Code, Cycles, Multiprocessor, Workload};
use warpspan::source::InputError;

/// A kernel whose body is these lines, the first of them in line 5, and the functions that stand behind it.
fn ptx(body: &str, functions: &str) -> String {
    format!(".version 3.0\n.target sm_20\n.entry k(.param .u32 k_param_0)\n{{\n{body}\n}}\n{functions}\n")
}

fn sass(lines: &str) -> String {
    format!("\t.headerflags @\"EF_CUDA_SM75\"\n\tFunction : k\n{lines}\n")
}

fn read(text: &str, options: &Options) -> Result<Result<Code, String>, InputError> {
    let mut entries = extract(&Text::new("k", text.as_bytes().to_vec())?, options)?;
    let entry = entries.remove(0);
    Ok(entry
        .program
        .as_ref()
        .map_err(ToString::to_string)
        .and_then(|_| entry.code("k").map_err(|error| error.to_string())))
}

fn code(text: &str) -> String {
    read(text, &Options::default()).unwrap().unwrap().to_string()
}

fn refused(text: &str) -> String {
    read(text, &Options::default()).unwrap().unwrap_err()
}

/// Threads that go to an end of their own may do so long after they parted from the others: 0 to 9 threads
/// leave the loop in each pass, and the four loads of ten passes come afterwards. A warp of ten such threads
/// issues CL, (CC)10 and L4 ten times.
#[test]
fn ends_of_their_own_come_late() {
    let real: Piece = "CL(CCCCC)10C(L4)10".parse().unwrap();
    let found = program(include_str!("../../data/listing/ends/late.ptx"), &[]);
    for warps in [1, 3, 8] {
        assert!(makespan(&found, warps) >= makespan(&real, warps), "{warps} warps: {found:?}");
    }
}

/// The user may give letters to an end, and then both ways of the branch have them.
#[test]
fn ends_with_letters_of_their_own() {
    let classes =
        read_classes("c", "[[class]]\nopcode = \"ret\"\nunit = \"C\"\nletters = 10\n", None).unwrap();
    let options = Options { classes, ..Options::default() };
    let text = ptx("@%p1 bra E;\nret;\nE:\nret;", "");
    assert_eq!(read(&text, &options).unwrap().unwrap().to_string(), "C{C10/C10}");
}

/// A line that cannot be read as a whole is an error, since its instructions would be lost in silence
/// otherwise.
#[test]
fn lines_that_would_lose_instructions() {
    let error = |text: &str| read(text, &Options::default()).unwrap_err().to_string();
    for line in [
        "  /*0000*/ MOV R1, R2 ; /*0010*/ LDG R3, [R4] ;",
        "  /*0000*/ MOV R1, R2 ; LDG R3, [R4] ;",
        "  .L_9: /*0000*/ LDG R3, [R4] ;",
    ] {
        assert!(error(&sass(line)).starts_with("k:3: "), "{}", error(&sass(line)));
    }
    let fermi = "\tFunction : k\n  /*0000*/ NOP.S ;\n  /*0008*/ EXIT ;\n";
    assert!(error(fermi).starts_with("k:2: NOP.S: what .S is depends on the capability"), "{}", error(fermi));
    let whole = ptx("mov.u32 %r1, 0;\nexit;", "");
    for text in
        [whole.replace("3.0\n", "3.0 "), whole.replace('\n', "\r"), whole.replace("sm_20\n", "sm_20 ")]
    {
        assert_eq!(code(&text), "C", "{text}");
    }
    let deep = ptx(&format!("{}exit;{}", "{".repeat(2000), "}".repeat(2000)), "");
    assert!(error(&deep).contains("deeper than 1000"), "{}", error(&deep));
    assert_eq!(code(&format!("\u{feff}{}", ptx("mov.u32 %r1, 0;\nexit;", ""))), "C");
}

/// The text that `extract` prints of the deepest program that it makes can be read again, and the program has
/// a bound.
#[test]
fn the_deepest_program_has_a_bound() {
    let nested = |levels: usize| {
        let ways: String = (0..levels).map(|at| format!("@%p1 bra L{at};\nadd.u32 %r1, %r1, 1;\n")).collect();
        let ends: String = (0..levels).rev().map(|at| format!("L{at}:\nadd.u32 %r1, %r1, 1;\n")).collect();
        ptx(&format!("{ways}{ends}exit;"), "")
    };
    let deepest = code(&nested(60));
    let Code::Program(piece) = deepest.parse().unwrap() else { panic!("{deepest}") };
    bound(&Workload::single(piece, 4, Multiprocessor::default()).unwrap()).unwrap();
    assert!(refused(&nested(70)).contains("nested deeper than 60"), "{}", refused(&nested(70)));
}

fn program(text: &str, bounds: &[&str]) -> Piece {
    let mut options = Options::default();
    bounds.iter().for_each(|bound| options.loop_bounds.add(bound).unwrap());
    match read(text, &options).unwrap().unwrap() {
        Code::Program(program) => program,
        kernel @ Code::Kernel(_) => panic!("{kernel}"),
    }
}

fn makespan(piece: &Piece, warps: u64) -> Cycles {
    let workload = Workload::single(piece.clone(), warps, Multiprocessor::default()).unwrap();
    bound(&workload).unwrap().makespan.cycles()
}

/// Ends behind loops of their own are ways out too. One thread goes to S in the first pass and the other in
/// the second, so that the warp issues LLCC.
#[test]
fn ends_behind_loops_of_their_own() {
    let listing = include_str!("../../data/listing/ends/behind-loops-of-their-own.ptx");
    let found = program(listing, &["L=2", "R=1", "S=1"]);
    assert!(makespan(&found, 3) >= makespan(&"LLCC".parse().unwrap(), 3));
}
