//! Upper bounds by simple methods that use no engine and no search of one.

use crate::bound::critical_path;
use crate::record::route::{PlainUpper, Route};
use crate::record::{Theta, labelling, phases};
use warpspan_model::Instance;

/// The best upper bound that needs neither an engine nor a search. Where all warps are in one block, the
/// worst cases of the segments between barriers add up.
pub fn plain_upper(instance: &Instance, theta: Option<Theta>) -> PlainUpper {
    let segments = instance.segments().filter(|_| instance.has_barriers()).map(|segments| PlainUpper {
        cycles: segments.iter().map(|segment| plain_upper(segment, theta).cycles).sum(),
        route: Route::Segments,
    });
    let others = [labelling::upper(instance), Some(phases::upper(instance, theta)), segments];
    let bounds = [critical_path(instance).into()].into_iter().chain(others.into_iter().flatten());
    bounds.min_by_key(|bound: &PlainUpper| bound.cycles).expect("there is the critical path")
}
