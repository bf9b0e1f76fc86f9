//! The bytes that a launch moves, as people write them: `512 MB`, `8KB/block`, `500MB..537MB:lines`.

use crate::input::memory::quantity::size;
use warpspan_model::machine::{Declared, Role};

/// The bytes that a launch moves: at least and at most, of the whole launch or of each block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moved {
    /// The bytes at least.
    pub least: u64,
    /// The bytes at most.
    pub most: u64,
    /// Whether the numbers are those of a block.
    pub of_block: bool,
    /// Whether the bytes are known to move in whole lines.
    pub in_lines: bool,
}

impl Moved {
    /// `512 MB` of a launch, or `8KB/block`; a least number too, as `500MB..537MB`; `:lines` behind it says that whole
    /// lines move.
    ///
    /// # Errors
    /// If the text is none of these.
    pub fn read(text: &str) -> Result<Self, String> {
        let want = |what: String| {
            format!("{what}; or bytes of a block, as 8KB/block, or whole lines, as 512MB:lines")
        };
        let (rest, in_lines) = match text.trim().rsplit_once(':') {
            None => (text.trim(), false),
            Some((rest, "lines")) => (rest, true),
            Some((rest, "sectors")) => (rest, false),
            Some((_, other)) => {
                return Err(want(format!("{other:?}: want lines or sectors after the colon")));
            }
        };
        let (rest, of_block) = match rest.trim_end().strip_suffix("/block") {
            Some(rest) => (rest, true),
            None => (rest, false),
        };
        let (least, most) = match rest.split_once("..") {
            Some((least, most)) => (size(least).map_err(want)?, most),
            None => (0, rest),
        };
        let most = size(most).map_err(want)?;
        if least > most {
            return Err("want the least number of bytes first".to_owned());
        }
        Ok(Self { least, most, of_block, in_lines })
    }

    /// What a launch of so many blocks moves through a server at most.
    pub fn declared(self, role: Role, blocks: u64) -> Declared {
        Declared { role, bytes: self.of_launch(blocks)[1], in_lines: self.in_lines, further: 0 }
    }

    /// The bytes of so many blocks, at least and at most.
    pub fn of_launch(self, blocks: u64) -> [u128; 2] {
        let factor = if self.of_block { u128::from(blocks) } else { 1 };
        [self.least, self.most].map(|bytes| u128::from(bytes) * factor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_a_launch() {
        let found = Moved::read("8KB/block:lines").unwrap();
        assert_eq!((found.of_launch(10), found.in_lines), ([0, 80_000], true));
        assert_eq!(Moved::read("500MB..537MB").unwrap().of_launch(10), [500_000_000, 537_000_000]);
        for wrong in ["", "NaN", "-1", "1MB:rows", "2MB..1MB", "1MB/warp"] {
            assert!(Moved::read(wrong).is_err(), "{wrong}");
        }
    }
}
