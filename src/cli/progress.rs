//! Progress on stderr, hidden where that is not a terminal.

use std::time::Duration;

use indicatif::{HumanCount, ProgressBar, ProgressStyle};

use crate::engines::portfolio::Progress;

/// A line that turns while an engine works.
pub(super) fn spinner(message: &str) -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {elapsed} {msg}");
    let bar = ProgressBar::new_spinner().with_message(message.to_owned());
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
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
pub(super) fn bar(steps: u64, message: &str) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg} {bar:30} {pos}/{len}, {eta} left");
    let bar = ProgressBar::new(steps).with_message(message.to_owned());
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// Says on the spinner where an engine stands.
pub(super) fn show(spinner: &ProgressBar, title: &str, state: Progress) {
    let number = |value: Option<u64>| value.map_or_else(|| "?".to_owned(), |value| value.to_string());
    spinner.set_message(match state {
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
