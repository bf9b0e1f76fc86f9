//! What is declared of the traffic of a launch.

use crate::Failure;

use crate::kept::KeptTraffic;
use crate::kernel::Kernel;
use crate::question::Traffic as Said;
use crate::texts::File;
use crate::totals;
use warpspan_kernel::input::read_ncu;
use warpspan_model::assumption::{Assumption, Id};
use warpspan_model::machine::{Declared, Role};
use warpspan_rta::time::launch_traffic;

/// What is declared of the traffic of a launch.
#[derive(Debug, Default)]
pub(crate) struct Traffic {
    /// The most that servers are asked.
    pub(crate) most: Vec<Declared>,
    /// The bytes that move through the DRAM at least.
    pub(crate) least_dram: u128,
    /// What is said of it.
    pub(crate) says: Vec<Assumption>,
    /// What is declared in vain, a sentence each.
    pub(crate) notes: Vec<String>,
    /// Whether numbers of bytes are declared.
    pub(crate) declared: bool,
}

impl Traffic {
    /// What the flags say of the launch of a kernel.
    pub(crate) fn of(args: &Said, kernel: &Kernel) -> Result<Self, Failure> {
        let mut found = Self::default();
        let flags = [
            ("--dram-bytes", Id::DramBytes, "DRAM", Role::Dram, args.dram_bytes),
            ("--l2-bytes", Id::L2Bytes, "L2", Role::L2, args.l2_bytes),
        ];
        for (flag, id, server, role, moved) in flags {
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
                found.notes.push(format!(
                    "[declared.larger] bytes of {flag}: your declaration of {} is larger than all that the accesses of the code can cost \
                     {server} ({most}), which counts",
                    declared.bytes
                ));
                if least > 0 {
                    let subject = format!("what the launch moves through {server}");
                    found
                        .says
                        .push(Assumption::declared(id, subject, format!("at least {least} bytes")).by(flag));
                }
            } else {
                let lines = if declared.in_lines { ", in lines" } else { "" };
                let least = if least > 0 { format!("{least} to ") } else { "at most ".to_owned() };
                let subject = format!("what the launch moves through {server}");
                found
                    .says
                    .push(Assumption::declared(id, subject, format!("{least}{bytes} bytes{lines}")).by(flag));
            }
            found.most.push(declared);
        }
        if let Some(file) = &args.ncu {
            found.counted(file, kernel)?;
        }
        found.declared = !found.most.is_empty();
        Ok(found)
    }

    /// The same if caches keep what is touched.
    pub(crate) fn with_kept(mut self, kept: Vec<KeptTraffic>) -> Self {
        for KeptTraffic { most, says, note, .. } in kept {
            self.most.extend(most);
            self.notes.extend(note);
            self.says.extend(says);
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
        let value = "no launch is missing, though its form has no mark of its end";
        self.says.push(Assumption::assumed(Id::NcuWhole, place, value));
        let of_servers = [
            (Role::Dram, Id::DramBytes, counted.dram_bytes, "DRAM"),
            (Role::L2, Id::L2Bytes, counted.l2_bytes, "L2"),
        ];
        for (role, id, bytes, server) in of_servers {
            let Some(bytes) = bytes else { continue };
            self.most.push(Declared { role, bytes: bytes.into(), in_lines: false, further: 0 });
            let plural = if counted.launches == 1 { "" } else { "es" };
            let value =
                format!("at most {bytes} bytes, as were counted in {} launch{plural}", counted.launches);
            let subject = format!("what the launch moves through {server}");
            self.says.push(Assumption::declared(id, subject, value).by(format!("--ncu {place}")));
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
