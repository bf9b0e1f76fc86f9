//! What shows that a function of SASS is there as a whole. A listing that was cut off, or that lost lines, would give bounds that
//! are too low.
//!
//! | printer | addresses | mark of the end |
//! |---|---|---|
//! | `cuobjdump` | yes | a line of dots |
//! | `nvdisasm`, CuAssembler | yes | the label, or the number of bytes, that `.size` names |
//! | Compiler Explorer | no | none |
//!
//! Whatever the printer, no path from the beginning of the function may go on behind its last instruction, and each target must be
//! there, which `branch` sees to.

use crate::closure::closure;
use crate::routine::Routine;
use crate::sass::Open;
use crate::sass::line::Size;
use crate::sass::step::{Step, Wrong, successors};
use warpspan_isa::row::Transfer;

/// The code of an architecture: how many bytes an instruction has, and the distance of the words of control fields among them, each as
/// long as an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Spacing {
    bytes: u64,
    words: Option<u64>,
}

impl Spacing {
    /// That of a compute capability.
    fn of(capability: &str) -> Option<Self> {
        let words = |distance| Self { bytes: 8, words: Some(distance) };
        Some(match capability.split('.').next()?.parse::<u32>().ok()? {
            2 => Self { bytes: 8, words: None },
            3 => words(0x40),
            5 | 6 => words(0x20),
            7.. => Self { bytes: 16, words: None },
            _ => return None,
        })
    }

    /// Every one that the first addresses of a function leave open where no capability is named.
    const ALL: [Self; 4] = [
        Self { bytes: 16, words: None },
        Self { bytes: 8, words: None },
        Self { bytes: 8, words: Some(0x20) },
        Self { bytes: 8, words: Some(0x40) },
    ];

    /// The address of the instruction at or behind an address.
    fn from(self, address: u64) -> u64 {
        match self.words {
            Some(distance) if address.is_multiple_of(distance) => address.saturating_add(self.bytes),
            _ => address,
        }
    }

    /// The address of the instruction behind another one, or of the first one.
    fn behind(self, before: Option<u64>) -> u64 {
        self.from(before.map_or(0, |before| before.saturating_add(self.bytes)))
    }
}

/// The addresses of a function that is being read.
#[derive(Debug, Default)]
pub(super) struct Addresses {
    last: Option<u64>,
    /// The spacings that agree with all addresses so far; none before the first.
    open: Option<Vec<Spacing>>,
}

impl Addresses {
    /// Takes the address of the next instruction; the error is where it should be.
    pub(super) fn next(&mut self, capability: Option<&str>, address: u64) -> Result<(), u64> {
        let last = self.last.replace(address);
        let open = self.open.get_or_insert_with(|| match capability.and_then(Spacing::of) {
            Some(one) => vec![one],
            None => Spacing::ALL.to_vec(),
        });
        let want = open.iter().map(|one| one.behind(last)).min().unwrap_or(0);
        open.retain(|one| one.behind(last) == address);
        if open.is_empty() { Err(want) } else { Ok(()) }
    }

    /// How many bytes the code has, if that is known.
    fn bytes(&self) -> Option<u64> {
        let [only] = self.open.as_deref()? else { return None };
        self.last?.checked_add(only.bytes)
    }
}

/// How the end of a function is marked.
#[derive(Debug, Default)]
pub(super) struct Ends<'a> {
    /// Whether `Function : NAME` began it, as cuobjdump prints.
    pub(super) dotted: bool,
    /// Whether an encoding is printed in it, as cuobjdump always does.
    pub(super) encoded: bool,
    /// Whether a line of dots ended it.
    pub(super) dots: bool,
    /// What `.size` says of it and of its parts, each with its line.
    pub(super) sizes: Vec<(u32, Size<'a>)>,
}

/// Whether a mark shows where a function ends.
///
/// # Errors
/// If the printer writes such a mark, and it is missing or does not fit.
pub(super) fn is_marked(open: &Open<'_>) -> Result<bool, Wrong> {
    let (routine, ends) = (&open.routine, &open.ends);
    let mut sized = false;
    for (line, size) in &ends.sizes {
        let is_there = |label: &str| label == routine.name || open.labels.contains_key(label);
        let fits = match (size.labels(), size.bytes(), open.spacing.bytes()) {
            (Some((to, from)), ..) => match [to, from].into_iter().find(|label| !is_there(label)) {
                Some(label) => {
                    let what = format!(".size names {label}, which is not there: want the whole function");
                    return Err((*line, what));
                }
                None => true,
            },
            // That of a part does not tell where the function ends.
            (None, Some(said), Some(found)) if size.name == routine.name && said != found => {
                let what = format!(".size says {said} bytes, and {found} are there: want the whole function");
                return Err((*line, what));
            }
            (None, said, found) => said.is_some() && found.is_some(),
        };
        sized |= fits && size.name == routine.name;
    }
    if ends.dotted && ends.encoded && !ends.dots {
        let line = routine.instructions.last().map_or(routine.line, |last| last.line);
        let what =
            "no line of dots behind the last instruction, where cuobjdump writes one: want the whole listing";
        return Err((line, what.into()));
    }
    Ok(sized || ends.dots)
}

/// The line of the last instruction, if control may go on behind it.
pub(super) fn runs_off(routine: &Routine<'_>, steps: &[Step]) -> Option<Wrong> {
    let last = steps.len().checked_sub(1)?;
    let follow = |at: usize, open: &mut Vec<usize>| match steps.get(at) {
        Some(Step::Call(to) | Step::Push(_, to)) => open.extend([*to, at + 1]),
        Some(step) if !ends(routine, step, at) => successors(routine, step, at, open),
        _ => {}
    };
    let mut behind = Vec::new();
    follow(last, &mut behind);
    let reached = || {
        closure([0], |at, open| {
            follow(at, open);
            Some(())
        })
    };
    let is_left = behind.contains(&steps.len()) && reached().is_some_and(|all| all.contains(&last));
    is_left.then(|| {
        let one = &routine.instructions[last];
        let what = format!(
            "control goes on behind this {}, the last instruction: want the whole listing",
            one.opcode().name()
        );
        (one.line, what)
    })
}

/// Whether no instruction follows this one where its own step does not say so: a trap ends the launch, and an indirect branch goes
/// where the listing does not tell.
fn ends(routine: &Routine<'_>, step: &Step, at: usize) -> bool {
    let one = &routine.instructions[at];
    let is_indirect = || one.transfer() == Transfer::Indirect;
    !one.conditional && (one.is_trap() || *step == Step::Unknown && is_indirect())
}
