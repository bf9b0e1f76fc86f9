//! The conditions of the theorems about instances, looked up in the instance of a record.

use crate::Instance;
use crate::explain::Condition;
use crate::solve::{CheckResult, NotExact, Solve};
use warpspan_model as model;

/// What conditions are looked up in.
pub(super) struct Subject<'a> {
    record: &'a Instance,
    /// The instance, if its warps start together and run straight lines on a multiprocessor of two units.
    pub(super) straight: Option<model::Instance>,
    solve: Option<&'a Solve>,
}

impl<'a> Subject<'a> {
    pub(crate) fn new(record: &'a Instance, solve: Option<&'a Solve>) -> Self {
        Self { record, straight: record.straight_lines().ok().map(|(_, instance)| instance), solve }
    }

    /// The conditions of a statement of this name.
    pub(crate) fn of(&self, statement: &str) -> Vec<Condition> {
        let warps = self.warps();
        match statement {
            "closed-form" => {
                let not_two =
                    Condition::of("the number of warps is not 2", warps != 2, several(warps, "warp"));
                [self.one_kernel(), self.straight_line(), self.no_barriers(), self.unit_sigma(), not_two]
                    .into()
            }
            "longest-pair" => {
                let two = Condition::of("there are 2 warps", warps == 2, several(warps, "warp"));
                [self.one_kernel(), self.straight_line(), self.no_barriers(), self.unit_sigma(), two].into()
            }
            "path-closed-form" => [self.one_kernel(), self.two_units(), self.unit_sigma()].into(),
            "pessimistic" => [self.two_units(), self.unit_sigma()].into(),
            "phase" | "critical-path" => [self.two_units(), self.straight_line()].into(),
            "segments" => [self.barriers(), self.one_block()].into(),
            "program" => [self.two_units()].into(),
            "relay" => [self.grid()].into(),
            "equal-blocks" => {
                [self.grid(), self.two_units(), self.straight_line(), self.no_barriers()].into()
            }
            "critical-path-on-machine" | "phase-width-latency" => [self.machine()].into(),
            "pipelined" => {
                let few = Condition::unknown(
                    "the warps are so few that two never meet at different letters",
                    "the record does not tell, and the engine has checked it",
                );
                [self.machine(), few].into()
            }
            "exhaustive" => self.every_state().into_iter().collect(),
            "ilp-dual" => self.horizon().into_iter().collect(),
            _ => Vec::new(),
        }
    }

    fn warps(&self) -> u128 {
        self.record.groups.iter().map(|group| u128::from(group.warps)).sum()
    }

    fn one_kernel(&self) -> Condition {
        let groups = self.record.groups.len() as u128;
        Condition::of("all warps run one kernel", groups == 1, several(groups, "kernel"))
    }

    fn straight_line(&self) -> Condition {
        let is_straight = |text: &str| text.parse::<model::Code>().is_ok_and(|code| code.kernel().is_some());
        let with_paths = self.record.groups.iter().find(|group| !is_straight(&group.kernel));
        let found = with_paths.map_or_else(
            || "no branches and no loops".to_owned(),
            |group| format!("{} is no straight line of L and C", short(&group.kernel)),
        );
        Condition::of("the code is a straight line", with_paths.is_none(), found)
    }

    fn has_barriers(&self) -> bool {
        self.record.groups.iter().any(|group| group.kernel.contains('|'))
    }

    fn no_barriers(&self) -> Condition {
        let has = self.has_barriers();
        Condition::of("there is no barrier", !has, if has { "there are barriers" } else { "there is none" })
    }

    fn barriers(&self) -> Condition {
        let has = self.has_barriers();
        Condition::of("there are barriers", has, if has { "there are" } else { "there is none" })
    }

    fn one_block(&self) -> Condition {
        let grid = self.record.grid.as_ref().is_some_and(|grid| grid.blocks > 1);
        let one = self.record.groups.len() == 1 && !grid;
        let whole = self.record.warps_per_block.is_none_or(|block| u128::from(block) >= self.warps());
        let found = if one && whole { "one block" } else { "several blocks" };
        Condition::of("all warps are in one block", one && whole, found)
    }

    /// Whether each unit issues one letter a cycle after the expansion to sub-warps.
    fn unit_sigma(&self) -> Condition {
        let sigma = |sigma: &Option<String>| sigma.clone().unwrap_or_else(|| "none".to_owned());
        let (l, c) = (sigma(&self.record.sigma_l), sigma(&self.record.sigma_c));
        let at_most_one = |text: &str| text == "1" || text.starts_with("1/");
        let found = format!("sigma_L = {l}, sigma_C = {c}");
        Condition::of("sigma_L and sigma_C are 1 or 1/n", at_most_one(&l) && at_most_one(&c), found)
    }

    fn two_units(&self) -> Condition {
        let is = self.record.machine.is_none();
        let found = if is { "sigma_L and sigma_C are all there is" } else { "it is a machine with latency" };
        Condition::of("the multiprocessor has the two units L and C, without latency", is, found)
    }

    fn machine(&self) -> Condition {
        let is = self.record.machine.is_some();
        let found = if is { "the record carries its machine" } else { "the record has two sigmas" };
        Condition::of("the numbers are of a machine with latency and issue width", is, found)
    }

    fn grid(&self) -> Condition {
        let found = self.record.grid.as_ref().map_or_else(
            || "all warps start together".to_owned(),
            |grid| {
                format!(
                    "{} blocks, {} at once on each of {}",
                    grid.blocks, grid.resident, grid.multiprocessors
                )
            },
        );
        Condition::of("blocks wait in one queue and follow one another", self.record.grid.is_some(), found)
    }

    fn every_state(&self) -> Option<Condition> {
        const CONDITION: &str = "every state was searched";
        let solve = self.solve?;
        let agrees =
            |check: &crate::solve::Check| check.by == "states" && check.result == CheckResult::Agrees;
        Some(match (solve.states, solve.checks.iter().find(|check| agrees(check))) {
            (Some(states), _) => {
                Condition::of(CONDITION, solve.stop.is_none(), several(u128::from(states), "state"))
            }
            (None, Some(check)) => {
                Condition::of(CONDITION, true, format!("by a second engine: {}", check.detail))
            }
            (None, None) => Condition::unknown(CONDITION, "the record names no number of states"),
        })
    }

    fn horizon(&self) -> Option<Condition> {
        let short = self.solve?.not_exact == Some(NotExact::Horizon);
        let found =
            if short { "the record says that it is shorter" } else { "the record names no shorter one" };
        Some(Condition::of("no schedule is longer than the horizon", !short, found))
    }
}

/// A number of things.
pub(super) fn several(count: u128, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// The beginning of a long text.
fn short(text: &str) -> String {
    const MOST: usize = 40;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}
