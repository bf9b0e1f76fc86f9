//! What is to be computed for a cell.

use std::fmt;
use std::str::FromStr;

use crate::engines::portfolio::{Engine, IlpOptions, Solution, SolveError, solve};
use crate::limits::Limits;
use crate::model::Instance;

/// An engine asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Asked {
    /// None: the bounds alone, and the closed form where it applies.
    Bounds,
    /// The engine that suits the instance.
    Auto,
    /// The exhaustive search over states.
    States,
    /// The closed form, or the phase bound and the search that it guides.
    Phase,
    /// The binary ILP, in a formulation; as published, with its horizon (Eq. 5-7), if `plain`.
    #[cfg(feature = "highs")]
    Ilp {
        /// Which constraints.
        formulation: crate::engines::ilp::Formulation,
        /// No renaming of warps, no windows, no safe horizon.
        plain: bool,
    },
}

impl Asked {
    /// Solves an instance; `None` for the bounds alone.
    pub(super) fn solve(self, instance: &Instance, limits: &Limits) -> Option<Result<Solution, SolveError>> {
        let (engine, options) = match self {
            Self::Bounds => return None,
            Self::Auto => (Engine::Auto, IlpOptions::default()),
            Self::States => (Engine::States, IlpOptions::default()),
            Self::Phase => (Engine::Phase, IlpOptions::default()),
            #[cfg(feature = "highs")]
            Self::Ilp { formulation, plain } => {
                use crate::engines::ilp::Horizon;
                let horizon = if plain { Horizon::Paper } else { Horizon::Safe };
                (Engine::Ilp, IlpOptions { formulation, plain, horizon, ..IlpOptions::default() })
            }
        };
        Some(solve(instance, engine, &options, limits, None))
    }

    /// Every engine of this build.
    pub fn all() -> Vec<Self> {
        #[cfg_attr(not(feature = "highs"), expect(unused_mut, reason = "the ILP is not there"))]
        let mut all = vec![Self::Bounds, Self::Auto, Self::States, Self::Phase];
        #[cfg(feature = "highs")]
        for formulation in crate::engines::ilp::Formulation::ALL {
            all.extend([false, true].map(|plain| Self::Ilp { formulation, plain }));
        }
        all
    }
}

impl fmt::Display for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bounds => write!(f, "bounds"),
            Self::Auto => write!(f, "auto"),
            Self::States => write!(f, "states"),
            Self::Phase => write!(f, "phase"),
            #[cfg(feature = "highs")]
            Self::Ilp { formulation, plain } => {
                write!(f, "ilp-{}{}", formulation.name(), if *plain { "-plain" } else { "" })
            }
        }
    }
}

impl FromStr for Asked {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let all = Self::all();
        let names: Vec<String> = all.iter().map(ToString::to_string).collect();
        match names.iter().position(|name| name == text) {
            Some(at) => Ok(all[at]),
            None if text.starts_with("ilp") && !cfg!(feature = "highs") => {
                Err("this build has no HiGHS: build with the feature `highs`, on by default".into())
            }
            None => Err(format!("want one of {}", names.join(", "))),
        }
    }
}
