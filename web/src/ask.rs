//! From what the page asks to a workload, by the same route as the command line: a file, and flags that win over it.

use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use warpspan::input::{
    AnyDraft, Asked, Draft, Flags, GridKeys, LISTING_LIMITS, NamedMachine, find_machine, read_for,
};
use warpspan::limits::Limits;
use warpspan::model::assumption::Rests;
use warpspan::model::machine::Step;
use warpspan::model::program::Piece;
use warpspan::model::{CodeError, Group, Instance, Workload};
use warpspan::records;

/// What is asked of the engines.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Ask {
    /// The text of an instance file.
    pub(crate) file: Option<String>,
    pub(crate) kernel: Option<String>,
    pub(crate) warps: Option<u64>,
    pub(crate) warps_per_block: Option<u64>,
    pub(crate) groups: Vec<records::Group>,
    pub(crate) sigma_l: Option<String>,
    pub(crate) sigma_c: Option<String>,
    pub(crate) compute_capability: Option<String>,
    pub(crate) same_path: bool,
    pub(crate) blocks: Option<u64>,
    pub(crate) resident: Option<u64>,
    pub(crate) multiprocessors: Option<u64>,
    /// A machine by its name.
    pub(crate) machine: Option<String>,
    /// Seconds that the engines may take.
    pub(crate) seconds: Option<f64>,
    /// Bytes that the engines may take.
    pub(crate) memory: Option<u64>,
    pub(crate) with_schedule: bool,
    /// The x of the estimate.
    pub(crate) up_to: Option<u64>,
}

/// What is meant, and what should be said beside the numbers.
pub(crate) type Meant = (Asked, Rests);

impl Ask {
    /// What is meant.
    pub(crate) fn meant(&self) -> Result<Meant, String> {
        let machine = self.machine.as_deref().map(find_machine).transpose();
        let machine = machine.map_err(|error| error.to_string())?.map(Arc::new);
        let draft = match (&self.file, &machine) {
            (Some(text), _) => {
                read_for("the file", text, machine.as_ref()).map_err(|error| error.to_string())?
            }
            (None, Some(machine)) => AnyDraft::Machine(Arc::clone(machine), Draft::default()),
            (None, None) => AnyDraft::Paper(Draft::default()),
        };
        match draft {
            AnyDraft::Paper(draft) => self.on_paper(draft),
            AnyDraft::Machine(machine, draft) => self.on_machine(draft, &machine),
        }
    }

    fn on_paper(&self, draft: Draft) -> Result<Meant, String> {
        let flags = Flags {
            capability: parsed("compute capability", self.compute_capability.as_ref())?,
            sigma_l: parsed("sigma L", self.sigma_l.as_ref())?,
            sigma_c: parsed("sigma C", self.sigma_c.as_ref())?,
            ..self.flags(&|text| text.parse())?
        };
        let mut rests = Rests::from(Vec::from_iter(draft.assumes(&flags, ["--sigma-l", "--sigma-c"])));
        let asked = draft.asked(&flags).map_err(|error| error.to_string())?;
        if !asked.is_straight() {
            rests.notes.push(LISTING_LIMITS.into());
        }
        Ok((asked, rests))
    }

    fn on_machine(&self, draft: Draft<Piece<Step>>, machine: &Arc<NamedMachine>) -> Result<Meant, String> {
        if self.sigma_l.is_some() || self.sigma_c.is_some() || self.compute_capability.is_some() {
            return Err("sigmas: there is a machine, whose units say how many issue".to_owned());
        }
        let flags = self.flags(&|text| machine.machine.code(text))?;
        let asked = draft.on_machine(&flags, machine).map_err(|error| error.to_string())?;
        let rests = match &asked {
            Asked::OnMachine(on) => on.assumes().into(),
            _ => Rests::default(),
        };
        Ok((asked, rests))
    }

    /// What every kind of machine has.
    fn flags<C>(&self, parse: &dyn Fn(&str) -> Result<C, CodeError>) -> Result<Flags<C>, String> {
        let code = |text: &String| parse(text).map_err(|error| format!("kernel {text:?}: {error}"));
        let group = |group: &records::Group| Ok(Group { code: code(&group.kernel)?, warps: group.warps });
        let Self { blocks, resident, multiprocessors, .. } = *self;
        Ok(Flags {
            kernel: self.kernel.as_ref().map(code).transpose()?,
            warps: self.warps,
            warps_per_block: self.warps_per_block,
            groups: self.groups.iter().map(group).collect::<Result<_, String>>()?,
            grid: GridKeys { blocks, resident, multiprocessors },
            same_path: self.same_path,
            ..Flags::default()
        })
    }

    /// The straight-line warps that are meant, which alone have schedules to step through.
    pub(crate) fn straight(&self) -> Result<(Workload, Instance, Rests), String> {
        let (asked, rests) = self.meant()?;
        let workload = match asked {
            Asked::Workload(workload) => workload,
            _ => return Err("want warps that start together on the multiprocessor of two sigmas".to_owned()),
        };
        let instance =
            workload.instance().ok_or("the kernel has branches or loops: it has no one schedule")?;
        Ok((workload.clone(), instance.clone(), rests))
    }

    /// The limits, from now on.
    pub(crate) fn limits(&self) -> Limits {
        let time = self.seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        Limits::new(time, self.memory.unwrap_or(MEMORY), 1, Arc::default())
    }
}

/// Bytes that engines may take where nothing is said; a browser has 4 GiB for a module at most.
const MEMORY: u64 = 1 << 30;

/// A value that may be given.
fn parsed<T: std::str::FromStr<Err: std::fmt::Display>>(
    name: &str,
    text: Option<&String>,
) -> Result<Option<T>, String> {
    let one = |text: &String| text.parse().map_err(|error| format!("{name} {text:?}: {error}"));
    text.map(one).transpose()
}
