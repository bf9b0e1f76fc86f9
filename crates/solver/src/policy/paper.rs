//! The paper's multiprocessor, with its units L and C, as a machine.

use std::sync::Arc;

use crate::policy::code::Line;
use warpspan_model::machine::{
    Latency, LetterId, MOST, Machine, MachineError, MachineGroup, MachineWorkload, Step, Unit,
};
use warpspan_model::program::Piece;
use warpspan_model::{self as model, Instance, Kernel, Multiprocessor, PerUnit, WarpGroup};

/// The letters of the units, in the order of the machine's letters.
const LETTERS: [(model::Unit, &str); 2] = [(model::Unit::LoadStore, "L"), (model::Unit::CudaCore, "C")];

/// An instance on the machine whose units L and C are shared by all schedulers, with sigma instances each, an
/// occupancy of 1, and these latencies. Each scheduler issues at most `width` instructions a cycle, or any
/// number if it is `None`.
///
/// # Errors
/// If a number is zero or too large.
pub fn on_units(
    instance: &Instance,
    schedulers: u64,
    width: Option<u64>,
    latency: PerUnit<u64>,
) -> Result<MachineWorkload, MachineError> {
    let unit = |(unit, name): (model::Unit, &str)| Unit {
        instances: instance.sigma(unit).min(MOST), // more would be more than the warps that can be simulated
        shared: true,
        latency: Latency { least: latency[unit], most: latency[unit] },
        ..Unit::simple(name)
    };
    let machine = Machine::new(schedulers, width, LETTERS.map(unit).to_vec(), vec![])?;
    let groups = instance.groups().iter();
    let groups = groups.map(|group| MachineGroup { code: code(&group.kernel), warps: group.warps }).collect();
    MachineWorkload::new(Arc::new(machine), groups)?.in_blocks_of(instance.warps_per_block())
}

/// An instance on the machine of [`warpspan_model`]: one scheduler of any width, and latencies of 1.
///
/// # Errors
/// As [`on_units`].
pub fn of_model(instance: &Instance) -> Result<MachineWorkload, MachineError> {
    on_units(instance, 1, None, PerUnit::both(1))
}

fn code(kernel: &Kernel) -> Piece<Step> {
    let mut pieces = Vec::new();
    for segment in kernel.segments() {
        if !pieces.is_empty() {
            pieces.push(Piece::Barrier { line: 0 });
        }
        for run in segment.chunk_by(|a, b| a == b) {
            let at = LETTERS.iter().position(|&(unit, _)| unit == run[0]).and_then(LetterId::new);
            let count = run.len() as u64;
            pieces.extend(at.map(|letter| Piece::Letters { letter: Step::of(letter), count, line: 0 }));
        }
    }
    Piece::Sequence(pieces.into())
}

/// Whether the letters of a machine are L and C, and no more.
pub(super) fn has_its_letters(machine: &Machine) -> bool {
    machine.letters().len() == 2 && LETTERS.iter().all(|(_, name)| machine.find(name).is_some())
}

/// The sigmas of L and C, if the machine is that of the model for this workload. Several schedulers that
/// share the units make no difference where the width is unlimited.
pub(super) fn sigmas(workload: &MachineWorkload) -> Option<[u64; 2]> {
    let machine = workload.machine();
    let is_shared = machine.schedulers() == 1
        || machine.width().is_none() && machine.units().iter().all(|unit| unit.shared);
    if !is_shared || !has_its_letters(machine) || workload.has_dependences() {
        return None;
    }
    Machine::new(1, machine.width(), machine.units().to_vec(), vec![]).ok()?.sigmas()
}

/// The instance that a workload is, if its machine is that of the model and its code is straight lines.
pub fn instance_of(workload: &MachineWorkload) -> Option<Instance> {
    let machine = workload.machine();
    let [l, c] = sigmas(workload)?.map(|sigma| sigma.to_string().parse().ok());
    let unit = |letter: &LetterId| {
        let is_l = machine.find("L") == Some(*letter);
        if is_l { model::Unit::LoadStore } else { model::Unit::CudaCore }
    };
    let group = |(line, warps): (Line, u64)| {
        let barriers = line.barriers.iter().map(|&at| at as usize).collect();
        let kernel = Kernel::with_barriers(line.letters.iter().map(unit).collect(), barriers)?;
        Some(WarpGroup { kernel, warps })
    };
    let warps = workload.groups().iter().map(|group| group.warps);
    let groups = Line::all(workload)?.into_iter().zip(warps).map(group).collect::<Option<_>>()?;
    let instance = Instance::new(groups, Multiprocessor::new(l?, c?)).ok()?;
    instance.in_blocks_of(workload.warps_per_block()).ok()
}
