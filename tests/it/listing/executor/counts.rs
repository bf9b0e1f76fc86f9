//! Holds the passes that threads make against the numbers of passes that the library finds in the code by itself.

use warpspan::listing::{Options, Text, extract};
use warpspan::model::program::Piece;

use super::embed::{Embedded, Program};
use super::graph::Graph;
use super::judge::{Judge, Violation};
use super::passes::{Count, passes};
use super::random::Random;
use super::{Code, Op, run_values};

/// Judges the passes of loops that the library counts by itself: what is wrong, or how many such loops there are.
pub(crate) fn judge_counts(listing: &str, code: &Code, random: &mut Random) -> Result<u32, Violation> {
    let text = Text::new("k", listing.as_bytes().to_vec()).unwrap();
    let Ok(mut entries) = extract(&text, &Options::default()) else { return Ok(0) };
    let entry = entries.remove(0);
    let graph = Graph::new(code);
    let judge = Judge { text, code, graph: graph.clone(), uniform: vec![], count: Count::Together };
    let inferred: Vec<(usize, u64)> = entry
        .loops
        .iter()
        .filter(|one| one.inferred)
        .map(|one| (judge.header(&one.label), one.most.unwrap()))
        .collect();
    if inferred.is_empty() {
        return Ok(0);
    }
    for threads in [1, 1, 1, 2, 4, 32] {
        let limit = if threads == 1 { 2000 } else { 500 };
        let (steps, ended) = run_values(code, listing, threads, random, limit);
        for &(header, most) in &inferred {
            let line = code.insts[header].line;
            let least = entry.program.as_ref().map_or(0, |piece| least(piece, line).unwrap_or(0));
            let ends = code.insts.iter().any(|inst| inst.guarded && matches!(inst.op, Op::Exit | Op::Ret));
            for passes in passes(code, &graph, header, &steps, Count::Together) {
                let few = ended && threads == 1 && !ends && passes < least;
                if passes > most || few {
                    let text = format!(
                        "{threads} threads make {passes} passes of line {line}: {most} at most, {least} at least\n{listing}"
                    );
                    return Err(Violation { class: "D: inferred bounds of loops", text });
                }
            }
        }
        if ended && let Ok(piece) = &entry.program {
            let embedded = Program::new(piece).embeds(&judge.lines(&steps));
            if let Embedded::UpTo(at) = embedded {
                let text = format!("{threads} threads: the first {at} lines embed in {piece}\n{listing}");
                return Err(Violation { class: "D: a trace of counted loops", text });
            }
        }
    }
    Ok(u32::try_from(inferred.len()).unwrap())
}

/// The rounds that the loop of a line has at least.
fn least(piece: &Piece, of: u32) -> Option<u64> {
    match piece {
        Piece::Loop { body, least: rounds, line, .. } => {
            if *line == of {
                Some(*rounds)
            } else {
                least(body, of)
            }
        }
        Piece::Sequence(list) | Piece::Branch { arms: list, .. } => {
            list.iter().find_map(|piece| least(piece, of))
        }
        Piece::Letters { .. } | Piece::Barrier { .. } => None,
    }
}
