//! Which declarations would lower a bound most.
//!
//! What nobody says of a kernel counts as the worst that can be. Each thing that may be said is tried at its best, since only
//! the user knows how good it is in fact: a branch at which no warp diverges, an access with one transaction, pointers that
//! are aligned, a parameter that is such a number as 1024, a launch that leaves next to nothing for a server of the memory, a
//! cache that keeps what is touched.

use std::collections::BinaryHeap;

use crate::Failure;
use crate::flags::in_shell;
use crate::kept::KeptTraffic;
use crate::kernel::Kernel;
use warpspan_listing::{Options, Reading, divergent_branches};
use warpspan_model::machine::{Declared, Role};

/// How many declarations are told.
const TOLD: usize = 3;
/// How many bounds are computed to find them.
const MOST: usize = 40;
/// The least that a declaration has to gain, as a part of the bound.
const WORTH: u64 = 100;
/// The alignment of pointers that the allocators of CUDA give at least (CUDA C++ Programming Guide, "Device Memory Accesses").
const ALIGNED: u64 = 256;
/// A parameter that is tried as the pitch of an array: whole lines whatever the type of the elements is.
const NUMBER: u64 = 1024;

/// Something that may be said of a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Declaration {
    /// No warp diverges at the branch in a line.
    Uniform(u32),
    /// Each pass of the access in a line is one transaction.
    OneTransaction(u32),
    /// The pointers among the parameters are aligned.
    Aligned,
    /// A parameter is known: one of those that have no value.
    Number(usize),
    /// Next to nothing moves through the DRAM.
    NoDram,
    /// Next to nothing moves through L2.
    NoL2,
    /// A cache keeps what is touched: one of those of which the traffic then is known.
    Kept(usize),
}

/// The bound of a launch with what is declared of its traffic, in any unit; with other options than its own, if any are given.
type BoundWith<'a> = dyn Fn(Option<Options>, &[Declared]) -> Result<u64, Failure> + 'a;

/// A declaration with what it would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hint {
    /// The flag, with a placeholder for a number that only the user knows.
    pub(crate) flag: String,
    /// What has to be true.
    pub(crate) condition: String,
    /// The bound then, in the unit of the bounds that were compared.
    pub(crate) bound: u64,
}

impl Declaration {
    /// Whether it is about the code, which has to be read again then.
    const fn is_of_code(self) -> bool {
        !matches!(self, Self::NoDram | Self::NoL2 | Self::Kept(_))
    }

    fn add(
        self,
        options: &mut Options,
        declared: &mut Vec<Declared>,
        (numbers, kept): (&[&str], &[KeptTraffic]),
    ) -> Result<(), String> {
        match self {
            Self::Uniform(line) => {
                options.uniform.insert(line.to_string());
            }
            Self::OneTransaction(line) => options.transactions.add(&format!("{line}=1"))?,
            Self::Aligned => options.params.add(&format!("pointers=*{ALIGNED}"))?,
            Self::Number(number) => options.params.add(&format!("{}={NUMBER}", numbers[number]))?,
            Self::NoDram => declared.push(next_to_nothing(Role::Dram)),
            Self::NoL2 => declared.push(next_to_nothing(Role::L2)),
            Self::Kept(number) => declared.extend_from_slice(&kept[number].most),
        }
        Ok(())
    }

    fn hint(self, bound: u64, (numbers, kept): (&[&str], &[KeptTraffic])) -> Hint {
        let (flag, condition) = match self {
            Self::Uniform(line) => {
                (format!("--uniform {line}"), format!("no warp diverges at the branch in line {line}"))
            }
            Self::OneTransaction(line) => {
                (format!("--transactions {line}=1"), format!("each pass of line {line} is one transaction"))
            }
            Self::Aligned => (
                format!("--param {}", in_shell(&format!("pointers=*{ALIGNED}"))),
                format!("each pointer among the parameters is a multiple of {ALIGNED}"),
            ),
            Self::Number(number) => {
                let name = numbers[number];
                (
                    format!("--param {}", in_shell(&format!("{name}=N"))),
                    format!("{name} is such a number as {NUMBER}"),
                )
            }
            Self::NoDram => {
                ("--dram-bytes BYTES".to_owned(), "next to nothing moves through the DRAM".to_owned())
            }
            Self::NoL2 => ("--l2-bytes BYTES".to_owned(), "next to nothing moves through L2".to_owned()),
            Self::Kept(number) => (kept[number].flag.to_owned(), kept[number].condition.to_owned()),
        };
        Hint { flag, condition, bound }
    }
}

/// All that may be said of a kernel and is not.
fn open(
    (reading, kernel): (&Reading<'_>, &Kernel),
    options: &Options,
    declared: &[Declared],
) -> Result<Vec<Declaration>, Failure> {
    let mut with_sizes = options.clone();
    let [grid, block] = kernel.sizes;
    with_sizes.params.add_sizes(grid, block).map_err(Failure::usage)?;
    let branches = divergent_branches(reading, &kernel.entry, &with_sizes)?;
    let mut found: Vec<Declaration> = branches.into_iter().map(Declaration::Uniform).collect();
    if let Some(on) = &kernel.entry.on_machine {
        found.extend(on.worst_case.iter().map(|&line| Declaration::OneTransaction(line)));
        found.extend((on.pointers == 0 && on.reaches_memory).then_some(Declaration::Aligned));
    }
    found.extend((0..kernel.entry.open_numbers.len()).map(Declaration::Number));
    let is_open =
        |role| kernel.machine.server(role).is_some() && declared.iter().all(|declared| declared.role != role);
    found.extend(is_open(Role::Dram).then_some(Declaration::NoDram));
    found.extend(is_open(Role::L2).then_some(Declaration::NoL2));
    Ok(found)
}

/// A byte, since a server of which nothing is asked has no pauses either.
const fn next_to_nothing(role: Role) -> Declared {
    Declared { role, bytes: 1, in_lines: true, further: 0 }
}

/// The declarations that would lower a bound most, the best first. `bound_with` computes it with what is declared.
///
/// What several of them gain together is no less than what one of them gains, so that the best ones are found among many by
/// halves: the half that gains most is divided next.
///
/// # Errors
/// If the branches of the kernel cannot be found.
pub(crate) fn hints(
    (reading, kernel): (&Reading<'_>, &Kernel),
    options: &Options,
    (declared, kept): (&[Declared], &[KeptTraffic]),
    bound: u64,
    bound_with: &BoundWith<'_>,
) -> Result<Vec<Hint>, Failure> {
    let numbers: Vec<&str> = kernel.entry.open_numbers.iter().map(String::as_str).collect();
    let named = (&numbers[..], kept);
    let gain = |some: &[Declaration]| {
        let (mut options, mut declared) = (options.clone(), declared.to_vec());
        let added = some.iter().try_for_each(|one| one.add(&mut options, &mut declared, named));
        // What cannot be said gains nothing.
        let options = some.iter().any(|one| one.is_of_code()).then_some(options);
        let lower = added.ok().and_then(|()| bound_with(options, &declared).ok());
        bound.saturating_sub(lower.unwrap_or(bound))
    };
    let mut all = open((reading, kernel), options, declared)?;
    all.extend((0..kept.len()).map(Declaration::Kept));
    let mut groups = BinaryHeap::from([(u64::MAX, all)]);
    let (mut found, mut tried) = (Vec::new(), 0);
    while let Some((gained, group)) = groups.pop() {
        if found.len() == TOLD {
            break;
        }
        match group[..] {
            [] => {}
            [one] if gained < u64::MAX => found.push(one.hint(bound - gained, named)),
            _ => {
                let (first, second) = group.split_at(group.len() / 2);
                let halves = [first, second].into_iter().filter(|half| !half.is_empty());
                tried += halves.clone().count();
                // Nobody would look at the gains of the last ones.
                if tried >= MOST {
                    break;
                }
                for half in halves {
                    let gained = gain(half);
                    if gained > bound / WORTH {
                        groups.push((gained, half.to_vec()));
                    }
                }
            }
        }
    }
    Ok(found)
}
