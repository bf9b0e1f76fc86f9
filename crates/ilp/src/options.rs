//! The options of the ILP.

use std::path::PathBuf;

use crate::Horizon;
use warpspan_check::bound::Theorem;

/// The formulation, which says how work conservation is put into rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Formulation {
    /// Be12 with short constraints (34, 37).
    ///
    /// Fig. 3 shows these constraints.
    Short,
    /// Be12 with long constraints (33, 36).
    Long,
    /// Warps of a group as an ordered crowd.
    ///
    /// This formulation is our own.
    Aggregated,
}

impl Formulation {
    /// Every formulation.
    pub const ALL: [Self; 3] = [Self::Short, Self::Long, Self::Aggregated];

    /// The name on the command line and in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Short => "short",
            Self::Long => "long",
            Self::Aggregated => "aggregated",
        }
    }

    /// The theorem behind its dual bound over a safe horizon.
    #[cfg_attr(not(feature = "highs"), expect(dead_code, reason = "the only solver is HiGHS"))]
    pub(super) const fn theorem(self) -> Theorem {
        match self {
            Self::Short => Theorem::DualShort,
            Self::Long => Theorem::DualLong,
            Self::Aggregated => Theorem::DualAggregated,
        }
    }
}

/// Options for building and solving the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The formulation.
    pub formulation: Formulation,
    /// The horizon T.
    pub horizon: Horizon,
    /// Whether the formulation is built as published, without renamed warps and without windows.
    pub plain: bool,
    /// A file to which the model is written before it is solved. Its ending says whether the format is LP or
    /// MPS.
    pub write_model: Option<PathBuf>,
    /// A file to which the solver writes its log.
    pub log: Option<PathBuf>,
}

impl Options {
    /// The aggregated formulation over a safe horizon.
    pub const DEFAULT: Self = Self {
        formulation: Formulation::Aggregated,
        horizon: Horizon::Safe,
        plain: false,
        write_model: None,
        log: None,
    };
}

impl Default for Options {
    fn default() -> Self {
        Self::DEFAULT
    }
}
