//! The reader of the one grammar of kernel strings and programs. It keeps open brackets on a stack of its
//! own, so that no text is too deep for it. The letters are those of an [`Alphabet`].

use std::iter::Peekable;
use std::str::Chars;

use crate::code::CodeError;
use crate::code::error::DEEPEST;
use crate::program::{Divergence, Piece};
use crate::{Kernel, MAX_KERNEL_LENGTH, Unit};

/// The letters that a text may hold.
pub(crate) struct Alphabet<'a, L> {
    /// The letter of a name.
    pub(crate) find: &'a dyn Fn(&str) -> Option<L>,
    /// All names, for messages, if letters may have names in angle brackets: `L2<SFU>C`, `<SFU,FP64>`.
    pub(crate) names: Option<&'a str>,
}

/// The letters of the paper's multiprocessor.
pub(super) const UNITS: Alphabet<'static, Unit> =
    Alphabet { find: &|name| name.chars().next().and_then(Unit::from_letter), names: None };

/// The result of reading a text.
pub(crate) struct Read<L> {
    /// The program in normal form.
    pub(crate) program: Piece<L>,
    /// The first sign of several paths: the bracket of a branch, or the dots of a range.
    pub(super) paths: Option<(usize, char)>,
    /// The position at which the text becomes longer than a kernel string may be.
    too_long: Option<usize>,
}

impl Read<Unit> {
    /// The kernel string, if the text is one.
    pub(super) fn kernel(self) -> Result<Kernel, CodeError> {
        match (self.paths, self.too_long) {
            (Some((position, found)), _) => Err(CodeError::Unexpected { position, found }),
            (_, Some(position)) => Err(CodeError::TooLong(position)),
            _ => self.program.straight_line().ok_or(CodeError::Empty),
        }
    }
}

/// What has been read of an open bracket, or of the whole text.
struct Frame<L> {
    /// The position of the bracket, and the kind of branch that it makes. The kind is `None` for round
    /// brackets and for the whole text.
    position: usize,
    divergence: Option<Divergence>,
    /// The arms before the one that is being read.
    arms: Vec<Piece<L>>,
    pieces: Vec<Piece<L>>,
    /// The depth of nesting inside this bracket.
    depth: usize,
    /// The number of letters and barriers before the bracket and in it, when written out.
    before: u64,
    length: u64,
}

impl<L: Clone + PartialEq> Frame<L> {
    fn new(position: usize, divergence: Option<Divergence>, before: u64) -> Self {
        Self { position, divergence, arms: Vec::new(), pieces: Vec::new(), depth: 0, before, length: 0 }
    }

    /// Adds a piece. The pieces of a group join the sequence around it, and neighbouring equal letters are
    /// merged.
    fn add(&mut self, item: Item<L>) {
        self.depth = self.depth.max(item.depth);
        self.length = self.length.saturating_add(item.length);
        for piece in item.pieces {
            if let (
                Some(Piece::Letters { letter: last, count: before, .. }),
                Piece::Letters { letter, count, .. },
            ) = (self.pieces.last_mut(), &piece)
                && last == letter
                && let Some(sum) = before.checked_add(*count)
            {
                *before = sum;
            } else {
                self.pieces.push(piece);
            }
        }
    }
}

/// What a count may follow: a letter, or the content of brackets.
struct Item<L> {
    pieces: Vec<Piece<L>>,
    position: usize,
    depth: usize,
    length: u64,
}

pub(crate) struct Reader<'a, L> {
    alphabet: &'a Alphabet<'a, L>,
    /// The position of the character that was read last.
    position: usize,
    rest: Peekable<Chars<'a>>,
    /// The whole text and the brackets that are open in it, the innermost last.
    frames: Vec<Frame<L>>,
    paths: Option<(usize, char)>,
    too_long: Option<usize>,
}

impl<'a, L: Clone + PartialEq> Reader<'a, L> {
    /// Reads a text. A number of 2^64 or more is reported as a wrong count in a program, and as too many
    /// letters in a kernel string.
    pub(crate) fn read(
        text: &'a str,
        is_program: bool,
        alphabet: &'a Alphabet<'a, L>,
    ) -> Result<Read<L>, CodeError> {
        let mut reader = Self {
            alphabet,
            position: 0,
            rest: text.chars().peekable(),
            frames: Vec::new(),
            paths: None,
            too_long: None,
        };
        let mut whole = Frame::new(0, None, 0);
        while let Some((position, found)) = reader.next() {
            let item = match found {
                '(' => {
                    reader.open(&mut whole, position, None);
                    continue;
                }
                '<' if reader.is_name() => reader.named(position)?,
                '[' | '{' | '<' => {
                    reader.paths = reader.paths.or(Some((position, found)));
                    reader.open(&mut whole, position, Divergence::of_bracket(found));
                    continue;
                }
                '/' if whole.divergence.is_some() => {
                    whole.arms.push(Piece::Sequence(std::mem::take(&mut whole.pieces).into()));
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
                    let pieces = vec![reader.letter(&found.to_string(), position)?];
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
        match Piece::Sequence(whole.pieces.into()).normal() {
            Piece::Sequence(pieces) if pieces.is_empty() => Err(CodeError::Empty),
            program => Ok(Read { program, paths: reader.paths, too_long: reader.too_long }),
        }
    }

    /// The next character that is not ignored. It is not consumed.
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

    /// The letter of a name.
    fn letter(&self, name: &str, position: usize) -> Result<Piece<L>, CodeError> {
        let letter = (self.alphabet.find)(name).ok_or_else(|| match self.alphabet.names {
            Some(names) => CodeError::NoLetter { position, found: name.to_owned(), names: names.to_owned() },
            None => CodeError::Unexpected { position, found: name.chars().next().unwrap_or_default() },
        })?;
        Ok(Piece::Letters { letter, count: 1, line: 0 })
    }

    /// Whether the angle bracket that was read last opens names of letters. The arms of a branch have a
    /// slash between them.
    fn is_name(&self) -> bool {
        self.alphabet.names.is_some() && self.rest.clone().find(|&c| !Self::in_names(c)) == Some('>')
    }

    /// Whether a character may stand in a list of names.
    fn in_names(c: char) -> bool {
        c == ',' || c.is_whitespace() || in_name(c)
    }

    /// Reads the names up to the closing bracket.
    fn named(&mut self, open: usize) -> Result<Item<L>, CodeError> {
        let mut pieces = Vec::new();
        let (mut name, mut at) = (String::new(), open + 1);
        for found in self.rest.by_ref() {
            self.position += 1;
            match found {
                ',' | '>' => {
                    pieces.push((std::mem::take(&mut name), at));
                    at = self.position + 1;
                }
                _ => name.push(found),
            }
            if found == '>' {
                break;
            }
        }
        let pieces: Vec<Piece<L>> =
            pieces.iter().map(|(name, at)| self.letter(name.trim(), *at)).collect::<Result<_, _>>()?;
        let length = pieces.len() as u64;
        Ok(Item { pieces, position: open, depth: 0, length })
    }

    fn open(&mut self, current: &mut Frame<L>, position: usize, divergence: Option<Divergence>) {
        let before = current.before.saturating_add(current.length);
        let inner = Frame::new(position, divergence, before);
        self.frames.push(std::mem::replace(current, inner));
    }

    /// Closes the innermost bracket.
    fn close(&mut self, current: &mut Frame<L>, position: usize, found: char) -> Result<Item<L>, CodeError> {
        let outer = self.frames.pop().ok_or(CodeError::Bracket(position))?;
        let Frame { position: open, divergence, mut arms, pieces, depth, length, .. } =
            std::mem::replace(current, outer);
        let partner = divergence.map_or(')', |divergence| divergence.brackets().1);
        if found != partner {
            return Err(CodeError::Bracket(open));
        }
        let Some(divergence) = divergence else { return Ok(Item { pieces, position: open, depth, length }) };
        arms.push(Piece::Sequence(pieces.into()));
        let pieces = vec![Piece::Branch { arms: arms.into(), divergence, line: 0 }];
        Ok(Item { pieces, position: open, depth: deeper(depth, open)?, length })
    }

    /// The item with the count behind it, if there is one, and the position of the count.
    fn counted(&mut self, mut item: Item<L>, is_program: bool) -> Result<(Item<L>, usize), CodeError> {
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
            let body = Box::new(Piece::Sequence(item.pieces.into()));
            item.pieces = vec![Piece::Loop { body, least, most, line: 0 }];
        }
        Ok((item, position))
    }

    /// The number at this position. It is `None` if there is no number or it is too large.
    fn number(&mut self) -> Option<u64> {
        let mut digits = String::new();
        while let Some(digit) = self.rest.next_if(char::is_ascii_digit) {
            self.position += 1;
            digits.push(digit);
        }
        digits.parse().ok()
    }

    /// Records the position at which the text becomes too long for a kernel string.
    fn look_at_length(&mut self, current: &Frame<L>, position: usize) {
        if current.before.saturating_add(current.length) > MAX_KERNEL_LENGTH as u64 {
            self.too_long = self.too_long.or(Some(position));
        }
    }
}

/// Whether a character may stand in the name of a letter.
pub(crate) fn in_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-')
}

/// The depth one level further in.
fn deeper(depth: usize, bracket: usize) -> Result<usize, CodeError> {
    if depth < DEEPEST { Ok(depth + 1) } else { Err(CodeError::Deep(bracket)) }
}
