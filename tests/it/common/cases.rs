//! How many random cases a campaign runs.
//!
//! A run of the tests takes a tenth of what a whole campaign has, so that it ends soon. `scripts/campaign` runs
//! them whole, or with as many cases each as its argument says.
//!
//! | variable | meaning |
//! |---|---|
//! | `WARPSPAN_CASES` | `all`, or the number of cases of each campaign |
//! | `WARPSPAN_SEED` | the seed of the first case, where a campaign counts its seeds up |
//! | `WARPSPAN_CASES_LOG` | a file to which each campaign adds a line: where it stands, how many cases it ran, and of how many |

use std::io::Write;
use std::panic::Location;

fn number(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name}={text}: want a number")))
}

/// The cases that a campaign of `whole` cases runs now.
#[track_caller]
pub(crate) fn cases(whole: u64) -> u64 {
    let all = std::env::var("WARPSPAN_CASES").is_ok_and(|text| text == "all");
    let cases = if all { whole } else { number("WARPSPAN_CASES").unwrap_or(whole.div_ceil(10)) };
    if let Some(log) = std::env::var_os("WARPSPAN_CASES_LOG") {
        let at = Location::caller();
        let mut log = std::fs::OpenOptions::new().append(true).create(true).open(log).unwrap();
        // One write a line, since other tests may write to the same file.
        log.write_all(format!("{}:{} {cases} of {whole}\n", at.file(), at.line()).as_bytes()).unwrap();
    }
    cases
}

/// The seed of the first case.
pub(crate) fn first_seed() -> u64 {
    number("WARPSPAN_SEED").unwrap_or(0)
}
