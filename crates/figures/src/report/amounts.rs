//! Numbers by their reasons, and rows of them.

/// What the numbers of a figure are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// Nanoseconds, which are drawn in the unit of time in which they are short.
    Time,
    /// Cycles.
    Cycles,
}

/// A number by its reasons.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Amounts {
    /// What the warps that are followed take by themselves.
    pub own: f64,
    /// What other warps add.
    pub others: f64,
    /// What the servers of the memory add.
    pub memory: f64,
    /// What is not split by these reasons.
    pub whole: f64,
}

/// A row: its name, its number, and what a pointer over it says besides.
#[derive(Debug, Clone, PartialEq)]
pub struct Costed {
    /// What it is of.
    pub name: String,
    /// Its number.
    pub amounts: Amounts,
    /// What else is known of it; empty where nothing is.
    pub tip: String,
}

/// The rows of a figure.
#[derive(Debug, Clone, PartialEq)]
pub struct Costs {
    /// What it is about.
    pub title: String,
    /// What a reader should know of it, in a sentence or two.
    pub caption: String,
    /// What the numbers are.
    pub quantity: Quantity,
    /// What is drawn, in order.
    pub rows: Vec<Costed>,
    /// The name of the sum and the sum, where the rows are what adds up to it; without it they stand side by side.
    pub sum: Option<(String, f64)>,
    /// The time by which it has to be done, in words and in nanoseconds.
    pub deadline: Option<(String, f64)>,
}

impl Amounts {
    pub(super) fn all(self) -> [f64; 4] {
        [self.own, self.others, self.memory, self.whole]
    }

    /// The sum of all reasons.
    pub fn sum(self) -> f64 {
        self.all().into_iter().sum()
    }
}

impl std::iter::Sum for Amounts {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |sum, one| Self {
            own: sum.own + one.own,
            others: sum.others + one.others,
            memory: sum.memory + one.memory,
            whole: sum.whole + one.whole,
        })
    }
}
