//! Every engine against exact values: the table of 1,508 instances, and brute force over named warps.
#![cfg(feature = "highs")]

use crate::brute;
use rayon::prelude::*;
use warpspan::bound::{Upper, bottleneck, critical_path, pessimistic};
use warpspan::check::plain_upper;
use warpspan::engines::ilp::{Formulation, Options};
use warpspan::engines::portfolio::{EngineChoice, Solver};
use warpspan::engines::simulate;
use warpspan::limits::Limits;
use warpspan::model::Instance;
use warpspan::schedule::replay;

use crate::common::{by_ilp as ilp_of, limits, oracle};

/// The worst case by a formulation: the schedule of HiGHS, replayed, and its dual bound must meet.
pub(crate) fn by_ilp(instance: &Instance, formulation: Formulation, plain: bool) -> u64 {
    let options = Options { formulation, plain, ..Options::default() };
    let outcome = ilp_of(instance, &options);
    let witness = replay(instance, outcome.schedule.expect("a solution")).expect("a valid schedule");
    assert_eq!(Some(witness.makespan()), outcome.upper.map(Upper::cycles), "optimum and dual bound");
    witness.makespan().0
}

#[test]
fn brute_force_agrees_with_the_table() {
    let rows: Vec<_> = oracle().into_iter().filter(|row| row.warps <= 4).collect();
    assert!(rows.len() > 900, "{}", rows.len());
    rows.par_iter().for_each(|row| {
        assert_eq!(brute::makespans(&row.instance()), (row.best, row.worst), "{row:?}");
    });
}

#[test]
fn each_formulation_to_four_letters_and_three_warps() {
    let rows: Vec<_> = oracle().into_iter().filter(|row| row.kernel.len() <= 4 && row.warps <= 3).collect();
    assert_eq!(rows.len(), 30 * 4 * 3);
    for formulation in Formulation::ALL {
        for plain in [false, true] {
            rows.par_iter().for_each(|row| {
                assert_eq!(
                    by_ilp(&row.instance(), formulation, plain),
                    row.worst,
                    "{formulation:?} {plain} {row:?}"
                );
            });
        }
    }
}

#[test]
fn aggregated_on_the_rest_of_the_table_that_is_quick() {
    let rows: Vec<_> = oracle().into_iter().filter(|row| row.instance().total_issues() <= 24).collect();
    assert!(rows.len() > 1_100, "{}", rows.len());
    rows.par_iter().for_each(|row| {
        assert_eq!(by_ilp(&row.instance(), Formulation::Aggregated, false), row.worst, "{row:?}");
    });
}

#[test]
fn the_closed_form_is_the_table_where_sigma_is_one() {
    let rows: Vec<_> = oracle().into_iter().filter(|row| row.instance().has_unit_sigma()).collect();
    assert!(rows.len() > 300);
    for row in &rows {
        let solution =
            Solver::new().engine(EngineChoice::Phase).limits(&limits()).solve(&row.instance()).unwrap();
        assert_eq!(solution.worst_case().lower().cycles().0, row.worst, "{row:?}");
        assert_eq!(solution.worst_case().upper().cycles().0, row.worst, "{row:?}");
        assert_eq!(solution.witness().unwrap().makespan().0, row.worst, "{row:?}");
    }
}

/// No bound is on the wrong side, unless its evidence says that it is an estimate.
#[test]
fn bounds_hold_on_the_whole_table() {
    let mut unsafe_rows = 0;
    for row in oracle() {
        let instance = row.instance();
        assert!(critical_path(&instance).cycles().0 >= row.worst, "{row:?}");
        assert!(plain_upper(&instance, None).cycles.0 >= row.worst, "{row:?}");
        assert!(bottleneck(&instance).cycles().0 <= row.best, "{row:?}");
        match pessimistic(&instance).upper() {
            Some(upper) => assert!(upper.cycles().0 >= row.worst, "{row:?}"),
            None => unsafe_rows += u32::from(pessimistic(&instance).cycles().0 < row.worst),
        }
        for schedule in simulate::schedules(&instance, &Limits::generous()) {
            let makespan = replay(&instance, schedule).unwrap().makespan().0;
            assert!((row.best..=row.worst).contains(&makespan), "{row:?}");
        }
    }
    assert!(unsafe_rows > 0, "E2: Eq. 5-7 fails above sigma = 1");
}
