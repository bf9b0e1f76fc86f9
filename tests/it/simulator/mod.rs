//! Bounds beside launches on a cycle-level simulator, whose memory is shared by all multiprocessors.
//! `tests/data/simulator` has what was run, and docs/simulator.md what it shows.

mod bounds;
mod runs;
mod table;

use std::sync::LazyLock;

use bounds::{Bounds, Language, Listings, configuration, preset, without_servers};
use runs::{Run, runs};
use table::{FIRST, GROUPS, LAST, median_of, table};

/// The page with the table.
const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/simulator.md");

/// The launches whose bounds with the letters of the capability are below what was simulated: the simulator needs 9 to 10
/// cycles between two FMAs of which one needs the other, although its configuration and other sources say 4, and these
/// launches do nothing else, with one warp or two on a scheduler.
const SLOWER_THAN_CONFIGURED: [&str; 2] = ["fma_chain.1w", "fma_chain.8w"];

/// The bounds of a launch.
#[derive(Debug)]
struct Row {
    run: Run,
    /// Without servers, with the greatest latency that stood for them.
    old_ptx: u64,
    old_preset: u64,
    /// From the PTX, on the machine of the configuration.
    ptx: Bounds,
    /// From the SASS, on the machine of the configuration.
    sass: Bounds,
    /// From the SASS, with the letters and the memory of the GPU as the program knows it.
    preset: Bounds,
}

impl Row {
    #[expect(clippy::cast_precision_loss, reason = "numbers of cycles are small")]
    fn ratio(&self, bound: u64) -> f64 {
        bound as f64 / self.run.simulated as f64
    }
}

static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let mut listings = Listings::default();
    let mut row = |run: Run| {
        let mut of = |language, machine| listings.bounds(&run, language, &machine);
        let known = warpspan::input::find_machine("7.5").unwrap().machine;
        Row {
            old_ptx: of(Language::Ptx, without_servers(&run).machine)[0],
            old_preset: of(Language::Sass, known)[0],
            ptx: of(Language::Ptx, configuration(&run).machine),
            sass: of(Language::Sass, configuration(&run).machine),
            preset: of(Language::Sass, preset(&run, false).machine),
            run,
        }
    };
    runs().into_iter().map(&mut row).collect()
});

#[test]
fn no_launch_takes_longer_than_its_bound() {
    assert_eq!(ROWS.len(), 57);
    for row in ROWS.iter() {
        let Run { name, simulated, .. } = &row.run;
        let exempt = |bounds: &Bounds| {
            if SLOWER_THAN_CONFIGURED.contains(&name.as_str()) { vec![] } else { bounds.to_vec() }
        };
        let all = [row.ptx.to_vec(), exempt(&row.sass), exempt(&row.preset)].concat();
        assert!(all.iter().all(|bound| bound >= simulated), "{name}: {simulated} cycles, {row:?}");
        for bounds in [row.ptx, row.sass, row.preset] {
            assert!(bounds[0] >= bounds[1] && bounds[0] >= bounds[2], "{name}: {row:?}");
        }
    }
}

/// Without the rates of the memory these launches took longer than their bounds.
#[test]
fn the_rates_are_needed() {
    let below = |old: fn(&Row) -> u64| -> Vec<&str> {
        let below = ROWS.iter().filter(|row| old(row) < row.run.simulated);
        below.map(|row| row.run.name.as_str()).collect()
    };
    let expected = [
        "hot_atomic.g120",
        "read16.g120",
        "read16.s20",
        "scatter8.s20",
        "stream8.s20",
        "gather_random.s20",
        "copy8.s20",
    ];
    assert_eq!(below(|row| row.old_ptx), expected);
    let mut of_preset = below(|row| row.old_preset);
    of_preset.retain(|name| !SLOWER_THAN_CONFIGURED.contains(name));
    assert!(expected.iter().all(|name| of_preset.contains(name)), "{of_preset:?}");
}

#[test]
fn bounds_of_declared_launches_are_not_vast() {
    let of = |bounds: fn(&Row) -> &Bounds| {
        let of = |at: usize| median_of(&ROWS, GROUPS[at].1, |row| bounds(row)[2]);
        [of(0), of(1)]
    };
    let medians = [of(|row| &row.ptx), of(|row| &row.sass), of(|row| &row.preset)];
    let most = [[2.0, 3.0], [2.0, 3.0], [4.0, 5.0]];
    assert!(
        medians.iter().flatten().zip(most.iter().flatten()).all(|(one, most)| one <= most),
        "{medians:?}"
    );
}

/// A launch of which nothing reaches the DRAM waits for no refresh of it, and another one may.
#[test]
fn refreshes_keep_only_what_waits_for_the_dram() {
    let mut listings = Listings::default();
    for row in ROWS.iter().filter(|row| ["sfu.1w", "vecadd.1w"].contains(&row.run.name.as_str())) {
        let bounds = listings.bounds(&row.run, Language::Sass, &preset(&row.run, true).machine);
        assert!(bounds[0] > row.preset[0], "{bounds:?}, {row:?}");
        assert_eq!(bounds[1] == row.preset[1], row.run.dram_sectors == 0, "{bounds:?}, {row:?}");
    }
}

#[test]
fn the_page_has_the_table() {
    assert!(std::fs::read_to_string(PAGE).unwrap().contains(&table(&ROWS)), "{}", table(&ROWS));
}

/// Writes the table into the page, between the first line of its first table and the last of its second.
#[test]
#[ignore = "writes docs/simulator.md"]
fn write_the_table() {
    let text = std::fs::read_to_string(PAGE).unwrap();
    let start = text.find(FIRST).unwrap();
    let last = start + text[start..].find(LAST).unwrap();
    let end = last + text[last..].find('\n').unwrap() + 1;
    std::fs::write(PAGE, [&text[..start], &table(&ROWS), &text[end..]].concat()).unwrap();
}
