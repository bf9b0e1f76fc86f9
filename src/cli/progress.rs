//! Progress on stderr, hidden where that is not a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

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
