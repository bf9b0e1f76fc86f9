//! The verifier of paths: it walks a program along a claimed path, and writes the letters down.
//!
//! It imports no engine. Together with [`replay`](crate::schedule::replay()), which verifies the schedule of the
//! letters, it proves a lower bound on the worst case of a program: these warps can take these paths, and this schedule
//! of them keeps every rule.

use std::sync::Arc;

use thiserror::Error;

use warpspan_model::program::{Divergence, Path, Piece};
use warpspan_model::{Group, Instance, Kernel, Unit, Workload, WorkloadError};

/// A path that is claimed for some warps of a group.
#[derive(Debug, Clone)]
pub struct Taken {
    /// Index of the group, from 0.
    pub group: usize,
    /// The number of warps that take the path.
    pub warps: u64,
    /// The path.
    pub path: Arc<Path>,
}

/// The straight lines that the warps of a workload run along paths of its programs.
///
/// Only [`Lines::walk`] constructs it, so each line is a path of the program of its group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lines {
    workload: Workload,
    instance: Instance,
    groups: Vec<usize>,
}

/// Why paths are not those of the warps of a workload.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LinesError {
    /// A path does not have the shape of the program, takes an arm that does not exist, takes an arm twice,
    /// takes two arms where one is taken, or makes too few or too many rounds.
    #[error("the path is not one of the program at line {0}")]
    Shape(u32),
    /// Pieces are nested too deeply to be walked.
    #[error("pieces are nested too deeply")]
    Depth,
    /// The numbers of warps are not those of the groups.
    #[error("the paths are those of {found} warps of group {group}, which has {warps}")]
    Warps {
        /// The group, from 1.
        group: usize,
        /// The warps that have a path.
        found: u64,
        /// The warps of the group.
        warps: u64,
    },
    /// Warps that share a path by assumption, or barriers, have different paths.
    #[error("warps of group {0} take different paths, which its barriers or the workload rule out")]
    Different(usize),
    /// The instructions and barriers are more than may be written down.
    #[error("a path has more than {0} instructions and barriers")]
    TooLong(usize),
    /// The lines do not make a workload.
    #[error(transparent)]
    Workload(#[from] WorkloadError),
}

impl Lines {
    /// Walks the program of each group along the paths of its warps, and writes down at most `most`
    /// instructions and barriers of each.
    ///
    /// Warps of a group take different paths only if its program has no barrier: around barriers some counts
    /// of rounds must be equal, and one path for all warps makes them so.
    ///
    /// # Errors
    /// If something is no path of its program, or too long.
    pub fn walk(workload: &Workload, taken: &[Taken], most: usize) -> Result<Self, LinesError> {
        for (at, group) in workload.groups().iter().enumerate() {
            let own = || taken.iter().filter(|taken| taken.group == at);
            let found = own().try_fold(0_u64, |sum, taken| sum.checked_add(taken.warps));
            if found != Some(group.warps) {
                let (number, found) = (at + 1, found.unwrap_or(u64::MAX));
                return Err(LinesError::Warps { group: number, found, warps: group.warps });
            }
            if own().count() > 1 && (workload.takes_same_path() || group.code.has_barrier()) {
                return Err(LinesError::Different(at + 1));
            }
        }
        let mut groups = Vec::new();
        for Taken { group: at, warps, path } in taken {
            let missing = LinesError::Warps { group: at + 1, found: *warps, warps: 0 };
            let group = workload.groups().get(*at).ok_or(missing)?;
            let mut line = Line { steps: Vec::new(), most };
            line.walk(&group.code.program(), path, 0)?;
            groups.push(Group { code: line.kernel()?.into(), warps: *warps });
        }
        let lines = Workload::new(groups, workload.multiprocessor())?;
        let lines = lines.in_blocks_of(workload.warps_per_block())?;
        let instance = lines.instance().ok_or(LinesError::TooLong(most))?.clone();
        Ok(Self { workload: lines, instance, groups: taken.iter().map(|taken| taken.group).collect() })
    }

    /// The lines as a workload, one group a line.
    pub fn workload(&self) -> &Workload {
        &self.workload
    }

    /// The letters of the lines, one group a line.
    pub fn instance(&self) -> &Instance {
        &self.instance
    }

    /// For each line, the index of the group whose warps run it.
    pub fn groups(&self) -> &[usize] {
        &self.groups
    }
}

/// The line of a path, as far as it was walked: instructions, and `None` for a barrier.
struct Line {
    steps: Vec<Option<Unit>>,
    most: usize,
}

/// How deeply a program may be nested. The engines refuse deeper ones.
const MOST_DEPTH: usize = 1_000;

impl Line {
    /// Walks a piece along a path.
    fn walk(&mut self, piece: &Piece, path: &Path, depth: usize) -> Result<(), LinesError> {
        if depth > MOST_DEPTH {
            return Err(LinesError::Depth);
        }
        match (piece, path) {
            (&Piece::Letters { letter: unit, count, .. }, Path::Whole) => {
                let count = usize::try_from(count).map_err(|_| LinesError::TooLong(self.most))?;
                self.make_room(count)?;
                self.steps.extend(std::iter::repeat_n(Some(unit), count));
                Ok(())
            }
            (Piece::Barrier { .. }, Path::Whole) => {
                self.make_room(1)?;
                self.steps.push(None);
                Ok(())
            }
            (Piece::Sequence(pieces), Path::Sequence(paths)) if pieces.len() == paths.len() => {
                pieces.iter().zip(paths).try_for_each(|(piece, path)| self.walk(piece, path, depth + 1))
            }
            (Piece::Branch { arms, divergence, line }, Path::Arms(taken)) => {
                let exactly_one = taken.len() == 1 || taken.is_empty() && arms.is_empty();
                let is_right = match divergence {
                    Divergence::Uniform => exactly_one,
                    Divergence::Divergent | Divergence::Interleaved => exactly_one || !taken.is_empty(),
                };
                let twice = |at: usize| taken[..at].iter().any(|(arm, _)| *arm == taken[at].0);
                if !is_right || (0..taken.len()).any(twice) {
                    return Err(LinesError::Shape(*line));
                }
                taken.iter().try_for_each(|(at, path)| {
                    self.walk(arms.get(*at).ok_or(LinesError::Shape(*line))?, path, depth + 1)
                })
            }
            (Piece::Loop { body, least, most, line }, Path::Rounds(parts)) => {
                let mut rounds = 0_u64;
                for (times, paths) in parts {
                    let more = times.checked_mul(paths.len() as u64);
                    let sum = more.and_then(|more| rounds.checked_add(more));
                    rounds = sum.ok_or(LinesError::Shape(*line))?;
                }
                if rounds < *least || rounds > *most {
                    return Err(LinesError::Shape(*line));
                }
                for (times, paths) in parts {
                    self.repeat(*times, |line| {
                        paths.iter().try_for_each(|path| line.walk(body, path, depth + 1))
                    })?;
                }
                Ok(())
            }
            (Piece::Sequence(_), _) => Err(LinesError::Shape(0)),
            (
                Piece::Letters { line, .. }
                | Piece::Barrier { line }
                | Piece::Branch { line, .. }
                | Piece::Loop { line, .. },
                _,
            ) => Err(LinesError::Shape(*line)),
        }
    }

    /// Walks something several times: once step by step, and then by copies of its steps.
    fn repeat(
        &mut self,
        times: u64,
        walk: impl FnOnce(&mut Self) -> Result<(), LinesError>,
    ) -> Result<(), LinesError> {
        if times == 0 {
            return Ok(());
        }
        let start = self.steps.len();
        walk(self)?;
        let end = self.steps.len();
        if start == end {
            return Ok(());
        }
        let more = usize::try_from(times - 1).ok().and_then(|more| more.checked_mul(end - start));
        self.make_room(more.ok_or(LinesError::TooLong(self.most))?)?;
        (1..times).for_each(|_| self.steps.extend_from_within(start..end));
        Ok(())
    }

    /// Checks that so many more steps may be written down.
    fn make_room(&self, more: usize) -> Result<(), LinesError> {
        let fits = self.steps.len().checked_add(more).is_some_and(|steps| steps <= self.most);
        if fits { Ok(()) } else { Err(LinesError::TooLong(self.most)) }
    }

    /// The kernel string of the line.
    fn kernel(self) -> Result<Kernel, LinesError> {
        let (mut units, mut barriers) = (Vec::with_capacity(self.steps.len()), Vec::new());
        for step in self.steps {
            match step {
                Some(unit) => units.push(unit),
                None => barriers.push(units.len()),
            }
        }
        Kernel::with_barriers(units, barriers).ok_or(LinesError::TooLong(self.most))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpspan_model::Multiprocessor;

    fn arm(at: usize, path: Path) -> Path {
        Path::Arms(vec![(at, Arc::new(path))])
    }

    fn sequence(paths: Vec<Path>) -> Path {
        Path::Sequence(paths.into_iter().map(Arc::new).collect())
    }

    fn rounds(times: u64, paths: Vec<Path>) -> Path {
        Path::Rounds(vec![(times, paths.into_iter().map(Arc::new).collect())])
    }

    fn walked(program: &str, path: Path) -> Result<String, LinesError> {
        let piece: Piece = program.parse().unwrap();
        let workload = Workload::single(piece, 4, Multiprocessor::default()).unwrap();
        let taken = Taken { group: 0, warps: 4, path: Arc::new(path) };
        let lines = Lines::walk(&workload, &[taken], 100)?;
        Ok(lines.workload().groups()[0].code.to_string())
    }

    #[test]
    fn a_path_is_walked_letter_by_letter() {
        let whole = || Path::Whole;
        assert_eq!(walked("LLL", whole()).unwrap(), "LLL");
        assert_eq!(walked("L[CC/LL]", sequence(vec![whole(), arm(1, whole())])).unwrap(), "LLL");
        assert_eq!(walked("L|C", sequence(vec![whole(), whole(), whole()])).unwrap(), "L|C");
        let turns = |times, at| rounds(times, vec![arm(at, whole())]);
        assert_eq!(walked("([L/C])2..5", turns(3, 0)).unwrap(), "LLL");
        let both = rounds(2, vec![arm(0, whole()), arm(1, whole())]);
        assert_eq!(walked("([L/C])2..5", both).unwrap(), "LCLC");
        let order = Path::Arms(vec![(1, Arc::new(whole())), (0, Arc::new(whole()))]);
        assert_eq!(walked("{L/CC}", order.clone()).unwrap(), "CCL");
        assert_eq!(walked("<L/CC>", order).unwrap(), "CCL");
    }

    #[test]
    fn what_is_no_path_is_refused() {
        let whole = || Arc::new(Path::Whole);
        let both = || Arc::new(Path::Sequence(vec![whole(), whole()]));
        let no = |program: &str, path: Path| {
            assert!(matches!(walked(program, path), Err(LinesError::Shape(_))), "{program}");
        };
        no("LL", Path::Sequence(vec![whole()]));
        no("LC", Path::Sequence(vec![whole()]));
        no("[L/C]", Path::Arms(vec![]));
        no("[L/C]", Path::Arms(vec![(2, whole())]));
        no("[L/C]", Path::Arms(vec![(0, whole()), (1, whole())]));
        no("{L/C}", Path::Arms(vec![]));
        no("{L/C}", Path::Arms(vec![(1, whole()), (1, whole())]));
        no("(LC)2..5", Path::Rounds(vec![(1, vec![both()])]));
        no("(LC)2..5", Path::Rounds(vec![(3, vec![both(), both()])]));
        no("(LC)2..5", Path::Rounds(vec![(u64::MAX, vec![whole(), whole()])]));
        no("(L)2..5", Path::Whole);
        let long = Path::Rounds(vec![(51, vec![both()])]);
        assert_eq!(walked("(LC)0..60", long), Err(LinesError::TooLong(100)));
    }

    #[test]
    fn the_warps_must_be_those_of_the_groups() {
        let of = |program: &str, same: bool, warps: [u64; 2]| {
            let workload = Workload::single(program.parse::<Piece>().unwrap(), 4, Multiprocessor::default());
            let workload = workload.unwrap().with_same_path(same);
            let taken = |at: usize, warps| {
                let whole = Arc::new(Path::Whole);
                let path = match at {
                    0 => Path::Arms(vec![(0, whole)]),
                    _ => Path::Arms(vec![(1, whole)]),
                };
                Taken { group: 0, warps, path: Arc::new(path) }
            };
            Lines::walk(&workload, &[taken(0, warps[0]), taken(1, warps[1])], 9).map(|lines| lines.groups)
        };
        assert_eq!(of("[LL/C]", false, [3, 1]), Ok(vec![0, 0]));
        assert_eq!(of("[LL/C]", false, [3, 2]), Err(LinesError::Warps { group: 1, found: 5, warps: 4 }));
        assert_eq!(of("[LL/C]", true, [3, 1]), Err(LinesError::Different(1)));
        assert_eq!(of("[|/|]L", false, [3, 1]), Err(LinesError::Different(1)));
    }
}
