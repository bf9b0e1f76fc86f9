//! A model that the program writes solves elsewhere unchanged. A parser and a solver that share nothing with
//! HiGHS, which writes it, read it as LP and as MPS.
//!
//! The models in `tests/data/models` are those of `solve --write-model`: of LC with two warps as published, and
//! of LCL with three warps with renamed warps and windows.

use std::collections::BTreeMap;

use lp_parser_rs::LpProblem;
use lp_parser_rs::model::{ComparisonOp, Constraint, Sense, VariableKind};
use microlp::{ComparisonOp as Compare, OptimizationDirection, Problem};

/// A row: the terms by name, the comparison and the right-hand side.
type Row = (BTreeMap<String, i64>, &'static str, i64);

/// What a file says, whatever its format.
#[derive(Debug, PartialEq, Eq)]
struct Model {
    objective: BTreeMap<String, i64>,
    constant: i64,
    rows: BTreeMap<String, Row>,
    binaries: Vec<String>,
    /// The variables of other kinds, each with what it may be.
    others: BTreeMap<String, String>,
}

fn text(name: &str) -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/models/");
    std::fs::read_to_string(format!("{path}{name}")).unwrap()
}

/// All coefficients of these models are whole.
fn whole(value: f64) -> i64 {
    assert!((value - value.round()).abs() < 1e-9, "{value}");
    #[expect(clippy::cast_possible_truncation, reason = "a small whole number")]
    let whole = value.round() as i64;
    whole
}

fn read(problem: &LpProblem) -> Model {
    assert_eq!(problem.sense, Sense::Maximize);
    let name = |id| problem.resolve(id).to_owned();
    assert_eq!(problem.objectives.len(), 1);
    let (_, objective) = problem.objectives.first().unwrap();
    let terms = |terms: &[lp_parser_rs::model::Coefficient]| -> BTreeMap<String, i64> {
        let terms = terms.iter().map(|term| (name(term.name), whole(term.value)));
        terms.filter(|(_, value)| *value != 0).collect()
    };
    let row = |constraint: &Constraint| {
        let Constraint::Standard { name: id, coefficients, operator, rhs, .. } = constraint else {
            panic!("a row is linear")
        };
        let compare = match operator {
            ComparisonOp::LTE => "<=",
            ComparisonOp::GTE => ">=",
            ComparisonOp::EQ => "=",
            other => panic!("{other:?}"),
        };
        (name(*id), (terms(coefficients), compare, whole(*rhs)))
    };
    let (mut binaries, mut others) = (Vec::new(), BTreeMap::new());
    for variable in problem.variables.values() {
        let bounds = (variable.bounds.lower.unwrap_or(0.0), variable.bounds.upper.unwrap_or(f64::INFINITY));
        let is_bit = variable.kind == VariableKind::Binary
            || matches!(variable.kind, VariableKind::Integer | VariableKind::General) && bounds == (0.0, 1.0);
        if is_bit {
            binaries.push(name(variable.name));
        } else {
            assert_eq!(variable.kind, VariableKind::Continuous);
            others.insert(name(variable.name), format!("{bounds:?}"));
        }
    }
    binaries.sort_unstable();
    Model {
        objective: terms(&objective.coefficients),
        constant: whole(objective.constant),
        rows: problem.constraints.values().map(row).collect(),
        binaries,
        others,
    }
}

/// The optimum of a model by a solver in Rust.
fn optimum(model: &Model) -> i64 {
    #[expect(clippy::cast_precision_loss, reason = "small whole numbers")]
    let real = |value: i64| value as f64;
    let mut problem = Problem::new(OptimizationDirection::Maximize);
    let weight = |name: &String| real(model.objective.get(name).copied().unwrap_or(0));
    let mut variables: BTreeMap<&String, microlp::Variable> =
        model.binaries.iter().map(|name| (name, problem.add_binary_var(weight(name)))).collect();
    for (name, bounds) in &model.others {
        let most = if bounds == "(0.0, 1.0)" { 1.0 } else { f64::INFINITY };
        variables.insert(name, problem.add_var(weight(name), (0.0, most)));
    }
    for (terms, compare, rhs) in model.rows.values() {
        let compare = match *compare {
            "<=" => Compare::Le,
            ">=" => Compare::Ge,
            _ => Compare::Eq,
        };
        let terms: Vec<_> = terms.iter().map(|(name, &value)| (variables[name], real(value))).collect();
        problem.add_constraint(&terms[..], compare, real(*rhs));
    }
    let solution = problem.solve().unwrap().into_solution().unwrap();
    whole(solution.objective().round()) + model.constant
}

/// The optimum is the worst case that an exhaustive search outside this project has found: 3 cycles for LC with two
/// warps, 7 for LCL with three.
#[test]
fn models_have_the_same_optimum_elsewhere() {
    let worst = |kernel: &str, warps: u64| {
        let rows = crate::common::oracle();
        let row = rows.into_iter().find(|row| {
            (row.kernel.as_str(), row.warps, row.sigma_l.as_str(), row.sigma_c.as_str())
                == (kernel, warps, "1", "1")
        });
        i64::try_from(row.unwrap().worst).unwrap()
    };
    for formulation in ["short", "long", "aggregated"] {
        for (ending, worst) in [("-plain", worst("LC", 2)), ("", worst("LCL", 3))] {
            let name = format!("{formulation}{ending}");
            let lp = read(&LpProblem::parse(&text(&format!("{name}.lp"))).unwrap());
            let mps = read(&LpProblem::parse_mps(&text(&format!("{name}.mps"))).unwrap());
            assert_eq!(lp.rows, mps.rows, "{name}");
            assert_eq!(lp.objective, mps.objective, "{name}");
            assert!(lp.rows.len() > 10 && lp.binaries.len() > 5, "{name}");
            assert_eq!((optimum(&lp), optimum(&mps)), (worst, worst), "{name}");
        }
    }
}

/// CPLEX reads lines of LP up to 560 characters, and names up to 255.
#[test]
fn lines_and_names_are_short_enough() {
    for formulation in ["short", "long", "aggregated"] {
        for ending in ["-plain.lp", ".lp", "-plain.mps", ".mps"] {
            let text = text(&format!("{formulation}{ending}"));
            assert!(text.is_ascii());
            for line in text.lines() {
                assert!(line.len() <= 560, "{formulation}{ending}: {line}");
                assert!(line.split_whitespace().all(|word| word.len() <= 255));
            }
        }
    }
}

/// The files are what the program writes today.
#[cfg(feature = "highs")]
#[test]
fn the_models_are_those_that_are_written() {
    let folder = tempfile::tempdir().unwrap();
    for formulation in ["short", "long", "aggregated"] {
        for (name, args) in
            [("-plain", &["LC", "--warps", "2", "--plain"][..]), ("", &["LCL", "--warps", "3"])]
        {
            for ending in ["lp", "mps"] {
                let name = format!("{formulation}{name}.{ending}");
                let path = folder.path().join(&name);
                let mut command = assert_cmd::Command::cargo_bin("warpspan").unwrap();
                command.args(["solve", "--kernel"]).args(args).args(["--formulation", formulation]);
                command.arg("--write-model").arg(&path).assert().success();
                assert_eq!(std::fs::read_to_string(&path).unwrap(), text(&name), "{name}");
            }
        }
    }
}
