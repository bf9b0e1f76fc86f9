//! Progress on stderr, hidden where that is not a terminal: one line, cut at the width of the terminal, which is gone once
//! anything else is said.

use std::ops::Deref;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::host::{self, Observer, Standing};
use warpspan_solver::portfolio::Progress;

/// The line that is shown now.
static SHOWN: Mutex<Option<ProgressBar>> = Mutex::new(None);

fn shown() -> MutexGuard<'static, Option<ProgressBar>> {
    SHOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Says something on stderr, above the line of progress where there is one.
pub(super) fn aside(say: impl FnOnce()) {
    match &*shown() {
        Some(bar) => bar.suspend(say),
        None => say(),
    }
}

/// Takes the line of progress away for good.
pub(super) fn clear() {
    if let Some(bar) = shown().take() {
        bar.finish_and_clear();
    }
}

/// A line or a bar on stderr; in another program it is hidden, and that program is told instead.
pub(super) struct Bar {
    shown: ProgressBar,
    told: Option<Observer>,
    /// The ends of the worst case as far as they are known.
    ends: Mutex<Option<(u64, u64)>>,
}

impl Deref for Bar {
    type Target = ProgressBar;

    fn deref(&self) -> &ProgressBar {
        &self.shown
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.shown.finish_and_clear();
        if self.told.is_none() {
            *shown() = None;
        }
    }
}

impl Bar {
    fn new(bar: ProgressBar, template: &str, message: &str) -> Self {
        // Nothing is drawn yet, and nothing at all in another program.
        bar.set_draw_target(ProgressDrawTarget::hidden());
        bar.set_style(style(template));
        bar.set_message(message.to_owned());
        let told = host::observer();
        if told.is_none() {
            *shown() = Some(bar.clone());
            show_later(bar.clone());
        }
        Self { shown: bar, told, ends: Mutex::new(None) }
    }

    /// Says that one more step is done.
    pub(super) fn step(&self) {
        self.shown.inc(1);
        let (done, steps) = (self.shown.position(), self.shown.length().unwrap_or_default());
        #[expect(clippy::cast_precision_loss, reason = "a share")]
        self.shown.set_prefix(left(done as f64 / steps.max(1) as f64, self.shown.elapsed()));
        if let Some(told) = &self.told {
            told(Standing::Steps { done, steps });
        }
    }

    /// The ends that were known last, and from now on these if there are any.
    fn ends(&self, new: Option<(u64, u64)>) -> Option<(u64, u64)> {
        let mut ends = self.ends.lock().unwrap_or_else(PoisonError::into_inner);
        *ends = new.or(*ends);
        *ends
    }
}

/// How long an engine works before its progress is shown: what is done sooner needs no line.
const UNSEEN: Duration = Duration::from_millis(500);

/// Shows a line once it has been there for a while.
fn show_later(bar: ProgressBar) {
    let show = move || {
        std::thread::sleep(UNSEEN);
        // Under the lock, so that a line that is done is not drawn again.
        let shown = shown();
        if shown.is_some() && !bar.is_finished() {
            bar.set_draw_target(ProgressDrawTarget::stderr());
            bar.enable_steady_tick(Duration::from_millis(200));
        }
    };
    // Without a thread there is no line.
    let _ = std::thread::Builder::new().stack_size(1 << 17).spawn(show);
}

/// The message comes last, since a narrow terminal cuts the end.
fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_spinner())
}

/// A line that turns while an engine works.
pub(super) fn spinner(message: &str) -> Bar {
    Bar::new(ProgressBar::new_spinner(), "{spinner} {elapsed} {wide_msg}", message)
}

/// The least share of the work, and the least time, from which the time that is left is told.
const TELLING: (f64, Duration) = (0.001, Duration::from_secs(2));

/// The time that is left where a share of the work took so long; nothing while that says little.
fn left(share: f64, elapsed: Duration) -> String {
    if share < TELLING.0 || share >= 1.0 || elapsed < TELLING.1 {
        return String::new();
    }
    Duration::try_from_secs_f64(elapsed.as_secs_f64() * (1.0 - share) / share)
        .map_or_else(|_| String::new(), |time| format!(", {:#} left", HumanDuration(time)))
}

/// Makes a bar of it, once the share of the work that is done is known.
pub(super) fn share(bar: &ProgressBar, share: f64) {
    const STEPS: u32 = 1000;
    if bar.length().is_none() {
        bar.set_style(style("{spinner} {elapsed} {bar:16} {percent}%{prefix}; {wide_msg}"));
        bar.set_length(STEPS.into());
    }
    bar.set_prefix(left(share, bar.elapsed()));
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 1000")]
    bar.set_position((share.clamp(0.0, 1.0) * f64::from(STEPS)) as u64);
}

/// A bar over a known number of steps.
pub(super) fn bar(steps: u64, message: &str) -> Bar {
    Bar::new(ProgressBar::new(steps), "{bar:20} {pos}/{len}{prefix}; {wide_msg}", message)
}

/// Says on the spinner where an engine stands: the interval first, and the title last.
pub(super) fn show(spinner: &Bar, title: &str, state: Progress) {
    let known = match state {
        Progress::Known(interval) => Some((interval.lower().cycles().0, interval.upper().cycles().0)),
        _ => None,
    };
    if let (Progress::Known(_), Some((lower, upper)), Some(told)) = (state, known, &spinner.told) {
        told(Standing::Interval { lower, upper });
    }
    let number = |value: Option<u64>| value.map_or_else(|| "?".to_owned(), |value| value.to_string());
    let ends = spinner.ends(known).map(|(lower, upper)| format!("from {lower} to {upper}"));
    let work = match state {
        Progress::Known(_) => None,
        // The bound is that within the horizon, so it need not be an end of the interval.
        Progress::Tree { nodes, found, bound } => {
            Some(format!("found {}, at most {}, {nodes} nodes", number(found), number(bound)))
        }
        Progress::Beam { states, cycle } => {
            Some(format!("{} states, up to cycle {cycle}", HumanCount(states)))
        }
        Progress::Grid { states } => Some(format!("{} states", HumanCount(states))),
        Progress::States(state) => {
            let rate = HumanCount(rate(state.done, spinner.elapsed()));
            share(spinner, state.share);
            Some(format!(
                "{} states of {}, {rate}/s",
                HumanCount(state.done.min(state.total)),
                HumanCount(state.total)
            ))
        }
    };
    let parts: Vec<String> = ends.into_iter().chain(work).chain([title.to_owned()]).collect();
    spinner.set_message(parts.join("; "));
}

fn rate(done: u64, elapsed: Duration) -> u64 {
    u64::try_from(u128::from(done) * 1000 / elapsed.as_millis().max(1)).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_said_of_the_time_that_is_left_until_it_is_known() {
        let seconds = Duration::from_secs;
        // Hours are left, and the first step is not done.
        assert_eq!(left(0.0, seconds(60)), "");
        assert_eq!(left(0.000_9, seconds(60)), "");
        assert_eq!(left(0.5, Duration::from_millis(100)), "");
        assert_eq!(left(1.0, seconds(60)), "");
        assert_eq!(left(f64::NAN, seconds(60)), "");
        assert_eq!(left(0.25, seconds(60)), ", 3m left");
        assert_eq!(left(0.002, seconds(60)), ", 8h left");
    }
}
