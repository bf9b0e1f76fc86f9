//! Reading a program.

use std::iter::Peekable;
use std::str::{Chars, FromStr};

use thiserror::Error;

use crate::model::Unit;
use crate::model::program::{Divergence, MAX_DEPTH, Piece};

/// Why a text is not a program. Positions count characters from 1.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ProgramTextError {
    /// Nothing at all.
    #[error("the program is empty: want at least one L or C")]
    Empty,
    /// A character that means nothing here.
    #[error(
        "character {position} is '{found}': want L, C, '|', a count after a letter or a bracket, or one of ( ) {{ }} [ ] < > /"
    )]
    Unexpected {
        /// Where, from 1.
        position: usize,
        /// What stands there.
        found: char,
    },
    /// A bracket without its partner.
    #[error("the bracket at character {0} has no partner")]
    Bracket(usize),
    /// A count that does not do.
    #[error("the count at character {0}: want 1 or more, or least..most with least at most most, below 2^64")]
    Count(usize),
    /// Brackets in too many brackets.
    #[error("the bracket at character {0} lies deeper than {most} in others: flatten the program", most = DEEPEST)]
    Deep(usize),
}

/// Brackets in one another; each makes three pieces at most: a loop of a branch of sequences.
const DEEPEST: usize = MAX_DEPTH / 3;

impl FromStr for Piece {
    type Err = ProgramTextError;

    /// Reads letters in either case; spaces and `_` are ignored. The result is in normal form.
    fn from_str(text: &str) -> Result<Self, ProgramTextError> {
        let mut reader = Reader { position: 0, rest: text.chars().peekable() };
        let program = reader.sequence(0)?;
        if let Some((position, found)) = reader.next() {
            return Err(match found {
                ')' | ']' | '}' | '>' => ProgramTextError::Bracket(position),
                _ => ProgramTextError::Unexpected { position, found },
            });
        }
        match program.normal() {
            Self::Sequence(pieces) if pieces.is_empty() => Err(ProgramTextError::Empty),
            program => Ok(program),
        }
    }
}

struct Reader<'a> {
    /// Of the character read last.
    position: usize,
    rest: Peekable<Chars<'a>>,
}

impl Reader<'_> {
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

    /// Pieces up to a closing bracket, a slash or the end.
    fn sequence(&mut self, depth: usize) -> Result<Piece, ProgramTextError> {
        let mut pieces = Vec::new();
        while let Some(found) = self.peek() {
            if matches!(found, ')' | ']' | '}' | '>' | '/') {
                break;
            }
            pieces.push(self.item(depth)?);
        }
        Ok(Piece::Sequence(pieces))
    }

    /// One piece and its count.
    fn item(&mut self, depth: usize) -> Result<Piece, ProgramTextError> {
        let Some((position, found)) = self.next() else { return Err(ProgramTextError::Empty) };
        if found == '|' {
            return Ok(Piece::Barrier { line: 0 });
        }
        if depth >= DEEPEST {
            return Err(ProgramTextError::Deep(position));
        }
        let piece = match found {
            '(' => {
                let piece = self.sequence(depth + 1)?;
                self.close(')', position)?;
                piece
            }
            '[' => self.branch(Divergence::Uniform, position, depth)?,
            '{' => self.branch(Divergence::Divergent, position, depth)?,
            '<' => self.branch(Divergence::Interleaved, position, depth)?,
            _ => match Unit::from_letter(found) {
                Some(unit) => Piece::Letters { unit, count: 1, line: 0 },
                None => return Err(ProgramTextError::Unexpected { position, found }),
            },
        };
        Ok(match self.counts()? {
            Some((least, most)) => Piece::Loop { body: Box::new(piece), least, most, line: 0 },
            None => piece,
        })
    }

    fn branch(
        &mut self,
        divergence: Divergence,
        open: usize,
        depth: usize,
    ) -> Result<Piece, ProgramTextError> {
        let mut arms = vec![self.sequence(depth + 1)?];
        while self.peek() == Some('/') {
            self.next();
            arms.push(self.sequence(depth + 1)?);
        }
        self.close(divergence.brackets().1, open)?;
        Ok(Piece::Branch { arms, divergence, line: 0 })
    }

    fn close(&mut self, bracket: char, open: usize) -> Result<(), ProgramTextError> {
        match self.next() {
            Some((_, found)) if found == bracket => Ok(()),
            Some((position, found @ '/')) => Err(ProgramTextError::Unexpected { position, found }),
            _ => Err(ProgramTextError::Bracket(open)),
        }
    }

    /// A count, or at least and at most.
    fn counts(&mut self) -> Result<Option<(u64, u64)>, ProgramTextError> {
        if !self.peek().is_some_and(|found| found.is_ascii_digit()) {
            return Ok(None);
        }
        let position = self.position + 1;
        let least = self.number()?;
        let range = self.peek() == Some('.');
        let mut most = least;
        if range {
            for _ in 0..2 {
                match self.next() {
                    Some((_, '.')) => {}
                    _ => return Err(ProgramTextError::Count(position)),
                }
            }
            most = self.number()?;
        }
        if most == 0 || least > most {
            return Err(ProgramTextError::Count(position));
        }
        Ok(Some((least, most)))
    }

    fn number(&mut self) -> Result<u64, ProgramTextError> {
        self.peek();
        let position = self.position + 1;
        let mut digits = String::new();
        while let Some(digit) = self.rest.next_if(char::is_ascii_digit) {
            self.position += 1;
            digits.push(digit);
        }
        digits.parse().map_err(|_| ProgramTextError::Count(position))
    }
}
