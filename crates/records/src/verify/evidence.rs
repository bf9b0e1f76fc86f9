//! The evidence that a record names: its statement, and which of its claims are not credible.

use serde_json::Value;

use crate::Instance;
use crate::basis::{Basis, BasisName, Checked};
use warpspan_check::bound::{Statement, statement as all};
use warpspan_model::Code;

/// What a record is about, as far as it matters for evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Context {
    /// It is a machine with latency and issue width.
    pub(crate) on_machine: bool,
    /// Its code is straight, as far as can be told.
    pub(crate) straight: bool,
    /// It is a grid of blocks without barriers.
    pub(crate) plain_grid: bool,
    /// It has two warps.
    pub(crate) two_warps: bool,
}

impl From<&Instance> for Context {
    fn from(instance: &Instance) -> Self {
        let straight = |text: &str| text.parse::<Code>().is_ok_and(|code| code.kernel().is_some());
        Self {
            on_machine: instance.machine.is_some(),
            straight: instance.groups.iter().all(|group| straight(&group.kernel)),
            plain_grid: instance.grid.is_some()
                && !instance.groups.iter().any(|group| group.kernel.contains('|')),
            two_warps: instance.groups.iter().map(|group| u128::from(group.warps)).sum::<u128>() == 2,
        }
    }
}

/// The statement that a record names by this evidence; `None` if it claims more than is known.
pub(crate) fn statement(Basis { name, checked }: Basis, context: Context) -> Option<&'static Statement> {
    let (paper, machine) = (checked == Checked::Paper, checked == Checked::Machine);
    // What a machine has checked for a formula is of straight code on a multiprocessor of two units.
    if machine && name != BasisName::Schedule && (context.on_machine || !context.straight) {
        return None;
    }
    let statement = match name {
        BasisName::Schedule => &all::SCHEDULE,
        BasisName::ClosedForm if !context.straight => &all::PATH_CLOSED_FORM,
        BasisName::ClosedForm if context.two_warps => &all::LONGEST_PAIR,
        BasisName::ClosedForm => &all::CLOSED_FORM,
        BasisName::Phase if machine || paper => &all::PHASE,
        BasisName::Phase => &all::PHASE_OF_STATES,
        BasisName::CriticalPath if context.on_machine => &all::CRITICAL_PATH_ON_MACHINE,
        BasisName::CriticalPath if machine => &all::CRITICAL_PATH,
        BasisName::CriticalPath if paper => &all::PESSIMISTIC,
        BasisName::CriticalPath => &all::CRITICAL_PATH_OF_STATES,
        BasisName::Memory => &all::CRITICAL_PATH_WITH_MEMORY,
        BasisName::Reachable => &all::REACHABLE,
        BasisName::RoundRobin => &all::ROUND_ROBIN,
        BasisName::OldestFirst => &all::OLDEST_FIRST,
        BasisName::GreedyOldest => &all::GREEDY_OLDEST,
        BasisName::GreedyYoungest => &all::GREEDY_YOUNGEST,
        BasisName::PhaseWidthLatency => &all::PHASE_WIDTH_LATENCY,
        BasisName::Pipelined => &all::PIPELINED,
        BasisName::Bottleneck => &all::BOTTLENECK,
        BasisName::Segments => &all::SEGMENTS,
        BasisName::Program => &all::PROGRAM,
        BasisName::Relay if machine && context.plain_grid => &all::EQUAL_BLOCKS,
        BasisName::Relay => &all::RELAY,
        BasisName::Exhaustive => &all::EXHAUSTIVE,
        BasisName::IlpDual => &all::ILP_DUAL,
    };
    (checked <= statement.checked).then_some(statement)
}

/// The line with all evidence taken out whose words this version does not know, and a sentence for each. A line that
/// is no JSON is left as it is.
pub(crate) fn without_doubts(line: &[u8]) -> (Vec<u8>, Vec<String>) {
    let mut doubts = Vec::new();
    let Ok(mut value) = serde_json::from_slice::<Value>(line) else { return (line.to_vec(), doubts) };
    clean(&mut value, &mut doubts);
    match doubts.is_empty() {
        true => (line.to_vec(), doubts),
        false => (value.to_string().into_bytes(), doubts),
    }
}

fn clean(value: &mut Value, doubts: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (key, field) in fields {
                if key == "evidence" {
                    judge(field, doubts);
                } else if key != "memory" {
                    // What accesses touch has words of its own.
                    clean(field, doubts);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| clean(item, doubts)),
        _ => {}
    }
}

/// Takes out evidence of one number, or of both ends.
fn judge(evidence: &mut Value, doubts: &mut Vec<String>) {
    let Value::Object(fields) = evidence else {
        if !evidence.is_null() {
            doubts.push(format!("the evidence {evidence} is not known"));
            *evidence = Value::Null;
        }
        return;
    };
    if !fields.contains_key("name") && !fields.contains_key("checked") {
        fields.values_mut().for_each(|end| judge(end, doubts));
    } else if serde_json::from_value::<Basis>(evidence.clone()).is_err() {
        doubts.push(format!("the evidence {evidence} is not known"));
        *evidence = Value::Null;
    }
}
