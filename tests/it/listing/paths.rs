//! The structured program covers what warps do. The judge takes a route of its own: it writes random control
//! flow graphs as PTX and runs them with a warp of a few threads under a stack of reconvergence points
//! (immediate postdominators, found by deleting nodes), in every order of the ways that the random choices
//! give. The lines that the warp issues must be a subsequence of a path of the program, since the bound does
//! not fall when letters are inserted.
use crate::common::cases::cases;
use proptest::prelude::*;
use warpspan::listing::{LoopBounds, Options, Text, extract};
use warpspan::model::program::{Divergence, Piece};

/// Where a block goes, which is to the next one, elsewhere, to either of them, or nowhere.
#[derive(Debug, Clone, Copy)]
enum Way {
    Next,
    Jump(usize),
    Fork(usize),
    End,
}

fn ways() -> impl Strategy<Value = Vec<Way>> {
    (2_usize..9).prop_flat_map(|blocks| {
        let way = prop_oneof![
            2 => Just(Way::Next),
            1 => (0..blocks).prop_map(Way::Jump),
            4 => (0..blocks).prop_map(Way::Fork),
            1 => Just(Way::End),
        ];
        proptest::collection::vec(way, blocks)
    })
}

/// The line of the one letter that says which block it stands in.
fn line(block: usize) -> u32 {
    u32::try_from(8 + 3 * block).unwrap()
}

fn ptx(ways: &[Way]) -> String {
    let mut text =
        String::from(".version 3.0\n.target sm_20\n.entry k()\n{\n.reg .pred %p;\n.reg .s32 %r<3>;\n");
    for (block, way) in ways.iter().enumerate() {
        text.push_str(&format!("B{block}:\nadd.s32 %r1, %r1, 1;\n"));
        match way {
            Way::Next => text.push('\n'),
            Way::Jump(to) => text.push_str(&format!("bra B{to};\n")),
            Way::Fork(to) => text.push_str(&format!("@%p bra B{to};\n")),
            Way::End => text.push_str("exit;\n"),
        }
    }
    text + &format!("B{}:\nst.global.s32 [%r2], %r1;\nexit;\n}}\n", ways.len())
}

/// The successors of each block, of which the last one is an end.
fn successors(ways: &[Way]) -> Vec<Vec<usize>> {
    let one = |(block, way): (usize, &Way)| match *way {
        Way::Next => vec![block + 1],
        Way::Jump(to) => vec![to],
        Way::Fork(to) if to == block + 1 => vec![to],
        Way::Fork(to) => vec![block + 1, to],
        Way::End => vec![],
    };
    ways.iter().enumerate().map(one).chain([vec![]]).collect()
}

fn reaches_end(next: &[Vec<usize>], from: usize, without: Option<usize>) -> bool {
    let (mut seen, mut open) = (vec![false; next.len()], vec![from]);
    while let Some(block) = open.pop() {
        if Some(block) != without && !std::mem::replace(&mut seen[block], true) {
            open.extend(&next[block]);
        }
    }
    (0..next.len()).any(|block| seen[block] && next[block].is_empty())
}

/// The nearest block that all paths to an end pass, or one past the last block if they have no block in
/// common.
fn meet(next: &[Vec<usize>], from: usize) -> usize {
    let all: Vec<usize> =
        (0..next.len()).filter(|&block| block != from && !reaches_end(next, from, Some(block))).collect();
    // The nearest is the one from which all others are still to come.
    let nearest =
        |&&block: &&usize| all.iter().all(|&other| other == block || !reaches_end(next, block, Some(other)));
    *all.iter().find(nearest).unwrap_or(&next.len())
}

/// The blocks that a warp issues, or none if it takes too long. Each choice says, for each thread, which way
/// it goes.
fn run(next: &[Vec<usize>], threads: u32, choices: &[u8]) -> Option<Vec<usize>> {
    let mut stack = vec![(0_usize, (1_u32 << threads) - 1, next.len())]; // block, threads, where they meet others
    let (mut trace, mut choices) = (Vec::new(), choices.iter());
    while let Some((block, mask, until)) = stack.pop() {
        if block == until || block == next.len() {
            continue;
        }
        trace.push(block);
        if trace.len() > 60 {
            return None;
        }
        match next[block][..] {
            [] => {}
            [to] => stack.push((to, mask, until)),
            [one, other] => {
                let choice = u32::from(*choices.next()?);
                let (first, second) = (mask & choice, mask & !choice);
                if first == 0 || second == 0 {
                    stack.push((if first > 0 { one } else { other }, mask, until));
                    continue;
                }
                let meet = meet(next, block);
                stack.push((meet, mask, until));
                let ways = [(one, first, meet), (other, second, meet)];
                stack.extend(if choice & 0x80 == 0 { ways } else { [ways[1], ways[0]] });
            }
            _ => unreachable!(),
        }
    }
    Some(trace)
}

/// How far into `trace` a piece can get that begins at `at`.
fn advance(piece: &Piece, trace: &[u32], at: usize) -> usize {
    match piece {
        Piece::Letters { line, .. } => at + usize::from(trace.get(at) == Some(line)),
        Piece::Barrier { .. } => at,
        Piece::Sequence(list) => list.iter().fold(at, |at, piece| advance(piece, trace, at)),
        Piece::Branch { arms, divergence, .. } => {
            let one = arms.iter().map(|arm| advance(arm, trace, at)).max().unwrap();
            if *divergence == Divergence::Uniform {
                return one;
            }
            let [first, second] = &arms[..] else { return one };
            let both = advance(second, trace, advance(first, trace, at));
            both.max(advance(first, trace, advance(second, trace, at)))
        }
        Piece::Loop { body, most, .. } => {
            let mut at = at;
            for _ in 0..*most {
                let next = advance(body, trace, at);
                if next == at {
                    break;
                }
                at = next;
            }
            at
        }
    }
}

/// Says whether the program covers the run, or nothing where the listing is refused or the run is too long.
fn covered(ways: &[Way], threads: u32, choices: &[u8]) -> Option<Result<(), String>> {
    let next = successors(ways);
    let trace = run(&next, threads, choices)?;
    let mut loop_bounds = LoopBounds::default();
    let mut passes = vec![0; next.len()];
    trace.iter().for_each(|&block| passes[block] += 1);
    let text = Text::new("k.ptx", ptx(ways).into_bytes()).unwrap();
    // Each loop gets as its bound the number of times that the warp passes its label at all.
    let first = extract(&text, &Options::default()).unwrap().remove(0);
    for one in &first.loops {
        let block: usize = one.label[1..].parse().unwrap();
        loop_bounds.add(&format!("{}={}", one.label, passes[block].max(1))).unwrap();
    }
    let entry = extract(&text, &Options { loop_bounds, ..Options::default() }).unwrap().remove(0);
    let program = entry.program.ok()?;
    let lines: Vec<u32> = trace.iter().map(|&block| line(block)).collect();
    let reached = advance(&program, &lines, 0);
    if reached == lines.len() {
        return Some(Ok(()));
    }
    Some(Err(format!("{reached} of {trace:?}\n{}\n{program:?}", ptx(ways))))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: u32::try_from(cases(4000)).unwrap(), max_global_rejects: u32::MAX, ..ProptestConfig::default() })]

    #[test]
    fn programs_cover_warps_of_one_thread(ways in ways(), choices in proptest::collection::vec(any::<u8>(), 60)) {
        if let Some(Err(what)) = covered(&ways, 1, &choices) {
            prop_assert!(false, "{}", what);
        }
    }

    #[test]
    fn programs_cover_warps_whose_threads_part(ways in ways(), threads in 2_u32..5, choices in proptest::collection::vec(any::<u8>(), 60)) {
        if let Some(Err(what)) = covered(&ways, threads, &choices) {
            prop_assert!(false, "{}", what);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    /// The ways out of a loop have letters of their own, which threads may issue long after they parted from
    /// the others.
    #[test]
    fn programs_cover_threads_that_leave_late(
        which in 0_usize..5,
        threads in 3_u32..5,
        choices in proptest::collection::vec(any::<u8>(), 60),
    ) {
        let ways = [
            vec![Way::Fork(3), Way::Fork(4), Way::Jump(0), Way::Next],
            vec![Way::Fork(4), Way::Fork(5), Way::Fork(0), Way::Jump(5), Way::Next],
            vec![Way::Next, Way::Fork(4), Way::Fork(5), Way::Jump(0), Way::Fork(0)],
            // These ways lead to ends of their own.
            vec![Way::Fork(2), Way::End, Way::Fork(0)],
            vec![Way::Fork(4), Way::Next, Way::Fork(0), Way::End, Way::Next],
        ];
        if let Some(Err(what)) = covered(&ways[which], threads, &choices) {
            prop_assert!(false, "{}", what);
        }
    }
}

/// The properties above would say little if few graphs had a program, so at least a third must have one.
#[test]
fn most_graphs_have_a_program() {
    let mut counts = [0_u32; 3];
    for seed in 0..2000_usize {
        let mut state = seed * 2_654_435_761 + 12345;
        let mut random = |below: usize| {
            state = (state.wrapping_mul(6_364_136_223_846_793_005)).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let blocks = 3 + random(5);
        let ways: Vec<Way> = (0..blocks)
            .map(|_| match random(7) {
                0 | 1 => Way::Next,
                2 => Way::Jump(random(blocks)),
                _ => Way::Fork(random(blocks)),
            })
            .collect();
        let choices: Vec<u8> = (0..60).map(|_| u8::try_from(random(256)).unwrap()).collect();
        counts[0] += 1;
        match covered(&ways, 3, &choices) {
            Some(Ok(())) => counts[1] += 1,
            Some(Err(what)) => panic!("{what}"),
            None => counts[2] += 1,
        }
    }
    assert!(counts[1] * 3 > counts[0], "{counts:?}");
}
