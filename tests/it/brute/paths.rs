//! Structured programs unrolled into every path, as its letters between barriers; and small random programs.

use std::collections::BTreeSet;

use rand::{Rng, RngExt};
use warpspan::model::Unit;
use warpspan::model::program::{Divergence, Piece};

/// A path: its letters between barriers, and how often it passes each loop that holds a barrier. The warps of
/// a block agree on the latter.
pub(crate) type Path = (Vec<Vec<Unit>>, Vec<u64>);

/// A program with more paths than this has too many.
const MOST: usize = 3_000;

/// Every path of a program; `None` if there are too many.
pub(crate) fn paths(piece: &Piece) -> Option<BTreeSet<Path>> {
    let nothing = || BTreeSet::from([(vec![Vec::new()], Vec::new())]);
    let paths = match piece {
        &Piece::Letters { letter: unit, count, .. } => {
            BTreeSet::from([(vec![vec![unit; usize::try_from(count).unwrap()]], Vec::new())])
        }
        Piece::Barrier { .. } => BTreeSet::from([(vec![Vec::new(); 2], Vec::new())]),
        Piece::Sequence(pieces) => {
            pieces.iter().try_fold(nothing(), |all, piece| joined(&all, &paths(piece)?))?
        }
        Piece::Branch { arms, divergence, .. } => {
            let arms = arms.iter().map(paths).collect::<Option<Vec<_>>>()?;
            match divergence {
                Divergence::Uniform => arms.into_iter().flatten().collect(),
                _ => {
                    let mut all = BTreeSet::new();
                    for set in 1_usize..1 << arms.len() {
                        let chosen: Vec<_> =
                            (0..arms.len()).filter(|at| set >> at & 1 == 1).map(|at| &arms[at]).collect();
                        match divergence {
                            Divergence::Divergent => orders(&chosen, &nothing(), &mut all)?,
                            _ => {
                                all.extend(chosen.iter().try_fold(nothing(), |all, arm| shuffled(&all, arm))?)
                            }
                        }
                    }
                    all
                }
            }
        }
        Piece::Loop { body, least, most, .. } => {
            let counted = body.has_barrier() && least < most;
            let body = paths(body)?;
            let (mut rounds, mut all) = (nothing(), BTreeSet::new());
            for round in 0..=*most {
                if round >= *least {
                    let tag = |(path, tags): &Path| {
                        let mut tags = tags.clone();
                        if counted {
                            tags.insert(0, round);
                        }
                        (path.clone(), tags)
                    };
                    all.extend(rounds.iter().map(tag));
                }
                rounds = joined(&rounds, &body)?;
            }
            all
        }
    };
    (paths.len() <= MOST).then_some(paths)
}

fn joined(first: &BTreeSet<Path>, second: &BTreeSet<Path>) -> Option<BTreeSet<Path>> {
    let mut all = BTreeSet::new();
    for (a, tags) in first {
        for (b, more) in second {
            let mut path = a.clone();
            path.last_mut().unwrap().extend(&b[0]);
            path.extend(b[1..].iter().cloned());
            all.insert((path, [&tags[..], more].concat()));
        }
        if all.len() > MOST {
            return None;
        }
    }
    Some(all)
}

/// The arms one after the other, in every order.
fn orders(arms: &[&BTreeSet<Path>], before: &BTreeSet<Path>, all: &mut BTreeSet<Path>) -> Option<()> {
    if arms.is_empty() {
        all.extend(before.iter().cloned());
    }
    for at in 0..arms.len() {
        let rest = [&arms[..at], &arms[at + 1..]].concat();
        orders(&rest, &joined(before, arms[at])?, all)?;
    }
    (all.len() <= MOST).then_some(())
}

/// Every way to interleave a path of the first with a path of the second; neither holds a barrier.
fn shuffled(first: &BTreeSet<Path>, second: &BTreeSet<Path>) -> Option<BTreeSet<Path>> {
    let mut all = BTreeSet::new();
    for (a, _) in first {
        for (b, _) in second {
            let (a, b) = (&a[0], &b[0]);
            let length = a.len() + b.len();
            if length > 10 {
                return None;
            }
            for set in (0_u32..1 << length).filter(|set| set.count_ones() as usize == a.len()) {
                let (mut from_a, mut from_b) = (a.iter(), b.iter());
                let next = |at| if set >> at & 1 == 1 { from_a.next() } else { from_b.next() };
                let path: Option<Vec<Unit>> = (0..length).map(next).map(Option::<&Unit>::copied).collect();
                all.insert((vec![path.unwrap()], Vec::new()));
            }
        }
    }
    (all.len() <= MOST).then_some(all)
}

/// What a random program may contain.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) depth: u32,
    pub(crate) barriers: bool,
    /// Only loops of a fixed count, and no branches.
    pub(crate) straight: bool,
}

/// A random program. Branches whose arms hold barriers may come out with arms that do not match; the library
/// refuses those.
pub(crate) fn random(rng: &mut impl Rng, shape: Shape) -> Piece {
    let length = rng.random_range(1..=3);
    Piece::Sequence((0..length).map(|_| item(rng, shape)).collect())
}

fn item(rng: &mut impl Rng, shape: Shape) -> Piece {
    let deeper = Shape { depth: shape.depth.saturating_sub(1), ..shape };
    let letters = |rng: &mut dyn FnMut() -> bool| {
        let unit = Unit::ALL[usize::from(rng())];
        Piece::Letters { letter: unit, count: if rng() { 1 } else { 2 }, line: 0 }
    };
    match rng.random_range(0..if shape.depth == 0 { 5 } else { 10 }) {
        0 if shape.barriers => Piece::Barrier { line: 0 },
        0..5 => letters(&mut || rng.random_bool(0.5)),
        5 | 6 => {
            let least = rng.random_range(0..=2);
            let most = if shape.straight { least } else { rng.random_range(least..=2) };
            Piece::Loop { body: Box::new(random(rng, deeper)), least, most, line: 0 }
        }
        _ if shape.straight => letters(&mut || rng.random_bool(0.5)),
        _ => {
            let kinds =
                [Divergence::Uniform, Divergence::Uniform, Divergence::Divergent, Divergence::Interleaved];
            let divergence = kinds[rng.random_range(0..kinds.len())];
            let barriers = shape.barriers && divergence == Divergence::Uniform;
            if barriers && rng.random_bool(0.6) {
                return matching(rng, Shape { barriers: false, ..deeper });
            }
            let deeper = Shape { barriers, ..deeper };
            let arm = |rng: &mut _| match Rng::next_u32(rng) % 4 {
                0 => Piece::Sequence(Vec::new().into()),
                _ => random(rng, deeper),
            };
            Piece::Branch { arms: (0..2).map(|_| arm(rng)).collect(), divergence, line: 0 }
        }
    }
}

/// A branch whose arms hold equally many barriers.
fn matching(rng: &mut impl Rng, segments: Shape) -> Piece {
    let barriers = rng.random_range(1..=2);
    let arm = |rng: &mut _| {
        let mut pieces = Vec::new();
        for at in 0..=barriers {
            if at > 0 {
                pieces.push(Piece::Barrier { line: 0 });
            }
            if Rng::next_u32(rng) % 2 == 0 {
                pieces.push(random(rng, segments));
            }
        }
        Piece::Sequence(pieces.into())
    };
    Piece::Branch { arms: (0..2).map(|_| arm(rng)).collect(), divergence: Divergence::Uniform, line: 0 }
}
