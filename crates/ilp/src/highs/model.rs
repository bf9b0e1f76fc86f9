//! A model under construction: good_lp on HiGHS, with names and counts of its parts.

use good_lp::solvers::highs::{HighsProblem, highs};
use good_lp::{
    Expression, IntoAffineExpression, ProblemVariables, SolverModel, Variable, VariableDefinition,
};

use crate::ModelSize;

/// A 0/1 variable and its index in HiGHS's solution.
#[derive(Debug, Clone, Copy)]
pub(super) struct Column {
    variable: Variable,
    pub(super) index: usize,
}

/// A 0/1 value in a row: either a variable, or a constant where the windows leave no choice.
#[derive(Debug, Clone, Copy)]
pub(super) enum Term {
    /// A constant.
    Known(bool),
    /// A variable.
    Free(Column),
}

/// Adds `factor` times a term to an expression.
pub(super) fn add(expression: &mut Expression, factor: f64, term: Term) {
    match term {
        Term::Known(value) => *expression += factor * f64::from(u8::from(value)),
        Term::Free(column) => expression.add_mul(factor, column.variable),
    }
}

/// The columns of a model whose objective is not set yet.
pub(super) struct Columns {
    variables: ProblemVariables,
    names: Option<Vec<String>>,
    binaries: usize, // the number of 0/1 variables, which stand before the counts
}

impl Columns {
    pub(super) fn new(keep_names: bool) -> Self {
        Self { variables: ProblemVariables::new(), names: keep_names.then(Vec::new), binaries: 0 }
    }

    /// Creates a new 0/1 variable.
    pub(super) fn binary(&mut self, name: impl FnOnce() -> String) -> Column {
        self.binaries += 1;
        self.add(good_lp::variable().binary(), name)
    }

    /// Creates a new variable from 0 to `most` whose value the rows fix to a count. It must come after all
    /// 0/1 variables.
    pub(super) fn count(&mut self, most: u64, name: impl FnOnce() -> String) -> Column {
        self.add(good_lp::variable().min(0.0).max(real(most)), name)
    }

    fn add(&mut self, definition: VariableDefinition, name: impl FnOnce() -> String) -> Column {
        let index = self.variables.len();
        if let Some(names) = &mut self.names {
            names.push(name());
        }
        Column { variable: self.variables.add(definition), index }
    }

    /// Ends the columns and sets the objective. Rows follow.
    pub(super) fn maximise(self, objective: Expression) -> Model {
        let columns = self.variables.len() as u64;
        Model {
            constant: objective.constant(),
            problem: highs(self.variables.maximise(objective)),
            binaries: self.binaries,
            column_names: self.names,
            row_names: Vec::new(),
            size: ModelSize { rows: 0, columns, nonzeros: 0 },
        }
    }
}

/// The columns, the objective and the rows of a model.
pub(super) struct Model {
    pub(super) problem: HighsProblem,
    /// The constant of the objective, which good_lp does not pass on to HiGHS.
    pub(super) constant: f64,
    /// The number of 0/1 variables, which are the first columns.
    pub(super) binaries: usize,
    pub(super) column_names: Option<Vec<String>>,
    pub(super) row_names: Vec<String>,
    pub(super) size: ModelSize,
}

/// The sense of a row: how its two sides compare.
#[derive(Debug, Clone, Copy)]
pub(super) enum Sense {
    AtMost,
    AtLeast,
    Equal,
}

impl Model {
    /// Adds the row `left (sense) right`. A row without variables is dropped if it holds. If it does not hold
    /// it is kept, so that HiGHS finds the model infeasible.
    pub(super) fn row(&mut self, name: impl FnOnce() -> String, left: Expression, sense: Sense, right: f64) {
        let nonzeros =
            IntoAffineExpression::linear_coefficients(&left).filter(|&(_, factor)| factor != 0.0).count();
        if nonzeros == 0 {
            let value = left.constant();
            let holds = match sense {
                Sense::AtMost => value <= right,
                Sense::AtLeast => value >= right,
                Sense::Equal => value == right,
            };
            if holds {
                return;
            }
        }
        self.size.rows += 1;
        self.size.nonzeros += nonzeros as u64;
        if self.column_names.is_some() {
            self.row_names.push(name());
        }
        self.problem.add_constraint(match sense {
            Sense::AtMost => left.leq(right),
            Sense::AtLeast => left.geq(right),
            Sense::Equal => left.eq(right),
        });
    }
}

/// A count as a coefficient.
#[expect(clippy::cast_precision_loss, reason = "counts in a model that fits in memory are far below 2^53")]
pub(super) fn real(count: u64) -> f64 {
    count as f64
}
