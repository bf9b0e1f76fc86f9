//! Runs a listing in many ways and holds what its warps issue against the program that the library gives.

use std::collections::BTreeMap;

use warpspan::engines::program::bound;
use warpspan::listing::{Entry, LoopBounds, Options, Text, extract};
use warpspan::model::program::Piece;
use warpspan::model::{Multiprocessor, Workload};

use super::embed::{Embedded, Program};
use super::graph::Graph;
use super::legal::Legal;
use super::passes::{Count, passes};
use super::random::Random;
use super::{Code, Op, Step, Stop, run};
use crate::brute::barriers;

/// What is wrong with a program.
#[derive(Debug, Clone)]
pub(crate) struct Violation {
    /// `A` to `E` as far as the shape of it tells, or what else.
    pub(crate) class: &'static str,
    pub(crate) text: String,
}

/// What came of a listing.
#[derive(Debug, Clone, Default)]
pub(crate) struct Verdict {
    /// Why there is no program.
    pub(crate) refused: Option<String>,
    /// Traces that were judged, were too long, had threads that wait for ever, could not be decided.
    pub(crate) judged: u32,
    pub(crate) long: u32,
    pub(crate) stuck: u32,
    /// Those whose threads come to barriers as CUDA forbids.
    pub(crate) illegal: u32,
    pub(crate) undecided: u32,
    /// Threads of the widest warp judged.
    pub(crate) violation: Option<Violation>,
}

/// How hard to look.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Effort {
    pub(crate) runs: u32,
    pub(crate) limit: usize,
    pub(crate) count: Count,
}

pub(super) struct Judge<'a> {
    pub(super) text: Text,
    pub(super) code: &'a Code,
    pub(super) graph: Graph,
    pub(super) uniform: Vec<String>,
    pub(super) count: Count,
}

/// Judges a listing; lines of branches that are declared uniform besides.
pub(crate) fn judge(listing: &str, code: &Code, random: &mut Random, effort: Effort) -> Verdict {
    let mut verdict = Verdict::default();
    let uniform = |inst: &&super::Inst| inst.uniform && matches!(inst.op, Op::Bra(_));
    let uniform = code.insts.iter().filter(uniform).map(|inst| inst.line.to_string()).collect();
    let text = match Text::new("k", listing.as_bytes().to_vec()) {
        Ok(text) => text,
        Err(error) => return Verdict { refused: Some(error.to_string()), ..verdict },
    };
    let judge = Judge { text, code, graph: Graph::new(code), uniform, count: effort.count };
    let decided = judge.graph.with_decided_barriers(code);
    let legal = Legal::new(code, &judge.graph);
    // With bounds at all loops there is a program, or there never is.
    if let Err(why) = judge.entry(&BTreeMap::new(), |_| 1) {
        return Verdict { refused: Some(why), ..verdict };
    }
    let mut traces: Vec<Vec<Step>> = Vec::new();
    for _ in 0..effort.runs {
        let threads = *random.pick(&[1, 2, 2, 3, 3, 4, 5, 8, 32]);
        // Half of the warps take care at each branch with a barrier on a way; the others just try.
        let code = if random.one_in(2) { &decided } else { code };
        match run(code, threads, random, effort.limit) {
            Ok(steps) if legal.as_ref().is_some_and(|legal| !legal.is_legal(&steps)) => verdict.illegal += 1,
            Ok(steps) => {
                verdict.judged += 1;
                let found = judge.one(&steps, threads);
                match found {
                    Ok(true) => {}
                    Ok(false) => verdict.undecided += 1,
                    Err(violation) => {
                        verdict.violation = Some(violation);
                        return verdict;
                    }
                }
                traces.push(steps);
            }
            Err(Stop::TooLong) => verdict.long += 1,
            Err(Stop::Deadlock) => verdict.stuck += 1,
            Err(Stop::Unknown(what)) => {
                let text =
                    format!("a warp comes to what nobody knows ({what}), and there is a program\n{listing}");
                verdict.violation = Some(Violation { class: "unknown state", text });
                return verdict;
            }
        }
    }
    verdict.violation = (0..4).find_map(|_| judge.together(&traces, random));
    verdict
}

impl Judge<'_> {
    /// The entry with bounds for all of its loops, or why there is none.
    fn entry(
        &self,
        bounds: &BTreeMap<String, u64>,
        mut more: impl FnMut(&str) -> u64,
    ) -> Result<(Entry, BTreeMap<String, u64>), String> {
        let mut bounds = bounds.clone();
        loop {
            let mut loop_bounds = LoopBounds::default();
            for (label, most) in &bounds {
                loop_bounds.add(&format!("{label}={most}")).unwrap();
            }
            let uniform = self.uniform.iter().cloned().collect();
            let options = Options { loop_bounds, uniform, ..Options::default() };
            let entry = extract(&self.text, &options).map_err(|error| error.to_string())?.remove(0);
            let missing: Vec<String> = entry
                .loops
                .iter()
                .filter(|one| one.most.is_none() && !bounds.contains_key(&one.label))
                .map(|one| one.label.clone())
                .collect();
            if missing.is_empty() {
                if let Err(error) = &entry.program {
                    return Err(error.to_string());
                }
                return Ok((entry, bounds));
            }
            for label in missing {
                let most = more(&label).max(1);
                bounds.insert(label, most);
            }
        }
    }

    pub(super) fn header(&self, label: &str) -> usize {
        let by_label = self.code.labels.iter().find(|known| known.0 == label).map(|known| known.1);
        let line = label.parse::<u32>().ok();
        let by_line = || self.code.insts.iter().position(|inst| Some(inst.line) == line);
        by_label.or_else(by_line).unwrap_or_else(|| panic!("no header {label}"))
    }

    /// The program with the bounds that these traces need.
    fn program(&self, traces: &[Vec<Step>]) -> Result<(Piece, BTreeMap<String, u64>), String> {
        let most = |label: &str| {
            let header = self.header(label);
            let of = |steps: &Vec<Step>| passes(self.code, &self.graph, header, steps, self.count);
            traces.iter().flat_map(of).max().unwrap_or(1)
        };
        let (entry, bounds) = self.entry(&BTreeMap::new(), most)?;
        Ok((entry.program.map_err(|error| error.to_string())?, bounds))
    }

    /// The lines of the letters and barriers of a trace.
    pub(super) fn lines(&self, steps: &[Step]) -> Vec<u32> {
        let letters = steps.iter().filter(|step| self.code.letter(step.inst));
        letters.map(|step| self.code.insts[step.inst].line).collect()
    }

    /// Whether one trace embeds; `false` if that could not be told.
    fn one(&self, steps: &[Step], threads: u32) -> Result<bool, Violation> {
        // A program that the bounds take away is none that is wrong.
        let Ok((piece, bounds)) = self.program(&[steps.to_vec()]) else { return Ok(true) };
        let program = Program::new(&piece);
        let lines = self.lines(steps);
        match program.embeds(&lines) {
            Embedded::All => Ok(true),
            Embedded::Undecided => Ok(false),
            Embedded::UpTo(at) => {
                let text = format!(
                    "{threads} threads issue lines {lines:?}\nonly the first {at} embed in {piece}\nwith {bounds:?}"
                );
                Err(Violation { class: self.class(steps, &program), text })
            }
        }
    }

    /// A few warps, each with one of the traces, do not take longer than the bound.
    fn together(&self, traces: &[Vec<Step>], random: &mut Random) -> Option<Violation> {
        let small: Vec<&Vec<Step>> = traces.iter().filter(|steps| (1..15).contains(&steps.len())).collect();
        if small.is_empty() {
            return None;
        }
        let warps = 1 + random.index(3);
        let chosen: Vec<Vec<Step>> = (0..warps).map(|_| (*random.pick(&small)).clone()).collect();
        // All warps of a block come to the same barriers, as CUDA demands.
        let barriers = |steps: &Vec<Step>| -> Vec<usize> {
            steps.iter().map(|step| step.inst).filter(|&inst| self.code.insts[inst].op == Op::Bar).collect()
        };
        if chosen.iter().any(|steps| barriers(steps) != barriers(&chosen[0])) {
            return None;
        }
        let (piece, bounds) = self.program(&chosen).ok()?;
        let strings: Vec<String> = chosen.iter().map(|steps| self.string(steps)).collect();
        let sigma = *random.pick(&[[1, 1], [1, 1], [1, 2], [2, 1], [2, 2], [1, 4]]);
        let multiprocessor =
            Multiprocessor::new(sigma[0].to_string().parse().unwrap(), sigma[1].to_string().parse().unwrap());
        let given: Vec<barriers::Warp> = strings.iter().map(|string| barriers::warp(0, string)).collect();
        if barriers::states(&given) > 20_000 {
            return None;
        }
        let worst = barriers::worst(&given, sigma.map(|sigma| usize::try_from(sigma).unwrap()));
        let workload =
            Workload::single(piece.clone(), u64::try_from(warps).unwrap(), multiprocessor).unwrap();
        let upper = bound(&workload).ok()?.makespan.cycles().0;
        (worst > upper).then(|| Violation {
            class: "bound",
            text: format!("warps {strings:?} take {worst} at sigma {sigma:?}, the bound of {piece} is {upper}, {bounds:?}"),
        })
    }

    fn string(&self, steps: &[Step]) -> String {
        let letter = |step: &Step| {
            let inst = &self.code.insts[step.inst];
            let letter = if inst.op == Op::Bar {
                '|'
            } else if inst.memory {
                'L'
            } else {
                'C'
            };
            self.code.letter(step.inst).then_some(letter)
        };
        steps.iter().filter_map(letter).collect()
    }

    /// Which of the known defects it looks like.
    fn class(&self, steps: &[Step], program: &Program) -> &'static str {
        let insts = &self.code.insts;
        let without: Vec<Step> =
            steps.iter().copied().filter(|step| !matches!(insts[step.inst].op, Op::Bsync(_))).collect();
        if without.len() < steps.len() && program.embeds(&self.lines(&without)) == Embedded::All {
            return "A: BSYNC at the wrong place";
        }
        let early = |at: usize| !self.code.starts[self.code.routine[at]].1 && insts[at].guarded;
        if (0..insts.len()).any(|at| insts[at].op == Op::Ret && early(at)) {
            return "C: early return";
        }
        // Places that are come to without waiting.
        let waits =
            |at: usize| matches!(insts[at].op, Op::Pop(_) | Op::Bsync(_) | Op::Push(..) | Op::Bssy(..));
        let plain = |place: usize| {
            (0..insts.len()).any(|at| !waits(at) && !insts[at].pops && self.graph.next[at].contains(&place))
        };
        let place = |op: &Op| match *op {
            Op::Push(_, place) => plain(place),
            Op::Bssy(_, place) => plain(place) && !matches!(insts[place].op, Op::Bsync(_)),
            _ => false,
        };
        if insts.iter().any(|inst| place(&inst.op)) {
            return "E: a place reached without waiting";
        }
        let ends = |at: usize| self.graph.next[at].iter().any(|&to| to > insts.len());
        if (0..insts.len()).any(|at| insts[at].guarded && ends(at) && !self.graph.body(at).is_empty()) {
            return "B: exits in loops";
        }
        "other"
    }
}
