//! What is declared of the traffic of a launch.

use crate::Failure;

use crate::kept::KeptTraffic;
use crate::kernel::Kernel;
use crate::question::{File, Traffic as Said};
use crate::totals;
use warpspan_kernel::input::read_ncu;
use warpspan_model::machine::{Declared, Role};
use warpspan_rta::time::launch_traffic;

/// The assumption that what Nsight Compute printed is there as a whole.
const NCU_WHOLE: &str = "[ncu.whole]";

/// What is declared of the traffic of a launch.
#[derive(Debug, Default)]
pub(crate) struct Traffic {
    /// The most that servers are asked.
    pub(crate) most: Vec<Declared>,
    /// The bytes that move through the DRAM at least.
    pub(crate) least_dram: u128,
    /// What is said of it, a sentence each.
    pub(crate) says: Vec<String>,
    /// Whether numbers of bytes are declared.
    pub(crate) declared: bool,
    /// What has to be true of caches, as the first line says it.
    pub(crate) conditions: Vec<String>,
}

impl Traffic {
    /// What the flags say of the launch of a kernel.
    pub(crate) fn of(args: &Said, kernel: &Kernel) -> Result<Self, Failure> {
        let mut found = Self::default();
        let flags = [
            ("--dram-bytes", (Role::Dram, "the DRAM"), args.dram_bytes),
            ("--l2-bytes", (Role::L2, "L2"), args.l2_bytes),
        ];
        for (flag, (role, server), moved) in flags {
            let Some(moved) = moved else { continue };
            let [least, bytes] = moved.of_launch(kernel.launch.blocks);
            if role == Role::Dram {
                found.least_dram = least;
            }
            let declared = moved.declared(role, kernel.launch.blocks);
            let most = can_move(declared.role, kernel)?;
            if least > most {
                return Err(Failure::usage(format!(
                    "declared traffic: {least} bytes are more than the instructions of the launch can move, which is {most} at most: want the \
                     bytes of one launch"
                )));
            }
            if declared.bytes > most {
                found.says.push(format!(
                    "[declared.larger] bytes of {flag}: your declaration of {} is larger than all that the accesses of the code can cost \
                     {server} ({most}), which counts",
                    declared.bytes
                ));
            } else {
                found.says.push(format!("takes the launch to move {bytes} bytes at most, as {flag} says"));
            }
            found.most.push(declared);
            if let Some(least) = Some(least).filter(|least| *least > 0) {
                found.says.push(format!("takes the launch to move {least} bytes at least, as {flag} says"));
            }
        }
        if let Some(file) = &args.ncu {
            found.counted(file, kernel)?;
        }
        found.declared = !found.most.is_empty();
        Ok(found)
    }

    /// The same if caches keep what is touched.
    pub(crate) fn with_kept(mut self, kept: Vec<KeptTraffic>) -> Self {
        for KeptTraffic { most, says, conditions, .. } in kept {
            self.most.extend(most);
            self.says.push(says);
            self.conditions.extend(conditions);
        }
        self
    }

    /// What Nsight Compute counted of such a launch.
    fn counted(&mut self, file: &File, kernel: &Kernel) -> Result<(), Failure> {
        let place = &file.place;
        let counted = read_ncu(place, &file.text, &kernel.entry.name)?;
        let sizes = |sizes: [u64; 3]| sizes.map(|size| size.to_string()).join("x");
        let asked = [(counted.grid, kernel.sizes[0], "grid"), (counted.block, kernel.sizes[1], "block")];
        for (found, ours, what) in asked {
            if let Some(found) = found.filter(|found| *found != ours) {
                return Err(Failure::usage(format!(
                    "{place}: counted in a launch with a {what} of {}: want the counts of one with {}",
                    sizes(found),
                    sizes(ours)
                )));
            }
        }
        self.says.push(format!(
            "{NCU_WHOLE} no launch is missing from {place}, whose form has no mark of its end"
        ));
        let of_servers = [(Role::Dram, counted.dram_bytes, "DRAM"), (Role::L2, counted.l2_bytes, "L2")];
        for (role, bytes, server) in of_servers {
            let Some(bytes) = bytes else { continue };
            self.most.push(Declared { role, bytes: bytes.into(), in_lines: false, further: 0 });
            let plural = if counted.launches == 1 { "" } else { "es" };
            self.says.push(format!(
                "takes every launch to move no more than the {bytes} bytes that were counted at {server} in {} launch{plural} \
                 ({place})",
                counted.launches
            ));
        }
        Ok(())
    }
}

/// The bytes that the instructions of the launch can ask of a server at most.
fn can_move(role: Role, kernel: &Kernel) -> Result<u128, Failure> {
    let machine = &kernel.machine;
    let server = machine.server(role).ok_or_else(|| {
        let what = "the machine has no such server: want a GPU that `gpus` lists, or a [[server]]";
        Failure::usage(format!("declared traffic: {what}"))
    })?;
    let in_all = totals::passes(kernel)?;
    let all = launch_traffic(machine, &kernel.code, &kernel.launch, (&[], &in_all));
    let all = all.map_err(Failure::usage)?;
    // Whatever the pattern, what is asked costs its bytes or more.
    Ok(u128::try_from(all.amount(machine, server)).unwrap_or(0))
}
