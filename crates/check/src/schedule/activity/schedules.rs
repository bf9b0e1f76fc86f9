//! The activity of each kind of schedule.

use std::collections::BTreeMap;

use crate::schedule::activity::{self as activity, Activity, Issue, Letter, Line, Named, Warp};
use crate::schedule::{Launch, Start, Witness};
use warpspan_model::machine::MachineWorkload;
use warpspan_model::{Grid, Instance, Kernel, PerUnit, Unit};

impl Activity {
    /// Of a witness of a launch; `None` where the code of a grid has branches or loops, which no witness has.
    pub fn of<'a>(launch: impl Into<Launch<'a>>, witness: &Witness) -> Option<Self> {
        match launch.into() {
            Launch::Instance(instance) => Some(Self::of_instance(instance, witness)),
            Launch::Grid(grid) => Self::of_grid(grid, witness),
            Launch::Machine(workload) => Some(Self::on_machine(workload, witness)),
        }
    }

    /// Of warps that start together on the paper's multiprocessor.
    fn of_instance(instance: &Instance, witness: &Witness) -> Self {
        let mut warps = Vec::new();
        let mut first = Vec::new();
        for (line, group) in instance.groups().iter().enumerate() {
            first.push(warps.len());
            let size = instance.warps_per_block().unwrap_or(group.warps);
            warps.extend((0..group.warps).map(|warp| Warp {
                name: (line as u64 + 1, warp + 1),
                line,
                block: warp / size,
                home: 0,
                starts: 1,
                issues: Vec::new(),
            }));
        }
        let mut issues = Vec::new();
        for issue in witness.schedule().issues() {
            let (warp, instruction) =
                (first[issue.group as usize] + issue.warp as usize, issue.instruction as usize);
            warps[warp].issues.push((issue.cycle, 1));
            issues.push(Issue { cycle: issue.cycle, warp, instruction });
        }
        let lines = instance.groups().iter().map(|group| line(&group.kernel)).collect();
        let named = if instance.groups().len() == 1 { Named::Warp } else { Named::Group };
        let sigma = PerUnit::from_fn(|unit| instance.sigma(unit));
        Self { warps, lines, width: None, issues, named, ..two_units(sigma) }
    }

    /// Of warps that start together on a machine.
    fn on_machine(workload: &MachineWorkload, witness: &Witness) -> Self {
        let machine = workload.machine();
        let mut warps = Vec::new();
        let mut first = Vec::new();
        for (line, group) in workload.groups().iter().enumerate() {
            first.push(warps.len());
            let size = workload.warps_per_block().unwrap_or(group.warps);
            warps.extend((0..).zip(workload.warps_of(line)).map(|(warp, number)| Warp {
                name: (line as u64 + 1, warp + 1),
                line,
                block: warp / size,
                home: number % machine.schedulers(),
                starts: 1,
                issues: Vec::new(),
            }));
        }
        let mut issues = Vec::new();
        for issue in witness.schedule().issues() {
            let (warp, instruction) =
                (first[issue.group as usize] + issue.warp as usize, issue.instruction as usize);
            warps[warp].issues.push((issue.cycle, issue.latency));
            issues.push(Issue { cycle: issue.cycle, warp, instruction });
        }
        let letter = |letter: &warpspan_model::machine::Letter| Letter {
            name: letter.name.clone(),
            unit: letter.unit,
            occupancy: letter.occupancy,
        };
        let unit = |unit: &warpspan_model::machine::Unit| activity::Unit {
            name: unit.name.clone(),
            instances: unit.instances,
            shared: unit.shared,
        };
        let mut lines = Vec::new();
        for segments in workload.lines().unwrap_or_default() {
            let (mut letters, mut gates) = (Vec::new(), Vec::new());
            for segment in segments {
                if !letters.is_empty() {
                    gates.push(letters.len());
                }
                letters.extend(segment.into_iter().map(|letter| letter.index()));
            }
            lines.push(Line { letters, gates });
        }
        Self {
            warps,
            lines,
            letters: machine.letters().iter().map(letter).collect(),
            units: machine.units().iter().map(unit).collect(),
            width: machine.width(),
            issues,
            named: if workload.groups().len() == 1 { Named::Warp } else { Named::Group },
        }
    }

    /// Of the blocks of a grid; `None` where its code has branches or loops, which no witness has.
    fn of_grid(grid: &Grid, witness: &Witness) -> Option<Self> {
        let instance = grid.block().instance()?;
        let starts: BTreeMap<u64, &Start> =
            witness.schedule().starts().iter().map(|start| (start.block, start)).collect();
        let mut warps = Vec::new();
        for (&block, start) in &starts {
            warps.extend((0..grid.warps_per_block()).map(|warp| Warp {
                name: (block + 1, warp + 1),
                line: 0,
                block,
                home: start.multiprocessor,
                starts: start.cycle,
                issues: Vec::new(),
            }));
        }
        // A witness has every block, so that warps stand in the order of their numbers.
        let mut issues = Vec::new();
        for issue in witness.schedule().issues() {
            let (warp, instruction) = (issue.warp as usize, issue.instruction as usize);
            warps[warp].issues.push((issue.cycle, 1));
            issues.push(Issue { cycle: issue.cycle, warp, instruction });
        }
        let lines = vec![line(&instance.groups()[0].kernel)];
        let sigma = PerUnit::from_fn(|unit| instance.given_sigma(unit));
        Some(Self { warps, lines, width: None, issues, named: Named::Block, ..two_units(sigma) })
    }
}

fn line(kernel: &Kernel) -> Line {
    let letters = kernel.units().iter().map(|&unit| unit as usize).collect();
    Line { letters, gates: kernel.barriers().to_vec() }
}

/// The units of the paper's multiprocessor.
fn two_units(sigma: PerUnit<u64>) -> Activity {
    let letter = |unit: Unit| Letter { name: unit.letter().to_string(), unit: unit as usize, occupancy: 1 };
    let of = |unit: Unit| activity::Unit {
        name: unit.letter().to_string(),
        instances: sigma[unit],
        shared: false,
    };
    Activity {
        warps: Vec::new(),
        lines: Vec::new(),
        letters: Unit::ALL.map(letter).to_vec(),
        units: Unit::ALL.map(of).to_vec(),
        width: None,
        issues: Vec::new(),
        named: Named::Warp,
    }
}
