//! What is written comes back, and what is wrong is named.

use super::*;
use crate::schedule::{chart, chart_size, replay};
use warpspan_model::{Code, Multiprocessor};

fn instance() -> Instance {
    Instance::single("LC".parse().unwrap(), 2, Multiprocessor::default()).unwrap()
}

const CSV: &str = "cycle,group,warp,instruction,unit\n1,1,1,1,L\n2,1,1,2,C\n2,1,2,1,L\n3,1,2,2,C\n";

fn read(text: &[u8]) -> Result<Schedule, ScheduleFileError> {
    super::read(&instance(), Form::Csv, text)
}

#[test]
fn csv_and_json_come_back() {
    let instance = instance();
    let schedule = read(CSV.as_bytes()).unwrap();
    let (mut csv, mut json) = (Vec::new(), Vec::new());
    write(&instance, &schedule, Form::Csv, &mut csv).unwrap();
    write(&instance, &schedule, Form::Json, &mut json).unwrap();
    assert_eq!(String::from_utf8(csv).unwrap(), CSV);
    assert_eq!(super::read(&instance, Form::Json, &json).unwrap(), schedule);
}

#[test]
fn a_broken_row_is_named() {
    let broken = |from: &str, to: &str| read(CSV.replace(from, to).as_bytes()).unwrap_err().to_string();
    assert!(broken("2,1,1,2,C", "2,1,1,2").starts_with("line 3: 4 fields instead of 5"));
    assert!(broken("2,1,1,2,C", "2,1,x,2,C").starts_with("line 3: "));
    assert_eq!(broken("2,1,1,2,C", "2,1,1,2,L"), "issue 2 (cycle 2): instruction 2 of group 1 is C, not L");
    assert_eq!(broken("2,1,1,2,C", "2,1,1,3,C"), "issue 2 (cycle 2): no instruction 3 in group 1");
    assert_eq!(broken("2,1,1,2,C", "2,0,1,2,C"), "issue 2 (cycle 2): group 0: indexes count from 1");
}

const OF_GRID: &str = "cycle,multiprocessor,slot,block,start,warp,instruction,unit\n\
                       1,1,1,1,1,1,1,L\n1,2,1,2,1,1,1,L\n2,1,1,1,1,1,2,C\n2,2,1,2,1,1,2,C\n3,2,1,3,3,1,1,L\n\
                       4,2,1,3,3,1,2,C\n";

fn grid() -> Grid {
    Grid::new("LC".parse::<Code>().unwrap(), Default::default(), 1, 3).unwrap().on(2, 1).unwrap()
}

fn read_grid(text: &[u8]) -> Result<Schedule, ScheduleFileError> {
    super::read(&grid(), Form::Csv, text)
}

#[test]
fn csv_and_json_of_a_grid_come_back() {
    let grid = grid();
    let schedule = read_grid(OF_GRID.as_bytes()).unwrap();
    assert_eq!(replay(&grid, schedule.clone()).unwrap().makespan().0, 4);
    let (mut csv, mut json) = (Vec::new(), Vec::new());
    write(&grid, &schedule, Form::Csv, &mut csv).unwrap();
    write(&grid, &schedule, Form::Json, &mut json).unwrap();
    assert_eq!(String::from_utf8(csv).unwrap(), OF_GRID);
    assert_eq!(super::read(&grid, Form::Json, &json).unwrap(), schedule);
}

#[test]
fn a_broken_row_of_a_grid_is_named() {
    let broken =
        |from: &str, to: &str| read_grid(OF_GRID.replace(from, to).as_bytes()).unwrap_err().to_string();
    assert!(broken("2,1,1,1,1,1,2,C", "2,1").starts_with("line 4: 2 fields instead of 8"));
    assert_eq!(broken("2,1,1,1,1,1,2,C", "2,1,1,1,1,1,2,L"), "issue 3 (cycle 2): instruction 2 is C, not L");
    assert_eq!(
        broken("2,1,1,1,1,1,2,C", "2,1,1,1,1,1,3,C"),
        "issue 3 (cycle 2): no instruction 3 in the kernel"
    );
    assert_eq!(
        broken("2,1,1,1,1,1,2,C", "2,1,0,1,1,1,2,C"),
        "issue 3 (cycle 2): slot 0: indexes count from 1"
    );
    // The second warp of a block that has one is not the warp of the next block.
    assert_eq!(
        broken("2,1,1,1,1,1,2,C", "2,1,1,1,1,2,2,C"),
        "issue 3 (cycle 2): no warp 2 in a block, which has 1"
    );
    assert_eq!(
        broken("4,2,1,3,3,1,2,C", "4,2,1,3,2,1,2,C"),
        "issue 6 (cycle 4): block 3 starts in cycle 2 in slot 1 of multiprocessor 2, but an earlier record says cycle 3, \
         slot 1, multiprocessor 2"
    );
}

#[test]
fn a_chart_says_where_blocks_start() {
    let schedule = read_grid(OF_GRID.as_bytes()).unwrap();
    let whole = "cycle      1  2  3  4\n1: slot 1 1L  C\n2: slot 1 2L  C 3L  C\n";
    assert_eq!(chart(&grid(), &schedule, 80), whole);
    assert_eq!(chart_size(&grid(), &schedule), (2, 21));
    assert_eq!(chart(&grid(), &schedule, 15).lines().next(), Some("cycle      1  2"));
}
