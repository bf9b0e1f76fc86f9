//! Several kernels on the multiprocessor, and larger sigmas: the ILP and the search over states against brute
//! force on random instances.
#![cfg(feature = "highs")]

use crate::brute;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use warpspan::bound::{Upper, bottleneck, critical_path};
use warpspan::engines::ilp::{Formulation, Options};
use warpspan::engines::{simulate, states};
use warpspan::model::{Instance, Multiprocessor, WarpGroup};
use warpspan::schedule::file::{Form, read, write};
use warpspan::schedule::replay;

use crate::common::{by_ilp, limits};

fn group() -> impl Strategy<Value = (String, u64)> {
    ("[LC]{1,4}", 1..=2_u64)
}

fn instance() -> impl Strategy<Value = Instance> {
    let sigma = || prop::sample::select(vec!["1", "2", "3", "1/2"]);
    (prop::collection::vec(group(), 1..=3), sigma(), sigma()).prop_filter_map(
        "small enough",
        |(groups, l, c)| {
            let groups = groups
                .into_iter()
                .map(|(kernel, warps)| WarpGroup { kernel: kernel.parse().unwrap(), warps });
            let multiprocessor = Multiprocessor::new(l.parse().unwrap(), c.parse().unwrap());
            let instance = Instance::new(groups.collect(), multiprocessor).unwrap();
            (instance.total_issues() <= 16).then_some(instance)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, rng_seed: RngSeed::Fixed(2012), ..ProptestConfig::default() })]

    #[test]
    fn every_formulation_is_exact(instance in instance()) {
        let (best, worst) = brute::makespans(&instance);
        prop_assert!(critical_path(&instance).cycles().0 >= worst);
        prop_assert!(bottleneck(&instance).cycles().0 <= best);
        for schedule in simulate::schedules(&instance, &limits()) {
            let makespan = replay(&instance, schedule).unwrap().makespan().0;
            prop_assert!((best..=worst).contains(&makespan));
        }
        let states = states::solve(&instance, &limits(), &|_| ()).unwrap();
        prop_assert_eq!((states.best.unwrap().0, states.worst.cycles().0), (best, worst));
        for formulation in Formulation::ALL {
            for plain in [false, true] {
                if plain && instance.total_issues() > 10 {
                    continue; // This is exact too, but slow.
                }
                let options = Options { formulation, plain, ..Options::default() };
                let outcome = by_ilp(&instance, &options);
                let witness = replay(&instance, outcome.schedule.unwrap()).unwrap();
                prop_assert_eq!(witness.makespan().0, worst, "{:?} {}", formulation, plain);
                prop_assert_eq!(outcome.upper.map(Upper::cycles), Some(witness.makespan()));
            }
        }
    }

    /// A schedule with one issue changed is refused, or it is another valid schedule; it is never accepted
    /// without a replay.
    #[test]
    fn the_verifier_counts_every_issue(instance in instance(), drop in any::<prop::sample::Index>()) {
        let schedule = simulate::schedules(&instance, &limits()).remove(0);
        let mut issues = schedule.issues().to_vec();
        issues.remove(drop.index(issues.len()));
        prop_assert!(replay(&instance, warpspan::schedule::Schedule::new(issues)).is_err());
        let mut csv = Vec::new();
        write(&instance, &schedule, Form::Csv, &mut csv).unwrap();
        prop_assert_eq!(read(&instance, Form::Csv, &csv).unwrap(), schedule);
    }
}
