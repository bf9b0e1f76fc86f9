//! Comparisons whose sides come closer to each other on each path.
//!
//! The *room* of a comparison that holds is by how much its right side may still come down, or the left one go up. Take one
//! comparison, or two, that hold in each pass that comes back, and suppose that on each path of a pass no room grows, and all
//! together lose s or more, s > 0. No room is below zero as long as the tests hold, so they do so together no more
//! than S / s + 1 times, where S is the sum of the rooms at the first test.
//!
//! The sides are integers, and not only the same modulo a power of two, as long as nothing goes around: the left side never
//! goes down, and as a test holds it is below the largest limit, so that one more step leaves it within the type; and alike for a
//! right side that goes down.

use crate::flow::analysis::counts::Numbers;
use crate::flow::analysis::counts::counter::CountedLoop;
use crate::flow::analysis::counts::counter::comparisons::Made;
use crate::flow::analysis::counts::effect::{Source, Term};
use crate::flow::analysis::counts::paths::{Paths, Side, apart};
use crate::flow::analysis::counts::ranges::State;
use crate::flow::analysis::counts::recurrence::Tests;
use crate::interval::{IntegerType, Interval, Value};

/// The room of a comparison.
#[derive(Debug)]
struct Room {
    /// At the first test, at most; below zero if that fails.
    first: i128,
    /// At the header in the first pass.
    start: Option<i128>,
    /// What each path takes from it, at least.
    taken: Vec<i128>,
    /// Whether the test is of what the pass leaves.
    later: bool,
}

/// A side that each path moves in one direction.
struct Moving {
    first: Interval,
    /// The same at the header in the first pass.
    start: Option<Interval>,
    steps: Vec<Interval>,
    later: bool,
}

impl Moving {
    fn least(&self) -> Option<i128> {
        self.steps.iter().map(|step| step.low).min()
    }

    fn most(&self) -> Option<i128> {
        self.steps.iter().map(|step| step.high).max()
    }
}

impl<'a> Paths<'a> {
    /// The least number of tests that one comparison allows, or two together.
    pub(super) fn rooms(
        &self,
        of: &CountedLoop<'a, '_>,
        numbers: &Numbers<'a>,
        before: &State<'a>,
        tests: &[Made<'a>],
    ) -> Option<Tests> {
        // What holds of shifted numbers is not looked at here.
        if !self.needs.is_empty() {
            return None;
        }
        let rooms: Vec<Room> =
            tests.iter().flat_map(|&test| self.rooms_of(of, numbers, before, test)).collect();
        let one = |room: &Room| together(&[room]);
        let two = rooms.iter().flat_map(|one| rooms.iter().map(move |other| [one, other]));
        rooms.iter().filter_map(one).chain(two.filter_map(|both| together(&both))).min()
    }

    /// The rooms that a comparison may be seen to have.
    fn rooms_of(
        &self,
        of: &CountedLoop<'a, '_>,
        numbers: &Numbers<'a>,
        before: &State<'a>,
        (comparison, at): Made<'a>,
    ) -> Vec<Room> {
        let kind = comparison.kind;
        let Some(state) = of.state(numbers, at) else { return vec![] };
        let moving = |term: Term<'a>| -> Vec<Moving> {
            let sides = self.sides(at, term).into_iter();
            sides.filter_map(|side| self.moving(before, side, kind)).collect()
        };
        let (lefts, rights) = (moving(comparison.left), moving(comparison.right));
        let apart = apart(comparison);
        let mut rooms = vec![];
        if let Some(limit) = state.seen(comparison.right, kind).filter(|limit| !limit.high_open) {
            rooms.extend(lefts.iter().filter_map(|left| {
                let last = limit.high.checked_sub(apart)?;
                let up = left.least()? >= 0 && !left.first.low_open;
                let fits = kind.contains(last.checked_add(left.most()?)?);
                (up && fits).then(|| Room {
                    first: last - left.first.low,
                    start: left.start.map(|start| last - start.low),
                    taken: left.steps.iter().map(|step| step.low).collect(),
                    later: left.later,
                })
            }));
        }
        if let Some(limit) = state.seen(comparison.left, kind).filter(|limit| !limit.low_open) {
            rooms.extend(rights.iter().filter_map(|right| {
                let last = limit.low.checked_add(apart)?;
                let down = right.most()? <= 0 && !right.first.high_open;
                let fits = kind.contains(last.checked_add(right.least()?)?);
                (down && fits).then(|| Room {
                    first: right.first.high - last,
                    start: right.start.map(|start| start.high - last),
                    taken: right.steps.iter().map(|step| -step.high).collect(),
                    later: right.later,
                })
            }));
        }
        let both = lefts.iter().flat_map(|left| rights.iter().map(move |right| (left, right)));
        rooms.extend(both.filter_map(|(left, right)| {
            let meet = left.least()? >= 0 && right.most()? <= 0 && left.later == right.later;
            let open = left.first.low_open || right.first.high_open;
            // Where the test held, each side was so far from the first value of the other one.
            let leaves = [
                right.first.high.checked_sub(apart)?.checked_add(left.most()?)?,
                left.first.low.checked_add(apart)?.checked_add(right.least()?)?,
            ];
            let fits = leaves.into_iter().all(|one| kind.contains(one));
            let taken = left.steps.iter().zip(&right.steps).map(|(up, down)| up.low - down.high);
            (meet && !open && fits).then(|| Room {
                first: right.first.high - left.first.low - apart,
                start: left.start.zip(right.start).map(|(left, right)| right.high - left.low - apart),
                taken: taken.collect(),
                later: left.later,
            })
        }));
        rooms
    }

    /// What a side holds at its first test, and what each path adds to it.
    fn moving(&self, before: &State<'a>, side: Side<'a>, kind: IntegerType) -> Option<Moving> {
        let steps = self.steps(side.name)?;
        let start =
            before.value(Term::of(Source::Register(side.name)), self.bits)?.modular().with_ends([None; 2]);
        let mut first = start.plus(Interval::point(side.plus))?;
        let mut start = Value::new(self.bits, first).and_then(|start| start.seen_as(kind));
        if side.later {
            let step = steps.iter().copied().reduce(Interval::hull)?;
            first = first.plus(step)?;
            // As long as the first pass does not go around.
            let goes_on = |start: &Interval| {
                start.plus(step).is_some_and(|one| kind.contains(one.low) && kind.contains(one.high))
            };
            start = start.filter(goes_on);
        }
        Some(Moving { first: Value::new(self.bits, first)?.seen_as(kind)?, start, steps, later: side.later })
    }
}

/// The tests that rooms allow together.
fn together(rooms: &[&Room]) -> Option<Tests> {
    let alike = rooms.iter().all(|room| room.later == rooms[0].later);
    if !alike {
        return None;
    }
    if rooms.iter().any(|room| room.first < 0) {
        return Some(Tests::at_most(1));
    }
    let paths = 0..rooms[0].taken.len();
    let least = paths.map(|path| rooms.iter().map(|room| room.taken[path]).sum::<i128>()).min()?;
    let mut all = rooms.iter().map(|room| room.first).sum::<i128>();
    // The first test of what a pass leaves comes when all rooms together have lost something already.
    if rooms[0].later
        && let Some(start) = rooms.iter().map(|room| room.start).sum::<Option<i128>>()
    {
        all = all.min(start - least);
    }
    // That there is no room together tells that the first test fails.
    if all < 0 {
        return Some(Tests::at_most(1));
    }
    let tests = (least > 0).then(|| all / least + 2)?;
    Some(Tests::at_most(u64::try_from(tests).ok()?))
}
