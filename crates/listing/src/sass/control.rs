//! The control fields of SASS from capability 5.0 on.
//!
//! A field has 21 bits, from the lowest: 4 for the stall, 1 that asks the scheduler to go on with another warp,
//! 3 each for the scoreboards that are free again after the write and after the reads (7 is none), 6 for the
//! scoreboards to wait for, and 4 for the operand caches. Capabilities 5.0 to 6.2 pack the fields of three
//! instructions in a word of 64 bits before them. From 7.0 on an instruction has 128 bits, and its field begins
//! at bit 105. NVIDIA documents none of this; it is known from MaxAs, from CuAssembler, whose texts agree, and
//! from Z. Jia et al., *Dissecting the NVIDIA Volta GPU architecture via microbenchmarking* (2018).

use crate::routine::Routine;
use warpspan_isa::instruction::Control;

/// The field of 21 bits, from the lowest ones of a number.
fn of_bits(bits: u64) -> Control {
    let part = |from: u32, length: u32| {
        u8::try_from((bits >> from) & ((1 << length) - 1)).unwrap_or_default() // it has 6 bits at most
    };
    let scoreboard = |number: u8| (number < 6).then_some(number);
    Control {
        stall: part(0, 4),
        needs: part(11, 6),
        write: scoreboard(part(5, 3)),
        read: scoreboard(part(8, 3)),
    }
}

/// What CuAssembler prints between brackets: `B01---5:R-:W2:Y:S04`. Some versions print the operand caches
/// first, as in `----:B------:R-:W-:-:S06`.
pub(super) fn of_text(text: &str) -> Option<Control> {
    let parts: Vec<&str> = text.split(':').collect();
    let parts = if parts.len() == 6 && is_reuse(parts[0]) { &parts[1..] } else { &parts[..] };
    let &[needs, read, write, _, stall] = parts else { return None };
    let scoreboard = |text: &str| match text {
        "-" => Some(None),
        _ => text.parse().ok().filter(|number| *number < 6).map(Some),
    };
    let mut mask = 0;
    for (number, c) in needs.strip_prefix('B')?.chars().enumerate() {
        match c {
            '-' => {}
            _ if number < 6 && c.to_digit(10).is_some_and(|digit| usize::try_from(digit) == Ok(number)) => {
                mask |= 1 << number;
            }
            _ => return None,
        }
    }
    Some(Control {
        stall: stall.strip_prefix('S')?.parse().ok().filter(|stall| *stall < 16)?,
        needs: mask,
        write: scoreboard(write.strip_prefix('W')?)?,
        read: scoreboard(read.strip_prefix('R')?)?,
    })
}

/// Whether this is what CuAssembler prints of the four operand caches: `----`, `R---`, `01--`.
pub(super) fn is_reuse(text: &str) -> bool {
    text.len() == 4 && text.bytes().all(|byte| byte == b'-' || byte.is_ascii_alphanumeric())
}

/// The fields that the printers of CUDA 12.8 write behind the operands of code for capability 12.0, such as
/// `&req={1,0} &wr=0x2 ?trans5` or `?WAIT4_END_GROUP`: the operands without them, and what they say. That is
/// none if one of them is of another form. The error is a text behind a field that is no field.
pub(super) fn of_fields(text: &str) -> Result<(&str, Option<Control>), &str> {
    if !text.contains(['&', '?']) {
        return Ok((text, None));
    }
    let begins = |field: &str| field.starts_with('&') && field.contains('=') || field.starts_with('?');
    let is_name = |field: &str| field[1..].starts_with(|c: char| c.is_ascii_alphabetic());
    let starts = text.match_indices(char::is_whitespace).map(|(at, blank)| at + blank.len());
    let first = starts.clone().find(|&at| {
        let word = text[at..].split(char::is_whitespace).next().unwrap_or_default();
        begins(word) && is_name(word)
    });
    let Some(first) = first else { return Ok((text, None)) };
    let mut control = Some(Control { stall: 0, needs: 0, write: None, read: None });
    for field in text[first..].split_whitespace() {
        if !begins(field) {
            return Err(field);
        }
        control = control.and_then(|control| with_field(control, field));
    }
    // Every instruction has a stall; without one the line is not understood.
    Ok((text[..first].trim_end(), control.filter(|control| control.stall > 0)))
}

/// A control field with what one more printed field says.
fn with_field(control: Control, field: &str) -> Option<Control> {
    let number =
        |text: &str| u8::from_str_radix(text.strip_prefix("0x")?, 16).ok().filter(|number| *number < 6);
    let stall = |digits: &str| digits.parse::<u8>().ok().filter(|stall| (1..16).contains(stall));
    if let Some(list) = field.strip_prefix("&req={") {
        let mut needs = control.needs;
        for one in list.strip_suffix('}')?.split(',') {
            needs |= 1 << one.parse::<u8>().ok().filter(|number| *number < 6)?;
        }
        return Some(Control { needs, ..control });
    }
    if let Some(write) = field.strip_prefix("&wr=") {
        return Some(Control { write: Some(number(write)?), ..control });
    }
    // What is free early of an atomic operation is in the place of the reads.
    if let Some(read) = field.strip_prefix("&rd=").or_else(|| field.strip_prefix("&wr_early=")) {
        return Some(Control { read: Some(number(read)?), ..control });
    }
    let cycles = match field.strip_prefix("?trans") {
        Some(digits) => digits,
        None => field.strip_prefix("?WAIT")?.strip_suffix("_END_GROUP")?,
    };
    Some(Control { stall: stall(cycles)?, ..control })
}

/// How instructions and control fields are encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Encoding {
    /// A word for three instructions.
    Words,
    /// 128 bits for each instruction.
    Long,
}

/// The encodings of a function that is being read.
#[derive(Debug, Default)]
pub(super) struct Encodings {
    /// A word before instructions, and the address of the 32 bytes that it belongs to, once that is known.
    group: Option<(u64, Option<u64>)>,
    /// Whether the first half of the encoding of the last instruction has been read, and not the second.
    half: bool,
}

fn encoding(routine: &Routine<'_>) -> Option<Encoding> {
    let (major, _) = routine.target.as_deref()?.split_once('.')?;
    match major.parse::<u32>().ok()? {
        5 | 6 => Some(Encoding::Words),
        7.. => Some(Encoding::Long),
        _ => None,
    }
}

impl Encodings {
    /// Notes a word that stands on a line of its own.
    pub(super) fn word(&mut self, routine: &mut Routine<'_>, word: u64) {
        match encoding(routine) {
            Some(Encoding::Words) => {
                // nvdisasm prints the encoding of the second of two instructions that issue together on a line of its own,
                // like a word of control fields, which stands only where 32 bytes begin.
                let last = routine.instructions.last().and_then(|last| last.address);
                if last.is_none_or(|address| address / 8 % 4 == 3) {
                    self.group = Some((word, None));
                }
            }
            Some(Encoding::Long) if std::mem::take(&mut self.half) => {
                if let Some(last) = routine.instructions.last_mut() {
                    last.control = last.control.or(Some(of_bits(word >> 41)));
                }
            }
            _ => {}
        }
    }

    /// Notes the encoding of the last instruction that has been read, and what is printed before it.
    pub(super) fn instruction(
        &mut self,
        routine: &mut Routine<'_>,
        address: u64,
        word: Option<u64>,
        printed: Option<Control>,
    ) {
        let encoding = encoding(routine);
        self.half = word.is_some();
        let mut control = printed;
        // The word has the first of the four places in its 32 bytes.
        let (group, place) = (address / 32, address / 8 % 4);
        if let (Some(Encoding::Words), Some((word, of))) = (encoding, &mut self.group)
            && place > 0
            && *of.get_or_insert(group) == group
        {
            control = control.or(Some(of_bits(*word >> (21 * (place - 1)))));
        }
        if let Some(last) = routine.instructions.last_mut() {
            last.control = control;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Text;

    fn controls(text: &str) -> Vec<Option<Control>> {
        let text = Text::new("k", text.as_bytes().to_vec()).unwrap();
        let listing = text.listing().unwrap();
        listing.routines[0].instructions.iter().map(|instruction| instruction.control).collect()
    }

    fn printed(text: &str) -> Option<Control> {
        Some(of_text(text).unwrap())
    }

    /// `nvdisasm` and `cuobjdump -fun` print two instructions that issue together in braces, with the encoding of the second on a line of its own,
    /// which is no control word: that of S2R once was taken for the fields of the instructions behind it.
    #[test]
    fn two_instructions_in_braces_have_the_fields_of_their_group() {
        let plain = "code for sm_62\n\t\tFunction : k
                                              /* 0x001fc401e42207f0 */
        /*0008*/  MOV R12, c[0x0][0x8] ;      /* 0x4c9807800027000c */
        /*0010*/  S2R R8, SR_CTAID.Y ;        /* 0xf0c8000002670008 */
        /*0018*/  SHR.U32 R5, R5, 0x5 ;       /* 0x3828000000570505 */
                                              /* 0x001fb400fea00031 */
        /*0028*/  MOV R1, R2 ;                /* 0x5080000000570506 */
        /*0030*/  IADD R1, R1, R2 ;           /* 0x5080000000570506 */
        /*0038*/  SSY 0x48 ;                  /* 0xe290000000800000 */
                                              /* 0x001ffc00ffe007f3 */
        /*0048*/  EXIT ;                      /* 0xe30000000007000f */
";
        let braces = plain
            .replace("MOV R12", "{ MOV R12")
            .replace("SR_CTAID.Y ;        /*", "SR_CTAID.Y }\n /*")
            .replace("IADD R1", "{ IADD R1")
            .replace("SSY 0x48 ;                  /*", "SSY 0x48 }\n /*");
        assert_eq!(braces.lines().count(), plain.lines().count() + 2);
        let found = controls(plain);
        assert!(found.len() == 7 && found.iter().all(Option::is_some), "{found:?}");
        assert_eq!(controls(&braces), found);
    }

    #[test]
    fn bits_and_texts() {
        assert_eq!(
            of_text("B01---5:R-:W2:Y:S04"),
            Some(Control { stall: 4, needs: 0b10_0011, write: Some(2), read: None })
        );
        assert_eq!(
            of_text("B------:R5:W-:-:S00"),
            Some(Control { stall: 0, needs: 0, write: None, read: Some(5) })
        );
        assert_eq!(of_text("R---:B01---5:R-:W2:Y:S04"), of_text("B01---5:R-:W2:Y:S04"));
        for wrong in ["B------:R5:W-:-:S16", "B------:R6:W-:-:S01", "B1-----:R-:W-:-:S01", "B:R-:W-:S01"] {
            assert_eq!(of_text(wrong), None, "{wrong}");
        }
    }

    /// As `cuobjdump` prints code for capability 12.0, with what it says beside it.
    #[test]
    fn instructions_of_128_bits() {
        let text = "code for sm_120a\n\t\tFunction : k
        /*0000*/   S2R R9, SR_TID.X                  &wr=0x0  ?trans7;          /* 0x0000000000097919 */
                                                                                /* 0x000e2e0000002100 */
        /*0010*/   SHFL.UP PT, R0, R9, 0x3, 0x1e00   &req={0} ?trans1;          /* 0x047e000009007f89 */
                                                                                /* 0x001fe200000e0000 */
        /*0020*/   SHFL.BFLY PT, R4, R9, 0x3, 0x181f &wr=0x0  ?trans4;          /* 0x0c781f0009047f89 */
                                                                                /* 0x000e2800000e0000 */
        /*0030*/   ST.E desc[UR6][R2.64], R7         &req={2} ?trans1;          /* 0x0000000702007985 */
                                                                                /* 0x004fe2000c101906 */
        /*0040*/   EXIT ;
        /*0050*/   NOP ;                                                        /* 0x0000000000007918 */
        /*0060*/   NOP ;
";
        assert_eq!(
            controls(text)[..5],
            [
                printed("B------:R-:W0:-:S07"),
                printed("B0-----:R-:W-:-:S01"),
                printed("B------:R-:W0:-:S04"),
                printed("B--2---:R-:W-:-:S01"),
                None,
            ]
        );
    }

    #[test]
    fn fields_and_encodings_agree() {
        // As cuobjdump 12.8 prints code for capability 12.0.
        let text = "code for sm_120\n\t\tFunction : k
        /*0000*/   LDC R1, c[0x0][0x37c]               &wr=0x0          ?trans1;           /* 0x0000df00ff017b82 */
                                                                                           /* 0x000e220000000800 */
        /*0010*/   ISETP.GE.AND P0, PT, R14, UR4, PT   &req={2}         ?WAIT13_END_GROUP; /* 0x000000040e007c0c */
                                                                                           /* 0x004fda000bf06270 */
        /*0020*/   MUFU.RSQ R21, R16                   &rd=0x0 &wr=0x1  ?trans1;           /* 0x0000001000157308 */
                                                                                           /* 0x0000620000001400 */
        /*0030*/   @!P0 BRA 0x0                        &req={3,0}       ?trans5;           /* 0x0000000000548947 */
                                                                                           /* 0x009fea0003800000 */
";
        let fields = controls(text);
        let bare: String = text
            .lines()
            .map(|line| match (line.find('&'), line.find(';')) {
                (Some(from), Some(to)) => format!("{}{}\n", &line[..from], &line[to..]),
                _ => format!("{line}\n"),
            })
            .collect();
        assert!(fields.iter().all(Option::is_some));
        assert_eq!(fields, controls(&bare));
        assert_eq!(of_fields("FADD R1, R2, R3"), Ok(("FADD R1, R2, R3", None)));
        assert_eq!(of_fields("FADD R1, R2, R3 &new=0x1 ?trans1"), Ok(("FADD R1, R2, R3", None)));
        assert_eq!(of_fields("FADD R1, R2, R3 &wr=0x1 R7"), Err("R7"));
    }

    /// As `cuobjdump` prints code for capability 6.1.
    #[test]
    fn words_before_three_instructions() {
        let text = "code for sm_61\n\t\tFunction : k
                                                                             /* 0x001c4400fe0007f6 */
        /*0008*/                   MOV R1, c[0x0][0x20] ;                    /* 0x4c98078000870001 */
        /*0010*/                   IADD32I R1, R1, -0x30 ;                   /* 0x1c0ffffffd070101 */
        /*0018*/                   S2R R0, SR_CTAID.Z ;                      /* 0xf0c8000002770000 */
                                                                             /* 0x005f9800fec20ff6 */
        /*0028*/                   XMAD R2, R0.reuse, 0x3e8, R2 ;            /* 0x360001003e870002 */
        /*0030*/                   XMAD.PSL R0, R0.H1, 0x3e8, R2 ;           /* 0x362001103e870000 */
        /*0038*/                   NOP ;                                     /* 0x50b0000000070f00 */
        /*0048*/                   EXIT ;                                    /* 0x360001803e870003 */
";
        assert_eq!(
            controls(text),
            [
                printed("B------:R-:W-:-:S06"),
                printed("B------:R-:W-:-:S00"),
                printed("B------:R-:W0:-:S01"),
                printed("B0-----:R-:W-:-:S06"),
                printed("B------:R-:W-:-:S06"),
                printed("B-1----:R-:W-:-:S06"),
                None,
            ]
        );
        let unknown = text.replace("code for sm_61", ".headerflags");
        assert!(controls(&unknown).iter().all(Option::is_none));
    }
}
