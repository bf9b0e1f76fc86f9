//! What else should be known of a measured run and the computed one, a sentence each.

use warpspan_document::rta::measured::spread;
use warpspan_model::time::Duration;
use warpspan_rta::{Computed, DRIFT, Excess, Measurement, NOT_JUDGED};

/// The most launches whose excess is told one by one.
const FEW: usize = 8;

/// The notes to the numbers, a sentence each.
pub(super) fn notes(
    run: &Measurement,
    [executions, bounds]: &[Vec<Excess>; 2],
    computed: &[Option<Computed>],
    is_given: bool,
) -> Vec<String> {
    let time = |time| format!("{} {}", run.system().unit().write(time), run.system().unit());
    let mut notes = Vec::new();
    for Excess { launch, measured, computed, .. } in bounds.iter().take(FEW) {
        let name = run.launch(*launch);
        notes.push(format!("{name} took {}, more than its bound of {}", time(*measured), time(*computed)));
    }
    if bounds.len() > FEW {
        notes.push(format!("{} more launches took more than their bounds", bounds.len() - FEW));
    }
    if !bounds.is_empty() && executions.is_empty() {
        let what = "no block exceeds C: what goes beyond the bounds is the launch itself and the placing of blocks, which they do not count";
        notes.push(what.to_owned());
    }
    if !executions.is_empty() {
        notes.push(
            "where a block takes longer than C, neither the bounds nor the computed run hold".to_owned(),
        );
    }
    if !is_given {
        notes.push(
            "C is the longest measured block of each kernel, so an estimate: other runs may have longer ones, and \
             the bounds do not hold for these"
                .to_owned(),
        );
    }
    notes.extend(order(run, computed));
    notes.extend(apart(run, computed));
    let behind =
        run.launches().iter().filter_map(|launch| launch.end().0.checked_sub(launch.synchronised?.0));
    if let Some(behind) = behind.max().filter(|&behind| behind > 0) {
        notes.push(format!(
            "the clock of the host is up to {} or more behind that of the GPU; the rules allow {DRIFT} millionths of the time",
            time(Duration(behind))
        ));
    }
    notes.extend(NOT_JUDGED.map(str::to_owned));
    notes
}

/// Whether launches complete in the computed order.
fn order(run: &Measurement, computed: &[Option<Computed>]) -> Option<String> {
    let by = |end: &dyn Fn(usize) -> Duration| {
        let mut order: Vec<usize> = (0..run.launches().len()).collect();
        order.sort_by_key(|&launch| end(launch));
        order
    };
    let ends: Option<Vec<Duration>> = computed.iter().map(|computed| Some(computed.as_ref()?.end)).collect();
    let Some(ends) = ends else {
        return Some("the computed run is too long to be kept, so nothing is compared with it".to_owned());
    };
    let (measured, computed) = (by(&|launch| run.launches()[launch].end()), by(&|launch| ends[launch]));
    let differs = measured.iter().zip(&computed).position(|(a, b)| a != b && ends[*a] != ends[*b]);
    Some(match differs {
        None if measured.len() <= 8 => {
            let names: Vec<String> = measured.iter().map(|&launch| run.launch(launch)).collect();
            format!("launches complete in the computed order: {}", names.join(", "))
        }
        None => "launches complete in the computed order".to_owned(),
        Some(place) => format!(
            "{} completes where {} should by the computed run",
            run.launch(measured[place]),
            run.launch(computed[place])
        ),
    })
}

/// Where the measured run is furthest from the computed one, and the first launch with other multiprocessors.
fn apart(run: &Measurement, computed: &[Option<Computed>]) -> Vec<String> {
    let both = || {
        run.launches()
            .iter()
            .zip(computed)
            .enumerate()
            .filter_map(|(index, (launch, computed))| Some((index, launch, computed.as_ref()?)))
    };
    let far = both().flat_map(|(index, launch, computed)| {
        [("starts", launch.start(), computed.start), ("ends", launch.end(), computed.end)].map(
            |(what, measured, computed)| (measured.0.abs_diff(computed.0), index, what, measured > computed),
        )
    });
    let far = far.max_by_key(|&(far, ..)| far).filter(|&(far, ..)| far > 0);
    let mut notes = Vec::new();
    notes.extend(far.map(|(far, index, what, is_later)| {
        let how = if is_later { "later" } else { "earlier" };
        let far = run.system().unit().write(Duration(far));
        format!(
            "the largest difference: {} {what} {far} {} {how} than computed",
            run.launch(index),
            run.system().unit()
        )
    }));
    let elsewhere =
        both().find(|(_, launch, computed)| launch.spread(multiprocessors(run)) != computed.spread);
    notes.extend(elsewhere.map(|(index, launch, computed)| {
        format!(
            "{} has {} blocks on the multiprocessors, and {} by the computed run; the rules leave the choice open",
            run.launch(index),
            spread(&launch.spread(multiprocessors(run))),
            spread(&computed.spread)
        )
    }));
    notes
}

fn multiprocessors(run: &Measurement) -> usize {
    usize::try_from(run.system().gpu().multiprocessors).unwrap_or(usize::MAX)
}
