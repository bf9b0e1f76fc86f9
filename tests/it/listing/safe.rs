//! Code that looks simpler than it is: what a reader of listings must not take for uniform, counted, straight or nothing.
use warpspan::engines::program::bound;
use warpspan::listing::{Options, Text, extract, read_classes};
use warpspan::model::{Capability, Code, Multiprocessor, Workload};
use warpspan::source::InputError;

/// A kernel of these lines, from line 5, with functions behind it.
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

/// Threads that go to an end of their own may do it long after they parted from the others: 0 to 9 leave one a pass, then come
/// ten passes' four loads. CL (CC)10 and L4 ten times is what a warp of ten such threads issues.
#[test]
fn ends_of_their_own_come_late() {
    let body = |end: &str| {
        format!(
            "mov.u32 %r1, 0;\nld.global.u32 %r5, [k];\nL:\nsetp.eq.u32 %p2, %r1, %r5;\n@%p2 bra A;\nadd.u32 %r1, %r1, 1;\n\
             setp.lt.u32 %p1, %r1, 10;\n@%p1 bra L;\nadd.u32 %r3, 1, 1;\n{end}A:\n{}exit;",
            "ld.global.u32 %r4, [k];\n".repeat(4)
        )
    };
    let real: warpspan::model::program::Piece = "CL(CCCCC)10C(L4)10".parse().unwrap();
    let found = read(&ptx(&body("exit;\n"), ""), &Options::default()).unwrap().unwrap();
    let Code::Program(found) = found else { panic!("{found}") };
    for warps in [1, 3, 8] {
        let of = |piece: &warpspan::model::program::Piece| {
            bound(&Workload::single(piece.clone(), warps, Multiprocessor::default()).unwrap())
                .unwrap()
                .makespan
        };
        assert!(of(&found) >= of(&real), "{warps} warps: {found:?}");
    }
    // From 7.0 on they may alternate with later passes.
    let volta = ptx(&body("exit;\n"), "").replace("sm_20", "sm_70");
    assert!(refused(&volta).contains("leave the loop without meeting"), "{}", refused(&volta));
}

/// Where only some warps of a block come to a barrier the others do not wait: that all go there, or none, is said.
#[test]
fn a_barrier_on_one_way() {
    let text = ptx(
        "ld.param.u32 %r1, [k_param_0];\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra M;\nbar.sync 0;\nM:\nld.global.u32 %r2, [k];\nexit;",
        "",
    );
    let Code::Program(program) = read(&text, &Options::default()).unwrap().unwrap() else { panic!() };
    let found = bound(&Workload::single(program, 2, Multiprocessor::default()).unwrap()).unwrap();
    assert_eq!(found.assumes, ["line 7: all warps of a block go this way or none: a barrier is on it"]);
    // The return of a function is not the end of a warp.
    let function = ".func f()\n{\n@%p1 ret;\nbar.sync 0;\nret;\n}";
    let error = refused(&ptx("call f;\nexit;", function));
    assert!(error.starts_with("line 10: f may return here before a barrier"), "{error}");
}

/// Threads that leave a loop wait behind it, not at the barriers in it; threads that end are waited for no longer.
#[test]
fn a_barrier_in_a_loop_that_threads_leave() {
    let body = |behind: &str| {
        format!(
            "mov.u32 %r1, 0;\nL:\nld.global.u32 %r4, [k];\nsetp.ne.u32 %p2, %r4, 0;\n@%p2 bra OUT;\nbar.sync 0;\n\
             add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 10;\n@%p1 bra L;\nOUT:\n{behind}exit;"
        )
    };
    let error = refused(&ptx(&body("st.global.u32 [k], %r1;\n"), ""));
    assert!(error.starts_with("line 9: a barrier behind the branch to OUT"), "{error}");
    assert_eq!(code(&ptx(&body(""), "")), "C(LCC|CCC)1..10");
}

/// What a reduction at a barrier writes, and what a caller hands over, is no constant.
#[test]
fn counters_that_something_else_writes() {
    for body in [
        "mov.u32 %r1, 0;\nL:\nbar.red.popc.u32 %r1, 0, %p2;\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 10;\n@%p1 bra L;\nexit;",
        "mov.u32 %r1, 0;\nL:\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 10;\nbar.red.or.pred %p1, 0, %p2;\n@%p1 bra L;\nexit;",
    ] {
        let error = refused(&ptx(body, ""));
        assert!(error.starts_with("no bound for loop L (line 7)"), "{error}");
    }
    let function = ".func f(.reg .u32 n)\n{\nmov.u32 i, 0;\nL:\nadd.u32 i, i, 1;\nsetp.lt.u32 p, i, n;\n@p bra L;\nmov.u32 n, 4;\nret;\n}";
    assert!(refused(&ptx("call f, (%r1);\nexit;", function)).starts_with("no bound for loop L"));
}

#[test]
fn branches_that_are_not_uniform() {
    let branch =
        "setp.eq.u32 %p1, %r3, 0;\n@%p1 bra E;\nld.global.u32 %r4, [k];\nE:\nst.global.u32 [k], %r4;\nexit;";
    let uniform = |before: &str| code(&ptx(&format!("{before}\n{branch}"), "")).contains('[');
    assert!(uniform("ld.param.u32 %r3, [k_param_0];"));
    assert!(uniform("ld.param::entry.u32 %r3, [k_param_0];"));
    // a carry out of what varies
    assert!(!uniform("mov.u32 %r1, %tid.x;\nadd.cc.u32 %r2, %r1, 0xfffffff0;\naddc.u32 %r3, 0, 0;"));
    // a parameter of a call with the name of the kernel's
    let shadow = "mov.u32 %r1, %tid.x;\nst.param.b32 [k_param_0], %r1;\nld.param.u32 %r3, [k_param_0];";
    assert!(!uniform(shadow));
    // parts of vectors
    assert!(!uniform("ld.global.v2.u32 v, [k];\nmov.u32 %r3, v.x;"));
    assert!(!uniform("mov.u32 %v.x, %tid.x;\nmov.u32 %v.y, 0;\nmov.u32 %r3, %v.x;"));
    // Written once, but where only some threads come by: in the next pass the others have what was before.
    let once = "mov.u32 %r1, 0;\nmov.u32 %r6, %tid.x;\nL:\nsetp.lt.u32 %p2, %r6, 16;\n@%p2 bra S;\nmov.u32 %r5, %r1;\nS:\n\
                setp.eq.u32 %p3, %r5, 0;\n@%p3 bra X;\nld.global.u32 %r4, [k];\nX:\nadd.u32 %r1, %r1, 1;\n\
                setp.lt.u32 %p1, %r1, 10;\n@%p1 bra L;\nexit;";
    assert_eq!(code(&ptx(once, "")), "CC(CC{C/}CC{L/}CCC)10");
    // The last write of the block counts for what follows it there.
    let rewritten = "ld.param.u32 %r7, [k_param_0];\nmov.u32 %r6, %tid.x;\nsetp.lt.u32 %p2, %r6, 16;\n@%p2 bra S;\nmov.u32 %r3, 1;\nS:\n\
                     add.u32 %r3, %r7, 1;";
    assert!(uniform(rewritten));
    let part = "@%p2 mov.u32 %r3, %tid.x;";
    assert!(!uniform(&format!("{rewritten}\n{part}")));
}

#[test]
fn ends_are_not_nothing() {
    // exit in a function ends the thread, so that no string is what a warp issues
    let function = ".func f()\n{\nmov.u32 %r1, 0;\nexit;\n}";
    assert_eq!(code(&ptx("call f;\nmov.u32 %r1, 0;\nexit;", function)), "CC[/]C");
    assert_eq!(code(&ptx("call f;\nmov.u32 %r1, 0;\nexit;", &function.replace("exit", "ret"))), "CCC");
    // letters that the user gives to an end
    let classes = read_classes("c", "[[class]]\nopcode = \"ret\"\nunit = \"C\"\nletters = 10\n").unwrap();
    let options = Options { classes, ..Options::default() };
    let text = ptx("@%p1 bra E;\nret;\nE:\nret;", "");
    assert_eq!(read(&text, &options).unwrap().unwrap().to_string(), "C{C10/C10}");
    // a pass that ends early
    let pass = "mov.u32 %r1, 0;\nL:\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 10;\n@!%p1 bra OUT;\n@%p2 bra L;\n\
                ld.global.u32 %r4, [k];\nbra L;\nOUT:\nexit;";
    assert!(code(&ptx(pass, "")).contains("[/]"), "{}", code(&ptx(pass, "")));
}

#[test]
fn barriers_of_some_threads() {
    assert!(refused(&ptx("bar.red.popc.u32 %r1, 0, 64, %p2;\nexit;", "")).contains("a number of threads"));
    assert_eq!(
        code(&ptx("mov.u32 %r1, 0;\nbar.red.popc.u32 %r1, 0, %p2;\nmov.u32 %r1, 0;\nexit;", "")),
        "C|C"
    );
    let line = |text: &str| {
        sass(&format!("  /*0000*/ NOP ;\n  /*0010*/ {text} ;\n  /*0020*/ MOV R1, R2 ;\n  /*0030*/ EXIT ;"))
    };
    assert_eq!(code(&line("BAR.RED.POPC 0x0, P0")), "C|C");
    assert!(refused(&line("BAR.RED.POPC 0x0, 0x40, P0")).contains("a number of threads"));
    assert!(refused(&line("BAR.SYNC 0x0, 0x40")).contains("a number of threads"));
}

/// Two conditions are uniform if both are.
#[test]
fn branches_of_sass_with_two_conditions() {
    let branch = |text: &str| {
        let lines = format!(
            "  /*0000*/ SSY 0x50 ;\n  /*0010*/ {text} ;\n  /*0020*/ LDG R1, [R2] ;\n  /*0030*/ SYNC ;\n  /*0040*/ SYNC ;\n  /*0050*/ MOV R1, R2 ;\n  /*0060*/ EXIT ;"
        );
        let options =
            Options { capability: Some("6.1".parse::<Capability>().unwrap()), ..Options::default() };
        read(&sass(&lines), &options).unwrap().unwrap().to_string()
    };
    for (text, uniform) in [
        ("@P0 BRA 0x40", false),
        ("@UP0 BRA 0x40", true),
        ("@UP0 BRA P1, 0x40", false),
        ("@UP0 BRA UP1, 0x40", true),
        ("BRA P1, 0x40", false),
        ("BRA UP1, 0x40", true),
        ("@P0 BRA.U 0x40", true),
        ("@P0 BRA.U UP1, 0x40", false),
        ("BRA.U !UP1, 0x40", true),
    ] {
        assert_eq!(branch(text), if uniform { "CC[LC/C]C" } else { "CC{LC/C}C" }, "{text}");
    }
}

/// Nothing is passed over in silence.
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
    let whole = ptx("exit;", "");
    for text in
        [whole.replace("3.0\n", "3.0 "), whole.replace('\n', "\r"), whole.replace("sm_20\n", "sm_20 ")]
    {
        assert!(error(&text).contains("shares its line with another directive"), "{}", error(&text));
    }
    let deep = ptx(&format!("{}exit;{}", "{".repeat(2000), "}".repeat(2000)), "");
    assert!(error(&deep).contains("deeper than 1000"), "{}", error(&deep));
    assert_eq!(code(&format!("\u{feff}{}", ptx("mov.u32 %r1, 0;\nexit;", ""))), "C");
}

/// What `extract` prints of the deepest program that it makes can be read again, and has a bound.
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

/// A listing that says where threads wait for each other, behind the place where the ways of a branch meet: each goes there alone.
#[test]
fn reconvergence_points_behind_the_branch() {
    let after = "  /*0030*/ MOV R3, R4 ;\n.X:\n  /*0040*/ FADD R5, R5, R5 ;\n";
    let late = format!(
        "  /*0010*/ BSSY B0, `(.M) ;\n  /*0020*/ @P0 BRA `(.X) ;\n{after}.M:\n  /*0050*/ BSYNC B0 ;\n  /*0060*/ EXIT ;"
    );
    let error = refused(&sass(&late));
    assert!(error.starts_with("line 4: the ways of this branch meet before line 9"), "{error}");
    let in_time = late.replace(".M", ".Y").replace(".X:\n", ".X:\n.M:\n").replace("`(.Y)", "`(.M)");
    let in_time =
        in_time.replace(".Y:\n  /*0050*/ BSYNC B0 ;\n", "").replace(".M:\n", ".M:\n  /*0038*/ BSYNC B0 ;\n");
    // each of the two groups issues the BSYNC, in its own time
    assert_eq!(code(&sass(&in_time)), "CC<CC/C>C");
    let options = Options { uniform: ["4".to_owned()].into(), ..Options::default() };
    assert_eq!(read(&sass(&late), &options).unwrap().unwrap().to_string(), "CC[C/]CC");
}

fn with(text: &str, flags: &[&str], bounds: &[&str]) -> Result<Code, String> {
    let mut options =
        Options { uniform: flags.iter().map(ToString::to_string).collect(), ..Options::default() };
    bounds.iter().for_each(|bound| options.loop_bounds.add(bound).unwrap());
    read(text, &options).unwrap()
}

/// A thread that goes round once and ends in the function has issued the call's letters, though it passed the header once.
#[test]
fn threads_that_end_in_a_call_leave_the_loop_there() {
    let function = ".func f()\n{\nmov.u32 %r1, 0;\n@%q exit;\nret;\n}";
    let text = ptx("L:\nld.global.u32 %r1, [k];\n@%p1 bra E;\ncall f;\nbra L;\nE:\nexit;", function);
    assert_eq!(with(&text, &[], &["L=1"]).unwrap().to_string(), "LCCC[/]C");
    assert_eq!(with(&text, &[], &["L=3"]).unwrap().to_string(), "(LCCC[/]C)1..3");
    let barrier = text.replace("call f", "bar.sync 0;\ncall f");
    let error = with(&barrier, &["E"], &["L=3"]).unwrap_err();
    assert!(error.contains("a call in a loop with a barrier, in which threads may end"), "{error}");
}

/// A pass that ends before a barrier in it: some threads may come there and others not, or some warps and others not.
#[test]
fn barriers_behind_the_end_of_a_pass() {
    let once = ptx(
        "L:\nld.global.u32 %r1, [k];\n@%p1 bra E;\nbar.sync 0;\n@%p2 bra L;\nE:\nmov.u32 %r1, 0;\nexit;",
        "",
    );
    let error = with(&once, &[], &["L=1"]).unwrap_err();
    assert!(error.starts_with("line 7: a barrier behind the branch to E"), "{error}");
    let Code::Program(program) = with(&once, &["E", "L"], &["L=1"]).unwrap() else { panic!() };
    let found = bound(&Workload::single(program, 2, Multiprocessor::default()).unwrap()).unwrap();
    assert_eq!(found.assumes, ["line 7: all warps of a block go this way or none: a barrier is on it"]);
    // a counter that is evident, and a pass that goes back before its barrier
    let back = ptx(
        "mov.u32 %r1, 0;\nL:\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 3;\n@!%p1 bra E;\n@%p2 bra L;\nbar.sync 0;\nbra L;\nE:\nexit;",
        "",
    );
    assert!(refused(&back).starts_with("line 10: a barrier behind the branch to L"), "{}", refused(&back));
    // from 7.0 on the letters of threads that end may come while others stand at the barrier
    let ends =
        ptx("@%p1 bra Q;\nld.global.u32 %r1, [k];\nbar.sync 0;\nexit;\nQ:\nmov.u32 %r1, 0;\nexit;", "");
    assert_eq!(code(&ends), "C[C/]L|[C/]");
    let error = refused(&ends.replace("sm_20", "sm_70"));
    assert!(error.contains("may alternate with it"), "{error}");
}

/// Ends behind loops of their own are ways out too. One thread goes to S in the first pass, the other in the second: LLCC.
#[test]
fn ends_behind_loops_of_their_own() {
    let body = "L:\nld.global.u32 %r1, [k];\n@%p1 bra S;\n@%p2 bra L;\nR:\n@%p3 bra R;\nexit;\nS:\nmov.u32 %r1, 0;\n@%p4 bra S;\nexit;";
    let found = with(&ptx(body, ""), &[], &["L=2", "R=1", "S=1"]).unwrap();
    let Code::Program(found) = found else { panic!("{found}") };
    let real: warpspan::model::program::Piece = "LLCC".parse().unwrap();
    let of = |piece: warpspan::model::program::Piece| {
        bound(&Workload::single(piece, 3, Multiprocessor::default()).unwrap()).unwrap().makespan
    };
    assert!(of(found) >= of(real));
    let error = with(&ptx(body, "").replace("sm_20", "sm_70"), &[], &["L=2", "R=1", "S=1"]).unwrap_err();
    assert!(error.contains("leave the loop without meeting"), "{error}");
}

/// Places that PBK and PCNT name, places that no branch need come to, and a place that one branch meets at and another should.
#[test]
fn every_reconvergence_point_counts() {
    let listing = |capability: &str, lines: &[&str]| {
        let mut text = format!("\t.headerflags @\"EF_CUDA_SM{capability}\"\n\tFunction : k\n");
        let mut address = 0;
        for line in lines {
            match line.strip_suffix(':') {
                Some(label) => text += &format!(".{label}:\n"),
                None => {
                    text += &format!("  /*{address:04x}*/ {line} ;\n");
                    address += 16;
                }
            }
        }
        text
    };
    let pbk = ["PBK `(.O)", "L:", "MOV R1, R2", "@P0 BRA `(.L)", "LDG R1, [R2]", "BRK", "O:", "EXIT"];
    let pcnt = [
        "PBK `(.O)",
        "L:",
        "PCNT `(.C)",
        "@P0 BRA `(.A)",
        "LDG R1, [R2]",
        "A:",
        "MOV R1, R2",
        "CONT",
        "C:",
        "@P1 BRA `(.L)",
        "BRK",
        "O:",
        "EXIT",
    ];
    let beside = [
        "BSSY B0, `(.P)",
        "@P0 BRA `(.A)",
        "LDG R1, [R2]",
        "A:",
        "MOV R1, R2",
        "@UP1 BRA `(.Q)",
        "MOV R1, R2",
        "P:",
        "BSYNC B0",
        "EXIT",
        "Q:",
        "LDG R1, [R2]",
        "EXIT",
    ];
    let both = [
        "SSY `(.P)",
        "@P0 BRA `(.A)",
        "LDG R1, [R2]",
        "A:",
        "MOV R1, R2",
        "@P1 SYNC",
        "LDG R1, [R2]",
        "SYNC",
        "P:",
        "MOV R1, R2",
        "EXIT",
    ];
    for (capability, lines) in [("61", &pbk[..]), ("61", &pcnt[..]), ("75", &beside[..]), ("61", &both[..])] {
        let error = refused(&listing(capability, lines));
        assert!(error.contains("the ways of this branch meet before line"), "{lines:?}: {error}");
    }
    // Without any, nothing says where threads meet again.
    let none = ["@P0 BRA `(.A)", "LDG R1, [R2]", "A:", "MOV R1, R2", "EXIT"];
    let error = refused(&listing("61", &none));
    assert!(error.starts_with("line 3: a branch that may part the threads of a warp, and no SSY"), "{error}");
    assert_eq!(with(&listing("61", &none), &["3"], &[]).unwrap().to_string(), "C[L/]C");
    // Groups that leave a loop one by one wait one by one.
    let alone = ["BSSY B0, `(.P)", "L:", "MOV R1, R2", "@P0 BRA `(.L)", "P:", "BSYNC B0", "EXIT"];
    assert_eq!(with(&listing("61", &alone), &[], &[".L=4"]).unwrap().to_string(), "C<(CC)1..4/CCC>C");
}
