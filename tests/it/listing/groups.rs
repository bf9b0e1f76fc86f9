//! Groups of threads of a warp that have parted: what they issue each for themselves, where they wait for each other, and in what
//! order. The traces were made by hand, or by replaying the listing thread by thread; each must be a subsequence of a path of the program.
use warpspan::engines::program::bound;
use warpspan::listing::{Entry, Options, Text, extract};
use warpspan::model::program::{Divergence, Piece};
use warpspan::model::{Capability, Code, Multiprocessor, Workload};

fn entry(text: &[u8], bounds: &[&str]) -> Entry {
    let mut options = Options::default();
    bounds.iter().for_each(|bound| options.loop_bounds.add(bound).unwrap());
    extract(&Text::new("k", text.to_vec()).unwrap(), &options).unwrap().remove(0)
}

fn program(text: &[u8], bounds: &[&str]) -> Piece {
    entry(text, bounds).program.unwrap()
}

fn refused(text: &[u8], bounds: &[&str]) -> String {
    entry(text, bounds).program.unwrap_err().to_string()
}

fn makespan(text: &[u8], bounds: &[&str], warps: u64) -> u64 {
    let entry = entry(text, bounds);
    let sm = entry.capability.multiprocessor().unwrap();
    bound(&Workload::single(entry.program.unwrap(), warps, sm).unwrap()).unwrap().makespan.0
}

/// SASS of these lines, from line 3; `name:` is a label `.name`.
fn sass(capability: &str, lines: &[&str]) -> Vec<u8> {
    let mut text = format!("\t.headerflags @\"EF_CUDA_SM{capability}\"\n\tFunction : k\n");
    for (line, address) in lines.iter().zip((0..).step_by(16)) {
        text += &match line.strip_suffix(':') {
            Some(label) => format!(".{label}:\n"),
            None => format!("  /*{address:04x}*/ {line} ;\n"),
        };
    }
    text.into_bytes()
}

/// PTX of these lines, from line 5, with functions behind it.
fn ptx(body: &str, functions: &str) -> Vec<u8> {
    format!(".version 3.0\n.target sm_20\n.entry k(.param .u32 k_param_0)\n{{\n{body}\n}}\n{functions}\n")
        .into_bytes()
}

/// What may be left of a piece when the letter of a line has been issued; all before it may have been left out.
fn after(piece: &Piece, line: u32) -> Vec<Piece> {
    let then = |first: Vec<Piece>, rest: Vec<Piece>| -> Vec<Piece> {
        first.into_iter().map(|one| Piece::Sequence([vec![one], rest.clone()].concat())).collect()
    };
    match piece {
        &Piece::Letters { unit, count, line: own } if own == line => {
            let left = Piece::Letters { unit, count: count.max(2) - 1, line };
            vec![Piece::Sequence(if count > 1 { vec![left] } else { vec![] })]
        }
        Piece::Letters { .. } | Piece::Barrier { .. } => vec![],
        Piece::Sequence(list) => {
            (0..list.len()).flat_map(|at| then(after(&list[at], line), list[at + 1..].to_vec())).collect()
        }
        Piece::Loop { body, least, most, line: own } => {
            let again = Piece::Loop { body: body.clone(), least: *least, most: most.max(&1) - 1, line: *own };
            if *most == 0 { vec![] } else { then(after(body, line), vec![again]) }
        }
        Piece::Branch { arms, divergence, line: own } => {
            let branch = |arms: Vec<Piece>| Piece::Branch { arms, divergence: *divergence, line: *own };
            let of = |at: usize| {
                let mut others = arms.clone();
                others.remove(at);
                after(&arms[at], line).into_iter().map(move |one| match divergence {
                    Divergence::Uniform => one,
                    Divergence::Divergent => Piece::Sequence(vec![one, branch(others.clone())]),
                    Divergence::Interleaved => branch([others.clone(), vec![one]].concat()),
                })
            };
            (0..arms.len()).flat_map(of).collect()
        }
    }
}

/// Whether a warp that takes some path issues these lines, and perhaps others between them.
fn covers(program: &Piece, lines: &[u32]) -> bool {
    let mut states = vec![program.clone()];
    for &line in lines {
        states = states.iter().flat_map(|state| after(state, line)).collect();
        states.sort_by_key(ToString::to_string);
        states.dedup();
    }
    !states.is_empty()
}

/// From 7.0 on each group issues the BSYNC in its own time, so it stands in each arm: the group that takes the branch may come to it before
/// the other has issued anything. 23 cycles for 6 warps and 1010 for 48 were found by replaying schedules.
#[test]
fn each_group_issues_the_bsync_on_its_way() {
    let min7 = include_bytes!("../../data/code/min7.sass");
    let program = program(min7, &[]);
    assert_eq!(program.to_string(), "CC<CLC/C>L");
    assert!(covers(&program, &[4, 5, 9, 6, 7, 9, 10]));
    assert!(covers(&program, &[4, 5, 6, 7, 9, 9, 10]));
    assert!(!covers(&program, &[4, 5, 9, 9, 9, 10]));
    assert!(makespan(min7, &[], 6) >= 23);
    assert!(makespan(include_bytes!("../../data/code/bs.sass"), &[], 48) >= 1010);
}

/// Groups that leave a loop one by one issue the BSYNC behind it between the passes of the rest, and inside of them.
#[test]
fn groups_that_leave_a_loop_wait_one_by_one() {
    let lines = [
        "BSSY B0, `(.P)",
        "L:",
        "IADD R1, R1, R2",
        "@P0 BRA `(.X)",
        "LDG R1, [R2]",
        "@P1 BRA `(.L)",
        "X:",
        "P:",
        "BSYNC B0",
        "STG [R2], R1",
        "EXIT",
    ];
    let text = sass("75", &lines);
    // Two passes of three groups: one leaves at the first branch of each pass.
    let trace = [3, 5, 6, 11, 7, 8, 5, 11, 6, 7, 8, 11, 12];
    assert!(covers(&program(&text, &[".L=2"]), &trace));
    // Of a single pass two groups leave, one at each branch.
    assert!(covers(&program(&text, &[".L=1"]), &[3, 5, 6, 11, 7, 8, 11, 12]));
    let many =
        sass("75", &["BSSY B0, `(.P)", "L:", "IADD R1, R1, R2", "@P0 BRA `(.L)", "P:", "BSYNC B0", "EXIT"]);
    assert_eq!(program(&many, &[".L=100"]).to_string(), "C<(CC)1..100/C31>C");
}

/// A few letters that come at any time leave a long loop its order: the bound is hardly above that of the loop with them behind it.
#[test]
fn letters_beside_a_loop() {
    let of = |text: &str, sm: &Multiprocessor| {
        bound(&Workload::single(text.parse::<Code>().unwrap(), 48, *sm).unwrap()).unwrap().makespan.0
    };
    let sm = "7.5".parse::<Capability>().unwrap().multiprocessor().unwrap();
    let behind = of("C(LCCLCCC)1..100C32", &sm);
    let beside = of("C<(LCCLCCC)1..100/C31>C", &sm);
    let anywhere = of("C<L200C500/C31>C", &sm);
    assert!(behind <= beside && beside < behind + behind / 100, "{behind} {beside}");
    assert!(beside < anywhere);
}

/// An outer loop that ends only in EXIT has no place that all its paths pass, but a pass of it has one: threads do not wait there.
/// 32 threads that leave one a pass load 5 times each.
#[test]
fn meeting_in_a_pass_of_a_loop_that_only_ends_leave() {
    for file in
        [&include_bytes!("../../data/code/meet4.sass")[..], include_bytes!("../../data/code/meet7.sass")]
    {
        let error = refused(file, &[".L_4=32", ".L_2=1"]);
        assert!(error.contains("the ways of this branch meet before line 1"), "{error}");
    }
    // Both come back to the header, one after an end that the other does not pass: nothing has them wait there.
    let lines = [
        "SSY `(.E)",
        "H:",
        "IADD R1, R1, R2",
        "@P0 BRA `(.A)",
        "LDG R1, [R2]",
        "@P1 EXIT",
        "BRA `(.H)",
        "A:",
        "STG [R2], R1",
        "BRA `(.H)",
        "E:",
        "EXIT",
    ];
    let error = refused(&sass("50", &lines), &[".H=4"]);
    assert!(error.starts_with("line 6: "), "{error}");
}

/// Threads that return early have not ended: what stands behind the merge is issued once by each group.
#[test]
fn early_returns_come_back_together() {
    let ret = include_bytes!("../../data/code/ret.ptx");
    let program = program(ret, &[]);
    assert!(covers(&program, &[21, 6, 7, 8, 13, 14, 15, 16, 9, 10, 13, 14, 15, 16]));
    assert_eq!(program.to_string(), "CCCCC{LCC[/]LLLL/LLLL}");
    // From 7.0 on RET does not wait: groups that have parted go on apart behind the call.
    let lines = [
        "CALL.REL.NOINC `(.F)",
        "LDG R1, [R2]",
        "EXIT",
        "F:",
        "@P0 BRA `(.G)",
        "IADD R1, R1, R2",
        "RET.REL.NODEC R4 `(k)",
        "G:",
        "RET.REL.NODEC R4 `(k)",
    ];
    let error = refused(&sass("75", &lines), &[]);
    assert!(error.contains("may return one group after the other"), "{error}");
    // A loop that some leave by returning: what follows it is issued by each group that leaves it otherwise.
    let function =
        ".func f()\n{\nL:\nld.global.u32 %r1, [k];\n@%p1 ret;\n@%p2 bra L;\nst.global.u32 [k], %r1;\nret;\n}";
    let found = self::program(&ptx("call f;\nexit;", function), &["L=3"]);
    assert!(covers(&found, &[5, 11, 13, 14, 11, 13, 14, 11, 13, 14]));
}

/// A place that SSY or BSSY names, reached by a branch or by going on, without the SYNC or BSYNC that waits there.
#[test]
fn places_that_nobody_waits_at() {
    for file in [
        &include_bytes!("../../data/code/plain-branch.sass")[..],
        include_bytes!("../../data/code/past-bsync.sass"),
    ] {
        let error = refused(file, &[]);
        assert!(error.contains("without waiting for each other there: declare it uniform ("), "{error}");
    }
    // BREAK takes threads out of the set that the BSYNC waits for.
    let lines = [
        "BSSY B0, `(.P)",
        "@P0 BREAK B0",
        "@P0 BRA `(.P)",
        "LDG R1, [R2]",
        "P:",
        "BSYNC B0",
        "STG [R2], R1",
        "EXIT",
    ];
    assert!(refused(&sass("75", &lines), &[]).starts_with("line 5: "));
    // They wait at the one around it.
    let lines = [
        "BSSY B0, `(.P)",
        "BSSY B1, `(.Q)",
        "@P1 BRA `(.Q)",
        "@P0 BREAK B1",
        "@P0 BRA `(.P)",
        "LDG R1, [R2]",
        "Q:",
        "BSYNC B1",
        "IADD R1, R1, R2",
        "P:",
        "BSYNC B0",
        "EXIT",
    ];
    let program = program(&sass("75", &lines), &[]);
    assert!(covers(&program, &[3, 4, 5, 10, 6, 7, 13, 8, 10, 11, 13]));
    // A BSYNC that may be that of another BSSY, and a register that a call may store in.
    for lines in [
        &["@P1 BRA `(.A)", "BSSY B0, `(.P)", "A:", "@P0 BRA `(.P)", "LDG R1, [R2]", "P:", "BSYNC B0", "EXIT"]
            [..],
        &[
            "BSSY B0, `(.P)",
            "CALL.REL.NOINC `(.F)",
            "@P0 BRA `(.P)",
            "LDG R1, [R2]",
            "P:",
            "BSYNC B0",
            "EXIT",
            "F:",
            "BSSY B0, `(.Q)",
            "Q:",
            "BSYNC B0",
            "RET.REL.NODEC R4 `(k)",
        ],
    ] {
        assert!(
            refused(&sass("75", lines), &[]).contains("which BSSY are before it depends on the path")
                || refused(&sass("75", lines), &[]).contains("no SSY, BSSY or PBK before it")
        );
    }
}

/// Up to 6.x threads of one way may wait in the middle of it for those of another: at a place inside of the one where all meet, or
/// for threads that end.
/// Threads that have left a barrier by BREAK come to its place without waiting.
#[test]
fn threads_that_broke_out_do_not_wait() {
    let lines = [
        "BSSY B1, `(.P)",
        "@P2 BRA `(.W)",
        "BREAK B1",
        "BRA `(.P)",
        "W:",
        "BSYNC B1",
        "P:",
        "STG [R2], R1",
        "EXIT",
    ];
    let error = refused(&sass("75", &lines), &[]);
    assert!(error.contains("may come to line 10 without waiting for each other there"), "{error}");
}

/// A BSYNC that not every way comes to with a BSSY of its register and its place.
#[test]
fn a_bsync_of_which_it_is_not_known_whom_it_waits_for() {
    for lines in [
        &["BSYNC B0", "EXIT"][..],
        &["BSYNC B1", "BSSY B1, `(.P)", "P:", "EXIT"],
        &["BSSY B1, `(.P)", "BSSY B1, `(.Q)", "BSYNC B1", "P:", "EXIT", "Q:", "STG [R2], R1", "EXIT"],
        &["BSSY B0, `(.P)", "BSSY B0, `(.Q)", "Q:", "@P0 BRA `(.E)", "P:", "BSYNC B0", "E:", "EXIT"],
        &["BSSY B0, `(.P)", "BSYNC B0", "P:", "BSYNC B0", "EXIT"],
        &["BSSY B0, `(.P)", "@P0 BSYNC B0", "P:", "EXIT"],
        &[
            "BSSY B0, `(.P)",
            "CALL.REL.NOINC `(.F)",
            "BSYNC B0",
            "P:",
            "EXIT",
            "F:",
            "BREAK B0",
            "RET.REL.NODEC R4 `(k)",
        ],
    ] {
        let error = refused(&sass("75", lines), &[]);
        assert!(error.contains("it is not known whom it waits for"), "{error}");
    }
}

/// A SYNC takes off the topmost place. What it does with one of another kind is documented nowhere.
#[test]
fn a_sync_below_a_place_of_another_kind() {
    let lines = ["SSY `(.S)", "PBK `(.B)", "SYNC", "B:", "S:", "EXIT"];
    let text = Text::new("k.sass", sass("50", &lines)).unwrap();
    let error = extract(&text, &Options::default()).unwrap_err().to_string();
    assert!(error.contains("SYNC below a place of another kind"), "{error}");
}

/// From 7.0 on threads that return one group after the other go on apart behind the call, also where both ways of the branch do
/// nothing but return. Up to 6.x they wait for each other there.
#[test]
fn both_ways_of_a_branch_return_at_once() {
    for tail in [&["@P2 RET.REL.NODEC R20 `(k)"][..], &["@P2 BRA `(.R)"]] {
        let head = ["CALL.REL.NOINC `(.F)", "LDG R1, [R2]", "EXIT", "F:"];
        let lines = [&head[..], tail, &["RET.REL.NODEC R20 `(k)", "R:", "RET.REL.NODEC R20 `(k)"]].concat();
        let error = refused(&sass("75", &lines), &[]);
        assert!(error.contains("may return one group after the other, and go on apart"), "{error}");
    }
}

#[test]
fn a_way_that_waits_in_the_middle() {
    let lines = [
        "PBK `(.M)",
        "SSY `(.P)",
        "@P0 BRA `(.B)",
        "LDG R1, [R2]",
        "SYNC",
        "B:",
        "STG [R2], R1",
        "BRK",
        "P:",
        "IADD R1, R1, R2",
        "BRK",
        "M:",
        "MOV R1, R2",
        "EXIT",
    ];
    assert!(covers(&program(&sass("50", &lines), &[]), &[3, 4, 5, 6, 7, 9, 10, 12, 13, 15]));
    let lines = [
        "SSY `(.P)",
        "@P0 BRA `(.E)",
        "IADD R1, R1, R2",
        "SYNC",
        "P:",
        "LDG R1, [R2]",
        "EXIT",
        "E:",
        "STG [R2], R1",
        "EXIT",
    ];
    assert!(covers(&program(&sass("50", &lines), &[]), &[3, 4, 5, 6, 11, 8]));
    // In a loop the rest of a pass may come in more parts than there are ways.
    let lines = [
        "PBK `(.O)",
        "L:",
        "SSY `(.P)",
        "@P0 BRA `(.B)",
        "LDG R1, [R2]",
        "SYNC",
        "B:",
        "STG [R2], R1",
        "BRK",
        "P:",
        "IADD R1, R1, R2",
        "@P1 BRA `(.L)",
        "BRK",
        "O:",
        "MOV R1, R2",
        "EXIT",
    ];
    let error = refused(&sass("50", &lines), &[".L=2"]);
    assert!(error.contains("in which threads wait for each other elsewhere"), "{error}");
}

/// Groups double at each branch whose ways do not meet in the pass, and so do the parts that a pass comes in: 8 here, of one pass.
#[test]
fn a_pass_comes_in_as_many_parts_as_groups_end_it() {
    let body = "L:\nld.global.u32 %r1, [k];\n@%p1 bra A;\nadd.u32 %r1, %r1, 1;\n@%q1 bra O;\nA:\nadd.u32 %r1, %r1, 2;\n@%p2 bra B;\n\
                add.u32 %r1, %r1, 3;\n@%q2 bra O;\nB:\nadd.u32 %r1, %r1, 4;\n@%p3 bra C;\nadd.u32 %r1, %r1, 5;\n@%q3 bra O;\nC:\n\
                st.global.u32 [k], %r1;\n@%p4 bra L;\nO:\nmov.u32 %r1, 0;\nexit;";
    let found = program(&ptx(body, ""), &["L=1"]);
    let lines: Vec<u32> = [6, 7].into_iter().chain([21; 8]).collect();
    assert!(covers(&found, &lines), "{found}");
}

#[test]
fn branches_and_calls_of_which_nothing_says_where_threads_wait() {
    let lines = ["SSY `(.P)", "@P0 BRA `(.A)", "A:", "LDG R1, [R2]", "SYNC", "P:", "EXIT"];
    assert!(
        refused(&sass("50", &lines), &[])
            .starts_with("line 4: a branch to the next line may part the threads")
    );
    let lines = ["@P0 CALL.REL.NOINC `(.F)", "EXIT", "F:", "LDG R1, [R2]", "RET.REL.NODEC R4 `(k)"];
    assert!(refused(&sass("75", &lines), &[]).starts_with("line 3: CALL.REL.NOINC may part the threads"));
}

/// A name that a block inside of the function declares again is another register; a limit is a constant only where its one write
/// has been passed. 1003 passes, and as many as a 64-bit counter has values.
#[test]
fn counts_that_are_not_evident() {
    for (file, label) in [
        (&include_bytes!("../../data/code/shadow.ptx")[..], "L (line 8)"),
        (include_bytes!("../../data/code/late-limit.ptx"), "$L1 (line 17)"),
    ] {
        let error = refused(file, &[]);
        assert!(error.starts_with(&format!("no bound for loop {label}")), "{error}");
    }
    let counted = "mov.u32 %r1, 0;\nL:\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 10;\n@%p1 bra L;\nexit;";
    assert_eq!(program(&ptx(counted, ""), &[]).to_string(), "C(CCC)10");
    for body in [
        // declared in a block: the loop counts another one
        format!("{{\n.reg .u32 %r<4>;\n{}", counted.replacen("0;\n", "0;\n}\n", 1)),
        // a start, a limit and a step that some paths do not pass
        counted.replace("%r1, 10", "%r2, 10").replacen("mov", "@%p2 bra L;\nmov", 1),
        counted.replace("%r1, 10", "%r1, %r2").replacen("mov", "@%p2 bra M;\nmov.u32 %r2, 10;\nM:\nmov", 1),
        counted.replace("%r1, 1;", "%r1, %r2;").replace("exit", "mov.u32 %r2, 1;\nexit"),
    ] {
        let error = refused(&ptx(&body, ""), &[]);
        assert!(error.starts_with("no bound for loop L"), "{body}: {error}");
    }
    // a register of the module, which a function writes
    let module = String::from_utf8(ptx(
        &counted.replacen("add", "call f;\nadd", 1),
        ".func f()\n{\nmov.u32 %r1, 0;\nret;\n}",
    ))
    .unwrap();
    let error = refused(module.replace(".entry", ".reg .u32 %r<9>;\n.entry").as_bytes(), &[]);
    assert!(error.starts_with("no bound for loop L"), "{error}");
}

/// What is read before it is written differs from thread to thread, and so may what has the name of another register.
#[test]
fn registers_that_are_not_uniform() {
    let branch =
        "setp.eq.u32 %p1, %r3, 0;\n@%p1 bra E;\nld.global.u32 %r4, [k];\nE:\nst.global.u32 [k], %r4;\nexit;";
    let uniform =
        |before: &str| program(&ptx(&format!("{before}\n{branch}"), ""), &[]).to_string().contains('[');
    assert!(uniform("mov.u32 %r3, 1;"));
    assert!(!uniform("@%p3 mov.u32 %r3, 1;"));
    assert!(!uniform("@%p3 bra M;\nmov.u32 %r3, 1;\nM:"));
    assert!(!uniform("mov.u32 %r3, %tid.x;\n{\n.reg .u32 %r3;\nmov.u32 %r3, 1;\n}"));
    // in the first pass of a loop
    let again = "mov.u32 %r1, 0;\nL:\nsetp.eq.u32 %p1, %r3, 0;\n@%p1 bra E;\nld.global.u32 %r4, [k];\nE:\nmov.u32 %r3, 1;\n\
                 add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p2, %r1, 4;\n@%p2 bra L;\nexit;";
    assert!(program(&ptx(again, ""), &[]).to_string().contains('{'));
}
