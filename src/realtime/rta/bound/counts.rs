//! How many launches of one kernel can take part in the response of a launch of another.

use crate::realtime::rta::System;
use crate::realtime::rta::bound::Found;

/// How many launches of j can be incomplete when a launch of k is released, or be released before that launch
/// is complete: first those that are not released after it, then those that are, with as many of the latter
/// as possible. `None` if their number has no limit.
///
/// Seen from the launch of k, they are released after -R_j and before R_k, at least a period of j apart. So
/// the whole window holds only so many, and each of its two parts holds no more than it could hold alone. Of
/// the stream of k itself only launches before the one that is followed count, since later ones wait for it.
/// Two kernels that are launched once are as far apart as the file says.
pub(super) fn launches(system: &System, found: &[Found], k: usize, j: usize) -> Option<(u128, u128)> {
    let (ours, theirs) = (&system.tasks()[k], &system.tasks()[j]);
    let (own, other) = (found[k].ok()?, found[j].ok()?);
    // At distance 0 the launch of j does not come after the launch of k if its line of the file comes first.
    let with_ours = u128::from(j <= k);
    if let (None, None) = (ours.period, theirs.period) {
        let (our, their) = (u128::from(ours.release.0), u128::from(theirs.release.0));
        let earlier = their + other > our && their < our + with_ours;
        let later = their >= our + with_ours && their < our + own;
        return Some((earlier.into(), (later && ours.stream != theirs.stream).into()));
    }
    // The number of points, at least a period apart, in a window of so many whole distances.
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
