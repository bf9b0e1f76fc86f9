//! The text of a `.traceg` file, one line after the other, so that a file of any length needs the memory of a line.
//!
//! Format: `util/tracer_nvbit` of Accel-Sim, versions 1 to 5: the README, `tracer_tool.cu`, which writes instructions, and
//! `post-traces-processing.cpp`, which groups them by blocks and warps.

use std::io::{BufRead, Read};

use crate::message::shorten;
use crate::trace::field::{number, three};
use crate::trace::header::Header;
use crate::trace::instruction::{Executed, Layout, executed};
use warpspan_model::source::InputError;

/// The longest line that is read, in bytes. 32 addresses and all else take less than a thousand.
const LONGEST: u64 = 64 << 10;

/// What a file says next. There is one at a time.
#[expect(clippy::large_enum_variant, reason = "one of them lives at a time, for each line of a file")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Item {
    /// A block begins.
    Block([u64; 3]),
    /// The lines of a warp of the block begin, so many of them.
    Warp { number: u64, instructions: u64 },
    /// A warp executed an instruction.
    Executed(Executed),
    /// The block ends.
    End,
}

/// Where in a file the reader is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Between blocks.
    Between,
    /// Behind `#BEGIN_TB`.
    Opened,
    /// In a block, with the warp whose count follows.
    In(Option<u64>),
}

/// A file that is being read.
pub(super) struct Reader<R> {
    place: String,
    input: R,
    /// The line that was read last, with its number from 1.
    text: String,
    line: usize,
    layout: Layout,
    state: State,
}

impl<R: BufRead> Reader<R> {
    /// Reads the header of a file; `place` is its name in messages.
    pub(super) fn open(place: &str, input: R) -> Result<(Header, Self), InputError> {
        let (text, layout) = (String::new(), Layout::default());
        let mut reader =
            Self { place: place.to_owned(), input, text, line: 0, layout, state: State::Between };
        let mut header = Header::default();
        loop {
            if !reader.next_line()? {
                return Err(reader
                    .error("the file ends before the first #BEGIN_TB: want what the tracer wrote, whole"));
            }
            let text = reader.text.trim();
            match text {
                "" => {}
                "#BEGIN_TB" => break,
                _ if text.starts_with("#traces format") => header.format(text),
                _ if text.starts_with('-') => header.line(text).map_err(|what| reader.error(&what))?,
                _ if text.split_whitespace().count() > 8 => {
                    return Err(reader.error(
                        "an instruction outside of a block: want the .traceg that post-traces-processing makes of a .trace",
                    ));
                }
                other => {
                    let what = format!(
                        "{:?}: want a line of the header, such as -kernel name = NAME",
                        shorten(other)
                    );
                    return Err(reader.error(&what));
                }
            }
        }
        header.check().map_err(|what| reader.error(&what))?;
        reader.layout = header.layout();
        reader.state = State::Opened;
        Ok((header, reader))
    }

    /// What stands next; nothing at the end of the file.
    pub(super) fn next(&mut self) -> Result<Option<Item>, InputError> {
        loop {
            if !self.next_line()? {
                return match self.state {
                    State::Between => Ok(None),
                    _ => Err(self.error("the file ends within a block: was the tracer stopped?")),
                };
            }
            let text = self.text.trim();
            if text.is_empty() {
                continue;
            }
            let read = self.item(text);
            match read.map_err(|what| self.error(&what))? {
                (state, Some(item)) => {
                    self.state = state;
                    return Ok(Some(item));
                }
                (state, None) => self.state = state,
            }
        }
    }

    fn item(&self, text: &str) -> Result<(State, Option<Item>), String> {
        let unexpected = |want: &str| Err(format!("{:?}: want {want}", shorten(text)));
        let (key, value) =
            text.split_once(" = ").map_or((text, None), |(key, value)| (key.trim(), Some(value)));
        match (self.state, key, value) {
            (State::Between, "#BEGIN_TB", None) => Ok((State::Opened, None)),
            (State::Between, ..) => unexpected("#BEGIN_TB, or the end of the file"),
            (State::Opened, "thread block", Some(value)) => {
                Ok((State::In(None), Some(Item::Block(three(value)?))))
            }
            (State::Opened, ..) => unexpected("thread block = X,Y,Z"),
            // Clusters share memory of their own, which no number here counts.
            (State::In(None), "cluster id" | "cluster cta", Some(value)) => {
                three(value).map(|_| (self.state, None))
            }
            (State::In(None), "cluster rank", Some(value)) => number(value).map(|_| (self.state, None)),
            (State::In(None), "warp", Some(value)) => Ok((State::In(Some(number(value)?)), None)),
            (State::In(Some(number_of_warp)), "insts", Some(value)) => {
                let item = Item::Warp { number: number_of_warp, instructions: number(value)? };
                Ok((State::In(None), Some(item)))
            }
            (State::In(Some(_)), ..) => unexpected("insts = N"),
            (State::In(None), "#END_TB", None) => Ok((State::Between, Some(Item::End))),
            (State::In(None), _, Some(_)) | (State::In(None), "#BEGIN_TB", _) => {
                unexpected("warp = N, an instruction or #END_TB")
            }
            (State::In(None), ..) => Ok((self.state, Some(Item::Executed(executed(text, self.layout)?)))),
        }
    }

    /// Reads a line; whether there is one. A last line without its end is one that was cut off.
    fn next_line(&mut self) -> Result<bool, InputError> {
        self.text.clear();
        let mut bytes = std::mem::take(&mut self.text).into_bytes();
        let read = (&mut self.input).take(LONGEST).read_until(b'\n', &mut bytes);
        self.line += 1;
        match read {
            Err(error) => return Err(self.error(&format!("cannot be read: {error}"))),
            Ok(0) => return Ok(false),
            Ok(_) => {}
        }
        if self.line == 1
            && let Some(what) = packed(&bytes, &self.place)
        {
            return Err(InputError::new(self.place.as_str(), what));
        }
        if bytes.last() != Some(&b'\n') {
            let long = bytes.len() as u64 >= LONGEST;
            return Err(self.error(if long {
                "a line of more than 64 KiB: want what the tracer wrote"
            } else {
                "the last line has no end: was the tracer stopped?"
            }));
        }
        self.text =
            String::from_utf8(bytes).map_err(|_| self.error("not text: want what the tracer wrote"))?;
        Ok(true)
    }

    /// An error in the line that was read last.
    pub(super) fn error(&self, what: &str) -> InputError {
        InputError {
            place: self.place.clone(),
            line: Some(self.line),
            what: crate::message::one_line(&what).into(),
        }
    }
}

/// What to do with a file that is compressed.
fn packed(bytes: &[u8], place: &str) -> Option<String> {
    let with = |program: &str| {
        let file = if place == "-" || place.starts_with("standard") { "FILE" } else { place };
        Some(format!("compressed: want {program} -dc {file} | warpspan trace - and the same options"))
    };
    match bytes {
        [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => with("xz"),
        [0x1f, 0x8b, ..] => with("gzip"),
        [0x28, 0xb5, 0x2f, 0xfd, ..] => with("zstd"),
        _ => None,
    }
}
