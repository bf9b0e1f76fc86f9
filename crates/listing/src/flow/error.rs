//! Why code has no structured program here.

use std::fmt;

use crate::flow::{LoopBound, Obstacle, WaitKind};
use crate::message::one_line;
use warpspan_model::source::{Message, Remedy};

/// All that is known to stand in the way of a structured program: one thing or more.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StructureError {
    /// What stands in the way, each with its line.
    pub obstacles: Vec<(u32, Obstacle)>,
    /// The loops that nobody gave a bound.
    pub unbounded: Vec<LoopBound>,
}

impl StructureError {
    pub(crate) fn at(line: u32, obstacle: Obstacle) -> Self {
        Self { obstacles: vec![(line, obstacle)], unbounded: Vec::new() }
    }

    /// This error and those loops of a routine that have no bound.
    pub(crate) fn and_unbounded(mut self, loops: &[LoopBound]) -> Self {
        self.unbounded.extend(loops.iter().filter(|one| one.most.is_none()).cloned());
        self
    }

    /// Nothing if nothing stands in the way after all.
    ///
    /// # Errors
    /// If something does.
    pub(crate) fn unless_empty(self) -> Result<(), Self> {
        if self == Self::default() { Ok(()) } else { Err(self) }
    }

    /// Whether only bounds of loops are missing.
    pub(crate) fn is_unbounded_only(&self) -> bool {
        self.obstacles.is_empty()
    }

    /// What stands in the way and what would do.
    pub fn message(&self) -> Message {
        match self.obstacles.first() {
            Some((line, _)) => Message::text(format!("line {line}: ")).append(self.after_line()),
            None => self.after_line(),
        }
    }

    /// The message behind the line of the first obstacle.
    pub(crate) fn after_line(&self) -> Message {
        let message = self.reasons();
        if self.obstacles.len() + self.unbounded.len() < 2 {
            return message;
        }
        let mut uniform: Vec<String> = Vec::new();
        for (line, obstacle) in &self.obstacles {
            uniform.extend(obstacle.branch(*line).filter(|branch| !uniform.contains(branch)));
        }
        let never = self.obstacles.iter().filter(|(_, obstacle)| obstacle.is_unknown_call());
        let unreachable: Vec<String> = never.map(|(line, _)| line.to_string()).collect();
        let loops: Vec<String> = self.unbounded.iter().map(|one| one_line(&one.label)).collect();
        let opcodes = message.remedies().any(|remedy| matches!(remedy, Remedy::Classes(_)));
        if loops.is_empty() && uniform.is_empty() && unreachable.is_empty() && !opcodes {
            return message;
        }
        message.then("; all at once: ").remedy(Remedy::Declarations { loops, uniform, unreachable })
    }

    /// Each thing that is missing, with what would do. Of obstacles with the same words the later ones are only named.
    fn reasons(&self) -> Message {
        let mut message = Message::default();
        let mut said: Vec<String> = Vec::new();
        for (at, (line, obstacle)) in self.obstacles.iter().enumerate() {
            let words = obstacle.to_string();
            if said.contains(&words) {
                continue;
            }
            if at > 0 {
                message = message.then(format!("; line {line}: "));
            }
            message = message.append(obstacle.message(*line));
            let same = self.obstacles[at + 1..].iter().filter(|(_, other)| other.to_string() == words);
            let same: Vec<String> = same.map(|(line, _)| line.to_string()).collect();
            if !same.is_empty() {
                let plural = if same.len() == 1 { "" } else { "s" };
                message = message.then(format!("; the same in line{plural} {}", same.join(", ")));
            }
            said.push(words);
        }
        let (waiting, counted): (Vec<&LoopBound>, Vec<&LoopBound>) =
            self.unbounded.iter().partition(|one| one.wait.is_some());
        let mut between = if self.obstacles.is_empty() { "" } else { "; " };
        let (answered, counted): (Vec<&LoopBound>, Vec<&LoopBound>) =
            counted.into_iter().partition(|one| !one.parameters.is_empty());
        if !answered.is_empty() {
            let named: Vec<String> = answered.iter().map(|one| one.named()).collect();
            let labels = answered.iter().map(|one| one_line(&one.label)).collect();
            let mut names: Vec<String> = answered.iter().flat_map(|one| one.parameters.clone()).collect();
            names.sort_unstable();
            names.dedup();
            message = message
                .then(format!("{between}no bound for {}: want ", named.join(", ")))
                .remedy(Remedy::Params(names))
                .then(", or ")
                .remedy(Remedy::LoopBounds(labels));
            between = "; ";
        }
        if !counted.is_empty() {
            let named: Vec<String> = counted.iter().map(|one| one.named()).collect();
            let labels = counted.iter().map(|one| one_line(&one.label)).collect();
            message = message
                .then(format!("{between}no bound for {}: want ", named.join(", ")))
                .remedy(Remedy::LoopBounds(labels));
            between = "; ";
        }
        for (one, wait) in waiting.into_iter().filter_map(|one| one.wait.as_ref().map(|wait| (one, wait))) {
            let label = vec![one_line(&one.label)];
            message = message.then(format!("{between}{}: want ", one.why_no_bound(wait)));
            message = match wait.kind {
                WaitKind::Queue => message
                    .remedy(Remedy::LoopTotals(label.clone()))
                    .then(" for the iterations of all blocks together, or ")
                    .remedy(Remedy::LoopBounds(label)),
                _ => message
                    .remedy(Remedy::LoopBounds(label))
                    .then(" as your own word for it, whatever the other blocks do"),
            };
            between = "; ";
        }
        message
    }
}

impl fmt::Display for StructureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

impl std::error::Error for StructureError {}
