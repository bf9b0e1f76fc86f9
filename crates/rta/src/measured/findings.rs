//! What measured blocks say of all rules.

use crate::measured::queue::Queues;
use crate::measured::{Finding, Measurement, Rule, host, queue, resources, room};
use warpspan_model::time::Duration;

impl Measurement {
    /// What the blocks say of each rule; times that differ by no more than the tolerance may be in either order.
    pub fn findings(&self, tolerance: Duration) -> Vec<Finding> {
        let queues = Queues::new(self, tolerance);
        let mut findings = host::findings(self, tolerance).to_vec();
        findings.extend(queue::findings(self, &queues, tolerance));
        findings.push(room::finding(self, &queues, tolerance));
        findings.extend(resources::findings(self, tolerance));
        findings.sort_by_key(|finding| Rule::ALL.iter().position(|&rule| rule == finding.rule));
        findings
    }
}
