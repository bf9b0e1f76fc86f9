//! The registers of SASS and their names.

/// A file of registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum File {
    /// `R0` to `R254`, 32 bits for each thread.
    General,
    /// `UR0` and further ones, 32 bits for each warp.
    Uniform,
    /// `P0` to `P6`, for each thread.
    Predicate,
    /// `UP0` and further ones, for each warp.
    UniformPredicate,
    /// `B0` to `B15`: the threads that wait for each other.
    Barrier,
}

/// A register. What always reads as zero or true (`RZ`, `PT`) is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Register {
    /// Which registers it is one of.
    pub file: File,
    /// Its number there.
    pub number: usize,
}

impl Register {
    /// The register of a name, such as `UR4`.
    pub fn of(name: &str) -> Option<Self> {
        const FILES: [(&str, File); 5] = [
            ("R", File::General),
            ("UR", File::Uniform),
            ("P", File::Predicate),
            ("UP", File::UniformPredicate),
            ("B", File::Barrier),
        ];
        let end = name.find(|c: char| c.is_ascii_digit())?;
        let (prefix, digits) = name.split_at(end);
        let (_, file) = *FILES.iter().find(|(known, _)| *known == prefix)?;
        if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let number = digits.parse().ok().filter(|&number| number < file.size())?;
        Some(Self { file, number })
    }

    /// Its name; none of a barrier register.
    pub fn name(self) -> Option<&'static str> {
        let names: &[&'static str] = match self.file {
            File::General => &GENERAL,
            File::Uniform => &UNIFORM,
            File::Predicate => &PREDICATES,
            File::UniformPredicate => &UNIFORM_PREDICATES,
            File::Barrier => &[],
        };
        names.get(self.number).copied()
    }

    /// Whether a result from it on may reach another one: wide results are up to four registers.
    pub fn may_reach(self, other: Self) -> bool {
        self.file == other.file && (self.number..=self.number + 3).contains(&other.number)
    }

    /// It and those behind it, so many in all, as far as there are any.
    pub fn run(self, count: usize) -> impl Iterator<Item = Self> {
        let end = self.number.saturating_add(count).min(self.file.size());
        (self.number..end).map(move |number| Self { number, ..self })
    }
}

impl File {
    /// How many registers it may have at most.
    pub const fn size(self) -> usize {
        match self {
            Self::General | Self::Uniform => 255,
            Self::Predicate => 7,
            Self::UniformPredicate => 8,
            Self::Barrier => 16,
        }
    }

    /// Whether a warp has its registers once.
    pub const fn is_of_warp(self) -> bool {
        matches!(self, Self::Uniform | Self::UniformPredicate)
    }

    /// Whether its registers are predicates.
    pub const fn is_of_predicates(self) -> bool {
        matches!(self, Self::Predicate | Self::UniformPredicate)
    }
}

/// The registers that a text names, in their order. The name of a place, which stands in brackets behind a backquote, is no
/// register, and `PR` and `UPR` stand for all predicates.
pub fn named(text: &str) -> impl Iterator<Item = Register> {
    let quoted = text.split_once('`');
    let (before, behind) = match quoted {
        Some((before, rest)) => (before, rest.split_once(')').map_or("", |(_, behind)| behind)),
        None => (text, ""),
    };
    let words = [before, behind]
        .into_iter()
        .flat_map(|part| part.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'));
    words.flat_map(|word| {
        let all = match word {
            "PR" => Some(File::Predicate),
            "UPR" => Some(File::UniformPredicate),
            _ => None,
        };
        let first = all.map(|file| Register { file, number: 0 }).or_else(|| Register::of(word));
        first.into_iter().flat_map(move |first| first.run(all.map_or(1, File::size)))
    })
}

/// The names of registers by their numbers.
macro_rules! names {
    ($prefix:literal) => {
        names!(@rows $prefix, "", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14",
            "15", "16", "17", "18", "19", "20", "21", "22", "23", "24", "25")
    };
    (@rows $prefix:literal, $($tens:literal),*) => {
        [$(
            concat!($prefix, $tens, "0"), concat!($prefix, $tens, "1"), concat!($prefix, $tens, "2"),
            concat!($prefix, $tens, "3"), concat!($prefix, $tens, "4"), concat!($prefix, $tens, "5"),
            concat!($prefix, $tens, "6"), concat!($prefix, $tens, "7"), concat!($prefix, $tens, "8"),
            concat!($prefix, $tens, "9"),
        )*]
    };
}

static GENERAL: [&str; 260] = names!("R");
static UNIFORM: [&str; 260] = names!("UR");
static PREDICATES: [&str; 7] = ["P0", "P1", "P2", "P3", "P4", "P5", "P6"];
static UNIFORM_PREDICATES: [&str; 8] = ["UP0", "UP1", "UP2", "UP3", "UP4", "UP5", "UP6", "UP7"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_by_number() {
        let run = |name, count| -> Vec<&str> {
            Register::of(name).unwrap().run(count).filter_map(Register::name).collect()
        };
        assert_eq!(run("R9", 3), ["R9", "R10", "R11"]);
        assert_eq!(run("UR62", 2), ["UR62", "UR63"]);
        assert_eq!(run("R254", 8), ["R254"]);
        for none in ["RZ", "PT", "UPT", "URZ", "R255", "R", "P7", "R4X", "X4", "", "0x5"] {
            assert_eq!(Register::of(none), None, "{none}");
        }
    }

    #[test]
    fn registers_in_a_text() {
        let of = |text| named(text).filter_map(Register::name).collect::<Vec<_>>().join(" ");
        assert_eq!(of("desc[UR4][R2.64+0x10]"), "UR4 R2");
        assert_eq!(of("-|R7|.H0_H0"), "R7");
        assert_eq!(of("R2 `(R5_name) P1"), "R2 P1");
        assert_eq!(of("PR"), "P0 P1 P2 P3 P4 P5 P6");
        assert_eq!(of("UPR, UR4").split(' ').count(), 9);
        assert_eq!(of("c[0x0][R4+0x160]"), "R4");
    }
}
