//! Reading code: the one grammar of kernel strings and programs, which [`program`](crate::model::program) tells.

use std::iter::Peekable;
use std::str::{Chars, FromStr};

use thiserror::Error;

use crate::model::program::{Divergence, MAX_DEPTH, Piece};
use crate::model::{Code, Kernel, MAX_KERNEL_LENGTH, Unit};

/// Why a text is no code. Positions count characters from 1.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CodeError {
    /// There is no instruction at all.
    #[error("the kernel is empty: want at least one L or C")]
    Empty,
    /// A character means nothing here.
    #[error(
        "character {position} is '{found}': want L, C, '|', a count after a letter or a bracket, or brackets"
    )]
    Unexpected {
        /// Where, from 1.
        position: usize,
        /// What stands there.
        found: char,
    },
    /// A bracket has no partner.
    #[error("the bracket at character {0} has no partner")]
    Bracket(usize),
    /// A count is zero.
    #[error("the count at character {0} is zero: want 1 or more")]
    ZeroCount(usize),
    /// A count is no number of rounds.
    #[error("the count at character {0}: want 1 or more, or least..most with least at most most, below 2^64")]
    Count(usize),
    /// A kernel string has too many instructions.
    #[error("more than {MAX_KERNEL_LENGTH} instructions at character {0}: shorten the kernel or its counts")]
    TooLong(usize),
    /// Brackets lie in too many brackets.
    #[error(
        "the bracket at character {0} holds brackets deeper than {most} in one another: flatten the program",
        most = DEEPEST
    )]
    Deep(usize),
}

/// How deep brackets may lie in one another. Each makes three pieces at most: a loop of a branch of sequences.
const DEEPEST: usize = MAX_DEPTH / 3 - 1;

impl FromStr for Code {
    type Err = CodeError;

    /// Reads letters in either case; spaces and `_` are ignored. A text with the brackets of a branch or with a range of
    /// counts is a program, any other a kernel string.
    fn from_str(text: &str) -> Result<Self, CodeError> {
        let has_paths = text.contains(['[', '{', '<']) || text.contains("..");
        let read = Reader::read(text, has_paths)?;
        if read.paths.is_some() { Ok(Self::Program(read.program)) } else { read.kernel().map(Self::Kernel) }
    }
}

impl FromStr for Kernel {
    type Err = CodeError;

    /// Reads L and C in either case, `|` for a barrier, counts after a letter or a bracket, nested brackets; spaces and
    /// `_` are ignored.
    fn from_str(text: &str) -> Result<Self, CodeError> {
        Reader::read(text, false)?.kernel()
    }
}

impl FromStr for Piece {
    type Err = CodeError;

    /// Reads a program, which may be a straight line of any length. The result is in normal form.
    fn from_str(text: &str) -> Result<Self, CodeError> {
        Reader::read(text, true).map(|read| read.program)
    }
}

/// What a text says.
struct Read {
    /// In normal form.
    program: Piece,
    /// The first sign of several paths: the bracket of a branch, or the dots of a range.
    paths: Option<(usize, char)>,
    /// Where it becomes longer than a kernel string may be.
    too_long: Option<usize>,
}

impl Read {
    fn kernel(self) -> Result<Kernel, CodeError> {
        match (self.paths, self.too_long) {
            (Some((position, found)), _) => Err(CodeError::Unexpected { position, found }),
            (_, Some(position)) => Err(CodeError::TooLong(position)),
            _ => self.program.straight_line().ok_or(CodeError::Empty),
        }
    }
}

/// A bracket that is open, or the whole text.
#[derive(Default)]
struct Frame {
    /// Where the bracket stands, and what it makes: a branch, or a group of pieces if `None`.
    position: usize,
    divergence: Option<Divergence>,
    /// The arms before the one that is read.
    arms: Vec<Piece>,
    pieces: Vec<Piece>,
    /// How deep brackets lie in one another in it.
    depth: usize,
    /// Letters and barriers before the bracket and in it, written out.
    before: u64,
    length: u64,
}

impl Frame {
    /// Adds a piece. The pieces of a group join those around it, and neighbouring letters of a unit join each other.
    fn add(&mut self, item: Item) {
        self.depth = self.depth.max(item.depth);
        self.length = self.length.saturating_add(item.length);
        for piece in item.pieces {
            if let (
                Some(Piece::Letters { unit: last, count: before, .. }),
                &Piece::Letters { unit, count, .. },
            ) = (self.pieces.last_mut(), &piece)
                && *last == unit
                && let Some(sum) = before.checked_add(count)
            {
                *before = sum;
            } else {
                self.pieces.push(piece);
            }
        }
    }
}

/// What a count may follow: a letter, or what stood in brackets.
struct Item {
    pieces: Vec<Piece>,
    position: usize,
    depth: usize,
    length: u64,
}

struct Reader<'a> {
    /// Of the character that was read last.
    position: usize,
    rest: Peekable<Chars<'a>>,
    /// The whole text, and the brackets that are open in it.
    frames: Vec<Frame>,
    paths: Option<(usize, char)>,
    too_long: Option<usize>,
}

impl<'a> Reader<'a> {
    /// Reads a text; `is_program` tells whether a count that is too large is to be called a wrong count or too many letters.
    fn read(text: &'a str, is_program: bool) -> Result<Read, CodeError> {
        let mut reader = Self {
            position: 0,
            rest: text.chars().peekable(),
            frames: Vec::new(),
            paths: None,
            too_long: None,
        };
        let mut whole = Frame::default();
        while let Some((position, found)) = reader.next() {
            let item = match found {
                '(' => {
                    reader.open(&mut whole, position, None);
                    continue;
                }
                '[' | '{' | '<' => {
                    reader.paths = reader.paths.or(Some((position, found)));
                    reader.open(&mut whole, position, Divergence::of_bracket(found));
                    continue;
                }
                '/' if whole.divergence.is_some() => {
                    whole.arms.push(Piece::Sequence(std::mem::take(&mut whole.pieces)));
                    continue;
                }
                ')' | ']' | '}' | '>' => reader.close(&mut whole, position, found)?,
                '|' => {
                    let pieces = vec![Piece::Barrier { line: 0 }];
                    whole.add(Item { pieces, position, depth: 0, length: 1 });
                    reader.look_at_length(&whole, position);
                    continue;
                }
                _ => {
                    let unit = Unit::from_letter(found).ok_or(CodeError::Unexpected { position, found })?;
                    let pieces = vec![Piece::Letters { unit, count: 1, line: 0 }];
                    Item { pieces, position, depth: 0, length: 1 }
                }
            };
            let (item, position) = reader.counted(item, is_program)?;
            whole.add(item);
            reader.look_at_length(&whole, position);
        }
        if !reader.frames.is_empty() {
            return Err(CodeError::Bracket(whole.position));
        }
        match Piece::Sequence(whole.pieces).normal() {
            Piece::Sequence(pieces) if pieces.is_empty() => Err(CodeError::Empty),
            program => Ok(Read { program, paths: reader.paths, too_long: reader.too_long }),
        }
    }

    /// The next character that is not ignored, left where it is.
    fn peek(&mut self) -> Option<char> {
        while self.rest.next_if(|c| c.is_whitespace() || *c == '_').is_some() {
            self.position += 1;
        }
        self.rest.peek().copied()
    }

    fn next(&mut self) -> Option<(usize, char)> {
        self.peek()?;
        self.position += 1;
        self.rest.next().map(|found| (self.position, found))
    }

    fn open(&mut self, current: &mut Frame, position: usize, divergence: Option<Divergence>) {
        let before = current.before.saturating_add(current.length);
        let inner = Frame { position, divergence, before, ..Frame::default() };
        self.frames.push(std::mem::replace(current, inner));
    }

    /// Closes the innermost bracket.
    fn close(&mut self, current: &mut Frame, position: usize, found: char) -> Result<Item, CodeError> {
        let outer = self.frames.pop().ok_or(CodeError::Bracket(position))?;
        let Frame { position: open, divergence, mut arms, pieces, depth, length, .. } =
            std::mem::replace(current, outer);
        let partner = divergence.map_or(')', |divergence| divergence.brackets().1);
        if found != partner {
            return Err(CodeError::Bracket(open));
        }
        let Some(divergence) = divergence else { return Ok(Item { pieces, position: open, depth, length }) };
        arms.push(Piece::Sequence(pieces));
        let pieces = vec![Piece::Branch { arms, divergence, line: 0 }];
        Ok(Item { pieces, position: open, depth: deeper(depth, open)?, length })
    }

    /// The item with the count behind it, if there is one, and where the count stands.
    fn counted(&mut self, mut item: Item, is_program: bool) -> Result<(Item, usize), CodeError> {
        if !self.peek().is_some_and(|found| found.is_ascii_digit()) {
            let position = item.position;
            return Ok((item, position));
        }
        let position = self.position + 1;
        let huge = if is_program { CodeError::Count(position) } else { CodeError::TooLong(position) };
        let least = self.number().ok_or(huge)?;
        let mut most = least;
        if self.peek() == Some('.') {
            self.paths = self.paths.or(Some((self.position + 1, '.')));
            let dots = [self.next(), self.next()].map(|next| next.map(|(_, found)| found));
            self.peek();
            most = self.number().filter(|_| dots == [Some('.'); 2]).ok_or(CodeError::Count(position))?;
            if most == 0 || least > most {
                return Err(CodeError::Count(position));
            }
        }
        if most == 0 {
            return Err(CodeError::ZeroCount(position));
        }
        item.length = item.length.saturating_mul(most);
        if let ([Piece::Letters { count, .. }], true) = (&mut item.pieces[..], least == most)
            && let Some(product) = count.checked_mul(most)
        {
            *count = product;
        } else if (least, most) != (1, 1) {
            item.depth = deeper(item.depth, item.position)?;
            let body = Box::new(Piece::Sequence(item.pieces));
            item.pieces = vec![Piece::Loop { body, least, most, line: 0 }];
        }
        Ok((item, position))
    }

    /// The number that stands here; `None` if there is none or it is too large.
    fn number(&mut self) -> Option<u64> {
        let mut digits = String::new();
        while let Some(digit) = self.rest.next_if(char::is_ascii_digit) {
            self.position += 1;
            digits.push(digit);
        }
        digits.parse().ok()
    }

    /// Notes where the text becomes too long for a kernel string.
    fn look_at_length(&mut self, current: &Frame, position: usize) {
        if current.before.saturating_add(current.length) > MAX_KERNEL_LENGTH as u64 {
            self.too_long = self.too_long.or(Some(position));
        }
    }
}

/// One level more.
fn deeper(depth: usize, bracket: usize) -> Result<usize, CodeError> {
    if depth < DEEPEST { Ok(depth + 1) } else { Err(CodeError::Deep(bracket)) }
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
        let times = crate::model::PerUnit::from_fn(|unit| if unit == Unit::LoadStore { 2 } else { 1 });
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

    /// Code and kernels are read alike; a text with paths is no kernel.
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

    #[test]
    fn no_kernel_string() {
        let line = |text: &str| text.parse::<Piece>().unwrap().straight_line();
        assert_eq!(line("L1000000000"), None);
        assert_eq!(line("|"), None);
        assert_eq!(line("L0..1"), None);
        let nothing = Piece::Sequence(Vec::new());
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
