//! Progress on stderr, hidden where that is not a terminal.

use std::ops::Deref;
use std::time::Duration;

use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::cli::embedded::{self, Observer, Standing};
use crate::engines::portfolio::Progress;

/// A line or a bar on stderr; in another program it is hidden, and that program is told instead.
pub(super) struct Bar {
    shown: ProgressBar,
    told: Option<Observer>,
}

impl Deref for Bar {
    type Target = ProgressBar;

    fn deref(&self) -> &ProgressBar {
        &self.shown
    }
}

impl Bar {
    fn new(shown: ProgressBar, style: ProgressStyle, message: &str) -> Self {
        let told = embedded::observer();
        if told.is_some() {
            shown.set_draw_target(ProgressDrawTarget::hidden());
        } else {
            shown.enable_steady_tick(Duration::from_millis(200));
        }
        shown.set_style(style);
        shown.set_message(message.to_owned());
        Self { shown, told }
    }

    /// Says that one more step is done.
    pub(super) fn step(&self) {
        self.shown.inc(1);
        if let Some(told) = &self.told {
            let steps = self.shown.length().unwrap_or_default();
            told(Standing::Steps { done: self.shown.position(), steps });
        }
    }
}

/// A line that turns while an engine works.
pub(super) fn spinner(message: &str) -> Bar {
    let style = ProgressStyle::with_template("{spinner} {elapsed} {msg}");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_spinner());
    Bar::new(ProgressBar::new_spinner(), style, message)
}

/// Makes a bar of it, once the share of the work that is done is known.
pub(super) fn share(bar: &ProgressBar, share: f64) {
    const STEPS: u32 = 1000;
    if bar.length().is_none() {
        let style = ProgressStyle::with_template("{spinner} {elapsed} {msg} {bar:20} {percent}%, {eta} left");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_length(STEPS.into());
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 1000")]
    bar.set_position((share * f64::from(STEPS)) as u64);
}

/// A bar over a known number of steps.
pub(super) fn bar(steps: u64, message: &str) -> Bar {
    let style = ProgressStyle::with_template("{msg} {bar:30} {pos}/{len}, {eta} left");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    Bar::new(ProgressBar::new(steps), style, message)
}

/// Says on the spinner where an engine stands.
pub(super) fn show(spinner: &Bar, title: &str, state: Progress) {
    if let (Progress::Known(interval), Some(told)) = (state, &spinner.told) {
        let (lower, upper) = (interval.lower().cycles().0, interval.upper().cycles().0);
        told(Standing::Interval { lower, upper });
    }
    let number = |value: Option<u64>| value.map_or_else(|| "?".to_owned(), |value| value.to_string());
    spinner.set_message(match state {
        Progress::Known(interval) => {
            format!("{title}: from {} to {}", interval.lower().cycles(), interval.upper().cycles())
        }
        Progress::Tree { nodes, found, bound } => {
            format!("{title}: found {}, at most {}, {nodes} nodes", number(found), number(bound))
        }
        Progress::Beam { states, cycle } => {
            format!("{title}: {} states, up to cycle {cycle}", HumanCount(states))
        }
        Progress::Grid { states } => format!("{title}: {} states", HumanCount(states)),
        Progress::States(state) => {
            let rate = HumanCount(rate(state.done, spinner.elapsed()));
            let (done, total) = (HumanCount(state.done), HumanCount(state.total));
            share(spinner, state.share);
            format!("{title}: {done} states of {total}, {rate}/s")
        }
    });
}

fn rate(done: u64, elapsed: Duration) -> u64 {
    u64::try_from(u128::from(done) * 1000 / elapsed.as_millis().max(1)).unwrap_or(u64::MAX)
}
