//! Completion times in closed form, for kernels with equal execution times and releases: Pa19 section 3.7,
//! corrected.
//!
//! Blocks of such kernels run in rounds of `g_max`, so kernel i completes with the round of its last block:
//!
//! ```text
//! f_i = r + C ceil((g_1 + .. + g_i) / g_max)
//! ```
//!
//! The equations 3.12 to 3.15 of the thesis agree with this for most inputs. They fail where `g_i = g_f`,
//! since alpha is then 1/2 and half a C is added, and where `g_i - g_f` is a multiple of `g_max`, since they
//! then add a whole C too many: for 16 and 2 blocks, `g_max` 8 and C 5 they give 15 for the first kernel
//! instead of 10. They are not safe either: for 8 and 2 blocks they give 7.5 and 7.5 instead of 5 and 10.

use warpspan_model::time::Duration;

/// Completion times of kernels with these numbers of blocks, launched in order at `release`, on a GPU that
/// holds `most` (`g_max`) blocks; `None` if a time is too large.
///
/// ```
/// use warpspan_model::time::Duration;
/// use warpspan_rta::closed_form;
///
/// assert_eq!(closed_form(8, Duration(5), Duration(0), [16, 2]), Some(vec![Duration(10), Duration(15)]));
/// let completions = vec![Duration(5), Duration(5), Duration(10)];
/// assert_eq!(closed_form(8, Duration(5), Duration(0), [3, 5, 4]), Some(completions));
/// ```
pub fn closed_form(
    most: u64,
    execution: Duration,
    release: Duration,
    blocks: impl IntoIterator<Item = u64>,
) -> Option<Vec<Duration>> {
    let mut sum = 0_u64;
    let mut completion = |blocks| {
        sum = sum.checked_add(blocks)?;
        let rounds = sum.checked_add(most - 1)?.checked_div(most)?;
        execution.0.checked_mul(rounds)?.checked_add(release.0).map(Duration)
    };
    blocks.into_iter().map(&mut completion).collect()
}
