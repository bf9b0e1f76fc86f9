//! The numbers of `extract` and `trace`.

use crate::Trace;
use crate::assumption::listed;
use crate::basis::{Basis, BasisName, Checked};
use crate::extract::{Entry, Extract};
use crate::verify::Side;
use crate::verify::evidence::{self, Context};
use crate::verify::findings::Found;
use warpspan_check::bound::statement as all;
use warpspan_listing::inputs;
use warpspan_model::assumption::{Assumption, Id};

impl Found {
    pub(crate) fn extract(&mut self, extract: &Extract) {
        for entry in &extract.entries {
            self.under(&entry.name, Self::of_entry(entry));
            let Some(machine) = &entry.machine else { continue };
            let mut found = Self::default();
            if let Some(bound) = &machine.bound {
                let theorem = BasisName::named(&bound.theorem);
                let context =
                    Context { on_machine: true, straight: false, plain_grid: false, two_warps: false };
                let basis = theorem.map(|name| Basis { name, checked: Checked::Tested });
                let from = basis.and_then(|basis| evidence::statement(basis, context));
                match from {
                    Some(from) => {
                        found.by("machine: upper", bound.upper, Side::Upper, &[from, &all::LISTING])
                    }
                    None => found.with_basis("machine: upper", bound.upper, Side::Upper, (basis, context)),
                }
                let path = [&all::CRITICAL_PATH_ON_MACHINE, &all::LISTING];
                found.by("machine: completion_upper", bound.completion_upper, Side::Upper, &path);
                found.by("machine: critical_path", bound.critical_path, Side::Upper, &path);
            }
            found.rests_on(entry.assumptions.iter().chain(&machine.assumptions).cloned());
            found.notes.extend_from_slice(&machine.notes);
            self.under(&entry.name, found);
        }
    }

    /// The numbers of an entry for the multiprocessor of two units.
    fn of_entry(entry: &Entry) -> Self {
        let mut found = Self::default();
        for one in &entry.loop_bounds {
            let name = format!("iterations of {}", one.label);
            match (one.most, one.inferred) {
                (Some(most), true) => found.by(name, most, Side::Upper, &[&all::LISTING]),
                (Some(most), false) => found.given(name, most, Some("declared")),
                (None, _) => {}
            }
        }
        if let Some(bound) = &entry.bound {
            found.by("upper", bound.upper, Side::Upper, &[&all::PROGRAM, &all::LISTING]);
        }
        found.rests_on(entry.assumptions.iter().cloned());
        found.notes.extend_from_slice(&entry.notes);
        found
    }

    /// What happened in some runs bounds nothing.
    pub(crate) fn trace(&mut self, trace: &Trace) {
        const OBSERVED: &str = "it happened in the runs that were traced, and bounds no other";
        for one in trace.loops.iter().filter(|one| one.visits > 0) {
            self.given(format!("iterations of {}", one.label), one.most, Some(OBSERVED));
        }
        for one in &trace.accesses {
            if let Some(transactions) = one.transactions {
                self.given(format!("transactions of line {}", one.line), transactions, Some(OBSERVED));
            }
        }
        let input = Assumption::declared(Id::InputTraced, "input", inputs(&trace.of_input));
        self.rests_on(listed([input], ToString::to_string));
        self.notes.extend(trace.not_covered.iter().map(|what| format!("not covered: {what}")));
    }
}
