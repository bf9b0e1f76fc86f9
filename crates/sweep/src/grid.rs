//! Grids and their cells.

use std::fmt::{Display, Write};
use std::hash::{Hash, Hasher};
use std::time::Duration;

use crate::Settings;
use crate::factors::{every_kernel, list, multiprocessors, once, policies};
use crate::lists::{items, numbers};
use crate::{CellEngine, Row};
use warpspan_engines::program::{self, ProgramError};
use warpspan_model::limits::Stop;
use warpspan_model::source::{InputError, Message, Remedy};
use warpspan_model::{Code, Multiprocessor, Unit, Workload};
use warpspan_solver::policy::Policy;
use warpspan_solver::portfolio::free_terms;

/// The time limit of a cell where none is given.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// The product of kernels, sigmas, numbers of warps, engines and values of x for the estimate. Cells are
/// numbered in this order, with the last factor varying fastest.
#[derive(Debug, Clone)]
pub struct Grid {
    kernels: Vec<Code>,
    /// The code of the listing, if one is given, with the name of its entry.
    listed: Option<(Code, String)>,
    multiprocessors: Vec<Multiprocessor>,
    warps: Vec<u64>,
    engines: Vec<CellEngine>,
    /// The values of x for the estimate; `None` stands for the default of the command `bound`.
    up_to: Vec<Option<u64>>,
    /// The time limit of each cell.
    pub(super) time_limit: Duration,
    /// The policies that are simulated in each cell.
    pub(super) policies: Vec<Policy>,
    name: String,
    cells: u64,
}

/// One cell of a grid.
#[derive(Debug, Clone)]
pub struct Cell {
    /// The number of the cell, from 1.
    pub number: u64,
    /// The workload that is to be solved: warps of one code, in one block.
    pub workload: Workload,
    /// The name of the listing's entry, if the code is from a listing.
    pub entry: Option<String>,
    /// The engine that is to solve it.
    pub engine: CellEngine,
    /// The x of the estimate, if one is wanted.
    pub up_to: Option<u64>,
}

impl Cell {
    /// The text of the kernel string or the program that its warps run.
    pub(super) fn kernel(&self) -> String {
        self.workload.groups()[0].code.to_string()
    }
}

impl Grid {
    /// The grid that flags and files describe by the keys of [`KEYS`](crate::KEYS). If a listing is
    /// given, `listed` is its code with the name of its entry.
    ///
    /// # Errors
    /// If something is missing or contradictory, or the bounds of a cell cannot be computed.
    pub fn new(settings: &Settings, listed: Option<(Code, String)>) -> Result<Self, InputError> {
        let warps = list(settings, "warps", numbers)?.ok_or_else(|| {
            let what = Message::text("no warps are given: want ").remedy(Remedy::SweptWarps);
            InputError::with("", what)
        })?;
        let up_to = list(settings, "up-to", numbers)?;
        let time_limit = list(settings, "time-limit", |text| {
            humantime::parse_duration(text).map_err(|error| format!("{text:?}: {error}: want 30s, 5m, 1h"))
        })?;
        let mut grid = Self {
            kernels: every_kernel(settings, listed.as_ref().map(|(code, _)| code.clone()))?,
            listed,
            multiprocessors: multiprocessors(settings)?,
            warps,
            engines: once(list(settings, "engines", items)?.unwrap_or_else(|| vec![CellEngine::Auto])),
            up_to: up_to.map_or_else(|| vec![None], |up_to| up_to.into_iter().map(Some).collect()),
            time_limit: time_limit.unwrap_or(TIME_LIMIT),
            policies: once(list(settings, "policies", policies)?.unwrap_or_default()),
            name: String::new(),
            cells: 0,
        };
        grid.cells = [grid.multiprocessors.len(), grid.warps.len(), grid.engines.len(), grid.up_to.len()]
            .into_iter()
            .try_fold(grid.kernels.len() as u64, |cells, more| cells.checked_mul(more as u64))
            .ok_or_else(|| InputError::new("", "more cells than can be counted: want a smaller grid"))?;
        grid.name = grid.hash();
        grid.check(settings)?;
        Ok(grid)
    }

    /// Checks that every cell can be computed.
    fn check(&self, settings: &Settings) -> Result<(), InputError> {
        let most = self.warps.iter().copied().max().unwrap_or(1);
        for kernel in &self.kernels {
            if let Code::Program(_) = kernel {
                let refused = |key: &str, what: &str| {
                    let what = format!("there is a kernel with branches or loops: want {what}");
                    settings.get(key).map_or_else(|| InputError::new("", &*what), |text| text.error(&what))
                };
                if !self.engines.iter().all(|engine| matches!(engine, CellEngine::Auto | CellEngine::Bounds))
                {
                    return Err(refused("engines", "auto or bounds"));
                }
                if !self.policies.is_empty() {
                    return Err(refused("policies", "none, or straight lines"));
                }
            }
            // Fewer warps have no larger bounds, so only the most warps need to be checked.
            for &multiprocessor in &self.multiprocessors {
                let error =
                    |error: &dyn Display| InputError::new("", format!("{kernel}, {most} warps: {error}"));
                let workload = Workload::single(kernel.clone(), most, multiprocessor);
                has_bounds(&workload.map_err(|what| error(&what))?).map_err(|what| error(&what))?;
            }
        }
        Ok(())
    }

    /// How many cells it has.
    pub fn cells(&self) -> u64 {
        self.cells
    }

    /// A hash of the grid's contents, which serves as its name. Grids with the same cells and the same
    /// policies have the same name, whatever their limits.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The cell with the given number, from 1.
    ///
    /// # Panics
    /// If there is no such cell.
    #[doc(hidden)]
    pub fn cell(&self, number: u64) -> Cell {
        assert!((1..=self.cells).contains(&number), "a cell of the grid");
        let mut left = number - 1;
        let mut pick = |of: usize| {
            let at = left % of as u64;
            left /= of as u64;
            usize::try_from(at).expect("less than the length of a list")
        };
        let up_to = self.up_to[pick(self.up_to.len())];
        let engine = self.engines[pick(self.engines.len())];
        let warps = self.warps[pick(self.warps.len())];
        let multiprocessor = self.multiprocessors[pick(self.multiprocessors.len())];
        let kernel = &self.kernels[pick(self.kernels.len())];
        let workload = Workload::single(kernel.clone(), warps, multiprocessor).expect("looked at before");
        let up_to = workload.instance().and_then(|instance| up_to.or(free_terms(instance)));
        let up_to = up_to.map(|up_to| up_to.min(warps));
        let entry = self.listed.as_ref().filter(|(code, _)| code == kernel).map(|(_, entry)| entry.clone());
        Cell { number, workload, entry, engine, up_to }
    }

    /// Whether a row belongs to this grid.
    pub fn has(&self, row: &Row) -> bool {
        if row.grid != self.name || !(1..=self.cells).contains(&row.cell) {
            return false;
        }
        let cell = self.cell(row.cell);
        let sigma = |unit| cell.workload.multiprocessor().sigma(unit).to_string();
        row.kernel == cell.kernel()
            && row.warps == cell.workload.total_warps()
            && (&row.sigma_l, &row.sigma_c) == (&sigma(Unit::LoadStore), &sigma(Unit::CudaCore))
            && row.asked == cell.engine.to_string()
    }

    /// Whether a cell should be solved again: a time limit stopped it, and it would now have at least a tenth
    /// more time than it took.
    pub fn wants_again(&self, row: &Row) -> bool {
        row.stop.as_deref() == Some(Stop::TimeLimit.name())
            && self.time_limit.as_secs_f64() > 1.1 * row.seconds
    }

    fn hash(&self) -> String {
        let mut hasher = fnv::FnvHasher::default();
        let mut text = String::new();
        for kernel in &self.kernels {
            let _ = write!(text, "{kernel},");
            if let Code::Program(_) = kernel {
                text.push('p'); // the text of a program may equal that of a kernel string
            }
        }
        for multiprocessor in &self.multiprocessors {
            let [l, c] = Unit::ALL.map(|unit| multiprocessor.sigma(unit));
            let _ = write!(text, ";{l},{c}");
        }
        for engine in &self.engines {
            let _ = write!(text, ";{engine}");
        }
        let _ = write!(text, ";{:?};{:?};policies", self.warps, self.up_to);
        for policy in &self.policies {
            let _ = write!(text, ";{policy}");
        }
        text.hash(&mut hasher);
        format!("{:016x}", hasher.finish())
    }
}

/// Checks that the bounds of a workload with branches or loops can be computed; those of straight lines
/// always can.
fn has_bounds(workload: &Workload) -> Result<(), ProgramError> {
    if workload.instance().is_some() {
        return Ok(());
    }
    program::bound(workload)?;
    let demand = program::demand(workload)?;
    demand.critical_path().zip(demand.pessimistic()).map(|_| ()).ok_or(ProgramError::Overflow)
}
