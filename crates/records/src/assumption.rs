//! What the numbers of a record rest on.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use warpspan_kernel::input::key;
use warpspan_model::assumption::{self, Id, Kind, Rests};
use warpspan_model::machine::Order;
use warpspan_model::source::Remedy;
use warpspan_rta::Verdict;

/// Something that the numbers of a record rest on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Assumption {
    /// Its name, which stays from release to release: `clock.highest`. `docs/assumptions.md` has all of them.
    pub id: String,
    /// Who vouches for it.
    pub kind: Kind,
    /// What it is about: `DRAM`.
    pub subject: String,
    /// What is taken to be true of that: `122.8 GB/s in lines`.
    pub value: String,
    /// Where that is from, such as a flag or a data sheet; absent where nobody says more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// What says otherwise, in the words of the command line; absent where nothing does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
    /// How far it may be wrong before a deadline is no longer proved to be met, while all else stays as it is; absent where that was not
    /// asked, or is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<Margin>,
}

impl Assumption {
    /// The same with its remedy in the words of a front end.
    pub fn new(of: &assumption::Assumption, words: impl Fn(&Remedy) -> String) -> Self {
        Self {
            id: of.id.to_string(),
            kind: of.kind,
            subject: of.subject.clone(),
            value: of.value.clone(),
            source: of.source.clone(),
            remedy: of.remedy.as_ref().map(words),
            margin: None,
        }
    }

    /// What it is about and what is true of that.
    pub fn says(&self) -> String {
        format!("{}: {}", self.subject, self.value)
    }
}

/// What numbers of an instance rest on whatever it is: that the rules of the model cover what runs, in this order of warps.
pub(crate) fn of_model(policy: Option<Order>) -> Vec<assumption::Assumption> {
    let of = assumption::Assumption::modelled;
    let order = match policy {
        None | Some(Order::Any) => None,
        Some(Order::RoundRobin) => Some("in loose round robin"),
        Some(Order::Oldest) => Some("the oldest warp first"),
        Some(Order::GreedyOldest) => Some("greedy, then oldest first"),
        Some(Order::GreedyYoungest) => Some("greedy, then youngest first"),
    };
    let order = order.map(|order| {
        assumption::Assumption::declared(Id::OrderOfWarps, "schedulers try their warps", order).by("policy")
    });
    let rules = of(Id::ModelRules, "the rules of the model", "cover what runs");
    order.into_iter().chain([rules]).collect()
}

/// What numbers of an instance rest on, and the notes beside them, in the words of a front end.
pub(crate) fn of_instance(
    policy: Option<Order>,
    rests: &Rests,
    words: impl Fn(&Remedy) -> String,
) -> (Vec<Assumption>, Vec<String>) {
    let notes: Vec<String> = rests.notes.iter().map(|note| note.worded(&words)).collect();
    (listed(of_model(policy).into_iter().chain(rests.on.iter().cloned()), words), notes)
}

/// All of them in the words of a front end, in the order in which answers list them, each once.
pub fn listed(
    all: impl IntoIterator<Item = assumption::Assumption>,
    words: impl Fn(&Remedy) -> String,
) -> Vec<Assumption> {
    let mut found: Vec<Assumption> = Vec::new();
    for one in all {
        let one = Assumption::new(&one, &words);
        if !found.contains(&one) {
            found.push(one);
        }
    }
    found.sort_by_key(|one| one.kind);
    found
}

/// What response bounds rest on where the verdict is `refuted`, which rests on other things. It is empty for other verdicts, and where there
/// is no bound.
pub(crate) fn of_bounds(
    (verdict, has_bound): (Verdict, bool),
    rests_on: impl FnOnce() -> Vec<assumption::Assumption>,
) -> Vec<Assumption> {
    if verdict == Verdict::Refuted && has_bound { listed(rests_on(), key) } else { Vec::new() }
}

/// Whether what rests on this was read from a listing: instructions wait for one another then, letters stand for it, and PTX stands for
/// what is made of it.
pub fn are_of_listing(all: &[Assumption]) -> bool {
    are_of_letters(all) || [Id::ListingPtx, Id::ListingWaits].iter().any(|id| has(all, id))
}

/// Whether what rests on this is of letters of the paper's model, for which the code of a GPU was taken.
pub fn are_of_letters(all: &[Assumption]) -> bool {
    has(all, &Id::ListingLetters)
}

fn has(all: &[Assumption], id: &Id) -> bool {
    all.iter().any(|one| one.id == id.name())
}

/// How many there are: declared by the user, and taken for granted by the program.
pub fn counted(all: &[Assumption]) -> [usize; 2] {
    let of = |kinds: &[Kind]| all.iter().filter(|one| kinds.contains(&one.kind)).count();
    [of(&[Kind::Declared]), of(&[Kind::Assumed, Kind::Modelled])]
}

/// How far a value may be wrong, or which one would do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Margin {
    /// Whether a larger value is worse, and not a smaller one.
    pub is_most: bool,
    /// Whether nothing is proved with the value as it is: `holds_to` is then what would do.
    #[serde(default)]
    pub would_do: bool,
    /// The last value with which all deadlines are proved to be met: `1184 MHz`; null where they are with every value, or with none that
    /// would be better.
    pub holds_to: Option<String>,
    /// The next value, with which they are not; null where they are with every value, or with none that would be better.
    pub breaks_at: Option<String>,
    /// Whether a limit ended the search: `holds_to` is then a value with which they are known to be met, and `breaks_at` one with which they
    /// are not, or null where none was found.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_cut: bool,
}
