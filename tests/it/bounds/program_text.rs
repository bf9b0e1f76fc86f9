//! Structured programs: their text, loops of any length, and errors; the values are worked out by hand.

use crate::brute::paths;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use warpspan::engines::program::{ProgramBound, ProgramError, bound};
use warpspan::model::program::{Divergence, Piece};
use warpspan::model::{Group, Multiprocessor, Unit, Workload, WorkloadError};

use crate::brute::barriers::{warp, worst};
use crate::brute::theorem::Prices;

fn on(program: &str, warps: u64, sigma: [&str; 2]) -> Result<ProgramBound, ProgramError> {
    let [l, c] = sigma.map(|sigma| sigma.parse().unwrap());
    let program: Piece = program.parse().unwrap();
    bound(&Workload::single(program, warps, Multiprocessor::new(l, c)).unwrap())
}

/// The bound of one program alone, at sigma 1.
fn alone(program: Piece, warps: u64) -> Result<ProgramBound, ProgramError> {
    bound(&Workload::single(program, warps, Multiprocessor::default()).unwrap())
}

fn makespan(program: &str, warps: u64) -> u64 {
    on(program, warps, ["1", "1"]).unwrap().makespan.cycles().0
}

/// I + (W - 1) a, worked out by hand.
#[test]
fn at_sigma_1() {
    for (program, warps, cycles) in [
        ("LLCLL", 600, 2401),     // a = 4
        ("LLC|LL", 4, 5 + 3 * 4), // LL|C and LL: a = 2 + 2
        ("LC|LC", 4, 4 + 3 * 2),  // a barrier between two equal blocks costs nothing
        ("L|C", 4, 2 + 3 * 2),    // and keeps C from hiding behind L
        ("LC", 4, 2 + 3),
        ("[LLL/CC]", 4, 3 + 3 * 3), // The longer arm counts.
        ("[LLL/]C", 4, 4 + 3 * 3),  // The path is LLLC: a = 3.
        ("{LL/CC}", 4, 4 + 3 * 3),  // The path is LLCC or CCLL: a = 3.
        ("<LL/CC>", 4, 4 + 3 * 3),  // Any order is possible, but none is worse than LLCC.
        ("{LC/C}", 3, 3 + 2 * 2),   // The path is LCC or CLC: a = 2.
        ("(LC)0..3", 3, 6 + 2 * 3), // LCLCLC is one block of 6 letters.
        ("(L|)3", 3, 3 + 2 * 3),
        ("[LC|/|LC]", 2, 4 + 2),    // The bound is never 3: see below.
        ("[/LLC|C]", 3, 4 + 2 * 3), // A warp may end early.
    ] {
        assert_eq!(makespan(program, warps), cycles, "{program} {warps}");
    }
}

/// Two warps of a block on different paths take T = 4, whereas the maximum over whole paths would be 3.
#[test]
fn different_paths_between_barriers() {
    let warps = [warp(0, "LC|"), warp(0, "|LC")];
    assert_eq!(worst(&warps, [1, 1]), 4);
    assert!(makespan("[LC|/|LC]", 2) >= 4);
    // For these two pairs of warps the bound of the theorem is above what whole paths would give.
    let pairs = ["LCLCLC|LLLL", "LCLCLC|LLLL", "LLLL|LCLCLC", "LLLL|LCLCLC"].map(|text| warp(0, text));
    let theorem = Prices::some([1, 1], 4)[0].finishes(&pairs)[0];
    assert_eq!(theorem, 34); // Whole paths would give 12 + 3 * 7 = 33.
    assert!(makespan("[LCLCLC|LLLL/LLLL|LCLCLC]", 4) >= theorem);
}

/// The term n c cannot be dropped, and one c is not enough for all switches; loops multiply n.
#[test]
fn switches_count() {
    for (program, warps, worst) in [("LCCC", 4, 9), ("LCLLCCCLLLCCC", 5, 40)] {
        assert!(on(program, warps, ["1", "2"]).unwrap().makespan.cycles().0 >= worst);
    }
    let many = on("(LCC)1000000", 8, ["1", "2"]).unwrap();
    assert_eq!(many.theta, warpspan::engines::phase::Rational::new(1, 2)); // At this theta c = 0.
}

/// A loop costs one product for each binary digit of its count, and has the value of the formula.
#[test]
fn long_loops() {
    let million = 1_000_000;
    // LLC repeated is LLC|LLC|.., with blocks L, LCL, LCL, .., LC: a = 2 n.
    assert_eq!(makespan("(LLC)1000000", 48), 3 * million + 47 * 2 * million);
    assert_eq!(makespan("(LLC)0..1000000", 48), 3 * million + 47 * 2 * million);
    // With a barrier in each round, a = 2 for each round.
    assert_eq!(makespan("(LLC|)1000000", 48), 3 * million + 47 * 2 * million);
    // LCC| has a = 2 for each round.
    assert_eq!(makespan("((LCC|)1000)1000", 2), 3 * million + 2 * million);
    assert_eq!(makespan("(L)1000000000000000000", 8), 8 * 1_000_000_000_000_000_000);
    assert_eq!(on("L1000000000000000000", 10, ["1", "1"]), Err(ProgramError::Overflow));
    assert_eq!(
        on("(((L)18446744073709551615)18446744073709551615)18446744073709551615", 1, ["1", "1"]),
        Err(ProgramError::Overflow)
    );
    assert_eq!(
        on("<L18000000000000000000/C>", 2, ["1/18000000000000000000", "1"]),
        Err(ProgramError::Overflow)
    );
    assert_eq!(on("(LC)9000000000000000000", u64::MAX, ["2", "3"]), Err(ProgramError::Overflow));
}

/// With sub-warps an instruction is several letters.
#[test]
fn sub_warps() {
    for (program, expanded) in
        [("LCL|C", "LLCLL|C"), ("[LC/C](LC)0..5", "[LLC/C](LLC)0..5"), ("<L/CC>", "<LL/CC>")]
    {
        let half = on(program, 6, ["1/2", "2"]).unwrap();
        assert_eq!(half.finish, on(expanded, 6, ["1", "2"]).unwrap().finish, "{program}");
    }
}

/// The blocks of other warps of the same group and of other groups count.
#[test]
fn blocks_and_groups() {
    let group = |program: &str, warps| {
        let program: Piece = program.parse().unwrap();
        Group { code: program.into(), warps }
    };
    let of = |groups: &[Group]| Workload::new(groups.to_vec(), Multiprocessor::default()).unwrap();
    // There is one path, so blocks do not change the bound; a = 2 + 1.
    let line = of(&[group("LL|LC", 4)]);
    assert_eq!(bound(&line).unwrap().makespan.cycles().0, 4 + 3 * 3);
    for block in [1, 2] {
        let found = bound(&line.clone().in_blocks_of(block).unwrap()).unwrap();
        assert_eq!((found.makespan.cycles().0, found.exact), (4 + 3 * 3, false));
    }
    // A block alone on different paths is compared with blocks of one warp, in which there is one path.
    let apart = bound(&of(&[group("[LC|/|LC]", 2)]).in_blocks_of(1).unwrap()).unwrap();
    assert_eq!((apart.makespan.cycles().0, apart.exact), (3, false));
    let mixed = bound(&of(&[group("LLC", 1), group("C", 2)])).unwrap();
    assert_eq!(mixed.finish.iter().map(|cycles| cycles.0).collect::<Vec<_>>(), [5, 3]);
}

#[test]
fn exact_where_it_says_so() {
    assert!(on("(LLC|)9C", 48, ["1", "1/2"]).unwrap().exact);
    for (program, warps, sigma) in [("LLC", 2, ["1", "1"]), ("LLC", 3, ["1", "2"]), ("[L/]C", 3, ["1", "1"])]
    {
        assert!(!on(program, warps, sigma).unwrap().exact, "{program}");
    }
}

/// A best labelling with a letter for each instruction: both letters where rounds differ, and `-` off the
/// best path.
fn labels(program: &str) -> String {
    let found = on(program, 4, ["1", "1"]).unwrap();
    let one = |labels: &warpspan::engines::program::PieceLabels| match (
        labels.labels[Unit::LoadStore],
        labels.labels[Unit::CudaCore],
    ) {
        (true, false) => 'L',
        (false, true) => 'C',
        (true, true) => '*',
        (false, false) => '-',
    };
    found.labels[0].iter().map(one).collect()
}

#[test]
fn phases() {
    for (program, acts_as) in [
        ("LLCLL", "LLL"),
        ("LLLLCCCC", "LC"),
        ("[LLL/CC]L4", "L-L"),
        ("(LLC)1000000LL", "LLL"),
        ("(LL|CC)0..9", "LC"),
        ("(L5C5)3", "LC"),
        ("{LL/CCC}LLLL", "LCL"), // CCC comes first.
        ("CC<LL/CCC>", "CLC"),
    ] {
        assert_eq!(labels(program), acts_as, "{program}");
    }
}

#[test]
fn refused() {
    let wrong = |program: &str| on(program, 4, ["1", "1"]).unwrap_err().to_string();
    assert!(wrong("{L|/C}").starts_with("a barrier in an arm of a divergent branch"));
    assert!(wrong("<L/C(|)3>").starts_with("a barrier in an arm of a divergent branch"));
    assert!(
        wrong("[L|/C]L").starts_with("the arms of the branch hold different or unknown numbers of barriers")
    );
    assert!(wrong("[(L|)0..3/C]L").starts_with("the arms of the branch hold different"));
    assert!(wrong("[(L|)5000/(C|)5000]L").starts_with("more than 4095 barriers in an arm"));
    assert!(wrong("{L/L/L/L/L/L/L/L/L/L/L}C").starts_with("11 arms of a divergent branch: want 10 at most"));
    assert!(wrong("|").starts_with("the program of group 1 is empty"));
    let line = 7;
    let arms = vec![Piece::Barrier { line: 8 }, Piece::Sequence(Vec::new().into())];
    let branch = Piece::Branch { arms: arms.into(), divergence: Divergence::Divergent, line };
    let program =
        Piece::Sequence(vec![Piece::Letters { letter: Unit::LoadStore, count: 1, line: 1 }, branch].into());
    let error = alone(program, 4).unwrap_err();
    assert!(error.to_string().starts_with("line 7: a barrier in an arm"), "{error}");
    let body = Box::new(Piece::Barrier { line: 2 });
    let backwards = Piece::Loop { body, least: 3, most: 2, line };
    let error = alone(backwards, 4).unwrap_err();
    assert_eq!(error.to_string(), "line 7: a loop of at least 3 and at most 2 rounds: want least..most");
    let mut deep = Piece::Letters { letter: Unit::LoadStore, count: 1, line: 0 };
    for _ in 0..1000 {
        deep = Piece::Sequence(vec![deep].into());
    }
    assert_eq!(alone(deep, 1), Err(ProgramError::Depth));
    let none = Workload::single("L".parse::<Piece>().unwrap(), 0, Multiprocessor::default());
    assert_eq!(none, Err(WorkloadError::NoWarps(1)));
    let assumed = on("(L|)0..3C", 4, ["1", "1"]).unwrap().assumes;
    let said: Vec<String> = assumed.iter().map(ToString::to_string).collect();
    assert_eq!(said, ["all threads of a block: make as many iterations of the loop: it holds a barrier"]);
}

/// The deepest texts are read and bounded on the 2 MiB of stack that a thread has unless told otherwise, also without
/// optimisation.
#[test]
fn the_deepest_texts_on_the_stack_of_a_thread() {
    for (levels, open, close) in [
        (65, "(C", "C)0..1"),
        (65, "[C", "/L]C"),
        (65, "{C", "/L}C"),
        (65, "<C", "/L>C"),
        (32, "[C", "/L]0..1C"),
        (32, "{C", "/L}0..1C"),
    ] {
        let text = format!("{}L{}", open.repeat(levels), close.repeat(levels));
        let deeper = format!("({open}{text}{close}C)0..1");
        let thread = std::thread::Builder::new().stack_size(2 << 20);
        let found = thread.spawn(move || on(&text, 3, ["1", "2"])).unwrap().join().unwrap();
        assert!(found.is_ok(), "{open}{close}: {found:?}");
        assert!(normal(&deeper).unwrap_err().contains("deeper than 65"), "{open}{close}");
    }
}

fn normal(text: &str) -> Result<String, String> {
    text.parse::<Piece>().map(|program| program.to_string()).map_err(|error| error.to_string())
}

#[test]
fn texts() {
    for (text, read) in [
        ("L2CL2", "LLCLL"),
        (" ll_c | L ", "LLC|L"),
        ("(LLC)16", "(LLC)16"),
        ("(L3)4C", "L12C"),
        ("(LC)1", "LC"),
        ("(LLC|)0..16", "(LLC|)0..16"),
        ("L0..4", "(L)0..4"),
        ("[LC/CC]{/C}<L/C/LL>", "[LC/CC]{/C}<L/C/LL>"),
        ("[LC]()5(|)2", "LC(|)2"),
        ("{L/C}3", "({L/C})3"),
        ("((L)2..3)1..1", "(L)2..3"),
    ] {
        assert_eq!(normal(text).as_deref(), Ok(read), "{text}");
    }
    let wrong = |text: &str, message: &str| {
        let found = normal(text).unwrap_err();
        assert!(found.starts_with(message), "{text}: {found}");
    };
    wrong("", "the kernel is empty");
    wrong("()3", "the kernel is empty");
    wrong("LX", "character 2 is 'X': want L, C");
    wrong("|3", "character 2 is '3'");
    wrong("L/C", "character 2 is '/'");
    wrong("(L/C)", "character 3 is '/'");
    wrong("[L/C", "the bracket at character 1 has no partner");
    wrong("[L/C)", "the bracket at character 1 has no partner");
    wrong("L}", "the bracket at character 2 has no partner");
    wrong("L0", "the count at character 2");
    wrong("(L)5..4", "the count at character 4");
    wrong("(L)5.4", "the count at character 4");
    wrong("(L)5..", "the count at character");
    wrong("L99999999999999999999", "the count at character 2");
    wrong(&"(".repeat(100_000), "the bracket at character 100000 has no partner");
    let nested = |levels| format!("{}L{}", "[".repeat(levels), "/]".repeat(levels));
    assert!(normal(&nested(65)).is_ok());
    wrong(&nested(66), "the bracket at character 1 holds brackets deeper than 65 in one another");
    wrong(&nested(50_000), "the bracket at character 49935 holds brackets deeper than 65");
    assert_eq!(normal(&format!("{}L{}", "(".repeat(50_000), ")1".repeat(50_000))).as_deref(), Ok("L"));
}

/// Text that is written reads back as the normal form; text of any characters is read or refused and never
/// causes a panic.
#[test]
fn written_and_read() {
    let mut rng = ChaCha8Rng::seed_from_u64(9000);
    for _ in 0..5_000 {
        let shape = paths::Shape { depth: rng.random_range(0..=4), barriers: true, straight: false };
        let program = paths::random(&mut rng, shape);
        match program.to_string().parse::<Piece>() {
            Ok(read) => {
                assert_eq!(read, program.normal(), "{program}");
                assert_eq!(read.to_string().parse(), Ok(read.clone()), "{program}");
                assert_eq!(read.is_straight(), program.normal().is_straight());
            }
            Err(error) => assert!(!program.to_string().contains(['L', 'C']), "{program}: {error}"),
        }
        let noise: String =
            (0..20).map(|_| char::from(b"LC|()[]{}<>/0123. _"[rng.random_range(0..19)])).collect();
        if let Ok(read) = noise.parse::<Piece>() {
            let _ = alone(read, 3);
        }
    }
}
