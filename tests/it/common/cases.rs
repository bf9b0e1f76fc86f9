//! How many random cases a campaign runs, and from which seed.
//!
//! A run of the tests takes a twentieth of what a whole campaign has, so that it ends soon, and other cases each day.
//! `scripts/campaign` runs them whole, or with as many cases each as its argument says.
//!
//! | variable | meaning |
//! |---|---|
//! | `WARPSPAN_CASES` | `all`, or the number of cases of each campaign |
//! | `WARPSPAN_SEED` | the seed of the first case; without it that of the date. A campaign that fails prints it |
//! | `WARPSPAN_CASES_LOG` | a file to which each campaign adds a line: where it stands, how many cases it ran, and of how many |

use std::io::Write;
use std::panic::Location;
use std::time::{Duration, SystemTime};

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

fn number(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name}={text}: want a number")))
}

/// The cases that a campaign of `whole` cases runs now.
#[track_caller]
pub(crate) fn cases(whole: u64) -> u64 {
    let all = std::env::var("WARPSPAN_CASES").is_ok_and(|text| text == "all");
    let cases = if all { whole } else { number("WARPSPAN_CASES").unwrap_or(whole.div_ceil(20)) };
    let at = Location::caller();
    // Only shown where the test fails.
    println!(
        "{}:{}: {cases} of {whole} cases; again with WARPSPAN_SEED={}",
        at.file(),
        at.line(),
        first_seed()
    );
    if let Some(log) = std::env::var_os("WARPSPAN_CASES_LOG") {
        let mut log = std::fs::OpenOptions::new().append(true).create(true).open(log).unwrap();
        // One write a line, since other tests may write to the same file.
        log.write_all(format!("{}:{} {cases} of {whole}\n", at.file(), at.line()).as_bytes()).unwrap();
    }
    cases
}

/// The seed of the first case: another one each day, far from those of the days before.
pub(crate) fn first_seed() -> u64 {
    number("WARPSPAN_SEED").unwrap_or_else(|| {
        let since = SystemTime::UNIX_EPOCH.elapsed().unwrap_or(Duration::ZERO);
        (since.as_secs() / 86_400) << 32
    })
}

/// The random numbers of a case of a campaign, which counts its cases up from any number of its own.
pub(crate) fn random(case: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(first_seed().wrapping_add(case))
}
