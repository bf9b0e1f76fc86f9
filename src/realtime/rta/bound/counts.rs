//! How many launches of one kernel can take part in the response of a launch of another.

use crate::realtime::rta::System;
use crate::realtime::rta::bound::Found;

/// Launches of j that are not complete when a launch of k is released, or come before it is complete: those not after it, and
/// those after it, as many of the latter as can be. `None` if their number has no limit.
///
/// Seen from the launch of k they are released after -R_j and before R_k, at least a period of j apart: so many fit into the
/// whole window, and no more of them into each of its two parts than into that part alone. Of the stream of k only launches
/// before ours count, as what comes after ours waits for it. Two kernels that are launched once are as far apart as the file
/// says.
pub(super) fn launches(system: &System, found: &[Found], k: usize, j: usize) -> Option<(u128, u128)> {
    let (ours, theirs) = (&system.tasks()[k], &system.tasks()[j]);
    let (own, other) = (found[k].ok()?, found[j].ok()?);
    // Distance 0 is not after ours where their line of the file comes first.
    let with_ours = u128::from(j <= k);
    if let (None, None) = (ours.period, theirs.period) {
        let (our, their) = (u128::from(ours.release.0), u128::from(theirs.release.0));
        let earlier = their + other > our && their < our + with_ours;
        let later = their >= our + with_ours && their < our + own;
        return Some((earlier.into(), (later && ours.stream != theirs.stream).into()));
    }
    // Points at least a period apart, in a window of so many whole distances.
    let fit = |distances: u128| match theirs.period {
        _ if distances == 0 => 0,
        Some(period) => (distances - 1) / u128::from(period.0) + 1,
        None => 1,
    };
    let (before, after) = ((other + with_ours).saturating_sub(1), own.saturating_sub(with_ours));
    if ours.stream == theirs.stream {
        return Some((fit(before), 0));
    }
    let (whole, later) = (fit(before + after), fit(after));
    Some((whole - later, later))
}
