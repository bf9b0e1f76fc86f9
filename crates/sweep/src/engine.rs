//! The engine that solves a cell.

use std::fmt;
use std::str::FromStr;

use warpspan_ilp::{self as ilp, Formulation, Horizon, Options};
use warpspan_model::Instance;
use warpspan_model::limits::Limits;
use warpspan_solver::portfolio::{EngineChoice, Solution, SolveError, Solver};

/// An engine, as a grid names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CellEngine {
    /// No engine: only the bounds are computed, and the closed form where it applies.
    Bounds,
    /// The portfolio, which chooses the engine that suits the instance.
    Auto,
    /// The exhaustive search over states.
    States,
    /// The closed form, or the phase bound and the search that it guides.
    Phase,
    /// The binary ILP. If it is `plain`, it is built as published, with the horizon of Eq. 5-7.
    Ilp {
        /// The formulation of the constraints.
        formulation: Formulation,
        /// Whether symmetry of warps is left unbroken, variables have no windows, and the horizon need not be
        /// safe.
        plain: bool,
    },
}

impl CellEngine {
    /// Solves an instance; `None` if only the bounds are wanted.
    pub(super) fn solve(self, instance: &Instance, limits: &Limits) -> Option<Result<Solution, SolveError>> {
        let engine = match self {
            Self::Bounds => return None,
            Self::Auto => EngineChoice::Auto,
            Self::States => EngineChoice::States,
            Self::Phase => EngineChoice::Phase,
            Self::Ilp { formulation, plain } => {
                let horizon = if plain { Horizon::Paper } else { Horizon::Safe };
                EngineChoice::Ilp(Options { formulation, plain, horizon, ..Options::DEFAULT })
            }
        };
        Some(Solver::new().engine(engine).limits(limits).solve(instance))
    }

    /// Every engine that this build has.
    pub fn all() -> Vec<Self> {
        let plain_or_not = |formulation| [false, true].map(|plain| Self::Ilp { formulation, plain });
        let ilp = Formulation::ALL.into_iter().flat_map(plain_or_not).filter(|_| ilp::AVAILABLE);
        [Self::Bounds, Self::Auto, Self::States, Self::Phase].into_iter().chain(ilp).collect()
    }
}

impl fmt::Display for CellEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bounds => write!(f, "bounds"),
            Self::Auto => write!(f, "auto"),
            Self::States => write!(f, "states"),
            Self::Phase => write!(f, "phase"),
            Self::Ilp { formulation, plain } => {
                write!(f, "ilp-{}{}", formulation.name(), if *plain { "-plain" } else { "" })
            }
        }
    }
}

impl FromStr for CellEngine {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let all = Self::all();
        let names: Vec<String> = all.iter().map(ToString::to_string).collect();
        match names.iter().position(|name| name == text) {
            Some(at) => Ok(all[at]),
            None if text.starts_with("ilp") && !ilp::AVAILABLE => {
                Err("this build has no HiGHS: build with the feature `highs`, on by default".into())
            }
            None => Err(format!("want one of {}", names.join(", "))),
        }
    }
}
