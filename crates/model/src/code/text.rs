//! Reading code. The grammar is described in [`program`](crate::program).

use std::str::FromStr;

use crate::code::error::CodeError;
use crate::code::reader::{Reader, UNITS};
use crate::program::Piece;
use crate::{Code, Kernel, MAX_KERNEL_LENGTH, Unit};

impl FromStr for Code {
    type Err = CodeError;

    /// Reads letters in either case and ignores spaces and `_`. A text with the brackets of a branch or with
    /// a range of counts is a program, and any other text is a kernel string.
    fn from_str(text: &str) -> Result<Self, CodeError> {
        if let Some(kernel) = plain(text) {
            return Ok(Self::Kernel(kernel));
        }
        let has_paths = text.contains(['[', '{', '<']) || text.contains("..");
        let read = Reader::read(text, has_paths, &UNITS)?;
        if read.paths.is_some() { Ok(Self::Program(read.program)) } else { read.kernel().map(Self::Kernel) }
    }
}

impl FromStr for Kernel {
    type Err = CodeError;

    /// Reads L and C in either case, `|` for a barrier, counts after a letter or a bracket, and nested
    /// brackets. Spaces and `_` are ignored.
    fn from_str(text: &str) -> Result<Self, CodeError> {
        match plain(text) {
            Some(kernel) => Ok(kernel),
            None => Reader::read(text, false, &UNITS)?.kernel(),
        }
    }
}

/// The kernel of a text of letters, counts and barriers alone. It needs memory only for the letters; the pieces of
/// brackets would take many times as much. `None` for any other text, which the reader handles.
fn plain(text: &str) -> Option<Kernel> {
    let (mut units, mut barriers, mut last) = (Vec::new(), Vec::new(), None);
    let mut rest = text.chars().peekable();
    while let Some(found) = rest.next() {
        if let Some(digit) = found.to_digit(10) {
            let unit = last.take()?;
            let mut count = u64::from(digit);
            while let Some(digit) = rest.peek().and_then(|next| next.to_digit(10)) {
                count = count.checked_mul(10)?.checked_add(u64::from(digit))?;
                rest.next();
            }
            let more = usize::try_from(count.checked_sub(1)?).ok()?;
            if more > MAX_KERNEL_LENGTH - units.len() {
                return None;
            }
            units.extend(std::iter::repeat_n(unit, more));
        } else if found == '|' {
            barriers.push(units.len());
            last = None;
        } else if found != '_' && !found.is_whitespace() {
            last = Some(Unit::from_letter(found)?);
            units.extend(last);
            if units.len() > MAX_KERNEL_LENGTH {
                return None;
            }
        }
    }
    Kernel::with_barriers(units, barriers)
}

impl FromStr for Piece {
    type Err = CodeError;

    /// Reads a program, which may be a straight line of any length. The result is in normal form.
    fn from_str(text: &str) -> Result<Self, CodeError> {
        Reader::read(text, true, &UNITS).map(|read| read.program)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<String, CodeError> {
        text.parse::<Kernel>().map(|kernel| kernel.to_string())
    }

    #[test]
    fn counts_brackets_case_and_blanks() {
        assert_eq!(parse("L2CL2").unwrap(), "LLCLL");
        assert_eq!(parse(" ll_c\tLL ").unwrap(), "LLCLL");
        assert_eq!(parse("(LLC)3").unwrap(), "LLCLLCLLC");
        assert_eq!(parse("((LC)2 L)2").unwrap(), "LCLCLLCLCL");
        assert_eq!(parse("()L").unwrap(), "L");
        assert_eq!(parse("L 3").unwrap(), "LLL");
    }

    #[test]
    fn barriers() {
        assert_eq!(parse("(LC|)3 L").unwrap(), "LC|LC|LC|L");
        assert_eq!(parse("|LL||C|").unwrap(), "LL|C");
        let kernel: Kernel = "L|CC|L".parse().unwrap();
        assert_eq!(kernel.barriers(), [1, 3]);
        assert_eq!(kernel.segments().map(<[Unit]>::len).collect::<Vec<_>>(), [1, 2, 1]);
        let times = crate::PerUnit::from_fn(|unit| if unit == Unit::LoadStore { 2 } else { 1 });
        assert_eq!(kernel.repeat(&times).unwrap().to_string(), "LL|CC|LL");
    }

    #[test]
    fn errors_name_the_character() {
        assert_eq!(parse(""), Err(CodeError::Empty));
        assert_eq!(parse("()5"), Err(CodeError::Empty));
        assert_eq!(parse("LLX"), Err(CodeError::Unexpected { position: 3, found: 'X' }));
        assert_eq!(parse("2L"), Err(CodeError::Unexpected { position: 1, found: '2' }));
        assert_eq!(parse("(2L)"), Err(CodeError::Unexpected { position: 2, found: '2' }));
        assert_eq!(parse("L2 3"), Err(CodeError::Unexpected { position: 4, found: '3' }));
        assert_eq!(parse("L(C"), Err(CodeError::Bracket(2)));
        assert_eq!(parse("LC)"), Err(CodeError::Bracket(3)));
        assert_eq!(parse("L0"), Err(CodeError::ZeroCount(2)));
        assert_eq!(parse("L|2"), Err(CodeError::Unexpected { position: 3, found: '2' }));
        assert_eq!(parse("||"), Err(CodeError::Empty));
    }

    /// Code and kernels are read alike, but a text with several paths is not a kernel.
    #[test]
    fn one_grammar() {
        for text in ["L2CL2", "(LC|)3 L", "((LC)2 L)2", "LLX", "L0", "L(C", "()5", "L99999999999999999999"] {
            let kernel = text.parse::<Kernel>();
            assert_eq!(text.parse::<Code>(), kernel.clone().map(Code::Kernel), "{text}");
            if let Ok(kernel) = kernel {
                let program: Piece = text.parse().unwrap();
                assert_eq!(program.straight_line(), Some(kernel), "{text}");
            }
        }
        for (text, position, found) in [("L[C/L]", 2, '['), ("LL3..4", 4, '.'), ("(L|)2{L/C}", 6, '{')] {
            assert_eq!(parse(text), Err(CodeError::Unexpected { position, found }));
            assert!(matches!(text.parse(), Ok(Code::Program(_))), "{text}");
        }
        assert_eq!("[L/C]L99999999999999999999".parse::<Code>(), Err(CodeError::Count(7)));
        assert_eq!("L1000000000".parse::<Code>(), Err(CodeError::TooLong(2)));
        assert_eq!("L5.4".parse::<Code>(), Err(CodeError::Count(2)));
    }

    /// The short cut gives what the reader gives, and nothing where the reader finds an error.
    #[test]
    fn the_short_way_reads_what_the_reader_reads() {
        let letters = ['L', 'c', '2', '0', '|', '_', ' ', '1', '(', ')', '.', 'X'];
        let mut seen = [0, 0];
        for number in 0..12_usize.pow(5) {
            let text: String = (0..5).map(|at| letters[number / 12_usize.pow(at) % 12]).collect();
            let read = Reader::read(&text, false, &UNITS).and_then(super::super::reader::Read::kernel);
            if let Some(kernel) = plain(&text) {
                assert_eq!(Ok(kernel), read, "{text:?}");
                seen[0] += 1;
            } else if !text.contains(['(', ')']) {
                assert!(read.is_err(), "{text:?}");
                seen[1] += 1;
            }
        }
        assert!(seen.iter().all(|&count| count > 5_000), "{seen:?}");
        assert_eq!(plain("L67108864 ").unwrap().len(), MAX_KERNEL_LENGTH);
        assert_eq!(plain("L67108864 C"), None);
    }

    #[test]
    fn no_kernel_string() {
        let line = |text: &str| text.parse::<Piece>().unwrap().straight_line();
        assert_eq!(line("L1000000000"), None);
        assert_eq!(line("|"), None);
        assert_eq!(line("L0..1"), None);
        let nothing = Piece::Sequence(Vec::new().into());
        let rounds = Piece::Loop { body: Box::new(nothing), least: u64::MAX, most: u64::MAX, line: 0 };
        assert_eq!(rounds.straight_line(), None);
    }

    #[test]
    fn huge_counts_are_refused_without_being_built() {
        assert_eq!(parse("L99999999999999999999999"), Err(CodeError::TooLong(2)));
        assert_eq!(parse("L1000000000"), Err(CodeError::TooLong(2)));
        assert_eq!(parse("((((L10000)10000)10000)10000)10000"), Err(CodeError::TooLong(12)));
        assert_eq!(parse(&"(".repeat(100_000)), Err(CodeError::Bracket(100_000)));
    }
}
