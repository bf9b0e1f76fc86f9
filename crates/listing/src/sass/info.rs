//! Where the parameters of kernels stand and how large their blocks may be, as full listings of nvdisasm state it.
//!
//! Each parameter has an attribute `EIATTR_KPARAM_INFO` in the section `.nv.info.NAME`: a word, its number and its offset of
//! two bytes each, and four bytes, whose upper 14 bits are its size. `EIATTR_REQNTID` and `EIATTR_MAX_THREADS` have three words, the sizes
//! of a block along each axis.

use std::collections::HashMap;

use crate::routine::Parameter;

/// What the attributes that were read say of parameters.
#[derive(Default)]
pub(super) struct Attributes<'a> {
    /// The kernel whose section is being read.
    kernel: Option<&'a str>,
    /// The attribute that is being read and its numbers, if it is one of these.
    numbers: Option<(Kind, Vec<u32>)>,
    /// The parameters of each kernel of a file, with their numbers.
    found: HashMap<(u32, &'a str), Vec<(u32, Parameter)>>,
    /// The sizes of the blocks of each kernel of a file: those that it must have, and those whose product is the most threads.
    blocks: HashMap<(u32, &'a str, Kind), [u64; 3]>,
}

/// What an attribute is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Parameter,
    RequiredBlock,
    MostThreads,
}

impl Kind {
    fn of(text: &str) -> Option<Self> {
        match text.split_whitespace().last()? {
            "EIATTR_KPARAM_INFO" => Some(Self::Parameter),
            "EIATTR_REQNTID" => Some(Self::RequiredBlock),
            "EIATTR_MAX_THREADS" => Some(Self::MostThreads),
            _ => None,
        }
    }
}

impl<'a> Attributes<'a> {
    /// Reads a line. `file` is the number of its object file.
    pub(super) fn line(&mut self, text: &'a str, file: u32) {
        let section = text.trim_start().strip_prefix(".section");
        if let Some(rest) = section.filter(|rest| rest.starts_with([' ', '\t'])) {
            let name = rest.trim_start().split([',', '\t', ' ']).next().unwrap_or_default();
            (self.kernel, self.numbers) = (name.trim_matches('"').strip_prefix(".nv.info."), None);
            return;
        }
        let Some(kernel) = self.kernel else { return };
        if text.trim_start().starts_with("//-----") {
            self.numbers = Kind::of(text).map(|kind| (kind, Vec::new()));
        } else if let Some((kind, numbers)) = &mut self.numbers {
            numbers.extend(values(text));
            // Two bytes say what it is, and its length follows; of a parameter also an unused word.
            match (*kind, &numbers[..]) {
                (Kind::Parameter, &[_, _, _, _, number, offset, a, b, c, d]) => {
                    let bytes = [a, b, c, d].map(|byte| u8::try_from(byte).unwrap_or_default());
                    let one = Parameter { offset, bytes: u32::from_le_bytes(bytes) >> 18, integer: true };
                    self.found.entry((file, kernel)).or_default().push((number, one));
                    self.numbers = None;
                }
                (Kind::RequiredBlock | Kind::MostThreads, &[_, _, _, x, y, z]) => {
                    let sizes = [x, y, z].map(u64::from);
                    if !sizes.contains(&0) {
                        self.blocks.insert((file, kernel, *kind), sizes);
                    }
                    self.numbers = None;
                }
                _ => {}
            }
        }
    }

    /// The sizes that the blocks of a kernel must have, and the most threads of a block.
    pub(super) fn blocks(&self, file: u32, kernel: &'a str) -> (Option<[u64; 3]>, Option<u64>) {
        let of = |kind| self.blocks.get(&(file, kernel, kind)).copied();
        let all = |sizes: [u64; 3]| sizes.into_iter().fold(1, u64::saturating_mul);
        (of(Kind::RequiredBlock), of(Kind::MostThreads).map(all))
    }

    /// The parameters of a kernel in their order; none unless each is there once.
    pub(super) fn of(&self, file: u32, kernel: &str) -> Vec<Parameter> {
        let mut found = self.found.get(&(file, kernel)).cloned().unwrap_or_default();
        found.sort_by_key(|(number, _)| *number);
        let complete = found.iter().zip(0..).all(|((number, _), at)| *number == at);
        let apart = found.windows(2).all(|pair| pair[0].1.offset + pair[0].1.bytes <= pair[1].1.offset);
        if complete && apart { found.into_iter().map(|(_, one)| one).collect() } else { Vec::new() }
    }
}

/// The numbers behind `.byte`, `.short` or `.word`; a difference of labels counts as 0.
fn values(text: &str) -> Vec<u32> {
    let values = [".byte", ".short", ".word"].iter().find_map(|name| text.split_once(name));
    let number = |text: &str| {
        let text = text.trim();
        text.strip_prefix("0x").map_or(Ok(0), |hex| u32::from_str_radix(hex, 16)).unwrap_or_default()
    };
    values.map(|(_, values)| values.split(',').map(number).collect()).unwrap_or_default()
}
