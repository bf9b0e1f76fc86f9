//! Groups of threads of a warp that have parted: what each of them issues, where they wait for each other,
//! and in what order. The traces were made by hand, or by replaying the listing thread by thread; each must
//! be a subsequence of a path of the program. Listings with nothing but an expected program or error stand in
//! `tests/data/listing`.
use warpspan::engines::program::bound;
use warpspan::listing::{Entry, Options, Text, declare, extract};
use warpspan::model::Multiprocessor;
use warpspan::model::assumption::{Id, Kind};
use warpspan::model::device::Capability;
use warpspan::model::program::{Divergence, Piece};
use warpspan::model::{Code, Workload};

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
    bound(&Workload::single(entry.program.unwrap(), warps, sm).unwrap()).unwrap().makespan.cycles().0
}

/// A SASS kernel of these lines, the first of them in line 3; `name:` is a label `.name`.
fn sass(capability: &str, lines: &[&str]) -> Vec<u8> {
    let mut text = format!("\t.headerflags @\"EF_CUDA_SM{capability}\"\n\tFunction : k\n");
    // Up to 6.x each 32 bytes begin with a word of control fields.
    let (bytes, words) = if capability.parse::<u32>().unwrap() < 70 { (8, 32) } else { (16, u64::MAX) };
    let mut address = if words == 32 { 8 } else { 0 };
    for line in lines {
        if let Some(label) = line.strip_suffix(':') {
            text += &format!(".{label}:\n");
        } else {
            text += &format!("  /*{address:04x}*/ {line} ;\n");
            address += bytes;
            address += if address % words == 0 { bytes } else { 0 };
        }
    }
    text += "\t\t..........\n";
    text.into_bytes()
}

/// A PTX kernel whose body is these lines, the first of them in line 5, and the functions that stand behind
/// it.
fn ptx(body: &str, functions: &str) -> Vec<u8> {
    format!(".version 3.0\n.target sm_20\n.entry k(.param .u32 k_param_0)\n{{\n{body}\n}}\n{functions}\n")
        .into_bytes()
}

/// What may remain of a piece once the letter of a line has been issued. All that stands before the letter
/// may have been left out.
fn after(piece: &Piece, line: u32) -> Vec<Piece> {
    let then = |first: Vec<Piece>, rest: Vec<Piece>| -> Vec<Piece> {
        first.into_iter().map(|one| Piece::Sequence([vec![one], rest.clone()].concat().into())).collect()
    };
    match piece {
        &Piece::Letters { letter: unit, count, line: own } if own == line => {
            let left = Piece::Letters { letter: unit, count: count.max(2) - 1, line };
            vec![Piece::Sequence(if count > 1 { vec![left] } else { vec![] }.into())]
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
            let branch =
                |arms: Vec<Piece>| Piece::Branch { arms: arms.into(), divergence: *divergence, line: *own };
            let of = |at: usize| {
                let mut others = arms.to_vec();
                others.remove(at);
                after(&arms[at], line).into_iter().map(move |one| match divergence {
                    Divergence::Uniform => one,
                    Divergence::Divergent => Piece::Sequence(vec![one, branch(others.clone())].into()),
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

/// From 7.0 on each group issues the BSYNC in its own time, so it stands in each arm, and the group that
/// takes the branch may come to it before the other has issued anything. Replayed schedules take 23 cycles
/// for 6 warps and 1010 for 48.
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

/// Groups that leave a loop one by one issue the BSYNC behind it between the passes of the others and within
/// them.
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
    // Three groups make two passes, and one of them leaves at the first branch of each pass.
    let trace = [3, 5, 6, 11, 7, 8, 5, 11, 6, 7, 8, 11, 12];
    assert!(covers(&program(&text, &[".L=2"]), &trace));
    // Two groups leave a single pass, one at each branch.
    assert!(covers(&program(&text, &[".L=1"]), &[3, 5, 6, 11, 7, 8, 11, 12]));
}

/// Code on the way out of a loop is issued once: by the warp, or by each group of threads that leaves in its own pass.
#[test]
fn code_on_the_way_out_of_a_loop() {
    // A search of which one exit adds something up. All threads take it together.
    let together = |branch: &str| {
        format!(
            "L:\nld.global.u32 %r1, [%r2];\n@%p1 bra{branch} F;\nadd.u32 %r2, %r2, 4;\n@%p2 bra.uni L;\nbra.uni O;\nF:\n\
             ld.global.u32 %r1, [%r1];\nld.global.u32 %r1, [%r1];\nadd.u32 %r3, %r1, %r3;\n\
             O:\nst.global.u32 [%r2], %r3;\nexit;"
        )
    };
    let found = program(&ptx(&together(".uni"), ""), &["L=100"]);
    assert_eq!(found.to_string(), "(LCCC)1..100[LLC/C]L");
    let pass = [6, 7, 8, 9];
    assert!(covers(&found, &[&pass[..], &pass, &[6, 7, 12, 13, 14, 16]].concat()));
    assert!(covers(&found, &[&pass[..], &pass, &[10, 16]].concat()));
    assert!(!covers(&found, &[&pass[..], &[6, 7, 12, 13, 14], &pass, &[6, 7, 12, 13, 14]].concat()));
    // Some threads leave with code of their own while others go on, so a pass comes in two parts.
    let found = program(&ptx(&together(""), ""), &["L=100"]);
    let apart = [6, 7, 12, 13, 14];
    assert!(covers(&found, &[&apart[..], &[8, 9], &apart, &[8, 9], &apart, &[16]].concat()));

    // From 7.0 on up to 32 groups of threads leave, in different passes. Each has the way out once.
    let lines = [
        "BSSY B0, `(.P)",
        "L:",
        "IADD R1, R1, R2",
        "@P0 BRA `(.X)",
        "LDG R1, [R2]",
        "@P1 BRA `(.L)",
        "BRA `(.S)",
        "X:",
        "LDG R1, [R1]",
        "LDG R1, [R1]",
        "LDG R1, [R1]",
        "S:",
        "BSYNC B0",
        "P:",
        "STG [R2], R1",
        "EXIT",
    ];
    // Two groups make two passes. The first leaves in the first of them, and comes to its way out before the other goes on, or
    // behind.
    let found = program(&sass("75", &lines), &[".L=2"]);
    assert!(covers(&found, &[3, 5, 6, 11, 12, 13, 15, 7, 8, 5, 6, 11, 12, 13, 15, 17]));
    assert!(covers(&found, &[3, 5, 6, 7, 8, 5, 11, 6, 12, 11, 12, 13, 13, 15, 15, 17]));
    let found = program(&sass("75", &lines), &[".L=100"]);
    // The last group has its own behind the loop, and each of 31 others beside it.
    let others = "/[/LLL/C]C".repeat(31);
    assert_eq!(found.to_string(), format!("C<(CCLC)1..100[LLL/C]C{others}>L"));
}

/// A few letters that come at any time do not undo the order of a long loop, so the bound is hardly above
/// that of the loop with these letters behind it.
#[test]
fn letters_beside_a_loop() {
    let of = |text: &str, sm: &Multiprocessor| {
        bound(&Workload::single(text.parse::<Code>().unwrap(), 48, *sm).unwrap()).unwrap().makespan.cycles().0
    };
    let sm = "7.5".parse::<Capability>().unwrap().multiprocessor().unwrap();
    let behind = of("C(LCCLCCC)1..100C32", &sm);
    let beside = of("C<(LCCLCCC)1..100/C31>C", &sm);
    let anywhere = of("C<L200C500/C31>C", &sm);
    assert!(behind <= beside && beside < behind + behind / 100, "{behind} {beside}");
    assert!(beside < anywhere);
}

/// Each group that leaves a loop issues the `BSYNC` behind it, also where it diverges on its way there.
#[test]
fn groups_diverge_on_their_way_out_of_a_loop() {
    let lines = [
        "BSSY B0, `(.P)",
        "MOV R10, RZ",
        "L:",
        "@P1 BRA `(.S)",
        "IADD3 R10, R10, 0x1, RZ",
        "ISETP.LT.AND P2, PT, R10, 0x1, PT",
        "@P2 BRA `(.L)",
        "@P3 BRA `(.S)",
        "LDG.E.SYS R6, [R2]",
        "S:",
        "BSYNC B0",
        "P:",
        "EXIT",
    ];
    let found = program(&sass("75", &lines), &[]);
    assert!(covers(&found, &[3, 4, 6, 13, 7, 8, 9, 10, 11, 13, 13]), "{found}");
}

/// Threads that a `BREAK` takes out of a barrier leave it by a branch behind it only if that goes by the same predicate, which is still
/// the same, and by nothing else.
#[test]
fn threads_that_break_out_of_several_barriers() {
    let with = |between: &[&'static str]| {
        let before = ["BSSY B0, `(.P)", "BSSY B1, `(.Q)", "@P1 BRA `(.Q)", "@P0 BREAK B1"];
        let behind = ["LDG R1, [R2]", "Q:", "BSYNC B1", "IADD R1, R1, R2", "P:", "STG [R2], R1", "EXIT"];
        sass("75", &[&before[..], between, &behind].concat())
    };
    for between in [
        &["@P0 BREAK B0", "@P0 BRA `(.P)"][..],
        &["IADD3 R5, R5, 0x1, RZ", "@P0 BREAK B0", "@!P0 ISETP.LT.AND P2, PT, R5, 0x1, PT", "@P0 BRA `(.P)"],
    ] {
        let found = program(&with(between), &[]);
        let branch = 6 + u32::try_from(between.len()).unwrap();
        // Some leave by the branch, and others wait for one another.
        assert!(
            covers(&found, &[3, 4, 5, 6, branch, branch + 1, branch + 3, branch + 4, branch + 6, branch + 6]),
            "{found}"
        );
    }
    for between in [
        &["ISETP.LT.AND P0, PT, R5, 0x1, PT", "@P0 BRA `(.P)"][..],
        &["R2P PR, R5, 0x1", "@P0 BRA `(.P)"],
        &["X:", "@P0 BRA `(.P)"],
        &["@!P0 BRA `(.P)"],
        &["@P0 BRA.CONV `(.P)"],
        &["BSYNC B1", "@P0 BRA `(.P)"],
    ] {
        // Nothing is known of those who wait, or every thread has its own arm.
        let found = entry(&with(between), &[]).program;
        assert!(found.is_err_and(|error| error.to_string().contains("BSYNC B1")), "{between:?}");
    }
    let uniform = with(&["@UP0 BRA `(.P)"]);
    let uniform = String::from_utf8(uniform).unwrap().replace("@P0 BREAK", "@UP0 BREAK");
    assert!(refused(uniform.as_bytes(), &[]).contains("BSYNC B1"));
}

/// An outer loop that ends only in EXIT has no place that all its paths pass. One pass of it has such a
/// place, but threads do not wait there. Where 32 threads leave it one in each pass, each of them loads 5
/// times, so that the warp issues 160 loads.
#[test]
fn meeting_in_a_pass_of_a_loop_that_only_ends_leave() {
    for file in
        [&include_bytes!("../../data/code/meet4.sass")[..], include_bytes!("../../data/code/meet7.sass")]
    {
        let makespan = makespan(file, &[".L_4=32", ".L_2=1"], 1);
        assert!(makespan >= 160, "{makespan}");
    }
}

/// Threads that return early have not ended, so each group issues once what stands behind the merge.
#[test]
fn early_returns_come_back_together() {
    let ret = include_bytes!("../../data/code/ret.ptx");
    let program = program(ret, &[]);
    assert!(covers(&program, &[21, 6, 7, 8, 13, 14, 15, 16, 9, 10, 13, 14, 15, 16]));
    assert_eq!(program.to_string(), "CCCCC{LCC[/]LLLL/LLLL}");
    // Some threads leave this loop by returning, and each group that leaves it otherwise issues what follows
    // it.
    let function =
        ".func f()\n{\nL:\nld.global.u32 %r1, [k];\n@%p1 ret;\n@%p2 bra L;\nst.global.u32 [k], %r1;\nret;\n}";
    let found = self::program(&ptx("call f;\nexit;", function), &["L=3"]);
    assert!(covers(&found, &[5, 11, 13, 14, 11, 13, 14, 11, 13, 14]));
}

/// Threads may reach a place that SSY or BSSY names by a branch or by going on, without the SYNC or BSYNC
/// that would have them wait there. Then each group issues what stands behind it.
#[test]
fn places_that_nobody_waits_at() {
    let found = program(include_bytes!("../../data/code/plain-branch.sass"), &[]);
    assert!(covers(&found, &[4, 5, 6, 7, 8, 10, 10]), "{found}");
    let found = program(include_bytes!("../../data/code/past-bsync.sass"), &[]);
    assert!(covers(&found, &[4, 5, 6, 7, 8, 12, 13, 9, 10, 12, 14, 13, 14]), "{found}");
    // Threads that broke out of the inner set wait at the place of the outer one.
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
}

/// A SYNC takes off the topmost place. What it does with one of another kind is documented nowhere.
#[test]
fn a_sync_below_a_place_of_another_kind() {
    let lines = ["SSY `(.S)", "PBK `(.B)", "SYNC", "B:", "S:", "EXIT"];
    let text = Text::new("k.sass", sass("50", &lines)).unwrap();
    let entry = extract(&text, &Options::default()).unwrap().remove(0);
    let error = entry.program.unwrap_err().to_string();
    assert!(error.contains("SYNC below a place of another kind"), "{error}");
}

/// Up to 6.x threads of one way may wait in the middle of it for those of another: at a place inside of the
/// one where all meet, or for threads that end.
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
}

/// The groups double at each branch whose ways do not meet in the pass, and so do the parts in which a pass
/// is issued. Here one pass has 8 parts.
#[test]
fn a_pass_comes_in_as_many_parts_as_groups_end_it() {
    let body = "L:\nld.global.u32 %r1, [k];\n@%p1 bra A;\nadd.u32 %r1, %r1, 1;\n@%q1 bra O;\nA:\nadd.u32 %r1, %r1, 2;\n@%p2 bra B;\n\
                add.u32 %r1, %r1, 3;\n@%q2 bra O;\nB:\nadd.u32 %r1, %r1, 4;\n@%p3 bra C;\nadd.u32 %r1, %r1, 5;\n@%q3 bra O;\nC:\n\
                st.global.u32 [k], %r1;\n@%p4 bra L;\nO:\nmov.u32 %r1, 0;\nexit;";
    let found = program(&ptx(body, ""), &["L=1"]);
    let lines: Vec<u32> = [6, 7].into_iter().chain([21; 8]).collect();
    assert!(covers(&found, &lines), "{found}");
}

/// A name that a block inside of the function declares again is another register, and a limit is a constant
/// only where its one write has been passed. The first loop runs 1003 times, and the second as often as a
/// 64-bit counter has values.
#[test]
fn counts_of_a_counter_that_may_not_be_the_one_compared() {
    let error = refused(include_bytes!("../../data/code/shadow.ptx"), &[]);
    assert!(error.starts_with("no bound for loop L (line 8)"), "{error}");
}

/// The limit is set in the first pass, for all later ones: the counter goes below it in the fifth.
#[test]
fn a_limit_that_is_set_in_the_loop() {
    let found = entry(include_bytes!("../../data/code/late-limit.ptx"), &[]);
    assert_eq!(found.loops[0].most, Some(5));
}

/// A branch that asks whether the warp is together goes either way, also without a guard or a mask of lanes, as compilers write
/// it for 7.x.
#[test]
fn code_for_a_warp_that_is_not_together() {
    let parted = [
        "S2R R0, SR_TID.X",
        "ISETP.GE.AND P0, PT, R0, 0x10, PT",
        "BSSY B0, `(.end)",
        "@P0 BRA `(.sync)",
        "BRA.CONV `(.sync)",
        "MOV R2, R3",
        "LDG.E.SYS R4, [R4]",
        "LDG.E.SYS R4, [R4]",
        "WARPSYNC R16",
        "sync:",
        "BSYNC B0",
        "end:",
        "EXIT",
    ];
    // The threads below 16 are not together with the others when they ask.
    let issued = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 13];
    assert!(covers(&program(&sass("75", &parted), &[]), &issued));
    let around = [
        "MOV R5, RZ",
        "loop:",
        "IADD3 R5, R5, 0x1, RZ",
        "LDG.E R1, [R2]",
        "ISETP.GE.AND P0, PT, R5, 0x8, PT",
        "BRA.CONV `(.end)",
        "@!P0 BRA `(.loop)",
        "end:",
        "EXIT",
    ];
    assert!(covers(&program(&sass("75", &around), &[".loop=2"]), &[3, 5, 6, 7, 8, 9, 5, 6, 7, 8]));
    let asked = [
        "S2R R0, SR_TID.X",
        "BRA.DIV `(.apart)",
        "STG.E [R0], R1",
        "EXIT",
        "apart:",
        "LDG.E R1, [R2]",
        "EXIT",
    ];
    let code = program(&sass("75", &asked), &[]);
    assert!(covers(&code, &[3, 4, 5]) && covers(&code, &[3, 4, 8]));
}

/// A jump or an end may have its condition among its operands.
#[test]
fn conditions_among_the_operands() {
    let straight = |capability, end: &str| {
        let code = program(&sass(capability, &["MOV R1, R2", end, "LDG.E R1, [R2]", "EXIT"]), &[]);
        assert!(covers(&code, &[3, 5]), "{end}: {}", Code::from(code));
    };
    straight("75", "EXIT P0");
    straight("75", "EXIT !P0");
    straight("75", "KILL P0");
    straight("62", "EXIT CC.NEU");
    straight("62", "KIL CC.EQ");
    let pushed = |push: &str, pop: &str| {
        let lines = [
            push,
            "FSET.NEU.AND R0.CC, R0, RZ, PT",
            pop,
            "LDG.E R1, [R2]",
            &pop[..pop.len() - 7],
            "out:",
            "EXIT",
        ];
        let code = program(&sass("62", &lines), &[]);
        assert!(covers(&code, &[3, 4, 5, 6, 7]), "{pop}: {}", Code::from(code));
    };
    pushed("PBK `(.out)", "BRK CC.NEU");
    pushed("SSY `(.out)", "SYNC CC.NEU");
    let called = [
        "CAL `(.f)",
        "LDG.E R1, [R2]",
        "EXIT",
        "f:",
        "FSET.NEU.AND R0.CC, R0, RZ, PT",
        "RET CC.NEU",
        "LDG.E R1, [R2]",
        "RET",
    ];
    assert!(covers(&program(&sass("62", &called), &[]), &[3, 7, 9, 4]));
    // What decides is the same for all threads where the condition is.
    let barrier = |value: &str| {
        let compare = format!("ISETP.GE.AND P0, PT, {value}, 0x10, PT");
        entry(
            &sass("75", &["S2R R0, SR_TID.X", &compare, "EXIT P0", "BAR.SYNC 0x0", "LDG.E R1, [R2]", "EXIT"]),
            &[],
        )
        .program
    };
    assert!(barrier("c[0x0][0x160]").is_ok());
}

/// All threads of a block go the same way at a branch that decides about barriers. Its ways may hold different numbers of them.
#[test]
fn ways_with_different_numbers_of_barriers() {
    let lines = |ways: [&[&str]; 2]| {
        let head = ["ISETP.GE.AND P0, PT, RZ, c[0x0][0x160], PT", "@P0 BRA `(.way)"];
        let tail = ["end:", "STG.E [R2], R1", "EXIT"];
        let text: Vec<&str> = [&head[..], ways[0], &["BRA `(.end)", "way:"], ways[1], &tail[..]].concat();
        sass("75", &text)
    };
    let one: &[&str] =
        &["LDG.E R1, [R2]", "BAR.SYNC 0x0", "LDG.E R1, [R2]", "BAR.SYNC 0x0", "LDG.E R1, [R2]"];
    let other: &[&str] = &["FADD R1, R1, R1", "BAR.SYNC 0x0", "FADD R1, R1, R1", "FADD R1, R1, R1"];
    let found = entry(&lines([one, other]), &[]);
    let code = found.program.clone().unwrap();
    assert!(covers(&code, &[3, 4, 5, 7, 9, 10, 17]) && covers(&code, &[3, 4, 12, 14, 15, 17]));
    let of = |code: &str, warps| {
        let sm = found.capability.multiprocessor().unwrap();
        bound(&Workload::single(code.parse::<Code>().unwrap(), warps, sm).unwrap())
            .unwrap()
            .makespan
            .cycles()
            .0
    };
    for warps in [1, 2, 8, 32] {
        let both = makespan(&lines([one, other]), &[], warps);
        assert!(both >= of("CCL|L|LCL", warps) && both >= of("CCC|CCL", warps), "{warps}");
    }
    let workload =
        Workload::single(found.program.unwrap(), 4, found.capability.multiprocessor().unwrap()).unwrap();
    let assumes = bound(&workload).unwrap().assumes;
    assert!(
        assumes.iter().any(|one| one.to_string().contains("all threads of a block: go the same way")),
        "{assumes:?}"
    );
}

/// CUDA demands that all threads of a warp come to a shuffle of all lanes, or none does. A branch with
/// a shuffle on both ways, or with one whose lanes are not known, may still part threads.
#[test]
fn shuffles_of_all_lanes() {
    let lines = |mask: &str, behind: &[&str], join: &str| {
        let ask = format!("BRA.DIV {mask}`(.slow)");
        let head = [
            "S2R R0, SR_TID.X",
            "ISETP.GT.U32.AND P0, PT, R0, 0x1f, PT",
            "@P0 BRA `(.way)",
            &ask,
            "SHFL.UP P1, R1, R1, 0x1, RZ",
        ];
        let tail = [
            "join:",
            join,
            "BAR.SYNC 0x0",
            "EXIT",
            "slow:",
            "MOV R2, R3",
            "WARPSYNC R4",
            "SHFL.UP P1, R1, R1, 0x1, RZ",
            "BRA `(.join)",
        ];
        sass("87", &[&head[..], &["BRA `(.join)", "way:"], behind, &tail[..]].concat())
    };
    let ok = |text: &[u8]| entry(text, &[]).program.is_ok();
    let found = entry(&lines("~URZ, ", &["FADD R1, R1, R1"], "NOP"), &[]);
    assert!(found.program.is_ok());
    // What nothing but that demand of CUDA shows is named.
    let [one] = &found.assumptions()[..] else { panic!("{:?}", found.assumptions()) };
    let branch = found.shuffles.first().unwrap();
    assert_eq!(
        (one.id, one.kind, &*one.subject),
        (Id::BranchShuffle, Kind::Modelled, &*format!("line {branch}"))
    );
    assert!(!ok(&lines("UR4, ", &["FADD R1, R1, R1"], "NOP")));
    assert!(!ok(&lines("", &["FADD R1, R1, R1"], "NOP")));
    assert!(!ok(&lines("~URZ, ", &["SHFL.UP P1, R1, R1, 0x2, RZ"], "NOP")));
}

/// One group of threads may write the limit of a loop while another group is in the loop. The bound of the loop takes for granted that each
/// group reads what it wrote itself, and the answer says so, unless the user gives a bound.
#[test]
fn a_bound_of_registers_that_groups_write_says_what_it_takes_for_granted() {
    let lines = [
        "S2R R0, SR_TID.X",
        "LDG.E R2, [R4.64]",
        "ISETP.GT.AND P0, PT, R2, RZ, PT",
        "MOV R3, RZ",
        "@P0 BRA `(.far)",
        "UMOV UR4, 0x9",
        "back:",
        "IADD3 R3, R3, 0x1, RZ",
        "ISETP.LT.AND P1, PT, R3, UR4, PT",
        "@P1 BRA `(.back)",
        "EXIT",
        "far:",
        "ULDC UR4, c[0x0][0x170]",
        "MOV R6, UR4",
        "STG.E [R4.64], R6",
        "EXIT",
    ];
    let text = sass("87", &lines);
    let found = entry(&text, &[]);
    let [bound] = &found.loops[..] else { panic!("{:?}", found.loops) };
    assert_eq!((bound.most, bound.inferred), (Some(9), true));
    let own: Vec<_> = found.assumptions().into_iter().filter(|one| one.id == Id::RegistersOwn).collect();
    let [one] = &own[..] else { panic!("{own:?}") };
    assert_eq!((one.kind, one.remedy.is_some()), (Kind::Assumed, true));
    let said = declare(&Text::new("k", text.clone()).unwrap(), &Options::default()).unwrap();
    assert!(said.text.contains("takes for granted"), "{}", said.text);
    let given = entry(&text, &[&format!("{}=9", bound.label)]);
    assert!(given.assumptions().iter().all(|one| one.id != Id::RegistersOwn));
    // Where all threads have reached the loop together, nothing is taken for granted.
    let together: Vec<&str> = lines.into_iter().filter(|line| !line.contains("P0")).collect();
    let found = entry(&sass("87", &together), &[]);
    assert_eq!(found.loops[0].most, Some(9));
    assert!(found.assumptions().iter().all(|one| one.id != Id::RegistersOwn));
}
