//! Texts in Helvetica, one of the fonts that every reader of PDF has, in the encoding `WinAnsiEncoding`.

/// The height of a small letter, as a part of the size.
pub(super) const X_HEIGHT: f64 = 0.523;

/// The widths of the letters from code 32 on in thousandths of the size, from Adobe's metrics (Helvetica.afm).
#[rustfmt::skip]
const WIDTHS: [u16; 224] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
    333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
    556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584, 350,
    556, 350, 222, 556, 333, 1000, 556, 556, 333, 1000, 667, 333, 1000, 350, 611, 350,
    350, 222, 222, 333, 333, 350, 556, 1000, 333, 1000, 500, 333, 944, 350, 500, 667,
    278, 333, 556, 556, 556, 556, 260, 556, 333, 737, 370, 556, 584, 333, 737, 333,
    400, 584, 333, 333, 333, 556, 537, 278, 333, 333, 365, 556, 834, 834, 834, 611,
    667, 667, 667, 667, 667, 667, 1000, 722, 667, 667, 667, 667, 278, 278, 278, 278,
    722, 722, 778, 778, 778, 778, 778, 584, 778, 722, 722, 722, 722, 667, 667, 611,
    556, 556, 556, 556, 556, 556, 889, 500, 556, 556, 556, 556, 278, 278, 278, 278,
    556, 556, 556, 556, 556, 556, 556, 584, 611, 556, 556, 556, 556, 500, 556, 500,
];

/// The letters of codes 128 to 159. Where there is none stands a bullet, as in the encoding.
const UPPER: &str = "€•‚ƒ„…†‡ˆ‰Š‹Œ•Ž••‘’“”•–—˜™š›œ•žŸ";

/// What stands for letters that the encoding lacks; for others it is a question mark.
const REPLACED: [(char, &str); 14] = [
    ('≤', "<="),
    ('≥', ">="),
    ('≠', "!="),
    ('≈', "~"),
    ('→', "->"),
    ('←', "<-"),
    ('−', "-"),
    ('‐', "-"),
    ('‑', "-"),
    ('∞', "inf"),
    ('σ', "sigma"),
    ('α', "alpha"),
    ('β', "beta"),
    ('μ', "µ"),
];

/// The codes of a text. White space of any kind and length is one space, as in SVG.
pub(super) fn encoded(text: &str) -> Vec<u8> {
    let mut codes = Vec::new();
    for letter in text.chars() {
        match letter {
            ' ' | '\t' | '\n' | '\r' if codes.last() == Some(&b' ') => {}
            '\t' | '\n' | '\r' => codes.push(b' '),
            letter => match (code(letter), REPLACED.iter().find(|(from, _)| *from == letter)) {
                (Some(code), _) => codes.push(code),
                (None, Some((_, by))) => codes.extend(by.chars().filter_map(code)),
                (None, None) => codes.push(b'?'),
            },
        }
    }
    codes
}

fn code(letter: char) -> Option<u8> {
    match letter {
        ' '..='~' | '\u{a0}'..='ÿ' => u8::try_from(u32::from(letter)).ok(),
        letter => (128..).zip(UPPER.chars()).find(|(_, upper)| *upper == letter).map(|(code, _)| code),
    }
}

/// The width of a text, as a multiple of the size.
pub(super) fn width(codes: &[u8]) -> f64 {
    let widths = codes.iter().filter_map(|code| WIDTHS.get(usize::from(code.checked_sub(32)?)));
    widths.map(|width| f64::from(*width)).sum::<f64>() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_have_the_codes_and_widths_of_the_standard() {
        assert_eq!(encoded("aÄ € –\u{a0}™"), [97, 196, 32, 128, 32, 150, 160, 153]);
        assert_eq!(encoded("W \n  ≤ 8, Łσμ"), *b"W <= 8, ?sigma\xb5");
        // From Helvetica.afm: W 944, space 278, equal 584, eight 556, Adieresis 667, endash 556, ydieresis 500.
        assert!((width(&encoded("W = 8")) - 2.640).abs() < 1e-9);
        assert!((width(&encoded("Ä–ÿ")) - 1.723).abs() < 1e-9);
    }
}
