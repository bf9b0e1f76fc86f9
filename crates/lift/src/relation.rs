//! How two numbers compare.

/// How two numbers compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// `<`.
    Less,
    /// `<=`.
    LessEqual,
    /// `>`.
    Greater,
    /// `>=`.
    GreaterEqual,
    /// `==`.
    Equal,
    /// `!=`.
    NotEqual,
}

impl Relation {
    /// The relation of a comparison of PTX, in lower case.
    pub fn of(name: &str) -> Option<Self> {
        Some(match name {
            "lt" | "lo" => Self::Less,
            "le" | "ls" => Self::LessEqual,
            "gt" | "hi" => Self::Greater,
            "ge" | "hs" => Self::GreaterEqual,
            "eq" => Self::Equal,
            "ne" => Self::NotEqual,
            _ => return None,
        })
    }

    /// The relation that holds where this one does not.
    pub const fn denied(self) -> Self {
        match self {
            Self::Less => Self::GreaterEqual,
            Self::LessEqual => Self::Greater,
            Self::Greater => Self::LessEqual,
            Self::GreaterEqual => Self::Less,
            Self::Equal => Self::NotEqual,
            Self::NotEqual => Self::Equal,
        }
    }

    /// The relation of the right side to the left.
    pub const fn mirrored(self) -> Self {
        match self {
            Self::Less => Self::Greater,
            Self::LessEqual => Self::GreaterEqual,
            Self::Greater => Self::Less,
            Self::GreaterEqual => Self::LessEqual,
            Self::Equal | Self::NotEqual => self,
        }
    }

    /// Whether it holds of two numbers.
    pub const fn holds(self, value: i128, limit: i128) -> bool {
        match self {
            Self::Less => value < limit,
            Self::LessEqual => value <= limit,
            Self::Greater => value > limit,
            Self::GreaterEqual => value >= limit,
            Self::Equal => value == limit,
            Self::NotEqual => value != limit,
        }
    }

    /// Whether the order of numbers decides it.
    pub const fn is_ordered(self) -> bool {
        !matches!(self, Self::Equal | Self::NotEqual)
    }
}
