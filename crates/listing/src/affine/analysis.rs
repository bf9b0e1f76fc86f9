//! The code, gone through until what is assumed is what is found.

use std::collections::{BTreeMap, BTreeSet};

use crate::affine::context::Context;
use crate::affine::passes::last_pass;
use crate::affine::run::{Access, Code, Found, Taken};
use crate::affine::value::Value;

/// How often the code is gone through at most.
const RUNS: usize = 300;
/// How often bounds of loops are looked for.
const ROUNDS: usize = 3;

/// What is known at the end.
pub(super) struct Settled {
    /// The accesses.
    pub(super) accesses: Vec<Access>,
    /// The unknowns of their addresses.
    pub(super) context: Context,
    /// The instructions that lanes of the warp may execute.
    pub(super) reached: BTreeSet<usize>,
}

impl Code<'_, '_> {
    /// Goes through the code with the lanes of one warp until what is found is what was assumed; none if that takes too
    /// long. `last` are the most passes of loops as far as they are known from elsewhere, and `steps` the instructions that may
    /// still be gone through.
    pub(super) fn settle(
        &self,
        mut context: Context,
        all: u32,
        last: BTreeMap<usize, i128>,
        steps: &mut usize,
    ) -> Option<Settled> {
        let mut taken = Taken { last, ..Taken::default() };
        let mut rounds = 0;
        for _ in 0..RUNS {
            *steps = steps.checked_sub(self.routine.instructions.len())?;
            context.atoms.changed = false;
            let found = self.run(&mut context, &taken, all);
            if self.heads(&mut context, &found, &mut taken) || context.atoms.changed {
                continue;
            }
            let parting = self.parting(&found);
            if !parting.is_subset(&taken.parting) {
                taken.parting.extend(parting);
                taken.heads.clear();
                continue;
            }
            rounds += 1;
            let last = self.last_passes(&mut context, &found);
            let better =
                |(header, last): (&usize, &i128)| taken.last.get(header).is_none_or(|known| last < known);
            if rounds < ROUNDS && last.iter().any(better) {
                for (header, last) in last {
                    taken.last.entry(header).and_modify(|known| *known = last.min(*known)).or_insert(last);
                }
                // What was found holds, so that it may be used for what follows from it.
                taken.heads.clear();
                taken.parting.clear();
                continue;
            }
            let blocks = self.graph.blocks().filter(|(id, _)| found.ends.contains_key(&id.index()));
            let instructions = blocks.flat_map(|(_, block)| block.instructions.clone());
            let reached = instructions.filter(|at| !found.skipped.contains(at)).collect();
            return Some(Settled { accesses: found.accesses, context, reached });
        }
        None
    }

    /// Compares what registers hold where passes end with what is taken of them, the innermost loops first; whether anything
    /// differs.
    fn heads(&self, context: &mut Context, found: &Found, taken: &mut Taken) -> bool {
        let (left, mixed) = (self.shape.left_apart(&taken.parting), self.mixed(&taken.parting));
        let mut headers: Vec<(usize, &BTreeSet<usize>)> =
            self.shape.loops.iter().map(|(header, (_, body))| (*header, body)).collect();
        headers.sort_by_key(|(_, body)| body.len());
        let mut changed: Vec<usize> = Vec::new();
        for &(header, body) in &headers {
            let is_inside = changed.iter().any(|inner| body.contains(inner));
            let (Some((entered, began)), false) = (found.heads.get(&header), is_inside) else { continue };
            context.around = self.shape.around[header];
            context.mixed = self.shape.around[header] & mixed != 0;
            let paths = self.paths(context, found, header, left, true);
            let apart = self.shape.meets_apart(header, &taken.parting, true);
            let Some(ended) = context.meet(header, paths, apart) else { continue };
            context.mask = entered.mask;
            let Some(of) = self.loop_of(header, taken, mixed) else { continue };
            let mut differs = false;
            for (register, ended) in ended.registers.iter().enumerate() {
                if let (Value::Form(upper), Value::Upper(form)) = (&entered.registers[register], ended)
                    && !taken.halves.contains_key(&(header, register))
                    && let Some(lower) = context.lower_of(entered, upper, form)
                {
                    taken.halves.insert((header, register), lower);
                    taken.heads.remove(&(header, register));
                    differs = true;
                    continue;
                }
                let values = [&entered.registers[register], &began.registers[register], ended];
                let head = taken.heads.get(&(header, register));
                if let Some(next) = context.next_head(of, head, values) {
                    taken.heads.insert((header, register), next);
                    differs = true;
                }
            }
            if differs {
                changed.push(header);
            }
        }
        for &outer in &changed {
            let body = &self.shape.loops[&outer].1;
            taken.heads.retain(|(header, _), _| *header == outer || !body.contains(header));
        }
        !changed.is_empty()
    }

    /// The blocks at whose end lanes diverge, as far as was found.
    fn parting(&self, found: &Found) -> BTreeSet<usize> {
        let parts = |block: &usize| {
            let (state, condition) = &found.ends[block];
            self.shape.after[*block].len() > 1 && !condition.kind().is_uniform(state.mask)
        };
        found.ends.keys().copied().filter(parts).collect()
    }

    /// The most passes of loops, as far as comparisons at their exits show.
    fn last_passes(&self, context: &mut Context, found: &Found) -> BTreeMap<usize, i128> {
        let mut last = BTreeMap::new();
        for (&header, (number, body)) in &self.shape.loops {
            let ends: Vec<usize> =
                self.shape.before[header].iter().copied().filter(|from| body.contains(from)).collect();
            for &block in body {
                let after = &self.shape.after[block];
                let Some((state, condition)) = found.ends.get(&block) else { continue };
                let stays: Vec<usize> = after.iter().copied().filter(|to| body.contains(to)).collect();
                let every_pass = ends.iter().all(|&end| self.shape.dominates(block, end));
                let of_loop = self.shape.around[block] == self.shape.around[header];
                let [stays] = stays[..] else { continue };
                if !every_pass || !of_loop || after.len() != 2 {
                    continue;
                }
                context.mask = state.mask;
                let Some(of) = condition.compared() else { continue };
                let Some(holds) = self.is_taken(block, stays) else { continue };
                if let Some(most) = last_pass(context, (header, 1 << number), of, holds) {
                    last.entry(header)
                        .and_modify(|known: &mut i128| *known = most.min(*known))
                        .or_insert(most);
                }
            }
        }
        last
    }
}
